"""The rows of the studies, as the sections on measures take them."""

import polars as pl

from qampaign.report import theme
from qampaign.report.collection import Collection


def named(frame: pl.DataFrame, collection: Collection) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Rows by measure with a `name` for charts, and all names in order; others are left out."""
    labels = collection.labels()
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    found = frame.with_columns(
        name=pl.col("measure").replace_strict(keys, default=None, return_dtype=pl.String)
    ).drop_nulls("name")
    present = set(found["name"])
    return found, tuple(key for key in keys.values() if key in present)


def label_of(name: str) -> str:
    return name.split(" ", 1)[1]


def study(collection: Collection, name: str) -> pl.DataFrame:
    """A study of the reference's scores; at the largest size where there were several."""
    found = collection.table(name, judge=collection.reference)
    if name in ("stability", "swap", "sensitivity") and not found.is_empty():
        found = found.filter(pl.col("size") == pl.col("size").max().over("measure"))
        for setting in ("draws", "scheme", "test"):
            if setting in found.columns:
                found = found.filter(pl.col(setting) == pl.col(setting).first())
    return found
