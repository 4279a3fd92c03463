"""Parcels: what a team gets is what the results say, and nothing of what others answered."""

import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from qampaign.publishing.database import write_database
from qampaign.publishing.parcels import (
    WRITTEN,
    Written,
    describe_kept,
    folder_name,
    make_parcels,
    write_parcels,
)
from qampaign.report.parcel_page import render, won_by_type
from qampaign.tables import RESULT_TABLES, empty
from tests.helpers.cases import first
from tests.helpers.parcel_search import disguise, quoted, teams, written

pytestmark = pytest.mark.slow


# team red has a1 and a2; b1 and c1 have no team, and c1 is called as a team is not
ANSWERS = {  # of q1 and q2, with whether they are right
    "a1": [("Paris", True), ("4", True)],
    "a2": [("Paris, Texas", False), ("five hundred", False)],
    "b1": [("Lutetia Parisiorum", True), ("4", True)],
    "red": [("=cmd()", False)],  # no row for q2
}
TEAMS = {"a1": "red", "a2": "red", "b1": None, "red": None}
VALUES = {"a1": 1.0, "a2": 0.0, "b1": 1.0, "red": 0.0}


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.concat([empty(table), pl.DataFrame(rows)], how="diagonal_relaxed")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    place = {"collection": "c", "judge": "people"}
    questions = [
        {**place, "question": "q1", "type": "place", "text": "Where is <b>the</b> tower?",
         "key": "Lutetia Parisiorum | Paris", "difficulty": 0.5},
        {**place, "question": "q2", "type": "number", "text": "2 + 2?", "key": "4",
         "difficulty": 0.5},
    ]  # fmt: skip
    answers = [
        {**place, "run": run, "question": f"q{number}", "rank": 1, "answer": answer,
         "answered": True, "correct": right, "verdict": "right" if right else "wrong",
         "class": answer}
        for run, given in ANSWERS.items()
        for number, (answer, right) in enumerate(given, 1)
    ]  # fmt: skip
    scores = [
        {**place, "measure": "accuracy", "slice": "all", "run": run, "value": value, "low": 0.0,
         "high": 1.0, "rank_first": 1 if value else 3, "rank_last": 2 if value else 4,
         "rank_low": 1, "rank_high": 4, "questions": 2}
        for run, value in VALUES.items()
    ]  # fmt: skip
    judges = [
        {**place, "kind": "assessments", "reference": True},
        {"collection": "c", "judge": "key", "kind": "key", "reference": False},
    ]
    keyed = [row | {"judge": "key", "key": "Paris"} for row in questions]
    frames = {
        "collections": [
            {"collection": "c", "title": "C", "reference": "people", "primary": "accuracy"}
        ],
        "measures": [
            {"collection": "c", "measure": "accuracy", "label": "accuracy", "better": "high",
             "primary": True}
        ],
        "runs": [
            *({"collection": "c", "run": run, "kind": "submitted", "team": team}
              for run, team in TEAMS.items()),
            {"collection": "c", "run": "silence", "kind": "baseline", "team": None},
        ],
        "judges": judges,
        "questions": [*questions, *keyed],
        "answers": answers,
        "scores": scores,
        "counts": [{**place, "slice": "all", "run": run, "questions": 2} for run in ANSWERS],
        "reliability": [
            {**place, "run": "a1", "bin": 9, "confidence": 0.95, "accuracy": 1.0, "answers": 2}
        ],
        "provenance": [{"topic": "time", "name": "published", "value": "2026-11-17T12:00:00"}],
    }  # fmt: skip
    path = tmp_path / "results.duckdb"
    more = {name: frame(name, rows) for name, rows in frames.items()}
    write_database(dict.fromkeys(RESULT_TABLES, ()), more, path)
    return path


def test_a_team_and_a_run_of_the_same_name_get_a_folder_each(database: Path) -> None:
    found = {team.folder: [run for _, run in team.runs] for team in teams(database)}
    assert found.pop("red") == ["a1", "a2"]
    assert found.pop("b1") == ["b1"]
    ((folder, runs),) = found.items()
    assert folder.startswith("red-")
    assert runs == ["red"]


def test_nobody_gets_the_folder_of_another_by_its_name(database: Path) -> None:
    # b1 calls its team as the folder of the run red would be called
    (taken,) = [each.folder for each in teams(database) if each.name == "red" and not each.is_team]
    with duckdb.connect(str(database)) as connection:
        connection.execute("UPDATE runs SET team = ? WHERE run = 'b1'", [taken])
    folders = [team.folder for team in teams(database)]
    assert taken in folders
    assert len({folder.casefold() for folder in folders}) == len(folders) == 3


