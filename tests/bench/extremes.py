"""Campaigns that are large in one direction: the seconds and the memory of each of their steps.

    python -m tests.bench.extremes questions assessors files [--size 100000]

`questions`: one run with a million questions; `assessors`: 100,000 assessors of one answer;
`files`: 3,000 files with labels. Every step should take time and memory in proportion to the size,
and none more than 3 GiB.
"""

import argparse
import re
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import yaml

from tests.bench.scale import measure

SIZES = {"questions": 1_000_000, "assessors": 100_000, "files": 3_000}
MOST = 3 * 1024
"""Megabytes that no step should exceed."""


def write_questions(folder: Path, size: int) -> None:
    """One run that answers all questions but some, half of them rightly."""
    rng = np.random.default_rng(1)
    ids = pl.Series("question", [f"q{number:07}" for number in range(size)])
    answers = pl.Series("answer", [f"answer {number}" for number in range(size)])
    answered, confidence = rng.random(size) > 0.1, rng.random(size).round(3)
    labels = pl.Series("label", ["R", "W"]).gather(rng.integers(0, 2, size))
    run = pl.DataFrame([ids, answers]).with_columns(
        answered=pl.Series(answered), confidence=pl.Series(confidence)
    )
    run.write_csv(folder / "runs.csv")
    pl.DataFrame([ids, answers, labels]).write_csv(folder / "assessments.csv")


def write_assessors(folder: Path, size: int) -> None:
    """Two runs with two questions, and as many people who judge one answer."""
    runs = "run,question,answer\na,q1,Paris\na,q2,1912\nb,q1,Rome\nb,q2,1911\n"
    (folder / "runs.csv").write_text(runs)
    labels = pl.Series("label", ["R", "W"]).gather([number % 3 == 0 for number in range(size)])
    one = pl.DataFrame({"assessor": [f"p{number:06}" for number in range(size)], "label": labels})
    others = pl.DataFrame(
        {
            "assessor": ["p000000"] * 3,
            "label": ["W", "R", "W"],
            "question": ["q1", "q2", "q2"],
            "answer": ["Rome", "1912", "1911"],
        }
    )
    one = one.with_columns(question=pl.lit("q1"), answer=pl.lit("Paris"))
    pl.concat([one, others]).write_csv(folder / "assessments.csv")


def write_files(folder: Path, size: int) -> None:
    """Three runs, and for each question a file with the labels of its answers."""
    rng = np.random.default_rng(2)
    ids = [f"q{number:05}" for number in range(size)]
    rows = [f"{run},{question},{'xy'[rng.integers(2)]}" for run in "abc" for question in ids]
    (folder / "runs.csv").write_text("\n".join(["run,question,answer", *rows, ""]))
    (folder / "assessments").mkdir()
    for question in ids:
        text = f"question,answer,label\n{question},x,R\n{question},y,W\n"
        (folder / f"assessments/{question}.csv").write_text(text)


WRITE = {"questions": write_questions, "assessors": write_assessors, "files": write_files}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=list(SIZES))
    parser.add_argument("--size", type=int, help="instead of the size of each case")
    given = parser.parse_args()
    for case in given.cases:
        size = given.size or SIZES[case]
        with tempfile.TemporaryDirectory(prefix="extremes-") as made:
            folder = Path(made)
            WRITE[case](folder, size)
            config = {
                "campaign": "extreme",
                "collections": {
                    "one": {
                        "runs": "runs.csv",
                        "assessments": "assessments/*.csv"
                        if case == "files"
                        else "assessments.csv",
                        "labels": {"R": "right", "W": "wrong"},
                        "ties": ["right"],
                    }
                },
            }
            (folder / "config.yaml").write_text(yaml.safe_dump(config))
            whole = measure(folder, "--cores", "1")
            print(f"{size:,} {case}: {whole.seconds:.0f} s in all", flush=True)
            for log in sorted((folder / "work/results/extreme/logs").rglob("*.log")):
                text = log.read_text()
                (memory,) = re.findall(r"took at most (\d+) MB", text)
                (seconds,) = re.findall(r"computed in ([\d.]+) s", text)
                over = "  <-- more than 3 GiB" if int(memory) > MOST else ""
                print(
                    f"  {log.parent.name + ' ' + log.stem:<22} {float(seconds):8.1f} s {int(memory):7,} MB{over}"
                )


if __name__ == "__main__":
    main()
