"""Print how well intervals, tests and ranks keep their promises: `make calibrate`.

With --short a part of it, in two minutes. With --write the table goes into docs/validation.md.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.bench.calibration import agreement, intervals, pairs, sizes
from tests.bench.calibration.simulated import Cell

PARTS = {
    "Intervals": intervals.rows,
    "All pairs and ranks": pairs.rows,
    "How many questions": sizes.rows,
    "Agreement": agreement.rows,
}
PAGE = Path(__file__).parents[3] / "docs/validation.md"
BEGIN, END = "<!-- calibration: made by `make calibrate` -->", "<!-- end of calibration -->"


def main() -> int:
    parser = argparse.ArgumentParser(prog="calibration", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a part of the table")
    parser.add_argument("--write", action="store_true", help="put it into docs/validation.md")
    options = parser.parse_args()
    start = time.monotonic()
    pieces = []
    with ProcessPoolExecutor(2) as pool:
        jobs = {name: pool.submit(_collect, name, options.short) for name in PARTS}
        for name, job in jobs.items():
            pieces.append(f"### {name}\n\n{as_table(job.result())}")
            print(pieces[-1], flush=True)
    failed = [cell.name for job in jobs.values() for cell in job.result() if not cell.holds]
    print(
        f"\n{time.monotonic() - start:.0f} s; outside their limits: {', '.join(failed) or 'none'}"
    )
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        text = "\n\n".join((BEGIN, *pieces, END))
        PAGE.write_text(before + text + after, encoding="utf-8")
    return 1 if failed else 0


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
