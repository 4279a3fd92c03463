"""Correlation of rankings, against the same figures computed one by one."""

import tracemalloc
from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau

from qampaign.agreement import correlation
from qampaign.agreement.correlation import (
    ONE_ASSESSOR,
    correlate_single_assessors,
    find_misordered,
)
from qampaign.agreement.paired_scores import Draws, pair_others, pair_with_reference, restrict
from qampaign.agreement.tau_interval import LEAST
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.ranking import tau, tau_ap, tau_b
from qampaign.studies import comparisons
from qampaign.studies.resampling import draw_bootstrap, draw_exponential, hash_names, key
from qampaign.studies.units import Units

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c_at_1", "c_at_1", {})
FP_RATE = Configured("alarms", "fp_rate", {})
PRECISION = Configured("precision", "precision", {})
KEY = key("runs")


def evidence(
    correct: Sequence[Sequence[int]],
    *,
    unanswered: Sequence[Sequence[int]] | None = None,
    questions: Sequence[str] | None = None,
    runs: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    **more: Sequence[Sequence[int]],
) -> Evidence:
    """Evidence by run and question; whatever is not given is 0."""
    right = np.array(correct)
    runs = runs or [f"run{n}" for n in range(len(right))]
    questions = questions or [f"q{n}" for n in range(right.shape[1])]
    return Evidence(
        pl.DataFrame({"run": runs, "kind": kinds or ["submitted"] * len(runs)}).with_columns(
            assessed=pl.lit(True)
        ),
        pl.DataFrame({"question": pl.Series(questions, dtype=pl.Enum(questions)), "type": None}),
        {
            "correct": right,
            "questions": np.ones_like(right),
            "unanswered": np.zeros_like(right) if unanswered is None else np.array(unanswered),
            **{name: np.array(values) for name, values in more.items()},
        },
    )


def random_evidence(seed: int, runs: int = 6, questions: int = 15) -> Evidence:
    rng = np.random.default_rng(seed)
    skill = np.linspace(0.2, 0.8, runs)[:, None]
    correct = (rng.random((runs, questions)) < skill).astype(int)
    unanswered = (rng.random((runs, questions)) < 0.3).astype(int) * (1 - correct)
    return evidence(correct, unanswered=unanswered)


def draws(weights: np.ndarray) -> Draws:
    """Weights by draw and question, each question a unit."""
    return Draws(weights, np.arange(weights.shape[1]))


def resamples(questions: int, number: int = 40, seed: int = 5) -> Draws:
    rng = np.random.default_rng(seed)
    return draws(rng.integers(0, 40, (number, questions)).astype(np.uint8))


def correlate(*paired) -> pl.DataFrame:
    return correlation.correlate(*paired, key=KEY)


def literal_interval(
    true: np.ndarray, estimated: np.ndarray, drawn: np.ndarray, runs: Sequence[str]
) -> tuple[float, float]:
    """The interval of tau from scores by run, and drawn ones by side, draw and run: step by step."""
    scores = np.stack([true, estimated])
    noise = drawn - drawn.mean(axis=1, keepdims=True)
    noise = noise - noise.mean(axis=2, keepdims=True)
    number, size = drawn.shape[1:]
    of_noise = np.einsum("adk,bdk->ab", noise, noise) / (number * (size - 1))
    root = np.linalg.cholesky(of_noise)
    weights = draw_exponential(hash_names(runs), number, KEY).astype(float)
    taus, shrunk = [], []
    for draw in range(number):
        taus.append(float(tau(drawn[0, draw], drawn[1, draw])))
        of_scores = np.cov(scores, aweights=weights[draw], ddof=0) * size / (size - 1)
        inverse = np.linalg.inv(root)
        values, vectors = np.linalg.eigh(inverse @ of_scores @ inverse.T)
        keep = 1 - 1 / np.maximum(values, 1 + LEAST)
        shrink = root @ vectors @ np.diag(keep) @ vectors.T @ inverse
        shrink_noise = root @ vectors @ np.diag(np.sqrt(keep)) @ vectors.T @ inverse
        one, two = shrink @ scores + shrink_noise @ noise[:, draw]
        pairs = [
            np.sign((one[i] - one[j]) * (two[i] - two[j]))
            if (abs(drawn[:, draw, i] - drawn[:, draw, j]) > 1e-9).all()
            else 0
            for i in range(size)
            for j in range(i)
        ]
        shrunk.append(float(np.mean(pairs)))
    ends = [*np.quantile(taus, [0.025, 0.975]), *np.quantile(shrunk, [0.025, 0.975])]
    return min(*ends, float(tau(true, estimated))), max(*ends, float(tau(true, estimated)))


