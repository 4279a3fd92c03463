"""What grades mean in tables that give one for each answer."""

GRADES = {
    "a": "right", "correct": "right", "right": "right", "true": "right", "yes": "right",
    "1": "right", "1.0": "right",
    "b": "wrong", "incorrect": "wrong", "wrong": "wrong", "false": "wrong", "no": "wrong",
    "0": "wrong", "0.0": "wrong",
    "c": "not_attempted", "not_attempted": "not_attempted", "notattempted": "not_attempted",
    "inexact": "inexact", "unsupported": "unsupported",
}  # fmt: skip
"""Verdicts by letter, word and number, in small letters. C is "not attempted", as for SimpleQA."""

ALLOWED_GRADE = (
    "A or CORRECT, B or INCORRECT, C or NOT_ATTEMPTED; true, false, yes, no, 1, 0; nothing"
)


def plain_name(name: str) -> str:
    """A name of a column, or a grade, for comparison.

    >>> plain_name(" Predicted Answer"), plain_name("Not-Attempted")
    ('predicted_answer', 'not_attempted')
    """
    return "_".join(name.lower().replace("-", " ").split())


def read_grade(text: str) -> str | None:
    """The verdict that a grade stands for; None where it is not known.

    >>> [read_grade(each) for each in ("A", "not attempted", "True", "I")]
    ['right', 'not_attempted', 'right', None]
    """
    return GRADES.get(plain_name(text))
