"""Every kind of judge, and what it judges by."""

from collections.abc import Callable
from dataclasses import dataclass

from qampaign.judging import assessments, exact, key, patterns, validation
from qampaign.judging.judgments import Judged

LABELS = ("question", "run", "rank", "answer", "assessor", "verdict", "level", "class")
KEYS = ("question", "key", "level", "class")


@dataclass(frozen=True)
class Kind:
    """A kind of judge."""

    judge: Callable[..., Judged]
    table: str
    """The table that it judges by."""
    columns: tuple[str, ...]
    """The columns of it that it needs."""


KINDS = {
    ("answering", "assessments"): Kind(assessments.judge, "assessments", LABELS),
    ("answering", "verdicts"): Kind(assessments.judge, "verdicts", LABELS),
    ("answering", "key"): Kind(key.judge, "keys", KEYS),
    ("answering", "exact"): Kind(exact.judge, "keys", KEYS),
    ("answering", "patterns"): Kind(patterns.judge, "patterns", ("question", "pattern")),
    ("validation", "assessments"): Kind(validation.judge, "assessments", LABELS),
    ("validation", "verdicts"): Kind(validation.judge, "verdicts", LABELS),
}
"""Every kind of judge by the task and the kind that the config gives."""
