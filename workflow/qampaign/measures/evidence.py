"""Evidence: for every run and question the numbers that every measure is a function of.

A column of evidence is a decorated function over the judgments, laid out by run and question; the
columns that the table of counts shows are here, those of one family of measures beside them.
"""

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, overload

import numpy as np
import polars as pl

from qampaign.arrays import Flags, Numbers
from qampaign.measures.cells import Cells
from qampaign.plugins import Declared

Counting = Callable[..., Numbers]

EVIDENCE: Declared[Counting] = Declared("evidence")
"""Every column of evidence by its name."""

LAST_RANK: dict[str, int | None] = {}
"""For each column of evidence the last rank that it looks at; None: every rank."""


@overload
def evidence(function: Counting) -> Counting: ...


@overload
def evidence(*, last_rank: int) -> Callable[[Counting], Counting]: ...


def evidence(function: Counting | None = None, *, last_rank: int | None = None) -> Any:
    """Declare a column of evidence: the function's name; its arguments after `*` are options.

    The measures that use it have the options that are described (:mod:`qampaign.options`).

    `last_rank` says below which rank answers count for nothing: 1 for what looks at the first
    answer alone, 0 for what looks at none. Without it every rank counts, or those up to the option
    `cutoff` where there is one.
    """
    if function is None:
        return partial(_declare, last_rank=last_rank)
    return _declare(function, last_rank)


def _declare(function: Counting, last_rank: int | None) -> Counting:
    EVIDENCE.add(function.__name__, function, function)
    LAST_RANK[function.__name__] = last_rank
    return function


@cache
def _arguments(function: Callable[..., Numbers]) -> Collection[str]:
    return inspect.signature(function).parameters


@dataclass(frozen=True)
class EvidenceColumn:
    """A column of evidence with its options."""

    name: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, options: Mapping[str, Any]) -> "EvidenceColumn":
        """The column `name` with those of the options that it takes."""
        arguments = _arguments(EVIDENCE[name])
        return cls(name, {key: value for key, value in options.items() if key in arguments})

    @property
    def last_rank(self) -> int | None:
        """The last rank that it looks at; None: every rank."""
        cutoff: int | None = self.options.get("cutoff", LAST_RANK[self.name])
        return cutoff

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
    """run, kind (submitted, baseline, derived) and assessed (false: nobody has judged any of its
    answers), in the order of the rows."""
    questions: pl.DataFrame
    """question, type and group, in the order of the columns."""
    columns: dict[str, Numbers]

    @classmethod
    def of(cls, frame: pl.DataFrame, runs: pl.DataFrame, questions: pl.DataFrame) -> "Evidence":
        """The evidence that `frame` gave a row per run and question, in any order.

        `runs` and `questions` are in the order that the evidence has them.
        """
        kept = questions.select("question", "type", "group")
        ids = {"run": runs["run"], "question": kept["question"]}
        codes = [frame[name].cast(pl.Enum(own.cast(pl.String))) for name, own in ids.items()]
        run, question = (own.to_physical().to_numpy().astype(np.int64) for own in codes)
        cell = run * kept.height + question
        every = np.arange(runs.height * kept.height)
        inside = frame.drop("run", "question")
        if not np.array_equal(cell, every):
            order = np.argsort(cell)
            assert np.array_equal(cell[order], every), "every run has every question once"
            inside = inside[order]
        shape = runs.height, kept.height
        return cls(runs, kept, {own.name: own.to_numpy().reshape(shape) for own in inside})

    def ranked(self, *, baselines: bool = False) -> Flags:
        """Which runs are ranked and compared: the submitted ones, and baselines where asked.

        A run none of whose answers is assessed is not: nobody knows how good it is.
        """
        kinds = ["submitted", *(["baseline"] if baselines else [])]
        return (self.runs["kind"].is_in(kinds) & self.runs["assessed"]).to_numpy()

    def only(self, chosen: Flags) -> "Evidence":
        """The evidence of some of the runs."""
        if chosen.all():
            return self
        columns = {name: values[chosen] for name, values in self.columns.items()}
        return Evidence(self.runs.filter(chosen), self.questions, columns)

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


def collect(cells: Cells, wanted: Iterable[EvidenceColumn]) -> dict[str, Numbers]:
    """The columns that tables of scores and counts show, and those wanted, by their keys."""
    shown = [*COUNTS, "without_row", *(VALIDATION_COUNTS if cells.validation else ())]
    columns = {each.key: each for each in (*(EvidenceColumn(name, {}) for name in shown), *wanted)}
    return {key: EVIDENCE[each.name](cells, **each.options) for key, each in columns.items()}


@evidence(last_rank=0)
def questions(cells: Cells) -> Numbers:
    """1: there is a question."""
    return np.ones(cells.shape, dtype=np.uint8)


@evidence(last_rank=1)
def correct(cells: Cells) -> Numbers:
    """The first answer is given and right."""
    return cells.count(cells.first & cells.given & cells.right)


@evidence(last_rank=1)
def wrong(cells: Cells) -> Numbers:
    """The first answer is given and not right."""
    return cells.count(cells.first & cells.given & ~cells.right)


@evidence(last_rank=1)
def unanswered(cells: Cells) -> Numbers:
    """There is no first answer, or it is withheld."""
    return 1 - cells.count(cells.first & cells.given)


@evidence(last_rank=1)
def withheld_right(cells: Cells) -> Numbers:
    """A withheld first candidate is right."""
    return cells.count(cells.first & cells.withheld & cells.right)


@evidence(last_rank=1)
def withheld_wrong(cells: Cells) -> Numbers:
    """A withheld first candidate is not right."""
    return cells.count(cells.first & cells.withheld & ~cells.right)


@evidence(last_rank=1)
def missing(cells: Cells) -> Numbers:
    """Nothing is shown at the first rank."""
    return 1 - cells.count(cells.first & (cells.given | cells.withheld))


@evidence
def without_row(cells: Cells) -> Numbers:
    """The run has no row for the question, not even an empty one."""
    return (cells.count(np.ones(len(cells.cell), dtype=bool)) == 0).astype(np.uint8)


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


@evidence(last_rank=0)
def known(cells: Cells) -> Numbers:
    """Known answers of the question."""
    return cells.of_question("known")


@evidence
def known_or_found(cells: Cells) -> Numbers:
    """Known answers, or the right ones given where they are more: a judge may know of others."""
    return np.maximum(known(cells), right_answers(cells))


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
