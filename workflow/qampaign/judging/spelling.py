"""Number words as digits, by language."""

import re
from collections.abc import Callable
from functools import cache

SPELLED_BY_LIBRARY = ("de", "en", "es", "fr", "it", "nl", "pt")

PERCENT = {
    "de": r"prozent|v\. ?h\.",
    "en": r"per ?cent|pct\.?",
    "es": r"por ciento",
    "fr": r"pour ?cent",
    "it": r"per ?cento",
    "ja": r"パーセント",
    "nl": r"procent",
    "pt": r"por cento",
    "ro": r"la sută|procente?",
}
"""How languages say %; in Chinese it stands before the number."""

LETTER = r"[a-z\u00df-\u024f]"

ONE_IS_A_NUMBER = 0.0
ONE_IS_AN_ARTICLE = 1.5
"""Alone, the word for 1 is left as it is where it is the article as well."""

IDEOGRAPHS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
POWERS = {"十": 10, "百": 100, "千": 1000}
MYRIADS = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
IDEOGRAPHIC = "".join([*IDEOGRAPHS, *POWERS, *MYRIADS])
COUNTERS = "年月日時时点分秒人円元個个歳岁回度位階番号票%"

ROMANIAN = {
    **dict.fromkeys(["un", "o", "unu", "una"], 1),
    **dict.fromkeys(["doi", "două"], 2),
    "trei": 3,
    "patru": 4,
    "cinci": 5,
    "șase": 6,
    "șapte": 7,
    "opt": 8,
    "nouă": 9,
    "zece": 10,
    "unsprezece": 11,
    **dict.fromkeys(["doisprezece", "douăsprezece"], 12),
    "treisprezece": 13,
    "paisprezece": 14,
    "cincisprezece": 15,
    "șaisprezece": 16,
    "șaptesprezece": 17,
    "optsprezece": 18,
    "nouăsprezece": 19,
    "douăzeci": 20,
    "treizeci": 30,
    "patruzeci": 40,
    "cincizeci": 50,
    "șaizeci": 60,
    "șaptezeci": 70,
    "optzeci": 80,
    "nouăzeci": 90,
}
ROMANIAN_SCALES = {
    **dict.fromkeys(["sută", "sute"], 100),
    **dict.fromkeys(["mie", "mii"], 1000),
    **dict.fromkeys(["milion", "milioane"], 10**6),
    **dict.fromkeys(["miliard", "miliarde"], 10**9),
}


def spell(text: str, language: str) -> str:
    """The text with number words as digits, and % for percent.

    >>> spell("ten percent of one hundred and five", "en")
    '10% of 105'
    >>> spell("douăzeci și unu la sută", "ro")
    '21%'
    >>> spell("百分之二十五", "zh")
    '25%'
    """
    if language in PERCENT:
        percent = rf" ?(?<!{LETTER})(?:{PERCENT[language]})(?!{LETTER})"
        text = re.sub(percent, "%", text, flags=re.IGNORECASE)
    if language == "it":
        text = re.sub(r"\b(vent|[tqcsno]\w+ant|trent)['\u2019](?=ann)", _unelided, text)
    return _speller(language)(text)


@cache
def _speller(language: str) -> Callable[[str], str]:
    if language in SPELLED_BY_LIBRARY:
        from text_to_num import alpha2digit  # type: ignore[import-untyped]  # slow to load

        threshold = ONE_IS_A_NUMBER if language == "en" else ONE_IS_AN_ARTICLE
        return lambda text: alpha2digit(text, language, threshold=threshold)
    if language in ("ja", "zh"):
        return _spell_ideographs
    return _spell_romanian if language == "ro" else str


def _unelided(match: re.Match[str]) -> str:
    """Vent'anni are venti anni, trent'anni trenta."""
    return f"{match[1]}{'i' if match[1] == 'vent' else 'a'} "


def _spell_ideographs(text: str) -> str:
    """Numerals of more than one sign, or that count something: 三 may be part of a name."""
    signs = rf"(?:\d[\d,.]*)?[{IDEOGRAPHIC}](?:[\d{IDEOGRAPHIC}])*"
    text = re.sub(rf"百分之({signs}|\d[\d.,]*)", r"\1%", text)
    pattern = rf"(?<![{IDEOGRAPHIC}]){signs}"

    def digits(match: re.Match[str]) -> str:
        after = text[match.end() : match.end() + 1]
        alone = match[0] == text.strip()
        return (
            _ideographs(match[0]) if len(match[0]) > 1 or alone or after in COUNTERS else match[0]
        )

    return re.sub(pattern, digits, text)


def _ideographs(signs: str) -> str:
    """
    >>> _ideographs("一億二千三百万"), _ideographs("一九七六"), _ideographs("1億3000万")
    ('123000000', '1976', '130000000')
    """
    if all(sign in IDEOGRAPHS for sign in signs):
        return "".join(str(IDEOGRAPHS[sign]) for sign in signs)
    total, section, digits = 0.0, 0.0, ""
    for sign in signs:
        if sign in POWERS:
            section += (float(digits) if digits else 1) * POWERS[sign]
            digits = ""
        elif sign in MYRIADS:
            total += ((section + float(digits or 0)) or 1) * MYRIADS[sign]
            section, digits = 0.0, ""
        elif sign != ",":
            digits += str(IDEOGRAPHS.get(sign, sign))
    return f"{total + section + float(digits or 0):.15g}"


def _spell_romanian(text: str) -> str:
    word = "|".join(sorted([*ROMANIAN, *ROMANIAN_SCALES], key=len, reverse=True))
    pattern = rf"\b(?:{word})(?:(?:[ -](?:și[ -])?(?:de )?)(?:{word}))*\b"
    return re.sub(pattern, _romanian, text.replace("ş", "ș").replace("ţ", "ț"), flags=re.IGNORECASE)


def _romanian(match: re.Match[str]) -> str:
    """Words up to the next scale are summed, then multiplied by it."""
    words = re.split("[ -]", match[0].lower())
    if words in (["un"], ["o"]):
        return match[0]
    total, section = 0, 0
    for word in words:
        scale = ROMANIAN_SCALES.get(word)
        if scale is None:
            section += ROMANIAN.get(word, 0)
        elif scale == 100:
            section = max(section, 1) * 100
        else:
            total, section = total + max(section, 1) * scale, 0
    return str(total + section)
