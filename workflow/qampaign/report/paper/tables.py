"""The tables of a collection that papers print, from those of the page."""

from collections.abc import Iterator, Sequence
from typing import Any

from qampaign.report import leaderboards
from qampaign.report.blocks import NUMERIC, Table
from qampaign.report.page import Shown
from qampaign.report.paper.markup import Cell, PaperTable
from qampaign.report.text import DASH, cell

PRINTED = {
    "neighbours": "comparisons",
    "planned": "planned",
    "agreement": "agreement",
    "assessors": "assessors",
    "sensitivity": "sensitivity",
}
"""Tables of the page, each with the name of its files."""


def tables_of(shown: Shown) -> dict[str, PaperTable]:
    """The tables of a collection by the names of their files."""
    found = {"leaderboard": leaderboards.table(shown.collection)}
    if intervals := leaderboards.intervals(shown.collection):
        found["intervals"] = intervals
    blocks = [block for section in shown.sections for block in section.blocks]
    for block in blocks:
        if isinstance(block, Table) and block.id in PRINTED:
            found[PRINTED[block.id]] = as_printed(block)
    return found


def as_printed(table: Table) -> PaperTable:
    """A table of the page for papers: both ends of an interval in one column, no empty columns."""
    columns = [
        (label, is_text, cells)
        for label, is_text, cells in _joined(table)
        if any(text != DASH for text in cells)
    ]
    heads = [(label, is_text) for label, is_text, _ in columns]
    rows = [[Cell(cells[row]) for *_, cells in columns] for row in range(len(table.rows))]
    note = " ".join(text for text in (table.caption, table.cut) if text)
    return PaperTable(table.title, heads, rows, note)


Column = tuple[str, bool, Sequence[str]]
"""A heading, whether the column is of text, and its cells."""


def _joined(table: Table) -> Iterator[Column]:
    columns = list(table.columns)
    values: list[tuple[Any, ...]] = list(zip(*table.rows, strict=True))
    index = 0
    while index < len(columns):
        column = columns[index]
        if [each.label for each in columns[index : index + 2]] == ["from", "to"]:
            ends = zip(
                *(
                    [cell(value, each.kind) for value in of_column]
                    for each, of_column in zip(
                        columns[index : index + 2], values[index : index + 2], strict=True
                    )
                ),
                strict=True,
            )
            yield (
                "95% interval",
                False,
                [DASH if DASH in pair else " to ".join(pair) for pair in ends],
            )
            index += 2
        else:
            texts = [cell(value, column.kind) for value in values[index]]
            yield column.label, column.kind not in NUMERIC, texts
            index += 1
