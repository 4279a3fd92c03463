"""Which questions of each run people have labelled, and how much each of them stands for.

Labels come on a random part of the questions, on all answers to each: then the labelled questions
are the same for all runs. Or they come on a random part of the answers: then every run has labelled
questions of its own, and those without any answer to label are known beside them. Where labels
carry the probability with which their answers were chosen, each counts by its inverse.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags

UNASSESSED, SILENT = "unassessed", "not_attempted"


@dataclass(frozen=True)
class Labels:
    """What is labelled, by run (rows) and question."""

    labelled: Flags
    """People's evidence is known: there are labels, or no answer needs one."""
    sampled: Flags
    """Of these, what was chosen to be labelled."""
    weights: Array
    """How much a labelled question counts: on average 1 in each run, 0 for the others."""
    sampling: str
    """What was sampled: `questions`, `answers`, or either with a `probability`."""


@dataclass(frozen=True)
class Judgments:
    """Judgments of a judge laid out by run and question, with what each says of its answer."""

    run: np.ndarray
    question: np.ndarray
    rank: np.ndarray
    is_open: Flags
    is_labelled: Flags
    probability: Array
    shape: tuple[int, int]
    covered: Flags
    """The questions that the judge covers."""

    @classmethod
    def of(
        cls,
        judgments: pl.DataFrame,
        covered: Collection[str],
        *,
        runs: pl.Series,
        questions: pl.Series,
    ) -> "Judgments":
        """Those about some runs and questions; `probability` is a column where labels have one."""
        if "probability" not in judgments.columns:
            judgments = judgments.with_columns(probability=pl.lit(None, pl.Float64))
        ids = {"run": runs, "question": questions}
        numbers = [
            pl.col(name).cast(pl.String).cast(pl.Enum(known_ids.cast(pl.String)), strict=False)
            for name, known_ids in ids.items()
        ]
        verdict = pl.col("verdict").cast(pl.String)
        rows = judgments.with_columns(
            *numbers,
            is_open=verdict == UNASSESSED,
            is_labelled=~verdict.is_in([UNASSESSED, SILENT]) & ~pl.col("nil"),
        ).drop_nulls(list(ids))
        run, question = (rows[name].to_physical().to_numpy().astype(np.int64) for name in ids)
        return cls(
            run=run,
            question=question,
            rank=rows["rank"].to_numpy(),
            is_open=rows["is_open"].to_numpy(),
            is_labelled=rows["is_labelled"].to_numpy(),
            probability=rows["probability"].fill_null(np.nan).to_numpy(),
            shape=(len(runs), len(questions)),
            covered=questions.cast(pl.String).is_in(list(covered)).to_numpy(),
        )

    def some(self, flags: Flags, last_rank: int | None) -> Flags:
        """By run and question, whether an answer down to a rank has a flag."""
        chosen = flags if last_rank is None else flags & (self.rank <= max(last_rank, 1))
        flagged = np.zeros(self.shape, dtype=bool)
        flagged[self.run[chosen], self.question[chosen]] = True
        return flagged

    def chances(self, last_rank: int | None) -> Array | None:
        """The probability that all labels of a run on a question were chosen; None without any.

        A label that has none, where others have one, was sure to be there.
        """
        chosen = self.is_labelled & ~np.isnan(self.probability)
        if last_rank is not None:
            chosen &= self.rank <= max(last_rank, 1)
        if not chosen.any():
            return None
        logarithms = np.log(self.probability[chosen])
        cells = self.run[chosen] * self.shape[1] + self.question[chosen]
        total = np.bincount(cells, logarithms, minlength=self.shape[0] * self.shape[1])
        product: Array = np.exp(total).reshape(self.shape)
        return product


def find_labels(people: Judgments, judge: Judgments, last_rank: int | None) -> Labels:
    """What people have labelled of the answers down to a rank.

    `judge` says where a run has an answer at all, on questions that people's judge does not cover.
    """
    labelled = people.some(people.is_labelled, last_rank)
    waiting = people.some(people.is_open, last_rank)
    waiting |= judge.some(judge.is_labelled | judge.is_open, last_rank) & ~people.covered
    chances = people.chances(last_rank)
    by_question = not (labelled.any(axis=0) & waiting.any(axis=0)).any()
    sampled = labelled & ~waiting
    if by_question and chances is None:
        # a question on which no run has an answer to label is known as it is
        chosen = labelled.any(axis=0, keepdims=True) | np.zeros_like(labelled)
        idle = ~chosen & ~waiting.any(axis=0, keepdims=True)
        number, not_idle = chosen.sum(axis=1, keepdims=True), (~idle).sum(axis=1, keepdims=True)
        stands_for = not_idle / np.maximum(number, 1)
        weights = _normal(np.where(chosen, stands_for, idle * 1.0))
        return Labels(chosen | idle, chosen, weights, "questions")
    idle = ~labelled & ~waiting
    if chances is None:
        answered = (~idle).sum(axis=1, keepdims=True)
        stands_for = answered / np.maximum(sampled.sum(axis=1, keepdims=True), 1)
        return Labels(
            sampled | idle, sampled, _normal(np.where(sampled, stands_for, idle * 1.0)), "answers"
        )
    weights = np.where(sampled, 1 / chances, idle * 1.0)
    return Labels(sampled | idle, sampled, _normal(weights), "probability")


def _normal(weights: Array) -> Array:
    """Weights of each run that are 1 on average where they are not 0."""
    number = (weights > 0).sum(axis=1, keepdims=True)
    total = weights.sum(axis=1, keepdims=True)
    normal: Array = weights * np.divide(number, total, out=np.zeros_like(total), where=total > 0)
    return normal
