"""Evidence and scores of a tiny collection, every number countable by hand."""

from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.baselines import collect_all
from qampaign.cells import Cells
from qampaign.evidence import Evidence
from qampaign.judging.judgments import Verdict, in_order
from qampaign.scoring import Configured, count, describe_questions, score
from qampaign.verdicts import VERDICTS

IDS = pl.Enum(["q1", "q2", "q3", "q4"])
QUESTIONS = pl.DataFrame(
    {
        "question": pl.Series(["q1", "q2", "q3", "q4"], dtype=IDS),
        "type": ["factoid", "list", "list", None],
        "nil": [False] * 4,
        "group": pl.Series([None] * 4, dtype=pl.String),
        "known": pl.Series([1, 2, 3, 1], dtype=pl.UInt32),
        "positive": [False] * 4,
    }
)
KNOWN = pl.DataFrame(schema={"question": IDS, "meaning": pl.String, "level": pl.String})


def evidence(
    rows: list[tuple],
    runs: str = "abc",
    correct: tuple = ("right",),
    reference: pl.DataFrame = QUESTIONS,
) -> Evidence:
    """rows: run, question, rank, answered, verdict."""
    schema = {
        "run": pl.Enum(list(runs)),
        "question": IDS,
        "rank": pl.Int64,
        "answered": pl.Boolean,
        "verdict": Verdict,
    }
    judgments = in_order(pl.DataFrame(rows, schema=schema, orient="row"))
    cells = Cells.of(
        judgments, QUESTIONS, reference=reference, known_answers=KNOWN, correct=correct
    )
    return collect_all(cells, [])


def configured(*measures: str) -> list[Configured]:
    return [Configured(each, each, {}) for each in measures]


TINY = [
    ("a", "q1", 1, True, "right"),
    ("a", "q2", 1, True, "wrong"),
    ("a", "q2", 2, True, "right"),
    ("a", "q2", 3, True, "repeated"),
    ("a", "q3", 1, False, "right"),
    # a has nothing for q4
    ("b", "q1", 1, False, "wrong"),
    ("b", "q2", 1, False, "not_attempted"),
    ("b", "q3", 1, True, "not_attempted"),
    ("b", "q4", 1, True, "unassessed"),
    # c has nothing at all
]


def test_counts_by_hand() -> None:
    counted = count(evidence(TINY)).filter(slice="all").drop("slice")
    assert counted.to_dicts() == [
        {
            "run": "a", "questions": 4, "right": 1, "wrong": 1, "unanswered": 2,
            "withheld_right": 1, "withheld_wrong": 0, "missing": 1, "unassessed": 0,
            "answers": 4, "right_answers": 2, "questions_with_right": 2, "known": 7,
        },
        {
            "run": "b", "questions": 4, "right": 0, "wrong": 1, "unanswered": 3,
            "withheld_right": 0, "withheld_wrong": 1, "missing": 2, "unassessed": 1,
            "answers": 1, "right_answers": 0, "questions_with_right": 0, "known": 7,
        },
        {
            "run": "c", "questions": 4, "right": 0, "wrong": 0, "unanswered": 4,
            "withheld_right": 0, "withheld_wrong": 0, "missing": 4, "unassessed": 0,
            "answers": 0, "right_answers": 0, "questions_with_right": 0, "known": 7,
        },
    ]  # fmt: skip


def test_slices_are_all_questions_and_the_question_types() -> None:
    counted = count(evidence(TINY)).filter(run="a").select("slice", "questions", "right", "known")
    assert counted.rows() == [("all", 4, 1, 7), ("factoid", 1, 1, 1), ("list", 2, 0, 5)]


def test_lenient_counting_takes_more_verdicts_for_correct() -> None:
    rows = [("a", "q1", 1, True, "unsupported"), ("a", "q2", 1, True, "inexact")]
    assert count(evidence(rows))["right"][0] == 0
    assert count(evidence(rows, correct=("right", "unsupported")))["right"][0] == 1


