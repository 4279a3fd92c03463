"""Figures that were published elsewhere, beside those that come out here."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from qampaign.formats import Unreadable, note
from qampaign.problems import Problems, Refused, quote
from qampaign.sources import read_table
from qampaign.tables import TABLES, empty

NEEDED = ("source", "table", "column", "published")
"""What a file of published figures must have; its other columns tell which row of the table."""

RANKINGS = {"judge": "judge_b", "measure": "measure_b"}
"""The table of correlations names two of each: a figure gives that of the other ranking."""


def compare(
    tables: Mapping[str, pl.DataFrame],
    files: Mapping[str, Sequence[Path]],
    references: Mapping[str, str],
) -> pl.DataFrame:
    """The table `published`: each figure of the files of each collection, and ours.

    A figure is of the collection's reference judge unless it names another. Raises
    :class:`Refused` for a file that cannot be read, and for a figure that is of no row or of
    several.
    """
    problems = Problems()
    rows = []
    for collection, paths in files.items():
        for path in paths:
            for line, figure in _figures(path, problems):
                found = _look_up(tables, collection, references[collection], figure)
                if isinstance(found, str):
                    problems.add(collection=collection, file=str(path), line=line, problem=found)
                else:
                    item, value = found
                    name = f"{figure['table']}.{figure['column']}"
                    names = (collection, figure["source"], name, item)
                    rows.append((*names, float(figure["published"]), value))
    if len(problems):
        raise Refused(problems.summary("The published figures cannot be compared:"))
    return pl.DataFrame(rows, schema=empty("published").schema, orient="row")


def _figures(path: Path, problems: Problems) -> list[tuple[int, dict[str, str]]]:
    """The figures of a file with their lines; what cannot be read is noted."""
    try:
        source = read_table(path, NEEDED)
    except Unreadable as unreadable:
        note(problems, str(path), unreadable.faults)
        return []
    return [
        (line, {name: value for name, value in row.items() if value})
        for line, row in zip(source.lines, source.frame.to_dicts(), strict=True)
    ]


def _look_up(
    tables: Mapping[str, pl.DataFrame], collection: str, reference: str, figure: dict[str, Any]
) -> tuple[str, float | None] | str:
    """What a figure is of, in words, and the value here; or what is wrong with it."""
    name, column = figure.get("table", ""), figure.get("column", "")
    if name not in TABLES:
        return f"names the table {quote(name)}, which there is not"
    table = tables[name]
    keys = {key: value for key, value in figure.items() if key not in NEEDED}
    plain = ("run", "measure")
    shown = [value if key in plain else f"{key} {value}" for key, value in keys.items()]
    if name == "correlation":
        keys = {RANKINGS.get(key, key): value for key, value in keys.items()}
        keys.setdefault("judge_a", reference)
        keys.setdefault("measure_a", keys.get("measure_b", ""))
    elif "judge" in table.columns:
        keys.setdefault("judge", reference)
    unknown = [key for key in (*keys, column) if key not in table.columns]
    if unknown:
        return f"names {', '.join(unknown)}, which the table {name} does not have"
    try:
        float(figure["published"])
        wanted = [
            (pl.col(key) - float(value)).abs() < 1e-9
            if table.schema[key].is_numeric()
            else pl.col(key) == value
            for key, value in keys.items()
        ]
    except (KeyError, ValueError):
        return "has a number that is none"
    found = table.filter(pl.col("collection") == collection, *wanted)
    if found.height != 1:
        return f"is of {found.height} rows of the table {name}, not of one"
    value = found[column].item()
    return ", ".join(shown), None if value is None else float(value)
