"""The rows of the studies, as the sections on measures take them."""

import polars as pl

from qampaign.report import theme
from qampaign.report.collection import Collection

STUDIES = ("stability", "swap", "size_tau", "questions_needed")
"""What charts with a line per measure show."""


def named(frame: pl.DataFrame, collection: Collection) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Rows by measure with a `name` for charts, and all names in order; others are left out.

    A name is numbered among the measures of all studies, by which it has one colour everywhere.
    """
    studied = {measure for each in STUDIES for measure in collection.table(each)["measure"]}
    labels = {own: label for own, label in collection.labels().items() if own in studied}
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
