"""What is said of runs whose answers are judged in part, by one judge or by all."""

import polars as pl
import pytest

from qampaign.report.blocks import Chart, Table
from qampaign.report.overview import summary
from qampaign.report.page import Shown
from tests.report.report_campaign import Tables
from tests.report.test_edges import blocks, first, methods, said, unjudged
from tests.report.whole_campaign import campaign

pytestmark = pytest.mark.slow

RUNS = ["run-001", "run-002", "run-003"]


def by_run(values: list[float | int | None], kind: type[pl.DataType]) -> pl.Expr:
    names = [f"run-{number:03}" for number in range(1, len(values) + 1)]
    return pl.col("run").replace_strict(dict(zip(names, values, strict=True)), return_dtype=kind)


def ranked_by(key: list[int | None], unassessed: list[int]) -> Shown:
    """Three runs that people rank 1, 2, 3; how the key ranks them, and what it leaves open."""
    made = unjudged(of=3)
    is_key, first_rank = pl.col("judge") == "key", by_run([1, 2, 3], pl.Int64)
    rank = pl.when(is_key).then(by_run(key, pl.Int64)).otherwise(first_rank)
    made["scores"] = made["scores"].with_columns(rank_first=rank, rank_last=rank)
    left = pl.when(is_key).then(by_run(unassessed, pl.Int64)).otherwise(0)
    made["counts"] = made["counts"].with_columns(unassessed=left.cast(pl.Int64))
    return first(made)


@pytest.mark.parametrize(
    ("key", "unassessed", "told", "compared"),
    [
        ([1, 2, 3], [0, 0, 0], "All judges give the same ranking", ""),
        ([2, 1, 3], [0, 0, 0], "From judge to judge, a run moves by up to 1 rank: run-001 by key and "
         "run-002 by key", ""),
        # run-001 has no rank: the others are second and third, and first and second by the key
        ([None, 1, 2], [100, 0, 0], "All judges order alike the runs that can be compared", "2 by key"),
        # run-001 is last since half of its answers count as wrong
        ([3, 1, 2], [50, 0, 0], "All judges order alike the runs that can be compared", "2 by key"),
        ([3, 1, 2], [63, 45, 45], "All judges order alike the runs that can be compared", "2 by key"),
        ([None, None, 1], [100, 100, 0], "", "1 by key"),
    ],
)  # fmt: skip
def test_rankings_are_compared_over_runs_that_both_have_judged(
    key: list[int | None], unassessed: list[int], told: str, compared: str
) -> None:
    chart = blocks(ranked_by(key, unassessed))["rankings"]
    assert isinstance(chart, Chart)
    assert chart.finding == (told or "Ranking by judge")
    expected = f"Of 3 runs that people ranks, {compared} can be compared: "
    assert (expected in chart.caption) == bool(compared)


@pytest.mark.parametrize(("unassessed", "there"), [([0, 0, 0], True), ([0, 50, 0], False)])
def test_a_run_that_a_judge_has_judged_less_of_is_in_no_wrong_order(
    unassessed: list[int], there: bool
) -> None:
    """The key turns run-001 and run-002, but it has judged half of run-002."""
    found = blocks(ranked_by([2, 1, 3], unassessed)).get("misordered")
    assert (found is not None) == there
    if found is not None:
        assert isinstance(found, Table)
        assert found.caption.endswith("by c@1: 1 pair by key.")


def bounded(
    if_wrong: list[float | None] | None,
    if_right: list[float | None] | None,
    unassessed: list[int],
    formula: str = "correct / questions",
) -> Tables:
    """Three runs with 60, 50 and 10 of 100 answers right; the first leads alone."""
    made = unjudged(of=3)
    nothing: list[float | None] = [None] * 3
    rank = by_run([1, 2, 3], pl.Int64)
    made["scores"] = made["scores"].with_columns(
        value=by_run([0.6, 0.5, 0.1], pl.Float64),
        rank_first=rank,
        rank_last=rank,
        rank_low=rank,
        rank_high=rank,
        leading=by_run([1, 0, 0], pl.Int64).cast(pl.Boolean),
        if_wrong=by_run(if_wrong or nothing, pl.Float64),
        if_right=by_run(if_right or nothing, pl.Float64),
    )
    right = by_run([60, 50, 10], pl.Int64)
    made["counts"] = made["counts"].with_columns(
        right=right, wrong=100 - right, unassessed=by_run(unassessed, pl.Int64)
    )
    made["measures"] = made["measures"].with_columns(
        formula=pl.lit(formula), options=pl.lit(None, pl.String)
    )
    return made


