"""What a question counts for: the weight that its file gives it, as in a stratified test set.

Where some kinds of questions are drawn more often than they are asked, a weight puts that right.
Every column of evidence is multiplied by it, so that whatever is a function of sums is weighted,
and so are all draws of questions. Weights are scaled to a mean of 1. What is counted, and what
counts units, stays as it is.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.sample_cells import BY_SAMPLE, SAMPLES

NOT_WEIGHTED = ("without_row", SAMPLES)
"""Columns of evidence that say what there is, not what it is worth."""


def weights_of(questions: pl.DataFrame, weights: pl.DataFrame) -> Array | None:
    """The weights of questions with a mean of 1; None where none are given, or all are equal.

    `weights` has question and weight.

    >>> asked = pl.DataFrame({"question": ["q1", "q2"]})
    >>> weights_of(asked, pl.DataFrame({"question": ["q2", "q1"], "weight": [1.0, 3.0]}))
    array([1.5, 0.5])
    >>> weights_of(asked, pl.DataFrame({"question": ["q2", "q1"], "weight": [3.0, 3.0]}))
    """
    if weights["weight"].null_count() == weights.height:
        return None
    named = questions.select(pl.col("question").cast(pl.String))
    joined = named.join(weights, on="question", how="left", maintain_order="left")["weight"]
    filled = joined.fill_null(1.0).to_numpy().astype(np.float64)
    if not len(filled) or (filled == filled[0]).all():
        return None
    return filled / filled.mean()


def weigh(evidence: Evidence, weights: Array | None) -> Evidence:
    """The evidence with every question counted as its weight says."""
    if weights is None:
        return evidence
    columns = {
        key: values
        if key in NOT_WEIGHTED or key.startswith(BY_SAMPLE)
        else values.astype(np.float64) * weights
        for key, values in evidence.columns.items()
    }
    return replace(evidence, columns=columns)


def unevenness(weights: Array) -> float:
    """How many questions of these weights are worth as much as one would be among equal ones.

    The variance of a weighted mean is that of (Σw)² / Σw² questions (Kish 1965).

    >>> unevenness(np.array([1.0, 1.0])), unevenness(np.array([3.0, 1.0])), unevenness(np.zeros(2))
    (1.0, 1.25, 1.0)
    """
    total = float(weights.sum())
    return len(weights) * float(weights @ weights) / total**2 if total else 1.0


def total_weight(evidence: Evidence) -> float:
    """What all questions count for together: their number, unless they are weighted."""
    return float(evidence.columns["questions"][0].sum(dtype=np.float64))
