"""The columns of the input tables: what each holds, and how its text becomes values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandera.errors
import pandera.polars as pa
import polars as pl

from qampaign.input.formats import Source
from qampaign.problems import Problems
from qampaign.values import FLAGS

WHOLE, NUMBER, FLAG = "a whole number", "a number", "true or false"
ID, TEXT, DATE = "an id", "text", "a date such as 2011-06-19"

COLUMNS: dict[str, dict[str, str]] = {
    "questions": {
        "question": ID,
        "type": TEXT,
        "text": TEXT,
        "language": TEXT,
        "nil": FLAG,
        "known": WHOLE,
        "group": TEXT,
        "date": DATE,
    },
    "runs": {"run": ID, "team": TEXT, "category": TEXT, "language": TEXT},
    "responses": {
        "run": ID,
        "question": ID,
        "rank": WHOLE,
        "answer": TEXT,
        "confidence": NUMBER,
        "score": NUMBER,
        "answered": FLAG,
        "support": TEXT,
    },
    "assessments": {
        "question": ID,
        "run": ID,
        "rank": WHOLE,
        "answer": TEXT,
        "assessor": ID,
        "label": TEXT,
        "level": TEXT,
        "class": TEXT,
    },
    "keys": {"question": ID, "key": TEXT, "level": TEXT, "class": TEXT},
    "patterns": {"question": ID, "pattern": TEXT},
}
COLUMNS["verdicts"] = COLUMNS["assessments"]
"""The columns of each input table and what they hold."""

REQUIRED = {
    "questions": ["question"],
    "runs": ["run"],
    "responses": ["question", "answer"],
    "assessments": ["question", "label"],
    "verdicts": ["question", "label"],
    "keys": ["question", "key"],
    "patterns": ["question", "pattern"],
}


SHOWN_ONLY = {"assessments": ["text"]}
"""Columns that a file has for those who fill it in."""


@dataclass(frozen=True)
class Part:
    """A file of a batch: its name, the run it names, and what stands in it."""

    file: str
    run: str
    source: Source
    unfilled: int = 0
    """How many rows were left out since nobody has labelled them yet."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it, not even a line that cannot be read."""
        return not self.source.frame.height and not self.source.faults


@dataclass
class Rows:
    """The typed rows of files that have the same columns, and what was found wrong or remarkable.

    Files are typed together: what each costs by itself would add up where there are many.
    """

    parts: Sequence[Part]
    text: pl.DataFrame = field(init=False)
    """The rows as the files have them."""
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    problems: Problems = field(default_factory=Problems)
    remarks: list[tuple[int, str, str, int]] = field(default_factory=list)
    """Number of the file, column, remark, number of rows."""

    def __post_init__(self) -> None:
        self.text = pl.concat([part.source.frame for part in self.parts], rechunk=True)

    @property
    def given(self) -> list[str]:
        """The columns that the files have."""
        return self.text.columns

    @property
    def ascii(self) -> bool:
        """Whether no text in them can need Unicode normalisation."""
        return all(part.source.ascii for part in self.parts)

    @property
    def tidy(self) -> bool:
        """Whether no text in them can have white space to take out."""
        return all(part.source.tidy for part in self.parts)

    @property
    def heights(self) -> list[int]:
        """The number of rows of each file."""
        return [part.source.frame.height for part in self.parts]

    def lines(self) -> pl.Series:
        """The line of each row."""
        return pl.concat([part.source.lines for part in self.parts]).alias("line")

    def by_file(self, values: Sequence[Any]) -> pl.Series:
        """A value for each file, repeated for each of its rows."""
        index = np.repeat(np.arange(len(self.parts)), self.heights)
        return pl.Series(values).gather(index)

    def refuse(self, rows: pl.Series, column: str, problem: str, allowed: str = "") -> None:
        """Note a problem for every row where `rows` is true, with the value as the file has it."""
        numbers = rows.fill_null(False).arg_true()
        if not len(numbers):
            return
        values = pl.Series([None], dtype=pl.String).new_from_index(0, len(numbers))
        if column in self.given:
            values = self.text[column].gather(numbers).fill_null("")
        files = self.by_file([part.file for part in self.parts]).gather(numbers)
        lines = self.lines().gather(numbers)
        self.problems.add_rows(
            files, lines, values, column=column, problem=problem, allowed=allowed
        )

    def remark(self, rows: pl.Series, column: str, text: str) -> None:
        """Remark, file by file, on the rows where `rows` is true."""
        if rows.any():
            files = self.by_file(range(len(self.parts))).filter(rows)
            for number, count in zip(*files.value_counts(sort=True).get_columns(), strict=True):
                self.remarks.append((number, column, text, count))

    def refuse_file(self, part: Part, problem: str, allowed: str) -> None:
        """Note a problem of a file as a whole."""
        self.problems.add(file=part.file, problem=problem, allowed=allowed)


