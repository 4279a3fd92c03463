"""Cohen's kappa and its interval."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from qampaign.agreement.kappa import NORMAL_975, kappa

TABLES = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.integers(0, 40), min_size=k * k, max_size=k * k).map(
        lambda counts: np.array(counts, dtype=float).reshape(k, k)
    )
)


def kappa_of(shares: np.ndarray) -> float:
    expected = (shares.sum(axis=0) * shares.sum(axis=1)).sum()
    return (np.trace(shares) - expected) / (1 - expected)


def delta_method_error(table: np.ndarray) -> float:
    """The standard error of kappa from its numerical gradient and the multinomial covariance."""
    size, step = table.sum(), 1e-6
    shares = table / size
    gradient = np.zeros(table.shape)
    for cell in np.ndindex(*table.shape):
        up, down = shares.copy(), shares.copy()
        up[cell] += step
        down[cell] -= step
        gradient[cell] = (kappa_of(up) - kappa_of(down)) / (2 * step)
    mean = (shares * gradient).sum()
    return math.sqrt(max((shares * gradient**2).sum() - mean**2, 0) / size)


def test_by_hand() -> None:
    # of 50: observed 35/50 = .7, expected .6 * .5 + .4 * .5 = .5, so .2/.5; by Fleiss et al.
    # .4 * (.5 - .3*(.5+.6))**2 + .3 * (.5 - .3*(.5+.4))**2 = .01156 + .01587
    # .09 * (.1 * (.6+.5)**2 + .2 * (.4+.5)**2) = .02547; (.35 - 1 + .7)**2 = .0025
    # variance (.01156 + .01587 + .02547 - .0025) / (50 * .5**4) = .016128
    value, low, high = kappa(np.array([[20.0, 5], [10, 15]]))
    error = math.sqrt(0.016128)
    assert value == pytest.approx(0.4)
    assert (low, high) == pytest.approx((0.4 - 1.959964 * error, 0.4 + 1.959964 * error), abs=1e-6)


def test_full_agreement_is_1_without_doubt() -> None:
    assert [float(each) for each in kappa(np.array([[7.0, 0], [0, 3]]))] == [1, 1, 1]


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[9, 0], [0, 0]], [[0, 0], [0, 9]]])
def test_there_is_none_without_anything_to_differ_about(table: list) -> None:
    assert all(math.isnan(each) for each in kappa(np.array(table, dtype=float)))


@given(TABLES)
def test_it_is_that_of_scikit_learn(table: np.ndarray) -> None:
    said = [(i, j) for (i, j), count in np.ndenumerate(table.astype(int)) for _ in range(count)]
    value = float(kappa(table)[0])
    if not math.isnan(value):
        assert value == pytest.approx(cohen_kappa_score(*zip(*said, strict=True)))


@given(TABLES)
def test_the_interval_is_that_of_the_delta_method(table: np.ndarray) -> None:
    value, low, high = (float(each) for each in kappa(table))
    if not math.isnan(value):
        error = NORMAL_975 * delta_method_error(table)
        assert low == pytest.approx(max(value - error, -1), abs=1e-4)
        assert high == pytest.approx(min(value + error, 1), abs=1e-4)


def test_many_tables_at_once() -> None:
    tables = np.random.default_rng(1).integers(0, 9, (5, 3, 2, 2)).astype(float)
    tables[0, 0] = 0
    value, low, high = kappa(tables)
    assert value.shape == low.shape == high.shape == (5, 3)
    for place in np.ndindex(5, 3):
        alone = [float(each) for each in kappa(tables[place])]
        assert [value[place], low[place], high[place]] == pytest.approx(alone, nan_ok=True)
