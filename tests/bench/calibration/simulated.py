"""Simulated collections: runs of known quality on questions that are hard or easy for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import special

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c_at_1", "c_at_1", {})
MRR = Configured("mrr", "mrr", {"cutoff": 5})
K1 = Configured("k1", "k1", {})
F = Configured("f", "f", {"beta": 1, "unanswered": "no"})
AUC = Configured("auc", "auc", {})


_round: list[int] = []


def begin_round(number: int) -> None:
    """From now on simulate other data than in other rounds; 0 is the round of docs/validation.md."""
    _round[:] = [number] if number else []


def generator(about: Sequence[int]) -> np.random.Generator:
    """The generator of the data of a simulation, in this round."""
    return np.random.default_rng([*about, *_round])


class Cell(NamedTuple):
    """A figure of a simulation, and within which limit it must lie."""

    name: str
    figure: float
    error: float
    """Its Monte Carlo error."""
    limit: str
    """Such as `>= 0.93`; nothing for a figure that is there for comparison."""

    @property
    def holds(self) -> bool:
        """Whether it keeps its limit, three Monte Carlo errors allowed."""
        sign, _, number = self.limit.partition(" ")
        slack = 3 * self.error
        return {
            "": True,
            "<=": self.figure <= float(number or 0) + slack,
            ">=": self.figure >= float(number or 0) - slack,
        }[sign]


def share(hits: Any) -> tuple[float, float]:
    """The mean of independent outcomes, and its Monte Carlo error."""
    outcomes = np.asarray(hits, dtype=float)
    return float(outcomes.mean()), float(outcomes.std(ddof=1) / len(outcomes) ** 0.5)


@dataclass(frozen=True)
class Groups:
    """How questions fall into groups: so many, of these sizes in turn, and how alike they are."""

    number: int
    sizes: Sequence[int] = (5,)
    correlation: float = 0.5

    @property
    def of_question(self) -> np.ndarray:
        sizes = [self.sizes[n % len(self.sizes)] for n in range(self.number)]
        return np.repeat(np.arange(self.number), sizes)


def simulate(
    rng: np.random.Generator,
    quality: np.ndarray,
    questions: int,
    *,
    groups: Groups | None = None,
    silence: float = 0.0,
    shared: float = 0.5,
) -> Evidence:
    """Runs that are right with the chances `quality` over all questions there could be.

    A run is right where a normal number exceeds its threshold. `shared` of its variance belongs to
    the question, the same for all runs; in groups their correlation belongs to the group: the same
    for all questions of it, half of it the run's own. With `silence` it leaves out the questions
    on which it is least sure of being right, or wrong: at random, so that truth stays simple.
    """
    runs = len(quality)
    codes = np.arange(questions) if groups is None else groups.of_question
    questions = len(codes)
    noise = np.sqrt(shared) * rng.standard_normal(questions)
    noise = noise + np.sqrt(1 - shared) * rng.standard_normal((runs, questions))
    if groups is not None:
        number, rho = groups.number, groups.correlation
        common = np.sqrt(shared) * rng.standard_normal(number)
        common = common + np.sqrt(1 - shared) * rng.standard_normal((runs, number))
        noise = np.sqrt(rho) * common[:, codes] + np.sqrt(1 - rho) * noise
    right = noise < special.ndtri(quality)[:, None]
    silent = rng.random((runs, questions)) < silence
    right &= ~silent
    rank = np.where(right, 1.0, (rng.random((runs, questions)) < 0.3) * 0.5)
    confidence = np.where(silent, 0.0, rng.beta(2, 2, (runs, questions)))
    columns = {
        "questions": np.ones((runs, questions)),
        "correct": right,
        "wrong": ~right & ~silent,
        "unanswered": silent,
    }
    return Evidence(
        pl.DataFrame(
            {"run": [f"run{n:04}" for n in range(runs)], "kind": "submitted", "assessed": True}
        ),
        pl.DataFrame(
            {
                "question": [f"q{n}" for n in range(questions)],
                "type": pl.Series([None] * questions, dtype=pl.String),
                "group": pl.Series([None] * questions, dtype=pl.String)
                if groups is None
                else [f"g{n}" for n in codes],
            }
        ),
        {
            **{name: column.astype(np.uint8) for name, column in columns.items()},
            'reciprocal_rank {"cutoff": 5}': rank,
            "signed_confidence": np.where(right, confidence, -confidence),
        },
    )


def truth(measure: Configured, quality: np.ndarray, silence: float = 0.0) -> np.ndarray:
    """The value over all questions there could be of runs as :func:`simulate` makes them."""
    correct = quality * (1 - silence)
    if measure.measure == "accuracy":
        return correct
    if measure.measure == "c_at_1":
        return correct * (1 + silence)
    if measure.measure == "mrr":
        return correct + 0.3 * 0.5 * (1 - correct)
    if measure.measure == "k1":
        return 0.5 * (1 - silence) * (2 * quality - 1)
    raise KeyError(measure.measure)
