"""SimpleQA and graded tables: which column is what, what grades mean, and how faults are told."""

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


ANSWERS = "SELECT run, question, sample, answer FROM responses ORDER BY ALL"
VERDICTS = "SELECT question, scorer, verdict FROM logged ORDER BY ALL"
REMARKS = "SELECT remark, count FROM remarks ORDER BY ALL"
LONG = "Who " + "really " * 85 + "did it?"
ROWS = [
    {"problem": "Who won?", "answer": "Ann", "predicted_answer": "Ann", "grade": "A"},
    {"problem": LONG, "answer": "Bob", "predicted_answer": "Al, or not", "grade": "B"},
    {"problem": 'What is 5"?', "answer": "5 inches", "predicted_answer": "No idea", "grade": "C"},
]


def table(rows: Sequence[Mapping[str, Any]], separator: str = ",", end: str = "\n") -> str:
    """A CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]], delimiter=separator, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """A file of JSON lines."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def loaded(folder: Path, content: str | bytes, name: str = "m.csv", **options: Any) -> Campaign:
    campaign = log_campaign(folder, **options)
    campaign.write({f"logs/{name}": content})
    campaign.ingest()
    return campaign


def refused(folder: Path, content: str | bytes, name: str = "m.csv", **options: Any) -> list[str]:
    campaign = log_campaign(folder, **options)
    campaign.write({f"logs/{name}": content})
    return campaign.refusal()


def test_a_file_is_a_run_and_the_text_of_a_problem_its_id(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, table(ROWS), "gpt-4o.csv")
    assert len(LONG) > 600
    assert campaign.rows(ANSWERS) == [
        ("gpt-4o", 'What is 5"?', None, "No idea"),
        ("gpt-4o", LONG, None, "Al, or not"),
        ("gpt-4o", "Who won?", None, "Ann"),
    ]
    assert campaign.rows(VERDICTS) == [
        ('What is 5"?', "grade", "not_attempted"),
        (LONG, "grade", "wrong"),
        ("Who won?", "grade", "right"),
    ]
    assert campaign.rows("SELECT question, key, literal FROM keys ORDER BY ALL") == [
        ('What is 5"?', "5 inches", True),
        (LONG, "Bob", True),
        ("Who won?", "Ann", True),
    ]
    assert campaign.ingest() == (0, 1)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.csv", table(ROWS, ";")),
        ("m.tsv", table(ROWS, "\t")),
        ("m.csv", "\ufeff" + table(ROWS, end="\r\n")),
        ("m.csv.gz", gzip.compress(table(ROWS).encode())),
        ("m.jsonl", lines(ROWS)),
        ("m.jsonl", "\ufeff" + lines(ROWS).replace("\n", "\r\n\r\n")),
        ("m.json", json.dumps(ROWS, indent=2)),
    ],
)
def test_all_kinds_of_tables_say_the_same(tmp_path: Path, name: str, content: str | bytes) -> None:
    expected = loaded(tmp_path / "one", table(ROWS))
    campaign = loaded(tmp_path / "other", content, name)
    for query in (ANSWERS, VERDICTS, REMARKS, "SELECT question, key FROM keys ORDER BY ALL"):
        assert campaign.rows(query) == expected.rows(query)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("grade", "verdict"),
    [
        ("A", "right"), ("b", "wrong"), ("C", "not_attempted"), ("CORRECT", "right"),
        ("Incorrect", "wrong"), ("NOT_ATTEMPTED", "not_attempted"),
        ("not attempted", "not_attempted"), ("True", "right"), ("0", "wrong"), ("1.0", "right"),
        (True, "right"), (0, "wrong"),
    ],
)  # fmt: skip
def test_grades_by_letter_word_and_number(tmp_path: Path, grade: object, verdict: str) -> None:
    campaign = loaded(tmp_path, lines([ROWS[1] | {"grade": grade}, ROWS[0]]), "m.jsonl")
    assert (LONG, "grade", verdict) in campaign.rows(VERDICTS)


