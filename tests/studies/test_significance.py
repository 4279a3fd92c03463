"""Tests of significance: exact ones by hand, resampled ones against all resamples that exist."""

from dataclasses import replace
from itertools import combinations, product
from math import comb
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, t
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from qampaign.measures import MEASURES
from qampaign.measures.evidence import Evidence
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.scoring import Configured, single_values
from qampaign.studies import exchange, significance
from qampaign.studies.exchange import Exchange, Pairs, all_pairs, list_exchanges, places
from qampaign.studies.resampling import draw_bootstrap, key, toss_coins
from qampaign.studies.units import Units
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import configured
from tests.studies.made_evidence import ACCURACY, THREE, abstaining, evidence_of

ROWS = {
    "answering": answering(Random(5), questions=12, longest=4),
    "validation": validation(Random(2), items=12),
}
VARIANTS = [("answering", each) for each in ANSWERING] + [
    ("validation", each) for each in VALIDATION if MEASURES[each[0]].resampled
]
MEANS = [(task, each) for task, each in VARIANTS if MEASURES[each[0]].mean]
ids = {"ids": lambda v: v if isinstance(v, str) else named(v)}
ONE = np.array([0]), np.array([1])


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5))
def test_the_sign_test_is_binomial(wins: int, losses: int, equal: int) -> None:
    values = np.array([[1.0] * wins + [0] * losses + [0.3] * (equal + 1)])
    values = np.vstack([values, np.array([0.0] * wins + [1] * losses + [0.3] * (equal + 1))])
    found = significance.sign_test(values, *ONE).item()
    exact = min(
        2
        * sum(comb(wins + losses, k) for k in range(min(wins, losses) + 1))
        / 2 ** (wins + losses),
        1,
    )
    assert found == pytest.approx(exact, rel=1e-11)


@given(st.integers(0, 60), st.integers(0, 60))
def test_of_right_and_wrong_the_sign_test_is_that_of_mcnemar(won: int, lost: int) -> None:
    values = np.array([[1.0] * won + [0] * lost + [1, 0], [0.0] * won + [1] * lost + [1, 0]])
    expected = mcnemar([[1, won], [lost, 1]], exact=True).pvalue
    assert significance.sign_test(values, *ONE).item() == pytest.approx(expected, rel=1e-9)


def test_the_sign_test_of_many_questions() -> None:
    values = np.zeros((2, 100_000))
    values[0, :50_400] = 1
    values[1, 50_400:] = 1
    expected = binomtest(50_400, 100_000).pvalue
    assert significance.sign_test(values, *ONE).item() == pytest.approx(expected, rel=1e-8)


def test_twelve_wins_and_four_losses() -> None:
    right = [[1] * 12 + [0] * 4 + [1, 0], [0] * 12 + [1] * 4 + [1, 0]]
    found = significance.study(evidence_of(right), ACCURACY, seed="x", resamples=50).tests
    row = found.filter(test="sign").row(0, named=True)
    assert row["p"] == row["p_holm"] == pytest.approx(0.0768127441, abs=1e-10)
    assert row["difference"] == pytest.approx(8 / 18)
    assert found.columns == [
        "measure",
        "run_a",
        "run_b",
        "difference",
        "test",
        "p",
        "p_holm",
        "undefined",
    ]


def test_no_difference_is_no_evidence() -> None:
    found = significance.study(evidence_of([[1, 0, 1], [1, 0, 1]]), ACCURACY, seed="x").tests
    assert found["p"].to_list() == [1.0, 1.0, 1.0]
    assert found["test"].to_list() == ["sign", "bootstrap", "randomisation"]


def test_the_sign_test_is_for_means_only() -> None:
    evidence = abstaining(1, runs=3, questions=30)
    c_at_1 = [Configured("c@1", "c_at_1", {})]
    found = significance.study(evidence, c_at_1, seed="x", resamples=60).tests
    assert found["test"].unique(maintain_order=True).to_list() == ["bootstrap", "randomisation"]
    assert found.filter(test="bootstrap").select("run_a", "run_b").rows() == [
        *combinations("abc", 2)
    ]


