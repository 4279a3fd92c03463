"""Validation of items: the confusion matrix, areas, abstention, groups and baselines by hand."""

from dataclasses import replace
from typing import Any

import pytest

from qampaign.problems import Refused
from tests.helpers.measured_rows import Rows, withheld

RATES = ["precision", "recall", "f", "tp_rate", "fp_rate", "auc_point"]


def matrix(tp: int, fp: int, fn: int, tn: int, **more: Any) -> Rows:
    """A run with this confusion matrix."""
    pairs = (
        [("yes", "yes")] * tp + [("yes", "no")] * fp + [("no", "yes")] * fn + [("no", "no")] * tn
    )
    ids = [f"i{n:04}" for n in range(len(pairs))]
    return Rows(
        validation=True,
        runs={"a": {each: said for each, (said, _) in zip(ids, pairs, strict=True)}},
        says={each: truth for each, (_, truth) in zip(ids, pairs, strict=True)},
        **more,
    )


def found(rows: Rows, *measures: str, run: str = "a", **options: Any) -> list[float | None]:
    return [rows.value(each, run, **options) for each in measures]


def test_the_published_matrix_of_ofe_has_its_published_values() -> None:
    # Rodrigo, Peñas & Verdejo 2009, tables 3 and 4
    rows = matrix(68, 129, 11, 811)
    printed = {
        "fp_rate": 0.14,
        "recall": 0.86,
        "tp_rate": 0.86,
        "precision": 0.35,
        "auc_point": 0.86,
        "f": 0.49,
    }
    for measure, value in printed.items():
        assert rows.value(measure) == pytest.approx(value, abs=0.005), measure
    assert rows.value("accuracy") == pytest.approx((68 + 811) / 1019, abs=1e-12)
    assert rows.counts()["tp"] == 68
    assert [rows.counts()[each] for each in ("tp", "fp", "fn", "tn")] == [68, 129, 11, 811]


def test_by_hand() -> None:
    rows = matrix(3, 1, 2, 4)
    assert found(rows, *RATES) == pytest.approx([3 / 4, 3 / 5, 2 / 3, 3 / 5, 1 / 5, 0.7], abs=1e-12)
    # F0.5 = 1.25 P R / (0.25 P + R); F2 = 5 P R / (4 P + R)
    half = 1.25 * (3 / 4) * (3 / 5) / (0.25 * 3 / 4 + 3 / 5)
    two = 5 * (3 / 4) * (3 / 5) / (4 * 3 / 4 + 3 / 5)
    assert rows.value("f", beta=0.5) == pytest.approx(half, abs=1e-12)
    assert rows.value("f", beta=2) == pytest.approx(two, abs=1e-12)


def test_nothing_validated() -> None:
    rows = matrix(0, 0, 2, 3)
    assert found(rows, *RATES) == [0, 0, 0, 0, 0, 0.5]
    assert rows.value("f_05_u") == 0


def test_no_right_item() -> None:
    rows = matrix(0, 1, 0, 3)
    assert found(rows, *RATES) == [0, None, 0, None, 1 / 4, None]
    assert matrix(0, 0, 0, 3).value("f") == 0


def test_no_wrong_item() -> None:
    rows = matrix(1, 0, 1, 0)
    assert found(rows, *RATES) == [1, 1 / 2, pytest.approx(2 / 3), 1 / 2, None, None]


def test_one_item() -> None:
    assert found(matrix(1, 0, 0, 0), *RATES) == [1, 1, 1, 1, None, None]
    assert found(matrix(0, 1, 0, 0), *RATES) == [0, None, 0, None, 1, None]


OPEN = Rows(
    validation=True,
    # yes/yes, yes/no, no/yes, no/no, then unanswered in each way, right and wrong items
    runs={
        "a": {
            "i1": "yes", "i2": "yes", "i3": "no", "i4": "no",
            "i5": None, "i6": withheld("yes"), "i7": withheld("no"), "i8": withheld("yes"),
        }
    },
    says={
        "i1": "yes", "i2": "no", "i3": "yes", "i4": "no",
        "i5": "yes", "i6": "yes", "i7": "yes", "i8": "no", "i9": "no",
    },
)  # fmt: skip


