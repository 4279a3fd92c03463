"""Every kind of judge, and what it needs to judge."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from qampaign.judging import assessments, exact, item_assessments, patterns
from qampaign.judging.judgments import Judged
from qampaign.judging.key import key_judge

RESPONSES = ("run", "question", "rank", "answer", "confidence", "score", "answered")
QUESTIONS = ("question", "type", "nil", "known", "group", "language", "date")
"""The columns of responses and questions that judges get, of whatever kind they are."""

LABELS = ("question", "run", "rank", "answer", "assessor", "verdict", "level", "class")
KEYS = ("question", "key", "level", "class")


def response_columns(*, by_line: bool) -> tuple[str, ...]:
    """The columns of responses that judges get: with the line, where it matters to the collection.

    Where it does not, rows may be sorted otherwise, and nothing is judged anew.
    """
    return (*RESPONSES, "line") if by_line else RESPONSES


@dataclass(frozen=True)
class Kind:
    """A kind of judge."""

    judge: Callable[..., Judged]
    columns: tuple[str, ...]
    """The columns that it needs of the table that it judges by."""
    matched_words: Callable[..., pl.Series] | None = None
    """For judges by a key: which of its words are in answers."""

    def matcher(self, **given: Any) -> Callable[[pl.DataFrame], pl.Series] | None:
        """The same with its keys, questions, name and options; None for judges without a key."""
        return None if self.matched_words is None else partial(self.matched_words, **given)


KINDS = {
    ("answering", "assessments"): Kind(assessments.judge, LABELS),
    ("answering", "verdicts"): Kind(assessments.judge, LABELS),
    ("answering", "key"): Kind(key_judge.judge, KEYS, key_judge.matched_words),
    ("answering", "exact"): Kind(exact.judge, KEYS, exact.matched_words),
    ("answering", "patterns"): Kind(patterns.judge, ("question", "pattern")),
    ("validation", "assessments"): Kind(item_assessments.judge, LABELS),
    ("validation", "verdicts"): Kind(item_assessments.judge, LABELS),
}
"""Every kind of judge by the task and the kind that the config gives."""
