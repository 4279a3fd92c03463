"""The rows of the charts.

The page embeds columns, which are short, and makes them into rows where a chart is drawn. For the
figures this happens here, with the view that the page opens with; `script/chart_data.js` does it
for the view that the reader chooses.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from qampaign.report import theme
from qampaign.report.blocks import Choice
from qampaign.report.collection import CollectionResults
from qampaign.report.views import Row, View, numbers

DIGITS = 5
"""Charts show no more than so many digits."""

Columns = Mapping[str, Sequence[Any]]


def embedded(frame: pl.DataFrame, collection: CollectionResults) -> Columns:
    """A table as columns with short numbers; a run is its index, and unknown runs are left out."""
    if "run" in frame.columns:
        indexes = {run: index for index, run in enumerate(collection.names())}
        frame = frame.filter(pl.col("run").is_in(list(indexes))).select(
            pl.col("run").replace_strict(indexes, return_dtype=pl.Int64).alias("index"),
            pl.exclude("run"),
        )
    rounded = frame.with_columns(pl.selectors.float().round_sig_figs(DIGITS))
    return {
        name: numbers(series) if series.dtype.is_float() else series.to_list()
        for name, series in rounded.to_dict().items()
    }


def datasets(
    names: Sequence[str],
    collection: CollectionResults,
    tables: Mapping[str, Columns],
    choice: Choice | None = None,
) -> dict[str, list[Row]]:
    """The rows that a chart uses, by the names under which it asks for them."""
    views = collection.views
    of_views = {
        "runs": [collection.start],
        "slices": [view for view in views[0][1:] if view] if views else [],
        "judges": [of_judge[0] for of_judge in views if of_judge and of_judge[0]],
    }
    runs = [
        run
        | {"order": run["index"], "shown": True, "lit": True, "picked": False}
        | {"named": hue is not None, "colour": theme.colour_of_hue(hue)}
        for run, hue in zip(collection.chart_runs(), theme.hues(len(collection.runs)), strict=True)
    ]
    rows = {name: [row for view in of_views[name] for row in view_rows(view, collection, runs)]
            if name in of_views else table_rows(chosen(tables[name], choice), runs)
            for name in names}  # fmt: skip
    if "judges" in rows:
        rows["judges"] = [row for row in rows["judges"] if row.get("rank") is not None]
    # What comes later is drawn over what came before: runs with a name come last.
    return {name: sorted(of, key=lambda row: row.get("named", False)) for name, of in rows.items()}


def view_rows(view: View, collection: CollectionResults, runs: Sequence[Row]) -> list[Row]:
    """A row per run: its counts, its value by every measure, its scores by the one that ranks."""
    columns: dict[str, Sequence[object] | None] = dict(view["counts"])
    for measure, scores in zip(collection.measures, view["scores"], strict=True):
        columns[f"value_{measure['measure']}"] = scores["value"]
    primary = collection.primary_scores(view)
    if primary:
        columns |= {"value": primary["value"], "rank": primary["rank"]}
        columns |= {"low": primary["low"], "high": primary["high"], "leading": primary["leading"]}
        columns |= {"if_wrong": primary["if_wrong"], "if_right": primary["if_right"]}
    names = {"judge": view["judge"], "slice": view["slice"]}
    return [
        run | names | {name: column[index] if column else None for name, column in columns.items()}
        for index, run in enumerate(runs)
    ]


def chosen(table: Columns, choice: Choice | None) -> Columns:
    """The columns of one measure, of a table of several."""
    if choice is None:
        return table
    chosen_columns = {
        name: [None if number is None else number / choice.parts for number in table[column]]
        for name, column in choice.columns.items()
    }
    bounds = {name: [value] * len(table["index"]) for name, value in choice.bounds.items()}
    return {"index": table["index"], "size": table["size"]} | chosen_columns | bounds


def table_rows(table: Columns, runs: Sequence[Row]) -> list[Row]:
    """A table as rows, each with what is known of its run."""
    rows = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    return [runs[row["index"]] | row if "index" in row else row for row in rows]
