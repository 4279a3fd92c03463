"""Lists in the cells of a file: several answers are ranks, several keys are forms of one answer."""

import json
from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.input.formats import ENCODE, Fault, Source, Unreadable

SPREAD = {"responses": "answer", "keys": "key"}
"""The column of each table in which a cell may be a list."""

RANKED = "lists of answers: ranked in their order"
FORMS = "lists of keys: forms of one answer"


def spread_lists(table: str, source: Source) -> tuple[Source, list[tuple[str, str, int]]]:
    """A file with a row for each element of its lists, and a remark where it has some.

    JSON and Parquet have lists; a column of CSV has, where every cell that is not empty is a list
    as JSON spells it. Raises :class:`Unreadable` where ranks are given beside lists.
    """
    column = SPREAD.get(table)
    if column not in source.frame.columns or not _may_have_lists(source, column):
        return source, []
    in_json = column in source.nested
    listed = set(source.nested.get(column, []))
    cells: list[list[str | None]] = []
    faulty, lists = [], 0
    for text, line in zip(source.frame[column], source.lines, strict=True):
        elements = _read(text) if not in_json or line in listed else None
        if elements is None and not in_json and (text or "").strip():
            return source, []  # not every cell is a list: they are texts
        if elements is None and line in listed:
            faulty.append(line)
        lists += elements is not None
        cells.append([text] if elements is None else elements or [None])
    if not lists:
        return source, []
    if table == "responses" and "rank" in source.frame.columns:
        problem = "has lists of answers, and a column rank"
        raise Unreadable(Fault(problem, "lists, or a row for each rank", 1), *source.faults)
    nested = {name: lines for name, lines in source.nested.items() if name != column}
    nested |= {column: faulty} if faulty else {}
    spread = _spread(table, replace(source, nested=nested, tidy=False), column, cells)
    return spread, [(column, RANKED if table == "responses" else FORMS, lists)]


def _may_have_lists(source: Source, column: str) -> bool:
    """Whether a column holds lists: a look at its first cell tells for CSV."""
    if column in source.nested:
        return True
    first = source.frame[column].drop_nulls().head(1).str.strip_chars()
    return bool(first.str.starts_with("[").any()) and not source.nested


def _read(text: str | None) -> list[str | None] | None:
    """The elements of a list as text; None where it is none, or one of other lists."""
    try:
        value = json.loads(text or "", parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or any(isinstance(element, list | dict) for element in value):
        return None
    return [
        element if element is None or isinstance(element, str) else ENCODE(element)
        for element in value
    ]


def _spread(table: str, source: Source, column: str, cells: list[list[str | None]]) -> Source:
    """The file with a row for each element."""
    sizes = [len(cell) for cell in cells]
    index = np.repeat(np.arange(len(cells)), sizes)
    frame = source.frame[index].with_columns(
        pl.Series(column, [element for cell in cells for element in cell], pl.String)
    )
    if table == "responses":
        ranks = [str(rank) for size in sizes for rank in range(1, size + 1)]
        frame = frame.with_columns(pl.Series("rank", ranks, pl.String))
    elif "class" not in frame.columns:
        several = [cell[0] if size > 1 else None for cell, size in zip(cells, sizes, strict=True)]
        frame = frame.with_columns(pl.Series("class", several, pl.String).gather(index))
    return replace(source, frame=frame, lines=source.lines.gather(index))
