"""Exports: what the command says, ids of all kinds, values that do not exist, targets that are there."""

import json
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from jsonschema import Draft7Validator

from qampaign.command.main import main
from qampaign.publishing.database import write_database
from qampaign.publishing.export import exporting
from qampaign.publishing.publish import as_yaml
from qampaign.tables import RESULT_TABLES, empty
from tests.helpers.eee_schema import RECORD, SAMPLE

pytestmark = pytest.mark.slow


RUNS = {"org/model 1": "a team", "=cmd()": None, "..": "../up"}
PLACE = {"collection": "c", "judge": "rouge"}
CONFIG: dict[str, Any] = {
    "campaign": "odd",
    "title": "Odd",
    "seed": 1,
    "open": True,
    "collections": {
        "c": {
            "task": "answering",
            "runs": [],
            "logs": "what this version need not know",
            "judges": {"rouge": {"kind": "scores", "files": "rouge.csv"}},
            "measures": ["mean_score"],
            "derived": {"x": {"from": "..", "where": "not shown", "set": {}}},
            "studies": {},
        }
    },
}


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.concat(
        [empty(table), pl.DataFrame(rows, infer_schema_length=None)], how="diagonal_relaxed"
    )


def publish(
    folder: Path,
    *,
    config: dict[str, Any] | None = CONFIG,
    runs: tuple[str, ...] = tuple(RUNS),
    unranked: tuple[str, ...] = (),
) -> Path:
    """Results of a judge that gives degrees alone: the second run has no value, two samples each."""
    values = dict(zip(runs, (0.75, None, 0.5), strict=False))
    made = [("time", "published", "2026-11-17T12:00:00+00:00"), ("version", "qampaign", "0.2.0")]
    if config is not None:
        made.append(("config", "config.yaml", as_yaml(config)))
    rows: dict[str, list[dict[str, Any]]] = {
        "collections": [{"collection": "c", "title": "C", "task": "answering", "reference": "rouge", "primary": "mean_score", "unit": "question"}],
        "judges": [{**PLACE, "kind": "scores", "reference": True, "questions": 1}],
        "measures": [{"collection": "c", "measure": "mean_score", "label": "mean", "better": "high", "summary": "The mean.", "formula": "f", "citation": "who", "primary": True}],
        "runs": [
            *({"collection": "c", "run": run, "kind": "submitted", "team": RUNS.get(run)} for run in runs),
            {"collection": "c", "run": "x", "kind": "derived"},
        ],
        "questions": [{**PLACE, "question": "q 1", "slice": "all", "text": "Wo?", "key": "dort | hier", "keys": '["=1+1", "2 | zwei"]'}],
        "scores": [
            {**PLACE, "measure": "mean_score", "slice": "all", "run": run, "value": value, "questions": 1, "rank_first": None if value is None or run in unranked else 1}
            for run, value in values.items()
        ],
        "answers": [
            {**PLACE, "run": run, "question": "q 1", "sample": sample, "rank": 1, "answer": answer, "answered": answered, "degree": degree, "verdict": "unassessed", "correct": False}
            for run in runs
            for sample, answer, answered, degree in (("1", "dort", True, 0.75), ("2", "hier", False, 1.0), ("3", None, False, None))
        ],
        "provenance": [dict(zip(("topic", "name", "value"), row, strict=True)) for row in made],
    }  # fmt: skip
    more = {name: frame(name, own) for name, own in rows.items()}
    write_database(dict.fromkeys(RESULT_TABLES, ()), more, folder / "results.duckdb")
    return folder


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return publish(tmp_path / "results/odd")


@pytest.mark.usefixtures("results")
def test_names_of_runs_and_teams_reach_no_path() -> None:
    assert main(["export", "results/odd", "--to", "eee"]) == 0
    folder = Path("odd-eee/data/c")
    files = sorted(path.relative_to(folder).parts for path in folder.rglob("*.json"))
    assert [parts[0].split("-")[0] for parts in files] == ["", "a", "unknown"]
    assert all(len(parts) == 3 and ".." not in parts for parts in files)
    found = {}
    for path in folder.rglob("*.json"):
        record = json.loads(path.read_text())
        assert not [*Draft7Validator(RECORD).iter_errors(record)]
        found[record["model_info"]["name"]] = record
    assert found.keys() == RUNS.keys()
    assert found["org/model 1"]["model_info"]["developer"] == "a team"
    (result,) = found["org/model 1"]["evaluation_results"]
    assert result["score_details"]["score"] == 0.75
    assert "uncertainty" not in result["score_details"]  # there was no study
    assert found["=cmd()"]["evaluation_results"] == []  # a value that does not exist


