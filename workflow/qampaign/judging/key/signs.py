"""Forms without a letter or digit, such as `🎉` or `*`: found where they stand by themselves.

They stand by themselves between spaces, sentence punctuation and the ends of the answer. Signs
beyond ASCII, such as emoji, may also stand next to a letter or digit (`party🎉`); others may not,
since they are a part of words and numbers there (`M*A*S*H`, `100%`).
"""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.judging.key.forms import KeyForm

PUNCTUATION = ".,;:!?\"'()[]“”‘’„«»…。，、！？「」"  # noqa: RUF001
STYLE = re.compile("[\ufe0e\ufe0f]")
"""Says whether the sign before it is a picture or text, which makes no other sign of it."""

FOUND = ["text", "form", "covered", "extra", "found"]
"""What is said of a text and a form: see :func:`qampaign.judging.key.matching.match`."""


def pattern_of(signs: str) -> re.Pattern[str]:
    """What finds signs in an answer where they stand by themselves.

    >>> [bool(pattern_of("*").search(text)) for text in ("*", "a * b", '"*".', "**", "M*A*S*H")]
    [True, True, True, False, False]
    >>> [bool(pattern_of("🎉").search(text)) for text in ("It is 🎉!", "party🎉", "🎉🎈")]
    [True, True, False]
    """
    plain = STYLE.sub("", signs)
    besides = "".join(sign for sign in PUNCTUATION if sign not in plain)
    before, after = (
        rf"\s{re.escape(besides)}" + ("" if sign.isascii() else r"\w")
        for sign in (plain[:1], plain[-1:])
    )
    return re.compile(rf"(?<![^{before}]){re.escape(plain)}(?![^{after}])")


def match_signs(
    texts: pl.Series, questions: npt.NDArray[np.int64], forms: Sequence[KeyForm]
) -> pl.DataFrame:
    """The texts that have the signs of a form: a row for each, all of whole numbers.

    Every time that they stand there counts as one word of the text, and as one of the form.
    """
    rows = []
    for number, form in enumerate(forms):
        for signs in (element.signs for element in form.elements if element.signs):
            pattern = pattern_of(signs)
            rows_of_question = np.flatnonzero(questions == form.question)
            for text, answer in zip(
                rows_of_question.tolist(), texts.gather(rows_of_question), strict=True
            ):
                times = sum(1 for match in pattern.finditer(STYLE.sub("", answer)) if match[0])
                if times:
                    rows.append((text, number, times, times, 1))
    return pl.DataFrame(rows, schema=dict.fromkeys(FOUND, pl.Int64), orient="row")