def test_a_parcel_has_the_numbers_of_the_results(database: Path, tmp_path: Path) -> None:
    written(database, tmp_path / "parcels")
    with duckdb.connect(str(database), read_only=True) as connection:
        for name in ("scores", "counts"):
            own = connection.sql(f"FROM {name} WHERE run IN ('a1', 'a2') ORDER BY ALL").pl()
            found = pl.read_csv(tmp_path / f"parcels/red/{name}.csv", schema=own.schema)
            assert found.equals(own)
    given = pl.read_csv(tmp_path / "parcels/red/answers.csv")
    assert given["answer"].to_list() == ["Paris", "4", "Paris, Texas", "five hundred"]


def test_of_the_field_a_parcel_has_best_median_and_worst(database: Path, tmp_path: Path) -> None:
    written(database, tmp_path / "parcels")
    rows = pl.read_csv(tmp_path / "parcels/red/questions.csv").filter(judge="people")
    # q1 is right in a1 and b1 of four runs: median (0 + 1) / 2; so is q2, where red has no row
    # of the other three, two are right for a2 and one is for a1
    wanted = ("question", "run", "value", "best", "median", "worst", "mean", "others")
    assert rows.with_columns(pl.col("others").round(3)).select(wanted).rows() == [
        ("q1", "a1", 1.0, 1.0, 0.5, 0.0, 0.5, 0.333),
        ("q1", "a2", 0.0, 1.0, 0.5, 0.0, 0.5, 0.667),
        ("q2", "a1", 1.0, 1.0, 0.5, 0.0, 0.5, 0.333),
        ("q2", "a2", 0.0, 1.0, 0.5, 0.0, 0.5, 0.667),
    ]


def test_won_and_lost_are_against_the_others_as_on_the_page_of_a_run(
    database: Path, tmp_path: Path
) -> None:
    """Of three others of a1 one is right, of those of a2 two: a1 wins both, a2 loses both."""
    page = written(database, tmp_path / "parcels")["red/index.html"].decode()
    row = '<tr><th scope="row"><bdi>{}</bdi></th><td class="name"><bdi>{}</bdi></td>'
    numbers = "<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>"
    assert row.format("a1", "all") + numbers.format(2, 2, 2, 0) in page
    assert row.format("a2", "all") + numbers.format(2, 0, 0, 2) in page
    assert row.format("a2", "place") + numbers.format(1, 0, 0, 1) in page
    # in the words of the page of a run
    script = files("qampaign.report.questions.script").joinpath("run.js").read_text("utf-8")
    rule = "Won: right where more than half of the other submitted runs are not; "
    rule += "lost: not right where more than half of them are."
    assert rule.replace("submitted runs", "${whose}") in script
    assert rule in page


def test_one_half_is_neither_most_of_the_others_nor_right() -> None:
    rows = {
        "run": ["a"] * 8,
        "type": None,
        "value": [1.0, 0.0, 0.5, 0.5, 2 / 3, 1 / 3, 2 / 3, 1 / 3],
        # thirds that sum up to one half but for what floating point leaves
        "others": [0.5, 0.5, 0.0, 1.0, 0.5 - 1e-13, 0.5 + 1e-13, 0.49, 0.51],
    }
    (row,) = won_by_type(pl.DataFrame(rows, schema_overrides={"type": pl.String})).rows(named=True)
    assert (row["questions"], row["won"], row["lost"]) == (8, 1, 1)


