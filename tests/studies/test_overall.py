"""The leaderboard over collections: values, ranks and tests, by hand and on edge cases."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from qampaign.measures.configured import Averaged, Composite, Configured
from qampaign.report.overall import methods, section, sentences
from qampaign.studies import comparisons
from qampaign.studies.overall import Member, remarks, study
from tests.studies.made_evidence import abstaining, evidence_of

ACCURACY = Configured("accuracy", "accuracy", {})
C_AT_1 = Configured("c_at_1", "c_at_1", {})
BRIER = Configured("brier", "brier", {})


def member(
    name: str, right: Any, *, runs: str = "abc", measure: Configured = ACCURACY, **more: Any
) -> Member:
    evidence = evidence_of(right, **more)
    named = evidence.runs.with_columns(run=pl.Series(list(runs)[: evidence.runs.height]))
    return Member(name, type(evidence)(named, evidence.questions, evidence.columns), measure, name)


# one: a 3/4, b 2/4, c 2/4; two: a 0/2, b 2/2, c 1/2
ONE = member("one", [[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
TWO = member("two", [[0, 0], [1, 1], [1, 0]])


def described(number: int = 2, better: str = "high", weights: str = "equal") -> dict[str, Any]:
    names = [f"C{n}" for n in range(number)]
    members = [{"title": n, "reference": "people", "label": "c@1", "better": better} for n in names]
    return {"weights": weights, "members": members}


def test_values_ranks_and_win_rates_by_hand() -> None:
    """Values: a (3/4 + 0)/2 = .375, b (1/2 + 1)/2 = .75, c (1/2 + 1/2)/2 = .5.

    Ranks in one: a 1, b and c 2.5 each; in two: b 1, c 2, a 3. Means: a 2, b 1.75, c 2.25. Beaten
    of two others: a 1 and 0, b 1/4 (half of one of two) and 1, c 1/4 and 1/2: .5, .625, .375.
    """
    found = study([ONE, TWO], seed="s", draws=999).overall
    assert found["run"].to_list() == ["b", "c", "a"]
    assert found["value"].to_list() == [0.75, 0.5, 0.375]
    assert found["rank_first"].to_list() == [1, 2, 3]
    assert found["mean_rank"].to_list() == [1.75, 2.25, 2.0]
    assert found["win_rate"].to_list() == [0.625, 0.375, 0.5]
    assert found["collections"].to_list() == [2, 2, 2]
    assert found["measure"].to_list() == ["accuracy"] * 3


def test_collections_can_count_by_their_questions() -> None:
    """a (4·3/4 + 2·0)/6 = 1/2, b (2 + 2)/6, c (2 + 1)/6: as if the collections were one."""
    found = study([ONE, TWO], seed="s", weights="questions", draws=999).overall.sort("run")
    assert found["value"].to_list() == pytest.approx([1 / 2, 2 / 3, 1 / 2], abs=1e-12)
    assert found["rank_first"].to_list() == [2, 1, 2]
    assert found["rank_last"].to_list() == [3, 1, 3]


def test_a_run_that_lacks_a_collection_is_shown_and_not_ranked() -> None:
    less = member("two", [[0, 0], [1, 1]])
    found = study([ONE, less], seed="s", draws=999)
    left = found.overall.filter(run="c").row(0, named=True)
    assert left["collections"] == 1
    empty = set(left) - {"measure", "run", "collections"}
    assert all(left[name] is None for name in empty)
    assert set(found.comparisons["run_a"]) | set(found.comparisons["run_b"]) == {"a", "b"}
    assert [*remarks([ONE, less], found.overall)] == [
        "1 of 3 runs lacks a value in some collection: shown overall, not ranked"
    ]


def test_baselines_and_runs_that_nobody_assessed_do_not_take_part() -> None:
    one = member("one", [[1, 1], [1, 0], [0, 1]], kinds=["submitted", "baseline", "submitted"])
    runs = one.evidence.runs.with_columns(assessed=pl.Series([True, True, False]))
    one = Member(
        "one",
        type(one.evidence)(runs, one.evidence.questions, one.evidence.columns),
        ACCURACY,
        "one",
    )
    found = study([one, TWO], seed="s", draws=999).overall
    assert dict(found.select("run", "collections").rows()) == {"a": 2, "b": 1, "c": 1}
    assert found.filter(run="a")["win_rate"].to_list() == [None]


def test_low_values_lead_where_low_is_better() -> None:
    """False alarms of a: 0 of 2 and 1 of 2, of b: 2 of 2 and 2 of 2."""
    alarms = [("one", [[0, 0], [1, 1]]), ("two", [[0, 1], [1, 1]])]
    rate = Configured("alarms", "fp_rate", {})
    members = [
        member(name, [[0, 0], [0, 0]], measure=rate, fp=fp, tn=1 - np.array(fp))
        for name, fp in alarms
    ]
    found = study(members, seed="s", draws=999).overall
    assert found["run"].to_list() == ["a", "b"]
    assert found["value"].to_list() == [0.25, 1.0]
    assert found["win_rate"].to_list() == [1.0, 0.0]
    assert sentences(found, described(better="low"))[0].startswith("a has the lowest value")


def large(name: str, seed: int, measure: Configured = C_AT_1, runs: int = 6) -> Member:
    return Member(name, abstaining(seed, runs, 60), measure, name)


def test_differences_of_a_pair_add_up_from_its_collections() -> None:
    """The difference overall is the mean of the differences that each collection has."""
    members = [large("one", 1), large("two", 2, ACCURACY)]
    found = study(members, seed="s", draws=999)
    alone = [
        comparisons.study(each.evidence, [each.measure], seed="s", draws=999).comparisons
        for each in members
    ]
    both = np.mean([table["difference"].to_numpy() for table in alone], axis=0)
    assert found.comparisons["difference"].to_numpy() == pytest.approx(both, abs=1e-12)
    # independent collections: squared standard errors add up, a quarter of each. The mean is taken
    # off over all units at once, so that a pair whose order differs between collections has more.
    spread = [table["sd"].to_numpy() / np.sqrt(60) for table in alone]
    together = found.comparisons["sd"].to_numpy() / np.sqrt(120)
    ratio = together / (np.hypot(*spread) / 2)
    assert ratio.min() > 0.99
    assert ratio.max() < 1.25
    assert set(found.comparisons["collection"]) == {"overall"}
    assert found.overall["measure"].unique().to_list() == ["primary"]
    assert [*remarks(members, found.overall)] == [
        "overall is a mean of different measures: c_at_1 in one; accuracy in two"
    ]


def test_two_halves_as_collections_are_the_whole() -> None:
    """By question weights, two halves of a collection have its values, and its errors nearly."""
    whole = abstaining(3, 5, 80)
    half = np.arange(80) < 40
    halves = [
        Member(name, whole.only_questions(chosen), ACCURACY, name)
        for name, chosen in (("one", half), ("two", ~half))
    ]
    found = study(halves, seed="s", weights="questions", draws=1999)
    once = comparisons.study(whole, [ACCURACY], seed="s", draws=1999)
    assert found.comparisons["difference"].to_numpy() == pytest.approx(
        once.comparisons["difference"].to_numpy(), abs=1e-12
    )
    assert found.comparisons["sd"].to_numpy() == pytest.approx(
        once.comparisons["sd"].to_numpy(), abs=1e-9
    )
    for column in ("won", "lost", "tied", "units", "questions_needed"):
        assert found.comparisons[column].to_list() == once.comparisons[column].to_list()
    table = found.overall.sort("run")
    widths = (table["high"] - table["low"]).to_numpy()
    bounds = once.intervals.filter(slice="all").sort("run")
    assert widths == pytest.approx((bounds["high"] - bounds["low"]).to_numpy(), rel=0.15)


def test_the_same_on_any_number_of_threads_and_with_put_together_measures() -> None:
    mixed = Composite("m", parts=[C_AT_1, ACCURACY], weights=[2, 1])
    members = [large("one", 4, mixed), large("two", 5)]
    one, two = (study(members, seed="s", draws=999, threads=n) for n in (1, 2))
    assert one.overall.equals(two.overall)
    assert one.comparisons.equals(two.comparisons)


def test_few_units_have_exact_p_values() -> None:
    """Six units over both collections: 32 exchanges, so that no p-value is below 1/32."""
    found = study([ONE, TWO], seed="s").comparisons
    assert set(found["p_error"]) == {0.0}
    assert found["units"].to_list() == [6] * 3
    assert all(p * 32 == pytest.approx(round(p * 32)) for p in found["p"])


def test_types_are_averaged_within_a_collection() -> None:
    """One: a (3/3 + 0/1)/2 = .5, b (2/3 + 0)/2 = 1/3; two as it is: a .25, b 2/3."""
    macro = Averaged("accuracy", "accuracy", {})
    one = member("one", [[1, 1, 1, 0], [1, 1, 0, 0]], measure=macro, types=["x", "x", "x", "y"])
    found = study([one, TWO], seed="s", draws=999).overall.sort("run")
    assert found["value"].to_list()[:2] == pytest.approx([0.25, 2 / 3], abs=1e-12)


# what the page says


def test_sentences_of_a_clear_lead_and_of_none() -> None:
    found = study([ONE, TWO], seed="s", draws=999).overall
    texts = sentences(found, described())
    assert texts[0].startswith("b has the highest value over both collections (0.750, 95% interval")
    assert texts[1] == (
        "All 3 ranked runs lead: no run is surely better than these (95%, all pairs tested together), "
        "which does not show that they are equal."
    )
    assert texts[-1] == (
        "The value is the mean of c@1 in C0 and C1, by the reference of each; every collection "
        "counts the same."
    )
    assert len(section(found, described()).blocks[0].rows) == 3


@pytest.mark.parametrize(
    ("one", "two", "text"),
    [
        ("ab", "cd", "No run has a value in both collections, so none is ranked."),
        ("ab", "bc", "Only b has a value in both collections: "),
        ("ab", "ab", "Both runs that have a value in both collections have the same one: 0.500."),
    ],
)
def test_sentences_of_one_run_of_none_and_of_ties(one: str, two: str, text: str) -> None:
    right = [[1, 0], [0, 1]]
    members = [member("one", right, runs=one), member("two", right, runs=two)]
    found = study(members, seed="s", draws=999).overall
    texts = sentences(found, described())
    assert texts[0].startswith(text)
    assert bool(methods(found, described())) == (text[:2] != "No")
    left = found.filter(pl.col("collections") < 2).height
    assert any("not ranked" in each for each in texts) == bool(left)


def test_no_submitted_run_at_all() -> None:
    right = [[1, 0]]
    members = [member(name, right, kinds=["baseline"]) for name in ("one", "two")]
    found = study(members, seed="s", draws=999)
    assert found.overall.is_empty()
    assert found.comparisons.is_empty()
    assert section(found.overall, described()).blocks == []
