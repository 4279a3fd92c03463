"""PAN's verification tasks: values, truth and groups, and how faults are told."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.logs import log_campaign
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


ANSWERS = "SELECT run, question, answer, answered, score FROM responses ORDER BY ALL"
TRUTH = "SELECT question, verdict FROM assessments ORDER BY ALL"
REMARKS = "SELECT remark, count FROM remarks ORDER BY ALL"


def lines(*rows: Any) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def answers(*values: Any) -> str:
    """Answers to items 1, 2, …."""
    return lines(*({"id": str(n), "value": value} for n, value in enumerate(values, start=1)))


def truth(*same: Any) -> str:
    return lines(*({"id": str(n), "same": each} for n, each in enumerate(same, start=1)))


def pan_campaign(folder: Path, **files: str) -> Campaign:
    campaign = log_campaign(folder, "logs/**/*.jsonl")
    campaign.change(validation=True, paths=dict(campaign.files.paths) | {"assessments": []})
    campaign.write({f"logs/{name}/answers.jsonl": content for name, content in files.items()})
    return campaign


def test_values_are_scores_and_answers(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path, team=answers(0.51, 0.5, 0, 1, None))
    campaign.write({"logs/truth.jsonl": truth(True, False, True, False, True)})
    campaign.ingest()
    assert campaign.rows(ANSWERS) == [
        ("team", "1", "yes", True, 0.51),
        ("team", "2", None, False, 0.5),
        ("team", "3", "no", True, 0.0),
        ("team", "4", "yes", True, 1.0),
        ("team", "5", None, False, 0.5),
    ]
    assert campaign.rows(TRUTH) == [
        ("1", "right"), ("2", "wrong"), ("3", "right"), ("4", "wrong"), ("5", "right"),
    ]  # fmt: skip
    assert campaign.rows("SELECT count(*) FROM keys") == [(0,)]
    assert campaign.rows(REMARKS) == [
        ("rows without a value: unanswered, with the score 0.5", 1),
    ]


@pytest.mark.exhaustive
def test_a_file_that_is_not_called_answers_names_the_run(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path)
    campaign.write({"logs/me.jsonl": answers(0.9), "logs/truth.jsonl": truth(True)})
    campaign.ingest()
    assert campaign.rows("SELECT run FROM responses") == [("me",)]


@pytest.mark.exhaustive
def test_a_value_in_a_list_is_read_and_remarked_on(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path, team=answers([0.9], [0.1]))
    campaign.write({"logs/truth.jsonl": truth(True, True)})
    campaign.ingest()
    assert [row[2] for row in campaign.rows(ANSWERS)] == ["yes", "no"]
    assert campaign.rows(REMARKS) == [("values in a list of one: read as that value", 2)]


@pytest.mark.exhaustive
def test_items_with_an_author_in_common_are_a_group(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path, team=answers(0.9, 0.9, 0.9))
    rows = [
        {"id": "1", "same": False, "authors": ["7", "8"]},
        {"id": "2", "same": True, "authors": ["9", "9"]},
        {"id": "3", "same": False, "authors": ["8", "5"]},
    ]
    campaign.write({"logs/truth.jsonl": lines(*rows)})
    campaign.ingest()
    assert campaign.rows('SELECT question, "group" FROM questions ORDER BY ALL') == [
        ("1", "5"),
        ("2", "9"),
        ("3", "5"),
    ]


def test_all_faults_are_told_with_their_lines(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "value": 0.9},
        {"id": "1", "value": 0.9},
        {"id": "2", "value": 1.5},
        {"id": "3", "value": "0.7"},
        {"id": "4", "value": [0.1, 0.2]},
        {"id": "5", "value": float("nan")},
        {"id": "6", "value": True},
        {"value": 0.2},
        {"id": "7", "same": True},
    ]
    campaign = pan_campaign(tmp_path, team=lines(*rows) + '{"id": "8", "va\n')
    campaign.write({"logs/truth.jsonl": truth(True, False)})
    campaign.refusal()
    told = sorted(
        f"{row['file']}, line {row['line']}: {row['problem']}"
        for row in csv.DictReader(campaign.problems_csv.open(encoding="utf-8"))
    )
    broken, *told = told
    assert broken.startswith("logs/team/answers.jsonl, line 10: is not JSON (")
    team = "logs/team/answers.jsonl, line"
    assert told == [
        f"{team} 2: id is there twice: 1, also in line 1",
        f"{team} 3: value of 2 is outside: 1.5",
        f"{team} 4: value of 3 is no number: '0.7'",
        f"{team} 5: value of 4 is no number: a list",
        f"{team} 6: value of 5 is outside: nan",
        f"{team} 7: value of 6 is no number: True",
        f"{team} 8: has no id",
        f"{team} 9: has the truth among answers",
    ]


def test_faults_of_the_truth(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path, team=answers(0.9))
    again = lines({"id": "1", "same": False}, {"id": "9", "same": True, "authors": "x"})
    campaign.write({"logs/truth.jsonl": truth(True, False, None, "yes") + again})
    assert sorted(each.partition("; allowed")[0] for each in campaign.refusal()) == [
        "logs/truth.jsonl, line 3: same of 3 is None",
        "logs/truth.jsonl, line 4: same of 4 is 'yes'",
        "logs/truth.jsonl, line 5: id is there twice: 1, also in line 1",
        "logs/truth.jsonl, line 6: authors of 9 are no list of names",
    ]


@pytest.mark.exhaustive
def test_an_item_that_the_truth_does_not_have_is_refused(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path, team=answers(0.9, 0.1))
    campaign.write({"logs/truth.jsonl": truth(True)})
    (only,) = campaign.refusal()
    assert "line 2, column question: '2' is an unknown question" in only


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (answers(0.9).encode("utf-16"), "is UTF-16"),
        (b"\n\n", "is empty"),
        (b'{"id": "\xe9", "value": 1}\n', "is not UTF-8"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: bytes, problem: str) -> None:
    campaign = pan_campaign(tmp_path, team=answers(0.9))
    campaign.write({"logs/truth.jsonl": truth(True), "logs/other/answers.jsonl": content})
    campaign.change(logs={"format": "pan"})
    (only,) = campaign.refusal()
    assert problem in only


@pytest.mark.exhaustive
def test_what_changes_comes_and_goes_leaves_what_a_run_from_nothing_has(tmp_path: Path) -> None:
    campaign = pan_campaign(tmp_path / "a", one=answers(0.9, 0.1), two=answers(0.2, 0.2))
    campaign.write({"logs/truth.jsonl": truth(True, True)})
    campaign.ingest()
    before = campaign.fingerprints()
    campaign.write({"logs/truth.jsonl": truth(True, False)})
    assert campaign.ingest() == (1, 2)
    changed = {name for name, each in campaign.fingerprints().items() if before[name] != each}
    assert "toy/assessments" in changed
    assert "toy/responses" not in changed
    campaign.write({"logs/two/answers.jsonl": None, "logs/three/answers.jsonl": answers(0.5, 1)})
    campaign.ingest()
    anew = pan_campaign(tmp_path / "b", one=answers(0.9, 0.1), three=answers(0.5, 1))
    anew.write({"logs/truth.jsonl": truth(True, False)})
    anew.ingest()
    for query in (ANSWERS, TRUTH, REMARKS):
        assert campaign.rows(query) == anew.rows(query)
    texts = [{n: text for n, (text, _) in each.fingerprints().items()} for each in (campaign, anew)]
    assert texts[0] == texts[1]
