"""A log that is a table: CSV with commas, semicolons or tabs, JSON lines, or one JSON list."""

import codecs
import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from qampaign.input.delimited import read_separated
from qampaign.input.formats import Fault, Unreadable, check_text
from qampaign.input.logs.json_values import JsonObject
from qampaign.input.logs.log_file import LogFile

SEPARATORS = ",;\t"
HEADER = 2**20
"""In how many bytes the header of a table must end."""

ALLOWED = "CSV, JSON lines, or a JSON list of objects"

Row = tuple[int, JsonObject]
"""A line, and what its columns hold: texts, or any JSON value. None: nothing."""


@dataclass(frozen=True)
class LogTable:
    """The rows of a table, and why other lines are none."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    is_list: bool = False
    """Whether it is one JSON list: then rows have numbers, no lines."""

    def at(self, row: int) -> dict[str, Any]:
        """Where a row is, for :meth:`Log.fault`."""
        return {"place": f"entry {row}"} if self.is_list else {"line": row}


def find_columns(file: LogFile) -> tuple[str, ...]:
    """The names of the columns, as far as a look at the beginning shows; none: it is no table."""
    if file.is_zip:
        return ()
    if file.first_row is not None:
        return tuple(file.first_row)
    if isinstance(file.document, list):
        return tuple(file.document[0]) if file.document and _are_rows(file.document[:1]) else ()
    return _header(file.content)[1]


def _are_rows(values: list[object]) -> bool:
    return all(isinstance(value, dict) for value in values)


def _header(content: bytes) -> tuple[str, tuple[str, ...]]:
    """The separator of a CSV file, which is that with most columns, and their names."""
    text = content[:HEADER].removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").lstrip("\r\n")
    if text.lstrip()[:1] in ("", "{", "["):
        return ",", ()
    best: tuple[str, tuple[str, ...]] = (",", ())
    for separator in SEPARATORS:
        try:
            row = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        except csv.Error:
            continue
        if len(row) > max(1, len(best[1])):
            best = separator, tuple(name.strip() for name in row)
    return best


def read_table(file: LogFile) -> LogTable:
    """All rows of a file that is a table; raises Unreadable where it is none."""
    if file.first_row is not None:
        check_text(file.content)
        return _collect(file.rows())
    if isinstance(file.document, dict):
        raise Unreadable(Fault("is one JSON object", ALLOWED))
    if isinstance(file.document, list):
        return _collect(_listed(file.document), is_list=True)
    check_text(file.content)
    if file.fault:
        raise Unreadable(file.fault)
    separator, _ = _header(file.content)
    source = read_separated(file.content, separator)
    lines, columns = source.lines.to_list(), source.frame.columns
    rows = tuple(
        (line, dict(zip(columns, row, strict=True)))
        for line, row in zip(lines, source.frame.iter_rows(), strict=True)
    )
    return LogTable(tuple(columns), rows, source.faults)


def _listed(values: list[object]) -> Iterator[tuple[int, JsonObject | Fault]]:
    for number, value in enumerate(values, start=1):
        problem = f"entry {number} is not a JSON object"
        yield number, value if isinstance(value, dict) else Fault(problem, "a list of objects")


def _collect(
    entries: Iterator[tuple[int, JsonObject | Fault]], *, is_list: bool = False
) -> LogTable:
    names: dict[str, None] = {}
    rows: list[Row] = []
    faults: list[Fault] = []
    for number, row in entries:
        if isinstance(row, Fault):
            faults.append(row)
        else:
            names.update(dict.fromkeys(row))
            rows.append((number, row))
    return LogTable(tuple(names), tuple(rows), tuple(faults), is_list)


def as_text(value: object) -> str | None:
    """A single value as text, None where it is empty; raises ValueError for a list or an object.

    >>> as_text(" 5\\n feet "), as_text(3), as_text(True), as_text("")
    ('5 feet', '3', 'true', None)
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        raise ValueError("is a list" if isinstance(value, list) else "is an object")
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return " ".join(str(value).split()) or None


def as_texts(value: object) -> list[str]:
    """A text, or a list of texts; raises ValueError where there is a list or an object in it.

    >>> as_texts("a, b"), as_texts(["x", 3]), as_texts(None)
    (['a, b'], ['x', '3'], [])
    """
    listed = value if isinstance(value, list) else [value]
    return [text for element in listed if (text := as_text(element)) is not None]


class WrongRow(Exception):
    """What is wrong with a row."""

    def __init__(self, what: str, problem: str, allowed: str) -> None:
        super().__init__(problem)
        self.what, self.problem, self.allowed = what, problem, allowed


def single(row: JsonObject, name: str | None) -> str | None:
    """The text of a column."""
    try:
        return as_text(row.get(name)) if name is not None else None
    except ValueError as error:
        raise WrongRow(str(name), str(error), "a text or a number") from None


def several(row: JsonObject, name: str) -> list[str]:
    """The texts of a column: one, or those of a list."""
    try:
        return as_texts(row.get(name))
    except ValueError as error:
        raise WrongRow(name, str(error), "a text, or a list of texts") from None
