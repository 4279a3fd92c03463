"""What runs take: summed by run, and the Pareto front by hand."""

import numpy as np
import polars as pl

from qampaign.publishing.costs import RESOURCES, add_up, compare_costs, find_front

NONE = dict.fromkeys(RESOURCES)
SCHEMA = {"run": pl.String} | dict.fromkeys(RESOURCES, pl.Float64)


def test_rows_go_before_the_run_information() -> None:
    rows = pl.DataFrame([{"run": "a", **NONE, "cost": 2.0}], schema=SCHEMA)
    told = pl.DataFrame(
        [{"run": "a", **NONE, "cost": 9.0, "tokens": 5.0}, {"run": "b", **NONE, "cost": 1.0}],
        schema=SCHEMA,
    )
    assert sorted(add_up(rows, told).rows()) == [("a", 2.0, None, 5.0), ("b", 1.0, None, None)]


def test_the_front_by_hand() -> None:
    # b is as good as a and dearer; d is dearer than c and worse; c is better than all
    assert find_front(np.array([1.0, 2, 3, 4]), np.array([0.5, 0.5, 0.7, 0.6])).tolist() == [
        True, False, True, False,
    ]  # fmt: skip
    # as dear and worse; equal in both; free
    assert find_front(np.array([1.0, 1, 1]), np.array([0.5, 0.4, 0.5])).tolist() == [
        True, False, True,
    ]  # fmt: skip
    assert find_front(np.array([0.0]), np.array([0.0])).tolist() == [True]


def test_low_values_can_be_better_and_runs_without_an_amount_are_named() -> None:
    scores = pl.DataFrame(
        {"collection": "c", "judge": "j", "measure": "m", "slice": "all"}
        | {"run": ["a", "b", "c"], "value": [0.1, 0.2, 0.3], "rank_first": [1, 2, 3]}
    )
    runs = pl.DataFrame({"run": ["a", "b", "c"], "cost": [3.0, 2.0, None]})
    for better, front in (("low", [True, True, None]), ("high", [False, True, None])):
        found = compare_costs(runs, scores, {"reference": "j", "primary": "m"}, better)
        assert found["front"].to_list() == front
        assert found["amount"].to_list() == [3, 2, None]
