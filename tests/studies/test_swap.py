"""Swap rates against exact enumeration and the papers' listing; what a difference must be."""

from random import Random

import numpy as np
import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.problems import Refused
from qampaign.studies import swap
from qampaign.studies.resampling import key
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import configured
from tests.studies import listings
from tests.studies.made_evidence import (
    ACCURACY,
    HALVES,
    THREE,
    abstaining,
    drawn_by,
    evidence_of,
    valued_by,
)

ROWS = {
    "answering": answering(Random(5), questions=24, longest=4),
    "validation": validation(Random(2), items=24),
}
VARIANTS = [("answering", each) for each in ANSWERING] + [
    ("validation", each) for each in VALIDATION if MEASURES[each[0]].resampled
]
ids = {"ids": lambda v: v if isinstance(v, str) else named(v)}


def test_every_half_and_its_complement_once() -> None:
    found = swap.study(THREE, ACCURACY, size=3, seed="", drawn=HALVES, bins=3, width=1 / 3).rates
    assert found.select("bin", "comparisons", "swaps", "swap_rate").rows() == [
        (0, 18, 0, 0.0),
        (1, 32, 6, 6 / 32),
        (2, 10, 6, 6 / 10),
    ]
    assert found.columns == [
        "measure", "size", "test", "trials", "bin", "difference", "comparisons", "swaps", "swap_rate", "swap_rate_se",
    ]  # fmt: skip


def test_the_strict_test_counts_one_zero_too() -> None:
    # |d| = 0 with another difference on the complement: by hand from the 20 halves
    scores = THREE.columns["correct"].tolist()
    zeros = others = 0
    for trial in range(20):
        for x, y in ((0, 1), (0, 2), (1, 2)):
            one, two = (
                sum(scores[x][q] - scores[y][q] for q in np.flatnonzero(HALVES[half, trial]))
                for half in (0, 1)
            )
            zeros += one == 0 and two != 0
            others += one != 0 and two == 0
    found = swap.study(
        THREE, ACCURACY, size=3, seed="", drawn=HALVES, bins=3, width=1 / 3, test="strict"
    )
    assert found.rates["swaps"][0] == zeros > 0
    assert found.rates["swaps"].sum() == 6 + 6 + zeros + others


@pytest.mark.parametrize("test", ["opposite", "strict"])
@pytest.mark.parametrize("draws", ["shared", "independent"])
@pytest.mark.parametrize(("task", "variant"), VARIANTS, **ids)
def test_as_the_listing_on_the_same_sets(task: str, variant: tuple, draws: str, test: str) -> None:
    each, trials, size = configured(*variant), 12, 9
    evidence = ROWS[task].evidence(each)
    how = {"bins": 6, "width": 0.05}
    found = swap.study(
        evidence, [each], size=size, seed="s", trials=trials, test=test, draws=draws, **how
    )
    draw = drawn_by(
        evidence,
        key("s", "swap", size),
        size=size,
        trials=trials,
        parts=2,
        fresh=draws == "independent",
    )
    counter, swaps = listings.swap(
        evidence.runs.height,
        trials,
        draw,
        valued_by(evidence, each),
        strict=test == "strict",
        **how,
    )
    assert found.rates["comparisons"].to_list() == counter
    assert found.rates["swaps"].to_list() == swaps
    assert found.rates["swap_rate"].to_list() == [
        s / c if c else None for s, c in zip(swaps, counter, strict=True)
    ]
    assert found.sensitivity["undefined"].item() == 3 * trials - sum(counter)


def test_threads_change_no_byte_and_seeds_agree_within_their_error() -> None:
    evidence = abstaining(4, runs=8, questions=100)
    one, two = (
        swap.study(evidence, ACCURACY, size=40, seed="1", trials=500, threads=n) for n in (1, 2)
    )
    for first, second in zip(one, two, strict=True):
        assert first.serialize() == second.serialize()
    other = swap.study(evidence, ACCURACY, size=40, seed="2", trials=500).rates
    both = one.rates.join(other, on="bin").filter(
        pl.min_horizontal("comparisons", "comparisons_right") > 200
    )
    spread = (pl.col("swap_rate_se") ** 2 + pl.col("swap_rate_se_right") ** 2).sqrt()
    gaps = both.select(
        (pl.col("swap_rate") - pl.col("swap_rate_right")).abs() - 4 * spread
    ).to_series()
    assert both.height > 8
    assert gaps.max() <= 1e-12
    assert not one.rates.equals(other)