def test_an_unanswered_item_is_not_validated() -> None:
    # tp 1, fp 1, fn 1 + i5 i6 i7, tn 1 + i8 i9
    assert found(OPEN, *RATES) == pytest.approx(
        [1 / 2, 1 / 5, 2 / 7, 1 / 5, 1 / 4, (1 + 1 / 5 - 1 / 4) / 2]
    )
    assert [OPEN.counts()[each] for each in ("tp", "fp", "fn", "tn")] == [1, 1, 4, 3]


def test_an_unanswered_item_can_be_left_out() -> None:
    # tp 1, fp 1, fn 1, tn 1
    skipped = [OPEN.value(each, unanswered="skip") for each in RATES[1:]]
    assert skipped == pytest.approx([1 / 2, 1 / 2, 1 / 2, 1 / 2, 1 / 2])
    assert OPEN.value("f", unanswered="skip", beta=2) == pytest.approx(1 / 2)


def test_an_unanswered_item_is_neither_right_nor_wrong() -> None:
    # two of nine right, two wrong, five unanswered
    assert OPEN.value("accuracy") == pytest.approx(2 / 9)
    assert OPEN.value("c_at_1") == pytest.approx((2 + 5 * 2 / 9) / 9)
    assert OPEN.value("answered") == pytest.approx(4 / 9)
    counts = OPEN.counts()
    assert (counts["right"], counts["wrong"], counts["unanswered"]) == (2, 2, 5)


def test_f_05_u_by_hand() -> None:
    # tp 1, fp 1, one right item rejected, five unanswered: 1.25 / (1.25 + 0.25 * 6 + 1)
    assert OPEN.value("f_05_u") == pytest.approx(1.25 / 3.75, abs=1e-12)
    # everything answered: F0.5
    full = matrix(3, 1, 2, 4)
    assert full.value("f_05_u") == pytest.approx(full.value("f", beta=0.5), abs=1e-12)


def test_f_05_u_is_the_formula_of_pan() -> None:
    # 1.25 TP / (1.25 TP + 0.25 (FN + n_u) + FP). Copies of the 2020 script count an answer of 0.5
    # as yes before they look for n_u; later ones and the paper do not.
    ids = [f"i{n:02}" for n in range(12)]
    truth = ["yes"] * 7 + ["no"] * 5
    said = ["yes"] * 4 + ["no"] + [None] * 2 + ["yes"] * 2 + [None] * 1 + ["no"] * 2
    rows = Rows(
        validation=True,
        runs={"a": dict(zip(ids, said, strict=True))},
        says=dict(zip(ids, truth, strict=True)),
    )
    assert rows.value("f_05_u") == pytest.approx(1.25 * 4 / (1.25 * 4 + 0.25 * (1 + 3) + 2))


def scored(pairs: list[tuple[float | None, str]], **more: Any) -> Rows:
    """Items with a score and what is true of them; accepted from 0.5 on."""
    ids = [f"i{n:02}" for n in range(len(pairs))]
    return Rows(
        validation=True,
        runs={
            "a": {
                each: ("yes" if (score or 0) >= 0.5 else "no", score)
                for each, (score, _) in zip(ids, pairs, strict=True)
            }
        },
        says={each: truth for each, (_, truth) in zip(ids, pairs, strict=True)},
        **more,
    )


def test_auc_by_hand() -> None:
    # right 0.9 0.4, wrong 0.6 0.1: three of the four pairs in order
    rows = scored([(0.9, "yes"), (0.6, "no"), (0.4, "yes"), (0.1, "no")])
    assert rows.value("auc") == pytest.approx(3 / 4, abs=1e-12)


def test_equal_scores_count_half() -> None:
    # right 0.8 0.5, wrong 0.5 0.5 0.2: 3 + 1 + 2 halves of six
    rows = scored([(0.8, "yes"), (0.5, "yes"), (0.5, "no"), (0.5, "no"), (0.2, "no")])
    assert rows.value("auc") == pytest.approx(5 / 6, abs=1e-12)
    assert scored([(0.5, "yes"), (0.5, "no")]).value("auc") == 0.5
    assert scored([(0.0, "yes"), (0.0, "no")]).value("auc") == 0.5


