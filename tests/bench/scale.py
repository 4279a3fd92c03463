"""What a large campaign costs Snakemake itself: planning, memory of the master, seconds per job.

    python -m tests.bench.scale --collections 200 --runs 50 --questions 2000

Generates the campaign, loads it, plans it, runs it on this machine (`--only-plan` does not, `--minutes 20`
for so long), and prints what each step took and what of it was the master's own time.
"""

import argparse
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import yaml

ROOT = Path(__file__).parents[2]
DISTINCT = 8
"""How many collections differ; the others are links to their files."""
ANSWERS = 5
"""How many answers to a question there are."""
MEASURES = ["c_at_1", "accuracy", "utility", "answered", "precision_answered"]


def generate(folder: Path, collections: int, runs: int, questions: int) -> None:
    """A campaign with one answer per run and question, each answer assessed once for all runs."""
    names = [f"c{number:05}" for number in range(collections)]
    for number, name in enumerate(names):
        if number < DISTINCT:
            _write_collection(folder / name, np.random.default_rng(number), runs, questions)
        else:
            source = folder / names[number % DISTINCT]
            shutil.copytree(source, folder / name, copy_function=os.link)
    config = {
        "campaign": "scale",
        "defaults": {"labels": {"R": "right", "W": "wrong"}, "measures": MEASURES},
        "collections": {
            name: {
                "questions": f"{name}/questions.csv",
                "runs": f"{name}/runs/*.csv",
                "assessments": f"{name}/assessments.csv",
            }
            for name in names
        },
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))


def _write_collection(folder: Path, rng: np.random.Generator, runs: int, questions: int) -> None:
    (folder / "runs").mkdir(parents=True)
    ids = pl.Series("question", [f"q{number:06}" for number in range(questions)])
    types = pl.Series("type", ["factoid", "definition", "list"])
    texts = pl.Series("answer", [f"the answer number {number}" for number in range(ANSWERS)])
    pl.DataFrame([ids, types.gather(rng.integers(0, 3, questions))]).write_csv(
        folder / "questions.csv"
    )
    labels = pl.Series("label", ["R", "W"]).gather(rng.integers(0, 2, questions * ANSWERS))
    pairs = ids.to_frame().join(texts.to_frame(), how="cross")
    pairs.with_columns(labels).write_csv(folder / "assessments.csv")
    for number in range(runs):
        given = texts.gather(rng.integers(0, ANSWERS, questions))
        answered = pl.Series("answered", rng.random(questions) > 0.1)
        pl.DataFrame([ids, given, answered]).write_csv(folder / "runs" / f"run{number:03}.csv")


@dataclass
class Measured:
    """A run of Snakemake: seconds on the clock, of the master's processor, and its memory."""

    seconds: float
    own_seconds: float
    megabytes: float
    output: str


def measure(folder: Path, *options: str, minutes: float = math.inf) -> Measured:
    """Run Snakemake on the generated campaign and watch it until it ends, or is interrupted."""
    command = [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")),
        *("--workflow-profile", str(ROOT / "workflow/profiles/default")),
        *("--configfile", str(folder / "config.yaml")),
        *("--directory", str(folder / "work"), *options),
    ]
    path = os.pathsep.join([str(ROOT / "workflow"), os.environ.get("PYTHONPATH", "")])
    (folder / "work").mkdir(exist_ok=True)
    with tempfile.TemporaryFile("w+") as output:
        begun = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONPATH": path, "TERM": "dumb"},
        )
        own = megabytes = 0.0
        while process.poll() is None:
            try:
                own, megabytes = _usage(process.pid)
            except (OSError, ValueError, IndexError):
                break
            time.sleep(0.05)
            if time.perf_counter() - begun > 60 * minutes:
                process.send_signal(signal.SIGINT)
                break
        process.wait()
        seconds = time.perf_counter() - begun
        output.seek(0)
        text = output.read()
    assert process.returncode == 0 or seconds > 60 * minutes, text[-3000:]
    return Measured(seconds, own, megabytes, text)


def _usage(process: int) -> tuple[float, float]:
    """Seconds of processor time of a process without its children, and its highest memory in MB."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    status = Path(f"/proc/{process}/status").read_text()
    return own, int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024


def computing(folder: Path) -> Iterator[float]:
    """The seconds that jobs spent computing, by their own logs."""
    for log in (folder / "work/results/scale/logs").rglob("*.log"):
        yield from (float(each) for each in re.findall(r"computed in ([\d.]+) s", log.read_text()))


def show(step: str, measured: Measured) -> None:
    print(
        f"{step:<28} {measured.seconds:8.1f} s, master {measured.own_seconds:7.1f} s, "
        f"{measured.megabytes:6.0f} MB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--collections", type=int, default=200)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--only-plan", action="store_true", help="do not run what was planned")
    parser.add_argument("--minutes", type=float, default=math.inf, help="run no longer than this")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scale-") as made:
        folder = Path(made)
        begun = time.perf_counter()
        generate(folder, given.collections, given.runs, given.questions)
        rows = given.collections * given.runs * given.questions
        print(f"{rows:,} responses generated in {time.perf_counter() - begun:.1f} s", flush=True)
        show("planning, nothing loaded", measure(folder, "--dry-run"))
        loaded = measure(folder, "--until", "ingest")
        show("loading", loaded)
        planned = measure(folder, "--dry-run")
        show("planning, all loaded", planned)
        steps = int(re.findall(r"(\d+) steps would run", planned.output)[0])
        if not given.only_plan:
            before = sum(computing(folder))
            ran = measure(folder, minutes=given.minutes)
            show(f"running {steps} steps", ran)
            done = int(re.findall(r"^\[ *(\d+)/", ran.output, re.MULTILINE)[-1])
            inside = sum(computing(folder)) - before
            print(
                f"{done} of them ended, {done / ran.seconds:.2f} per second; for each the master took "
                f"{1000 * ran.own_seconds / done:.0f} ms, the work itself "
                f"{1000 * inside / done:.0f} ms of {os.cpu_count()} cores' "
                f"{1000 * ran.seconds * (os.cpu_count() or 1) / done:.0f} ms"
            )
            if done == steps:
                show("again, nothing to do", measure(folder))


if __name__ == "__main__":
    main()
