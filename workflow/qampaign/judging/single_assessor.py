"""One assessor as a judge: the word of a single person, on what that person has seen whole."""

from collections.abc import Collection

import polars as pl

from qampaign.judging.assessments import assessments
from qampaign.judging.declaration import Task
from qampaign.judging.judgments import Judged

MOST = 100
"""How many assessors are looked at one by one, and two by two."""


def assessors_of(labels: pl.DataFrame, most: int = MOST) -> list[str]:
    """The people who assessed anything; what was adjudicated is nobody's word.

    Where there are very many, those who assessed most: what each does alone cannot be told of a
    crowd, nor what every two of them do.
    """
    counted = labels.drop_nulls("assessor").group_by(pl.col("assessor").cast(pl.String)).len()
    busiest = counted.sort(-pl.col("len").cast(pl.Int64), "assessor").head(most)
    return busiest["assessor"].sort().to_list()


def describe_crowd(labels: pl.DataFrame) -> str | None:
    """A line for the terminal where only some of very many assessors are looked at one by one."""
    people = labels["assessor"].drop_nulls().n_unique()
    if people <= MOST:
        return None
    return f"{people:,} assessors: only the {MOST} who judged most are compared one by one"


def judge_alone(
    responses: pl.DataFrame,
    labels: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    assessor: str,
    task: Task,
    correct: Collection[str],
    nil: str,
) -> Judged:
    """What one assessor says, of the questions all of whose answers that person has assessed."""
    options = {"assessor": assessor, "task": task, "correct": correct, "nil": nil}
    options |= {"name": assessor, "unassessed": "wrong"}
    judged = assessments(responses, labels, questions, **options)
    partly = judged.judgments.filter(pl.col("verdict") == "unassessed")["question"].unique()
    if len(partly):
        whole = questions.filter(~pl.col("question").is_in(partly.cast(pl.String).implode()))
        judged = assessments(responses, labels, whole, **options)
    return judged