def row(table: pl.DataFrame, judge: str, measure_a: str, measure_b: str) -> dict:
    return table.filter(judge_b=judge, measure_a=measure_a, measure_b=measure_b).row(0, named=True)


def test_every_figure_is_what_it_is_alone() -> None:
    judges = {"people": random_evidence(1), "key": random_evidence(2)}
    measures, weights = [ACCURACY, C_AT_1], resamples(15)
    table = correlate(pair_with_reference(judges, measures, weights, reference="people"))
    assert table.height == 2 + 4
    every = np.ones((1, 15))
    for found in table.iter_rows(named=True):
        a, b = ({m.name: m for m in measures}[found[name]] for name in ("measure_a", "measure_b"))
        other = judges[found["judge_b"]]
        true, estimated = a.values(judges["people"], every)[:, 0], b.values(other, every)[:, 0]
        assert found["judge_a"] == "people"
        assert found["tau"] == pytest.approx(float(tau(true, estimated)))
        assert found["tau_b"] == pytest.approx(kendalltau(true, estimated).statistic)
        assert found["tau_ap"] == pytest.approx(float(tau_ap(true, estimated)))
        drawn = np.stack([a.values(judges["people"], weights.weights).T,
                          b.values(other, weights.weights).T])  # fmt: skip
        ends = literal_interval(true, estimated, drawn, [f"run{n}" for n in range(6)])
        assert (found["low"], found["high"]) == pytest.approx(ends)
        assert found["low"] <= found["tau"] <= found["high"]
        assert found["runs"] == 6