def note_columns(table: str, rows: Rows) -> None:
    """Remark on columns that nothing reads; refuse wanted ones that hold lists."""
    for number, part in enumerate(rows.parts):
        for name in rows.given:
            if name not in (*COLUMNS[table], *SHOWN_ONLY.get(table, ())) and table != "runs":
                rows.remarks.append((number, name, "column is not used", part.source.frame.height))
        if part.unfilled:
            told = "rows without a label: not judged yet, left out"
            rows.remarks.append((number, "label", told, part.unfilled))
        if part.source.spread:
            told = "rows of several lines, by line ends in quotes"
            rows.remarks.append((number, "", told, part.source.spread))
    for name in sorted({name for part in rows.parts for name in part.source.nested}):
        if name in COLUMNS[table]:
            sources = (part.source for part in rows.parts)
            found = pl.concat([each.lines.is_in(each.nested.get(name, [])) for each in sources])
            rows.refuse(found, name, "is not a single value", "text, number, date, true or false")


def typed(rows: Rows, name: str, kind: str) -> pl.Series:
    """The column `name` as its kind; empty is null, and what cannot be read is a problem."""
    dtype = {WHOLE: pl.Int64, NUMBER: pl.Float64, FLAG: pl.Boolean, DATE: pl.Date}.get(
        kind, pl.String
    )
    if name not in rows.given:
        return pl.Series(name, [None], dtype).new_from_index(0, rows.text.height)
    text = rows.text[name]
    if not rows.tidy:
        text = text.str.strip_chars()
    if not rows.ascii:
        text = text.str.normalize("NFC")
    if (text == "").any():
        text = text.replace("", None)
    if kind == TEXT and not rows.tidy and text.str.contains(r"\s\s|[^\S ]").any():
        text = text.str.replace_all(r"\s+", " ")
    if dtype == pl.String:
        return text
    if kind == FLAG:
        typed = text.str.to_lowercase().replace_strict(FLAGS, default=None, return_dtype=dtype)
    elif kind == DATE:
        typed = text.str.to_date("%Y-%m-%d", strict=False)
    else:
        typed = text.cast(dtype, strict=False)
        if kind == WHOLE and typed.null_count() != text.null_count():
            real = text.cast(pl.Float64, strict=False)  # pandas writes 1.0 where a column has gaps
            typed = typed.fill_null(real.set(real != real.round(), None).cast(dtype, strict=False))
    if typed.null_count() != text.null_count():
        rows.refuse(typed.is_null() & text.is_not_null(), name, f"is not {kind}", kind)
    return typed


def validate(rows: Rows, model: type[pa.DataFrameModel]) -> None:
    """Check values against the model; pandera names the rows, the file has their lines."""
    try:
        model.validate(rows.frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        cases = errors.failure_cases.drop_nulls("index")
        for column, check in cases.select("column", "check").unique(maintain_order=True).rows():
            same = (pl.col("column") == column) & (pl.col("check") == check)
            index = cases.filter(same)["index"].implode()
            failed = pl.int_range(rows.frame.height, eager=True).is_in(index)
            if check == "not_nullable":  # what was given but could not be read is noted already
                given = column in rows.given
                text = rows.text[column].str.strip_chars() if given else None
                empty = failed if text is None else failed & text.replace("", None).is_null()
                rows.refuse(empty, column, "is empty", "a value")
            else:
                rows.refuse(failed, column, "is not allowed", check)
