"""Swap rates: how large must a difference be for other questions to confirm it?

The method of Voorhees & Buckley (2002) as in Peñas & Rodrigo (2011), 4.3, and, with the stricter
test, in Sakai (2004), 2.2: in many trials each pair of runs is compared on two disjoint parts of
the questions. A swap is where the two parts order the pair differently, counted by the size of the
difference on the first.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.ranking import SAME
from qampaign.measures.scoring import Configured
from qampaign.options import Limits, Share
from qampaign.studies.pairs import Draws, Indices, Trials, draw_pairs, over_trials, with_keys
from qampaign.studies.resampling import Counts, Whole, count

BINS, WIDTH = 21, 0.01
"""From [0, 0.01) to 0.20 and more, as the papers take them."""


class Swap(NamedTuple):
    """What the study finds."""

    rates: pl.DataFrame
    """measure, size, test, trials, bin, difference, comparisons, swaps, swap_rate, swap_rate_se."""
    sensitivity: pl.DataFrame
    """measure, size, test, confidence, absolute_difference, highest_value, relative_difference,
    sensitivity, undefined (comparisons left out since a run has no value)."""


def study(
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    size: int,
    seed: str,
    trials: Trials = 1000,
    confidence: Annotated[
        Sequence[Annotated[Share, "a number from 0 to 1"]],
        Limits(minItems=1),
        "a list of confidences for which the difference needed is sought",
    ] = (0.95,),
    test: Annotated[
        Literal["opposite", "strict"],
        "opposite (a swap is a difference of the other sign) or strict (one that is zero counts "
        "too)",
    ] = "opposite",
    bins: Annotated[
        int,
        Limits(minimum=1, maximum=1000),
        "a whole number from 1 to 1000, how many bins of the difference",
    ] = BINS,
    width: Annotated[
        float, Limits(exclusiveMinimum=0), "a number above 0, the width of a bin"
    ] = WIDTH,
    draws: Draws = "shared",
    baselines: bool = False,
    threads: int = 1,
    drawn: Counts | None = None,
) -> Swap:
    """Swap rates by measure and bin of the difference, and the difference that each needs.

    A swap is where the two differences have opposite signs; with `test: strict` also where just one
    of them is zero. `drawn` gives shared sets by part (two), trial and question.
    """
    pairs = draw_pairs(
        "swap", evidence, measures, size=size, sets=2, seed=seed,
        trials=trials, draws=draws, baselines=baselines, threads=threads, drawn=drawn,
    )  # fmt: skip
    shape = 2, pairs.trials, bins + 1
    totals = [np.zeros(shape, dtype=np.int32) for _ in pairs.measures]
    highest = [-np.inf for _ in pairs.measures]
    for block in pairs.blocks:
        for number, sides in enumerate(zip(block.left, block.right, strict=True)):
            highest[number] = max(highest[number], *map(_highest, sides))
            totals[number] += _count(sides, block.a, block.b, shape, test, width, threads)
    rates = [_rates(total[0, :, :-1], total[1, :, :-1], width) for total in totals]
    needed = [
        sensitivity(table, confidence, value).with_columns(
            undefined=pl.lit(int(total[0, :, -1].sum()), pl.Int64)
        )
        for table, value, total in zip(rates, highest, totals, strict=True)
    ]
    return Swap(
        with_keys(rates, pairs.measures, size=size, test=test, trials=pairs.trials),
        with_keys(needed, pairs.measures, size=size, test=test),
    )


def _highest(values: Array) -> float:
    return float(np.fmax.reduce(values, axis=None, initial=-np.inf))


def _count(
    sides: tuple[Array, Array],
    a: Indices,
    b: Indices,
    shape: tuple[int, ...],
    test: str,
    width: float,
    threads: int,
) -> Whole:
    """Comparisons and swaps by trial and bin."""
    from qampaign.studies.kernels import count_swaps

    def work(first: int, last: int, counters: Whole) -> None:
        count_swaps(*sides, a, b, first, last, width, test == "strict", counters[0], counters[1])

    return count(work, len(a), threads, shape, steps=shape[1])[0]


def _rates(comparisons: Whole, swaps: Whole, width: float) -> pl.DataFrame:
    """The table of one measure, from counts by trial and bin."""
    rate, error = over_trials(swaps.T, comparisons.T)
    bins = comparisons.shape[1]
    return pl.DataFrame(
        {
            "bin": np.arange(bins),
            "difference": np.round(np.arange(bins) * width, 12),
            "comparisons": comparisons.sum(axis=0, dtype=np.int64),
            "swaps": swaps.sum(axis=0, dtype=np.int64),
            "swap_rate": rate,
            "swap_rate_se": error,
        },
        nan_to_null=True,
    )


def sensitivity(rates: pl.DataFrame, confidence: Sequence[float], highest: float) -> pl.DataFrame:
    """For each confidence the difference required, and the share of comparisons that have it.

    It is the first bin with comparisons whose swap rate is at most 1 − confidence; null where none
    is, which means: more than the last bin. By accident, or since two equal values do not swap, a
    bin may pass although larger differences do not: `lasting_difference` is the first from which
    on all do.

    >>> rates = pl.DataFrame({"bin": [0, 1, 2], "difference": [0.0, 0.1, 0.2],
    ...                       "comparisons": [30, 10, 40], "swap_rate": [0.0, 0.2, 0.01]})
    >>> sensitivity(rates, [0.95], 0.5).rows()
    [(0.95, 0.0, 0.5, 0.0, 1.0, 0.2)]
    """
    compared, differences = rates["comparisons"].to_list(), rates["difference"].to_list()
    rows = []
    for level in confidence:
        passed = (pl.col("swap_rate") <= 1 - level + SAME).fill_null(False)
        first = rates.select(passed.arg_true().min()).item()
        needed = None if first is None else differences[first]
        relative = None if needed is None or highest <= 0 else needed / highest
        share = None if first is None else sum(compared[first:]) / sum(compared)
        fails = (pl.col("swap_rate") > 1 - level + SAME).fill_null(False)
        after = rates.filter(
            ~fails.reverse().cum_max().reverse(), pl.col("swap_rate").is_not_null()
        )
        lasting = after["difference"].min()
        best = highest if np.isfinite(highest) else None
        rows.append((level, needed, best, relative, share, lasting))
    names = ("confidence", "absolute_difference", "highest_value", "relative_difference")
    schema = dict.fromkeys((*names, "sensitivity", "lasting_difference"), pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row")
