"""Evidence of a judge corrected by labels: the recipe by hand, its edges, and other people's code."""

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, recall_score

from qampaign.measures.scoring import Configured
from qampaign.studies.intervals import bounds
from qampaign.studies.rectification import (
    Pair,
    corrected_draws,
    corrected_resamples,
    corrected_values,
    difference_bounds,
    pseudo_rows,
    rogan_gladen,
    student,
    tail,
)
from qampaign.studies.units import Units
from tests.bench.calibration.simulated import ACCURACY, C_AT_1, MRR

UTILITY = Configured("utility_half", "utility_half", {})


def units_of(number: int, groups: list[str] | None = None) -> Units:
    frame = pl.DataFrame(
        {
            "question": [f"q{n}" for n in range(number)],
            "group": pl.Series(groups or [None] * number, dtype=pl.String),
        }
    )
    return Units.of(frame, "group")


def pair_of(
    people: list[list[float]],
    judge: list[list[float]],
    labelled: list[float],
    groups: list[str] | None = None,
    **common: list[list[float]],
) -> Pair:
    """Runs with the evidence `correct` by people and by the judge; `common` is the same by both."""
    shape = len(people), len(people[0])
    shared = {"questions": np.ones(shape)} | {k: np.array(v, float) for k, v in common.items()}
    return Pair(
        {"correct": np.array(people, float)} | shared,
        {"correct": np.array(judge, float)} | shared,
        np.repeat([labelled], shape[0], axis=0).astype(float),
        units_of(shape[1], groups),
    )


def test_the_corrected_accuracy_by_hand() -> None:
    # 8 questions, the first 4 labelled. People 1 1 0 0, judge 1 1 1 0: means 1/2 and 3/4, the
    # judge's variance 3/16, the covariance 2/4 - 3/8 = 1/8, so the slope is 2/3. The judge accepts
    # 4 of 8: 1/2 + 2/3 * (1/2 - 3/4) = 1/3.
    pair = pair_of([[1, 1, 0, 0, 0, 0, 0, 0]], [[1, 1, 1, 0, 1, 0, 0, 0]], [1] * 4 + [0] * 4)
    assert corrected_values(pair, ACCURACY) == pytest.approx([1 / 3])


def test_every_column_has_a_slope_of_its_own_and_then_comes_the_measure() -> None:
    # As above, and questions 4 and 8 are unanswered: their share is known to be 1/4 by both, and
    # with a slope of 1 it stays what it is. c@1 = 1/3 + 1/4 * 1/3 = 5/12; half a point for silence
    # gives 1/3 + 1/8.
    silent = [[0, 0, 0, 1, 0, 0, 0, 1]]
    people, judge = [[1, 1, 0, 0, 0, 0, 0, 0]], [[1, 1, 1, 0, 1, 0, 0, 0]]
    pair = pair_of(people, judge, [1] * 4 + [0] * 4, unanswered=silent)
    assert corrected_values(pair, C_AT_1) == pytest.approx([5 / 12])
    assert corrected_values(pair, UTILITY) == pytest.approx([1 / 3 + 1 / 8])


def test_labels_that_count_more_by_hand() -> None:
    # As in the first test, but the first question counts twice as much as each of the others:
    # weights 1.6 0.8 0.8 0.8. People's mean is 2.4/4 = 0.6, the judge's 3.2/4 = 0.8; the covariance
    # 0.6 - 0.48 = 0.12, the variance 0.16, the slope 0.75: 0.6 + 0.75 * (0.5 - 0.8) = 0.375.
    weights = [1.6, 0.8, 0.8, 0.8, 0, 0, 0, 0]
    pair = pair_of([[1, 1, 0, 0, 0, 0, 0, 0]], [[1, 1, 1, 0, 1, 0, 0, 0]], weights)
    assert corrected_values(pair, ACCURACY) == pytest.approx([0.375])


