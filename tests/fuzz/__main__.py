"""python -m tests.fuzz --steps 300 --seed 7: random changes of a campaign, compared with runs from nothing."""

import argparse
import shlex
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.fuzzing import World, find_difference, sequence, shrink
from tests.helpers.warm import Warm


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--steps", type=int, default=100, help="how many, 100 unless given")
    parser.add_argument("--seed", type=int, default=0, help="where chance starts, 0 unless given")
    parser.add_argument("--replay", help="words of a sequence to take instead")
    parser.add_argument("--shrink", action="store_true", help="leave out words that do not matter")
    parser.add_argument(
        "--folder", type=Path, help="where to work, a temporary folder unless given"
    )
    given = parser.parse_args()
    words = given.replay.split() if given.replay else sequence(given.seed, given.steps)
    warm = Warm()
    with tempfile.TemporaryDirectory(prefix="qampaign-fuzz-", dir=given.folder) as folder:
        begun = time.monotonic()
        world = World(Path(folder), warm).create()
        world.tell = lambda text: print(text, flush=True)
        while words:
            found = find_difference(world, words)
            if found is None:
                break
            number, difference = found
            world.counts.differences += 1
            failed = words[: number + 1]
            print(f"DIFFERENCE at {words[number]}\n{difference}", flush=True)
            if given.shrink:
                failed = shrink(world, failed)
            print(
                f"To see it again:\n  python -m tests.fuzz --replay {shlex.quote(' '.join(failed))}\n"
            )
            words = words[number + 1 :]
        tell(world, time.monotonic() - begun)
        differences = world.counts.differences
    warm.close()
    return min(differences, 1)


def tell(world: World, seconds: float) -> None:
    counts = world.counts
    print(
        f"{counts.steps.total()} steps, {counts.checks} checks against {world.reference.runs} runs "
        f"from nothing, {counts.kills} kills, {counts.refused} refused edits, "
        f"{counts.dry_runs} dry runs, {counts.differences} differences, {seconds:.0f} s"
    )
    for name, number in sorted(counts.steps.items()):
        print(f"  {number:4} {name}")


if __name__ == "__main__":
    sys.exit(main())