def test_auc_of_hard_decisions_is_the_area_of_the_point() -> None:
    pairs = [(1.0, "yes")] * 3 + [(1.0, "no")] * 2 + [(0.0, "yes")] * 1 + [(0.0, "no")] * 5
    rows = scored(pairs)
    assert rows.value("auc") == pytest.approx(rows.value("auc_point"), abs=1e-12)


def test_auc_needs_a_score_for_every_item_and_items_of_both_kinds() -> None:
    assert scored([(0.9, "yes"), (None, "no")]).value("auc") is None
    assert scored([(0.9, "yes"), (0.3, "yes")]).value("auc") is None
    assert scored([(0.9, "no"), (0.3, "no")]).value("auc") is None
    missing = Rows(
        validation=True, runs={"a": {"i1": ("yes", 0.9)}}, says={"i1": "yes", "i2": "no"}
    )
    assert missing.value("auc") is None


def test_auc_takes_scores_on_any_scale() -> None:
    rows = scored([(30.0, "yes"), (-6.0, "no"), (-7.0, "yes"), (-100.0, "no")])
    assert rows.value("auc") == pytest.approx(3 / 4, abs=1e-12)


def test_calibration_is_of_the_score_against_the_label() -> None:
    # right 0.9 and 0.4 (rejected), wrong 0.6 (accepted) and 0.1
    rows = scored([(0.9, "yes"), (0.6, "no"), (0.4, "yes"), (0.1, "no")])
    assert rows.value("brier") == pytest.approx((0.01 + 0.36 + 0.36 + 0.01) / 4, abs=1e-12)
    # each in a bin of its own: 0.1 + 0.6 + 0.6 + 0.1
    assert rows.value("calibration_error") == pytest.approx(1.4 / 4, abs=1e-12)


def test_calibration_is_over_what_is_answered_with_a_score() -> None:
    rows = Rows(
        validation=True,
        runs={"a": {"i1": ("yes", 0.8), "i2": withheld("yes", 0.9), "i3": "no", "i4": (None, 0.7)}},
        says={"i1": "no", "i2": "yes", "i3": "yes", "i4": "no"},
    )
    assert rows.value("brier") == pytest.approx(0.64, abs=1e-12)
    assert rows.value("calibration_error") == pytest.approx(0.8, abs=1e-12)


GROUPS = Rows(
    validation=True,
    runs={
        # g1: two accepted, the wrong one scores higher; g2: the right one; g3: all rejected, and
        # nothing is right; g4: all rejected, but one is right; g5: none is right, one is accepted
        "a": {
            "i11": ("yes", 0.6), "i12": ("yes", 0.9), "i13": ("no", 0.95),
            "i21": ("yes", 0.7), "i22": ("yes", 0.5),
            "i31": ("no", 0.9), "i32": None,
            "i41": ("no", 0.2), "i42": ("no", 0.1),
            "i51": ("yes", 0.8), "i52": ("no", 0.3),
        },
        # without scores: the first one accepted
        "b": {"i12": "yes", "i11": "yes", "i22": "yes", "i31": "no", "i41": withheld("yes")},
    },
    says={
        "i11": "yes", "i12": "no", "i13": "yes", "i21": "yes", "i22": "no",
        "i31": "no", "i32": "no", "i41": "yes", "i42": "no", "i51": "no", "i52": "no",
    },
    questions={f"i{g}{n}": {"group": f"g{g}"} for g in range(1, 6) for n in (1, 2, 3) if (g, n) in {
        (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2), (5, 1), (5, 2)
    }},
)  # fmt: skip


def test_qa_accuracy_by_hand() -> None:
    # a: right in g2 alone. b: right in g1 (i11 comes first), wrong in g2
    assert GROUPS.values("qa_accuracy") == pytest.approx({"a": 1 / 5, "b": 1 / 5})


def test_estimated_qa_by_hand() -> None:
    # a rejects g3 rightly: 1/5 + 1/5 * 1/5; b rejects g3 and g5: 1/5 + 2/5 * 1/5
    assert GROUPS.values("estimated_qa") == pytest.approx({"a": 6 / 25, "b": 7 / 25})


