"""The charts for papers: specifications with rows, in the sizes and with the fonts of print."""

import json
from typing import Any

from qampaign.report import chart_data, theme
from qampaign.report.blocks import Chart
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.page import Shown

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
ONE_COLUMN, TWO_COLUMNS = 320, 520
HEIGHT, PER_RUN = 240, 12


def specs(shown: Shown) -> list[tuple[str, str, dict[str, Any]]]:
    """The section, the name and the specification of every chart of a collection."""
    return [
        (section.id, chart.id, figure(chart, shown))
        for section in shown.sections
        for chart in section.charts
    ]


def figure(chart: Chart, shown: Shown) -> dict[str, Any]:
    """The specification of a chart with its rows, sized and styled for paper."""
    title = json.dumps(shown.collection.primary_label)
    spec: dict[str, Any] = json.loads(json.dumps(chart.spec).replace(json.dumps(MEASURE), title))
    rows = chart_data.datasets(chart.uses, shown.collection, shown.tables)
    spec["datasets"] = spec.get("datasets", {}) | rows
    spec["config"] = theme.config(font=FONT, size=9)
    inner = spec.get("spec", spec)
    if "facet" in spec:
        inner["width"] = 80
    else:
        spec["width"] = ONE_COLUMN if chart.half else TWO_COLUMNS
    if chart.per_run:
        runs = len({row["key"] for row in rows[chart.uses[0]]})
        inner["height"] = PER_RUN * max(1, runs) + chart.extra
    else:
        inner["height"] = min(inner.get("height", HEIGHT), HEIGHT)
    return spec
