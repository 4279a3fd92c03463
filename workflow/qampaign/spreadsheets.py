"""CSV files that people open in a spreadsheet: no text in them must run there as a formula."""

import polars as pl

FORMULA = r"^('*[=+\-@\t\r])"
"""What a spreadsheet would take for a formula, or what already stands there as its text."""


def escape_formulas(sheet: pl.DataFrame) -> pl.DataFrame:
    """The same with an apostrophe in front of text that a spreadsheet would run as a formula.

    >>> sheet = pl.DataFrame({"run": ["=cmd()", "a-b"], "value": [-0.5, 1.0]})
    >>> escape_formulas(sheet).rows()
    [("'=cmd()", -0.5), ('a-b', 1.0)]
    """
    return sheet.with_columns(pl.col(pl.String).str.replace(FORMULA, "'$1"))


def unescape_formulas(text: pl.Expr) -> pl.Expr:
    """Text of a sheet that comes back, without that apostrophe.

    >>> sheet = pl.DataFrame({"answer": ["=1+1", "'-5", "it's", "'so'"]})
    >>> escape_formulas(sheet).select(unescape_formulas(pl.col("answer"))).equals(sheet)
    True
    """
    return text.str.replace("^'" + FORMULA[1:], "$1")
