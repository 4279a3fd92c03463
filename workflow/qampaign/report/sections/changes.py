"""What changed since the previously published results?"""

import polars as pl

from qampaign.report.blocks import Section, TableColumn, TableColumns, optional_table
from qampaign.report.collection import CollectionResults
from qampaign.report.text import listed, many

MOST_CHANGES = 100
"""So many changes are shown."""

CHANGES: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "label": TableColumn("Measure", "name"),
    "run": TableColumn("Run", "name"),
    "before": TableColumn("Before", "number"),
    "after": TableColumn("After", "number"),
    "change": TableColumn("Change", "change"),
    "rank_before": TableColumn("Rank before", "count"),
    "rank_after": TableColumn("Rank after", "count"),
    "sources": TableColumn("Files that changed", "path"),
}


def section(collection: CollectionResults) -> Section | None:
    changes = collection.table("changes")
    if changes.is_empty():
        return None
    change = pl.col("after") - pl.col("before")
    moved = (pl.col("rank_after") - pl.col("rank_before")).abs()
    rows = changes.with_columns(
        label=pl.col("measure").replace(collection.labels()), change=change
    ).sort(moved, change.abs(), descending=True, nulls_last=True, maintain_order=True)
    title = "Values and ranks that changed"
    blocks = optional_table("changes", title, rows, CHANGES, most=MOST_CHANGES)
    return Section("changes", "What changed?", blocks, [_headline(changes)], fixed=())


def count_changes(changes: pl.DataFrame) -> str:
    """How many values and ranks changed, for the overview; empty where none did."""
    values, ranks = _changed(changes)
    counted = {"value": values.height, "rank": ranks.height}
    return ", ".join(many(number, thing) for thing, number in counted.items() if number)


def _changed(changes: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows with another value, and those with another rank."""
    ranks = changes.filter(pl.col("rank_before") != pl.col("rank_after"))
    return changes.filter(pl.col("before").ne_missing(pl.col("after"))), ranks


def _headline(changes: pl.DataFrame) -> str:
    values, ranks = _changed(changes)
    causes = sorted(
        {name.strip() for names in changes["sources"].drop_nulls() for name in names.split(",")}
    )
    if len(causes) > 3:
        causes = [*causes[:2], f"{len(causes) - 2} more files"]
    files = f" Input files that changed: {listed(causes)}." if causes else ""
    return (
        f"Since the previous results, {many(values.height, 'value')} of "
        f"{many(values['run'].n_unique(), 'run')} and {many(ranks.height, 'rank')} changed.{files}"
    )
