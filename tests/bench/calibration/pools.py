"""Whether the answers that `pool` draws give corrected intervals as narrow as it foretells."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from qampaign.agreement.label_forecast import FirstAnswers
from qampaign.agreement.label_sample import plan
from qampaign.agreement.label_sample import rates as rates_of
from qampaign.studies.units import Units
from tests.bench.calibration.simulated import Cell, generator, share
from tests.bench.calibration.weights import (
    BATCH,
    RATES,
    corrected_ends,
    draw_labels,
    simulate_judged,
)

SEED = 51787
JUDGES_OF_POOLS = RATES | {"perfect": (1.0, 0.0), "strict": (0.75, 0.03)}
LEVELS = (0.1, 0.6, 0.9)
POOLED = {300: 0.15, 1000: 0.1}
"""Questions, and the width that is asked for."""


def rows(*, short: bool) -> Iterator[Cell]:
    """Coverage, and the widest and the narrowest intervals by what was foretold, by judge."""
    for questions, width in POOLED.items():
        for judge, errors in JUDGES_OF_POOLS.items():
            held_of_judge, ratios = [], []
            for level in LEVELS:
                held, ratio = foretell(questions, level, errors, width, 1 if short else 2)
                held_of_judge.append(held)
                ratios.append((f"{level:g} right", ratio - 1))
            text = f"pool for a width of {width:g}, n = {questions}, {judge} judge"
            yield Cell(f"{text}, coverage", *share(np.concatenate(held_of_judge)), ">= 0.93")
            for word, worst, limit in (("widest", max, "<= 0.1"), ("narrowest", min, ">= -0.1")):
                name, ratio = worst(ratios, key=lambda one: float(one[1].mean()))
                what = f"width by that foretold, less 1, {word}: {name}"
                yield Cell(f"{text}, {what}", *share(ratio), limit)


def foretell(
    questions: int, level: float, rates: tuple[float, float], width: float, batches: int
) -> tuple[np.ndarray, np.ndarray]:
    """Whether corrected intervals hold the truth, and their widths by that which was foretold.

    The pool knows how doubtful the judge is from 100 labels of another collection.
    """
    units = Units(pl.Series([f"question q{n}" for n in range(questions)]), np.arange(questions))
    held, ratios = [], []
    for batch in range(batches):
        about = [SEED, 2, batch, questions, int(1000 * level), int(1000 * width)]
        rng = generator([*about, int(1000 * rates[1])])
        right, accepted = simulate_judged(rng, questions, level, rates)
        before = simulate_judged(rng, 100, level, rates)
        foretold = np.empty(BATCH)
        labelled = np.empty(right.shape)
        for run in range(BATCH):
            seen = pl.DataFrame({"accepted": before[1][run], "right": before[0][run]})
            answers, doubt = _open_answers(accepted[run], rates_of(seen), units)
            shares, foretold[run] = plan(answers, doubt, width)
            labelled[run] = draw_labels(rng, accepted[run][None], (shares[0], shares[1]))[0]
        low, high = corrected_ends(right, accepted, labelled, f"{SEED} {batch}")
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
