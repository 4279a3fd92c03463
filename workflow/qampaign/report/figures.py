"""The charts for papers: specifications with rows, in the sizes and with the fonts of print."""

import json
import textwrap

from qampaign.report import chart_data, theme
from qampaign.report.blocks import Chart, Section
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.page import Shown
from qampaign.report.spec import Spec

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
ONE_COLUMN, TWO_COLUMNS = 320, 520
HEIGHT, PER_RUN = 240, 12
NAMES = 200
"""Pixels for the names of runs, which stand beside what is so wide."""

LETTER, SMALL_LETTER = 6, 4.5
"""Pixels: the mean width of a letter in the title, and of one below it."""


def specs(shown: Shown) -> list[tuple[str, str, Spec]]:
    """The section, the name and the specification of every chart of a collection.

    A chart of a measure of which no run has a value would be empty: it is left out.
    """
    return [
        (section.id, f"{chart.id}{turned}", figure(chart, shown, spec))
        for section in sections_for_papers(shown)
        for chart in section.charts
        if _is_drawn(chart, shown)
        for turned, spec in zip(("", "_turned"), chart.specs, strict=False)
    ]


def _is_drawn(chart: Chart, shown: Shown) -> bool:
    """Whether a run has all that the chart needs of it."""
    if not chart.needs:
        return True
    rows = chart_data.datasets(chart.uses, shown.collection, shown.tables)
    return any(
        all(row.get(name) is not None for name in chart.needs)
        for of_name in rows.values()
        for row in of_name
    )


def sections_for_papers(shown: Shown) -> list[Section]:
    """The sections whose charts are figures for papers: all but that of earlier results."""
    return [section for section in shown.sections if section.id != "changes"]


def figure(chart: Chart, shown: Shown, drawn: Spec | None = None) -> Spec:
    """The specification of a chart with its rows, sized and styled for paper."""
    choice = chart.choices[chart.choice] if chart.choices else None
    title = json.dumps(choice.label if choice else shown.collection.primary_label)
    text = json.dumps(drawn or chart.spec).replace(json.dumps(MEASURE), title)
    spec: Spec = json.loads(text)
    rows = chart_data.datasets(chart.uses, shown.collection, shown.tables, choice)
    spec["datasets"] = spec.get("datasets", {}) | rows
    spec["config"] = theme.config(font=FONT, size=9)
    width = ONE_COLUMN if chart.half else TWO_COLUMNS
    spec |= theme.room_of(width + NAMES)
    spec["title"] = titled(chart.finding, shown.collection.source(), width)
    inner = spec.get("spec", spec)
    if "facet" in spec:
        inner["width"] = 80
    else:
        spec["width"] = width
    if chart.per_run:
        runs = len({row["key"] for row in rows[chart.uses[0]]})
        inner["height"] = PER_RUN * max(1, runs) + chart.extra
    else:
        inner["height"] = min(inner.get("height", HEIGHT), HEIGHT)
    return spec


def titled(finding: str, source: str, width: int) -> Spec:
    """A title that says what the figure shows, and below it what it was made from."""
    return {
        "text": wrap(theme.plain(finding), int(width / LETTER)),
        "subtitle": wrap(theme.plain(source), int(width / SMALL_LETTER)),
    } | theme.TITLE


def wrap(text: str, letters: int) -> list[str]:
    """Lines of at most so many letters."""
    return textwrap.wrap(text, letters) or [""]
