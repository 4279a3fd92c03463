"""Significance: could chance alone have made the difference between two runs?

The sign test for measures that are means over questions (Sakai 2004 reports it), the paired
bootstrap (Efron & Tibshirani 1993, 16.4) and the paired randomisation test (Noreen 1989) for all.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.ranking import SAME
from qampaign.measures.scoring import Configured, evaluate
from qampaign.measures.sums import exact_sums
from qampaign.studies.pairs import (
    Indices,
    Trials,
    name_pairs,
    pairs_of,
    resampled,
    taking_part,
    with_keys,
)
from qampaign.studies.resampling import (
    Counts,
    bootstrap_key,
    draw_bootstrap,
    key,
    share_out,
    toss_coins,
)

RESOLVED = 20
"""Resamples for each pair with which a test can be corrected for the number of pairs."""
LEVELS = (0.05, 0.01)
BLOCK = 2**19
"""How many values of pairs with exchanged evidence are held at once."""


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
    resamples: Trials = 1000,
    baselines: bool = False,
    threads: int = 1,
) -> Significance:
    """Tests of all pairs of runs under every measure."""
    used = resampled(measures)
    compared = taking_part(evidence, baselines=baselines)
    names = name_pairs(compared)
    corrected = resamples >= RESOLVED * names.height
    frames, tested = [], []
    for measure, by_test in zip(
        used, _tests(compared, used, seed, resamples, threads), strict=True
    ):
        for test, (difference, p, undefined) in by_test.items():
            resolved = corrected or test == "sign"
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


Found = tuple[Array, Array, npt.NDArray[np.int64]]
"""Differences, p-values and undefined resamples, by pair."""


def _tests(
    evidence: Evidence, measures: Sequence[Configured], seed: str, resamples: int, threads: int
) -> Iterator[dict[str, Found]]:
    """By measure and test what was found."""
    questions = evidence.questions.height
    drawn = draw_bootstrap(questions, resamples, bootstrap_key(seed), threads=threads)
    a, b = pairs_of(evidence)
    full = evaluate(evidence, measures, np.ones((1, questions), dtype=np.uint8))
    again = evaluate(evidence, measures, drawn)
    exchanged = Exchanged(
        evidence,
        measures,
        toss_coins(questions, resamples, key(seed, "randomisation"), threads=threads),
    )
    for measure, whole, values in zip(measures, full, again, strict=True):
        difference = whole[a, 0] - whole[b, 0]
        none = np.zeros(len(a))
        tests: dict[str, Found] = {}
        if measure.declared.mean:
            p = sign_test(single_values(evidence, measure), a, b, threads=threads)
            tests["sign"] = difference, p, none.astype(np.int64)
        tests["bootstrap"] = (
            difference,
            *bootstrap_p(values, a, b, difference, questions, threads=threads),
        )
        blocks = [(none[:0], none[:0].astype(np.int64))]
        for first, sides in exchanged.blocks(measure, threads):
            rows = np.arange(len(sides[0]))
            block = difference[first : first + len(rows)]
            blocks.append(_resampled_p(sides, rows, rows, none, block, 1.0, threads))
        p, undefined = (np.concatenate(block) for block in zip(*blocks, strict=True))
        tests["randomisation"] = difference, p, undefined
        yield tests


def bootstrap_p(
    values: Array,
    a: Indices,
    b: Indices,
    difference: Array,
    questions: int,
    *,
    threads: int = 1,
) -> tuple[Array, npt.NDArray[np.int64]]:
    """P-values of pairs of rows by the paired bootstrap, and resamples without a value.

    `values` are by run and resample; `difference` is what was found, by pair.
    """
    sides, wider = (values, values), widening(questions)
    return _resampled_p(sides, a, b, difference, difference, wider, threads)


def widening(questions: int) -> float:
    """How much wider differences spread than their bootstrap (Hesterberg 2015, 3.2).

    A sample of n has 1 − 1/n of the variance it comes from, and its own estimate of the variance
    makes tails those of Student's t: its 99.5% point beside the normal one (Fisher's expansion),
    by which a test at .01 is right, and one at .05 on the safe side.

    >>> round(widening(50), 4), round(widening(500), 4)
    (1.051, 1.0048)
    """
    if questions < 2:
        return 1.0
    z, freedom = 2.575829, questions - 1
    student = (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
    return math.sqrt(questions / freedom) * student / z


def single_values(evidence: Evidence, measure: Configured) -> Array:
    """The value of every run on every question alone: the sum over one question is its evidence."""
    keys = {column.key for column in measure.columns().values()}
    return measure.of_sums({key: evidence.columns[key].astype(np.float64) for key in keys})


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


def _resampled_p(
    sides: tuple[Array, Array],
    a: Indices,
    b: Indices,
    centre: Array,
    difference: Array,
    scale: float,
    threads: int,
) -> tuple[Array, npt.NDArray[np.int64]]:
    """P-values by pair: resampled differences as far from the centre as the one that was found.

    One is added to both counts: the collection itself is one of the resamples.
    """
    from qampaign.studies.kernels import count_extreme

    extreme, defined = np.zeros((2, len(a)), dtype=np.int64)
    bar = np.abs(difference)

    def work(first: int, last: int) -> None:
        count_extreme(*sides, a, b, first, last, centre, bar, scale, extreme, defined)

    share_out(work, len(a), threads)
    p = np.where(np.isnan(difference), np.nan, (1 + extreme) / (1 + defined))
    return p, sides[0].shape[1] - defined


class Exchanged:
    """Values of pairs of runs that have exchanged their evidence on the questions with a 1."""

    def __init__(self, evidence: Evidence, measures: Sequence[Configured], coins: Counts) -> None:
        self.evidence, self.coins = evidence, coins
        summed = [
            measure for measure in measures if not isinstance(measure.declared, OrderedMeasure)
        ]
        keys = sorted({column.key for measure in summed for column in measure.columns().values()})
        columns = {key: evidence.columns[key] for key in keys}
        self.moved = exact_sums(columns, coins)
        every = exact_sums(columns, np.ones((1, coins.shape[1]), dtype=np.uint8))
        self.kept = {key: every[key] - self.moved[key] for key in keys}

    def blocks(
        self, measure: Configured, threads: int = 1
    ) -> Iterator[tuple[int, tuple[Array, Array]]]:
        """The number of a first pair, and values of the pairs from there: by pair and resample, of
        the first run and of the second."""
        a, b = pairs_of(self.evidence)
        step = max(BLOCK // len(self.coins), 1)
        for first in range(0, len(a), step):
            one, two = a[first : first + step], b[first : first + step]
            if isinstance(measure.declared, OrderedMeasure):
                yield first, self._ordered(measure, one, two, threads)
            else:
                yield first, self._summed(measure, one, two)

    def _summed(self, measure: Configured, a: Indices, b: Indices) -> tuple[Array, Array]:
        """What a run keeps, and what the other gives it."""
        keys = {column.key for column in measure.columns().values()}
        one, two = (
            measure.of_sums({key: self.kept[key][own] + self.moved[key][other] for key in keys})
            for own, other in ((a, b), (b, a))
        )
        return one, two

    def _ordered(
        self, measure: Configured, a: Indices, b: Indices, threads: int
    ) -> tuple[Array, Array]:
        """The questions of both runs side by side, and of each question one or the other."""
        columns = {
            name: np.hstack([self.evidence.columns[column.key][rows] for rows in (a, b)])
            for name, column in measure.columns().items()
        }
        kept = np.hstack([1 - self.coins, self.coins])
        given = np.hstack([self.coins, 1 - self.coins])

        def work(first: int, last: int) -> list[Array]:
            rows_of = {name: column[first:last] for name, column in columns.items()}
            return [
                measure.declared.values(rows_of, sets, measure.options) for sets in (kept, given)
            ]

        one, two = (
            np.vstack(column) for column in zip(*share_out(work, len(a), threads), strict=True)
        )
        return one, two
