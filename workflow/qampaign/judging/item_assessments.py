"""Items to validate, judged by what people say of them: which items are right."""

from collections.abc import Collection, Sequence

import polars as pl

from qampaign.judging.adjudication import adjudicate
from qampaign.judging.judgments import (
    Judged,
    Verdict,
    in_order,
    is_correct,
    select_columns,
    without_degrees,
)
from qampaign.judging.unassessed import refuse_unassessed_items


def judge_items(
    responses: pl.DataFrame,
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    ties: Sequence[str],
    unassessed: str,
) -> Judged:
    """Judge the yes or no of the runs: right where people say the same of the item.

    There is no NIL among items. An item without an assessment is refused, or counts as not right
    where `unassessed` is "wrong".
    """
    final, decided = adjudicate(
        assessments.with_columns(run=None, sample=None, rank=None, answer=None), ties, name
    )
    truth = final.unique("question").select("question", is_correct(correct).alias("positive"))
    if "sample" in responses.columns and responses["sample"].null_count() == responses.height:
        responses = responses.drop("sample")
    questions = questions.sort("question").join(
        truth, on="question", how="left", maintain_order="left"
    )
    question_ids, run_ids = (
        pl.Enum(questions["question"]),
        pl.Enum(responses["run"].unique().sort()),
    )
    questions = questions.with_columns(pl.col("question").cast(question_ids))
    says_yes = pl.col("answer") == "yes"
    judged = (
        responses.with_columns(
            pl.col("question").cast(question_ids, strict=False), pl.col("run").cast(run_ids)
        )
        .drop_nulls("question")
        .join(questions.select("question", "positive"), on="question", how="left")
        .with_columns(
            verdict=pl.when(pl.col("answer").is_null())
            .then(pl.lit("not_attempted", Verdict))
            .when(pl.col("positive").is_null())
            .then(pl.lit("unassessed", Verdict))
            .when(says_yes == pl.col("positive"))
            .then(pl.lit("right", Verdict))
            .otherwise(pl.lit("wrong", Verdict)),
            level=pl.lit(None, pl.String),
            nil=pl.lit(False),
            empty=pl.col("answer").is_null(),
            said=says_yes,
        )
        .with_columns(pl.lit(None, pl.String).alias("class"))
    )
    if unassessed == "error":
        refuse_unassessed_items(questions.filter(pl.col("positive").is_null())["question"], name)
    described = questions.select(
        "question",
        "type",
        "nil",
        "group",
        known=pl.lit(1, pl.UInt32),
        positive=pl.col("positive").fill_null(False),
    )
    nothing = described.clear().select(
        "question", meaning=pl.lit(""), level=pl.lit(None, pl.String)
    )
    judgments = in_order(select_columns(without_degrees(judged)))
    return Judged(judgments, described, nothing, decided)
