"""Speed against yardsticks that run on the same machine, in the same minute: `make bench`.

Times alone mean nothing on a shared machine; each line prints both times and their ratio. Not part
of the tests: nothing here passes or fails.
"""

import argparse
import resource  # noqa: F401 (used by the measured processes)
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LABELS = ["R", "W", "X", "U"]


def generate(folder: Path, runs: int, questions: int) -> None:
    """A campaign of one answer per run and question, with a file of assessments for each run."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(2011)
    names = pl.Series("question", [f"q{n:06}" for n in range(questions)])
    answers = pl.Series([f"answer number {n}" for n in range(40)])
    types = pl.Series(["factoid", "definition", "list"])
    for part in ("runs", "assessments"):
        (folder / part).mkdir(parents=True)
    pl.DataFrame(
        {"question": names, "type": types.gather(rng.integers(0, 3, questions))}
    ).write_csv(folder / "questions.csv")
    for n in range(runs):
        given = answers.gather(rng.integers(0, 40, questions))
        pl.DataFrame(
            {"question": names, "answer": given, "answered": rng.random(questions) > 0.1}
        ).write_csv(folder / "runs" / f"run{n:03}.csv")
        labels = pl.Series(LABELS).gather(rng.integers(0, 4, questions))
        pl.DataFrame({"question": names, "label": labels}).select(
            "question", pl.lit(f"run{n:03}").alias("run"), pl.lit(1).alias("rank"), "label"
        ).write_csv(folder / "assessments" / f"run{n:03}.csv")


def load(folder: Path, assessments: bool) -> None:
    """Ingest, with or without the assessments."""
    from tests.bench.pipeline import ingest

    labelled = {"assessments": ["assessments/*.csv"]} if assessments else {}
    ingest(folder, questions=["questions.csv"], responses=["runs/*.csv"], **labelled)


def bare_read(folder: Path) -> None:
    """The yardstick of ingest: DuckDB reads the same files into a table."""
    import duckdb

    with duckdb.connect(str(folder / "bare.duckdb")) as connection:
        files = str(folder / "runs" / "*.csv")
        connection.execute("CREATE TABLE responses AS FROM read_csv(?, filename = true)", [files])


def judge_and_score(folder: Path) -> None:
    """Judge, and score by every abstention measure."""
    from qampaign.measures import MEASURES
    from qampaign.measures.scoring import Configured
    from tests.bench import pipeline

    own = [each for each in MEASURES.values() if each.function.__module__.endswith("abstention")]
    pipeline.judge_and_score(folder, [Configured(each.id, each.id, {}) for each in own])


def bare_join(folder: Path) -> float:
    """The yardstick of judge and score: one join of responses and labels, written as Parquet.

    Gives the seconds of just that; reading the frames beforehand is not part of it.
    """
    import polars as pl

    from qampaign.input import store

    key = ["run", "question", "rank"]
    frames = [
        store.read(folder / "campaign.duckdb", "c", table, [*key, *more])
        for table, more in (("responses", ["answer", "answered"]), ("assessments", ["verdict"]))
    ]
    begun = time.perf_counter()
    joined: pl.DataFrame = frames[0].join(frames[1], on=key, how="left")
    joined.write_parquet(folder / "joined.parquet")
    return time.perf_counter() - begun


def measured(step: Callable[..., Any], *arguments: Any) -> tuple[float, float]:
    """Seconds and GiB at most of a step in a process of its own, imports not counted."""
    words = ", ".join(repr(str(each) if isinstance(each, Path) else each) for each in arguments)
    program = (
        "import duckdb, polars, tests.bench.pipeline, pathlib, time\n"
        "from tests.bench import foundation as run\n"
        f"arguments = [pathlib.Path(a) if isinstance(a, str) else a for a in ({words},)]\n"
        "begun = time.perf_counter()\n"
        f"found = run.{step.__name__}(*arguments)\n"
        "print(time.perf_counter() - begun if found is None else found)\n"
        "print(run.resource.getrusage(run.resource.RUSAGE_SELF).ru_maxrss / 2**20)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    seconds, memory = done.stdout.split()[-2:]
    return float(seconds), float(memory)


def tell(
    what: str, seconds: float, against: str, yardstick: float, aim: str, more: str = ""
) -> None:
    print(f"{what}: {seconds:.2f} s; {against}: {yardstick:.2f} s; ratio {seconds / yardstick:.2f} "
          f"(aim: {aim}){more}", flush=True)  # fmt: skip


def bench_large(folder: Path, runs: int, questions: int) -> None:
    """Ingest, incremental ingest, judging and scoring of one large collection."""
    print(
        f"{runs} runs x {questions:,} questions = {runs * questions:,} responses, CSV", flush=True
    )
    generate(folder, runs, questions)
    bare, _ = measured(bare_read, folder)
    seconds, memory = measured(load, folder, False)
    more = f"; {memory:.2f} GiB at most (aim: 6)"
    tell("ingest of responses", seconds, "bare read_csv", bare, "at most 4", more)
    (folder / "campaign.duckdb").unlink()
    full, memory = measured(load, folder, True)
    path = folder / "assessments" / "run000.csv"
    text = path.read_text()
    path.write_text(text.replace(",R\n", ",W\n", 1))
    again, _ = measured(load, folder, True)
    tell("ingest after one label is corrected", again, "full ingest", full, "at most 0.15")
    bare, _ = measured(bare_join, folder)
    seconds, memory = measured(judge_and_score, folder)
    more = f"; {memory:.2f} GiB at most"
    tell("judge + score", seconds, "bare join + Parquet", bare, "at most 2.5", more)


def bench_bundled(folder: Path) -> None:
    """The bundled campaign from nothing, and again with nothing to do."""
    command = [str(Path(sys.executable).with_name("snakemake")), "--snakefile", str(ROOT / "Snakefile"),
               "--workflow-profile", str(ROOT / "workflow/profiles/default"), "--directory", str(folder)]  # fmt: skip
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.perf_counter() - begun
    logs = list(folder.rglob("results/*/logs/**/*.log"))
    computing = sum(float(log.read_text().split()[-2]) for log in logs)  # "computed in 0.123 s"
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    idle = time.perf_counter() - begun
    print(
        f"bundled campaign from nothing: {seconds:.1f} s for {len(logs)} jobs, {computing:.1f} s of it "
        f"computing ({computing / seconds:.0%}); with nothing to do: {idle:.1f} s and no job"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--only-large", action="store_true", help="leave out the bundled campaign")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="qampaign-bench-"))
    try:
        if not options.only_large:
            bench_bundled(folder / "bundled")
        bench_large(folder / "large", options.runs, options.questions)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
