"""What a config may leave out: the values a collection has then, and what each key stands for."""

from typing import Any

DEFAULTS: dict[str, Any] = {
    "task": "answering",
    "language": "en",
    "questions": [],
    "run_info": [],
    "assessments": [],
    "keys": [],
    "patterns": [],
    "published": [],
    "labels": {},
    "correct": ["right"],
    "unassessed": "error",
    "unknown_questions": "error",
    "ties": [],
    "nil": "NIL",
    "confidence": {},
    "baselines": [],
    "rank_baselines": False,
    "derived": {},
}
"""What a collection has where neither it nor the config's own defaults say otherwise."""

STUDIES: dict[str, dict[str, Any]] = {
    "stability": {
        "sizes": [],
        "trials": 1000,
        "fuzziness": [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1],
        "draws": "shared",
        "scheme": "subset",
    },
    "swap": {
        "sizes": [],
        "trials": 1000,
        "confidence": [0.95],
        "test": "opposite",
        "bins": 21,
        "width": 0.01,
        "draws": "shared",
    },
    "sizes": {"from": None, "to": None, "step": None, "trials": 200, "bound": 0.9},
    "significance": {"resamples": 1000},
}
"""The studies of measures, with their settings where a collection gives none: a collection that
names some has those alone, one that names none has all. Where no sizes are given, they follow from
the number of questions."""

COMPARISONS: dict[str, dict[str, Any]] = {
    "agreement": {
        "thresholds": [0, 0.25, 0.5, 0.75, 0.99, 1],
        "false_alarms": 0.05,
        "sample": 990,
    },
    "correlation": {"resamples": 1000, "draws": 1000},
}
"""The comparisons of judges, which every collection has, with their settings likewise."""

MEASURES_OF = {
    "answering": ["accuracy", "c_at_1", "answered", "precision_answered"],
    "validation": ["accuracy", "precision", "recall", "f"],
}
"""The measures of a collection that names none."""

FILES = {
    "questions": "questions",
    "runs": "responses",
    "run_info": "runs",
    "assessments": "assessments",
    "keys": "keys",
    "patterns": "patterns",
}
"""The keys that name files, each with the table that the files fill."""

JUDGE_OPTIONS = {
    "assessments": ("assessor", "correct", "ties", "unassessed"),
    "verdicts": ("files", "labels", "correct", "ties", "unassessed"),
    "key": (
        "threshold",
        "minimum_precision",
        "accents",
        "numbers",
        "tolerance",
        "dates",
        "correct",
        "unassessed",
    ),
    "exact": ("threshold", "correct", "unassessed"),
    "patterns": ("case", "correct", "unassessed"),
}
"""The options of each kind of judge."""

DEFAULT_THRESHOLDS = {"key": 0.25}
"""What is compared with the degree unless the config says so; other kinds have no threshold."""

JUDGED_BY = {
    "assessments": "assessments",
    "verdicts": "verdicts",
    "key": "keys",
    "exact": "keys",
    "patterns": "patterns",
}
"""What each kind of judge judges by: a key of the collection that names files, or its own files."""

DEFAULT_JUDGES = {
    "assessments": {"people": {"kind": "assessments"}},
    "keys": {"key": {"kind": "key"}},
    "patterns": {"patterns": {"kind": "patterns"}},
}
"""The judge of a collection that names none: by the first of these files that it has."""

RESERVED = (
    "all",
    "overall",
    "sources",
    "benchmarks",
    "failures",
    "fingerprints",
    "logs",
    "pool",
    "records",
    "report",
)
"""Names that no collection can have: words of the tables, and what stands beside its folder."""
