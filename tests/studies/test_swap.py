"""Swap rates against exact enumeration and the papers' listing; what a difference must be."""

from random import Random

import numpy as np
import polars as pl
import pytest

from qampaign.measures import MEASURES
from qampaign.measures.evidence import Evidence
from qampaign.problems import Refused
from qampaign.studies import swap
from qampaign.studies.resampling import draw_subsets, key
from tests.helpers.cases import first
from tests.helpers.generated_rows import ANSWERING, VALIDATION, answering, named, validation
from tests.helpers.measured_rows import configured
from tests.studies import listings
from tests.studies.made_evidence import (
    ACCURACY,
    HALVES,
    THREE,
    abstaining,
    drawn_by,
    evidence_of,
    valued_by,
)

ROWS = {
    "answering": answering(Random(5), questions=24, longest=4),
    "validation": validation(Random(2), items=24),
}
VARIANTS = [("answering", each) for each in ANSWERING] + [
    ("validation", each) for each in VALIDATION if MEASURES[each[0]].resampled
]
ids = {"ids": lambda v: v if isinstance(v, str) else named(v)}


def test_every_half_and_its_complement_once() -> None:
    found = swap.study(THREE, ACCURACY, size=3, seed="", drawn=HALVES, bins=3, width=1 / 3).rates
    assert found.select("bin", "comparisons", "swaps", "swap_rate").rows() == [
        (0, 18, 0, 0.0),
        (1, 32, 6, 6 / 32),
        (2, 10, 6, 6 / 10),
    ]
    assert found.columns == [
        "measure", "size", "unit", "test", "trials", "bin", "difference", "comparisons", "swaps", "swap_rate",
        "swap_rate_se", "apart", "reversed", "level",
    ]  # fmt: skip


def test_the_strict_test_counts_one_zero_too() -> None:
    # |d| = 0 with another difference on the complement: by hand from the 20 halves
    scores = THREE.columns["correct"].tolist()
    zeros = others = 0
    for trial in range(20):
        for x, y in ((0, 1), (0, 2), (1, 2)):
            one, two = (
                sum(scores[x][q] - scores[y][q] for q in np.flatnonzero(HALVES[half, trial]))
                for half in (0, 1)
            )
            zeros += one == 0 and two != 0
            others += one != 0 and two == 0
    found = swap.study(
        THREE, ACCURACY, size=3, seed="", drawn=HALVES, bins=3, width=1 / 3, test="strict"
    )
    assert found.rates["swaps"][0] == zeros > 0
    assert found.rates["swaps"].sum() == 6 + 6 + zeros + others


@pytest.mark.parametrize("test", ["opposite", "strict"])
@pytest.mark.parametrize("draws", first(1, ["shared", "independent"]))
@pytest.mark.parametrize(("task", "variant"), VARIANTS, **ids)
def test_as_the_listing_on_the_same_sets(task: str, variant: tuple, draws: str, test: str) -> None:
    each, trials, size = configured(*variant), 12, 9
    evidence = ROWS[task].evidence(each)
    how = {"bins": 6, "width": 0.05}
    found = swap.study(
        evidence,
        [each],
        size=size,
        seed="s",
        trials=trials,
        test=test,
        draws=draws,
        unit="question",
        **how,
    )
    draw = drawn_by(
        evidence,
        key("s", "swap", size),
        size=size,
        trials=trials,
        parts=2,
        fresh=draws == "independent",
    )
    counter, swaps = listings.swap(
        evidence.runs.height,
        trials,
        draw,
        valued_by(evidence, each),
        strict=test == "strict",
        **how,
    )
    assert found.rates["comparisons"].to_list() == counter
    assert found.rates["swaps"].to_list() == swaps
    assert found.rates["swap_rate"].to_list() == [
        s / c if c else None for s, c in zip(swaps, counter, strict=True)
    ]
    assert found.sensitivity["undefined"].item() == 3 * trials - sum(counter)


