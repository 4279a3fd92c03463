"""The command line of `qampaign`: what it asks Snakemake for, and what its exit code says."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import duckdb
import polars as pl
import pytest
import snakemake.cli

from qampaign import run_token
from qampaign.command.location import home, profile
from qampaign.command.main import main, page_of
from qampaign.running.jobs import failure_path, refusal_path
from qampaign.tables import schema_of
from tests.helpers.tiny_campaign import ROOT

CONFIG = """
campaign: mine
collections:
  demo: {runs: runs.csv, assessments: assessments.csv}
"""
PROFILES = ROOT / "workflow/profiles"

Answer = Callable[[], object]


class Snakemake:
    """Stands in for Snakemake: keeps what it was asked for, and ends as it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.end: Answer = lambda: sys.exit(0)

    def __call__(self, line: list[str]) -> None:
        self.asked = line
        self.end()


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Snakemake:
    """Snakemake's stand-in, and a folder with a config to be in."""
    (tmp_path / "config.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(run_token.VARIABLE, f"token {tmp_path / 'results/mine/.run'}")
    stand_in = Snakemake()
    monkeypatch.setattr(snakemake.cli, "main", stand_in)
    return stand_in


@pytest.mark.parametrize(
    ("words", "asked", "profile"),
    [
        ("run", "--configfile config.yaml --snakefile S", "default"),
        ("run config.yaml -n", "--configfile config.yaml --snakefile S --dry-run", "default"),
        ("pool --cores 3", "pool --configfile config.yaml --snakefile S --cores 3", "default"),
        ("run --cluster slurm", "--configfile config.yaml --snakefile S", "slurm"),
        ("run --verify", "--configfile config.yaml --snakefile S --config verify=true", "default"),
    ],
)
def test_what_snakemake_is_asked_for(
    called: Snakemake, words: str, asked: str, profile: str
) -> None:
    assert main(words.split()) == 0
    line = asked.replace(" S", f" {ROOT / 'Snakefile'}").split()
    assert called.asked == [*line, "--workflow-profile", str(PROFILES / profile)]
    assert main([*words.split(), "--", "--verbose", "all"]) == 0
    assert called.asked == [
        *line,
        "--workflow-profile",
        str(PROFILES / profile),
        *("--verbose", "all"),
    ]


def test_verify_does_not_lose_the_settings_of_the_command_line(called: Snakemake) -> None:
    assert main(["run", "--verify", "--", "--config", "seed=3"]) == 0
    assert called.asked[-3:] == ["--config", "verify=true", "seed=3"]
    assert called.asked.count("--config") == 1


def test_a_copied_profile_is_used_by_its_path(called: Snakemake, tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours/config.yaml").write_text("executor: slurm\n")
    assert main(["run", "--cluster", "ours"]) == 0
    assert called.asked[-2:] == ["--workflow-profile", "ours"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run nowhere.yaml", "There is no config file nowhere.yaml.\n"),
        (
            "run --cluster moon",
            "--cluster moon: there is no such profile; allowed: slurm, cluster-generic, or a folder "
            "with a config.yaml of your own\n",
        ),
    ],
)
def test_what_cannot_run_is_said_before_snakemake_starts(
    called: Snakemake, capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err == message
    assert called.asked == []


def test_without_a_config_the_bundled_one_is_not_taken(
    called: Snakemake, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "config.yaml").unlink()
    assert main(["pool"]) == 2
    assert capsys.readouterr().err == (
        "There is no config.yaml in this folder. Name a config file: qampaign pool CONFIG\n"
    )
    assert called.asked == []


@pytest.mark.usefixtures("called")
def test_the_syntax_of_compare_is_named_where_there_is_no_config(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("config.yaml").unlink()
    assert main(["compare", "A", "my run"]) == 2
    assert capsys.readouterr().err == (
        "There is no config.yaml in this folder. Name a config file: "
        "qampaign compare A 'my run' --config CONFIG\n"
    )


def fail() -> None:
    sys.exit(1)


def test_a_run_that_fails_for_another_reason_than_its_input_could_not_run(
    called: Snakemake,
) -> None:
    called.end = fail
    assert main(["run"]) == 2


@pytest.mark.parametrize("config", ["campaign: [", "campaign: mine\n", "campagne: mine\n"])
def test_a_faulty_config_is_the_inputs_fault(called: Snakemake, config: str) -> None:
    Path("config.yaml").write_text(config)
    called.end = fail
    assert main(["run"]) == 1


@pytest.mark.parametrize(("token", "code"), [("token", 1), ("of an earlier run", 2)])
def test_refused_input_is_the_inputs_fault_in_this_run_alone(
    called: Snakemake, token: str, code: int
) -> None:
    def refuse() -> None:
        log = Path("results/mine/logs/ingest.log")
        log.parent.mkdir(parents=True)
        run = os.environ[run_token.VARIABLE].replace("token", token)
        refusal_path(log).write_text(f"{run}\nruns.csv, line 3: …")
        sys.exit(1)

    called.end = refuse
    assert main(["run"]) == code


def test_the_words_of_a_check_before_the_run_are_shown(
    called: Snakemake, capsys: pytest.CaptureFixture[str]
) -> None:
    called.end = lambda: sys.exit("HOME is not set")
    assert main(["run"]) == 2
    assert capsys.readouterr().err == "HOME is not set\n"


def test_the_version_says_where_the_workflow_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"qampaign 0.2.0 from {ROOT}\n"


def test_every_profile_of_the_project_is_known_by_its_name() -> None:
    names = [path.name for path in PROFILES.iterdir()]
    assert {profile(name) for name in names} == {
        home() / "workflow/profiles" / name for name in names
    }


GATED = CONFIG + "gate: [accuracy of new >= 0.8, accuracy of old >= 0.8]\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("gate --markdown taken", "--markdown taken: that is a folder; allowed: a file"),
        ("gate --markdown config.yaml", "--markdown config.yaml: that is the config"),
        (
            "gate --markdown config.yaml/g.md",
            "--markdown config.yaml/g.md: {}/config.yaml is not a folder",
        ),
        ("compare a b --csv taken", "--csv taken: that is a folder; allowed: a file"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_run(
    called: Snakemake, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str, message: str
) -> None:
    Path("config.yaml").write_text(GATED)
    Path("taken").mkdir()
    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"{message.format(tmp_path)}\n"
    assert called.asked == []
    assert Path("config.yaml").read_text() == GATED


def test_a_file_that_turns_out_not_to_be_writable_is_one_line(
    called: Snakemake, capsys: pytest.CaptureFixture[str]
) -> None:
    def publish_and_spoil() -> None:
        publish_gate([True])
        Path("sub").write_text("a file")  # since it was looked at
        sys.exit(0)

    Path("config.yaml").write_text(GATED)
    called.end = publish_and_spoil
    assert main(["gate", "--markdown", "sub/g.md"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "sub" in line


def publish_gate(holds: list[bool]) -> None:
    rows = [
        {"condition": f"accuracy of r{n} >= 0.8", "collection": "demo", "holds": hold}
        | {"value": 0.8, "bound": 0.8, "detail": ""}
        for n, hold in enumerate(holds)
    ]
    frame = pl.DataFrame(rows, schema=schema_of("gate"))
    database = Path("results/mine/results.duckdb")
    database.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(database)) as connection:
        connection.register("frame", frame)
        connection.sql("CREATE TABLE gate AS FROM frame")


@pytest.mark.usefixtures("called")
@pytest.mark.parametrize(("holds", "code"), [([True, True], 0), ([True, False, True], 1)])
def test_the_conditions_are_told_with_their_number_and_go_to_a_new_folder(
    capsys: pytest.CaptureFixture[str], holds: list[bool], code: int
) -> None:
    Path("config.yaml").write_text(GATED)
    publish_gate(holds)
    assert main(["gate", "--markdown", "sub/dir/g.md"]) == code
    *lines, last = capsys.readouterr().out.splitlines()
    assert len(lines) == len(holds)
    assert last == f"{sum(holds)} of {len(holds)} conditions hold"
    assert Path("sub/dir/g.md").read_text(encoding="utf-8").startswith("### mine: ")


def refuse_input() -> None:
    log = Path("results/mine/logs/ingest.log")
    log.parent.mkdir(parents=True, exist_ok=True)
    refusal_path(log).write_text(f"{os.environ[run_token.VARIABLE]}\nruns.csv, line 3: no rank")
    sys.exit(1)


def crash() -> None:
    """As a job of this run does; another has failed in an earlier run."""
    logs = Path("results/mine/logs")
    logs.mkdir(parents=True, exist_ok=True)
    failure_path(logs / "score.log").write_text("ValueError: of yesterday")
    os.utime(failure_path(logs / "score.log"), (0, 0))
    run_token.claim()
    failure_path(logs / "judge.log").write_text("MemoryError; details in judge.log")
    sys.exit(1)


def find_another_run() -> None:
    Path("results/mine").mkdir(parents=True, exist_ok=True)
    Path("results/mine/.run").write_text("another")
    sys.exit(1)


@pytest.mark.parametrize(
    ("config", "end", "code", "said"),
    [
        (
            GATED,
            refuse_input,
            1,
            ["### mine: ", "or the input was refused:", "runs.csv, line 3: no"],
        ),
        (GATED.replace(">=", "about"), fail, 1, ["### config.yaml: ", "is no condition"]),
        (GATED, fail, 2, ["### mine: ", "could not run to its end. The output"]),
        (GATED, crash, 2, ["to its end:\n\n```text\nMemoryError; details in judge.log\n```\n"]),
        (GATED, find_another_run, 2, ["could not run to its end. The output"]),
        (GATED, lambda: sys.exit("HOME is not set"), 2, ["to its end:", "HOME is not set"]),
        (CONFIG, fail, 1, ["or the input was refused:", "has no conditions to check"]),
        (None, fail, 2, ["### config.yaml: ", "There is no config.yaml in this folder"]),
    ],
)
def test_a_gate_that_cannot_be_asked_leaves_a_summary_that_says_why(
    called: Snakemake, config: str | None, end: Answer, code: int, said: list[str]
) -> None:
    Path("config.yaml").unlink()
    if config is not None:
        Path("config.yaml").write_text(config)
    Path("gate.md").write_text("all conditions hold")  # of an earlier run

    def look_and_end() -> None:
        assert not Path("gate.md").exists()
        end()

    called.end = look_and_end
    assert main(["gate", "--markdown", "gate.md"]) == code
    text = Path("gate.md").read_text(encoding="utf-8")
    assert "the gate could not be asked" in text
    assert [part for part in said if part not in text] == []


def test_a_dry_run_leaves_the_summary_of_the_last_run_alone(called: Snakemake) -> None:
    Path("config.yaml").write_text(GATED)
    Path("gate.md").write_text("all conditions hold")
    assert main(["gate", "-n", "--markdown", "gate.md"]) == 0
    called.end = fail
    assert main(["gate", "-n", "--markdown", "gate.md"]) == 2
    assert Path("gate.md").read_text() == "all conditions hold"


def test_a_gate_without_conditions_is_refused_before_the_run(
    called: Snakemake, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gate"]) == 1
    assert capsys.readouterr().err.startswith("The config has no conditions to check. Add some")
    assert called.asked == []


@pytest.mark.usefixtures("called")
def test_a_summary_can_go_to_a_pipe() -> None:
    Path("config.yaml").write_text(GATED)
    publish_gate([True])
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["gate", "--markdown", "pipe"]) == 0
    assert os.read(reader, 100).startswith(b"### mine: ")
    os.close(reader)


def test_compare_says_where_the_page_is(tmp_path: Path) -> None:
    pair = SimpleNamespace(collection="c", first="a & b", second="ü#1", silent=())
    assert page_of(pair, tmp_path, None) == []  # there is no page
    page = tmp_path / "questions-c.html"
    page.touch()
    address = f"  Page: {page}#run=a%20%26%20b&run=%C3%BC%231"
    assert page_of(pair, tmp_path, None) == ["", address]
    assert page_of(pair, tmp_path, "key") == ["", f"{address}&judge=key"]
    pair.silent = ("a & b",)  # a baseline: the page has no answers of it
    assert page_of(pair, tmp_path, None) == []
