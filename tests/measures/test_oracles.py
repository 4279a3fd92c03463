"""Numbers that programs of other people printed, computed here from rows to values."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.measured_rows import Rows, withheld

# Printed by Sakai's NTCIREVAL, four decimals. Levels 3, 2, 1 are S, A, B; 0 is not right.
NTCIREVAL = json.loads(Path(__file__).with_name("q_measure_classes.json").read_text())


def rows_of(case: dict[str, Any]) -> Rows:
    """A run of NTCIREVAL; what its answer file does not have is not right."""
    says = {
        each["answer"]: f"right {each['level']} {each['class']}" if each["level"] else "wrong"
        for each in case["answers"]
    }
    return Rows(runs={"a": {"q1": case["run"]}}, says={"q1": says}, unassessed="wrong")


@pytest.mark.parametrize(
    "setting", ["g=1:2:3,beta=1", "g=1:2:3,beta=10", "g=1:5:10,beta=1", "g=1:5:10,beta=10"]
)
@pytest.mark.parametrize("name", NTCIREVAL)
def test_what_ntcireval_prints_for_answers_in_classes(name: str, setting: str) -> None:
    rows, printed = rows_of(NTCIREVAL[name]), NTCIREVAL[name][setting]
    gains, beta = setting.removeprefix("g=").split(",beta=")
    options = {
        "gains": {str(level): float(g) for level, g in enumerate(gains.split(":"), start=1)},
        "beta": int(beta),
    }
    four = {"abs": 5.0001e-5}
    assert rows.value("q_measure", **options) == pytest.approx(printed["Q-measure"], **four)
    assert rows.value("q_measure", cutoff=5, **options) == pytest.approx(printed["Q@0005"], **four)
    assert rows.value("average_precision") == pytest.approx(printed["AP"], **four)
    assert rows.value("mrr") == pytest.approx(printed["RR"], **four)
    assert rows.value("nq_correct_1") == printed["Hit@0001"]
    assert rows.value("nq_correct_5") == printed["Hit@0005"]


def test_every_case_of_ntcireval_is_there() -> None:
    assert len(NTCIREVAL) == 6
    assert sum(len(case) - 2 for case in NTCIREVAL.values()) == 24  # four settings of each


def test_what_ir_measures_prints() -> None:
    # ir_measures 0.4.3. Right: q1 {d1}, q2 {d3, d4}, q3 {d5}, q4 none; q4 is not answered.
    rows = Rows(
        runs={"a": {"q1": ["d2", "d1"], "q2": ["d3", "d8", "d4"], "q3": ["d7"]}},
        says={
            "q1": {"d1": "right", "d2": "wrong"},
            "q2": {"d3": "right", "d4": "right", "d8": "wrong"},
            "q3": {"d5": "right", "d7": "wrong"},
            "q4": {"d9": "wrong"},
        },
        questions={f"q{n}": {"type": f"only q{n}"} for n in (1, 2, 3, 4)},
    )
    assert rows.value("mrr") == pytest.approx(0.375, abs=1e-12)
    assert rows.value("average_precision") == pytest.approx(0.3333333333, abs=1e-10)
    assert rows.value("nq_correct_1") == 0.25
    assert rows.value("nq_correct_5") == 0.5
    for number, rr, ap in [(1, 0.5, 0.5), (2, 1, 0.8333333333), (3, 0, 0), (4, 0, 0)]:
        assert rows.value("mrr", within=f"only q{number}") == rr
        found = rows.value("average_precision", within=f"only q{number}")
        assert found == pytest.approx(ap, abs=1e-10)


@pytest.mark.parametrize(
    ("n", "right", "unanswered", "expected"),
    [(4, 3, 0, 0.75), (10, 4, 5, 0.60), (100, 60, 20, 0.72), (4, 0, 4, 0.0)],
)
def test_c_at_1_is_what_the_pan_2020_evaluator_prints(
    n: int, right: int, unanswered: int, expected: float
) -> None:
    # answered rightly, then left open in each of the three ways, then answered wrongly
    silent: list[Any] = [[], None, withheld("x")]
    answers = ["x"] * right + [silent[i % 3] for i in range(unanswered)]
    answers += ["y"] * (n - right - unanswered)
    questions = [f"q{number:03}" for number in range(n)]
    rows = Rows(
        runs={"a": dict(zip(questions, answers, strict=True))},
        says={question: {"x": "right", "y": "wrong"} for question in questions},
    )
    assert rows.value("c_at_1") == pytest.approx(expected, abs=1e-12)


CONFIDENCE = [0.9, 0.8, 0.7, 0.6, 0.55, 0.4, 0.3, 0.2]
CORRECT = [1, 1, 0, 1, 0, 0, 1, 0]


def test_pearson_is_what_scipy_prints() -> None:
    # scipy 1.17.1
    rows = Rows(
        runs={"a": {f"q{n}": [("x", sure)] for n, sure in enumerate(CONFIDENCE)}},
        says={f"q{n}": {"x": "right" if right else "wrong"} for n, right in enumerate(CORRECT)},
    )
    assert rows.value("confidence_correlation") == pytest.approx(0.4105354136, abs=1e-10)


def test_the_roc_area_is_what_scikit_learn_prints() -> None:
    # scikit-learn 1.9.1
    rows = Rows(
        validation=True,
        runs={"a": {f"i{n}": ("yes", sure) for n, sure in enumerate(CONFIDENCE)}},
        says={f"i{n}": "yes" if right else "no" for n, right in enumerate(CORRECT)},
    )
    assert rows.value("auc") == pytest.approx(0.75, abs=1e-12)