@pytest.mark.parametrize(("task", "variant"), MEANS, **ids)
def test_a_mean_is_the_mean_of_its_values_by_question(task: str, variant: tuple) -> None:
    each = configured(*variant)
    evidence = ROWS[task].evidence(each)
    alone = single_values(evidence, each)
    whole = each.values(evidence, np.ones((1, 12)))[:, 0]
    np.testing.assert_allclose(alone.mean(axis=1), whole, atol=1e-12)
    np.testing.assert_allclose(alone, each.values(evidence, np.eye(12)), atol=1e-12)


@pytest.mark.parametrize(("task", "variant"), VARIANTS, **ids)
def test_exchanged_evidence_is_that_of_the_other_run(task: str, variant: tuple) -> None:
    each = configured(*variant)
    evidence = ROWS[task].evidence(each)
    if isinstance(each.declared, OrderedMeasure):
        order = each.columns()[each.declared.columns[0]].key
        evidence = replace(
            evidence, columns=evidence.columns | {order: places(evidence.columns[order])}
        )
    units = Units.of(evidence.questions, "group")
    few = len(units) < 6
    coins = (
        list_exchanges(len(units), 0, 4)
        if few
        else toss_coins(units.keys, 20, key("x", "exchange"))
    )
    coins = coins[:, units.of_question]
    names = [column.key for column in each.columns().values()]
    full = each.values(evidence, np.ones((1, 12)))[:, 0]
    family = all_pairs(np.arange(evidence.runs.height))
    pairs = Pairs(family, full[family.a] - full[family.b])
    drawing = Exchange(evidence, units, seed="x", draws=20, threads=2)
    found = np.vstack([drawn for _, drawn in drawing.exchanged(drawing.parts(each), pairs, 20)])
    assert found.shape == (4 if few else 20, len(pairs.a))
    expected = np.empty(found.shape)
    for pair, (x, y) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        for number, tossed in enumerate(coins.astype(bool)):
            columns = {name: evidence.columns[name][[x, y]].astype(float) for name in names}
            for own in columns.values():
                own[:, tossed] = own[::-1, tossed].copy()
            swapped = Evidence(evidence.runs[[x, y]], evidence.questions, columns)
            one, two = each.values(swapped, np.ones((1, 12)))[:, 0]
            expected[number, pair] = one - two
    turned = turn_signs(each, evidence, pairs, coins)
    if turned is not None:  # a ratio: widened by what was not seen, in all draws alike
        expected = turned * np.abs(found).max(axis=0) / np.maximum(np.abs(turned).max(axis=0), 1e-9)
        assert (np.abs(found) >= np.abs(turned) - 1e-9).all()
    np.testing.assert_allclose(found, expected, atol=1e-12 if turned is None else 1e-9)


def turn_signs(
    measure: Configured, evidence: Evidence, pairs: Pairs, coins: np.ndarray
) -> np.ndarray | None:
    """What questions add to a difference of ratios, with signs turned; None if all divide alike."""
    by_key = {
        column.key: evidence.columns[column.key].astype(float)
        for column in measure.columns().values()
    }
    whole = None if measure.mean else measure.whole(by_key)
    if whole is None or (whole == whole[0]).all():
        return None
    part = np.nan_to_num(measure.of_sums(by_key)) * whole
    a, b = pairs.a, pairs.b
    both = (part[a] + part[b]).sum(axis=1) / (whole[a] + whole[b]).sum(axis=1)
    adds = [
        (part[run] - both[:, None] * whole[run]) / whole[run].sum(axis=1, keepdims=True)
        for run in (a, b)
    ]
    return (1 - 2.0 * coins) @ (adds[0] - adds[1]).T


@pytest.mark.parametrize("unit", ["group", "question"])
@pytest.mark.parametrize(("task", "variant"), VARIANTS, **ids)
def test_what_was_found_is_one_of_all_exchanges(task: str, variant: tuple, unit: str) -> None:
    each = configured(*variant)
    evidence = ROWS[task].evidence(each)
    units = Units.of(evidence.questions, unit)
    full = each.values(evidence, np.ones((1, 12)))[:, 0]
    drawing = Exchange(evidence, units, seed="x", draws=9999)
    tested = drawing.test(each, full, all_pairs(np.arange(evidence.runs.height)))
    for p in (tested.p, tested.adjusted, *tested.own):
        known = p[~np.isnan(p)] * 2 ** (len(units) - 1)
        assert (known >= 1).all()
        assert (known % 1 == 0).all()