def ppi_mean(labels: np.ndarray, judged: np.ndarray, unlabelled: np.ndarray, lam: float) -> float:
    """The point estimate of Angelopoulos, Duchi & Zrnic (2023), (2), for a mean."""
    return float(lam * unlabelled.mean() + (labels - lam * judged).mean())


def test_a_mean_is_that_of_prediction_powered_inference() -> None:
    """With its tuned λ, slope / (1 + labelled / others); ppi-python 0.2.3 gives the same figure."""
    rng = np.random.default_rng(1)
    people = (rng.random(200) < 0.6).astype(float)
    judge = np.where(rng.random(200) < 0.85, people, 1 - people)
    slope = np.cov(people[:50], judge[:50], bias=True)[0, 1] / judge[:50].var()
    pair = pair_of([people.tolist()], [judge.tolist()], [1] * 50 + [0] * 150)
    expected = ppi_mean(people[:50], judge[:50], judge[50:], slope / (1 + 50 / 150))
    assert corrected_values(pair, ACCURACY) == pytest.approx([expected])
    assert expected == pytest.approx(0.60148604, abs=1e-8)  # ppi_mean_pointestimate(…, lam=…)


@pytest.mark.parametrize(
    ("seed", "labelled", "others", "level", "agreeing", "value", "low", "high"),
    [
        (1, 50, 150, 0.6, 0.85, 0.601830, 0.499666, 0.703995),
        (2, 100, 900, 0.3, 0.9, 0.318561, 0.252574, 0.384547),
        (3, 60, 140, 0.85, 0.7, 0.900000, 0.827185, 0.972815),
    ],
)
def test_intervals_are_about_those_of_ppi_python(
    seed: int,
    labelled: int,
    others: int,
    level: float,
    agreeing: float,
    value: float,
    low: float,
    high: float,
) -> None:
    """By ppi-python 0.2.3: `ppi_mean_pointestimate` and `ppi_mean_ci(alpha=0.05)` of these labels.

    It tunes λ by the spread of the judge over all questions, we by that over the labelled ones; its
    intervals are normal, ours come from weights with two pseudo-labels, which reach less far beyond
    what is possible (third case) and are somewhat wider elsewhere.
    """
    rng = np.random.default_rng(seed)
    people = (rng.random(labelled + others) < level).astype(float)
    judge = np.where(rng.random(labelled + others) < agreeing, people, 1 - people)
    pair = pair_of([people.tolist()], [judge.tolist()], [1] * labelled + [0] * others)
    found = corrected_values(pair, ACCURACY)
    ends = bounds(corrected_draws(pair, ACCURACY, seed="ppi"), found)
    assert found == pytest.approx([value], abs=0.001)
    assert [end.item() for end in ends] == pytest.approx([low, high], abs=0.025)
    assert (ends[1] - ends[0]).item() == pytest.approx(high - low, rel=0.05)


def test_where_everything_is_labelled_people_decide() -> None:
    pair = pair_of([[1, 1, 0, 0]], [[1, 0, 1, 1]], [1, 1, 1, 1])
    assert corrected_values(pair, ACCURACY) == pytest.approx([0.5])


def test_a_judge_that_says_the_same_of_all_labelled_questions() -> None:
    # It accepts all labelled ones, and half of the others. If people do, too, it is trusted: 3/4;
    # if they do not there is nothing to learn from it: 1/2.
    judge = [[1, 1, 1, 1, 1, 1, 0, 0]]
    trusted = pair_of([[1, 1, 1, 1, 0, 0, 0, 0]], judge, [1] * 4 + [0] * 4)
    other = pair_of([[1, 1, 0, 0, 0, 0, 0, 0]], judge, [1] * 4 + [0] * 4)
    assert corrected_values(trusted, ACCURACY) == pytest.approx([0.75])
    assert corrected_values(other, ACCURACY) == pytest.approx([0.5])


def test_a_judge_that_contradicts_people_is_left_out() -> None:
    pair = pair_of([[1, 0, 1, 0, 0, 0]], [[0, 1, 0, 1, 1, 1]], [1] * 4 + [0] * 2)
    assert corrected_values(pair, ACCURACY) == pytest.approx([0.5])


