"""Which questions are labelled: a sample of questions, of answers, or answers by a probability."""

import numpy as np
import polars as pl
import pytest

from qampaign.agreement.labelled import Judgments, Labels, find_labels

RUNS = pl.Series(["a", "b"])
QUESTIONS = pl.Series(["q1", "q2", "q3", "q4"])


def laid_out(
    rows: list[tuple], covered: tuple[str, ...] = tuple(QUESTIONS), *, probability: bool = False
) -> Judgments:
    names = ["run", "question", "rank", "verdict", "nil", *(["probability"] if probability else [])]
    kinds = dict(
        zip(
            names, (pl.String, pl.String, pl.Int64, pl.String, pl.Boolean, pl.Float64), strict=False
        )
    )
    frame = pl.DataFrame(rows, schema=kinds, orient="row")
    return Judgments.of(frame, covered, runs=RUNS, questions=QUESTIONS)


def every(verdicts: dict[str, list[str]]) -> list[tuple]:
    """A row per run and question with the verdict of each; "nil" for NIL, nothing for no row."""
    return [
        (run, question, 1, "right" if said == "nil" else said, said == "nil")
        for run, of_run in verdicts.items()
        for question, said in zip(QUESTIONS, of_run, strict=True)
        if said
    ]


JUDGE = laid_out(every({"a": ["right"] * 4, "b": ["wrong"] * 4}))
OPEN, NONE = "unassessed", "not_attempted"


def found(people: dict[str, list[str]], judge: Judgments = JUDGE) -> Labels:
    return find_labels(laid_out(every(people)), judge, 1)


def test_labels_on_all_answers_to_some_questions_are_a_sample_of_questions() -> None:
    """An unanswered question counts as labelled if the others' answers to it are."""
    labels = found({"a": ["right", NONE, OPEN, NONE], "b": ["wrong", "right", OPEN, OPEN]})
    assert labels.sampling == "questions"
    assert labels.sampled.tolist() == [[True, True, False, False]] * 2
    assert labels.weights.tolist() == [[1, 1, 0, 0]] * 2


def test_a_question_on_which_no_run_has_an_answer_to_label_is_known() -> None:
    # q4 needs no label; of the other three, q1 and q2 are labelled and stand for 1.5 each, q4 for 1:
    # by their mean 4/3 these are 9/8, 9/8 and 3/4.
    labels = found({"a": ["right", "wrong", OPEN, NONE], "b": ["wrong", "right", OPEN, "nil"]})
    assert labels.labelled.tolist() == [[True, True, False, True]] * 2
    assert labels.sampled.tolist() == [[True, True, False, False]] * 2
    assert labels.weights.tolist() == [[1.125, 1.125, 0, 0.75]] * 2


def test_labels_on_some_answers_give_each_run_labelled_questions_of_its_own() -> None:
    # a has answers to label on q1, q2 and q3, of which q1 has a label that stands for 3; q4 is
    # unanswered and known. Mean 2: 1.5 and 0.5. b has labels on 2 of 4, each stands for 2.
    labels = found({"a": ["right", OPEN, OPEN, NONE], "b": ["wrong", "right", OPEN, OPEN]})
    assert labels.sampling == "answers"
    assert labels.sampled.tolist() == [[True, False, False, False], [True, True, False, False]]
    assert labels.weights.tolist() == [[1.5, 0, 0, 0.5], [1, 1, 0, 0]]


def test_questions_that_people_do_not_cover_are_not_labelled() -> None:
    """Where a run has no answer to any judge's knowledge, there is nothing to label."""
    people = laid_out(every({"a": ["right", "", "", ""], "b": ["wrong", "", "", ""]}), ("q1",))
    judge = laid_out(every({"a": ["right"] * 3 + [NONE], "b": ["wrong", NONE, "right", NONE]}))
    labels = find_labels(people, judge, 1)
    assert labels.sampling == "questions"
    assert labels.sampled.tolist() == [[True, False, False, False]] * 2
    assert labels.labelled.tolist() == [[True, False, False, True]] * 2


def test_a_label_counts_by_the_inverse_of_its_probability() -> None:
    # a: 1/0.5 and 1/0.25, that is 2 and 4, and 1 for what needs no label: mean 7/3.
    rows = [
        ("a", "q1", 1, "right", False, 0.5), ("a", "q2", 1, "wrong", False, 0.25),
        ("a", "q3", 1, OPEN, False, None), ("a", "q4", 1, NONE, False, None),
        ("b", "q1", 1, "right", False, 0.5), ("b", "q2", 1, OPEN, False, None),
        ("b", "q3", 1, OPEN, False, None), ("b", "q4", 1, "right", False, None),
    ]  # fmt: skip
    labels = find_labels(laid_out(rows, probability=True), JUDGE, 1)
    assert labels.sampling == "probability"
    assert labels.weights[0] == pytest.approx(np.array([2, 4, 0, 1]) * 3 / 7)
    assert labels.weights[1] == pytest.approx(np.array([2, 0, 0, 1]) * 2 / 3)  # q4: for sure


def test_answers_below_the_rank_that_counts_need_no_label() -> None:
    rows = [*every({"a": ["right"] * 4, "b": ["right"] * 4}), ("a", "q1", 2, OPEN, False)]
    people = laid_out(rows)
    assert find_labels(people, JUDGE, 1).sampled.all()
    assert not find_labels(people, JUDGE, 5).sampled[0, 0]
    assert not find_labels(people, JUDGE, None).sampled[0, 0]


def test_a_list_is_labelled_with_the_probability_that_all_its_answers_are() -> None:
    rows = [
        ("a", "q1", 1, "right", False, 0.5), ("a", "q1", 2, "wrong", False, 0.5),
        ("a", "q2", 1, "wrong", False, 0.5), ("a", "q3", 1, OPEN, False, None),
    ]  # fmt: skip
    labels = find_labels(laid_out(rows, probability=True), laid_out([]), 5)
    # 4, 2 and 1 for q4, which has no answer: mean 7/3
    assert labels.weights[0] == pytest.approx(np.array([4, 2, 0, 1]) * 3 / 7)
