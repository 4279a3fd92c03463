"""The judge `scores`: numbers that a metric or a grader elsewhere gave to answers.

A number is put on a scale from 0 to 1, the answer's degree. With a threshold, answers with a
greater degree are right, as for other judges with degrees; without one there are no verdicts, and
only the mean degree (`mean_score`) has a value.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

import polars as pl

from qampaign.judging.assessments import attach
from qampaign.judging.declaration import Fault, judge
from qampaign.judging.judgments import Judged, Verdict, conclude, encode
from qampaign.judging.unassessed import SHOWN, shortened
from qampaign.options import Limits, Options
from qampaign.problems import Refused, quote, short_id

Scale = Annotated[
    Sequence[float],
    Limits(minItems=2, maxItems=2),
    "the lowest and the highest number there can be, such as [0, 10]; they become 0 and 1",
]
Threshold = Annotated[
    float | None,
    Limits(minimum=0, exclusiveMaximum=1),
    "a number from 0 to below 1: answers with a greater score, once on the scale from 0 to 1, are "
    "right; without it numbers give no verdicts, and only mean_score has a value",
]


def check_scale(options: Options) -> Iterator[Fault]:
    """What is wrong with the options together."""
    low, high = options["scale"]
    if not low < high:
        yield "scale", "does not rise", "two numbers, the lower one first, such as [0, 10]"


@judge(by="scores", degrees=True, verdicts_by="threshold", check=check_scale)
def scores(
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
        "the scorer whose numbers count, where the files have those of several",
    ] = None,
    scale: Scale = (0.0, 1.0),
    threshold: Threshold = None,
) -> Judged:
    """Numbers computed elsewhere, such as F1 or a rubric's points; verdicts with a threshold.

    NIL has 1 where the question has no answer, else 0, whatever the files say.
    """
    table = of_scorer(table, scorer, name, what="the files have the scores")
    table = table.with_columns(put_on_scale(table["score"], scale).alias("degree")).drop("score")
    responses, questions, table = encode(responses, questions, table)
    by_answer = table.with_columns(answer=pl.when(pl.col("run").is_null()).then("answer"))
    judged, _ = attach(responses, by_answer.unique(maintain_order=True), ["degree"])
    is_nil = pl.col("question").is_in(questions.filter("nil")["question"].implode())
    judged = judged.with_columns(
        pl.lit(None, pl.String).alias("level"),
        pl.lit(None, pl.String).alias("class"),
        degree=pl.when(pl.col("answer") == nil)
        .then(is_nil.cast(pl.Float64))
        .when(pl.col("answer").is_not_null())
        .then("degree"),
    )
    judged = judged.with_columns(verdict=verdict_by(threshold))
    if unassessed == "error":
        _refuse_unscored(judged.filter(_is_unscored()), name)
    known = judged.filter((pl.col("verdict") == "right") & (pl.col("answer") != nil))
    return conclude(
        judged,
        questions,
        known.select("question", "answer", "class", "level").unique(maintain_order=True),
        correct=correct,
        nil=nil,
        unassessed="wrong",
        refuse=lambda _: None,
    )


def put_on_scale(numbers: pl.Series, scale: Sequence[float]) -> pl.Series:
    """Numbers on a scale from 0 to 1.

    >>> put_on_scale(pl.Series([6.0, None]), [0, 10]).to_list()
    [0.6, None]
    """
    # by numpy, which divides: polars multiplies by 1 / 10, and 6 of 10 would be more than 0.6
    degree = (numbers.to_numpy() - scale[0]) / (scale[1] - scale[0])
    return pl.Series("degree", degree, nan_to_null=True).round(12)


def verdict_by(threshold: float | None) -> pl.Expr:
    """Right above the threshold; none without a threshold or a score."""
    if threshold is None:
        return pl.lit(None, Verdict)
    right = pl.col("degree") > threshold
    return (
        pl.when(right)
        .then(pl.lit("right", Verdict))
        .when(right.is_not_null())
        .then(pl.lit("wrong", Verdict))
    )


def of_scorer(table: pl.DataFrame, scorer: str | None, name: str, *, what: str) -> pl.DataFrame:
    """The numbers of one scorer; several are refused unless one is named. `what` is there."""
    scorers = table["scorer"].unique().sort()
    named = scorers.drop_nulls()
    listed = ", ".join(map(quote, named.head(SHOWN))) + (", …" if len(named) > SHOWN else "")
    if scorer is None:
        if len(scorers) > 1:
            nobody = " and rows without one" if scorers.null_count() else ""
            raise Refused(
                f"{name}: {what} of {len(named)} scorers: {listed}{nobody}. Say "
                "in the config whose count: scorer: NAME"
            )
        return table.drop("scorer")
    chosen = table.filter(pl.col("scorer") == scorer)
    if chosen.is_empty():
        known = listed or "none, no row names one"
        raise Refused(f"{name}: {quote(scorer)} has scored nothing; scorers: {known}")
    return chosen.drop("scorer")


def _is_unscored() -> pl.Expr:
    return pl.col("degree").is_null() & pl.col("answer").is_not_null()


def describe_unscored(judgments: pl.DataFrame, judge: str) -> str | None:
    """A line for the terminal: how many answers have no score, of a judge without verdicts.

    >>> rows = pl.DataFrame({"degree": [0.5, None], "verdict": ["unassessed", "unassessed"]})
    >>> describe_unscored(rows, "rouge")
    '1 of 2 responses have no score by rouge and count as 0'
    """
    silent = pl.col("verdict").cast(pl.String) == "not_attempted"
    number = judgments.filter(pl.col("degree").is_null() & ~silent).height
    if not number:
        return None
    return f"{number:,} of {judgments.height:,} responses have no score by {judge} and count as 0"


def _refuse_unscored(open_ones: pl.DataFrame, name: str) -> None:
    """Refuse answers without a score: the first of them, and their number."""
    if open_ones.is_empty():
        return
    number = "1 answer has" if open_ones.height == 1 else f"{open_ones.height:,} answers have"
    lines = [
        f"{name}: {number} no score. Add scores, or count such answers as wrong, with a score of "
        "0: unassessed: wrong"
    ]
    for row in open_ones.head(SHOWN).iter_rows(named=True):
        sample = f", sample {row['sample']}" if row.get("sample") is not None else ""
        run, question = short_id(row["run"]), short_id(row["question"])
        position = f"run {run}, question {question}{sample}, rank {row['rank']}"
        lines.append(f"  {position}: {quote(row['answer'])}")
    raise Refused("\n".join(shortened(lines, open_ones.height)))
