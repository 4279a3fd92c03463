"""Scores by two judges side by side: of the same runs, over the same drawn questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, Numbers
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.studies.resampling import SCALE, Counts, draw_exponential
from qampaign.studies.units import Units

Indices = npt.NDArray[np.int64]

STEPS = 16
"""Weights of questions are whole multiples of 1 / STEPS, so that a byte holds each."""


@dataclass(frozen=True)
class Draws:
    """Questions weighted at random, as often as there are rows, by unit."""

    weights: Counts
    """By draw and question, whole numbers."""
    unit: npt.NDArray[np.intp]
    """The number of each question's unit."""

    @classmethod
    def of(cls, units: Units, draws: int, key: np.uint64) -> "Draws":
        """Exponential weights, which follow from the key and the unit's name alone."""
        exact = draw_exponential(units.keys, draws, key)
        step = SCALE // STEPS
        weights = np.minimum((exact + step // 2) // step, 255).astype(np.uint8)
        return cls(units.spread(weights), units.of_question)

    def only(self, columns: Indices) -> "Draws":
        """Those of some questions, in that order; not copied where they are all."""
        if np.array_equal(columns, np.arange(len(self.unit))):
            return self
        return Draws(self.weights[:, columns], self.unit[columns])

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(np.unique(self.unit))


@dataclass(frozen=True)
class PairedScores:
    """Scores of the same runs over the same questions by the reference and by a judge.

    They are by measure, question set and run. The first set has every question once, the others
    have them weighted; NaN where there is no value, and on weighted sets for measures that have no
    meaning there.
    """

    reference: str
    judge: str
    measures: Sequence[Configured]
    runs: list[str]
    units: int
    true: Array
    estimated: Array


def pair_with_reference(
    evidence: Mapping[str, Evidence],
    measures: Sequence[Configured],
    draws: Draws,
    *,
    reference: str,
    rank_baselines: bool = False,
) -> list[PairedScores]:
    """The reference beside itself, then beside every other judge, from the evidence of each.

    `draws` are of the questions of the reference. A judge of fewer questions gets the same without
    the others. Submitted runs are compared, and baselines with them where asked.
    """
    true = evidence[reference]
    known: dict[bytes, Array] = {}  # judges mostly have the same questions
    paired = []
    for judge in [reference, *(name for name in evidence if name != reference)]:
        rows, columns = share(true, evidence[judge], rank_baselines)
        drawn = draws.only(columns[0])
        key = rows[0].tobytes() + b"|" + columns[0].tobytes()
        if key not in known:
            restricted = restrict(true, measures, rows[0], columns[0])
            known[key] = score_sets(restricted, measures, drawn.weights)
        estimated = known[key]
        if judge != reference:
            restricted = restrict(evidence[judge], measures, rows[1], columns[1])
            estimated = score_sets(restricted, measures, drawn.weights)
        runs = true.runs["run"].gather(rows[0]).to_list()
        scores = known[key], estimated
        paired.append(PairedScores(reference, judge, measures, runs, drawn.units, *scores))
    return paired


def pair_others(
    evidence: Mapping[str, Evidence],
    measures: Sequence[Configured],
    draws: Draws,
    *,
    reference: str,
    rank_baselines: bool = False,
) -> Iterator[PairedScores]:
    """Every two judges beside each other that are not the reference, the first as the true one."""
    for first, second in combinations([name for name in evidence if name != reference], 2):
        rows, columns = share(evidence[reference], evidence[first], rank_baselines)
        both = {
            first: restrict(evidence[first], measures, rows[1], columns[1]),
            second: evidence[second],
        }
        drawn = draws.only(columns[0])
        _, beside = pair_with_reference(
            both, measures, drawn, reference=first, rank_baselines=rank_baselines
        )
        yield beside


def orient(scores: Array, measures: Sequence[Configured]) -> Array:
    """Scores by measure, question set and run such that high is better."""
    signs = [-1.0 if measure.better == "low" else 1.0 for measure in measures]
    return scores * np.array(signs)[:, None, None]


def share(
    ours: Evidence, theirs: Evidence, rank_baselines: bool
) -> tuple[tuple[Indices, Indices], tuple[Indices, Indices]]:
    """Where the runs that both rank stand in each, and the questions that both have."""
    ranked = {
        name: evidence.runs.with_row_index(name).filter(evidence.ranked(baselines=rank_baselines))
        for name, evidence in (("ours", ours), ("theirs", theirs))
    }
    numbered = {
        name: evidence.questions.with_row_index(name)
        for name, evidence in (("ours", ours), ("theirs", theirs))
    }
    return _meet("run", **ranked), _meet("question", **numbered)


def _meet(name: str, *, ours: pl.DataFrame, theirs: pl.DataFrame) -> tuple[Indices, Indices]:
    key = pl.col(name).cast(pl.String)
    there = theirs.select(key, "theirs")
    both = ours.select(key, "ours").join(there, on=name, maintain_order="left")
    our_rows, their_rows = (both[side].to_numpy().astype(np.int64) for side in ("ours", "theirs"))
    return our_rows, their_rows


def restrict(
    evidence: Evidence, measures: Sequence[Configured], rows: Indices, columns: Indices
) -> Evidence:
    """The evidence that the measures need, of some runs and questions, in that order."""
    keys = {key for measure in measures for key in measure.keys(evidence).values()}
    chosen = {key: evidence.columns[key][np.ix_(rows, columns)] for key in sorted(keys)}
    return Evidence(evidence.runs[rows], evidence.questions[columns], chosen)


def score_sets(evidence: Evidence, measures: Sequence[Configured], weights: Numbers) -> Array:
    """Values by measure, question set (first every question once, then the drawn ones) and run."""
    every = np.ones((1, evidence.questions.height), dtype=np.uint8)
    scores = np.full((len(measures), 1 + len(weights), evidence.runs.height), np.nan)
    for measure, values in zip(measures, scores, strict=True):
        values[:1] = measure.values(evidence, every).T
        if measure.resampled and len(weights):
            values[1:] = measure.values(evidence, weights).T
    return scores
