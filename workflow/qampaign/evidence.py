"""Evidence: for every run and question the numbers that every measure is a function of.

A column of evidence is a decorated function over the judgments, laid out by run and question; the
columns that the table of counts shows are here, those of one family of measures beside them.
"""

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.judging.judgments import is_correct

Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]

EVIDENCE: dict[str, Callable[..., Numbers]] = {}
"""Every column of evidence by its name."""


def evidence(function: Callable[..., Numbers]) -> Callable[..., Numbers]:
    """Declare a column of evidence: the function's name; its arguments after `*` are options."""
    EVIDENCE[function.__name__] = function
    return function


@dataclass(frozen=True)
class Cells:
    """Judgments laid out by run and question: a cell for each pair, whether or not it has any.

    The flags and numbers have an entry per judgment, in the order of cell and rank.
    """

    runs: Sequence[str]
    questions: pl.DataFrame
    """question, type, known, nil, group, positive."""
    known_answers: pl.DataFrame
    """question, meaning, level of every answer known to be right."""
    judgments: pl.DataFrame
    correct: Collection[str]
    confidence_map: str | None = None
    validation: bool = False

    @classmethod
    def of(
        cls,
        judgments: pl.DataFrame,
        questions: pl.DataFrame,
        *,
        reference: pl.DataFrame,
        known_answers: pl.DataFrame,
        **how: Any,
    ) -> "Cells":
        """Lay out the judgments of a judge.

        `questions` are those of the judge; `reference` and `known_answers` are those of the
        reference judge, which says what is known. The runs, whether or not a judgment names them,
        are the categories of the judgments' column.
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
        answers = known_answers.with_columns(pl.col("question").cast(ids, strict=False))
        return cls(
            runs=runs.categories.to_list(),
            questions=questions.with_columns(counted["known"].fill_null(0)),
            known_answers=answers.drop_nulls("question"),
            judgments=judgments,
            **how,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """The number of runs and of questions."""
        return len(self.runs), self.questions.height

    @cached_property
    def cell(self) -> npt.NDArray[np.int64]:
        """The cell of each judgment."""
        run, question = (self.judgments[n].to_physical().to_numpy() for n in ("run", "question"))
        return run.astype(np.int64) * self.questions.height + question

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
        """Judged correct, whether given or withheld."""
        return self.judgments.select(is_correct(self.correct)).to_series().to_numpy()

    @cached_property
    def silent(self) -> Flags:
        return (self.judgments["verdict"] == "not_attempted").to_numpy()

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
        """The runs that give a confidence for anything they answer."""
        rated = self.run[~np.isnan(self.confidence)]
        return np.bincount(rated, minlength=len(self.runs)) > 0

    @cached_property
    def unit(self) -> npt.NDArray[np.float64]:
        """Confidences as probabilities: mapped as the config says, 0 where there is none."""
        return np.nan_to_num(_mapped(self.confidence, self.run, self.confidence_map))

    def count(self, where: Flags) -> Numbers:
        """How many judgments of each cell fulfil a condition."""
        counted = np.bincount(self.cell[where], minlength=self.shape[0] * self.shape[1])
        return counted.astype(np.min_scalar_type(counted.max(initial=0))).reshape(self.shape)

    def total(self, values: Numbers, where: Flags) -> npt.NDArray[np.float64]:
        """The sum of values over the judgments of each cell that fulfil a condition."""
        size = self.shape[0] * self.shape[1]
        summed = np.bincount(self.cell[where], values[where].astype(np.float64), minlength=size)
        return summed.reshape(self.shape).astype(np.float64)

    def rated(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Values that rest on confidences: NaN for runs that give none."""
        return np.where(self.rated_runs[:, None], values, np.nan)

    def of_question(self, name: str) -> Numbers:
        """A column of the questions, the same for every run."""
        return np.broadcast_to(self.questions[name].to_numpy(), self.shape)


@dataclass(frozen=True)
class Column:
    """A column of evidence with its options."""

    name: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, options: Mapping[str, Any]) -> "Column":
        """The column `name` with those of the options that it takes."""
        arguments = inspect.signature(EVIDENCE[name]).parameters
        return cls(name, {key: value for key, value in options.items() if key in arguments})

    @property
    def key(self) -> str:
        """Its name in the table of evidence."""
        return (
            f"{self.name} {json.dumps(self.options, sort_keys=True)}" if self.options else self.name
        )


