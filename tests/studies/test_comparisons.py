"""Comparisons of all pairs: against the recipe written out, by enumeration, and at the edges."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.power import zt_ind_solve_power

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate
from qampaign.problems import Refused
from qampaign.studies import comparisons, resampling
from qampaign.studies.comparisons import study, units_needed, visible
from qampaign.studies.exchange import Exchange, all_pairs, list_exchanges, places
from qampaign.studies.resampling import key, toss_coins
from qampaign.studies.units import Units
from tests.bench.calibration import pairs as calibration
from tests.studies.made_evidence import ACCURACY, abstaining, evidence_of

C_AT_1 = Configured("c_at_1", "c_at_1", {})
CWS = Configured("cws", "cws", {"ties": "average"})
DRAWS = 300


def with_confidence(seed: int, runs: int, questions: int) -> Evidence:
    made = abstaining(seed, runs, questions)
    order = np.random.default_rng(seed).random((runs, questions)).round(1)
    order[made.columns["unanswered"] == 1] = np.nan
    order = places(order)  # what runs exchange
    return replace(made, columns=made.columns | {'confidence_order {"ties": "average"}': order})


def in_groups(evidence: Evidence, sizes: list[int]) -> Evidence:
    names = [f"g{number}" for number, size in enumerate(sizes) for _ in range(size)]
    return replace(evidence, questions=evidence.questions.with_columns(group=pl.Series(names)))


def written_out(evidence: Evidence, measure: Configured, draws: int) -> dict[str, np.ndarray]:
    """The recipe, a pair and a draw at a time, on evidence that is really exchanged."""
    units = Units.of(evidence.questions, "group")
    few = 2 ** len(units) <= 2 * draws
    coins = toss_coins(units.keys, draws, key("s", "exchange"))
    if few:  # all of them, each twice: with all units turned round, too
        coins = np.array(list(product([0, 1], repeat=len(units))), dtype=np.uint8)
    more = 0 if few else 1  # what was found is one of them, or one more
    draws, coins = len(coins), coins[:, units.of_question]
    every = np.ones((1, evidence.questions.height), dtype=np.uint8)
    value = measure.values(evidence, every)[:, 0]
    pairs = list(combinations(range(evidence.runs.height), 2))
    drawn = np.empty((len(pairs), draws))
    for index, (a, b) in enumerate(pairs):
        for draw, exchanged in enumerate(coins):
            columns = {
                name: np.where(exchanged, column[[b, a]], column[[a, b]])
                for name, column in evidence.columns.items()
            }
            two = Evidence(evidence.runs[[a, b]], evidence.questions, columns)
            values = measure.values(two, every)[:, 0]
            drawn[index, draw] = values[0] - values[1]
    found = np.array([value[a] - value[b] for a, b in pairs])
    scale = np.sqrt((drawn[:, : None if few else 256] ** 2).mean(axis=1))
    if measure.declared.mean:
        sums = [
            units.add_up(evidence.columns["correct"])[run].astype(float)
            for run in range(len(value))
        ]
        scale = np.array([((sums[a] - sums[b]) ** 2).sum() ** 0.5 for a, b in pairs])
        scale /= evidence.questions.height
    statistic, drawn = np.abs(found) / scale, np.abs(drawn) / scale[:, None]
    order = np.argsort(-statistic, kind="stable")
    p = (more + (drawn >= statistic[:, None] - 1e-9).sum(axis=1)) / (draws + more)
    adjusted, last = np.empty(len(pairs)), 0.0
    for step, pair in enumerate(order):
        highest = drawn[order[step:]].max(axis=0)
        reached = (highest >= statistic[pair] - 1e-9).sum()
        last = max(last, (more + reached) / (draws + more))
        adjusted[pair] = last
    own = np.empty((2, len(pairs)))
    for run in range(len(value)):
        inside = [index for index in order if run in pairs[index]]
        last = 0.0
        for step, pair in enumerate(inside):
            highest = drawn[inside[step:]].max(axis=0)
            reached = (highest >= statistic[pair] - 1e-9).sum()
            last = max(last, (more + reached) / (draws + more))
            own[pairs[pair].index(run), pair] = last
    return {"p": p, "adjusted": adjusted, "own": own}


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[1] * 24, [1, 2, 3, 6, 4, 8]], ids=["questions", "groups"])
@pytest.mark.parametrize("measure", [ACCURACY[0], CWS], ids=lambda own: own.name)
def test_the_recipe_written_out(measure: Configured, sizes: list[int]) -> None:
    evidence = in_groups(with_confidence(3, 4, 24), sizes)
    expected = written_out(evidence, measure, DRAWS)
    value = measure.values(evidence, np.ones((1, 24), dtype=np.uint8))[:, 0]
    exchange = Exchange(evidence, Units.of(evidence.questions, "group"), seed="s", draws=DRAWS)
    tested = exchange.test(measure, value, all_pairs(np.arange(4)))
    np.testing.assert_allclose(tested.p, expected["p"], atol=1e-12)
    np.testing.assert_allclose(tested.adjusted, expected["adjusted"], atol=1e-12)
    np.testing.assert_allclose(tested.own, expected["own"], atol=1e-12)


def test_the_standard_error_of_a_measure_that_is_no_mean() -> None:
    """By its slope: for c@1, (1 + silent) for the right and `right` for the silent ones."""
    evidence = abstaining(5, 3, 200)
    right, silent = (evidence.columns[name].astype(float) for name in ("correct", "unanswered"))
    value = C_AT_1.values(evidence, np.ones((1, 200), dtype=np.uint8))[:, 0]
    exchange = Exchange(evidence, Units.of(evidence.questions, "group"), seed="s", draws=999)
    tested = exchange.test(C_AT_1, value, all_pairs(np.arange(3)))
    for index, (a, b) in enumerate(combinations(range(3), 2)):
        middle_right, middle_silent = right[[a, b]].mean(), silent[[a, b]].mean()
        slope = (1 + middle_silent) * (right[a] - right[b]) + middle_right * (silent[a] - silent[b])
        spread = (slope**2).sum() / 200**2 - (value[a] - value[b]) ** 2 / 200
        assert tested.error[index] == pytest.approx((spread * 200 / 199) ** 0.5, rel=1e-6)


def test_one_precise_answer_is_not_surely_better_than_half_of_four() -> None:
    """Run a has 2 of 4 answers right (q1, q2), run b its only one (q1): 0.5 against 1.

    Together they have 3 of 5 right, so a right answer adds (1 - 0.6)/4 = 0.1 to a and 0.4 to b, a
    wrong one takes 0.15 from a: by question -0.3, 0.1, -0.15 and -0.15 of the difference. With the
    sign of q1 kept, these sum to ±0.1, -0.2 (twice), -0.4 (twice), -0.5 and -0.7. The two
    pseudo-questions add 2/3 ((0.1 + 0.6)² + (0.15 + 0.4)²) = 0.528 to the squares, 0.145, so that a
    sum counts √(1 + 0.528/0.145) = 2.15 times: 0.2 gives 0.43 and 0.4 gives 0.86, and four of the
    eight reach the 0.5 that was found.
    """
    evidence = evidence_of([[1, 1, 0, 0], [1, 0, 0, 0]], wrong=[[0, 0, 1, 1], [0, 0, 0, 0]])
    precision = [Configured("precision_answered", "precision_answered", {})]
    (row,) = study(evidence, precision, seed="s").comparisons.rows(named=True)
    assert row["difference"] == -0.5
    assert row["p"] == 4 / 8
    squares = 0.145 + 2 / 3 * (0.7**2 + 0.55**2)
    assert row["sd"] == pytest.approx((4 * (squares - 0.5**2 / 4) * 4 / 3) ** 0.5)


def test_what_a_third_run_answers_changes_no_planned_comparison() -> None:
    """Of two runs that answer everything, precision is tested as accuracy is."""
    rng = np.random.default_rng(3)
    right = rng.random((3, 12)) < [[0.8], [0.4], [0.5]]
    right[2, :6] = False
    wrong = ~right
    wrong[2, :6] = False
    planned = [{"runs": ["a", "b"]}]
    found = {}
    for name in ("accuracy", "precision_answered"):
        measures = [Configured(name, name, {})]
        table = study(evidence_of(right, wrong=wrong), measures, seed="s", planned=planned)
        found[name] = table.comparisons.filter(family="planned").select("p", "p_adjusted", "sd")
    for one, two in zip(found["accuracy"].row(0), found["precision_answered"].row(0), strict=True):
        assert two == pytest.approx(one)


def with_coverage(answered: float, questions: int = 200) -> Evidence:
    """Two runs of the same quality, the second of which answers so many of the questions."""
    rng = np.random.default_rng(11)
    answers = rng.random((2, questions)) < [[1.0], [answered]]
    confidence = rng.random((2, questions))
    right = (rng.random((2, questions)) < confidence) & answers
    order = np.where(answers, confidence, np.nan)
    return evidence_of(right, confidence_order=order)


def test_a_run_with_few_confidences_gets_no_narrower_interval_than_it_deserves() -> None:
    """By AURC of 200 answers and of about 20, the difference spreads as 20 answers do."""
    aurc = Configured("risk_coverage", "risk_coverage", {})
    errors = {
        share: study(with_coverage(share), [aurc], seed="s", draws=999).comparisons["sd"][0]
        for share in (1.0, 0.1)
    }
    assert errors[0.1] > 2 * errors[1.0]


def test_calibration_errors_are_shown_and_not_tested() -> None:
    """Runs may be equally calibrated and differ in ECE, as one uses more bins than the other."""
    gaps = {f"gap_{number}": np.zeros((2, 4)) for number in range(10)}
    gaps["gap_5"] = np.array([[0.5, 0.5, -0.5, 0.5], [0.1, 0.0, 0.0, 0.0]])
    evidence = evidence_of([[1, 1, 0, 1], [1, 1, 1, 1]], rated_answers=np.ones((2, 4)), **gaps)
    ece = [Configured("calibration_error", "calibration_error", {})]
    found = study(evidence, ece, seed="s")
    (row,) = found.comparisons.rows(named=True)
    assert row["difference"] == pytest.approx(0.25 - 0.025)
    assert (row["p_adjusted"], row["simultaneous_low"], row["simultaneous_high"]) == (None,) * 3
    assert found.intervals.select("rank_low", "rank_high").rows() == [(1, 2), (1, 2)]


def test_four_exchanges_of_three_questions() -> None:
    """Differences +1 +1 0: of ++, +−, −+ and −−, half reach 2. With +1 +1 +1, one in four does.

    Together, in units of the standard errors √2, √3 and 1: the pair ac has 3/√3 = 1.73 as it is,
    1/√3 or 2/√2 = 1.41 at most after the other three exchanges; so one in four. Then ab, 1.41, by
    itself and with bc: 1.41 in two of four. Then bc, 1 always.
    """
    found = study(evidence_of([[1, 1, 1], [0, 0, 1], [0, 0, 0]]), ACCURACY, seed="s")
    table = found.comparisons.select("run_a", "run_b", "p", "p_adjusted", "p_error")
    assert table.rows() == [
        ("a", "b", 0.5, 0.5, 0.0),
        ("a", "c", 0.25, 0.25, 0.0),
        ("b", "c", 1.0, 1.0, 0.0),
    ]


def test_all_exchanges_of_few_questions() -> None:
    """Eight questions have 256 exchanges: the p-value is their share."""
    evidence = evidence_of([[1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 1, 0, 0, 0, 1, 1]])
    right = evidence.columns["correct"].astype(int)
    difference = right[0] - right[1]
    signs = np.array(list(product([1, -1], repeat=8)))
    exact = (np.abs(signs @ difference) >= abs(difference.sum())).mean()
    row = study(evidence, ACCURACY, seed="s").comparisons.row(0, named=True)
    assert row["p"] == row["p_adjusted"] == exact
    assert row["p_error"] == 0


@pytest.mark.parametrize(("questions", "exact"), [(10, True), (11, False)])
def test_no_p_below_the_share_of_one_exchange(questions: int, exact: bool) -> None:
    """Ten questions have 2^9 = 512 exchanges, at most the 999 draws; eleven have 1024."""
    evidence = evidence_of([[1] * questions, [0] * questions])
    row = study(evidence, ACCURACY, seed="s", draws=999).comparisons.row(0, named=True)
    assert row["p"] == row["p_adjusted"]
    assert row["p"] >= 2.0 ** (1 - questions)
    assert (row["p"] == 2.0 ** (1 - questions)) == exact
    error = (row["p"] * (1 - row["p"]) / 1000) ** 0.5
    assert row["p_error"] == pytest.approx(0 if exact else error)


@pytest.mark.parametrize("measure", [*ACCURACY, C_AT_1, CWS], ids=lambda own: own.name)
def test_seed_and_threads_change_nothing_that_is_exact(
    measure: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = with_confidence(2, 6, 12)
    one = study(evidence, [measure], seed="s").comparisons.drop("low", "high")
    monkeypatch.setattr(resampling, "WORTH", 1)  # all work is shared out
    two = study(evidence, [measure], seed="s", threads=3).comparisons.drop("low", "high")
    assert one.serialize() == two.serialize()
    other = study(evidence, [measure], seed="t").comparisons
    assert one.select("p", "p_adjusted").equals(other.select("p", "p_adjusted"))
    assert (one["p"] * 2**11 % 1 == 0).all()


@pytest.mark.exhaustive
def test_exact_claims_are_wrong_in_at_most_one_of_twenty() -> None:
    """Runs that are equally good, by all 2^6 exchanges of seven questions, from each start.

    Exchanging units of all pairs at once leaves runs as good as they were: whichever of the 64
    collections was found, the others are its exchanges. At most 3 of 64 may claim a difference.
    """
    right = np.random.default_rng(4).random((2, 7)) < 0.5
    right[:, 0] = 1, 0
    wrong = 0
    for coins in list_exchanges(7, 0, 64).astype(bool):
        exchanged = np.where(coins, right[::-1], right)
        wrong += study(evidence_of(exchanged), ACCURACY, seed="s").comparisons["p"][0] <= 0.05
    assert wrong <= 0.05 * 64


def test_a_row_by_hand() -> None:
    evidence = evidence_of([[1] * 12 + [0] * 8, [1] * 6 + [0] * 12 + [1] * 2])
    row = study(evidence, ACCURACY, seed="s").comparisons.row(0, named=True)
    difference = np.r_[np.zeros(6), np.ones(6), np.zeros(6), -np.ones(2)]
    assert row["difference"] == pytest.approx(0.2)
    assert (row["won"], row["lost"], row["tied"], row["units"]) == (6, 2, 12, 20)
    assert row["sd"] == pytest.approx(difference.std(ddof=1))
    assert row["detectable"] == pytest.approx(2.8016 * difference.std(ddof=1) / 20**0.5)
    spread = difference.std(ddof=1)
    together = 1.95996 * np.hypot(spread, 0.2) + 0.84162 * spread
    assert row["questions_needed"] == np.ceil((together / 0.2) ** 2)
    assert row["simultaneous_low"] <= row["low"] < 0.2 < row["high"] <= row["simultaneous_high"]


def test_units_needed_for_small_differences_are_those_of_statsmodels() -> None:
    """A test of one mean (no second sample) at the 5% level, two-sided, with 80% power."""
    for difference in (0.001, 0.01, 0.03):
        expected = zt_ind_solve_power(difference / 0.5, alpha=0.05, power=0.8, ratio=0)
        (needed,) = units_needed(np.array([difference]), np.array([0.5]), np.array([0.25]))
        assert needed == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("share", [0.05, 0.1, 0.25, 0.35, 0.4, 0.5])
def test_units_needed_for_large_differences_are_nearly_those_of_the_exact_test(
    share: float,
) -> None:
    """One run wins this share and loses nothing: sure with six wins, as 2/2**6 is below 5%."""
    exact = next(n for n in range(6, 1000) if stats.binom.sf(5, n, share) >= 0.8)
    (needed,) = units_needed(*np.array([[share], [np.sqrt(share)], [share]]))
    assert 0.89 * exact <= np.ceil(needed) <= 1.02 * exact
    (seen,) = visible(*np.array([[np.sqrt(share)], [share]]), units=exact)
    assert seen == pytest.approx(share, rel=0.12)


def test_of_few_questions_that_differ_no_small_difference_is_visible() -> None:
    """One of 200 questions differs: sure takes six, so 7.9 expected ones, 7.9/200 = 0.039."""
    ones = np.ones((2, 200), dtype=np.uint8)
    ones[1, 0] = 0
    (row,) = study(evidence_of(ones), ACCURACY, seed="s").comparisons.rows(named=True)
    assert row["detectable"] == pytest.approx(2.8016 * 1 / 200, rel=0.01)
    assert row["visible"] == pytest.approx(7.9 / 201.9, rel=0.01)
    power = stats.binom.sf(5, 200, row["visible"])  # if one run wins so many, and the other none
    assert power == pytest.approx(0.8, abs=0.02)


def test_equal_runs_do_not_differ_and_may_yet() -> None:
    evidence = evidence_of([[1] * 20, [1] * 20, [0] * 20])
    found = study(evidence, ACCURACY, seed="s")
    rows = found.comparisons.rows(named=True)
    assert (rows[0]["difference"], rows[0]["p"], rows[0]["p_adjusted"]) == (0, 1, 1)
    assert rows[0]["low"] < 0 < rows[0]["high"]
    assert rows[0]["questions_needed"] is None
    assert rows[1]["p_adjusted"] < 0.01
    assert rows[1]["low"] < 1 == rows[1]["high"]
    ranges = found.intervals.select("rank_low", "rank_high", "leading").rows()
    assert ranges == [(1, 2, True), (1, 2, True), (3, 3, False)]


def test_ranges_and_p_never_contradict_each_other() -> None:
    evidence = abstaining(7, 15, 120)
    found = study(evidence, [C_AT_1], seed="s", primary="c_at_1")
    sure = found.comparisons.filter(pl.col("p_adjusted") <= 0.05)
    better = pl.when(pl.col("difference") > 0)
    winners = sure.select(better.then("run_a").otherwise("run_b").alias("run"))["run"].to_list()
    losers = sure.select(better.then("run_b").otherwise("run_a").alias("run"))["run"].to_list()
    assert 10 < len(sure) < 100
    for run, low, high, own_low, own_high, leading in found.intervals.select(
        "run", "rank_low", "rank_high", "own_rank_low", "own_rank_high", "leading"
    ).iter_rows():
        assert (low, high) == (1 + losers.count(run), 15 - winners.count(run))
        assert leading == (low == 1)
        assert low <= own_low <= own_high <= high
    assert (found.comparisons["p"] <= found.comparisons["p_adjusted"]).all()
    apart = sure.filter(pl.col("simultaneous_low") * pl.col("simultaneous_high") < 0)
    assert apart.is_empty()
    rest = found.comparisons.filter(pl.col("p_adjusted") > 0.05)
    assert (rest["simultaneous_low"] < 0).all()
    assert (rest["simultaneous_high"] > 0).all()


def test_where_low_is_better_the_lowest_leads() -> None:
    evidence = evidence_of(
        [[1] * 30, [0] * 30],
        squared_errors=[[0.01] * 30, [0.5] * 30],
        rated_answers=np.ones((2, 30)),
    )
    found = study(evidence, [Configured("b", "brier", {})], seed="s").intervals
    assert found.select("rank_low", "rank_high").rows() == [(1, 1), (2, 2)]


def test_who_takes_part() -> None:
    right = np.zeros((4, 30))
    right[1:] = 1
    evidence = evidence_of(right, kinds=["submitted", "derived", "baseline", "submitted"])
    assert study(evidence, ACCURACY, seed="s").comparisons.height == 1
    ranked = study(evidence, ACCURACY, seed="s", baselines=True)
    assert ranked.comparisons.height == 3
    assert ranked.intervals["rank_low"].to_list() == [3, None, 1, 1]
    assert ranked.intervals["rank_high"].to_list() == [3, None, 2, 2]
    alone = study(evidence.only(np.array([True, True, False, False])), ACCURACY, seed="s")
    assert alone.comparisons.is_empty()
    assert alone.intervals["rank_high"].to_list() == [1, None]


def test_a_run_without_a_value_is_left_out() -> None:
    evidence = evidence_of([[1] * 9 + [0] * 9, [0] * 18, [0] * 18],
                           wrong=[[0] * 9 + [1] * 9, [1] * 18, [0] * 18])  # fmt: skip
    found = study(evidence, [Configured("p", "precision_answered", {})], seed="s")
    assert found.comparisons["p"].is_null().to_list() == [False, True, True]
    assert found.intervals["rank_high"].to_list() == [1, 2, None]


def test_by_question_type_the_primary_measure_alone() -> None:
    made = abstaining(8, 3, 40)
    evidence = replace(made, questions=made.questions.with_columns(type=pl.Series(["x", "y"] * 20)))
    found = study(
        evidence, [*ACCURACY, C_AT_1], seed="s", primary="c_at_1", planned=[{"runs": ["a", "b"]}]
    )
    tables = found.comparisons.group_by("measure", "slice", "family").len().sort(pl.all())
    assert tables.rows() == [
        ("accuracy", "all", "all", 3),
        ("accuracy", "all", "planned", 1),
        ("accuracy", "x", "planned", 1),
        ("accuracy", "y", "planned", 1),
        ("c_at_1", "all", "all", 3),
        ("c_at_1", "all", "planned", 1),
        ("c_at_1", "x", "all", 3),
        ("c_at_1", "x", "planned", 1),
        ("c_at_1", "y", "all", 3),
        ("c_at_1", "y", "planned", 1),
    ]
    ranks = found.intervals.filter(pl.col("slice") == "x")
    assert ranks.filter(measure="accuracy")["rank_low"].null_count() == 3
    assert ranks.filter(measure="c_at_1")["rank_low"].null_count() == 0


def test_planned_comparisons_are_a_family_of_their_own() -> None:
    evidence = abstaining(9, 8, 60)
    planned = [
        {"runs": ["a", "b"]},
        {"against": "c", "margin": 0.5},
        {"runs": ["b", "a"]},
    ]
    few = study(evidence.only(np.arange(8) < 3), ACCURACY, seed="s", planned=planned)
    many = study(
        evidence, ACCURACY, seed="s", planned=[{"runs": pair} for pair in ("ab", "ac", "bc")]
    )
    one, two = (each.comparisons.filter(family="planned") for each in (few, many))
    assert one.select("run_a", "run_b").rows() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert one.drop("margin", "equivalent").equals(two.drop("margin", "equivalent"))
    assert one["equivalent"].to_list()[0] is None
    for row in one.filter(pl.col("margin").is_not_null()).iter_rows(named=True):
        inside = max(-row["simultaneous_low"], row["simultaneous_high"]) < 0.5
        assert row["equivalent"] == inside
    assert one["equivalent"].to_list()[1:].count(True) >= 1


def test_runs_that_differ_little_are_equivalent_and_others_are_not() -> None:
    same = np.tile([1, 0, 1, 1], 100)
    evidence = evidence_of([same, np.r_[same[:-4], 1, 1, 1, 1], 1 - same])
    planned = [{"runs": ["a", "b"], "margin": 0.05}, {"runs": ["a", "c"], "margin": 0.05}]
    found = study(evidence, ACCURACY, seed="s", planned=planned).comparisons
    assert found.filter(family="planned")["equivalent"].to_list() == [True, False]


def test_scales_of_confidences_do_not_matter() -> None:
    evidence = with_confidence(4, 4, 40)
    name = 'confidence_order {"ties": "average"}'
    scaled = evidence.columns[name] * np.array([[1], [100], [0.01], [7]]) + 3
    other = replace(evidence, columns=evidence.columns | {name: scaled})
    assert study(evidence, [CWS], seed="s").comparisons.equals(
        study(other, [CWS], seed="s").comparisons
    )


def test_a_difference_is_that_of_the_other_order_reversed() -> None:
    evidence = abstaining(6, 3, 40)
    one = study(evidence, ACCURACY, seed="s", planned=[{"runs": ["a", "b"]}]).comparisons
    two = study(evidence, ACCURACY, seed="s", planned=[{"runs": ["b", "a"]}]).comparisons
    ends = ("low", "high", "simultaneous_low", "simultaneous_high")
    first, second = (each.filter(family="planned").row(0, named=True) for each in (one, two))
    assert [first[end] for end in ends] == pytest.approx(
        [-second[end] for end in (ends[1], ends[0], ends[3], ends[2])]
    )


def test_a_few_questions_show_nothing() -> None:
    """5 of 5 against none: p is 2 / 32, so that nothing is sure, and the interval says so."""
    row = study(evidence_of([[1] * 5, [0] * 5]), ACCURACY, seed="s").comparisons.row(0, named=True)
    assert row["p_adjusted"] == 2 / 32
    assert row["simultaneous_low"] <= 0
    assert row["questions_needed"] is None
    assert row["detectable"] is None


def test_a_margin_counts_wherever_it_is_given() -> None:
    evidence = abstaining(9, 3, 60)
    planned = [{"runs": ["a", "b"]}, {"runs": ["b", "a"], "margin": 0.5}]
    found = study(evidence, ACCURACY, seed="s", planned=planned).comparisons
    assert found.filter(family="planned")["margin"].to_list() == [0.5]
    with pytest.raises(Refused, match=r"comparisons: a and b have two margins, 0.5 and 0.1"):
        study(evidence, ACCURACY, seed="s", planned=[*planned, {"runs": ["a", "b"], "margin": 0.1}])


def test_an_unknown_run_is_refused() -> None:
    evidence = abstaining(1, 3, 10)
    with pytest.raises(Refused, match="comparisons: no run is called z; allowed: a, b, c"):
        study(evidence, ACCURACY, seed="s", planned=[{"runs": ["a", "z"]}])


def test_of_many_runs_neighbours_in_rank_stand_in_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = np.zeros((5, 30))
    for run in range(5):
        right[run, : 5 * ((run * 2) % 5 + 1)] = 1  # ranks 5, 3, 1, 4, 2
    evidence = evidence_of(right)
    whole = study(evidence, ACCURACY, seed="s", planned=[{"runs": ["a", "c"]}])
    monkeypatch.setattr(comparisons, "TABLED", 4)
    found = study(evidence, ACCURACY, seed="s", planned=[{"runs": ["a", "c"]}])
    assert found.intervals.equals(whole.intervals)
    rows = found.comparisons.select("family", "run_a", "run_b").rows()
    assert rows == [
        ("all", "a", "d"), ("all", "b", "d"), ("all", "b", "e"), ("all", "c", "e"),
        ("planned", "a", "c"),
    ]  # fmt: skip


def test_groups_are_exchanged_whole() -> None:
    """One passage decides all: by group it is one unit in six, by question five in ten."""
    right = np.zeros((2, 10))
    right[0, :5] = 1
    evidence = in_groups(evidence_of(right), [5, 1, 1, 1, 1, 1])
    by_group = study(evidence, ACCURACY, seed="s").comparisons.row(0, named=True)
    by_question = study(evidence, ACCURACY, seed="s", unit="question").comparisons.row(
        0, named=True
    )
    assert by_group["p"] == 1.0
    assert by_question["p"] == 2 / 32
    assert (by_group["units"], by_question["units"]) == (6, 10)


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("questions", [10, 20], ids=["exact", "drawn"])
def test_wrong_claims_are_rare(questions: int) -> None:
    """The cheapest cells of the calibration."""
    design = calibration.Design("", calibration.equal(5), questions)
    wrong = [tested.sure.any() for _, tested in design.sets(400, 0)]
    assert np.mean(wrong) < 0.06 + 3 * 0.012


def test_values_are_those_of_the_measure() -> None:
    evidence = abstaining(2, 4, 30)
    value = next(evaluate(evidence, [C_AT_1], np.ones((1, 30), dtype=np.uint8)))[:, 0]
    found = study(evidence, [C_AT_1], seed="s").comparisons
    pairs = np.array([value[a] - value[b] for a, b in combinations(range(4), 2)])
    np.testing.assert_allclose(found["difference"], pairs, atol=1e-12)


@pytest.mark.parametrize("measure", [*ACCURACY, C_AT_1, CWS])
def test_one_run_has_an_interval_and_nothing_to_be_compared_with(measure: Configured) -> None:
    found = study(with_confidence(1, 1, 20), [measure], seed="s", draws=DRAWS)
    assert found.comparisons.is_empty()
    [row] = found.intervals.to_dicts()
    assert row["low"] < row["high"]
    assert (row["rank_low"], row["rank_high"], row["leading"]) == (1, 1, True)
