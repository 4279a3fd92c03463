"""What changed since the last results: values, ranks, and the files behind it."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from qampaign.measures.ranking import SAME
from qampaign.tables import empty

KEYS = ["collection", "judge", "measure", "run"]
INPUT = ["collection", "table", "path"]
COMPARED = ("scores", "sources", "changes")
"""The tables of the last results that are needed to find what changed."""


def find_changes(
    tables: Mapping[str, pl.DataFrame], previous: Mapping[str, pl.DataFrame]
) -> pl.DataFrame:
    """The values and ranks over all questions that moved, with the input files that changed.

    Where no input file is another than before, the changes found before still stand: they are
    against the last results whose inputs differ. Nothing where nothing was published before, or
    where only the config changed; nothing of collections that are new or gone.
    """
    if not set(COMPARED) <= previous.keys():
        return empty("changes")
    files = _changed_files(tables["sources"], previous["sources"])
    if files.is_empty():
        return previous["changes"]
    before, after = _values(previous["scores"]), _values(tables["scores"])
    both = (
        before.join(after, on=KEYS, how="full", coalesce=True, suffix="_after")
        .join(before, on="collection", how="semi")
        .join(after, on="collection", how="semi")
    )
    moved = pl.any_horizontal(
        ((pl.col("value") - pl.col("value_after")).abs() > SAME).fill_null(
            pl.col("value").is_null() != pl.col("value_after").is_null()
        ),
        pl.col("rank_first").ne_missing(pl.col("rank_first_after")),
    )
    by_collection = files.group_by("collection").agg(
        sources=pl.col("path").unique().sort().str.join(", ")
    )
    return (
        both.filter(moved)
        .join(by_collection, on="collection", how="inner")
        .select(
            *KEYS,
            before="value",
            after="value_after",
            rank_before="rank_first",
            rank_after="rank_first_after",
            sources="sources",
        )
        .sort(KEYS)
        .cast(empty("changes").schema)
    )


def summary(changes: pl.DataFrame, shown_before: pl.DataFrame | None) -> str | None:
    """What changed, in a line for the terminal; None where there is nothing new to say."""
    if changes.is_empty() or (shown_before is not None and changes.equals(shown_before)):
        return None
    files = changes["sources"].str.split(", ").explode().unique().sort()
    named = ", ".join(Path(file).name for file in files.head(3))
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    what = "values or ranks" if changes.height > 1 else "value or rank"
    message = f"{changes.height:,} {what} changed since the last results, by {named}{more}"
    moved = (pl.col("after") - pl.col("before")).abs()
    most = changes.filter(moved == moved.max(), moved > SAME).head(1).to_dicts()
    if most:
        row = most[0]
        names = f"{row['measure']} of {row['run']} in {row['collection']} by {row['judge']}"
        message += f"; most: {names}, {row['before']:.3f} to {row['after']:.3f}"
    return f"{message} (table changes)"


def _changed_files(after: pl.DataFrame, before: pl.DataFrame) -> pl.DataFrame:
    """Files that are new, gone, or have other content."""
    keys = [*INPUT, "sha256"]
    new = after.join(before, on=keys, how="anti")
    gone = before.join(after, on=keys, how="anti")
    return pl.concat([new.select(INPUT), gone.select(INPUT)]).unique()


def _values(scores: pl.DataFrame) -> pl.DataFrame:
    return scores.filter(pl.col("slice") == "all").select(*KEYS, "value", "rank_first")
