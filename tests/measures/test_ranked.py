"""Reciprocal rank, NQcorrect, average precision, Q-measure and credit: every edge by hand."""

from dataclasses import replace
from typing import Any

import pytest

from tests.helpers.measured_rows import Rows, withheld

RANKED = ["mrr", "nq_correct_1", "nq_correct_5", "average_precision", "q_measure", "credit"]


def one(answers: list[Any], says: dict[str, str], **about: Any) -> Rows:
    """One question."""
    return Rows({"a": {"q1": answers}}, {"q1": says}, {"q1": about})


def found(rows: Rows, *measures: str) -> list[float | None]:
    return [rows.value(each) for each in measures]


SAYS = {"x": "right S", "y": "right A", "z": "right B", "u": "wrong", "v": "wrong", "w": "wrong"}


def test_by_hand() -> None:
    # wrong, A, wrong, S; known S, A, B
    rows = one(["u", "y", "v", "x"], SAYS)
    assert found(rows, "mrr", "nq_correct_1", "nq_correct_5", "credit") == [1 / 2, 0, 1, 0]
    assert rows.value("average_precision") == pytest.approx((1 / 2 + 2 / 4) / 3, abs=1e-12)
    # ideal gains 3, 2, 1: cig 3, 5, 6, 6. Rank 2: (2 + 1) / (5 + 2); rank 4: (2 + 3 + 2) / (6 + 4)
    assert rows.value("q_measure") == pytest.approx((3 / 7 + 7 / 10) / 3, abs=1e-12)
    # Q1:1:1, cig 1, 2, 3, 3: (1 + 1) / (2 + 2) and (2 + 2) / (3 + 4)
    flat = {"S": 1, "A": 1, "B": 1}
    assert rows.value("q_measure", gains=flat) == pytest.approx((2 / 4 + 4 / 7) / 3, abs=1e-12)
    # Q2:1.5:1, cig 2, 3.5, 4.5, 4.5: 2.5 / 5.5 and (1.5 + 2 + 2) / 8.5
    mild = {"S": 2, "A": 1.5, "B": 1}
    expected = (2.5 / 5.5 + 5.5 / 8.5) / 3
    assert rows.value("q_measure", gains=mild) == pytest.approx(expected, abs=1e-12)


def test_the_ideal_list_has_one_everywhere() -> None:
    rows = one(["x", "y", "z"], SAYS)
    assert found(rows, *RANKED) == [1, 1, 1, 1, 1, 3]


def test_a_question_in_silence_counts_in_the_mean() -> None:
    rows = Rows({"a": {"q1": ["x"]}}, {"q1": {"x": "right S"}, "q2": {"x": "right S"}})
    assert found(rows, *RANKED) == [0.5, 0.5, 0.5, 0.5, 0.5, 1.5]


def test_a_run_that_answers_nothing() -> None:
    rows = Rows(
        {"a": {"q1": [None], "q2": [withheld("x")]}},
        {"q1": {"x": "right S"}, "q2": {"x": "right S"}},
    )
    assert found(rows, *RANKED) == [0] * 6


def test_no_right_answer_known() -> None:
    rows = one(["u", "v"], {"u": "wrong", "v": "unsupported"})
    assert found(rows, *RANKED) == [0] * 6


def test_answers_beyond_the_cutoff() -> None:
    # right at ranks 6 and 7, two known
    rows = one(["u", "v", "w", "u", "v", "x", "y"], {k: SAYS[k] for k in "xyuvw"})
    assert found(rows, "mrr", "nq_correct_5") == [0, 0]
    assert rows.value("mrr", cutoff=6) == 1 / 6
    assert rows.value("average_precision") == pytest.approx((1 / 6 + 2 / 7) / 2, abs=1e-12)
    # cig is 5 from rank 2 on: rank 6 (3 + 1) / (5 + 6), rank 7 (3 + 2 + 2) / (5 + 7)
    assert rows.value("q_measure") == pytest.approx((4 / 11 + 7 / 12) / 2, abs=1e-12)
    assert rows.value("q_measure", cutoff=5) == 0
    # up to rank 6 only one is found, of min(2, 6)
    assert rows.value("q_measure", cutoff=6) == pytest.approx(4 / 11 / 2, abs=1e-12)


def test_a_cutoff_is_all_that_a_question_with_more_answers_asks_for() -> None:
    # seven known, five given, all right: Q@5 divides by min(7, 5), Q by 7
    says = {f"x{n}": "right S" for n in range(7)}
    rows = one([f"x{n}" for n in range(5)], says)
    assert rows.value("q_measure", cutoff=5) == pytest.approx(1, abs=1e-12)
    assert rows.value("q_measure") == pytest.approx(5 / 7, abs=1e-12)
    assert rows.value("average_precision") == pytest.approx(5 / 7, abs=1e-12)
    # and Q@1 of a list of two asks for the first alone
    assert rows.value("q_measure", cutoff=1) == pytest.approx(1, abs=1e-12)


