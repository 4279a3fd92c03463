"""Pairs of runs and their values on drawn question sets: what stability and swap rates count."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, ratio
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate
from qampaign.options import Limits
from qampaign.problems import Refused
from qampaign.studies.minimums import too_few
from qampaign.studies.resampling import Counts, Whole, draw_subsets, share_out
from qampaign.studies.resampling import key as key_of
from qampaign.studies.units import Unit, Units

Draws = Annotated[
    Literal["shared", "independent"],
    "shared (one draw per trial for all pairs of runs) or independent (one for each pair)",
]
Trials = Annotated[
    int,
    Limits(minimum=1, maximum=1_000_000),
    "a whole number from 1 to 1000000, how often questions are drawn",
]
Indices = npt.NDArray[np.intp]

BLOCK = 2**22
"""How many values of pairs, each with draws of its own, are held at once."""


def taking_part(evidence: Evidence, *, baselines: bool = False) -> Evidence:
    """The evidence of the submitted runs, and of the baselines where asked."""
    return evidence.only(evidence.ranked(baselines=baselines))


def resampled(measures: Sequence[Configured]) -> list[Configured]:
    """The measures that have a meaning on a random part of the questions."""
    used = [measure for measure in measures if measure.resampled]
    if not used:
        named = ", ".join(measure.name for measure in measures)
        raise Refused(f"studies need a measure that has a value on parts of the questions: {named}")
    return used


def pairs_of(evidence: Evidence) -> tuple[Indices, Indices]:
    """The rows of the first and of the second run of each pair."""
    return _pairs(evidence.runs.height)


@lru_cache(maxsize=1)
def _pairs(runs: int) -> tuple[Indices, Indices]:
    return np.triu_indices(runs, 1)


def name_pairs(evidence: Evidence) -> pl.DataFrame:
    """run_a and run_b of each pair."""
    runs = evidence.runs["run"].cast(pl.String)
    a, b = pairs_of(evidence)
    return pl.DataFrame({"run_a": runs[a], "run_b": runs[b]})


def with_keys(
    frames: Sequence[pl.DataFrame], measures: Sequence[Configured], **keys: int | str
) -> pl.DataFrame:
    """The frames of the measures as one, with the measure and what else tells its rows apart."""
    before = [
        pl.lit(value, pl.String if isinstance(value, str) else pl.Int64).alias(name)
        for name, value in keys.items()
    ]
    return pl.concat(
        [
            frame.select(pl.lit(measure.name).alias("measure"), *before, pl.all())
            for measure, frame in zip(measures, frames, strict=True)
        ]
    )


def over_trials(hits: Whole, tried: Whole) -> tuple[Array, Array]:
    """A rate from counts by trial (last axis), and its Monte-Carlo standard error.

    Pairs share the draws of a trial, so the trials are what varies: the rate is a ratio of two
    totals over them, and the error that of a ratio (Cochran 1977, 6.3), which is the standard error
    of the mean where every trial tries as often. NaN where nothing is tried; no error from a trial.
    """
    trials = hits.shape[-1]
    whole = np.broadcast_to(tried, hits.shape).astype(float)
    total = whole.sum(axis=-1)
    rate = ratio(hits.sum(axis=-1).astype(float), total)
    residual = ((hits - rate[..., None] * whole) ** 2).sum(axis=-1)
    freedom = trials / (trials - 1) if trials > 1 else np.nan
    return rate, ratio(np.sqrt(freedom * residual), total)


@dataclass(frozen=True)
class Block:
    """Values of some pairs of runs: pair n of the block has row a[n] of left and b[n] of right.

    `left` and `right` have an array per measure, by row, part and trial; NaN where there is none.
    """

    first: int
    """The number of the block's first pair."""
    a: Indices
    b: Indices
    left: list[Array]
    right: list[Array]


@dataclass(frozen=True)
class DrawnPairs:
    """The pairs of runs of a study on drawn question sets, a block at a time."""

    evidence: Evidence
    """That of the runs that take part."""
    measures: list[Configured]
    """Those that have a meaning on a part of the questions."""
    units: Units
    """What was drawn."""
    trials: int
    blocks: Iterator[Block]

    @cached_property
    def valued(self) -> list[int]:
        """How many runs have a value on all questions, by measure."""
        every = np.ones((1, self.evidence.questions.height), dtype=np.uint8)
        values = evaluate(self.evidence, self.measures, every)
        return [int((~np.isnan(of_runs)).sum()) for of_runs in values]

    def too_few(self, number: int, size: int, *, differ: bool) -> str | None:
        """What there are too few of to say anything by a measure; None: nothing."""
        return too_few(runs=self.valued[number], size=size, units=self.units, differ=differ)


