"""The judge `patterns`: regular expressions that right answers match, as TREC gives them."""

from collections.abc import Collection
from functools import partial

import polars as pl

from qampaign.judging.judgments import Judged, Verdict, conclude, encode
from qampaign.judging.unassessed import refuse_uncovered


def judge(
    responses: pl.DataFrame,
    patterns: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str] = ("right",),
    case: str = "ignore",
    unassessed: str = "error",
    nil: str = "NIL",
) -> Judged:
    """Judge responses right where a pattern of their question is found in them.

    `case` says whether capital letters are told from small ones: ignore or keep. The pattern that
    matches first is the answer's class: another string that matches it says the same again.
    """
    responses, questions, patterns = encode(responses, questions, patterns)
    judged = responses.join(
        _match(responses, patterns, "(?i)" if case == "ignore" else ""),
        on=["question", "answer"],
        how="left",
        maintain_order="left",
    )
    known = patterns.select(
        "question",
        pl.col("pattern").alias("answer"),
        pl.col("pattern").alias("class"),
        pl.lit(None, pl.String).alias("level"),
    )
    return conclude(
        judged,
        questions,
        known,
        correct=correct,
        nil=nil,
        unassessed=unassessed,
        refuse=partial(refuse_uncovered, name=name, what="pattern"),
    )


def _match(responses: pl.DataFrame, patterns: pl.DataFrame, flag: str) -> pl.DataFrame:
    """The distinct answers to questions that have patterns, with the first that each matches."""
    answers = responses.select("question", "answer").drop_nulls().unique(maintain_order=True)
    by_question = answers.partition_by("question", as_dict=True)
    parts = [answers.clear().with_columns(pl.lit(None, pl.String).alias("class"))]
    for question, own in patterns.group_by("question", maintain_order=True):
        if question in by_question:
            found = (
                pl.when(pl.col("answer").str.contains(flag + pattern)).then(pl.lit(pattern))
                for pattern in own["pattern"]
            )
            parts.append(by_question[question].with_columns(pl.coalesce(found).alias("class")))
    verdict = pl.when(pl.col("class").is_null()).then(pl.lit("wrong")).otherwise(pl.lit("right"))
    return pl.concat(parts).with_columns(
        verdict.cast(Verdict).alias("verdict"), pl.lit(None, pl.String).alias("level")
    )
