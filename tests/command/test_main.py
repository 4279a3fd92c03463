"""The command line of `qampaign`: what it asks Snakemake for, and what its exit code says."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import snakemake.cli

from qampaign import run_token
from qampaign.command.location import home, profile
from qampaign.command.main import main, page_of
from qampaign.running.jobs import refusal_path
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
