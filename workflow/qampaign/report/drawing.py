"""Draws charts into files: `python -m qampaign.report.drawing` with a spec and a path per line.

Light to import, since every drawing process imports it.
"""

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import vl_convert

SCALE = 2.5
"""Pixels of a PNG for each pixel of the chart, of which there are 72 to the inch."""

OPACITY = re.compile(r' opacity="([\d.]+)"')


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


def main(lines: Iterable[str]) -> None:
    """Draw all charts; every line is read first, so that the sender does not wait."""
    for line in list(lines):
        spec, path = json.loads(line)
        draw(spec, Path(path))


if __name__ == "__main__":
    main(sys.stdin)