def test_with_samples_the_share_of_right_ones_counts(database: Path, tmp_path: Path) -> None:
    """Of q1, b1 has two samples, of which one is right: the others of a1 have (0 + 1/2 + 0) / 3."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("""
            INSERT INTO answers BY NAME SELECT * REPLACE (
            'second' AS sample, false AS correct, 'wrong' AS verdict) FROM answers
            WHERE run = 'b1' AND question = 'q1'""")
    written(database, tmp_path / "parcels")
    rows = pl.read_csv(tmp_path / "parcels/red/questions.csv").filter(judge="people", question="q1")
    assert rows.select("run", pl.col("others").round(3)).rows() == [("a1", 0.167), ("a2", 0.5)]
    page = (tmp_path / "parcels/red/index.html").read_text(encoding="utf-8")
    # a2 has lost q2 only: of the others of q1 exactly half is right
    assert "<bdi>all</bdi></td><td>2</td><td>0</td><td>0</td><td>1</td></tr>" in page


def test_scores_alone_make_no_answer_right(database: Path, tmp_path: Path) -> None:
    # by a judge that gives numbers alone nobody knows how difficult a question is
    with duckdb.connect(str(database)) as connection:
        connection.execute("UPDATE questions SET difficulty = NULL WHERE judge = 'people'")
    written(database, tmp_path / "parcels")
    rows = pl.read_csv(tmp_path / "parcels/red/questions.csv").filter(judge="people")
    assert rows.select("value", "best", "mean").null_count().row(0) == (4, 4, 4)
    assert "Won" not in (tmp_path / "parcels/red/index.html").read_text(encoding="utf-8")


def test_a_run_without_verdicts_has_no_place_in_the_field(database: Path, tmp_path: Path) -> None:
    """Of red nobody has judged any answer: its 0 is no value of the field, which has 0, 1 and 1."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "UPDATE scores SET rank_first = NULL, rank_last = NULL WHERE run = 'red'"
        )
    files = written(database, tmp_path / "parcels")
    pages = {name: file.decode() for name, file in files.items() if name.endswith("html")}
    (red,) = (page for name, page in pages.items() if name.startswith("red-"))
    said = "people has no verdict on any answer of red; they count as wrong in its values."
    assert said in red
    assert "Won" not in red
    assert 'class="own"' not in red
    for page in pages.values():
        assert "of 3 submitted runs with verdicts." in page
        assert "lowest 0.000, quartiles 0.500,\n1.000, 1.000, highest 1.000" in page
    assert not [name for name, page in pages.items() if page != red and said in page]
    # with names its row is there, and so is what is to be said of it
    shown = written(database, tmp_path / "named", names=True)
    assert said in shown["b1/index.html"].decode()


