"""The same command again recomputes what a change reaches, and nothing else."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.helpers.tiny_campaign import ALPHA, BETA, ENDING, ROOT, Ended, Tables, Tiny, shown

INGEST = {"ingest"}
ALPHA_SCORES = {job for job in ALPHA if "judge" not in job and "agreement" not in job}
SCORES = ALPHA_SCORES | (BETA - {"beta/judge/people"})


def reorder(tiny: Tiny, name: str) -> None:
    header, *rows = tiny.read(name).splitlines()
    tiny.write(name, "\n".join([header, *reversed(rows)]) + "\n")


def pad(tiny: Tiny, name: str) -> None:
    tiny.write(name, tiny.read(name).replace(",", " , "))


def to_json(tiny: Tiny, name: str) -> None:
    frame = pl.read_csv(tiny.data / name)
    tiny.write(name.replace(".csv", ".jsonl"), "\n".join(map(json.dumps, frame.to_dicts())))
    (tiny.data / name).unlink()


def test_without_a_change_nothing_runs(tiny: Tiny) -> None:
    ended = tiny.run()
    assert (ended.ran, ended.shown) == (set(), "Nothing to do: everything is up to date.\n")
    for script in (tiny.project / "scripts").iterdir():
        script.touch()
    tiny.edit_code(
        "measures/abstention.py", "from qampaign.arrays", "# a remark\nfrom qampaign.arrays"
    )
    tiny.edit_code("input/ingest.py", "def ingest(", "def ingest(  # a remark\n")
    assert tiny.run().ran == set()


@pytest.mark.exhaustive
def test_touched_and_copied_files_are_looked_at_and_no_more(tiny: Tiny) -> None:
    before = tiny.computed()
    for path in [*tiny.data.rglob("*.csv"), *tiny.results.rglob("*.*")]:
        path.touch()
    assert tiny.run().ran == set()
    assert tiny.computed() == before


@pytest.mark.exhaustive
def test_the_same_rows_written_otherwise_are_neither_judged_nor_scored(tiny: Tiny) -> None:
    before = tiny.tables()
    reorder(tiny, "alpha/runs/a3.csv")
    reorder(tiny, "alpha/assessments.csv")
    reorder(tiny, "alpha/questions.csv")
    pad(tiny, "alpha/runs/a1.csv")
    pad(tiny, "beta/assessments.csv")
    to_json(tiny, "alpha/runs/a2.csv")
    assert tiny.run().ran == INGEST | shown("alpha") | shown("beta") | ENDING
    after = tiny.tables()
    assert ("alpha", "responses", "alpha/runs/a2.jsonl") in {row[:3] for row in after["sources"]}
    for table in ("runs", "judges", "measures", "scores", "counts", "questions"):
        assert after[table] == before[table]


def test_a_corrected_label_recomputes_its_collection(corrected: tuple[Ended, Tables]) -> None:
    ended, tables = corrected
    assert ended.ran == INGEST | BETA | ENDING
    values = {row[:5]: row[5] for row in tables["scores"]}
    assert values["beta", "people", "c_at_1", "all", "b2"] == 1.0
    assert values["beta", "people", "c_at_1", "all", "b1"] == 1.0  # as it was
    assert values["alpha", "people", "c_at_1", "all", "a1"] == 0.625


@pytest.mark.exhaustive
def test_an_older_file_with_other_content_is_noticed(tiny: Tiny) -> None:
    path = tiny.data / "alpha/runs/a2.csv"
    tiny.replace("alpha/runs/a2.csv", "q1,1,Lyon", "q1,1,Paris")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert tiny.run().ran == INGEST | ALPHA | ENDING
    # a2 has now 3 of 4 right and nothing unanswered
    assert tiny.values() == {"a1": 0.625, "a2": 0.75, "a3": 0.3125}


@pytest.mark.exhaustive
def test_a_run_comes_and_another_goes(tiny: Tiny) -> None:
    tiny.write("beta/runs/b3.csv", "question,rank,answer\np1,1,never\n")
    tiny.replace("beta/assessments.csv", "p1,b1,1,right", "p1,b1,1,right\np1,b3,1,wrong")
    assert tiny.run().ran == INGEST | BETA | ENDING
    assert tiny.values(collection="beta") == {"b1": 1.0, "b2": 0.5, "b3": 0.0}
    (tiny.data / "alpha/runs/a1.csv").unlink()
    assert tiny.run().ran == INGEST | ALPHA | ENDING
    assert tiny.values() == {"a2": 0.5, "a3": 0.3125}
    assert {row[:2] for row in tiny.tables()["runs"]} == {
        *(("alpha", "a2"), ("alpha", "a3"), ("beta", "b1"), ("beta", "b2"), ("beta", "b3"))
    }


@pytest.mark.exhaustive
def test_a_renamed_question_type_renames_its_slice(tiny: Tiny) -> None:
    tiny.replace("alpha/questions.csv", "definition", "what-is")
    assert tiny.run().ran == INGEST | ALPHA | ENDING
    assert {row[3] for row in tiny.tables()["scores"]} == {"all", "factoid", "what-is"}
    assert tiny.values() == {"a1": 0.625, "a2": 0.5, "a3": 0.3125}


@pytest.mark.exhaustive
def test_a_measure_is_added_without_judging(tiny: Tiny) -> None:
    tiny.configure(lambda config: config["collections"]["alpha"]["measures"].append("utility"))
    assert tiny.run().ran == ALPHA_SCORES | ENDING
    # (right - wrong) / 4
    assert tiny.values("utility") == {"a1": 0.25, "a2": 0.0, "a3": -0.25}


@pytest.mark.exhaustive
def test_an_added_judge_judges_alone(tiny: Tiny) -> None:
    bob = {"kind": "assessments", "assessor": "bob"}
    tiny.configure(lambda config: config["collections"]["alpha"]["judges"].update(bob=bob))
    own = {"alpha/judge/bob", "alpha/score/bob", "alpha/agreement/bob", "alpha/correlate"}
    assert tiny.run().ran == own | shown("alpha") | ENDING
    assert tiny.values(judge="bob") == {"a1": 0.625, "a2": 0.5, "a3": 0.3125}


@pytest.mark.exhaustive
def test_a_value_of_one_collection_reaches_that_collection(tiny: Tiny) -> None:
    lenient = {"correct": ["right", "unsupported"]}
    tiny.configure(lambda config: config["collections"]["alpha"].update(lenient))
    assert tiny.run().ran == ALPHA | ENDING
    # "a rock" of a3 counts: 2 right, 1 wrong, 1 unanswered
    assert tiny.values() == {"a1": 0.625, "a2": 0.5, "a3": 0.625}


@pytest.mark.exhaustive
def test_other_labels_of_one_collection_reach_that_collection(tiny: Tiny) -> None:
    tiny.configure(lambda config: config["collections"]["alpha"]["labels"].update(U="right"))
    assert tiny.run().ran == INGEST | ALPHA | ENDING
    assert tiny.values() == {"a1": 0.625, "a2": 0.5, "a3": 0.625}


@pytest.mark.exhaustive
def test_a_title_is_only_published_and_none_comes_from_the_bundled_config(tiny: Tiny) -> None:
    for folder in (tiny.project, tiny.work):
        shutil.copy(ROOT / "config.yaml", folder)
    tiny.configure(lambda config: config.pop("title"))
    assert tiny.run().ran == ENDING
    page = (tiny.results / "report/index.html").read_text(encoding="utf-8")
    assert "<title>tiny</title>" in page
    config = (tiny.results / "config.yaml").read_text(encoding="utf-8")
    assert "title: tiny\n" in config
    assert "clef2009" not in config


@pytest.mark.exhaustive
def test_published_figures_may_be_given_by_a_pattern(tiny: Tiny) -> None:
    header = "source,table,column,measure,run,slice,published\n"
    (tiny.data / "figures-1.csv").write_text(f"{header}P,scores,value,c_at_1,a1,all,0.62\n")
    figures = "figures-*.csv"
    tiny.configure(lambda config: config["collections"]["alpha"].update(published=figures))
    assert tiny.run().ran == INGEST | shown("alpha") | ENDING
    (tiny.data / "figures-2.csv").write_text(f"{header}P,scores,value,c_at_1,a2,all,0.5\n")
    assert tiny.run().ran == INGEST | shown("alpha") | ENDING
    published = pl.read_csv(tiny.results / "report/tables/published.csv")
    # c@1 of a1 is (2 + 2/4) / 4, of a2 2/4
    assert published.select("published", "reconstructed").rows() == [(0.62, 0.625), (0.5, 0.5)]


@pytest.mark.exhaustive
def test_a_collection_goes_and_comes_back(tiny: Tiny) -> None:
    before, config = tiny.tables(), tiny.read("config.yaml")
    tiny.configure(lambda config: config["collections"].pop("beta"))
    (tiny.results / "benchmarks/report.tsv").write_text("")  # as a killed run may leave it
    assert tiny.run().ran == INGEST | ENDING
    for table, rows in tiny.tables().items():
        if table not in ("provenance", "remarks"):
            assert {row[0] for row in rows} <= {"alpha"}
    provenance = pl.read_csv(tiny.results / "report/tables/provenance.csv")
    assert provenance.filter(pl.col("name").str.starts_with("beta")).is_empty()
    tiny.write("config.yaml", config)
    # its leaderboard, figures and page of questions were removed from the report
    assert tiny.run().ran == INGEST | {"beta/draw", "beta/browse", "beta/figures"} | ENDING
    assert tiny.tables() | {"changes": []} == before


@pytest.mark.exhaustive
def test_an_edit_of_a_module_reruns_the_rules_that_use_it(tiny: Tiny) -> None:
    tiny.edit_code("report/page.py", "WORTH_POOLING = 40", "WORTH_POOLING = 41")
    assert tiny.run().ran == {
        "report",
        *(f"{c}/{job}" for c in ("alpha", "beta") for job in ("draw", "figures")),
    }
    tiny.edit_code("judging/unassessed.py", "SHOWN = 20", "SHOWN = 21")
    assert tiny.run().ran == (ALPHA | BETA | ENDING)


@pytest.mark.exhaustive
def test_an_edited_formula_gives_its_new_value(tiny: Tiny) -> None:
    old = "(correct + unanswered * correct / questions) / questions"
    tiny.edit_code("measures/abstention.py", old, "(correct + unanswered) / questions")
    assert tiny.run().ran == SCORES | ENDING
    assert tiny.values() == {"a1": 0.75, "a2": 0.5, "a3": 0.5}


@pytest.mark.parametrize(
    ("deleted", "ran"),
    [
        # the questions of the reference, made beside its judgments, are input of every score
        pytest.param(
            "alpha/judgments/people.parquet",
            (ALPHA - {"alpha/judge/ana"}) | ENDING,
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "alpha/scores/ana.parquet",
            {"alpha/score/ana", "alpha/correlate"} | shown("alpha") | ENDING,
            marks=pytest.mark.exhaustive,
        ),
        # the comparisons by the reference, made beside its intervals, are input of the correlations
        pytest.param(
            "alpha/intervals/people.parquet",
            {"alpha/significance/people", "alpha/correlate"} | shown("alpha") | ENDING,
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            "failures/alpha/ana.csv",
            {"alpha/agreement/ana"} | shown("alpha") | ENDING,
            marks=pytest.mark.exhaustive,
        ),
        pytest.param("results.duckdb", ENDING, marks=pytest.mark.exhaustive),
        pytest.param("report/tables/counts.csv", ENDING, marks=pytest.mark.exhaustive),
        pytest.param(
            "alpha/tables/counts.csv", shown("alpha") | ENDING, marks=pytest.mark.exhaustive
        ),
        pytest.param(
            "report/figures/leaderboard/beta", {"beta/figures"}, marks=pytest.mark.exhaustive
        ),
        pytest.param(
            "report/tables/leaderboard-alpha.md",
            {"alpha/draw", "alpha/figures", "report"},
            marks=pytest.mark.exhaustive,
        ),
        pytest.param("report/index.html", {"report"}, marks=pytest.mark.exhaustive),
        pytest.param("report/questions-beta.html", {"beta/browse"}, marks=pytest.mark.exhaustive),
        pytest.param("campaign.duckdb", INGEST, marks=pytest.mark.exhaustive),
        pytest.param("ingest.json", INGEST, marks=pytest.mark.exhaustive),
        pytest.param("fingerprints", INGEST, marks=pytest.mark.exhaustive),
    ],
)
def test_a_deleted_result_is_made_again(tiny: Tiny, deleted: str, ran: set[str]) -> None:
    files, tables = tiny.files(), tiny.tables()
    path = tiny.results / deleted
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert tiny.run().ran == ran
    assert tiny.files().keys() == files.keys()
    assert tiny.tables() == tables


Edit = Callable[[Tiny], None]


def flip(name: str, one: str, other: str) -> Edit:
    """An edit that turns one text of a raw file into another, or back."""

    def edit(tiny: Tiny) -> None:
        text = tiny.read(name)
        tiny.write(name, text.replace(one, other) if one in text else text.replace(other, one))

    return edit


def toggle(*path: str, value: object) -> Edit:
    """An edit that sets a key of the config, or takes it out."""

    def edit(config: dict[str, Any]) -> None:
        for key in path[:-1]:
            config = config[key]
        if config.pop(path[-1], None) is None:
            config[path[-1]] = value

    return lambda tiny: tiny.configure(edit)


def toggle_run(tiny: Tiny) -> None:
    path = tiny.data / "alpha/runs/a4.csv"
    if path.exists():
        path.unlink()
    else:
        tiny.write("alpha/runs/a4.csv", "question,answer\nq3,a rock\nq1,Lyon\n")


def delete_results(tiny: Tiny) -> None:
    shutil.rmtree(tiny.results / "alpha/scores", ignore_errors=True)
    (tiny.results / "campaign.duckdb").unlink(missing_ok=True)


GAMMA = {"runs": "beta/runs/*", "assessments": "beta/assessments.csv"}
EDITS: list[Edit] = [
    flip("alpha/assessments.csv", "adjudicated,W", "adjudicated,R"),
    flip("alpha/questions.csv", "q2,factoid", "q2,definition"),
    flip("beta/assessments.csv", "p1,b2,1,right", "p1,b2,1,inexact"),
    flip("beta/runs/b2.csv", "p2,1,perhaps", "p2,1,"),
    toggle_run,
    toggle("collections", "gamma", value=GAMMA),
    toggle(
        "collections", "alpha", "judges", "bob", value={"kind": "assessments", "assessor": "bob"}
    ),
    toggle("collections", "alpha", "reference", value="ana"),
    toggle("collections", "alpha", "correct", value=["right", "unsupported"]),
    toggle("collections", "beta", "primary", value="accuracy"),
    toggle("defaults", value={"measures": ["answered"]}),
    delete_results,
    lambda tiny: reorder(tiny, "alpha/assessments.csv"),
]


@pytest.mark.exhaustive
def test_many_changes_give_what_a_run_from_nothing_gives(tiny: Tiny, tmp_path: Path) -> None:
    chance = random.Random(1)
    for _ in range(3):
        for edit in chance.sample(EDITS, k=6):
            edit(tiny)
        tiny.run()
    shutil.copytree(tiny.data, tmp_path / "data")
    (tmp_path / "work").mkdir()
    scratch = Tiny(tmp_path)
    shutil.copytree(tiny.project, scratch.project)
    scratch.run()
    assert tiny.tables() | {"changes": []} == scratch.tables()
    new, own = scratch.computed(), tiny.computed()
    new.pop("report/tables/changes.csv")  # nothing was there before
    assert {name: content for name, content in own.items() if name in new} == new
