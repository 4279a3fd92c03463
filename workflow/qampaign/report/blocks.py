"""What a section of the report is made of: sentences, charts and tables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

MOST_EXAMPLES = 40
"""A table of examples shows so many rows."""

NUMERIC = ("number", "figure", "change", "count", "share", "chance", "size", "seconds")
"""Kinds of columns that are sorted by value and aligned to the right."""


class Reading(NamedTuple):
    """How to read a chart, and what it shows here, if there is something to say."""

    how: str
    finding: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart with its title, which says what it is about, and how it is read.

    What it shows here is its heading, where that is known. `uses` names its rows, `data`
    holds those tables that not every collection has; charts that give the same name share the rows.
    `per_run` is the height of a run in pixels where the chart has a row for each, `extra` what is
    added for the whole chart; charts with `half` stand side by side.
    """

    id: str
    title: str
    spec: dict[str, Any]
    reading: Reading
    uses: tuple[str, ...] = ("runs",)
    data: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    per_run: int | None = None
    extra: int = 0
    half: bool = False
    other: tuple[str, str, dict[str, Any]] | None = None
    """The same seen in another way: what the first is called, what the other is, and its chart."""

    @property
    def specs(self) -> list[dict[str, Any]]:
        return [self.spec, *([self.other[2]] if self.other else [])]

    @property
    def finding(self) -> str:
        """What the chart shows, as a heading: its first sentence."""
        first = re.split(r"(?<=[a-z)%\d])\. (?=[A-Z])", self.reading.finding, maxsplit=1)[0]
        return first.removesuffix(".") or self.title

    @property
    def caption(self) -> str:
        """How the chart is read, and what more there is to say of what it shows."""
        rest = self.reading.finding.removeprefix(self.finding).removeprefix(".").strip()
        return f"{self.reading.how} {rest}".strip()

    @property
    def follows(self) -> bool:
        """Whether the chart shows what the reader chooses."""
        return not {"runs", "slices", "judges"}.isdisjoint(self.uses)


@dataclass(frozen=True)
class TableColumn:
    """A column of a table: its heading and the kind of its values (see `text.cell`)."""

    label: str
    kind: str = "text"
    hint: str = ""


TableColumns = Mapping[str, TableColumn]
"""Columns of a frame, by name."""


@dataclass(frozen=True)
class Table:
    """A table with its title and caption; one that is `closed` opens on a click."""

    id: str
    title: str
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    closed: bool = False
    cut: str = ""
    """Says that rows were left out."""


@dataclass(frozen=True)
class Section:
    """A question that readers come with, and the charts and tables that answer it."""

    id: str
    title: str
    blocks: Sequence[Chart | Table]
    sentences: Sequence[str] = ()

    @property
    def charts(self) -> list[Chart]:
        return [block for block in self.blocks if isinstance(block, Chart)]


def optional_table(
    table_id: str,
    title: str,
    frame: pl.DataFrame,
    columns: TableColumns,
    *,
    most: int | None = None,
    caption: str = "",
    closed: bool = False,
) -> list[Table]:
    """Some columns of a frame as a table, or no table where the frame has no rows.

    Of more than `most` rows only the first are shown, and the table says so.
    """
    if frame.is_empty():
        return []
    kept = frame if most is None else frame.head(most)
    cut = ""
    if kept.height < frame.height:
        cut = f"The first {kept.height} of {frame.height:,} rows."
    rows = kept.select(list(columns)).rows()
    return [Table(table_id, title, list(columns.values()), rows, caption, closed, cut)]
