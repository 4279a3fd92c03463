"""One assessor as a judge: heard on the questions that this person has seen whole."""

from typing import Any

import polars as pl
import pytest

from qampaign.judging.single_assessor import assessors_of, describe_crowd, judge_alone
from tests.judging.tables import Row, table

RESPONSES = [
    {"run": run, "question": question, "answer": answer}
    for question, answers in {"q1": "xy", "q2": "xy", "q3": "xx"}.items()
    for run, answer in zip("ab", answers, strict=True)
]


def said(assessor: str | None, **verdicts: str) -> list[Row]:
    """What somebody says of answers such as q1x, a letter each: right, wrong or unsupported."""
    words = {"r": "right", "w": "wrong", "u": "unsupported"}
    return [
        {"question": of[:2], "answer": of[2:] or None, "assessor": assessor, "verdict": words[word]}
        for of, word in verdicts.items()
    ]


# ana has not seen y of q2, ben neither q1 nor x of q3
LABELS = [
    *said("ana", q1x="r", q1y="w", q2x="r", q3x="u"),
    *said("ben", q2x="w", q2y="r"),
    *said(None, q1x="w", q3x="w"),
]


def judged(assessor: str, **options: Any) -> list[tuple[str, str, str]]:
    found = judge_alone(
        table("responses", RESPONSES),
        table("assessments", LABELS),
        table("questions", [{"question": question} for question in ("q1", "q2", "q3")]),
        **{"assessor": assessor, "task": "answering", "correct": ["right"], "nil": "NIL"} | options,
    )
    assert found.questions["question"].to_list() == sorted(set(found.judgments["question"]))
    return found.judgments.select("question", "run", "verdict").sort("question", "run").rows()


def test_everybody_who_assessed_is_named_once_and_adjudication_is_nobody() -> None:
    assert assessors_of(table("assessments", LABELS)) == ["ana", "ben"]
    assert assessors_of(table("assessments", said(None, q1x="r"))) == []


def test_questions_of_which_an_answer_was_not_seen_are_left_out() -> None:
    assert judged("ana") == [
        ("q1", "a", "right"),
        ("q1", "b", "wrong"),
        ("q3", "a", "unsupported"),
        ("q3", "b", "unsupported"),
    ]
    assert judged("ben") == [("q2", "a", "wrong"), ("q2", "b", "right")]


def test_an_answer_that_needs_no_assessment_leaves_no_question_out() -> None:
    assert ("q2", "b", "wrong") in judged("ana", nil="y")


@pytest.mark.parametrize(("assessor", "verdicts"), [("ana", ["right"]), ("ben", ["wrong"])])
def test_items_to_validate_are_those_of_the_assessor(assessor: str, verdicts: list[str]) -> None:
    responses = [{"answer": "yes"}, {"question": "q2", "answer": "yes"}]
    rows = [*said("ana", q1="r"), *said("ben", q2="w")]
    found = judge_alone(
        table("responses", responses),
        table("assessments", rows),
        table("questions", [{"question": "q1"}, {"question": "q2"}]),
        assessor=assessor,
        task="validation",
        correct=["right"],
        nil="NIL",
    )
    assert found.judgments["verdict"].to_list() == verdicts


def test_a_crowd_of_assessors_is_told() -> None:
    few = pl.DataFrame({"assessor": [f"p{number}" for number in range(100)]})
    assert describe_crowd(few) is None
    assert describe_crowd(pl.concat([few, few, pl.DataFrame({"assessor": ["q"]})])) == (
        "101 assessors: only the 100 who judged most are compared one by one"
    )