def test_more_known_than_listed() -> None:
    # one B found of S, A, B at rank 1: (1 + 1) / (3 + 1) / 3; AP 1 / 3
    rows = one(["z"], SAYS)
    assert rows.value("q_measure") == pytest.approx(0.5 / 3, abs=1e-12)
    assert rows.value("average_precision") == pytest.approx(1 / 3, abs=1e-12)


def test_a_repeated_class_is_not_right() -> None:
    # NTCIREVAL's E6: right, the same class again, two more classes
    says = {
        "a": "right S k1",
        "a2": "right S k1",
        "b": "right A k2",
        "b2": "right B k2",
        "c": "right B k3",
    }
    rows = one(["a", "a2", "b", "c", "x"], says | {"x": "wrong"})
    assert rows.value("average_precision") == pytest.approx((1 + 2 / 3 + 3 / 4) / 3, abs=1e-12)
    # cig 3, 5, 6, 6: 4/4, (3 + 2 + 2) / (6 + 3), (3 + 2 + 1 + 3) / (6 + 4)
    expected = (1 + 7 / 9 + 9 / 10) / 3
    assert rows.value("q_measure") == pytest.approx(expected, abs=1e-12)


def test_the_first_variant_of_a_class_claims_it_with_its_own_level() -> None:
    # one class at levels S and A; the weaker variant stands first: (2 + 1) / (3 + 1)
    says = {"a": "right S k", "a2": "right A k"}
    rows = one(["a2", "a"], says)
    assert rows.value("q_measure") == pytest.approx(3 / 4, abs=1e-12)
    assert found(rows, "average_precision", "mrr", "credit") == [1, 1, 2]


def test_a_wrong_variant_does_not_claim_a_class() -> None:
    says = {"a": "right S k", "a2": "inexact B k"}
    rows = one(["a2", "a"], says)
    assert found(rows, "mrr", "average_precision") == [0.5, 0.5]
    # (3 + 1) / (3 + 2)
    assert rows.value("q_measure") == pytest.approx(4 / 5, abs=1e-12)
    lenient = replace(rows, correct=("right", "inexact"))
    assert found(lenient, "mrr", "average_precision") == [1, 1]
    assert lenient.value("q_measure") == pytest.approx((1 + 1) / (3 + 1), abs=1e-12)


def test_the_same_text_in_another_case_is_the_same_answer() -> None:
    rows = one(
        ["Oslo", "OSLO", "Bergen"], {"Oslo": "right S", "OSLO": "right S", "Bergen": "right S"}
    )
    # two known: 1 and 2/3
    assert rows.value("average_precision") == pytest.approx((1 + 2 / 3) / 2, abs=1e-12)


def test_withheld_answers_never_count_and_keep_their_rank() -> None:
    rows = one([withheld("x"), "y", "x"], SAYS)
    assert found(rows, "mrr", "nq_correct_1", "nq_correct_5", "credit") == [1 / 2, 0, 1, 0]
    # y at rank 2, x at rank 3 (the withheld x before it is no answer to repeat)
    assert rows.value("average_precision") == pytest.approx((1 / 2 + 2 / 3) / 3, abs=1e-12)
    assert rows.value("q_measure") == pytest.approx((3 / 7 + 7 / 9) / 3, abs=1e-12)


def test_an_empty_answer_is_silence_at_its_rank() -> None:
    rows = one([None, "x"], SAYS)
    assert found(rows, "mrr", "nq_correct_1", "nq_correct_5") == [1 / 2, 0, 1]


def test_nil_is_the_one_answer_of_a_nil_question() -> None:
    says = {"u": "wrong"}
    assert found(one(["NIL"], says, nil=True), *RANKED[:5]) == [1, 1, 1, 1, 1]
    assert found(one(["u", "NIL"], says, nil=True), "mrr", "average_precision") == [0.5, 0.5]
    # one class of the smallest gain: (1 + 1) / (1 + 2)
    assert one(["u", "NIL"], says, nil=True).value("q_measure") == pytest.approx(2 / 3, abs=1e-12)
    assert found(one(["NIL"], {"x": "right S"}), *RANKED) == [0] * 6
    # NIL before the right one: rank 2
    assert one(["NIL", "x"], {"x": "right S"}).value("mrr") == 0.5


def test_a_right_answer_without_a_level_has_the_smallest_gain() -> None:
    rows = one(["x"], {"x": "right", "y": "right S"})
    # gain 1 of ideal 3, two classes: (1 + 1) / (3 + 1) / 2
    assert rows.value("q_measure") == pytest.approx(0.25, abs=1e-12)
    assert rows.value("credit") == 1


