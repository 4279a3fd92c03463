"""Rebuild the TREC-8 collection: 198 questions with a key, 41 runs, three assessors.

    python resources/five-papers/trec8/generate.py [folder]

How many responses have which recall, right and wrong, is given by Breck et al. (2000, Table 1),
and the size of the key by their section 3.1. Which responses are right comes from a model of able
runs and easy questions, cut so that the counts come out exactly; then each response is given its
recall, and a text that has just so many words of one form of the key.

Chance is `Random(SEED).random()` alone, with plain arithmetic on top: Python promises the same
numbers from it in every version, so the files have the same content on every machine.
"""

import csv
import gzip
import io
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

SEED = 1999

# Breck et al. (2000), section 3.1.
RESPONSES, STRINGS, RANKS = 37_927, 35_684, 5

# Table 1: recall of at most so much, and the numbers of right and wrong responses.
TABLE = {
    Fraction(0): (336, 29_709),
    Fraction(1, 4): (36, 325),
    Fraction(1, 2): (747, 1_399),
    Fraction(3, 4): (109, 173),
    Fraction(99, 100): (61, 5),
    Fraction(1): (4_479, 548),
}
BINS = list(TABLE)

# Ours, so that the means are those of section 3.1: 1.4 answers to a question, 1.25 forms of an
# answer, 2.2 content words in a form. How many of each number there are.
ANSWERS = {1: 140, 2: 41, 3: 13, 4: 4}
FORMS = {1: 222, 2: 43, 3: 10, 4: 2}
WORDS = {1: 115, 2: 115, 3: 68, 4: 32, 5: 12, 6: 4}

# Invented: what each of the 25 teams can do, and which runs it has, of 50 or 250 bytes.
TEAMS = {
    "sim01": (1.4, "SL"), "sim02": (1.24, "SL"), "sim03": (1.04, "L"), "sim04": (0.96, "SL"),
    "sim05": (0.84, "SL"), "sim06": (0.76, "SL"), "sim07": (0.68, "L"), "sim08": (0.6, "SL"),
    "sim09": (0.52, "SL"), "sim10": (0.4, "S"), "sim11": (0.36, "SL"), "sim12": (0.24, "SL"),
    "sim13": (0.16, "L"), "sim14": (0.08, "SL"), "sim15": (-0.04, "SL"), "sim16": (-0.12, "SL"),
    "sim17": (-0.2, "L"), "sim18": (-0.32, "SL"), "sim19": (-0.44, "SL"), "sim20": (-0.56, "L"),
    "sim21": (-0.68, "SL"), "sim22": (-0.8, "S"), "sim23": (-0.96, "L"), "sim24": (-1.16, "SL"),
    "sim25": (-1.52, "L"),
}  # fmt: skip
BYTES = {"S": 50, "L": 250}
LONGER = 0.45  # what 250 bytes are worth

EASE, TASTE, LUCK = 1.1, 0.8, 0.7  # deviations: of questions, of a team's questions, of answers
LATER = 0.75  # by how much a later rank is less often right
KEEN = 1.3  # deviation of how often a question's responses have a certain recall
DUMP = 0.22  # how much rather a long wrong response has words of the key
DISSENT_RIGHT, DISSENT_NEAR, DISSENT_WRONG = 0.30, 0.30, 0.02
"""How often one of the three assessors differs: on right responses, on wrong ones that have words
of the key, on others."""

KINDS = {
    "person": ["Who was the first to describe {}?", "Who led the expedition to {}?"],
    "place": ["Where is {}?", "In what town was {} signed?"],
    "organisation": ["Which company made {}?", "What institute found {}?"],
    "thing": ["What is {} known for?", "What did the people of {} trade in?"],
}
SYLLABLES = [consonant + vowel for consonant in "bdgkmnprtvz" for vowel in "aou"]
SMALL = "the of in on at by for with and to from as it its his their was were is has had that"
LARGE = """
    year report company government people official country market state group president city plan
    week agency minister police party system program leader war bank member office price law force
    water school case road court paper deal house line chief power season trade list region study
    team talks vote station river union army budget council island museum harbour valley factory
    said told announced found made called opened closed built moved signed helped joined planned
    expected reported started ended asked met won lost sold paid grew fell raised remains describes
    new old large small early late public private foreign local national former senior annual final
    nearly almost often later again since
"""


class Form(NamedTuple):
    text: str
    words: list[str]


class Question(NamedTuple):
    id: str
    kind: str
    text: str
    answers: list[list[Form]]
    ease: float
    passages: list[list[str]]


class Run(NamedTuple):
    name: str
    team: str
    size: str
    ability: float


class Slot(NamedTuple):
    """A response to be made."""

    run: Run
    question: int
    rank: int


def bell(rng: Random) -> float:
    """A nearly normal number, mean 0 and deviation 1; `fsum` rounds alike in every Python."""
    return math.fsum(rng.random() for _ in range(12)) - 6


