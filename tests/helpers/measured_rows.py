"""Tiny collections from readable rows to values, through the real judges, evidence and scores.

Answering: what each run answers to each question, best first, and what people say of each answer:

    Rows(
        runs={"a": {"q1": ["Paris", ("Rome", 0.4), withheld("Oslo", 0.1)], "q2": []}},
        says={"q1": {"Paris": "right S k1", "Rome": "wrong", "Oslo": "wrong"}},
        questions={"q1": {"type": "factoid"}, "q2": {"nil": True}},
    )

An answer is its text, or text and confidence; `None` is an empty answer. What people say is the
verdict, then the level and the class (`-` for none). Validation: `says={"i1": "yes"}`, and a run
says `"yes"` or `("yes", 0.8)`, the score; `None` or nothing leaves the item unanswered.

A question that a run answers several times has `samples(["Paris"], ["Rome", "Oslo"])`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import polars as pl

from qampaign.judging.assessments import assessments
from qampaign.judging.derived import derive
from qampaign.judging.judgments import Judged
from qampaign.measures import MEASURES
from qampaign.measures.baselines import collect_all
from qampaign.measures.cells import Cells
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, count, score
from tests.judging.tables import LABELS, table


@dataclass(frozen=True)
class Withheld:
    """A candidate that the system shows but does not give."""

    answer: str
    confidence: float | None = None


class Samples(tuple):
    """What a run says to a question in each sample."""


def samples(*each: Any) -> Samples:
    return Samples(each)


def withheld(answer: str, confidence: float | None = None) -> Withheld:
    return Withheld(answer, confidence)


def configured(measure: str, options: Mapping[str, Any], name: str = "it") -> Configured:
    """A measure as the campaign configures it: its own options, with those given."""
    return Configured(name=name, measure=measure, options={**MEASURES[measure].defaults, **options})


@dataclass(frozen=True)
class Rows:
    """A collection as rows, and everything that the package makes of it."""

    runs: Mapping[str, Mapping[str, Any]]
    says: Mapping[str, Any]
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    validation: bool = False
    correct: Sequence[str] = ("right",)
    unassessed: str = "error"
    confidence_map: str | None = None
    missing: str = "unanswered"
    baselines: Mapping[str, float | None] = field(default_factory=dict)
    derived: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reference: "Rows | None" = None
    """The collection as the reference judge sees it; it says what is known."""
    order: Sequence[str] = ()
    """The questions in the order of the runs' files; else as they stand in `runs`."""

    @cached_property
    def question_rows(self) -> list[dict[str, Any]]:
        """Every question that anything names."""
        asked = dict.fromkeys([*self.questions, *self.says])
        asked |= dict.fromkeys(question for given in self.runs.values() for question in given)
        empty = {"type": None, "nil": False, "known": None, "group": None}
        return [{"question": q} | empty | dict(self.questions.get(q, {})) for q in asked]

    @cached_property
    def response_rows(self) -> list[dict[str, Any]]:
        """A row per response; the line is its place in the file of its run."""
        number = "score" if self.validation else "confidence"
        rows = []
        for run, given in self.runs.items():
            line = 1
            for question in [*self.order, *(q for q in given if q not in self.order)]:
                items = given.get(question, [])
                lists = items if isinstance(items, Samples) else [items]
                ids = [f"{n}" for n in range(len(lists))] if isinstance(items, Samples) else [None]
                entries = [
                    (sample, rank, item)
                    for sample, own in zip(ids, lists, strict=True)
                    for rank, item in enumerate(own if isinstance(own, list) else [own], start=1)
                ]
                for sample, rank, item in entries:
                    line += 1
                    answered = not isinstance(item, Withheld) and item is not None
                    if isinstance(item, Withheld):
                        answer, value = item.answer, item.confidence
                    else:
                        answer, value = item if isinstance(item, tuple) else (item, None)
                    answered = answered and answer is not None
                    row = {"run": run, "question": question, "rank": rank, "line": line}
                    row |= {"sample": sample}
                    row |= {"answer": answer, "confidence": None, "score": None}
                    rows.append(row | {"answered": answered, number: value})
        return rows

    @cached_property
    def assessment_rows(self) -> list[dict[str, Any]]:
        """A row per answer that people judged, or per item."""
        none = dict.fromkeys(LABELS)
        rows = []
        for question, said in self.says.items():
            if self.validation:
                verdict = {"yes": "right", "no": "wrong"}[said]
                rows.append(none | {"question": question, "verdict": verdict})
                continue
            for answer, words in said.items():
                verdict, level, of_class = [*words.split(), "-", "-"][:3]
                word = {"verdict": verdict, "level": level, "class": of_class}
                word = {name: None if value == "-" else value for name, value in word.items()}
                rows.append(none | {"question": question, "answer": answer} | word)
        return rows

    @cached_property
    def judged(self) -> Judged:
        """By the real judge."""
        responses = derive(table("responses", self.response_rows), self.derived)
        if not self.derived:
            responses = responses.drop("origin")
        task = "validation" if self.validation else "answering"
        return assessments(
            responses,
            table("assessments", self.assessment_rows),
            table("questions", self.question_rows),
            name="people",
            correct=self.correct,
            unassessed=self.unassessed,
            task=task,
        )

    @cached_property
    def cells(self) -> Cells:
        """The judgments by run and question."""
        reference = (self.reference or self).judged
        return Cells.of(
            self.judged.judgments,
            self.judged.questions,
            reference=reference.questions,
            known_answers=reference.known_answers,
            correct=self.correct,
            confidence_map=self.confidence_map,
            validation=self.validation,
            missing=self.missing,
        )

    def evidence(self, *measures: Configured) -> Evidence:
        """What these measures need, of the runs and the baselines."""
        wanted = [column for each in measures for column in each.columns().values()]
        return collect_all(self.cells, wanted, baselines=self.baselines, derived=list(self.derived))

    def scores(self, measure: str, **options: Any) -> pl.DataFrame:
        """The table of scores of one measure."""
        each = configured(measure, options)
        return score(self.evidence(each), [each])

    def values(self, measure: str, within: str = "all", **options: Any) -> dict[str, float | None]:
        """The value of every run, baselines included."""
        scores = self.scores(measure, **options).filter(pl.col("slice") == within)
        return dict(scores.select("run", "value").rows())

    def value(self, measure: str, run: str = "a", within: str = "all", **options: Any) -> Any:
        """The value of one run within a slice, None where it has none."""
        return self.values(measure, within, **options)[run]

    def counts(self, run: str = "a", within: str = "all") -> dict[str, Any]:
        """What the table of counts says of a run."""
        return count(self.evidence()).filter(run=run, slice=within).row(0, named=True)

    def with_questions(self, kept: Sequence[str]) -> "Rows":
        """The collection as if it had only these questions."""
        chosen = set(kept)
        known = {row["question"]: row for row in self.question_rows}
        return replace(
            self,
            runs={r: {q: v for q, v in own.items() if q in chosen} for r, own in self.runs.items()},
            says={q: v for q, v in self.says.items() if q in chosen},
            questions={
                q: {n: v for n, v in known[q].items() if n != "question"}
                for q in known
                if q in chosen
            },
            order=[q for q in self.order if q in chosen],
        )
