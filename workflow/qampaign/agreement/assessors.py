"""Agreement between assessors: do people who judged the same thing call it right alike?

What counts is whether a verdict is correct, as for agreement between judges. An item is an answer
string, the answer of a run at a rank, or an item to validate; what was adjudicated is nobody's
opinion and stays out.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from qampaign.agreement.kappa import alpha, interval, kappa, smooth_alpha, smooth_kappa
from qampaign.arrays import Array, Flags, Numbers
from qampaign.judging.adjudication import item_of
from qampaign.judging.judgments import Verdict, is_correct
from qampaign.judging.single_assessor import assessors_of
from qampaign.measures.ranked import GAINS, gain_of
from qampaign.studies.units import Unit, Units
from qampaign.tables import schema_of

ASSESSORS = [*schema_of("assessors", "collection")]
DISPUTED = [*schema_of("disputed", "collection")]

VOICES = 20
"""How many people's verdicts on an item are spelled out."""


def compare(
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    correct: Collection[str],
    validation: bool = False,
    gains: Mapping[str, float] | None = None,
    unit: Unit = "group",
) -> pl.DataFrame:
    """How every two assessors agree, and all of them, over all questions and by question type.

    Two assessors: the items that both judged, their agreement, Cohen's kappa and its 95% interval;
    weighted_kappa, if both give levels: kappa whose disagreements weigh as the squared difference
    of the gains of what the two say (Cohen 1968; the `gains` are a measure's). Of very many
    assessors, those who judged most.

    The rows with both `all`: the items that at least two judged, the mean agreement of two
    judgments of an item (items with more judgments weigh more, as in alpha), and as kappa
    Krippendorff's alpha with its interval; fleiss_kappa (Fleiss 1971), if every item has equally
    many judgments; unanimous, the share of items on which all agree; as weighted_kappa the mean
    over two assessors each (Light 1971).

    `questions` gives the types and groups, `unit` is what intervals rest on:
    :mod:`qampaign.agreement.kappa`. Gives the columns of the table; null where there is nothing to
    differ about, or what a figure needs is missing.
    """
    ratings = _ratings(assessments, correct, validation)
    names = [name for name in ("question", "type", "group") if name in questions.columns]
    question_rows = (
        ratings.select("question")
        .unique(maintain_order=True)
        .join(
            questions.select(pl.col(names).cast(pl.String)),
            on="question",
            how="left",
            maintain_order="left",
        )
    )
    question_rows = question_rows.with_columns(
        unit=pl.Series(Units.of(question_rows, unit).of_question, dtype=pl.UInt32)
    )
    gain = pl.when(pl.col("right") | pl.col("level").is_not_null()).then(gain_of(gains or GAINS))
    ratings = ratings.join(
        question_rows.select("question", "type", "unit"),
        on="question",
        how="left",
        maintain_order="left",
    ).with_columns(gain=gain.otherwise(0.0))
    everything = ratings.with_columns(slice=pl.lit("all"))
    by_type = ratings.drop_nulls("type").with_columns(slice="type")
    sliced = pl.concat([everything, by_type])
    pairs = _pairs(sliced, assessors_of(assessments))
    weighted = pairs.group_by("slice").agg(pl.col("weighted_kappa").mean())
    whole = _all_together(sliced).join(weighted, on="slice", how="left", maintain_order="left")
    return pl.concat([whole.select(ASSESSORS), pairs])


def _ratings(assessments: pl.DataFrame, correct: Collection[str], validation: bool) -> pl.DataFrame:
    """A row for each assessor and item: item, question, answer, assessor, verdict, right, level."""
    called = assessments.drop_nulls("assessor").with_columns(pl.col("verdict").cast(Verdict))
    item = ["question"] if validation else item_of(called)
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
    tables = [pl.DataFrame(schema=schema_of("assessors", "collection"))]
    for (name,), sliced in ratings.group_by("slice", maintain_order=True):
        pairs = [*_together(sliced, people)]
        if not pairs:
            continue
        a, b, cells, products, units, weighted = map(np.array, zip(*pairs, strict=True))
        value, smoothed, items = kappa(cells), smooth_kappa(cells, units), cells.sum(axis=-1)
        spread = np.einsum("pi,pij,pj->p", smoothed.gradient, products, smoothed.gradient)
        low, high = interval(value, smoothed, np.maximum(spread, 0), units)
        counted = {
            "assessor_a": a,
            "assessor_b": b,
            "slice": [name] * len(a),
            "items": items.astype(np.int64),
            "agreement": (cells[:, 0] + cells[:, 3]) / items,
            "kappa": value,
            "low": low,
            "high": high,
            "weighted_kappa": weighted,
        }
        table = pl.DataFrame(counted, nan_to_null=True)
        tables.append(table.with_columns(_nothing("fleiss_kappa"), _nothing("unanimous")))
    order = ["assessor_a", "assessor_b", pl.col("slice") != "all", "slice"]
    return pl.concat(table.select(ASSESSORS) for table in tables).sort(order)


def _nothing(name: str) -> pl.Expr:
    return pl.lit(None, pl.Float64).alias(name)


class _Ratings(NamedTuple):
    """What one person says, by item: whether it is right, and its gain."""

    item: Numbers
    unit: Numbers
    right: Flags
    gain: Array
    has_levels: bool

    @classmethod
    def of(cls, ratings: pl.DataFrame) -> "_Ratings":
        item, unit, right, gain = (
            ratings[name].to_numpy() for name in ("item", "unit", "right", "gain")
        )
        return cls(item, unit, right, gain, ratings["level"].is_not_null().any())


