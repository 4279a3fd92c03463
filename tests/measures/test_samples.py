"""Runs that answer a question several times: every measure over samples, and measures of them."""

from dataclasses import replace
from itertools import combinations
from math import prod
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.measures.curves import accuracy_by_bar, first_right, reliability
from qampaign.measures.evidence import Evidence
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.sample_cells import SAMPLES
from qampaign.measures.sample_variance import components, sample_variances
from qampaign.measures.scoring import as_right, count, evidence_of, score
from qampaign.report.sections.samples import share_within, shrunk
from qampaign.studies.exchange import places, places_of_samples
from tests.helpers.cases import first
from tests.helpers.generated_rows import (
    ANSWERING,
    OF_SAMPLES,
    VALIDATION,
    answering,
    named,
    sampled,
    validation,
)
from tests.helpers.measured_rows import Rows, Samples, configured, samples, withheld
from tests.measures.transcriptions import TRANSCRIBED, look

SAYS = {
    "q1": {"Paris": "right", "Rome": "wrong", "Oslo": "wrong"},
    "q2": {"x": "right", "y": "wrong"},
}
# q1: right, wrong, unanswered; q2: right, right: one sample of it is missing
ONE = Rows(
    runs={"a": {"q1": samples(["Paris"], ["Rome"], [None]), "q2": samples(["x"], ["x"])}}, says=SAYS
)


def test_evidence_is_the_mean_over_the_samples_of_a_question() -> None:
    """Right: 1/3 + 1, wrong: 1/3, unanswered: 1/3, of 2 questions."""
    counts = ONE.counts()
    assert counts["questions"] == 2
    assert counts["right"] == pytest.approx(4 / 3, abs=1e-8)
    assert counts["wrong"] == pytest.approx(1 / 3, abs=1e-8)
    assert counts["unanswered"] == pytest.approx(1 / 3, abs=1e-8)
    assert counts["answers"] == pytest.approx(2 / 3 + 1, abs=1e-8)
    assert ONE.value("accuracy") == pytest.approx(2 / 3)
    # (4/3 + 1/3 · (4/3) / 2) / 2
    assert ONE.value("c_at_1") == pytest.approx((4 / 3 + 1 / 3 * (4 / 3) / 2) / 2)


def test_a_question_without_a_row_is_unanswered_once() -> None:
    rows = Rows(runs={"a": {"q1": samples(["Paris"], ["Paris"])}}, says=SAYS)
    assert rows.counts()["unanswered"] == 1
    assert rows.counts()["right"] == 1
    assert dict(rows.scores("accuracy").select("run", "missing").rows()) == {"a": 0.5}


def test_repetition_is_within_a_sample() -> None:
    """Paris twice in the second sample: 1 of 1, then 1 of 2 answers right."""
    rows = Rows(runs={"a": {"q1": samples(["Paris"], ["Paris", "Paris"])}}, says={"q1": SAYS["q1"]})
    assert rows.value("list_precision") == pytest.approx(1 / 1.5)


def tripled(rows: Rows) -> Rows:
    """The same runs, who say the same three times."""
    runs = {
        run: {question: samples(*[said] * 3) for question, said in given.items() if said != []}
        for run, given in rows.runs.items()
    }
    return replace(rows, runs=runs)


