"""Every measure against its formula in plain Python, from rows to values, on collections by chance."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from qampaign.measures import MEASURES
from tests.helpers.cases import first
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import Rows, configured
from tests.measures.transcriptions import TRANSCRIBED, look


def transcribed(name: str, options: dict[str, Any], rows: Rows, run: str) -> float | None:
    if name in ("brier", "calibration_error") and rows.validation:
        options = options | {"validation": True}
    return TRANSCRIBED[name](look(rows, run), **options)


def compare(rows: Rows, variants: list[tuple[str, dict[str, Any]]]) -> None:
    """All runs, all measures."""
    measures = [configured(name, options) for name, options in variants]
    evidence = rows.evidence(*measures)
    every = np.ones((1, evidence.questions.height))
    for measure, variant in zip(measures, variants, strict=True):
        found = measure.values(evidence, every)[:, 0]
        for run, number in zip(evidence.runs["run"], found, strict=True):
            expected = transcribed(*variant, rows, run)
            value = None if np.isnan(number) else number
            shown = f"{named(variant)} of run {run}: {value}, by hand {expected}\n{rows}"
            assert (value is None) == (expected is None), shown
            assert value is None or value == pytest.approx(expected, abs=1e-12), shown


def test_every_measure_has_a_transcription_and_is_compared() -> None:
    assert set(MEASURES) == set(TRANSCRIBED)
    assert set(MEASURES) == {name for name, _ in ANSWERING + VALIDATION}


@pytest.mark.parametrize("seed", first(20, range(60)))
def test_answers_from_rows_to_values(seed: int) -> None:
    compare(answering(Random(seed)), ANSWERING)


@pytest.mark.parametrize("seed", first(14, range(40)))
def test_validation_from_rows_to_values(seed: int) -> None:
    compare(validation(Random(seed)), VALIDATION)


@pytest.mark.parametrize("how", ["minmax", "logistic", "rank"])
@pytest.mark.parametrize("seed", first(1, range(4)))
def test_mapped_confidences(seed: int, how: str) -> None:
    compare(replace(answering(Random(seed)), confidence_map=how), ANSWERING)
    compare(replace(validation(Random(seed)), confidence_map=how), VALIDATION)
