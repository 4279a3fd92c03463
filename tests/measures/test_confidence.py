"""K, K1, r, CWS and calibration: every edge by hand."""

import math
from random import Random
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from qampaign.measures import MEASURES
from tests.helpers.generated_rows import answering
from tests.helpers.measured_rows import Rows, withheld
from tests.measures.transcriptions import TRANSCRIBED, look

ALL = [
    "k",
    "k1",
    "confidence_correlation",
    "cws",
    "brier",
    "calibration_error",
    "risk_coverage",
    "augrc",
]
"""What rests on confidences."""


def firsts(*answers: Any, **more: Any) -> Rows:
    """A run with one answer to each question: `right 0.9`, `wrong`, an empty one is silence."""
    runs: dict[str, Any] = {}
    for number, each in enumerate(answers, start=1):
        verdict, _, confidence = each.partition(" ")
        runs[f"q{number:02}"] = (
            [(verdict, float(confidence) if confidence else None)] if verdict else []
        )
    says = {question: {"right": "right", "wrong": "wrong"} for question in runs}
    return Rows(runs={"a": runs}, says=says, **more)


def values(rows: Rows, *measures: str) -> list[float | None]:
    return [rows.value(each) for each in measures]


PILOT = Rows(
    runs={
        "a": {
            "q1": [("x", 0.9), ("z", 0.5), ("X", 0.8)],  # right, wrong, repeated
            "q2": [("x", 0.6)],  # one of four
            "q3": [],
            "q4": [("z", 0.3)],  # nothing right is known
            "q5": [("NIL", 0.2)],
            "q6": [withheld("x", 0.9)],
            "q7": [("NIL", 0.4)],  # wrongly
        }
    },
    says={
        "q1": {"x": "right", "X": "right", "y": "right", "z": "wrong"},
        "q2": {"x": "right"},
        "q3": {"x": "right"},
        "q4": {"z": "wrong"},
        "q6": {"x": "right"},
        "q7": {"x": "right"},
    },
    questions={"q2": {"known": 4}, "q5": {"nil": True}},
)


def test_k_by_hand() -> None:
    # q1: (0.9 - 0.5 + 0) / max(2 known, 3 given); q2: 0.6 / 4; q4: -0.3 / 1; q5: 0.2; q7: -0.4
    expected = ((0.9 - 0.5) / 3 + 0.6 / 4 + 0 - 0.3 + 0.2 + 0 - 0.4) / 7
    assert PILOT.value("k") == pytest.approx(expected, abs=1e-12)


def test_k1_by_hand() -> None:
    # the first answers alone: 0.9 + 0.6 - 0.3 + 0.2 - 0.4
    assert PILOT.value("k1") == pytest.approx(1.0 / 7, abs=1e-12)


def test_a_list_of_wrong_answers_costs_k_their_mean_confidence() -> None:
    # -(0.8 + 0.4) / max(1, 2); the same wrong answer again is wrong again, not repeated
    says = {"q1": {"x": "right", "y": "wrong", "z": "wrong"}}
    assert Rows({"a": {"q1": [("y", 0.8), ("z", 0.4)]}}, says).value("k") == pytest.approx(-0.6)
    assert Rows({"a": {"q1": [("y", 0.8), ("y", 0.4)]}}, says).value("k") == pytest.approx(-0.6)


def test_correlation_by_hand() -> None:
    # 0.9 right, 0.5 right, 0.1 wrong, over the answers of two questions: covariance 0.8 / 9,
    # deviations sqrt(0.32 / 3) and sqrt(2 / 9): r = sqrt(3) / 2
    rows = Rows(
        runs={"a": {"q1": [("x", 0.9), ("z", 0.1)], "q2": [("x", 0.5)], "q3": []}},
        says={"q1": {"x": "right", "z": "wrong"}, "q2": {"x": "right"}, "q3": {"x": "right"}},
    )
    assert rows.value("confidence_correlation") == pytest.approx(math.sqrt(3) / 2, abs=1e-12)


def test_a_repeated_answer_is_not_correct_for_the_correlation() -> None:
    # 0.8 right, 0.8 repeated, 0.2 wrong: x = .8 .8 .2, y = 1 0 0; r = 0.5
    rows = Rows(
        runs={"a": {"q1": [("x", 0.8), ("x", 0.8), ("z", 0.2)]}},
        says={"q1": {"x": "right", "z": "wrong"}},
    )
    assert rows.value("confidence_correlation") == pytest.approx(0.5, abs=1e-12)


