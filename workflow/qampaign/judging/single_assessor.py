"""One assessor as a judge: the word of a single person, on what that person has seen whole."""

from collections.abc import Callable
from typing import Any

import polars as pl

from qampaign.judging.judgments import Judged

MOST = 100
"""How many assessors are looked at one by one, and two by two."""


def assessors_of(assessments: pl.DataFrame, most: int = MOST) -> list[str]:
    """The people who assessed anything; what was adjudicated is nobody's word.

    Where there are very many, those who assessed most: what each does alone cannot be told of a
    crowd, nor what every two of them do.
    """
    counted = assessments.drop_nulls("assessor").group_by(pl.col("assessor").cast(pl.String)).len()
    busiest = counted.sort(-pl.col("len").cast(pl.Int64), "assessor").head(most)
    return busiest["assessor"].sort().to_list()


def tell(assessments: pl.DataFrame) -> str | None:
    """That only some assessors are looked at one by one, in a line for the terminal, if so."""
    people = assessments["assessor"].drop_nulls().n_unique()
    if people <= MOST:
        return None
    return f"{people:,} assessors: those {MOST} who judged most are compared one by one"


def judge_alone(
    judge: Callable[..., Judged],
    responses: pl.DataFrame,
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    assessor: str,
    **options: Any,
) -> Judged:
    """What one assessor says, of the questions all of whose answers that person has assessed.

    `judge` is the judge by assessments of the task, `options` are further ones of it.
    """
    how = {"name": assessor, "assessor": assessor, "unassessed": "wrong", **options}
    judged = judge(responses, assessments, questions, **how)
    partly = judged.judgments.filter(pl.col("verdict") == "unassessed")["question"].unique()
    if len(partly):
        whole = questions.filter(~pl.col("question").is_in(partly.cast(pl.String).implode()))
        judged = judge(responses, assessments, whole, **how)
    return judged
