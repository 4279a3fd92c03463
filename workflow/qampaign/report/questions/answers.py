"""The answers to a range of questions, as columns of numbers and a list of the texts in them.

A page holds many such chunks and opens one when a question in it is asked for. A column that says
nothing (no samples, no confidences) is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from qampaign.tables import RESULT_TABLES
from qampaign.verdicts import VERDICTS

CHUNK = 300_000
"""Characters of text in a chunk, and a few more for its last question."""

LONGEST = 4_000
"""Characters of an answer that a page shows; the table `answers` has all of them."""

QUOTED = [column.name for column in RESULT_TABLES["answers"].columns if column.quotes]

KEYS = ["question", "run", "sample", "rank"]
"""What an answer is known by; question and run by number."""


@dataclass(frozen=True)
class Chunk:
    """The answers to the questions from `first` on."""

    first: int
    questions: int
    content: dict[str, object]
    size: int
    """Characters of text in it."""


def shortened(text: pl.Expr) -> pl.Expr:
    """A text, cut where it is very long."""
    more = text.str.len_chars() - LONGEST
    cut = pl.format("{} … ({} more characters)", text.str.slice(0, LONGEST), more)
    return pl.when(text.str.len_chars() > LONGEST).then(cut).otherwise(text)


def chunks(
    answers: pl.DataFrame, accepted: Mapping[str, Sequence[str | None]], judges: Sequence[str],
    first: int, runs: int,
) -> Iterator[Chunk]:  # fmt: skip
    """Cut the answers to some questions, from the one with the number `first` on, into chunks.

    `accepted` has by judge what it accepts for each of these questions.
    """
    number = len(next(iter(accepted.values())))
    by_judge = answers.partition_by("judge", as_dict=True)
    rows = answers.select(KEYS).unique().sort(KEYS)
    shared = ["answer", "answered", "confidence"]
    first_rows = answers.unique(KEYS, keep="first").select(*KEYS, *shared)
    rows = rows.join(first_rows, on=KEYS, how="left", nulls_equal=True, maintain_order="left")
    columns = ["verdict", "degree", "matched", "level", "class"]
    verdicts = [
        rows.select(KEYS).join(by_judge[(judge,)].select(*KEYS, *columns), on=KEYS, how="left",
                               nulls_equal=True, maintain_order="left").drop(KEYS)
        if (judge,) in by_judge else rows.select(pl.lit(None).alias(name) for name in columns)
        for judge in judges
    ]  # fmt: skip
    per_question = np.zeros(number, dtype=np.int64)
    counted = rows.group_by("question").len()
    per_question[counted["question"].to_numpy() - first] = counted["len"].to_numpy()
    sizes = np.zeros(number, dtype=np.int64)
    texts = rows.select("question", length=pl.col("answer").str.len_chars().fill_null(0) + 8)
    lengths = texts.group_by("question").agg(pl.col("length").sum())
    sizes[lengths["question"].to_numpy() - first] = lengths["length"].to_numpy()
    groups = (np.cumsum(sizes) - sizes) // CHUNK
    ends = np.r_[np.flatnonzero(np.diff(groups)) + 1, number]
    begin, row = 0, 0
    for end in ends.tolist():
        length = int(per_question[begin:end].sum())
        chunk_rows = rows.slice(row, length)
        spoken = [frame.slice(row, length) for frame in verdicts]
        keys = [pl.Series(accepted[judge][begin:end], dtype=pl.String) for judge in judges]
        content = _content(chunk_rows, spoken, keys, runs) | {
            "first": first + begin,
            "rows": per_question[begin:end].tolist(),
        }
        yield Chunk(first + begin, end - begin, content, int(sizes[begin:end].sum()))
        begin, row = end, row + length


def _content(
    rows: pl.DataFrame, verdicts: Sequence[pl.DataFrame], keys: Sequence[pl.Series], runs: int
) -> dict[str, object]:
    words = [
        rows["answer"],
        *(frame[name] for frame in verdicts for name in ("matched", "level", "class")),
    ]
    words += [rows["sample"], *keys]
    texts = (
        pl.concat([column.cast(pl.String) for column in words])
        .drop_nulls()
        .unique(maintain_order=True)
    )
    numbers = pl.Enum(texts)

    def number(column: pl.Series) -> list[int | None] | None:
        if column.null_count() == len(column):
            return None
        return column.cast(pl.String).cast(numbers).to_physical().to_list()

    every = np.arange(rows.height) % runs if runs else np.arange(0)
    withheld = (~rows["answered"]) & rows["answer"].is_not_null()
    columns: dict[str, object] = {
        "run": None if np.array_equal(rows["run"].to_numpy(), every) else rows["run"].to_list(),
        "sample": number(rows["sample"]),
        "rank": rows["rank"].to_list() if (rows["rank"] != 1).any() else None,
        "answer": number(rows["answer"]),
        "withheld": withheld.arg_true().to_list() or None,
        "confidence": _rounded(rows["confidence"]),
        "judges": [
            _filled({
                "verdict": _verdicts(frame["verdict"]),
                "degree": _rounded(frame["degree"]),
                **{name: number(frame[name]) for name in ("matched", "level", "class")},
            })
            for frame in verdicts
        ],
        "keys": [number(column) for column in keys],
        "texts": texts.to_list(),
    }  # fmt: skip
    return _filled(columns)


def _verdicts(column: pl.Series) -> str:
    """The numbers of verdicts as digits; a space where there is none."""
    digits = {verdict: str(at) for at, verdict in enumerate(VERDICTS)}
    return "".join(column.cast(pl.String).replace_strict(digits, default=" ").to_list())


def _rounded(column: pl.Series) -> list[float | None] | None:
    return (
        None if column.null_count() == len(column) else column.cast(pl.Float64).round(4).to_list()
    )


def _filled(columns: dict[str, object]) -> dict[str, object]:
    return {name: column for name, column in columns.items() if column is not None}