def test_randomisation_by_all_exchanges() -> None:
    # all 2^6 exchanges of a and c: differences +1 +0 +0 +1 +0 +0, so |Σ ± 1 ± 1| ≥ 2 in half
    found = significance.study(THREE, ACCURACY, seed="x", resamples=32).tests
    assert found.filter(test="randomisation", run_a="a", run_b="c")["p"].item() == 0.5
    # exact, so that Holm's correction is, too: 3 pairs take 60 resamples otherwise
    assert found.filter(test="randomisation")["p_holm"].to_list() == [1.0, 1.0, 1.0]
    assert found.filter(test="bootstrap")["p_holm"].null_count() == 3
    drawn = significance.study(THREE, ACCURACY, seed="x", resamples=31).tests
    p = drawn.filter(test="randomisation", run_a="a", run_b="c")["p"].item()
    assert p == pytest.approx(0.5, abs=4.5 * 0.5 / np.sqrt(31))
    assert drawn.filter(test="randomisation")["p_holm"].null_count() == 3
    # a and b: 0 0 +1 +1 −1 0; |±1 ±1 ±1| ≥ 1 always
    assert found.filter(test="randomisation", run_a="a", run_b="b")["p"].item() == 1.0


def test_bootstrap_near_all_draws() -> None:
    # all 6^6 draws of six differences d, centred: P(1.4237·|mean d* − mean d| ≥ |mean d|)
    differences = np.array([1, 0, 0, 1, 0, 0])
    draws = np.array([*product(range(6), repeat=6)])
    gaps = np.abs(differences[draws].mean(axis=1) - 1 / 3) * 1.7052
    exact = (gaps >= 1 / 3 - 1e-9).mean()
    found = significance.study(THREE, ACCURACY, seed="x", resamples=20_000).tests
    p = found.filter(test="bootstrap", run_a="a", run_b="c")["p"].item()
    assert p == pytest.approx(exact, abs=4.5 * np.sqrt(exact * (1 - exact) / 20_000))


def test_spread_is_that_of_student() -> None:
    for questions in (10, 50, 1000):
        wider = t.ppf(0.995, questions - 1) / norm.ppf(0.995) * np.sqrt(questions / (questions - 1))
        assert significance.widening(questions) == pytest.approx(wider, rel=2e-3)
    assert significance.widening(6) == pytest.approx(1.7052, abs=5e-5)


def test_one_is_added_to_both_counts() -> None:
    # a right everywhere, b nowhere: no resample is as far from the centre, none of 2^40 exchanges
    found = significance.study(
        evidence_of([[1] * 40, [0] * 40]), ACCURACY, seed="x", resamples=99
    ).tests
    assert found.filter(test="bootstrap")["p"].item() == pytest.approx(1 / 100)
    assert found.filter(test="randomisation")["p"].item() == pytest.approx(1 / 100)


def test_bootstrap_p_by_hand() -> None:
    evidence = abstaining(3, runs=2, questions=25)
    found = significance.study(evidence, ACCURACY, seed="s", resamples=200).tests
    drawn = draw_bootstrap(25, 200, key("s", "bootstrap", "all"))
    a, b = evidence.columns["correct"].astype(float) @ drawn.T / 25
    whole = evidence.columns["correct"].mean(axis=1)
    gap = whole[0] - whole[1]
    far = (significance.widening(25) * np.abs(a - b - gap) >= abs(gap) - 1e-9).sum()
    assert found.filter(test="bootstrap")["p"].item() == pytest.approx((1 + far) / 201)


def test_holm_by_hand_and_order() -> None:
    # m = 4: .005·4, then .01·3 = .03, .03·2 = .06, .04·1 = .04 → .06
    p = np.array([0.04, 0.005, 0.03, 0.01, np.nan])
    assert significance.holm(p)[:4].tolist() == pytest.approx([0.06, 0.02, 0.06, 0.03])
    assert np.isnan(significance.holm(p)[4])
    assert significance.holm(np.array([0.9, 0.8])).tolist() == [1.0, 1.0]
    assert significance.holm(np.array([])).tolist() == []


@pytest.mark.slow
def test_holm_is_that_of_statsmodels() -> None:
    rng = np.random.default_rng(7)
    for number in (1, 2, 5, 20):
        p = rng.random(number).round(2) ** 3  # some of them equal
        expected = multipletests(p, method="holm")[1]
        np.testing.assert_allclose(significance.holm(p), expected, atol=1e-12)


