"""The AVE 2008 collection: made again from its seed, and true to the published figures."""

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers" / "ave2008"
RUNS = sorted(path.stem for path in FOLDER.glob("runs/*.csv"))
SCORED = ["jota_1", "jota_2", "ltqa", "ofe"]


@cache
def read(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def right() -> set[str]:
    return {row["question"] for row in read("assessments.csv") if row["label"] == "yes"}


@cache
def validated(run: str) -> set[str]:
    return {row["question"] for row in read(f"runs/{run}.csv") if row["answer"] == "yes"}


def matrix(run: str) -> tuple[float, float, float, float]:
    """TP, FP, FN and TN of a run, or of a baseline in expectation."""
    shares = {"100% YES": 1.0, "50% YES": 0.5}
    if run in shares:
        tp, fp = 79 * shares[run], 940 * shares[run]
    else:
        tp, fp = len(validated(run) & right()), len(validated(run) - right())
    return tp, fp, 79 - tp, 940 - fp


def test_there_are_8_runs_over_1019_items_under_160_questions() -> None:
    items = [row["question"] for row in read("questions.csv")]
    assert len(set(items)) == len(items) == 1019
    assert len({row["group"] for row in read("questions.csv")}) == 160
    assert len(RUNS) == 8
    assert sorted(row["run"] for row in read("runs.csv")) == RUNS


def test_79_items_are_right_and_940_are_not() -> None:
    assert Counter(row["label"] for row in read("assessments.csv")) == {"yes": 79, "no": 940}
    assert [row["question"] for row in read("assessments.csv")] == [
        row["question"] for row in read("questions.csv")
    ]


@pytest.mark.parametrize("run", RUNS)
def test_a_run_says_yes_or_no_to_every_item_once(run: str) -> None:
    assert [row["question"] for row in read(f"runs/{run}.csv")] == [
        row["question"] for row in read("questions.csv")
    ]
    assert {row["answer"] for row in read(f"runs/{run}.csv")} == {"yes", "no"}


def test_the_matrix_of_ofe_is_the_printed_one() -> None:
    assert matrix("ofe") == (68, 129, 11, 811)  # Rodrigo, Peñas & Verdejo, Table 4


# Rodrigo, Peñas & Verdejo, Table 3: fp rate, recall (tp rate), precision, AUC, F.
@pytest.mark.parametrize(
    ("run", "published"),
    [
        ("ltqa", (0.06, 0.78, 0.54, 0.86, 0.64)),
        ("ofe", (0.14, 0.86, 0.35, 0.86, 0.49)),
        ("uaic_2", (0.58, 0.85, 0.11, 0.64, 0.19)),
        ("jota_2", (0.33, 0.56, 0.13, 0.62, 0.21)),
        ("jota_1", (0.79, 0.94, 0.09, 0.58, 0.17)),
        ("uaic_1", (0.62, 0.76, 0.09, 0.57, 0.17)),
        ("magc_2", (0.01, 0.01, 0.17, 0.50, 0.02)),
        ("magc_1", (0.01, 0, 0, 0.50, 0)),
        ("100% YES", (1, 1, 0.08, 0.50, 0.14)),
        ("50% YES", (0.5, 0.5, 0.08, 0.50, 0.13)),
    ],
)
def test_every_published_figure_is_exact(run: str, published: tuple[float, ...]) -> None:
    tp, fp, fn, tn = matrix(run)
    fp_rate, recall, precision = fp / (fp + tn), tp / (tp + fn), tp / (tp + fp)
    area = (1 + recall - fp_rate) / 2
    f = 2 * precision * recall / (precision + recall) if tp else 0
    found = tuple(round(value, 2) for value in (fp_rate, recall, precision, area, f))
    assert found == published


@pytest.mark.parametrize("run", RUNS)
def test_four_runs_give_scores_from_one_half_exactly_where_they_say_yes(run: str) -> None:
    rows = read(f"runs/{run}.csv")
    assert ("score" in rows[0]) == (run in SCORED)
    if run in SCORED:
        assert all(0 <= float(row["score"]) < 1 for row in rows)
        assert all((float(row["score"]) >= 0.5) == (row["answer"] == "yes") for row in rows)
    category = {row["run"]: row["category"] for row in read("runs.csv")}[run]
    assert category == ("scored" if run in SCORED else "yes or no")


def test_right_items_gather_in_some_groups_and_most_groups_have_none() -> None:
    sizes = Counter(row["group"] for row in read("questions.csv"))
    rights = Counter(row["group"] for row in read("questions.csv") if row["question"] in right())
    assert (min(sizes.values()), max(sizes.values())) == (1, 16)
    assert Counter(rights[group] for group in sizes) == {0: 114, 1: 27, 2: 9, 3: 6, 4: 4}


def test_the_same_wrong_items_convince_several_runs() -> None:
    """Independent runs would validate a wrong item by a sum of coins, of variance Σ p (1 − p)."""
    wrong = {row["question"] for row in read("questions.csv")} - right()
    shares = [len(validated(run) & wrong) / len(wrong) for run in RUNS]
    votes = [sum(item in validated(run) for run in RUNS) for item in wrong]
    mean = sum(votes) / len(votes)
    variance = sum((vote - mean) ** 2 for vote in votes) / len(votes)
    assert variance > 1.3 * sum(share * (1 - share) for share in shares)
