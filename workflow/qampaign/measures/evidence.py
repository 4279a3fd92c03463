"""Evidence: for every run and question the numbers that every measure is a function of.

A column of evidence is a decorated function over the judgments, laid out by run and question; the
columns that the table of counts shows are here, those of one family of measures beside them.
"""

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, overload

import numpy as np
import polars as pl

from qampaign.arrays import Flags, Numbers
from qampaign.measures.cells import Cells
from qampaign.measures.sample_cells import (
    BY_SAMPLE,
    SAMPLES,
    by_sample,
    mean_over_samples,
    split_samples,
)
from qampaign.options import Options
from qampaign.plugins import Declared

Counting = Callable[..., Numbers]

EVIDENCE: Declared[Counting] = Declared("evidence")
"""Every column of evidence by its name."""

LAST_RANK: dict[str, int | None] = {}
"""For each column of evidence the last rank that it looks at; None: every rank."""

MEANINGS: set[str] = set()
"""The columns that go by levels or classes of answers: what those of an answer that nobody has
judged would be, nobody can say."""

OVER_SAMPLES: set[str] = set()
"""The columns that look at all samples of a question together; others are means over them."""

Kept = Literal["", "also", "only"]

IN_SAMPLES: dict[str, Kept] = {}
"""The columns that are kept sample by sample, where there are samples, also or only: orders need
them, and their means say nothing."""


@overload
def evidence(function: Counting) -> Counting: ...


@overload
def evidence(
    *,
    last_rank: int | None = None,
    over_samples: bool = False,
    in_samples: Kept = "",
    meanings: bool = False,
) -> Callable[[Counting], Counting]: ...


def evidence(
    function: Counting | None = None,
    *,
    last_rank: int | None = None,
    over_samples: bool = False,
    in_samples: Kept = "",
    meanings: bool = False,
) -> Any:
    """Declare a column of evidence: the function's name; its arguments after `*` are options.

    The measures that use it have the options that are described (:mod:`qampaign.options`).

    `last_rank` says below which rank answers count for nothing: 1 for what looks at the first
    answer alone, 0 for what looks at none. Without it every rank counts, or those up to the option
    `cutoff` where there is one.

    Where a run answers a question in several samples, each is counted by itself, and the evidence
    is their mean; `in_samples` says that it is kept for each sample, `also` or `only`. With
    `over_samples` the function gets the cells of questions, and all samples of a question in one.
    `meanings` says that it goes by levels or classes.
    """
    if function is None:
        return partial(
            _declare,
            last_rank=last_rank,
            over_samples=over_samples,
            in_samples=in_samples,
            meanings=meanings,
        )
    return _declare(function, last_rank)


def _declare(
    function: Counting,
    last_rank: int | None,
    *,
    over_samples: bool = False,
    in_samples: Kept = "",
    meanings: bool = False,
) -> Counting:
    EVIDENCE.add(function.__name__, function, function)
    LAST_RANK[function.__name__] = last_rank
    MEANINGS.update([function.__name__] if meanings else [])
    OVER_SAMPLES.update([function.__name__] if over_samples else [])
    IN_SAMPLES.update({function.__name__: in_samples} if in_samples else {})
    return function


@cache
def _arguments(function: Callable[..., Numbers]) -> Collection[str]:
    return inspect.signature(function).parameters


@dataclass(frozen=True)
class EvidenceColumn:
    """A column of evidence with its options."""

    name: str
    options: Options

    @classmethod
    def of(cls, name: str, options: Options) -> "EvidenceColumn":
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
    """By run and question; those by sample (:mod:`qampaign.measures.sample_cells`) also by that."""

    @classmethod
    def of(cls, frame: pl.DataFrame, runs: pl.DataFrame, questions: pl.DataFrame) -> "Evidence":
        """The evidence that `frame` gave a row per run and question, in any order.

        `runs` and `questions` are in the order that the evidence has them.
        """
        kept = questions.select("question", "type", "group")
        ids = {"run": runs["run"], "question": kept["question"]}
        codes = [
            frame[name].cast(pl.Enum(known_ids.cast(pl.String))) for name, known_ids in ids.items()
        ]
        run, question = (code.to_physical().to_numpy().astype(np.int64) for code in codes)
        cell = run * kept.height + question
        every = np.arange(runs.height * kept.height)
        inside = frame.drop("run", "question")
        if not np.array_equal(cell, every):
            order = np.argsort(cell)
            assert np.array_equal(cell[order], every), "every run has every question once"
            inside = inside[order]
        shape = runs.height, kept.height
        columns = {column.name: column.to_numpy() for column in inside}
        return cls(
            runs,
            kept,
            {name: values.reshape((*shape, *values.shape[1:])) for name, values in columns.items()},
        )

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
                **{
                    name: values.reshape((runs * questions, *values.shape[2:]))
                    for name, values in self.columns.items()
                },
            }
        )

    def only_questions(self, chosen: Flags) -> "Evidence":
        """The evidence on some of the questions."""
        if chosen.all():
            return self
        columns = {name: values[:, chosen] for name, values in self.columns.items()}
        return Evidence(self.runs, self.questions.filter(chosen), columns)

    def types(self) -> dict[str, Flags]:
        """Which questions each type has."""
        types = self.questions["type"]
        return {
            type_name: (types == type_name).fill_null(False).to_numpy()
            for type_name in types.unique().drop_nulls().sort()
        }

    def slices(self) -> dict[str, Flags]:
        """Which questions each slice has: all of them, then one slice for each type."""
        return {"all": np.ones(self.questions.height, dtype=bool)} | self.types()


