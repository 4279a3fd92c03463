"""Numbers in text: 10%, 1.39 billion, $10.30, 10:30, ten thirty, 2 1/2, Henry VIII, 5 km."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from qampaign.judging.key import units
from qampaign.judging.key.ideographs import BEGINS, IDEOGRAPHIC, SCALES
from qampaign.judging.key.number_words import ideographs
from qampaign.judging.key.units import CURRENCY_SIGNS

DECIMAL_COMMA = ("de", "es", "fr", "it", "nl", "pt", "ro")
"""Languages that write 1.000,5; the others write 1,000.5."""

ORDINAL = {
    "en": "st|nd|rd|th",
    "es": "[oaºª]",
    "fr": "er|ère|re|ème|e",
    "it": "[oaºª]",
    "nl": "ste|de|e",
    "pt": "[oaºª]",
}
"""What makes sixteen the sixteenth."""

OCLOCK = {
    "de": "uhr",
    "es": "horas?|hs?",
    "fr": "heures?|h",
    "it": "ore|h",
    "ja": "時",
    "nl": "uur|u",
    "pt": "horas?|h",
    "zh": "[点點时時]",
}
"""What stands between hours and minutes or after them: 10 Uhr 30, 10.30 Uhr."""

HOUR = {"de": "uhr", "en": "o['\u2019]clock", "ja": "時(?!間)", "zh": "[点點][钟鐘]"}
"""What makes a number a time of day by itself."""

AT = {"es": "(?:a )?las?", "it": "(?:alle )?ore", "pt": "[àa]s", "ro": "or(?:a|ele)"}
"""What stands before a time."""

HALF_DAY = r"[ap]\.?m\b\.?"
HALVES = {"a": "a", "p": "p", "午前": "a", "上午": "a", "午後": "p", "下午": "p", "晚上": "p"}
"""How the halves of a day are named, before or after the time."""

DIGIT = re.compile(r"\d")
FAR = 30
"""No number or date begins more characters than these before its first digit."""

SHORT_SCALES = {
    **dict.fromkeys(["mn", "mln", "mio"], 10**6),
    **dict.fromkeys(["bn", "mrd", "mld"], 10**9),
    "tn": 10**12,
    **dict.fromkeys(["dozen", "dutzend", "docenas", "douzaines", "dozzine", "ダース"], 12),
    **dict.fromkeys(["dozijn", "dúzias", "duzini"], 12),
}


OCLOCK_UNIT = "h"
COUNTED = "of"
"""The unit of a number that stands beside a unit, by itself: the 5 of 5 km."""

ROMAN = re.compile(
    r"(?<![^\W_])[^\W\d_a-z][^\W\d_]*[.]? (?P<roman>(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3}))"
    r"(?<! [IVX])(?![\w'\u2019])"
    r"|(?<![^\W_])[^\W\d_a-z][^\W\d_]+ (?P<letter>[IVX])(?=\s*(?:[.,;:)]|\Z)|\s+of\b)"
)
"""A number in a name: Henry VIII, World War II, Elizabeth I of England."""

BOTTOMS = (*range(2, 11), 12, 16, 20, 32, 64, 100)
FRACTIONS = (
    r"(?=\d{1,2}[/\u2044])(?:"
    + "|".join(rf"(?:{'|'.join(map(str, range(1, n)))})[/\u2044]{n}" for n in BOTTOMS)
    + r")(?![\d/\u2044])"
)
"""1/2 and the like; 24/7 and 9/11 are none."""

JOINED = re.compile(r"(?: |, | and |, and )?")
"""What may stand between the parts of 5 feet 10 inches."""


class Number(NamedTuple):
    """A number and what it counts.

    Its unit is "" for anything, "%", "th" for places in an order, OCLOCK_UNIT for a time of day,
    COUNTED for so many of a unit, or one of :data:`qampaign.judging.key.units.UNITS`.
    """

    value: float
    unit: str = ""

    def equals(self, other: "Number", tolerance: float = 0.0) -> bool:
        """Whether the other one is this one, give or take a share of it.

        >>> Number(1.35e9).equals(Number(1.39e9), tolerance=0.05)
        True
        """
        converted = other.in_unit(self.unit)
        if converted is None:
            return False
        margin = 0.0 if self.unit in ("th", OCLOCK_UNIT) else tolerance
        return abs(converted - self.value) <= (margin + 1e-9) * abs(self.value)

    def in_unit(self, unit: str) -> float | None:
        """The number that this one is in a unit of a key; None where it is none.

        A key's bare number may be one of any unit, a bare number one of a key's that is COUNTED.

        >>> Number(5, "km").in_unit("m"), Number(5, "km").in_unit("")
        (5000.0, None)
        >>> [Number(5, COUNTED).in_unit(unit) for unit in ("", COUNTED)], Number(5).in_unit(COUNTED)
        ([5, None], 5)
        """
        if COUNTED in (unit, self.unit):
            return self.value if "" in (unit, self.unit) else None
        return units.convert(self.value, self.unit, unit)


class Found(NamedTuple):
    """A number in a text, in every way that it can be read."""

    start: int
    end: int
    readings: tuple[Number, ...]


def find(text: str, language: str) -> Iterator[Found]:
    """The numbers in a text whose number words are digits; those in names come last.

    >>> [found.readings for found in find("1.39 1000000000 and 10%", "en")]
    [(Number(value=1390000000.0, unit=''),), (Number(value=10.0, unit='%'),)]
    """
    if digit := DIGIT.search(text):
        for match in _pattern(language).finditer(text, max(digit.start() - FAR, 0)):
            readings = tuple(dict.fromkeys(_readings(match, language)))
            if readings:
                yield Found(*match.span(), readings)
    if " I" in text or " V" in text or " X" in text:
        for match in ROMAN.finditer(text):
            name = match.lastgroup or "roman"
            value = float(_roman(match[name]))
            yield Found(*match.span(name), (Number(value, "th"), Number(value)))


def find_measured(text: str, language: str) -> Iterator[Found]:
    """The numbers in a text, with the units that stand beside them.

    >>> [found.readings for found in find_measured("5 km, then 3", "en")]
    [(Number(value=5.0, unit='km'), Number(value=5.0, unit='of')), (Number(value=3.0, unit=''),)]
    """
    before: Found | None = None
    for plain in find(text, language):
        measured = _measured(text, plain, language)
        if before is not None:
            joined = _joined(text, before, measured)
            if joined is None:
                yield before
            measured = joined or measured
        before = measured
    if before is not None:
        yield before


def measured_range(text: str, after: str, language: str) -> tuple[tuple[str, ...], str]:
    """The units of a range, from the text of its ends or what follows it; what is left of that.

    >>> measured_range("$5..10", "a day", "en")[1], measured_range("5..10", "km away", "en")
    ('a day', (('km',), 'away'))
    """
    digit = DIGIT.search(text)
    before = units.find_before(text, digit.start() if digit else 0)
    if before is not None:
        return before.units, after
    unit_after = units.find_after(f" {after}", 0, language)
    return (
        (unit_after.units, f" {after}"[unit_after.place :].strip()) if unit_after else ((), after)
    )


def _measured(text: str, number: Found, language: str) -> Found:
    """A number with the units beside it, where it has such."""
    plain = next((reading for reading in number.readings if reading.unit == ""), None)
    if plain is None or any(reading.unit == "th" for reading in number.readings):
        return number
    start, end = number.start, number.end
    while text[start] in "-\u2212" + CURRENCY_SIGNS + " ":
        start += 1
    before, after = units.find_before(text, start), units.find_after(text, end, language)
    named = before or after
    if named is None:
        return number
    begin = min(number.start, before.place) if before else number.start
    close = number.end if before else named.place
    values = [Number(plain.value, unit) for unit in named.units]
    return Found(begin, close, (*values, Number(plain.value, COUNTED)))


def _joined(text: str, first: Found, second: Found) -> Found | None:
    """Two amounts that are one: 5 feet 10 inches."""
    if not JOINED.fullmatch(text, first.end, second.start):
        return None
    for mine in first.readings:
        for its in second.readings:
            unit, smaller = units.UNITS.get(mine.unit), units.UNITS.get(its.unit)
            if unit and smaller and unit.dimension == smaller.dimension in units.COMPOUND:
                more = units.convert(its.value, its.unit, mine.unit)
                if smaller.factor < unit.factor and more is not None:
                    return Found(first.start, second.end, (mine._replace(value=mine.value + more),))
    return None


def _roman(numeral: str) -> int:
    """
    >>> _roman("VIII"), _roman("XIV"), _roman("IX")
    (8, 14, 9)
    """
    values = [{"I": 1, "V": 5, "X": 10}[sign] for sign in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def read_range(text: str, after: str, language: str) -> tuple[Number, Number, str]:
    """The ends of a range such as `1.35..1.45`, and what is left of the text after it.

    A scale or % there is for both ends.

    >>> low, high, left = read_range("1.35..1.45", "1000000000 people", "en")
    >>> low.value, high.value, left
    (1350000000.0, 1450000000.0, 'people')
    """
    ends = re.sub(r"(?<=\d) (?=\d)", "", text).split("..")
    hour = rf" (?:{HALF_DAY}|{HOUR.get(language, '(?!)')})"
    scale = re.match(rf"{hour}|{_scale(language)}", f" {after}", re.IGNORECASE)
    suffix = scale[0] if scale else ""
    low, high = (_end(end.strip(), suffix, language) for end in ends)
    unit = high.unit or low.unit
    left = f" {after}"[len(suffix) :].strip()
    return Number(low.value, unit), Number(high.value, unit), left


def _end(numeral: str, suffix: str, language: str) -> Number:
    """An end of a range with what follows it; 10 o'clock is 10 rather than 22."""
    (plain, *_), readings = (
        next(find(text, language)).readings for text in (numeral, numeral + suffix)
    )
    same = [reading for reading in readings if reading.value == plain.value]
    return max(same or readings[:1], key=lambda reading: reading.unit)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    decimals = "," if language in DECIMAL_COMMA else "."
    grouped = rf"\d{{1,3}}(?: \d{{3}})+(?:\{decimals}\d+)?(?!\d)"
    numeral = rf"(?:{grouped}|\d+(?:[.,'\u2019]\d+)*|(?<![\d.])\.\d+)"
    oclock, hour, at = (table.get(language, "(?!)") for table in (OCLOCK, HOUR, AT))
    noon = "|".join(half for half in HALVES if not half.isascii())
    first = (
        "" if language in (*AT, "ja", "zh") else rf"(?=[-−.{CURRENCY_SIGNS}\d])"
    )  # quick to say no
    dotted = rf"\.(?=[0-5]\d ?(?:(?:{oclock})(?![a-z])|{HALF_DAY}))|(?(at)\.|(?!))"
    between = rf":| : |h| ?(?:{oclock}) ?|{dotted}"
    return re.compile(
        rf"{first}{BEGINS}(?<!\d[.,:])(?:"
        rf"(?P<minus>[-−](?=\d))?(?:(?P<whole>\d{{1,6}})[ -])?(?P<fraction>{FRACTIONS})"
        rf"|(?P<at>(?:{at}) )?(?P<noon>{noon})?"
        rf"(?P<hour>\d{{1,2}})(?:{between})(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d)"
        rf"(?:分| ?(?:{oclock}|min)(?![a-z]))?(?: ?(?P<half>{HALF_DAY}))?"
        rf"|(?P<full_noon>{noon})?(?P<full>\d{{1,2}}) ?(?:(?P<full_half>{HALF_DAY})|(?:{hour}))"
        r"|(?P<first>[1-9]\d?) (?P<second>[1-9]\d)(?![\w.,%:]*\d)(?! ?%)"
        rf"|(?P<sign>[-−](?=[{CURRENCY_SIGNS}\d]))?(?:[{CURRENCY_SIGNS}] ?)?"
        rf"(?P<numeral>{numeral})(?!\d)"
        rf"(?:(?P<ordinal>{ORDINAL.get(language, '(?!)')})(?![^\W_])|{_scale(language)})(?!s\b)"
        r")",
        re.IGNORECASE,
    )


