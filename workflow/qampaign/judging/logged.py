"""The judge `logged`: what scorers said of the answers, in the user's own logs.

A log has verdicts, or numbers. 0 and 1 are both: wrong and right, and a degree. Where a scorer
gives other numbers, they become degrees on a scale from 0 to 1, and verdicts by a threshold, as the
judge `scores` has it.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

import polars as pl

from qampaign.judging.assessments import attach
from qampaign.judging.declaration import Fault, judge
from qampaign.judging.judgments import Judged, Verdict, conclude, encode, is_correct
from qampaign.judging.scores import (
    Scale,
    Threshold,
    check_scale,
    of_scorer,
    put_on_scale,
    verdict_by,
)
from qampaign.judging.unassessed import refuse_unassessed
from qampaign.options import Limits, Options
from qampaign.problems import Refused

DEGREES = {"right": 1.0, "inexact": 0.5, "unsupported": 0.0, "wrong": 0.0, "not_attempted": 0.0}
"""How right an answer is by a verdict without a number; a level that is a number goes first."""


def check_values(options: Options) -> Iterator[Fault]:
    """What is wrong with the options together."""
    yield from check_scale(options)


def gives_verdicts(options: Options) -> bool:
    """Whether there are verdicts: unless only scores are wanted."""
    return options.get("values") != "scores" or options.get("threshold") is not None


@judge(
    by="logged", default_name="logged", degrees=True, verdicts_by=gives_verdicts, check=check_values
)
def logged(
    responses: pl.DataFrame,
    table: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    scorer: Annotated[
        str | None,
        Limits(minLength=1),
        "the scorer whose verdicts count, where the logs have those of several",
    ] = None,
    values: Annotated[
        Literal["verdicts", "scores"],
        "verdicts, or scores: numbers other than 0 and 1 are how right an answer is, and only "
        "mean_score has a value unless there is a threshold",
    ] = "verdicts",
    scale: Scale = (0.0, 1.0),
    threshold: Threshold = None,
) -> Judged:
    """The verdicts in the logs, by the scorer that gave them.

    NIL has 1 where the question has no answer, else 0, whatever the logs say.
    """
    if table.is_empty():
        raise Refused(
            f"{name}: the logs have no verdicts. Take a judge of another kind, such as key"
        )
    table = of_scorer(table, scorer, name, what="the logs have the verdicts")
    numbers = table["score"].is_not_null() & table["verdict"].is_null()
    by_number = values == "scores" or threshold is not None or tuple(scale) != (0.0, 1.0)
    if numbers.any() and not by_number:
        example = table.filter(numbers)["score"][0]
        raise Refused(
            f"{name}: {numbers.sum():,} of {table.height:,} values are numbers other than 0 and 1, "
            f"such as {example:g}. Say what is right: threshold: 0.5; or that they are scores: "
            "values: scores, with the measure mean_score"
        )
    table = _with_degrees(table, scale, threshold, by_number=by_number, verdicts=values)
    responses, questions, table = encode(responses, questions, table)
    word = ["verdict", "level", "degree"]
    table = table.with_columns(pl.col("verdict").cast(Verdict), answer=pl.lit(None, pl.String))
    judged, _ = attach(responses, table, word)
    is_nil = pl.col("question").is_in(questions.filter("nil")["question"].implode())
    judged = judged.with_columns(
        pl.lit(None, pl.String).alias("class"),
        degree=pl.when(pl.col("answer") == nil)
        .then(is_nil.cast(pl.Float64))
        .when(pl.col("answer").is_not_null())
        .then("degree"),
    )
    right = judged.filter(is_correct(correct) & (pl.col("answer") != nil))
    return conclude(
        judged,
        questions,
        right.select("question", "answer", "class", "level").unique(maintain_order=True),
        correct=correct,
        nil=nil,
        unassessed=unassessed
        if gives_verdicts({"values": values, "threshold": threshold})
        else "wrong",
        refuse=partial(refuse_unassessed, name=name),
    )


def _with_degrees(
    table: pl.DataFrame,
    scale: Sequence[float],
    threshold: float | None,
    *,
    by_number: bool,
    verdicts: str,
) -> pl.DataFrame:
    """What scorers said, with a degree, and with a verdict by it where numbers decide."""
    number = pl.Series(put_on_scale(table["score"], scale))
    by_verdict = pl.coalesce(
        pl.col("level").cast(pl.Float64, strict=False),
        pl.col("verdict").replace_strict(DEGREES, default=None, return_dtype=pl.Float64),
    )
    table = table.with_columns(
        degree=pl.when(pl.col("score").is_not_null()).then(number).otherwise(by_verdict)
    )
    if not by_number:
        return table
    by_threshold = verdict_by(threshold).cast(pl.String)
    numeric = pl.col("score").is_not_null()
    verdict = pl.when(numeric).then(by_threshold).otherwise("verdict")
    if verdicts == "scores" and threshold is None:
        verdict = pl.lit(None, pl.String)
    return table.with_columns(verdict=verdict)
