"""What every declaration says of its measure is there, and is true."""

import doctest

import pytest

from qampaign.measures import MEASURES
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import EVIDENCE
from tests.helpers.measured_rows import Rows

SAMPLES = ["pass_at_k", "pass_all_k", "majority_vote", "consistency"]
ANSWERING = [
    "accuracy",
    "utility",
    "confidence_target",
    "hallucination_rate",
    "utility_half",
    "c_at_1",
    "unanswered_as_right",
    "precision_answered",
    "inverse_credit",
    "answered",
    "f_attempted",
    "withheld_wrong_rate",
    "accuracy_if_all_answered",
    "k",
    "k1",
    "confidence_correlation",
    "cws",
    "mrr",
    "nq_correct_1",
    "nq_correct_5",
    "average_precision",
    "q_measure",
    "list_precision",
    "list_recall",
    "list_f",
    "nil_precision",
    "nil_recall",
    "credit",
    "brier",
    "calibration_error",
    "risk_coverage",
    "augrc",
    *SAMPLES,
    "conciseness",
    "mean_score",
]
VALIDATION = [
    "precision",
    "recall",
    "f",
    "qa_accuracy",
    "estimated_qa",
    "tp_rate",
    "fp_rate",
    "auc_point",
    "auc",
    "f_05_u",
]

LABELS = {
    "utility": "UF",
    "utility_half": "UF′",
    "c_at_1": "c@1",
    "k": "K",
    "k1": "K1",
    "confidence_correlation": "r",
    "cws": "CWS",
    "mrr": "MRR",
    "nq_correct_1": "NQcorrect1",
    "nq_correct_5": "NQcorrect5",
    "average_precision": "AP",
    "q_measure": "Q",
    "auc": "AUC",
    "f_05_u": "F0.5u",
    "credit": "credit",
    "brier": "Brier",
    "calibration_error": "ECE",
    "risk_coverage": "AURC",
    "augrc": "AUGRC",
    "answered": "% answered",
    "pass_at_k": "pass@k",
    "pass_all_k": "pass^k",
}

every = pytest.mark.parametrize("name", MEASURES)


def test_every_measure_is_declared_for_its_task() -> None:
    assert set(MEASURES) == {*ANSWERING, *VALIDATION}
    for name in ANSWERING:
        assert MEASURES[name].task in ("answering", "any"), name
    for name in VALIDATION:
        assert MEASURES[name].task == "validation", name
    assert MEASURES["accuracy"].task == "any"


@pytest.mark.parametrize(("name", "label"), LABELS.items())
def test_labels_are_what_the_papers_print(name: str, label: str) -> None:
    assert MEASURES[name].label == label


@every
def test_the_documentation_opens_with_a_sentence(name: str) -> None:
    summary = MEASURES[name].summary
    assert summary[0].isupper()
    assert summary.endswith(".")
    assert MEASURES[name].citation
    assert MEASURES[name].formula


@every
def test_every_measure_has_a_worked_example_that_holds(name: str) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    space = {name: MEASURES[name]}
    example = parser.get_doctest(MEASURES[name].documentation, space, name, None, None)
    assert example.examples
    assert runner.run(example).failed == 0


@every
def test_the_evidence_that_it_needs_is_there_and_described(name: str) -> None:
    for column in MEASURES[name].columns:
        assert column in EVIDENCE
        assert (EVIDENCE[column].__doc__ or "").endswith(".")


OPTIONS = {
    "confidence_target": {"t": 0.75},
    "cws": {"ties": "average"},
    "mrr": {"cutoff": 5},
    "q_measure": {"gains": {"S": 3, "A": 2, "B": 1}, "beta": 1, "cutoff": None},
    "credit": {"gains": {"S": 3, "A": 2, "B": 1}},
    "f": {"beta": 1, "unanswered": "no"},
    "pass_at_k": {"k": 2},
    "pass_all_k": {"k": 2},
    **{name: {"unanswered": "no"} for name in ("recall", "tp_rate", "fp_rate", "auc_point")},
}


@every
def test_a_measure_has_the_options_of_its_formula_and_its_evidence(name: str) -> None:
    assert MEASURES[name].defaults == OPTIONS.get(name, {})
    for option in MEASURES[name].options.values():
        assert option.schema["description"]


def declare(*, columns: tuple[str, ...], best: dict[str, float] | None = None) -> None:
    @measure(label="x", citation="y", columns=columns, formula="z", best=best, worst={})
    def made_up(*sums: float) -> float:
        """It is made up."""
        return sum(sums)


