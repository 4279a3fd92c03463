"""ROC curves: what is accepted, of the right and of the wrong, as the threshold rises.

A thing is accepted where its degree is greater than the threshold. So the lowest degree there is
still refuses something, and the end of the curve that accepts everything is a row of its own: the
first one, without a threshold.
"""

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, Flags, ratio
from qampaign.tables import schema_of

MOST_POINTS = 1_001
"""A curve in a table has at most so many rows; areas and best thresholds are from all points."""

CURVE = schema_of("roc", "collection", "judge", "run")


def points(degree: Array, right: Flags) -> pl.DataFrame:
    """What is accepted at every threshold that makes a difference: threshold, tp, fp, fn, tn.

    An infinite degree stands for what is accepted (or not) whatever the threshold: no threshold is
    as high, and the row that accepts everything else does not accept −∞.

    >>> points(np.array([0.5, 0.0, 0.5]), np.array([True, False, False])).rows()
    [(None, 1, 2, 0, 0), (0.0, 1, 1, 0, 1), (0.5, 0, 0, 1, 2)]
    """
    right_ones, wrong_ones = np.sort(degree[right]), np.sort(degree[~right])
    distinct = np.unique(np.concatenate([right_ones, wrong_ones]))
    thresholds = np.concatenate([[-np.inf], distinct[np.isfinite(distinct)]])
    tp, fp = (above(degrees, thresholds) for degrees in (right_ones, wrong_ones))
    counts = {"tp": tp, "fp": fp, "fn": len(right_ones) - tp, "tn": len(wrong_ones) - fp}
    threshold = pl.Series([None]).cast(pl.Float64).append(pl.Series(thresholds[1:]))
    return pl.DataFrame({"threshold": threshold, **counts})


def weighted_points(degree: Array, right: Flags, weight: Array) -> pl.DataFrame:
    """The same where a thing counts for less than one, as a sample of a question does.

    >>> half = np.full(3, 0.5)
    >>> weighted_points(np.array([0.5, 0.0, 0.5]), np.array([True, False, False]), half).rows()
    [(None, 0.5, 1.0, 0.0, 0.0), (0.0, 0.5, 0.5, 0.0, 0.5), (0.5, 0.0, 0.0, 0.5, 1.0)]
    """
    thresholds, index = np.unique(degree, return_inverse=True)
    right_ones, wrong_ones = (
        np.r_[0.0, np.cumsum(np.bincount(index, weight * flags, minlength=len(thresholds)))]
        for flags in (right, ~right)
    )
    counts = {"tp": right_ones[-1] - right_ones, "fp": wrong_ones[-1] - wrong_ones}
    counts |= {"fn": right_ones, "tn": wrong_ones}
    threshold = pl.Series([None]).cast(pl.Float64).append(pl.Series(thresholds))
    rounded = {name: np.round(values, 9) for name, values in counts.items()}
    return pl.DataFrame({"threshold": threshold, **rounded})


def above(ordered: Array, thresholds: Array) -> npt.NDArray[np.int64]:
    """How many of the values, in rising order, are greater than each threshold."""
    return len(ordered) - np.searchsorted(ordered, thresholds, side="right").astype(np.int64)


def area(curve: pl.DataFrame) -> float | None:
    """The area under a curve with all its points; ties count half. None without right or wrong.

    >>> area(points(np.array([0.9, 0.8, 0.8, 0.1]), np.array([True, False, True, False])))
    0.875
    """
    tp, fp = (curve[name].to_numpy().astype(float) for name in ("tp", "fp"))
    if tp[0] == 0 or fp[0] == 0:
        return None
    return float(-np.trapezoid(tp, fp) / (tp[0] * fp[0]))


def rates(curve: pl.DataFrame) -> pl.DataFrame:
    """A curve as a table: threshold, tp_rate, fp_rate, precision, tp, fp.

    Where it has more than :data:`MOST_POINTS` points, so many of them, evenly spread over it.
    """
    if curve.height > MOST_POINTS:
        rows = np.linspace(0, curve.height - 1, MOST_POINTS).round().astype(np.int64)
        curve = curve[rows]
    tp, fp, fn, tn = (pl.col(name) for name in ("tp", "fp", "fn", "tn"))
    kinds = (
        CURVE if curve.schema["tp"].is_integer() else CURVE | {"tp": pl.Float64, "fp": pl.Float64}
    )
    return curve.select(
        "threshold",
        tp_rate=ratio(tp, tp + fn),
        fp_rate=ratio(fp, fp + tn),
        precision=ratio(tp, tp + fp),
        tp="tp",
        fp="fp",
    ).cast(kinds)  # type: ignore[arg-type]
