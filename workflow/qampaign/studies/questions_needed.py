"""How many questions are needed for a difference to be confirmed?

Voorhees & Buckley (2002) extrapolate swap rates to sizes that no two disjoint sets of a collection
have: in each bin of the difference the rate falls with the size as a·exp(−b·size).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array

STEPS = 200
"""Points at which a decay is tried in each round of the search, and rounds."""
ROUNDS = 6


class Needed(NamedTuple):
    """What the fits say."""

    questions: pl.DataFrame
    """measure, test, difference, confidence, questions (null where the rate does not fall so far,
    the smallest size studied where that is enough), extrapolated (beyond what the collection can
    show: half its questions)."""
    fits: pl.DataFrame
    """measure, test, difference, size, comparisons, swap_rate, a, b, fitted, residual."""


def study(swaps: pl.DataFrame, *, questions: int, confidence: Sequence[float]) -> Needed:
    """The sizes at which swap rates fall to 1 − confidence, by measure and bin of the difference.

    `swaps` are the rates of one collection of `questions`, at several sizes. A bin needs
    comparisons at two sizes at least.
    """
    fits, rows = [], []
    seen = swaps.filter(pl.col("comparisons") > 0).sort("measure", "test", "difference", "size")
    keys = ["measure", "test", "difference"]
    for (measure, test, difference), rates in seen.group_by(keys, maintain_order=True):
        if rates.height < 2:
            continue
        size, rate, weight = (
            rates[name].to_numpy().astype(float) for name in ("size", "swap_rate", "comparisons")
        )
        a, b = fit(size, rate, weight)
        fitted = a * np.exp(-b * size)
        fits.append(
            rates.select(*keys, "size", "comparisons", "swap_rate").with_columns(
                a=pl.lit(a),
                b=pl.lit(b),
                fitted=pl.Series(fitted),
                residual=pl.Series(rate - fitted),
            )
        )
        for level in confidence:
            number = size_for(a, b, 1 - level)
            if b == 0 and rate.max() > 1 - level:
                number = None  # a mean of rates that do not fall
            elif number is not None:
                number = max(number, int(size.min()))
            beyond = None if number is None else number > questions // 2
            rows.append((measure, test, difference, level, number, beyond))
    schema = {
        "measure": pl.String,
        "test": pl.String,
        "difference": pl.Float64,
        "confidence": pl.Float64,
        "questions": pl.Int64,
        "extrapolated": pl.Boolean,
    }
    empty = (
        seen.clear()
        .select(*keys, "size", "comparisons", "swap_rate")
        .with_columns(
            pl.lit(None, pl.Float64).alias(name) for name in ("a", "b", "fitted", "residual")
        )
    )
    return Needed(pl.DataFrame(rows, schema=schema, orient="row"), pl.concat([empty, *fits]))


def fit(size: Array, rate: Array, weight: Array) -> tuple[float, float]:
    """a and b of the weighted least squares fit of a·exp(−b·size), b ≥ 0.

    For a given b the best a has a closed form, so that only b is searched, in ever finer steps.

    >>> size = np.array([50.0, 100, 200])
    >>> a, b = fit(size, 0.4 * np.exp(-0.01 * size), np.ones(3))
    >>> round(a, 6), round(b, 8)
    (0.4, 0.01)
    """
    scale = float(size.max())
    low, high = 0.0, 50.0  # by the largest size: from no decay to none left of it
    best = 0.0
    for _ in range(ROUNDS):
        tried = np.linspace(low, high, STEPS + 1)
        curves = np.exp(-tried[:, None] * (size - size.min()) / scale)
        heights = (curves * rate * weight).sum(axis=1) / (curves**2 * weight).sum(axis=1)
        errors = ((heights[:, None] * curves - rate) ** 2 * weight).sum(axis=1)
        index = int(errors.argmin())
        best, height = float(tried[index]), float(heights[index])
        step = (high - low) / STEPS
        low, high = max(best - step, 0.0), best + step
    b = best / scale
    return height * math.exp(b * float(size.min())), b


def size_for(a: float, b: float, rate: float) -> int | None:
    """The smallest size at which a·exp(−b·size) is at most the rate; None where it never is.

    >>> size_for(0.4, 0.01, 0.05), size_for(0.4, 0.0, 0.05), size_for(0.01, 0.02, 0.05)
    (208, None, 1)
    >>> size_for(0.4, 0.01, 0.0), size_for(0.0, 0.0, 0.0)
    (None, 1)
    """
    if a <= rate:
        return 1
    if b <= 0 or rate <= 0:
        return None
    return max(math.ceil(math.log(a / rate) / b - 1e-9), 1)
