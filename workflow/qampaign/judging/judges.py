"""Every kind of judge: ours, and those of other installed packages.

To add one, write a decorated function (:mod:`qampaign.judging.declaration`) in a module of its own
and import it below.
"""

from qampaign.judging import assessments, contains, exact, jury, learned, logged, patterns, scores
from qampaign.judging.declaration import COLUMNS, JUDGES, Judge
from qampaign.judging.key import key_judge
from qampaign.plugins import load_plugins

__all__ = [
    "JUDGES",
    "Judge",
    "assessments",
    "contains",
    "exact",
    "jury",
    "key_judge",
    "learned",
    "logged",
    "patterns",
    "scores",
]

load_plugins("qampaign.judges")

RESPONSES = ("run", "question", "sample", "rank", "answer", "confidence", "score", "answered")
QUESTIONS = ("question", "type", "nil", "known", "group", "language", "date")
"""The columns of responses and questions that judges get, of whatever kind they are."""


def question_columns(judge: Judge) -> tuple[str, ...]:
    """The columns of questions that a kind of judge gets."""
    return (*QUESTIONS, "text") if judge.reads_text else QUESTIONS


def judges_in_order() -> list[Judge]:
    """Every kind of judge by the table that it judges by, then by name: for people to read."""
    tables = list(COLUMNS)
    return sorted(JUDGES.values(), key=lambda judge: (tables.index(judge.by), judge.kind))


def response_columns(*, by_line: bool) -> tuple[str, ...]:
    """The columns of responses that judges get: with the line, where it matters to the collection.

    Where it does not, rows may be sorted otherwise, and nothing is judged anew.
    """
    return (*RESPONSES, "line") if by_line else RESPONSES
