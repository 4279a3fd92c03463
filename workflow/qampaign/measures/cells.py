"""Judgments laid out by run and question, for the evidence to be counted from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Flags, Numbers
from qampaign.judging.judgments import is_correct

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Cells:
    """Judgments laid out by run and question: a cell for each pair, whether or not it has any.

    The flags and numbers have an entry per judgment, in the order of cell and rank.
    """

    runs: Sequence[str]
    questions: pl.DataFrame
    """question, type, known, nil, group, positive."""
    known_answers: pl.LazyFrame
    """question, meaning, level of every answer known to be right; read only where it is needed."""
    judgments: pl.DataFrame
    correct: Collection[str]
    confidence_map: str | None = None
    validation: bool = False
    degrees: bool = False
    """Whether the judge says how right answers are."""
    verdicts: bool = True
    """Whether it says what is right; else it gives degrees alone."""
    missing: str = "unanswered"
    """What a question without a row counts as: unanswered or wrong."""
    there: Flags | None = None
    """Which cells there are, where a cell is a sample and not every question has as many."""

    @classmethod
    def of(
        cls,
        judgments: pl.DataFrame,
        questions: pl.DataFrame,
        *,
        reference: pl.DataFrame,
        known_answers: pl.DataFrame | pl.LazyFrame,
        **how: Any,
    ) -> "Cells":
        """Lay out the judgments of a judge.

        `questions` are those of the judge; `reference` and `known_answers` are those of the judge
        that says what is known, the reference or itself. The runs, whether or not a judgment names
        them, are the categories of the judgments' column.
        """
        runs = judgments.schema["run"]
        assert isinstance(runs, pl.Enum)
        ids = questions.schema["question"]
        counted = questions.select("question").join(
            reference.select(pl.col("question").cast(ids, strict=False), "known"),
            on="question",
            how="left",
            maintain_order="left",
        )
        answers = known_answers.lazy().with_columns(pl.col("question").cast(ids, strict=False))
        return cls(
            runs=runs.categories.to_list(),
            questions=questions.with_columns(counted["known"].fill_null(0)),
            known_answers=answers.drop_nulls("question"),
            judgments=judgments,
            **how,
        )

    @property
    def sampled(self) -> bool:
        """Whether runs have samples: several answers to a question, each from its first rank on."""
        return "sample" in self.judgments.columns

    @property
    def shape(self) -> tuple[int, int]:
        """The number of runs and of questions."""
        return len(self.runs), self.questions.height

    @cached_property
    def cell(self) -> npt.NDArray[np.int64]:
        """The cell of each judgment."""
        run, question = (self.judgments[n].to_physical().to_numpy() for n in ("run", "question"))
        return run.astype(np.int64) * self.questions.height + question

    @cached_property
    def one_each(self) -> bool:
        """Whether every cell has one judgment, as where runs give one answer per question."""
        return len(self.cell) == self.shape[0] * self.shape[1] and bool(
            np.array_equal(self.cell, np.arange(len(self.cell)))
        )

    @property
    def run(self) -> npt.NDArray[np.int64]:
        """The run of each judgment, as a row of the cells."""
        return self.cell // max(self.questions.height, 1)

    @property
    def question(self) -> npt.NDArray[np.int64]:
        """The question of each judgment, as a column of the cells."""
        return self.cell % max(self.questions.height, 1)

    @cached_property
    def rank(self) -> npt.NDArray[np.int64]:
        return self.judgments["rank"].to_numpy()

    @cached_property
    def right(self) -> Flags:
        """Judged correct, whether given or withheld; an item: taken for what it is."""
        if self.validation:
            says_yes = self.judgments["said"].fill_null(False).to_numpy()
            return ~self.silent & (says_yes == self.outcome)
        return self.judgments.select(is_correct(self.correct)).to_series().to_numpy()

    @cached_property
    def silent(self) -> Flags:
        return (self.judgments["verdict"] == "not_attempted").to_numpy()

    @cached_property
    def empty(self) -> Flags:
        """There is a row, but no text in it."""
        if "empty" in self.judgments.columns:
            return self.judgments["empty"].to_numpy()
        return self.silent & ~self.judgments["answered"].to_numpy()

    @cached_property
    def without_row(self) -> Numbers:
        """1 where the run has no row for the question, not even an empty one."""
        return (self.count(np.ones(len(self.cell), dtype=bool)) == 0).astype(np.uint8)

    @property
    def missing_as_wrong(self) -> Numbers:
        """The same where such a question counts as wrong, else 0."""
        return self.without_row * np.uint8(self.missing == "wrong")

    @cached_property
    def given(self) -> Flags:
        """Really answered: not withheld, not silent."""
        return self.judgments["answered"].to_numpy() & ~self.silent

    @cached_property
    def withheld(self) -> Flags:
        return ~self.judgments["answered"].to_numpy() & ~self.silent

    @cached_property
    def first(self) -> Flags:
        return self.rank == 1

    def is_verdict(self, verdict: str) -> Flags:
        """Whether the judge said just this."""
        return (self.judgments["verdict"] == verdict).to_numpy()

    @cached_property
    def confidence(self) -> npt.NDArray[np.float64]:
        """As the run gives it (for validation: its score); NaN where it gives none."""
        name = "score" if self.validation else "confidence"
        return self.judgments[name].cast(pl.Float64).fill_null(np.nan).to_numpy()

    @cached_property
    def outcome(self) -> Flags:
        """What a confidence is about: whether the answer, or the item to validate, is right."""
        if not self.validation:
            return self.right
        return self.questions["positive"].to_numpy()[self.question]

    @cached_property
    def rated_runs(self) -> Flags:
        """The runs that give a confidence for anything they answer, or answer nothing."""
        size = len(self.runs)
        number_given = np.bincount(self.run[self.given], minlength=size)
        rated = np.bincount(self.run[self.given & ~np.isnan(self.confidence)], minlength=size)
        return (rated > 0) | (number_given == 0)

    @cached_property
    def assessed_runs(self) -> Flags:
        """The runs with an answer that someone has assessed, or with none that needs it.

        NIL needs no assessment: it is right where the question has no answer.
        """
        size, waiting = len(self.runs), self.is_verdict("unassessed")
        if not self.verdicts:
            waiting = waiting & self.judgments["degree"].is_null().to_numpy()
        if not waiting.any():
            return np.ones(size, dtype=bool)
        judged = ~(waiting | self.silent | self.judgments["nil"].to_numpy())
        assessed, open_ones = (
            np.bincount(self.run[flags], minlength=size) for flags in (judged, waiting)
        )
        return (assessed > 0) | (open_ones == 0)

    @cached_property
    def unit(self) -> npt.NDArray[np.float64]:
        """Confidences as probabilities: mapped as the config says, 0 where there is none."""
        return np.nan_to_num(_mapped(self.confidence, self.run, self.confidence_map))

    def scales(self) -> dict[str, tuple[Numbers, Numbers]]:
        """By run, its confidences in rising order and what they are as probabilities.

        Nothing if they are taken as they are.
        """
        if self.confidence_map is None:
            return {}
        given = pl.DataFrame({"run": self.run, "raw": self.confidence, "unit": self.unit})
        given = given.filter(pl.col("raw").is_finite()).unique(["run", "raw"]).sort("run", "raw")
        return {
            self.runs[run]: (of_run["raw"].to_numpy(), of_run["unit"].to_numpy())
            for (run,), of_run in given.partition_by("run", as_dict=True).items()
        }

    def count(self, where: Flags) -> Numbers:
        """How many judgments of each cell fulfil a condition."""
        if self.one_each:
            return where.astype(np.uint8).reshape(self.shape)
        rows = np.flatnonzero(where)  # taking by numbers is many times as fast as by flags
        counted = np.bincount(self.cell[rows], minlength=self.shape[0] * self.shape[1])
        return counted.astype(np.min_scalar_type(counted.max(initial=0))).reshape(self.shape)

    def total(self, values: Numbers, where: Flags) -> npt.NDArray[np.float64]:
        """The sum of values over the judgments of each cell that fulfil a condition."""
        rows = np.flatnonzero(where)
        return self.add_up(rows, values[rows])

    def add_up(self, rows: Rows, values: Numbers) -> npt.NDArray[np.float64]:
        """The sum in each cell of values that some judgments have, one for each of these rows."""
        size = self.shape[0] * self.shape[1]
        summed = np.bincount(self.cell[rows], values.astype(np.float64), minlength=size)
        return summed.reshape(self.shape).astype(np.float64)

    def rated(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Values that rest on confidences: NaN for runs that give none."""
        return np.where(self.rated_runs[:, None], values, np.nan)

    def of_question(self, name: str) -> Numbers:
        """A column of the questions, the same for every run."""
        return np.broadcast_to(self.questions[name].to_numpy(), self.shape)


def _mapped(
    confidence: npt.NDArray[np.float64], run: npt.NDArray[np.int64], how: str | None
) -> npt.NDArray[np.float64]:
    """Confidences on any scale as numbers from 0 to 1, run by run."""
    if how is None:
        return confidence
    if how == "logistic":
        return (1 + np.tanh(confidence / 2)) / 2  # as 1 / (1 + e^-x), which would overflow
    values = pl.DataFrame({"run": run, "c": confidence}).with_columns(pl.col("c").fill_nan(None))
    column = pl.col("c") if how == "minmax" else pl.col("c").rank()
    low, high = column.min().over("run"), column.max().over("run")
    unit = pl.when(high > low).then((column if how == "minmax" else column.over("run")) - low)
    return values.select((unit / (high - low)).fill_null(0.0)).to_series().to_numpy()
