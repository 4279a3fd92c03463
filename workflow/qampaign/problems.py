"""Faults in what a user gave us, collected and shown in lines that can be acted on."""

import difflib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import polars as pl

from qampaign.files import write_csv

SHOWN = 20
"""How many kinds of problems a message shows; the CSV beside it has every single one."""

WORDINGS = 3
"""How many problems of one kind it shows where they differ in wording."""

NAMES = 12
"""How many names it gives as allowed."""

VALUE_WIDTH = 60
"""How much of a value a message shows."""

SCHEMA = {
    "collection": pl.String,
    "file": pl.String,
    "line": pl.UInt32,
    "column": pl.String,
    "value": pl.String,
    "problem": pl.String,
    "allowed": pl.String,
}


class Refused(Exception):
    """The input cannot be used. The message is all that a person needs to see."""


class Problems:
    """The faults so far: where each one is, what stands there, and what is allowed.

    >>> problems = Problems()
    >>> problems.add_rows(pl.Series(["a.csv", "a.csv"]), pl.Series([2, 3]), pl.Series(["x", "y"]),
    ...                   column="rank", problem="is not a number", allowed="1, 2, 3, …")
    >>> problems.add(file="b.csv", problem="is empty")
    >>> print(problems.summary("The input has 3 problems:"))
    The input has 3 problems:
      a.csv, line 2, column rank: 'x' is not a number; allowed: 1, 2, 3, … (and 1 more like this)
      b.csv: is empty
    """

    def __init__(self) -> None:
        self._rows: list[dict[str, str | int | None]] = []
        self._pieces: list[pl.DataFrame] = []

    def add(self, *, file: str, problem: str, line: int | None = None, **about: str | None) -> None:
        """Note one fault; `about` may give collection, column, value and allowed."""
        self._rows.append({"file": file, "problem": problem, "line": line, **about})

    def add_rows(
        self, files: pl.Series, lines: pl.Series, values: pl.Series, **same: str | None
    ) -> None:
        """Note the same fault for many rows; `same` gives the problem and what is equal for all."""
        if len(lines):
            frame = pl.DataFrame(
                {"file": files, "line": lines.cast(pl.UInt32), "value": values.cast(pl.String)}
            )
            others = {n: t for n, t in SCHEMA.items() if n not in frame.columns}
            filled = (pl.lit(same.get(n), t).alias(n) for n, t in others.items())
            self._pieces.append(frame.with_columns(*filled).select(*SCHEMA))

    def extend(self, other: "Problems", collection: str) -> None:
        """Take over what was found in a file of `collection`."""
        self._pieces.append(other._all().with_columns(collection=pl.lit(collection)))

    def where(self, chosen: pl.Expr) -> "Problems":
        """Those for which a condition on their columns holds."""
        some = Problems()
        some._pieces.append(self._all().filter(chosen.fill_null(False)))
        return some

    @property
    def values(self) -> list[str]:
        """The values that they are about, each once."""
        return self._all()["value"].drop_nulls().unique().sort().to_list()

    @property
    def texts(self) -> list[str]:
        """What is wrong and with which column, each text once."""
        texts = pl.concat_str(pl.lit("column "), "column", pl.lit(" "), "problem")
        return (
            self._all().select(pl.coalesce(texts, "problem").unique().sort()).to_series().to_list()
        )

    @property
    def positions(self) -> set[tuple[str, int | None]]:
        """The file and the line of each."""
        return set(self._all().select("file", "line").rows())

    def __len__(self) -> int:
        return len(self._rows) + sum(piece.height for piece in self._pieces)

    def _all(self) -> pl.DataFrame:
        return pl.concat([pl.DataFrame(self._rows, schema=SCHEMA), *self._pieces])

    def summary(self, heading: str, csv: Path | None = None) -> str:
        """A message with a line for each kind of problem, most frequent first.

        Problems are of one kind when they are about the same file, column and rule (what is
        allowed): a line shows the first of them and says how many more there are, and up to three
        lines where they differ in wording. All of them go to `csv`; without one, all
        are shown.
        """
        problems = self._all().sort("file", "collection", "line", "column", "value", "problem")
        rule = pl.when(pl.col("allowed") != "").then("allowed").otherwise("problem").alias("rule")
        kind = ["collection", "file", "column", "rule"]
        words = problems.with_columns(rule).group_by(*kind, "problem", maintain_order=True)
        kinds = words.agg(pl.col("line", "value", "allowed").first(), pl.len())
        index = pl.int_range(pl.len()).over(kind)
        last = kinds.height if csv is None else WORDINGS - 1
        hidden = pl.col("len").filter(index > last).sum().over(kind)
        kinds = (
            kinds.with_columns(
                len=pl.col("len") + pl.when(index == last).then(hidden).otherwise(0),
                total=pl.col("len").sum().over(kind),
            )
            .filter(index <= last)
            .sort("total", descending=True, maintain_order=True)
        )
        shown = kinds.head(SHOWN) if csv is not None else kinds
        lines = [heading, *(f"  {_line(row)}" for row in shown.to_dicts())]
        if kinds.height > shown.height:
            lines.append(f"  … and {kinds.height - SHOWN:,} more kinds of problems")
        if csv is not None:
            write_csv(problems, csv)
            lines.append(f"All of them: {csv}")
        return "\n".join(lines)


def _line(row: dict[str, Any]) -> str:
    location = printable(row["file"])
    if row["line"] is not None:
        location += f", line {row['line']}"
    if row["column"]:
        location += f", column {row['column']}"
    value = "" if row["value"] is None else f"{quote(row['value'])} "
    allowed = f"; allowed: {row['allowed']}" if row["allowed"] else ""
    more = f" (and {row['len'] - 1:,} more like this)" if row["len"] > 1 else ""
    return f"{location}: {value}{row['problem']}{allowed}{more}"


def first_names(names: Iterable[str]) -> str:
    """Names for a message, not all of very many.

    >>> first_names(["a", "b"])
    'a, b'
    """
    names = list(names)
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    return ", ".join(map(short_id, names[:NAMES])) + more


def nearest(word: str, known: Collection[str]) -> str:
    """The known name that is most like a word, for what a message calls allowed, if one is.

    >>> nearest("aplha", ["alpha", "beta"]), nearest("gamma", ["alpha"])
    ('alpha (close), or ', '')
    """
    close = difflib.get_close_matches(str(word), known, n=1)
    return f"{short_id(close[0])} (close), or " if close else ""


ID_WIDTH = 80
"""How much of an id a message shows."""


def short_id(text: str) -> str:
    """An id for a message: the middle of a long one is left out.

    >>> short_id("q1"), len(short_id("a" * 600)), short_id("ab" * 300)[-4:]
    ('q1', 80, 'abab')
    """
    shown = printable(text)
    if len(shown) <= ID_WIDTH:
        return shown
    half = ID_WIDTH // 2
    return f"{shown[:half]}…{shown[1 - half :]}"


def quote(value: str) -> str:
    """A value as it may be shown: on one line, without control characters, not too long.

    >>> print(quote("tab\\tin it"))
    'tab\\u0009in it'
    """
    if len(value) > VALUE_WIDTH:
        value = f"{value[:VALUE_WIDTH]}… ({len(value):,} characters)"
    return f"'{printable(value)}'"


def printable(text: str) -> str:
    """A text without line ends and control characters, so that it cannot fake a message."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