@cache
def _scale(language: str) -> str:
    """What may stand after a numeral: a scale or %, if anything."""
    powers = "1(?:000){1,5}"
    if language in ("ja", "zh"):
        powers = f"10{{3,15}}|[{SCALES}]+(?![{IDEOGRAPHIC}])"
    return (
        rf"(?: ?(?P<short>{'|'.join(SHORT_SCALES)})(?![a-z\d\u00df-\u024f])\.?)?"
        rf"(?: (?P<scale>{powers})(?!\d))?(?P<percent> ?%)?"
    )


def _readings(match: re.Match[str], language: str) -> Iterator[Number]:
    if match["fraction"]:
        top, bottom = map(int, re.split("[/\u2044]", match["fraction"]))
        value = int(match["whole"] or 0) + top / bottom
        yield Number(-value if match["minus"] else value)
    elif match["hour"]:
        half = _half(match["noon"] or match["half"])
        yield from _times(int(match["hour"]), int(match["minute"]), half)
    elif match["full"]:
        half = _half(match["full_noon"] or match["full_half"])
        yield from _times(int(match["full"]), 0, half)
    elif match["first"]:
        first, second = int(match["first"]), int(match["second"])
        yield from _times(first, second, None)
        yield Number(float(100 * first + second))
    else:
        short, scale = match["short"], match["scale"]
        value = _value(match["numeral"], language)
        value *= SHORT_SCALES[short.lower()] if short else 1
        value *= _power(scale) if scale else 1
        unit = "th" if match["ordinal"] else "%" if match["percent"] else ""
        yield Number(-value if match["sign"] else value, unit)


