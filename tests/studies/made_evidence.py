"""Evidence written down as numbers, and the question sets that a study draws of it."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.studies.resampling import draw_subsets

ACCURACY = [Configured("accuracy", "accuracy", {})]


def evidence_of(
    correct: Any,
    *,
    kinds: Sequence[str] = (),
    types: Sequence[str] = (),
    groups: Sequence[str | None] = (),
    **columns: Any,
) -> Evidence:
    """Runs a, b, c … that are right where there is a 1; other columns as given."""
    right = np.array(correct, dtype=np.uint8)
    runs, questions = right.shape
    return Evidence(
        pl.DataFrame(
            {
                "run": [chr(ord("a") + n) for n in range(runs)],
                "kind": list(kinds) or ["submitted"] * runs,
            }
        ).with_columns(assessed=pl.lit(True)),
        pl.DataFrame(
            {
                "question": [f"q{n}" for n in range(questions)],
                "type": list(types) or pl.Series([None] * questions, dtype=pl.String),
                "group": pl.Series(list(groups) or [None] * questions, dtype=pl.String),
            }
        ),
        {
            "correct": right,
            "questions": np.ones_like(right),
            **{name: np.asarray(own) for name, own in columns.items()},
        },
    )


def abstaining(seed: int, runs: int, questions: int, groups: Sequence[str | None] = ()) -> Evidence:
    """Runs of all qualities, some of which leave questions unanswered."""
    rng = np.random.default_rng(seed)
    quality = rng.uniform(0.2, 0.8, (runs, 1))
    hard = rng.uniform(-0.2, 0.2, questions)
    silent = rng.random((runs, questions)) < rng.uniform(0, 0.4, (runs, 1))
    right = (rng.random((runs, questions)) < quality + hard) & ~silent
    wrong = ~right & ~silent
    others = {"wrong": wrong.astype(np.uint8), "unanswered": silent.astype(np.uint8)}
    return evidence_of(right, groups=groups, **others)


# per-question scores and all halves of six questions: the oracle by exact enumeration
THREE = evidence_of([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0]])
HALVES = np.zeros((2, 20, 6), dtype=np.uint8)
for _trial, _chosen in enumerate(combinations(range(6), 3)):
    HALVES[0, _trial, list(_chosen)] = 1
HALVES[1] = 1 - HALVES[0]


def drawn_by(
    evidence: Evidence, about: np.uint64, *, size: int, trials: int, parts: int, fresh: bool
) -> Callable[[int, int], list[tuple[int, ...]]]:
    """What the study draws for a pair and trial, as question sets for a listing."""
    pairs = evidence.runs.height * (evidence.runs.height - 1) // 2
    streams = range(pairs) if fresh else (0,)
    drawn = [
        draw_subsets(evidence.questions.height, size, trials, about, parts=parts, stream=stream)
        for stream in streams
    ]

    def draw(pair: int, trial: int) -> list[tuple[int, ...]]:
        own = drawn[pair if fresh else 0][:, trial]
        return [tuple(np.flatnonzero(part).tolist()) for part in own]

    return draw


def valued_by(evidence: Evidence, each: Configured) -> Callable[[int, tuple[int, ...]], float]:
    """A measure on one question set at a time."""
    known: dict[tuple[int, ...], np.ndarray] = {}

    def value(run: int, chosen: tuple[int, ...]) -> float:
        if chosen not in known:
            weights = np.zeros((1, evidence.questions.height))
            weights[0, list(chosen)] = 1
            known[chosen] = each.values(evidence, weights)[:, 0]
        return float(known[chosen][run])

    return value
