"""What one number per run hides: how sure a run was when right, and at which rank it was right.

Tables for charts, from the evidence that measures asked for; empty where none did.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from qampaign.arrays import Array, Numbers
from qampaign.measures.confidence import BINS
from qampaign.measures.evidence import Evidence
from qampaign.measures.sample_cells import BY_SAMPLE, SAMPLES, entry_weights
from qampaign.tables import Schema, schema_of

MOST_POINTS = 101
"""A curve has at most so many rows."""

RELIABILITY, BY_BAR, FIRST_RIGHT = (
    schema_of(table, "collection", "judge") for table in ("reliability", "coverage", "first_right")
)


def reliability(
    evidence: Evidence, scales: Mapping[str, tuple[Numbers, Numbers]] | None = None
) -> pl.DataFrame:
    """How often the first answers of a run are right, by how sure it was of them.

    Ten bins of equal width, as for ECE. Gives run, bin (0 to 9), and over the answers in it the
    mean confidence, the accuracy and their number. Bins without answers have no row, nor have runs
    whose confidences are not between 0 and 1. `scales` says by run what its confidences are as
    probabilities, where the config maps them.
    """
    tables = [_counted({}, RELIABILITY, "answers", evidence)]
    for run, given, right, weight in _rated(evidence):
        confidence = given
        if scales:
            if run not in scales:
                continue
            confidence = np.where(np.isfinite(given), np.interp(given, *scales[run]), np.nan)
        sure = np.isfinite(confidence)
        rated, hits_rated = confidence[sure], right[sure].astype(float)
        if rated.size and rated.min() >= 0 and rated.max() <= 1:
            bins = np.minimum((rated * BINS).astype(np.int64), BINS - 1)
            number = np.bincount(bins, weight[sure], minlength=BINS)
            used = number > 0
            total, hits = (
                np.bincount(bins, values * weight[sure], minlength=BINS)
                for values in (rated, hits_rated)
            )
            columns = {
                "run": [run] * int(used.sum()),
                "bin": np.flatnonzero(used),
                "confidence": total[used] / number[used],
                "accuracy": hits[used] / number[used],
                "answers": number[used],
            }
            tables.append(_counted(columns, RELIABILITY, "answers", evidence))
    return pl.concat(tables)


def accuracy_by_bar(evidence: Evidence) -> pl.DataFrame:
    """The accuracy of what a run answers, as the confidence it asks of itself rises.

    Gives run, bar, answered (the share of all questions with a confidence of at least the bar) and
    the accuracy over them: a row for each confidence that was seen, highest first; where there are
    more than :data:`MOST_POINTS`, so many of them, evenly spread. Answers without a confidence come
    last, under a bar of null.
    """
    tables = [pl.DataFrame(schema=BY_BAR)]
    for run, confidence, right, weight in _rated(evidence):
        has_confidence = ~np.isnan(confidence)
        order = np.argsort(-confidence[has_confidence], kind="stable")
        bar, size = confidence[has_confidence][order], np.cumsum(weight[has_confidence][order])
        right_sum = np.cumsum((right[has_confidence] * weight[has_confidence])[order])
        ends = np.flatnonzero(np.append(bar[1:] != bar[:-1], True))  # equal ones fall together
        if len(ends) > MOST_POINTS:
            ends = ends[np.linspace(0, len(ends) - 1, MOST_POINTS).round().astype(np.int64)]
        columns = {
            "run": [run] * len(ends),
            "bar": pl.Series(bar[ends]).replace({-np.inf: None}),
            "answered": size[ends] / evidence.questions.height,
            "accuracy": right_sum[ends] / size[ends],
        }
        tables.append(pl.DataFrame(columns, schema=BY_BAR))
    return pl.concat(tables)


def first_right(evidence: Evidence) -> pl.DataFrame:
    """On how many questions the first right answer of a run stands at each rank.

    Gives run, rank and questions; a rank of null is for questions without a right answer, as far
    down as MRR looks. Every rank up to the lowest that any run needs has a row for every run.
    """
    column = _column(evidence, "reciprocal_rank")
    if column is None:
        return _counted({}, FIRST_RIGHT, "questions", evidence)
    column, weight = _entries(evidence, column)
    rank = np.rint(np.divide(1.0, column, out=np.zeros(column.shape), where=column > 0))
    rank = rank.astype(np.int64)
    last = int(rank.max(initial=0))
    counts = np.array(
        [
            np.bincount(ranks, share, minlength=last + 1)
            for ranks, share in zip(rank, weight, strict=True)
        ]
    )
    runs = evidence.runs["run"].to_list()
    columns = {
        "run": [run for run in runs for _ in range(last + 1)],
        "rank": [*range(1, last + 1), None] * len(runs),
        "questions": np.roll(counts.reshape(len(runs), last + 1), -1, axis=1).ravel(),
    }
    return _counted(columns, FIRST_RIGHT, "questions", evidence)


def _rated(evidence: Evidence) -> list[tuple[str, Array, Numbers, Array]]:
    """Each run that is sure of something: its confidences (NaN: unanswered), verdicts and weights.

    A question counts for 1, and its samples share that.
    """
    confidences, right = (
        _column(evidence, name, without='"file"') for name in ("confidence_order", "correct")
    )
    if confidences is None or right is None:
        return []
    confidences, weight = _entries(evidence, confidences)
    verdicts, _ = _entries(evidence, right)
    rows = zip(evidence.runs["run"], confidences, verdicts, weight, strict=True)
    return [
        (run, confidence, np.nan_to_num(right), share)
        for run, confidence, right, share in rows
        if np.isfinite(confidence).any()
    ]


def _entries(evidence: Evidence, column: Numbers) -> tuple[Numbers, Array]:
    """A column by run and entry, a question or a sample of one, and what each entry counts for."""
    if column.ndim < 3:
        return column, np.ones(column.shape)
    runs, questions, most = column.shape
    there = np.arange(most) < evidence.columns[SAMPLES][:, :, None]
    weight = np.where(there, entry_weights(evidence.columns)[:, :, None], 0.0)
    size = questions * most
    return column.reshape(runs, size), weight.reshape(runs, size)


def _counted(
    columns: Mapping[str, object], schema: Schema, name: str, evidence: Evidence
) -> pl.DataFrame:
    """A table with numbers of questions or answers: whole ones, or with samples means over them."""
    kind = pl.Float64 if SAMPLES in evidence.columns else pl.Int64
    frame = pl.DataFrame(columns, schema={**schema, name: pl.Float64})
    return frame.with_columns(pl.col(name).round(9).cast(kind))


def _column(evidence: Evidence, name: str, *, without: str = "\0") -> Numbers | None:
    """A column of the evidence with any options, but not those that name something else.

    By sample, where the collection has samples.
    """
    before = BY_SAMPLE if SAMPLES in evidence.columns else ""
    keys = (
        key
        for key in evidence.columns
        if key.startswith(before)
        and key.removeprefix(before).split(" ")[0] == name
        and without not in key
    )
    return next((evidence.columns[key] for key in keys), None)
