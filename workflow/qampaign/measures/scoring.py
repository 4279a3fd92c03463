"""Evidence to scores, counts and questions: the tables that people read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.arrays import Array, Numbers
from qampaign.judging.judgments import DEGREES, TEXTS, Verdict
from qampaign.measures.baselines import collect_all
from qampaign.measures.cells import Cells
from qampaign.measures.configured import Configured, QuestionSets, configure, deepest
from qampaign.measures.evidence import (
    COUNTS,
    MEANINGS,
    VALIDATION_COUNTS,
    Evidence,
    EvidenceColumn,
)
from qampaign.measures.items import item_rest
from qampaign.measures.sample_cells import SAMPLES
from qampaign.ranking import rank_ranges

__all__ = ["Configured", "configure"]


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
    **cells: object,
) -> Evidence:
    """What the measures are functions of, for the runs and baselines, from a judge's judgments.

    `questions` are those of the judge, `reference` and `known_answers` those of the reference;
    `cells` are further options of :class:`Cells`.
    """
    laid_out = Cells.of(
        judgments, questions, reference=reference, known_answers=known_answers, **cells
    )
    return evidence_of(laid_out, measures, baselines=baselines, derived=derived)


def evidence_of(
    cells: Cells,
    measures: Sequence[Configured],
    *,
    baselines: Mapping[str, float | None] | None = None,
    derived: Collection[str] = (),
) -> Evidence:
    """The same, of judgments that are laid out already."""
    columns = [column for measure in measures for column in measure.columns().values()]
    columns.append(some_right(measures))
    return collect_all(cells, columns, baselines=baselines, derived=derived)


def unused(measures: Sequence[Configured]) -> list[str]:
    """The columns of judgments that measures do without: texts, and degrees that none needs."""
    evidence_columns = {column for measure in measures for column in measure.columns()}
    needed = {"degree": "degree", "precision": "with_precision"}
    used = [name for name, column in needed.items() if column in evidence_columns]
    return [name for name in (*DEGREES, *TEXTS) if name not in used]


def evaluate(
    evidence: Evidence, measures: Sequence[Configured], weights: Numbers
) -> Iterator[Array]:
    """By measure the value of every run (rows) on every question set (columns); NaN without one.

    What several measures need is summed once.
    """
    sets = QuestionSets(evidence, measures, weights)
    for measure in measures:
        yield measure.combine(sets)


def single_values(evidence: Evidence, measure: Configured) -> Array:
    """The value of every run on every question alone: the sum over one question is its evidence."""
    keys = {column.key for column in measure.columns().values()}
    return measure.of_sums({key: evidence.columns[key].astype(np.float64) for key in keys})


def weighted_values_of_questions(evidence: Evidence, measure: Configured) -> Array:
    """The same, times what the question counts for: the mean is their sum by the total weight."""
    return single_values(evidence, measure) * evidence.columns["questions"]


def as_right(cells: Cells) -> Cells:
    """The cells as if every answer that nobody has judged were right."""
    verdict = pl.col("verdict")
    correct = "right" if "right" in cells.correct else next(iter(cells.correct))
    right = pl.when(verdict == "unassessed").then(pl.lit(correct, Verdict)).otherwise(verdict)
    return replace(cells, judgments=cells.judgments.with_columns(verdict=right))


def score(
    evidence: Evidence,
    measures: list[Configured],
    *,
    rank_baselines: bool = False,
    if_right: Evidence | None = None,
) -> pl.DataFrame:
    """The value and rank of every run by every measure, over all questions and by question type.

    Submitted runs are ranked, and baselines with them where asked; `missing` is the share of the
    questions that a run has no row for. `if_right` is the evidence if every answer that nobody has
    judged were right: then there are bounds, but for measures that go by levels or classes.
    """
    slices = evidence.slices()
    weights = np.array([*slices.values()])
    sizes = weights.sum(axis=1)
    missing = evidence.columns["without_row"] @ weights.T.astype(float) / np.maximum(sizes, 1)
    ranked = pl.Series(evidence.ranked(baselines=rank_baselines))
    tables = []
    bounds = _upper_values(measures, if_right, weights)
    for measure, values in zip(measures, evaluate(evidence, measures, weights), strict=True):
        upper = bounds.get(measure.name)
        for index, (name, column) in enumerate(zip(slices, values.T, strict=True)):
            others = [None, None] if upper is None else [column, upper[:, index]]
            if_wrong, if_all_right = (
                pl.lit(None, pl.Float64) if bound is None else pl.Series(bound, nan_to_null=True)
                for bound in others
            )
            scores = evidence.runs.select(
                "run",
                measure=pl.lit(measure.name),
                slice=pl.lit(name),
                value=pl.Series(column, nan_to_null=True),
                questions=pl.lit(int(sizes[index]), pl.Int64),
                better=pl.lit(measure.better),
                ranked_value=pl.when(ranked).then(pl.Series(column, nan_to_null=True)),
                missing=pl.when(pl.col("kind") != "baseline").then(pl.Series(missing[:, index])),
                if_wrong=if_wrong,
                if_right=if_all_right,
            )
            tables.append(scores)
    scores = rank_ranges(pl.concat(tables), ["measure", "slice"], "ranked_value")
    return scores.select(
        "measure", "slice", "run", "value", "questions", "rank_first", "rank_last", "missing",
        "if_wrong", "if_right",
    )  # fmt: skip


def _upper_values(
    measures: Sequence[Configured], if_right: Evidence | None, weights: Numbers
) -> dict[str, Array]:
    """By measure the values if all were right, for those that can be known."""
    if if_right is None:
        return {}
    known = [
        measure
        for measure in measures
        if not any(column.name in MEANINGS for column in measure.columns().values())
    ]
    values = evaluate(if_right, known, weights)
    return {measure.name: upper_values for measure, upper_values in zip(known, values, strict=True)}


def count(evidence: Evidence) -> pl.DataFrame:
    """What every run did, over all questions and by question type.

    With samples, counts are means over them. Without any, a baseline that draws lots is counted in
    expectation, and left out unless that is whole.
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
    if SAMPLES in evidence.columns:  # means over samples need not be whole
        rounded = pl.concat(tables).with_columns(numbers.fill_nan(None).round(9))
        return rounded.with_columns(pl.col("questions").cast(pl.Int64))
    if np.isnan(evidence.columns["correct"]).all():  # a judge without verdicts
        tables = [table.with_columns(numbers.fill_nan(None)) for table in tables]
    whole = pl.all_horizontal((numbers == numbers.round()).fill_null(True))
    return pl.concat(tables).filter(whole).with_columns(numbers.cast(pl.Int64))


