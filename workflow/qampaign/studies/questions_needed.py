"""How many questions are needed for a difference to be confirmed?

Swap rates are extrapolated to sizes that no two disjoint sets of a collection have, by a model of
two parameters. Runs differ by normal abilities: the true difference of two has the standard
deviation tau, and what they differ by on a question varies by sigma around it. Then two sets of n
questions order two runs, which differ by d on the first, differently with the probability

    rate(n, d) = Φ(−k · d · √n / (sigma · √(1 + k))),  k = tau² / (tau² + sigma² / n)

sigma and tau are fitted to all bins and sizes by least squares, weighted by comparisons, on rates
that count half where the second difference is 0, without first differences of 0. The d of a bin is
its middle; the open bin takes no part, and its d is its edge. (The mean difference in a bin instead
of its middle predicts no better.)

Voorhees & Buckley (2002) extrapolate by a·exp(−b·size), in each bin of the difference for itself;
their curve stands beside the model. Which of the two predicts better, held-out sizes say: both are
fitted to sizes up to a quarter of the largest, and predict the rates at larger ones. Where the
model predicts worse than the curve, or errs by more than the rate that is tolerated, there is no
number.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags
from qampaign.tables import empty

STEPS = 200
"""Points at which a decay is tried in each round of the search, and rounds."""
ROUNDS = 6

LEAP = 4
"""How many times the size a hold-out predicts."""
TRIED = 100
"""Steps of a fit at most: where all rates are 0, ever smaller values of sigma fit ever better."""
REACH = math.log(1000)
"""How far a fit may go: beyond, a rate no longer depends on sigma or tau."""
MOST = 10**9
"""A size that no collection has: where it is not enough, no number of questions is."""

_erfc = np.frompyfunc(math.erfc, 1, 1)


class Needed(NamedTuple):
    """What the fits say."""

    questions: pl.DataFrame
    """measure, unit, test, difference, confidence, questions (null where nothing can be said, the
    smallest size studied where that is enough), extrapolated (beyond what the collection can show:
    half its questions), model, holdout_error, holdout_error_exponential, too_few."""
    fits: pl.DataFrame
    """measure, unit, test, difference, size, comparisons, swap_rate, a, b, fitted, residual,
    halved_rate, sigma, tau, normal."""


class Normal(NamedTuple):
    """The model: what a question adds by chance, and how far runs are apart."""

    sigma: float
    tau: float

    def rate(self, size: Array, difference: Array) -> Array:
        """The swap rate of differences on the first of two sets of a size.

        >>> Normal(0.5, 0.1).rate(np.array([25.0]), np.array([0.2])).round(6)
        array([0.207108])
        """
        return _below(_scores(size, difference, np.log([self.sigma, self.tau]))[0])

    def sizes_for(self, difference: Array, rate: float) -> list[int | None]:
        """For each difference the smallest size with at most this swap rate; None: there is none.

        >>> Normal(0.5, 0.1).sizes_for(np.array([0.05, 0.0]), 0.05)
        [577, None]
        """
        low, high = np.zeros(len(difference)), np.full(len(difference), float(MOST))
        reached = (self.rate(high, difference) <= rate) & (rate > 0)
        while (high - low).max(initial=0.0) > 1:  # the rate falls with the size
            middle = np.ceil((low + high) / 2)
            enough = self.rate(middle, difference) <= rate
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return [int(size) if there else None for size, there in zip(high, reached, strict=True)]


@dataclass(frozen=True)
class Rates:
    """Swap rates of one measure, by bin and size: one entry for each that has comparisons."""

    size: Array
    difference: Array
    """The middle of the bin."""
    rate: Array
    """It counts half where the second difference is 0."""
    weight: Array
    """Comparisons with a difference on the first set."""

    @classmethod
    def of(cls, swaps: pl.DataFrame, width: float) -> "Rates":
        """The rates of a measure's table of swaps, but for the open bin."""
        used = swaps.filter(pl.col("bin") < pl.col("bin").max(), pl.col("apart") > 0)
        columns = used.select(
            pl.col("size").cast(pl.Float64),
            pl.col("difference") + width / 2,
            halved_rate(),
            pl.col("apart").cast(pl.Float64),
        )
        return cls(*(column.to_numpy() for column in columns))

    def only(self, chosen: Flags) -> "Rates":
        """Some of them."""
        columns = self.size, self.difference, self.rate, self.weight
        return Rates(*(column[chosen] for column in columns))


