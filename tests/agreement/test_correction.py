"""The tables of corrected scores: what they have, what is refused, what is only remarked on."""

import numpy as np
import polars as pl
import pytest

from qampaign.agreement.correction import Corrected, Side, correct_scores
from qampaign.measures.configured import Averaged
from qampaign.measures.evidence import Evidence
from qampaign.measures.question_weights import weigh
from qampaign.measures.scoring import Configured
from qampaign.problems import Refused

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c_at_1", "c_at_1", {})
CWS = Configured("cws", "cws", {"ties": "question"})


def side(name: str, right: np.ndarray, known: np.ndarray, **more: object) -> Side:
    """A judge that says what is right, and nothing of what is not known."""
    runs, number = right.shape
    ids = [f"q{n:03}" for n in range(number)]
    questions = pl.DataFrame({"question": ids}).with_columns(
        type=pl.lit(None, pl.String), group=pl.lit(None, pl.String)
    )
    questions = questions.with_columns(**more)
    frame = pl.DataFrame({"run": [f"run{n}" for n in range(runs)]}).with_columns(
        kind=pl.lit("submitted"), assessed=True
    )
    right = right & known
    columns = {
        "questions": np.ones(right.shape),
        "correct": right.astype(np.uint8),
        "unanswered": np.zeros(right.shape),
        'confidence_order {"ties": "question"}': np.tile(np.linspace(0, 1, number), (runs, 1)),
        "right_given": right.astype(float),
    }
    rows = [
        (run, question, 1, ("right" if right[r, q] else "wrong") if known[r, q] else "unassessed")
        for r, run in enumerate(frame["run"])
        for q, question in enumerate(ids)
    ]
    judgments = pl.DataFrame(rows, schema=["run", "question", "rank", "verdict"], orient="row")
    return Side(name, Evidence(frame, questions, columns), judgments.with_columns(nil=False))


def correct(
    labelled: int, runs: int = 3, number: int = 120, measures: tuple = (ACCURACY, C_AT_1), **how
) -> Corrected:
    """Runs of falling quality by a judge that errs in one of ten, with labels on the first ones."""
    rng = np.random.default_rng(8)
    truth = rng.random((runs, number)) < np.linspace(0.8, 0.4, runs)[:, None]
    judged = np.where(rng.random(truth.shape) < 0.9, truth, ~truth)
    known = np.zeros(truth.shape, dtype=bool)
    known[:, :labelled] = True
    every = np.ones(truth.shape, dtype=bool)
    people, judge = side("people", truth, known), side("the judge", judged, every)
    return correct_scores(judge, people, measures, seed="7 x", draws=200, **how)


def test_every_run_has_raw_corrected_and_people_with_intervals_around_them() -> None:
    found = correct(60).corrected
    assert found.height == 6
    assert (
        found.null_count().select("corrected", "low", "high", "people", "raw_low").row(0)
        == (0,) * 5
    )
    for value, low, high in (("corrected", "low", "high"), ("people", "people_low", "people_high"),
                             ("raw", "raw_low", "raw_high")):  # fmt: skip
        assert found.filter(
            (pl.col(low) > pl.col(value)) | (pl.col(value) > pl.col(high))
        ).is_empty()
    assert found["labelled"].unique().to_list() == [60]
    assert found["sampling"].unique().to_list() == ["questions"]
    assert found["corrected_by"].unique().to_list() == ["people"]
    # the figures of a judge are those of its accuracy
    assert found.filter(measure="c_at_1")["youden"].null_count() == 3
    of = found.filter(measure="accuracy")
    assert (of["youden"] - of["sensitivity"] - of["specificity"] + 1).abs().max() < 1e-12


def test_fewer_than_thirty_labelled_questions_are_refused() -> None:
    with pytest.raises(Refused, match="at least 30 questions, chosen at random; there are 29"):
        correct(29)


def test_thirty_are_corrected_with_a_warning_and_fifty_without() -> None:
    (message,) = correct(30).messages
    assert "labels on few questions: 30" in message
    assert correct(50).messages == []


def test_what_is_labelled_as_a_whole_is_what_people_say() -> None:
    found = correct(120).corrected
    assert (found["corrected"] - found["people"]).abs().max() < 1e-12


def test_a_measure_that_needs_an_order_has_no_corrected_value() -> None:
    (row, *_) = correct(60, measures=(CWS,)).corrected.rows(named=True)
    assert row["corrected"] is None
    assert row["low"] is None
    assert row["raw"] is not None
    assert row["people"] is not None


def test_all_pairs_of_runs_have_a_difference_with_its_interval() -> None:
    found = correct(60)
    pairs = found.comparisons.filter(measure="accuracy")
    values = dict(found.corrected.filter(measure="accuracy").select("run", "corrected").rows())
    assert pairs.height == 3
    for row in pairs.rows(named=True):
        assert row["difference"] == pytest.approx(values[row["run_a"]] - values[row["run_b"]])
        assert row["difference"] >= 0
        assert row["low"] <= row["difference"] <= row["high"]


def test_differences_of_youdens_j_stand_beside_those_of_accuracy() -> None:
    found = correct(60)
    judged = dict(found.corrected.filter(measure="accuracy").select("run", "youden").rows())
    for row in found.comparisons.filter(measure="accuracy").rows(named=True):
        apart = judged[row["run_a"]] - judged[row["run_b"]]
        assert row["youden_difference"] == pytest.approx(apart)
        assert row["youden_low"] < apart < row["youden_high"]
    assert found.comparisons.filter(measure="c_at_1")["youden_difference"].null_count() == 3


