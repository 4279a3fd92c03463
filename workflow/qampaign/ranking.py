"""Ranks with shared ranges, as in "5..14", and how far two rankings agree: Kendall's tau and kin.

Equal values share a range and are in no order. The coefficients take scores of which high is
better, with an entry per run in the last dimension and any others before it, so that thousands of
rankings cost one call; runs whose score is NaN in either ranking are left out of both.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, harmonic, ratio

SAME = 1e-9
"""Values closer than this are equal: floating point must not decide a rank."""


def rank_ranges(scores: pl.DataFrame, by: list[str], value: str = "value") -> pl.DataFrame:
    """Add rank_first and rank_last within each group `by`; null where there is no value.

    `value` names the column that ranks; the column `better` says whether high or low is better.

    >>> scores = pl.DataFrame({"run": ["a", "b", "c", "d"], "value": [0.3, 0.5, 0.3, None],
    ...                        "better": "high"})
    >>> rank_ranges(scores, by=["better"]).select("run", "rank_first", "rank_last").rows()
    [('a', 2, 3), ('b', 1, 1), ('c', 2, 3), ('d', None, None)]
    """
    score = pl.when(pl.col("better") == "low").then(pl.col(value)).otherwise(-pl.col(value))
    ranked = (
        scores.with_row_index("_row")
        .filter(pl.col(value).is_not_null())
        .with_columns(_score=score)
        .sort(*by, "_score")
        .with_columns(
            _tie=(pl.col("_score").diff().over(by) > SAME).fill_null(True).cum_sum().over(by),
            _place=pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over(by),
        )
        .select(
            "_row",
            rank_first=pl.col("_place").min().over(*by, "_tie"),
            rank_last=pl.col("_place").max().over(*by, "_tie"),
        )
    )
    return (
        scores.with_row_index("_row")
        .join(ranked, on="_row", how="left", maintain_order="left")
        .drop("_row")
    )


@dataclass(frozen=True)
class Order:
    """A ranking, or many, pair by pair, to be compared with others without being made again.

    The pairs of runs are in the order of their first, then their second.
    """

    sign: npt.NDArray[np.float32]
    """1 where the first of a pair of runs is better, −1 where the second is, 0 otherwise."""
    there: npt.NDArray[np.float32]
    """1 where both have a score, 0 otherwise."""

    @classmethod
    def of(cls, values: Array) -> "Order":
        """The order of runs by scores of which high is better."""
        first, second = np.triu_indices(values.shape[-1], 1)
        differences = np.take(values, first, axis=-1) - np.take(values, second, axis=-1)
        sign = np.subtract(differences > SAME, differences < -SAME, dtype=np.float32)
        return cls(sign, (~np.isnan(differences)).astype(np.float32))

    def tau(self, other: "Order") -> Array:
        """Kendall's tau between this and another: see :func:`tau`."""
        return ratio(_common(self.sign, other.sign), _common(self.there, other.there))

    def cross(self, other: "Order") -> Array:
        """tau of each ranking here (rows) with each there (columns)."""
        agreed, pairs = (
            (a @ np.swapaxes(b, -2, -1)).astype(np.float64)
            for a, b in ((self.sign, other.sign), (self.there, other.there))
        )
        return ratio(agreed, pairs)

    def tau_b(self, other: "Order") -> Array:
        """Kendall's tau-b between this and another: see :func:`tau_b`."""
        ordered = _common(np.abs(self.sign), other.there) * _common(self.there, np.abs(other.sign))
        return ratio(_common(self.sign, other.sign), np.sqrt(ordered))


def _common(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> Array:
    """The sum of products over pairs: whole numbers, which 32 bits hold for up to 5,000 runs."""
    return np.vecdot(a, b).astype(np.float64)


def tau(a: Array, b: Array) -> Array:
    """Kendall's tau as the papers have it: (concordant − discordant pairs) / all pairs.

    A pair that either ranking ties is neither. NaN with fewer than two runs. Breck et al. 2000, 3.4
    (also known as tau-a).

    >>> round(float(tau(np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 3, 2, 5, 4]))), 6)
    0.6
    """
    return Order.of(a).tau(Order.of(b))


def tau_b(a: Array, b: Array) -> Array:
    """Kendall's tau-b: pairs tied in a ranking do not count for it.

    (concordant − discordant) / √(pairs not tied in a · pairs not tied in b). NaN where one ranking
    ties everything.

    >>> a, b = [0.81, 0.72, 0.72, 0.60, 0.55, 0.31], [0.70, 0.75, 0.66, 0.66, 0.50, 0.20]
    >>> round(float(tau_b(np.array(a), np.array(b))), 10)
    0.7857142857
    """
    return Order.of(a).tau_b(Order.of(b))


def tau_ap(true: Array, estimated: Array) -> Array:
    """AP correlation: tau that weighs the top of the estimated ranking most (Yilmaz et al. 2008).

    The mean, over the places 2 to n of the estimated ranking, of (runs above that are truly better
    − runs above that are truly worse) / runs above. Ties are averaged over their orders, as τ_AP,a
    of Urbano & Marrero 2017 does for the estimated ranking: runs tied with each other cancel out,
    and a run that shares t places has each of them equally often, so that what stands above its
    group counts Σ 1 / (place − 1) / t. A tie in the true ranking is averaged likewise: it is
    neither better nor worse.

    >>> round(float(tau_ap(np.array([4.0, 3, 2, 1]), np.array([3.0, 4, 2, 1]))), 4)
    0.3333
    """
    x, y = np.broadcast_arrays(true, estimated)
    there = ~np.isnan(x + y)
    both = there[..., :, None] & there[..., None, :]
    truly, nominally = (np.where(both, _order(values), 0) for values in (x, y))
    above = (nominally > 0).sum(axis=-2)
    group = ((nominally == 0) & both).sum(axis=-2)
    won = (truly * (nominally > 0)).sum(axis=-2)
    below_top = np.maximum(above, 1)  # nothing is above the first group: any weight will do
    steps = harmonic((below_top + group - 1).astype(float)) - harmonic(below_top - 1.0)
    weight = np.divide(steps, group, out=np.zeros_like(steps), where=group > 0)
    return ratio((won * weight).sum(axis=-1), np.maximum(there.sum(axis=-1) - 1.0, 0.0))


def _order(values: Array) -> Array:
    """Whether the run of the row is better (1), worse (−1) or as good as that of the column (0)."""
    differences = values[..., :, None] - values[..., None, :]
    return np.where(np.abs(differences) <= SAME, 0.0, np.sign(differences))