def rates(*rows: tuple[int, float | None], width: float = 0.01) -> pl.DataFrame:
    """Bins with their comparisons and rates."""
    compared, rate = zip(*rows, strict=True)
    bins = np.arange(len(rows))
    return pl.DataFrame(
        {"bin": bins, "difference": bins * width, "comparisons": compared, "swap_rate": rate},
        schema_overrides={"swap_rate": pl.Float64},
    )


def test_the_first_bin_that_passes_gives_the_difference() -> None:
    found = swap.sensitivity(
        rates((50, 0.4), (0, None), (30, 0.05), (15, 0.2), (5, 0.0)), [0.95, 0.99], 0.8
    )
    # .05 passes at 95%, from 30 + 15 + 5 of 100; at 99% only the last
    assert found.rows() == [
        (0.95, pytest.approx(0.02), 0.8, pytest.approx(0.025), pytest.approx(0.5), 0.04),
        (0.99, pytest.approx(0.04), 0.8, pytest.approx(0.05), pytest.approx(0.05), 0.04),
    ]


@pytest.mark.parametrize(
    ("found", "lasting"),
    [
        ([(9, 0.0), (9, 0.3), (9, 0.01), (9, 0.0)], 0.02),
        ([(9, 0.0), (9, 0.3), (0, None), (9, 0.01)], 0.03),  # the bin between has no comparisons
        ([(9, 0.0), (9, 0.01), (9, 0.3)], None),
        ([(9, 0.01), (0, None), (9, 0.01)], 0.0),
        ([(9, 0.0), (9, 0.3), (0, None)], None),
    ],
)
def test_a_difference_lasts_where_all_larger_ones_pass(found: list, lasting: float | None) -> None:
    row = swap.sensitivity(rates(*found), [0.95], 1.0).row(0, named=True)
    assert row["absolute_difference"] == 0.0
    assert row["lasting_difference"] == lasting


def test_floating_point_does_not_fail_a_rate() -> None:
    # 1 − .95 = .05000000000000004, but 1 − .9 = .09999999999999998
    found = swap.sensitivity(rates((50, 0.4), (30, 0.1)), [0.9], 1.0)
    assert found["absolute_difference"].item() == pytest.approx(0.01)


def test_where_no_bin_passes_the_difference_is_unknown() -> None:
    found = swap.sensitivity(rates((50, 0.4), (50, 0.3)), [0.95], 0.8).row(0, named=True)
    assert found == {
        "confidence": 0.95,
        "absolute_difference": None,
        "highest_value": 0.8,
        "relative_difference": None,
        "sensitivity": None,
        "lasting_difference": None,
    }


def test_the_highest_value_is_over_both_sets_and_all_runs() -> None:
    # c is right on q3 alone, which is in the second set: 1 of 1
    evidence = evidence_of([[1, 0, 0], [0, 0, 0], [0, 0, 1]])
    drawn = np.array([[[0, 1, 0]], [[0, 0, 1]]], dtype=np.uint8)
    found = swap.study(evidence, ACCURACY, size=1, seed="", drawn=drawn)
    assert found.sensitivity["highest_value"].item() == 1.0


def test_differences_at_the_edge_of_a_bin() -> None:
    # .3 − .2 and .8 − .7 are bin 10 at width .01, though one is below .1 and one above
    evidence = evidence_of(
        [[1] * 3 + [0] * 7, [1] * 2 + [0] * 8, [1] * 8 + [0] * 2, [1] * 7 + [0] * 3]
    )
    every = np.ones((2, 1, 10), dtype=np.uint8)
    found = swap.study(evidence, ACCURACY, size=10, seed="", drawn=every).rates
    assert found.filter(pl.col("comparisons") > 0).select("bin", "comparisons").rows() == [
        (10, 2),
        (20, 4),
    ]


def test_sizes_beyond_half_the_collection_are_refused() -> None:
    with pytest.raises(Refused, match=r"two disjoint sets of 4 questions .* of 6; allowed: 1 to 3"):
        swap.study(THREE, ACCURACY, size=4, seed="x")
