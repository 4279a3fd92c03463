"""Draws a chart into files. Light to import: it runs in processes of its own."""

from pathlib import Path
from typing import Any

import vl_convert

SCALE = 2.5
"""Pixels of a PNG for each of the chart's, of which there are 72 to the inch."""


def draw(spec: dict[str, Any], path: Path) -> None:
    """Draw a chart as SVG and, under the same name, as PNG."""
    svg = vl_convert.vegalite_to_svg(spec)
    path.write_text(svg, encoding="utf-8")
    path.with_suffix(".png").write_bytes(vl_convert.svg_to_png(svg, scale=SCALE))
