"""The abstention measures: values by hand, an evaluator's numbers, and what must always hold."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.measures import MEASURES
from qampaign.measures.abstention import (
    accuracy,
    accuracy_if_all_answered,
    answered,
    c_at_1,
    confidence_target,
    f_attempted,
    hallucination_rate,
    inverse_credit,
    precision_answered,
    unanswered_as_right,
    utility,
    utility_half,
    withheld_wrong_rate,
)

DECLARED = [
    "accuracy",
    "utility",
    "confidence_target",
    "utility_half",
    "c_at_1",
    "unanswered_as_right",
    "precision_answered",
    "hallucination_rate",
    "inverse_credit",
    "answered",
    "f_attempted",
    "withheld_wrong_rate",
    "accuracy_if_all_answered",
]


@st.composite
def counts(draw: st.DrawFn) -> dict[str, int]:
    """What a run did: right, wrong, withheld right and wrong, missing; at least one question."""
    right, wrong, kept_right, kept_wrong, missing = (draw(st.integers(0, 400)) for _ in range(5))
    total = right + wrong + kept_right + kept_wrong + missing
    if total == 0:
        missing = total = 1
    return {
        "questions": total,
        "correct": right,
        "wrong": wrong,
        "unanswered": kept_right + kept_wrong + missing,
        "withheld_right": kept_right,
        "withheld_wrong": kept_wrong,
    }


def value(name: str, sums: dict) -> float | None:
    return MEASURES[name](**{column: sums[column] for column in MEASURES[name].columns})


@pytest.mark.parametrize(
    ("run", "right", "wrong", "unanswered", "c1", "acc"),
    [  # Peñas & Rodrigo 2011, Table 3: c@1 = (right + unanswered * right / 500) / 500
        ("icia091ro", 237, 156, 107, 0.575436, 0.474),
        ("uaic092ro", 236, 264, 0, 0.472, 0.472),
        ("loga092de", 187, 230, 83, 0.436084, 0.374),
        ("base092de", 189, 311, 0, 0.378, 0.378),
    ],
)
def test_published_runs_have_their_published_values(
    run: str, right: int, wrong: int, unanswered: int, c1: float, acc: float
) -> None:
    assert right + wrong + unanswered == 500, run
    assert c_at_1(right, unanswered, 500) == pytest.approx(c1, abs=1e-12)
    assert accuracy(right, 500) == pytest.approx(acc, abs=1e-12)


@pytest.mark.parametrize(
    ("questions", "right", "unanswered", "expected"),
    [(4, 3, 0, 0.75), (10, 4, 5, 0.60), (100, 60, 20, 0.72), (4, 0, 4, 0.0)],
)
def test_c_at_1_is_what_the_pan_2020_evaluator_prints(
    questions: int, right: int, unanswered: int, expected: float
) -> None:
    assert c_at_1(right, unanswered, questions) == pytest.approx(expected, abs=1e-12)


def test_values_by_hand() -> None:
    # 10 questions: 4 right, 2 wrong, 4 unanswered, of which 1 candidate is right and 2 are wrong
    assert utility(4, 2, 10) == pytest.approx(0.2)  # (4 - 2) / 10
    assert utility_half(4, 4, 10) == pytest.approx(0.6)  # (4 + 2) / 10
    assert c_at_1(4, 4, 10) == pytest.approx(0.56)  # (4 + 4 * 0.4) / 10
    assert unanswered_as_right(4, 4, 10) == pytest.approx(0.8)  # (4 + 4) / 10
    assert precision_answered(4, 2) == pytest.approx(2 / 3)  # 4 / 6
    assert inverse_credit(4, 2, 4, 10) == pytest.approx(0.4 + (2 / 6) * 0.4)
    assert answered(4, 2, 10) == pytest.approx(0.6)
    # precision 2/3 and accuracy 0.4: harmonic mean 2 * (2/3) * 0.4 / (2/3 + 0.4) = 0.5
    assert f_attempted(4, 2, 10) == pytest.approx(0.5)
    assert withheld_wrong_rate(2, 1) == pytest.approx(2 / 3)
    assert accuracy_if_all_answered(4, 1, 10) == pytest.approx(0.5)  # (4 + 1) / 10
    assert confidence_target(4, 2, 10, t=0.75) == pytest.approx(-0.2)  # (4 - 3 * 2) / 10
    assert confidence_target(4, 2, 10, t=0.9) == pytest.approx(-1.4)  # (4 - 9 * 2) / 10
    assert hallucination_rate(2, 4) == pytest.approx(1 / 3)  # 2 / (2 + 4)


def test_a_run_that_answers_nothing_has_no_precision_and_no_inverse_credit() -> None:
    silent = {"questions": 5, "correct": 0, "wrong": 0, "unanswered": 5}
    silent |= {"withheld_right": 0, "withheld_wrong": 0}
    assert value("precision_answered", silent) is None
    assert value("inverse_credit", silent) is None
    assert value("withheld_wrong_rate", silent) is None
    assert value("c_at_1", silent) == 0
    assert value("confidence_target", silent) == 0
    assert value("hallucination_rate", silent) == 0
    assert value("f_attempted", silent) == 0
    assert value("unanswered_as_right", silent) == 1


@pytest.mark.parametrize("name", DECLARED)
@given(sums=counts())
def test_values_stay_in_their_range(name: str, sums: dict) -> None:
    found = value(name, sums)
    low, high = MEASURES[name].bounds
    assert found is None or low - 1e-12 <= found <= high + 1e-12


@pytest.mark.parametrize("name", DECLARED)
@given(several=st.lists(counts(), min_size=1, max_size=20))
def test_floats_arrays_and_expressions_agree(name: str, several: list[dict]) -> None:
    columns = MEASURES[name].columns
    one_by_one = [value(name, sums) for sums in several]
    frame = pl.DataFrame(several)
    arrays = MEASURES[name](**{c: frame[c].to_numpy().astype(float) for c in columns})
    table = frame.select(MEASURES[name](**{c: pl.col(c) for c in columns}).alias("v"))["v"]
    for single, array, cell in zip(one_by_one, arrays, table, strict=True):
        if single is None:
            assert math.isnan(array)
            assert cell is None
        else:
            assert array == pytest.approx(single, abs=1e-12)
            assert cell == pytest.approx(single, abs=1e-12)


@pytest.mark.parametrize("name", DECLARED)
@given(sums=counts())
def test_the_formula_told_is_the_formula_computed(name: str, sums: dict) -> None:
    found = value(name, sums)
    if found is not None:
        options = MEASURES[name].defaults
        assert eval(MEASURES[name].formula, {}, sums | options) == pytest.approx(found, abs=1e-12)


@given(sums=counts())
def test_c_at_1_equals_accuracy_when_everything_is_answered(sums: dict) -> None:
    total = sums["correct"] + sums["wrong"]
    if total:
        assert c_at_1(sums["correct"], 0, total) == accuracy(sums["correct"], total)


@given(sums=counts())
def test_c_at_1_never_rewards_silence_over_the_accuracy_shown_on_it(sums: dict) -> None:
    # Answering the unanswered with the accuracy shown, and no better, gives the same value.
    found, shown = value("c_at_1", sums), value("accuracy", sums)
    assert found is not None
    assert shown is not None
    share = sums["unanswered"] / sums["questions"]
    assert found == pytest.approx(shown * (1 + share), abs=1e-12)


@given(a=counts(), b=counts())
def test_both_forms_of_the_utility_function_rank_alike(a: dict, b: dict) -> None:
    plain = value("utility", a) - value("utility", b)
    shifted = value("utility_half", a) - value("utility_half", b)
    assert plain == pytest.approx(2 * shifted, abs=1e-12)


@given(sums=counts())
def test_a_confidence_target_of_0_is_accuracy_and_of_a_half_utility(sums: dict) -> None:
    given = [sums[column] for column in ("correct", "wrong", "questions")]
    assert confidence_target(*given, t=0) == value("accuracy", sums)
    assert confidence_target(*given, t=0.5) == value("utility", sums)


@given(sums=counts(), t=st.floats(0, 0.99))
def test_a_confidence_target_stays_within_the_range_of_its_t(sums: dict, t: float) -> None:
    low, high = confidence_target.bounds_with({"t": t})
    found = confidence_target(sums["correct"], sums["wrong"], sums["questions"], t=t)
    assert low - 1e-6 <= found <= high
    assert confidence_target(0, 1, 1, t=t) == pytest.approx(low)
    assert confidence_target(1, 0, 1, t=t) == high


def test_a_run_that_is_all_right_has_no_hallucination_rate() -> None:
    assert hallucination_rate(0, 0) is None


@given(sums=counts())
def test_f_is_the_harmonic_mean_of_precision_and_accuracy(sums: dict) -> None:
    precision, share = value("precision_answered", sums), value("accuracy", sums)
    found = value("f_attempted", sums)
    if precision is None or precision + share == 0:
        assert found == 0
    else:
        assert found == pytest.approx(2 * precision * share / (precision + share), abs=1e-12)


KINDS = [
    {"correct": 1, "wrong": 0, "unanswered": 0, "withheld_right": 0, "withheld_wrong": 0},
    {"correct": 0, "wrong": 1, "unanswered": 0, "withheld_right": 0, "withheld_wrong": 0},
    {"correct": 0, "wrong": 0, "unanswered": 1, "withheld_right": 1, "withheld_wrong": 0},
    {"correct": 0, "wrong": 0, "unanswered": 1, "withheld_right": 0, "withheld_wrong": 1},
    {"correct": 0, "wrong": 0, "unanswered": 1, "withheld_right": 0, "withheld_wrong": 0},
]


@pytest.mark.parametrize("name", DECLARED)
def test_a_measure_says_truly_whether_it_is_a_mean_over_questions(name: str) -> None:
    rng = np.random.default_rng(1)
    differs = False
    for _ in range(50):
        drawn = [KINDS[k] | {"questions": 1} for k in rng.integers(0, 5, 12)]
        sums = {column: sum(each[column] for each in drawn) for column in drawn[0]}
        singles, whole = [value(name, each) for each in drawn], value(name, sums)
        if None in singles or whole is None or abs(sum(singles) / len(singles) - whole) > 1e-12:
            differs = True
    assert MEASURES[name].mean is not differs
