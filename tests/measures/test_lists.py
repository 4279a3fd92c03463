"""Precision, recall and F of lists, and NIL: every edge by hand."""

from dataclasses import replace
from typing import Any

import pytest

from tests.helpers.measured_rows import Rows, withheld

LISTS = Rows(
    runs={
        "a": {
            "q1": ["x", "u", "y"],  # two of four, three given
            "q2": ["x", "X", "x"],  # one of one, given three times
            "q3": [],
            "q4": ["u"],  # nothing right is known
            "q5": [withheld("x"), "y"],  # one of two
            "q6": ["NIL"],  # rightly
            "q7": ["NIL", "x"],  # wrongly, then right
        }
    },
    says={
        "q1": {"x": "right", "y": "right", "z": "right", "w": "right", "u": "wrong"},
        "q2": {"x": "right", "X": "right"},
        "q3": {"x": "right"},
        "q4": {"u": "wrong"},
        "q5": {"x": "right", "y": "right"},
        "q7": {"x": "right"},
    },
    questions={"q6": {"nil": True, "type": "nil"}, "q7": {"type": "not nil"}},
)


def test_pooled_precision_and_recall_by_hand() -> None:
    # right 2 + 1 + 0 + 0 + 1 + 1 + 1 = 6; given 3 + 3 + 0 + 1 + 1 + 1 + 2 = 11;
    # known 4 + 1 + 1 + 0 + 2 + 1 + 1 = 10
    assert LISTS.value("list_precision") == pytest.approx(6 / 11, abs=1e-12)
    assert LISTS.value("list_recall") == pytest.approx(6 / 10, abs=1e-12)


def test_mean_f_by_hand() -> None:
    # P and R of each: 2/3 2/4; 1/3 1/1; none; 0; 1/1 1/2; 1 1; 1/2 1/1
    each = [4 / 7, 1 / 2, 0, 0, 2 / 3, 1, 2 / 3]
    assert LISTS.value("list_f") == pytest.approx(sum(each) / 7, abs=1e-12)


def test_table_2_of_the_pilot_paper() -> None:
    # factoid: 26 known, 42 given, 5 right: recall 19.23%, precision 11.9%
    says = {"q1": {f"x{n}": "right" for n in range(26)} | {f"u{n}": "wrong" for n in range(37)}}
    answers = [f"x{n}" for n in range(5)] + [f"u{n}" for n in range(37)]
    rows = Rows({"a": {"q1": answers}}, says)
    assert rows.value("list_recall") == pytest.approx(0.1923, abs=5e-5)
    assert rows.value("list_precision") == pytest.approx(0.119, abs=5e-4)


def test_a_run_that_answers_nothing() -> None:
    rows = Rows({"a": {"q1": [None]}}, {"q1": {"x": "right"}}, {"q2": {"nil": True}})
    assert rows.value("list_precision") is None
    assert rows.value("list_recall") == 0
    assert rows.value("list_f") == 0
    assert rows.value("nil_precision") is None
    assert rows.value("nil_recall") == 0


def test_recall_is_not_available_where_nothing_is_known() -> None:
    rows = Rows({"a": {"q1": ["u"]}}, {"q1": {"u": "wrong"}})
    assert rows.value("list_recall") is None
    assert rows.value("list_precision") == 0
    assert rows.value("list_f") == 0


def test_known_answers_may_be_more_than_those_named() -> None:
    rows = Rows({"a": {"q1": ["x"]}}, {"q1": {"x": "right"}}, {"q1": {"known": 191}})
    assert rows.value("list_recall") == pytest.approx(1 / 191, abs=1e-12)
    assert rows.value("list_f") == pytest.approx(2 / 192, abs=1e-12)


def nil(answers: dict[str, list[Any]], **more: Any) -> Rows:
    """q1 and q2 are NIL; q3 and q4 have an answer."""
    return Rows(
        {"a": answers},
        {"q3": {"x": "right"}, "q4": {"x": "right"}, "q1": {"u": "wrong"}},
        {"q1": {"nil": True}, "q2": {"nil": True}},
        **more,
    )


def test_nil_by_hand() -> None:
    rows = nil({"q1": ["NIL"], "q2": [], "q3": ["NIL"], "q4": ["NIL"]})
    assert rows.value("nil_precision") == pytest.approx(1 / 3, abs=1e-12)
    assert rows.value("nil_recall") == 1 / 2
    assert rows.value("accuracy") == 1 / 4


def test_nil_counts_at_any_rank_but_not_where_withheld() -> None:
    rows = nil({"q1": ["u", "NIL"], "q2": [withheld("NIL")], "q3": [withheld("NIL"), "x"]})
    assert rows.value("nil_precision") == 1
    assert rows.value("nil_recall") == 1 / 2


def test_a_second_nil_is_repeated_and_not_right() -> None:
    rows = nil({"q1": ["NIL", "NIL"], "q3": ["NIL"]})
    assert rows.value("nil_precision") == pytest.approx(1 / 3, abs=1e-12)  # one of three
    assert rows.value("nil_recall") == 1 / 2


def test_nil_recall_is_not_available_without_nil_questions() -> None:
    rows = Rows({"a": {"q1": ["NIL"]}}, {"q1": {"x": "right"}})
    assert rows.value("nil_recall") is None
    assert rows.value("nil_precision") == 0


def test_slices_have_their_own_values() -> None:
    assert LISTS.value("nil_recall", within="nil") == 1
    assert LISTS.value("nil_recall", within="not nil") is None
    assert LISTS.value("list_precision", within="not nil") == 1 / 2


def test_a_lenient_judge_finds_more() -> None:
    rows = Rows({"a": {"q1": ["x", "y"]}}, {"q1": {"x": "right", "y": "unsupported"}})
    assert rows.value("list_precision") == 1 / 2
    assert rows.value("list_recall") == 1
    lenient = replace(rows, correct=("right", "unsupported"))
    assert lenient.value("list_precision") == 1
    assert lenient.value("list_recall") == 1


def test_answers_nobody_assessed_are_given_and_not_right() -> None:
    rows = Rows({"a": {"q1": ["x", "new"]}}, {"q1": {"x": "right"}}, unassessed="wrong")
    assert rows.value("list_precision") == 1 / 2
    assert rows.counts()["unassessed"] == 1
