"""Evidence and scores of a tiny collection, every number countable by hand."""

from collections.abc import Sequence
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.judgments import Verdict, in_order
from qampaign.measures import MEASURES
from qampaign.measures.baselines import collect_all
from qampaign.measures.cells import Cells
from qampaign.measures.evidence import EVIDENCE, Evidence, EvidenceColumn
from qampaign.measures.scoring import Configured, count, describe_questions, score, some_right
from qampaign.studies import comparisons
from qampaign.studies.pairs import taking_part
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
    wanted: Sequence[EvidenceColumn] = (),
) -> Evidence:
    """rows: run, question, rank, answered, verdict, and perhaps whether the answer is NIL."""
    schema = {
        "run": pl.Enum(list(runs)),
        "question": IDS,
        "rank": pl.Int64,
        "answered": pl.Boolean,
        "verdict": Verdict,
        "nil": pl.Boolean,
    }
    complete = [(*row, False)[:6] for row in rows]
    judgments = in_order(pl.DataFrame(complete, schema=schema, orient="row")).with_columns(
        confidence=1 / pl.col("rank"), score=1 / pl.col("rank"), line=pl.col("rank"),
        level=pl.lit("S"), said=pl.col("verdict") == "right",
    )  # fmt: skip
    cells = Cells.of(
        judgments, QUESTIONS, reference=reference, known_answers=KNOWN, correct=correct
    )
    return collect_all(cells, wanted)


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
            "missing": 1, "empty": 0, "not_attempted": 0,
            "withheld_right": 1, "withheld_wrong": 0, "unassessed": 0,
            "answers": 4, "right_answers": 2, "questions_with_right": 2, "known": 7,
        },
        {
            "run": "b", "questions": 4, "right": 0, "wrong": 1, "unanswered": 3,
            "missing": 0, "empty": 1, "not_attempted": 1,
            "withheld_right": 0, "withheld_wrong": 1, "unassessed": 1,
            "answers": 1, "right_answers": 0, "questions_with_right": 0, "known": 7,
        },
        {
            "run": "c", "questions": 4, "right": 0, "wrong": 0, "unanswered": 4,
            "missing": 4, "empty": 0, "not_attempted": 0,
            "withheld_right": 0, "withheld_wrong": 0, "unassessed": 0,
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
    """Only a is right, on q1 with its first answer, on q2 with its second; on q3 it held back."""
    found = evidence(TINY)
    assert describe_questions(found, configured("accuracy")).rows() == [
        ("q1", "factoid", None, 1, True, pytest.approx(2 / 3), None),
        ("q2", "list", None, 0, False, 1.0, None),
        ("q3", "list", None, 0, False, 1.0, None),
        ("q4", "all", None, 0, False, 1.0, None),
    ]
    lists = describe_questions(found, configured("accuracy", "list_f"))
    assert lists["right_runs"].to_list() == [1, 1, 0, 0]
    assert lists["best"].to_list() == [True, True, False, False]


@pytest.mark.parametrize(("cutoff", "best"), [(1, False), (2, True)])
def test_a_question_is_solved_as_far_down_as_a_measure_looks(cutoff: int, best: bool) -> None:
    """The right answer of a to q2 stands at rank 2."""
    measures = [Configured("mrr", "mrr", {"cutoff": cutoff})]
    found = evidence(TINY, wanted=[some_right(measures)])
    assert describe_questions(found, measures)["best"][1] is best


@pytest.mark.exhaustive
def test_what_a_column_looks_at_is_what_it_says() -> None:
    """Answers below the last rank of a column change nothing in it; one at that rank does."""
    verdicts = ["wrong", "wrong", "wrong", "wrong", "right", "right"]
    for name in EVIDENCE:
        column = EvidenceColumn(
            name, {"cutoff": 3} if name in ("right_within", "reciprocal_rank") else {}
        )
        last = column.last_rank
        if last is None:
            continue
        for rank in range(1, 7):
            shown = [("a", "q1", n, True, verdicts[-n]) for n in range(1, rank + 1)]
            less = evidence(shown[:-1], wanted=[column])
            more = evidence(shown, wanted=[column])
            same = np.array_equal(
                less.columns[column.key], more.columns[column.key], equal_nan=True
            )
            assert same or rank <= last, (name, rank)


BEYOND = {
    "k", "mrr", "nq_correct_5", "average_precision", "q_measure", "confidence_correlation",
    "list_precision", "list_recall", "list_f", "nil_precision", "nil_recall", "brier",
    "calibration_error",
}  # fmt: skip


def test_measures_that_look_beyond_the_first_answer() -> None:
    """Those whose value a second answer can change, by their definitions."""
    answering = [name for name, each in MEASURES.items() if each.task != "validation"]
    beyond = {
        name
        for name in answering
        if Configured(name, name, MEASURES[name].defaults).last_rank not in (0, 1)
    }
    assert beyond == BEYOND
    assert Configured("mrr", "mrr", {"cutoff": 1}).last_rank == 1
    assert Configured("mrr", "mrr", {"cutoff": 10}).last_rank == 10


def test_a_run_that_nobody_has_assessed_is_shown_and_not_ranked() -> None:
    """a: one of two answers is right. b: two that nobody assessed. c: a NIL and one such. d: says
    nothing, which needs no assessment. e: one of two is assessed. f: NIL alone, whose question
    decides. Those with a value: a 1/4, e and d 0, f 0."""
    rows = [
        ("a", "q1", 1, True, "right", False), ("a", "q2", 1, True, "wrong", False),
        ("b", "q1", 1, True, "unassessed", False), ("b", "q2", 1, True, "unassessed", False),
        ("c", "q1", 1, True, "wrong", True), ("c", "q2", 1, True, "unassessed", False),
        ("d", "q1", 1, False, "not_attempted", False),
        ("e", "q1", 1, True, "wrong", False), ("e", "q2", 1, True, "unassessed", False),
        ("f", "q1", 1, True, "wrong", True),
    ]  # fmt: skip
    found = evidence(rows, runs="abcdef")
    scores = score(found, configured("accuracy")).filter(slice="all")
    assert scores.select("run", "value", "rank_first", "rank_last").rows() == [
        ("a", 0.25, 1, 1),
        ("b", 0, None, None),
        ("c", 0, None, None),
        ("d", 0, 2, 4),
        ("e", 0, 2, 4),
        ("f", 0, 2, 4),
    ]
    assert set(found.runs["kind"]) == {"submitted"}
    assert taking_part(found).runs["run"].to_list() == ["a", "d", "e", "f"]
    # one of the four ranked runs is right on q1
    assert describe_questions(found, configured("accuracy"))["difficulty"][0] == 0.75
    drawn = comparisons.study(found, configured("accuracy"), seed="1", draws=999).intervals
    bounds = drawn.filter(slice="all", run="b").select("low", "high", "rank_low", "rank_high")
    assert bounds.rows() == [(None, None, None, None)]


def test_the_share_of_questions_without_a_row() -> None:
    """a has rows for three of four questions, b for all, c for none; of list questions a has both."""
    scores = score(evidence(TINY), configured("accuracy"))
    assert scores.filter(slice="all")["missing"].to_list() == [0.25, 0, 1]
    assert scores.filter(slice="list")["missing"].to_list() == [0, 0, 1]


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
        parts = ("missing", "empty", "not_attempted", "withheld_right", "withheld_wrong")
        assert sum(row[part] for part in parts) == row["unanswered"]
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