def halved_rate() -> pl.Expr:
    """The rate of reversed orders, of which a second difference of 0 is half a one."""
    return ((pl.col("reversed") + pl.col("level") / 2) / pl.col("apart")).alias("halved_rate")


def study(
    swaps: pl.DataFrame,
    *,
    units: int,
    questions: int,
    confidence: Sequence[float],
    width: float,
    silent: Mapping[str, str | None],
) -> Needed:
    """The sizes at which swap rates fall to 1 − confidence, by measure and bin of the difference.

    `swaps` are the rates of one collection at several sizes, which count its `units`; the answer is
    in questions, of which a unit has the average number. `silent` says for each measure what there
    are too few of. A bin needs comparisons at two sizes at least.
    """
    fits, rows = [], []
    keys = ("measure", "unit", "test")
    ordered = swaps.sort(*keys, "difference", "size")
    for (measure, unit, test), every in ordered.group_by(keys, maintain_order=True):
        rates = Rates.of(every, width)
        model, (error, error_of_curves) = fit_normal(rates), hold_out(rates)
        why = silent[str(measure)]
        worse = error is None or (error_of_curves is not None and error > error_of_curves)
        resolved = {level: error is not None and error <= 1 - level + 1e-9 for level in confidence}
        middle = pl.col("difference") + pl.when(pl.col("bin") < pl.col("bin").max()).then(width / 2)
        seen = every.with_columns(middle=middle.fill_null(pl.col("difference"))).filter(
            (pl.col("comparisons") > 0) & ((pl.col("comparisons") > 0).sum().over("bin") > 1)
        )
        fits.append(_beside_curves(seen, model))
        bins = seen.unique("bin", keep="first", maintain_order=True)
        for level in confidence:
            sizes: list[int | None] = [None] * bins.height
            if model is not None and not worse and resolved[level] and why is None:
                sizes = model.sizes_for(bins["middle"].to_numpy(), 1 - level)
            for edge, size in zip(bins["difference"], sizes, strict=True):
                number = None if size is None else max(size, int(every["size"].to_numpy().min()))
                beyond = None if number is None else number > units // 2
                questions_at = (
                    None if number is None else math.ceil(number * questions / units - 1e-9)
                )
                outcome = questions_at, beyond, "normal", error, error_of_curves, why
                rows.append((measure, unit, test, edge, level, *outcome))
    needed, fitted = (
        empty(table).drop("collection", "judge") for table in ("questions_needed", "swap_fits")
    )
    return Needed(
        pl.DataFrame(rows, schema=needed.schema, orient="row"),
        pl.concat([fitted, *(frame.select(fitted.columns) for frame in fits)]),
    )


def _beside_curves(seen: pl.DataFrame, model: Normal | None) -> pl.DataFrame:
    """Rates beside the curves that are fitted to each bin, and the model."""
    size, rate, weight = (
        seen[name].to_numpy().astype(float) for name in ("size", "swap_rate", "comparisons")
    )
    a, b = np.empty(len(size)), np.empty(len(size))
    for index in seen["bin"].unique():
        inside = (seen["bin"] == index).to_numpy()
        a[inside], b[inside] = fit(size[inside], rate[inside], weight[inside])
    fitted = a * np.exp(-b * size)
    sigma, tau = model or (None, None)
    normal = None if model is None else model.rate(size, seen["middle"].to_numpy())
    return seen.with_columns(
        pl.when(pl.col("apart") > 0).then(halved_rate()).alias("halved_rate"),
        a=a,
        b=b,
        fitted=fitted,
        residual=rate - fitted,
        sigma=pl.lit(sigma, pl.Float64),
        tau=pl.lit(tau, pl.Float64),
        normal=pl.Series(normal, dtype=pl.Float64)
        if normal is not None
        else pl.lit(None, pl.Float64),
    )


