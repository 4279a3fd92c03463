"""Measures of ranked answers.

References: Voorhees & Tice (1999), TREC-8 QA Track (reciprocal rank); Sakai (2004), A Note on the
Reliability of Japanese Question Answering Evaluation (NQcorrect, Q-measure with answer classes);
Peñas & Rodrigo (2011), (11), average precision. Only answers that are given count, and a repeated
answer is not right.
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Number, Numbers
from qampaign.measures.cells import Cells, Rows
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import evidence, known_or_found
from qampaign.options import Limits
from qampaign.values import as_number

QAC2 = "Sakai 2004"
GAINS = {"S": 3, "A": 2, "B": 1}

Cutoff = Annotated[
    int | None, Limits(minimum=1), "a whole number from 1, the last rank that counts"
]
Gain = Annotated[float, Limits(minimum=0), "a number from 0"]
Gains = Annotated[
    Mapping[str, Gain],
    Limits(minProperties=1),
    "the gain of each level, such as {S: 3, A: 2, B: 1}; a level that is a number from 0 to 1 is "
    "its own gain",
]


@evidence(in_samples="also")
def reciprocal_rank(cells: Cells, *, cutoff: Cutoff = 5) -> Numbers:
    """1 / rank of the first right answer up to the cutoff, else 0."""
    rows = _right(cells, cutoff)
    first = rows[_starts(cells.cell[rows])]
    return cells.add_up(first, 1 / cells.rank[first])


@evidence
def right_within(cells: Cells, *, cutoff: int) -> Numbers:
    """Whether an answer up to the cutoff is right."""
    has_right = cells.count(cells.given & cells.right & (cells.rank <= cutoff)) > 0
    return has_right.astype(np.uint8)


@evidence(last_rank=1)
def right_within_1(cells: Cells) -> Numbers:
    """Whether the first answer is right."""
    return right_within(cells, cutoff=1)


@evidence(last_rank=5)
def right_within_5(cells: Cells) -> Numbers:
    """Whether one of the first five answers is right."""
    return right_within(cells, cutoff=5)


@evidence(meanings=True)
def precision_at_right(cells: Cells) -> Numbers:
    """Precision at the rank of each right answer, summed, by the number of known answers."""
    rows = _right(cells)
    right_so_far = _running(cells.cell[rows], np.ones(len(rows)))
    total = cells.add_up(rows, right_so_far / cells.rank[rows])
    known = known_or_found(cells).astype(float)
    return np.divide(total, known, out=np.zeros(cells.shape), where=known > 0)


@evidence(meanings=True)
def blended_ratio(
    cells: Cells,
    *,
    gains: Gains = GAINS,
    beta: Annotated[float, Limits(minimum=0), "a number from 0, the weight of gains"] = 1,
    cutoff: Cutoff = None,
) -> Numbers:
    """The blended ratio at each relevant rank, summed, by the number of known answer classes."""
    rows, gain = _relevant(cells, gains, cutoff)
    cell, rank = cells.cell[rows], cells.rank[rows]
    ideal, classes = _ideal(cells, gains, int(rank.max(initial=1)))
    reached = _running(cell, gain)  # more than the ideal where the reference knows less
    best = np.maximum(ideal[cell % len(ideal), rank], reached)
    relevant_so_far = _running(cell, np.ones(len(rows)))
    total = cells.add_up(rows, (relevant_so_far + beta * reached) / (rank + beta * best))
    count = cells.add_up(rows, np.ones(len(rows)))
    most = np.minimum(np.maximum(classes, count), cutoff or np.inf)
    return np.divide(total, most, out=np.zeros(cells.shape), where=most > 0)


@evidence(last_rank=1, meanings=True)
def first_gain(cells: Cells, *, gains: Gains = GAINS) -> Numbers:
    """The gain of the first answer's level, whatever its verdict; 0 for a wrong one without one."""
    level = cells.judgments["level"]
    # NIL is what its question makes of it, whatever its label says
    counts = cells.right | (level.is_not_null().to_numpy() & ~cells.judgments["nil"].to_numpy())
    rows = np.flatnonzero(cells.first & cells.given & counts)
    return cells.add_up(rows, _gains(level.gather(rows), gains))


def _right(cells: Cells, cutoff: int | None = None) -> Rows:
    """The right answers up to a rank, in the order of cell and rank."""
    return np.flatnonzero(cells.given & cells.right & (cells.rank <= (cutoff or np.inf)))


def _relevant(
    cells: Cells, gains: Mapping[str, float], cutoff: int | None
) -> tuple[Rows, npt.NDArray[np.float64]]:
    """The right answers up to a rank whose level has a gain, and that gain."""
    rows = _right(cells, cutoff)
    gain = _gains(cells.judgments["level"].gather(rows), gains)
    return rows[gain > 0], gain[gain > 0]


def _gains(levels: pl.Series, gains: Mapping[str, float]) -> npt.NDArray[np.float64]:
    """The gain of each of some levels."""
    return levels.alias("level").to_frame().select(gain_of(gains)).to_series().to_numpy()


