"""The judge `assessments`: what people said of an answer string, or of a run's answer at a rank."""

from collections.abc import Collection, Sequence
from functools import partial

import polars as pl

from qampaign.judging.adjudication import WORD, adjudicate, select_assessor
from qampaign.judging.judgments import Judged, conclude, encode, is_correct
from qampaign.judging.lookup import look_up
from qampaign.judging.unassessed import refuse_unassessed


def judge(
    responses: pl.DataFrame,
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str] = ("right",),
    assessor: str | None = None,
    ties: Sequence[str] = (),
    unassessed: str = "error",
    nil: str = "NIL",
) -> Judged:
    """Judge responses by the final word of the assessments, or by the word of one `assessor`.

    The final word is the adjudicated label, else the majority of the assessors; `ties` lists the
    verdicts that win a tie, the first one first. `name` is how messages call this judge. Raises
    :class:`Refused` for ties that nothing breaks, and for answers without an assessment unless
    `unassessed` is "wrong". A response with an `origin` is judged by the labels of that run.
    """
    if assessor is not None:
        assessments, questions = select_assessor(assessments, questions, assessor, name)
    final = adjudicate(assessments, ties, name)
    responses, questions, final = encode(responses, questions, final)
    judged, by_position = attach(responses, final)
    good, known = is_correct(correct), ["question", "answer", "class", "level"]
    named = final.filter(pl.col("run").is_null() & good).select(known)
    right = pl.concat([named, judged.filter(by_position & good).select(known)])
    return conclude(
        judged,
        questions,
        right,
        correct=correct,
        nil=nil,
        unassessed=unassessed,
        refuse=partial(refuse_unassessed, name=name),
    )


def attach(responses: pl.DataFrame, final: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The responses with the word on each, and which of them got it by run and rank."""
    run_ids = responses.schema["run"]
    by_position = final.filter(pl.col("run").is_not_null())
    by_position = by_position.with_columns(pl.col("run").cast(run_ids, strict=False))
    by_answer = final.filter(pl.col("run").is_null())
    labelled = responses
    if "origin" in responses.columns:
        labelled = responses.with_columns(run=pl.col("origin").cast(run_ids, strict=False))
    place = look_up(labelled, by_position, ["run", "question", "rank"])
    found = place.is_not_null()
    of_string = look_up(responses, by_answer, ["question", "answer"])
    words = by_answer.select(pl.col(WORD).gather(of_string))
    if found.any():
        own = by_position.select(pl.col(WORD).gather(place))
        words = own.select(pl.when(found).then(each).otherwise(words[each]) for each in WORD)
    return responses.with_columns(words), found