def test_threads_change_no_byte_and_seeds_agree_within_their_error() -> None:
    evidence = abstaining(4, runs=8, questions=100)
    one, two = (
        swap.study(evidence, ACCURACY, size=40, seed="1", trials=500, threads=n) for n in (1, 2)
    )
    for left, right in zip(one, two, strict=True):
        assert left.serialize() == right.serialize()
    other = swap.study(evidence, ACCURACY, size=40, seed="2", trials=500).rates
    both = one.rates.join(other, on="bin").filter(
        pl.min_horizontal("comparisons", "comparisons_right") > 200
    )
    spread = (pl.col("swap_rate_se") ** 2 + pl.col("swap_rate_se_right") ** 2).sqrt()
    gaps = both.select(
        (pl.col("swap_rate") - pl.col("swap_rate_right")).abs() - 4 * spread
    ).to_series()
    assert both.height > 8
    assert gaps.max() <= 1e-12
    assert not one.rates.equals(other)


def rates(*rows: tuple[int, float | None], width: float = 0.01) -> pl.DataFrame:
    """Bins with their comparisons and rates; no difference is 0."""
    compared, rate = zip(*rows, strict=True)
    bins = np.arange(len(rows))
    turned = [round(number * (share or 0)) for number, share in rows]
    return pl.DataFrame(
        {"bin": bins, "difference": bins * width, "comparisons": compared, "swap_rate": rate,
         "apart": compared, "reversed": turned, "level": 0},
        schema_overrides={"swap_rate": pl.Float64},
    )  # fmt: skip


def test_the_first_bin_that_passes_gives_the_difference() -> None:
    found = swap.sensitivity(
        rates((500, 0.4), (0, None), (300, 0.05), (150, 0.2), (50, 0.0)), [0.95, 0.99], 0.8
    )
    # .05 passes at 95%, from 300 + 150 + 50 of 1000; at 99% only the last, of 50 comparisons
    assert found.rows() == [
        (0.95, pytest.approx(0.02), 0.8, pytest.approx(0.025), pytest.approx(0.5), None, None),
        (0.99, pytest.approx(0.04), 0.8, pytest.approx(0.05), pytest.approx(0.05), None, None),
    ]


@pytest.mark.parametrize(
    ("found", "lasting", "share"),
    [
        ([(100, 0.0), (100, 0.3), (100, 0.01), (100, 0.0)], 0.02, 0.5),
        ([(100, 0.0), (100, 0.3), (0, None), (100, 0.01)], 0.03, 1 / 3),
        ([(100, 0.0), (100, 0.01), (100, 0.3)], None, None),
        ([(100, 0.01), (0, None), (100, 0.01)], 0.0, 1.0),
        ([(100, 0.0), (100, 0.3), (0, None)], None, None),
        # 76 comparisons are enough for 95%, 75 are not
        ([(100, 0.3), (75, 0.0), (76, 0.0)], 0.02, 76 / 251),
        ([(100, 0.3), (76, 0.0), (75, 0.0)], 0.01, 151 / 251),
        # one reversal of three comparisons says nothing
        ([(100, 0.3), (197, 0.0), (3, 1 / 3)], 0.01, 200 / 300),
        # but two thin bins together do: 10 of 80
        ([(100, 0.3), (120, 0.0), (40, 0.25), (40, 0.0)], None, None),
        ([(100, 0.3), (120, 0.0), (40, 0.1), (40, 0.0)], 0.01, 200 / 300),
        # 5 of 80, 6.2%, is above 5% by half a standard error of 2.4%; 8 of 80 by two
        ([(100, 0.3), (900, 0.02), (80, 0.0625)], 0.01, 980 / 1080),
        ([(100, 0.3), (900, 0.02), (80, 0.1)], None, None),
        ([(100, 0.3), (900, 0.02), (40, 0.075), (40, 0.05)], 0.01, 980 / 1080),
        # all from 0.01 on together: 45 + 6 of 1,000 are above 5%, 45 + 6 + 3 of 1,100 are not
        ([(100, 0.3), (900, 0.05), (100, 0.06)], None, None),
        ([(100, 0.3), (900, 0.05), (100, 0.06), (100, 0.03)], 0.01, 1100 / 1200),
    ],
)
def test_a_difference_lasts_where_all_larger_ones_pass(
    found: list, lasting: float | None, share: float | None
) -> None:
    row = swap.sensitivity(rates(*found), [0.95], 1.0).row(0, named=True)
    assert row["lasting_difference"] == lasting
    assert row["lasting_sensitivity"] == (None if share is None else pytest.approx(share))


