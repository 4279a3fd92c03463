"""Ranks with shared ranges."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from qampaign.ranking import rank_ranges


def ranges(values: list[float | None], better: str = "high") -> list[tuple[int | None, int | None]]:
    scores = pl.DataFrame({"value": values}, schema={"value": pl.Float64})
    scores = scores.with_columns(better=pl.lit(better), group=pl.lit("g"))
    return rank_ranges(scores, by=["group"]).select("rank_first", "rank_last").rows()


def test_equal_values_share_a_range() -> None:
    assert ranges([0.9, 0.5, 0.5, 0.5, 0.1]) == [(1, 1), (2, 4), (2, 4), (2, 4), (5, 5)]


def test_low_is_better_where_the_measure_says_so() -> None:
    assert ranges([0.9, 0.5, 0.1], better="low") == [(3, 3), (2, 2), (1, 1)]


def test_what_has_no_value_has_no_rank_and_takes_none_away() -> None:
    assert ranges([None, 0.5, None, 0.7]) == [(None, None), (2, 2), (None, None), (1, 1)]
    assert ranges([None, None]) == [(None, None), (None, None)]


def test_floating_point_does_not_decide_a_rank() -> None:
    assert ranges([0.1 + 0.2, 0.3]) == [(1, 2), (1, 2)]


def test_groups_are_ranked_apart() -> None:
    scores = pl.DataFrame({"value": [0.1, 0.2, 0.3], "better": "high", "slice": ["a", "b", "a"]})
    assert rank_ranges(scores, by=["slice"])["rank_first"].to_list() == [2, 1, 1]


@given(st.lists(st.sampled_from([None, 0.0, 0.25, 0.5, 1.0]), max_size=30))
def test_ranks_count_those_that_are_better_and_those_that_are_equal(values: list) -> None:
    for value, (first, last) in zip(values, ranges(values), strict=True):
        there = [each for each in values if each is not None]
        if value is None:
            assert (first, last) == (None, None)
        else:
            better = sum(each > value for each in there)
            assert (first, last) == (1 + better, better + there.count(value))
