"""Rebuild the three QAC2 collections: qac2, qac2-askmi and qac2-lists, each in its own folder.

    python resources/five-papers/qac2/generate.py [the folder that holds the three]

Sakai (2004) gives the numbers of questions and runs, and what sets the ten runs of qac2-askmi
apart, but no score of a single run. So the runs are simulated: a run scores every candidate answer
of a question and lists the best ones. Right candidates gain from the run's ability and from the
ease of the question; they lose where the question is misread or the search fails. All runs of a
team share their chances: their lists differ only by what their settings change.

Chance is `Random(SEED).random()` alone, with plain arithmetic on top: Python promises the same
numbers from it in every version, so the files are the same bytes on every machine.
"""

import csv
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

SEED = 2004


class Run(NamedTuple):
    """The settings of a run."""

    ability: float  # what right candidates gain on every question
    misread: float = 0.10  # share of questions taken to ask for another type of answer
    missed: float = 0.15  # share of questions for which nothing useful is found
    silent: float = 0.0  # share left out altogether: the missed ones first
    search: float = 1.0  # how much the search counts,
    distance: float = 1.0  # the distance between candidate and query terms,
    detour: float = 0.0  # and a search that finds other documents
    depth: int = 12  # wrong candidates considered
    merge: bool = True  # one wording of a candidate at most
    length: int = 5  # answers at most
    window: float = 99.0  # how far a score may lie below the best one


# Invented: the settings of each team's runs.
FORMAL = {
    "sim01": [Run(2.0)],
    "sim02": [Run(1.7), Run(1.4, detour=0.8)],
    "sim03": [Run(1.5), Run(1.0, detour=0.8)],
    "sim04": [Run(1.3, merge=False)],
    "sim05": [Run(1.2, misread=0.12, missed=0.2), Run(1.1, misread=0.12, missed=0.2, detour=0.6)],
    "sim06": [Run(0.8, window=2.5)],
    "sim07": [Run(0.8), Run(0.6, detour=0.8)],
    "sim08": [Run(0.5, merge=False)],
    "sim09": [Run(0.4), Run(0.0, silent=0.1, detour=0.6)],
    "sim10": [Run(0.2)],
    "sim11": [Run(-0.1, window=2.5, silent=0.05)],
    "sim12": [Run(-0.4), Run(-0.6, detour=0.8)],
    "sim13": [Run(-0.6, merge=False), Run(-1.1, detour=0.6)],
    "sim14": [Run(-1.4)],
    "sim15": [Run(-1.9, window=2.5)],
    "sim16": [Run(-2.4), Run(-2.4, detour=0.8, merge=False)],
    "sim17": [Run(-4.0, silent=0.15)],
}

# What the ten runs are is Sakai's (2004, section 4); by how much a setting changes is ours.
BASE = FORMAL["sim05"][0]
ORACLE = BASE._replace(ability=2.6, missed=0.12, detour=0.5)
VARIANTS = {
    "sim05a-oat-osd": (
        ORACLE._replace(misread=0),
        "oracle",
        "given the answer types and the documents",
    ),
    "sim05a-osd": (ORACLE, "oracle", "given the documents"),
    "sim05a-oat": (BASE._replace(misread=0), "oracle", "given the answer types"),
    "sim05a": (BASE, "formal", "the run sim05a of qac2"),
    "sim05a-pd0": (BASE._replace(search=0), "variant", "document scores ignored"),
    "sim05a-b0": (BASE._replace(detour=0.6), "variant", "document lengths not normalised"),
    "sim05a-noaf": (BASE._replace(merge=False), "variant", "duplicates not merged"),
    "sim05a-prf": (BASE._replace(detour=1.0, missed=0.24), "variant", "pseudo-relevance feedback"),
    "sim05a-pc0": (BASE._replace(distance=0), "variant", "distances to query terms ignored"),
    "sim05a-top50": (BASE._replace(depth=22, detour=0.5), "variant", "50 documents instead of 10"),
}

