"""Runs that answer a question several times: intervals, variances, and what more would bring.

A question has a chance of its own to be answered rightly, from a Beta distribution; each sample is
right with that chance. So the variance between questions is that of the distribution, and that
within them the mean of p (1 − p).
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.sample_variance import components
from qampaign.measures.scoring import evaluate
from qampaign.report.sections.samples import share_within, shrunk
from qampaign.studies.intervals import bounds
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import ACCURACY, Cell, generator, share

BATCH = 50
SHAPES = ((2.0, 2.0, "spread out"), (0.2, 0.2, "mostly all or nothing"), (30.0, 10.0, "alike"))
"""Shapes of the distribution of chances, and what its questions are."""


def rows(*, short: bool) -> Iterator[Cell]:
    sets = 200 if short else 1000
    for a, b, text in SHAPES:
        between, within = a * b / ((a + b) ** 2 * (a + b + 1)), a * b / ((a + b) * (a + b + 1))
        for questions, samples in ((40, 3),) if short else ((20, 2), (40, 3), (200, 5)):
            name = f"{questions} questions that are {text}, {samples} samples"
            held: list[bool] = []
            found, foretold, seen = [], [], []
            for batch in range(sets // BATCH):
                rng = generator([batch, questions, samples, int(10 * a)])
                few, low, high = studied(rng, (a, b), questions, samples)
                _, *more = studied(rng, (a, b), questions, 4 * samples)
                _, *many = studied(rng, (a, b), 2 * questions, samples)
                true = a / (a + b)
                held += ((low <= true) & (true <= high)).tolist()
                found += [components(own, np.ones(own.shape, dtype=bool)) for own in few]
                foretold += list(predicted(found[-BATCH:], (high - low) / 2, questions))
                seen += [((most - least) / 2).tolist() for least, most in (more, many)]
            yield Cell(f"interval of accuracy, {name}", *share(held), ">= 0.915")
            _, estimates, inside = np.array(found).T
            error = estimates - between
            yield Cell(f"bias of between, {name}", *_apart(error / (between + within / samples)))
            yield Cell(f"bias of within, {name}", *_apart(inside / within - 1))
            ahead = np.array(foretold)
            actual = [np.concatenate(seen[which::2]) for which in (0, 1)]
            for which, what in enumerate(("4 times the samples", "twice the questions")):
                ratio = ahead[:, which].mean() / actual[which].mean()
                error = ahead[:, which].std() / ahead[:, which].mean() / len(ahead) ** 0.5
                text_of = f"foretold half-width with {what} by that found, less 1, {name}"
                yield Cell(text_of, abs(float(ratio) - 1), float(error), "<= 0.1")


def _apart(errors: Array) -> tuple[float, float, str]:
    """How far a mean is from 0, its Monte Carlo error, and its limit."""
    mean, error = share(errors)
    return abs(mean), error, "<= 0.01"


def predicted(
    found: list[tuple[float, float, float]], half: Array, questions: int
) -> Iterator[tuple[float, float]]:
    """Half the interval of each run with four times the samples, and with twice the questions."""
    for (samples, _, within), own in zip(found, half, strict=True):
        row = {"samples": samples, "within": within, "questions": questions}
        part = share_within(row, own, questions=questions, units=questions)
        yield shrunk(own, part, samples=4), shrunk(own, part, questions=2)


def studied(
    rng: np.random.Generator, shape: tuple[float, float], questions: int, samples: int
) -> tuple[Array, Array, Array]:
    """What runs get right by run, question and sample, and the intervals of their accuracy."""
    chance = rng.beta(*shape, (BATCH, questions))
    right = (rng.random((BATCH, questions, samples)) < chance[:, :, None]).astype(float)
    evidence = Evidence(
        pl.DataFrame(
            {"run": [f"r{n}" for n in range(BATCH)], "kind": "submitted", "assessed": True}
        ),
        pl.DataFrame(
            {
                "question": [f"q{n}" for n in range(questions)],
                "type": pl.Series([None] * questions, dtype=pl.String),
                "group": pl.Series([None] * questions, dtype=pl.String),
            }
        ),
        {"correct": right.mean(axis=2), "questions": np.ones((BATCH, questions), dtype=np.uint8)},
    )
    units = Units.of(evidence.questions, "group")
    value = next(evaluate(evidence, [ACCURACY], np.ones((1, questions), dtype=np.uint8)))[:, 0]
    seed = f"calibration {rng.integers(10**9)}"
    drawn = weighted_values(evidence, [ACCURACY], units, seed=seed)[0].values
    low, high = bounds(drawn, value)
    return right, low, high