def test_perfect_self_knowledge_correlates_perfectly() -> None:
    assert firsts("right 1", "wrong 0", "right 1").value("confidence_correlation") == pytest.approx(
        1
    )
    assert firsts("right 0", "wrong 1").value("confidence_correlation") == pytest.approx(-1)


@pytest.mark.parametrize(
    "answers",
    [
        ["right 0.7", "wrong 0.7", "wrong 0.7"],  # confidence is constant
        ["right 0.1", "right 0.1", "wrong 0.1"],  # and a tenth is not exact
        ["right 0.9", "right 0.2"],  # correctness is constant
        ["wrong 0.9", "wrong 0.2"],
        ["right 0.9"],  # one question
        ["right 0", "wrong 0"],
        ["right 0.3"] * 7 + ["wrong 0.3"] * 3,
    ],
)
def test_correlation_is_not_available_where_one_side_is_constant(answers: list[str]) -> None:
    assert firsts(*answers).value("confidence_correlation") is None


def test_correlation_of_nearly_equal_confidences_stays_exact() -> None:
    # Two answers of which the surer is right: r = 1 whatever the confidences, as long as their
    # variance is not below 1e-12 of the mean square: here (1e-5 / 2)^2 / 0.25 = 1e-10.
    rows = firsts("right 0.50001", "wrong 0.5")
    assert rows.value("confidence_correlation") == pytest.approx(1, abs=1e-9)


@pytest.mark.slow
def test_correlation_stays_in_its_range_for_nearly_equal_confidences() -> None:
    for step in range(1, 40):
        sure = 0.9 + step * 1e-6
        found = firsts(f"right {sure!r}", "wrong 0.9").value("confidence_correlation")
        assert found is None or -1 - 1e-9 <= found <= 1 + 1e-9, (step, found)


def test_cws_by_hand() -> None:
    # by falling confidence right, wrong, right, then the unanswered: (1 + 1/2 + 2/3 + 2/4) / 4
    rows = firsts("right 0.2", "", "right 0.9", "wrong 0.5")
    assert rows.value("cws") == pytest.approx((1 + 1 / 2 + 2 / 3 + 2 / 4) / 4, abs=1e-12)


def test_cws_averages_over_the_orders_of_equal_confidences() -> None:
    # right at 0.9, then right and wrong at 0.5 in either order, then one unanswered
    rows = firsts("right 0.9", "wrong 0.5", "right 0.5", "")
    one, other = 1 + 1 + 2 / 3 + 2 / 4, 1 + 1 / 2 + 2 / 3 + 2 / 4
    assert rows.value("cws") == pytest.approx((one + other) / 2 / 4, abs=1e-12)


def test_cws_can_take_equal_confidences_in_the_order_of_the_file() -> None:
    answers = ["wrong 0.5", "right 0.5", "right 0.9"]
    wrong_first = firsts(*answers).value("cws", ties="file")  # right, wrong, right
    assert wrong_first == pytest.approx((1 + 1 / 2 + 2 / 3) / 3, abs=1e-12)
    turned = firsts(*answers, order=["q03", "q02", "q01"])  # right, right, wrong
    assert turned.value("cws", ties="file") == pytest.approx((1 + 1 + 2 / 3) / 3, abs=1e-12)
    assert turned.value("cws") == pytest.approx(firsts(*answers).value("cws"), abs=1e-12)


@pytest.mark.parametrize("seed", range(25))
def test_the_closed_form_of_ties_is_the_mean_of_all_their_orders(seed: int) -> None:
    # up to eight questions at three confidences: up to 8! orders, one by one
    random = Random(seed)
    answers = random.choices(
        ["right 0.5", "wrong 0.5", "right 0.7", "wrong 0.7", "right 0.1", "wrong 0.1", "right", ""],
        k=random.randint(1, 7),
    )
    rows = firsts(*answers)
    for measure in ("cws", "risk_coverage"):
        expected = TRANSCRIBED[measure](look(rows, "a")) if any(answers) else None
        found = rows.value(measure) if any(answers) else None
        assert found == pytest.approx(expected, abs=1e-12), (measure, answers)


def test_an_answer_without_a_confidence_comes_last_among_the_answered() -> None:
    # right 0.1, wrong without, unanswered: (1 + 1/2 + 1/3) / 3
    rows = firsts("wrong", "right 0.1", "")
    assert rows.value("cws") == pytest.approx((1 + 1 / 2 + 1 / 3) / 3, abs=1e-12)
    # even below a negative one, as log probabilities are
    assert firsts("wrong", "right -3").value("cws") == pytest.approx((1 + 1 / 2) / 2, abs=1e-12)