def test_two_equal_values_are_no_lasting_difference() -> None:
    # 300 of the 400 in the first bin are equal on the first set; 4 of the other 100 are reversed
    table = rates((400, 0.01), (100, 0.0)).with_columns(apart=pl.Series([100, 100]))
    row = swap.sensitivity(table, [0.95], 1.0).row(0, named=True)
    assert (row["lasting_difference"], row["lasting_sensitivity"]) == (0.0, 200 / 500)
    # of which 8 more have no difference on the second set: too many by the strict test
    table = table.with_columns(level=pl.Series([8, 0]))
    row = swap.sensitivity(table, [0.95], 1.0, strict=True).row(0, named=True)
    assert (row["lasting_difference"], row["lasting_sensitivity"]) == (0.01, 100 / 500)


def test_nothing_is_never_reversed() -> None:
    row = swap.sensitivity(rates((500, 0.0), (500, 0.0)), [1.0], 1.0).row(0, named=True)
    assert (row["absolute_difference"], row["lasting_difference"]) == (0.0, None)


@pytest.mark.parametrize(
    ("runs", "questions", "why"), [(4, 40, "runs"), (6, 18, "questions"), (6, 40, None)]
)
def test_too_little_to_say_anything(runs: int, questions: int, why: str | None) -> None:
    evidence = abstaining(3, runs=runs, questions=questions)
    size = questions // 2
    found = swap.study(evidence, ACCURACY, size=size, seed="x", confidence=[0.6]).sensitivity
    row = found.row(0, named=True)
    assert row["too_few"] == why
    assert row["absolute_difference"] is not None
    assert (row["lasting_difference"] is None) == (why is not None)
    assert (row["lasting_sensitivity"] is None) == (why is not None)


def test_runs_that_never_differ_have_nothing_to_say() -> None:
    same = evidence_of(np.tile(np.arange(40) % 2, (6, 1)))
    row = swap.study(same, ACCURACY, size=20, seed="x").sensitivity.row(0, named=True)
    # as the papers define it, every comparison has the difference needed, 0
    assert (row["absolute_difference"], row["sensitivity"]) == (0.0, 1.0)
    assert (row["lasting_difference"], row["lasting_sensitivity"]) == (None, None)
    assert row["too_few"] == "differences"


def test_how_the_second_set_orders_pairs_by_hand() -> None:
    # the 20 halves of six questions and their complements, three pairs
    scores = THREE.columns["correct"].tolist()
    counted = {(n, what): 0 for n in range(3) for what in ("apart", "reversed", "level")}
    for trial in range(20):
        for x, y in ((0, 1), (0, 2), (1, 2)):
            one, two = (
                sum(scores[x][q] - scores[y][q] for q in np.flatnonzero(HALVES[half, trial]))
                for half in (0, 1)
            )
            if one:
                counted[min(abs(one), 2), "apart"] += 1
                counted[min(abs(one), 2), "reversed"] += one * two < 0
                counted[min(abs(one), 2), "level"] += two == 0
    found = swap.study(THREE, ACCURACY, size=3, seed="", drawn=HALVES, bins=3, width=1 / 3).rates
    assert sum(counted.values()) > 50
    for (number, what), expected in counted.items():
        assert found[what][number] == expected


GROUPS = ["g", "h", None, "g", "i", "h", "g", "j", "i", None, "k", "k"]


