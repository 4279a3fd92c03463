"""Agreement between assessors: do people who judged the same thing call it right alike?

What counts is whether a verdict is correct, as for agreement between judges. An item is an answer
string, the answer of a run at a rank, or an item to validate; what was adjudicated is nobody's
opinion and stays out.
"""

from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

from qampaign.agreement.kappa import kappa
from qampaign.arrays import Array, ratio
from qampaign.judging.adjudication import ITEM
from qampaign.judging.judgments import Verdict, is_correct
from qampaign.judging.single_assessor import assessors_of
from qampaign.tables import schema_of

ASSESSORS = [*schema_of("assessors", "collection")]
DISPUTED = [*schema_of("disputed", "collection")]

AT_ONCE = 2**14
"""Items that are laid out by assessor at once: their products are exact, and take little memory."""

VOICES = 20
"""How many people's verdicts on an item are spelled out."""


def compare(
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    correct: Collection[str],
    validation: bool = False,
) -> pl.DataFrame:
    """How every two assessors agree, and all of them, over all questions and by question type.

    Two assessors: the items that both judged, their agreement, Cohen's kappa and its 95% interval;
    of very many assessors, those who judged most.
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
    return pl.concat([_alpha(sliced), _pairs(sliced, assessors_of(assessments))])


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


def _pairs(ratings: pl.DataFrame, people: Sequence[str]) -> pl.DataFrame:
    """The rows of every two of the people who judged an item in common."""
    one, two = np.triu_indices(len(people), 1)
    names = pl.Series(people, dtype=pl.String)
    rated = ratings.filter(pl.col("assessor").is_in(names.implode())).with_columns(
        person=pl.col("assessor").cast(pl.Enum(names)).to_physical()
    )
    tables = []
    for (name,), sliced in rated.group_by("slice", maintain_order=True):
        cells = _count_together(sliced, len(people))[:, :, one, two]
        items = cells.sum(axis=(0, 1))
        there = items > 0
        value, low, high = kappa(cells.transpose(2, 0, 1)[there])
        counted = {
            "assessor_a": names[one[there]],
            "assessor_b": names[two[there]],
            "slice": [name] * int(there.sum()),
            "items": items[there].astype(np.int64),
            "agreement": (cells[0, 0] + cells[1, 1])[there] / items[there],
            "kappa": value,
            "low": low,
            "high": high,
        }
        tables.append(pl.DataFrame(counted, nan_to_null=True))
    if not tables:
        return _alpha(ratings.clear())
    order = ["assessor_a", "assessor_b", pl.col("slice") != "all", "slice"]
    return pl.concat(tables).select(ASSESSORS).sort(order)


def _count_together(rated: pl.DataFrame, people: int) -> Array:
    """By what one says and the other (right, not right) and the two of them: items so judged."""
    item = (rated["item"].rank("dense") - 1).to_numpy().astype(np.int64)
    person, right = rated["person"].to_numpy(), rated["right"].to_numpy()
    cells = np.zeros((2, 2, people, people))
    for start in range(0, int(item.max(initial=-1)) + 1, AT_ONCE):
        inside = (item >= start) & (item < start + AT_ONCE)
        said = np.zeros((2, AT_ONCE, people), dtype=np.float32)
        said[1 - right[inside].astype(np.int64), item[inside] - start, person[inside]] = 1
        for a, b in np.ndindex(2, 2):
            cells[a, b] += said[a].T @ said[b]
    return cells


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
        .select(ASSESSORS)
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
            verdicts=said.head(VOICES).str.join(", "),
        )
        .filter(m > 1)
        .with_columns(
            verdicts=pl.when(m > VOICES)
            .then(pl.format("{}, and {} more", "verdicts", m - VOICES))
            .otherwise("verdicts")
        )
        .with_columns(disagreement=2 * right * (m - right) / (m * (m - 1)))
        .with_columns(question_disagreement=pl.col("disagreement").mean().over("question"))
        .filter(pl.col("disagreement") > 0)
        .sort(
            -pl.col("disagreement").round(9),
            -m,
            -pl.col("question_disagreement").round(9),
            "item",
        )
        .select(DISPUTED)
    )
