"""The CLEF 2009 collection: made again from its seed, and true to the published counts."""

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers" / "clef2009"
RUNS = sorted(path.stem for path in FOLDER.glob("runs/*.csv"))


@cache
def read(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def counts(run: str) -> tuple[int, int, int]:
    """Right, wrong and unanswered questions of a run, joined by hand."""
    labels = {(row["question"], row["answer"]): row["label"] for row in read("assessments.csv")}
    answers = {
        row["question"]: row["answer"]
        for row in read(f"runs/{run}.csv")
        if row["answered"] == "true"
    }
    right = sum(labels[question, answer] == "R" for question, answer in answers.items())
    return right, len(answers) - right, len(read("questions.csv")) - len(answers)


def test_there_are_44_runs_over_500_questions() -> None:
    assert [row["question"] for row in read("questions.csv")] == [
        f"q{number:03}" for number in range(1, 501)
    ]
    assert len(RUNS) == 44
    assert sorted(row["run"] for row in read("runs.csv")) == RUNS


# Peñas & Rodrigo (2011), Table 3, columns (i) to (iii).
@pytest.mark.parametrize(
    ("run", "published"),
    [
        ("icia091ro", (237, 156, 107)),
        ("uaic092ro", (236, 264, 0)),
        ("loga092de", (187, 230, 83)),
        ("base092de", (189, 311, 0)),
    ],
)
def test_published_counts_are_exact(run: str, published: tuple[int, int, int]) -> None:
    assert counts(run) == published


def test_published_runs_are_marked_as_such_and_all_others_as_simulated() -> None:
    for row in read("runs.csv"):
        assert row["category"] == ("simulated" if row["run"].startswith("sim") else "published")
    assert Counter(row["category"] for row in read("runs.csv")) == {"published": 4, "simulated": 40}


@pytest.mark.parametrize("run", RUNS)
def test_a_run_answers_a_known_question_at_most_once(run: str) -> None:
    asked = [row["question"] for row in read(f"runs/{run}.csv")]
    assert len(asked) == len(set(asked))
    assert set(asked) <= {row["question"] for row in read("questions.csv")}


def test_every_answer_given_or_withheld_has_exactly_one_assessment() -> None:
    assessed = Counter((row["question"], row["answer"]) for row in read("assessments.csv"))
    given = {
        (row["question"], row["answer"])
        for run in RUNS
        for row in read(f"runs/{run}.csv")
        if row["answer"]
    }
    assert set(assessed.values()) == {1}
    assert given <= assessed.keys()
    assert {row["label"] for row in read("assessments.csv")} == {"R", "W", "X", "U"}


def test_every_question_has_a_right_answer_and_only_right_answers_have_a_class() -> None:
    right = [row for row in read("assessments.csv") if row["label"] == "R"]
    assert {row["question"] for row in right} == {row["question"] for row in read("questions.csv")}
    assert all((row["label"] == "R") == (row["class"] != "") for row in read("assessments.csv"))


@pytest.mark.parametrize("run", ["icia091ro", "loga092de"])
def test_questions_are_left_unanswered_in_all_three_ways(run: str) -> None:
    rows = read(f"runs/{run}.csv")
    withheld = [row["answer"] for row in rows if row["answered"] == "false"]
    assert all(row["answer"] for row in rows if row["answered"] == "true")
    assert any(withheld)  # a candidate is shown
    assert "" in withheld  # an empty answer
    assert len(rows) < 500  # no row at all


def test_withheld_candidates_are_right_less_often_than_answers() -> None:
    labels = {(row["question"], row["answer"]): row["label"] for row in read("assessments.csv")}
    shown: dict[str, list[bool]] = {"true": [], "false": []}
    for run in RUNS:
        if counts(run)[2]:
            for row in read(f"runs/{run}.csv"):
                if row["answer"]:
                    label = labels[row["question"], row["answer"]]
                    shown[row["answered"]].append(label == "R")
    answered, withheld = (sum(flags) / len(flags) for flags in (shown["true"], shown["false"]))
    assert 0.1 < withheld < answered


def test_the_extremes_lie_a_little_below_those_published_for_half_collections() -> None:
    """Table 2 of the paper: accuracy 0.68, c@1 0.77 and UF 0.48 at best on 250 questions."""
    accuracy = [right / 500 for right, _, _ in map(counts, RUNS)]
    c_at_1 = [(right + right * left / 500) / 500 for right, _, left in map(counts, RUNS)]
    utility = [(right - wrong) / 500 for right, wrong, _ in map(counts, RUNS)]
    assert 0.60 <= max(accuracy) <= 0.63
    assert 0.68 <= max(c_at_1) <= 0.72
    assert 0.38 <= max(utility) <= 0.44
    assert 0.08 <= min(accuracy) <= 0.12


def test_about_half_of_the_runs_leave_questions_unanswered_a_few_of_them_many() -> None:
    unanswered = [counts(run)[2] / 500 for run in RUNS]
    assert 18 <= sum(share > 0 for share in unanswered) <= 26
    assert 0.35 <= max(unanswered) <= 0.40
