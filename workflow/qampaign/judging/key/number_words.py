"""Number words as digits, by language."""

import re
from collections.abc import Callable
from functools import cache, partial

from qampaign.judging.key.ideographs import IDEOGRAPHIC, IDEOGRAPHS, MYRIADS, POWERS
from qampaign.judging.key.stems import CEDILLAS
from qampaign.judging.key.units import CURRENCY_SIGNS
from qampaign.judging.key.words import unaccented

SPELLED_BY_LIBRARY = ("de", "en", "es", "fr", "it", "nl", "pt")
LANGUAGES = (*SPELLED_BY_LIBRARY, "ja", "ro", "zh")
"""Languages whose number words are known."""

PERCENT = {
    "de": r"prozent|v\. ?h\.",
    "en": r"per ?cent|pct\.?",
    "es": r"por ciento",
    "fr": r"pour ?cent",
    "it": r"per ?cento",
    "ja": r"パーセント",
    "nl": r"procent",
    "pt": r"por cento",
    "ro": r"la sut[ăa]|procente?",
}
"""How languages say %; in Chinese it stands before the number."""

MINUS = {
    "de": "minus",
    "en": "minus|negative",
    "es": "(?<!al )(?<!lo )menos",
    "fr": "(?<!au )(?<!du )moins",
    "it": "(?<!lo )(?<!di )meno",
    "ja": "マイナス",
    "nl": "minus|min",
    "pt": "(?<!ao )(?<!lo )menos",
    "ro": "minus",
    "zh": "[负負]",
}
"""What stands before a number below 0, and not what means at least."""

HALF = {
    "de": "einhalb",
    "en": "and a half",
    "es": "y medio",
    "fr": "et demi",
    "it": "e mezzo",
    "nl": "en (?:een|1) hal(?:f|ve)",
    "pt": "e meio",
    "ro": "[șs]i jum[ăa]tate",
}
"""And a half; beside hours, where it makes a time, it has another gender."""

ONE_AND_A_HALF = {"de": "anderthalb|eineinhalb", "nl": "anderhalf|anderhalve"}

COMPOUND = {
    "de": {r"\b(?!eineinhalb)(\w+)(einhalb)\b": r"\1 \2"},
    "fr": {r"\bdemi-(?=mill)": "demi "},
    "it": {
        r"\b(vent)['\u2019](?=ann)": r"\1i ",
        r"\b([tqcsno]\w+ant|trent)['\u2019](?=ann)": r"\1a ",
        r"\bmezzo (?=mili)": "mezzo un ",
    },
    "nl": {r"\b(\w+?)[eë]nhalf\b": r"\1 en een half"},
}
"""Words that the library does not take apart, and their parts: zweieinhalb, vent'anni."""

DOZENS = {
    "de": ("dutzend", "ein(?:em|es)?", "(?:ein(?:em|es|er?)? )?halbe[ns]?"),
    "en": ("dozen", "an?", "half an?|a half"),
    "es": ("docena", "una", "medi[oa]"),
    "fr": ("douzaine", "une", "(?:une? )?demi"),
    "it": ("dozzina", "una", "(?:una? )?mezz[oa]"),
    "ja": ("ダース", "(?!)", "半"),
    "nl": ("dozijn", "een", "(?:een )?half"),
    "pt": ("dúzia", "uma", "mei[oa]"),
    "ro": ("duzină", "o", "(?:o )?jumătate de"),
}
"""A dozen, and the words for one and for half a one (or half a million) before it."""

TELLING = {
    "de": ("minus", "halb", "dutzend"),
    "en": ("minus", "negative", "half", "dozen"),
    "es": ("menos", "medi", "docena"),
    "fr": ("moins", "demi", "douzaine"),
    "it": ("meno", "mezz", "dozzin"),
    "ja": ("マイナス", "ダース"),
    "nl": ("min", "half", "halve", "dozijn"),
    "pt": ("menos", "mei", "dúzia"),
    "ro": ("minus", "jum", "duzin"),
    "zh": ("负", "負"),
}
"""One of these is in every text that has one of those: looking for them is fast."""

LETTER = r"[a-z\u00df-\u024f]"

ONE_IS_A_NUMBER = 0.0
ONE_IS_AN_ARTICLE = 1.5
"""Alone, the word for 1 is left as it is where it is the article as well."""

COUNTERS = "世年月日時时点分秒人円元個个歳岁回度位階番号票%"

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
ROMANIAN |= {unaccented(word): value for word, value in ROMANIAN.items() if word != "nouă"}
ROMANIAN_SCALES |= {unaccented(word): value for word, value in ROMANIAN_SCALES.items()}
"""Often written without accents; but noua is the new one."""

ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand million billion trillion dozen first second third fourth fifth sixth seventh "
    "eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
    "eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth "
    "ninetieth hundredth thousandth millionth billionth trillionth nil nought percent pct"
)

NUMERIC = {"en": rf"(?i)\d|\b(?:{'|'.join(ENGLISH.split())})s?\b|\bper ?cent\b"}
"""By language: what is in every text with a number or %, where that is known; Polars looks for it
in many texts at once."""

LONG = 4096
STRETCH = re.compile(
    rf"(?s).{{1,{LONG}}}(?:\Z|(?<=[.;!?])\s|\n)|.{{1,{LONG}}}(?<=,)\s|.{{1,{LONG}}}\s|.{{1,{LONG}}}"
)
"""A part of a long text: up to the end of a sentence if there is one, else a comma or a word."""


