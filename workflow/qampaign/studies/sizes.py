"""Sizes: how do values and ranking change with the number of questions?

As in Rodrigo, Peñas & Verdejo (2009), 4.4: at each size, the mean and spread of every run's value
over random question sets; and how near their rankings come to that of the full collection.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array, ratio
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate
from qampaign.options import Limits
from qampaign.problems import Refused
from qampaign.ranking import SAME
from qampaign.studies.minimums import too_few
from qampaign.studies.pairs import Trials, advice, counted, resampled, taking_part, with_keys
from qampaign.studies.resampling import Whole, count, draw_subsets, key
from qampaign.studies.units import Unit, Units


class Sizes(NamedTuple):
    """What the study finds."""

    values: pl.DataFrame
    """measure, size, unit, run, mean, sd, undefined (trials without a value)."""
    tau: pl.DataFrame
    """measure, size, unit, tau (mean over trials), low, high (which hold 95% of the trials; null at
    the full size, where every draw is the same set), undefined (trials without a pair)."""
    enough: pl.DataFrame
    """measure, unit, bound, size (the smallest from which tau stays at the bound or above; null
    without one), too_few."""


def study(
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    sizes: Sequence[int],
    seed: str,
    trials: Trials = 200,
    bound: Annotated[
        float,
        Limits(minimum=-1, maximum=1),
        "a number from -1 to 1, the tau with the ranking by all questions that must be reached",
    ] = 0.9,
    unit: Unit = "group",
    baselines: bool = False,
    threads: int = 1,
) -> Sizes:
    """Values and rankings on `trials` random sets of each size, which counts units."""
    compared = taking_part(evidence, baselines=baselines)
    used = resampled(measures)
    questions = compared.questions.height
    units = Units.of(compared.questions, unit)
    impossible = [size for size in sizes if not 1 <= size <= len(units)]
    if impossible:
        raise Refused(
            f"sizes: sets of {counted(impossible[0], units)} cannot be drawn from a collection of "
            f"{len(units)}; the largest possible size is {len(units)}{advice(units)}"
        )
    full = [
        values[:, 0] for values in evaluate(compared, used, np.ones((1, questions), dtype=np.uint8))
    ]
    means, taus = [], []
    for size in sorted(set(sizes)):
        drawn = draw_subsets(len(units), size, trials, key(seed, "sizes", size), threads=threads)
        drawn_values = list(evaluate(compared, used, units.spread(drawn[0])))
        keys = {"size": size, "unit": units.drawn}
        means.append(
            with_keys([_spread(compared, values) for values in drawn_values], used, **keys)
        )
        ranked = [
            _describe(tau_to(values, whole, threads=threads), varied=size < len(units))
            for values, whole in zip(drawn_values, full, strict=True)
        ]
        taus.append(with_keys(ranked, used, **keys))
    names = [measure.name for measure in used]
    silent = [_too_few(values, units) for values in full]
    by_measure = pl.col("measure").cast(pl.Enum(names))
    return Sizes(
        pl.concat(means).sort(by_measure, "size", maintain_order=True),
        (tau := pl.concat(taus).sort(by_measure, "size")),
        pl.DataFrame(
            [
                (name, units.drawn, bound, enough(tau.filter(measure=name), bound), why)
                for name, why in zip(names, silent, strict=True)
            ],
            schema={
                "measure": pl.String,
                "unit": pl.String,
                "bound": pl.Float64,
                "size": pl.Int64,
                "too_few": pl.String,
            },
            orient="row",
        ),
    )


def tau_to(values: Array, full: Array, *, threads: int = 1) -> Array:
    """Kendall's tau of each column of values with the full ones: (same − opposite) / pairs of runs.

    Equal values are in neither order; pairs without a value are left out. NaN where none is left.

    >>> tau_to(np.array([[1.0], [3], [2], [5], [4]]), np.array([1.0, 2, 3, 4, 5]))
    array([0.6])
    """
    from qampaign.studies.kernels import count_agreements

    def work(first: int, last: int, agreed: Whole, compared: Whole) -> None:
        count_agreements(values, full, first, last, agreed, compared)

    trials = (values.shape[1],)
    agreed, compared = count(work, len(values), threads, trials, trials)
    return ratio(agreed.astype(float), compared.astype(float))


def enough(tau: pl.DataFrame, bound: float) -> int | None:
    """The smallest size from which tau stays at the bound or above.

    >>> enough(pl.DataFrame({"size": [50, 100, 150, 200], "tau": [0.91, 0.8, 0.92, 0.95]}), 0.9)
    150
    """
    falling = tau.sort("size", descending=True)
    stays = (pl.col("tau") >= bound - SAME).fill_null(False).cum_min()
    return falling.filter(stays)["size"].min()  # type: ignore[return-value]


def _too_few(values: Array, units: Units) -> str | None:
    """What there are too few of to say anything, from the values on all questions."""
    known = values[~np.isnan(values)]
    differ = len(known) > 1 and float(np.ptp(known)) >= SAME
    return too_few(runs=len(known), size=len(units) // 2, units=units, differ=differ)


def _spread(evidence: Evidence, values: Array) -> pl.DataFrame:
    known = ~np.isnan(values)
    number = known.sum(axis=1).astype(float)
    mean = ratio(np.where(known, values, 0.0).sum(axis=1), number)
    squares = np.where(known, (values - mean[:, None]) ** 2, 0.0).sum(axis=1)
    spread = np.sqrt(ratio(squares, np.maximum(number - 1, 0)))
    return pl.DataFrame(
        {
            "run": evidence.runs["run"].cast(pl.String),
            "mean": mean,
            "sd": spread,
            "undefined": values.shape[1] - known.sum(axis=1),
        },
        nan_to_null=True,
    )


def _describe(taus: Array, *, varied: bool) -> pl.DataFrame:
    """The mean and, where draws differ, what holds 95% of them."""
    known = taus[~np.isnan(taus)]
    banded = varied and len(known) > 0
    low, high = np.quantile(known, (0.025, 0.975)) if banded else (None, None)
    row = (float(known.mean()) if len(known) else None, low, high, len(taus) - len(known))
    schema = {"tau": pl.Float64, "low": pl.Float64, "high": pl.Float64, "undefined": pl.Int64}
    return pl.DataFrame([row], schema=schema, orient="row")
