"""How numbers and names become text: the only place, for the page, its script and the tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from itertools import takewhile
from math import floor, log10
from typing import Any
from unicodedata import combining, east_asian_width

from qampaign.ranking import SAME

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
    """A share as people read it; in whole numbers, few are not none, and most are not all.

    >>> percent(0.947082), percent(0.5, 0), percent(None)
    ('94.7%', '50%', '–')
    >>> percent(0.0, 0), percent(0.002, 0), percent(0.998, 0), percent(1.0, 0)
    ('0%', '<1%', '>99%', '100%')
    """
    if value is None:
        return DASH
    text = fixed(100 * value, places)
    if text == "0" and value > SAME:
        return "<1%"
    return ">99%" if text == "100" and value < 1 - SAME else f"{text}%"


def chance(p: float | None) -> str:
    """A p-value or its error; only that of an exact one is 0.

    >>> chance(0.25), chance(0.0004), chance(0.0), chance(None)
    ('0.250', '<0.001', '0', '–')
    """
    if p == 0:
        return "0"
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
    """A value in a table, by the kind of its column; a change that floating point made is none.

    >>> cell(1234, "count"), cell(0.5, "number"), cell(0.5, "share"), cell(None, "text")
    ('1,234', '0.500', '50.0%', '–')
    >>> cell(91.0, "figure"), cell(0.58, "figure"), cell(0.58, "long figure")
    ('91', '0.580', '0.580000')
    >>> cell(34.9812, "amount"), cell(2.52e-05, "amount")
    ('34.981', '0.0000252')
    >>> cell(-0.00021, "change"), cell(3.2e-05, "change"), cell(-2.8e-16, "change")
    ('−0.00021', '+0.000032', '0')
    """
    if value is None or value == "":
        return DASH
    match kind:
        case "number":
            return fixed(value)
        case "change":
            return "0" if abs(value) < SAME else _signed(value)
        case "figure" | "long figure" | "amount" if value % 1 == 0 and abs(value) > 1:
            return f"{value:,.0f}"
        case "amount" if 0 < abs(value) < 0.1:  # three digits that count
            return fixed(value, 2 - floor(log10(abs(value))))
        case "figure" | "amount":
            return fixed(value)
        case "long figure":
            return fixed(value, 6)
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


def _signed(value: float) -> str:
    """A change in two digits that count, or in whole numbers; never with an exponent.

    >>> _signed(0.1), _signed(-0.0333), _signed(3e-05), _signed(-12345.6)
    ('+0.1', '−0.033', '+0.00003', '−12,346')
    """
    short = Decimal(f"{value:.2g}") if abs(value) < 100 else Decimal(value).quantize(Decimal(1))
    return f"{short:+,f}".replace("-", MINUS)


def time(stamp: str) -> str:
    """When something was published, to the minute.

    >>> time("2026-11-19T19:31:39+00:00"), time("2026-11-19T21:31:39+02:00"), time("monday")
    ('2026-11-19 19:31 UTC', '2026-11-19 19:31 UTC', 'monday')
    """
    try:
        at = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if at.tzinfo else f"{at:%Y-%m-%d %H:%M}"


def many(number: int, thing: str) -> str:
    """A number of things.

    >>> many(0, "run"), many(1, "run"), many(1200, "question")
    ('no runs', '1 run', '1,200 questions')
    """
    amount = f"{number:,}" if number else "no"
    return f"{amount} {thing}{'' if number == 1 else 's'}"


def two_digits(number: float) -> int:
    """A predicted number of questions: more digits would be false precision.

    >>> two_digits(681.3), two_digits(7.2)
    (680, 7)
    """
    return int(float(f"{number:.2g}"))


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


MOST_IN_SENTENCE = 60
"""A name in a sentence or a cell of a table is at most so wide."""

MOST_NAMES = 3
"""So many things are named in a sentence; of more, the rest is counted."""


def named(names: Iterable[str], thing: str) -> str:
    """Names in a sentence, of which only the first are given where there are many.

    >>> named(["a", "b", "c", "d"], "run"), named(["a", "b", "c", "d", "e"], "run")
    ('a, b, c and d', 'a, b, c and 2 other runs')
    """
    shown = short_names(list(names), MOST_IN_SENTENCE)
    if len(shown) > MOST_NAMES + 1:
        shown[MOST_NAMES:] = [f"{len(shown) - MOST_NAMES:,} other {thing}s"]
    return listed(shown)


MOST_SIGNS = 20
"""A name in a chart is at most so wide, in letters; signs of Chinese or Japanese are two wide."""

CUT = "\N{HORIZONTAL ELLIPSIS}"


KEPT_AT_END = 10
"""So many signs at the end of a long name are always shown."""

JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""Signs that belong to the one before them."""


def short_names(names: Sequence[str], most: int = MOST_SIGNS) -> list[str]:
    """Names that fit in a chart: long ones lose the middle, and still differ.

    >>> short_names(["short", "university-of-somewhere-run-1", "university-of-somewhere-run-2"], 12)
    ['short', 'univ…e-run-1', 'univ…e-run-2']

    Where names differ only in the middle, that is kept instead of the end; where they would still
    be equal, they are numbered.

    >>> short_names([f"{'a' * 20}{letter}{'b' * 20}" for letter in "xy"], 12)
    ['aaaa…xbbb…bb', 'aaaa…ybbb…bb']
    """
    cut = [_without_middle(name, most) for name in names]
    for same in _equal(cut):
        telling = _shared([names[index] for index in same])
        for index in same:
            cut[index] = _around(names[index], telling, most)
    for same in _equal(cut):
        for number, index in enumerate(same, start=1):
            end = f"{CUT}{number}"
            cut[index] = _start(names[index], most - len(end)) + end
    return cut


