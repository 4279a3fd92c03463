"""Failure analysis: why a judge and the reference differ, as people say who looked (Breck et al.).

Of a random sample of responses, those where the two differ go to a CSV file with an empty column
`cause`. A person fills it in, and the causes are counted.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from qampaign.files import write_for_people
from qampaign.input.formats import Source, Unreadable, note
from qampaign.input.sources import read_table
from qampaign.judging.judgments import keys_of
from qampaign.judging.lookup import look_up
from qampaign.problems import Problems, Refused
from qampaign.spreadsheets import unescape_formulas

SAMPLE = 990
"""The size of the sample in Breck et al. 2000, 3.6."""

HEADING = "The causes of failures cannot be counted:"

LONGEST = 200
"""The most characters of a cause."""

NEEDED = ["question", "run", "rank", "cause"]
"""What must be in a file that comes back; its other columns are for the eye."""


def sample_failures(
    pairs: pl.DataFrame, rng: np.random.Generator, *, size: int = SAMPLE
) -> pl.DataFrame:
    """Those of a random sample of matched judgments where judge and reference differ, in order."""
    rows = np.sort(rng.choice(pairs.height, min(size, pairs.height), replace=False))
    return pairs[rows].filter(pl.col("right") != pl.col("accepted"))


def describe(
    failures: pl.DataFrame,
    responses: pl.DataFrame,
    questions: pl.DataFrame,
    keys: pl.DataFrame | None = None,
    *,
    matched_words: Callable[[pl.DataFrame], pl.Series] | None = None,
) -> pl.DataFrame:
    """Matched judgments with what a person needs to see, and an empty column for the cause.

    `responses` give the answers, `questions` the texts, `keys` (question and key) the accepted
    answers, if the judge has any, and `matched_words` finds the words of its key in answers.
    """
    names, keys_of_pair = pl.col("question", "run").cast(pl.String), keys_of(failures)
    sampled = [name for name in keys_of_pair if name == "sample"]
    answers = responses.select(names, *sampled, "rank", "answer")
    texts = questions.select(pl.col("question").cast(pl.String), "text")
    if keys is None:
        keys = pl.DataFrame(schema={"question": pl.String, "key": pl.String})
    key = keys.group_by(pl.col("question").cast(pl.String), maintain_order=True).agg(
        pl.col("key").str.join(" | ")
    )
    described = (
        failures.with_columns(names)
        .join(answers, on=keys_of_pair, how="left", maintain_order="left", nulls_equal=True)
        .join(texts, on="question", how="left", maintain_order="left")
        .join(key, on="question", how="left", maintain_order="left")
        .select(
            "question",
            "text",
            "key",
            "run",
            *sampled,
            "rank",
            "answer",
            pl.col("verdict", "reference_verdict").cast(pl.String),
            pl.col("degree", "recall", "precision").round(4),
            "form",
        )
    )
    nothing = pl.lit(None, pl.String)
    matched = nothing if matched_words is None else matched_words(described)
    return described.with_columns(matched=matched, cause=nothing)


def read_filled(path: str | Path, responses: pl.DataFrame) -> pl.DataFrame:
    """A file that was filled in: question, run, rank and cause of each row; null: not filled in.

    `responses` (run, question, sample, rank) are those that it can be about; where they have
    samples, so does the file. Raises :class:`Refused` for
    what cannot be read, with every line that is at fault.
    """
    sampled = "sample" in responses.columns and responses["sample"].is_not_null().any()
    needed = [*NEEDED, *(["sample"] if sampled else [])]
    source = _open(Path(path), needed)
    text = unescape_formulas(pl.all().str.strip_chars())
    rows = source.frame.select(needed).select(pl.when(text != "").then(text))
    rank = pl.col("rank").str.replace(r"\.0+$", "").cast(pl.Int64, strict=False)
    filled = rows.with_columns(rank)
    problems = Problems()
    for (column, problem, allowed), at_fault in _faults(filled, responses).items():
        problems.add_rows(
            pl.repeat(str(path), int(at_fault.sum()), eager=True),
            source.lines.filter(at_fault),
            rows[column].filter(at_fault),
            column=column,
            problem=problem,
            allowed=allowed,
        )
    if len(problems):
        raise Refused(problems.summary(HEADING))
    return filled


def _open(path: Path, needed: list[str]) -> Source:
    """The content of a file with the columns that are needed."""
    try:
        return read_table(path, needed)
    except Unreadable as unreadable:
        problems = Problems()
        note(problems, str(path), unreadable.faults)
        raise Refused(problems.summary(HEADING)) from None


def _faults(filled: pl.DataFrame, responses: pl.DataFrame) -> dict[tuple[str, str, str], pl.Series]:
    """Which rows have which fault: its column, what it is, what is allowed."""
    keys = keys_of(filled)
    there, sought = (_comparable(table, keys) for table in (responses, filled))
    known = look_up(sought, there, keys).is_not_null()
    no_rank, cause = filled["rank"].is_null(), filled["cause"]
    return {
        ("rank", "is not a rank", "a whole number, as it was written"): no_rank,
        ("question", "has no response of that run at that rank", "the rows that were written"): (
            ~no_rank & ~known
        ),
        ("question", "occurs twice with the same run and rank", "each response once"): (
            ~filled.select(pl.struct(keys).is_first_distinct()).to_series()
        ),
        ("cause", "is too long", f"at most {LONGEST} characters"): (
            (cause.str.len_chars() > LONGEST).fill_null(False)
        ),
        ("cause", "has a control character in it", "text on one line"): (
            cause.str.contains(r"[\p{Cc}\p{Zl}\p{Zp}]").fill_null(False)
        ),
    }


def _comparable(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """What rows are known by, as text and whole numbers; without samples the sample is ''."""
    names = pl.col([name for name in keys if name != "rank"]).cast(pl.String)
    plain = rows.select(names, pl.col("rank").cast(pl.Int64)).select(keys)
    return plain.with_columns(pl.col(name).fill_null("") for name in keys if name == "sample")


def still_open(filled: pl.DataFrame, pairs: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """The rows of a file on which judge and reference still differ, and the number of the others.

    Labels, keys and runs may have changed since the file was written.
    """
    keys = [name for name in keys_of(pairs) if name in filled.columns]
    differing = _comparable(pairs.filter(pl.col("right") != pl.col("accepted")), keys)
    rows = filled.filter(look_up(_comparable(filled, keys), differing, keys).is_not_null())
    return rows, filled.height - rows.height


def hand_out(
    described: pl.DataFrame, path: Path, responses: pl.DataFrame, pairs: pl.DataFrame
) -> tuple[pl.DataFrame, int]:
    """Write failures for people to fill in; where they have begun to, take what they say instead.

    Gives the rows whose causes count, and the number of those in the file that do not any more.
    """
    if write_for_people(described, path):
        return described, 0
    return still_open(read_filled(path, responses), pairs)


def count_causes(filled: pl.DataFrame) -> pl.DataFrame:
    """How often each cause is given, most frequent first, and its share of all rows.

    `judge wrong: numbers` is counted as a part of `judge wrong`; parts follow their whole. Causes
    that differ in case or spaces alone are one, as it is spelt most often. A cause of null, last,
    counts the rows that have none yet; where none has one, there is nothing to count.

    Gives cause, part_of (null for a whole), count, share. The counts without part_of add up to the
    rows.
    """
    filled = filled.head(filled.height if filled["cause"].is_not_null().any() else 0)
    halves = filled.select(pl.col("cause").str.splitn(":", 2).struct.unnest())
    spaces = pl.all().str.replace_all(r"\s+", " ").str.strip_chars()
    cleaned = halves.select(pl.when(spaces != "").then(spaces)).rename(
        {"field_0": "whole", "field_1": "part"}
    )
    whole, part = (pl.col(name).str.to_lowercase() for name in ("whole", "part"))
    spelt = cleaned.with_columns(
        whole=pl.col("whole").mode().min().over(whole),
        part=pl.col("part").mode().min().over(whole, part),
    )
    counted = spelt.group_by("whole").len("count").with_columns(part=pl.lit(None, pl.String))
    parts = spelt.drop_nulls().group_by("whole", "part").len("count")
    total = max(filled.height, 1)
    return (
        pl.concat([counted, parts.select(counted.columns)])
        .with_columns(
            size=pl.col("count").max().over("whole"), inner=pl.col("part").is_not_null()
        )
        .sort(
            pl.col("whole").is_null(), -pl.col("size").cast(pl.Int64), "whole",
            "inner", -pl.col("count").cast(pl.Int64), "part",
        )
        .select(
            cause=pl.coalesce("part", "whole"),
            part_of=pl.when("inner").then("whole"),
            count=pl.col("count").cast(pl.Int64),
            share=pl.col("count") / total,
        )
    )  # fmt: skip
