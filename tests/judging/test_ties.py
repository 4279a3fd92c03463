"""Ties between assessors: the sheet to adjudicate those that are refused, and what is decided."""

from pathlib import Path

import polars as pl
import pytest

from qampaign.judging.adjudication import Tied
from qampaign.judging.assessments import assessments as judge
from qampaign.judging.ties import make_sheet, refuse_ties, remark_on_ties
from tests.judging.tables import Row, judge_by, table


def votes(*verdicts: str, **item: object) -> list[Row]:
    """A label of one assessor for each verdict: ana, bob, cem."""
    names = ("ana", "bob", "cem")
    return [
        {"question": "q1", "assessor": name, "verdict": verdict, **item}
        for name, verdict in zip(names, verdicts, strict=False)
    ]


def tied(labels: list[Row], responses: list[Row]) -> Tied:
    with pytest.raises(Tied) as refused:
        judge_by(judge, "assessments", responses, labels)
    return refused.value


ASKED = pl.DataFrame({"question": ["q1", "q2"], "text": ["What is = 1?", None]})
RESPONSES = [
    {"run": "a", "question": "q1", "answer": "=1"},
    {"run": "a", "question": "q2", "rank": 3, "answer": "two"},
]


def test_the_sheet_has_every_tie_whole() -> None:
    labels = [
        *votes("right", "wrong", answer="=1"),
        # level at one vote each, though three say something
        *votes("right", "wrong", "inexact", question="q2", run="a", rank=3),
        *votes("right", "right", "wrong", answer="no tie"),
    ]
    sheet = make_sheet(tied(labels, RESPONSES).ties, table("responses", RESPONSES), ASKED)
    assert sheet.columns == [
        *("question", "text", "run", "rank", "answer", "votes"),
        *("label", "level", "class", "assessor"),
    ]
    assert sheet.drop("label", "level", "class").rows() == [
        ("q1", "What is = 1?", None, None, "=1", "ana: right, bob: wrong", "adjudicated"),
        ("q2", None, "a", 3, "two", "ana: right, bob: wrong, cem: inexact", "adjudicated"),
    ]


def test_votes_that_lost_are_shown_too() -> None:
    labels = [
        *votes("right", "wrong", "inexact", answer="=1"),
        {"question": "q1", "answer": "=1", "assessor": "dee", "verdict": "right"},
        {"question": "q1", "answer": "=1", "assessor": "eve", "verdict": "wrong"},
    ]
    found = tied(labels, RESPONSES).ties["votes"].to_list()
    assert found == ["ana: right, dee: right, bob: wrong, eve: wrong, cem: inexact"]


def test_the_message_names_the_sheet_which_people_s_work_is_safe_in(tmp_path: Path) -> None:
    sheet = tmp_path / "ties/c/people.csv"
    ties = tied(votes("right", "wrong", answer="=1"), RESPONSES)
    given = (ties, table("responses", RESPONSES), ASKED, sheet)
    message = str(refuse_ties(*given, added_to="the assessments"))
    assert f"Fill in the column label of {sheet} and add that file to the assessments" in message
    assert "question q1, '=1': ana: right, bob: wrong" in message
    # the answer must not run as a formula where the sheet is opened
    assert pl.read_csv(sheet)["answer"].to_list() == ["'=1"]
    filled = sheet.read_text().replace('wrong",,', 'wrong",W,')
    assert filled != sheet.read_text()
    sheet.write_text(filled)
    message = str(refuse_ties(*given, added_to="the assessments"))
    assert f"{sheet} has been filled in and is left alone" in message
    assert sheet.read_text() == filled


def test_a_sheet_of_items_to_validate_has_no_answers() -> None:
    ties = tied_items(votes("right", "wrong"))
    sheet = make_sheet(ties, table("responses", RESPONSES), ASKED)
    assert sheet.select("question", "text", "votes").rows() == [
        ("q1", "What is = 1?", "ana: right, bob: wrong")
    ]
    assert {"run", "rank", "answer"}.isdisjoint(sheet.columns)


def tied_items(labels: list[Row]) -> pl.DataFrame:
    responses = [{"run": "a", "question": "q1", "answer": "yes"}]
    with pytest.raises(Tied) as refused:
        judge_by(judge, "assessments", responses, labels, task="validation")
    return refused.value.ties


def test_what_the_config_decides_is_counted_by_answer() -> None:
    labels = [
        *votes("right", "wrong", answer="=1"),
        *votes("right", "wrong", question="q2", run="a", rank=3),
        *votes("right", "right", "wrong", answer="a majority"),
        *votes("right", "wrong", answer="settled"),
        {"question": "q1", "answer": "settled", "verdict": "right"},
    ]
    found = judge_by(judge, "assessments", RESPONSES, labels, ties=["wrong"])
    assert found.decided == 2
    remarks = remark_on_ties(found, "people", ["wrong"])
    assert remarks.rows() == [
        (None, "label", "judge people: ties between labels that ties: [wrong] decides", 2)
    ]


def test_without_a_tie_there_is_no_remark() -> None:
    found = judge_by(judge, "assessments", RESPONSES[:1], votes("right", answer="=1"))
    assert remark_on_ties(found, "people", ["wrong"]).is_empty()
