"""Evidence to scores, counts and questions: the tables that people read."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from qampaign.evidence import COUNTS, Evidence
from qampaign.measures import MEASURES
from qampaign.ranking import rank_ranges


def score(evidence: Evidence, measures: Mapping[str, str]) -> pl.DataFrame:
    """The value and rank of every run by every measure, over all questions and by question type.

    `measures` maps the names that the tables use to the ids of measures.
    """
    parts = []
    for part, questions in evidence.slices().items():
        sums = evidence.sums(questions)
        for name, id in measures.items():
            declared = MEASURES[id]
            values = declared(**{column: sums[column].astype(float) for column in declared.columns})
            about = {"measure": name, "slice": part, "better": declared.better}
            parts.append(
                pl.DataFrame(
                    {
                        "run": evidence.runs,
                        "value": pl.Series(values, nan_to_null=True),
                        "questions": sums["questions"],
                    }
                ).with_columns(pl.lit(text).alias(column) for column, text in about.items())
            )
    scores = rank_ranges(pl.concat(parts), by=["measure", "slice"])
    interval = [pl.lit(None, pl.Float64).alias(bound) for bound in ("low", "high")]
    return scores.with_columns(interval).select(
        "measure", "slice", "run", "value", "questions", "rank_first", "rank_last", "low", "high"
    )


def count(evidence: Evidence) -> pl.DataFrame:
    """What every run did, over all questions and by question type."""
    parts = []
    for part, questions in evidence.slices().items():
        sums = evidence.sums(questions)
        counts = {shown: sums[column] for column, shown in COUNTS.items()}
        parts.append(
            pl.DataFrame({"run": evidence.runs, **counts}).select(
                pl.lit(part).alias("slice"), pl.all()
            )
        )
    return pl.concat(parts)


def describe_questions(evidence: Evidence) -> pl.DataFrame:
    """How hard each question was: the runs that got it right, and the share that did not."""
    right_runs = evidence.columns["correct"].sum(axis=0, dtype=np.int64)
    return evidence.questions.select(
        "question",
        slice=pl.col("type").fill_null("all"),
        right_runs=pl.Series(right_runs),
        best=pl.Series(right_runs > 0),
        difficulty=pl.Series(1 - right_runs / len(evidence.runs)),
    )