def _half(spelled: str | None) -> str | None:
    """Which half of the day is meant: a for the first one, p for the second."""
    return spelled and (HALVES.get(spelled) or HALVES[spelled[0].lower()])


def _power(scale: str) -> int:
    return int(scale if scale.isdecimal() else ideographs(scale))


def _times(hour: int, minute: int, half: str | None) -> Iterator[Number]:
    """10:30 is 10.30 too, and half past ten in the morning or in the evening."""
    if half is None:
        yield Number(hour + minute / 100)
    if hour <= 24 and minute < 60:
        early, late = hour % 12 + minute / 100, hour % 12 + 12 + minute / 100
        if half is None and hour > 12:
            yield Number(hour % 24 + minute / 100, OCLOCK_UNIT)
        elif half is None:
            yield from (Number(early, OCLOCK_UNIT), Number(late, OCLOCK_UNIT))
        else:
            yield Number(late if half.lower() == "p" else early, OCLOCK_UNIT)


def _value(numeral: str, language: str) -> float:
    """A numeral as its language has it, or in the only way that it can be meant.

    >>> _value("1.500", "de"), _value("1.500", "en"), _value("1.5", "de"), _value("1,234.5", "de")
    (1500.0, 1.5, 1.5, 1234.5)
    """
    if numeral.isdecimal():
        return float(numeral)
    numeral = re.sub("[ '\u2019]", "", numeral)
    if numeral.startswith("."):
        return float(f"0{numeral}")
    group, point = ".," if language in DECIMAL_COMMA else ",."
    if group in numeral and point in numeral:
        point = numeral[max(numeral.rfind(group), numeral.rfind(point))]
    elif numeral.count(point) > 1:
        point = ""
    elif group in numeral and not re.fullmatch(rf"\d{{1,3}}(?:\{group}\d{{3}})+", numeral):
        point = group
    whole, _, rest = numeral.partition(point) if point else (numeral, "", "")
    return float(re.sub("[.,]", "", whole) + "." + re.sub("[.,]", "", rest) + "0")
