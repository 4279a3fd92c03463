"""The CLEF 2004 pilot task: made again from its seed, and true to the published counts."""

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers" / "pilot2004-lists"


@cache
def read(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def questions() -> dict[str, dict[str, str]]:
    return {row["question"]: row for row in read("questions.csv")}


def responses(kind: str = "all") -> list[dict[str, str]]:
    return [
        row
        for row in read("runs/alicante.csv")
        if kind in ("all", questions()[row["question"]]["type"])
    ]


def is_right(response: dict[str, str]) -> bool:
    if response["answer"] == "NIL":
        return questions()[response["question"]]["nil"] == "true"
    labels = {(row["question"], row["answer"]): row["label"] for row in read("assessments.csv")}
    return labels[response["question"], response["answer"]] == "R"


# Herrera, Peñas & Verdejo (2004), Table 2: questions, known answers, answers given, questions with
# a right answer, right answers; recall and precision in per cent, and their decimals.
@pytest.mark.parametrize(
    ("kind", "counts", "recall", "precision"),
    [
        ("definition", (2, 3, 2, 0, 0), (0, 0), (0, 0)),
        ("factoid", (18, 26, 42, 4, 5), (19.23, 2), (11.9, 1)),
        ("list", (20, 191, 55, 4, 6), (3.14, 2), (10.9, 1)),
        ("temporal-date", (20, 20, 30, 2, 2), (10, 0), (6.67, 2)),
        ("temporal-event", (20, 20, 42, 2, 2), (10, 0), (4.76, 2)),
        ("temporal-period", (20, 20, 29, 3, 3), (15, 0), (10.3, 1)),
        ("all", (100, 280, 200, 15, 18), (6.43, 2), (9, 0)),
    ],
)
def test_published_counts_recall_and_precision_are_exact(
    kind: str,
    counts: tuple[int, ...],
    recall: tuple[float, int],
    precision: tuple[float, int],
) -> None:
    asked = [row for row in read("questions.csv") if kind in ("all", row["type"])]
    known = sum(int(row["known"]) for row in asked)
    given = len(responses(kind))
    right = [row["question"] for row in responses(kind) if is_right(row)]
    assert (len(asked), known, given, len(set(right)), len(right)) == counts
    assert round(100 * len(right) / known, recall[1]) == recall[0]
    assert round(100 * len(right) / given, precision[1]) == precision[0]


def test_the_two_nil_questions_are_factoid_and_not_recognised() -> None:
    nil = {name: row for name, row in questions().items() if row["nil"] == "true"}
    assert [(row["type"], row["known"]) for row in nil.values()] == [("factoid", "1")] * 2
    assert not any(row["answer"] == "NIL" for row in responses() if row["question"] in nil)


def test_41_questions_are_answered_nil_wrongly_and_without_confidence() -> None:
    refused = [row for row in responses() if row["answer"] == "NIL"]
    assert len({row["question"] for row in refused}) == len(refused) == 41
    assert {float(row["confidence"]) for row in refused} == {0.0}
    assert not any(map(is_right, refused))
    given = Counter(row["question"] for row in responses())
    assert {given[row["question"]] for row in refused} == {1}  # NIL stands alone


def test_every_question_has_one_to_three_different_answers() -> None:
    given = Counter(row["question"] for row in responses())
    assert given.keys() == questions().keys()
    assert set(given.values()) == {1, 2, 3}
    assert len({(row["question"], row["answer"]) for row in responses()}) == 200


def test_confidences_fall_from_at_most_0_5002() -> None:
    assert max(float(row["confidence"]) for row in responses()) == 0.5002
    for name in questions():
        levels = [float(row["confidence"]) for row in responses() if row["question"] == name]
        assert levels == sorted(levels, reverse=True)


def test_known_counts_the_classes_of_right_answers_or_nil() -> None:
    classes = {
        (row["question"], row["class"]) for row in read("assessments.csv") if row["label"] == "R"
    }
    found = Counter(question for question, _ in classes)
    for name, row in questions().items():
        assert int(row["known"]) == (1 if row["nil"] == "true" else found[name])
        assert (found[name] == 0) == (row["nil"] == "true")


def test_every_answer_but_nil_has_exactly_one_assessment() -> None:
    assessed = Counter((row["question"], row["answer"]) for row in read("assessments.csv"))
    given = {(row["question"], row["answer"]) for row in responses() if row["answer"] != "NIL"}
    assert set(assessed.values()) == {1}
    assert given <= assessed.keys()
    assert all((row["label"] == "R") == (row["class"] != "") for row in read("assessments.csv"))
    assert {row["label"] for row in read("assessments.csv")} == {"R", "W", "X", "U"}


def test_the_run_is_described() -> None:
    assert read("runs.csv") == [
        {
            "run": "alicante",
            "team": "University of Alicante",
            "language": "es-es",
            "category": "pilot",
        }
    ]