def describe_questions(evidence: Evidence, measures: Sequence[Configured]) -> pl.DataFrame:
    """How hard each question was: the ranked runs that got it right, the share that did not.

    A run got it right with an answer at any rank that one of the measures looks at.
    """
    submitted = evidence.ranked()
    right = evidence.columns[some_right(measures).key]
    if np.isnan(right).any():  # a judge without verdicts: nobody knows who got it right
        unknown = {"right_runs": pl.Int64, "best": pl.Boolean, "difficulty": pl.Float64}
        unknown |= {"item_rest": pl.Float64}
        return evidence.questions.select(
            "question",
            slice=pl.col("type").fill_null("all"),
            group="group",
            **{name: pl.lit(None, kind) for name, kind in unknown.items()},
        )
    sampled = SAMPLES in evidence.columns
    right_runs = right[submitted].sum(axis=0, dtype=np.float64 if sampled else np.int64)
    right_runs = np.round(right_runs, 9)
    return evidence.questions.select(
        "question",
        slice=pl.col("type").fill_null("all"),
        group="group",
        right_runs=pl.Series(right_runs),
        best=pl.Series(right_runs > 0),
        difficulty=pl.Series(1 - right_runs / max(submitted.sum(), 1)),
        item_rest=pl.Series(item_rest(right[submitted]), nan_to_null=True),
    )
