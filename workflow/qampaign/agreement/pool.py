"""The pool still to be judged: answers that no assessment covers, ready to be labelled."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.judging.assessments import attach
from qampaign.judging.judgments import Verdict, encode
from qampaign.studies.resampling import generator

SIZE = 1024
"""How many numbers stand for the letters of a text when texts are compared."""


def find_open(
    responses: pl.DataFrame, assessments: pl.DataFrame, questions: pl.DataFrame, *, nil: str
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The distinct answers without any assessment, and how much of each run is covered.

    NIL needs no assessment. The first frame has question and answer, the second run, answers,
    covered and share.
    """
    final = assessments.with_columns(pl.col("verdict").cast(Verdict))
    responses, questions, final = encode(responses.drop_nulls("answer"), questions, final)
    judged, _ = attach(responses, final)
    covered = pl.col("verdict").is_not_null() | (pl.col("answer") == nil)
    open_ones = judged.filter(~covered).select("question", "answer").unique()
    coverage = judged.group_by("run").agg(
        answers=pl.len(), covered=covered.sum(), share=covered.mean()
    )
    return open_ones.sort("question", "answer"), coverage.sort("run")


def find_open_items(
    responses: pl.DataFrame, assessments: pl.DataFrame, questions: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same where items are validated: what is assessed is the item."""
    responses, questions, final = encode(responses, questions, assessments)
    covered = pl.col("question").is_in(final["question"].unique().implode())
    coverage = responses.group_by("run").agg(
        answers=pl.len(), covered=covered.sum(), share=covered.mean()
    )
    return questions.filter(~covered).select("question"), coverage.sort("run")


def sheet(open_ones: pl.DataFrame, questions: pl.DataFrame, seed: Sequence[object]) -> pl.DataFrame:
    """The table that assessors fill in: answers by question, columns for label, level and class.

    The order within a question is drawn by the seed, so that it tells nothing of the runs; answers
    that look alike stand together.
    """
    parts = [open_ones.clear()]
    rng = generator(*seed)
    for own in open_ones.partition_by("question", maintain_order=True):
        if "answer" in own.columns:
            own = own[_chained(own["answer"].to_list(), rng)]
        parts.append(own)
    texts = questions.select(pl.col("question").cast(open_ones.schema["question"]), "text")
    empty = [pl.lit(None, pl.String).alias(name) for name in ("label", "level", "class")]
    asked = pl.concat(parts).join(texts, on="question", how="left", maintain_order="left")
    return asked.select("question", "text", pl.exclude("question", "text"), *empty)


def tell(open_ones: pl.DataFrame, coverage: pl.DataFrame, path: Path, *, written: bool) -> str:
    """What is still to be judged, in a line for the terminal, and whether `path` has it."""
    told = f"{open_ones.height:,} to be judged in {path}; "
    if not written:
        told = f"{open_ones.height:,} to be judged, but {path} has been filled in and is left "
        told += "alone: put it among the assessments and ask again; "
    told += f"{coverage['covered'].sum():,} of {coverage['answers'].sum():,} answers are covered"
    least = coverage.sort("share", "run").head(1)
    if open_ones.height and least.height:
        told += f", least of run {least['run'].item()}: {least['share'].item():.0%}"
    return told


def _chained(texts: list[str], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """An order that begins anywhere and goes on with the text most like the last one."""
    letters = _letters(texts)
    left = np.ones(len(texts), dtype=bool)
    order = [int(rng.integers(len(texts)))]
    left[order[0]] = False
    lots = rng.permutation(len(texts))  # which of those that are alike in no way comes next
    while len(order) < len(texts):
        alike = np.where(left, letters @ letters[order[-1]], -1.0)
        best = np.flatnonzero(alike >= alike.max() - 1e-6)
        order.append(int(best[np.argmin(lots[best])]))
        left[order[-1]] = False
    return np.array(order)


def _letters(texts: list[str]) -> npt.NDArray[np.float32]:
    """Each text as a vector of length 1 of its runs of three letters, in any case."""
    counts = np.zeros((len(texts), SIZE), dtype=np.float32)
    for row, text in enumerate(texts):
        padded = f"  {' '.join(text.casefold().split())} "
        codes = np.frombuffer(padded.encode("utf-32-le"), dtype=np.uint32).astype(np.int64)
        triples = codes[:-2] * 31 * 31 + codes[1:-1] * 31 + codes[2:]
        counts[row] += np.bincount(triples % SIZE, minlength=SIZE)
    lengths = np.sqrt((counts**2).sum(axis=1, keepdims=True))
    return counts / np.maximum(lengths, 1)
