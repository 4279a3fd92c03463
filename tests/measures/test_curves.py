"""Reliability, coverage and the rank of the first right answer, by hand and against the measures."""

import numpy as np
import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.measures.curves import MOST_POINTS, accuracy_by_bar, first_right, reliability
from qampaign.measures.evidence import Evidence

NAN = float("nan")


def evidence(**columns: list) -> Evidence:
    """A run in each row, called a, b, and so on."""
    arrays = {name: np.array(values) for name, values in columns.items()}
    rows, width = next(iter(arrays.values())).shape
    runs = pl.DataFrame(
        {"run": list("abcdef"[:rows]), "kind": ["submitted"] * rows, "assessed": True}
    )
    questions = pl.DataFrame({"question": [f"q{i}" for i in range(width)], "type": [None] * width})
    return Evidence(runs, questions, arrays)


def test_reliability_by_hand() -> None:
    # 0.95 and 1.0 share the last bin: mean 0.975, one of two right; 0.1 begins the second bin
    found = reliability(evidence(confidence_order=[[0.95, 1.0, 0.1, NAN]], correct=[[1, 0, 1, 0]]))
    assert found.rows() == [("a", 1, 0.1, 1.0, 1), ("a", 9, 0.975, 0.5, 2)]


def test_reliability_adds_up_to_the_calibration_error() -> None:
    """ECE is the mean over answers of |accuracy − confidence| of their bin."""
    rng = np.random.default_rng(5)
    sure = rng.random(300).round(3)
    right = (rng.random(300) < sure**2).astype(np.uint8)
    rows = reliability(evidence(confidence_order=[sure], correct=[right]))
    gap = (rows["accuracy"] - rows["confidence"]).abs() * rows["answers"]
    place = np.minimum((sure * 10).astype(int), 9)
    by_hand = sum(abs((right - sure)[place == each].sum()) for each in range(10)) / 300
    assert gap.sum() / 300 == pytest.approx(by_hand)
    assert rows["answers"].sum() == 300


def test_confidences_that_are_no_probabilities_have_no_reliability() -> None:
    given = evidence(confidence_order=[[3.0, -1.0], [0.2, 0.4]], correct=[[1, 0], [1, 0]])
    assert reliability(given)["run"].unique().to_list() == ["b"]
    assert set(accuracy_by_bar(given)["run"]) == {"a", "b"}


def test_mapped_confidences_are_those_that_measures_go_by() -> None:
    """From -1 to 3: half way is 1. A run that nobody has mapped is left out."""
    given = evidence(
        confidence_order=[[3.0, -1.0, 1.0], [0.2, 0.4, NAN]], correct=[[1, 0, 1], [1, 0, 0]]
    )
    scales = {"a": (np.array([-1.0, 1.0, 3.0]), np.array([0.0, 0.5, 1.0]))}
    assert reliability(given, scales).rows() == [
        ("a", 0, 0.0, 0.0, 1), ("a", 5, 0.5, 1.0, 1), ("a", 9, 1.0, 1.0, 1),
    ]  # fmt: skip


def test_coverage_by_hand() -> None:
    # of four questions one is unanswered; 0.5 twice falls together: 1 of 1, then 2 of 3
    found = accuracy_by_bar(
        evidence(confidence_order=[[0.5, 0.9, NAN, 0.5]], correct=[[0, 1, 0, 1]])
    )
    assert found.rows() == [("a", 0.9, 0.25, 1.0), ("a", 0.5, 0.75, pytest.approx(2 / 3))]


def test_answers_without_a_confidence_come_last() -> None:
    found = accuracy_by_bar(evidence(confidence_order=[[-np.inf, 0.3]], correct=[[1, 0]]))
    assert found.rows() == [("a", 0.3, 0.5, 0.0), ("a", None, 1.0, 0.5)]


def test_coverage_without_ties_has_the_area_of_the_measure() -> None:
    """AURC is the mean error rate over the rows where no two confidences are equal."""
    rng = np.random.default_rng(6)
    sure, right = rng.permutation(100) / 100 + 0.001, rng.integers(0, 2, 100).astype(np.uint8)
    found = accuracy_by_bar(evidence(confidence_order=[sure], correct=[right]))
    area = MEASURES["risk_coverage"](sure.tolist(), right.tolist())
    assert found.height == 100
    assert (1 - found["accuracy"]).mean() == pytest.approx(area)


def test_a_long_curve_keeps_its_ends() -> None:
    rng = np.random.default_rng(8)
    sure, right = rng.random(2_000), rng.integers(0, 2, 2_000).astype(np.uint8)
    found = accuracy_by_bar(evidence(confidence_order=[sure], correct=[right]))
    assert found.height == MOST_POINTS
    assert found["answered"][-1] == 1
    assert found["accuracy"][-1] == pytest.approx(right.mean())
    assert found["bar"][0] == sure.max()


def test_a_run_without_confidence_has_no_rows() -> None:
    given = evidence(confidence_order=[[NAN, NAN]], correct=[[1, 0]])
    assert accuracy_by_bar(given).is_empty()
    assert reliability(given).is_empty()


def test_first_right_by_hand() -> None:
    # a: ranks 1, 3, none; b: 1, 1, 1. 1/3 is told from 1/4 whatever the rounding
    columns = {'reciprocal_rank {"cutoff": 5}': [[1, 1 / 3, 0], [1, 1, 1]]}
    assert first_right(evidence(**columns)).rows() == [
        ("a", 1, 1), ("a", 2, 0), ("a", 3, 1), ("a", None, 1),
        ("b", 1, 3), ("b", 2, 0), ("b", 3, 0), ("b", None, 0),
    ]  # fmt: skip


def test_no_evidence_no_table() -> None:
    given = evidence(correct=[[1, 0]])
    for table in (reliability, accuracy_by_bar, first_right):
        assert table(given).is_empty()


def test_the_order_of_a_file_is_no_confidence() -> None:
    columns = {'confidence_order {"ties": "file"}': [[-1.0, -2.0]], "correct": [[1, 0]]}
    assert accuracy_by_bar(evidence(**columns)).is_empty()
