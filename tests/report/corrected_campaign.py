"""A campaign whose assessments are corrected twice: what its report shows of that.

Five runs of the bundled collection clef2009. First the assessments are as they are; then inexact
answers to the first 250 questions count as right; then those to the others, too.
"""

import csv
import shutil
import subprocess
import sys
from pathlib import Path

FROM = Path(__file__).parents[2] / "resources" / "five-papers" / "clef2009"
RUNS = ("base092de", "icia091ro", "loga092de", "sim01en1", "uaic092ro")
CORRECTED = (0, 250, 500)
"""Up to which question inexact answers are right, from one publication to the next."""

CONFIG = """\
campaign: corrected
collections:
  clef2009:
    title: CLEF 2009, five runs, assessments corrected twice
    questions: questions.csv
    runs: runs/*.csv
    assessments: assessments.csv
    labels: {R: right, W: wrong, X: inexact, U: unsupported}
    measures: [c_at_1, accuracy]
    primary: c_at_1
    studies: {}
"""


def run(folder: Path) -> Path:
    """Run the campaign in an empty folder, once for each state of the assessments; gives its page."""
    (folder / "runs").mkdir()
    for name in RUNS:
        shutil.copy(FROM / "runs" / f"{name}.csv", folder / "runs")
    shutil.copy(FROM / "questions.csv", folder)
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    program = Path(sys.executable).with_name("qampaign")
    for last in CORRECTED:
        _assess(folder / "assessments.csv", last)
        subprocess.run([program, "run", "config.yaml", "--cores", "2"], cwd=folder, check=True)
    return folder / "results" / "corrected" / "report" / "index.html"


def _assess(file: Path, last: int) -> None:
    """The assessments, in which inexact answers to questions up to number `last` are right."""
    with (FROM / "assessments.csv").open(encoding="utf-8", newline="") as given:
        rows = list(csv.DictReader(given))
    for row in rows:
        if row["label"] == "X" and int(row["question"].removeprefix("q")) <= last:
            row |= {"label": "R", "class": "a"}
    with file.open("w", encoding="utf-8", newline="") as made:
        writer = csv.DictWriter(made, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
