"""Stability: how often would other questions have ordered a pair of runs otherwise?

The method of Buckley & Voorhees (2000) as in Peñas & Rodrigo (2011), 4.2, in Sakai (2004), 2.1, and
over random partitions in Rodrigo, Peñas & Verdejo (2009), 4.3: in many trials each pair of runs is
compared on a random part of the questions; the run that wins less often is taken to win by error.
Two values are a tie where they differ by less than the fuzziness times the larger, or not at all.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array, ratio
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.options import Limits, Share
from qampaign.studies.pairs import (
    Block,
    Draws,
    Trials,
    draw_pairs,
    name_pairs,
    over_trials,
    with_keys,
)
from qampaign.studies.resampling import Counts, Whole, count
from qampaign.studies.units import Unit

FUZZINESS = tuple(round(0.01 * n, 2) for n in range(1, 11))
"""From 0.01 to 0.10, as the papers take it."""


class Stability(NamedTuple):
    """What the study finds."""

    rates: pl.DataFrame
    """measure, size, unit, draws, scheme, trials, fuzziness, error_rate, ties, error_rate_se,
    ties_se, undefined (comparisons left out since a run has no value), too_few."""
    unstable_pairs: pl.DataFrame
    """The pairs in which either run wins some trial, under the same keys: run_a, run_b, a_better,
    b_better, equal, undefined (trials)."""


def study(
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    size: int,
    seed: str,
    trials: Trials = 1000,
    fuzziness: Annotated[
        Sequence[Annotated[Share, "a number from 0 to 1"]],
        Limits(minItems=1),
        "a list of shares of the larger value, below which a difference is a tie",
    ] = FUZZINESS,
    draws: Draws = "shared",
    scheme: Annotated[
        Literal["subset", "partition"],
        "subset (one random part of the questions per trial) or partition (all disjoint ones, "
        "averaged)",
    ] = "subset",
    unit: Unit = "group",
    baselines: bool = False,
    threads: int = 1,
    drawn: Counts | None = None,
) -> Stability:
    """The rate of errors and the share of ties by measure and fuzziness, and the unstable pairs.

    `draws: shared` takes one set of `size` units in each trial for all pairs, `independent` a fresh
    one for each pair; with `scheme: partition` it takes as many disjoint ones as there are, and the
    mean over them. `drawn` gives shared sets by part, trial and question instead.
    """
    pairs = draw_pairs(
        "stability", evidence, measures, size=size, partition=scheme == "partition", seed=seed,
        trials=trials, draws=draws, unit=unit, baselines=baselines, threads=threads, drawn=drawn,
    )  # fmt: skip
    levels = np.unique(np.array(fuzziness, dtype=float))
    names = name_pairs(pairs.evidence)
    tallies = [Tally.empty(names.height, len(levels), pairs.trials) for _ in pairs.measures]
    for block in pairs.blocks:
        for number, tally in enumerate(tallies):
            tally.add(block, number, levels, threads)
    how = {"unit": pairs.units.drawn, "draws": draws, "scheme": scheme}
    keys = {"size": size, **how, "trials": pairs.trials}
    rates = [
        tally.rates(levels).with_columns(
            too_few=pl.Series(
                [pairs.too_few(number, size, differ=untied.any()) for untied in tally.untied],
                dtype=pl.String,
            )
        )
        for number, tally in enumerate(tallies)
    ]
    unstable = [
        tally.unstable_pairs(levels, names, low=measure.better == "low")
        for measure, tally in zip(pairs.measures, tallies, strict=True)
    ]
    return Stability(
        with_keys(rates, pairs.measures, **keys), with_keys(unstable, pairs.measures, **keys)
    )


class Tally(NamedTuple):
    """What was counted of one measure."""

    better: Whole
    """Trials by pair, fuzziness and winner (a, b)."""
    missing: Whole
    """Trials by pair without a value."""
    minority: Whole
    """Pairs by fuzziness and trial, won by the run that wins less often."""
    untied: Whole
    """Pairs by fuzziness and trial that either wins."""
    undefined: Whole
    """Pairs by trial without a value."""

    @classmethod
    def empty(cls, pairs: int, levels: int, trials: int) -> "Tally":
        shapes = ((pairs, levels, 2), (pairs,), (levels, trials), (levels, trials), (trials,))
        return cls(*(np.zeros(shape, dtype=np.int32) for shape in shapes))

    def add(self, block: Block, number: int, levels: Array, threads: int) -> None:
        """Count a block of pairs."""
        from qampaign.studies.kernels import count_orders

        left = _mean_of_parts(block.left[number])
        same = block.right[number] is block.left[number]
        right = left if same else _mean_of_parts(block.right[number])
        inside = slice(block.first, block.first + len(block.a))
        better, missing = self.better[inside], self.missing[inside]

        def work(first: int, last: int, *counters: Whole) -> None:
            count_orders(
                left, right, block.a, block.b, first, last, levels, better, missing, *counters
            )

        totals = self.minority, self.untied, self.undefined
        shapes = (total.shape for total in totals)
        counted = count(work, len(block.a), threads, *shapes, steps=left.shape[1])
        for total, counters in zip(totals, counted, strict=True):
            np.add(total, counters, out=total)

    def rates(self, levels: Array) -> pl.DataFrame:
        """error_rate and ties by fuzziness, each with its Monte-Carlo error over the trials."""
        compared = len(self.better) - self.undefined
        error, error_se = over_trials(self.minority, compared)
        ties, ties_se = over_trials(compared - self.untied, compared)
        columns = {
            "fuzziness": levels,
            "error_rate": error,
            "ties": ties,
            "error_rate_se": error_se,
            "ties_se": ties_se,
            "undefined": np.full(len(levels), self.undefined.sum(), dtype=np.int64),
        }
        return pl.DataFrame(columns, nan_to_null=True)

    def unstable_pairs(self, levels: Array, names: pl.DataFrame, *, low: bool) -> pl.DataFrame:
        """The pairs of which neither run always wins, by fuzziness; `low`: less is better."""
        level, pair = np.nonzero((self.better > 0).all(axis=2).T)
        won = self.better[pair, level].astype(np.int64)[:, :: -1 if low else 1]
        missing = self.missing[pair].astype(np.int64)
        trials = self.minority.shape[1]
        columns = {
            "fuzziness": levels[level],
            **names[pair].to_dict(),
            "a_better": won[:, 0],
            "b_better": won[:, 1],
            "equal": trials - missing - won.sum(axis=1),
            "undefined": missing,
        }
        return pl.DataFrame(columns)


def _mean_of_parts(values: Array) -> Array:
    """By row and trial the mean over the parts that have a value."""
    if values.shape[1] == 1:
        return values[:, 0]
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    return ratio(total, known.sum(axis=1).astype(float))