def test_an_answer_without_a_score_is_called_so(database: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute("UPDATE scores SET rank_first = NULL, rank_last = NULL WHERE run = 'b1'")
        connection.execute("UPDATE questions SET difficulty = NULL WHERE judge = 'people'")
    page = written(database, tmp_path / "parcels")["b1/index.html"].decode()
    assert "people has no score for any answer of b1; they count as 0 in its values." in page
    assert "of 3 submitted runs with scores." in page


def test_a_run_alone_has_neither_rank_range_nor_quartiles(database: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        for table in ("runs", "scores"):
            connection.execute(f"DELETE FROM {table} WHERE run <> 'b1'")
    for names in (False, True):
        files = written(database, tmp_path / f"parcels-{names}", names=names)
        page = files["b1/index.html"].decode()
        assert "<td>1.000</td>" in page
        assert "Rank range" not in page
        assert "rank range" not in page
        assert "quartiles" not in page
        assert "Won" not in page  # there are no others
        assert "<bdi>all</bdi></td><td>2</td><td>2</td></tr>" in page
        assert b"rank_low" in files["b1/scores.csv"]  # the table is as it is published


def test_labels_of_people_are_no_key(database: Path, tmp_path: Path) -> None:
    written(database, tmp_path / "parcels")
    rows = pl.read_csv(tmp_path / "parcels/red/questions.csv")
    assert rows.filter(judge="people")["key"].null_count() == 4
    assert set(rows.filter(judge="key")["key"]) == {"Paris"}


def test_a_closed_campaign_shows_no_key(database: Path, tmp_path: Path) -> None:
    written(database, tmp_path / "parcels", is_open=False)
    for path in (tmp_path / "parcels").glob("*/*.csv"):
        assert {"key", "matched"}.isdisjoint(pl.read_csv(path).columns)


@pytest.mark.parametrize("names", first(1, [False, True]))
def test_a_parcel_has_nothing_that_others_answered(
    database: Path, tmp_path: Path, *, names: bool
) -> None:
    files = written(database, tmp_path / "parcels", names=names)
    for team in teams(database):
        own = [(name, file) for name, file in files.items() if name.startswith(f"{team.folder}/")]
        assert own
        found = quoted(database, team, own)
        assert not (found & {answer for given in ANSWERS.values() for answer, _ in given})
        assert names or not found
        copy = tmp_path / "copy.duckdb"
        shutil.copy(database, copy)
        disguise(copy, team, ids=not names)
        again = written(copy, tmp_path / f"again-{team.folder}", names=names)
        assert {name: again[name] for name, _ in own} == dict(own)


def test_the_search_finds_what_others_answered_and_are_called(database: Path) -> None:
    red, *_ = (team for team in teams(database) if team.name == "red" and team.is_team)
    leaks = [("x.csv", b"q1,b1,0.5\n"), ("y.html", b"<td>Lutetia Parisiorum</td>"),
             ("z.csv", b"q1,a1,Paris\n")]  # fmt: skip
    # b1 is another run's id and Lutetia Parisiorum its answer, which no key has; the rest is red's
    assert quoted(database, red, leaks) == {"b1", "Lutetia Parisiorum"}


def test_names_add_the_scores_of_the_field(database: Path, tmp_path: Path) -> None:
    written(database, tmp_path / "parcels", names=True)
    rows = pl.read_csv(tmp_path / "parcels/b1/field.csv")
    assert dict(rows.select("run", "value").rows()) == VALUES
    assert "a1" in (tmp_path / "parcels/b1/index.html").read_text()
    # and are gone again without
    written(database, tmp_path / "parcels")
    assert not (tmp_path / "parcels/b1/field.csv").exists()
    assert "a1" not in (tmp_path / "parcels/b1/index.html").read_text()


def test_what_is_gone_is_removed_unless_somebody_changed_it(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parcels"
    written(database, folder)
    (folder / "mine").mkdir()
    (folder / "mine/notes.txt").write_text("mine")
    (folder / "b1/answers.csv").write_text("changed by hand")
    with duckdb.connect(str(database)) as connection:
        connection.execute("DELETE FROM runs WHERE run IN ('b1', 'red')")
    written(database, folder)
    assert sorted(path.name for path in folder.iterdir()) == [WRITTEN, "b1", "mine", "red"]
    assert [path.name for path in (folder / "b1").iterdir()] == ["answers.csv"]


def test_what_somebody_changed_stays_and_is_said_at_each_call(
    database: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "parcels"
    assert describe_kept(call(database, folder, names=True)) == []
    for team in ("red", "b1"):
        with (folder / team / "field.csv").open("a") as file:
            file.write("c,people,accuracy,all,extra\n")
    said = (
        "2 files with names and scores of other runs stay, since they are not as they were written:"
        " b1/field.csv, red/field.csv"
    )
    for _ in range(2):
        assert describe_kept(call(database, folder)) == [said]
        assert (folder / "b1/field.csv").exists()
    (folder / "b1/field.csv").unlink()
    (folder / WRITTEN).unlink()  # of what is left, nobody knows any more who wrote it
    assert describe_kept(call(database, folder)) == [
        "1 file with names and scores of other runs stays, since it is not as it was written: "
        "red/field.csv"
    ]
    # with names it is written again, and is what a later call removes
    assert describe_kept(call(database, folder, names=True)) == []
    assert describe_kept(call(database, folder)) == []
    assert not (folder / "red/field.csv").exists()


def call(database: Path, folder: Path, *, names: bool = False) -> Written:
    with duckdb.connect(str(database), read_only=True) as connection:
        parcels = make_parcels(connection, is_open=True, names=names)
        return write_parcels(folder, ((each, render(each, title="T")) for each in parcels))


def test_the_page_has_labels_and_the_time_of_the_report(database: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "UPDATE provenance SET value = '2026-11-19T19:31:39+00:00' WHERE name = 'published'"
        )
        connection.execute("""INSERT INTO measures BY NAME SELECT * REPLACE (
            'c_at_1' AS measure, 'c@1' AS label, false AS "primary") FROM measures""")
        connection.execute(
            "INSERT INTO scores BY NAME SELECT * REPLACE ('c_at_1' AS measure) FROM scores"
        )
    page = written(database, tmp_path / "parcels")["red/index.html"].decode()
    assert "From results published at 2026-11-19 19:31 UTC." in page
    assert '<td class="name">c@1</td>' in page
    assert "c_at_1" not in page


def test_answers_without_a_verdict_are_counted(database: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        for run, number in (("a1", 1), ("a2", 1200), ("b1", 3)):
            connection.execute(f"UPDATE counts SET unassessed = {number} WHERE run = '{run}'")
    files = written(database, tmp_path / "parcels")
    page = files["red/index.html"].decode()
    assert "people has no verdict on 1 answer of a1; it counts as wrong in its values." in page
    said = "people has no verdict on 1,200 answers of a2; they count as wrong in its values."
    assert said in page
    assert "3 answers" not in page  # of another team
    pages = [file for name, file in files.items() if name.endswith(".html")]
    assert sum(b"no verdict" in page for page in pages) == 2  # not in that of the run red


def test_hostile_texts_stay_text(database: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        for table in ("runs", "answers", "scores", "counts"):
            connection.execute(
                f"UPDATE {table} SET run = '<script>alert(1)</script>' WHERE run = 'b1'"
            )
    files = written(database, tmp_path / "parcels")
    pages = [file.decode() for name, file in files.items() if name.endswith("html")]
    assert not [page for page in pages if "<script" in page]
    assert [page for page in pages if "&lt;script&gt;" in page]


@pytest.mark.parametrize("name", [".", "..", "a/b", "x" * 300, ".a.part", "ü b", "\\"])
def test_a_folder_has_a_name_that_every_disk_takes(name: str) -> None:
    folder = folder_name(name)
    assert folder not in (".", "..")
    assert not set(folder) & set("/\\ ")
    assert not folder.startswith(".")
    assert len(folder) < 100