def test_what_is_corrected_stays_possible() -> None:
    # People 1 1 1 0, judge 1 1 0 0: slope 1/2, 3/4 + 1/2 * (1 - 1/2) = 1 with all others accepted
    # by a large share; with a slope of 1 it would exceed 1 and is cut.
    people, judge = [[1, 1, 1, 0] + [0] * 96], [[1, 1, 0, 0] + [1] * 96]
    pair = pair_of(people, judge, [1] * 4 + [0] * 96)
    assert corrected_values(pair, ACCURACY)[0] <= 1
    drawn = corrected_draws(pair, ACCURACY, seed="s", draws=200)
    assert drawn.min() >= 0
    assert drawn.max() <= 1


def test_a_run_without_what_a_measure_needs_has_no_corrected_value() -> None:
    pair = pair_of([[1, 0, 1, 0]] * 2, [[1, 0, 1, 1]] * 2, [1, 1, 0, 0])
    key = 'reciprocal_rank {"cutoff": 5}'
    for side in (pair.people, pair.judge):
        side[key] = np.array([[1.0, 0.5, 0, 0], [np.nan] * 4])  # type: ignore[index]
    values = corrected_values(pair, MRR)
    assert np.isnan(values).tolist() == [False, True]


def test_no_run_changes_another_ones_value_or_interval() -> None:
    rng = np.random.default_rng(2)
    people = (rng.random((3, 80)) < 0.5).astype(float)
    judge = np.where(rng.random((3, 80)) < 0.8, people, 1 - people)
    labelled = [1] * 40 + [0] * 40
    together = pair_of(people.tolist(), judge.tolist(), labelled)
    alone = pair_of(people[1:2].tolist(), judge[1:2].tolist(), labelled)
    both = [corrected_draws(each, ACCURACY, seed="s", draws=100) for each in (together, alone)]
    assert np.array_equal(both[0][1], both[1][0])
    drawn = [corrected_resamples(each, ACCURACY, seed="s", draws=100) for each in (together, alone)]
    assert np.array_equal(drawn[0][1], drawn[1][0])


def test_an_interval_reckons_with_errors_that_nobody_has_seen() -> None:
    """Where the judge is right on all 40 labelled questions, its mean is still in doubt."""
    people = [[1, 0] * 20 + [0] * 60]
    judge = [[1, 0] * 20 + [1, 0] * 30]
    pair = pair_of(people, judge, [1] * 40 + [0] * 60)
    drawn = corrected_draws(pair, ACCURACY, seed="s")
    low, high = bounds(drawn, corrected_values(pair, ACCURACY))
    # the binomial error of 100 questions alone has a width of 0.196
    assert 0.196 < (high - low)[0] < 0.35


def test_groups_are_drawn_as_a_whole() -> None:
    """With five copies of each question, the interval is that of the questions, not a narrower one."""
    rng = np.random.default_rng(3)
    people = (rng.random((1, 60)) < 0.5).astype(float)
    judge = np.where(rng.random((1, 60)) < 0.9, people, 1 - people)
    labelled = np.array([1] * 40 + [0] * 20)
    single = pair_of(people.tolist(), judge.tolist(), labelled.tolist())
    groups = [f"g{n}" for n in range(60) for _ in range(5)]
    copied = pair_of(
        np.repeat(people, 5, axis=1).tolist(), np.repeat(judge, 5, axis=1).tolist(),
        np.repeat(labelled, 5).tolist(), groups,
    )  # fmt: skip
    assert corrected_values(copied, ACCURACY) == pytest.approx(corrected_values(single, ACCURACY))
    widths = [np.ptp(np.quantile(corrected_draws(each, ACCURACY, seed="s"), [0.025, 0.975]))
              for each in (single, copied)]  # fmt: skip
    assert widths[1] == pytest.approx(widths[0], rel=0.1)


