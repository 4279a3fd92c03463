"""Coverage where questions count differently: by weights of their own, or by how labels were drawn.

And whether the answers that `pool` draws give corrected intervals as narrow as it foretells.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from qampaign.agreement.label_forecast import FirstAnswers
from qampaign.agreement.label_sample import plan
from qampaign.agreement.label_sample import rates as rates_of
from qampaign.measures.question_weights import weigh
from qampaign.measures.scoring import evaluate
from qampaign.studies.intervals import bounds
from qampaign.studies.rectification import Pair, corrected_draws, corrected_values
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import ACCURACY, Cell, share, simulate

SEED = 40961
BATCH = 100
"""Runs of one simulated collection; they are independent of each other, each a data set."""
STRATA = {"1 to 4": (1.6, 0.4), "1 to 9": (1.8, 0.2)}
"""Weights of the first half of the questions and of the second."""
AT_LEAST = {50: 0.92, 200: 0.93}
RATES = {"good": (0.95, 0.05), "lenient": (0.97, 0.25), "poor": (0.8, 0.4)}
"""How often a judge accepts right answers, and wrong ones."""
JUDGES_OF_POOLS = RATES | {"perfect": (1.0, 0.0), "strict": (0.75, 0.03)}
LEVELS = (0.1, 0.3, 0.6, 0.9)
POOLED = {300: (0.15, 0.2), 1000: (0.1, 0.15)}
"""Questions, and widths that are asked for."""
PROBABILITIES = {"twice as often": (0.2, 0.4), "four times as often": (0.15, 0.6)}
"""With which an accepted answer is labelled, and one that is not."""


def rows(*, short: bool) -> Iterator[Cell]:
    """Weights of questions; labels that were drawn with probabilities; the width of a pool."""
    sets = 300 if short else 1000
    for (name, weights), questions in ((w, n) for w in STRATA.items() for n in AT_LEAST):
        for level in (0.3, 0.8, 0.95):
            held = np.concatenate(
                [_weighted(weights, questions, level, batch) for batch in range(sets // BATCH)]
            )
            text = f"interval of accuracy, n = {questions}, weights as {name}, {level:g} right"
            yield Cell(text, *share(held), f">= {AT_LEAST[questions]}")
    for name, chances in PROBABILITIES.items():
        for judge, rates in RATES.items():
            for level in (0.3, 0.8):
                held, _ = _labelled(200, level, rates, chances, sets)
                text = (
                    f"corrected accuracy, n = 200, rejected answers labelled {name}, "
                    f"{judge} judge, {level:g} right"
                )
                yield Cell(text, *share(held), ">= 0.93")
    for questions, wanted in POOLED.items():
        for judge, errors in JUDGES_OF_POOLS.items():
            held_of_judge, ratios = [], []
            for level, width in ((level, width) for level in LEVELS for width in wanted):
                held, ratio = _pooled(questions, level, errors, width, sets // 2)
                held_of_judge.append(held)
                ratios.append((f"{level:g} right, width {width:g}", ratio - 1))
            text = f"pool, n = {questions}, {judge} judge"
            yield Cell(f"{text}, coverage", *share(np.concatenate(held_of_judge)), ">= 0.93")
            for word, worst, limit in (("widest", max, "<= 0.1"), ("narrowest", min, ">= -0.1")):
                name, ratio = worst(ratios, key=lambda one: float(one[1].mean()))
                what = f"width by that foretold, less 1, {word}: {name}"
                yield Cell(f"{text}, {what}", *share(ratio), limit)


def _weighted(weights: tuple[float, float], questions: int, level: float, batch: int) -> np.ndarray:
    """Whether intervals hold the accuracy over all questions, weighted, that there could be."""
    rng = np.random.default_rng([SEED, batch, questions, int(1000 * level)])
    made = simulate(rng, np.full(BATCH, level), questions, shared=0.0)
    own = np.repeat(weights, questions // 2)
    evidence = weigh(made, own)
    value = next(evaluate(evidence, [ACCURACY], np.ones((1, questions), dtype=np.uint8)))[:, 0]
    units = Units.of(evidence.questions, "group")
    drawn = weighted_values(evidence, [ACCURACY], units, seed=f"{SEED} {batch}", draws=1000)
    low, high = bounds(drawn[0].values, value)
    held: np.ndarray = (low <= level + 1e-9) & (level - 1e-9 <= high)
    return held


def _simulate(
    rng: np.random.Generator, questions: int, level: float, rates: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """By run and question, what is right, and what a judge accepts that errs."""
    right = rng.random((BATCH, questions)) < level
    return right, rng.random(right.shape) < np.where(right, *rates)


def _draw(
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


def _corrected(
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
        rng = np.random.default_rng([*about, int(1000 * chances[0])])
        right, accepted = _simulate(rng, questions, level, rates)
        labelled = _draw(rng, accepted, chances)
        low, high = _corrected(right, accepted, labelled, f"{SEED} {batch}")
        held.append((low <= level + 1e-9) & (level - 1e-9 <= high))
        widths.append(high - low)
    return np.concatenate(held), np.concatenate(widths)


def _pooled(
    questions: int, level: float, rates: tuple[float, float], width: float, sets: int
) -> tuple[np.ndarray, np.ndarray]:
    """Whether corrected intervals hold the truth, and their widths by that which was foretold.

    The pool knows how doubtful the judge is from 100 labels of another collection.
    """
    units = Units(pl.Series([f"question q{n}" for n in range(questions)]), np.arange(questions))
    held, ratios = [], []
    for batch in range(max(1, sets // BATCH)):
        about = [SEED, 2, batch, questions, int(1000 * level), int(1000 * width)]
        rng = np.random.default_rng([*about, int(1000 * rates[1])])
        right, accepted = _simulate(rng, questions, level, rates)
        before = _simulate(rng, 100, level, rates)
        foretold = np.empty(BATCH)
        labelled = np.empty(right.shape)
        for run in range(BATCH):
            seen = pl.DataFrame({"accepted": before[1][run], "right": before[0][run]})
            answers, doubt = _open_answers(accepted[run], rates_of(seen), units)
            shares, foretold[run] = plan(answers, doubt, width)
            labelled[run] = _draw(rng, accepted[run][None], (shares[0], shares[1]))[0]
        low, high = _corrected(right, accepted, labelled, f"{SEED} {batch}")
        held.append((low <= level + 1e-9) & (level - 1e-9 <= high))
        ratios.append((high - low) / foretold)
    return np.concatenate(held), np.concatenate(ratios)


def _open_answers(
    accepted: np.ndarray, right: np.ndarray, units: Units
) -> tuple[FirstAnswers, np.ndarray]:
    """A run of which nothing is labelled, and how doubtful the judge's verdicts are."""
    judge, variance = accepted[None] * 1.0, right * (1 - right)
    yes, no = right
    answers = FirstAnswers(
        judge=judge,
        people=no + (yes - no) * judge,
        doubt=variance[1] + (variance[0] - variance[1]) * judge,
        open=judge >= 0,
        labelled=judge < 0,
        weights=np.ones(len(accepted)),
        units=units,
    )
    return answers, np.sqrt(variance)
