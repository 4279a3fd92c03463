"""The cheapest cells of the calibration of corrected values, on few data sets."""

import numpy as np
import pytest

from tests.bench.calibration import corrected, corrected_trec8
from tests.bench.calibration.simulated import ACCURACY, MRR


@pytest.mark.slow
def test_corrected_intervals_hold_the_truth_where_the_judge_does_not() -> None:
    """A lenient judge of a run that is right on half of the questions, 50 of 200 labelled."""
    held, width, alone = corrected._one_run(
        ACCURACY, 200, 50, 0.5, 0.0, corrected.JUDGES["lenient"], 200
    )
    assert np.mean(held) >= 0.9
    assert alone <= 0.2
    assert width < 0.27  # that of people alone on 50 questions


@pytest.mark.slow
def test_corrected_differences_hold_the_truth() -> None:
    held = corrected._difference(
        ACCURACY, 200, 50, (0.6, 0.4), 0.0, corrected.JUDGES["strict"], 200
    )
    assert np.mean(held) >= 0.9


@pytest.mark.slow
def test_trec8_with_people_on_50_of_198_questions() -> None:
    """By MRR the key judge alone misses people's value for about half of the 41 runs."""
    held, width, alone, raw = corrected_trec8.trial(MRR, 0)
    assert held >= 0.93
    assert raw <= 0.6
    assert width < 0.8 * alone
