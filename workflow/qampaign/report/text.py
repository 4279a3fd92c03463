"""How numbers and names become text: the only place, for the page, its script and the tables."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

DASH = "\N{EN DASH}"
"""Stands where there is nothing to show."""

MINUS = "\N{MINUS SIGN}"


def fixed(value: float | None, places: int = 3) -> str:
    """A value to three places, halves away from zero.

    >>> fixed(0.0625), fixed(-0.25), fixed(-0.0001), fixed(None)
    ('0.063', '−0.250', '0.000', '–')
    """
    if value is None:
        return DASH
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{MINUS if rounded < 0 else ''}{abs(rounded)}"


def short(value: float) -> str:
    """A value in a sentence: two places, three where two would hide it.

    >>> short(0.12), short(0.125), short(0.004)
    ('0.12', '0.13', '0.004')
    """
    return fixed(value, 2 if abs(value) >= 0.01 or value == 0 else 3)


def span(first: int | None, last: int | None) -> str:
    """A rank, or the range of ranks that equal runs share.

    >>> span(1, 1), span(5, 14), span(None, None)
    ('1', '5–14', '–')
    """
    if first is None:
        return DASH
    return str(first) if last is None or last == first else f"{first}{DASH}{last}"


def percent(value: float | None, places: int = 1) -> str:
    """A share as people read it.

    >>> percent(0.947082), percent(0.5, 0), percent(None)
    ('94.7%', '50%', '–')
    """
    return DASH if value is None else f"{fixed(100 * value, places)}%"


def chance(p: float | None) -> str:
    """A p value.

    >>> chance(0.25), chance(0.0004), chance(None)
    ('0.250', '<0.001', '–')
    """
    return "<0.001" if p is not None and p < 0.001 else fixed(p)


def size(count: int | None) -> str:
    """Bytes as people read them.

    >>> size(12), size(45_600), size(3_210_000)
    ('12 B', '45.6 kB', '3.2 MB')
    """
    if count is None:
        return DASH
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def interval(low: float | None, high: float | None) -> str:
    """Both ends of an interval; one end alone is none.

    >>> interval(0.41, 0.78125), interval(0.41, None)
    ('0.410 to 0.781', '–')
    """
    return DASH if low is None or high is None else f"{fixed(low)} to {fixed(high)}"


def cell(value: Any, kind: str) -> str:
    """A value in a table, by the kind of its column.

    >>> cell(1234, "count"), cell(0.5, "number"), cell(0.5, "share"), cell(None, "text")
    ('1,234', '0.500', '50.0%', '–')
    >>> cell(91.0, "figure"), cell(0.58, "figure"), cell(-0.00021, "change")
    ('91', '0.580', '−0.00021')
    """
    if value is None or value == "":
        return DASH
    match kind:
        case "number":
            return fixed(value)
        case "change":
            return f"{value:+.2g}".replace("-", MINUS)
        case "figure":
            return fixed(value) if value % 1 or abs(value) <= 1 else f"{value:,.0f}"
        case "share":
            return percent(value)
        case "chance":
            return chance(value)
        case "count":
            return f"{value:,}".replace("-", MINUS)
        case "seconds":
            return f"{value:,.1f}"
        case "size":
            return size(value)
        case "digest":
            return str(value)[:12]
    return str(value)


def many(number: int, thing: str) -> str:
    """A number of things.

    >>> many(0, "run"), many(1, "run"), many(1200, "question")
    ('no runs', '1 run', '1,200 questions')
    """
    amount = f"{number:,}" if number else "no"
    return f"{amount} {thing}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last
