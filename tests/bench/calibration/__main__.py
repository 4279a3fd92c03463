"""Print how well intervals, tests and ranks keep their promises: `make calibrate`.

With --short a part of it, in two minutes. With --write the table goes into docs/validation.md. With
--round 1, 2 … the data are others: what holds for one round only was chosen for it.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.bench.calibration import (
    across,
    agreement,
    corrected,
    corrected_trec8,
    coverage,
    fairness,
    intervals,
    pairs,
    pools,
    samples,
    sizes,
    weights,
)
from tests.bench.calibration.simulated import Cell, begin_round

PARTS = {
    "Intervals": intervals.rows,
    "All pairs and ranks": pairs.rows,
    "Runs that answer less often": coverage.rows,
    "How many questions": sizes.rows,
    "Agreement": agreement.rows,
    "Rates that runs share": fairness.rows,
    "Across types and collections": across.rows,
    "Corrected judges": corrected.rows,
    "Corrected judges: the bundled TREC-8 runs": corrected_trec8.rows,
    "Samples": samples.rows,
    "Weights, probabilities of labels": weights.rows,
    "Pools": pools.rows,
}
PAGE = Path(__file__).parents[3] / "docs/validation.md"
BEGIN, END = "<!-- calibration: made by `make calibrate` -->", "<!-- end of calibration -->"


def main() -> int:
    parser = argparse.ArgumentParser(prog="calibration", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a part of the table")
    parser.add_argument("--write", action="store_true", help="put it into docs/validation.md")
    parser.add_argument("--only", choices=PARTS, action="append", help="one part of it, or several")
    parser.add_argument("--round", type=int, default=0, help="simulate other data")
    options = parser.parse_args()
    if options.round and options.write:
        parser.error("--write is for round 0")
    start = time.monotonic()
    pieces = {}
    with ProcessPoolExecutor(2, initializer=begin_round, initargs=(options.round,)) as pool:
        chosen = options.only or PARTS
        jobs = {name: pool.submit(_collect, name, options.short) for name in chosen}
        for name, job in jobs.items():
            pieces[name] = f"### {name}\n\n{as_table(job.result())}"
            print(pieces[name], flush=True)
    failed = [cell.name for job in jobs.values() for cell in job.result() if not cell.holds]
    print(
        f"\n{time.monotonic() - start:.0f} s; outside their limits: {', '.join(failed) or 'none'}"
    )
    if options.write:
        _write(pieces)
    return 1 if failed else 0


def _write(pieces: Mapping[str, str]) -> None:
    """Put parts into the page; others stay as they are."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    there, _, after = rest.partition(END)
    earlier = {part.partition("\n")[0]: f"### {part.strip()}" for part in there.split("### ")[1:]}
    merged = earlier | pieces
    text = "\n\n".join((BEGIN, *(merged[name] for name in PARTS if name in merged), END))
    PAGE.write_text(before + text + after, encoding="utf-8")


def _collect(name: str, short: bool) -> list[Cell]:
    return list(PARTS[name](short=short))


def as_table(cells: Iterable[Cell]) -> str:
    """The cells as a table in Markdown."""
    lines = ["| cell | figure | Monte Carlo error | limit | |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {cell.name} | {cell.figure:.3f} | {cell.error:.3f} | {cell.limit} | "
        f"{'' if not cell.limit else 'holds' if cell.holds else 'FAILS'} |"
        for cell in cells
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