def _together(
    ratings: pl.DataFrame, people: Sequence[str]
) -> Iterator[tuple[str, str, Array, Array, int, float]]:
    """Every two people with items in common, and what follows from those.

    Their number by what each says (both right, only the first, only the second, neither), the sums
    over units of the products of these counts, the number of units, and weighted kappa.
    """
    compared = ratings.filter(pl.col("assessor").is_in(people))
    by_person = {str(person): of_person for (person,), of_person in compared.group_by("assessor")}
    rated = [(name, _Ratings.of(by_person[name])) for name in people if name in by_person]
    row_of = np.empty(ratings.select(pl.col("item").max() + 1).item(), dtype=np.int64)
    for index, (person, ours) in enumerate(rated):
        row_of[:] = -1
        row_of[ours.item] = np.arange(len(ours.item))
        for other_person, theirs in rated[index + 1 :]:
            both = row_of[theirs.item] >= 0
            if not both.any():
                continue
            rows = row_of[theirs.item[both]]
            cell = 3 - 2 * ours.right[rows].astype(np.int64) - theirs.right[both]
            units, unit = np.unique(theirs.unit[both], return_inverse=True)
            counted = np.bincount(4 * unit + cell, minlength=4 * len(units))
            counts = counted.reshape(-1, 4).astype(np.float64)
            weighted = np.nan
            if ours.has_levels and theirs.has_levels:
                weighted = weighted_kappa(ours.gain[rows], theirs.gain[both])
            yield person, other_person, counts.sum(axis=0), counts.T @ counts, len(units), weighted


def weighted_kappa(first: Array, second: Array) -> float:
    """Kappa of what two people say of the same items, in numbers; NaN if both always say the same.

    1 − Σ (x − y)² / (Σ x² + Σ y² − 2 Σ x Σ y / n): what the squared differences sum to, beside what
    they would if what one says of an item had nothing to do with what the other does.

    >>> round(weighted_kappa(np.array([3.0, 2, 0, 0]), np.array([3.0, 0, 1, 0])), 4)
    0.6154
    """
    apart = ((first - second) ** 2).sum()
    chance = (first**2).sum() + (second**2).sum() - 2 * first.sum() * second.sum() / len(first)
    return float(1 - apart / chance) if chance > 1e-12 else np.nan


def _all_together(ratings: pl.DataFrame) -> pl.DataFrame:
    """The rows of all assessors together, but for weighted_kappa.

    With m judgments of an item, r of them right, and n judgments in all, R of them right, over the
    items with at least two: alpha is 1 − Σ 2r(m − r)/(m − 1) · (n − 1) / 2R(n − R) (Krippendorff
    2011, nominal data, any judgment may be missing).
    """
    m, right = pl.col("m"), pl.col("r")
    differing = 2 * right * (m - right) / (m - 1)
    items = (
        ratings.group_by("slice", "item")
        .agg(
            pl.col("unit").first(),
            m=pl.len().cast(pl.Float64),
            r=pl.col("right").sum().cast(pl.Float64),
        )
        .filter(m > 1)
        .with_columns(differing=differing)
        .sort(pl.col("slice") != "all", "slice", "unit", "item")
    )
    rows = []
    for (name,), of_slice in items.group_by("slice", maintain_order=True):
        by_unit = of_slice.group_by("unit", maintain_order=True).agg(
            pl.col("differing", "m", "r").sum()
        )
        sums = by_unit.select("differing", "m", "r").to_numpy()
        total, units = sums.sum(axis=0), np.array(len(sums))
        value, smoothed = alpha(total), smooth_alpha(total, units)
        # of few judgments, chance pairs each with the others only
        value = 1 - (1 - value) * (total[1] - 1) / total[1]
        low, high = interval(value, smoothed, ((sums @ smoothed.gradient) ** 2).sum(), units)
        figures = {
            "items": of_slice.height,
            "agreement": 1 - total[0] / total[1],
            "kappa": float(value),
            "low": float(low),
            "high": float(high),
            "fleiss_kappa": float(alpha(total)) if of_slice["m"].n_unique() == 1 else np.nan,
            "unanimous": of_slice.select((pl.col("differing") == 0).mean()).item(),
        }
        rows.append({"assessor_a": "all", "assessor_b": "all", "slice": name, **figures})
    schema = schema_of("assessors", "collection", "weighted_kappa")
    return pl.DataFrame(rows, schema=schema).with_columns(pl.selectors.float().fill_nan(None))


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
    voice = pl.format("{}: {}", "assessor", "verdict")
    sampled = ["sample"] if _is_sampled(assessments) else []
    return (
        _ratings(assessments, correct, validation)
        .group_by("item", maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in ("question", "run", *sampled, "rank")),
            answer=pl.col("shown").first(),
            assessors=pl.len().cast(pl.Int64),
            right=pl.col("right").sum().cast(pl.Int64),
            verdicts=voice.head(VOICES).str.join(", "),
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
        .select(name for name in DISPUTED if name != "sample" or sampled)
    )


def _is_sampled(assessments: pl.DataFrame) -> bool:
    """Whether some of them are of samples."""
    return "sample" in assessments.columns and assessments["sample"].is_not_null().any()
