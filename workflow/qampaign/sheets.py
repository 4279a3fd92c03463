"""Sheets that people fill in: text in them must not run as a formula where they are opened."""

import polars as pl

FORMULA = r"^('*[=+\-@\t\r])"
"""What a spreadsheet would take for a formula, or what already stands there as its text."""


def harmless(sheet: pl.DataFrame) -> pl.DataFrame:
    """The same with an apostrophe in front of text that a spreadsheet would run as a formula."""
    return sheet.with_columns(pl.col(pl.String).str.replace(FORMULA, "'$1"))


def meant(text: pl.Expr) -> pl.Expr:
    """Text of a sheet that comes back, without that apostrophe.

    >>> sheet = pl.DataFrame({"answer": ["=1+1", "'-5", "it's", "'so'"]})
    >>> harmless(sheet).select(meant(pl.col("answer"))).equals(sheet)
    True
    """
    return text.str.replace("^'" + FORMULA[1:], "$1")
