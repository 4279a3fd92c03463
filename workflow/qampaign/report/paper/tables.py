"""The tables of a collection that papers print, from those of the page."""

from collections.abc import Iterator

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
    tables = {"leaderboard": leaderboards.table(shown.collection)}
    if intervals := leaderboards.intervals(shown.collection):
        tables["intervals"] = intervals
    blocks = [block for section in shown.sections for block in section.blocks]
    for block in blocks:
        if isinstance(block, Table) and block.id in PRINTED:
            tables[PRINTED[block.id]] = as_printed(block)
    return tables


def as_printed(table: Table) -> PaperTable:
    """A table of the page for papers: both ends of an interval in one column."""
    columns = list(_columns(table))
    heads = [(label, is_text) for label, is_text, _ in columns]
    rows = [[Cell(cells[row]) for *_, cells in columns] for row in range(len(table.rows))]
    note = " ".join(text for text in (table.caption, table.cut) if text)
    return PaperTable(table.title, heads, rows, note)


def _columns(table: Table) -> Iterator[tuple[str, bool, list[str]]]:
    """Each column: its heading, whether it is of text, and its cells."""
    low: list[str] = []
    for column, values in zip(table.columns, zip(*table.rows, strict=True), strict=True):
        texts = [cell(value, column.kind) for value in values]
        if column.label == "from":
            low = texts
        elif column.label == "to":
            ends = zip(low, texts, strict=True)
            joined = [DASH if DASH in pair else " to ".join(pair) for pair in ends]
            yield "95% interval", False, joined
        else:
            yield column.label, column.kind not in NUMERIC, texts
