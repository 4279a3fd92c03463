"""Swap rates: how large must a difference be for other questions to confirm it?

The method of Voorhees & Buckley (2002) as in Peñas & Rodrigo (2011), 4.3, and, with the stricter
test, in Sakai (2004), 2.2: in many trials each pair of runs is compared on two disjoint parts of
the questions. A swap is where the two parts order the pair differently, counted by the size of the
difference on the first.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.ranking import SAME
from qampaign.measures.scoring import Configured
from qampaign.problems import Refused
from qampaign.studies.pairs import (
    Draws,
    Indices,
    independent,
    over_trials,
    resampled,
    shared,
    taking_part,
    with_keys,
)
from qampaign.studies.resampling import Counts, Whole, count, draw_subsets, key

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
    trials: int = 100,
    confidence: Sequence[float] = (0.95,),
    test: Literal["opposite", "strict"] = "opposite",
    bins: int = BINS,
    width: float = WIDTH,
    draws: Draws = "shared",
    baselines: bool = False,
    threads: int = 1,
    drawn: Counts | None = None,
) -> Swap:
    """Swap rates by measure and bin of the difference, and the difference that each needs.

    A swap is where the two differences have opposite signs; with `test: strict` also where just one
    of them is zero. `drawn` gives shared sets by part (two), trial and question.
    """
    part = taking_part(evidence, baselines=baselines)
    own = resampled(measures)
    questions = part.questions.height
    if drawn is None and not 1 <= size <= questions // 2:
        raise Refused(
            f"swap: two disjoint sets of {size} questions cannot be drawn from a collection of "
            f"{questions}; allowed: 1 to {questions // 2}"
        )
    about = key(seed, "swap", size)
    if draws == "independent":
        blocks = independent(
            part, own, size=size, trials=trials, parts=2, key=about, threads=threads
        )
    else:
        if drawn is None:
            drawn = draw_subsets(questions, size, trials, about, parts=2, threads=threads)
        blocks = shared(part, own, drawn)
        trials = drawn.shape[1]
    totals = [np.zeros((2, trials, bins + 1), dtype=np.int32) for _ in own]
    highest = [-np.inf for _ in own]
    for block in blocks:
        for number, total in enumerate(totals):
            sides = block.left[number], block.right[number]
            highest[number] = max(highest[number], *(_highest(side) for side in sides))
            total += _count(sides, block.a, block.b, total.shape, test, width, threads)
    rates = [_rates(total[0, :, :-1], total[1, :, :-1], width) for total in totals]
    needed = [
        sensitivity(own_rates, confidence, value).with_columns(
            undefined=pl.lit(int(total[0, :, -1].sum()), pl.Int64)
        )
        for own_rates, value, total in zip(rates, highest, totals, strict=True)
    ]
    return Swap(
        with_keys(rates, own, size=size, test=test, trials=trials),
        with_keys(needed, own, size=size, test=test),
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
    for each in confidence:
        passed = (pl.col("swap_rate") <= 1 - each + SAME).fill_null(False)
        first = rates.select(passed.arg_true().min()).item()
        needed = None if first is None else differences[first]
        relative = None if needed is None or highest <= 0 else needed / highest
        share = None if first is None else sum(compared[first:]) / sum(compared)
        fails = (pl.col("swap_rate") > 1 - each + SAME).fill_null(False)
        after = rates.filter(
            ~fails.reverse().cum_max().reverse(), pl.col("swap_rate").is_not_null()
        )
        lasting = after["difference"].min()
        best = highest if np.isfinite(highest) else None
        rows.append((each, needed, best, relative, share, lasting))
    names = ("confidence", "absolute_difference", "highest_value", "relative_difference")
    schema = dict.fromkeys((*names, "sensitivity", "lasting_difference"), pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row")
