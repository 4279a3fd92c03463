"""Faults in what a user gave us: collected all at once, told in lines that can be acted on."""

from pathlib import Path
from typing import Any

import polars as pl

from qampaign.files import write_csv

SHOWN = 20
"""How many kinds of problems a message shows; the CSV beside it has every single one."""

WORDINGS = 3
"""How many problems of one kind it shows where each is told in other words."""

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
    """The faults found so far: where each stands, what stands there, what may stand there.

    >>> found = Problems()
    >>> found.add_rows(pl.Series(["a.csv", "a.csv"]), pl.Series([2, 3]), pl.Series(["x", "y"]),
    ...                column="rank", problem="is not a number", allowed="1, 2, 3, …")
    >>> found.add(file="b.csv", problem="is empty")
    >>> print(found.summary("The input has 3 problems:"))
    The input has 3 problems:
      a.csv, line 2, column rank: 'x' is not a number; allowed: 1, 2, 3, … (and 1 more like this)
      b.csv: is empty
    """

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
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
        self._pieces.append(other._found().with_columns(collection=pl.lit(collection)))

    def __len__(self) -> int:
        return len(self._rows) + sum(piece.height for piece in self._pieces)

    def _found(self) -> pl.DataFrame:
        return pl.concat([pl.DataFrame(self._rows, schema=SCHEMA), *self._pieces])

    def summary(self, heading: str, csv: Path | None = None) -> str:
        """A message with a line for each kind of problem, most frequent first.

        Problems are of one kind when they are about the same file, column and rule (what is
        allowed): a line shows the first of them and says how many more there are, and up to three
        lines where they are not told in the same words. All of them go to `csv`; without one, all
        are shown.
        """
        found = self._found().sort("file", "collection", "line", "column", "value", "problem")
        rule = pl.when(pl.col("allowed") != "").then("allowed").otherwise("problem").alias("rule")
        kind = ["collection", "file", "column", "rule"]
        words = found.with_columns(rule).group_by(*kind, "problem", maintain_order=True)
        told = words.agg(pl.col("line", "value", "allowed").first(), pl.len())
        place, last = (
            pl.int_range(pl.len()).over(kind),
            told.height if csv is None else WORDINGS - 1,
        )
        untold = pl.col("len").filter(place > last).sum().over(kind)
        told = (
            told.with_columns(
                len=pl.col("len") + pl.when(place == last).then(untold).otherwise(0),
                total=pl.col("len").sum().over(kind),
            )
            .filter(place <= last)
            .sort("total", descending=True, maintain_order=True)
        )
        shown = told.head(SHOWN) if csv is not None else told
        lines = [heading, *(f"  {_line(kind)}" for kind in shown.to_dicts())]
        if told.height > shown.height:
            lines.append(f"  … and {told.height - SHOWN:,} more kinds of problems")
        if csv is not None:
            write_csv(found, csv)
            lines.append(f"All of them: {csv}")
        return "\n".join(lines)


def _line(kind: dict[str, Any]) -> str:
    place = printable(kind["file"])
    if kind["line"] is not None:
        place += f", line {kind['line']}"
    if kind["column"]:
        place += f", column {kind['column']}"
    value = "" if kind["value"] is None else f"{quote(kind['value'])} "
    allowed = f"; allowed: {kind['allowed']}" if kind["allowed"] else ""
    more = f" (and {kind['len'] - 1:,} more like this)" if kind["len"] > 1 else ""
    return f"{place}: {value}{kind['problem']}{allowed}{more}"


def quote(value: str) -> str:
    """A value as it may be shown: on one line, without control characters, not too long.

    >>> print(quote("tab\\tin it"))
    'tab\\u0009in it'
    """
    if len(value) > VALUE_WIDTH:
        value = f"{value[:VALUE_WIDTH]}… ({len(value):,} characters)"
    return f"'{printable(value)}'"


def printable(text: str) -> str:
    """A text without line ends and control characters: it can fake no message."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
