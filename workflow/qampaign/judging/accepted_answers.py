"""What judges by accepted answers share: what follows once each answer has been compared."""

from collections.abc import Collection
from functools import partial

import polars as pl

from qampaign.judging import refusals as refusals_of
from qampaign.judging.judgments import Judged, Verdict, conclude
from qampaign.judging.unassessed import refuse_uncovered
from qampaign.options import Options


def conclude_by_answers(
    judged: pl.DataFrame,
    questions: pl.DataFrame,
    accepted: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    refusals: Options | None,
) -> Judged:
    """What a judge gives, from responses with a verdict where there is something to judge them by.

    `accepted` are the answers that it knows to be right: question, answer, class, level. Where a
    question has no answer, only NIL is right, as for a judge by key.
    """
    is_nil = pl.col("question").is_in(questions.filter("nil")["question"].implode())
    decided = judged.with_columns(
        verdict=pl.when(pl.col("verdict").is_null() & is_nil & pl.col("answer").is_not_null())
        .then(pl.lit("wrong", Verdict))
        .otherwise("verdict")
    )
    return conclude(
        refusals_of.mark(decided, questions, refusals, name=name),
        questions,
        accepted.select("question", "answer", "class", "level"),
        correct=correct,
        nil=nil,
        unassessed=unassessed,
        refuse=partial(refuse_uncovered, name=name, what="key"),
    )