def test_answers_without_a_confidence_are_equal_to_each_other() -> None:
    # wrong 0.9, then a right and a wrong one without, in either order
    rows = firsts("wrong 0.9", "right", "wrong")
    expected = ((0 + 1 / 2 + 1 / 3) + (0 + 0 + 1 / 3)) / 2 / 3
    assert rows.value("cws") == pytest.approx(expected, abs=1e-12)
    assert rows.value("risk_coverage") == pytest.approx(1 - expected, abs=1e-12)


def test_an_answer_without_a_confidence_counts_as_confidence_0() -> None:
    rows = firsts("right 0.8", "wrong")
    assert rows.value("k") == rows.value("k1") == pytest.approx(0.4)  # (0.8 - 0) / 2
    assert rows.value("confidence_correlation") == pytest.approx(1)  # 0.8 right, 0 wrong
    assert rows.value("brier") == pytest.approx(0.04)  # but it has none to calibrate


def test_confidences_that_are_all_zero() -> None:
    # Table 1 of the pilot paper: dfki041dede and others have K1 = 0, CWS and r not available
    rows = firsts("right 0", "wrong 0", "")
    assert rows.value("k1") == 0
    assert rows.value("k") == 0
    assert values(rows, "cws", "confidence_correlation", "risk_coverage") == [None, None, None]
    assert rows.value("brier") == pytest.approx(0.5)  # ((0 - 1)^2 + 0) / 2
    assert rows.value("calibration_error") == pytest.approx(0.5)  # |0 - 1| / 2


@pytest.mark.parametrize("measure", ALL)
def test_a_run_without_confidences_has_no_value_beside_one_that_has(measure: str) -> None:
    says = {f"q{n}": {"x": "right", "y": "wrong"} for n in range(3)}
    sure = {"q0": [("x", 0.9)], "q1": [("x", 0.4)], "q2": [("y", 0.3)]}
    rows = Rows(runs={"sure": sure, "mute": {"q0": ["x"], "q1": ["x"], "q2": ["y"]}}, says=says)
    found = rows.scores(measure).filter(slice="all")
    assert found["run"].to_list() == ["mute", "sure"]
    assert found["value"][0] is None
    assert found["value"][1] is not None
    assert found.select("rank_first", "rank_last").rows() == [(None, None), (1, 1)]


@pytest.mark.parametrize("measure", ALL)
def test_a_collection_without_confidences_has_no_value(measure: str) -> None:
    assert firsts("right", "wrong").value(measure) is None


def test_a_run_that_withholds_everything() -> None:
    rows = Rows(
        runs={"a": {"q1": [withheld("x", 0.9)], "q2": [withheld("y", 0.2)]}},
        says={q: {"x": "right", "y": "wrong"} for q in ("q1", "q2")},
    )
    assert values(rows, "k", "k1") == [0, 0]
    others = [
        "confidence_correlation",
        "cws",
        "brier",
        "calibration_error",
        "risk_coverage",
        "augrc",
    ]
    assert values(rows, *others) == [None] * len(others)


def test_one_question() -> None:
    rows = firsts("right 0.7")
    assert values(rows, "k", "k1", "cws", "risk_coverage") == [0.7, 0.7, 1, 0]
    assert rows.value("brier") == pytest.approx(0.09)
    assert rows.value("calibration_error") == pytest.approx(0.3)
    rows = firsts("wrong 0.7")
    assert values(rows, "k", "k1", "cws", "risk_coverage") == [-0.7, -0.7, 0, 1]
    assert rows.value("brier") == pytest.approx(0.49)
    assert rows.value("calibration_error") == pytest.approx(0.7)


def test_constant_confidences() -> None:
    # three right and one wrong, all at 0.6: every order of four is as likely
    rows = firsts("right 0.6", "right 0.6", "wrong 0.6", "right 0.6")
    # the expected share right among the first i is 3/4 for every i
    assert rows.value("cws") == pytest.approx(0.75, abs=1e-12)
    assert rows.value("risk_coverage") == pytest.approx(0.25, abs=1e-12)
    assert rows.value("k1") == pytest.approx(0.6 * (3 - 1) / 4, abs=1e-12)
    assert rows.value("calibration_error") == pytest.approx(0.15, abs=1e-12)  # |2.4 - 3| / 4


def test_brier_by_hand_over_all_ranks() -> None:
    # right 0.8, wrong 0.4, repeated 0.5 (not right), withheld and unrated ones out:
    # (0.04 + 0.16 + 0.25) / 3
    rows = Rows(
        runs={"a": {"q1": [("x", 0.8), ("y", 0.4), ("x", 0.5), withheld("y", 0.9), ("z", None)]}},
        says={"q1": {"x": "right", "y": "wrong", "z": "wrong"}},
    )
    assert rows.value("brier") == pytest.approx(0.15, abs=1e-12)


