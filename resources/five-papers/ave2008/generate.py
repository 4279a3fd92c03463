"""Rebuild the AVE 2008 collection: 1,019 answers to validate, 8 runs, one assessments file.

    python resources/five-papers/ave2008/generate.py [folder]

How many right and how many wrong items a run validates is given: these counts are the ones that
give every figure printed for it by Rodrigo, Peñas & Verdejo (Table 3). Which items these are is
drawn: every run puts the right items, and the wrong ones, in its own order from convincing to not,
and the given counts cut both orders, so that they come out exactly.

Chance is `Random(SEED).random()` alone, with plain arithmetic on top: Python promises the same
numbers from it in every version, so the files are the same bytes on every machine.
"""

import csv
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

SEED = 2008

GROUPS, ITEMS, RIGHT = 160, 1019, 79  # Table 2, English

# Validated items that are right (TP) and that are not (FP). The matrix of ofe is printed (Table 4).
# For the others TP follows from the five rounded figures of Table 3, and FP lies in the range
# beside it; within the range the choice is ours.
VALIDATED = {
    "ltqa": (62, 53),  # 52 to 53
    "ofe": (68, 129),
    "uaic_2": (67, 543),  # 542 to 543
    "jota_2": (44, 306),
    "jota_1": (74, 739),  # 738 to 739
    "uaic_1": (60, 583),  # 579 to 587
    "magc_2": (1, 5),
    "magc_1": (0, 7),  # 5 to 9
}

# Invented from here on.
SCORED = ["ltqa", "ofe", "jota_1", "jota_2"]  # runs that say how sure they are
GROUP_EASE = 0.8  # deviation of how often a group's items are right; that between items is 1
CROWDING = 3.0  # how many times as many items as the smallest group the largest may expect
TEAM_TASTE = 0.7  # deviation of what convinces a team; that between items and runs is 1


class Item(NamedTuple):
    id: str
    group: str
    right: bool
    appeal: float


def team(run: str) -> str:
    return run.partition("_")[0]


def bell(rng: Random) -> float:
    """A nearly normal number, mean 0 and deviation 1; `fsum` rounds alike in every Python."""
    return math.fsum(rng.random() for _ in range(12)) - 6


def draw_sizes(rng: Random) -> list[int]:
    """One item for every group, the others thrown at the groups, some of which draw more."""
    weights = [1 + (CROWDING - 1) * rng.random() for _ in range(GROUPS)]
    sizes = [1] * GROUPS
    while sum(sizes) < ITEMS:
        group = int(rng.random() * GROUPS)
        if rng.random() * CROWDING < weights[group]:
            sizes[group] += 1
    return sizes


def draw_items(rng: Random) -> list[Item]:
    """The items of all groups; the easiest are right, so that right items gather in some groups."""
    names: list[tuple[str, str]] = []
    ease: list[float] = []
    for number, size in enumerate(draw_sizes(rng), start=1):
        group_ease = GROUP_EASE * bell(rng)
        for position in range(1, size + 1):
            names.append((f"q{number:03}-{position:02}", f"q{number:03}"))
            ease.append(group_ease + bell(rng))
    right = set(sorted(range(ITEMS), key=lambda i: -ease[i])[:RIGHT])
    return [Item(*name, i in right, bell(rng)) for i, name in enumerate(names)]


def validate(
    rng: Random, run: str, items: Sequence[Item], tastes: Sequence[float]
) -> Iterator[tuple[str, ...]]:
    """The rows of a run, with exactly its numbers of validated items."""
    appeal = [item.appeal + taste + bell(rng) for item, taste in zip(items, tastes, strict=True)]
    validated: set[int] = set()
    belief: dict[int, float] = {}
    for right, count in zip((True, False), VALIDATED[run], strict=True):
        order = sorted(
            (i for i, item in enumerate(items) if item.right is right), key=lambda i: -appeal[i]
        )
        validated.update(order[:count])
        bar = appeal[
            order[count]
        ]  # that of the most convincing one refused: one bar for both kinds
        belief.update((i, appeal[i] - bar) for i in order)

    # Thousandths: from 500 for the validated, below for the others, even in the order of belief.
    score: dict[int, int] = {}
    for start, chosen in ((500, validated), (0, belief.keys() - validated)):
        for place, i in enumerate(sorted(chosen, key=lambda i: (belief[i], i))):
            score[i] = start + int((place + rng.random()) * 500 / len(chosen))

    for i, item in enumerate(items):
        row = item.id, "yes" if i in validated else "no"
        yield (*row, f"0.{score[i]:03}") if run in SCORED else row


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def main(folder: Path) -> None:
    rng = Random(SEED)
    items = draw_items(rng)
    teams = dict.fromkeys(map(team, VALIDATED))
    tastes = {name: [TEAM_TASTE * bell(rng) for _ in items] for name in teams}
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    for run in VALIDATED:
        header = "question,answer,score" if run in SCORED else "question,answer"
        rows = validate(rng, run, items, tastes[team(run)])
        write(folder / "runs" / f"{run}.csv", header, rows)
    labels = [(item.id, "yes" if item.right else "no") for item in items]
    write(folder / "assessments.csv", "question,label", labels)
    write(folder / "questions.csv", "question,group", [(item.id, item.group) for item in items])
    described = [(run, team(run), "scored" if run in SCORED else "yes or no") for run in VALIDATED]
    write(folder / "runs.csv", "run,team,category", described)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
