"""Sizes: means, spread and tau by hand, and where a ranking is as good as that of all questions."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.problems import Refused
from qampaign.studies import sizes
from qampaign.studies.resampling import draw_subsets, key
from tests.studies.made_evidence import ACCURACY, THREE, abstaining, evidence_of

PRECISION = [Configured("precision", "precision_answered", {})]


def test_mean_and_spread_of_the_sets_drawn() -> None:
    found = sizes.study(THREE, ACCURACY, sizes=[2, 4], seed="s", trials=30)
    for size in (2, 4):
        drawn = draw_subsets(6, size, 30, key("s", "sizes", size))[0]
        for run, scores in zip("abc", THREE.columns["correct"].tolist(), strict=True):
            values = [sum(np.array(scores)[row > 0]) / size for row in drawn]
            row = found.values.filter(run=run, size=size).row(0, named=True)
            assert row["mean"] == pytest.approx(np.mean(values))
            assert row["sd"] == pytest.approx(np.std(values, ddof=1))
            assert row["undefined"] == 0
    assert found.values.columns == ["measure", "size", "unit", "run", "mean", "sd", "undefined"]
    assert found.tau.columns == ["measure", "size", "unit", "tau", "low", "high", "undefined"]


def test_means_of_a_mean_are_near_the_value_on_all_questions() -> None:
    evidence = abstaining(1, runs=6, questions=200)
    found = sizes.study(evidence, ACCURACY, sizes=[50], seed="s", trials=400).values
    for mean, sd, right in zip(
        found["mean"], found["sd"], evidence.columns["correct"], strict=True
    ):
        # without replacement the variance of a mean is p(1 − p)/n · (N − n)/(N − 1); 4.5 errors
        share = right.mean()
        spread = np.sqrt(share * (1 - share) / 50 * 150 / 199)
        assert abs(mean - share) < 4.5 * spread / 20
        assert sd == pytest.approx(spread, rel=4.5 / np.sqrt(2 * 399))


def test_the_full_collection_ranks_as_itself() -> None:
    evidence = abstaining(2, runs=6, questions=40)
    found = sizes.study(evidence, ACCURACY, sizes=[40, 5], seed="s", trials=20).tau
    assert found["size"].to_list() == [5, 40]
    values = evidence.columns["correct"].sum(axis=1).tolist()
    untied = sum(a != b for a, b in combinations(values, 2)) / 15
    assert found.filter(size=40)["tau"].item() == pytest.approx(untied)
    # every draw is the same set: that says nothing about other questions
    assert found.filter(size=40).select("low", "high").row(0) == (None, None)
    assert found.filter(size=5).select("low", "high").null_count().row(0) == (0, 0)


def test_tau_by_hand() -> None:
    # pairs of four runs; full order d > c > b > a
    full = np.array([1.0, 2.0, 3.0, 4.0])
    trials = np.array([[1.0, 2, 1], [2, 1, 1], [3, 3, np.nan], [4, 4, 5]])
    # all six; five of six the same, one opposite; of the three pairs left, two the same, one equal
    assert sizes.tau_to(trials, full).tolist() == pytest.approx([1, 4 / 6, 2 / 3])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9))
def test_tau_is_that_of_its_definition(pairs: list[tuple[int, int]]) -> None:
    values, full = np.array(pairs, dtype=float).T
    signs = [np.sign(a[0] - b[0]) * np.sign(a[1] - b[1]) for a, b in combinations(pairs, 2)]
    assert sizes.tau_to(values[:, None], full, threads=2).item() == pytest.approx(np.mean(signs))


def test_the_interval_holds_the_trials() -> None:
    evidence = abstaining(2, runs=6, questions=80)
    found = sizes.study(evidence, ACCURACY, sizes=[20], seed="s", trials=200).tau.row(0, named=True)
    drawn = draw_subsets(80, 20, 200, key("s", "sizes", 20))[0]
    values = evidence.columns["correct"].astype(float) @ drawn.T / 20
    taus = sizes.tau_to(values, evidence.columns["correct"].mean(axis=1))
    assert found["tau"] == pytest.approx(taus.mean())
    assert (found["low"], found["high"]) == pytest.approx(tuple(np.quantile(taus, [0.025, 0.975])))


def test_from_which_size_tau_stays() -> None:
    frame = pl.DataFrame({"size": [10, 20, 30, 40], "tau": [0.95, 0.85, 0.9, 0.97]})
    assert sizes.enough(frame, 0.9) == 30
    assert sizes.enough(frame, 0.98) is None
    assert sizes.enough(frame, 0.5) == 10
    found = sizes.study(
        abstaining(2, 6, 80), ACCURACY, sizes=range(10, 81, 10), seed="s", bound=0.8
    )
    assert found.enough.select("measure", "bound").row(0) == ("accuracy", 0.8)
    assert found.enough["size"].item() == sizes.enough(found.tau, 0.8)


def test_trials_without_a_value_are_counted() -> None:
    # a answers only q0: sets without it have no precision
    evidence = evidence_of([[1, 0, 0, 0], [1, 1, 0, 0]], wrong=[[0, 0, 0, 0], [0, 0, 1, 1]])
    found = sizes.study(evidence, PRECISION, sizes=[1], seed="s", trials=50)
    without = 50 - int(draw_subsets(4, 1, 50, key("s", "sizes", 1))[0][:, 0].sum())
    assert found.values["undefined"].to_list() == [without, 0]
    assert found.values["mean"][0] == 1.0
    assert found.tau["undefined"].item() == without


def test_threads_change_no_byte() -> None:
    evidence = abstaining(4, runs=9, questions=50)
    one, two = (
        sizes.study(evidence, ACCURACY, sizes=[10, 30], seed="x", threads=n) for n in (1, 2)
    )
    for first, second in zip(one, two, strict=True):
        assert first.serialize() == second.serialize()


def test_sizes_beyond_the_collection_are_refused() -> None:
    with pytest.raises(
        Refused, match=r"sets of 10 questions .* of 6; the largest possible size is 6"
    ):
        sizes.study(THREE, ACCURACY, sizes=[5, 10, 15], seed="x")


def test_groups_are_drawn_whole() -> None:
    # q0, q2 and q4 together; q1 and q5; q3 alone: two of three units
    evidence = evidence_of(
        [[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0]],
        groups=["g", "h", "g", None, "g", "h"],
    )
    members = [[0, 2, 4], [1, 5], [3]]
    found = sizes.study(evidence, ACCURACY, sizes=[2, 3], seed="s", trials=30)
    drawn = draw_subsets(3, 2, 30, key("s", "sizes", 2))[0]
    for run, scores in zip("abc", evidence.columns["correct"].tolist(), strict=True):
        chosen = [[q for unit in np.flatnonzero(row) for q in members[unit]] for row in drawn]
        values = [
            sum(scores[q] for q in drawn_questions) / len(drawn_questions)
            for drawn_questions in chosen
        ]
        row = found.values.filter(run=run, size=2).row(0, named=True)
        assert row["mean"] == pytest.approx(np.mean(values))
        assert row["sd"] == pytest.approx(np.std(values, ddof=1))
    assert (
        set(found.values["unit"])
        == set(found.tau["unit"])
        == set(found.enough["unit"])
        == {"group"}
    )
    assert found.tau.filter(size=3)["low"].item() is None
    with pytest.raises(
        Refused, match=r"sets of 4 groups .* of 3; the largest .* 3 .*unit: question"
    ):
        sizes.study(evidence, ACCURACY, sizes=[4], seed="s")
    alone = sizes.study(evidence, ACCURACY, sizes=[4], seed="s", unit="question")
    assert alone.values.equals(sizes.study(THREE, ACCURACY, sizes=[4], seed="s").values)


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        (abstaining(2, 4, 80), "runs"),
        (abstaining(2, 6, 19), "questions"),
        (abstaining(2, 6, 80, groups=[f"g{n // 5}" for n in range(80)]), "groups"),
        (evidence_of(np.ones((6, 80))), "differences"),
        (abstaining(2, 6, 80), None),
    ],
)
def test_too_little_to_say_anything(evidence: Evidence, why: str | None) -> None:
    found = sizes.study(evidence, ACCURACY, sizes=[5], seed="s").enough
    assert found["too_few"].to_list() == [why]
