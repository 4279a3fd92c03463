"""Means over question types and means of several measures, by hand and beside their parts."""

from collections.abc import Sequence

import numpy as np
import pytest

from qampaign.measures.configured import Averaged, Composite, Configured, configure
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import evaluate, score
from qampaign.studies.comparisons import study as compare
from qampaign.studies.study import Setting, study
from tests.helpers.cases import first
from tests.helpers.measured_rows import Rows, configured
from tests.studies.made_evidence import evidence_of

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c_at_1", "c_at_1", {})
CWS = Configured("cws", "cws", {"ties": "average"})
MACRO = Averaged("macro", "accuracy", {})
MACRO_CWS = Averaged("macro_cws", "cws", {"ties": "average"})


def value(measure: Configured, evidence: Evidence, weights: Sequence[Sequence[int]]) -> np.ndarray:
    (values,) = evaluate(evidence, [measure], np.array(weights, dtype=np.uint8))
    return values


# a: 3 of 4 of type x, 0 of 2 of y. b: 1 of 4 of x, 2 of 2 of y.
TWO = evidence_of([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], types=["x", "x", "x", "x", "y", "y"])


def test_the_macro_average_counts_every_type_the_same() -> None:
    """a: (3/4 + 0/2) / 2 = 0.375; b: (1/4 + 2/2) / 2 = 0.625; both have an accuracy of 3/6."""
    assert value(MACRO, TWO, [[1] * 6])[:, 0].tolist() == [0.375, 0.625]
    assert value(ACCURACY, TWO, [[1] * 6])[:, 0].tolist() == [0.5, 0.5]


def test_a_type_that_is_absent_is_left_out_of_the_mean() -> None:
    """Questions 1, 2 and 4 of x alone: 2/3 and 1/3; 1 of x twice, 5 of y: (2/2 + 0/1) / 2."""
    found = value(MACRO, TWO, [[1, 1, 0, 1, 0, 0], [2, 0, 0, 0, 1, 0], [0] * 6])
    assert found[:, :2].tolist() == [[2 / 3, 0.5], [1 / 3, 0.5]]
    assert np.isnan(found[:, 2]).all()


def test_a_run_without_a_value_on_a_type_has_no_macro_average() -> None:
    """b answers nothing of type y: there is no precision there."""
    evidence = evidence_of(
        [[1, 0, 1], [1, 0, 0]], types=["x", "x", "y"], wrong=[[0, 1, 0], [0, 1, 0]]
    )
    precision = Averaged("p", "precision_answered", {})
    found = value(precision, evidence, [[1, 1, 1], [1, 1, 0]])
    assert found[0].tolist() == [0.75, 0.5]
    assert np.isnan(found[1, 0])
    assert found[1, 1] == 0.5


def test_in_a_slice_of_one_type_it_is_the_measure_itself() -> None:
    scores = score(
        Evidence(
            TWO.runs, TWO.questions, TWO.columns | {"without_row": 0 * TWO.columns["correct"]}
        ),
        [ACCURACY, MACRO],
    )
    for each in ("x", "y"):
        plain, macro = (
            scores.filter(measure=m.name, slice=each)["value"] for m in (ACCURACY, MACRO)
        )
        assert plain.to_list() == macro.to_list()


def test_a_composite_is_the_mean_of_its_parts() -> None:
    """Of a's 0.5 and 0.375, and of b's 0.5 and 0.625: 0.4375 and 0.5625; 3 to 1: 0.46875, 0.53125."""
    both = [ACCURACY, MACRO]
    equal, uneven = Composite("m", parts=both), Composite("n", parts=both, weights=[3, 1])
    assert value(equal, TWO, [[1] * 6])[:, 0].tolist() == [0.4375, 0.5625]
    assert value(uneven, TWO, [[1] * 6])[:, 0].tolist() == [0.46875, 0.53125]


def test_a_composite_is_not_available_where_a_part_is_not() -> None:
    evidence = evidence_of([[1, 0], [0, 0]], wrong=[[0, 1], [0, 0]])
    mixed = Composite("m", parts=[ACCURACY, Configured("p", "precision_answered", {})])
    found = value(mixed, evidence, [[1, 1]])[:, 0]
    assert found[0] == 0.5
    assert np.isnan(found[1])


