"""Makes the files of this campaign by chance: `python resources/assistants/simulate.py`.

Five assistants of an ability and a caution of their own answer questions in two collections, four
times each. A question is hard for all of them alike, and more so the whole document that it is
about. An assistant declines where it is unsure. One scorer compares strings; another, a grader,
errs at random.
"""

import csv
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent
SAMPLES = 4
ASSISTANTS = {
    "amber": (1.2, 0.0),
    "birch": (1.0, 0.9),
    "cedar": (0.6, 0.4),
    "dune": (0.5, -2.0),
    "ember": (-0.2, 0.6),
}
"""Ability, and how sure an assistant must be to answer."""

COLLECTIONS = {
    "manuals": (40, ("install", "configure", "repair")),
    "history": (30, ("who", "when", "where")),
}
"""Documents of three questions each, and the types of the questions."""


def main() -> None:
    chance = Random(2026)
    for name, (documents, types) in COLLECTIONS.items():
        questions, answers, grades = [], [], []
        for document in range(documents):
            hard = chance.gauss(0, 0.8)
            for number, kind in enumerate(types):
                question = f"{name[0]}{document + 1:02}{number + 1}"
                group = f"document {document + 1}"
                own = hard + chance.gauss(0, 0.8)
                questions.append([question, kind, group, f"Question {number + 1} on {group}"])
                for run, (ability, caution) in ASSISTANTS.items():
                    for sample in range(1, SAMPLES + 1):
                        sure = ability - own + chance.gauss(0, 0.7)
                        right = sure + chance.gauss(0, 0.6) > 0
                        declines = sure < caution - 0.8
                        variant = chance.random() < 0.15
                        said = f"fact {question}" if right else f"claim {chance.randrange(4)}"
                        said = f"It is {said}." if variant else said
                        answer = "I don't know." if declines else said
                        row = [run, question, sample]
                        answers.append([*row, answer])
                        slip = chance.random() < (0.04 if right else 0.12)
                        grade = "C" if declines else "A" if right != slip else "B"
                        grades.append([*row, 1, grade])
        keys = [[row[0], f"fact {row[0]}"] for row in questions]
        write(name, "questions", ["question", "type", "group", "text"], questions)
        write(name, "runs", ["run", "question", "sample", "answer"], answers)
        write(name, "keys", ["question", "key"], keys)
        write(name, "grader", ["run", "question", "sample", "rank", "label"], grades)


def write(collection: str, name: str, header: list[str], rows: list[list[object]]) -> None:
    path = FOLDER / collection / f"{name}.csv"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


if __name__ == "__main__":
    main()
