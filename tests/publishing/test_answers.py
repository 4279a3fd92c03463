"""The table of answers, and what questions say besides: from the judgments of small collections."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from qampaign.judging.assessments import assessments
from qampaign.judging.key.key_judge import key
from qampaign.judging.patterns import patterns
from qampaign.publishing.answers import JudgedFile, describe_questions, write_answers
from qampaign.tables import RESULT_TABLES
from tests.judging.tables import judge_by, table

ROOT = Path(__file__).parents[2]
RESPONSES = [
    {"question": "q1", "answer": "in Paris", "confidence": 0.9},
    {"question": "q2", "answer": "Rome", "answered": False},
    {"question": "q3", "answer": None},
    {"question": "q1", "run": "b", "answer": "Lyon"},
]
LABELS = [
    {"question": "q1", "answer": "in Paris", "verdict": "inexact"},
    {"question": "q2", "answer": "Rome", "verdict": "right", "level": "S", "class": "rome"},
]
KEYS = [{"question": "q1", "key": "Paris, France"}, {"question": "q2", "key": "Rome"}]


@pytest.fixture
def judged(tmp_path: Path) -> list[JudgedFile]:
    """The same answers by people who know of two, and by a key."""
    people = judge_by(assessments, "assessments", RESPONSES, LABELS, unassessed="wrong")
    by_key = judge_by(key, "keys", RESPONSES, KEYS)
    tables = table("keys", KEYS), table("questions", [{"question": f"q{n}"} for n in (1, 2, 3)])
    by_key = key.with_matches(by_key, *tables, name="j")
    files = []
    for name, own, correct in (
        ("people", people, ["right", "inexact"]),
        ("key", by_key, ["right"]),
    ):
        path = tmp_path / f"{name}.parquet"
        own.judgments.write_parquet(path)
        files.append(JudgedFile(name, str(path), correct))
    return files


def test_a_row_for_each_answer_and_judge(judged: list[JudgedFile], tmp_path: Path) -> None:
    path = tmp_path / "answers.parquet"
    assert write_answers("c", judged, path) == 8
    answers = pl.read_parquet(path)
    assert answers.schema == pl.Schema(RESULT_TABLES["answers"].schema)
    shown = ("judge", "run", "question", "answer", "answered", "verdict", "correct", "unassessed")
    assert answers.select(shown).rows() == [
        ("people", "a", "q1", "in Paris", True, "inexact", True, False),  # counts as correct there
        ("people", "a", "q2", "Rome", False, "right", False, False),  # withheld: not correct
        ("people", "a", "q3", None, False, "not_attempted", False, False),
        ("people", "b", "q1", "Lyon", True, "unassessed", False, True),
        ("key", "a", "q1", "in Paris", True, "right", True, False),
        ("key", "a", "q2", "Rome", False, "right", False, False),
        ("key", "a", "q3", None, False, "not_attempted", False, False),
        ("key", "b", "q1", "Lyon", True, "wrong", False, False),
    ]
    more = ("level", "class", "degree", "matched", "confidence", "sample", "collection")
    assert answers.select(more).rows()[:2] == [
        (None, None, None, None, 0.9, None, "c"),
        ("S", "rome", None, None, None, None, "c"),
    ]
    # one of two key words; nothing of the form that stands for Lyon; no form for an empty answer
    assert answers.filter(judge="key")["matched"].to_list() == ["Paris", "Rome", None, ""]
    assert answers.filter(judge="key")["degree"].to_list() == [0.5, 1.0, None, 0.0]


def test_answers_that_match_a_pattern_show_it(tmp_path: Path) -> None:
    rows = [{"question": "q1", "pattern": "Par.s"}, {"question": "q1", "pattern": "Lyon"}]
    found = judge_by(patterns, "patterns", [RESPONSES[0], RESPONSES[3]], rows)
    found.judgments.write_parquet(tmp_path / "j.parquet")
    write_answers("c", [JudgedFile("j", str(tmp_path / "j.parquet"), ["right"])], tmp_path / "a")
    assert pl.read_parquet(tmp_path / "a")["matched"].to_list() == ["Par.s", "Lyon"]


def test_questions_say_what_was_asked_and_what_is_accepted(judged: list[JudgedFile]) -> None:
    asked = {
        "question": ["q1", "q2", "q3"],
        "type": ["place", None, None],
        "text": ["Where?", None, None],
    }
    tables: dict[str, Any] = {
        "questions": asked,
        "keys": pl.DataFrame(KEYS).to_dict(as_series=False),
    }

    def read(name: str, columns: Iterable[str]) -> pl.DataFrame:
        return pl.DataFrame(tables[name]).select(columns)

    questions = pl.DataFrame(
        {"judge": ["people"] * 3 + ["key"] * 3, "question": ["q1", "q2", "q3"] * 2}
    )
    described = describe_questions(questions, read, {"people": "assessments", "key": "key"}, judged)
    assert described.rows() == [
        ("people", "q1", "place", "Where?", "in Paris", '["Paris, France"]'),
        ("people", "q2", None, None, "Rome", '["Rome"]'),  # right, though withheld
        ("people", "q3", None, None, None, None),
        ("key", "q1", "place", "Where?", "Paris, France", '["Paris, France"]'),
        ("key", "q2", None, None, "Rome", '["Rome"]'),
        ("key", "q3", None, None, None, None),
    ]


RUNS = {"alpha": ("Paris", "1912", "the Nile"), "beta": ("Paris", "1911", "the Amazon")}
RIGHT = ("Paris", "1912", "the Nile")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables of the README's example, judged by people and by a key that lacks the Nile."""
    responses = [
        {"run": run, "question": f"q{n}", "answer": answer, "answered": (run, n) != ("alpha", 3)}
        for run, answers in RUNS.items()
        for n, answer in enumerate(answers, 1)
    ]
    labels = [
        {"question": row["question"], "answer": row["answer"],
         "verdict": "right" if row["answer"] in RIGHT else "wrong"}
        for row in responses[1:]  # Paris once
    ]  # fmt: skip
    keys = [
        {"question": f"q{n}", "key": text} for n, text in enumerate(("Paris", "1911", "Nile"), 1)
    ]
    by_key = judge_by(key, "keys", responses, keys)
    questions = table("questions", [{"question": f"q{n}"} for n in (1, 2, 3)])
    judged = {
        "people": judge_by(assessments, "assessments", responses, labels),
        "key": key.with_matches(by_key, table("keys", keys), questions, name="j"),
    }
    files = []
    for name, own in judged.items():
        own.judgments.write_parquet(tmp_path / f"{name}.parquet")
        files.append(JudgedFile(name, str(tmp_path / f"{name}.parquet"), ["right"]))
    write_answers("demo", files, tmp_path / "answers.parquet")
    questions = pl.DataFrame(
        {"collection": "demo", "judge": "people", "question": ["q1", "q2", "q3"],
         "text": None, "right_runs": [2, 1, 0], "difficulty": [0.0, 0.5, 1.0], "key": RIGHT,
         "keys": None},
    )  # fmt: skip
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE questions AS FROM questions")
        path = str(tmp_path / "answers.parquet")
        connection.execute("CREATE TABLE answers AS FROM read_parquet(?)", [path])
        yield connection


def test_the_documented_queries_answer_what_they_say(demo: duckdb.DuckDBPyConnection) -> None:
    page = (ROOT / "docs/queries.md").read_text(encoding="utf-8")
    _, hardest, won, verdicts, differing = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    assert [row[0] for row in demo.sql(hardest).fetchall()] == ["q3", "q2", "q1"]
    # alpha withheld the Nile, so q2 is all that it has right and beta wrong
    assert demo.sql(won).fetchall() == [("q2", "1912", "1911", "wrong")]
    assert demo.sql(verdicts).fetchall() == [
        ("alpha", "right", True, 2), ("alpha", "right", False, 1),
        ("beta", "wrong", True, 2), ("beta", "right", True, 1),
    ]  # fmt: skip
    assert demo.sql(differing).fetchall() == [
        ("alpha", "q2", "1912", "right", "wrong", ""), ("beta", "q2", "1911", "wrong", "right", "1911"),
    ]  # fmt: skip