def test_a_run_without_a_verdict_gets_no_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its answers count as wrong, and it has no rank: 0.75 is not what is known of it."""
    monkeypatch.chdir(tmp_path)
    publish(tmp_path / "results/odd", runs=("a", "b"), unranked=("a",))
    assert main(["export", "results/odd", "--to", "eee"]) == 0
    (path,) = Path("odd-eee/data/c/unknown").glob("a*/*.json")
    assert json.loads(path.read_text())["evaluation_results"] == []
    assert capsys.readouterr().err.splitlines()[-1] == (
        "values by judges without a verdict on any answer of a run, left out as they count all of "
        "them as wrong: 1"
    )


@pytest.mark.usefixtures("results")
def test_a_judge_without_verdicts_gives_degrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "results/odd", "--to", "eee"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "values that do not exist, and are left out: 1\n"
    assert shown.out == "6 files in odd-eee\n"
    (path,) = Path("odd-eee/data/c").glob("a-team*/*/*.jsonl")
    samples = [json.loads(line) for line in path.read_text().splitlines()]
    assert not [error for each in samples for error in Draft7Validator(SAMPLE).iter_errors(each)]
    # a withheld answer counts as 0, as does an empty one
    assert [each["evaluation"]["score"] for each in samples] == [0.75, 0.0, 0.0]
    assert [each["output"]["raw"] for each in samples] == [["dort"], ["hier"], []]
    assert [each["metadata"]["sample"] for each in samples] == ["1", "2", "3"]
    assert all("verdict" not in each["metadata"] for each in samples)
    assert samples[0]["input"] == {
        "raw": "Wo?",
        "reference": ["=1+1", "2 | zwei"],
    }  # not what the judge accepts
    assert [each["metadata"]["epoch"] for each in samples] == ["1", "2", "3"]
    (path,) = Path("odd-eee/data/c/unknown").glob("*/*.jsonl")  # of the run without a value
    assert "evaluation_result_id" not in json.loads(path.read_text().splitlines()[0])


def test_white_space_would_split_lines_of_trec(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "results/odd", "--to", "trec"]) == 0
    assert Path("odd-trec/c/rouge.txt").read_text() == (
        "..\tmean_score\tall\t0.5\norg/model_1\tmean_score\tall\t0.75\n"
    )
    assert capsys.readouterr().err.splitlines() == [
        "c by rouge: no values by topic, for the files that they are computed from are not there",
        "c by rouge: ids with white space, here with _: 1",
    ]
    publish(results, runs=("a b", "a_b"))
    assert main(["export", "results/odd", "--to", "trec", "--out", "more"]) == 1
    assert capsys.readouterr().err == (
        "the runs 'a b' and 'a_b' would have one name in a file of TREC, which splits lines at white space\n"
    )


def test_without_open_no_text_of_an_answer_or_key_leaves(results: Path) -> None:
    publish(results, config={**CONFIG, "open": False})
    for to in ("csv", "eee", "trec"):
        assert main(["export", "results/odd", "--to", to]) == 0
        for path in Path(f"odd-{to}").rglob("*.*"):
            assert (
                not {"dort", "hier", "dort | hier", "=1+1", "2 | zwei"}
                & {*path.read_text().replace('"', ",").split(",")}
                if path.is_file()
                else True
            )
    assert main(["export", "results/odd", "--to", "parquet"]) == 0
    answers = pl.read_parquet("odd-parquet/answers.parquet")
    assert answers["answer"].null_count() == answers.height == 9


def test_results_that_do_not_say_whether_they_are_open_are_not_exported(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(results, config=None)
    for to in exporting.WRITERS:
        assert main(["export", "results/odd", "--to", to]) == 1
        assert capsys.readouterr().err == (
            "results/odd does not say what it was made from (config config.yaml): another version "
            "of Qampaign made it; run the campaign again\n"
        )
    assert [path.name for path in Path().iterdir()] == ["results"]


@pytest.mark.usefixtures("results")
def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").mkdir()
    assert main(["export", "results/odd", "--to", "csv", "--out", "mine"]) == 0  # an empty one
    before = {path: path.read_bytes() for path in Path("mine").iterdir()}
    Path("file").write_text("kept")
    capsys.readouterr()
    for out in ("mine", "file"):
        assert main(["export", "results/odd", "--to", "parquet", "--out", out]) == 1
        assert capsys.readouterr().err == (
            f"{out} is there already, and nothing is overwritten; allowed: a new or empty folder, --out NAME\n"
        )
    assert {path: path.read_bytes() for path in Path("mine").iterdir()} == before
    assert Path("file").read_text() == "kept"


@pytest.mark.usefixtures("results")
def test_an_export_that_fails_leaves_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object, folder: Path) -> list[str]:
        (folder / "half").write_text("half")
        raise OSError("No space left on device")

    monkeypatch.setitem(exporting.WRITERS, "csv", fail)  # type: ignore[arg-type]
    assert main(["export", "results/odd", "--to", "csv"]) == 2
    assert capsys.readouterr().err == "The export could not be written: No space left on device\n"
    assert [path.name for path in Path().iterdir()] == ["results"]


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("nowhere --to csv", 2, "There is no folder nowhere.\n"),
        (
            "results --to csv",
            1,
            "results holds no results: there is no results.duckdb in it; in results/odd there is\n",
        ),
        (
            "results/odd --to csv -- --cores 2",
            2,
            "qampaign export runs no workflow; what follows -- is unknown: --cores\n",
        ),
    ],
)
def test_what_cannot_be_exported_is_said(
    capsys: pytest.CaptureFixture[str], words: str, code: int, message: str
) -> None:
    assert main(["export", *words.split()]) == code
    assert capsys.readouterr().err == message
    assert [path.name for path in Path().iterdir()] == ["results"]


@pytest.mark.usefixtures("results")
def test_an_unknown_format_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", "results/odd", "--to", "xml"])
    assert ended.value.code == 2
    assert "'eee', 'trec', 'csv', 'parquet'" in capsys.readouterr().err


def test_results_of_another_version_are_refused(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with duckdb.connect(str(results / "results.duckdb")) as connection:
        connection.execute("DROP TABLE answers")
        connection.execute("ALTER TABLE scores DROP COLUMN rank_low")
    for to in exporting.WRITERS:
        assert main(["export", "results/odd", "--to", to]) == 1
        assert capsys.readouterr().err == (
            "results/odd was made by another version of Qampaign; run the campaign again. Tables "
            "that are not there or lack columns: scores, answers\n"
        )
