"""Rebuild the CLEF 2009 collection: 500 questions, 44 runs, one assessments file.

    python resources/five-papers/clef2009/generate.py [folder]

How many questions a run got right and how many it left unanswered is given: for four runs by
Peñas & Rodrigo (2011, Table 3), for forty by a plan of our own. Which questions these are is drawn
from an ability and difficulty model: every run puts the questions in its own order from easy to
hard, and the given counts cut that order, so that they come out exactly.

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

SEED = 2009

# Peñas & Rodrigo (2011), Table 3: right, wrong, unanswered.
PUBLISHED = {
    "icia091ro": (237, 156, 107),
    "uaic092ro": (236, 264, 0),
    "loga092de": (187, 230, 83),
    "base092de": (189, 311, 0),
}

# Invented. Team and language, then right and unanswered for each of their runs.
PLANNED = {
    "sim01en": [(301, 0), (259, 172)],
    "sim01es": [(244, 0), (231, 71)],
    "sim02en": [(278, 0), (267, 38)],
    "sim03ro": [(252, 0), (239, 92)],
    "sim04it": [(249, 0), (234, 84)],
    "sim05fr": [(226, 36), (198, 0)],
    "sim05es": [(209, 0)],
    "sim06en": [(238, 0), (242, 23)],
    "sim07de": [(214, 0), (204, 58)],
    "sim08pt": [(191, 0), (178, 71)],
    "sim09pt": [(203, 0), (186, 46)],
    "sim10es": [(179, 0), (188, 29)],
    "sim10fr": [(165, 112), (171, 0)],
    "sim11it": [(162, 0), (155, 9)],
    "sim12bg": [(154, 0), (132, 187)],
    "sim12en": [(216, 0)],
    "sim13de": [(149, 48), (134, 0)],
    "sim14eu": [(138, 0), (121, 64)],
    "sim15ro": [(221, 15), (157, 0)],
    "sim16en": [(131, 0), (115, 176)],
    "sim17bg": [(52, 0), (68, 198)],
}

# Invented too. Type: number of questions, and how much easier than the average question.
TYPES = {
    "factoid": (140, 0.4),
    "definition": (95, 0.2),
    "reason": (125, -0.2),
    "purpose": (60, -0.2),
    "procedure": (80, -0.5),
}

TEAM_EASE = 0.7  # deviation of what is easy for a team; that between questions and runs is 1
TEAM_HABIT = 0.7  # how often a run gives the very answer that its team prefers
RIGHT_TWICE = 0.3  # share of questions whose answer stands in two paragraphs
WRONG_ANSWERS = 6  # wrong paragraphs in a question's pool
INEXACT, UNSUPPORTED = 0.05, 0.03  # shares of them that are not plainly wrong
SHOWN, EMPTY = 0.5, 0.3  # of the unanswered: with a candidate, with an empty row; the rest: no row


class Question(NamedTuple):
    id: str
    type: str
    ease: float
    right: list[str]
    wrong: list[str]


class Run(NamedTuple):
    name: str
    team: str
    language: str
    category: str
    right: int
    unanswered: int


class Habit(NamedTuple):
    """What the runs of one team have in common on one question."""

    ease: float
    right: str
    wrong: str


def runs() -> Iterator[Run]:
    """The four published runs, then the forty planned ones."""
    for name, (right, _, unanswered) in PUBLISHED.items():
        yield Run(name, name[:4], name[-2:], "published", right, unanswered)
    for prefix, plans in PLANNED.items():
        for number, (right, unanswered) in enumerate(plans, start=1):
            yield Run(f"{prefix}{number}", prefix[:5], prefix[5:], "simulated", right, unanswered)


def bell(rng: Random) -> float:
    """A nearly normal number, mean 0 and deviation 1; `fsum` rounds alike in every Python."""
    return math.fsum(rng.random() for _ in range(12)) - 6


def choose(rng: Random, pool: Sequence[str]) -> str:
    """One of the pool, the first ones more often: there are popular distractors."""
    chance = rng.random()
    return pool[int(chance * chance * len(pool))]


def draw_questions(rng: Random) -> Iterator[Question]:
    types = [name for name, (count, _) in TYPES.items() for _ in range(count)]
    for number, kind in enumerate(sorted(types, key=lambda _: rng.random()), start=1):
        ease = TYPES[kind][1] + bell(rng)
        pool = [f"paragraph {n}" for n in sorted(range(1, 600), key=lambda _: rng.random())]
        cut = 2 if rng.random() < RIGHT_TWICE else 1
        yield Question(f"q{number:03}", kind, ease, pool[:cut], pool[cut : cut + WRONG_ANSWERS])


def draw_habit(rng: Random, question: Question) -> Habit:
    return Habit(TEAM_EASE * bell(rng), choose(rng, question.right), choose(rng, question.wrong))


def respond(
    rng: Random, run: Run, questions: Sequence[Question], habits: Sequence[Habit]
) -> Iterator[tuple[str, str, str]]:
    """The rows of a run, with exactly its numbers of right and of unanswered questions."""
    ease = [q.ease + habit.ease + bell(rng) for q, habit in zip(questions, habits, strict=True)]
    easy_first = sorted(range(len(questions)), key=lambda i: -ease[i])
    doubtful_first = sorted(range(len(questions)), key=lambda i: ease[i] + bell(rng))

    # Abstaining blindly would withhold right candidates at the run's accuracy; able runs see more.
    accuracy = run.right / len(questions)
    right_withheld = round(run.unanswered * accuracy * (1 - accuracy))
    wrong_withheld = run.unanswered - right_withheld

    known = set(easy_first[: run.right + right_withheld])
    withheld = set([i for i in doubtful_first if i in known][:right_withheld])
    withheld |= set([i for i in doubtful_first if i not in known][:wrong_withheld])

    for i, (q, habit) in enumerate(zip(questions, habits, strict=True)):
        usual, pool = (habit.right, q.right) if i in known else (habit.wrong, q.wrong)
        answer = usual if rng.random() < TEAM_HABIT else choose(rng, pool)
        manner = rng.random()
        if i not in withheld:
            yield q.id, answer, "true"
        elif manner < SHOWN:
            yield q.id, answer, "false"
        elif manner < SHOWN + EMPTY:
            yield q.id, "", "false"


def assess(
    rng: Random, questions: Iterable[Question], given: set[tuple[str, str]]
) -> Iterator[tuple[str, str, str, str]]:
    """A label for every right answer, and for every wrong one that some run gives."""
    for question in questions:
        for answer in question.right:
            yield question.id, answer, "R", "a"
        for answer in question.wrong:
            chance = rng.random()
            label = "X" if chance < INEXACT else "U" if chance < INEXACT + UNSUPPORTED else "W"
            if (question.id, answer) in given:
                yield question.id, answer, label, ""


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def main(folder: Path) -> None:
    rng = Random(SEED)
    questions = list(draw_questions(rng))
    teams = dict.fromkeys(run.team for run in runs())
    habits = {team: [draw_habit(rng, q) for q in questions] for team in teams}
    given: set[tuple[str, str]] = set()
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    for run in runs():
        rows = list(respond(rng, run, questions, habits[run.team]))
        given.update((question, answer) for question, answer, _ in rows)
        write(folder / "runs" / f"{run.name}.csv", "question,answer,answered", rows)
    write(folder / "assessments.csv", "question,answer,label,class", assess(rng, questions, given))
    described = [(q.id, q.type, "en") for q in questions]
    write(folder / "questions.csv", "question,type,language", described)
    write(folder / "runs.csv", "run,team,language,category", [run[:4] for run in runs()])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
