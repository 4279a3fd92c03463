"""The price of an error: who leads where, by hand and by trying many prices."""

import numpy as np
import polars as pl
import pytest

from qampaign.measures.price import TARGETS, find_leads, leaders, price
from tests.helpers.measured_rows import Rows, configured


def rows(**runs: str) -> Rows:
    """Runs as strings of r(ight), w(rong) and - (unanswered), a sign per question."""
    answers: dict[str, list[str | None]] = {"r": ["x"], "w": ["y"], "-": [None]}
    questions = [f"q{n:02}" for n in range(len(next(iter(runs.values()))))]
    return Rows(
        runs={
            run: {q: answers[sign] for q, sign in zip(questions, signs, strict=True)}
            for run, signs in runs.items()
        },
        says={q: {"x": "right", "y": "wrong"} for q in questions},
    )


def test_where_the_leader_changes_by_hand() -> None:
    # bold: 7 right, 3 wrong; shy: 4 right, none wrong. Equal where 7 - 3p = 4, so p = 1, t = 1/2
    found = leaders(rows(bold="rrrrrrrwww", shy="rrrr------").evidence(configured("accuracy", {})))
    assert found.rows() == [(0.0, 0.5, "bold"), (0.5, 1.0, "shy")]


def test_the_values_of_the_chart_are_those_of_the_measure() -> None:
    made = rows(bold="rrrrrrrwww", shy="rrrr------")
    table = price(made.evidence(configured("accuracy", {})))
    assert table.height == 2 * len(TARGETS)
    assert TARGETS[0] == 0
    assert TARGETS[-1] == 0.95
    for t in (0.0, 0.5, 0.75, 0.95):
        of_t = dict(table.filter((pl.col("t") - t).abs() < 1e-9).select("run", "value").rows())
        assert of_t == pytest.approx(made.values("confidence_target", t=t))
    assert dict(table.select("run", "c_at_1").unique().rows()) == pytest.approx(
        made.values("c_at_1")
    )


def test_ties_one_run_and_nothing_unanswered() -> None:
    assert leaders(rows(a="rw-", b="rw-").evidence()).rows() == [(0, 1, "a"), (0, 1, "b")]
    assert leaders(rows(a="rw-").evidence()).rows() == [(0, 1, "a")]
    # as many right, fewer wrong: b leads at every price but 0, where they are level
    assert leaders(rows(a="rw-", b="r--").evidence()).rows() == [(0, 1, "b")]
    # with everything answered, the price changes no order: there is nothing to show
    assert leaders(rows(a="rww", b="rrw").evidence()).is_empty()
    assert price(rows(a="rww", b="rrw").evidence()).is_empty()
    # nobody right: silence leads
    assert leaders(rows(a="www", b="---").evidence()).rows() == [(0, 1, "b")]


def test_three_runs_that_meet_in_a_point() -> None:
    # right 0.9, 0.7, 0.5 and wrong 0.4, 0.2, 0: all equal at p = 1; the middle one never leads
    found = [*find_leads(np.array([0.9, 0.7, 0.5]), np.array([0.4, 0.2, 0.0]))]
    assert [(round(a, 9), round(b, 9), runs) for a, b, runs in found] == [
        (0, 0.5, [0]),
        (0.5, 1, [2]),
    ]


@pytest.mark.parametrize("seed", range(50))
def test_who_leads_is_who_has_the_highest_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    number = int(rng.integers(1, 12))
    right = rng.integers(0, 11, number) / 20
    wrong = rng.integers(0, 11, number) / 20
    leads = [*find_leads(right, wrong)]
    assert leads[0].first == 0
    assert leads[-1].last == 1
    assert [each.last for each in leads[:-1]] == [each.first for each in leads[1:]]
    for lead in leads:
        for t in np.linspace(lead.first, min(lead.last, 0.9999), 7)[1:-1]:
            values = right - t / (1 - t) * wrong
            best = np.flatnonzero(values > values.max() - 1e-9)
            assert best.tolist() == lead.runs
