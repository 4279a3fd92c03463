"""How far a judge agrees with itself."""

from collections.abc import Iterable

import polars as pl
import pytest

from qampaign.agreement.self_agreement import COLUMNS, count_pairs, self_agreement


def table(rows: list[tuple], groups: dict[str, str] | None = None) -> pl.DataFrame:
    """The self-agreement of a judge by question, answer, trial and verdict."""
    frame = pl.DataFrame(
        [(q, None, None, None, answer, None, trial, verdict) for q, answer, trial, verdict in rows],
        schema=dict.fromkeys(COLUMNS, pl.String),
        orient="row",
    )
    asked = sorted({row[0] for row in rows})

    def read(name: str, _columns: Iterable[str]) -> pl.DataFrame:
        if name == "verdicts/gpt":
            return frame
        named = [(groups or {}).get(question) for question in asked]
        return pl.DataFrame({"question": asked, "group": pl.Series(named, dtype=pl.String)})

    return self_agreement(read, ["gpt"], seed="s", unit="group")


def test_the_share_of_pairs_by_hand() -> None:
    # x: right right wrong, 1 of 3 pairs agrees; y: wrong wrong, 1 of 1; z has one trial. 2 of 4.
    rows = [("q1", "x", "1", "right"), ("q1", "x", "2", "right"), ("q1", "x", "3", "wrong"),
            ("q2", "y", "1", "wrong"), ("q2", "y", "2", "wrong"), ("q2", "z", "1", "right")]  # fmt: skip
    (row,) = table(rows).rows(named=True)
    assert (row["answers"], row["trials"], row["pairs"]) == (2, 2.5, 4)
    assert (row["agreement"], row["unanimous"]) == (0.5, 0.5)
    assert row["low"] < 0.5 < row["high"]


def test_a_judge_that_never_contradicts_itself_may_do_so_yet() -> None:
    rows = [(f"q{n}", "x", str(trial), "right") for n in range(20) for trial in range(3)]
    (row,) = table(rows).rows(named=True)
    assert (row["agreement"], row["high"]) == (1, 1)
    assert 0.7 < row["low"] < 0.97


def test_the_interval_draws_groups() -> None:
    rows = [(f"q{n}", "x", str(trial), "right" if n % 4 or trial else "wrong")
            for n in range(40) for trial in range(2)]  # fmt: skip
    single, grouped = (
        table(rows, groups).row(0, named=True)
        for groups in (None, {f"q{n}": f"g{n % 4}" for n in range(40)})
    )
    assert single["agreement"] == grouped["agreement"] == pytest.approx(0.75)
    assert grouped["high"] - grouped["low"] > 1.5 * (single["high"] - single["low"])


def test_answers_of_two_samples_are_two_answers() -> None:
    # sample 1: right right; sample 2: wrong wrong. Each has one pair, and it agrees.
    rows = [("q", "a", sample, "1", "x", None, trial, verdict)
            for sample, verdict in (("1", "right"), ("2", "wrong")) for trial in "12"]  # fmt: skip
    labels = pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")
    assert count_pairs(labels).select("trials", "pairs", "same").rows() == [(2, 1, 1)] * 2


def test_a_judge_with_one_trial_has_no_row() -> None:
    assert table([("q1", "x", "1", "right"), ("q2", "y", "1", "right")]).is_empty()
