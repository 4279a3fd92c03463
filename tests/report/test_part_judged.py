"""What is said of runs whose answers are judged in part, by one judge or by all."""

import polars as pl
import pytest

from qampaign.report.blocks import Chart, Table
from qampaign.report.page import Shown
from tests.report.test_edges import blocks, first, unjudged

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
