"""Coverage where questions count differently: by weights of their own, or by how labels were drawn."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from qampaign.measures.question_weights import weigh
from qampaign.measures.scoring import evaluate
from qampaign.studies.intervals import bounds
from qampaign.studies.rectification import Pair, corrected_draws, corrected_values
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import ACCURACY, Cell, generator, share, simulate

SEED = 40961
BATCH = 100
"""Runs of one simulated collection; they are independent of each other, each a data set."""
STRATA = {"1 to 4": (1.6, 0.4), "1 to 9": (1.8, 0.2)}
"""Weights of the first half of the questions and of the second."""
AT_LEAST = {50: 0.92, 200: 0.93}
UNEVEN = {
    "half of it on one of 30": [29.0, *[1.0] * 29],
    "ten times on three of 30": [*[10.0] * 3, *[1.0] * 27],
    "lognormal, n = 50": np.exp(np.random.default_rng(3).normal(0, 1, 50)),
    "1/rank, n = 100": 1 / np.arange(1.0, 101),
}
"""Weights that leave a few questions to decide: worth some 4, 10, 10 and 16 equal ones."""
AT_LEAST_UNEVEN = 0.9
RATES = {"good": (0.95, 0.05), "lenient": (0.97, 0.25), "poor": (0.8, 0.4)}
"""How often a judge accepts right answers, and wrong ones."""
PROBABILITIES = {"twice as often": (0.2, 0.4), "four times as often": (0.15, 0.6)}
"""With which an accepted answer is labelled, and one that is not."""


def rows(*, short: bool) -> Iterator[Cell]:
    """Weights of questions; labels that were drawn with probabilities."""
    sets = 300 if short else 1000
    for (name, weights), questions in ((w, n) for w in STRATA.items() for n in AT_LEAST):
        for level in (0.3, 0.8, 0.95):
            each = np.repeat(weights, questions // 2)
            held = np.concatenate([_weighted(each, level, batch) for batch in range(sets // BATCH)])
            text = f"interval of accuracy, n = {questions}, weights as {name}, {level:g} right"
            yield Cell(text, *share(held), f">= {AT_LEAST[questions]}")
    for name, given in UNEVEN.items():
        for level in (0.3, 0.6, 0.9):
            each = np.asarray(given) / np.mean(given)
            held = np.concatenate([_weighted(each, level, batch) for batch in range(sets // BATCH)])
            text = f"interval of accuracy, weights {name}, {level:g} right"
            yield Cell(text, *share(held), f">= {AT_LEAST_UNEVEN}")
    for name, chances in PROBABILITIES.items():
        for judge, rates in RATES.items():
            for level in (0.3, 0.8):
                held, _ = _labelled(200, level, rates, chances, sets)
                text = (
                    f"corrected accuracy, n = 200, rejected answers labelled {name}, "
                    f"{judge} judge, {level:g} right"
                )
                yield Cell(text, *share(held), ">= 0.93")


def _weighted(weights: np.ndarray, level: float, batch: int) -> np.ndarray:
    """Whether intervals hold the accuracy over all questions, weighted, that there could be."""
    questions = len(weights)
    rng = generator([SEED, batch, questions, int(1000 * level)])
    made = simulate(rng, np.full(BATCH, level), questions, shared=0.0)
    evidence = weigh(made, weights)
    value = next(evaluate(evidence, [ACCURACY], np.ones((1, questions), dtype=np.uint8)))[:, 0]
    units = Units.of(evidence.questions, "group")
    drawn = weighted_values(evidence, [ACCURACY], units, seed=f"{SEED} {batch}", draws=1000)
    low, high = bounds(drawn[0].values, value)
    held: np.ndarray = (low <= level + 1e-9) & (level - 1e-9 <= high)
    return held


def simulate_judged(
    rng: np.random.Generator, questions: int, level: float, rates: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """By run and question, what is right, and what a judge accepts that errs."""
    right = rng.random((BATCH, questions)) < level
    return right, rng.random(right.shape) < np.where(right, *rates)


def draw_labels(
    rng: np.random.Generator, accepted: np.ndarray, chances: tuple[float, float]
) -> np.ndarray:
    """How much each answer counts: 0 unless drawn, else by the inverse of its probability."""
    counts = np.zeros(accepted.shape)
    for run, own in enumerate(accepted):
        for stratum, chance in ((own, chances[0]), (~own, chances[1])):
            there = np.flatnonzero(stratum)
            number = min(int(np.ceil(chance * len(there) - 1e-9)), len(there))
            counts[run, rng.choice(there, number, replace=False)] = len(there) / max(number, 1)
        drawn = counts[run] > 0
        counts[run, drawn] /= counts[run, drawn].mean()
    return counts


def corrected_ends(
    right: np.ndarray, accepted: np.ndarray, labelled: np.ndarray, seed: str
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the corrected intervals of accuracy."""
    number = right.shape[1]
    units = Units(pl.Series([f"question q{n}" for n in range(number)]), np.arange(number))
    common = {"questions": np.ones(right.shape)}
    people, judge = ({"correct": each.astype(float)} | common for each in (right, accepted))
    pair = Pair(people, judge, labelled, units)
    drawn = corrected_draws(pair, ACCURACY, seed=seed, draws=1000)
    return bounds(drawn, corrected_values(pair, ACCURACY))


def _labelled(
    questions: int,
    level: float,
    rates: tuple[float, float],
    chances: tuple[float, float],
    sets: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Whether corrected intervals hold the truth, and how wide they are."""
    held, widths = [], []
    for batch in range(sets // BATCH):
        about = [SEED, 1, batch, questions, int(1000 * level), int(1000 * rates[1])]
        rng = generator([*about, int(1000 * chances[0])])
        right, accepted = simulate_judged(rng, questions, level, rates)
        labelled = draw_labels(rng, accepted, chances)
        low, high = corrected_ends(right, accepted, labelled, f"{SEED} {batch}")
        held.append((low <= level + 1e-9) & (level - 1e-9 <= high))
        widths.append(high - low)
    return np.concatenate(held), np.concatenate(widths)