def test_three_runs_by_hand() -> None:
    # right of 4: people 3, 2, 1; the key 2, 3, 1: of three pairs one is the other way
    people = evidence([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    key = evidence([[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0]])
    paired = pair_with_reference(
        {"key": key, "people": people}, [ACCURACY], resamples(4), reference="people"
    )
    found = correlate(paired).row(0, named=True)
    assert found["judge_b"] == "key"
    # places 2 and 3 of the key's ranking: (-1 + 1)/2 = 0
    assert (found["tau"], found["tau_b"], found["tau_ap"]) == pytest.approx((1 / 3, 1 / 3, 0))
    assert (found["low"], found["high"]) == (None, None)  # four questions say too little


def test_a_judge_is_compared_on_the_questions_and_runs_that_both_have() -> None:
    people = random_evidence(1)
    partial = random_evidence(2)
    rows, columns = [4, 0, 5, 1, 2], [9, 3, 7, 0, 1, 14, 11]
    ids = partial.questions["question"].cast(pl.String)
    part = Evidence(
        partial.runs[rows],
        pl.DataFrame(
            {"question": pl.Series(ids.gather(columns), dtype=pl.Enum(ids.gather(columns)))}
        ),
        {name: values[np.ix_(rows, columns)] for name, values in partial.columns.items()},
    )
    runs, there = sorted(rows), sorted(columns)
    right = [each.columns["correct"][np.ix_(runs, there)] for each in (people, partial)]
    judges = {"people": people, "part": part}
    paired = pair_with_reference(judges, [ACCURACY], resamples(15), reference="people")
    assert [each.units for each in paired] == [15, 7]
    found = row(correlate(paired), "part", "accuracy", "accuracy")
    assert found["runs"] == 5
    assert found["tau"] == pytest.approx(float(tau(*(each.mean(axis=1) for each in right))))
    own = resamples(15).weights[:, there].astype(float)
    for scores, each in zip((paired[1].true, paired[1].estimated), right, strict=True):
        assert scores[0, 1:] == pytest.approx(own @ each.T / own.sum(axis=1, keepdims=True))


def test_low_is_better_where_the_measure_says_so() -> None:
    # the more false alarms, the better the accuracy here: the two rank the other way round
    people = evidence(
        [[1, 1, 1], [1, 1, 0], [1, 0, 0]],
        fp=[[1, 1, 1], [1, 1, 0], [1, 0, 0]],
        tn=[[0, 0, 0], [0, 0, 1], [0, 1, 1]],
    )
    table = correlate(
        pair_with_reference({"p": people}, [ACCURACY, FP_RATE], resamples(3), reference="p")
    )
    assert table["tau"].to_list() == [-1, -1]
    assert table["tau_ap"].to_list() == [-1, -1]


def test_a_run_without_a_value_is_left_out_and_the_runs_are_counted() -> None:
    people = evidence(
        [[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]],
        tp=[[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]],
        fp=[[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]],
        tn=[[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 0, 0]],  # the last run has no rate of alarms
    )
    table = correlate(
        pair_with_reference({"p": people}, [ACCURACY, FP_RATE], resamples(3), reference="p")
    )
    found = row(table, "p", "accuracy", "alarms")
    # rates: none wrong in the first run's answers either, so it has no rate: two runs are left,
    # with 1/2 and 0, which is the other way than their accuracies
    assert found["runs"] == 2
    assert found["tau"] == -1


def test_baselines_take_part_where_asked() -> None:
    people = evidence([[1, 1], [1, 0], [0, 0]], kinds=["submitted", "baseline", "derived"])
    for asked, runs in ((False, 1), (True, 2)):
        table = correlate(
            pair_with_reference(
                {"p": people}, [ACCURACY, C_AT_1], resamples(2), reference="p", rank_baselines=asked
            )
        )
        assert table["runs"].to_list() == [runs] * 2
        assert table["tau"].to_list() == ([1.0, 1.0] if asked else [None, None])


def test_what_cannot_be_resampled_has_no_interval() -> None:
    groups = [[1, 0, 1], [1, 0, 1], [1, 0, 1]]
    people = evidence([[1, 1, 1], [1, 1, 0], [1, 0, 0]], groups=groups, selected_right=groups)
    qa = Configured("qa", "qa_accuracy", {})
    found = row(
        correlate(pair_with_reference({"p": people}, [ACCURACY, qa], resamples(3), reference="p")),
        "p", "accuracy", "qa",
    )  # fmt: skip
    assert found["tau"] == 0  # everybody is as good
    assert found["tau_b"] is None
    assert found["low"] is None


def test_nothing_in_common_gives_no_figures() -> None:
    judges = {"a": evidence([[1, 0]], questions=["x", "y"]), "b": evidence([[1]], questions=["z"])}
    found = correlate(pair_with_reference(judges, [ACCURACY], resamples(2), reference="a")).row(
        0, named=True
    )
    assert (found["tau"], found["tau_b"], found["tau_ap"], found["low"]) == (None,) * 4


def test_portions_do_not_change_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    judges = {"people": random_evidence(1), "key": random_evidence(2)}
    paired = pair_with_reference(judges, [ACCURACY, C_AT_1], resamples(15), reference="people")
    draw = lambda: correlate_single_assessors(  # noqa: E731
        judges["people"], judges, [ACCURACY], np.random.default_rng(1), reference="people", draws=50
    )
    whole, drawn = correlate(paired), draw()
    monkeypatch.setattr(correlation, "AT_ONCE", 100)
    assert correlate(paired).equals(whole)
    assert draw().equals(drawn)


def test_one_assessor_per_question_is_the_mean_over_all_choices() -> None:
    # three questions, two assessors, of whom the second has not judged q2: four choices
    ana, ben = [[1, 1, 1], [1, 0, 0], [0, 1, 0]], [[0, 1], [1, 1], [1, 0]]
    final = evidence([[1, 1, 1], [1, 0, 0], [0, 0, 0]])
    judges = {"ana": evidence(ana), "ben": evidence(ben, questions=["q0", "q1"])}
    expected = []
    for q0, q1 in product((ana, ben), (ana, ben)):
        right = [q0[run][0] + q1[run][1] + ana[run][2] for run in range(3)]
        scores = np.array(right) / 3
        true = np.array([1, 1 / 3, 0])
        expected.append([float(function(true, scores)) for function in (tau, tau_b, tau_ap)])
    table = correlate_single_assessors(
        final, judges, [ACCURACY], np.random.default_rng(4), reference="final", draws=4_000
    )
    found = table.row(0, named=True)
    assert found["judge_b"] == ONE_ASSESSOR
    assert found["measure_a"] == found["measure_b"] == "accuracy"
    means, spreads = np.mean(expected, axis=0), np.std(expected, axis=0)
    for name, mean, spread in zip(("tau", "tau_b", "tau_ap"), means, spreads, strict=True):
        assert abs(found[name] - mean) <= 4 * spread / 4_000**0.5 + 1e-9
    taus = [each[0] for each in expected]
    assert found["low"] == pytest.approx(min(taus))
    assert found["high"] == pytest.approx(max(taus))
    assert found["runs"] == 3


def test_assessors_who_agree_give_the_adjudicated_ranking() -> None:
    people = random_evidence(3)
    judges = {"ana": people, "ben": people, "eva": people}
    table = correlate_single_assessors(
        people, judges, [ACCURACY, C_AT_1], np.random.default_rng(1), reference="people", draws=20
    )
    order = people.columns["correct"].mean(axis=1)
    assert table["tau"].to_list()[0] == pytest.approx(float(tau(order, order)))
    assert table["tau_b"].to_list() == pytest.approx([1, 1])
    assert table["low"].equals(table["high"])


def test_questions_that_no_assessor_judged_are_left_out_of_both_rankings() -> None:
    final = evidence([[1, 1, 0, 0], [0, 0, 1, 1]])  # over q0 and q1 alone the first is better
    part = evidence([[1, 1], [0, 0]], questions=["q0", "q1"])
    table = correlate_single_assessors(
        final,
        {"ana": part, "ben": part},
        [ACCURACY],
        np.random.default_rng(1),
        reference="f",
        draws=5,
    )
    assert table["tau"].item() == 1


def test_a_single_assessor_leaves_nothing_to_draw() -> None:
    people = random_evidence(3)
    table = correlate_single_assessors(
        people, {"ana": people}, [ACCURACY], np.random.default_rng(1), reference="people"
    )
    assert table.is_empty()


def test_judges_are_compared_with_each_other_too() -> None:
    """The second covers fewer questions: those of both count, with the same draws."""
    people, first, whole = (random_evidence(seed) for seed in (1, 2, 3))
    second = restrict(whole, [ACCURACY, C_AT_1], np.arange(6), np.arange(4, 15))
    judges = {"people": people, "first": first, "second": second}
    weights = resamples(15)
    (beside,) = pair_others(judges, [ACCURACY, C_AT_1], weights, reference="people")
    found = correlate([], [beside])
    assert found.select("judge_a", "measure_a", "judge_b", "measure_b").rows() == [
        ("first", "accuracy", "second", "accuracy"),
        ("first", "c_at_1", "second", "c_at_1"),
    ]
    ours, theirs = (each.columns["correct"][:, 4:] for each in (first, whole))
    assert found["tau"][0] == pytest.approx(tau(ours.mean(axis=1), theirs.mean(axis=1)))
    assert found["tau_b"][0] == pytest.approx(tau_b(ours.mean(axis=1), theirs.mean(axis=1)))
    assert found["tau_ap"][0] == pytest.approx(tau_ap(ours.mean(axis=1), theirs.mean(axis=1)))
    own = weights.weights[:, 4:].astype(float)
    drawn = np.stack([own @ each.T / own.sum(axis=1)[:, None] for each in (ours, theirs)])
    assert beside.true[0, 1:] == pytest.approx(drawn[0])
    assert beside.estimated[0, 1:] == pytest.approx(drawn[1])
    assert beside.units == 11
    assert found["low"].to_list() == [None, None]  # fewer than 12 questions
    assert found["runs"].to_list() == [6, 6]


def test_groups_are_drawn_whole() -> None:
    groups = pl.DataFrame({"question": [f"q{n}" for n in range(30)]}).with_columns(
        group=pl.format("g{}", pl.int_range(30) // 2)
    )
    drawn = Draws.of(Units.of(groups, "group"), 100, KEY)
    assert drawn.units == 15
    assert (drawn.weights[:, ::2] == drawn.weights[:, 1::2]).all()
    # exponential weights of mean 1 and variance 1, in sixteenths
    assert drawn.weights.mean() / 16 == pytest.approx(1, abs=0.1)
    assert drawn.weights.std() / 16 == pytest.approx(1, abs=0.15)
    assert Draws.of(Units.of(groups, "question"), 100, KEY).units == 30
    fewer = drawn.only(np.array([4, 5, 0]))
    assert fewer.units == 2
    assert (fewer.weights == drawn.weights[:, [4, 5, 0]]).all()


@pytest.mark.parametrize("runs", [2, 3, 12])
@pytest.mark.parametrize("questions", [12, 40])
def test_the_interval_holds_what_was_found(runs: int, questions: int) -> None:
    """Also with ties everywhere, runs that are all alike, and a judge that never differs."""
    rng = np.random.default_rng(3)
    kinds = {
        "chance": rng.integers(0, 2, (runs, questions)),
        "copies": np.repeat(rng.integers(0, 2, (1, questions)), runs, axis=0),
        "right": np.ones((runs, questions), dtype=int),
        "wrong": np.zeros((runs, questions), dtype=int),
        "steps": (np.arange(questions) < np.linspace(1, questions, runs)[:, None]).astype(int),
    }
    judges = {name: evidence(correct.tolist()) for name, correct in kinds.items()}
    for reference in judges:
        drawn = Draws.of(Units.of(judges[reference].questions, "group"), 60, KEY)
        table = correlate(
            pair_with_reference(judges, [ACCURACY, C_AT_1], drawn, reference=reference)
        )
        assert table.height == 2 + 4 * 4
        assert table.filter(~pl.col("tau").is_between("low", "high", closed="both")).is_empty()
        assert table["low"].null_count() == 0
        assert table["low"].min() >= -1
        assert table["high"].max() <= 1
    assert row(table, "steps", "accuracy", "c_at_1")["tau"] == 1


def test_runs_of_the_same_evidence_stay_tied() -> None:
    """Ten runs answer everything: no draw tells them apart by that, and tau cannot leave 0 far."""
    rng = np.random.default_rng(6)
    correct = rng.random((12, 60)) < np.linspace(0.2, 0.8, 12)[:, None]
    unanswered = np.zeros((12, 60), dtype=int)
    unanswered[:2] = ~correct[:2]
    people = evidence(correct.astype(int).tolist(), unanswered=unanswered.tolist(),
                      wrong=(1 - correct - unanswered).tolist())  # fmt: skip
    drawn = Draws.of(Units.of(people.questions, "group"), 200, KEY)
    measures = [ACCURACY, Configured("answered", "answered", {})]
    table = correlate(pair_with_reference({"p": people}, measures, drawn, reference="p"))
    found = row(table, "p", "accuracy", "answered")
    # 45 of 66 pairs are tied: at most 21 of 66 go either way
    assert -21 / 66 - 1e-9 <= found["low"] <= found["tau"] <= found["high"] <= 21 / 66 + 1e-9


def test_with_ties_tau_b_says_that_rankings_are_the_same() -> None:
    # of 10 pairs one is tied: tau has 9/10 for equal rankings, tau_b has 1
    people = evidence([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0]])
    found = correlate(
        pair_with_reference({"p": people, "k": people}, [ACCURACY], resamples(4), reference="p")
    ).row(0, named=True)
    assert found["tau"] == pytest.approx(0.9)
    assert found["tau_b"] == pytest.approx(1)


def test_draws_follow_the_seed() -> None:
    judges = {"ana": random_evidence(1), "ben": random_evidence(2)}
    draw = lambda seed: correlate_single_assessors(  # noqa: E731
        random_evidence(3), judges, [ACCURACY], np.random.default_rng(seed), reference="p", draws=30
    )
    assert draw(1).equals(draw(1))
    assert not draw(1).equals(draw(2))


def sure(*rows: tuple) -> pl.DataFrame:
    """Comparisons by the reference: measure, run_a, run_b, difference, p_adjusted, p."""
    names = ("measure", "run_a", "run_b", "difference", "p_adjusted", "p")
    table = pl.DataFrame(rows, schema=names, orient="row")
    return table.with_columns(family=pl.lit("all"), slice=pl.lit("all"))


def test_pairs_in_the_wrong_order_although_people_are_sure() -> None:
    # people: a 10, b 5, c 4 and d 0 of 10; the key: a 3, b 5, c 5, d 3. a-b and a-c are the other
    # way; b-c is not sure, and a tie; a-d is sure, but no more than a tie by the key
    names, none = ["a", "b", "c", "d"], [0] * 10
    people = evidence([[1] * 10, [1] * 5 + [0] * 5, [0] * 6 + [1] * 4, none], runs=names)
    three, five = [1] * 3 + [0] * 7, [1] * 5 + [0] * 5
    judge = evidence([three, five, five[::-1], three[::-1]], runs=names)
    paired = pair_with_reference(
        {"people": people, "key": judge}, [ACCURACY], resamples(10), reference="people"
    )
    compared = sure(
        ("accuracy", "b", "a", -0.5, 0.04, 0.01),
        ("accuracy", "a", "c", 0.6, 0.03, 0.01),
        ("accuracy", "a", "d", 1.0, 0.01, 0.001),
        ("accuracy", "b", "c", 0.1, 0.9, 0.04),
    )
    found = find_misordered(paired, compared)
    assert found.select("judge", "measure", "run_a", "run_b", "p").rows() == [
        ("key", "accuracy", "a", "c", 0.03),
        ("key", "accuracy", "a", "b", 0.04),
    ]
    assert found["difference"].to_list() == pytest.approx([0.6, 0.5])
    assert found["judge_difference"].to_list() == pytest.approx([-0.2, -0.2])
    planned = compared.with_columns(family=pl.lit("planned"))
    assert find_misordered(paired, planned).is_empty()
    assert find_misordered(paired, compared.with_columns(slice=pl.lit("who"))).is_empty()
    assert find_misordered(paired, None).is_empty()


@pytest.mark.slow
def test_what_is_sure_is_so_in_the_study_of_significance() -> None:
    """A pair is listed exactly where its adjusted p is .05 or less: where rank ranges part them."""
    people = random_evidence(1, questions=60)
    judge = evidence(people.columns["correct"][::-1].tolist())  # all the other way round
    judges = {"people": people, "key": judge}
    paired = pair_with_reference(judges, [ACCURACY], resamples(60), reference="people")
    study = comparisons.study(people, [ACCURACY], seed="s", draws=999)
    found = find_misordered(paired, study.comparisons)
    ranges = {run: (low, high) for run, low, high in
              study.intervals.select("run", "rank_low", "rank_high").rows()}  # fmt: skip
    p = {frozenset([a, b]): own for a, b, own in
         study.comparisons.select("run_a", "run_b", "p_adjusted").rows()}  # fmt: skip
    assert 5 < found.height < 15
    for one in found.rows(named=True):
        assert one["p"] == p[frozenset([one["run_a"], one["run_b"]])] <= 0.05
        assert ranges[one["run_a"]][0] <= ranges[one["run_b"]][0]
        assert ranges[one["run_b"]][0] > 1


def test_a_judge_of_other_questions_is_not_blamed_for_them() -> None:
    # over all four people are sure of a; over the two that the key judges b is the better one
    people = evidence([[1, 1, 1, 0], [0, 0, 0, 1]], runs=["a", "b"])
    key_part = evidence([[1, 0], [0, 0]], runs=["a", "b"], questions=["q3", "q2"])
    paired = pair_with_reference(
        {"people": people, "key": key_part}, [ACCURACY], resamples(4), reference="people"
    )
    assert find_misordered(paired, sure(("accuracy", "a", "b", 0.5, 0.01, 0.01))).is_empty()


def test_of_a_measure_that_should_be_low_the_lower_run_is_the_better_one() -> None:
    alarms = {"fp": [[0] * 8, [1] * 8], "tn": [[1] * 8, [0] * 8]}
    turned = {name: values[::-1] for name, values in alarms.items()}
    right = [[1] * 8] * 2
    judges = {"people": evidence(right, **alarms), "key": evidence(right, **turned)}
    paired = pair_with_reference(judges, [FP_RATE], resamples(8), reference="people")
    for difference, (a, b) in ((-1.0, ("run0", "run1")), (1.0, ("run1", "run0"))):
        found = find_misordered(paired, sure(("alarms", a, b, difference, 0.01, 0.01)))
        assert found.rows() == [("key", "alarms", "run0", "run1", -1.0, 0.01, 1.0)]


def test_measures_with_options_find_their_evidence() -> None:
    people = evidence(
        [[1, 1], [1, 0]], tp=[[1, 1], [1, 0]], fp=[[0, 0], [0, 1]], fn=[[0, 0], [0, 0]]
    )
    f = Configured("f_2", "f", {"beta": 2})
    table = correlate(
        pair_with_reference({"p": people}, [f, PRECISION], resamples(2), reference="p")
    )
    assert row(table, "p", "f_2", "precision")["tau"] == 1


def test_drawn_questions_are_held_once_and_a_byte_each() -> None:
    """20,000 questions in 200 draws are 4 MB; as numbers of 8 bytes, or copied, they would be more."""
    correct = np.random.default_rng(1).integers(0, 2, (2, 20_000)).tolist()
    judge = evidence(correct)
    weights = draw_bootstrap(20_000, 200, key("s", "bootstrap", "all"))
    pair_with_reference(
        {"people": judge}, [ACCURACY], draws(weights[:3]), reference="people"
    )  # what is loaded once
    drawn = draws(weights)
    tracemalloc.start()
    pair_with_reference({"people": judge}, [ACCURACY], drawn, reference="people")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Sums convert 2**23 weights at a time to 4 bytes each, here all of them: 16 MB.
    assert weights.nbytes == 4_000_000
    assert peak < 16_000_000 + weights.nbytes