def spell(text: str, language: str) -> str:
    """The text with number words as digits, and % for percent.

    >>> spell("ten percent of one hundred and five", "en")
    '10% of 105'
    >>> spell("douăzeci și unu la sută", "ro")
    '21%'
    >>> spell("百分之二十五", "zh")
    '25%'
    >>> spell("minus two and a half million, or a dozen", "en")
    '-2.5 1000000, or 12'
    """
    if language in PERCENT:
        text = _percent(language).sub("%", text)
    for compound, parts in COMPOUND.get(language, {}).items():
        text = re.sub(compound, parts, text, flags=re.IGNORECASE)
    text = _speller(language)(text)
    lower = text.lower()
    if any(word in lower for word in TELLING.get(language, ())):
        text = _amounts(language).sub(_amount, text)
    return text


@cache
def _percent(language: str) -> re.Pattern[str]:
    pattern = rf"[ -]?(?<!{LETTER})(?:{PERCENT[language]})(?!{LETTER})"
    return re.compile(pattern, re.IGNORECASE)


@cache
def _speller(language: str) -> Callable[[str], str]:
    if language in SPELLED_BY_LIBRARY:
        from text_to_num import alpha2digit  # type: ignore[import-untyped]  # slow to load

        threshold = ONE_IS_A_NUMBER if language == "en" else ONE_IS_AN_ARTICLE
        library = partial(alpha2digit, lang=language, threshold=threshold)
        return lambda text: library(text) if len(text) <= LONG else _by_stretches(library, text)
    if language in ("ja", "zh"):
        return _spell_ideographs
    return _spell_romanian if language == "ro" else str


def _by_stretches(library: Callable[[str], str], text: str) -> str:
    """A long text part by part: the library's time grows with the square of the length."""
    return "".join(map(library, STRETCH.findall(text)))


@cache
def _amounts(language: str) -> re.Pattern[str]:
    """Amounts of which digits are a part, or that have a word of their own."""
    dozen, one, half = DOZENS.get(language, ("(?!)", "(?!)", "(?!)"))
    half_more, one_half = (
        by_language.get(language, "(?!)") for by_language in (HALF, ONE_AND_A_HALF)
    )
    return re.compile(
        rf"(?<![\d.,])(?<!{LETTER})(?:"
        rf"(?<!\d )(?P<minus>{MINUS[language]}) ?(?=[{CURRENCY_SIGNS}]?\d)"
        rf"|(?:(?:(?P<half_dozen>{half})|(?P<dozen>{one}))[ -]?(?:{dozen})"
        rf"|(?:{half})[ -]?(?P<half_scale>1(?:000){{1,5}})(?!\d)"
        rf"|(?P<number>\d{{1,18}})(?P<scale> 1(?:000)+)? (?:{half_more})"
        rf"|(?P<one_half>{one_half}))(?!{LETTER}))",
        re.IGNORECASE,
    )


def _amount(match: re.Match[str]) -> str:
    if match["minus"]:
        return "-"
    if match["one_half"]:
        return "1.5"
    if match["half_scale"]:
        return str(int(match["half_scale"]) // 2)
    if match["number"]:
        return _and_a_half(int(match["number"]), match["scale"] or "")
    return "12" if match["dozen"] else "6"


def _and_a_half(number: int, scale: str) -> str:
    """After a million, half a million is meant.

    >>> _and_a_half(2, ""), _and_a_half(2, " 1000000"), _and_a_half(2000000, "")
    ('2.5', '2.5 1000000', '2500000')
    """
    thousands = re.search("(?:000)*$", str(number))
    unit = 10 ** len(thousands[0]) if thousands and number else 1
    return f"{number + unit // 2}" if unit > 1 else f"{number}.5{scale}"


def _spell_ideographs(text: str) -> str:
    """Numerals of more than one sign, or that count something: 三 may be part of a name."""
    text = re.sub("(?<=[時时点點])半", "30分", text.replace("元年", "1年"))
    signs = r"(?:(?<!\d)(?<!\d[.,])\d+(?:,\d{3})*(?:\.\d+)?)?"
    signs += rf"[{IDEOGRAPHIC}](?:[\d{IDEOGRAPHIC}]|(?<=\d),(?=\d{{3}}))*"
    text = re.sub(rf"百分之({signs}|\d[\d.,]*)", r"\1%", text)
    pattern = rf"(?<![{IDEOGRAPHIC}]){signs}"

    def digits(match: re.Match[str]) -> str:
        after = text[match.end() : match.end() + 1]
        alone = match[0] == text.strip()
        return (
            ideographs(match[0])
            if len(match[0]) > 1 or alone or (after and after in COUNTERS)
            else match[0]
        )

    return re.sub(pattern, digits, text)


def ideographs(signs: str) -> str:
    """A numeral in digits.

    >>> ideographs("一億二千三百万"), ideographs("一九七六"), ideographs("1億3000万")
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
    pattern = rf"\b(?:{word})(?:(?:[ -](?:[șs]i[ -])?(?:de )?)(?:{word}))*\b"
    return re.sub(pattern, _romanian, text.translate(CEDILLAS), flags=re.IGNORECASE)


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
