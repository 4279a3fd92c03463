"""Measures for systems that may decline to answer: one answer per question, judged at first rank.

References: Peñas & Rodrigo (2011), A Simple Measure to Assess Non-response, whose Table 3 gives the
worked examples (icia091ro: 237 right, 156 wrong, 107 unanswered of 500); Wei et al. (2024),
Measuring short-form factuality in large language models.
"""

from typing import Any

from qampaign.arrays import ratio
from qampaign.measures.declaration import measure

C_AT_1 = "Peñas & Rodrigo 2011"


@measure(label="accuracy", task="any", citation=f"{C_AT_1}, 3.1", mean=True)
def accuracy(correct: Any, questions: Any) -> Any:
    """The share of questions answered correctly.

    >>> accuracy(correct=237, questions=500)
    0.474
    """
    return correct / questions


@measure(label="UF", task="any", citation=f"{C_AT_1}, (1)", bounds=(-1.0, 1.0), mean=True)
def utility(correct: Any, wrong: Any, questions: Any) -> Any:
    """One point for a right answer, minus one for a wrong one, none for silence.

    >>> utility(correct=237, wrong=156, questions=500)
    0.162
    """
    return (correct - wrong) / questions


@measure(label="UF′", task="any", citation=f"{C_AT_1}, (2)", mean=True)
def utility_half(correct: Any, unanswered: Any, questions: Any) -> Any:
    """Accuracy, plus half a point for each unanswered question; ranks as UF does.

    >>> utility_half(correct=237, unanswered=107, questions=500)
    0.581
    """
    return (correct + 0.5 * unanswered) / questions


@measure(label="c@1", task="any", citation=f"{C_AT_1}, (4)")
def c_at_1(correct: Any, unanswered: Any, questions: Any) -> Any:
    """Accuracy, plus unanswered questions credited with the accuracy shown.

    >>> round(c_at_1(correct=237, unanswered=107, questions=500), 6)
    0.575436
    """
    return (correct + unanswered * correct / questions) / questions


@measure(label="unanswered as right", task="any", citation=f"{C_AT_1}, 3.2", mean=True)
def unanswered_as_right(correct: Any, unanswered: Any, questions: Any) -> Any:
    """Accuracy, had every unanswered question been answered correctly; rejected by its authors.

    >>> unanswered_as_right(correct=237, unanswered=107, questions=500)
    0.688
    """
    return (correct + unanswered) / questions


@measure(label="precision of answers", citation=f"{C_AT_1}, (5)")
def precision_answered(correct: Any, wrong: Any) -> Any:
    """The share of the answers given that are right; not available where nothing was answered.

    >>> round(precision_answered(correct=237, wrong=156), 6)
    0.603053
    """
    return ratio(correct, correct + wrong)


@measure(label="inverse credit", citation=f"{C_AT_1}, (6)")
def inverse_credit(correct: Any, wrong: Any, unanswered: Any, questions: Any) -> Any:
    """Accuracy, plus unanswered questions credited with the error shown; rejected by its authors.

    >>> round(inverse_credit(correct=237, wrong=156, unanswered=107, questions=500), 6)
    0.558947
    """
    return correct / questions + ratio(wrong, correct + wrong) * unanswered / questions


@measure(label="% answered", task="any", citation="Voorhees 2001", mean=True)
def answered(correct: Any, wrong: Any, questions: Any) -> Any:
    """The share of questions that were answered, rightly or wrongly.

    >>> answered(correct=237, wrong=156, questions=500)
    0.786
    """
    return (correct + wrong) / questions


@measure(label="F", citation="Wei et al. 2024 (SimpleQA)", undefined=0.0)
def f_attempted(correct: Any, wrong: Any, questions: Any) -> Any:
    """Harmonic mean of the precision of answers and accuracy; 0 where nothing is right.

    >>> round(f_attempted(correct=237, wrong=156, questions=500), 6)
    0.530795
    """
    return 2 * correct / (questions + correct + wrong)


@measure(label="withheld wrong", citation=f"{C_AT_1}, 4.1")
def withheld_wrong_rate(withheld_wrong: Any, withheld_right: Any) -> Any:
    """Of the withheld candidates, the share that is indeed not right; not available without any.

    >>> withheld_wrong_rate(withheld_wrong=30, withheld_right=10)
    0.75
    """
    return ratio(withheld_wrong, withheld_wrong + withheld_right)


@measure(label="accuracy if all answered", citation=f"{C_AT_1}, 4.1", mean=True)
def accuracy_if_all_answered(correct: Any, withheld_right: Any, questions: Any) -> Any:
    """Accuracy, had every withheld candidate been given as the answer.

    >>> accuracy_if_all_answered(correct=237, withheld_right=13, questions=500)
    0.5
    """
    return (correct + withheld_right) / questions
