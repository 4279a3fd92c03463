"""Intervals: what values and ranks would other questions like these have given?

Percentile intervals of the bootstrap (Efron & Tibshirani 1993, 13.3): questions are drawn with
replacement, as many as there are; every run is valued and ranked on them.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate
from qampaign.studies.pairs import resampled, with_keys
from qampaign.studies.resampling import bootstrap_key, draw_bootstrap, share_out


def study(
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    seed: str,
    resamples: int,
    baselines: bool = False,
    threads: int = 1,
) -> pl.DataFrame:
    """measure, slice, run, low, high, rank_low, rank_high, undefined (resamples without a value).

    The intervals hold 95% of the resamples of the slice: all questions, or those of a type. Only
    submitted runs have ranks, and baselines where asked; a run that nobody has assessed has none.
    """
    used = resampled(measures)
    tables = []
    ranked = evidence.ranked(baselines=baselines)
    assessed = evidence.runs["assessed"].to_numpy()
    for name, chosen in evidence.slices().items():
        number = int(chosen.sum())
        drawn = np.zeros((resamples, len(chosen)), dtype=np.uint8)
        drawn[:, chosen] = draw_bootstrap(
            number, resamples, bootstrap_key(seed, name), threads=threads
        )
        for measure, values in zip(used, evaluate(evidence, used, drawn), strict=True):
            known = np.where(assessed[:, None], values, np.nan)
            rows = _intervals(known, ranked, measure.declared.better == "low", threads)
            named = rows.select(evidence.runs["run"].cast(pl.String), pl.all())
            tables.append(with_keys([named], [measure], slice=name))
    return pl.concat(tables)


def _intervals(values: Array, ranked: Flags, low: bool, threads: int) -> pl.DataFrame:
    """low, high, rank_low, rank_high and undefined of every run."""
    from qampaign.studies.kernels import count_better

    taking = np.where(ranked[:, None], -values if low else values, np.nan)
    better, as_good = np.zeros((2, *values.shape), dtype=np.int32)
    share_out(lambda i, j: count_better(taking, i, j, better, as_good), len(values), threads)
    unknown = np.isnan(taking)
    first, last = np.where(unknown, np.nan, better + 1), np.where(unknown, np.nan, better + as_good)
    return pl.DataFrame(
        {
            "low": quantile(values, 0.025),
            "high": quantile(values, 0.975),
            "rank_low": quantile(first, 0.025, whole=True),
            "rank_high": quantile(last, 0.975, whole=True),
            "undefined": np.isnan(values).sum(axis=1),
        },
        nan_to_null=True,
    ).with_columns(pl.col("rank_low", "rank_high").cast(pl.Int64))


def quantile(values: Array, share: float, *, whole: bool = False) -> Array:
    """A quantile of each row, NaN left out; `whole`: the smallest value that has the share.

    >>> quantile(np.array([[3.0, 1, 2, np.nan]]), 0.75), quantile(np.array([[3.0, 1, 2]]), 0.5)
    (array([2.5]), array([2.]))
    """
    ordered = np.sort(values, axis=1)  # NaN last
    number = (~np.isnan(ordered)).sum(axis=1)
    last = np.maximum(number - 1, 0)
    position = np.clip(np.ceil(share * number) - 1, 0, last) if whole else share * last
    below = np.floor(position).astype(np.intp)
    rows = np.arange(len(ordered))
    one, two = ordered[rows, below], ordered[rows, np.minimum(below + 1, last)]
    return one + (position - below) * (two - one)
