"""What judges that learn are taught by: the verdicts of another judge on the runs' answers."""

from collections.abc import Collection

import polars as pl

from qampaign.judging.judgments import KEYS, Verdict, is_correct

LABELS = (*KEYS, "answer", "level", "class", "right")
"""The columns of what a judge is taught."""


def labels_of(
    judgments: pl.DataFrame, correct: Collection[str], *, without: Collection[str] = ()
) -> pl.DataFrame:
    """The answers that a judge has a verdict on, each with whether it is right.

    `correct` are the verdicts that count as right by that judge; a right answer repeated is right.
    NIL, right or wrong by rule, teaches nothing, nor do runs whose answers are another's: `without`
    names what-if runs.

    >>> rows = {"run": "a", "question": ["q1", "q2"], "rank": 1, "answer": ["x", "y"]}
    >>> rows |= {"verdict": ["repeated", "unassessed"], "nil": False, "level": None, "class": None}
    >>> labels_of(pl.DataFrame(rows), ["right"]).select("question", "right").rows()
    [('q1', True)]
    """
    verdict = pl.col("verdict").cast(pl.String)
    nothing = verdict.is_in(["unassessed", "not_attempted"]) | pl.col("nil")
    if "sample" not in judgments.columns:
        judgments = judgments.with_columns(sample=pl.lit(None, pl.String))
    names = ("run", "question", "sample", "answer", "level", "class")
    return (
        judgments.with_columns(pl.col("verdict").cast(Verdict))
        .filter(~nothing, ~pl.col("run").cast(pl.String).is_in(list(without)))
        .with_columns(right=is_correct(correct) | (verdict == "repeated"))
        .select(LABELS)
        .with_columns(pl.col(names).cast(pl.String), pl.col("rank").cast(pl.Int64))
    )