def shorts(names: Iterable[str]) -> dict[str, str]:
    """What stands in a table for names that are too long for it.

    >>> [len(short) for short in shorts(["a", "b" * 100]).values()]
    [60]
    """
    known = list(dict.fromkeys(names))
    cut = zip(known, short_names(known, MOST_IN_SENTENCE), strict=True)
    return {name: short for name, short in cut if short != name}


RIGHT_TO_LEFT = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]+"
)
RIGHT_TO_LEFT_WORDS = re.compile(f"{RIGHT_TO_LEFT}(?:[ _'\u2026-]+{RIGHT_TO_LEFT})*")


def isolated(sentence: str) -> str:
    """A sentence in which words from right to left leave what follows them where it is.

    Without that, a browser shows a number after such a name before it.

    >>> isolated("best by \u05d0\u05d1: 0.5") == "best by \u2068\u05d0\u05d1\u2069: 0.5"
    True
    """
    return RIGHT_TO_LEFT_WORDS.sub("\u2068\\g<0>\u2069", sentence)


SEEN_AT_START = 8
"""So many signs at the start of a long name are seen before those at its end."""


def ends(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Names in two: where a column is narrow, the first part of a long one is cut.

    >>> ends(["short", "university-of-somewhere-run-1"])
    {'short': ('short', ''), 'university-of-somewhere-run-1': ('university-of-somew', 'here-run-1')}

    The second part begins before the end where only that tells a name from others.

    >>> list(ends(["university-7B-instruct", "university-70B-instruct"]).values())
    [('university-7', 'B-instruct'), ('university-7', '0B-instruct')]
    """
    long = [name for name in dict.fromkeys(names) if _width(name) > MOST_SIGNS]
    seen = [name[:SEEN_AT_START] + name[-KEPT_AT_END:] for name in long]
    starts = {name: len(name) - KEPT_AT_END for name in long}
    for same in _equal(seen):
        telling = _shared([long[index] for index in same])
        starts |= {long[index]: min(starts[long[index]], telling) for index in same}
    return {name: _halves(name, starts.get(name, len(name))) for name in names}


def _halves(name: str, at: int) -> tuple[str, str]:
    """A name in two; signs that belong to the one before them stay with it."""
    while 0 < at < len(name) and (combining(name[at]) or name[at] in JOINERS):
        at -= 1
    return name[:at], name[at:]


def _equal(names: Sequence[str]) -> list[list[int]]:
    """The indexes of names that are equal, where there are several."""
    indexes: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        indexes.setdefault(name, []).append(index)
    return [same for same in indexes.values() if len(same) > 1]


def _shared(names: Sequence[str]) -> int:
    """How many signs names have in common from the start."""
    columns = zip(*names, strict=False)
    return sum(1 for _ in takewhile(lambda signs: len({*signs}) == 1, columns))


def _width(name: str) -> int:
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in name)


def _start(name: str, most: int) -> str:
    while _width(name) > most:
        name = name[:-1]
    return name


def _end(name: str, most: int) -> str:
    return _start(name[::-1], most)[::-1]


def _without_middle(name: str, most: int) -> str:
    """A name, of which the end is kept rather than the start: there, runs of a team differ."""
    if _width(name) <= most:
        return name
    return _start(name, most * 2 // 5) + CUT + _end(name, most - 1 - most * 2 // 5)


def _around(name: str, index: int, most: int) -> str:
    """The start of a name, what is at an index, and its end."""
    outer = most // 3
    inner = most - 2 - outer - most // 6
    return _start(name, outer) + CUT + _start(name[index:], inner) + CUT + _end(name, most // 6)


def highest(values: Mapping[str, float]) -> tuple[float, list[str]]:
    """The highest value and the names of all that have it.

    >>> highest({"a": 0.2, "b": 0.7, "c": 0.7})
    (0.7, ['b', 'c'])
    """
    most = max(values.values())
    return most, [name for name, value in values.items() if most - value < SAME]


def lowest(values: Mapping[str, float]) -> tuple[float, list[str]]:
    """The lowest value and the names of all that have it.

    >>> lowest({"a": 0.2, "b": 0.7, "c": 0.2})
    (0.2, ['a', 'c'])
    """
    least, names = highest({name: -value for name, value in values.items()})
    return -least, names


def out_of(number: int, total: int, thing: str, such: str = "") -> str:
    """How many of some things, in a sentence; `such` says which of them these are.

    >>> out_of(3, 44, "run"), out_of(0, 5, "run"), out_of(5, 5, "run")
    ('3 of 44 runs', 'none of the 5 runs', 'all 5 runs')
    >>> out_of(0, 1, "run"), out_of(1, 1, "run"), out_of(2, 2, "run")
    ('no run', 'the only run', 'both runs')
    >>> out_of(0, 2, "run"), out_of(1, 2, "run", "with a name")
    ('neither of the 2 runs', '1 of the 2 runs with a name')
    """
    things = f"{thing}s {such}".rstrip()
    if total == 1:
        return f"{'the only' if number else 'no'} {thing} {such}".rstrip()
    if total == 2 and number != 1:
        return f"both {things}" if number else f"neither of the 2 {things}"
    if number in (0, total):
        return f"{'all' if number else 'none of the'} {total:,} {things}"
    return f"{number:,} of {'the ' if such else ''}{total:,} {things}"


def is_or_are(number: int, total: int) -> str:
    """The verb after what :func:`out_of` gives.

    >>> is_or_are(1, 3), is_or_are(0, 2), is_or_are(0, 3), is_or_are(2, 2)
    ('is', 'is', 'are', 'are')
    """
    return "is" if 1 in (number, total) or (number, total) == (0, 2) else "are"