ONE = "89 answers of run-003 have no verdict and count as wrong: if all were right, it would have "
IF = "clear, if unassessed answers are wrong"


@pytest.mark.parametrize(
    ("made", "told", "verdict"),
    [
        (bounded([0.6, 0.5, 0.1], [0.6, 0.5, 0.99], [0, 0, 89]), f"{ONE}0.990.", IF),
        (bounded([0.6, 0.5, 0.1], [0.6, 0.5, 0.59], [0, 0, 49]), "", "clear"),
        (bounded([0.6, 0.5, 0.1], [0.7, 0.8, 0.99], [10, 30, 89]),
         "2 ranked runs could be above run-001 if their answers without a verdict, which count as "
         "wrong, were right: run-002 (0.800) and run-003 (0.990).", IF),
        # without bounds: 0.1 + 89/100; 50 answers more would be 0.6, which is not above
        (bounded(None, None, [0, 0, 89]), f"{ONE}0.990.", IF),
        (bounded(None, None, [0, 0, 50]), "", "clear"),
        (bounded(None, None, [0, 0, 0]), "", "clear"),
        # not a plain share of right questions: nobody knows
        (bounded(None, None, [0, 0, 89], "another formula"), "", "clear"),
    ],
)  # fmt: skip
def test_a_run_that_could_be_above_the_leader_is_named(
    made: Tables, told: str, verdict: str
) -> None:
    shown = first(made)
    found = [text for text in said(shown, "leaderboard") if "no verdict" in text or "could" in text]
    assert found == ([told] if told else [])
    assert summary(shown.collection)["verdict"] == verdict


def test_one_answer_is_not_answers() -> None:
    made = bounded([0.6, 0.5, 0.1], [0.6, 0.61, 0.1], [0, 1, 0])
    assert (
        "1 answer of run-002 has no verdict and counts as wrong: if it were right, it would have "
        "0.610."
    ) in said(first(made), "leaderboard")


def scored(*without: str) -> Tables:
    """Three runs with scores and no verdicts; a judge has no score of some."""
    made = unjudged(*without)
    made["counts"] = made["counts"].with_columns(
        pl.lit(None, pl.Int64).alias(name) for name in ("right", "wrong", "unassessed")
    )
    return made


def test_a_run_without_scores_is_named() -> None:
    shown = first(scored("run-002"))
    assert "run-002 is not ranked: people has no score of any of its answers." in said(
        shown, "leaderboard"
    )
    assert blocks(shown)["scores"].caption.endswith("An answer without a score counts as 0.")
    assert "has no rank, since people has no score of any of its answers." in methods(shown)
    assert said(first(scored(*RUNS)), "leaderboard") == [
        "No run is ranked: people has no score of any answer."
    ]
    assert "score" not in blocks(first(unjudged()))["scores"].caption


def test_types_are_compared_over_the_runs_that_are_judged_on_each() -> None:
    """By type, run-001 has 0.2 and 0.4, run-002 nothing to go by; run-003 has no value on one."""
    made = unjudged("run-002", of=3)
    definition = pl.col("slice") == "definition"
    value = (
        pl.when(definition)
        .then(by_run([0.2, 0.0, None], pl.Float64))
        .otherwise(by_run([0.4, 0.0, 0.9], pl.Float64))
    )
    rank = pl.when(value.is_not_null()).then("rank_first")
    made["scores"] = made["scores"].with_columns(value=value, rank_first=rank, rank_last=rank)
    chart = blocks(first(made))["slices"]
    assert isinstance(chart, Chart)
    assert chart.finding == (
        "The value of run-001 is highest on factoid (0.40) and lowest on definition (0.20)"
    )


def test_of_several_such_runs_it_is_said_how_many() -> None:
    chart = blocks(first(unjudged("run-002", of=3)))["slices"]
    assert isinstance(chart, Chart)
    assert chart.finding.startswith(
        "The mean of the 2 submitted runs that are judged on every type is "
    )
    whole = blocks(first(campaign(runs=4, collections=1)))["slices"]
    assert isinstance(whole, Chart)
    assert whole.finding.startswith("The mean of the submitted runs is ")
