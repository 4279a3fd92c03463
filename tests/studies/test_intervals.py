"""Intervals of values: by hand, against the beta distribution, and at the edges."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from qampaign.measures import MEASURES
from qampaign.measures.evidence import Evidence
from qampaign.measures.question_weights import weigh
from qampaign.measures.scoring import Configured, evaluate
from qampaign.studies.comparisons import study
from qampaign.studies.intervals import quantiles
from qampaign.studies.resampling import SCALE, draw_exponential, generator, key
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import PSEUDO, weighted_values
from tests.bench.calibration import intervals as calibration
from tests.bench.calibration.simulated import ACCURACY as EXACT
from tests.studies.made_evidence import ACCURACY, abstaining, evidence_of

C_AT_1 = [Configured("c_at_1", "c_at_1", {})]


def test_accuracy_has_a_beta_distribution() -> None:
    """Right ones + 2/3 and wrong ones + 2/3, whatever the order of the questions."""
    evidence = evidence_of([[1] * 14 + [0] * 6, [1] * 20 + [0] * 0, [0] * 20])
    drawn = weighted_values(evidence, ACCURACY, Units.of(evidence.questions, "group"), seed="s")[0]
    for right, values in zip((14, 20, 0), drawn.values, strict=True):
        beta = stats.beta(right + 2 / 3, 20 - right + 2 / 3)
        assert stats.kstest(values, beta.cdf).pvalue > 1e-3
    found = study(evidence, ACCURACY, seed="s").intervals
    assert found["high"][1] == 1.0
    assert found["low"][1] == pytest.approx(stats.beta(20 + 2 / 3, 2 / 3).ppf(0.025), abs=0.01)
    assert found["low"][2] == 0.0
    assert found["high"][2] == pytest.approx(stats.beta(2 / 3, 20 + 2 / 3).ppf(0.975), abs=0.01)


def test_of_many_questions_the_interval_of_accuracy_is_that_of_jeffreys() -> None:
    """That adds 1/2 to right and wrong, not 2/3: a difference of 1/6 in 400 questions."""
    found = study(evidence_of([[1] * 280 + [0] * 120]), ACCURACY, seed="s").intervals
    expected = proportion_confint(280, 400, method="jeffreys")
    assert found.select("low", "high").row(0) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize("others", [1e-9, 1.0])
def test_a_pseudo_question_weighs_as_much_as_the_questions_that_decide(others: float) -> None:
    """Where one question has all the weight, accuracy is Beta(1 + 2/3, 2/3), as of one question."""
    evidence = weigh(evidence_of([[1, *[0] * 11]]), np.array([1.0, *[others] * 11]))
    units = Units.of(evidence.questions, "group")
    drawn = weighted_values(evidence, ACCURACY, units, seed="s", draws=40_000)[0].values[0]
    right, wrong = (1, 0) if others < 1 else (1, 11)
    expected = stats.beta(right + PSEUDO, wrong + PSEUDO).ppf([0.025, 0.975])
    assert np.quantile(drawn, [0.025, 0.975]) == pytest.approx(expected, abs=0.01)


def test_c_at_1_by_hand() -> None:
    evidence = abstaining(1, runs=3, questions=12)
    units = Units.of(evidence.questions, "group")
    drawn = weighted_values(evidence, C_AT_1, units, seed="s", draws=40)[0]
    weights = draw_exponential(units.keys, 40, key("s", "weights")) / SCALE
    pseudo = generator("s", "pseudo-questions").standard_gamma(PSEUDO, (40, 2))
    for index, (best, worst) in enumerate(pseudo):
        share = np.r_[weights[index], best, worst] / (weights[index].sum() + best + worst)
        for run in range(3):
            for values, last in ((drawn.values, [1, 0]), (drawn.exchanged, [0, 1])):
                right = share @ np.r_[evidence.columns["correct"][run], last]
                silent = share @ np.r_[evidence.columns["unanswered"][run], 0, 0]
                assert values[run, index] == pytest.approx(right * (1 + silent), abs=1e-12)


def test_groups_are_weighted_whole() -> None:
    groups = np.repeat([0, 1, 2, 3], [1, 2, 3, 6])
    made = abstaining(2, runs=2, questions=12)
    named = made.questions.with_columns(group=pl.Series([f"g{n}" for n in groups]))
    evidence = replace(made, questions=named)
    units = Units.of(evidence.questions, "group")
    drawn = weighted_values(evidence, ACCURACY, units, seed="s", draws=20)[0]
    weights = draw_exponential(units.keys, 20, key("s", "weights")) / SCALE
    pseudo = generator("s", "pseudo-questions").standard_gamma(PSEUDO, (20, 2)) * 3  # 12 / 4
    for index in range(20):
        total = weights[index][groups].sum() + pseudo[index].sum()
        right = evidence.columns["correct"] @ weights[index][groups] + pseudo[index, 0]
        np.testing.assert_allclose(drawn.values[:, index], right / total, atol=1e-12)


def test_groups_of_one_question_are_questions() -> None:
    made = abstaining(3, runs=4, questions=15)
    alone = made.questions.with_columns(group=pl.col("question"))
    alone = replace(made, questions=alone)
    # the names differ, and with them the draws; the number of units does not
    assert len(Units.of(alone.questions, "group")) == 15
    by_question = study(alone, C_AT_1, seed="s", unit="question").intervals
    assert by_question.equals(study(made, C_AT_1, seed="s").intervals)


@pytest.mark.parametrize(
    "measure", [m for m in MEASURES.values() if m.resampled], ids=lambda m: m.id
)
def test_every_measure_has_an_interval_that_holds_its_value_and_is_not_a_point(measure) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(5)
    configured = Configured(measure.id, measure.id, measure.defaults)
    shape = (3, 40)
    columns = {column.key: rng.random(shape) < 0.5 for column in configured.columns().values()}
    made = evidence_of(rng.random(shape) < 0.5)
    inside = {name: column.astype(float) for name, column in columns.items()}
    inside |= {name: np.zeros(shape) for name in inside if name.startswith("too_few_samples")}
    if "positive" in inside:
        inside["positive"] = np.repeat(inside["positive"][:1], 3, axis=0)
        inside["score_order"] = rng.random(shape)
    if "confidence_order" in " ".join(inside):
        inside |= {name: rng.random(shape) for name in inside if name.startswith("confidence_")}
    if measure.id == "confidence_correlation":
        confidence = rng.random(shape) - 0.5
        inside |= {"answers": np.ones(shape), "confidences": confidence}
        inside |= {"squared_confidences": confidence**2, "raw_squares": (confidence + 0.5) ** 2}
        inside["right_confidences"] = confidence * inside["right_answers"]
    evidence = Evidence(
        made.runs, made.questions, made.columns | inside | {"questions": np.ones(shape)}
    )
    value = next(evaluate(evidence, [configured], np.ones((1, 40), dtype=np.uint8)))[:, 0]
    found = study(evidence, [configured], seed="s", draws=999).intervals
    low, high = (found[name].to_numpy() for name in ("low", "high"))
    assert not np.isnan(value).any()
    assert ((low <= value + 1e-12) & (value - 1e-12 <= high)).all()
    assert (high > low).all()


def test_by_question_type() -> None:
    right = np.r_[np.ones(30), np.zeros(30)][None].repeat(2, axis=0)
    evidence = evidence_of(right, types=["factoid"] * 30 + ["list"] * 30)
    rows = study(evidence, ACCURACY, seed="s").intervals.filter(run="a")
    assert rows["slice"].to_list() == ["all", "factoid", "list"]
    assert rows["high"][1] == 1.0
    assert 0.85 < rows["low"][1] < 1.0
    assert rows["low"][2] == 0.0
    assert 0.3 < rows["low"][0] < 0.5 < rows["high"][0] < 0.7  # type: ignore[operator]


def test_who_has_an_interval() -> None:
    made = evidence_of([[1] * 10, [0] * 10, [1] * 10], kinds=["submitted", "submitted", "derived"])
    evidence = replace(made, runs=made.runs.with_columns(assessed=pl.col("run") != "b"))
    found = study(evidence, ACCURACY, seed="s").intervals
    assert found["low"].is_null().to_list() == [False, True, False]
    assert found["rank_low"].to_list() == [1, None, None]
    silent = evidence_of([[1, 0, 0], [0, 0, 0]], wrong=[[0, 1, 0], [0, 0, 0]])
    precision = [Configured("p", "precision_answered", {})]
    assert study(silent, precision, seed="s").intervals["low"].is_null().to_list() == [False, True]


def test_the_same_on_any_number_of_threads() -> None:
    evidence = abstaining(4, runs=6, questions=80)
    one = study(evidence, C_AT_1, seed="s", threads=1)
    three = study(evidence, C_AT_1, seed="s", threads=3)
    assert one.intervals.equals(three.intervals)
    assert one.comparisons.equals(three.comparisons)


def test_quantiles_leave_out_what_has_no_value() -> None:
    rng = np.random.default_rng(1)
    values = rng.random((4, 51))
    values[1, ::3] = np.nan
    np.testing.assert_allclose(quantiles(values, 0.1)[0], np.nanquantile(values, 0.1, axis=1))
    np.testing.assert_allclose(quantiles(values[:1], 0.9)[0], np.quantile(values[0], 0.9))


def test_intervals_of_few_questions_cover() -> None:
    """The cheapest cell of the calibration: percentiles cover 63% here."""
    held = [
        hit
        for batch in range(5)
        for hit in calibration._held(EXACT, 20, np.array([0.95]), 0.0, None, batch)
    ]
    assert np.mean(held) > 0.915 - 3 * 0.012
