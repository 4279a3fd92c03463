"""Agreement between assessors: do people who judged the same thing call it right alike?

What counts is whether a verdict is correct, as for agreement between judges. An item is an answer
string, the answer of a run at a rank, or an item to validate; what was adjudicated is nobody's
opinion and stays out.
"""

from collections.abc import Collection

import numpy as np
import polars as pl

from qampaign.judging.adjudication import ITEM
from qampaign.judging.judgments import Verdict, is_correct
from qampaign.kappa import kappa
from qampaign.measures.declaration import ratio

TABLE = ["assessor_a", "assessor_b", "slice", "items", "agreement", "kappa", "low", "high"]


def compare(
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    correct: Collection[str],
    validation: bool = False,
) -> pl.DataFrame:
    """How every two assessors agree, and all of them, over all questions and by question type.

    Two assessors: the items that both judged, their agreement, Cohen's kappa and its 95% interval.
    The rows with both `all`: the items that at least two judged, the mean agreement of two
    judgments of an item (items with more judgments weigh more, as in alpha), and as kappa
    Krippendorff's alpha, without an interval. `questions` gives the types.

    Gives assessor_a, assessor_b, slice, items, agreement, kappa, low, high; null where there is
    nothing to differ about.
    """
    ratings = _ratings(assessments, correct, validation).join(
        questions.select(pl.col("question", "type").cast(pl.String)),
        on="question",
        how="left",
        maintain_order="left",
    )
    everything = ratings.with_columns(slice=pl.lit("all"))
    by_type = ratings.drop_nulls("type").with_columns(slice="type")
    sliced = pl.concat([everything, by_type])
    return pl.concat([_alpha(sliced), _pairs(sliced)])


def _ratings(assessments: pl.DataFrame, correct: Collection[str], validation: bool) -> pl.DataFrame:
    """A row for each assessor and item: item, question, answer, assessor, verdict, right."""
    called = assessments.drop_nulls("assessor").with_columns(pl.col("verdict").cast(Verdict))
    item = ["question"] if validation else ITEM
    placed = called.with_columns(shown="answer").with_columns(
        answer=pl.when(pl.col("run").is_null()).then("answer")  # a position says enough
    )
    items = placed.select(item).unique().sort(item).with_row_index("item")
    return (
        placed.join(items, on=item, how="left", nulls_equal=True)
        .unique(["item", "assessor"])
        .with_columns(right=is_correct(correct) | (pl.col("verdict") == "repeated"))
        .with_columns(pl.col("question", "run", "assessor").cast(pl.String))
        .sort("item", "assessor")
    )


def _pairs(ratings: pl.DataFrame) -> pl.DataFrame:
    """The rows of every two assessors who judged an item in common."""
    ours = ratings.select("slice", "item", assessor_a="assessor", right_a="right")
    theirs = ratings.select("slice", "item", assessor_b="assessor", right_b="right")
    a, b = pl.col("right_a"), pl.col("right_b")
    counted = (
        ours.join(theirs, on=["slice", "item"])
        .filter(pl.col("assessor_a") < pl.col("assessor_b"))
        .group_by("assessor_a", "assessor_b", "slice")
        .agg(
            items=pl.len().cast(pl.Int64),
            agreement=(a == b).mean(),
            cells=pl.concat_list([(a & b).sum(), (a & ~b).sum(), (~a & b).sum(), (~a & ~b).sum()]),
        )
        .sort("assessor_a", "assessor_b", pl.col("slice") != "all", "slice")
    )
    cells = np.array(counted["cells"].to_list(), dtype=float).reshape(-1, 2, 2)
    value, low, high = (pl.Series(each, nan_to_null=True) for each in kappa(cells))
    return counted.with_columns(kappa=value, low=low, high=high).select(TABLE)


def _alpha(ratings: pl.DataFrame) -> pl.DataFrame:
    """The rows of all assessors together: Krippendorff's alpha for two categories.

    With m judgments of an item, r of them right, and n judgments in all, R of them right, over the
    items with at least two: alpha is 1 − Σ 2r(m − r)/(m − 1) · (n − 1) / 2R(n − R) (Krippendorff
    2011, nominal data, any judgment may be missing).
    """
    m, right = pl.col("m"), pl.col("r")
    differing = (2 * right * (m - right) / (m - 1)).sum()
    chance = 2 * right.sum() * (m.sum() - right.sum()) / (m.sum() - 1)
    nothing = pl.lit(None, pl.Float64)
    return (
        ratings.group_by("slice", "item")
        .agg(m=pl.len().cast(pl.Float64), r=pl.col("right").sum().cast(pl.Float64))
        .filter(pl.col("m") > 1)
        .group_by("slice")
        .agg(
            items=pl.len().cast(pl.Int64),
            agreement=1 - ratio(differing, m.sum()),
            kappa=1 - ratio(differing, chance),
        )
        .with_columns(assessor_a=pl.lit("all"), assessor_b=pl.lit("all"), low=nothing, high=nothing)
        .sort(pl.col("slice") != "all", "slice")
        .select(TABLE)
    )


def disputed(
    assessments: pl.DataFrame, *, correct: Collection[str], validation: bool = False
) -> pl.DataFrame:
    """The items that assessors disagree on: those that divide them most evenly first.

    Among equals, those with more judgments, then those of questions with more disagreement. Gives
    question, run, rank, answer, assessors (how many), right (how many say so), disagreement (the
    share of pairs of them that differ), question_disagreement (its mean over the question's items)
    and verdicts, in words.
    """
    m, right = pl.col("assessors"), pl.col("right")
    said = pl.format("{}: {}", "assessor", "verdict")
    return (
        _ratings(assessments, correct, validation)
        .group_by("item", maintain_order=True)
        .agg(
            pl.col("question", "run", "rank").first(),
            answer=pl.col("shown").first(),
            assessors=pl.len().cast(pl.Int64),
            right=pl.col("right").sum().cast(pl.Int64),
            verdicts=said.str.join(", "),
        )
        .filter(m > 1)
        .with_columns(disagreement=2 * right * (m - right) / (m * (m - 1)))
        .with_columns(question_disagreement=pl.col("disagreement").mean().over("question"))
        .filter(pl.col("disagreement") > 0)
        .sort(
            -pl.col("disagreement").round(9),
            -m,
            -pl.col("question_disagreement").round(9),
            "item",
        )
        .select(
            "question", "run", "rank", "answer", "assessors", "right",
            "disagreement", "question_disagreement", "verdicts",
        )
    )  # fmt: skip
