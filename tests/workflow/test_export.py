"""Results that leave: exports of a finished campaign, the Python session of the docs, secrets."""

import doctest
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from jsonschema import Draft7Validator

from qampaign.command.main import main
from qampaign.results import Results, read_table
from qampaign.tables import LONG, RESULT_TABLES
from tests.helpers.eee_schema import RECORD, SAMPLE
from tests.helpers.tiny_campaign import ROOT, Tiny
from tests.workflow.test_elsewhere import readme_example
from tests.workflow.test_open import QUOTED, quoted, secret, set_open


def export(tiny: Tiny, to: str, name: str = "out") -> Path:
    folder = tiny.folder / name
    assert main(["export", str(tiny.results), "--to", to, "--out", str(folder)]) == 0
    return folder


def records(folder: Path) -> Iterator[tuple[Path, dict[str, Any], list[dict[str, Any]]]]:
    """Every record that is valid, with its samples."""
    for path in sorted(folder.rglob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        assert not [*Draft7Validator(RECORD).iter_errors(record)]
        content = (folder / record["detailed_evaluation_results"]["file_path"]).read_bytes()
        samples = [json.loads(line) for line in content.splitlines()]
        assert not [
            error for each in samples for error in Draft7Validator(SAMPLE).iter_errors(each)
        ]
        about = record["detailed_evaluation_results"]
        assert about["total_rows"] == len(samples)
        assert about["checksum"] == sha256(content).hexdigest()
        yield path, record, samples


def test_lines_of_trec_are_values_by_topic_and_over_all(tiny: Tiny) -> None:
    folder = export(tiny, "trec")
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.txt")) == [
        "alpha/ana.txt", "alpha/people.txt", "beta/people.txt",
    ]  # fmt: skip
    lines = (folder / "alpha/people.txt").read_text().splitlines()
    # a1: Paris right, Rome wrong, withheld, NIL right; c@1 (2 + 1 * 2/4) / 4, of topics it has none
    assert [line for line in lines if line.startswith("a1\t")] == [
        "a1\tc_at_1\tall\t0.625",
        "a1\taccuracy\tq1\t1.0",
        "a1\taccuracy\tq2\t0.0",
        "a1\taccuracy\tq3\t0.0",
        "a1\taccuracy\tq4\t1.0",
        "a1\taccuracy\tall\t0.5",
        f"a1\tprecision_answered\tall\t{2 / 3}",
    ]