def draw_pairs(
    study: str,
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    size: int,
    sets: int = 1,
    partition: bool = False,
    seed: str,
    trials: int,
    draws: Draws,
    unit: Unit,
    baselines: bool,
    threads: int,
    drawn: Counts | None,
) -> DrawnPairs:
    """Values of all pairs on disjoint sets of `size` units, drawn in each trial for a study.

    A trial has so many `sets`, or with `partition` as many as there are. `drawn` gives shared sets
    by set, trial and question instead.
    """
    compared, used = taking_part(evidence, baselines=baselines), resampled(measures)
    units = Units.of(compared.questions, unit)
    if drawn is None and not 1 <= size <= len(units) // sets:
        several = "sets" if sets == 1 else "two disjoint sets"
        raise Refused(
            f"{study}: {several} of {counted(size, units)} cannot be drawn from a collection of "
            f"{len(units)}; allowed: 1 to {len(units) // sets}{advice(units)}"
        )
    parts = len(units) // size if partition else sets
    how = {"parts": parts, "threads": threads}
    key = key_of(seed, study, size)
    if draws == "independent":
        blocks = independent(compared, used, units, size=size, trials=trials, key=key, **how)
        return DrawnPairs(compared, used, units, trials, blocks)
    if drawn is None:
        drawn = units.spread(draw_subsets(len(units), size, trials, key, **how))
    return DrawnPairs(compared, used, units, drawn.shape[1], shared(compared, used, drawn))


def counted(size: int, units: Units) -> str:
    """A number of units in words: 3 questions, or 3 groups."""
    return f"{size} {units.drawn}s"


def advice(units: Units) -> str:
    """How to draw questions instead of groups, for messages."""
    return " (with `unit: question`, questions are drawn instead)" if units.grouped else ""


def shared(evidence: Evidence, measures: Sequence[Configured], drawn: Counts) -> Iterator[Block]:
    """One block: every pair on the same question sets, given by part, trial and question."""
    parts, trials, questions = drawn.shape
    sets = drawn.reshape(parts * trials, questions)
    shape = evidence.runs.height, parts, trials
    values = [table.reshape(shape) for table in evaluate(evidence, measures, sets)]
    yield Block(0, *pairs_of(evidence), values, values)


def independent(
    evidence: Evidence,
    measures: Sequence[Configured],
    units: Units,
    *,
    size: int,
    trials: int,
    parts: int,
    key: np.uint64,
    threads: int = 1,
) -> Iterator[Block]:
    """Blocks of pairs, each pair on sets of units of its own."""
    pairs_a, pairs_b = pairs_of(evidence)
    summed = [measure for measure in measures if measure.summed]
    keys = sorted({column.key for measure in summed for column in measure.columns().values()})
    columns = np.empty((evidence.runs.height, len(units), len(keys)))
    for number, name in enumerate(keys):
        columns[:, :, number] = units.add_up(evidence.columns[name])
    draw = partial(draw_subsets, len(units), size, trials, key, parts=parts)
    step = max(BLOCK // (trials * parts * max(len(keys), 1)), 1)
    for first in range(0, len(pairs_a), step):
        a, b = pairs_a[first : first + step], pairs_b[first : first + step]
        sides = _sum_fresh(columns, a, b, first, (size, trials, parts), key, threads)
        sums = [dict(zip(keys, side, strict=True)) for side in sides]
        values = [
            [measure.of_sums(side) for side in sums]
            if measure.summed
            else _of_pairs(evidence, measure, (a, b), units, draw, first, threads)
            for measure in measures
        ]
        rows = np.arange(len(a))
        yield Block(first, rows, rows, *map(list, zip(*values, strict=True)))


def _sum_fresh(
    columns: Array,
    a: Indices,
    b: Indices,
    before: int,
    how: tuple[int, int, int],
    key: np.uint64,
    threads: int,
) -> Array:
    """Sums of every column by side, column, pair, part and trial; each pair has its own draws."""
    from qampaign.studies.chance import sum_fresh_draws

    size, trials, parts = how
    sums = np.empty((2, columns.shape[2], len(a), parts, trials))

    def work(first: int, last: int) -> None:
        sum_fresh_draws(sums, columns, first, last, before, a, b, size, key)

    if sums.size:  # else there are only measures that are no functions of sums
        share_out(work, len(a), threads)
    return sums


def _of_pairs(
    evidence: Evidence,
    measure: Configured,
    pairs: tuple[Indices, Indices],
    units: Units,
    draw: Callable[..., Counts],
    before: int,
    threads: int,
) -> Array:
    """The values of the two runs of each pair, by side, pair, part and trial."""

    def work(first: int, last: int) -> list[Array]:
        values = []
        for number in range(first, last):
            drawn = units.spread(draw(stream=before + number))
            two = np.zeros(evidence.runs.height, dtype=bool)
            two[[pairs[0][number], pairs[1][number]]] = True
            of_both = measure.values(evidence.only(two), drawn.reshape(-1, drawn.shape[2]))
            values.append(of_both.reshape(2, *drawn.shape[:2]))
        return values

    shared_out = share_out(work, len(pairs[0]), threads)
    return np.stack([pair for block in shared_out for pair in block], axis=1)
