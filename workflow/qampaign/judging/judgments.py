"""What every judge does with its verdicts: NIL, silence, repetition, the shape of the result."""

from collections.abc import Collection
from dataclasses import dataclass

import polars as pl

from qampaign.schemas import VERDICTS

Verdict = pl.Enum(list(VERDICTS))

KEYS = ["run", "question", "rank"]
COLUMNS = [*KEYS, "confidence", "answered", "verdict", "level", "class"]


@dataclass(frozen=True)
class Judged:
    """What a judge gives: a judgment per response, and the questions it covers."""

    judgments: pl.DataFrame
    questions: pl.DataFrame
    """question, type, known (the number of distinct right answers that the judge knows)."""


def settle(
    judged: pl.DataFrame, questions: pl.DataFrame, *, nil: str, correct: Collection[str]
) -> pl.DataFrame:
    """Complete a judge's verdicts, which are null where it has none.

    An empty answer is not attempted; NIL is right exactly where the question is nil, whatever the
    judge says; an answer is repeated where a correct one at an earlier rank had the same class
    (else the same text); what then has no verdict is unassessed. Rows come in the order of run,
    question and rank, so that equal judgments are equal bytes.
    """
    is_nil = pl.col("answer") == nil
    nil_questions = questions.filter("nil")["question"].implode()
    settled = judged.with_columns(
        verdict=pl.when(pl.col("answer").is_null())
        .then(pl.lit("not_attempted", Verdict))
        .when(is_nil & pl.col("question").is_in(nil_questions))
        .then(pl.lit("right", Verdict))
        .when(is_nil)
        .then(pl.lit("wrong", Verdict))
        .otherwise(pl.col("verdict").fill_null(pl.lit("unassessed", Verdict)))
    )
    if (settled["rank"] > 1).any():
        return _mark_repeated(settled, correct).sort(KEYS)
    place = pl.col("run").to_physical().cast(pl.UInt64) * 2**32 + pl.col("question").to_physical()
    in_order = settled.select(place).to_series().is_sorted()
    return settled if in_order else settled.sort(KEYS)


def is_correct(correct: Collection[str]) -> pl.Expr:
    """Whether a verdict counts as correct."""
    return pl.col("verdict").is_in(pl.Series(sorted(correct), dtype=Verdict).implode())


def meaning() -> pl.Expr:
    """What makes two answers the same: their class, else their text in any case."""
    text = pl.lit("text ") + pl.col("answer").str.to_lowercase()
    return pl.coalesce(pl.lit("class ") + pl.col("class"), text)


def count_known(questions: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """The questions with the number of their known answers, as given, else as `right` shows.

    `right` has question, answer and class of the answers known to be right. A NIL question has one.
    """
    counted = right.group_by("question").agg(meaning().n_unique().alias("counted"))
    return questions.join(counted, on="question", how="left", maintain_order="left").select(
        "question",
        "type",
        known=pl.coalesce(
            "known", pl.when("nil").then(1).otherwise(pl.col("counted").fill_null(0))
        ).cast(pl.UInt32),
    )


def _mark_repeated(judged: pl.DataFrame, correct: Collection[str]) -> pl.DataFrame:
    good = pl.col("answered") & is_correct(correct)
    first = pl.when(good).then("rank").min().over("run", "question", "meaning")
    repeated = pl.col("meaning").is_not_null() & (pl.col("rank") > first)
    return (
        judged.with_columns(meaning=meaning())
        .with_columns(
            verdict=pl.when(repeated).then(pl.lit("repeated", Verdict)).otherwise("verdict")
        )
        .drop("meaning")
    )