def test_scores_by_hand() -> None:
    measures = [Configured("acc", "accuracy", {}), *configured("precision_answered")]
    scores = score(evidence(TINY), measures).filter(slice="all")
    assert scores.select(
        "measure", "run", "value", "questions", "rank_first", "rank_last"
    ).rows() == [
        ("acc", "a", 0.25, 4, 1, 1),
        ("acc", "b", 0.0, 4, 2, 3),
        ("acc", "c", 0.0, 4, 2, 3),
        ("precision_answered", "a", 0.5, 4, 1, 1),
        ("precision_answered", "b", 0.0, 4, 2, 2),
        ("precision_answered", "c", None, 4, None, None),
    ]
    assert not scores["value"].is_nan().any()


def test_difficulty_by_hand() -> None:
    assert describe_questions(evidence(TINY)).rows() == [
        ("q1", "factoid", 1, True, pytest.approx(2 / 3)),
        ("q2", "list", 0, False, 1.0),
        ("q3", "list", 0, False, 1.0),
        ("q4", "all", 0, False, 1.0),
    ]


def test_known_answers_are_those_of_the_reference() -> None:
    reference = QUESTIONS.with_columns(known=pl.lit(9, pl.UInt32)).head(3)
    found = evidence([("a", "q1", 1, True, "right")], runs="a", reference=reference)
    assert found.columns["known"].tolist() == [[9, 9, 9, 0]]


@st.composite
def judged_rows(draw: st.DrawFn) -> list[tuple]:
    rows = []
    for run in "abc":
        for question in ("q1", "q2", "q3", "q4"):
            for rank in range(1, draw(st.integers(0, 3)) + 1):
                verdict = draw(st.sampled_from(VERDICTS))
                rows.append((run, question, rank, draw(st.booleans()), verdict))
    return draw(st.permutations(rows))


@given(judged_rows())
def test_counts_always_add_up(rows: list[tuple]) -> None:
    counted = count(evidence(rows))
    for row in counted.to_dicts():
        assert row["right"] + row["wrong"] + row["unanswered"] == row["questions"]
        shown = row["withheld_right"] + row["withheld_wrong"]
        assert shown + row["missing"] == row["unanswered"]
        assert row["right"] <= row["questions_with_right"] <= row["right_answers"] <= row["answers"]
    typed = counted.filter(pl.col("slice") != "all").group_by("run").agg(pl.col("questions").sum())
    assert typed["questions"].to_list() == [3, 3, 3]  # q4 has no type


@given(judged_rows())
def test_every_run_has_every_question_once(rows: list[tuple]) -> None:
    frame = evidence(rows).frame()
    assert frame.select("run", "question").n_unique() == frame.height == 12
    assert (frame["questions"] == 1).all()


@given(judged_rows())
def test_the_order_of_judgments_does_not_matter(rows: list[tuple]) -> None:
    assert evidence(rows).frame().equals(evidence(sorted(rows)).frame())


@given(judged_rows(), st.randoms(use_true_random=False))
def test_evidence_comes_back_from_its_frame(rows: list[tuple], random: Random) -> None:
    whole = evidence(rows)
    frame = whole.frame()
    shuffled = frame[random.sample(range(frame.height), frame.height)]
    for given_back in (frame, shuffled):
        found = Evidence.of(given_back, whole.runs, QUESTIONS)
        assert found.runs.equals(whole.runs)
        assert found.questions.equals(whole.questions)
        assert list(found.columns) == list(whole.columns)
        for name, values in whole.columns.items():
            np.testing.assert_array_equal(found.columns[name], values)
            assert found.columns[name].dtype == values.dtype


def test_evidence_that_lacks_a_question_does_not_come_back() -> None:
    whole = evidence(TINY)
    with pytest.raises(AssertionError, match="every question once"):
        Evidence.of(whole.frame().tail(-1), whole.runs, QUESTIONS)


def test_the_evidence_of_some_runs() -> None:
    whole = evidence(TINY)
    part = whole.only(np.array([True, False, True]))
    assert part.runs["run"].to_list() == ["a", "c"]
    assert part.columns["unanswered"].tolist() == [[0, 0, 1, 1], [1, 1, 1, 1]]
