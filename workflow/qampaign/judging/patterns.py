"""The judge `patterns`: regular expressions that right answers match, as TREC gives them."""

from collections.abc import Collection
from functools import partial
from typing import Annotated, Literal

import polars as pl

from qampaign.judging import refusals as refusals_of
from qampaign.judging.declaration import judge
from qampaign.judging.judgments import Judged, Verdict, conclude, encode
from qampaign.judging.unassessed import refuse_uncovered
from qampaign.options import Options


@judge(by="patterns", default_name="patterns")
def patterns(
    responses: pl.DataFrame,
    expressions: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    refusals: Options | None = None,
    case: Annotated[
        Literal["ignore", "keep"],
        "ignore (patterns match in capital and small letters) or keep",
    ] = "ignore",
) -> Judged:
    """Regular expressions, as TREC gives them: right where one is found in the answer.

    The pattern that matches first is the answer's class: another string that matches it says the
    same again.
    """
    responses, questions, expressions = encode(responses, questions, expressions)
    judged = responses.join(
        _match(responses, expressions, "(?i)" if case == "ignore" else ""),
        on=["question", "answer"],
        how="left",
        maintain_order="left",
    )
    known = expressions.select(
        "question",
        pl.col("pattern").alias("answer"),
        pl.col("pattern").alias("class"),
        pl.lit(None, pl.String).alias("level"),
    )
    return conclude(
        refusals_of.mark(judged, questions, refusals, name=name),
        questions,
        known,
        correct=correct,
        nil=nil,
        unassessed=unassessed,
        refuse=partial(refuse_uncovered, name=name, what="pattern"),
    )


def _match(responses: pl.DataFrame, expressions: pl.DataFrame, flag: str) -> pl.DataFrame:
    """The distinct answers to questions that have patterns, with the first that each matches."""
    answers = responses.select("question", "answer").drop_nulls().unique(maintain_order=True)
    by_question = answers.partition_by("question", as_dict=True)
    parts = [answers.clear().with_columns(pl.lit(None, pl.String).alias("class"))]
    for question, rows in expressions.group_by("question", maintain_order=True):
        if question in by_question:
            first = pl.coalesce(
                pl.when(pl.col("answer").str.contains(flag + pattern)).then(pl.lit(pattern))
                for pattern in rows["pattern"]
            )
            parts.append(by_question[question].with_columns(first.alias("class")))
    verdict = pl.when(pl.col("class").is_null()).then(pl.lit("wrong")).otherwise(pl.lit("right"))
    return pl.concat(parts).with_columns(
        verdict.cast(Verdict).alias("verdict"),
        pl.lit(None, pl.String).alias("level"),
        pl.col("class").alias("matched"),
    )
