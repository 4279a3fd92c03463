"""Sums of evidence: exact, whatever the numbers, the order of adding and the blocks."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.measures import sums
from qampaign.measures.sums import exact_sums


def by_fractions(column: np.ndarray, weights: np.ndarray) -> list[list[float]]:
    """The sums in unlimited precision, rounded once."""
    exact = [[Fraction(float(value)) for value in row] for row in column]
    return [
        [float(sum(w * v for w, v in zip(map(int, times), row, strict=True))) for times in weights]
        for row in exact
    ]


numbers = st.floats(-1e3, 1e3, allow_nan=False, allow_subnormal=False)


@given(
    st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=12),
    st.integers(0, 2**32 - 1),
)
def test_sums_are_those_of_unlimited_precision(rows: list[tuple], seed: int) -> None:
    column = np.array(rows).T
    weights = np.random.default_rng(seed).integers(0, 4, (5, column.shape[1]))
    found = exact_sums({"x": column}, weights)["x"]
    # the two parts hold 104 binary digits below the largest sum: what cancels may lack the last
    np.testing.assert_allclose(found, by_fractions(column, weights), rtol=2**-52, atol=1e-24)


def test_neither_the_order_of_questions_nor_blocks_change_a_digit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    column, weights = rng.random((3, 2_000)), rng.integers(0, 3, (4, 2_000))
    found = exact_sums({"x": column}, weights)["x"]
    order = rng.permutation(2_000)
    assert (exact_sums({"x": column[:, order]}, weights[:, order])["x"] == found).all()
    monkeypatch.setattr(sums, "BLOCK", 1)  # as narrow as blocks are
    assert (exact_sums({"x": column}, weights)["x"] == found).all()
    assert (found != column @ weights.T).any()  # where plain sums do round


def test_whole_numbers_beyond_single_precision() -> None:
    column = np.array([[2**24, 1, 1]], dtype=np.int64)
    assert exact_sums({"x": column}, np.array([[1, 1, 0]]))["x"].tolist() == [[2**24 + 1]]
    many = np.full((1, 70_000), 255, dtype=np.uint8)  # 17,850,000 > 2**24 = 16,777,216
    many[0, 0] = 254
    assert exact_sums({"x": many}, np.ones((1, 70_000), dtype=bool))["x"].tolist() == [[17_849_999]]


def test_a_run_without_numbers_stays_without_a_sum_and_alone() -> None:
    column = np.array([[np.nan] * 3, [0.1, 0.2, 0.3]])
    found = exact_sums({"x": column}, np.eye(3))["x"]
    assert np.isnan(found[0]).all()
    assert found[1].tolist() == [0.1, 0.2, 0.3]


def test_what_is_the_same_for_all_runs_is_summed_for_all() -> None:
    found = exact_sums({"x": np.full((4, 5), 0.5)}, np.ones((2, 5)))["x"]
    assert found.tolist() == [[2.5, 2.5]] * 4