def hold_out(rates: Rates) -> tuple[float | None, float | None]:
    """By how much the model, and the curves of the bins, miss the rates at sizes held out.

    Both are fitted to sizes up to a quarter of the largest. Errors are the root of the mean square,
    weighted by comparisons, over the bins that have a curve, or over all where none has: None for
    the curves then; for both where there are no two sizes to fit.
    """
    small = rates.size * LEAP <= rates.size.max(initial=0.0)
    fitted, predicted = rates.only(small), rates.only(~small)
    model = fit_normal(fitted)
    if model is None or not len(predicted.size):
        return None, None
    curves = np.full(len(predicted.size), np.nan)
    for difference in np.unique(predicted.difference):
        inside = fitted.only(fitted.difference == difference)
        if len(inside.size) > 1:
            a, b = fit(inside.size, inside.rate, inside.weight)
            there = predicted.difference == difference
            curves[there] = a * np.exp(-b * predicted.size[there])
    known = ~np.isnan(curves)
    compared = predicted.only(known) if known.any() else predicted
    missed = model.rate(compared.size, compared.difference) - compared.rate
    error = _mean_error(missed, compared.weight)
    if not known.any():
        return error, None
    return error, _mean_error(curves[known] - compared.rate, compared.weight)


def _mean_error(missed: Array, weight: Array) -> float:
    return math.sqrt(float((missed**2 * weight).sum() / weight.sum()))


def fit_normal(rates: Rates) -> Normal | None:
    """sigma and tau of the weighted least squares fit; None with fewer than two sizes.

    The best of a grid of starts, a factor of two apart around the typical difference and size, then
    the steps of Levenberg and Marquardt in the logarithms of both.

    >>> size, difference = np.repeat([10.0, 20, 40], 4), np.tile([0.05, 0.1, 0.15, 0.2], 3)
    >>> made = Normal(0.5, 0.1).rate(size, difference)
    >>> found = fit_normal(Rates(size, difference, made, np.ones(12)))
    >>> round(found.sigma, 6), round(found.tau, 6)
    (0.5, 0.1)
    """
    if len(np.unique(rates.size)) < 2:
        return None
    weight = rates.weight / rates.weight.sum()
    root = np.sqrt(weight)
    typical = math.log(float((rates.difference * weight).sum()))
    centre = np.array([typical + float((np.log(rates.size) * weight).sum()) / 2, typical])

    def misses(at: Array) -> tuple[Array, Array]:
        """What is missed, and its derivatives."""
        score, change = _scores(rates.size, rates.difference, at)
        slope = np.exp(-(score**2) / 2) / math.sqrt(2 * math.pi) * score
        # the score is proportional to 1 / sigma, and k falls with sigma as it rises with tau
        slopes = np.stack([-1 - change, change]) * slope * root
        return (_below(score) - rates.rate) * root, slopes.T

    doublings = math.log(2) * np.arange(-4, 5)
    starts = [centre + np.array(start) for start in product(doublings, doublings)]
    best, damping = min(starts, key=lambda at: float((misses(at)[0] ** 2).sum())), 1e-3
    missed, slopes = misses(best)
    low, high = centre - REACH, centre + REACH
    for _ in range(TRIED):
        # what has come to its bound stays there, where the slope still points outwards
        uphill = slopes.T @ missed
        free = ~((best <= low) & (uphill > 0) | (best >= high) & (uphill < 0))
        square = slopes.T @ slopes * np.outer(free, free)
        damped = square + damping * np.diag(np.diag(square)) + 1e-15 * np.eye(2)
        step = np.clip(np.linalg.solve(damped, -uphill * free), -1, 1)
        tried = np.clip(best + step, low, high)
        moved = float(np.abs(tried - best).max())
        attempt = misses(tried)
        if (attempt[0] ** 2).sum() < (missed**2).sum():
            best, (missed, slopes), damping = tried, attempt, damping / 10
        else:
            damping *= 10
        if moved < 1e-9 or damping > 1e9:
            break
    sigma, tau = np.exp(best)
    return Normal(float(sigma), float(tau))


def _scores(size: Array, difference: Array, logarithms: Array) -> tuple[Array, Array]:
    """The normal scores of the rates, and how their logarithms change with that of tau."""
    sigma, tau = np.exp(logarithms)
    k = tau**2 / (tau**2 + sigma**2 / size)
    score = -k * difference * np.sqrt(size) / (sigma * np.sqrt(1 + k))
    return score, (1 - k) * (2 + k) / (1 + k)


def _below(score: Array) -> Array:
    """The probability that a normal number is below the score."""
    return np.asarray(_erfc(-score / math.sqrt(2)), dtype=float) / 2


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
