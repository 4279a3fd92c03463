"""What a section of the report is made of: sentences, charts and tables."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from qampaign.report.collection import CollectionResults
from qampaign.report.spec import Spec
from qampaign.report.text import isolated

MOST_EXAMPLES = 40
"""A table of examples shows so many rows."""

VIEWED = {"runs", "slices", "judges"}
"""The rows of charts that the page makes for the judge and the slice that the reader chooses."""

EVERYTHING = ("judge", "slice", "measure")
"""What the reader chooses."""

NUMERIC = (
    *("number", "figure", "long figure", "amount", "change"),
    *("count", "share", "chance", "size", "seconds"),
)
"""Kinds of columns that are sorted by value and aligned to the right."""


class Reading(NamedTuple):
    """How to read a chart, and what it shows here, if there is something to say."""

    how: str
    finding: str = ""

    @property
    def heading(self) -> str:
        """What the chart shows, as a heading: the first sentence of it, if there is any."""
        first = re.split(r"(?<=[a-z)%\d])\. (?=[A-Z])", self.finding, maxsplit=1)[0]
        return first.removesuffix(".")

    @property
    def caption(self) -> str:
        """How the chart is read, and the sentences after the heading."""
        rest = self.finding.removeprefix(self.heading).removeprefix(".").strip()
        return f"{self.how} {rest}".strip()


@dataclass(frozen=True)
class Choice:
    """A measure that a chart can be of: the columns of its rows, its bounds, and its reading.

    The columns hold whole numbers, which take less room: `parts` of them are 1.
    Charts of all measures are read in the same way: only the heading changes with the choice.
    """

    label: str
    columns: Mapping[str, str]
    parts: int
    bounds: Mapping[str, float]
    title: str
    reading: Reading

    def payload(self) -> dict[str, object]:
        """What the page's script needs to show the chart of this measure."""
        return {
            "label": self.label,
            "columns": self.columns,
            "parts": self.parts,
            "bounds": self.bounds,
            "heading": isolated(self.reading.heading or self.title),
        }


@dataclass(frozen=True)
class Chart:
    """A chart with its title, which says what it is about, and how it is read.

    What it shows here is its heading, where that is known. `uses` names its rows, `data`
    holds those tables that not every collection has; charts that give the same name share the rows.
    `follow` reads it for another judge, slice or measure; without it, what is said of a chart that
    follows the reader's choice is shown for the first view alone.
    `per_run` is the height of a run in pixels where the chart has a row for each, `extra` what is
    added for the whole chart; charts with `half` stand side by side.
    """

    id: str
    title: str
    spec: Spec
    reading: Reading
    uses: tuple[str, ...] = ("runs",)
    data: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    per_run: int | None = None
    extra: int = 0
    half: bool = False
    follow: Callable[[CollectionResults], Reading] | None = None
    needs: tuple[str, ...] = ()
    """What a run without is not drawn: where no run has all of it, no chart is shown."""
    other: tuple[str, str, Spec] | None = None
    """The same seen in another way: what the first is called, what the other is, and its chart."""
    choices: Sequence[Choice] = ()
    """The measures that the reader can choose; charts with the same rows share them."""
    choice: int = 0
    """Which of them it starts with."""

    @property
    def specs(self) -> list[Spec]:
        return [self.spec, *([self.other[2]] if self.other else [])]

    @property
    def finding(self) -> str:
        """What the chart shows, as a heading."""
        return self.reading.heading or self.title

    @property
    def caption(self) -> str:
        """How the chart is read, and what more there is to say of what it shows."""
        return self.reading.caption

    @property
    def follows(self) -> bool:
        """Whether the chart shows the judge and the slice that the reader chooses."""
        return set(self.uses) <= VIEWED


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
    rows: Sequence[Sequence[object]]
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
    follow: Callable[[CollectionResults], list[str]] | None = None
    """Makes the sentences for another judge, slice or measure."""
    fixed: tuple[str, ...] = ("judge", "slice")
    """The choices that what does not follow them is not shown for: it would be about others."""

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
