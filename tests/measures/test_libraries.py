"""Thousands of cases by chance against ir_measures, scikit-learn and scipy."""

import math
import warnings
from functools import cache
from random import Random
from typing import Any

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, Success
from scipy.stats import ConstantInputWarning, pearsonr
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    precision_recall_fscore_support,
    roc_auc_score,
)

from tests.helpers.generated_rows import answering
from tests.helpers.measured_rows import Rows, configured
from tests.measures.transcriptions import look

pytestmark = pytest.mark.slow


@cache
def ranked(seed: int) -> Rows:
    """500 questions, three runs; ten possible answers, no two alike, some questions without any."""
    random = Random(seed)
    texts = [f"d{n}" for n in range(10)]
    ids = [f"q{n:03}" for n in range(500)]
    says = {}
    for each in ids:
        right = set(random.sample(texts, random.choice([0, 1, 1, 1, 2, 3, 9])))
        says[each] = {text: "right" if text in right else "wrong" for text in texts}
    runs = {
        run: {each: random.sample(texts, random.choice([0, 1, 3, 5, 8, 10])) for each in ids}
        for run in "abc"
    }
    return Rows(runs=runs, says=says)


def by_question(rows: Rows, measure: str, **options: Any) -> dict[str, list[float]]:
    """The values of every run on every question alone."""
    each = configured(measure, options)
    evidence = rows.evidence(each)
    values = each.values(evidence, np.eye(evidence.questions.height))
    return dict(zip(evidence.runs["run"], values.tolist(), strict=True))


