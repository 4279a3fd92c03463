"""Does the test that runs share a judge's rates keep its level, where they share the questions?"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from qampaign.agreement.fairness import homogeneity
from qampaign.studies.resampling import key
from tests.bench.calibration.simulated import Cell, generator

HIT, ALARM = 0.85, 0.12
"""The rates that runs share, on average over questions."""


def rows(*, short: bool) -> Iterator[Cell]:
    """Level under equal rates, and power where one run has another rate of false alarms."""
    trials = 200 if short else 1_000
    cells = [(3, 50, 1), (3, 200, 1), (10, 50, 1), (10, 200, 1), (10, 50, 5), (40, 50, 1)]
    for runs, units, ranks in cells[:3] if short else cells:
        name = f"homogeneous rates, {runs} runs, {units} questions, {ranks} answers to each"
        yield _rejected(name, trials, runs, units, ranks, 0.0)
    for runs, units in ((3, 50), (3, 200), (10, 200)):
        name = f"power: a run with 20 points more false alarms, {runs} runs, {units} questions"
        yield _rejected(name, trials, runs, units, 1, 0.2)


def _rejected(name: str, trials: int, runs: int, units: int, ranks: int, more: float) -> Cell:
    rng = generator([runs, units, ranks])
    reached = np.mean([_p(rng, runs, units, ranks, more, trial) <= 0.05 for trial in range(trials)])
    error = float(np.sqrt(max(reached * (1 - reached), 1 / trials) / trials))
    return Cell(name, float(reached), error, "" if more else "<= 0.06")


def _p(
    rng: np.random.Generator, runs: int, units: int, ranks: int, more: float, trial: int
) -> float:
    """The p-value of one simulated campaign; 1 where there is none.

    Questions differ in how hard they are to answer, and in how hard answers to them are to judge;
    the answers of a run to a question have something in common.
    """
    hard, unclear = rng.normal(0, 1.2, units), rng.normal(0, 1.0, units)
    shape = (runs, units, ranks)
    common = rng.normal(0, 0.7, (runs, units, 1))
    able = rng.normal(0, 0.7, (runs, 1, 1))
    right = rng.random(shape) < _logistic(able - hard[:, None])
    log_odds = np.where(right, _logit(HIT) - unclear[:, None], _logit(ALARM) + unclear[:, None])
    accepted = _logistic(log_odds + common)
    accepted[0] += np.where(right[0], 0, more)
    said = rng.random(shape) < accepted
    run, unit, _ = np.indices(shape)
    pairs = pl.DataFrame(
        {
            "run": run.ravel(),
            "unit": unit.ravel().astype(np.uint32),
            "right": right.ravel(),
            "accepted": said.ravel(),
        }
    )
    p = homogeneity(pairs, key(trial), draws=399)
    return 1.0 if p is None else p


def _logistic(value: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-value))


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))