def test_levels_may_be_numbers() -> None:
    rows = one(["x"], {"x": "right 2", "y": "right 3"})
    assert rows.value("q_measure", gains={"1": 1, "2": 2, "3": 3}) == pytest.approx(3 / 4 / 2)
    assert rows.value("q_measure", gains={1: 1, 2: 2, 3: 3}) == pytest.approx(3 / 4 / 2)


def test_credit_by_hand() -> None:
    gains = {"S": 1, "A": 0.5, "B": 0.1}
    rows = Rows(
        runs={
            "a": {"q1": ["x"], "q2": ["y", "x"], "q3": ["u", "x"], "q4": [], "q5": [withheld("x")]}
        },
        says={f"q{n}": SAYS for n in range(1, 6)},
    )
    assert rows.value("credit", gains=gains) == pytest.approx((1 + 0.5) / 5, abs=1e-12)
    assert rows.value("credit") == pytest.approx((3 + 2) / 5, abs=1e-12)


def test_credit_counts_the_level_of_any_verdict_that_has_one() -> None:
    """Levels 1, 0.15 (inexact), 0 (right), S (wrong) and none (inexact): whoever counts inexact as
    correct gives the last one the smallest gain, 0.5."""
    says = {"v": "right 1", "w": "inexact 0.15", "x": "right 0", "y": "wrong S", "z": "inexact"}
    rows = Rows(
        runs={"a": {f"q{n}": [answer] for n, answer in enumerate("vwxyz")}},
        says={f"q{n}": says for n in range(5)},
    )
    gains = {"S": 0.8, "A": 0.5}
    strict = (1 + 0.15 + 0 + 0.8 + 0) / 5
    assert rows.value("credit", gains=gains) == pytest.approx(strict, abs=1e-12)
    lenient = replace(rows, correct=("right", "inexact"))
    assert lenient.value("credit", gains=gains) == pytest.approx(strict + 0.5 / 5, abs=1e-12)


def test_the_level_of_nil_counts_where_it_is_right() -> None:
    """Its question decides, whatever the label says."""
    says = {"NIL": "right S", "x": "right S"}
    assert one(["NIL"], says, nil=True).value("credit") == 3
    assert one(["NIL"], says).value("credit") == 0


def test_gain_settings_stand_side_by_side() -> None:
    rows = one(["y"], SAYS)
    flat, steep = ({"S": s, "A": a, "B": 1} for s, a in ((1, 1), (10, 5)))
    assert rows.value("q_measure", gains=flat) == pytest.approx((1 + 1) / (1 + 1) / 3)
    assert rows.value("q_measure", gains=steep) == pytest.approx((5 + 1) / (10 + 1) / 3)


def test_what_is_known_is_what_the_reference_says() -> None:
    reference = one(["x"], SAYS)  # three known
    other = replace(one(["x"], {"x": "right S"}), reference=reference)  # it has heard of one
    assert other.value("average_precision") == pytest.approx(1 / 3, abs=1e-12)
    assert other.value("q_measure") == pytest.approx(1 / 3, abs=1e-12)


def test_a_number_of_known_answers_is_the_r_of_average_precision() -> None:
    # five are known, two of them by name; both are found first
    rows = one(["x", "y"], {"x": "right S", "y": "right S"}, known=5)
    assert rows.value("average_precision") == pytest.approx(2 / 5, abs=1e-12)


@pytest.mark.parametrize("measure", ["average_precision", "q_measure", "list_recall", "list_f"])
def test_no_value_is_above_1_where_a_judge_finds_more_than_is_known(measure: str) -> None:
    # The reference knows one answer; another judge takes a second one for right too.
    reference = one(["x", "y"], {"x": "right S", "y": "wrong"})
    other = replace(one(["x", "y"], {"x": "right S", "y": "right S"}), reference=reference)
    assert other.value(measure) <= 1 + 1e-12


@pytest.mark.parametrize("measure", ["average_precision", "q_measure", "list_recall", "list_f"])
def test_no_value_is_above_1_where_the_number_known_is_too_small(measure: str) -> None:
    rows = one(["x", "y"], {"x": "right S", "y": "right S"}, known=1)
    assert rows.value(measure) <= 1 + 1e-12


@pytest.mark.parametrize("measure", ["average_precision", "q_measure", "list_recall", "list_f"])
def test_no_value_is_above_1_where_people_call_an_answer_to_a_nil_question_right(
    measure: str,
) -> None:
    rows = one(["NIL", "x"], {"x": "right S"}, nil=True)
    assert rows.value(measure) <= 1 + 1e-12
