"""Bootstrap intervals of values and ranks."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.measures.scoring import Configured
from qampaign.studies import intervals
from qampaign.studies.resampling import draw_bootstrap, key
from tests.studies.made_evidence import ACCURACY, abstaining, evidence_of

COLUMNS = ["measure", "slice", "run", "low", "high", "rank_low", "rank_high", "undefined"]


def test_values_of_the_draws() -> None:
    evidence = abstaining(1, runs=5, questions=40)
    found = intervals.study(evidence, ACCURACY, seed="s", resamples=300)
    assert found.columns == COLUMNS
    drawn = draw_bootstrap(40, 300, key("s", "bootstrap", "all"))
    values = evidence.columns["correct"].astype(float) @ drawn.T / 40
    np.testing.assert_allclose(found["low"], np.quantile(values, 0.025, axis=1), atol=1e-12)
    np.testing.assert_allclose(found["high"], np.quantile(values, 0.975, axis=1), atol=1e-12)
    first = (values[None] > values[:, None] + 1e-9).sum(axis=1) + 1
    last = (values[None] > values[:, None] - 1e-9).sum(axis=1)
    lower = {"axis": 1, "method": "inverted_cdf"}
    assert found["rank_low"].to_list() == np.quantile(first, 0.025, **lower).tolist()
    assert found["rank_high"].to_list() == np.quantile(last, 0.975, **lower).tolist()


def test_by_question_type() -> None:
    right = np.r_[np.ones(30), np.zeros(30)][None].repeat(2, axis=0)
    evidence = evidence_of(right, types=["factoid"] * 30 + ["list"] * 30)
    found = intervals.study(evidence, ACCURACY, seed="s", resamples=100)
    rows = found.filter(run="a").select("slice", "low", "high").rows()
    assert rows[1:] == [("factoid", 1.0, 1.0), ("list", 0.0, 0.0)]
    assert rows[0][0] == "all"
    assert 0.3 < rows[0][1] < 0.5 < rows[0][2] < 0.7


def test_equal_runs_share_their_ranks() -> None:
    evidence = evidence_of([[1] * 20, [1] * 20, [0] * 20])
    found = intervals.study(evidence, ACCURACY, seed="s", resamples=50)
    assert found.select("rank_low", "rank_high").rows() == [(1, 2), (1, 2), (3, 3)]


def test_a_run_that_nobody_has_assessed_has_no_interval_and_no_rank() -> None:
    made = evidence_of([[1] * 10, [0] * 10])
    evidence = replace(made, runs=made.runs.with_columns(assessed=pl.col("run") == "a"))
    found = intervals.study(evidence, ACCURACY, seed="s", resamples=50)
    assert found.drop("measure", "slice").rows() == [
        ("a", 1.0, 1.0, 1, 1, 0),
        ("b", None, None, None, None, 50),
    ]


def test_where_low_is_better_the_lowest_is_first() -> None:
    evidence = evidence_of(
        [[1] * 9, [0] * 9], squared_errors=[[0.01] * 9, [0.5] * 9], rated_answers=np.ones((2, 9))
    )
    found = intervals.study(evidence, [Configured("b", "brier", {})], seed="s", resamples=50)
    assert found.select("rank_low", "rank_high").rows() == [(1, 1), (2, 2)]


def test_all_runs_have_intervals_and_those_that_take_part_ranks() -> None:
    right = [[0] * 10, [1] * 10, [1] * 10, [1] * 10]
    evidence = evidence_of(right, kinds=["submitted", "derived", "baseline", "submitted"])
    found = intervals.study(evidence, ACCURACY, seed="s", resamples=50)
    assert found["rank_low"].to_list() == [2, None, None, 1]
    assert found["low"].to_list() == [0, 1, 1, 1]
    ranked = intervals.study(evidence, ACCURACY, seed="s", resamples=50, baselines=True)
    assert ranked["rank_low"].to_list() == [3, None, 1, 1]
    assert ranked["rank_high"].to_list() == [3, None, 2, 2]


def test_resamples_without_a_value_are_counted() -> None:
    evidence = evidence_of([[1, 0, 0], [0, 0, 0]], wrong=[[0, 0, 0], [0, 0, 0]])
    found = intervals.study(
        evidence, [Configured("p", "precision_answered", {})], seed="s", resamples=400
    )
    # q0 is left out of three draws with probability (2/3)³ = .296; 4.5 errors are .103
    assert found["undefined"][0] / 400 == pytest.approx(8 / 27, abs=0.103)
    assert found["low"].to_list() == [1.0, None]
    assert found["undefined"][1] == 400


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=20), st.floats(0, 1))
def test_quantiles_are_those_of_numpy(values: list[float], share: float) -> None:
    row = np.array([[*values, np.nan]])
    assert intervals.quantile(row, share).item() == pytest.approx(
        np.quantile(values, share), abs=1e-12
    )
    found = intervals.quantile(row, share, whole=True).item()
    assert found == np.quantile(values, share, method="inverted_cdf")


def test_threads_change_no_byte() -> None:
    evidence = abstaining(4, runs=9, questions=50)
    one, two = (
        intervals.study(evidence, ACCURACY, seed="x", resamples=200, threads=n) for n in (1, 2)
    )
    assert one.serialize() == two.serialize()


def test_intervals_cover_the_truth() -> None:
    # 300 collections of 100 questions, a run right by chance .6: 95% is expected, percentile
    # intervals of a mean of 100 miss a little more; 4 standard errors of 300 are .05
    rng = np.random.default_rng(3)
    evidence = evidence_of(rng.random((50, 100)) < 0.6)
    covered = []
    for seed in range(6):
        evidence = evidence_of(rng.random((50, 100)) < 0.6)
        found = intervals.study(evidence, ACCURACY, seed=str(seed), resamples=400)
        covered += (
            found.select((pl.col("low") <= 0.6) & (pl.col("high") >= 0.6)).to_series().to_list()
        )
    assert 0.90 <= np.mean(covered) <= 0.99
