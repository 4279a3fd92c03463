"""The table of answers: what every run answered, and what every judge said of it.

It is as long as all responses under all judges. So it goes from file to file in pieces, and is
never held in memory as a whole.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl

from qampaign.files import replacing
from qampaign.input.store import RowReader
from qampaign.judging.judges import JUDGES
from qampaign.judging.judgments import is_correct
from qampaign.publishing.database import ROW_GROUP
from qampaign.tables import RESULT_TABLES

WRITTEN_AS = {"keys": "key", "patterns": "pattern"}
"""The tables that say what is accepted, with the column that does."""


class JudgedFile(NamedTuple):
    """The judgments of a judge."""

    judge: str
    file: str
    correct: Collection[str]
    """The verdicts that count as correct for it."""


def write_answers(collection: str, judged: Iterable[JudgedFile], path: Path) -> int:
    """Write the answers of a collection as Parquet; gives the number of rows."""
    answers = pl.concat([_answers(collection, judged_file) for judged_file in judged])
    with replacing(path) as temporary:
        answers.sink_parquet(
            temporary, compression="zstd", compression_level=1, row_group_size=ROW_GROUP
        )
    return int(pl.scan_parquet(path).select(pl.len()).collect().item())


def _answers(collection: str, judged: JudgedFile) -> pl.LazyFrame:
    """The judgments of one judge as rows of the table."""
    judgments = pl.scan_parquet(judged.file)
    columns = judgments.collect_schema().names()
    correct = pl.col("answered") & is_correct(judged.correct)
    return judgments.with_columns(
        collection=pl.lit(collection),
        judge=pl.lit(judged.judge),
        sample=pl.col("sample") if "sample" in columns else pl.lit(None, pl.String),
        confidence=pl.coalesce("confidence", "score"),
        correct=correct,
        unassessed=pl.col("verdict") == "unassessed",
    ).select(pl.col(column.name).cast(column.dtype) for column in RESULT_TABLES["answers"].columns)


def describe_questions(
    questions: pl.DataFrame,
    read: RowReader,
    kinds: Mapping[str, str],
    judged: Iterable[JudgedFile],
) -> pl.DataFrame:
    """Questions by judge, with their type and text, what the judge accepts and the keys.

    `kinds` has the kind of each judge, and `read` reads the rows of the collection.
    """
    texts = read("questions", ("question", "type", "text"))
    accepted = [
        _accepted(read, judged_file, JUDGES[kinds[judged_file.judge]].by).with_columns(
            judge=pl.lit(judged_file.judge)
        )
        for judged_file in judged
    ]
    described = questions.join(texts, on="question", how="left", maintain_order="left")
    by = ["judge", "question"]
    described = described.join(pl.concat(accepted), on=by, how="left", maintain_order="left")
    return described.join(_keys(read), on="question", how="left", maintain_order="left")


def _keys(read: RowReader) -> pl.DataFrame:
    """question and keys: those that it has, as a list in JSON."""
    rows = read("keys", ("question", "key")).unique(maintain_order=True)
    listed = rows.group_by("question", maintain_order=True).agg("key").rows()
    return pl.DataFrame(
        [(question, json.dumps(keys, ensure_ascii=False)) for question, keys in listed],
        schema={"question": pl.String, "keys": pl.String},
        orient="row",
    )


def _accepted(read: RowReader, judged: JudgedFile, table: str) -> pl.DataFrame:
    """question and key: what a judge accepts, in one text."""
    if table in WRITTEN_AS:
        rows = read(table, ("question", WRITTEN_AS[table])).rename({WRITTEN_AS[table]: "key"})
    else:
        correct = is_correct(judged.correct) & pl.col("said").is_null()  # an item accepts nothing
        accepted = pl.scan_parquet(judged.file).filter(correct)
        named = accepted.select(pl.col("question").cast(pl.String), key="answer")
        rows = named.drop_nulls().unique().sort("question", "key").collect()
    return rows.group_by("question", maintain_order=True).agg(pl.col("key").str.join(" | "))
