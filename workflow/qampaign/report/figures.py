"""The charts as files for papers: SVG and PNG, in the sizes and with the fonts of print.

A folder for each section: `figures/<section>/<collection>-<chart>.svg`.
"""

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qampaign.report import chart_data, drawing, theme
from qampaign.report.blocks import Chart
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.page import Shown

FOLDERS = ("leaderboard", "abstention", "ranked", "validation", "judges", "measures")
"""The sections that have charts."""

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
ONE_COLUMN, TWO_COLUMNS = 320, 520
HEIGHT, PER_RUN = 240, 12

FEW = 12
"""A process that draws fewer charts than this would not be worth its start."""


@contextmanager
def drawn(shown: Sequence[Shown], folder: Path, *, processes: int = 1) -> Iterator[None]:
    """Draw the charts of all collections, in a folder for each section.

    Other processes draw them while the body of the `with` statement runs; at its end they exist.
    """
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    charts = [
        (one, chart, folder / section.id / f"{one.collection.id}-{chart.id}.svg")
        for one in shown
        for section in one.sections
        for chart in section.charts
    ]
    workers = [_start() for _ in range(min(processes, math.ceil(len(charts) / FEW)))]
    try:
        for index, (one, chart, path) in enumerate(charts):
            pipe = workers[index % len(workers)].stdin
            assert pipe is not None
            pipe.write(json.dumps((figure(chart, one), str(path))) + "\n")
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.close()
        yield
    except BaseException:
        for worker in workers:
            worker.kill()
        raise
    finally:
        failed = [worker for worker in workers if worker.wait()]
    if failed:
        raise RuntimeError("a chart could not be drawn; the reason is above")


def _start() -> subprocess.Popen[str]:
    """A process that draws the charts that it is sent."""
    return subprocess.Popen(
        [sys.executable, "-m", drawing.__name__],
        stdin=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


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
