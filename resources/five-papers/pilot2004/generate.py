"""Rebuild the main track of CLEF 2004: 200 questions, 48 runs with confidences, assessments.

    python resources/five-papers/pilot2004/generate.py [folder]

How many questions a run got right, its K1 and its correlation r are given by Herrera, Peñas &
Verdejo (2004, Table 1). Which questions are right is drawn from an ability and difficulty model:
every run puts the questions in its own order from easy to hard, and the given count cuts it.
Confidences are drawn too; a bias towards right or wrong answers is then solved for r, and a scale
for K1, so that both come out as printed.

Chance is `Random(SEED).random()` alone, with plain arithmetic and square roots on top: these give
the same numbers in every Python, so the files are the same bytes on every machine.
"""

import csv
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

SEED = 2004

# Table 1: right answers, K1, r. Without the last two: all confidences are 0.
PUBLISHED = """
    uams042nlnl 91  0.0078  0.1148 | uams041nlnl 88  0.0063  0.0987 | uams041ennl 70  0.0055  0.1105
    fuha041dede 67 -0.3271  0.0094 | aliv042eses 65 -0.0416  0.1711 | aliv041eses 63 -0.0500  0.1099
    irst041itit 56 -0.1853  0.2128 | talp042eses 52 -0.2252 -0.0366 | dfki041dede 51
    ilcp041itit 51                 | gine042frfr 49 -0.2748 -0.0339 | talp041eses 48 -0.2464 -0.0483
    ptue041ptpt 47  0.0201  0.5169 | dfki041deen 47 -0.5131 -0.0453 | inao041eses 45
    irst041iten 45 -0.2310  0.1411 | irst042itit 44 -0.3248 -0.0188 | edin042fren 40 -0.4066  0.0004
    lire042fren 39 -0.1738  0.3707 | dltg041fren 38                 | inao042eses 37
    irst042iten 35 -0.3300  0.0566 | edin042deen 34 -0.3556  0.1124 | gine042defr 34 -0.2812 -0.0371
    gine042esfr 34 -0.3442 -0.0282 | edin041fren 33 -0.5336 -0.0560 | dltg042fren 29
    gine041defr 29 -0.3747 -0.0471 | gine042itfr 29 -0.3948 -0.0467 | gine042nlfr 29 -0.3682 -0.0507
    gine042ptfr 29 -0.3818 -0.0359 | edin041deen 28 -0.5515 -0.0077 | gine041frfr 27 -0.4425  0.0099
    gine041esfr 27 -0.4463  0.0991 | gine042enfr 27 -0.3184 -0.0336 | bgas041bgen 26 -0.3618  0.2023
    gine041itfr 25 -0.3926 -0.0368 | gine041ptfr 25 -0.4412 -0.0595 | sfnx042ptpt 22
    cole041eses 22                 | lire041fren 22 -0.3200  0.2625 | hels041fien 21 -0.1136  0.0359
    gine041nlfr 20 -0.4438 -0.0369 | mira041eses 18                 | gine041enfr 18 -0.4389 -0.0349
    sfnx041ptpt 14                 | gine041bgfr 13 -0.5603 -0.0181 | gine042bgfr 13 -0.4945  0.0928
"""

# Section 3.5: these two say NIL with confidence 1 wherever they are not sure. The number for
# fuha041dede is printed, that for dfki041deen is ours.
NIL_ANSWERS = {"fuha041dede": 149, "dfki041deen": 140}

# Confidences below 1 that they give to other answers, right and wrong: found by search, so that K1
# and r come out as printed, for fuha041dede with NIL at confidence 0 too (0.218 and 0.7385).
DOUBTS = {
    "fuha041dede": {True: [0.655, 0.97, 0.98], False: [0.04, 0.985]},
    "dfki041deen": {
        True: [0.3, 0.5, 0.5, 0.7, 0.7, 0.8],
        False: [0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.7, 0.72, 0.8, 0.9, 0.9, 0.9],
    },
}

