"""Several answers of a run to the same question: samples, and what follows from their verdicts.

Evidence is counted in each sample as if it were the run's only answer; that of a question is the
mean over its samples. A run without any row for a question has one sample of it, unanswered.

Measures that need an order take each sample as an entry of its own: their columns of evidence have
a third dimension, the samples (NaN: none), and `samples` says how many a run has of each question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags, Numbers
from qampaign.measures.cells import Cells

SAMPLES = "samples"
"""The column of evidence that says how many samples a run has of each question; only where a
collection has samples."""
BY_SAMPLE = "by sample: "
"""What the name of a column begins with that has a third dimension."""


def by_sample(cells: Cells) -> tuple[Cells, Flags]:
    """Cells of which each is a sample, and by run, question and sample whether there is one.

    The questions are repeated, each for as many samples as any run has of any question; those of a
    group belong together within a sample.
    """
    judged = cells.judgments
    cell = cells.cell
    sample = judged["sample"]
    new = np.diff(cell, prepend=-1) != 0
    begins = new | sample.ne_missing(sample.shift()).to_numpy()
    number = np.cumsum(begins)
    starts = np.flatnonzero(new)
    lengths = np.diff(np.r_[starts, len(cell)])
    slot = number - np.repeat(number[starts], lengths)
    most = int(slot.max(initial=0)) + 1
    runs, questions = cells.shape
    there = np.zeros((runs * questions, most), dtype=bool)
    there[cell, slot] = True
    there[:, 0] = True
    names = cells.questions["question"].cast(pl.String)
    ids = pl.Enum([f"{name}\0{number}" for name in names for number in range(most)])
    order = np.repeat(np.arange(questions), most)
    itself = pl.lit("\0") + pl.col("question").cast(pl.String)
    group = pl.coalesce(pl.col("group").cast(pl.String), itself)
    repeated = cells.questions[order].with_columns(
        group=pl.concat_str(group, pl.Series(np.tile(np.arange(most), questions)), separator="\0"),
        question=pl.Series(ids.categories, dtype=ids),
    )
    code = pl.Series(cells.question * most + slot, dtype=pl.UInt32)
    first = pl.col("question").to_physical().cast(pl.UInt32) * most
    known = pl.concat(
        cells.known_answers.with_columns((first + n).cast(pl.UInt32).cat.to(ids).alias("question"))
        for n in range(most)
    )
    laid_out = replace(
        cells,
        questions=repeated,
        known_answers=known,
        judgments=judged.drop("sample").with_columns(question=code.cat.to(ids)),
        there=there.reshape(runs, questions * most),
    )
    return laid_out, there.reshape(runs, questions, most)


def mean_over_samples(values: Numbers, there: Flags) -> Numbers:
    """The mean over the samples of each question; whole numbers stay what they are.

    >>> there = np.array([[[True, True, True], [True, False, False]]])
    >>> mean_over_samples(np.array([[1, 0, 1, 1, 0, 0]]), there).round(3)
    array([[0.667, 1.   ]])
    """
    samples = np.where(there, values.reshape(there.shape), 0)
    means = samples.sum(axis=2, dtype=np.float64) / there.sum(axis=2)
    whole = values.dtype.kind in "bui" and bool((means == np.rint(means)).all())
    return means.astype(values.dtype) if whole else means


def split_samples(values: Numbers, there: Flags) -> Numbers:
    """What is sorted by, or right, in each sample: by run, question and sample, NaN for none."""
    return np.where(there, values.reshape(there.shape).astype(np.float64), np.nan)


def entry_weights(columns: Mapping[str, Numbers]) -> Array:
    """What each sample counts for in an order, by run and question: 1 / samples."""
    return 1.0 / columns[SAMPLES]


def join(columns: Sequence[Numbers], axis: int) -> Numbers:
    """Columns of evidence one after the other; fewer samples are filled up with none."""
    if columns[0].ndim < 3:
        return np.concatenate(columns, axis=axis)
    most = max(column.shape[2] for column in columns)
    filled = [
        np.pad(column, ((0, 0), (0, 0), (0, most - column.shape[2])), constant_values=np.nan)
        for column in columns
    ]
    return np.concatenate(filled, axis=axis)
