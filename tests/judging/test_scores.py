"""The judge `scores`: numbers from elsewhere, with a threshold and without."""

from typing import Any

import polars as pl
import pytest

from qampaign.judging.judgments import Judged
from qampaign.judging.scores import check_scale, scores
from qampaign.measures.baselines import collect_all
from qampaign.measures.cells import Cells
from qampaign.measures.evidence import EvidenceColumn
from qampaign.measures.scoring import count, describe_questions, score
from qampaign.problems import Refused
from tests.helpers.measured_rows import configured
from tests.judging.tables import table

RESPONSES = [
    {"run": "a", "question": "q1", "rank": 1, "answer": "x", "answered": True},
    {"run": "a", "question": "q2", "rank": 1, "answer": "y", "answered": True},
    {"run": "a", "question": "q3", "rank": 1, "answer": "NIL", "answered": True},
    {"run": "a", "question": "q4", "rank": 1, "answer": None, "answered": False},
    {"run": "b", "question": "q1", "rank": 1, "answer": "x", "answered": True},
    {"run": "b", "question": "q2", "rank": 1, "answer": "NIL", "answered": True},
]
QUESTIONS = [{"question": f"q{n}", "nil": n == 3} for n in (1, 2, 3, 4)]


def number(question: str, value: float, **more: Any) -> dict[str, Any]:
    none = dict.fromkeys(("run", "sample", "rank", "answer", "scorer"))
    return none | {"question": question, "score": value} | more


SCORES = [
    number("q1", 6, answer="x"),
    number("q2", 2, answer="y"),
    number("q1", 9, run="b", rank=1),  # what is said of a run's answer goes first
]


def judge(given: list[dict[str, Any]] = SCORES, **options: Any) -> Judged:
    responses = pl.DataFrame(RESPONSES).with_columns(
        confidence=pl.lit(None, pl.Float64), score=pl.lit(None, pl.Float64)
    )
    kinds = {"score": pl.Float64, "rank": pl.Int64}
    schema = {name: kinds.get(name, pl.String) for name in given[0]}
    numbers = pl.DataFrame(given, schema=schema)
    return scores(
        responses, numbers, table("questions", QUESTIONS), name="rubric",
        correct=["right"], **{"scale": [0, 10]} | options,
    )  # fmt: skip


def by_answer(judged: Judged, column: str) -> dict[tuple[str, str], Any]:
    rows = judged.judgments.select("run", "question", column).rows()
    return {(run, question): value for run, question, value in rows}


def evidence(judged: Judged, *measures: str, verdicts: bool) -> Any:
    cells = Cells.of(
        judged.judgments,
        judged.questions,
        reference=judged.questions,
        known_answers=judged.known_answers,
        correct=["right"],
        degrees=True,
        verdicts=verdicts,
    )
    wanted = [column for name in measures for column in configured(name, {}).columns().values()]
    return collect_all(cells, [*wanted, EvidenceColumn("correct", {})])


def test_degrees_and_verdicts_with_a_threshold() -> None:
    judged = judge(threshold=0.6)
    degrees, verdicts = by_answer(judged, "degree"), by_answer(judged, "verdict")
    assert degrees == {
        ("a", "q1"): 0.6, ("a", "q2"): 0.2, ("a", "q3"): 1, ("a", "q4"): None,
        ("b", "q1"): 0.9, ("b", "q2"): 0,
    }  # fmt: skip
    assert verdicts == {
        ("a", "q1"): "wrong",  # 0.6 is not above 0.6
        ("a", "q2"): "wrong", ("a", "q3"): "right", ("a", "q4"): "not_attempted",
        ("b", "q1"): "right", ("b", "q2"): "wrong",
    }  # fmt: skip


def test_without_a_threshold_only_the_mean_score_has_a_value() -> None:
    found = evidence(judge(), "mean_score", "accuracy", "c_at_1", verdicts=False)
    measures = [configured(name, {}, name) for name in ("mean_score", "accuracy", "c_at_1")]
    values = {
        (run, measure): (value, rank)
        for measure, run, value, rank in score(found, measures)
        .filter(slice="all").select("measure", "run", "value", "rank_first").rows()
    }  # fmt: skip
    # a: (0.6 + 0.2 + 1 + 0) / 4; b: (0.9 + 0 + 0 + 0) / 4
    assert values["a", "mean_score"] == (pytest.approx(0.45), 1)
    assert values["b", "mean_score"] == (pytest.approx(0.225), 2)
    for run in "ab":
        for measure in ("accuracy", "c_at_1"):
            assert values[run, measure] == (None, None)
    counts = count(found).filter(run="a", slice="all").row(0, named=True)
    assert counts["right"] is None
    assert counts["wrong"] is None
    assert counts["unanswered"] == 1
    assert describe_questions(found, measures)["best"].to_list() == [None] * 4


def test_with_a_threshold_every_measure_has_a_value() -> None:
    found = evidence(judge(threshold=0.5), "mean_score", "accuracy", verdicts=True)
    measures = [configured(name, {}, name) for name in ("mean_score", "accuracy")]
    rows = score(found, measures).filter(slice="all", run="a").select("measure", "value").rows()
    assert dict(rows) == pytest.approx({"mean_score": 0.45, "accuracy": 0.5})  # q1 and NIL


def test_answers_without_a_score() -> None:
    with pytest.raises(Refused, match="rubric: 1 answer has no score") as refused:
        judge(SCORES[:1])
    assert "run a, question q2, rank 1" in str(refused.value)
    judged = judge(SCORES[:1], unassessed="wrong")
    assert by_answer(judged, "degree")["a", "q2"] is None
    found = evidence(judged, "mean_score", verdicts=False)
    values = dict(score(found, [configured("mean_score", {})]).select("run", "value").rows())
    assert values["a"] == pytest.approx((0.6 + 0 + 1) / 4)


def test_several_scorers_are_listed_unless_one_is_named() -> None:
    both = [each | {"scorer": scorer} for each in SCORES for scorer in ("rouge", "f1")]
    with pytest.raises(Refused, match="2 scorers: 'f1', 'rouge'"):
        judge(both)
    assert by_answer(judge(both, scorer="f1"), "degree")["a", "q1"] == 0.6
    with pytest.raises(Refused, match="'bleu' has scored nothing; scorers: 'f1', 'rouge'"):
        judge(both, scorer="bleu")
    some = [*SCORES[:2], SCORES[2] | {"scorer": "f1"}]
    with pytest.raises(Refused, match="rows without one"):
        judge(some)


def test_a_scale_rises() -> None:
    assert not list(check_scale({"scale": [1, 5]}))
    assert next(check_scale({"scale": [5, 5]}))[0] == "scale"
    # 6 of 1 to 11 is half of the way
    assert by_answer(judge(scale=[1, 11]), "degree")["a", "q1"] == 0.5
