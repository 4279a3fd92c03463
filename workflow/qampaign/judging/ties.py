"""Ties between assessors: a sheet of those that are refused, a remark on those that are decided."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from qampaign.files import write_for_people
from qampaign.judging.adjudication import Tied, item_of
from qampaign.judging.judgments import Judged
from qampaign.problems import Refused
from qampaign.tables import schema_of

POSITION = ["question", "run", "sample", "rank"]


def refuse_ties(
    tied: Tied, responses: pl.DataFrame, questions: pl.DataFrame, sheet: Path, *, added_to: str
) -> Refused:
    """Write what is tied as a sheet to be adjudicated; gives the message that names it.

    `added_to` is the key of the config that takes the sheet once it is filled in.
    """
    written = write_for_people(make_sheet(tied.ties, responses, questions), sheet)
    rule = f"or {tied.rule}"
    if written:
        advice = f"Fill in the column label of {sheet} and add that file to {added_to}, {rule}"
    else:
        advice = (
            f"{sheet} has been filled in and is left alone: add it to {added_to}; if it is there "
            f"already, give it another name there and run again for a sheet of the rest; {rule}"
        )
    return Refused(tied.message(advice))


def refuse_level_jury(tied: Tied) -> Refused:
    """The message where the judges of a jury are level: there is nobody to ask but the config."""
    advice = f"{tied.rule[0].upper()}{tied.rule[1:]}, for the jury or the collection"
    return Refused(tied.message(advice, lacking="no majority among the jury."))


def make_sheet(
    ties: pl.DataFrame, responses: pl.DataFrame, questions: pl.DataFrame
) -> pl.DataFrame:
    """The table to be filled in: what is tied, who said what, and columns for the final word.

    An answer that was labelled by its run and rank is shown with its text. Columns without any
    value are left out.
    """
    texts = questions.select("question", "text")
    position_columns = [
        name for name in POSITION if name in ties.columns and name in responses.columns
    ]
    answers = responses.select(*position_columns, pl.col("answer").alias("given"))
    shown = (
        ties.cast({name: responses.schema[name] for name in position_columns})
        .join(texts, on="question", how="left", maintain_order="left")
        .join(answers, on=position_columns, how="left", maintain_order="left", nulls_equal=True)
        .with_columns(answer=pl.coalesce("answer", "given"))
    )
    item = [name for name in item_of(ties) if shown[name].null_count() < shown.height]
    empty = [pl.lit(None, pl.String).alias(name) for name in ("label", "level", "class")]
    final = pl.lit("adjudicated").alias("assessor")
    return shown.select("question", "text", *item[1:], "votes", *empty, final)


def remark_on_ties(judged: Judged, judge: str, ties: Sequence[str]) -> pl.DataFrame:
    """The rows of the table of remarks on the ties that the config decided, less the collection.

    >>> nothing = pl.DataFrame()
    >>> judged = Judged(nothing, nothing, nothing, decided=2)
    >>> remark_on_ties(judged, "people", ["wrong"]).select("remark", "count").rows()
    [('judge people: ties between labels that ties: [wrong] decides', 2)]
    """
    text = f"judge {judge}: ties between labels that ties: [{', '.join(ties)}] decides"
    rows = [(None, "label", text, judged.decided)] if judged.decided else []
    return pl.DataFrame(rows, schema=schema_of("remarks", "collection"), orient="row")