def test_qa_accuracy_of_baselines() -> None:
    rows = replace(GROUPS, baselines={"all_yes": None, "all_no": None, "random_yes": 0.5})
    # all_yes takes the first item of each group: right in g1, g2, g4
    expected = {"all_yes": 3 / 5, "all_no": 0, "random_yes_0.5": None}
    for measure in ("qa_accuracy", "estimated_qa"):
        values = rows.values(measure)
        assert {run: values[run] for run in expected} == pytest.approx(expected), measure


def test_an_item_without_a_score_is_selected_after_those_with_one() -> None:
    rows = Rows(
        validation=True,
        runs={"a": {"i1": "yes", "i2": ("yes", 0.1)}},
        says={"i1": "no", "i2": "yes"},
        questions={"i1": {"group": "g"}, "i2": {"group": "g"}},
    )
    assert rows.value("qa_accuracy") == 1


def test_baselines_by_hand() -> None:
    # two of ten items right
    rows = replace(
        matrix(1, 2, 1, 6), baselines={"all_yes": None, "all_no": None, "random_yes": 0.5}
    )
    assert found(rows, *RATES, run="all_yes") == pytest.approx([0.2, 1, 1 / 3, 1, 1, 0.5])
    assert found(rows, *RATES, run="all_no") == pytest.approx([0, 0, 0, 0, 0, 0.5])
    # half of either kind: precision is the share of right items; F = 2 * .2 * .5 / .7
    half = found(rows, *RATES, run="random_yes_0.5")
    assert half == pytest.approx([0.2, 0.5, 0.2 / 0.7, 0.5, 0.5, 0.5], abs=1e-12)
    assert rows.values("accuracy") == pytest.approx(
        {"a": 0.7, "all_yes": 0.2, "all_no": 0.8, "random_yes_0.5": 0.5}
    )
    counts = rows.counts("random_yes_0.5")
    assert [counts[each] for each in ("tp", "fp", "fn", "tn")] == [1, 4, 1, 4]
    assert [counts[each] for each in ("questions", "right", "wrong", "unanswered")] == [10, 5, 5, 0]


@pytest.mark.parametrize("share", [0, 0.25, 1])
def test_a_random_baseline_of_any_share(share: float) -> None:
    rows = replace(matrix(1, 2, 1, 6), baselines={"random_yes": share})
    values = {each: rows.value(each, f"random_yes_{share:g}") for each in RATES}
    assert values["tp_rate"] == values["fp_rate"] == values["recall"] == pytest.approx(share)
    assert values["precision"] == pytest.approx(0.2 if share else 0)
    assert values["auc_point"] == pytest.approx(0.5)


def test_the_published_baselines() -> None:
    # Rodrigo, Peñas & Verdejo 2009, table 3: 79 of 1,019 right
    rows = replace(matrix(68, 129, 11, 811), baselines={"all_yes": None, "random_yes": 0.5})
    printed = {
        "all_yes": [0.08, 1, 0.14, 1, 1, 0.50],
        "random_yes_0.5": [0.08, 0.5, 0.13, 0.5, 0.5, 0.50],
    }
    for run, values in printed.items():
        assert found(rows, *RATES, run=run) == pytest.approx(values, abs=0.0051)


def test_baselines_are_not_ranked_unless_asked() -> None:
    rows = replace(matrix(3, 1, 2, 4), baselines={"all_yes": None})
    ranks = dict(rows.scores("f").select("run", "rank_first").rows())
    assert ranks == {"a": 1, "all_yes": None}


def test_a_baseline_cannot_take_the_name_of_a_run() -> None:
    rows = Rows(
        validation=True,
        runs={"all_yes": {"i1": "yes"}},
        says={"i1": "yes"},
        baselines={"all_yes": None},
    )
    with pytest.raises(Refused, match="all_yes"):
        rows.value("f", "all_yes")