@pytest.mark.exhaustive
def test_the_answer_is_the_prediction_beside_another_target(tmp_path: Path) -> None:
    row = {"question": "Who?", "target": "Ann", "answer": "Bob", "is_correct": "False"}
    campaign = loaded(tmp_path, table([row]))
    assert campaign.rows(ANSWERS) == [("m", "Who?", None, "Bob")]
    assert campaign.rows("SELECT key FROM keys") == [("Ann",)]
    assert campaign.rows(VERDICTS) == [("Who?", "is_correct", "wrong")]


def test_what_was_not_attempted_is_not_wrong(tmp_path: Path) -> None:
    row = ROWS[0] | {"is_correct": False, "is_incorrect": False, "is_not_attempted": True}
    campaign = loaded(tmp_path, lines([{k: v for k, v in row.items() if k != "grade"}]), "m.jsonl")
    assert campaign.rows(VERDICTS) == [("Who won?", "is_correct", "not_attempted")]
    assert campaign.rows(REMARKS) == []


@pytest.mark.exhaustive
def test_several_grades_are_several_scorers(tmp_path: Path) -> None:
    rows = [ROWS[0] | {"human_grade": "B", "Judge-2 Grade": "C"}]
    campaign = loaded(tmp_path, table(rows))
    assert campaign.rows(VERDICTS) == [
        ("Who won?", "Judge-2 Grade", "not_attempted"),
        ("Who won?", "grade", "right"),
        ("Who won?", "human_grade", "wrong"),
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "more",
    [
        {"topic": "Art"},
        {"metadata": "{'topic': 'Art', 'urls': ['x']}"},
        {"metadata": '{"topic": "Art"}'},
    ],
)
def test_a_column_or_a_field_of_the_metadata_is_the_type(
    tmp_path: Path, more: dict[str, str]
) -> None:
    campaign = loaded(tmp_path, table([ROWS[0] | more]), type="topic")
    assert campaign.rows("SELECT question, type FROM questions") == [("Who won?", "Art")]


def test_the_dataset_gives_questions_and_no_run(tmp_path: Path) -> None:
    dataset = [
        {"metadata": "{}", "problem": row["problem"], "answer": row["answer"]} for row in ROWS
    ]
    campaign = log_campaign(tmp_path)
    campaign.write({"logs/simple_qa_test_set.csv": table(dataset), "logs/m.csv": table(ROWS[:1])})
    campaign.ingest()
    assert campaign.rows("SELECT DISTINCT run FROM responses") == [("m",)]
    assert campaign.rows("SELECT count(*) FROM questions") == [(3,)]
    assert ("files without a column of predictions: questions and their targets alone", 1) in (
        campaign.rows(REMARKS)
    )


@pytest.mark.exhaustive
def test_samples_of_a_problem(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, table([ROWS[0] | {"epoch": n} for n in (1, 2)]))
    assert campaign.rows("SELECT sample FROM responses ORDER BY ALL") == [("1",), ("2",)]


@pytest.mark.exhaustive
def test_what_is_no_fault_is_remarked_on(tmp_path: Path) -> None:
    rows = [
        ROWS[0] | {"grade": "", "cost_usd": 1, "note": "x"},
        ROWS[1] | {"grade": "A", "predicted_answer": "", "cost_usd": 2, "note": ""},
        ROWS[2] | {"answer": "['a', 'b']", "cost_usd": 2, "note": ""},
    ]
    campaign = loaded(tmp_path, table(rows))
    assert campaign.rows(REMARKS) == [
        ("answers without a grade: not graded", 1),
        ("answers without text that are graded right: shown as (no text)", 1),
        ("columns that are not read: cost_usd, note", 2),
        ("targets in brackets, which look like lists: each is one text", 1),
    ]


def test_all_faults_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    rows = [
        ROWS[0],
        ROWS[0] | {"grade": "B"},
        ROWS[1] | {"grade": "I"},
        ROWS[2] | {"problem": " "},
    ]
    content = table(rows) + "cut off,here\n"
    assert refused(tmp_path, content) == [
        "logs/m.csv, line 3: problem is there twice: 'Who won?' also in line 2; allowed: each once "
        "in a file, or a column sample",
        "logs/m.csv, line 4: grade is no grade that is known: 'I'; allowed: A or CORRECT, B or "
        "INCORRECT, C or NOT_ATTEMPTED; true, false, yes, no, 1, 0; nothing",
        "logs/m.csv, line 5: problem is empty; allowed: the text of the problem",
        "logs/m.csv, line 6: has 2 fields where the header has 4; allowed: 4 fields; quotes around "
        "one that contains the separator",
    ]