def choose(rng: Random, pool: Sequence[str]) -> str:
    return pool[int(rng.random() * len(pool))]


def shuffled(rng: Random, numbers: Mapping[int, int]) -> list[int]:
    """Each number as often as it is to come, in any order."""
    every = [number for number, count in numbers.items() for _ in range(count)]
    return sorted(every, key=lambda _: rng.random())


def bin_of(found: int, words: int) -> Fraction:
    return next(upper for upper in BINS if Fraction(found, words) <= upper or upper == 1)


def draw_form(rng: Random, size: int, taken: set[str]) -> Form:
    """New names, now and then with a small word between them that does not count."""
    words: list[str] = []
    while len(words) < size:
        word = "".join(choose(rng, SYLLABLES) for _ in range(3)).capitalize()
        if word not in taken:
            taken.add(word)
            words.append(word)
    text = " ".join(words)
    if size > 1 and rng.random() < 0.25:
        text = f"{words[0]} {choose(rng, ['of', 'of the', 'and', 'in'])} {' '.join(words[1:])}"
    return Form(text, words)


def draw_passage(rng: Random) -> list[str]:
    words = []
    for _ in range(80):
        chance = rng.random()
        if chance < 0.42:
            words.append(choose(rng, SMALL.split()))
        elif chance < 0.92:
            words.append(choose(rng, LARGE.split()))
        else:
            words.append((choose(rng, SYLLABLES) + choose(rng, SYLLABLES)).capitalize())
    return words


def draw_questions(rng: Random) -> Iterator[Question]:
    answers, forms, words = (shuffled(rng, each) for each in (ANSWERS, FORMS, WORDS))
    for number, count in enumerate(answers, start=1):
        taken: set[str] = set()
        kind = choose(rng, list(KINDS))
        about = "".join(choose(rng, SYLLABLES) for _ in range(2)).capitalize()
        given = [
            [draw_form(rng, words.pop(), taken) for _ in range(forms.pop())] for _ in range(count)
        ]
        yield Question(
            f"q{number:03}",
            kind,
            choose(rng, KINDS[kind]).format(about),
            given,
            EASE * bell(rng),
            [draw_passage(rng) for _ in range(10)],
        )


def runs() -> list[Run]:
    return [
        Run(f"{team}-{BYTES[size]}", team, size, ability + LONGER * (size == "L"))
        for team, (ability, sizes) in TEAMS.items()
        for size in sizes
    ]


def draw_slots(rng: Random, questions: int) -> list[Slot]:
    """A slot for every response: five to a question, less those that some runs leave out."""
    lists = {(run, q): RANKS for run in runs() for q in range(questions)}
    brief = {run: rng.random() < 0.4 for run in runs()}
    order = sorted(lists, key=lambda each: rng.random() - brief[each[0]])
    left = len(lists) * RANKS - RESPONSES
    for each in order:
        cut = min(left, 5 if rng.random() < 0.5 else 1 + int(rng.random() * 4))
        lists[each] -= cut
        left -= cut
    return [Slot(run, q, rank) for (run, q), n in lists.items() for rank in range(1, n + 1)]


def draw_right(rng: Random, slots: Sequence[Slot], questions: Sequence[Question]) -> set[Slot]:
    """The right responses: those of able runs to easy questions, as many as there are to be."""
    tastes = {(t, q): TASTE * bell(rng) for t in TEAMS for q in range(len(questions))}
    score = {
        slot: slot.run.ability
        + questions[slot.question].ease
        + tastes[slot.run.team, slot.question]
        + LUCK * bell(rng)
        - LATER * math.sqrt(slot.rank - 1)
        for slot in slots
    }
    total = sum(right for right, _ in TABLE.values())
    return set(sorted(slots, key=score.__getitem__, reverse=True)[:total])


def options(question: Question) -> dict[Fraction, list[tuple[Form, int]]]:
    """For each bin of recall: the forms that can give it, and with how many of their words."""
    found: dict[Fraction, list[tuple[Form, int]]] = defaultdict(list)
    for form in (form for answer in question.answers for form in answer):
        for number in range(len(form.words) + 1):
            found[bin_of(number, len(form.words))].append((form, number))
    return found


def draw_bins(
    rng: Random,
    slots: Iterable[Slot],
    counts: Mapping[Fraction, int],
    questions: Sequence[Question],
) -> dict[Slot, Fraction]:
    """The bin of each response: as many as there are to be, more for some questions than others.

    Those that few questions can have come first.
    """
    open_to = [options(question) for question in questions]
    left = list(slots)
    found: dict[Slot, Fraction] = {}
    for upper in sorted(counts, key=lambda each: sum(each in every for every in open_to)):
        keen = [KEEN * bell(rng) for _ in questions]
        dump = DUMP * (upper > 0)
        rank = {
            slot: keen[slot.question] + bell(rng) + dump * (slot.run.size == "L")
            for slot in left
            if upper in open_to[slot.question]
        }
        taken = sorted(rank, key=rank.__getitem__, reverse=True)[: counts[upper]]
        assert len(taken) == counts[upper]
        found |= dict.fromkeys(taken, upper)
        left = [slot for slot in left if slot not in found]
    return found


