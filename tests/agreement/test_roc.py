"""ROC curves from degrees and from the scores of runs."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score, roc_curve

from qampaign.agreement.roc import MOST_POINTS, area, points, rates
from qampaign.agreement.run_curves import run_curves
from qampaign.measures.evidence import Evidence

SCORED = st.lists(st.tuples(st.sampled_from([-2.0, 0.0, 0.3, 0.5, 7.0]), st.booleans()), min_size=2)


@given(SCORED)
def test_a_curve_is_that_of_scikit_learn(scored: list) -> None:
    degree, right = np.array([each[0] for each in scored]), np.array([each[1] for each in scored])
    if len(set(right)) < 2:
        assert area(points(degree, right)) is None
        return
    found = rates(points(degree, right))
    fp_rate, tp_rate, _ = roc_curve(right, degree, drop_intermediate=False)
    assert found["tp_rate"].to_list() == pytest.approx(tp_rate[::-1].tolist())
    assert found["fp_rate"].to_list() == pytest.approx(fp_rate[::-1].tolist())
    assert area(points(degree, right)) == pytest.approx(roc_auc_score(right, degree))


def test_by_hand() -> None:
    # confidences of 8 answers, right where 1: 12 of 16 pairs in order
    degree = np.array([0.9, 0.8, 0.7, 0.6, 0.55, 0.4, 0.3, 0.2])
    right = np.array([1, 1, 0, 1, 0, 0, 1, 0], dtype=bool)
    assert area(points(degree, right)) == 0.75
    row = rates(points(degree, right)).filter(threshold=0.6).row(0, named=True)
    assert row == {
        "threshold": 0.6, "tp_rate": 0.5, "fp_rate": 0.25, "precision": 2 / 3, "tp": 2, "fp": 1,
    }  # fmt: skip


def test_a_long_curve_keeps_its_ends_and_its_area() -> None:
    rng = np.random.default_rng(7)
    degree = rng.random(5_000)
    right = rng.random(5_000) < degree
    found = points(degree, right)
    assert found.height == 5_001
    table = rates(found)
    assert table.height == MOST_POINTS
    assert table.select("threshold", "tp_rate", "fp_rate").row(0) == (None, 1, 1)
    assert table.select("tp_rate", "fp_rate").row(-1) == (0, 0)
    assert table["threshold"].drop_nulls().is_sorted()
    assert area(found) == pytest.approx(roc_auc_score(right, degree))


def test_runs_that_score_every_item_have_a_curve_of_their_own() -> None:
    runs = pl.DataFrame({"run": ["a", "b"], "kind": ["submitted"] * 2, "assessed": True})
    items = pl.DataFrame({"question": ["i1", "i2", "i3"], "type": [None] * 3})
    columns = {
        "score_order": np.array([[0.9, 0.1, 0.5], [np.nan, 0.2, 0.1]]),
        "positive": np.array([[1, 0, 0], [1, 0, 0]], dtype=np.uint8),
    }
    found = run_curves(Evidence(runs, items, columns))
    assert found.select("run", "threshold", "tp_rate", "fp_rate", "precision").rows() == [
        ("a", None, 1, 1, 1 / 3),
        ("a", 0.1, 1, 0.5, 0.5),
        ("a", 0.5, 1, 0, 1),
        ("a", 0.9, 0, 0, None),
    ]
    del columns["score_order"]
    nothing = run_curves(Evidence(runs, items, columns))
    assert nothing.is_empty()
    assert nothing.columns == found.columns
