"""Agreement of a judge with the reference, response by response."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from qampaign.agreement.agreement import (
    COUNTS,
    agree,
    bin_recalls,
    choose_thresholds,
    curve,
    disagreements,
    match,
    summary,
)
from qampaign.agreement.kappa import interval, kappa, smooth_kappa
from tests.helpers.matched_judgments import QUESTIONS, graded, judgments, matched

PEOPLE = [
    ("a", "q1", 1, "right"),
    ("a", "q1", 2, "repeated"),
    ("a", "q2", 1, "wrong"),
    ("a", "q3", 1, "right"),
    ("b", "q1", 1, "inexact"),
    ("b", "q2", 1, "not_attempted"),
    ("b", "q3", 1, "not_attempted"),
    ("b", "q4", 1, "unassessed"),
    ("c", "q4", 1, "right"),
]
JUDGE = [
    ("a", "q1", 1, "right"),  # hit
    ("a", "q1", 2, "repeated"),  # hit: a right answer again
    ("a", "q2", 1, "right"),  # false alarm
    ("a", "q3", 1, "wrong"),  # miss
    ("b", "q1", 1, "unsupported"),  # correct rejection
    ("b", "q2", 1, "not_attempted"),  # nothing to judge
    ("b", "q3", 1, "wrong"),  # correct rejection: somebody saw an answer
    ("b", "q4", 1, "right"),  # nobody assessed it
    ("c", "q4", 1, "not_attempted"),  # miss
]
KEYED = ("run", "question", "rank", "verdict", "degree", "recall", "nil")


def counts(table: pl.DataFrame, **where) -> tuple[int, ...]:
    found = table.filter(**where) if where else table
    return found.select("hits", "misses", "false_alarms", "correct_rejections").row(0)


@pytest.mark.slow
def test_by_hand() -> None:
    table = agree(matched(judgments(JUDGE), judgments(PEOPLE)))
    assert counts(table, run="all", slice="all") == (2, 2, 1, 2)
    assert counts(table, run="a", slice="all") == (2, 1, 1, 0)
    assert counts(table, run="b", slice="all") == (0, 0, 0, 2)
    assert counts(table, run="all", slice="factoid") == (2, 0, 1, 1)
    assert counts(table, run="all", slice="list") == (0, 1, 0, 1)
    assert counts(table, run="c", slice="all") == (0, 1, 0, 0)
    assert table.filter(run="c", slice="list").is_empty()  # c has nothing there
    whole = table.row(0, named=True)
    # expected agreement: (4/7)(3/7) + (3/7)(4/7) = 24/49; (4/7 - 24/49) / (25/49) = 4/25
    assert whole["agreement"] == pytest.approx(4 / 7)
    assert whole["hit_rate"] == whole["recall"] == pytest.approx(2 / 4)
    assert whole["false_alarm_rate"] == pytest.approx(1 / 3)
    assert whole["precision"] == pytest.approx(2 / 3)
    assert whole["f"] == pytest.approx(4 / 7)
    assert whole["kappa"] == pytest.approx(4 / 25)
    assert table["threshold"].null_count() == table.height


@pytest.mark.exhaustive
def test_the_share_of_all_responses_is_told() -> None:
    pairs = matched(judgments(JUDGE), judgments(PEOPLE))  # 4 of 7, as above
    assert summary(agree(pairs), "key", "people") == (
        "key agrees with people on 57.1% of the responses that both have judged, "
        "except those that both call not attempted"
    )
    assert summary(agree(pairs.clear()), "key", "people") is None


def test_what_has_nothing_to_be_a_share_of_is_null() -> None:
    table = agree(matched(judgments(JUDGE), judgments(PEOPLE)))
    row = table.filter(run="b", slice="all").row(0, named=True)
    for name in ("hit_rate", "recall", "precision", "f", "kappa", "low", "high"):
        assert row[name] is None
    assert row["false_alarm_rate"] == 0


def test_lenient_judges_are_compared_by_what_each_calls_correct() -> None:
    lenient = {"correct": ["right", "unsupported"], "reference_correct": ["right", "inexact"]}
    table = agree(matched(judgments(JUDGE), judgments(PEOPLE), **lenient))
    assert counts(table, run="b", slice="all") == (1, 0, 0, 1)


def test_only_responses_that_both_know_count_whatever_their_questions_and_runs() -> None:
    fewer = judgments(
        [row for row in PEOPLE if row[1] != "q1" and row[0] != "b"],
        runs="ac",
        questions=("q2", "q3", "q4"),
    )
    table = agree(matched(judgments(JUDGE), fewer))
    assert counts(table, run="all", slice="all") == (0, 2, 1, 0)
    other_way = agree(matched(fewer, judgments(JUDGE)))
    assert counts(other_way, run="all", slice="all") == (0, 1, 2, 0)
    assert set(table["run"]) == {"all", "a", "c"}


def test_what_if_runs_are_left_out() -> None:
    pairs = matched(judgments(JUDGE), judgments(PEOPLE), without=["a", "nobody"])
    assert set(pairs["run"]) == {"b", "c"}


def test_nothing_in_common_is_no_agreement_and_no_error() -> None:
    pairs = matched(judgments([], KEYED), judgments(PEOPLE))
    table = agree(pairs)
    assert table.height == 1
    assert counts(table) == (0, 0, 0, 0)
    assert table["agreement"].item() is None
    for empty in (curve(pairs), choose_thresholds(pairs), bin_recalls(pairs), disagreements(pairs)):
        assert empty.is_empty()


# Breck et al. 2000, Table 1, with one recall of each bin; what they print follows from it.
TABLE_1 = [
    (0.0, False, 29709), (0.0, True, 336), (0.25, False, 325), (0.25, True, 36),
    (0.5, False, 1399), (0.5, True, 747), (2 / 3, False, 173), (2 / 3, True, 109),
    (0.8, False, 5), (0.8, True, 61), (1.0, False, 548), (1.0, True, 4479),
]  # fmt: skip


def test_the_paper_s_table_gives_the_paper_s_figures() -> None:
    pairs = graded(TABLE_1)
    table = agree(pairs).filter(run="all", slice="all")
    own = table.filter(pl.col("threshold").is_null()).row(0, named=True)
    assert counts(table) == (5396, 372, 2125, 30034)
    assert round(100 * own["hit_rate"], 1) == 93.6
    assert round(100 * own["false_alarm_rate"], 1) == 6.6
    swept = table.filter(pl.col("threshold").is_not_null())
    assert swept["threshold"].to_list() == [0, 0.25, 0.5, 0.75, 0.99, 1]
    assert (100 * swept["agreement"]).round(2).to_list() == [
        92.65,
        93.42,
        95.14,
        95.3,
        95.16,
        84.79,
    ]
    assert counts(swept.filter(threshold=0.25)) == (5396, 372, 2125, 30034)
    binned = bin_recalls(pairs)
    assert binned["bin"].to_list() == ["0", "(0,.25]", "(.25,.5]", "(.5,.75]", "(.75,1)", "1"]
    assert binned["right"].to_list() == [336, 36, 747, 109, 61, 4479]
    assert binned["wrong"].to_list() == [29709, 325, 1399, 173, 5, 548]
    assert (100 * binned["wrong_share"]).round(1).to_list() == [92.4, 1.0, 4.4, 0.5, 0.0, 1.7]
    assert (100 * binned["right_share"]).round(1).to_list() == [5.8, 0.6, 13.0, 1.9, 1.1, 77.7]


def test_the_curve_begins_where_everything_is_accepted() -> None:
    found = curve(graded(TABLE_1))
    assert found["threshold"].to_list() == [None, 0, 0.25, 0.5, 2 / 3, 0.8, 1]
    assert found.select("tp_rate", "fp_rate").row(0) == (1, 1)
    assert found.select("tp_rate", "fp_rate", "precision").row(-1) == (0, 0, None)
    assert found["run"].unique().to_list() == ["all"]
    at_a_quarter = found.filter(threshold=0.25).row(0, named=True)
    assert round(100 * at_a_quarter["tp_rate"], 1) == 93.6
    assert round(100 * at_a_quarter["fp_rate"], 1) == 6.6


def test_thresholds_for_several_purposes() -> None:
    chosen = choose_thresholds(graded(TABLE_1), false_alarm_rate=0.02)
    ranking = chosen.filter(criterion="ranks best")
    assert ranking["tau"].item() is None  # there is one run
    chosen = chosen.filter(pl.col("criterion") != "ranks best")
    assert chosen["criterion"].to_list() == [
        "agrees best",
        "balances errors",
        "false alarms at most 0.02",
    ]
    # agreement 95.30% above 2/3 is the highest; errors 1119 and 726 above 1/2 are the nearest
    # (372 and 2125 above 1/4, 1228 and 553 above 2/3); 553 of 32159 is 1.7%, 726 is 2.3%
    assert chosen["threshold"].to_list() == pytest.approx([2 / 3, 0.5, 2 / 3])
    assert (100 * chosen["agreement"]).round(2).to_list() == [95.3, 95.14, 95.3]
    assert chosen["area"].n_unique() == 1


def test_the_best_may_be_to_accept_everything_or_nothing() -> None:
    accept = choose_thresholds(graded([(0.0, True, 3), (1.0, True, 3), (1.0, False, 1)]))
    # misses and false alarms: 0 and 1 without a threshold, 3 and 1 above 0, 6 and 0 above 1
    assert accept["threshold"].to_list() == [None, None, None, 1]
    assert accept.filter(criterion="agrees best")["agreement"].item() == pytest.approx(6 / 7)


def test_a_response_without_a_degree_keeps_its_verdict_at_every_threshold() -> None:
    people = judgments([("a", "q1", 1, "right"), ("a", "q2", 1, "right"), ("a", "q3", 1, "wrong")])
    judge = judgments(
        [
            ("a", "q1", 1, "right", 0.4, 0.4, False),
            ("a", "q2", 1, "right", 0.0, 0.0, True),  # NIL, right by rule whatever its degree
            ("a", "q3", 1, "wrong", None, None, False),
        ],
        KEYED,
    )
    pairs = matched(judge, people)
    table = agree(pairs, thresholds=[0.2, 0.9]).filter(run="all", slice="all")
    assert [counts(table, threshold=each) for each in (0.2, 0.9)] == [(2, 0, 0, 1), (1, 1, 0, 1)]
    assert curve(pairs)["tp"].to_list() == [1, 0]  # of the one response that has a degree
    assert bin_recalls(pairs)["right"].to_list() == [0, 0, 1, 0, 0, 0]
    assert choose_thresholds(pairs).row(0, named=True)["hits"] == 2


def test_examples_are_from_different_questions_and_far_off() -> None:
    people = [(run, question, 1, "wrong") for run in "ab" for question in ("q1", "q2", "q3")]
    people += [("c", "q1", 1, "right"), ("c", "q2", 1, "right")]
    degrees = {("a", "q1"): 1.0, ("b", "q1"): 0.9, ("a", "q2"): 0.5, ("b", "q2"): 0.6,
               ("a", "q3"): 0.1, ("b", "q3"): 0.1, ("c", "q1"): 0.2, ("c", "q2"): 0.1}  # fmt: skip
    judge = [
        (run, question, 1, "right" if degree > 0.25 else "wrong", degree, degree, False)
        for (run, question), degree in degrees.items()
    ]
    found = disagreements(matched(judgments(judge, KEYED), judgments(people)), most=3)
    assert found.select("kind", "run", "question", "degree").rows() == [
        ("false alarm", "a", "q1", 1.0),
        ("false alarm", "b", "q2", 0.6),
        ("false alarm", "b", "q1", 0.9),
        ("miss", "c", "q2", 0.1),
        ("miss", "c", "q1", 0.2),
    ]
    assert found.select("verdict", "reference_verdict").row(0) == ("right", "wrong")


CELLS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from(["q1", "q2", "q3", "q4"]),
        st.booleans(),
        st.sampled_from([None, 0.0, 0.25, 1 / 3, 0.5, 1.0]),
    ),
    max_size=40,
)
TYPES = dict(QUESTIONS.rows())


@pytest.mark.slow
@settings(max_examples=min(40, settings().max_examples))
@given(CELLS, st.lists(st.sampled_from([0.0, 0.2, 0.25, 0.5, 0.9, 1.0]), unique=True, min_size=1))
def test_every_row_is_what_counting_gives(cells: list, thresholds: list) -> None:
    ranked = [(run, question, rank) for rank, (run, question, _, _) in enumerate(cells, start=1)]
    people = judgments(
        [
            (*key, "right" if right else "wrong")
            for key, (_, _, right, _) in zip(ranked, cells, strict=True)
        ]
    )
    judge = judgments(
        [
            (*key, "right" if (degree or 0) > 0.3 else "wrong", degree, degree, False)
            for key, (_, _, _, degree) in zip(ranked, cells, strict=True)
        ],
        KEYED,
    )
    pairs = matched(judge, people)
    table = agree(pairs, thresholds)
    for row in table.iter_rows(named=True):
        right, accepted = [], []
        for run, question, good, degree in cells:
            if row["run"] not in ("all", run) or row["slice"] not in ("all", TYPES[question]):
                continue
            bar = 0.3 if row["threshold"] is None else row["threshold"]
            right.append(good)
            accepted.append(degree is not None and degree > bar)
        both = list(zip(right, accepted, strict=True))
        assert (row["hits"], row["misses"]) == (both.count((True, True)), both.count((True, False)))
        assert row["false_alarms"] == both.count((False, True))
        assert row["correct_rejections"] == both.count((False, False))
        if row["kappa"] is not None:
            assert row["kappa"] == pytest.approx(cohen_kappa_score(right, accepted))
    if any(degree is not None for *_, degree in cells):
        runs_and_types = {
            (run, kind) for own, question, *_ in cells for run in ("all", own)
            for kind in ("all", TYPES[question]) if kind
        }  # fmt: skip
        assert table.height == (1 + len(thresholds)) * len(runs_and_types)
        with_degree = [(good, degree) for _, _, good, degree in cells if degree is not None]
        if len({good for good, _ in with_degree}) == 2:
            expected = roc_auc_score(*zip(*with_degree, strict=True))
            assert choose_thresholds(pairs)["area"][0] == pytest.approx(expected)


@settings(max_examples=min(40, settings().max_examples))
@given(CELLS)
def test_chosen_thresholds_are_the_best_of_all(cells: list) -> None:
    pairs = graded([(degree, right, 1) for _, _, right, degree in cells])
    if pairs["degree"].null_count() == pairs.height:
        return
    degrees = [None, *pairs["degree"].drop_nulls().unique().sort()]
    rows = [
        agree(pairs, [-1.0 if degree is None else degree]).row(-1, named=True) for degree in degrees
    ]
    chosen = choose_thresholds(pairs, false_alarm_rate=0.3)
    best, _, balanced, quiet = chosen.iter_rows(named=True)
    assert best["agreement"] == pytest.approx(max(row["agreement"] for row in rows))
    assert abs(balanced["misses"] - balanced["false_alarms"]) == min(
        abs(row["misses"] - row["false_alarms"]) for row in rows
    )
    allowed = [row for row in rows if (row["false_alarm_rate"] or 0) <= 0.3 + 1e-9]
    if allowed:
        assert quiet["hits"] == max(row["hits"] for row in allowed)


def test_matching_keeps_the_order_and_the_types() -> None:
    shuffled = judgments(PEOPLE[::-1])
    pairs = match(
        judgments(JUDGE), shuffled, QUESTIONS, correct=["right"], reference_correct=["right"]
    )
    assert pairs.select("run", "question", "rank").rows() == sorted(
        (run, question, rank) for run, question, rank, _ in PEOPLE
        if (run, question) not in {("b", "q2"), ("b", "q4")}
    )  # fmt: skip
    assert pairs["type"].to_list() == ["factoid"] * 3 + ["list", "factoid", "list", None]


def test_intervals_of_kappa_are_those_of_counts_by_unit() -> None:
    """Every row, its units counted one by one: groups of two questions, of different types too."""
    rng = np.random.default_rng(4)
    names = [f"q{n:02}" for n in range(24)]
    questions = pl.DataFrame(
        {
            "question": names,
            "type": [("factoid", "list", None)[n // 4 % 3] if n % 8 else "list" for n in range(24)],
            "group": [None if n > 20 else f"g{n // 2}" for n in range(24)],
        }
    )
    rows = [
        (run, name, rank, word, degree, False)
        for run in "abc"
        for name in names
        for rank in (1, 2)
        if (degree := float(rng.choice([0, 0.2, 0.5, 0.9]))) is not None
        for word in ["right" if degree > 0.3 else "wrong"]
    ]
    people = [(*row[:3], "right" if rng.random() < 0.2 + 0.6 * row[4] else "wrong") for row in rows]
    own = {"runs": "abc", "questions": tuple(names)}
    keyed = ("run", "question", "rank", "verdict", "degree", "nil")
    both = {"correct": ["right"], "reference_correct": ["right"]}
    for unit in ("group", "question"):
        pairs = match(
            judgments(rows, keyed, **own), judgments(people, **own), questions, unit=unit, **both
        )  # type: ignore[arg-type]
        assert pairs["unit"].n_unique() == (14 if unit == "group" else 24)
        table = agree(pairs, [0.1, 0.3, 0.95])
        assert table.height == 4 * 3 * 4
        for found in table.iter_rows(named=True):
            ends = [np.nan if end is None else end for end in (found["low"], found["high"])]
            assert ends == pytest.approx(expected_interval(pairs, found), nan_ok=True)
            if found["threshold"] == 0.95:  # no degree is above: the judge says the same throughout
                assert found["low"] is None
    chosen = choose_thresholds(pairs)
    for found in chosen.iter_rows(named=True):
        expected = expected_interval(pairs, {**found, "run": "all", "slice": "all"})
        ends = [np.nan if end is None else end for end in (found["low"], found["high"])]
        assert ends == pytest.approx(expected, nan_ok=True)


def expected_interval(pairs: pl.DataFrame, row: dict) -> tuple[float, float]:
    """The interval of kappa of a row of the table of agreement."""
    if row["run"] != "all":
        pairs = pairs.filter(pl.col("run").cast(pl.String) == row["run"])
    if row["slice"] != "all":
        pairs = pairs.filter(pl.col("type").cast(pl.String) == row["slice"])
    if row["threshold"] is not None:
        pairs = pairs.with_columns(accepted=pl.col("degree") > row["threshold"])
    right, yes = pl.col("right"), pl.col("accepted")
    units = (
        pairs.group_by("unit", maintain_order=True)
        .agg((right & yes).sum(), a=(right & ~yes).sum(), b=(~right & yes).sum(),
             c=(~right & ~yes).sum())
        .drop("unit")
        .to_numpy()
        .astype(float)
    )  # fmt: skip
    cells, number = units.sum(axis=0), np.array(len(units))
    assert tuple(cells) == tuple(row[name] for name in COUNTS)
    smoothed = smooth_kappa(cells, number)
    ends = interval(kappa(cells), smoothed, ((units @ smoothed.gradient) ** 2).sum(), number)
    return float(ends[0]), float(ends[1])


def test_many_thresholds_have_kappa_without_an_interval() -> None:
    graded = [(*row, 0.25 + n % 2 / 2, 0.5, False) for n, row in enumerate(JUDGE)]
    pairs = matched(judgments(graded, KEYED), judgments(PEOPLE))
    few, many = (agree(pairs, np.linspace(0, 1, number).tolist()) for number in (20, 21))
    at_threshold = pl.col("threshold").is_not_null(), pl.col("kappa").is_not_null()
    assert few.filter(*at_threshold)["low"].null_count() < few.filter(*at_threshold).height
    assert many.filter(*at_threshold)["low"].null_count() == many.filter(*at_threshold).height
    own = pl.col("threshold").is_null()
    assert many.filter(own).equals(few.filter(own))
