"""Measures for systems that may decline to answer: one answer per question, judged at first rank.

References: Peñas & Rodrigo (2011), A Simple Measure to Assess Non-response, whose Table 3 gives the
worked examples (icia091ro: 237 right, 156 wrong, 107 unanswered of 500); Wei et al. (2024),
Measuring short-form factuality in large language models; Kalai et al. (2025), Why Language Models
Hallucinate, 4.2 (a wrong answer costs t / (1 − t): to answer pays where one is surer than t);
Jackson et al. (2025), AA-Omniscience (hallucination rate, but for partly right answers).
"""

from typing import Annotated

from qampaign.arrays import Number, ratio
from qampaign.measures.declaration import measure
from qampaign.options import Limits

C_AT_1 = "Peñas & Rodrigo 2011"
RIGHT, WRONG = {"correct": 1, "questions": 1}, {"wrong": 1, "questions": 1}
"""The best question and the worst: answered rightly, and wrongly."""


@measure(label="accuracy", task="any", citation=f"{C_AT_1}, 3.1", mean=True)
def accuracy(correct: Number, questions: Number) -> Number:
    """The share of questions answered correctly.

    >>> accuracy(correct=237, questions=500)
    0.474
    """
    return correct / questions


@measure(label="UF", task="any", citation=f"{C_AT_1}, (1)", bounds=(-1.0, 1.0), mean=True)
def utility(correct: Number, wrong: Number, questions: Number) -> Number:
    """One point for a right answer, minus one for a wrong one, none for silence.

    >>> utility(correct=237, wrong=156, questions=500)
    0.162
    """
    return (correct - wrong) / questions


def price_of_error(t: float) -> float:
    """What a wrong answer costs, in right ones, where answers should be surer than t.

    >>> price_of_error(0.75), price_of_error(0.5), price_of_error(0.0)
    (3.0, 1.0, 0.0)
    """
    return t / (1 - t)


@measure(
    label="confidence target",
    task="any",
    citation="Kalai et al. 2025, 4.2",
    bounds=lambda t: (-price_of_error(t), 1.0),
    mean=True,
    formula="(correct - t / (1 - t) * wrong) / questions",
)
def confidence_target(
    correct: Number,
    wrong: Number,
    questions: Number,
    *,
    t: Annotated[
        float,
        Limits(minimum=0, exclusiveMaximum=1),
        "a number from 0 to below 1: how sure one should be to answer; 0 is accuracy, 0.5 is UF",
    ] = 0.75,
) -> Number:
    """One point for a right answer, minus t / (1 − t) for a wrong one, none for silence.

    To answer pays where one is surer than t. At t = 0.75 an error costs 3: (237 − 3 · 156) / 500.

    >>> confidence_target(correct=237, wrong=156, questions=500, t=0.75)
    -0.462
    """
    return (correct - price_of_error(t) * wrong) / questions


@measure(label="UF′", task="any", citation=f"{C_AT_1}, (2)", mean=True)
def utility_half(correct: Number, unanswered: Number, questions: Number) -> Number:
    """Accuracy, plus half a point for each unanswered question; ranks as UF does.

    >>> utility_half(correct=237, unanswered=107, questions=500)
    0.581
    """
    return (correct + 0.5 * unanswered) / questions


@measure(label="c@1", task="any", citation=f"{C_AT_1}, (4)", best=RIGHT, worst=WRONG)
def c_at_1(correct: Number, unanswered: Number, questions: Number) -> Number:
    """Accuracy, plus unanswered questions credited with the accuracy shown.

    >>> round(c_at_1(correct=237, unanswered=107, questions=500), 6)
    0.575436
    """
    return (correct + unanswered * correct / questions) / questions


@measure(label="unanswered as right", task="any", citation=f"{C_AT_1}, 3.2", mean=True)
def unanswered_as_right(correct: Number, unanswered: Number, questions: Number) -> Number:
    """Accuracy, had every unanswered question been answered correctly; rejected by its authors.

    >>> unanswered_as_right(correct=237, unanswered=107, questions=500)
    0.688
    """
    return (correct + unanswered) / questions


@measure(label="precision of answers", citation=f"{C_AT_1}, (5)", best=RIGHT, worst=WRONG)
def precision_answered(correct: Number, wrong: Number) -> Number:
    """The share of the answers given that are right; not available where nothing was answered.

    >>> round(precision_answered(correct=237, wrong=156), 6)
    0.603053
    """
    return ratio(correct, correct + wrong)


@measure(
    label="hallucination rate",
    citation="Jackson et al. 2025",
    better="low",
    best={"unanswered": 1},
    worst={"wrong": 1},
)
def hallucination_rate(wrong: Number, unanswered: Number) -> Number:
    """Of the questions not answered rightly, the share answered wrongly; none where all are right.

    A run that answers nothing has 0: it is to be read beside accuracy. Jackson et al. divide what
    is incorrect by all that is not correct, as here. They have a third kind, partly right answers,
    which they do not count as incorrect; here whatever is answered and not correct is wrong. With
    verdicts such as inexact, name them in `correct`, or the rate is higher than theirs.

    >>> round(hallucination_rate(wrong=156, unanswered=107), 6)
    0.593156
    """
    return ratio(wrong, wrong + unanswered)


@measure(label="inverse credit", citation=f"{C_AT_1}, (6)", test="widened", best=RIGHT, worst=WRONG)
def inverse_credit(correct: Number, wrong: Number, unanswered: Number, questions: Number) -> Number:
    """Accuracy, plus unanswered questions credited with the error shown; rejected by its authors.

    >>> round(inverse_credit(correct=237, wrong=156, unanswered=107, questions=500), 6)
    0.558947
    """
    return correct / questions + ratio(wrong, correct + wrong) * unanswered / questions


@measure(label="% answered", task="any", citation="Voorhees 2001", better="none", mean=True)
def answered(correct: Number, wrong: Number, questions: Number) -> Number:
    """The share of questions that were answered, rightly or wrongly.

    >>> answered(correct=237, wrong=156, questions=500)
    0.786
    """
    return (correct + wrong) / questions


@measure(label="F", citation="Wei et al. 2024 (SimpleQA)", undefined=0.0, best=RIGHT, worst=WRONG)
def f_attempted(correct: Number, wrong: Number, questions: Number) -> Number:
    """Harmonic mean of the precision of answers and accuracy; 0 where nothing is right.

    >>> round(f_attempted(correct=237, wrong=156, questions=500), 6)
    0.530795
    """
    return 2 * correct / (questions + correct + wrong)


@measure(
    label="withheld wrong",
    citation=f"{C_AT_1}, 4.1",
    best={"withheld_wrong": 1},
    worst={"withheld_right": 1},
)
def withheld_wrong_rate(withheld_wrong: Number, withheld_right: Number) -> Number:
    """Of the withheld candidates, the share that is indeed not right; not available without any.

    >>> withheld_wrong_rate(withheld_wrong=30, withheld_right=10)
    0.75
    """
    return ratio(withheld_wrong, withheld_wrong + withheld_right)


@measure(label="accuracy if all answered", citation=f"{C_AT_1}, 4.1", mean=True)
def accuracy_if_all_answered(correct: Number, withheld_right: Number, questions: Number) -> Number:
    """Accuracy, had every withheld candidate been given as the answer.

    >>> accuracy_if_all_answered(correct=237, withheld_right=13, questions=500)
    0.5
    """
    return (correct + withheld_right) / questions