def test_baselines_of_answers() -> None:
    # right, wrong, withheld right, silent
    rows = Rows(
        runs={"a": {"q1": ["x"], "q2": ["y"], "q3": [withheld("x")], "q4": []}},
        says={f"q{n}": {"x": "right", "y": "wrong"} for n in range(1, 5)},
        baselines={"answers_nothing": None, "oracle_withholding": None},
    )
    oracle = "oracle_withholding(a)"
    assert rows.values("accuracy") == {"a": 1 / 4, "answers_nothing": 0, oracle: 2 / 4}
    assert rows.values("utility") == {"a": 0, "answers_nothing": 0, oracle: 2 / 4}
    # (1 + 2 * 1/4) / 4 and (2 + 2 * 2/4) / 4: the oracle also gives the right candidate held back
    assert rows.values("c_at_1") == pytest.approx({"a": 0.375, "answers_nothing": 0, oracle: 0.75})
    assert rows.values("answered") == {"a": 1 / 2, "answers_nothing": 0, oracle: 2 / 4}
    assert rows.values("precision_answered") == {"a": 0.5, "answers_nothing": None, oracle: 1}
    assert rows.values("mrr") == {"a": 1 / 4, "answers_nothing": 0, oracle: 2 / 4}
    # the oracle withholds the wrong candidate alone
    assert rows.values("withheld_wrong_rate") == {"a": 0, "answers_nothing": None, oracle: 1}
    kinds = dict(rows.evidence().runs.select("run", "kind").rows())
    assert kinds == {"a": "submitted", "answers_nothing": "baseline", oracle: "baseline"}
    assert rows.counts("answers_nothing")["missing"] == 4


def test_an_oracle_of_every_submitted_run_and_of_no_other() -> None:
    rows = Rows(
        runs={"a": {"q1": ["x"]}, "b": {"q1": ["y"]}},
        says={"q1": {"x": "right", "y": "wrong"}},
        derived={"c": {"from": "b", "where": "true", "set": {"answer": "x"}}},
        baselines={"oracle_withholding": None},
    )
    expected = {"a": 1, "b": -1, "c": 1, "oracle_withholding(a)": 1, "oracle_withholding(b)": 0}
    assert rows.values("utility") == expected


def test_items_nobody_assessed_are_not_right() -> None:
    rows = Rows(
        validation=True,
        runs={"a": {"i1": "yes", "i2": "yes", "i3": "no"}},
        says={"i1": "yes"},
        unassessed="wrong",
    )
    assert rows.value("precision") == 1 / 2
    assert rows.value("fp_rate") == 1 / 2
    # what is not right and not accepted is rejected rightly: accuracy is (TP + TN) / n
    assert [rows.counts()[each] for each in ("tp", "fp", "fn", "tn")] == [1, 1, 0, 1]
    assert rows.value("accuracy") == pytest.approx(2 / 3)


def test_an_item_that_nobody_assessed_is_refused_even_where_no_run_answers_it() -> None:
    rows = Rows(
        validation=True,
        runs={"a": {"i1": "yes"}},
        says={"i1": "yes"},
        questions={"i2": {}},
    )
    with pytest.raises(Refused):
        rows.value("fp_rate")


def test_baselines_that_answer_one_question() -> None:
    # four questions; one_sure: 1 right, 3 unanswered; one_wrong: 1 wrong, 3 unanswered
    rows = Rows(
        runs={"a": {"q1": [("x", 0.5)], "q2": [("y", 0.5)]}},
        says={f"q{n}": {"x": "right", "y": "wrong"} for n in (1, 2, 3, 4)},
        baselines={"one_sure": None, "one_wrong": None},
    )

    def both(measure: str) -> tuple[float | None, float | None]:
        values = rows.values(measure)
        return values["one_sure"], values["one_wrong"]

    assert both("accuracy") == (1 / 4, 0)
    assert both("c_at_1") == ((1 + 3 * 1 / 4) / 4, 0)
    assert both("precision_answered") == (1, 0)  # (5): cheated by the one
    assert both("inverse_credit") == (1 / 4, 3 / 4)  # (6): cheated by the other
    assert both("utility") == (1 / 4, -1 / 4)
    assert both("k1") == (1 / 4, -1 / 4)  # surely right, surely wrong
    assert both("hallucination_rate") == (0, 1 / 4)
    assert rows.counts("one_sure")["unanswered"] == 3
