"""Which answers to label, so that labels correct a judge: a random sample by the judge's verdict.

Answers are drawn, not questions. What the judge accepts and what it does not are drawn apart
(Neyman 1934): from each so large a share as its verdicts are doubtful, and in all so many that the
95% interval of the corrected accuracy of every run is as narrow as wanted. Labels that are there
already count as sure, and say how doubtful the judge is.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.studies.rectification import FEW_LABELLED
from qampaign.studies.resampling import hash_names

ERRORS = 0.2
"""How often a verdict is taken to be wrong before anybody has labelled anything."""
WIDE = 2 * 1.959964
"""The width of a 95% interval in standard errors."""


@dataclass(frozen=True)
class LabelSample:
    """The answers to label."""

    chosen: pl.DataFrame
    """question, answer and probability."""
    width: float
    """The width of the widest interval to be expected."""


def draw_answers(
    unassessed: pl.DataFrame,
    verdicts: pl.DataFrame,
    labels: pl.DataFrame,
    *,
    questions: int,
    width: float,
    seed: str,
) -> LabelSample:
    """Draw from the answers that nobody has assessed.

    `unassessed` has question and answer; `verdicts` has run, question, rank, answer and accepted,
    for what the judge has judged; `labels` has accepted and right of the
    answers that are assessed. An answer that the judge has no verdict on counts as not accepted.
    """
    keys = ["question", "answer"]
    stratum = verdicts.group_by(keys).agg(pl.col("accepted").max())
    pool = unassessed.join(stratum, on=keys, how="left", maintain_order="left").with_columns(
        pl.col("accepted").fill_null(False)
    )
    doubt = doubts(labels)
    first = verdicts.filter(pl.col("rank") == 1)
    waiting = first.drop("accepted").join(pool, on=keys, how="inner")
    by_run = waiting.group_by("run").agg(
        yes=pl.col("accepted").sum(), no=(~pl.col("accepted")).sum()
    )
    rates = first.group_by("run").agg(rate=pl.col("accepted").sum() / questions)
    runs = by_run.join(rates, on="run", how="left").sort("run")
    open_ones = runs.select("yes", "no").to_numpy().astype(float)
    shares, expected = plan(open_ones, runs["rate"].to_numpy(), doubt, questions, width)
    parts = [pool.clear().with_columns(probability=pl.lit(None, pl.Float64)).drop("accepted")]
    for accepted, share in zip((True, False), shares, strict=True):
        rows = pool.filter(pl.col("accepted") == accepted).drop("accepted")
        number = min(int(np.ceil(share * rows.height - 1e-9)), rows.height)
        names = [f"{seed} {q} {a}" for q, a in rows.select(keys).cast(pl.String).rows()]
        order = np.argsort(hash_names(names), kind="stable")[:number]
        part = rows[np.sort(order)]
        parts.append(part.with_columns(probability=pl.lit(number / max(rows.height, 1))))
    return LabelSample(pl.concat(parts).sort(keys), expected)


def doubts(labels: pl.DataFrame) -> Array:
    """The spread of people's verdicts among what the judge accepts, and among the rest.

    With 9 right answers of 10 that it accepts, (9 + 0.8) / 11 of them are taken to be right, as if
    one more had been seen that is wrong with the probability of 0.2: sqrt(0.891 * 0.109) = 0.312.

    >>> labels = pl.DataFrame({"accepted": [True] * 10, "right": [True] * 9 + [False]})
    >>> doubts(labels).round(3).tolist()
    [0.312, 0.4]
    """
    spread = []
    for accepted in (True, False):
        right = labels.filter(pl.col("accepted") == accepted)["right"]
        before = 1 - ERRORS if accepted else ERRORS
        share = (float(right.sum()) + before) / (len(right) + 1)
        spread.append((share * (1 - share)) ** 0.5)
    return np.array(spread)


def plan(
    open_ones: Array, rates: Array, doubt: Array, questions: int, width: float
) -> tuple[Array, float]:
    """The share to draw of what the judge accepts and of the rest, and the width to be expected.

    `open_ones` has by run how many answers of both sorts nobody has assessed, `rates` the run's
    accuracy by the judge. Other questions would give other values: that part of an interval no
    label makes narrower.

    100 questions, 50 answers of either sort, nothing known: even with all labelled the standard
    error is sqrt(0.25 / 100) = 0.05 and the width 0.196.

    >>> shares, expected = plan(np.array([[50.0, 50]]), np.array([0.5]), np.ones(2) / 2, 100, 0.1)
    >>> shares.tolist(), round(expected, 3)
    ([1.0, 1.0], 0.196)
    """
    if not open_ones.sum():
        return np.ones(2), 0.0

    def expected(scale: float) -> float:
        share = np.clip(scale * doubt, 1e-9, 1)
        drawn = (open_ones * doubt**2 * (1 - share) / share).sum(axis=1) / questions**2
        return float(WIDE * np.sqrt(rates * (1 - rates) / questions + drawn).max())

    def enough(scale: float) -> bool:
        share = np.clip(scale * doubt, 1e-9, 1)
        labelled = (open_ones * share).sum(axis=1)
        least = np.minimum(open_ones.sum(axis=1), FEW_LABELLED)
        return expected(scale) <= width and bool((labelled >= least - 1e-9).all())

    low, high = 0.0, float(1 / doubt.min())
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return np.clip(high * doubt, 0, 1), expected(high)
