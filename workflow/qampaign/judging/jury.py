"""The judge `jury`: the majority of other judges of the collection."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated

import polars as pl

from qampaign.judging.assessments import assessments
from qampaign.judging.declaration import OF_LABELS, Fault, judge
from qampaign.judging.judgments import Judged
from qampaign.options import Options


def check_options(options: Options) -> Iterator[Fault]:
    """What is wrong with the options of a jury."""
    if len(options["of"]) < 2:
        yield "of", "is no jury", "of: [one, another], a list of at least two judges"


@judge(by="judges", check=check_options)
def jury(
    responses: pl.DataFrame,
    labels: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    ties: Sequence[str],
    unassessed: str,
    nil: str,
    of: Annotated[Sequence[str], "a list of at least two other judges, each with one vote"] = (),
) -> Judged:
    """The majority of other judges: the verdict that most of them give.

    A judge votes with its verdict, whatever it counts as correct; one that has none does not vote.
    `labels` are the judges' verdicts on the answers of runs at their ranks, under their names.
    """
    # an answer that a what-if run has changed is judged as that run's
    voting = labels.filter(pl.col("assessor").is_in(list(of)))
    without_origin = responses.drop("origin") if "origin" in responses.columns else responses
    return assessments.function(
        without_origin, voting, questions,
        name=name, correct=correct, ties=ties, unassessed=unassessed, nil=nil,
    )  # fmt: skip


def votes(judgments: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The verdicts of judges by their names, as labels for a jury.

    >>> rows = {"run": ["a", "a"], "question": ["q1", "q2"], "rank": [1, 1], "level": None}
    >>> gpt = pl.DataFrame(rows | {"verdict": ["right", "unassessed"], "class": None})
    >>> votes({"gpt": gpt}).select("question", "assessor", "verdict").rows()
    [('q1', 'gpt', 'right')]
    """
    kinds = dict.fromkeys(OF_LABELS, pl.String) | {"rank": pl.Int64}
    parts = [
        rows.filter(pl.col("verdict").cast(pl.String) != "unassessed").select(
            (
                pl.lit(judge) if column == "assessor"
                else pl.lit(None) if column == "answer" or column not in rows.columns
                else pl.col(column)
            ).cast(kinds[column]).alias(column)
            for column in OF_LABELS
        )
        for judge, rows in judgments.items()
    ]  # fmt: skip
    return pl.concat(parts)
