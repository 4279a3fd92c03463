"""What more samples, or more questions, would do to an interval: a sentence."""

from collections.abc import Mapping
from math import sqrt

import polars as pl

from qampaign.report.collection import CollectionResults
from qampaign.report.text import fixed
from qampaign.report.views import ALL
from qampaign.studies.minimums import UNITS
from qampaign.studies.weighted_values import PSEUDO

SAMPLES, QUESTIONS = 4, 2
"""How many times the samples, and how many times the questions, the sentence is about."""
NORMAL = 1.96
"""Half the width of a 95% interval, in standard errors."""


def more_samples(collection: CollectionResults) -> list[str]:
    """What more samples or questions would do to the interval of the best run that has samples.

    By the measure that ranks, or by the first that is a mean over questions. Nothing where there
    are no samples or no intervals. With fewer than ten questions with several samples, or without
    variance found between questions, there is no telling samples from questions: that is said.
    """
    if collection.slice != ALL or not collection.measures:
        return []
    every = collection.table("samples", judge=collection.judge)
    if not (every["samples"] > 1).any():
        return []
    ids = [str(row["measure"]) for row in collection.measures]
    table = every.filter(
        pl.col("between") > 0, pl.col("repeated") >= UNITS, pl.col("within").is_not_null()
    )
    if table.is_empty():
        return [
            "What more samples would do to the intervals cannot be estimated: that takes "
            f"{UNITS} {collection.noun}s with several samples, and {collection.noun}s that differ "
            "by more than samples do."
        ]
    measured = set(table["measure"])
    first = [collection.primary_measure, *ids]
    measure = next((name for name in first if name in measured), None)
    if measure is None:
        return []
    rows = {row["run"]: row for row in table.filter(measure=measure).to_dicts()}
    scores = collection.scores(measure)
    for run in collection.ranked:
        at = collection.names().index(run)
        low, high = ((scores[end] or {at: None})[at] for end in ("low", "high"))
        if run in rows and low is not None and high is not None and high > low:
            half = (high - low) / 2
            share = share_within(
                rows[run],
                half,
                questions=collection.start["questions"],
                units=collection.units,
            )
            return [_sentence(collection, run, measure, half, share)]
    return []


def share_within(row: Mapping[str, float], half: float, *, questions: int, units: int) -> float:
    """The share of the variance behind an interval that is due to samples.

    `half` is half the interval, which comes from weights of u units and two pseudo-questions of 2/3
    each: what varies by `within` / samples from question to question varies by u² / ((u + 4/3) ·
    (u + 7/3)) times its mean's variance there. 0.1 / 2 by 50 questions, times 0.93, is 0.00093; the
    whole is (0.1 / 1.96)² = 0.0026. Questions that the run has no row for vary by no sample: with
    a row for half of them, the share is half.

    >>> row = {"samples": 2, "within": 0.1, "questions": 50}
    >>> round(share_within(row, 0.1, questions=50, units=50), 3)
    0.357
    >>> round(share_within({**row, "questions": 25}, 0.1, questions=50, units=50), 3)
    0.179
    """
    weighted = units**2 / ((units + 2 * PSEUDO) * (units + 2 * PSEUDO + 1))
    sampled = row["questions"] / questions
    within = row["within"] / row["samples"] / questions * sampled * weighted
    return min(within / (half / NORMAL) ** 2, 1.0)


def shrunk(half: float, share: float, *, samples: float = 1, questions: float = 1) -> float:
    """Half an interval with so many times the samples and the questions.

    A quarter of the variance within, and that a quarter of what it was: √(0.75 + 0.0625).

    >>> round(shrunk(0.1, 0.25, samples=4), 6), round(shrunk(0.1, 0.25, questions=4), 6)
    (0.090139, 0.05)
    """
    return half * sqrt((1 - share + share / samples) / questions)


def _sentence(
    collection: CollectionResults, run: str, measure: str, half: float, share: float
) -> str:
    label = collection.labels()[measure]
    noun = "group" if collection.draws_groups else collection.noun
    by_samples = fixed(shrunk(half, share, samples=SAMPLES))
    by_questions = fixed(shrunk(half, share, questions=QUESTIONS))
    begin = f"the 95% interval of {run} ({label}, ±{fixed(half)})"
    if by_samples == fixed(half):
        return (
            f"More samples would hardly shrink {begin}; twice the {noun}s would, to about "
            f"±{by_questions}."
        )
    return (
        f"With {SAMPLES} times the samples {begin} would shrink to about ±{by_samples}; with "
        f"twice the {noun}s, to ±{by_questions}."
    )
