"""What it costs to publish answers, against writing them as Parquet once.

    python -m tests.bench.answers --rows 10_000_000

Makes judgments of so many answers, puts them into the table of answers as the jobs do (a file of the
collection, then the database), each in a process of its own, and writes the same rows once, from
memory: with DuckDB, which holds the table, and with polars, the quickest writer known; both compress
as the job does. Each step by the clock and by the processor, which others on the machine disturb
less; the memory is the highest of each process.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from qampaign.judging.judgments import Verdict
from qampaign.publishing.answers import JudgedFile, write_answers
from qampaign.publishing.database import write_database
from qampaign.running.jobs import peak
from qampaign.tables import RESULT_TABLES

ROWS = 10_000_000
QUESTIONS = 100_000
WANTED = 3.0
"""Publishing should take at most so many times as long as writing once. It does if DuckDB writes
once, and takes about 4 times as long as polars. Most of that is DuckDB storing the rows compressed:
not compressed at all, in four times the space, it would still be 3.5 times as long as polars."""
VERDICTS = ["right", "wrong", "inexact", "not_attempted"]


def generate(folder: Path, rows: int) -> None:
    """Judgments as a judge leaves them: runs over QUESTIONS questions, with texts of some words."""
    rng = np.random.default_rng(0)
    questions = min(QUESTIONS, rows)
    runs = rows // questions
    ids = pl.Enum([f"q{number:06}" for number in range(questions)])
    names = pl.Enum([f"run{number:03}" for number in range(runs)])
    words = np.array([f"word{number}" for number in range(5_000)])
    texts = pl.Series([" ".join(each) for each in words[rng.integers(0, 5_000, (200_000, 6))]])
    frames = [
        pl.DataFrame(
            {
                "run": pl.Series([names.categories[run]]).new_from_index(0, questions),
                "question": ids.categories,
                "rank": pl.Series([1]).new_from_index(0, questions),
                "confidence": rng.random(questions),
                "score": pl.Series([None], dtype=pl.Float64).new_from_index(0, questions),
                "answered": rng.random(questions) < 0.9,
                "verdict": pl.Series(VERDICTS).gather(rng.integers(0, 4, questions)),
                "level": pl.Series([None], dtype=pl.String).new_from_index(0, questions),
                "class": pl.Series([None], dtype=pl.String).new_from_index(0, questions),
                "degree": rng.random(questions),
                "answer": texts.gather(rng.integers(0, len(texts), questions)),
                "matched": pl.Series([None], dtype=pl.String).new_from_index(0, questions),
            }
        ).cast({"run": names, "question": ids, "verdict": Verdict})
        for run in range(runs)
    ]
    pl.concat(frames).write_parquet(folder / "judgments.parquet", row_group_size=2**20)


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _tell(begun: tuple[float, float]) -> None:
    print(*(now - before for now, before in zip(_now(), begun, strict=True)), peak())


def write_with_duckdb(folder: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE answers AS FROM read_parquet($file)",
            {"file": str(folder / "tables/answers.parquet")},
        )
        begun = _now()
        connection.execute(
            f"COPY answers TO '{folder / 'once.parquet'}' "
            "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)"
        )
        _tell(begun)


def write_with_polars(folder: Path) -> None:
    rows = pl.read_parquet(folder / "tables/answers.parquet")
    begun = _now()
    rows.write_parquet(folder / "once.parquet", compression="zstd", compression_level=1)
    _tell(begun)


def tabulate(folder: Path) -> None:
    """What the job tabulate does with the answers of a collection."""
    judged = JudgedFile("people", str(folder / "judgments.parquet"), ["right"])
    begun = _now()
    write_answers("demo", [judged], folder / "tables/answers.parquet")
    _tell(begun)


def publish(folder: Path) -> None:
    """What the job publish does with them."""
    pieces = dict.fromkeys(RESULT_TABLES, ()) | {"answers": [folder / "tables/answers.parquet"]}
    begun = _now()
    write_database(pieces, {}, folder / "results.duckdb")
    _tell(begun)


PUBLISHING = {"tabulate": tabulate, "publish": publish}
ONCE = {"duckdb": write_with_duckdb, "polars": write_with_polars}
STEPS = PUBLISHING | ONCE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--step", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        name, place = options.step
        STEPS[name](Path(place))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        generate(folder, options.rows)
        found: dict[str, list[float]] = {}
        for name in STEPS:
            command = [sys.executable, "-m", "tests.bench.answers", "--step", name, scratch]
            shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            *found[name], megabytes = map(float, shown.split())
            clock, processor = found[name]
            print(
                f"answers  {name:10} {clock:8.2f} s  {processor:8.2f} s of processor time  "
                f"{megabytes:8,.0f} MB at most"
            )
    for writer in ONCE:
        clock, processor = (
            sum(found[name][at] for name in PUBLISHING) / found[writer][at] for at in (0, 1)
        )
        print(
            f"answers  {options.rows:,} rows: {clock:.2f} times as long as {writer} writing once, "
            f"{processor:.2f} times the processor time (wanted: {WANTED:g})"
        )


if __name__ == "__main__":
    main()