def test_a_correction_that_resamples_cannot_resolve_is_left_out() -> None:
    evidence = abstaining(2, runs=4, questions=30)  # 6 pairs: 120 resamples
    for resamples, resolved in ((119, False), (120, True)):
        found = significance.study(evidence, ACCURACY, seed="x", resamples=resamples).tests
        assert found.filter(test="sign")["p_holm"].null_count() == 0
        for test in ("bootstrap", "randomisation"):
            assert (found.filter(test=test)["p_holm"].null_count() == 0) == resolved


def test_one_unit_shows_no_difference() -> None:
    """All resamples of one group are that group: they have no spread that could tell anything."""
    found = significance.study(
        evidence_of([[1] * 9, [0] * 9], groups=["g"] * 9), ACCURACY, seed="x"
    )
    p = dict(found.tests.select("test", "p").rows())
    assert p == {"sign": 1.0, "bootstrap": None, "randomisation": 1.0}


def test_shares_by_hand() -> None:
    tests = pl.DataFrame({"measure": "m", "test": "sign", "p": [0.05, 0.01, 0.2, None]})
    assert significance.significant_shares(tests).rows() == [
        ("m", "sign", 0.05, 3, pytest.approx(2 / 3)),
        ("m", "sign", 0.01, 3, pytest.approx(1 / 3)),
    ]


def test_a_run_without_a_value_is_not_tested() -> None:
    evidence = evidence_of(
        [[1, 0, 1], [0, 0, 0], [0, 1, 0]], wrong=[[0, 1, 0], [0, 0, 0], [1, 0, 1]]
    )
    precision = [Configured("p", "precision_answered", {})]
    found = significance.study(evidence, precision, seed="x", resamples=60).tests
    assert found.filter(test="bootstrap")["p"].is_null().to_list() == [True, False, True]
    assert found.filter(test="bootstrap")["p_holm"].is_null().to_list() == [True, False, True]
    assert found["undefined"].max() > 0


def test_one_run_has_no_pairs() -> None:
    found = significance.study(evidence_of([[1, 0, 1]]), ACCURACY, seed="x", resamples=10)
    assert found.tests.is_empty()
    assert found.shares.is_empty()


def test_threads_change_no_byte() -> None:
    measures = [configured("cws", {}, "cws"), configured("mrr", {}, "mrr")]
    evidence = ROWS["answering"].evidence(*measures)
    one, two = (
        significance.study(evidence, measures, seed="x", resamples=70, threads=n) for n in (1, 2)
    )
    for first, second in zip(one, two, strict=True):
        assert first.serialize() == second.serialize()


@pytest.mark.exhaustive
@pytest.mark.slow
def test_two_copies_of_a_system_rarely_differ() -> None:
    # 300 pairs of runs that are right by the same chances, question by question, on their own. At
    # .05 a valid test finds 15 or fewer on average; 26 is √(300·.05·.95) = 3.8 times 2.9 more.
    rng = np.random.default_rng(5)
    false: dict[str, list[int]] = {}
    for _ in range(300):
        chance = rng.beta(1.5, 1.5, 60)
        evidence = evidence_of(rng.random((2, 60)) < chance)
        tests = significance.study(
            evidence, ACCURACY, seed=str(rng.integers(2**32)), resamples=199
        ).tests
        for test, p in tests.select("test", "p").rows():
            false.setdefault(test, []).append(p <= 0.05)
    assert {test: sum(own) <= 26 for test, own in false.items()} == {
        "sign": True, "bootstrap": True, "randomisation": True,
    }  # fmt: skip
    assert sum(false["sign"]) <= 15  # discrete, so below its level
    assert min(sum(own) for own in false.values()) > 0


def test_blocks_of_pairs_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    measures = [configured("cws", {}, "cws"), configured("mrr", {}, "mrr")]
    evidence = ROWS["answering"].evidence(*measures)
    whole = significance.study(evidence, measures, seed="x", resamples=70)
    monkeypatch.setattr(exchange, "BLOCK", 1)  # a draw in each
    monkeypatch.setattr(exchange, "COINS", 1)
    single = significance.study(evidence, measures, seed="x", resamples=70)
    for first, second in zip(whole, single, strict=True):
        assert first.serialize() == second.serialize()
