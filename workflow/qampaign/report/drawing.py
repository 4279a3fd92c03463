"""Draws charts into files, as SVG and PNG. Light to import: it needs neither tables nor Altair."""

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import vl_convert

from qampaign.report.compiling import with_rows
from qampaign.report.spec import Spec

SCALE = 2.5
"""Pixels of a PNG for each pixel of the chart, of which there are 72 to the inch."""

OPACITY = re.compile(r' opacity="([\d.]+)"')


def draw_all(
    specs: Iterable[tuple[str, str, Spec]], folders: Mapping[str, Path], paper: Path
) -> None:
    """Draw charts, given by section, name and specification, in the folder of their section.

    The folder `paper` gets the same PNG files.
    """
    for folder in (*folders.values(), paper):
        folder.mkdir(parents=True, exist_ok=True)
    for section, name, spec in specs:
        drawn = folders[section] / f"{name}.svg"
        draw(spec, drawn)
        shutil.copyfile(drawn.with_suffix(".png"), paper / f"{section}-{name}.png")


def as_svg(spec: Spec) -> str:
    """A chart with its rows as the text of an SVG file."""
    svg: str = vl_convert.vega_to_svg(with_rows(spec))
    return svg


def draw(spec: Spec, path: Path) -> None:
    """Draw a chart as SVG and, under the same name, as PNG."""
    svg = as_svg(spec)
    path.write_text(svg, encoding="utf-8")
    path.with_suffix(".png").write_bytes(vl_convert.svg_to_png(flat(svg), scale=SCALE))


def flat(svg: str) -> str:
    """The same picture without layers: a mark that is a layer takes twice the time.

    >>> flat('<path stroke="red" opacity="0.5"/>')
    '<path stroke="red" fill-opacity="0.5" stroke-opacity="0.5"/>'
    """
    return OPACITY.sub(r' fill-opacity="\1" stroke-opacity="\1"', svg)
