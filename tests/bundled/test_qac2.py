"""The three QAC2 collections: made again from their seed, and as near to the paper as promised."""

import csv
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from tests.helpers.cases import first

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers"
COLLECTIONS = ["qac2", "qac2-askmi", "qac2-lists"]
RANKED = ["qac2", "qac2-askmi"]

# In the order of Sakai (2004), section 4: by falling MRR. The numbers are ours.
ASKMI = {
    "sim05a-oat-osd": 0.723,
    "sim05a-osd": 0.648,
    "sim05a-oat": 0.519,
    "sim05a": 0.453,
    "sim05a-pd0": 0.449,
    "sim05a-b0": 0.435,
    "sim05a-noaf": 0.434,
    "sim05a-prf": 0.419,
    "sim05a-pc0": 0.377,
    "sim05a-top50": 0.362,
}


class Answer(NamedTuple):
    label: str
    level: str
    group: str  # the class


@cache
def read(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def questions(collection: str) -> list[str]:
    return [row["question"] for row in read(f"{collection}/questions.csv")]


@cache
def runs(collection: str) -> list[str]:
    return sorted(path.stem for path in (FOLDER / collection).glob("runs/*.csv"))


@cache
def assessments(collection: str) -> dict[tuple[str, str], Answer]:
    return {
        (row["question"], row["answer"]): Answer(row["label"], row["level"], row["class"])
        for row in read(f"{collection}/assessments.csv")
    }


@cache
def known(collection: str) -> dict[str, dict[str, set[str]]]:
    """For each question its right classes, each with the levels of its answers."""
    classes: dict[str, dict[str, set[str]]] = {question: {} for question in questions(collection)}
    for (question, _), answer in assessments(collection).items():
        if answer.label == "R":
            classes[question].setdefault(answer.group, set()).add(answer.level)
    return classes


@cache
def judged(collection: str, run: str) -> dict[str, list[Answer]]:
    """What the assessments say of a run's answers, question by question, in the file's order."""
    lists: dict[str, list[Answer]] = {question: [] for question in questions(collection)}
    for row in read(f"{collection}/runs/{run}.csv"):
        answer = assessments(collection)[row["question"], row["answer"]]
        lists[row["question"]].append(answer)
    return lists


def reciprocal_rank(answers: list[Answer]) -> float:
    return next((1 / rank for rank, a in enumerate(answers, start=1) if a.label == "R"), 0.0)


def list_f(answers: list[Answer], classes: dict[str, set[str]]) -> float:
    """Precision is right / given and recall right / known, so that F is 2 right / (given + known)."""
    right = {answer.group for answer in answers if answer.label == "R"}
    return 2 * len(right) / (len(answers) + len(classes))


def q_measure(
    answers: list[Answer], classes: dict[str, set[str]], gains: dict[str, float]
) -> float:
    """As in the paper's appendix. A class counts once, where it first stands; ideal is its best."""
    ideal = sorted(max(gains[level] for level in levels) for levels in classes.values())[::-1]
    seen: set[str] = set()
    bonused = total = 0.0
    for rank, answer in enumerate(answers, start=1):
        if answer.label == "R" and answer.group not in seen:
            seen.add(answer.group)
            bonused += gains[answer.level] + 1
            total += bonused / (sum(ideal[:rank]) + rank)
    return total / len(classes)


@cache
def values(collection: str, measure: str) -> dict[str, list[float]]:
    """The measure of every run, for each question."""
    gains = {"Q1:1:1": (1, 1, 1), "Q2:1.5:1": (2, 1.5, 1), "Q3:2:1": (3, 2, 1)}

    def value(answers: list[Answer], classes: dict[str, set[str]]) -> float:
        if measure in gains:
            return q_measure(answers, classes, dict(zip("SAB", gains[measure], strict=True)))
        if measure == "F":
            return list_f(answers, classes)
        first = reciprocal_rank(answers)
        return {"RR": first, "NQcorrect1": float(first == 1), "NQcorrect5": float(first > 0)}[
            measure
        ]

    return {
        run: [
            value(answers, known(collection)[q]) for q, answers in judged(collection, run).items()
        ]
        for run in runs(collection)
    }


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def swap(
    collection: str, measure: str, size: int, trials: int = 1000
) -> tuple[float, float, float]:
    """Figure 2 of the paper, with the same draws for all pairs: the absolute difference required
    at 95%, the highest value seen, and the share of comparisons with that difference."""
    scores = list(values(collection, measure).values())
    rng = Random(97)
    counts, swaps, highest = [0] * 21, [0] * 21, 0.0
    for _ in range(trials):
        order = sorted(range(len(scores[0])), key=lambda _: rng.random())
        halves = [
            [sum(run[i] for i in part) / size for run in scores]
            for part in (order[:size], order[size : 2 * size])
        ]
        highest = max(highest, *halves[0], *halves[1])
        for x, y in combinations(range(len(scores)), 2):
            one, two = (round(half[x] - half[y], 9) for half in halves)
            place = min(int(abs(one) * 100 + 1e-9), 20)
            counts[place] += 1
            swaps[place] += one * two < 0 or (one == 0) != (two == 0)
    first = next(b for b in range(21) if counts[b] and swaps[b] / counts[b] <= 0.05)
    return first / 100, highest, sum(counts[first:]) / sum(counts)


def sign_test(a: list[float], b: list[float]) -> float:
    """Two-sided, without the questions on which the runs are equal."""
    wins = sum(x - y > 1e-9 for x, y in zip(a, b, strict=True))
    losses = sum(y - x > 1e-9 for x, y in zip(a, b, strict=True))
    tail = sum(comb(wins + losses, k) for k in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / (1 << (wins + losses)))


# Sakai (2004), sections 3, 4 and 5; of the list questions it says that they are nearly 200.
@pytest.mark.parametrize(
    ("collection", "run_count", "question_count"),
    [("qac2", 25, 195), ("qac2-askmi", 10, 195), ("qac2-lists", 14, 199)],
)
def test_runs_and_questions_are_as_many_as_published(
    collection: str, run_count: int, question_count: int
) -> None:
    assert questions(collection) == [f"q{n:03}" for n in range(1, question_count + 1)]
    assert len(runs(collection)) == run_count
    assert sorted(row["run"] for row in read(f"{collection}/runs.csv")) == runs(collection)
    assert all(run.startswith("sim") for run in runs(collection))


@pytest.mark.parametrize("collection", RANKED)
def test_ranked_lists_have_up_to_five_answers_without_a_gap(collection: str) -> None:
    for run in runs(collection):
        ranks: dict[str, list[int]] = {}
        for row in read(f"{collection}/runs/{run}.csv"):
            ranks.setdefault(row["question"], []).append(int(row["rank"]))
        assert ranks.keys() <= set(questions(collection))
        assert all(given == list(range(1, len(given) + 1)) for given in ranks.values())
        assert max(map(len, ranks.values())) == 5


def test_sets_have_no_ranks_stand_in_the_order_of_the_alphabet_and_differ_in_size() -> None:
    for run in runs("qac2-lists"):
        rows = read(f"qac2-lists/runs/{run}.csv")
        pairs = [(row["question"], row["answer"]) for row in rows]
        assert "rank" not in rows[0]
        assert pairs == sorted(set(pairs))
        sizes = Counter(question for question, _ in pairs).values()
        assert min(sizes) == 1
        assert 5 <= max(sizes) <= 10


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_answer_given_has_exactly_one_assessment(collection: str) -> None:
    assert len(read(f"{collection}/assessments.csv")) == len(assessments(collection))
    for run in runs(collection):
        rows = [(row["question"], row["answer"]) for row in read(f"{collection}/runs/{run}.csv")]
        assert len(rows) == len(set(rows))
        assert set(rows) <= assessments(collection).keys()


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_right_answers_and_only_these_have_a_level_and_a_class(collection: str) -> None:
    answers = assessments(collection).values()
    assert {answer.level for answer in answers if answer.label == "R"} == {"S", "A", "B"}
    assert all(answer.group for answer in answers if answer.label == "R")
    assert {answer for answer in answers if answer.label != "R"} == {Answer("W", "", "")}


@pytest.mark.parametrize(
    ("collection", "most"), [("qac2", 7), ("qac2-askmi", 7), ("qac2-lists", 9)]
)
def test_every_question_has_right_classes_many_have_several(collection: str, most: int) -> None:
    sizes = [len(classes) for classes in known(collection).values()]
    assert min(sizes) == 1
    assert max(sizes) == most
    assert sum(size > 1 for size in sizes) > len(sizes) / 2


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_class_may_have_answers_of_different_levels(collection: str) -> None:
    levels = [levels for classes in known(collection).values() for levels in classes.values()]
    assert 0.1 < sum(len(each) > 1 for each in levels) / len(levels) < 0.3


# The runs that do not merge wordings; all others give a right class once only.
@pytest.mark.parametrize(
    ("collection", "repeating"),
    [
        ("qac2", {"sim04a", "sim08a", "sim13a", "sim16b"}),
        ("qac2-askmi", {"sim05a-noaf"}),
        ("qac2-lists", {"sim03a", "sim07a"}),
    ],
)
def test_some_runs_repeat_a_right_class(collection: str, repeating: set[str]) -> None:
    def repeats(answers: list[Answer]) -> bool:
        right = [answer.group for answer in answers if answer.label == "R"]
        return len(right) > len(set(right))

    found = {run: sum(map(repeats, judged(collection, run).values())) for run in runs(collection)}
    assert {run for run in found if found[run]} == repeating
    assert all(found[run] > 10 for run in repeating)


@pytest.mark.parametrize(("collection", "missed"), [("qac2", 3), ("qac2-lists", 12)])
def test_to_a_few_questions_no_run_has_a_right_answer(collection: str, missed: int) -> None:
    none = [
        question
        for question in questions(collection)
        if not any(
            answer.label == "R"
            for run in runs(collection)
            for answer in judged(collection, run)[question]
        )
    ]
    assert len(none) == missed


@pytest.mark.parametrize(
    ("collection", "unanswered"),
    [
        ("qac2", {"sim09b": 19, "sim11a": 10, "sim17a": 28}),
        ("qac2-askmi", {}),
        ("qac2-lists", {"sim08b": 23}),
    ],
)
def test_a_few_runs_leave_questions_out(collection: str, unanswered: dict[str, int]) -> None:
    left = {
        run: sum(not answers for answers in judged(collection, run).values())
        for run in runs(collection)
    }
    assert {run: number for run, number in left.items() if number} == unanswered


def test_some_runs_often_give_fewer_than_five_answers() -> None:
    short = {
        run: sum(0 < len(answers) < 5 for answers in judged("qac2", run).values())
        for run in runs("qac2")
    }
    assert {run for run in short if short[run]} == {"sim06a", "sim11a", "sim15a"}
    assert all(short[run] > 60 for run in ("sim06a", "sim11a", "sim15a"))


def test_what_is_hard_for_one_half_of_the_teams_is_hard_for_the_other() -> None:
    """Pearson's correlation of the questions' mean RR by the runs of teams 1 to 8 and 9 to 17."""
    scores = values("qac2", "RR")
    halves = [
        [mean(list(each)) for each in zip(*(scores[run] for run in part), strict=True)]
        for part in (runs("qac2")[:12], runs("qac2")[12:])
    ]
    centred = [[value - mean(half) for value in half] for half in halves]
    product = sum(a * b for a, b in zip(*centred, strict=True))
    squares = [sum(value * value for value in half) for half in centred]
    assert product / (squares[0] * squares[1]) ** 0.5 > 0.6


def test_the_variants_stand_in_the_order_of_the_paper() -> None:
    scores = {run: mean(each) for run, each in values("qac2-askmi", "RR").items()}
    assert [row["run"] for row in read("qac2-askmi/runs.csv")] == list(ASKMI)
    assert sorted(ASKMI, key=lambda run: -scores[run]) == list(ASKMI)
    assert scores == pytest.approx(ASKMI, abs=0.0005)


def test_the_variants_have_the_questions_and_the_submitted_run_of_qac2() -> None:
    for name in ("questions.csv", "runs/sim05a.csv"):
        assert (FOLDER / "qac2" / name).read_bytes() == (FOLDER / "qac2-askmi" / name).read_bytes()
    assert known("qac2") == known("qac2-askmi")


def test_a_variant_changes_the_reciprocal_rank_of_a_minority_of_questions() -> None:
    scores = values("qac2-askmi", "RR")
    changed = {
        run: sum(a != b for a, b in zip(scores[run], scores["sim05a"], strict=True))
        for run in ASKMI
    }
    assert changed["sim05a-oat"] == 20  # only questions whose answer type was mistaken
    assert changed["sim05a-noaf"] == 23
    assert all(number <= 71 for run, number in changed.items() if "osd" not in run)


# To three digits, as the READMEs have them: the best run on all questions.
@pytest.mark.parametrize(
    ("collection", "measure", "best"),
    [
        ("qac2", "RR", 0.607),
        ("qac2", "NQcorrect5", 0.769),
        ("qac2", "NQcorrect1", 0.528),
        ("qac2-askmi", "RR", 0.723),
        ("qac2-askmi", "NQcorrect5", 0.882),
        ("qac2-askmi", "NQcorrect1", 0.610),
        ("qac2-askmi", "Q1:1:1", 0.620),
        ("qac2-askmi", "Q2:1.5:1", 0.610),
        ("qac2-askmi", "Q3:2:1", 0.607),
        ("qac2-lists", "F", 0.317),
    ],
)
def test_the_best_run_scores_as_stated(collection: str, measure: str, best: float) -> None:
    assert max(map(mean, values(collection, measure).values())) == pytest.approx(best, abs=0.0005)


@pytest.mark.parametrize(
    ("collection", "measure", "worst"),
    [("qac2", "RR", 0.044), ("qac2-askmi", "RR", 0.362), ("qac2-lists", "F", 0.072)],
)
def test_the_worst_run_scores_as_stated(collection: str, measure: str, worst: float) -> None:
    assert min(map(mean, values(collection, measure).values())) == pytest.approx(worst, abs=0.0005)


# Pairs of runs that differ at 0.01, and at 0.05 besides. The paper: 68% and 7%, 69% and 13%,
# 63% and 15%.
@pytest.mark.parametrize(
    ("collection", "measure", "significant", "besides"),
    [("qac2", "RR", 208, 29), ("qac2-askmi", "RR", 33, 1), ("qac2-lists", "F", 63, 4)],
)
def test_about_two_thirds_of_the_pairs_differ_significantly(
    collection: str, measure: str, significant: int, besides: int
) -> None:
    pairs = combinations(values(collection, measure).values(), 2)
    chances = [sign_test(a, b) for a, b in pairs]
    assert sum(p <= 0.01 for p in chances) == significant
    assert sum(0.01 < p <= 0.05 for p in chances) == besides


# With 97 questions: difference required, highest value, share of comparisons. Published are
# Tables 1 to 3 of the paper; stated is what the READMEs say of these files.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("collection", "measure", "published", "stated"),
    first(
        2,
        [
            ("qac2", "RR", (0.12, 0.7156, 0.598), (0.11, 0.7115, 0.629)),
            ("qac2", "NQcorrect5", (0.14, 0.8454, 0.592), (0.15, 0.8763, 0.546)),
            ("qac2", "NQcorrect1", (0.14, 0.6289, 0.491), (0.13, 0.6701, 0.536)),
            ("qac2-askmi", "Q1:1:1", (0.05, 0.6967, 0.662), (0.04, 0.7217, 0.742)),
            ("qac2-askmi", "Q2:1.5:1", (0.05, 0.6890, 0.652), (0.04, 0.7024, 0.740)),
            ("qac2-askmi", "Q3:2:1", (0.05, 0.6860, 0.651), (0.05, 0.6941, 0.666)),
            ("qac2-askmi", "RR", (0.06, 0.7940, 0.643), (0.06, 0.8079, 0.658)),
            ("qac2-askmi", "NQcorrect1", (0.09, 0.7423, 0.510), (0.09, 0.7216, 0.466)),
            ("qac2-askmi", "NQcorrect5", (0.09, 0.8866, 0.495), (0.09, 0.9588, 0.580)),
            ("qac2-lists", "F", (0.07, 0.3979, 0.622), (0.06, 0.3847, 0.637)),
        ],
    ),
)
def test_the_swap_method_comes_near_the_published_tables(
    collection: str,
    measure: str,
    published: tuple[float, float, float],
    stated: tuple[float, float, float],
) -> None:
    found = swap(collection, measure, size=97)
    assert found == pytest.approx(stated, abs=0.0006)
    for ours, theirs, near in zip(found, published, (0.011, 0.08, 0.1), strict=True):
        assert ours == pytest.approx(theirs, abs=near)
