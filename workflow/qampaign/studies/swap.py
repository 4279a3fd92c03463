"""Swap rates: how large must a difference be for other questions to confirm it?

The method of Voorhees & Buckley (2002) as in Peñas & Rodrigo (2011), 4.3, and, with the stricter
test, in Sakai (2004), 2.2: in many trials each pair of runs is compared on two disjoint parts of
the questions. A swap is where the two parts order the pair differently, counted by the size of the
difference on the first.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.options import Limits, Share
from qampaign.ranking import SAME
from qampaign.studies.minimums import fewest_comparisons
from qampaign.studies.pairs import Draws, Indices, Trials, draw_pairs, over_trials, with_keys
from qampaign.studies.resampling import Counts, Whole, share_out
from qampaign.studies.units import Unit

BINS, WIDTH = 21, 0.01
"""From [0, 0.01) to 0.20 and more, as the papers take them."""
ORDERS = 4
"""No difference on the first set; then on the second: the same order, the other, no difference."""
Orders = npt.NDArray[np.int64]


class Swap(NamedTuple):
    """What the study finds."""

    rates: pl.DataFrame
    """measure, size, unit, test, trials, bin, difference, comparisons, swaps, swap_rate,
    swap_rate_se, apart, reversed, level."""
    sensitivity: pl.DataFrame
    """measure, size, unit, test, confidence, absolute_difference, highest_value,
    relative_difference, sensitivity, lasting_difference, lasting_sensitivity, undefined
    (comparisons left out since a run has no value), too_few."""


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
    unit: Unit = "group",
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
        trials=trials, draws=draws, unit=unit, baselines=baselines, threads=threads, drawn=drawn,
    )  # fmt: skip
    shape = 2, pairs.trials, bins + 1
    totals = [np.zeros(shape, dtype=np.int32) for _ in pairs.measures]
    orders = [np.zeros((bins + 1, ORDERS), dtype=np.int64) for _ in pairs.measures]
    highest = [-np.inf for _ in pairs.measures]
    for block in pairs.blocks:
        for number, sides in enumerate(zip(block.left, block.right, strict=True)):
            highest[number] = max(highest[number], *map(_highest, sides))
            counted, ordered = _count(sides, block.a, block.b, shape, test, width, threads)
            totals[number] += counted
            orders[number] += ordered
    rates = [
        _rates(total[0, :, :-1], total[1, :, :-1], ordered[:-1], width)
        for total, ordered in zip(totals, orders, strict=True)
    ]
    needed = []
    for number, (table, value, total) in enumerate(zip(rates, highest, totals, strict=True)):
        silent = pairs.too_few(number, size, differ=table["apart"].sum() > 0)
        sensitivities = sensitivity(table, confidence, value, strict=test == "strict")
        if silent is not None:
            nothing = pl.lit(None, pl.Float64)
            sensitivities = sensitivities.with_columns(
                lasting_difference=nothing, lasting_sensitivity=nothing
            )
        needed.append(
            sensitivities.with_columns(
                undefined=pl.lit(int(total[0, :, -1].sum()), pl.Int64),
                too_few=pl.lit(silent, pl.String),
            )
        )
    keys = {"size": size, "unit": pairs.units.drawn, "test": test}
    return Swap(
        with_keys(rates, pairs.measures, **keys, trials=pairs.trials),
        with_keys(needed, pairs.measures, **keys),
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
) -> tuple[Whole, Orders]:
    """Comparisons and swaps by trial and bin; how the second set orders pairs, by bin."""
    from qampaign.studies.kernels import count_swaps

    def work(first: int, last: int) -> tuple[Whole, Orders]:
        counters = np.zeros(shape, dtype=np.int32)
        orders = np.zeros((shape[2], ORDERS), dtype=np.int64)
        compared, swapped = counters
        how = first, last, width, test == "strict"
        count_swaps(*sides, a, b, *how, compared, swapped, orders)
        return counters, orders

    shared_out = zip(*share_out(work, len(a), threads, steps=shape[1]), strict=True)
    counters, orders = (sum(of_ranges) for of_ranges in shared_out)
    return counters, orders


def _rates(comparisons: Whole, swaps: Whole, orders: Orders, width: float) -> pl.DataFrame:
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
            "apart": orders[:, 1:].sum(axis=1),
            "reversed": orders[:, 2],
            "level": orders[:, 3],
        },
        nan_to_null=True,
    )


def sensitivity(
    rates: pl.DataFrame, confidence: Sequence[float], highest: float, *, strict: bool = False
) -> pl.DataFrame:
    """For each confidence the difference required, and the share of comparisons that have it.

    As the papers define it, that is the first bin with comparisons whose swap rate is at most
    1 − confidence; null where none is, which means: more than the last bin. By accident, or since
    two equal values do not swap, a bin may pass although larger differences do not: see
    :func:`lasting_bin` for `lasting_difference`. Its sensitivity counts no two equal values.

    >>> rates = pl.DataFrame({"bin": [0, 1, 2], "difference": [0.0, 0.1, 0.2],
    ...                       "comparisons": [300, 100, 400], "swap_rate": [0.0, 0.2, 0.01],
    ...                       "apart": [0, 100, 400], "reversed": [0, 20, 4], "level": [0, 0, 0]})
    >>> sensitivity(rates, [0.95], 0.5).rows()
    [(0.95, 0.0, 0.5, 0.0, 1.0, 0.2, 0.5)]
    """
    compared, apart = rates["comparisons"].to_list(), rates["apart"].to_numpy()
    differences = rates["difference"].to_list()
    turned = (rates["reversed"] + rates["level"] if strict else rates["reversed"]).to_numpy()
    rows = []
    for level in confidence:
        passed = (pl.col("swap_rate") <= 1 - level + SAME).fill_null(False)
        first = rates.select(passed.arg_true().min()).item()
        needed = None if first is None else differences[first]
        relative = None if needed is None or highest <= 0 else needed / highest
        share = None if first is None else sum(compared[first:]) / sum(compared)
        from_here = lasting_bin(apart, turned, level)
        lasting, lasting_share = (
            (None, None)
            if from_here is None
            else (differences[from_here], float(apart[from_here:].sum() / sum(compared)))
        )
        best = highest if np.isfinite(highest) else None
        rows.append((level, needed, best, relative, share, lasting, lasting_share))
    names = (
        "confidence", "absolute_difference", "highest_value", "relative_difference", "sensitivity",
        "lasting_difference", "lasting_sensitivity",
    )  # fmt: skip
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64), orient="row")


def lasting_bin(apart: Orders, turned: Orders, confidence: float) -> int | None:
    """The first bin from which on swaps are rare enough; None where there is none.

    `apart` are the comparisons in each bin with a difference on the first set, `turned` those of
    them that the second set turns. The bin must have enough comparisons
    (:func:`~qampaign.studies.minimums.fewest_comparisons`) and a rate of at most 1 − confidence,
    and so must all comparisons from there on, taken together. No larger bin with enough
    comparisons may exceed that rate by more than two standard errors, nor may the thin bins from
    there on, taken together, if they have enough.

    >>> lasting_bin(np.array([100, 100, 9, 100]), np.array([9, 5, 1, 0]), 0.95)
    1
    >>> lasting_bin(np.array([100, 100, 40, 40]), np.array([9, 0, 9, 0]), 0.95) is None
    True
    """
    fewest = fewest_comparisons(confidence)
    if fewest is None:
        return None
    tolerated = 1 - confidence + SAME

    def from_here(counts: Orders) -> Orders:
        return counts[::-1].cumsum()[::-1]

    def refuted(apart: Orders, turned: Orders) -> npt.NDArray[np.bool_]:
        margin = 2 * np.sqrt(tolerated * confidence * apart)
        return (apart >= fewest) & (turned > tolerated * apart + margin)

    enough = apart >= fewest
    rare = enough & (turned <= tolerated * apart)
    together = from_here(turned) <= tolerated * from_here(apart)
    thin = refuted(*(from_here(np.where(enough, 0, counts)) for counts in (apart, turned)))
    larger = from_here(refuted(apart, turned).astype(np.int64)) > 0
    lasting = np.flatnonzero(rare & together & ~larger & ~thin)
    return int(lasting[0]) if len(lasting) else None