WITHOUT_VERDICTS = {
    "questions", "unanswered", "without_row", "empty", "not_attempted", "answers", "known",
    "degree", SAMPLES,
}  # fmt: skip
"""The evidence of a judge that gives degrees and no verdicts; there is no other."""


def collect(cells: Cells, wanted: Iterable[EvidenceColumn]) -> dict[str, Numbers]:
    """The columns that tables of scores and counts show, and those wanted, by their keys."""
    shown = [*COUNTS, *(VALIDATION_COUNTS if cells.validation else ())]
    columns = {
        column.key: column for column in (*(EvidenceColumn(name, {}) for name in shown), *wanted)
    }
    if cells.sampled:
        collected = _collect_samples(cells, columns)
    else:
        collected = {
            key: EVIDENCE[column.name](cells, **column.options) for key, column in columns.items()
        }
    if cells.verdicts:
        return collected
    return {
        key: values if key in WITHOUT_VERDICTS else np.full(values.shape, np.nan)
        for key, values in collected.items()
    }


def _collect_samples(cells: Cells, columns: Mapping[str, EvidenceColumn]) -> dict[str, Numbers]:
    """The same where runs have samples: means over them, and what is kept for each."""
    laid_out, there = by_sample(cells)
    collected: dict[str, Numbers] = {SAMPLES: there.sum(axis=2).astype(np.uint32)}
    for key, column in columns.items():
        if column.name in OVER_SAMPLES:
            collected[key] = EVIDENCE[column.name](cells, **column.options)
            continue
        values = EVIDENCE[column.name](laid_out, **column.options)
        kept = IN_SAMPLES.get(column.name)
        if kept != "only":
            collected[key] = mean_over_samples(values, there)
        if kept:
            collected[f"{BY_SAMPLE}{key}"] = split_samples(values, there)
    return collected


@evidence(last_rank=0)
def questions(cells: Cells) -> Numbers:
    """1: there is a question."""
    return np.ones(cells.shape, dtype=np.uint8)


@evidence(last_rank=1, in_samples="also")
def correct(cells: Cells) -> Numbers:
    """The first answer is given and right."""
    return cells.count(cells.first & cells.given & cells.right)


@evidence(last_rank=1)
def wrong(cells: Cells) -> Numbers:
    """The first answer is given and not right; or there is no row, where that counts as wrong."""
    return cells.count(cells.first & cells.given & ~cells.right) + cells.missing_as_wrong


@evidence(last_rank=1)
def unanswered(cells: Cells) -> Numbers:
    """There is no first answer, or it is withheld; a missing row may count as wrong instead."""
    return 1 - cells.count(cells.first & cells.given) - cells.missing_as_wrong


@evidence(last_rank=1)
def withheld_right(cells: Cells) -> Numbers:
    """A withheld first candidate is right."""
    return cells.count(cells.first & cells.withheld & cells.right)


@evidence(last_rank=1)
def withheld_wrong(cells: Cells) -> Numbers:
    """A withheld first candidate is not right."""
    return cells.count(cells.first & cells.withheld & ~cells.right)


@evidence(last_rank=1)
def empty(cells: Cells) -> Numbers:
    """There is a row, but no text in it."""
    return cells.count(cells.first & cells.empty)


@evidence(last_rank=1)
def not_attempted(cells: Cells) -> Numbers:
    """There is a text, which the judge takes for no answer."""
    return cells.count(cells.first & cells.silent & ~cells.empty)


@evidence
def without_row(cells: Cells) -> Numbers:
    """The run has no row for the question, not even an empty one."""
    return cells.without_row


@evidence
def unassessed(cells: Cells) -> Numbers:
    """Responses that no assessment covers."""
    return cells.count(cells.is_verdict("unassessed"))


@evidence
def answers(cells: Cells) -> Numbers:
    """Answers given, at any rank."""
    return cells.count(cells.given)


@evidence(meanings=True)
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


@evidence(meanings=True)
def known_or_found(cells: Cells) -> Numbers:
    """Known answers, or the right ones given where they are more: a judge may know of others."""
    return np.maximum(known(cells), right_answers(cells))


COUNTS = {
    "questions": "questions",
    "correct": "right",
    "wrong": "wrong",
    "unanswered": "unanswered",
    "without_row": "missing",
    "empty": "empty",
    "not_attempted": "not_attempted",
    "withheld_right": "withheld_right",
    "withheld_wrong": "withheld_wrong",
    "unassessed": "unassessed",
    "answers": "answers",
    "right_answers": "right_answers",
    "questions_with_right": "questions_with_right",
    "known": "known",
}
"""The evidence that the table `counts` shows, each with its name there."""

VALIDATION_COUNTS = {name: name for name in ("tp", "fp", "fn", "tn")}
"""What it shows besides where items are validated."""