def test_a_group_of_which_a_part_is_labelled_counts_with_all_its_questions() -> None:
    # Groups of 2, the first of each labelled: people 1 0, judge 1 0 there, and 1 1 on the others.
    # The slope is 1: 1/2 + (3/4 - 1/2) = 3/4.
    pair = pair_of([[1, 0, 0, 0]], [[1, 1, 0, 1]], [1, 0, 1, 0], ["g", "g", "h", "h"])
    assert corrected_values(pair, ACCURACY) == pytest.approx([0.75])


def test_the_pseudo_labels_are_the_best_and_the_worst_question() -> None:
    pair = pair_of([[1, 0]], [[1, 0]], [1, 1], unanswered=[[0, 0]])
    best, worst = pseudo_rows(pair, C_AT_1)
    assert best["correct"] == 1
    assert worst["correct"] == 0
    best, worst = pseudo_rows(pair, ACCURACY)
    assert (best["correct"], worst["correct"], best["questions"], worst["questions"]) == (
        1,
        0,
        1,
        1,
    )


@pytest.mark.parametrize("units", [30, 50, 100, 1000])
def test_the_tail_of_a_percentile_interval(units: int) -> None:
    expected = stats.norm.cdf(-np.sqrt(units / (units - 1)) * stats.t.ppf(0.975, units - 1))
    assert tail(units) == pytest.approx(expected, abs=1e-6)
    assert student(1.959964, units - 1) == pytest.approx(stats.t.ppf(0.975, units - 1), abs=1e-4)


def test_the_interval_of_a_difference_is_of_the_same_resamples() -> None:
    """Two runs that are equal on every question differ by nothing in every resample."""
    rng = np.random.default_rng(4)
    people = (rng.random(60) < 0.5).astype(float)
    judge = np.where(rng.random(60) < 0.9, people, 1 - people)
    pair = pair_of([people.tolist()] * 2, [judge.tolist()] * 2, [1] * 30 + [0] * 30)
    drawn = corrected_resamples(pair, ACCURACY, seed="s", draws=100)
    low, high = difference_bounds(drawn[:1], drawn[1:], 30)
    assert low.tolist() == high.tolist() == [0.0]


def test_youdens_j_is_the_balanced_accuracy_of_scikit_learn() -> None:
    """Adjusted for chance it is J: sensitivity + specificity - 1, weighted as labels count."""
    rng = np.random.default_rng(4)
    people = (rng.random(80) < 0.6).astype(float)
    judge = np.where(rng.random(80) < 0.8, people, 1 - people)
    counts = rng.choice([0.0, 1.0, 2.0], 80)  # 0: not labelled
    raw = np.array([judge.mean()])
    sensitivity, specificity, youden, value = rogan_gladen(
        raw, people[None], judge[None], counts[None]
    )
    expected = balanced_accuracy_score(people, judge, sample_weight=counts, adjusted=True)
    assert youden == pytest.approx([expected])
    recalls = [recall_score(people, judge, pos_label=of, sample_weight=counts) for of in (1, 0)]
    assert [sensitivity.item(), specificity.item()] == pytest.approx(recalls)
    # turned round: this share of right answers gives what the judge alone shows
    shown = value * sensitivity + (1 - value) * (1 - specificity)
    assert shown == pytest.approx(raw)


def test_rogan_and_gladen_have_nothing_to_say_of_a_judge_that_guesses() -> None:
    # It accepts half of the right and half of the wrong ones: J = 0. Without a wrong one there is
    # no specificity.
    people, judge = np.array([[1.0, 1, 0, 0]]), np.array([[1.0, 0, 1, 0]])
    every = np.ones((1, 4))
    sensitivity, specificity, youden, value = rogan_gladen(np.array([0.5]), people, judge, every)
    assert (sensitivity[0], specificity[0], youden[0]) == (0.5, 0.5, 0)
    assert np.isnan(value[0])
    found = rogan_gladen(np.array([0.5]), np.ones((1, 4)), judge, every)
    assert np.isnan(found[1][0])
    assert np.isnan(found[2][0])
    assert np.isnan(found[3][0])