def values(rows: Rows, variant: tuple[str, dict[str, Any]]) -> dict[str, float]:
    measure = configured(*variant)
    evidence = rows.evidence(measure)
    every = np.ones((1, evidence.questions.height))
    return dict(zip(evidence.runs["run"], measure.values(evidence, every)[:, 0], strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", first(4, range(12)))
def test_samples_that_are_all_alike_change_nothing(seed: int) -> None:
    """By any measure, with or without an order, and with ties in the order of the file too."""
    for make, variants in ((answering, ANSWERING), (validation, VALIDATION)):
        rows = make(Random(seed))
        more = tripled(rows)
        for variant in variants:
            if variant[0] in OF_SAMPLES or variant[1].get("ties") == "file":
                continue
            one, three = values(rows, variant), values(more, variant)
            assert three == pytest.approx(one, abs=1e-9, nan_ok=True), named(variant)


@pytest.mark.parametrize("seed", first(3, range(8)))
def test_the_mean_over_samples_is_that_of_the_runs_one_by_one(seed: int) -> None:
    """A measure that is a mean over questions: three runs as the samples of one run."""
    rows = answering(Random(seed), styles=("all",))
    ids = [row["question"] for row in rows.question_rows]
    together = {
        question: samples(*(given.get(question) or [None] for given in rows.runs.values()))
        for question in ids
    }
    joined = replace(rows, runs={"all": together})
    for variant in ANSWERING:
        if MEASURES[variant[0]].mean and variant[0] not in (*OF_SAMPLES, "k", "k1"):
            apart = [*values(rows, variant).values()]
            mean = pytest.approx(np.mean(apart), nan_ok=True)
            assert values(joined, variant)["all"] == mean, named(variant)


def test_an_entry_of_an_order_weighs_one_by_its_samples() -> None:
    """AUC by hand. i1 (right) at 0.9 and 0.1, i2 (wrong) at 0.5: half of the pairs is won."""
    rows = Rows(
        validation=True,
        runs={"a": {"i1": samples(("yes", 0.9), ("no", 0.1)), "i2": samples(("no", 0.5))}},
        says={"i1": "yes", "i2": "no"},
    )
    assert rows.value("auc") == pytest.approx(0.5)
    # i3 (wrong) is below both; of i2 two samples: pairs by weight, won 1/2 of i2's, all of i3's
    more = Rows(
        validation=True,
        runs={
            "a": {
                "i1": samples(("yes", 0.9), ("no", 0.2)),
                "i2": samples(("no", 0.5), ("no", 0.5)),
                "i3": samples(("no", 0.1)),
            }
        },
        says={"i1": "yes", "i2": "no", "i3": "no"},
    )
    assert more.value("auc") == pytest.approx((0.5 + 1) / 2)


def test_risk_and_coverage_by_hand() -> None:
    """All right but half of the last question: places 1 and 2, of which the second is half right.

    The walk goes over weights: (0..1) right, then the two halves of q2, right at 0.5, wrong at 0.4.
    The middle half goes from 1 to 1.5, all right: C/i = 1. The last from 1.5 to 2: C stays 1.5.
    """
    rows = Rows(
        runs={"a": {"q1": samples([("Paris", 0.9)]), "q2": samples([("x", 0.5)], [("y", 0.4)])}},
        says=SAYS,
    )
    from scipy.special import digamma

    last = 1.5 * (digamma(3) - digamma(2.5))
    assert rows.value("cws") == pytest.approx((1 + 0.5 + last) / 2)
    assert rows.value("risk_coverage") == pytest.approx(1 - (1 + 0.5 + last) / 2)


def test_places_of_samples_are_those_of_their_questions_where_they_are_alike() -> None:
    rng = np.random.default_rng(1)
    by = rng.integers(0, 4, (3, 7)).astype(float)
    by[by == 3] = np.nan
    split = np.repeat(by[:, :, None], 4, axis=2)
    found = places_of_samples(split, np.full(by.shape, 0.25))
    assert found[:, :, 2] == pytest.approx(places(by), nan_ok=True)


def test_curves_count_samples_by_their_share() -> None:
    measures = [configured("cws", {}, "cws"), configured("mrr", {}, "mrr")]
    rows = Rows(
        runs={
            "a": {
                "q1": samples([("Paris", 0.95)], [("Rome", 0.55), ("Paris", 0.1)]),
                "q2": samples([("x", 0.55)]),
            }
        },
        says=SAYS,
    )
    evidence = rows.evidence(*measures)
    # 0.55: half a question wrong, one right; 0.95: half a question, right
    bins = reliability(evidence).select("bin", "accuracy", "answers").rows()
    assert bins == [(5, pytest.approx(1 / 1.5), 1.5), (9, 1.0, 0.5)]
    assert accuracy_by_bar(evidence).select("answered", "accuracy").rows() == [
        (0.25, 1.0),
        (1.0, 0.75),
    ]
    assert first_right(evidence).rows() == [("a", 1, 1.5), ("a", 2, 0.5), ("a", None, 0.0)]


def test_evidence_by_sample_is_the_same_from_a_file() -> None:
    measure = configured("cws", {})
    rows = Rows(
        runs={"a": {"q1": samples([("Paris", 0.9)], [None]), "q2": samples([("x", 0.1)])}},
        says=SAYS,
        baselines={"answers_nothing": None},
    )
    evidence = rows.evidence(measure)
    again = Evidence.of(evidence.frame(), evidence.runs, evidence.questions)
    assert evidence.columns.keys() == again.columns.keys()
    for name, column in evidence.columns.items():
        np.testing.assert_array_equal(column, again.columns[name])
    assert evidence.columns[SAMPLES].tolist() == [[2, 1], [1, 1]]


@pytest.mark.parametrize("seed", first(8, range(30)))
def test_measures_of_samples_are_those_by_hand(seed: int) -> None:
    for make in (answering, validation):
        rows = sampled(Random(seed), make(Random(seed)))
        for name, options in ANSWERING:
            if name in OF_SAMPLES:
                expected = {run: TRANSCRIBED[name](look(rows, run), **options) for run in rows.runs}
                assert rows.values(name, **options) == pytest.approx(expected, abs=1e-12), name


def estimator(n: int, c: int, k: int) -> float:
    """As published with HumanEval: 1 − Π over i from n − c + 1 to n of (1 − k / i)."""
    if n - c < k:
        return 1.0
    return 1.0 - prod(1.0 - k / i for i in range(n - c + 1, n + 1))


@pytest.mark.slow
@pytest.mark.parametrize("k", first(2, range(1, 6)))
def test_pass_at_k_is_human_evals_and_that_of_all_subsets(k: int) -> None:
    for n in range(k, 7):
        for c in range(n + 1):
            said = ["Paris"] * c + ["Rome"] * (n - c)
            rows = Rows(runs={"a": {"q1": Samples(said)}}, says={"q1": SAYS["q1"]})
            chosen = [[text == "Paris" for text in some] for some in combinations(said, k)]
            some = sum(map(any, chosen)) / len(chosen)
            every = sum(map(all, chosen)) / len(chosen)
            assert rows.value("pass_at_k", k=k) == pytest.approx(some, abs=1e-12)
            assert rows.value("pass_at_k", k=k) == pytest.approx(estimator(n, c, k), abs=1e-12)
            assert rows.value("pass_all_k", k=k) == pytest.approx(every, abs=1e-12)


def test_fewer_samples_than_k_are_no_value_where_something_is_answered() -> None:
    """q2 has one sample: no pass@2 over all, but one over the questions of the type of q1."""
    rows = Rows(
        runs={
            "a": {"q1": samples(["Paris"], ["Rome"]), "q2": samples(["x"])},
            "b": {"q1": samples(["Paris"], ["Rome"]), "q2": samples([None])},
            "c": {"q1": samples(["Paris"], ["Rome"])},
        },
        says=SAYS,
        questions={"q1": {"type": "city"}, "q2": {"type": "letter"}},
    )
    assert rows.values("pass_at_k", k=2) == {"a": None, "b": 0.5, "c": 0.5}
    assert rows.values("pass_at_k", "city", k=2) == {"a": 1, "b": 1, "c": 1}
    assert rows.values("pass_all_k", k=2) == {"a": None, "b": 0, "c": 0}


def test_the_majority_goes_by_class_then_by_text_and_averages_ties() -> None:
    says = {
        "q1": {"Paris": "right - k", "the city of Paris": "right - k", "Rome": "wrong"},
        "q2": {"x": "right", "X.": "right", "y": "wrong", "Y!": "wrong"},
        "q3": {"x": "right", "y": "wrong"},
    }
    rows = Rows(
        runs={
            "a": {
                "q1": samples(["Paris"], ["Rome"], ["the city of Paris"]),  # by class: 2 to 1
                "q2": samples(["x"], ["Y!"], ["y"], ["X."]),  # by text: 2 to 2
                "q3": samples([None], ["y"], [withheld("x")]),  # only y has a vote
            }
        },
        says=says,
    )
    assert rows.value("majority_vote") == pytest.approx((1 + 0.5 + 0) / 3)


def test_consistency_is_over_pairs_of_samples_of_one_question() -> None:
    """q1: right, wrong, unanswered: no pair of three; q2: one pair of one; q3: one sample."""
    rows = Rows(
        runs={
            "a": {
                "q1": samples(["Paris"], ["Rome"], [None]),
                "q2": samples(["x"], ["x"]),
                "q3": samples(["x"]),
            }
        },
        says=SAYS | {"q3": SAYS["q2"]},
    )
    assert rows.value("consistency") == pytest.approx((0 + 1) / 2)
    single = Rows(runs={"a": {"q3": samples(["x"])}}, says={"q3": SAYS["q2"]})
    assert single.value("consistency") is None


def test_what_nobody_has_assessed_is_as_consistent_as_a_wrong_answer() -> None:
    """Unassessed and wrong: one pair of one, as with two wrong answers."""
    runs = {"a": {"q1": samples(["Rome"], ["Oslo"])}}
    rows = Rows(runs=runs, says={"q1": {"Rome": "wrong"}}, unassessed="wrong")
    assert rows.value("consistency") == 1


def test_a_question_without_a_row_can_count_as_wrong() -> None:
    """q2 has no row: with samples and without, one question more that is wrong."""
    for said in (["Paris"], samples(["Paris"], ["Paris"])):
        rows = Rows(
            runs={"a": {"q1": said}},
            says=SAYS,
            missing="wrong",
            baselines={"answers_nothing": None},
        )
        counts = rows.counts()
        assert (counts["right"], counts["wrong"], counts["unanswered"]) == (1, 1, 0)
        assert counts["missing"] == 1
        assert rows.value("c_at_1") == 0.5
        assert rows.value("precision_answered") == 0.5
        nothing = rows.counts("answers_nothing")
        assert (nothing["wrong"], nothing["unanswered"]) == (0, 2)


def test_an_item_without_a_row_can_count_as_wrong() -> None:
    """i1 is right and found; i2 (right) counts as rejected, i3 (wrong) as accepted."""
    rows = Rows(
        validation=True,
        runs={"a": {"i1": "yes"}},
        says={"i1": "yes", "i2": "yes", "i3": "no"},
        missing="wrong",
    )
    counts = rows.counts()
    assert [counts[name] for name in ("tp", "fp", "fn", "tn")] == [1, 1, 1, 0]
    assert rows.value("accuracy") == pytest.approx(1 / 3)
    assert rows.value("recall", unanswered="skip") == 0.5
    assert rows.value("f_05_u") == pytest.approx(1.25 / (1.25 + 0.25 + 1))


@pytest.mark.parametrize("seed", first(3, range(10)))
def test_parts_of_unanswered_add_up_with_samples_and_missing_rows(seed: int) -> None:
    rows = sampled(Random(seed), answering(Random(seed)))
    for missing in ("unanswered", "wrong"):
        for row in count(replace(rows, missing=missing).evidence()).to_dicts():
            parts = ("empty", "not_attempted", "withheld_right", "withheld_wrong")
            silent = sum(row[part] for part in parts) + row["missing"] * (missing != "wrong")
            assert row["unanswered"] == pytest.approx(silent, abs=1e-6)
            whole = row["right"] + row["wrong"] + row["unanswered"]
            assert whole == pytest.approx(row["questions"], abs=1e-6)


def test_bounds_are_the_values_if_all_that_is_open_is_wrong_and_if_it_is_right() -> None:
    """q1 right, q2 and q3 open, q4 wrong: accuracy 1/4 to 3/4; UF −2/4 to 2/4. No level is known."""
    rows = Rows(
        runs={"a": {"q1": ["Paris"], "q2": ["z"], "q3": ["z"], "q4": ["y"]}},
        says={"q1": SAYS["q1"], "q4": SAYS["q2"]},
        unassessed="bounds",
    )
    names = ("accuracy", "utility", "average_precision", "list_f", "credit", "mrr")
    measures = [configured(name, {}, name) for name in names]
    cells = rows.cells
    scores = score(
        evidence_of(cells, measures), measures, if_right=evidence_of(as_right(cells), measures)
    )
    found = {
        name: (value, low, high)
        for name, value, low, high in scores.filter(slice="all")
        .select("measure", "value", "if_wrong", "if_right")
        .rows()
    }
    assert found["accuracy"] == (0.25, 0.25, 0.75)
    assert found["utility"] == (-0.5, -0.5, 0.5)
    assert found["mrr"] == (0.25, 0.25, 0.75)
    for name in ("average_precision", "list_f", "credit"):
        assert found[name][1:] == (None, None)
    without = score(evidence_of(cells, measures), measures)
    assert without["if_wrong"].is_null().all()
    assert without["if_right"].is_null().all()


def test_components_by_hand_with_unequal_samples() -> None:
    """Means 1/2 and 1 of 2 and 1 samples; within 0.5 / 1, harmonic mean of samples 4/3.

    Their variance 1/8, less 1/2 by 4/3: −1/4.
    """
    there = np.array([[True, True], [True, False]])
    found = components(np.array([[1.0, 0.0], [1.0, 9.0]]), there)
    assert found == pytest.approx((4 / 3, 1 / 8 - 0.5 * 3 / 4, 0.5))
    alone = components(np.array([[1.0, 0.0]]), np.ones((1, 2), dtype=bool))
    assert np.isnan(alone[1])
    single = components(np.array([[1.0], [0.0]]), np.ones((2, 1), dtype=bool))
    assert np.isnan(single[2])


def test_components_are_those_of_a_one_way_analysis_of_variance() -> None:
    """Equal numbers: (mean square between − within) / samples, as in any textbook."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(20, 1)) + rng.normal(size=(20, 4))
    means = values.mean(axis=1)
    msw = ((values - means[:, None]) ** 2).sum() / (20 * 3)
    msb = 4 * means.var(ddof=1)
    found = components(values, np.ones(values.shape, dtype=bool))
    assert found == pytest.approx((4, (msb - msw) / 4, msw), abs=1e-9)


def test_variances_are_given_for_means_in_samples_alone() -> None:
    measures = [configured(name, {}, name) for name in ("accuracy", "c_at_1", "majority_vote")]
    table = sample_variances(ONE.cells, measures)
    assert table["measure"].to_list() == ["accuracy"]
    # q1: 1, 0, 0: 2/3 within by 2; q2: 1, 1: 0 by 1; in all 2/3 by 3
    assert table["within"].to_list() == pytest.approx([2 / 9])
    nothing = Rows(runs={"a": {"q1": ["Paris"]}}, says=SAYS)
    assert sample_variances(nothing.cells, measures).is_empty()


def test_questions_without_a_row_are_not_sampled() -> None:
    """q1 right, wrong, q2 right, right, and eight questions without a row.

    Means 1/2 and 1: variance 1/8. Within (1/4 + 1/4) / 2 = 1/4. Between 1/8 − 1/4 / 2 = 0.
    """
    says = {"q1": {"x": "right", "y": "wrong"}} | {f"q{n}": {"x": "right"} for n in range(2, 11)}
    given = {"q1": samples(["x"], ["y"]), "q2": samples(["x"], ["x"])}
    rows = Rows(runs={"a": given}, says=says)
    table = sample_variances(rows.cells, [configured("accuracy", {}, "accuracy")])
    assert table.drop("measure").rows() == [("a", 2, 2, 2.0, 0.0, 0.25)]
    nothing = components(np.empty((0, 2)), np.empty((0, 2), dtype=bool))
    assert np.isnan(nothing).all()


def test_runs_may_have_samples_beside_runs_that_have_none() -> None:
    rows = Rows(
        runs={"a": {"q1": samples(["Paris"], ["Rome"])}, "b": {"q1": ["Paris"], "q2": ["y"]}},
        says=SAYS,
        baselines={"answers_nothing": None, "oracle_withholding": None},
    )
    assert rows.values("accuracy") == {
        "a": 0.25,
        "b": 0.5,
        "answers_nothing": 0,
        "oracle_withholding(a)": 0.25,
        "oracle_withholding(b)": 0.5,
    }
    assert isinstance(MEASURES["cws"], OrderedMeasure)
    assert count(rows.evidence()).schema["right"] == pl.Float64


def test_the_foretold_interval_is_true_at_the_edges() -> None:
    """Samples that all agree: more of them bring nothing. Nothing but samples varies: half."""
    row = {"samples": 3, "questions": 20}
    same = share_within({**row, "within": 0.0}, 0.1, questions=20, units=20)
    assert shrunk(0.1, same, samples=4) == 0.1
    alone = share_within({**row, "within": 5.0}, 0.1, questions=20, units=20)
    assert shrunk(0.1, alone, samples=4) == 0.05
    assert shrunk(0.1, 0.3, questions=4) == pytest.approx(0.05)


@pytest.mark.parametrize(("a", "b"), [(2.0, 2.0), (0.2, 0.2), (30.0, 10.0)])
def test_components_are_not_biased(a: float, b: float) -> None:
    """Chances from a Beta distribution, whose variances are known; 2 to 4 samples."""
    rng = np.random.default_rng(3)
    between, within = a * b / ((a + b) ** 2 * (a + b + 1)), a * b / ((a + b) * (a + b + 1))
    found = []
    for _ in range(400):
        chance = rng.beta(a, b, 30)
        right = (rng.random((30, 4)) < chance[:, None]).astype(float)
        there = np.arange(4) < rng.integers(2, 5, 30)[:, None]
        found.append(components(right, there)[1:])
    mean = np.mean(found, axis=0)
    error = np.std(found, axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(mean - [between, within]) < 4 * error)