def test_bounds_and_direction_follow_from_the_parts() -> None:
    mixed = Composite("m", parts=[ACCURACY, Configured("u", "utility", {})], weights=[1, 3])
    assert mixed.bounds == (-0.75, 1.0)
    assert mixed.better == "high"
    assert not mixed.mean
    assert (mixed.walks, Composite("o", parts=[CWS, MACRO_CWS, ACCURACY]).walks) == (0, 2)
    assert Composite("q", parts=[ACCURACY, Configured("qa", "qa_accuracy", {})]).whole_groups


@pytest.mark.parametrize("measure", [ACCURACY, MACRO, Composite("m", parts=[CWS, MACRO])])
def test_params_make_the_same_measure(measure: Configured) -> None:
    again = configure(measure.as_params())
    assert again.key == measure.key
    assert type(again) is type(measure)
    assert again.formula == measure.formula


def made(seed: int, *, groups: bool = False, types: int = 3) -> Evidence:
    """Six runs over 36 questions, with confidences."""
    rng = np.random.default_rng(seed)
    right = rng.random((6, 36)) < np.linspace(0.3, 0.8, 6)[:, None]
    silent = rng.random((6, 36)) < 0.15
    by, correct = (column.key for column in CWS.columns().values())
    columns = {
        "wrong": (~right & ~silent).astype(np.uint8),
        "unanswered": silent.astype(np.uint8),
        by: np.where(silent, np.nan, rng.integers(1, 9, (6, 36)) / 8),
    }
    if correct != "correct":
        columns[correct] = (right & ~silent).astype(np.uint8)
    return evidence_of(
        right & ~silent,
        types=[f"t{n % types}" for n in range(36)],
        groups=[f"g{n // 3}" for n in range(36)] if groups else (),
        **columns,
    )


PUT_TOGETHER = [
    MACRO,
    MACRO_CWS,
    Averaged("macro_c", "c_at_1", {}),
    Composite("sums", parts=[ACCURACY, C_AT_1]),
    Composite("mixed", parts=[C_AT_1, CWS, MACRO], weights=[2, 1, 1]),
]


@pytest.mark.slow
@pytest.mark.parametrize("draws", first(1, ["shared", "independent"]))
@pytest.mark.parametrize("groups", first(1, [True, False]))
def test_every_study_has_rows_for_what_is_put_together(groups: bool, draws: str) -> None:
    setting = Setting(made(3, groups=groups), PUT_TOGETHER, seed="s", primary="mixed")
    few = {"trials": 20, "draws": draws, "sizes": [5]}
    studies = {"stability": few, "swap": few, "sizes": {"trials": 20}}
    for name, settings in studies.items():
        for table, rows in study(name, setting, settings).items():
            if table != "unstable_pairs":
                assert set(rows["measure"]) == {each.name for each in PUT_TOGETHER}, table


@pytest.mark.slow
@pytest.mark.parametrize("groups", [False, True])
def test_a_slice_is_tested_as_the_measure_itself(groups: bool) -> None:
    """By question type the macro average has the values, intervals and p-values of its measure."""
    evidence = made(4, groups=groups)
    for plain, macro in ((ACCURACY, MACRO), (CWS, MACRO_CWS)):
        found = {
            each.name: compare(evidence, [each], seed="s", primary=each.name, draws=999)
            for each in (plain, macro)
        }
        for table in ("comparisons", "intervals"):
            one, two = (
                getattr(found[each.name], table).filter(slice="t1").drop("measure")
                for each in (plain, macro)
            )
            if table == "comparisons":  # a mean over questions knows which of them are won
                left_out = ["won", "lost", "tied"]
                one, two = one.drop(left_out), two.drop(left_out)
            assert one.equals(two), (table, macro.name)


def test_one_type_alone_is_the_measure_itself() -> None:
    evidence = made(5, types=1)
    plain, macro = (
        compare(evidence, [each], seed="s", draws=999).intervals.drop("measure")
        for each in (C_AT_1, Averaged("macro", "c_at_1", {}))
    )
    assert plain.equals(macro)


