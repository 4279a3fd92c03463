"""Is a judge fair to all runs? Its rates of hits and false alarms, from run to run.

Errors that hit all runs alike move all scores the same way and leave the ranking as it is. Those
that hit some runs more than others favour or disfavour them.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags
from qampaign.ranking import SAME, Order
from qampaign.studies.resampling import toss_coins
from qampaign.studies.units import FEWEST

DRAWS = 1999
"""How often the signs of units are drawn for a p-value."""
BATCH = 256
"""How many draws are summed at a time: a multiple of 128."""


def with_fairness(agreed: pl.DataFrame, pairs: pl.DataFrame, key: np.uint64) -> pl.DataFrame:
    """Agreement by run and type, with how it differs from run to run.

    Adds, in the rows of all runs, hit_rate_sd and false_alarm_rate_sd: the standard deviations over
    runs of their rates; and by the judge's own verdicts reversed_pairs: of the pairs of runs whose
    shares of right responses differ by the reference, the share that the judge's are in the
    opposite order of. In the row of all runs and types by its own verdicts p_homogeneous: how
    probable rates as different as these are if all runs share them. In the rows of a run shift: by
    how much more the judge's errors raise its share of right responses than they do for the mean of
    all runs.
    """
    by = ["slice", "threshold"]
    runs = agreed.filter(pl.col("run") != "all")
    spread = runs.group_by(by).agg(
        hit_rate_sd=pl.col("hit_rate").std(), false_alarm_rate_sd=pl.col("false_alarm_rate").std()
    )
    size = pl.sum_horizontal("hits", "misses", "false_alarms", "correct_rejections")
    raised = (pl.col("false_alarms") - pl.col("misses")) / size
    shifted = runs.filter(size > 0).select(
        "run", *by, shift=raised - raised.mean().over(by), number=pl.len().over(by)
    )
    shifted = shifted.filter(pl.col("number") > 1).drop("number")
    by_verdicts = runs.filter(pl.col("threshold").is_null())
    turned = pl.DataFrame(
        [
            (name[0], _reversed(rows))
            for name, rows in by_verdicts.group_by("slice", maintain_order=True)
        ],
        schema={"slice": pl.String, "reversed_pairs": pl.Float64},
        orient="row",
    )
    is_all, is_own = pl.col("run") == "all", pl.col("threshold").is_null()
    p = homogeneity(pairs, key)
    joined = (
        agreed.join(spread, on=by, how="left", nulls_equal=True, maintain_order="left")
        .join(turned, on="slice", how="left", maintain_order="left")
        .join(shifted, on=["run", *by], how="left", nulls_equal=True, maintain_order="left")
    )
    return joined.with_columns(
        pl.when(is_all).then(pl.col("hit_rate_sd", "false_alarm_rate_sd")),
        pl.when(is_all & is_own).then("reversed_pairs").alias("reversed_pairs"),
        p_homogeneous=pl.when(is_all & is_own & (pl.col("slice") == "all")).then(
            pl.lit(p, pl.Float64)
        ),
    )


def _reversed(rows: pl.DataFrame) -> float | None:
    """Of the pairs of runs that differ by the reference, the share that the judge turns round."""
    hits, misses, alarms, rejections = (
        rows[name].to_numpy().astype(float)
        for name in ("hits", "misses", "false_alarms", "correct_rejections")
    )
    total = np.maximum(hits + misses + alarms + rejections, 1)
    true, estimated = Order.of((hits + misses) / total), Order.of((hits + alarms) / total)
    differ = np.abs(true.sign).sum()
    return float((true.sign * estimated.sign < 0).sum() / differ) if differ else None


def homogeneity(pairs: pl.DataFrame, key: np.uint64, *, draws: int = DRAWS) -> float | None:
    """How probable rates as different as those of the runs are if all of them share both.

    Of each run and each rate (of hits, of false alarms) the difference from the rate of all runs
    together is a sum over units, the questions or their groups: u = (accepted − rate · responses) /
    responses of the run in all, less the same of all runs together. The statistic is Pearson's: the
    sum over runs and rates of responses · (Σu)² / (rate · (1 − rate)); a spread of each run's own
    would be far off where a run has no false alarm. If rates are shared, every unit could as well
    have had the opposite sign, for all runs at once: runs answer the same questions. So signs are
    drawn, `draws` times.

    None with fewer than two runs that have a rate, fewer units than a comparison needs, or where
    nothing differs within runs.
    """
    run, unit = (pairs[name].to_physical().to_numpy() for name in ("run", "unit"))
    if not pairs.height or len(np.unique(unit)) < FEWEST:
        return None
    units, unit = np.unique(unit, return_inverse=True)
    runs, run = np.unique(run, return_inverse=True)
    right, accepted = (pairs[name].to_numpy() for name in ("right", "accepted"))
    parts = [
        _contributions(run[of], unit[of], accepted[of], len(runs), len(units))
        for of in (right, ~right)
    ]
    contributions = np.concatenate(parts, axis=1)
    if not contributions.shape[1]:
        return None
    statistic = (contributions.sum(axis=0) ** 2).sum()
    reached = 0
    for first in range(0, draws, BATCH):
        size = min(BATCH, draws - first)
        coins = toss_coins(units.astype(np.uint64), BATCH, key, first=first)[:size]
        drawn = (((2.0 * coins - 1) @ contributions) ** 2).sum(axis=1)
        reached += int((drawn >= statistic - SAME).sum())
    return (reached + 1) / (draws + 1)


def _contributions(run: Array, unit: Array, accepted: Flags, runs: int, units: int) -> Array:
    """By unit and run, what the unit adds to the difference of the run's rate from that of all.

    In units of the run's standard error, if responses were independent; only of runs that have a
    rate, and of which some unit differs.
    """
    at = unit * runs + run
    responses, acceptances = (
        np.bincount(at, weights, minlength=units * runs).reshape(units, runs)
        for weights in (None, accepted.astype(float))
    )
    there = responses.sum(axis=0) > 0
    if there.sum() < 2:
        return np.empty((units, 0))
    responses, acceptances = responses[:, there].astype(float), acceptances[:, there]
    rate = acceptances.sum() / responses.sum()
    off = acceptances - rate * responses
    deviations = off / responses.sum(axis=0)
    added = deviations - (off.sum(axis=1) / responses.sum())[:, None]
    if not 0 < rate < 1:
        return np.empty((units, 0))
    scaled = added * np.sqrt(responses.sum(axis=0) / (rate * (1 - rate)))
    return scaled[:, (scaled**2).sum(axis=0) > 1e-12]


def describe_bias(rows: Mapping[str, float], *, most: int = 3) -> tuple[list[str], list[str]]:
    """The runs that a judge favours and those that it disfavours most, from their shifts.

    Those whose share of right responses shifts by half a point or more against the mean of runs.

    >>> describe_bias({"a": 0.02, "b": 0.001, "c": -0.03, "d": 0.009})
    (['a', 'd'], ['c'])
    """
    order = sorted(rows, key=lambda run: (-rows[run], run))
    favoured = [run for run in order if rows[run] >= 0.005]
    disfavoured = [run for run in reversed(order) if rows[run] <= -0.005]
    return favoured[:most], disfavoured[:most]
