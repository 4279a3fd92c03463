"""Significance: could chance alone have made the difference between two runs?

The sign test for measures that are means over questions (Sakai 2004 reports it), the paired
bootstrap (Efron & Tibshirani 1993, 16.4) and the paired randomisation test (Noreen 1989) for all.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate, weighted_values_of_questions
from qampaign.ranking import SAME
from qampaign.studies.exchange import Exchange, Tested, all_pairs
from qampaign.studies.pairs import (
    Indices,
    Trials,
    name_pairs,
    pairs_of,
    resampled,
    taking_part,
    with_keys,
)
from qampaign.studies.resampling import draw_bootstrap, key, share_out
from qampaign.studies.units import Unit, Units

RESOLVED = 20
"""Resamples for each pair with which a test can be corrected for the number of pairs."""
LEVELS = (0.05, 0.01)


class Significance(NamedTuple):
    """What the study finds."""

    tests: pl.DataFrame
    """measure, run_a, run_b, difference (a − b), test (sign, bootstrap, randomisation), p, p_holm
    (null where it cannot be resolved), undefined (resamples without a value, left out)."""
    shares: pl.DataFrame
    """measure, test, level, pairs, share: of the pairs, those with p at the level or below."""


def study(
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    seed: str,
    unit: Unit = "group",
    resamples: Trials = 1000,
    baselines: bool = False,
    threads: int = 1,
    exchanged: Mapping[str, Tested] | None = None,
) -> Significance:
    """Tests of all pairs of runs under every measure, by the units that are drawn.

    `exchanged` has, by measure, what the test by exchange says of all pairs, where it is known: one
    pair by itself, it is the randomisation test.
    """
    used = resampled(measures)
    compared = taking_part(evidence, baselines=baselines)
    names = name_pairs(compared)
    frames, tested = [], []
    for measure, by_test in zip(
        used, _tests(compared, used, unit, seed, resamples, threads, exchanged or {}), strict=True
    ):
        for test, (difference, p, undefined, drawn) in by_test.items():
            resolved = drawn is None or drawn >= RESOLVED * names.height
            columns = {
                "difference": difference,
                "test": [test] * len(p),
                "p": p,
                "p_holm": holm(p) if resolved else np.full(len(p), np.nan),
                "undefined": undefined,
            }
            frames.append(names.hstack(pl.DataFrame(columns, nan_to_null=True)))
            tested.append(measure)
    tests = with_keys(frames, tested)
    return Significance(tests, significant_shares(tests))


def holm(p: Array) -> Array:
    """P-values corrected for their number (Holm 1979); those that are NaN stay so and do not count.

    >>> holm(np.array([0.01, 0.04, 0.03, np.nan]))
    array([0.03, 0.06, 0.06,  nan])
    """
    order = np.argsort(p)  # NaN last
    number = int((~np.isnan(p)).sum())
    factors = number - np.arange(number)
    corrected = np.full(len(p), np.nan)
    corrected[order[:number]] = np.minimum(np.maximum.accumulate(factors * p[order[:number]]), 1.0)
    return corrected


def significant_shares(tests: pl.DataFrame) -> pl.DataFrame:
    """The share of pairs that differ at each level, by measure and test."""
    levels = pl.DataFrame({"level": LEVELS})
    return (
        tests.join(levels, how="cross")
        .group_by("measure", "test", "level", maintain_order=True)
        .agg(
            pairs=pl.col("p").count().cast(pl.Int64),
            share=(pl.col("p") <= pl.col("level") + SAME).mean(),
        )
    )


Found = tuple[Array, Array, npt.NDArray[np.int64], int | None]
"""Differences, p-values and undefined resamples, by pair; and resamples, None for an exact test."""


def _tests(
    evidence: Evidence,
    measures: Sequence[Configured],
    unit: Unit,
    seed: str,
    resamples: int,
    threads: int,
    exchanged: Mapping[str, Tested],
) -> Iterator[dict[str, Found]]:
    """By measure and test what was found."""
    questions, units = evidence.questions.height, Units.of(evidence.questions, unit)
    number = len(units)
    drawn = draw_bootstrap(number, resamples, key(seed, "bootstrap", "all"), threads=threads)
    a, b = pairs_of(evidence)
    full = evaluate(evidence, measures, np.ones((1, questions), dtype=np.uint8))
    again = evaluate(evidence, measures, units.spread(drawn))
    exchange = Exchange(evidence, units, seed=seed, draws=resamples, threads=threads)
    family = all_pairs(np.arange(evidence.runs.height))
    for measure, whole, values in zip(measures, full, again, strict=True):
        difference = whole[a, 0] - whole[b, 0]
        none = np.zeros(len(a), dtype=np.int64)
        tests: dict[str, Found] = {}
        if measure.mean:
            values_of_units = units.add_up(weighted_values_of_questions(evidence, measure))
            p = sign_test(values_of_units, a, b, threads=threads)
            tests["sign"] = difference, p, none, None
        tests["bootstrap"] = (
            difference,
            *bootstrap_p(values, a, b, difference, number, threads=threads),
            resamples,
        )
        tested = exchanged.get(measure.name) or exchange.test(measure, whole[:, 0], family)
        tests["randomisation"] = difference, tested.p, tested.undefined, tested.draws
        yield tests


def bootstrap_p(
    values: Array,
    a: Indices,
    b: Indices,
    difference: Array,
    units: int,
    *,
    threads: int = 1,
) -> tuple[Array, npt.NDArray[np.int64]]:
    """P-values of pairs of rows by the paired bootstrap, and resamples without a value.

    `values` are by run and resample; `difference` is what was found, by pair. One is added to both
    counts: the collection itself is one of the resamples. One unit has no other resample than
    itself, and no p-value.
    """
    from qampaign.studies.kernels import count_extreme

    extreme, defined = np.zeros((2, len(a)), dtype=np.int64)
    if units < 2:
        return np.full(len(a), np.nan), defined
    wider = widening(units)

    def work(first: int, last: int) -> None:
        count_extreme(values, a, b, first, last, difference, wider, extreme, defined)

    share_out(work, len(a), threads)
    p = np.where(np.isnan(difference), np.nan, (1 + extreme) / (1 + defined))
    return p, values.shape[1] - defined


def widening(units: int) -> float:
    """How much wider differences spread than their bootstrap (Hesterberg 2015, 3.2).

    A sample of n has 1 − 1/n of the variance it comes from, and its own estimate of the variance
    makes tails those of Student's t: its 99.5% point beside the normal one (Fisher's expansion),
    by which a test at .01 is right, and one at .05 on the safe side.

    >>> round(widening(50), 4), round(widening(500), 4)
    (1.051, 1.0048)
    """
    if units < 2:
        return 1.0
    z, freedom = 2.575829, units - 1
    student = (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
    return math.sqrt(units / freedom) * student / z


def sign_test(values: Array, a: Indices, b: Indices, *, threads: int = 1) -> Array:
    """Exact two-sided p-values of pairs of rows; equal questions say nothing, and only those: 1.

    >>> one = np.array([[1.0] * 12 + [0] * 4 + [1], [0.0] * 12 + [1] * 4 + [1]])
    >>> sign_test(one, np.array([0]), np.array([1])).round(10)
    array([0.07681274])
    """
    from qampaign.studies import kernels

    wins, p = np.zeros((len(a), 2), dtype=np.int64), np.empty(len(a))
    share_out(lambda i, j: kernels.count_wins(values, a, b, i, j, wins), len(a), threads)
    kernels.sign_test(wins, p)
    unknown = np.isnan(values.sum(axis=1))
    return np.where(unknown[a] | unknown[b], np.nan, p)
