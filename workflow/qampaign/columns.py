"""The columns of the input tables: what each holds, and how its text becomes values."""

from dataclasses import dataclass, field

import pandera.errors
import pandera.polars as pa
import polars as pl

from qampaign.formats import Source
from qampaign.problems import Problems

FLAGS = {"true": True, "yes": True, "1": True, "t": True, "y": True}
FLAGS |= {"false": False, "no": False, "0": False, "f": False, "n": False}

SHOWN = 20
"""How many of a file's columns a message names."""

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
}
"""The columns of each input table and what they hold."""

REQUIRED = {
    "questions": ["question"],
    "runs": ["run"],
    "responses": ["question", "answer"],
    "assessments": ["question", "label"],
}


@dataclass
class Rows:
    """The typed rows of one file with their lines, and what was found wrong or worth a remark."""

    file: str
    source: Source
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    problems: Problems = field(default_factory=Problems)
    remarks: list[tuple[str, str, int]] = field(default_factory=list)
    """Column, remark, number of rows."""

    def refuse(self, rows: pl.Series, column: str, problem: str, allowed: str = "") -> None:
        """Note a problem for every row where `rows` is true, with the value as the file has it."""
        numbers = rows.fill_null(False).arg_true()
        lines = self.source.lines.gather(numbers)
        values = pl.Series([None], dtype=pl.String).new_from_index(0, len(numbers))
        if column in self.source.frame.columns:
            values = self.source.frame[column].gather(numbers).fill_null("")
        self.problems.add_rows(
            lines, values, file=self.file, column=column, problem=problem, allowed=allowed
        )

    def refuse_file(self, problem: str, allowed: str) -> None:
        """Note a problem of the file as a whole."""
        self.problems.add(file=self.file, problem=problem, allowed=allowed)


def note_columns(table: str, rows: Rows) -> None:
    """Remark on columns that nothing reads; refuse wanted ones that hold lists."""
    for name in rows.source.frame.columns:
        if name not in COLUMNS[table] and table != "runs":
            rows.remarks.append((name, "column is not used", rows.source.frame.height))
    for name, lines in rows.source.nested.items():
        if name in COLUMNS[table]:
            found = rows.source.lines.is_in(lines)
            rows.refuse(found, name, "is not a single value", "text, number, date, true or false")
    if rows.source.spread:
        rows.remarks.append(
            ("", "rows of several lines, by line ends in quotes", rows.source.spread)
        )


def typed(rows: Rows, name: str, kind: str) -> pl.Series:
    """The column `name` as its kind; empty is null, and what cannot be read is a problem."""
    dtype = {WHOLE: pl.Int64, NUMBER: pl.Float64, FLAG: pl.Boolean, DATE: pl.Date}.get(
        kind, pl.String
    )
    if name not in rows.source.frame.columns:
        return pl.Series(name, [None], dtype).new_from_index(0, rows.source.frame.height)
    text = rows.source.frame[name].str.strip_chars()
    if not rows.source.ascii:
        text = text.str.normalize("NFC")
    if (text == "").any():
        text = text.replace("", None)
    if kind == TEXT and text.str.contains(r"\s\s|[^\S ]").any():
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
            failed = pl.Series(range(rows.frame.height)).is_in(cases.filter(same)["index"])
            if check == "not_nullable":  # what was given but could not be read is noted already
                given = column in rows.source.frame.columns
                text = rows.source.frame[column].str.strip_chars() if given else None
                empty = failed if text is None else failed & text.replace("", None).is_null()
                rows.refuse(empty, column, "is empty", "a value")
            else:
                rows.refuse(failed, column, "is not allowed", check)
