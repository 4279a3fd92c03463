"""Cohen's kappa, Krippendorff's alpha, and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t
from sklearn.metrics import cohen_kappa_score

from qampaign.agreement.kappa import (
    alpha,
    interval,
    kappa,
    kappa_gradient,
    smooth_alpha,
    smooth_kappa,
    student,
)

CELLS = st.lists(st.integers(0, 40), min_size=4, max_size=4).map(
    lambda counts: np.array(counts, dtype=float)
)
UNITS = st.lists(
    st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any), min_size=2, max_size=12
).map(lambda rows: np.array(rows, dtype=float))


def numerical_gradient(figure, sums: np.ndarray) -> np.ndarray:
    step = 1e-5
    return np.array([(figure(sums + step * e) - figure(sums - step * e)) / (2 * step)
                     for e in np.eye(len(sums))])  # fmt: skip


def interval_of(units: np.ndarray) -> tuple[float, float, float]:
    """Kappa and its interval from counts by unit, as the library puts it together."""
    cells, number = units.sum(axis=0), np.array(len(units))
    smoothed = smooth_kappa(cells, number)
    ends = interval(kappa(cells), smoothed, ((units @ smoothed.gradient) ** 2).sum(), number)
    return float(kappa(cells)), float(ends[0]), float(ends[1])


def test_by_hand() -> None:
    # of 50: observed 35/50 = .7, expected .6 * .5 + .4 * .5 = .5, so .2/.5
    assert kappa(np.array([20.0, 5, 10, 15])) == pytest.approx(0.4)


@pytest.mark.parametrize("cells", [[0, 0, 0, 0], [9, 0, 0, 0], [0, 0, 0, 9]])
def test_there_is_none_without_anything_to_differ_about(cells: list) -> None:
    counts, number = np.array(cells, dtype=float), np.array(3)
    assert math.isnan(kappa(counts))
    ends = interval(kappa(counts), smooth_kappa(counts, number), np.array(1.0), number)
    assert all(math.isnan(each) for each in ends)


@given(CELLS)
def test_it_is_that_of_scikit_learn(cells: np.ndarray) -> None:
    said = [
        pair
        for pair, count in zip([(1, 1), (1, 0), (0, 1), (0, 0)], cells.astype(int), strict=True)
        for _ in range(count)
    ]
    if not math.isnan(kappa(cells)):
        assert kappa(cells) == pytest.approx(cohen_kappa_score(*zip(*said, strict=True)))


@given(CELLS)
def test_the_gradient_is_what_small_changes_give(cells: np.ndarray) -> None:
    cells = cells + 3
    assert kappa_gradient(cells) == pytest.approx(numerical_gradient(kappa, cells), abs=1e-7)
    sums = np.array([cells[0], cells.sum(), cells[:2].sum()])
    ours = smooth_alpha(sums, np.array(5))
    share = sums[2] / sums[1]
    size = sums[1] / 5
    added = np.array([max(2 * size * share * (1 - share), 2), 2 * size, 2 * size * share])
    smoothed = sums + 2 / 3 * added
    assert ours.value == pytest.approx(float(alpha(smoothed)))
    assert ours.gradient == pytest.approx(numerical_gradient(alpha, smoothed), abs=1e-7)


def test_the_interval_by_hand() -> None:
    # 4 units: (6, 0, 0, 4), (2, 2, 0, 6), (5, 0, 1, 4), (3, 0, 1, 6): 16, 2, 2, 20 of 40.
    # Each says yes to 18: shares .45 and .45, 10 responses a unit. Made up: 4.5, 0, 0, 5.5, and by
    # chance 10 * (.2025, .2475, .2475, .3025). Two thirds of both are added:
    # 16 + 4.35, 2 + 1.65, 2 + 1.65, 20 + 5.683333.
    units = np.array([[6.0, 0, 0, 4], [2, 2, 0, 6], [5, 0, 1, 4], [3, 0, 1, 6]])
    with_both = np.array([16 + 4.35, 3.65, 3.65, 20 + 17.05 / 3])
    slope = numerical_gradient(kappa, with_both)
    agreeing, by_chance = np.array([4.5, 0, 0, 5.5]), np.array([2.025, 2.475, 2.475, 3.025])
    spread = ((units @ slope) ** 2).sum() + 2 / 3 * (
        (agreeing @ slope) ** 2 + (by_chance @ slope) ** 2
    )
    half = 3.182446 * math.sqrt(4 / 3 * spread)
    value, low, high = interval_of(units)
    assert value == pytest.approx((36 / 40 - 0.505) / 0.495)
    farther = half**2 / 2 / (1 - kappa(with_both))
    assert low == pytest.approx(kappa(with_both) - half - farther, abs=5e-3)
    assert high == pytest.approx(min(kappa(with_both) + half, 1), abs=2e-3)


def test_full_agreement_is_not_without_doubt() -> None:
    value, low, high = interval_of(np.array([[2.0, 0, 0, 8]] * 50))
    assert (value, high) == (1, 1)
    assert 0.88 < low < 0.97
    _, fewer, _ = interval_of(np.array([[2.0, 0, 0, 8]] * 10))
    assert 0.3 < fewer < 0.8


def test_one_response_a_unit_gives_about_the_known_error() -> None:
    # Fleiss, Cohen & Everitt 1969 give the variance for independent responses; by hand for
    # 20, 5, 10, 15 of 50: .4 * (.5 - .3 * 1.1)**2 + .3 * (.5 - .3 * .9)**2 = .02743
    # .09 * (.1 * 1.1**2 + .2 * .9**2) = .02547; less (.35 - 1 + .7)**2 = .0025: .0504 / (50 * .5**4)
    # = .016128. 40 times as many have 1/40 of that, and hardly notice the made-up units.
    once = [[1.0, 0, 0, 0]] * 20 + [[0.0, 1, 0, 0]] * 5 + [[0.0, 0, 1, 0]] * 10
    once += [[0.0, 0, 0, 1]] * 15
    _, low, high = interval_of(np.array(once * 40))
    half = 1.96 * math.sqrt(0.016128 / 40)
    assert (low, high) == pytest.approx((0.4 - half, 0.4 + half), abs=2e-3)


def test_responses_that_go_together_say_less() -> None:
    rng = np.random.default_rng(1)
    units = rng.multinomial(1, [0.4, 0.1, 0.1, 0.4], 60).astype(float)
    _, low, high = interval_of(units)
    value, wide_low, wide_high = interval_of(units * 10)
    assert wide_high - wide_low == pytest.approx(high - low, rel=0.1)  # ten copies are no more
    assert value == pytest.approx(interval_of(units)[0])


@given(UNITS)
def test_the_value_is_inside_and_the_ends_are_possible(units: np.ndarray) -> None:
    value, low, high = interval_of(units)
    yes_yes, yes_no, no_yes, no_no = units.sum(axis=0)
    vary = all(
        side > 0 for side in (yes_yes + yes_no, no_yes + no_no, yes_yes + no_yes, yes_no + no_no)
    )
    assert math.isnan(low) == math.isnan(high) == (not vary)
    if vary:
        assert -1 <= low <= value <= high <= 1
        assert high - low > 1e-3


def test_one_unit_says_nothing() -> None:
    value, low, high = interval_of(np.array([[3.0, 1, 1, 5]]))
    assert value == pytest.approx(0.5833333)
    assert math.isnan(low)
    assert math.isnan(high)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 20, 500])
def test_student_s_point_is_that_of_scipy(freedom: int) -> None:
    assert float(student(freedom)) == pytest.approx(t.ppf(0.975, freedom), rel=2e-3)