LISTS = {
    "sim01": [Run(2.2, length=10, window=1.0), Run(2.0, length=10, window=1.5)],
    "sim02": [Run(2.0, length=10, window=1.2)],
    "sim03": [Run(1.6, length=10, window=1.0, merge=False)],
    "sim04": [Run(1.4, length=10, window=1.3), Run(1.2, length=10, window=2.0)],
    "sim05": [Run(1.1, length=10, window=1.5)],
    "sim06": [Run(0.5, length=10, window=2.0)],
    "sim07": [Run(0.3, length=10, window=1.2, merge=False)],
    "sim08": [Run(-0.1, length=10, window=2.0), Run(-0.6, length=10, window=2.5, silent=0.1)],
    "sim09": [Run(-0.8, length=10, window=1.2)],
    "sim10": [Run(-1.4, length=10, window=1.5)],
    "sim11": [Run(-2.3, length=10, window=2.0)],
}

# Numbers of questions; each type is a little harder than the one before.
TYPES = {"person": 50, "place": 40, "date": 35, "thing": 35, "number": 35}
LIST_TYPES = {"person": 60, "place": 55, "organisation": 44, "work": 40}

# One is drawn for every question, and for every right answer.
CLASSES, LIST_CLASSES = "11111112222233334457", "1223345689"
LEVELS = "SSSSSSAAAB"

EASE, PULL, TASTE = 2.0, 0.7, 0.8  # deviations: of questions, of candidates, of wordings to a team
SIGNAL = (0.42, 1.0, 0.0)  # by how much search, distance and detour prefer right candidates
MISS = 4.0  # what these lose where the question is misread, and again where it is missed
HARDER = 0.2  # by how much each type is harder than the one before
LATER = 0.8  # by how much each further right answer is harder to find
WRONG = 30  # wrong candidates of a question
SYLLABLES = [consonant + vowel for consonant in "bdghkmnrstwyz" for vowel in "aeiou"]


class Candidate(NamedTuple):
    """What can be answered, in one to three wordings; each has a level where it is right."""

    wordings: list[str]
    levels: list[str]
    pull: float


class Question(NamedTuple):
    id: str
    type: str
    right: int
    candidates: list[Candidate]  # the right ones first


class View(NamedTuple):
    """How a team's system sees a question."""

    reading: float  # from 0 to 1: the lower, the sooner it is misread
    finding: float  # from 0 to 1: the lower, the sooner it is missed
    clues: list[list[float]]  # for each candidate: search, distance, detour
    tastes: list[list[float]]  # for each candidate: its wordings


def bell(rng: Random) -> float:
    """A nearly normal number, mean 0 and deviation 1; `fsum` rounds alike in every Python."""
    return math.fsum(rng.random() for _ in range(12)) - 6


def choose(rng: Random, pool: Sequence[str]) -> str:
    return pool[int(rng.random() * len(pool))]


def draw_candidate(rng: Random, word: str, right: bool, ease: float) -> Candidate:
    wordings = [word, f"{word} {choose(rng, SYLLABLES)}", f"{choose(rng, SYLLABLES)} {word}"]
    count = 1 + (rng.random() < 0.4) + (rng.random() < 0.2)
    level = choose(rng, LEVELS)
    levels = [level, *(choose(rng, [level, choose(rng, LEVELS)]) for _ in range(2))]
    return Candidate(wordings[:count], levels[: count * right], ease + PULL * bell(rng))


def draw_questions(rng: Random, types: Mapping[str, int], classes: str) -> Iterator[Question]:
    kinds = [kind for kind, count in types.items() for _ in range(count)]
    for number, kind in enumerate(sorted(kinds, key=lambda _: rng.random()), start=1):
        ease = EASE * bell(rng) - HARDER * list(types).index(kind)
        right = int(choose(rng, classes))
        words: dict[str, None] = {}
        while len(words) < right + WRONG:
            words["".join(choose(rng, SYLLABLES) for _ in range(3))] = None
        eases = [ease - LATER * i for i in range(right)] + [0.0] * WRONG
        candidates = [
            draw_candidate(rng, word, i < right, eases[i]) for i, word in enumerate(words)
        ]
        yield Question(f"q{number:03}", kind, right, candidates)


