"""What a section of the report is made of: sentences, charts and tables, and how numbers look."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import polars as pl

DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"

KINDS = ("text", "name", "number", "figure", "change", "count", "share", "chance", "words", "path",
         "size", "digest", "seconds", "config")  # fmt: skip
"""How a column of a table is shown."""

MOST = 40
"""So many rows of examples are shown."""

NUMBERS = ("number", "figure", "change", "count", "share", "chance", "size", "seconds")
"""Those that are sorted by their value and stand to the right."""


@dataclass(frozen=True)
class Chart:
    """A chart with what stands around it.

    `reads` says in a sentence how to read it and what it says here. `data` are the tables that it
    needs beside those that every collection has; charts that give the same name share the rows.
    `per_run` is the height of a run in pixels where the chart has a row for each, `extra` what is
    added to them all; `half` ones stand side by side.
    """

    id: str
    title: str
    spec: dict[str, Any]
    reads: str
    uses: tuple[str, ...] = ("runs",)
    data: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    per_run: int | None = None
    extra: int = 0
    half: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading and how its values are shown."""

    label: str
    kind: str = "text"
    hint: str = ""


Columns = Mapping[str, tuple[str, str] | Column]
"""Columns of a frame, each with its heading and how it is shown."""


@dataclass(frozen=True)
class Table:
    """A table with what stands above it; `closed` ones open on a click."""

    id: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    reads: str = ""
    closed: bool = False
    more: str = ""


@dataclass(frozen=True)
class Section:
    """A question that readers come with, and what answers it."""

    id: str
    title: str
    parts: Sequence[Chart | Table]
    says: Sequence[str] = ()

    @property
    def charts(self) -> list[Chart]:
        return [part for part in self.parts if isinstance(part, Chart)]


def table(
    id: str,
    title: str,
    frame: pl.DataFrame,
    columns: Columns,
    *,
    most: int | None = None,
    **about: Any,
) -> list[Table]:
    """A table of some columns of a frame, in a list that is empty where there are no rows.

    Of more than `most` rows it has the first, and says so.
    """
    if frame.is_empty():
        return []
    kept = frame if most is None else frame.head(most)
    more = ""
    if kept.height < frame.height:
        more = f"The first {kept.height} of {frame.height:,} rows."
    shown = [each if isinstance(each, Column) else Column(*each) for each in columns.values()]
    return [Table(id, title, shown, kept.select(list(columns)).rows(), more=more, **about)]


def fixed(value: float | None, places: int = 3) -> str:
    """A value to three places, halves away from zero as browsers round them.

    >>> fixed(0.0625), fixed(-0.25), fixed(-0.0001), fixed(None)
    ('0.063', '−0.250', '0.000', '–')
    """
    if value is None:
        return DASH
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{MINUS if rounded < 0 else ''}{abs(rounded)}"


def short(value: float) -> str:
    """A value in a sentence: two places, three where two would hide it.

    >>> short(0.12), short(0.125), short(0.004)
    ('0.12', '0.13', '0.004')
    """
    return fixed(value, 2 if abs(value) >= 0.01 or value == 0 else 3)


def span(first: int | None, last: int | None) -> str:
    """A rank, or the range of ranks that equal runs share.

    >>> span(1, 1), span(5, 14), span(None, None)
    ('1', '5–14', '–')
    """
    if first is None:
        return DASH
    return str(first) if last is None or last == first else f"{first}{DASH}{last}"


def percent(value: float | None, places: int = 1) -> str:
    """A share as people read it.

    >>> percent(0.947082), percent(0.5, 0), percent(None)
    ('94.7%', '50%', '–')
    """
    return DASH if value is None else f"{fixed(100 * value, places)}%"


def chance(p: float | None) -> str:
    """The probability of a difference that is none.

    >>> chance(0.25), chance(0.0004), chance(None)
    ('0.250', '<0.001', '–')
    """
    return "<0.001" if p is not None and p < 0.001 else fixed(p)


def size(count: int | None) -> str:
    """Bytes as people read them.

    >>> size(12), size(45_600), size(3_210_000)
    ('12 B', '45.6 kB', '3.2 MB')
    """
    if count is None:
        return DASH
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def shown(value: Any, kind: str) -> str:
    """A value of a table as it is shown.

    >>> shown(1234, "count"), shown(0.5, "number"), shown(0.5, "share"), shown(None, "text")
    ('1,234', '0.500', '50.0%', '–')
    >>> shown(91.0, "figure"), shown(0.58, "figure"), shown(-0.00021, "change")
    ('91', '0.580', '−0.00021')
    """
    if value is None or value == "":
        return DASH
    match kind:
        case "number":
            return fixed(value)
        case "change":
            return f"{value:+.2g}".replace("-", MINUS)
        case "figure":
            return fixed(value) if value % 1 or abs(value) <= 1 else f"{value:,.0f}"
        case "share":
            return percent(value)
        case "chance":
            return chance(value)
        case "count":
            return f"{value:,}".replace("-", MINUS)
        case "seconds":
            return f"{value:,.1f}"
        case "size":
            return size(value)
        case "digest":
            return str(value)[:12]
    return str(value)


def many(number: int, thing: str) -> str:
    """A number of things.

    >>> many(0, "run"), many(1, "run"), many(1200, "question")
    ('no runs', '1 run', '1,200 questions')
    """
    told = f"{number:,}" if number else "no"
    return f"{told} {thing}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last
