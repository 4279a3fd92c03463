"""Wide tables: which columns are runs, what their labels say, and how faults are told."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


ANSWERS = "SELECT run, question, answer, confidence FROM responses ORDER BY ALL"
VERDICTS = "SELECT run, question, scorer, verdict, score FROM logged ORDER BY ALL"
REMARKS = "SELECT remark, count FROM remarks ORDER BY ALL"
KEYS = "SELECT question, key, literal FROM keys ORDER BY ALL"

LABELLED = [
    ["id", "question", "answer", "gpt-4", "gpt-4_label", "claude", "claude_label"],
    ["1", "Who, then?", "Ann", "Ann", "A", "Bob", "B"],
    ["2", 'What is "x"?', "5; 6", "", "C", "5; 6", "CORRECT"],
]


def table(rows: Sequence[Sequence[object]], separator: str = ",", end: str = "\n") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator=end).writerows(rows)
    return text.getvalue()


def campaign_of(folder: Path, content: str | bytes, name: str, **options: Any) -> Campaign:
    campaign = log_campaign(folder, **options)
    campaign.write({f"logs/{name}": content})
    return campaign


def loaded(folder: Path, content: str | bytes, name: str = "w.csv", **options: Any) -> Campaign:
    campaign = campaign_of(folder, content, name, **options)
    campaign.ingest()
    return campaign


def told(folder: Path, content: str | bytes, name: str = "w.csv", **options: Any) -> list[str]:
    """All faults, with their lines."""
    campaign = campaign_of(folder, content, name, **options)
    campaign.refusal()
    rows = csv.DictReader(campaign.problems_csv.open(encoding="utf-8"))
    return sorted(f"{row['line']}: {row['problem']}" for row in rows)


def as_rows() -> list[dict[str, str]]:
    names, *rows = LABELLED
    return [dict(zip(names, row, strict=True)) for row in rows]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("w.csv", table(LABELLED)),
        ("w.tsv", table(LABELLED, "\t")),
        ("w.csv", "\ufeff" + table(LABELLED, ";", "\r\n")),
        ("w.jsonl", "".join(f"{json.dumps(row)}\n" for row in as_rows())),
        ("w.json", json.dumps(as_rows(), indent=1)),
    ],
)
def test_runs_with_answers_and_labels_are_recognised(
    tmp_path: Path, name: str, content: str
) -> None:
    campaign = loaded(tmp_path, content, name)
    assert campaign.rows(ANSWERS) == [
        ("claude", "1", "Bob", None),
        ("claude", "2", "5; 6", None),
        ("gpt-4", "1", "Ann", None),
        ("gpt-4", "2", None, None),
    ]
    assert campaign.rows(VERDICTS) == [
        ("claude", "1", "label", "wrong", None),
        ("claude", "2", "label", "right", None),
        ("gpt-4", "1", "label", "right", None),
        ("gpt-4", "2", "label", "not_attempted", None),
    ]
    assert campaign.rows(KEYS) == [("1", "Ann", True), ("2", "5; 6", True)]
    assert campaign.rows("SELECT text FROM questions ORDER BY ALL") == [
        ("What is \"x\"?",),
        ("Who, then?",),
    ]  # fmt: skip
    understood = (
        "columns understood as: questions in id; right answers in answer; runs gpt-4, claude; "
        "labels of gpt-4, claude by label"
    )
    assert campaign.rows(REMARKS) == [(understood, 1)]
    assert campaign.ingest() == (0, 1)


def test_without_labels_the_config_must_say_so(tmp_path: Path) -> None:
    content = table([["question", "gold", "a", "b"], ["Who?", "Ann", "Ann", "Bob"]])
    (only,) = told(tmp_path / "1", content)
    assert only == ": is in no format of logs that is known"
    campaign = loaded(tmp_path / "2", content, format="wide")
    assert campaign.rows(ANSWERS) == [("a", "Who?", "Ann", None), ("b", "Who?", "Bob", None)]
    assert campaign.rows("SELECT count(*) FROM logged") == [(0,)]


def test_endings_of_answers_several_scorers_and_confidence(tmp_path: Path) -> None:
    rows = [
        ["qid", "a_response", "a_human_label", "a_f1_score", "a_confidence", "b output", "_note"],
        ["1", "x", "yes", "0.25", "0.9", "y", "skip me"],
    ]
    campaign = loaded(tmp_path, table(rows), format="wide")
    assert campaign.rows(ANSWERS) == [("a", "1", "x", 0.9), ("b", "1", "y", None)]
    assert campaign.rows(VERDICTS) == [
        ("a", "1", "f1_score", None, 0.25),
        ("a", "1", "human_label", "right", None),
    ]


@pytest.mark.exhaustive
def test_labels_without_answers(tmp_path: Path) -> None:
    rows = [["question", "a_correct", "b_correct"], ["q1", 1, 0], ["q2", "", "true"]]
    campaign = loaded(tmp_path, table(rows), format="wide")
    assert campaign.rows(ANSWERS) == [
        ("a", "q1", "(no text)", None),
        ("a", "q2", None, None),
        ("b", "q1", "(no text)", None),
        ("b", "q2", "(no text)", None),
    ]
    assert [row[3] for row in campaign.rows(VERDICTS)] == ["right", "wrong", "right"]
    assert campaign.rows(REMARKS) == [
        ("answers without a label: not labelled", 1),
        (
            "columns understood as: questions in question; no right answers; runs a, b; labels of "
            "a, b by correct",
            1,
        ),
        *[("labels without a column of answers: the answers are shown as (no text)", 1)] * 2,
    ]


def test_a_table_of_0_and_1_is_not_taken_for_answers(tmp_path: Path) -> None:
    content = table([["question", "a", "b"], ["q1", 1, 0], ["q2", "", 1]])
    assert told(tmp_path, content, format="wide") == [
        ": has nothing but 0 and 1, true and false in the columns of runs"
    ]


@pytest.mark.exhaustive
def test_columns_that_are_neither_are_a_fault(tmp_path: Path) -> None:
    content = table([["question", "a", "a_label", "b", "topic"], ["q1", "x", "A", "y", "Art"]])
    assert told(tmp_path / "1", content, format="wide") == [
        "1: has a column that is neither a run nor known: 'b'",
        "1: has a column that is neither a run nor known: 'topic'",
    ]
    renamed = content.replace(",b,", ",b_answer,")
    campaign = loaded(tmp_path / "2", renamed, format="wide", type="topic")
    assert campaign.rows("SELECT DISTINCT run FROM responses ORDER BY ALL") == [("a",), ("b",)]
    assert campaign.rows("SELECT type FROM questions") == [("Art",)]
    plain = table([["question", "a", "b", "topic"], ["q1", "x", "y", "Art"]])
    assert told(tmp_path / "3", plain, format="wide") == [
        "1: has a column that is neither a run nor known: 'topic'"
    ]


def test_all_faults_are_told_with_their_lines(tmp_path: Path) -> None:
    names, one, two = LABELLED
    rows = [names, one, one, ["", *two[1:]], ["3", "?", "x", "y", "I", "z", "maybe"]]
    assert told(tmp_path, table(rows) + "cut,off\n") == [
        "3: id is there twice: '1' also in line 2",
        "4: id is empty",
        "5: claude_label is no label that is known: 'maybe'",
        "5: gpt-4_label is no label that is known: 'I'",
        "6: has 2 fields where the header has 7",
    ]


@pytest.mark.exhaustive
def test_lists_in_json(tmp_path: Path) -> None:
    row = {"id": 1, "gold": ["x", "y"], "a": ["x", "z"], "b": None}
    campaign = loaded(tmp_path / "1", json.dumps([row]), "w.json", format="wide")
    assert campaign.rows("SELECT run, rank, answer FROM responses ORDER BY ALL") == [
        ("a", 1, "x"),
        ("a", 2, "z"),
        ("b", 1, None),
    ]
    row |= {"a_label": "A", "b_label": {"x": 1}}
    assert told(tmp_path / "2", json.dumps([row]), "w.json", format="wide") == [
        ": entry 1: a is a list",
        ": entry 1: b_label is an object",
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (table(LABELLED).encode("utf-16"), "is UTF-16"),
        (table([*LABELLED, ["3", "é", *"x" * 5]]).encode("latin-1"), "is not UTF-8"),
        (b"question,a,b\n", "has no rows"),
        (b"thing,a,b\n1,x,y\n", "has no column of questions"),
        (b"question,gold\nq1,x\n", "has no column of a run"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, problem: str) -> None:
    (only,) = told(tmp_path, content, format="wide")
    assert problem in only


@pytest.mark.exhaustive
def test_what_changes_comes_and_goes_leaves_what_a_run_from_nothing_has(tmp_path: Path) -> None:
    other = [["id", "answer", "c", "c_label", "d", "d_label"], ["1", "Ann", "Ann", "A", "x", "B"]]
    changed = [LABELLED[0], LABELLED[1], ["3", "New?", "x", "x", "A", "", ""]]
    campaign = loaded(tmp_path / "a", table(LABELLED))
    campaign.write({"logs/w.csv": table(changed), "logs/more.csv": table(other)})
    campaign.ingest()
    anew = log_campaign(tmp_path / "b")
    anew.write({"logs/w.csv": table(changed), "logs/more.csv": table(other)})
    anew.ingest()
    for query in (ANSWERS, VERDICTS, REMARKS, KEYS):
        assert campaign.rows(query) == anew.rows(query)
    campaign.write({"logs/more.csv": None})
    campaign.ingest()
    assert campaign.rows("SELECT DISTINCT run FROM responses ORDER BY ALL") == [
        ("claude",),
        ("gpt-4",),
    ]
