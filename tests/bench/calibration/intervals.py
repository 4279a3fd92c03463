"""Coverage: how often does a 95% interval hold the value over all questions there could be?"""

from collections.abc import Iterator

import numpy as np
import polars as pl
from scipy import special

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate
from qampaign.studies.intervals import bounds
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import (
    ACCURACY,
    AUC,
    C_AT_1,
    K1,
    MRR,
    Cell,
    F,
    Groups,
    generator,
    share,
    simulate,
    truth,
)

LEVELS = (0.05, 0.3, 0.5, 0.8, 0.95)
AT_LEAST = {10: 0.915, 20: 0.915, 50: 0.925, 200: 0.93}
"""The least coverage that is attainable in a cell, by the number of questions (STATISTICS below)."""
BATCH = 100


def rows(*, short: bool) -> Iterator[Cell]:
    """Coverage by measure, number of questions and level; then of differences."""
    sets = 1000 if short else 3000
    sizes = (20, 200) if short else tuple(AT_LEAST)
    for questions in sizes:
        of_size = []
        for measure in (ACCURACY, C_AT_1, MRR, K1):
            silence = 0.2 if measure is C_AT_1 else 0.0
            for level in LEVELS:
                quality = np.array([level])
                held = [
                    hit
                    for batch in range(sets // BATCH)
                    for hit in _held(measure, questions, quality, silence, None, batch)
                ]
                name = f"interval of {measure.name}, n = {questions}, {level:g} right"
                of_size.append(Cell(name, *share(held), f">= {AT_LEAST[questions]}"))
        yield from of_size
        mean = float(np.mean([cell.figure for cell in of_size]))
        error = float(np.mean([cell.error for cell in of_size]) / len(of_size) ** 0.5)
        yield Cell(f"interval, n = {questions}, mean of these", mean, error, ">= 0.945")
    for groups, text in GROUPED[: 2 if short else None]:
        for level in (0.3, 0.8, 0.95):
            held = [
                hit
                for batch in range(sets // BATCH)
                for hit in _held(ACCURACY, 0, np.array([level]), 0.0, groups, batch)
            ]
            yield Cell(f"interval of accuracy, {text}, {level:g} right", *share(held), ">= 0.91")
    for questions in (50,) if short else (20, 50, 200):
        for measure, level in ((F, 0.5), (F, 0.8), (AUC, 0.7), (AUC, 0.9)):
            held = [
                hit
                for batch in range(sets // BATCH)
                for hit in _held_validation(measure, questions, level, batch)
            ]
            name = f"interval of {measure.name}, n = {questions}, separation {level:g}"
            yield Cell(name, *share(held), f">= {AT_LEAST[questions]}")
    yield from _differences(sets, sizes)


GROUPED = [
    (Groups(20, (5,)), "20 groups of 5"),
    (Groups(20, (1, 2, 3, 6, 13)), "20 groups of 1 to 13"),
    (Groups(4, (5,)), "4 groups of 5"),
    (Groups(40, (5,), 0.2), "40 groups of 5, correlation .2"),
]


def _held(
    measure: Configured,
    questions: int,
    quality: np.ndarray,
    silence: float,
    groups: Groups | None,
    batch: int,
) -> np.ndarray:
    """Whether intervals hold the truth: independent data sets, each a run of its own."""
    rng = generator([batch, questions, int(1000 * quality[0])])
    evidence = simulate(
        rng, np.repeat(quality, BATCH), questions, groups=groups, silence=silence, shared=0.0
    )
    return _inside(evidence, measure, truth(measure, quality, silence)[0], batch)


def _inside(evidence: Evidence, measure: Configured, true: float, batch: int) -> np.ndarray:
    units = Units.of(evidence.questions, "group")
    everything = np.ones((1, evidence.questions.height), dtype=np.uint8)
    value = next(evaluate(evidence, [measure], everything))[:, 0]
    drawn = weighted_values(evidence, [measure], units, seed=f"calibration {batch}")[0].values
    low, high = bounds(drawn, value)
    known = ~np.isnan(value)
    held: np.ndarray = (low[known] <= true + 1e-9) & (true - 1e-9 <= high[known])
    return held


def _held_validation(
    measure: Configured, questions: int, separation: float, batch: int
) -> np.ndarray:
    """Items of which a third are right; scores of right ones are higher by a normal distance."""
    rng = generator([batch, questions, int(1000 * separation), 7])
    distance = np.sqrt(2) * special.ndtri(separation)
    positive = rng.random((1, questions)) < 1 / 3
    positive = (
        np.repeat(positive, BATCH, axis=0)
        if measure is AUC
        else (rng.random((BATCH, questions)) < 1 / 3)
    )
    score = rng.standard_normal((BATCH, questions)) + distance * positive
    said = score > distance / 2
    columns = {"tp": said & positive, "fp": said & ~positive, "positive": positive}
    columns["questions"] = np.ones_like(positive)
    fn = ~said & positive
    rate = float(special.ndtr(distance / 2))  # of right items accepted, and of wrong ones rejected
    true_f = 2 * rate / 3 / (2 * rate / 3 + 2 / 3 * (1 - rate) + (1 - rate) / 3)
    evidence = Evidence(
        pl.DataFrame(
            {"run": [f"r{n}" for n in range(BATCH)], "kind": "submitted", "assessed": True}
        ),
        pl.DataFrame(
            {
                "question": [f"q{n}" for n in range(questions)],
                "type": pl.Series([None] * questions, dtype=pl.String),
            }
        ),
        {name: column.astype(np.uint8) for name, column in columns.items()}
        | {'fn {"unanswered": "no"}': fn.astype(np.uint8), "score_order": score},
    )
    return _inside(evidence, measure, separation if measure is AUC else true_f, batch)


def _differences(sets: int, sizes: tuple[int, ...]) -> Iterator[Cell]:
    """Coverage of the interval of a difference of two runs."""
    for questions in sizes:
        for measure in (ACCURACY, C_AT_1):
            silence = 0.2 if measure is C_AT_1 else 0.0
            for levels in ((0.5, 0.5), (0.6, 0.4), (0.9, 0.8), (0.98, 0.95)):
                true = float(np.subtract(*truth(measure, np.array(levels), silence)))
                held: list[bool] = []
                for batch in range(sets // BATCH):
                    held += _differences_held(measure, questions, levels, silence, true, batch)
                name = f"interval of a difference in {measure.name}, n = {questions}, "
                name += f"{levels[0]:g} and {levels[1]:g} right"
                yield Cell(name, *share(held), f">= {AT_LEAST[questions]}")


def _differences_held(
    measure: Configured,
    questions: int,
    levels: tuple[float, float],
    silence: float,
    true: float,
    batch: int,
) -> list[bool]:
    rng = generator([batch, questions, int(1000 * levels[0]), 11])
    sides = [simulate(rng, np.array(levels), questions, silence=silence) for _ in range(BATCH)]
    columns = {
        name: np.concatenate([side.columns[name] for side in sides]) for name in sides[0].columns
    }
    evidence = Evidence(
        pl.DataFrame(
            {"run": [f"r{n}" for n in range(2 * BATCH)], "kind": "submitted", "assessed": True}
        ),
        sides[0].questions,
        columns,
    )
    units = Units.of(evidence.questions, "group")
    value = next(evaluate(evidence, [measure], np.ones((1, questions), dtype=np.uint8)))[:, 0]
    drawn = weighted_values(evidence, [measure], units, seed=f"calibration {batch}")[0]
    low, high = bounds(drawn.values[::2] - drawn.exchanged[1::2], value[::2] - value[1::2])
    return ((low <= true + 1e-9) & (true - 1e-9 <= high)).tolist()