@dataclass(frozen=True)
class Evidence:
    """Numbers by run (rows) and question (columns). Every run has every question."""

    runs: pl.DataFrame
    """run and kind (submitted, baseline, derived), in the order of the rows."""
    questions: pl.DataFrame
    """question and type, in the order of the columns."""
    columns: dict[str, Numbers]

    def frame(self) -> pl.DataFrame:
        """A row per run and question."""
        runs, questions = self.runs.height, self.questions.height
        run_codes = np.repeat(np.arange(runs, dtype=np.uint32), questions)
        question_codes = np.tile(np.arange(questions, dtype=np.uint32), runs)
        question_ids = self.questions["question"].cast(pl.String)
        return pl.DataFrame(
            {
                "run": pl.Series(run_codes).cat.to(pl.Enum(self.runs["run"])),
                "question": pl.Series(question_codes).cat.to(pl.Enum(question_ids)),
                **{name: values.reshape(-1) for name, values in self.columns.items()},
            }
        )

    def slices(self) -> dict[str, Flags]:
        """Which questions each slice has: all of them, then one slice for each type."""
        types = self.questions["type"]
        every = {"all": np.ones(self.questions.height, dtype=bool)}
        return every | {
            each: (types == each).fill_null(False).to_numpy()
            for each in types.unique().drop_nulls().sort()
        }


def collect(cells: Cells, wanted: Iterable[Column]) -> dict[str, Numbers]:
    """The columns of the table of counts, and those wanted besides, by their keys."""
    shown = [*COUNTS, *(VALIDATION_COUNTS if cells.validation else ())]
    columns = [*(Column(name, {}) for name in shown), *wanted]
    return {each.key: EVIDENCE[each.name](cells, **each.options) for each in columns}


def _mapped(
    confidence: npt.NDArray[np.float64], run: npt.NDArray[np.int64], how: str | None
) -> npt.NDArray[np.float64]:
    """Confidences on any scale as numbers from 0 to 1, run by run."""
    if how is None:
        return confidence
    if how == "logistic":
        return 1 / (1 + np.exp(-confidence))
    values = pl.DataFrame({"run": run, "c": confidence}).with_columns(pl.col("c").fill_nan(None))
    column = pl.col("c") if how == "minmax" else pl.col("c").rank()
    low, high = column.min().over("run"), column.max().over("run")
    unit = pl.when(high > low).then((column if how == "minmax" else column.over("run")) - low)
    return values.select((unit / (high - low)).fill_null(0.0)).to_series().to_numpy()


@evidence
def questions(cells: Cells) -> Numbers:
    """1: there is a question."""
    return np.ones(cells.shape, dtype=np.uint8)


@evidence
def correct(cells: Cells) -> Numbers:
    """The first answer is given and right."""
    return cells.count(cells.first & cells.given & cells.right)


@evidence
def wrong(cells: Cells) -> Numbers:
    """The first answer is given and not right."""
    return cells.count(cells.first & cells.given & ~cells.right)


@evidence
def unanswered(cells: Cells) -> Numbers:
    """There is no first answer, or it is withheld."""
    return 1 - cells.count(cells.first & cells.given)


@evidence
def withheld_right(cells: Cells) -> Numbers:
    """A withheld first candidate is right."""
    return cells.count(cells.first & cells.withheld & cells.right)


@evidence
def withheld_wrong(cells: Cells) -> Numbers:
    """A withheld first candidate is not right."""
    return cells.count(cells.first & cells.withheld & ~cells.right)


@evidence
def missing(cells: Cells) -> Numbers:
    """Nothing is shown at the first rank."""
    return 1 - cells.count(cells.first & (cells.given | cells.withheld))


@evidence
def unassessed(cells: Cells) -> Numbers:
    """Responses that no assessment covers."""
    return cells.count(cells.is_verdict("unassessed"))


@evidence
def answers(cells: Cells) -> Numbers:
    """Answers given, at any rank."""
    return cells.count(cells.given)


@evidence
def right_answers(cells: Cells) -> Numbers:
    """Right answers given, at any rank; a repeated one is not right."""
    return cells.count(cells.given & cells.right)


@evidence
def questions_with_right(cells: Cells) -> Numbers:
    """Some answer given is right."""
    return (right_answers(cells) > 0).astype(np.uint8)


@evidence
def known(cells: Cells) -> Numbers:
    """Known answers of the question."""
    return cells.of_question("known")


COUNTS = {
    "questions": "questions",
    "correct": "right",
    "wrong": "wrong",
    "unanswered": "unanswered",
    "withheld_right": "withheld_right",
    "withheld_wrong": "withheld_wrong",
    "missing": "missing",
    "unassessed": "unassessed",
    "answers": "answers",
    "right_answers": "right_answers",
    "questions_with_right": "questions_with_right",
    "known": "known",
}
"""The evidence that the table `counts` shows, each with its name there."""

VALIDATION_COUNTS = {name: name for name in ("tp", "fp", "fn", "tn")}
"""What it shows besides where items are validated."""