# Invented from here on. Type: number of questions, NIL questions (20 in all are published), ease.
TYPES = {"factoid": (160, 16, 0.1), "definition": (40, 4, -0.4)}
TEAM_EASE = 0.7  # deviation of what is easy for a team; that between questions and runs is 1
TEAM_HABIT = 0.7  # how often a run gives the very answer that its team prefers
NIL_HABIT = 0.3  # a team says NIL for up to this share of the questions it cannot answer
RIGHT_TWICE = 0.3  # share of questions whose answer is found in two spellings
WRONG_ANSWERS = 8  # wrong answers in a question's pool
INEXACT, UNSUPPORTED = 0.08, 0.04  # shares of them that are not plainly wrong
BARS = [0.0, -1.0, -3.0, 0.5, 0.8, 0.9, 0.95]  # chance at which confidence begins; tried in turn


class Question(NamedTuple):
    id: str
    type: str
    nil: bool
    ease: float
    right: list[str]
    wrong: list[str]


class Run(NamedTuple):
    name: str
    right: int
    k1: float
    r: float | None


class Habit(NamedTuple):
    """What the runs of one team have in common on one question."""

    ease: float
    right: str
    wrong: str


def runs() -> Iterator[Run]:
    for name, right, *figures in map(str.split, PUBLISHED.replace("|", "\n").strip().split("\n")):
        k1, r = map(float, figures) if figures else (0.0, None)
        yield Run(name, int(right), k1, r)


def bell(rng: Random) -> float:
    """A nearly normal number, mean 0 and deviation 1; `fsum` rounds alike in every Python."""
    return math.fsum(rng.random() for _ in range(12)) - 6


def choose(rng: Random, pool: Sequence[str]) -> str:
    """One of the pool, the first ones more often: there are popular mistakes."""
    chance = rng.random()
    return pool[int(chance * chance * len(pool))]


def draw_questions(rng: Random) -> Iterator[Question]:
    kinds = [(name, i < nil) for name, (count, nil, _) in TYPES.items() for i in range(count)]
    for number, (kind, nil) in enumerate(sorted(kinds, key=lambda _: rng.random()), start=1):
        ease = TYPES[kind][2] + bell(rng)
        pool = [f"answer {n}" for n in sorted(range(1, 100), key=lambda _: rng.random())]
        cut = 2 if rng.random() < RIGHT_TWICE else 1
        right = ["NIL"] if nil else pool[:cut]
        yield Question(f"q{number:03}", kind, nil, ease, right, pool[cut : cut + WRONG_ANSWERS])


def draw_habits(rng: Random, questions: Iterable[Question]) -> Iterator[Habit]:
    nil_share = NIL_HABIT * rng.random()
    for question in questions:
        wrong = choose(rng, question.wrong)
        if rng.random() < nil_share and not question.nil:
            wrong = "NIL"
        yield Habit(TEAM_EASE * bell(rng), choose(rng, question.right), wrong)


def answer(
    rng: Random, run: Run, questions: Sequence[Question], habits: Sequence[Habit]
) -> Iterator[tuple[str, bool]]:
    """An answer to every question and whether it is right, which is exactly `run.right` times."""
    ease = [q.ease + habit.ease + bell(rng) for q, habit in zip(questions, habits, strict=True)]
    nils = NIL_ANSWERS.get(run.name, 0)
    # A run that says NIL wherever it is not sure has all the NIL questions right.
    easy_first = sorted(range(len(ease)), key=lambda i: (-(nils and questions[i].nil), -ease[i]))
    known = set(easy_first[: run.right])
    given_up = set([i for i in easy_first if questions[i].nil or i not in known][:nils])
    for i, (q, habit) in enumerate(zip(questions, habits, strict=True)):
        usual, pool = (habit.right, q.right) if i in known else (habit.wrong, q.wrong)
        if (nils and usual == "NIL") or rng.random() >= TEAM_HABIT:
            usual = choose(rng, pool)
        yield ("NIL" if i in given_up else usual), i in known


