"""Runs without a verdict: found alike in a database and in tables."""

import duckdb
import polars as pl
import pytest

from qampaign.publishing.unjudged import UNJUDGED, find_unjudged
from tests.report.question_tables import tables


@pytest.mark.parametrize("unknown", [[], ["a"], ["a", "b"]])
def test_the_database_and_the_tables_name_the_same_runs(unknown: list[str]) -> None:
    made = tables()
    by_people = pl.col("run").is_in(unknown) & (pl.col("judge") == "people")
    rank = pl.when(~by_people).then("rank_first")
    made["scores"] = made["scores"].with_columns(rank_first=rank)
    with duckdb.connect() as connection:
        for name in ("scores", "runs", "measures"):
            connection.register(name, made[name])
        queried = connection.sql(f"{UNJUDGED} ORDER BY ALL").fetchall()
    assert queried == [("c", "people", run) for run in unknown]
    assert find_unjudged(made).sort(pl.all()).rows() == queried
