"""Regular expressions, in an engine whose time grows with the length of the text and no faster.

It has no look-around and no back-references, and says so of an expression that wants them. And
texts as expressions should find them: one spelling of each character, one space between words.
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


def one_spelling(text: pl.Expr) -> pl.Expr:
    """Text whose characters have one spelling (NFKC); ASCII has, and is passed over.

    >>> texts = pl.DataFrame({"text": ["ﬁn", "fin", None]})
    >>> texts.select(one_spelling(pl.col("text")))["text"].to_list()
    ['fin', 'fin', None]
    """
    return text.map_batches(_normalised, return_dtype=pl.String, is_elementwise=True)


def _normalised(texts: pl.Series) -> pl.Series:
    others = (texts.str.len_bytes() != texts.str.len_chars()).arg_true()
    if others.is_empty():
        return texts
    return texts.clone().scatter(others, texts.gather(others).str.normalize("NFKC"))


def one_space(text: pl.Expr) -> pl.Expr:
    """Text with one space wherever there is space, and none around it."""
    return text.str.replace_all(r"\s{2,}|[^\S ]", " ").str.strip_chars()