def test_calibration_error_by_hand() -> None:
    # bin 9: 0.95 right, 1.0 wrong, 0.9 right: |2.85 - 2| = 0.85
    # bin 2: 0.25 wrong, 0.21 right: |0.46 - 1| = 0.54; bin 0: 0.0 wrong: 0
    rows = firsts("right 0.95", "wrong 1.0", "right 0.9", "wrong 0.25", "right 0.21", "wrong 0", "")
    assert rows.value("calibration_error") == pytest.approx((0.85 + 0.54) / 6, abs=1e-12)


def test_risk_and_coverage_by_hand() -> None:
    # right 0.9, wrong 0.5, right 0.1 of four questions: error 0, 1/2, 1/3 at one, two, three
    rows = firsts("right 0.9", "wrong 0.5", "right 0.1", "")
    assert rows.value("risk_coverage") == pytest.approx((0 + 1 / 2 + 1 / 3) / 3, abs=1e-12)


def test_withheld_answers_count_for_nothing() -> None:
    says = {"q1": {"x": "right", "y": "wrong"}, "q2": {"x": "right", "y": "wrong"}}
    plain = Rows({"a": {"q1": [("x", 0.9), ("y", 0.3)], "q2": []}}, says)
    more = Rows(
        {"a": {"q1": [("x", 0.9), ("y", 0.3), withheld("y", 1.0)], "q2": [withheld("y", 0.8)]}},
        says,
    )
    for measure in ALL:
        assert more.value(measure) == plain.value(measure), measure


@pytest.mark.parametrize(
    ("how", "given", "mapped"),
    [
        (None, [0.2, 0.4, 0.6], [0.2, 0.4, 0.6]),
        ("minmax", [2, 4, 6], [0, 0.5, 1]),
        ("minmax", [-10, -9, 10], [0, 0.05, 1]),
        ("logistic", [0, math.log(3), -math.log(3)], [0.5, 0.75, 0.25]),
        ("logistic", [800, -800, 0], [1, 0, 0.5]),
        ("rank", [10, 40, 20], [0, 1, 0.5]),
        ("rank", [1, 5, 5, 100], [0, 0.5, 0.5, 1]),  # ranks 1, 2.5, 2.5, 4
    ],
)
@pytest.mark.filterwarnings("error")
def test_confidences_on_any_scale_are_mapped_by_run(
    how: str | None, given: list[float], mapped: list[float]
) -> None:
    ids = [f"q{n}" for n in range(len(given))]
    rows = Rows(
        runs={
            "a": {q: [("x", c)] for q, c in zip(ids, given, strict=True)},
            "b": {q: [("x", 0.123)] for q in ids},  # no concern of the other
        },
        says={q: {"x": "right"} for q in ids},
        confidence_map=how,
    )
    # right throughout: K1 is the mean confidence, Brier that of (1 - confidence)^2
    assert rows.value("k1") == pytest.approx(sum(mapped) / len(mapped), abs=1e-12)
    squares = sum((1 - each) ** 2 for each in mapped)
    assert rows.value("brier") == pytest.approx(squares / len(mapped), abs=1e-12)


def test_order_and_correlation_take_confidences_as_they_are() -> None:
    answers = ["right -1", "wrong -2.5", "right -7"]
    for how in (None, "minmax", "logistic", "rank"):
        rows = firsts(*answers, confidence_map=how)
        assert rows.value("cws") == pytest.approx((1 + 1 / 2 + 2 / 3) / 3, abs=1e-12)
        # x = -1 -2.5 -7, y = 1 0 1: covariance -1/3, variances 6.5 and 2/9
        assert rows.value("confidence_correlation") == pytest.approx(
            (-1 / 3) / math.sqrt(6.5 * 2 / 9), abs=1e-12
        )


