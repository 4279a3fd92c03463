"""The charts as files for papers: SVG and PNG, in the sizes and with the fonts of print.

A folder for each section and collection: `figures/<section>/<collection>/<chart>.svg`.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import vl_convert

from qampaign.report import chart_data, theme
from qampaign.report.blocks import Chart
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.page import Shown

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
ONE_COLUMN, TWO_COLUMNS = 320, 520
HEIGHT, PER_RUN = 240, 12

SCALE = 2.5
"""Pixels of a PNG for each pixel of the chart, of which there are 72 to the inch."""

OPACITY = re.compile(r' opacity="([\d.]+)"')


def write(shown: Shown, folders: Mapping[str, Path]) -> None:
    """Draw the charts of a collection, in a folder for each section."""
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    for section in shown.sections:
        for chart in section.charts:
            draw(figure(chart, shown), folders[section.id] / f"{chart.id}.svg")


def draw(spec: dict[str, Any], path: Path) -> None:
    """Draw a chart as SVG and, under the same name, as PNG."""
    svg = vl_convert.vegalite_to_svg(spec)
    path.write_text(svg, encoding="utf-8")
    path.with_suffix(".png").write_bytes(vl_convert.svg_to_png(flat(svg), scale=SCALE))


def flat(svg: str) -> str:
    """The same picture without layers: a mark that is a layer takes twice the time.

    >>> flat('<path stroke="red" opacity="0.5"/>')
    '<path stroke="red" fill-opacity="0.5" stroke-opacity="0.5"/>'
    """
    return OPACITY.sub(r' fill-opacity="\1" stroke-opacity="\1"', svg)


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
