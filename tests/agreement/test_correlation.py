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
    correlate,
    correlate_single_assessors,
    find_misordered,
)
from qampaign.agreement.paired_scores import pair_others, pair_with_reference, restrict
from qampaign.measures.evidence import Evidence
from qampaign.measures.ranking import tau, tau_ap, tau_b
from qampaign.measures.scoring import Configured
from qampaign.studies import significance
from qampaign.studies.resampling import draw_bootstrap, key
from qampaign.studies.significance import widening

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c_at_1", "c_at_1", {})
FP_RATE = Configured("alarms", "fp_rate", {})
PRECISION = Configured("precision", "precision", {})


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


def resamples(questions: int, number: int = 40, seed: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.multinomial(questions, np.full(questions, 1 / questions), number).astype(float)


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
        trials = [
            float(tau(a.values(judges["people"], w[None])[:, 0], b.values(other, w[None])[:, 0]))
            for w in weights
        ]
        assert (found["low"], found["high"]) == pytest.approx(
            tuple(np.quantile(trials, [0.025, 0.975]))
        )
        assert found["runs"] == 6


def test_three_runs_by_hand() -> None:
    # right of 4: people 3, 2, 1; the key 2, 3, 1: of three pairs one is the other way
    people = evidence([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
    key = evidence([[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0]])
    paired = pair_with_reference(
        {"key": key, "people": people}, [ACCURACY], np.ones((3, 4)), reference="people"
    )
    found = correlate(paired).row(0, named=True)
    assert found["judge_b"] == "key"
    # places 2 and 3 of the key's ranking: (-1 + 1)/2 = 0
    assert (found["tau"], found["tau_b"], found["tau_ap"]) == pytest.approx((1 / 3, 1 / 3, 0))
    assert (found["low"], found["high"]) == pytest.approx((1 / 3, 1 / 3))


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
    for weights in resamples(15)[:, None]:  # one resampled set is both ends of the interval
        judges = {"people": people, "part": part}
        table = correlate(pair_with_reference(judges, [ACCURACY], weights, reference="people"))
        found = row(table, "part", "accuracy", "accuracy")
        assert found["runs"] == 5
        assert found["tau"] == pytest.approx(float(tau(*(each.mean(axis=1) for each in right))))
        own = weights[0, there]
        drawn = float(tau(*(each @ own / own.sum() for each in right)))
        assert (found["low"], found["high"]) == pytest.approx((drawn, drawn))


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
    drawn = [tau(ours @ each, theirs @ each) for each in weights[:, 4:]]
    assert found.select("low", "high").row(0) == pytest.approx(np.quantile(drawn, [0.025, 0.975]))
    assert found["runs"].to_list() == [6, 6]


def test_draws_follow_the_seed() -> None:
    judges = {"ana": random_evidence(1), "ben": random_evidence(2)}
    draw = lambda seed: correlate_single_assessors(  # noqa: E731
        random_evidence(3), judges, [ACCURACY], np.random.default_rng(seed), reference="p", draws=30
    )
    assert draw(1).equals(draw(1))
    assert not draw(1).equals(draw(2))


def test_pairs_in_the_wrong_order_although_people_are_sure() -> None:
    # people: a 10, b 5, c 4 and d 0 of 10; the key: a 3, b 5, c 5, d 3. a-b and a-c are the other
    # way; b-c is not sure, and a tie; a-d is sure, but no more than a tie by the key
    names, none = ["a", "b", "c", "d"], [0] * 10
    people = evidence([[1] * 10, [1] * 5 + [0] * 5, [0] * 6 + [1] * 4, none], runs=names)
    three, five = [1] * 3 + [0] * 7, [1] * 5 + [0] * 5
    judge = evidence([three, five, five[::-1], three[::-1]], runs=names)
    weights = resamples(10, 999)
    paired = pair_with_reference(
        {"people": people, "key": judge}, [ACCURACY], weights, reference="people"
    )
    found = find_misordered(paired)
    assert found.select("judge", "measure", "run_a", "run_b").rows() == [
        ("key", "accuracy", "a", "c"),
        ("key", "accuracy", "a", "b"),
    ]
    assert found["difference"].to_list() == pytest.approx([0.6, 0.5])
    assert found["judge_difference"].to_list() == pytest.approx([-0.2, -0.2])
    correct = people.columns["correct"].astype(float)
    far = [
        (abs(weights @ (correct[0] - correct[n]) / 10 - gap) * widening(10) >= gap - 1e-9).sum()
        for n, gap in ((2, 0.6), (1, 0.5))
    ]
    assert found["p"].to_list() == pytest.approx([(each + 1) / 1000 for each in far])


def test_what_is_sure_is_so_in_the_study_of_significance() -> None:
    people = random_evidence(1)
    judge = evidence(people.columns["correct"][::-1].tolist())  # all the other way round
    weights = draw_bootstrap(people.questions.height, 200, key("s", "bootstrap", "all"))
    judges = {"people": people, "key": judge}
    compared = pair_with_reference(judges, [ACCURACY], weights, reference="people")
    found = find_misordered(compared, level=1)
    assert found.height > 10
    tests = significance.study(people, [ACCURACY], seed="s", resamples=200).tests
    own = {frozenset(row[:2]): row[2] for row in
           tests.filter(test="bootstrap").select("run_a", "run_b", "p").rows()}  # fmt: skip
    for row in found.rows(named=True):
        assert row["p"] == own[frozenset([row["run_a"], row["run_b"]])]


def test_an_order_that_people_are_not_sure_of_is_no_fault_of_the_judge() -> None:
    people = evidence([[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]])
    key = evidence([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1]])
    paired = pair_with_reference(
        {"people": people, "key": key}, [ACCURACY], resamples(5, 200), reference="people"
    )
    assert find_misordered(paired).is_empty()
    unsure = find_misordered(paired, level=1).row(0, named=True)
    assert (unsure["run_a"], unsure["run_b"]) == ("run0", "run1")


def test_of_a_measure_that_should_be_low_the_lower_run_is_the_better_one() -> None:
    alarms = {"fp": [[0] * 8, [1] * 8], "tn": [[1] * 8, [0] * 8]}
    turned = {name: values[::-1] for name, values in alarms.items()}
    right = [[1] * 8] * 2
    judges = {"people": evidence(right, **alarms), "key": evidence(right, **turned)}
    found = find_misordered(
        pair_with_reference(judges, [FP_RATE], resamples(8, 99), reference="people")
    )
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
        {"people": judge}, [ACCURACY], weights[:3], reference="people"
    )  # what is loaded once
    tracemalloc.start()
    pair_with_reference({"people": judge}, [ACCURACY], weights, reference="people")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Sums convert 2**23 weights at a time to 4 bytes each, here all of them: 16 MB.
    assert weights.nbytes == 4_000_000
    assert peak < 16_000_000 + weights.nbytes