def test_a_what_if_run_with_no_confidence_in_nil() -> None:
    # Section 3.5 of the pilot paper in small: NIL at confidence 1 is right once and wrong twice
    rows = Rows(
        runs={
            "a": {
                "q1": [("NIL", 1)],
                "q2": [("NIL", 1)],
                "q3": [("NIL", 1)],
                "q4": [("x", 0.6)],
                "q5": [("y", 0.1)],
            }
        },
        says={q: {"x": "right", "y": "wrong"} for q in ("q2", "q3", "q4", "q5")},
        questions={"q1": {"nil": True}},
        derived={"b": {"from": "a", "where": "answer = 'NIL'", "set": {"confidence": 0}}},
    )
    assert rows.values("k1") == pytest.approx({"a": (1 - 1 - 1 + 0.6 - 0.1) / 5, "b": 0.5 / 5})
    assert rows.values("accuracy") == {"a": 0.4, "b": 0.4}
    # x = 0 0 0 .6 .1, y = 1 0 0 1 0: sums .7, 2, xy .6, xx .37: (5*.6 - .7*2) / sqrt(...)
    expected = (5 * 0.6 - 0.7 * 2) / math.sqrt((5 * 0.37 - 0.49) * (5 * 2 - 4))
    assert rows.value("confidence_correlation", "b") == pytest.approx(expected, abs=1e-12)
    # b by falling confidence: x right, y wrong, then three NIL in any order, one right:
    # 1, 1/2, and the third to fifth have 1 + 1/3, 1 + 2/3, 2 right in expectation
    expected = (1 + 1 / 2 + (4 / 3) / 3 + (5 / 3) / 4 + 2 / 5) / 5
    assert rows.value("cws", "b") == pytest.approx(expected, abs=1e-12)
    kinds = rows.evidence().runs.select("run", "kind").rows()
    assert kinds == [("a", "submitted"), ("b", "derived")]


def test_confidence_is_about_the_strictness_of_the_collection() -> None:
    says = {"q1": {"x": "inexact"}, "q2": {"x": "right"}}
    runs = {"a": {"q1": [("x", 0.5)], "q2": [("x", 0.7)]}}
    assert Rows(runs, says).value("k1") == pytest.approx(0.1)
    assert Rows(runs, says, correct=("right", "inexact")).value("k1") == pytest.approx(0.6)


def test_the_what_if_run_of_a_generated_collection_changes_nothing_else() -> None:
    rows = answering(Random(3), questions=12, styles=("all",))
    derived = {"z": {"from": "a", "where": "answer = 'NIL'", "set": {"answer": "NIL"}}}
    more = Rows(**{**vars(rows), "derived": derived})
    for measure in ("k", "cws", "average_precision", "q_measure", "accuracy", "nil_precision"):
        found = more.values(measure)
        assert found["z"] == found["a"], measure
        assert found["a"] == rows.value(measure), measure


def test_a_run_that_answers_nothing_has_0_by_k_and_k1() -> None:
    """Peñas & Rodrigo 2011, after (12): no answer is an answer of confidence 0."""
    rows = Rows(
        runs={"a": {"q1": [None], "q2": []}, "b": {"q1": [("x", 0.5)], "q2": [("x", 0.5)]}},
        says={"q1": {"x": "right"}, "q2": {"x": "right"}},
    )
    assert rows.values("k") == rows.values("k1") == {"a": 0, "b": 0.5}
    assert rows.value("cws", "a") is None


@pytest.mark.slow
def test_augrc_is_what_accuracy_and_the_roc_area_of_scikit_learn_give() -> None:
    # Traub et al. 2024: AUGRC = (1 - AUROC) acc (1 - acc) + (1 - acc)² / 2
    rng = np.random.default_rng(4)
    for _ in range(200):
        number = int(rng.integers(2, 30))
        right = rng.integers(0, 2, number)
        sure = rng.integers(1, 6, number) / 5  # some are equal
        share = right.mean()
        area = roc_auc_score(right, sure) if 0 < share < 1 else 1.0
        expected = (1 - area) * share * (1 - share) + (1 - share) ** 2 / 2
        assert MEASURES["augrc"](sure, right) == pytest.approx(expected, abs=1e-12)


def test_augrc_by_hand() -> None:
    # wrong, right, right, wrong by falling confidence: the first is above two right ones, so
    # (2 + 2² / 2) / 4²; as trapezoids of heights 0, 1/4, 1/4, 1/4, 2/4: (.125+.25+.25+.375) / 4
    assert MEASURES["augrc"]([0.9, 0.8, 0.7, 0.6], [0, 1, 1, 0]) == 0.25
    # unanswered questions stand outside the order, as for AURC
    assert MEASURES["augrc"]([0.9, 0.8, None, 0.7, 0.6], [0, 1, 0, 1, 0]) == 0.25
    # all wrong, all right, and nothing sure
    assert MEASURES["augrc"]([0.9, 0.8], [0, 0]) == 0.5
    assert MEASURES["augrc"]([0.9, 0.8], [1, 1]) == 0
    assert MEASURES["augrc"]([0, 0], [1, 0]) is None