def gain_of(gains: Mapping[str, float]) -> pl.Expr:
    """The gain of a level: by its name, else itself if it is a number from 0 to 1.

    Where there is no level, and for one of other measures alone, it is the smallest gain above 0.

    >>> levels = pl.DataFrame({"level": ["S", "0.15", "0", "1.0", None]})
    >>> levels.select(gain_of({"S": 3, "A": 2, "1": 0.7})).to_series().to_list()
    [3.0, 0.15, 0.0, 0.7, 0.7]
    """
    level = pl.col("level").cast(pl.String)
    least = min((gain for gain in gains.values() if gain > 0), default=0)
    named = {str(name): float(gain) for name, gain in gains.items()}
    numbers = {float(name): gain for name, gain in named.items() if as_number(name) is not None}
    number = level.cast(pl.Float64, strict=False)
    itself = pl.when(number.is_between(0, 1)).then(number)
    by_name = level.replace_strict(named, default=None, return_dtype=pl.Float64)
    by_number = number.replace_strict(numbers, default=None, return_dtype=pl.Float64)
    return pl.coalesce(by_name, by_number, itself, pl.lit(float(least)))


def _ideal(
    cells: Cells, gains: Mapping[str, float], longest: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Cumulative gain of an ideal list by question and rank (from 0), and the number of classes.

    The ideal list has each class once, at its best level, best classes first.
    """
    classes = (
        cells.known_answers.collect()
        .group_by("question", "meaning")
        .agg(gain_of(gains).max().alias("gain"))
        .filter(pl.col("gain") > 0)
        .with_columns(place=pl.col("gain").rank("ordinal", descending=True).over("question"))
    )
    question = classes["question"].to_physical().to_numpy()
    ideal_rank = classes["place"].to_numpy()
    table = np.zeros((cells.questions.height, longest + 1))
    inside = ideal_rank <= longest
    table[question[inside], ideal_rank[inside]] = classes["gain"].to_numpy()[inside]
    return table.cumsum(axis=1), np.bincount(question, minlength=cells.questions.height)


def _starts(cell: Rows) -> Rows:
    """Where each cell begins; equal cells stand together."""
    return np.flatnonzero(np.diff(cell, prepend=-1) != 0)


def _running(cell: Rows, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sums up to each value within its cell."""
    sums, starts = np.cumsum(values), _starts(cell)
    lengths = np.diff(np.r_[starts, len(sums)])
    return sums - np.repeat(sums[starts] - values[starts], lengths)


@measure(
    label="MRR",
    citation="Voorhees & Tice 1999",
    mean=True,
    formula="1/n · Σ 1 / rank of the first right answer",
)
def mrr(reciprocal_rank: Number, questions: Number) -> Number:
    """Mean of 1 / rank of the first right answer within the cutoff.

    First right answers at ranks 2 and 1, and two questions without one:

    >>> mrr(reciprocal_rank=1 / 2 + 1, questions=4)
    0.375
    """
    return reciprocal_rank / questions


@measure(label="NQcorrect1", citation=QAC2, mean=True)
def nq_correct_1(right_within_1: Number, questions: Number) -> Number:
    """Share of questions whose first answer is right: success at 1, hits at 1.

    >>> nq_correct_1(right_within_1=1, questions=4)
    0.25
    """
    return right_within_1 / questions


@measure(label="NQcorrect5", citation=QAC2, mean=True)
def nq_correct_5(right_within_5: Number, questions: Number) -> Number:
    """Share of questions with a right answer among the first five: success at 5, hits at 5.

    >>> nq_correct_5(right_within_5=2, questions=4)
    0.5
    """
    return right_within_5 / questions


@measure(
    label="AP",
    citation="Peñas & Rodrigo 2011, (11)",
    mean=True,
    formula="1/n · Σ over questions of (Σ C(r) / r at right ranks) / known",
)
def average_precision(precision_at_right: Number, questions: Number) -> Number:
    """Mean over questions of the precision at each distinct right answer, by those known.

    Right answers at ranks 1 and 3, both of the known ones: (1/1 + 2/3) / 2.

    >>> round(average_precision(precision_at_right=(1 + 2 / 3) / 2, questions=1), 6)
    0.833333
    """
    return precision_at_right / questions


@measure(
    label="Q",
    citation=f"{QAC2}, (3)",
    mean=True,
    needs=("level",),
    formula="1/n · Σ over questions of (Σ (C(r) + β·cg(r)) / (r + β·cg*(r)) at right ranks) / R",
)
def q_measure(blended_ratio: Number, questions: Number) -> Number:
    """Mean over questions of the blended ratio at each distinct right answer, by those known.

    The first answer of a class claims it with its own level; R is the number of classes. A level is
    one that `gains` has, or a number from 0 to 1, which is its own gain; without a level an answer
    has the smallest gain above 0. One class, known at level S, found at rank 1 at level B (gains
    3:2:1): (1 + 1) / (3 + 1).

    >>> q_measure(blended_ratio=(1 + 1) / (3 + 1), questions=1)
    0.5
    """
    return blended_ratio / questions


@measure(
    label="credit",
    citation="partial credit",
    bounds=(0.0, float("inf")),
    mean=True,
    needs=("level",),
    best=lambda _, options: {"first_gain": max(*options["gains"].values(), 1), "questions": 1},
    worst={"questions": 1},
    formula="1/n · Σ gain of the first answer",
)
def credit(first_gain: Number, questions: Number) -> Number:
    """Mean gain of the level of the first answer, whatever its verdict; 0 where there is no answer.

    So an inexact answer has its part of the credit, whether or not a judge counts it as correct; a
    wrong one without a level has none. A level is one that `gains` has, or a number from 0 to 1,
    which is its own gain; a right answer without a level has the smallest gain above 0. Levels S
    and B at gains 1 and 0.5, one that is inexact at level 0.15, and a wrong one:

    >>> round(credit(first_gain=1 + 0.5 + 0.15, questions=4), 6)
    0.4125
    """
    return first_gain / questions
