"""The cheapest cells of the calibration: what the intervals promise, on few data sets."""

import numpy as np
import pytest

from tests.bench.calibration.agreement import kappa_hits, tau_hits


@pytest.mark.slow
def test_intervals_of_kappa_hold_the_true_one() -> None:
    """In 40 of 45 data sets or more."""
    rng = np.random.default_rng(1)
    shares = [kappa_hits(rng, "kappa", 50, 5, 0.5, False, 0.15, True) for _ in range(9)]
    assert np.mean(shares) >= 40 / 45


@pytest.mark.exhaustive
@pytest.mark.slow
def test_intervals_of_tau_hold_the_true_one() -> None:
    """Where draws of questions alone never do: two measures that rank 40 runs alike in truth."""
    rng = np.random.default_rng(2)
    hits = [tau_hits(rng, 40, 0.7, 50, False) for _ in range(2)]
    assert np.mean([each["MRR by the same judge"] for each in hits]) >= 0.8
    assert np.mean([each["accuracy by a good judge"] for each in hits]) >= 0.8