def correlate(confidence: Sequence[float], right: Sequence[bool]) -> float:
    """Pearson's r of confidence and correctness."""
    mean, share = math.fsum(confidence) / len(right), sum(right) / len(right)
    away = [c - mean for c in confidence]
    together = math.fsum(a for a, good in zip(away, right, strict=True) if good)
    return together / math.sqrt(math.fsum(a * a for a in away) * len(right) * share * (1 - share))


def spread(chance: Sequence[float], right: Sequence[bool], bias: float, bar: float) -> list[float]:
    """Chances pulled to 1 where right, 0 where wrong (bias below 0: reversed), cut at the bar."""
    ends = [1 if good is (bias > 0) else 0 for good in right]
    pulled = [u + abs(bias) * (end - u) for u, end in zip(chance, ends, strict=True)]
    return [max(0.0, (x - bar) / (1 - bar)) for x in pulled]


def solve(run: Run, r: float, chance: Sequence[float], right: Sequence[bool]) -> list[float]:
    """Confidences of the run's K1 and r: the bias gives r, whatever the scale, and the scale K1."""
    for bar in BARS:
        low, high = -1.0, 1.0
        for _ in range(50):
            bias = (low + high) / 2
            below = correlate(spread(chance, right, bias, bar), right) < r
            low, high = (bias, high) if below else (low, bias)
        found = spread(chance, right, bias, bar)
        total = math.fsum(c if good else -c for c, good in zip(found, right, strict=True))
        scale = run.k1 * len(right) / total
        if 0 < scale * max(found) <= 1:
            return [scale * c for c in found]
    raise ValueError(f"{run.name}: no confidences give K1 {run.k1} and r {r}")


def rate(rng: Random, run: Run, given: Sequence[tuple[str, bool]]) -> list[float]:
    """A confidence for every answer."""
    if run.r is None:
        return [0.0] * len(given)
    if run.name not in DOUBTS:
        return solve(run, run.r, [rng.random() for _ in given], [good for _, good in given])
    confidence = [1.0] * len(given)
    for kind, doubts in DOUBTS[run.name].items():
        others = [i for i, (text, good) in enumerate(given) if good is kind and text != "NIL"]
        for i, doubt in zip(sorted(others, key=lambda _: rng.random()), doubts, strict=False):
            confidence[i] = doubt
    return confidence


def assess(
    rng: Random, questions: Iterable[Question], given: set[tuple[str, str]]
) -> Iterator[tuple[str, str, str, str]]:
    """A label for every right answer, and for every wrong one that some run gives; none for NIL."""
    for question in questions:
        for text in [] if question.nil else question.right:
            yield question.id, text, "R", "a"
        for text in question.wrong:
            chance = rng.random()
            label = "X" if chance < INEXACT else "U" if chance < INEXACT + UNSUPPORTED else "W"
            if (question.id, text) in given:
                yield question.id, text, label, ""


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header.split(","), *rows])


def main(folder: Path) -> None:
    rng = Random(SEED)
    questions = list(draw_questions(rng))
    teams = dict.fromkeys(run.name[:4] for run in runs())
    habits = {team: list(draw_habits(rng, questions)) for team in teams}
    seen: set[tuple[str, str]] = set()
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    for run in runs():
        given = list(answer(rng, run, questions, habits[run.name[:4]]))
        texts = [(q.id, text) for q, (text, _) in zip(questions, given, strict=True)]
        figures = [f"{c:.5f}".rstrip("0").rstrip(".") for c in rate(rng, run, given)]
        rows = [(*text, figure) for text, figure in zip(texts, figures, strict=True)]
        write(folder / "runs" / f"{run.name}.csv", "question,answer,confidence", rows)
        seen.update(texts)
    write(folder / "assessments.csv", "question,answer,label,class", assess(rng, questions, seen))
    asked = [(q.id, q.type, str(q.nil).lower()) for q in questions]
    write(folder / "questions.csv", "question,type,nil", asked)
    ways = [(run.name, run.name[:4], run.name[7:9], run.name[9:]) for run in runs()]
    described = [
        (name, team, f"{source}-{target}", "monolingual" if source == target else "bilingual")
        for name, team, source, target in ways
    ]
    write(folder / "runs.csv", "run,team,language,category", described)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
