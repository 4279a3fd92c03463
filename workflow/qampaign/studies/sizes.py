"""Sizes: how do values and ranking change with the number of questions?

As in Rodrigo, Peñas & Verdejo (2011), 4.4: at each size, the mean and spread of every run's value
over random question sets; and how near their rankings come to that of the full collection.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array, ratio
from qampaign.measures.evidence import Evidence
from qampaign.measures.ranking import SAME
from qampaign.measures.scoring import Configured, evaluate
from qampaign.options import Limits
from qampaign.problems import Refused
from qampaign.studies.pairs import Trials, resampled, taking_part, with_keys
from qampaign.studies.resampling import Whole, count, draw_subsets, key


class Sizes(NamedTuple):
    """What the study finds."""

    values: pl.DataFrame
    """measure, size, run, mean, sd, undefined (trials without a value)."""
    tau: pl.DataFrame
    """measure, size, tau (mean over trials), low, high (which hold 95% of the trials), undefined
    (trials without a pair to compare)."""
    enough: pl.DataFrame
    """measure, bound, size: the smallest from which tau stays at the bound or above; null without
    one."""


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
    baselines: bool = False,
    threads: int = 1,
) -> Sizes:
    """Values and rankings on `trials` random question sets of each size."""
    compared = taking_part(evidence, baselines=baselines)
    used = resampled(measures)
    questions = compared.questions.height
    impossible = [size for size in sizes if not 1 <= size <= questions]
    if impossible:
        raise Refused(
            f"sizes: sets of {impossible[0]} questions cannot be drawn from a collection of "
            f"{questions}; the largest possible size is {questions}"
        )
    full = [
        values[:, 0] for values in evaluate(compared, used, np.ones((1, questions), dtype=np.uint8))
    ]
    means, taus = [], []
    for size in sorted(set(sizes)):
        drawn = draw_subsets(questions, size, trials, key(seed, "sizes", size), threads=threads)
        drawn_values = list(evaluate(compared, used, drawn[0]))
        means.append(
            with_keys([_spread(compared, values) for values in drawn_values], used, size=size)
        )
        ranked = [
            _describe(tau_to(values, whole, threads=threads))
            for values, whole in zip(drawn_values, full, strict=True)
        ]
        taus.append(with_keys(ranked, used, size=size))
    names = [measure.name for measure in used]
    by_measure = pl.col("measure").cast(pl.Enum(names))
    return Sizes(
        pl.concat(means).sort(by_measure, "size", maintain_order=True),
        (tau := pl.concat(taus).sort(by_measure, "size")),
        pl.DataFrame(
            [(name, bound, enough(tau.filter(measure=name), bound)) for name in names],
            schema={"measure": pl.String, "bound": pl.Float64, "size": pl.Int64},
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


def _describe(taus: Array) -> pl.DataFrame:
    known = taus[~np.isnan(taus)]
    low, high = np.quantile(known, (0.025, 0.975)) if len(known) else (None, None)
    row = (float(known.mean()) if len(known) else None, low, high, len(taus) - len(known))
    schema = {"tau": pl.Float64, "low": pl.Float64, "high": pl.Float64, "undefined": pl.Int64}
    return pl.DataFrame([row], schema=schema, orient="row")
