"""Does a judge agree with itself? Several of its verdicts on the same answer, pair by pair."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from qampaign.input.store import RowReader
from qampaign.studies.intervals import LEVEL
from qampaign.studies.resampling import SCALE, draw_exponential, generator, key
from qampaign.studies.units import Unit, Units
from qampaign.studies.weighted_values import DRAWS, PSEUDO
from qampaign.tables import schema_of

ITEM = ["question", "run", "sample", "rank", "answer", "assessor"]
COLUMNS = (*ITEM, "trial", "verdict")


def self_agreement(
    read: RowReader, judges: Iterable[str], *, seed: str, unit: Unit
) -> pl.DataFrame:
    """The table `self_agreement`, of the judges whose files have several trials."""
    parts = [pl.DataFrame(schema=schema_of("self_agreement", "collection"))]
    questions: pl.DataFrame | None = None
    for judge in judges:
        labels = read(f"verdicts/{judge}", COLUMNS).drop_nulls("trial")
        pairs = count_pairs(labels)
        if not pairs.is_empty():
            if questions is None:
                questions = read("questions", ("question", "group"))
            parts.append(_describe(pairs, questions, judge, seed, unit))
    return pl.concat(parts)


def count_pairs(labels: pl.DataFrame) -> pl.DataFrame:
    """For each answer with several trials: trials, pairs of them, and how many of these agree.

    Three trials make 3 pairs; with the verdicts right, right, wrong 1 of them agrees. A row that
    says once more what a trial said counts for nothing.

    >>> said = {"trial": ["1", "2", "3", "3"], "verdict": ["right", "right", "wrong", "wrong"]}
    >>> others = {name: pl.lit(None, pl.String) for name in ITEM}
    >>> labels = pl.DataFrame(said).with_columns(**others).with_columns(question=pl.lit("q"))
    >>> count_pairs(labels).select("trials", "pairs", "same").rows()
    [(3, 3, 1)]
    """
    known = labels.with_columns(answer=pl.when(pl.col("run").is_null()).then("answer"))
    known = known.unique([*ITEM, "trial"])
    votes = known.group_by(*ITEM, "verdict").agg(votes=pl.len().cast(pl.Int64))
    number = pl.col("votes")
    return (
        votes.group_by(ITEM)
        .agg(trials=number.sum(), same=(number * (number - 1) // 2).sum())
        .filter(pl.col("trials") > 1)
        .with_columns(pairs=pl.col("trials") * (pl.col("trials") - 1) // 2)
        .sort(ITEM)
    )


def _describe(
    pairs: pl.DataFrame, questions: pl.DataFrame, judge: str, seed: str, unit: Unit
) -> pl.DataFrame:
    """One row: the share of pairs that agree, with an interval that draws questions or groups."""
    question_rows = pairs.select(pl.col("question").unique().sort()).join(
        questions, on="question", how="left", maintain_order="left"
    )
    units = Units.of(question_rows, unit)
    by_question = pairs.group_by("question").agg(pl.col("same", "pairs").sum())
    counted = question_rows.join(by_question, on="question", how="left", maintain_order="left")
    same, number = (
        np.bincount(units.of_question, counted[name].to_numpy(), minlength=len(units))
        for name in ("same", "pairs")
    )
    about = (seed, "self-agreement")
    weights = draw_exponential(units.keys, DRAWS, key(*about)).astype(float) / SCALE
    best, worst = generator(*about).standard_gamma(PSEUDO, (2, DRAWS)) * number.mean()
    drawn = (weights @ same + best) / (weights @ number + best + worst)
    value = float(same.sum() / number.sum())
    low, high = np.quantile(drawn, (LEVEL / 2, 1 - LEVEL / 2))
    return pl.DataFrame(
        {
            "judge": [judge],
            "answers": [pairs.height],
            "trials": [pairs["trials"].sum() / pairs.height],
            "pairs": [int(number.sum())],
            "agreement": [value],
            "low": [min(float(low), value)],
            "high": [max(float(high), value)],
            "unanimous": [(pairs["same"] == pairs["pairs"]).sum() / pairs.height],
        },
        schema=schema_of("self_agreement", "collection"),
    )
