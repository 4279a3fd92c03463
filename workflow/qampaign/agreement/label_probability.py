"""With which probability the answers were chosen that people have labelled, where labels say so."""

from collections.abc import Mapping

import polars as pl

from qampaign.input.store import RowReader
from qampaign.judging.derived import Rule, derive
from qampaign.judging.judges import response_columns
from qampaign.judging.lookup import look_up

TABLES = ("assessments", "verdicts")
"""The tables whose labels may have a probability."""
LABELS = ("question", "run", "sample", "rank", "answer", "assessor", "probability")


def with_probability(
    judgments: pl.DataFrame,
    read: RowReader,
    table: str,
    *,
    assessor: str | None,
    derived: Mapping[str, Rule],
    by_line: bool,
) -> pl.DataFrame:
    """Judgments with a column `probability`, where any label of their table has one.

    A label is for a run's answer at a rank (in a sample), or for an answer string; of several
    labels for one answer the largest probability counts. An answer string that a run gives more
    than once has its probability the first time: it was chosen once.
    """
    if table.partition("/")[0] not in TABLES:
        return judgments
    labels = read(table, LABELS).filter(pl.col("probability").is_not_null())
    if assessor is not None:
        labels = labels.filter(pl.col("assessor").fill_null("adjudicated") == assessor)
    if labels.is_empty():
        return judgments
    responses = derive(read("responses", response_columns(by_line=by_line)), derived)
    sampled = "sample" in judgments.columns
    keys = ["run", "question", *(["sample"] if sampled else []), "rank"]
    largest = pl.col("probability").max()
    positioned = labels.filter(pl.col("run").is_not_null())
    if sampled:  # what is null is never found
        responses, positioned = (
            rows.with_columns(pl.col("sample").fill_null("")) for rows in (responses, positioned)
        )
    responses = responses.select(*keys, "answer", "origin")
    by_position = positioned.group_by(keys).agg(largest)
    by_answer = labels.filter(pl.col("run").is_null()).group_by("question", "answer").agg(largest)
    of_run = responses.with_columns(run="origin")
    at_position = by_position["probability"].gather(look_up(of_run, by_position, keys))
    of_answer = by_answer["probability"].gather(
        look_up(responses, by_answer, ["question", "answer"])
    )
    # an answer that a run repeats was chosen once
    first = pl.int_range(pl.len()).over("run", "question", "answer", order_by="rank") == 0
    known = (
        responses.with_columns(at_position=at_position, of_answer=of_answer)
        .select(*keys, probability=pl.coalesce("at_position", pl.when(first).then("of_answer")))
        .drop_nulls("probability")
    )
    judgments = judgments.with_columns(pl.col("run", "question").cast(pl.String))
    if sampled:
        judgments = judgments.with_columns(pl.col("sample").cast(pl.String).fill_null(""))
    return judgments.join(known, on=keys, how="left", maintain_order="left")