def draw_text(rng: Random, question: Question, upper: Fraction, size: int) -> str:
    """A stretch of a passage with words of a form in it, of at most so many bytes."""
    pool = options(question)[upper]
    form, number = pool[int(rng.random() * rng.random() * len(pool))]
    picked = sorted(range(len(form.words)), key=lambda _: rng.random())[:number]
    named = " ".join(form.words[i] for i in sorted(picked))
    if number == len(form.words):
        named = form.text
    if named and rng.random() < 0.1:
        named += "'s"
    passage = question.passages[int(rng.random() * rng.random() * len(question.passages))]
    begin = int(rng.random() * 40)
    words = passage[begin:]
    room = size - len(named) - 2 - int(rng.random() * size * 0.2)
    chosen: list[str] = []
    while words and len(" ".join([*chosen, words[0]])) <= room:
        chosen.append(words.pop(0))
    chosen.insert(int(rng.random() * (len(chosen) + 1)), named)
    return " ".join(filter(None, chosen))[:size]


def draw_texts(
    rng: Random, bins: Mapping[Slot, Fraction], right: set[Slot], questions: Sequence[Question]
) -> dict[Slot, str]:
    """A text for each response; some are what another run says, the others are like no other."""
    texts: dict[Slot, str] = {}
    taken: set[str] = set()
    alike: dict[object, list[Slot]] = defaultdict(list)
    copies = len(bins) - STRINGS
    said: set[tuple[Run, str]] = set()
    for slot in sorted(bins, key=lambda _: rng.random()):
        group = slot.question, slot in right, bins[slot], slot.run.size
        others = [s for s in alike[group] if (slot.run, texts[s]) not in said]
        eager = 0.13 if slot.run.size == "S" else 0.04
        if copies and others and rng.random() < eager:
            text = texts[others[int(rng.random() * len(others))]]
            copies -= 1
        else:
            while True:
                text = draw_text(rng, questions[slot.question], bins[slot], BYTES[slot.run.size])
                if text not in taken:
                    break
        taken.add(text)
        said.add((slot.run, text))
        texts[slot] = text
        alike[group].append(slot)
    assert copies == 0
    return texts


def dissent(
    rng: Random, texts: Mapping[Slot, str], bins: Mapping[Slot, Fraction], right: set[Slot]
) -> dict[str, int]:
    """Which assessor differs on a text, if one does: the other two are the majority."""
    found = {}
    for slot, text in texts.items():
        if text in found:
            continue
        rate = DISSENT_RIGHT if slot in right else DISSENT_NEAR if bins[slot] else DISSENT_WRONG
        found[text] = int(rng.random() * 3) if rng.random() < rate else -1
    return found


def key(question: Question) -> str:
    return " | ".join("; ".join(form.text for form in answer) for answer in question.answers)


def write(path: Path, header: str, rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([header.split(","), *rows])
    content = text.getvalue().encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)


def main(folder: Path) -> None:
    rng = Random(SEED)
    questions = list(draw_questions(rng))
    slots = draw_slots(rng, len(questions))
    right = draw_right(rng, slots, questions)
    bins: dict[Slot, Fraction] = {}
    for place, is_right in enumerate((True, False)):
        counts = {upper: numbers[place] for upper, numbers in TABLE.items()}
        own = [slot for slot in slots if (slot in right) == is_right]
        bins |= draw_bins(rng, own, counts, questions)
    texts = draw_texts(rng, bins, right, questions)
    differs = dissent(rng, texts, bins, right)
    slots.sort(key=lambda slot: (slot.question, slot.run.name, slot.rank))
    names = [(questions[s.question].id, s.run.name, s.rank) for s in slots]
    write(
        folder / "responses.csv.gz",
        "question,run,rank,answer",
        [(*name, texts[slot]) for name, slot in zip(names, slots, strict=True)],
    )
    for number, assessor in enumerate(["adjudicated", "ana", "bob", "cem"], start=-1):
        labels = ["RW"[(slot in right) == (number == differs[texts[slot]] >= 0)] for slot in slots]
        rows = [(*name, assessor, label) for name, label in zip(names, labels, strict=True)]
        path = folder / "assessments" / f"{assessor}.csv.gz"
        write(path, "question,run,rank,assessor,label", rows)
    write(folder / "keys.csv", "question,key", [(q.id, key(q)) for q in questions])
    asked = [(q.id, q.kind, q.text) for q in questions]
    write(folder / "questions.csv", "question,type,text", asked)
    described = [(run.name, run.team, f"{BYTES[run.size]}-byte") for run in runs()]
    write(folder / "runs.csv", "run,team,category", described)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
