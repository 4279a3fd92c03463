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

from qampaign.report import drawing, records, theme
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.collection import Collection
from qampaign.report.page import Shown
from qampaign.report.parts import Chart

FOLDERS = ("leaderboard", "abstention", "ranked", "validation", "judges", "measures")
"""The sections that have charts."""

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
ONE_COLUMN, TWO_COLUMNS = 320, 520
HEIGHT, PER_RUN = 240, 12

FEW = 12
"""A process draws at least so many, or its start would not be worth it."""


@contextmanager
def drawn(shown: Sequence[Shown], folder: Path, *, processes: int = 1) -> Iterator[None]:
    """The charts of all collections, drawn below a folder that has one for each section.

    They are drawn by other processes while the body is at work, and are there when it ends.
    """
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    charts = [
        (each, chart, folder / section.id / f"{each.collection.id}-{chart.id}.svg")
        for each in shown
        for section in each.sections
        for chart in section.charts
    ]
    workers = [_start() for _ in range(min(processes, math.ceil(len(charts) / FEW)))]
    try:
        for place, (each, chart, path) in enumerate(charts):
            pipe = workers[place % len(workers)].stdin
            assert pipe is not None
            pipe.write(json.dumps((figure(chart, each), str(path))) + "\n")
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
        raise RuntimeError("a chart could not be drawn; what was wrong stands above")


def _start() -> subprocess.Popen[str]:
    """A process that draws what it is told; it takes all in before it draws the first."""
    return subprocess.Popen(
        [sys.executable, "-m", drawing.__name__],
        stdin=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def figure(chart: Chart, shown: Shown) -> dict[str, Any]:
    """The specification of a chart with its rows, its size and its look on paper."""
    collection = shown.collection
    text = json.dumps(chart.spec).replace(json.dumps(MEASURE), json.dumps(_title(collection)))
    spec: dict[str, Any] = json.loads(text)
    rows = records.datasets(chart.uses, collection, shown.tables)
    spec["datasets"] = spec.get("datasets", {}) | rows
    spec["config"] = theme.config(font=FONT, size=9)
    inner = spec.get("spec", spec)
    if "facet" in spec:
        inner["width"] = 80
    else:
        spec["width"] = ONE_COLUMN if chart.half else TWO_COLUMNS
    if chart.per_run:
        drawn = len({row["key"] for row in rows[chart.uses[0]]})
        inner["height"] = PER_RUN * max(1, drawn) + chart.extra
    else:
        inner["height"] = min(inner.get("height", HEIGHT), HEIGHT)
    return spec


def _title(collection: Collection) -> str:
    if not collection.measures:
        return ""
    return theme.plain(str(collection.measures[collection.primary or 0]["label"]))
