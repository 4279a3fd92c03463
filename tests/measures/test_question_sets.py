"""Many question sets at once: each gets what it would get as a collection of its own."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.special import digamma

from qampaign.arrays import harmonic
from qampaign.measures import MEASURES, order_walk
from qampaign.measures.evidence import Evidence
from qampaign.measures.ordered import OrderedMeasure, walk, walk_exchanged
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import Rows, configured

QUESTIONS = 24
ROWS = {
    "answering": answering(Random(5), questions=QUESTIONS, longest=4),
    "validation": validation(Random(2), items=QUESTIONS),
}
SURE = {
    "answering": answering(Random(8), questions=QUESTIONS, longest=4, styles=("all",)),
    "validation": validation(Random(10), items=QUESTIONS, styles=("all",)),
}
VARIANTS = [("answering", each) for each in ANSWERING] + [
    ("validation", each) for each in VALIDATION if MEASURES[each[0]].resampled
]
IDS = [f"{task}-{named(each)}" for task, each in VARIANTS]


def weights(seed: int, number: int = 40) -> np.ndarray:
    """Parts of all sizes, one question alone among them; then samples with repetition."""
    rng = np.random.default_rng(seed)
    parts = [rng.permutation(QUESTIONS) < rng.integers(1, QUESTIONS + 1) for _ in range(number)]
    samples = [
        np.bincount(rng.integers(0, QUESTIONS, rng.integers(1, 30)), minlength=QUESTIONS)
        for _ in range(number)
    ]
    return np.array([*parts, *samples, np.ones(QUESTIONS), np.eye(QUESTIONS)[0]], dtype=float)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "variant"), VARIANTS, ids=IDS)
def test_together_as_one_by_one(task: str, variant: tuple[str, dict]) -> None:
    each = configured(*variant)
    evidence = ROWS[task].evidence(each)
    drawn = weights(1)
    together = each.values(evidence, drawn)
    assert together.shape == (evidence.runs.height, len(drawn))
    for number, times in enumerate(drawn.astype(int)):
        # the columns of the questions drawn, as often as they are drawn
        columns = {name: np.repeat(own, times, axis=1) for name, own in evidence.columns.items()}
        alone = Evidence(evidence.runs, evidence.questions, columns)
        expected = each.values(alone, np.ones((1, times.sum())))[:, 0]
        np.testing.assert_allclose(together[:, number], expected, atol=1e-12)


def drawn_rows(rows: Rows, times: np.ndarray) -> Rows:
    """The collection that a draw is: a question drawn twice is there twice, under two names."""
    ids = sorted(row["question"] for row in rows.question_rows)
    copies = {q: [f"{q}~{n}" for n in range(t)] for q, t in zip(ids, times, strict=True)}
    about = {row["question"]: row for row in rows.question_rows}
    return replace(
        rows,
        runs={
            run: {copy: own[q] for q in own for copy in copies[q]} for run, own in rows.runs.items()
        },
        says={copy: said for q, said in rows.says.items() for copy in copies[q]},
        questions={
            copy: {name: value for name, value in about[q].items() if name != "question"}
            for q in ids
            for copy in copies[q]
        },
        order=[copy for q in rows.order for copy in copies[q]],
    )


@pytest.mark.slow
@pytest.mark.parametrize("task", ["answering", "validation"])
def test_a_question_set_is_a_collection(task: str) -> None:
    """From rows to values again, for runs that give a confidence (a score) with everything."""
    rows = SURE[task]
    variants = [variant for its, variant in VARIANTS if its == task]
    measures = [configured(*variant) for variant in variants]
    evidence = rows.evidence(*measures)
    draws = weights(2, number=8)
    values = [each.values(evidence, draws) for each in measures]
    for number, times in enumerate(draws.astype(int)):
        alone = drawn_rows(rows, times)
        own = alone.evidence(*measures)
        every = np.ones((1, own.questions.height))
        for each, variant, together in zip(measures, variants, values, strict=True):
            found = dict(zip(own.runs["run"], each.values(own, every)[:, 0], strict=True))
            for run, value in zip(evidence.runs["run"], together[:, number], strict=True):
                if run not in found or not_sure(rows, alone, run, variant[0]):
                    continue  # it says nothing there: another run
                same = value == pytest.approx(found[run], abs=1e-12, nan_ok=True)
                assert same, (named(variant), run, value, found[run])


def not_sure(whole: Rows, part: Rows, run: str, measure: str) -> bool:
    """Whether a part has no order of its own: that of a run is decided by its whole collection.

    CWS and AURC ask for an answer with a confidence other than 0, AUC for a score of every item.
    """
    if measure == "auc":
        scores = [row["score"] for row in whole.response_rows if row["run"] == run]
        return len(scores) < len(whole.question_rows) or None in scores
    if measure not in ("cws", "risk_coverage", "augrc"):
        return False
    return not any(
        row["answered"] and row["rank"] == 1 and row["confidence"]
        for row in part.response_rows
        if row["run"] == run
    )


@pytest.mark.parametrize(
    "measure", [m for m, own in MEASURES.items() if isinstance(own, OrderedMeasure)]
)
def test_equal_values_that_are_not_the_same_number_are_still_ordered(measure: str) -> None:
    # 0.1 + 0.2 is not 0.3: the order is that of the numbers given
    found = MEASURES[measure]([0.1 + 0.2, 0.3], [1, 0])
    # AUGRC: no wrong answer above a right one, (0 + 1² / 2) / 2²
    assert found == {"cws": 0.75, "risk_coverage": 0.25, "augrc": 0.125, "auc": 1.0}[measure]


def test_an_empty_question_set_has_no_value() -> None:
    rows = ROWS["answering"]
    for name, options in ANSWERING:
        each = configured(name, options)
        nothing = each.values(rows.evidence(each), np.zeros((1, QUESTIONS)))
        assert np.isnan(nothing).all() or MEASURES[name].undefined == 0, name


def test_harmonic_numbers() -> None:
    assert harmonic(np.array([0.0, 1, 2, 3])).tolist() == pytest.approx([0, 1, 1.5, 11 / 6])


def test_the_order_of_a_large_collection() -> None:
    # 5,000 right answers in falling confidence, then 5,000 wrong ones: CWS = (1 + ln 2) / 2 nearly
    n = 10_000
    right = [1] * (n // 2) + [0] * (n // 2)
    found = MEASURES["cws"](list(range(n, 0, -1)), right)
    exact = (n / 2 + n / 2 * sum(1 / i for i in range(n // 2 + 1, n + 1))) / n
    assert found == pytest.approx(exact, abs=1e-12)
    # all equal: the accuracy
    assert MEASURES["cws"]([0.5] * n, right) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.slow
def test_sums_do_not_drift_over_a_large_collection() -> None:
    # gains of a tenth are not exact in binary; what comes before in the table must not matter
    def rows(questions: list[str]) -> Rows:
        return Rows(
            runs={"a": {q: ["x", "u", "y", "z"] for q in questions}},
            says={
                q: {"x": "right S", "y": "right A", "z": "right B", "u": "wrong"} for q in questions
            },
        )

    options: dict[str, Any] = {"gains": {"S": 0.3, "A": 0.2, "B": 0.1}, "beta": 0.7}
    each = configured("q_measure", options)
    large = rows([f"q{n:05}" for n in range(20_000)])
    column = large.evidence(each).columns
    key = next(name for name in column if name.startswith("blended_ratio"))
    expected = rows(["q"]).value("q_measure", **options)
    np.testing.assert_allclose(column[key][0], expected, atol=1e-12)


@pytest.mark.parametrize("values", [3, 12, 10**6], ids=["many ties", "some ties", "no ties"])
@pytest.mark.parametrize("absent", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("credit", [1.0, 1 / 3])
def test_a_walk_after_exchanges_is_that_of_the_questions_each_run_then_has(
    values: int, absent: float, credit: float
) -> None:
    rng = np.random.default_rng(values)
    by = rng.integers(1, values + 1, 2 * QUESTIONS) / values
    by[rng.random(len(by)) < absent] = np.nan
    right = np.where(rng.random(len(by)) < 0.4, credit, 0.0)
    coins = rng.integers(0, 2, (600, QUESTIONS), dtype=np.uint8)  # more than are walked at once
    totals, sums = np.full(len(coins), QUESTIONS), harmonic(np.arange(QUESTIONS + 1))
    sides = np.hstack([1 - coins, coins]), np.hstack([coins, 1 - coins])
    both = walk_exchanged(by, right, np.ascontiguousarray(coins.T))
    for found, side in zip(both, sides, strict=True):
        expected = walk(by, right, side, totals, sums)
        for name, numbers in vars(expected).items():
            np.testing.assert_allclose(getattr(found, name), numbers, rtol=1e-12, err_msg=name)


@pytest.mark.slow
def test_sums_of_reciprocals_of_many_numbers_at_once() -> None:
    """Between whole numbers: digamma(n + 1) + Euler's constant, by SciPy."""
    numbers = np.r_[np.linspace(0, 12, 50), np.geomspace(10, 1e7, 200)]
    mantissas, found = np.empty_like(numbers), np.empty_like(numbers)
    order_walk._harmonics(numbers, mantissas, mantissas.view(np.int64), found)
    assert found == pytest.approx(digamma(numbers + 1) + np.euler_gamma, rel=1e-12, abs=1e-12)