@pytest.mark.exhaustive
def test_values_by_topic_must_be_those_of_the_published_values(
    tiny: Tiny, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tiny.results / "alpha/evidence/people.parquet"
    evidence = pl.read_parquet(path)
    changed = pl.when(run="a2", question="q1").then(1).otherwise("correct")
    evidence.with_columns(correct=changed.cast(evidence.schema["correct"])).write_parquet(path)
    command = ["export", str(tiny.results), "--to", "trec", "--out", str(tiny.folder / "out")]
    assert main(command) == 1
    assert capsys.readouterr().err == (
        "accuracy in alpha by people: the values of a2 by topic are newer or older than the "
        "published one; let the campaign run to its end\n"
    )
    assert not (tiny.folder / "out").exists()
    path.unlink()
    assert main(command) == 0
    assert "alpha by people: no values by topic" in capsys.readouterr().err
    assert "a1\taccuracy\tall\t0.5\n" in (tiny.folder / "out/alpha/people.txt").read_text()


def test_csv_files_are_those_of_the_report_and_parquet_has_the_same(tiny: Tiny) -> None:
    csv, parquet = export(tiny, "csv"), export(tiny, "parquet", "more")
    with Results(tiny.results).connect() as connection:
        for name in RESULT_TABLES:
            own = read_table(connection, name)
            assert pl.read_parquet(parquet / f"{name}.parquet").equals(own)
            if name not in LONG:
                shown = (tiny.results / f"report/tables/{name}.csv").read_bytes()
                assert (csv / f"{name}.csv").read_bytes() == shown
    answers = pl.read_csv(csv / "answers.csv", infer_schema=False)
    assert answers.height == 2 * 12 + 4  # alpha by two judges, beta by one
    assert len([*csv.iterdir()]) == len([*parquet.iterdir()]) == len(RESULT_TABLES)


def test_records_of_every_eval_ever_are_valid_and_have_our_values(tiny: Tiny) -> None:
    found = {
        record["model_info"]["id"]: (record, samples)
        for _, record, samples in records(export(tiny, "eee"))
    }
    assert sorted(found) == ["a1", "a2", "a3", "b1", "b2"]
    record, samples = found["a3"]
    values = {each["evaluation_result_id"]: each for each in record["evaluation_results"]}
    own = values["alpha/people/c_at_1/all"]
    assert own["score_details"]["score"] == 0.3125
    (published,) = (
        Results(tiny.results)
        .scores(run="a3", judge="people", measure="c_at_1", slice="all")
        .to_dicts()
    )
    interval = own["score_details"]["uncertainty"]["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == (published["low"], published["high"])
    assert interval["method"].endswith("pseudo-question, by question")  # none has a group
    assert own["metric_config"]["metric_name"] == "c@1"
    assert (own["metric_config"]["min_score"], own["metric_config"]["max_score"]) == (0, 1)

    shown = [each for each in samples if each["metadata"]["judge"] == "people"]
    assert [(each["sample_id"], each["output"]["raw"], each["evaluation"]) for each in shown] == [
        ("q1", ["Paris"], {"score": 1.0, "is_correct": True}),
        ("q2", ["Rome", "Oslo"], {"score": 0.0, "is_correct": False}),  # by the first
        ("q3", ["a rock"], {"score": 0.0, "is_correct": False}),
    ]  # q4 has no row
    assert shown[2]["metadata"]["verdict"] == "unsupported"
    assert {each["evaluation_result_id"] for each in shown} == {"alpha/people/c_at_1/all"}
    (withheld,) = [
        each
        for each in found["a1"][1]
        if each["sample_id"] == "q3" and each["metadata"]["judge"] == "people"
    ]
    assert withheld["output"]["raw"] == ["a river"]
    assert withheld["metadata"]["answered"] == "false"
    assert not withheld["evaluation"]["is_correct"]


@pytest.mark.exhaustive
def test_the_same_results_are_the_same_records(tiny: Tiny) -> None:
    one, other = export(tiny, "eee", "one"), export(tiny, "eee", "other")
    files = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.json*")}
        for folder in (one, other)
    ]
    assert files[0] == files[1]
    assert len(files[0]) == 10


@pytest.mark.exhaustive
def test_the_session_of_the_docs_is_true(fresh: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in readme_example().items():
        fresh.write(name, text)
    fresh.configure(lambda config: config["collections"]["demo"].update(studies={}))
    fresh.results = fresh.work / "results/mine"
    fresh.run()
    monkeypatch.chdir(fresh.work)
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", "docs/python.md", 0)
    assert len(test.examples) > 10
    shown: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=shown.append)
    assert not shown, "".join(shown)


@pytest.mark.exhaustive
def test_what_is_not_open_leaves_in_no_format(fresh: Tiny) -> None:
    tiny = secret(fresh)
    set_open(tiny, False)
    tiny.run()
    for to in ("csv", "trec", "eee"):
        folder = export(tiny, to, to)
        assert quoted(folder) == set()
    for path in export(tiny, "parquet", "parquet").iterdir():
        content = repr(pl.read_parquet(path).to_dicts()).lower()
        assert not [word for word in QUOTED if word[:9].lower() in content]
    for _, _, samples in records(tiny.folder / "eee"):
        assert {each["sample_hash"] for each in samples} == {None}
        assert {each["evaluation"]["is_correct"] for each in samples} == {True, False}
