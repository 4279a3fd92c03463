"""Measures by name, called on plain numbers."""

import inspect

import numpy as np
import polars as pl
import pytest

import qampaign.measures
from qampaign.measures import MEASURES, accuracy, auc, c_at_1, f, mrr, precision_answered


def test_every_measure_can_be_imported_and_documents_itself() -> None:
    for name, declared in MEASURES.items():
        assert getattr(qampaign.measures, name) is declared
        assert declared.__doc__ == declared.documentation
        assert name in dir(qampaign.measures)
    assert inspect.getdoc(c_at_1) == (
        "Accuracy, plus unanswered questions credited with the accuracy shown.\n\n"
        ">>> round(c_at_1(correct=237, unanswered=107, questions=500), 6)\n0.575436"
    )


def test_no_module_hides_a_measure() -> None:
    modules = {name for name, _ in inspect.getmembers(qampaign.measures, inspect.ismodule)}
    assert not modules & {*MEASURES}


def test_signatures_name_the_evidence_and_the_options() -> None:
    assert list(inspect.signature(c_at_1).parameters) == ["correct", "unanswered", "questions"]
    assert list(inspect.signature(f).parameters) == ["tp", "fp", "fn", "beta"]
    assert list(inspect.signature(auc).parameters) == ["score_order", "positive"]


def test_values_by_hand() -> None:
    # 3 of 10 right, 2 unanswered: (3 + 2 * 3/10) / 10
    assert c_at_1(correct=3, unanswered=2, questions=10) == pytest.approx(0.36)
    assert c_at_1(3, 2, 10) == pytest.approx(0.36)
    assert accuracy(correct=3, questions=10) == 0.3
    # beta 2: 5 * 4 / (5 * 4 + 4 * 1 + 2)
    assert f(tp=4, fp=2, fn=1, beta=2) == pytest.approx(20 / 26)
    # right items at 0.9 and 0.3, a wrong one at 0.8: one of two pairs is in order
    assert auc([0.9, 0.8, 0.3], [1, 0, 1]) == 0.5
    assert precision_answered(correct=0, wrong=0) is None
    assert mrr.better == "high"


def test_arrays_and_expressions_will_do() -> None:
    values = c_at_1(np.array([3.0, 5.0]), np.array([2.0, 0.0]), np.array([10.0, 10.0]))
    assert values == pytest.approx([0.36, 0.5])
    frame = pl.DataFrame({"n": [3, 5]})
    values = frame.select(accuracy(pl.col("n"), 10.0)).to_series()
    assert values.to_list() == pytest.approx([0.3, 0.5])


def test_an_unknown_name_is_an_import_error() -> None:
    with pytest.raises(ImportError):
        from qampaign.measures import c_at_2  # noqa: F401
