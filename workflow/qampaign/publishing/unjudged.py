"""Runs without a verdict on any answer: they have values, as if all were wrong, and no rank."""

from collections.abc import Mapping

import polars as pl

UNJUDGED = """
SELECT collection, judge, run
FROM scores JOIN runs USING (collection, run) JOIN measures USING (collection, measure)
WHERE slice = 'all' AND better <> 'none' AND kind = 'submitted'
GROUP BY ALL HAVING count(value) > 0 AND count(rank_first) = 0
"""
"""Which runs these are, by collection and judge."""


def find_unjudged(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The same of tables in memory: collection, judge and run."""
    return (
        tables["scores"]
        .filter(slice="all")
        .join(tables["runs"].filter(kind="submitted"), on=["collection", "run"], how="semi")
        .join(
            tables["measures"].filter(pl.col("better") != "none"),
            on=["collection", "measure"],
            how="semi",
        )
        .group_by("collection", "judge", "run", maintain_order=True)
        .agg(pl.col("value", "rank_first").count())
        .filter(pl.col("value") > 0, rank_first=0)
        .select("collection", "judge", "run")
    )
