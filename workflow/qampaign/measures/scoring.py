"""Evidence to scores, counts and questions: the tables that people read."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from qampaign.arrays import Array, Numbers
from qampaign.measures import MEASURES, Measure
from qampaign.measures.baselines import collect_all
from qampaign.measures.cells import Cells
from qampaign.measures.evidence import COUNTS, VALIDATION_COUNTS, Evidence, EvidenceColumn
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.ranking import rank_ranges
from qampaign.measures.sums import exact_sums


@dataclass(frozen=True)
class Configured:
    """A measure as a collection uses it: the name that the tables have, and its options."""

    name: str
    measure: str
    options: Mapping[str, Any]
    label: str = ""
    """What people see instead of the name."""

    @property
    def declared(self) -> Measure:
        """The measure itself."""
        return MEASURES[self.measure]

    def columns(self) -> dict[str, EvidenceColumn]:
        """The evidence it needs, by the names that its formula has for it."""
        return {name: EvidenceColumn.of(name, self.options) for name in self.declared.columns}

    @property
    def last_rank(self) -> int | None:
        """The last rank at which an answer counts for it; None: every rank."""
        return deepest(each.last_rank for each in self.columns().values())

    def of_sums(self, sums: Mapping[str, Numbers]) -> Array:
        """The values for sums of evidence, by the names that the table of evidence has for it."""
        named = {name: sums[column.key] for name, column in self.columns().items()}
        return self.declared.of_sums(named, self.options)

    def values(self, evidence: Evidence, weights: Numbers) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        columns = {name: evidence.columns[column.key] for name, column in self.columns().items()}
        return self.declared.values(columns, weights, self.options)


def deepest(ranks: Iterable[int | None]) -> int | None:
    """The last of some ranks, of which None is beyond any other.

    >>> deepest([1, 5]), deepest([1, None]), deepest([])
    (5, None, 0)
    """
    every = list(ranks)
    return None if None in every else max((rank for rank in every if rank is not None), default=0)


def some_right(measures: Sequence[Configured]) -> EvidenceColumn:
    """The evidence that says whether a run has a right answer, as far down as any measure looks."""
    last = deepest(measure.last_rank for measure in measures)
    if last is None:
        return EvidenceColumn("questions_with_right", {})
    return (
        EvidenceColumn("right_within", {"cutoff": last})
        if last > 1
        else EvidenceColumn("correct", {})
    )


def collect_evidence(
    judgments: pl.DataFrame,
    questions: pl.DataFrame,
    measures: Sequence[Configured],
    *,
    reference: pl.DataFrame,
    known_answers: pl.DataFrame | pl.LazyFrame,
    baselines: Mapping[str, float | None] | None = None,
    derived: Collection[str] = (),
    **cells: Any,
) -> Evidence:
    """What the measures are functions of, for the runs and baselines, from a judge's judgments.

    `questions` are those of the judge, `reference` and `known_answers` those of the reference;
    `cells` are further options of :class:`Cells`.
    """
    laid_out = Cells.of(
        judgments, questions, reference=reference, known_answers=known_answers, **cells
    )
    columns = [column for measure in measures for column in measure.columns().values()]
    columns.append(some_right(measures))
    return collect_all(laid_out, columns, baselines=baselines, derived=derived)


def evaluate(
    evidence: Evidence, measures: Sequence[Configured], weights: Numbers
) -> Iterator[Array]:
    """By measure the value of every run (rows) on every question set (columns); NaN without one.

    What several measures need is summed once.
    """
    summed = [measure for measure in measures if not isinstance(measure.declared, OrderedMeasure)]
    keys = {column.key for measure in summed for column in measure.columns().values()}
    sums = exact_sums({key: evidence.columns[key] for key in sorted(keys)}, weights)
    for measure in measures:
        if isinstance(measure.declared, OrderedMeasure):
            yield measure.values(evidence, weights)
        else:
            yield measure.of_sums(sums)


def single_values(evidence: Evidence, measure: Configured) -> Array:
    """The value of every run on every question alone: the sum over one question is its evidence."""
    keys = {column.key for column in measure.columns().values()}
    return measure.of_sums({key: evidence.columns[key].astype(np.float64) for key in keys})


def score(
    evidence: Evidence, measures: list[Configured], *, rank_baselines: bool = False
) -> pl.DataFrame:
    """The value and rank of every run by every measure, over all questions and by question type.

    Submitted runs are ranked, and baselines with them where asked; `missing` is the share of the
    questions that a run has no row for.
    """
    slices = evidence.slices()
    weights = np.array([*slices.values()])
    sizes = weights.sum(axis=1)
    missing = evidence.columns["without_row"] @ weights.T.astype(float) / np.maximum(sizes, 1)
    ranked = pl.Series(evidence.ranked(baselines=rank_baselines))
    tables = []
    for measure, values in zip(measures, evaluate(evidence, measures, weights), strict=True):
        for index, (name, column) in enumerate(zip(slices, values.T, strict=True)):
            scores = evidence.runs.select(
                "run",
                measure=pl.lit(measure.name),
                slice=pl.lit(name),
                value=pl.Series(column, nan_to_null=True),
                questions=pl.lit(int(sizes[index]), pl.Int64),
                better=pl.lit(measure.declared.better),
                ranked_value=pl.when(ranked).then(pl.Series(column, nan_to_null=True)),
                missing=pl.when(pl.col("kind") != "baseline").then(pl.Series(missing[:, index])),
            )
            tables.append(scores)
    scores = rank_ranges(pl.concat(tables), ["measure", "slice"], "ranked_value")
    return scores.select(
        "measure", "slice", "run", "value", "questions", "rank_first", "rank_last", "missing"
    )


def count(evidence: Evidence) -> pl.DataFrame:
    """What every run did, over all questions and by question type.

    A baseline that draws lots is counted in expectation, and left out unless that is whole.
    """
    names = {**COUNTS, **VALIDATION_COUNTS}
    tables = []
    for name, questions in evidence.slices().items():
        chosen = slice(None) if questions.all() else questions
        sums = {
            shown: evidence.columns[column][:, chosen].sum(axis=1, dtype=np.float64)
            for column, shown in names.items()
            if column in evidence.columns
        }
        counted = pl.DataFrame({"run": evidence.runs["run"], **sums})
        tables.append(counted.select(pl.lit(name).alias("slice"), pl.all()))
    numbers = pl.selectors.float()
    whole = pl.all_horizontal(numbers == numbers.round())
    return pl.concat(tables).filter(whole).with_columns(numbers.cast(pl.Int64))


def describe_questions(evidence: Evidence, measures: Sequence[Configured]) -> pl.DataFrame:
    """How hard each question was: the ranked runs that got it right, the share that did not.

    A run got it right with an answer at any rank that one of the measures looks at.
    """
    submitted = evidence.ranked()
    right = evidence.columns[some_right(measures).key]
    right_runs = right[submitted].sum(axis=0, dtype=np.int64)
    return evidence.questions.select(
        "question",
        slice=pl.col("type").fill_null("all"),
        group="group",
        right_runs=pl.Series(right_runs),
        best=pl.Series(right_runs > 0),
        difficulty=pl.Series(1 - right_runs / max(submitted.sum(), 1)),
    )