def draw_view(rng: Random, question: Question) -> View:
    clues = [[bool(c.levels) * s + bell(rng) for s in SIGNAL] for c in question.candidates]
    tastes = [[TASTE * bell(rng) for _ in c.wordings] for c in question.candidates]
    return View(rng.random(), rng.random(), clues, tastes)


def respond(run: Run, question: Question, view: View) -> Iterator[str]:
    """The answers of a run to a question, best first."""
    gain = run.ability - MISS * ((view.reading < run.misread) + (view.finding < run.missed))
    scored = []
    for i, candidate in enumerate(question.candidates[: question.right + run.depth]):
        search, distance, detour = view.clues[i]
        score = candidate.pull + gain * (i < question.right)
        score += run.search * search + run.distance * distance + run.detour * detour
        for wording, taste in zip(candidate.wordings, view.tastes[i], strict=True):
            scored.append((score + taste, i, wording))
    scored.sort(reverse=True)
    if run.merge:  # the best wording of each
        firsts = {i: (score, i, wording) for score, i, wording in reversed(scored)}
        scored = sorted(firsts.values(), reverse=True)
    if view.finding >= run.silent:
        yield from (w for score, _, w in scored[: run.length] if score > scored[0][0] - run.window)


def assess(questions: Iterable[Question], given: set[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row for every wording of a right answer, and for every wrong one that some run gives."""
    for question in questions:
        for letter, candidate in zip("abcdefghi", question.candidates, strict=False):
            for wording, level in zip(candidate.wordings, candidate.levels, strict=False):
                yield question.id, wording, "R", level, letter
        for candidate in question.candidates[question.right :]:
            for wording in candidate.wordings:
                if (question.id, wording) in given:
                    yield question.id, wording, "W", "", ""


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def named(plan: Mapping[str, Sequence[Run]]) -> dict[str, tuple[Run, str, str]]:
    """The runs of a plan by name, team and letter, each with its team and category."""
    numbered = [(team, i, run) for team in plan for i, run in enumerate(plan[team])]
    return {team + "ab"[i]: (run, team, "simulated") for team, i, run in numbered}


def publish(
    folder: Path,
    questions: Sequence[Question],
    views: Mapping[str, Sequence[View]],
    runs: Mapping[str, tuple[Run, str, str]],
    header: str,
    ranked: bool = True,
) -> None:
    """Write a collection; the header is that of `runs.csv`. Sets are in the alphabet's order."""
    given: set[tuple[str, str]] = set()
    for name, (run, _, _) in runs.items():
        seen = zip(questions, views[name[:5]], strict=True)
        rows = [(q.id, *each) for q, v in seen for each in enumerate(respond(run, q, v), start=1)]
        answers = sorted((question, answer) for question, _, answer in rows)
        given.update(answers)
        columns = "question,rank,answer" if ranked else "question,answer"
        write(folder / "runs" / f"{name}.csv", columns, rows if ranked else answers)
    write(folder / "runs.csv", header, [(name, *notes) for name, (_, *notes) in runs.items()])
    write(folder / "questions.csv", "question,type", [(q.id, q.type) for q in questions])
    assessments = assess(questions, given)
    write(folder / "assessments.csv", "question,answer,label,level,class", assessments)


def main(folder: Path) -> None:
    rng, header = Random(SEED), "run,team,category"
    questions = list(draw_questions(rng, TYPES, CLASSES))
    views = {team: [draw_view(rng, q) for q in questions] for team in FORMAL}
    publish(folder / "qac2", questions, views, named(FORMAL), header)
    publish(folder / "qac2-askmi", questions, views, VARIANTS, "run,category,description")
    questions = list(draw_questions(rng, LIST_TYPES, LIST_CLASSES))
    views = {team: [draw_view(rng, q) for q in questions] for team in LISTS}
    publish(folder / "qac2-lists", questions, views, named(LISTS), header, ranked=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