@pytest.mark.parametrize("draws", first(1, ["shared", "independent"]))
@pytest.mark.parametrize(("task", "variant"), VARIANTS, **ids)
def test_groups_are_drawn_whole(task: str, variant: tuple, draws: str) -> None:
    each, trials, size = configured(*variant), 8, 3
    evidence = ROWS[task].evidence(each)
    groups = [GROUPS[n % 12] if n < 12 else None for n in range(evidence.questions.height)]
    evidence = Evidence(
        evidence.runs,
        evidence.questions.with_columns(group=pl.Series(groups, dtype=pl.String)),
        evidence.columns,
    )
    how = {"bins": 6, "width": 0.05}
    given = {"size": size, "seed": "s", "trials": trials, "draws": draws}
    found = swap.study(evidence, [each], **given, **how)
    # 12 questions in 7 units, and 12 alone
    members = _members(groups)
    assert len(members) == 7 + len(groups) - 12
    about, fresh = key("s", "swap", size), draws == "independent"

    def draw(pair: int, trial: int) -> list[tuple[int, ...]]:
        stream = pair if fresh else 0
        drawn = draw_subsets(len(members), size, trials, about, parts=2, stream=stream)
        return [
            tuple(sorted(q for unit in np.flatnonzero(part[trial]) for q in members[unit]))
            for part in drawn
        ]

    counter, swaps = listings.swap(
        evidence.runs.height, trials, draw, valued_by(evidence, each), strict=False, **how
    )
    assert found.rates["comparisons"].to_list() == counter
    assert found.rates["swaps"].to_list() == swaps
    assert set(found.rates["unit"]) == set(found.sensitivity["unit"]) == {"group"}
    alone = swap.study(evidence, [each], **given, unit="question", **how).rates
    assert set(alone["unit"]) == {"question"}
    plain = swap.study(ROWS[task].evidence(each), [each], **given, unit="question", **how).rates
    assert alone.equals(plain)


def _members(groups: list[str | None]) -> list[list[int]]:
    """The questions of each unit, by the unit's first question."""
    units: dict[object, list[int]] = {}
    for number, group in enumerate(groups):
        units.setdefault(number if group is None else group, []).append(number)
    return list(units.values())


def test_floating_point_does_not_fail_a_rate() -> None:
    # 1 − .95 = .05000000000000004, but 1 − .9 = .09999999999999998
    found = swap.sensitivity(rates((50, 0.4), (30, 0.1)), [0.9], 1.0)
    assert found["absolute_difference"].item() == pytest.approx(0.01)


def test_where_no_bin_passes_the_difference_is_unknown() -> None:
    found = swap.sensitivity(rates((50, 0.4), (50, 0.3)), [0.95], 0.8).row(0, named=True)
    assert found == {
        "confidence": 0.95,
        "absolute_difference": None,
        "highest_value": 0.8,
        "relative_difference": None,
        "sensitivity": None,
        "lasting_difference": None,
        "lasting_sensitivity": None,
    }


def test_the_highest_value_is_over_both_sets_and_all_runs() -> None:
    # c is right on q3 alone, which is in the second set: 1 of 1
    evidence = evidence_of([[1, 0, 0], [0, 0, 0], [0, 0, 1]])
    drawn = np.array([[[0, 1, 0]], [[0, 0, 1]]], dtype=np.uint8)
    found = swap.study(evidence, ACCURACY, size=1, seed="", drawn=drawn)
    assert found.sensitivity["highest_value"].item() == 1.0


def test_differences_at_the_edge_of_a_bin() -> None:
    # .3 − .2 and .8 − .7 are bin 10 at width .01, though one is below .1 and one above
    evidence = evidence_of(
        [[1] * 3 + [0] * 7, [1] * 2 + [0] * 8, [1] * 8 + [0] * 2, [1] * 7 + [0] * 3]
    )
    every = np.ones((2, 1, 10), dtype=np.uint8)
    found = swap.study(evidence, ACCURACY, size=10, seed="", drawn=every).rates
    assert found.filter(pl.col("comparisons") > 0).select("bin", "comparisons").rows() == [
        (10, 2),
        (20, 4),
    ]


def test_sizes_beyond_half_the_collection_are_refused() -> None:
    with pytest.raises(Refused, match=r"two disjoint sets of 4 questions .* of 6; allowed: 1 to 3"):
        swap.study(THREE, ACCURACY, size=4, seed="x")


def test_groups_that_are_too_few_are_refused_with_what_to_do() -> None:
    evidence = abstaining(1, runs=3, questions=12, groups=GROUPS)
    with pytest.raises(
        Refused, match=r"sets of 4 groups .* of 7; allowed: 1 to 3 .*unit: question"
    ):
        swap.study(evidence, ACCURACY, size=4, seed="x")
    assert swap.study(evidence, ACCURACY, size=4, seed="x", unit="question").rates.height == 21
