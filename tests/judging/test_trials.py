"""A judge that has judged the same answer several times: the majority of its trials counts."""

import polars as pl
import pytest

from qampaign.judging.assessments import verdicts
from qampaign.problems import Refused
from tests.judging.test_jury import QUESTIONS, RESPONSES


def labels(*rows: tuple[str, str, str | None]) -> pl.DataFrame:
    """Answer to q1, verdict and trial."""
    frame = pl.DataFrame(
        rows, schema={"answer": pl.String, "verdict": pl.String, "trial": pl.String}, orient="row"
    )
    nothing = pl.lit(None, pl.String)
    return frame.with_columns(
        pl.lit("q1").alias("question"),
        nothing.alias("run"),
        pl.lit(None, pl.Int64).alias("rank"),
        nothing.alias("assessor"),
        nothing.alias("level"),
        nothing.alias("class"),
    )


def judged(table: pl.DataFrame, **options: object) -> list[str]:
    found = verdicts(RESPONSES, table, QUESTIONS, name="gpt", unassessed="wrong", **options)
    rows = found.judgments.filter(pl.col("question") == "q1").sort("run")
    return rows["verdict"].cast(pl.String).to_list()


def test_the_majority_of_the_trials_counts() -> None:
    table = labels(
        ("Paris", "right", "1"), ("Paris", "wrong", "2"), ("Paris", "right", "3"),
        ("Lyon", "wrong", None),
    )  # fmt: skip
    assert judged(table) == ["right", "wrong"]


def test_a_verdict_without_a_trial_is_final() -> None:
    table = labels(("Paris", "right", "1"), ("Paris", "right", "2"), ("Paris", "wrong", None))
    assert judged(table)[0] == "wrong"


def test_trials_that_are_evenly_divided_are_a_tie() -> None:
    table = labels(("Paris", "right", "1"), ("Paris", "wrong", "2"))
    with pytest.raises(Refused, match="trial 1: right, trial 2: wrong"):
        judged(table)
    assert judged(table, ties=["right"])[0] == "right"