@pytest.mark.parametrize(
    ("measure", "options", "theirs", "cutoff"),
    [
        ("mrr", {}, RR, 5),
        ("mrr", {"cutoff": 100}, RR, None),
        ("average_precision", {}, AP, None),
        ("nq_correct_1", {}, Success @ 1, None),
        ("nq_correct_5", {}, Success @ 5, None),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_ranked_measures_are_those_of_ir_measures(
    measure: str, options: dict, theirs: Any, cutoff: int | None, seed: int
) -> None:
    rows = ranked(seed)
    qrels = [
        ir_measures.Qrel(question, text, int(word == "right"))
        for question, said in rows.says.items()
        for text, word in said.items()
    ]
    ours, means = by_question(rows, measure, **options), rows.values(measure, **options)
    for run, given in rows.runs.items():
        submitted = [
            ir_measures.ScoredDoc(question, text, -float(rank))
            for question, texts in given.items()
            for rank, text in enumerate(texts[:cutoff])
        ]
        printed = dict.fromkeys(rows.says, 0.0)  # what is not answered is 0, as in their mean
        found = ir_measures.iter_calc([theirs], qrels, submitted)
        printed |= {each.query_id: each.value for each in found}
        assert ours[run] == pytest.approx(list(printed.values()), abs=1e-6)  # they have floats
        together = ir_measures.calc_aggregate([theirs], qrels, submitted)[theirs]
        assert means[run] == pytest.approx(together, abs=1e-6)


def draws(seed: int, questions: int, number: int) -> np.ndarray:
    """How often each question is drawn: parts of the collection, then samples with repetition."""
    rng = np.random.default_rng(seed)
    parts = [rng.permutation(questions) < rng.integers(1, questions) for _ in range(number // 2)]
    samples = [
        np.bincount(rng.integers(0, questions, rng.integers(1, questions)), minlength=questions)
        for _ in range(number - number // 2)
    ]
    return np.array([*parts, *samples], dtype=float)


@cache
def validated() -> tuple[Rows, dict[str, np.ndarray]]:
    """40 items with a score each; by run what was said, 1 for yes, and the scores; the truth."""
    random = Random(7)
    ids = [f"i{n:02}" for n in range(40)]
    scores = [n / 20 for n in range(21)]  # a coarse grid: many ties
    rows = Rows(
        validation=True,
        says={each: random.choice(["yes", "no", "no"]) for each in ids},
        runs={
            run: {each: (random.choice(["yes", "no"]), random.choice(scores)) for each in ids}
            for run in "abc"
        },
    )
    truth = np.array([rows.says[each] == "yes" for each in ids])
    arrays = {"truth": truth}
    for run, given in rows.runs.items():
        arrays[run] = np.array([(said == "yes", score) for said, score in given.values()])
    return rows, arrays


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_precision_recall_and_f_are_those_of_scikit_learn(beta: float) -> None:
    # Each draw is a label of its own; items rejected rightly fill up the short ones.
    rows, arrays = validated()
    weights = draws(3, 40, 700)
    measures = [
        configured(*each) for each in (("precision", {}), ("recall", {}), ("f", {"beta": beta}))
    ]
    evidence = rows.evidence(*measures)
    ours = [each.values(evidence, weights) for each in measures]
    for number, run in enumerate("abc"):
        truth, said = (np.zeros((80, len(weights))) for _ in range(2))
        for draw, times in enumerate(weights.astype(int)):
            truth[: times.sum(), draw] = np.repeat(arrays["truth"], times)
            said[: times.sum(), draw] = np.repeat(arrays[run][:, 0], times)
        theirs = precision_recall_fscore_support(truth, said, beta=beta, zero_division=np.nan)
        with_right = truth.any(axis=0)
        precision, recall, f = (each[number] for each in ours)
        np.testing.assert_allclose(precision, np.nan_to_num(theirs[0]), atol=1e-12)
        np.testing.assert_allclose(recall, np.where(with_right, theirs[1], np.nan), atol=1e-12)
        np.testing.assert_allclose(f, np.nan_to_num(theirs[2]), atol=1e-12)


@pytest.mark.parametrize(
    ("measure", "theirs", "column"),
    [
        ("auc_point", lambda y, p: roc_auc_score(y, p) if 0 < y.mean() < 1 else np.nan, 0),
        ("auc", lambda y, s: roc_auc_score(y, s) if 0 < y.mean() < 1 else np.nan, 1),
        ("brier", lambda y, s: brier_score_loss(y, s, pos_label=1), 1),
    ],
)
def test_areas_and_brier_are_those_of_scikit_learn(measure: str, theirs: Any, column: int) -> None:
    rows, arrays = validated()
    weights = draws(3, 40, 160)
    each = configured(measure, {})
    ours = each.values(rows.evidence(each), weights)
    for run, values in zip("abc", ours, strict=True):
        for value, times in zip(values, weights.astype(int), strict=True):
            truth = np.repeat(arrays["truth"], times).astype(int)
            given = np.repeat(arrays[run][:, column], times)
            assert value == pytest.approx(theirs(truth, given), abs=1e-12, nan_ok=True)


def test_correlation_is_that_of_scipy() -> None:
    rows = answering(Random(11), questions=40, styles=("all", "some"))
    each = configured("confidence_correlation", {})
    evidence, weights = rows.evidence(each), draws(4, 40, 700)
    compared = 0
    for run, values in zip(rows.runs, each.values(evidence, weights), strict=True):
        questions = look(rows, run)
        if not questions[0].rated:
            assert np.isnan(values).all()
            continue
        for value, times in zip(values, weights.astype(int), strict=True):
            answers = [
                (answer.confidence or 0.0, answer.right)
                for question, number in zip(questions, times, strict=True)
                for answer in question.given * number
            ]
            if len(answers) < 2:
                assert math.isnan(value)
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConstantInputWarning)
                theirs = pearsonr(*zip(*answers, strict=True)).statistic
            assert value == pytest.approx(theirs, abs=1e-9, nan_ok=True)
            compared += not math.isnan(value)
    assert compared > 1000


def test_average_precision_of_scikit_learn_where_everything_right_is_listed() -> None:
    # Theirs ends at the last right item of the list; so all that is known must be in it.
    random = Random(5)
    texts = [f"d{n}" for n in range(8)]
    ids = [f"q{n:03}" for n in range(300)]
    right = {each: random.sample(texts, random.randint(1, 8)) for each in ids}
    rows = Rows(
        runs={"a": {each: random.sample(texts, 8) for each in ids}},
        says={q: {t: "right" if t in right[q] else "wrong" for t in texts} for q in ids},
    )
    for each, found in zip(ids, by_question(rows, "average_precision")["a"], strict=True):
        truth = [text in right[each] for text in rows.runs["a"][each]]
        assert found == pytest.approx(average_precision_score(truth, range(8, 0, -1)), abs=1e-12)
