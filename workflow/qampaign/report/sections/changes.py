"""What changed since the previously published results?"""

import polars as pl

from qampaign.report.collection import Collection
from qampaign.report.parts import Section, listed, many, table

MOST = 100


def section(collection: Collection) -> Section | None:
    changes = collection.table("changes")
    if changes.is_empty():
        return None
    labels = collection.labels()
    size = (pl.col("after") - pl.col("before")).abs()
    moved = (pl.col("rank_after") - pl.col("rank_before")).abs()
    shown = changes.with_columns(
        label=pl.col("measure").replace(labels), by=pl.col("after") - pl.col("before")
    ).sort(moved, size, descending=True, nulls_last=True, maintain_order=True)
    columns = {
        "judge": ("Judge", "name"), "label": ("Measure", "name"), "run": ("Run", "name"),
        "before": ("Before", "number"), "after": ("After", "number"), "by": ("Moved by", "change"),
        "rank_before": ("Rank before", "count"), "rank_after": ("Rank after", "count"),
        "sources": ("Because of", "path"),
    }  # fmt: skip
    parts = table("changes", "Values and ranks that moved", shown, columns, most=MOST)
    return Section("changes", "What changed?", parts, [_headline(changes)])


def _headline(changes: pl.DataFrame) -> str:
    ranks = changes.filter(pl.col("rank_before") != pl.col("rank_after"))
    values = changes.filter(pl.col("before").ne_missing(pl.col("after")))
    causes = sorted(
        {each.strip() for text in changes["sources"].drop_nulls() for each in text.split(",")}
    )
    because = ""
    if causes:
        named = causes if len(causes) <= 3 else [*causes[:2], f"{len(causes) - 2} more files"]
        because = f", because of {listed(named)}"
    return (
        f"Since the results published before, {many(values.height, 'value')} of "
        f"{many(values['run'].n_unique(), 'run')} moved{because}; "
        f"{many(ranks.height, 'rank')} changed."
    )
