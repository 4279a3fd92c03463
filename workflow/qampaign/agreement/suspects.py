"""Questions whose key may be wrong: the better a run is elsewhere, the more often it fails them.

A key that takes a wrong answer for right, or misses right ones, punishes those who know better.
With few runs a correlation below 0 says nothing, and with many questions some have one by chance:
what is listed is to be looked at first, not wrong.
"""

import polars as pl

from qampaign.tables import schema_of

FEWEST_RUNS = 10
"""With fewer ranked runs no question is suspect."""
ONE_IN_TWENTY = 1.645
"""How many standard deviations below 0 one in twenty falls by chance."""
MOST_QUESTIONS, MOST_ANSWERS = 100, 5
"""Of so many questions, so many answers each are listed."""

SUSPECTS = schema_of("suspects", "collection", "judge", "text", "key")


def chance_bound(runs: int) -> float:
    """What one question in twenty falls below that good and bad runs get right equally often.

    A correlation over n runs of what is unrelated has a standard deviation of 1/√(n − 1).

    >>> round(chance_bound(26), 3)
    -0.329
    """
    return -ONE_IN_TWENTY / float(runs - 1) ** 0.5


def find_suspects(questions: pl.DataFrame, runs: int) -> pl.DataFrame:
    """The suspect questions, the most negative first; `runs` are ranked."""
    if runs < FEWEST_RUNS:
        return questions.clear()
    return (
        questions.filter(pl.col("item_rest") < chance_bound(runs))
        .sort("item_rest", "question")
        .head(MOST_QUESTIONS)
    )


def list_suspects(
    suspects: pl.DataFrame,
    judgments: pl.LazyFrame,
    ranked: pl.Series,
) -> pl.DataFrame:
    """The suspect questions with the answers that ranked runs gave most often, and verdicts."""
    if suspects.is_empty():
        return pl.DataFrame(schema=SUSPECTS)
    named = {name: pl.col(name).cast(pl.String) for name in ("run", "question", "verdict")}
    first = (
        judgments.filter(pl.col("rank") == 1)
        .select("run", "question", "answer", "verdict")
        .with_columns(**named)
        .filter(
            pl.col("question").is_in(suspects["question"].cast(pl.String).implode()),
            pl.col("run").is_in(ranked.cast(pl.String).implode()),
        )
        .collect()
    )
    commonest = (
        first.group_by("question", "answer", "verdict")
        .agg(pl.col("run").n_unique().cast(pl.Int64).alias("runs"))
        .sort("runs", "answer", "verdict", descending=[True, False, False], nulls_last=True)
        .group_by("question", maintain_order=True)
        .head(MOST_ANSWERS)
    )
    listed = suspects.select(pl.col("question").cast(pl.String), "item_rest", "right_runs")
    listed = listed.join(commonest, on="question", how="left", maintain_order="left_right")
    return listed.select(pl.col(name).cast(kind) for name, kind in SUSPECTS.items())
