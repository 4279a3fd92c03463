"""Kendall's tau, tau-b and AP correlation, against other programs and counting by hand."""

import math
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from qampaign.ranking import Order, tau, tau_ap, tau_b

SCORES = st.integers(2, 7).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.9]), min_size=n, max_size=n)] * 2)
)  # fmt: skip


def arrays(pair: tuple[list[float], list[float]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(pair[0]), np.array(pair[1])


def literal_tau(a: np.ndarray, b: np.ndarray) -> float:
    """The definition of Breck et al., pair by pair."""
    n, concordant, discordant = len(a), 0, 0
    for i in range(n):
        for j in range(i):
            product_ = (a[i] - a[j]) * (b[i] - b[j])
            concordant += product_ > 0
            discordant += product_ < 0
    return (concordant - discordant) / (n * (n - 1) / 2)


def literal_tau_ap(true: list[float], order: tuple[int, ...]) -> float:
    """The definition of Yilmaz et al. for a ranking without ties: 2/(n−1) Σ C(i)/(i−1) − 1.

    A tie in the truth counts as half a concordant pair.
    """
    total = 0.0
    for place in range(1, len(order)):
        own = true[order[place]]
        above = [true[run] for run in order[:place]]
        total += sum((each > own) + (each == own) / 2 for each in above) / place
    return 2 / (len(order) - 1) * total - 1


def orders(values: list[float]) -> list[tuple[int, ...]]:
    """Every order of the runs that ranks them by their values, best first."""
    return [
        order
        for order in permutations(range(len(values)))
        if all(values[a] >= values[b] for a, b in pairwise(order))
    ]


def test_five_runs_with_two_neighbours_swapped() -> None:
    # 2 of 10 pairs discordant: (8 - 2) / 10
    assert tau(np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 3, 2, 5, 4])) == pytest.approx(0.6)


def test_a_swap_at_the_top_costs_more_than_one_at_the_bottom() -> None:
    true = np.array([4.0, 3, 2, 1])
    top, bottom = np.array([3.0, 4, 2, 1]), np.array([4.0, 3, 1, 2])
    assert tau(true, top) == tau(true, bottom) == pytest.approx(2 / 3)
    # places 2, 3, 4: (-1 + 1 + 1) / 3; and (1 + 1 + (2 - 1)/3) / 3
    assert tau_ap(true, top) == pytest.approx(1 / 3)
    assert tau_ap(true, bottom) == pytest.approx(7 / 9)


def test_ties_count_for_nothing_in_tau_but_in_its_denominator() -> None:
    # pairs: ab tied in b, ac and bc concordant: 2/3; tau-b: 2 / sqrt(3 * 2)
    a, b = np.array([3.0, 2, 1]), np.array([2.0, 2, 1])
    assert tau(a, b) == pytest.approx(2 / 3)
    assert tau_b(a, b) == pytest.approx(2 / math.sqrt(6))


def test_floating_point_does_not_make_an_order() -> None:
    assert tau(np.array([0.1 + 0.2, 0.3, 0.5]), np.array([1.0, 2.0, 3.0])) == pytest.approx(2 / 3)
    assert tau_ap(np.array([1.0, 2.0]), np.array([0.1 + 0.2, 0.3])) == 0
    assert Order.of(np.array([0.1 + 0.2, 0.3, 0.2])).sign.tolist() == [0, 1, 1]


# Data and expected numbers of the R package ircor by Urbano & Marrero (4 decimals).
IRCOR = {
    "set1": (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        0.8519,
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        0.7454,
    ),
    "set2": (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        0.2504,
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        0.2692,
    ),
    "set3": (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        -0.6971,
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        -0.5558,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IRCOR)
def test_ap_correlation_is_that_of_its_authors_without_and_with_ties(name: str) -> None:
    true, plain, without, tied, with_ties = IRCOR[name]
    assert tau_ap(np.array(true), np.array(plain)) == pytest.approx(without, abs=5e-5)
    assert tau_ap(np.array(true), np.array(tied)) == pytest.approx(with_ties, abs=5e-5)


@given(SCORES)
def test_tau_is_the_definition(pair: tuple) -> None:
    a, b = arrays(pair)
    assert tau(a, b) == pytest.approx(literal_tau(a, b))
    assert tau(a, b) == tau(b, a)
    assert tau(a, -b) == -tau(a, b)


@given(SCORES)
def test_tau_b_is_scipys(pair: tuple) -> None:
    a, b = arrays(pair)
    assert tau_b(a, b) == pytest.approx(kendalltau(a, b).statistic, nan_ok=True)


@given(SCORES)
def test_ap_correlation_with_ties_is_the_mean_over_their_orders(pair: tuple) -> None:
    true, estimated = pair
    expected = [literal_tau_ap(true, order) for order in orders(estimated)]
    found = tau_ap(*arrays(pair))
    assert found == pytest.approx(sum(expected) / len(expected))
    assert -1 - 1e-12 <= found <= 1 + 1e-12


@given(SCORES, st.data())
def test_a_run_without_a_value_is_as_if_it_were_not_there(pair: tuple, data: st.DataObject) -> None:
    a, b = arrays(pair)
    place = data.draw(st.integers(0, len(a)))
    gap_a, gap_b = np.insert(a, place, np.nan), np.insert(b, place, 0.4)
    for function in (tau, tau_b, tau_ap):
        assert function(gap_a, gap_b) == pytest.approx(function(a, b), nan_ok=True)
        assert function(gap_b, gap_a) == pytest.approx(function(b, a), nan_ok=True)


def test_many_rankings_at_once_give_what_each_gives() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 6, (2, 4, 3, 9)) / 6.0
    a[1, 2, 3] = np.nan
    for function in (tau, tau_b, tau_ap):
        found = function(a, b)
        assert found.shape == (4, 3)
        for i, j in product(range(4), range(3)):
            assert found[i, j] == pytest.approx(function(a[i, j], b[i, j]))
        assert function(a, b[:1]).shape == (4, 3)


@pytest.mark.parametrize("function", [tau, tau_b, tau_ap])
def test_fewer_than_two_runs_have_no_correlation(function) -> None:
    for scores in ([], [0.5], [0.5, np.nan]):
        assert math.isnan(function(np.array(scores), np.array(scores)))


def test_a_ranking_that_ties_everything_has_tau_0_and_no_tau_b() -> None:
    same, other = np.array([0.5, 0.5, 0.5]), np.array([0.1, 0.2, 0.3])
    assert tau(same, other) == tau_ap(other, same) == 0
    assert math.isnan(tau_b(same, other))


def test_every_ranking_with_every_other_at_once() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 4, (5, 3, 6)) / 4.0, rng.integers(0, 4, (5, 2, 6)) / 4.0
    a[0, 1, 2] = b[3, 1, 5] = np.nan
    found = Order.of(a).cross(Order.of(b))
    assert found.shape == (5, 3, 2)
    for t, i, j in product(range(5), range(3), range(2)):
        assert found[t, i, j] == pytest.approx(float(tau(a[t, i], b[t, j])))
