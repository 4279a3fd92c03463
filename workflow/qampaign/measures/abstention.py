"""Measures for systems that may decline to answer: one answer per question, judged at first rank.

References: Peñas & Rodrigo (2011), A Simple Measure to Assess Non-response, whose Table 3 gives the
worked examples (icia091ro: 237 right, 156 wrong, 107 unanswered of 500); Wei et al. (2024),
Measuring short-form factuality in large language models.
"""

from qampaign.arrays import Number, ratio
from qampaign.measures.declaration import measure

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


@measure(label="inverse credit", citation=f"{C_AT_1}, (6)", best=RIGHT, worst=WRONG)
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
