"""Intervals: between which bounds does a value lie, if these questions stand for all like them?

95% of the values on questions weighted at random (:mod:`qampaign.studies.weighted_values`), widened
to hold the value itself.
"""

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.studies.weighted_values import Weighted

LEVEL = 0.05
"""What intervals leave out, half of it on either side."""


def intervals(evidence: Evidence, value: Array, weighted: Weighted) -> pl.DataFrame:
    """run, low, high and undefined (draws without a value) of every run, by one measure.

    A run that nobody has assessed has no interval, nor has one without a value.
    """
    assessed = evidence.runs["assessed"].to_numpy()
    drawn = np.where((assessed & ~np.isnan(value))[:, None], weighted.values, np.nan)
    low, high = bounds(drawn, np.where(assessed, value, np.nan))
    columns = {"low": low, "high": high, "undefined": np.isnan(drawn).sum(axis=1)}
    return pl.DataFrame(columns, nan_to_null=True).select(
        evidence.runs["run"].cast(pl.String), pl.all()
    )


def bounds(drawn: Array, value: Array) -> tuple[Array, Array]:
    """What holds 95% of each row, NaN left out, and the value itself.

    >>> bounds(np.array([np.arange(101.0)]), np.array([99.0]))
    (array([2.5]), array([99.]))
    """
    low, high = quantiles(drawn, LEVEL / 2, 1 - LEVEL / 2)
    return np.minimum(low, value), np.maximum(high, value)


def quantiles(values: Array, *shares: float) -> list[Array]:
    """Quantiles of each row, NaN left out.

    >>> quantiles(np.array([[3.0, 1, 2, np.nan]]), 0.75), quantiles(np.array([[3.0, 1, 2]]), 0.5)
    ([array([2.5])], [array([2.])])
    """
    number = (~np.isnan(values)).sum(axis=1)
    last = np.maximum(number - 1, 0)
    positions = [share * last for share in shares]
    below = [np.floor(position).astype(np.intp) for position in positions]
    above = [np.minimum(index + 1, last) for index in below]
    ordered = np.sort(values, axis=1)  # NaN last; NumPy partitions at several places more slowly
    rows = np.arange(len(values))
    ends = (
        (ordered[rows, lower_index], ordered[rows, upper_index])
        for lower_index, upper_index in zip(below, above, strict=True)
    )
    return [
        lower + (position - start) * (upper - lower)
        for (lower, upper), position, start in zip(ends, positions, below, strict=True)
    ]