@pytest.mark.exhaustive
def test_values_of_json_that_are_no_single_text(tmp_path: Path) -> None:
    rows = [
        ROWS[0] | {"predicted_answer": ["Ann", "Al"]},
        ROWS[1] | {"answer": [["Bob"]]},
        ROWS[2] | {"grade": {"letter": "A"}},
    ]
    faults = refused(tmp_path, lines(rows), "m.jsonl")
    assert sorted(each.partition(";")[0] for each in faults) == [
        "logs/m.jsonl, line 1: predicted_answer is a list",
        "logs/m.jsonl, line 2: answer has lists in a list",
        "logs/m.jsonl, line 3: grade is an object",
    ]
    listed = refused(tmp_path / "list", json.dumps([*rows[:1], 3]), "m.json")
    assert sorted(each.partition(";")[0] for each in listed) == [
        "logs/m.json: entry 1: predicted_answer is a list",
        "logs/m.json: entry 2 is not a JSON object",
    ]


@pytest.mark.exhaustive
def test_a_list_of_answers_without_a_grade_is_by_rank(tmp_path: Path) -> None:
    row = {"question": "Who?", "answer": ["Ann", "Anne"], "prediction": ["Al", "Ann"]}
    campaign = loaded(tmp_path, lines([row]), "m.jsonl")
    assert campaign.rows("SELECT rank, answer FROM responses ORDER BY ALL") == [
        (1, "Al"),
        (2, "Ann"),
    ]
    assert campaign.rows("SELECT key, class FROM keys ORDER BY ALL") == [
        ("Ann", "Ann"),
        ("Anne", "Ann"),
    ]
    assert campaign.rows(REMARKS) == [("lists of answers: their order is the rank", 1)]


@pytest.mark.exhaustive
def test_a_missing_number_is_no_answer(tmp_path: Path) -> None:
    content = lines([ROWS[0], ROWS[1] | {"predicted_answer": float("nan"), "grade": "C"}])
    campaign = loaded(tmp_path, content, "m.jsonl")
    assert (("m", LONG, None, None)) in campaign.rows(ANSWERS)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (table(ROWS).encode("utf-16"), "is UTF-16"),
        (table([ROWS[0] | {"answer": "Zoë"}]).encode("latin-1"), "is not UTF-8 (byte 0xeb)"),
        (b"problem,answer,predicted_answer,grade\n", "has no rows"),
        (b"problem,answer,grade\nWho?,Ann,A\n", "has grades, but no answers"),
        (table(ROWS).encode()[:-2].replace(b'""', b'"', 1), "is not well quoted"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, problem: str) -> None:
    (only,) = refused(tmp_path, content, format="simpleqa")
    assert problem in only


@pytest.mark.exhaustive
def test_a_file_in_another_encoding_is_told_without_a_format(tmp_path: Path) -> None:
    (only,) = refused(tmp_path, table(ROWS).encode("utf-16"))
    assert "is UTF-16" in only


@pytest.mark.exhaustive
def test_a_type_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    (only,) = refused(tmp_path, table(ROWS), type="topic")
    assert "has no topic" in only


@pytest.mark.exhaustive
def test_files_that_come_change_and_go_leave_what_a_run_from_nothing_has(tmp_path: Path) -> None:
    campaign = log_campaign(tmp_path / "a", type="grade")
    campaign.write({"logs/m.csv": table(ROWS), "logs/n.csv": table(ROWS[:2])})
    campaign.ingest()
    campaign.write({"logs/m.csv": None, "logs/n.csv": table(ROWS[1:]), "logs/o.csv": table(ROWS)})
    assert campaign.ingest() == (2, 0)
    anew = log_campaign(tmp_path / "b", type="grade")
    anew.write({"logs/n.csv": table(ROWS[1:]), "logs/o.csv": table(ROWS)})
    anew.ingest()
    for query in (ANSWERS, VERDICTS, REMARKS, "SELECT question, type FROM questions ORDER BY ALL"):
        assert campaign.rows(query) == anew.rows(query)