def test_a_difference_that_no_draw_changes_has_no_interval() -> None:
    right = np.ones((2, 100), dtype=bool)
    known = np.zeros(right.shape, dtype=bool)
    known[:, :50] = True
    found = correct_scores(
        side("gpt", right, np.ones_like(known)), side("people", right, known), [ACCURACY],
        seed="s", draws=200,
    )  # fmt: skip
    row = found.comparisons.row(0, named=True)
    assert (row["difference"], row["low"], row["high"]) == (0, None, None)
    assert row["youden_difference"] is None  # nothing wrong is labelled


def test_a_single_run_is_corrected_and_has_no_pairs() -> None:
    found = correct(60, runs=1)
    assert found.corrected.height == 2
    assert found.comparisons.is_empty()


def test_a_run_with_too_few_labels_of_its_own_is_left_out_and_named() -> None:
    rng = np.random.default_rng(8)
    truth = rng.random((2, 100)) < 0.6
    judged = np.where(rng.random(truth.shape) < 0.9, truth, ~truth)
    known = np.zeros(truth.shape, dtype=bool)
    known[0, :60] = True
    known[1, 50:70] = True
    sides = side("judge", judged, np.ones_like(known)), side("people", truth, known)
    found = correct_scores(*sides, [ACCURACY], seed="s", draws=100)
    assert found.corrected["labelled"].to_list() == [60, 20]
    assert found.corrected["corrected"].is_null().to_list() == [False, True]
    assert found.corrected["people"].is_null().to_list() == [False, True]
    assert found.comparisons.is_empty()
    assert "1 run has labels by people on fewer than 30 questions" in found.messages[0]


def test_groups_are_what_is_counted() -> None:
    rng = np.random.default_rng(8)
    truth = rng.random((1, 120)) < 0.6
    known = np.zeros_like(truth)
    known[:, :58] = True
    groups = {"group": pl.Series([f"g{n // 2}" for n in range(120)])}
    sides = [
        side("judge", truth, np.ones_like(truth), **groups),
        side("people", truth, known, **groups),
    ]
    with pytest.raises(Refused, match="at least 30 groups, chosen at random; there are 29"):
        correct_scores(*sides, [ACCURACY], seed="s", draws=100)
    assert correct_scores(*sides, [ACCURACY], seed="s", unit="question", draws=100).messages == []


def test_runs_that_get_everything_right_or_nothing_have_intervals() -> None:
    known = np.zeros((2, 100), dtype=bool)
    known[:, :50] = True
    truth = np.repeat([[True], [False]], 100, axis=1)
    sides = side("judge", truth, np.ones_like(known)), side("people", truth, known)
    found = correct_scores(*sides, [ACCURACY], seed="s", draws=400).corrected
    assert found["corrected"].to_list() == [1, 0]
    assert found["low"][0] < 0.98
    assert found["high"][1] > 0.02
    # nothing wrong was seen, so nobody knows how the judge takes it
    assert found["youden"].to_list() == [None, None]
    assert found["rogan_gladen"].to_list() == [None, None]


def weighted(given: Side, weights: np.ndarray) -> Side:
    """A judge over questions that count differently; on average 1 over those that it covers."""
    return Side(given.name, weigh(given.evidence, weights / weights.mean()), given.judgments)


def test_questions_that_count_differently_are_corrected_by_their_weight() -> None:
    rng = np.random.default_rng(4)
    truth = rng.random((2, 80)) < 0.6
    judged = np.where(rng.random(truth.shape) < 0.85, truth, ~truth)
    weights = np.where(np.arange(80) < 40, 1.0, 3.0)
    every = np.ones((2, 80), dtype=bool)
    judge = weighted(side("the judge", judged, every), weights)
    # a judge with `unassessed: error` covers what is labelled alone: every second question and the
    # first ten, so that its weights are scaled otherwise
    some = (np.arange(80) % 2 == 0) | (np.arange(80) < 10)
    whole = side("people", truth, every)
    covered = Side("people", whole.evidence.only_questions(some), whole.judgments)
    part = weighted(covered, weights[some])
    people = Side(
        "people",
        part.evidence,
        whole.judgments.filter(
            pl.col("question").is_in(part.evidence.questions["question"].to_list())
        ),
    )
    macro = Averaged("macro", "accuracy", {})
    found = correct_scores(judge, people, (ACCURACY,), seed="7 x", draws=200).corrected
    for row, own in enumerate(found.iter_rows(named=True)):
        assert own["raw"] == pytest.approx(np.average(judged[row], weights=weights))
        expected = np.average(truth[row, some], weights=weights[some])
        assert own["people"] == pytest.approx(expected)
        # sensitivity: of what is right by people, the share that the judge accepts, by weight
        right = some & truth[row]
        assert own["sensitivity"] == pytest.approx(
            np.average(judged[row, right], weights=weights[right])
        )
        # The sum over all questions that people would give, regressed on the judge's: by hand, the
        # mean of people's weighted values on the labelled questions, plus the slope times by how
        # much the judge's mean over all questions exceeds its mean on these.
        scaled = weights / weights.mean()
        by_people, by_judge = truth[row] * scaled, judged[row] * scaled
        covariance = np.cov(by_people[some], by_judge[some], bias=True)
        slope = np.clip(covariance[0, 1] / covariance[1, 1], 0, 1)
        numerator = by_people[some].mean() + slope * (by_judge.mean() - by_judge[some].mean())
        # the number of questions is known: the judge says the same of it as people
        assert own["corrected"] == pytest.approx(np.clip(numerator, 0, 1))
    assert (
        correct_scores(judge, people, (macro,), seed="7 x", draws=200)
        .corrected["rogan_gladen"]
        .null_count()
        == 2
    )
