"""Runs of the same value, of which one answers, accepts or rates less often than the other.

Then it matters which of them gave which answer, and an exchange of answers alone is no test of the
value: it would call such runs different in up to half of the cases.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy import special

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate
from qampaign.studies.exchange import LEVEL, Exchange, Tested, all_pairs
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import Cell, generator, share

DRAWS = 999
PRECISION = Configured("precision_answered", "precision_answered", {})
HALLUCINATION = Configured("hallucination_rate", "hallucination_rate", {})
BRIER = Configured("brier", "brier", {})
OF_ACCEPTED = Configured("precision", "precision", {})
OF_BOTH = Configured("f", "f", {})
CORRELATION = Configured("confidence_correlation", "confidence_correlation", {})
AURC = Configured("risk_coverage", "risk_coverage", {})
AUGRC = Configured("augrc", "augrc", {})

Columns = dict[str, np.ndarray]


class Design(NamedTuple):
    """Equal runs, as columns of evidence by run and question."""

    name: str
    measure: Configured
    columns: Callable[[np.random.Generator], Columns]


def answering(questions: int, coverage: tuple[float, ...], precision: float = 0.5) -> Design:
    """Runs that are equally precise and answer different shares of the questions."""

    def columns(rng: np.random.Generator) -> Columns:
        answered = rng.random((len(coverage), questions)) < np.array(coverage)[:, None]
        hard = np.sqrt(0.5) * rng.standard_normal(questions)
        noise = hard + np.sqrt(0.5) * rng.standard_normal(answered.shape)
        right = noise < special.ndtri(precision)
        return {
            "correct": right & answered,
            "wrong": ~right & answered,
            "unanswered": ~answered,
        }

    shares = " and ".join(f"{part:.0%}" for part in coverage)
    shares = shares if len(coverage) == 2 else f"{min(coverage):.0%} to {max(coverage):.0%}"
    name = f"precision {precision:g} of {shares} answered, n = {questions}"
    return Design(name, PRECISION, columns)


def hallucinating(questions: int) -> Design:
    """Runs right on 90% and on 20%, that answer half of the rest wrongly."""

    def columns(rng: np.random.Generator) -> Columns:
        right = rng.random((2, questions)) < [[0.9], [0.2]]
        wrong = ~right & (rng.random((2, questions)) < 0.5)
        return {"correct": right, "wrong": wrong, "unanswered": ~right & ~wrong}

    return Design(
        f"hallucination rate, accuracy .9 and .2, n = {questions}", HALLUCINATION, columns
    )


def rating(questions: int, coverage: float, measure: Configured) -> Design:
    """Calibrated runs, of which one gives a confidence for fewer answers."""

    def columns(rng: np.random.Generator) -> Columns:
        answered = rng.random((2, questions)) < [[1.0], [coverage]]
        confidence = rng.beta(2, 2, (2, questions))
        right = (rng.random((2, questions)) < confidence) & answered
        rated = np.where(answered, confidence, 0.0)
        return {
            "correct": right,
            "wrong": answered & ~right,
            "unanswered": ~answered,
            "confidence_order": np.where(answered, confidence, np.nan),
            "squared_errors": np.where(answered, (confidence - right) ** 2, 0.0),
            "rated_answers": answered.astype(float),
            "answers": answered.astype(float),
            "confidences": rated,
            "squared_confidences": rated**2,
            "raw_squares": rated**2,
            "right_answers": right.astype(float),
            "right_confidences": rated * right,
        }

    label = measure.declared.label
    return Design(f"{label}, 100% and {coverage:.0%} rated, n = {questions}", measure, columns)


def accepting(questions: int, measure: Configured, recall: float, fallout: float) -> Design:
    """Of items of which 30% are right, one run accepts all, the other these shares of both kinds."""

    def columns(rng: np.random.Generator) -> Columns:
        right = rng.random(questions) < 0.3
        some = np.where(right, rng.random(questions) < recall, rng.random(questions) < fallout)
        accepted = np.array([np.ones(questions, dtype=bool), some])
        return {
            "correct": accepted == right,
            "tp": accepted & right,
            "fp": accepted & ~right,
            "fn": ~accepted & right,
            "tn": ~accepted & ~right,
        }

    label = measure.declared.label
    return Design(f"{label} of a run that accepts all, n = {questions}", measure, columns)


MANY = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
DESIGNS = [
    answering(100, (1.0, 0.1)),
    answering(200, MANY),
    rating(100, 0.2, BRIER),
    answering(30, (1.0, 0.2)),
    answering(30, (1.0, 0.05)),
    answering(100, (1.0, 0.05)),
    answering(100, (1.0, 0.1), 0.9),
    answering(200, (1.0, 0.05)),
    answering(50, MANY),
    hallucinating(30),
    hallucinating(200),
    rating(30, 0.2, BRIER),
    rating(200, 0.1, BRIER),
    accepting(30, OF_ACCEPTED, 0.1, 0.1),
    accepting(200, OF_ACCEPTED, 0.1, 0.1),
    accepting(30, OF_BOTH, 0.4, 1 / 7),  # 2 · .12 / (.12 + .1 + .3) = 2 · .3 / 1.3
    accepting(200, OF_BOTH, 0.4, 1 / 7),
    rating(100, 0.2, CORRELATION),
    rating(100, 1.0, CORRELATION),
    rating(100, 0.2, AURC),
    rating(200, 0.2, AURC),
    rating(100, 0.2, AUGRC),
    rating(200, 0.2, AUGRC),
]


def rows(*, short: bool) -> Iterator[Cell]:
    """Wrong claims where runs are equal, and whether the intervals of all pairs hold."""
    sets = 500 if short else 2000
    for number, design in enumerate(DESIGNS[:3] if short else DESIGNS):
        wrong, inside = [], []
        for tested in _tests(design, sets, number):
            wrong.append(bool((tested.adjusted <= LEVEL + 1e-9).any()))
            inside.append(bool((np.abs(tested.difference) <= tested.margin + 1e-9).all()))
        yield Cell(f"a wrong claim, {design.name}", *share(wrong), "<= 0.06")
        yield Cell(f"all simultaneous intervals hold, {design.name}", *share(inside), ">= 0.94")


def _tests(design: Design, sets: int, seed: int) -> Iterator[Tested]:
    """What the test says of simulated collections in which every run has a value."""
    found = 0
    for data in count():
        evidence = _evidence(design.columns(generator([77, seed, data])))
        everything = np.ones((1, evidence.questions.height), dtype=np.uint8)
        values = next(iter(evaluate(evidence, [design.measure], everything)))[:, 0]
        if np.isnan(values).any():
            continue
        units = Units.of(evidence.questions, "group")
        (drawn,) = weighted_values(evidence, [design.measure], units, seed=f"{data}", draws=500)
        exchange = Exchange(evidence, units, seed=f"{seed} {data}", draws=DRAWS)
        yield exchange.test(design.measure, values, all_pairs(np.arange(len(values))), drawn)
        found += 1
        if found == sets:
            return


def _evidence(columns: Columns) -> Evidence:
    runs, questions = columns["correct"].shape
    nothing = pl.Series([None] * questions, dtype=pl.String)
    return Evidence(
        pl.DataFrame(
            {"run": [f"run{n:02}" for n in range(runs)], "kind": "submitted"}
        ).with_columns(assessed=pl.lit(True)),
        pl.DataFrame(
            {"question": [f"q{n}" for n in range(questions)], "type": nothing, "group": nothing}
        ),
        {
            "questions": np.ones((runs, questions)),
            **{
                name: column.astype(np.uint8) if column.dtype == bool else column
                for name, column in columns.items()
            },
        },
    )
