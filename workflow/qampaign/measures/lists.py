"""Measures of lists of answers, and of the answer that there is none.

References: Herrera, Peñas & Verdejo (2004), Table 2 (pooled precision and recall); Sakai (2004),
section 5 (F over instances). A repeated answer is given, but not right.
"""

import numpy as np

from qampaign.arrays import Flags, Number, Numbers, ratio
from qampaign.measures.cells import Cells
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import evidence, known_or_found

PILOT = "Herrera, Peñas & Verdejo 2004"


@evidence(meanings=True)
def question_f(cells: Cells) -> Numbers:
    """2 · right / (given + known): the F of the question, 0 where nothing is given."""
    right, given = (cells.count(flags) for flags in (cells.given & cells.right, cells.given))
    size = given.astype(float) + known_or_found(cells)
    return np.divide(2.0 * right, size, out=np.zeros(cells.shape), where=size > 0)


def _nil(cells: Cells) -> Flags:
    return cells.given & cells.judgments["nil"].to_numpy()


@evidence
def nil_answers(cells: Cells) -> Numbers:
    """NIL answers given."""
    return cells.count(_nil(cells))


@evidence
def right_nil_answers(cells: Cells) -> Numbers:
    """NIL answers given where the question is NIL, each question once."""
    return cells.count(_nil(cells) & cells.right)


@evidence(last_rank=0)
def nil_questions(cells: Cells) -> Numbers:
    """Questions that are NIL."""
    return cells.of_question("nil").astype(np.uint8)


@evidence
def found_nil_questions(cells: Cells) -> Numbers:
    """NIL questions answered NIL."""
    return ((nil_answers(cells) > 0) & cells.of_question("nil")).astype(np.uint8)


@measure(
    label="list precision",
    citation=f"{PILOT}, Table 2",
    best=lambda mean, _: dict.fromkeys(("right_answers", "answers"), mean["answers"]),
    worst=lambda mean, _: {"answers": mean["answers"]},
)
def list_precision(right_answers: Number, answers: Number) -> Number:
    """Distinct right answers by answers given, over all questions together.

    >>> list_precision(right_answers=3, answers=12)
    0.25
    """
    return ratio(right_answers, answers)


@measure(
    label="list recall",
    citation=f"{PILOT}, Table 2",
    best=lambda mean, _: dict.fromkeys(("right_answers", "known_or_found"), mean["known_or_found"]),
    worst=lambda mean, _: {"known_or_found": mean["known_or_found"]},
)
def list_recall(right_answers: Number, known_or_found: Number) -> Number:
    """Distinct right answers by known answers, over all questions together.

    >>> list_recall(right_answers=3, known_or_found=4)
    0.75
    """
    return ratio(right_answers, known_or_found)


@measure(
    label="list F",
    citation="Sakai 2004, 5",
    mean=True,
    formula="1/n · Σ over questions of 2 · right / (given + known)",
)
def list_f(question_f: Number, questions: Number) -> Number:
    """Mean over questions of the question's own F, 0 where nothing is given or right.

    Two of three answers right, of four known: P = 2/3, R = 2/4, F = 4/7; and a question in silence:

    >>> round(list_f(question_f=4 / 7, questions=2), 6)
    0.285714
    """
    return question_f / questions


@measure(
    label="NIL precision",
    citation=f"{PILOT}, 2",
    best={"right_nil_answers": 1, "nil_answers": 1},
    worst={"nil_answers": 1},
)
def nil_precision(right_nil_answers: Number, nil_answers: Number) -> Number:
    """Of the NIL answers given, the share that is right.

    >>> round(nil_precision(right_nil_answers=20, nil_answers=149), 6)
    0.134228
    """
    return ratio(right_nil_answers, nil_answers)


@measure(
    label="NIL recall",
    citation=f"{PILOT}, 2",
    best={"found_nil_questions": 1, "nil_questions": 1},
    worst={"nil_questions": 1},
)
def nil_recall(found_nil_questions: Number, nil_questions: Number) -> Number:
    """Of the NIL questions, the share answered NIL.

    >>> nil_recall(found_nil_questions=5, nil_questions=20)
    0.25
    """
    return ratio(found_nil_questions, nil_questions)
