"""Numbers in text: 10%, 1.39 billion, $10.30, 10:30, ten thirty."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from qampaign.judging.key.ideographs import BEGINS, IDEOGRAPHIC, SCALES
from qampaign.judging.key.number_words import ideographs

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

SHORT_SCALES = {
    **dict.fromkeys(["mn", "mln", "mio"], 10**6),
    **dict.fromkeys(["bn", "mrd", "mld"], 10**9),
    "tn": 10**12,
    **dict.fromkeys(["dozen", "dutzend", "docenas", "douzaines", "dozzine", "ダース"], 12),
    **dict.fromkeys(["dozijn", "dúzias", "duzini"], 12),
}


@dataclass(frozen=True)
class Number:
    """A number and what it counts: "" anything, "%", "th" places in an order, "h" hours."""

    value: float
    unit: str = ""

    def equals(self, other: "Number", tolerance: float = 0.0) -> bool:
        """Whether the other one is this one, give or take a share of it.

        >>> Number(1.35e9).equals(Number(1.39e9), tolerance=0.05)
        True
        """
        if self.unit != other.unit:
            return False
        margin = tolerance if self.unit in ("", "%") else 0.0
        return abs(other.value - self.value) <= (margin + 1e-9) * abs(self.value)


@dataclass(frozen=True)
class Found:
    """A number in a text, in every way that it can be read."""

    start: int
    end: int
    readings: tuple[Number, ...]


def find(text: str, language: str) -> Iterator[Found]:
    """The numbers in a text whose number words are digits.

    >>> [found.readings for found in find("1.39 1000000000 and 10%", "en")]
    [(Number(value=1390000000.0, unit=''),), (Number(value=10.0, unit='%'),)]
    """
    if not DIGIT.search(text):
        return
    for match in _pattern(language).finditer(text):
        readings = tuple(dict.fromkeys(_readings(match, language)))
        if readings:
            yield Found(*match.span(), readings)


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
        next(find(each, language)).readings for each in (numeral, numeral + suffix)
    )
    same = [each for each in readings if each.value == plain.value]
    return max(same or readings[:1], key=lambda each: each.unit)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    grouped = r"\d{1,3}(?: \d{3})+(?:,\d+)?(?!\d)|" if language in DECIMAL_COMMA else ""
    numeral = rf"(?:{grouped}\d+(?:[.,'\u2019]\d+)*)"
    oclock, hour, at = (table.get(language, "(?!)") for table in (OCLOCK, HOUR, AT))
    noon = "|".join(half for half in HALVES if not half.isascii())
    first = "" if language in (*AT, "ja", "zh") else r"(?=[-−$€£¥\d])"  # soon told where not
    dotted = rf"\.(?=[0-5]\d ?(?:(?:{oclock})(?![a-z])|{HALF_DAY}))|(?(at)\.|(?!))"
    between = rf":| : |h| ?(?:{oclock}) ?|{dotted}"
    return re.compile(
        rf"{first}{BEGINS}(?<!\d[.,:])(?:"
        rf"(?P<at>(?:{at}) )?(?P<noon>{noon})?"
        rf"(?P<hour>\d{{1,2}})(?:{between})(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d)"
        rf"(?:分| ?(?:{oclock}|min)(?![a-z]))?(?: ?(?P<half>{HALF_DAY}))?"
        rf"|(?P<full_noon>{noon})?(?P<full>\d{{1,2}}) ?(?:(?P<full_half>{HALF_DAY})|(?:{hour}))"
        r"|(?P<first>[1-9]\d?) (?P<second>[1-9]\d)(?![\w.,%:]*\d)(?! ?%)"
        rf"|(?P<sign>[-−](?=[$€£¥\d]))?(?:[$€£¥] ?)?(?P<numeral>{numeral})(?!\d)"
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
    if match["hour"]:
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
            yield Number(hour % 24 + minute / 100, "h")
        elif half is None:
            yield from (Number(early, "h"), Number(late, "h"))
        else:
            yield Number(late if half.lower() == "p" else early, "h")


def _value(numeral: str, language: str) -> float:
    """A numeral as its language has it, or in the only way that it can be meant.

    >>> _value("1.500", "de"), _value("1.500", "en"), _value("1.5", "de"), _value("1,234.5", "de")
    (1500.0, 1.5, 1.5, 1234.5)
    """
    numeral = re.sub("[ '\u2019]", "", numeral)
    group, point = ".," if language in DECIMAL_COMMA else ",."
    if group in numeral and point in numeral:
        point = numeral[max(numeral.rfind(group), numeral.rfind(point))]
    elif numeral.count(point) > 1:
        point = ""
    elif group in numeral and not re.fullmatch(rf"\d{{1,3}}(?:\{group}\d{{3}})+", numeral):
        point = group
    whole, _, rest = numeral.partition(point) if point else (numeral, "", "")
    return float(re.sub("[.,]", "", whole) + "." + re.sub("[.,]", "", rest) + "0")
