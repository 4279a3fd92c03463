"""Values out of JSON that somebody else wrote: what is not there, or something else, is None."""

import math
from typing import Any

JsonObject = dict[str, Any]
"""A JSON object that somebody else wrote: names, and what stands under them."""


def at(value: Any, *names: str | int) -> Any:
    """What stands under names one within the other; None where one of them is not there.

    >>> at({"a": [{"b": 1}]}, "a", 0, "b"), at({"a": 1}, "a", "b")
    (1, None)
    """
    for name in names:
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and isinstance(name, int) and -len(value) <= name < len(value):
            value = value[name]
        else:
            return None
    return value


def text_of(value: object) -> str | None:
    """A text; a number is one, too.

    >>> text_of("a"), text_of(7), text_of(True), text_of(["a"])
    ('a', '7', None, None)
    """
    if isinstance(value, str):
        return value
    return None if isinstance(value, bool) or not isinstance(value, int | float) else str(value)


def number_of(value: object) -> float | None:
    """A finite number.

    >>> number_of(7), number_of("7"), number_of(True), number_of(math.nan)
    (7.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def amount_of(value: object) -> float | None:
    """A finite number from 0, such as of tokens or seconds.

    >>> amount_of(1.5), amount_of(-1)
    (1.5, None)
    """
    number = number_of(value)
    return number if number is not None and number >= 0 else None


def texts_of(value: object) -> list[str] | None:
    """A text, or a list of texts, as a list; nothing is an empty one.

    >>> texts_of("a"), texts_of(["a", "b"]), texts_of(None), texts_of([["a"]])
    (['a'], ['a', 'b'], [], None)
    """
    listed = value if isinstance(value, list) else [] if value is None else [value]
    texts = [text_of(element) for element in listed]
    return None if None in texts else [text for text in texts if text is not None]
