"""Rebuild the pilot task of CLEF 2004: 100 questions, one run with several answers to a question.

    python resources/five-papers/pilot2004-lists/generate.py [folder]

For every type of question Herrera, Peñas & Verdejo (2004, Table 2) print how many answers are
known, how many the run gives, how many of them are right and in how many questions. Every question
gets what it needs for its part in that, and the rest of the known and of the given answers falls
on the questions of the type at random.

Chance is `Random(SEED).random()` alone, with plain arithmetic on top: Python promises the same
numbers from it in every version, so the files are the same bytes on every machine.
"""

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

SEED = 20042
RUN, TEAM = "alicante", "University of Alicante"
MOST_GIVEN = 3  # answers to a question (section 4)
MOST_SURE = 0.5002  # the highest confidence (section 4)


class Kind(NamedTuple):
    questions: int
    known: int
    given: int
    right: list[int]  # right answers in each question that has one
    refused: int  # questions answered NIL, 41 in all (section 4); all have an answer
    nil: int = 0  # questions without one (section 2), which the run does not recognise


# Table 2. Two things in it are ours: how the right answers to factoid and list questions fall on
# the 4 questions of each, and how the 41 refused questions fall on the types. That K is 0 for
# definitions leaves only NIL for them.
KINDS = {
    "definition": Kind(2, 3, 2, [], refused=2),
    "factoid": Kind(18, 26, 42, [2, 1, 1, 1], refused=4, nil=2),
    "list": Kind(20, 191, 55, [2, 2, 1, 1], refused=1),
    "temporal-date": Kind(20, 20, 30, [1, 1], refused=13),
    "temporal-event": Kind(20, 20, 42, [1, 1], refused=8),
    "temporal-period": Kind(20, 20, 29, [1, 1, 1], refused=13),
}

# Invented from here on.
SIMILAR = 0.3  # by how much an answer's confidence may lie below the highest for its question
INEXACT, UNSUPPORTED = 0.06, 0.03  # shares of the wrong answers that are not plainly wrong


class Question(NamedTuple):
    type: str
    nil: bool
    refused: bool
    known: int
    given: int
    right: int


def fill(rng: Random, counts: Sequence[int], total: int, open_to: range, most: int) -> list[int]:
    """Add to the counts at random, at the places open to it, until they sum up to the total."""
    filled = list(counts)
    while sum(filled) < total:
        place = open_to[int(rng.random() * len(open_to))]
        if filled[place] < most:
            filled[place] += 1
    return filled


def draw_questions(rng: Random) -> Iterator[Question]:
    """The questions of each type: NIL ones, those with a right answer, others, refused ones."""
    for name, kind in KINDS.items():
        right = [0] * kind.nil + kind.right
        right += [0] * (kind.questions - len(right))
        needed = [max(1, count) for count in right]
        answerable = range(kind.nil, kind.questions)
        accepted = range(kind.questions - kind.refused)
        known = fill(rng, needed, kind.known, answerable, most=kind.known)
        given = fill(rng, needed, kind.given, accepted, most=MOST_GIVEN)
        for i in range(kind.questions):
            yield Question(name, i < kind.nil, i not in accepted, known[i], given[i], right[i])


def draw_answers(rng: Random, question: Question) -> tuple[list[str], list[str]]:
    """All right answers to a question, and the wrong ones that the run gives."""
    pool = [f"answer {n}" for n in sorted(range(1, 100), key=lambda _: rng.random())]
    known = 0 if question.nil else question.known
    wrong = 0 if question.refused else question.given - question.right
    return pool[:known], pool[known : known + wrong]


def rate(rng: Random, question: Question, answers: Iterable[str]) -> list[tuple[str, float]]:
    """The answers with their confidences, which lie close together, the highest first."""
    if question.refused:
        return [("NIL", 0.0)]
    level = rng.random()
    rated = [(text, level * (1 - SIMILAR * rng.random())) for text in answers]
    return sorted(rated, key=lambda pair: -pair[1])


def assess(
    rng: Random, right: Iterable[str], wrong: Iterable[str]
) -> Iterator[tuple[str, str, str]]:
    for number, text in enumerate(right):
        yield text, "R", chr(ord("a") + number)
    for text in wrong:
        chance = rng.random()
        label = "X" if chance < INEXACT else "U" if chance < INEXACT + UNSUPPORTED else "W"
        yield text, label, ""


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def main(folder: Path) -> None:
    rng = Random(SEED)
    asked, responses, assessments = [], [], []
    questions = sorted(draw_questions(rng), key=lambda _: rng.random())
    for number, question in enumerate(questions, start=1):
        name = f"q{number:03}"
        right, wrong = draw_answers(rng, question)
        rated = rate(rng, question, right[: question.right] + wrong)
        asked.append((name, question.type, str(question.nil).lower(), question.known))
        responses += [(name, text, confidence) for text, confidence in rated]
        assessments += [(name, *row) for row in assess(rng, right, wrong)]
    unit = MOST_SURE / max(confidence for _, _, confidence in responses)
    rows = [(name, text, f"{unit * confidence:.4f}") for name, text, confidence in responses]
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    write(folder / "runs" / f"{RUN}.csv", "question,answer,confidence", rows)
    write(folder / "assessments.csv", "question,answer,label,class", assessments)
    write(folder / "questions.csv", "question,type,nil,known", asked)
    write(folder / "runs.csv", "run,team,language,category", [(RUN, TEAM, "es-es", "pilot")])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
