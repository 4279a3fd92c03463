"""Coverage of scores that people's labels correct: of one run, and of the difference of two.

A judge accepts right answers with one chance and wrong ones with another; people have labelled a
random part of the questions.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from qampaign.measures.scoring import Configured
from qampaign.studies.intervals import bounds
from qampaign.studies.rectification import (
    Pair,
    corrected_draws,
    corrected_resamples,
    corrected_values,
    difference_bounds,
)
from qampaign.studies.units import Units
from tests.bench.calibration.simulated import ACCURACY, C_AT_1, Cell, generator, share

SIZES = {(200, 30): 0.92, (200, 50): 0.93, (200, 100): 0.93, (1000, 100): 0.93}
"""Questions and labelled ones, each with the least coverage in a cell."""
JUDGES = {"good": (0.95, 0.05), "lenient": (0.97, 0.25), "strict": (0.75, 0.03), "poor": (0.8, 0.4)}
"""How often a judge accepts right answers, and wrong ones."""
LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)
BATCH = 100
SEED = 71103
"""Another one than that of the cells on which the method was settled."""


def rows(*, short: bool) -> Iterator[Cell]:
    """Coverage by size, judge and level; of one run, then of differences."""
    sets = 500 if short else 1000
    for (questions, labelled), least in SIZES.items():
        if short and (questions, labelled) not in ((200, 50),):
            continue
        held_of_size, widths, judge_alone = [], [], []
        differences = []
        for measure, silence in ((ACCURACY, 0.0), (C_AT_1, 0.2)):
            for judge, rates in JUDGES.items():
                for level in LEVELS:
                    held, width, raw = _one_run(
                        measure, questions, labelled, level, silence, rates, sets
                    )
                    of = f"{measure.name}, {judge} judge, {level:g} right"
                    held_of_size.append((of, held))
                    widths.append(width)
                    judge_alone.append(raw)
                for levels in ((0.5, 0.5), (0.6, 0.4), (0.9, 0.8)):
                    held = _difference(measure, questions, labelled, levels, silence, rates, sets)
                    of = f"{measure.name}, {judge} judge, {levels[0]:g} and {levels[1]:g} right"
                    differences.append((of, held))
        size = f"n = {questions}, {labelled} labelled"
        for what, cells, at_least in (
            ("corrected", held_of_size, least),
            ("corrected difference", differences, least),
        ):
            yield from _summary(what, size, cells, at_least)
        yield Cell(f"width of corrected intervals, {size}", float(np.mean(widths)), 0.0, "")
        yield Cell(f"coverage by the judge alone, {size}", float(np.nanmean(judge_alone)), 0.0, "")


def _summary(
    what: str, size: str, cells: list[tuple[str, np.ndarray]], least: float
) -> Iterator[Cell]:
    """The mean over the cells, and the worst of them."""
    figures = [share(held) for _, held in cells]
    mean = float(np.mean([figure for figure, _ in figures]))
    error = float(np.mean([error for _, error in figures]) / len(figures) ** 0.5)
    yield Cell(f"{what}, {size}, mean of {len(cells)} cells", mean, error, ">= 0.94")
    worst = int(np.argmin([figure for figure, _ in figures]))
    yield Cell(f"{what}, {size}, worst: {cells[worst][0]}", *figures[worst], f">= {least}")


def _simulate(
    rng: np.random.Generator,
    right: np.ndarray,
    silent: np.ndarray,
    rates: tuple[float, float],
    labelled: int,
) -> Pair:
    """Runs (rows) that are right where `right` is, by people and by a judge that errs."""
    accepted = rng.random(right.shape) < np.where(right, *rates)
    number = right.shape[1]
    chosen = np.zeros(right.shape)
    chosen[:, :labelled] = 1  # questions are alike: the first are as good a sample as any
    units = Units(pl.Series([f"question q{n}" for n in range(number)]), np.arange(number))
    common = {"questions": np.ones(right.shape), "unanswered": silent.astype(float)}
    people, judge = (
        {"correct": (each & ~silent).astype(float)} | common for each in (right, accepted)
    )
    return Pair(people, judge, chosen, units)


def _truth(measure: Configured, level: float, silence: float) -> float:
    correct = level * (1 - silence)
    return correct * (1 + silence) if measure is C_AT_1 else correct


def _one_run(
    measure: Configured,
    questions: int,
    labelled: int,
    level: float,
    silence: float,
    rates: tuple[float, float],
    sets: int,
) -> tuple[np.ndarray, float, float]:
    """Whether intervals hold the truth, their mean width, how often those of the judge would."""
    held, widths, alone = [], [], []
    true = _truth(measure, level, silence)
    for batch in range(sets // BATCH):
        about = [SEED, batch, questions, labelled, int(1000 * level), int(1000 * rates[1])]
        rng = generator(about)
        right = rng.random((BATCH, questions)) < level
        silent = rng.random((BATCH, questions)) < silence
        pair = _simulate(rng, right, silent, rates, labelled)
        low, high = bounds(
            corrected_draws(pair, measure, seed=f"{SEED} {batch}", draws=1000),
            corrected_values(pair, measure),
        )
        held += list((low <= true + 1e-9) & (true - 1e-9 <= high))
        widths.append(high - low)
        raw = pair.judge["correct"].mean(axis=1)
        if measure is ACCURACY:
            error = 1.96 * np.sqrt(raw * (1 - raw) / questions)
            alone += list(np.abs(raw - true) <= error)
    return np.array(held), float(np.mean(widths)), float(np.mean(alone)) if alone else np.nan


def _difference(
    measure: Configured,
    questions: int,
    labelled: int,
    levels: tuple[float, float],
    silence: float,
    rates: tuple[float, float],
    sets: int,
) -> np.ndarray:
    """Whether intervals of a difference hold the truth: runs share what is hard."""
    from scipy import special

    held = []
    true = _truth(measure, levels[0], silence) - _truth(measure, levels[1], silence)
    for batch in range(sets // BATCH):
        about = [SEED, 1, batch, questions, labelled, int(1000 * levels[0]), int(1000 * rates[1])]
        rng = generator(about)
        shared = np.repeat(rng.standard_normal((BATCH, questions)), 2, axis=0)
        noise = np.sqrt(0.5) * (shared + rng.standard_normal((2 * BATCH, questions)))
        right = noise < special.ndtri(np.tile(levels, BATCH))[:, None]
        silent = rng.random((2 * BATCH, questions)) < silence
        pair = _simulate(rng, right, silent, rates, labelled)
        drawn = corrected_resamples(pair, measure, seed=f"{SEED} {batch}", draws=1000)
        low, high = difference_bounds(drawn[::2], drawn[1::2], labelled)
        held += list((low <= true + 1e-9) & (true - 1e-9 <= high))
    return np.array(held)