def test_a_measure_that_no_evidence_fits_is_not_declared() -> None:
    with pytest.raises(
        ValueError, match="made_up: no evidence is called korrect; allowed: questions, "
    ):
        declare(columns=("korrect", "questions"))
    with pytest.raises(ValueError, match="the option cutoff has two defaults"):
        declare(columns=("reciprocal_rank", "blended_ratio"), best={"reciprocal_rank": 1})
    with pytest.raises(ValueError, match="made_up: intervals need the best and the worst row"):
        declare(columns=("correct", "questions"))
    assert "made_up" not in MEASURES


LOW = {"fp_rate", "brier", "calibration_error", "risk_coverage", "augrc", "hallucination_rate"}


def test_high_is_better_but_for_errors() -> None:
    assert {name for name, each in MEASURES.items() if each.better == "low"} == LOW


def test_what_has_a_value_where_the_formula_has_none() -> None:
    zero = {"f_attempted", "precision", "f", "f_05_u"}
    assert {name for name, each in MEASURES.items() if each.undefined is not None} == zero
    assert all(MEASURES[name].undefined == 0 for name in zero)


ASKED = {f"q{n}": {"x": "right S", "y": "wrong"} for n in range(4)}
GOOD = Rows(
    runs={
        # all right and sure of it, but for one that it doubts and that is wrong
        "good": {"q0": [("x", 1.0)], "q1": [("x", 1.0)], "q2": [("x", 1.0)], "q3": [("y", 0.0)]},
        "bad": {"q0": [("y", 1.0)], "q1": [("y", 1.0)], "q2": [("y", 1.0)], "q3": [("x", 0.0)]},
    },
    says=ASKED,
)
VALID = Rows(
    validation=True,
    runs={
        "good": {"i0": ("yes", 1.0), "i1": ("yes", 0.9), "i2": ("no", 0.0), "i3": ("no", 0.1)},
        "bad": {"i0": ("no", 0.0), "i1": ("no", 0.1), "i2": ("yes", 1.0), "i3": ("yes", 0.9)},
    },
    says={"i0": "yes", "i1": "yes", "i2": "no", "i3": "no"},
    questions={f"i{n}": {"group": f"g{n % 2}"} for n in range(4)},
)


@pytest.mark.parametrize("name", sorted({*ANSWERING, *VALIDATION} - {
    "answered", "unanswered_as_right", "inverse_credit", "withheld_wrong_rate", "nil_precision",
    "nil_recall", "hallucination_rate", "mean_score", "conciseness", *SAMPLES,
}))  # fmt: skip
def test_a_good_run_is_better_than_a_bad_one(name: str) -> None:
    rows = VALID if MEASURES[name].task == "validation" else GOOD
    values = rows.values(name)
    if MEASURES[name].better == "high":
        assert values["good"] > values["bad"]
    else:
        assert values["good"] < values["bad"]
    ranks = dict(rows.scores(name).select("run", "rank_first").rows())
    assert ranks == {"good": 1, "bad": 2}


def test_what_is_a_mean_over_questions() -> None:
    means = [
        "accuracy",
        "utility",
        "confidence_target",
        "utility_half",
        "unanswered_as_right",
        "answered",
        "accuracy_if_all_answered",
        "k",
        "k1",
        "mrr",
        "nq_correct_1",
        "nq_correct_5",
        "average_precision",
        "q_measure",
        "credit",
        "list_f",
        "pass_at_k",
        "pass_all_k",
        "majority_vote",
        "mean_score",
    ]
    assert {name for name, each in MEASURES.items() if each.mean} == set(means)


def test_what_is_needed_of_the_input() -> None:
    needs = {name: set(each.needs) for name, each in MEASURES.items() if each.needs}
    confidence = ["k", "k1", "confidence_correlation", "cws", "brier", "calibration_error"]
    expected = {name: {"confidence"} for name in [*confidence, "risk_coverage", "augrc"]}
    expected |= {"q_measure": {"level"}, "credit": {"level"}, "auc": {"score"}}
    expected |= {"qa_accuracy": {"group"}, "estimated_qa": {"group"}}
    expected |= {name: {"sample"} for name in SAMPLES}
    assert needs == expected
    assert {name for name, each in MEASURES.items() if each.unit} == {
        "k", "k1", "brier", "calibration_error"
    }  # fmt: skip
    assert {name for name, each in MEASURES.items() if not each.resampled} == {
        "qa_accuracy", "estimated_qa"
    }  # fmt: skip