@pytest.mark.slow
def test_a_composite_of_equal_parts_is_tested_as_the_part() -> None:
    """The mean of a measure and itself is that measure: the same draws give the same p-values."""
    evidence = made(6)
    twice = Composite("twice", parts=[C_AT_1, Configured("again", "c_at_1", {})])
    ordered = Composite("ordered", parts=[CWS, Configured("again", "cws", CWS.options)])
    for plain, both in ((C_AT_1, twice), (CWS, ordered)):
        one, two = (
            compare(evidence, [each], seed="s", draws=999).comparisons.filter(slice="all")
            for each in (plain, both)
        )
        assert one["p_adjusted"].to_list() == two["p_adjusted"].to_list()
        for column in ("difference", "low", "high", "sd"):
            assert one[column].to_numpy() == pytest.approx(two[column].to_numpy(), abs=1e-9)


def test_the_exchanged_differences_of_a_composite_are_those_of_its_parts() -> None:
    """By hand: exchange whole evidence of the drawn questions, score both, subtract."""
    from qampaign.studies.exchange import Exchange, Pairs, all_pairs
    from qampaign.studies.units import Units

    evidence = made(7)
    units = Units.of(evidence.questions, "group")
    measure = Composite("m", parts=[C_AT_1, MACRO], weights=[1, 2])
    everything = np.ones((1, 36), dtype=np.uint8)
    values = value(measure, evidence, everything.tolist())[:, 0]
    exchange = Exchange(evidence, units, seed="s", draws=16)
    family = all_pairs(np.arange(2))
    pairs = Pairs(family, values[family.a] - values[family.b])
    (found,) = [drawn for _, drawn in exchange.exchanged(exchange.parts(measure), pairs, 16)]
    coins = exchange._coins(0, 16, every=False).astype(bool)
    for coin, difference in zip(coins, found[:, 0], strict=True):
        columns = {
            name: np.stack([np.where(coin, own[1], own[0]), np.where(coin, own[0], own[1])])
            for name, own in evidence.columns.items()
        }
        swapped = Evidence(evidence.runs[:2], evidence.questions, columns)
        one, two = value(measure, swapped, everything.tolist())[:, 0]
        assert difference == pytest.approx(one - two, abs=1e-12)


def test_the_standard_error_is_that_of_the_exchanges() -> None:
    """The slope of the formula and the spread over all exchanges of 12 questions agree roughly."""
    rng = np.random.default_rng(8)
    right = rng.random((2, 12)) < [[0.4], [0.7]]
    evidence = evidence_of(right, types=["x", "y", "y"] * 4, wrong=~right, unanswered=0 * right)
    found = compare(evidence, [MACRO], seed="s", draws=9999).comparisons.filter(slice="all")
    row = found.row(0, named=True)
    # x: 4 questions that count 1/8 each, y: 8 that count 1/16 each; the variance of a sum of
    # independent signs is the sum of squares
    weights = np.where(np.arange(12) % 3 == 0, 1 / 8, 1 / 16)
    steps = weights * (right[0].astype(float) - right[1])
    scale = (steps**2).sum() - steps.sum() ** 2 / 12
    assert row["sd"] == pytest.approx(np.sqrt(scale * 12 / 11 * 12), abs=1e-9)


def test_the_ranking_of_pan_by_hand() -> None:
    """AUC: scores of i1, i3, i6 against i2, i4, i5: 3 + 1 + 3 of 9 pairs. c@1: (3 + 1·3/6)/6.

    F without the unanswered i4: 2·2/(2·2 + 1 + 1). F0.5u: 1.25·2/(1.25·2 + .25·(1 + 1) + 1).
    """
    rows = Rows(
        runs={
            "a": {
                "i1": ("yes", 0.9), "i2": ("yes", 0.6), "i3": ("no", 0.3),
                "i4": (None, 0.5), "i5": ("no", 0.2), "i6": ("yes", 0.8),
            }
        },
        says={"i1": "yes", "i2": "no", "i3": "yes", "i4": "no", "i5": "no", "i6": "yes"},
        validation=True,
    )  # fmt: skip
    parts = [
        configured("auc", {}, "auc"),
        configured("c_at_1", {}, "c_at_1"),
        configured("f", {"unanswered": "skip"}, "f"),
        configured("f_05_u", {}, "f_05_u"),
    ]
    pan = Composite("pan", parts=parts)
    found = dict(score(rows.evidence(pan), [*parts, pan]).select("measure", "value").rows())
    by_hand = {"auc": 7 / 9, "c_at_1": 3.5 / 6, "f": 4 / 6, "f_05_u": 2.5 / 4}
    assert found == pytest.approx(by_hand | {"pan": sum(by_hand.values()) / 4}, abs=1e-12)
