"""Whether a judge is fair to all runs: spread of its rates, the test that runs share them."""

import numpy as np
import polars as pl
import pytest

from qampaign.agreement.agreement import agree
from qampaign.agreement.fairness import homogeneity, with_fairness
from qampaign.studies.resampling import key

KEY = key("test", "fairness")
Cell = tuple[str, int, bool, bool]


def pairs(cells: list[Cell]) -> pl.DataFrame:
    """Matched judgments: run, question, whether it is right, whether it is accepted."""
    runs = pl.Enum(sorted({run for run, *_ in cells}))
    return pl.DataFrame(
        [(run, number, right, accepted, 1, None, None) for run, number, right, accepted in cells],
        schema={
            "run": runs, "unit": pl.UInt32, "right": pl.Boolean, "accepted": pl.Boolean,
            "rank": pl.Int64, "type": pl.Enum([]), "degree": pl.Float64,
        },
        orient="row",
    ).sort("run", "unit")  # fmt: skip


def shown(cells: list[Cell]) -> pl.DataFrame:
    matched = pairs(cells)
    return with_fairness(agree(matched), matched, KEY)


def run_of(run: str, hits: int, misses: int, alarms: int, rejections: int) -> list[Cell]:
    kinds = [(True, True)] * hits + [(True, False)] * misses
    kinds += [(False, True)] * alarms + [(False, False)] * rejections
    return [(run, number, *kind) for number, kind in enumerate(kinds)]


def test_by_hand() -> None:
    # a: 10 right, 8 hit; 10 wrong, 1 accepted. b: 5 right, 5 hit; 15 wrong, 9 accepted.
    table = shown(run_of("a", 8, 2, 1, 9) + run_of("b", 5, 0, 9, 6))
    whole = table.filter(run="all", slice="all").row(0, named=True)
    assert whole["hit_rate_sd"] == pytest.approx(np.std([0.8, 1.0], ddof=1))
    assert whole["false_alarm_rate_sd"] == pytest.approx(np.std([0.1, 0.6], ddof=1))
    # by the reference a (.5) is above b (.25), by the judge b (14/20) above a (9/20)
    assert whole["reversed_pairs"] == 1.0
    # errors add (1 − 2)/20 to a, 9/20 to b; the mean is .2
    shifts = table.filter(pl.col("run") != "all", slice="all").select("run", "shift").rows()
    assert shifts == [("a", pytest.approx(-0.25)), ("b", pytest.approx(0.25))]
    assert whole["p_homogeneous"] < 0.05


def test_equal_runs_share_their_rates() -> None:
    table = shown(run_of("a", 8, 2, 1, 9) + run_of("b", 8, 2, 1, 9))
    whole = table.filter(run="all", slice="all").row(0, named=True)
    assert (whole["hit_rate_sd"], whole["false_alarm_rate_sd"]) == (0, 0)
    assert whole["p_homogeneous"] is None  # nothing differs
    assert whole["reversed_pairs"] is None  # no pair differs by the reference
    assert table.filter(run="a")["shift"][0] == 0


@pytest.mark.parametrize(
    "cells",
    [
        run_of("a", 8, 2, 1, 9),  # one run
        run_of("a", 2, 1, 0, 0) + run_of("b", 1, 1, 1, 0),  # three questions
        run_of("a", 20, 0, 0, 0) + run_of("b", 20, 0, 0, 0),  # all right
        run_of("a", 0, 0, 0, 20) + run_of("b", 0, 0, 0, 20),  # all wrong
    ],
)
def test_too_little_gives_no_p(cells: list[Cell]) -> None:
    whole = shown(cells).filter(run="all", slice="all").row(0, named=True)
    assert whole["p_homogeneous"] is None


def test_the_statistic_by_a_slow_transcription() -> None:
    rng = np.random.default_rng(8)
    cells = [
        (run, unit, bool(rng.random() < 0.5), bool(rng.random() < 0.4))
        for run in "abc" for unit in range(15)
    ]  # fmt: skip
    columns = []
    for truth in (True, False):
        of = [(run, unit, accepted) for run, unit, right, accepted in cells if right == truth]
        rate = sum(accepted for *_, accepted in of) / len(of)
        for run in "abc":
            own = sum(each == run for each, *_ in of)
            column = []
            for unit in range(15):
                mine = sum(acc - rate for r, u, acc in of if (r, u) == (run, unit)) / own
                column.append(mine - sum(acc - rate for _, u, acc in of if u == unit) / len(of))
            columns.append(np.array(column) * np.sqrt(own / (rate * (1 - rate))))
    found = sum(column.sum() ** 2 for column in columns)
    signs = np.random.default_rng(1).choice([-1, 1], (20_000, 15))
    drawn = sum((signs @ column) ** 2 for column in columns)
    assert homogeneity(pairs(cells), KEY) == pytest.approx((drawn >= found).mean(), abs=0.04)
