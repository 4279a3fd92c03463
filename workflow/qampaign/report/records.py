"""The rows of the charts as the page opens; `script/records.js` makes the same for other views.

Tables are embedded as columns, a run as its place among the collection's runs, and are turned into
rows again where a chart needs them.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from qampaign.report.collection import Collection
from qampaign.report.parts import DASH
from qampaign.report.theme import run_colours
from qampaign.report.views import Row

DIGITS = 5
"""Charts show no more than so many digits."""


def columns(frame: pl.DataFrame, collection: Collection) -> dict[str, list[Any]]:
    """A table for the page: short numbers, and runs as their places (unknown ones are left out)."""
    if "run" in frame.columns:
        places = {run: place for place, run in enumerate(collection.names())}
        frame = frame.filter(pl.col("run").is_in(list(places))).select(
            pl.col("run").replace_strict(places, return_dtype=pl.Int64).alias("index"),
            pl.exclude("run"),
        )
    numbers = pl.selectors.float()
    frame = frame.with_columns(
        pl.when(numbers.is_finite()).then(numbers.round_sig_figs(DIGITS)).name.keep()
    )
    return {
        name: [_short(value) for value in series] if series.dtype.is_float() else series.to_list()
        for name, series in frame.to_dict().items()
    }


def _short(value: float | None) -> float | int | None:
    return int(value) if value is not None and value == int(value) else value


def datasets(
    names: tuple[str, ...], collection: Collection, tables: Mapping[str, dict[str, list[Any]]]
) -> dict[str, list[Row]]:
    """The rows that a chart uses, by the names under which it asks for them."""
    views = {"runs": runs, "slices": slices, "judges": judges}
    return {
        name: views[name](collection) if name in views else rows(tables[name], collection)
        for name in names
    }


def rows(table: Mapping[str, list[Any]], collection: Collection) -> list[Row]:
    """A table as rows, each with its run."""
    who = _who(collection)
    found = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    return [who[row["index"]] | row if "index" in row else row for row in found]


def runs(collection: Collection) -> list[Row]:
    """A row per run: its counts, its value by every measure, and by the one that ranks."""
    view, primary = collection.start, collection.primary or 0
    found = []
    for index, who in enumerate(_who(collection)):
        row = who | {name: values[index] for name, values in view["counts"].items()}
        for measure, scores in zip(collection.measures, view["scores"], strict=True):
            row[f"value_{measure['measure']}"] = scores["value"][index]
        if collection.measures:
            scores = view["scores"][primary]
            for name in ("value", "low", "high", "first", "last", "group"):
                column: Any = scores[name]
                row[name] = column[index] if column else None
        found.append(row)
    return found


def slices(collection: Collection) -> list[Row]:
    """A row per run and question type: the value by the measure that ranks."""
    found = []
    for place, part in enumerate(collection.slices[1:], start=1):
        view = collection.views[0][place] if collection.views else None
        if view:
            values = view["scores"][collection.primary or 0]["value"]
            found += [
                who | {"slice": f"{place} {part} ({view['questions']})", "value": value}
                for who, value in zip(_who(collection), values, strict=True)
            ]
    return found


def judges(collection: Collection) -> list[Row]:
    """A row per run and judge: the rank by the measure that ranks, in the middle of a range."""
    found = []
    for place, judge in enumerate(collection.judges):
        view = collection.views[place][0] if collection.slices else None
        if view and collection.measures:
            scores = view["scores"][collection.primary or 0]
            ranks = zip(scores["first"], scores["last"], strict=True)
            found += [
                who | {"judge": f"{place} {judge['judge']}", "rank": (first + last) / 2}
                for who, (first, last) in zip(_who(collection), ranks, strict=True)
                if first is not None and last is not None
            ]
    return found


def _who(collection: Collection) -> list[Row]:
    colours = run_colours(len(collection.runs))
    return [
        {"index": index, "run": run["run"], "key": f"{index} {run['run']}"}
        | {"team": run.get("team") or DASH, "kind": run["kind"], "colour": colours[index]}
        | {"order": index, "shown": True, "lit": True, "picked": False}
        for index, run in enumerate(collection.runs)
    ]
