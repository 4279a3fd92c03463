"""Regular expressions, in an engine whose time grows with the length of the text and no faster.

It has no look-around and no back-references, and says so of an expression that wants them.
"""

import polars as pl

ALLOWED = (
    "a regular expression that is whole, not too large, without look-around and back-references"
)


def fault(expression: str) -> str | None:
    """What is wrong with a regular expression, or None; the construct in question at the end.

    >>> fault("(19|20)[0-9]{2}")
    >>> fault("Smith(?=son)")
    'look-around, including look-ahead and look-behind, is not supported: (?='
    """
    try:
        pl.Series([""]).str.contains(expression)
    except pl.exceptions.ComputeError as error:
        lines = str(error).splitlines()
        message = next((line for line in lines if line.startswith("error: ")), lines[0])
        marks = next((line for line in lines if line.strip() and set(line.strip()) == {"^"}), "")
        first = marks.find("^") - len("    ")  # the engine prints the expression with an indent
        construct = expression[first : len(marks) - len("    ")] if marks else expression
        return f"{message.removeprefix('error: ')}: {construct}"
    return None
