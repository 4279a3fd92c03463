"""Dates in text: in any order, whole or in part, and relative to a day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from qampaign.judging.key.ideographs import BEGINS
from qampaign.judging.key.numbers import DIGIT, FAR, SHORT_SCALES
from qampaign.judging.key.units import CURRENCY_SIGNS
from qampaign.judging.key.words import unaccented


@dataclass(frozen=True)
class Calendar:
    """How a language speaks of dates; number words are digits already."""

    months: str
    """The twelve months, each with its short forms, by commas."""
    year: str
    month: str
    week: str
    day: str
    decade: str
    century: str
    ago: str
    """With {n} for a number and {unit} for years, months, weeks, days, decades, centuries."""
    one: str = "(?!)"
    first: str = "(?!)"
    """The words for 1 and the first of a month: they are not written in digits."""
    last: str = "(?!)"
    this: str = "(?!)"
    next: str = "(?!)"
    """With {unit}: that one before, now and after."""
    days: tuple[str, str, str] = ("(?!)", "(?!)", "(?!)")
    """Yesterday, today, tomorrow."""
    of: str = "(?!)"
    """What may stand between day, month and year."""
    month_first: bool = False
    """Whether 7/4/1976 may be the fourth of July."""


CALENDARS = {
    "de": Calendar(
        "januar jänner jan,februar feber feb,märz mär mrz,april apr,mai,juni jun,juli jul,august "
        "aug,september sept sep,oktober okt,november nov,dezember dez",
        "jahr(?:e|en|es)?", "monat(?:e|en|s)?", "wochen?", "tag(?:e|en|es)?",
        "jahrzehnt(?:e|en|s)?", "jahrhundert(?:e|en|s)?",
        ago="vor {n} {unit}", one="eine[mnr]?", first="erste[nr]?",
        last="(?:letzte|vorige|vergangene)[nrsm]? {unit}", this="diese[nrsm]? {unit}",
        next="nächste[nrsm]? {unit}", days=("gestern", "heute", "morgen"), of="des|im",
    ),
    "en": Calendar(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september "
        "sept sep,october oct,november nov,december dec",
        "years?", "months?", "weeks?", "days?", "decades?", "century|centuries",
        ago="{n} {unit} ago", one="an?", last="last {unit}", this="this {unit}",
        next="next {unit}", days=("yesterday", "today", "tomorrow"), of="of|in", month_first=True,
    ),
    "es": Calendar(
        "enero ene,febrero feb,marzo mar,abril abr,mayo may,junio jun,julio jul,agosto ago,"
        "septiembre setiembre sept sep,octubre oct,noviembre nov,diciembre dic",
        "años?", "mes(?:es)?", "semanas?", "días?", "décadas?|decenios?", "siglos?",
        ago="hace {n} {unit}", one="una?", first="primero", last="(?:el |la )?{unit} pasad[oa]",
        this="est[ea] {unit}", next="(?:el |la )?próxim[oa] {unit}",
        days=("ayer", "hoy", "mañana"), of="de|del",
    ),
    "fr": Calendar(
        "janvier janv,février févr fév,mars,avril avr,mai,juin,juillet juil,août,septembre sept,"
        "octobre oct,novembre nov,décembre déc",
        "an(?:née)?s?", "mois", "semaines?", "jours?", "décennies?", "siècles?",
        ago="il y a {n} {unit}", one="une?", first="premier",
        last="(?:l['\u2019]|le |la )?{unit} (?:derni(?:er|ère)|passée?)",
        this="cet(?:te)? {unit}|ce {unit}", next="(?:l['\u2019]|le |la )?{unit} prochaine?",
        days=("hier", "aujourd['\u2019]hui", "demain"), of="de",
    ),
    "it": Calendar(
        "gennaio gen,febbraio feb,marzo mar,aprile apr,maggio mag,giugno giu,luglio lug,agosto ago,"
        "settembre set,ottobre ott,novembre nov,dicembre dic",
        "ann[oi]", "mes[ei]", "settiman[ae]", "giorn[oi]",
        "decenni(?:o)?", "secol[oi]",
        ago="{n} {unit} fa", one="una?", first="primo",
        last="(?:l['\u2019]|il |la )?(?:{unit} scors[oa]|scors[oa] {unit})",
        this="quest(?:['\u2019]|o |a ){unit}",
        next="(?:l['\u2019]|il |la )?(?:{unit} prossim[oa]|prossim[oa] {unit})",
        days=("ieri", "oggi", "domani"), of="del|di",
    ),
    "nl": Calendar(
        "januari jan,februari feb,maart mrt,april apr,mei,juni jun,juli jul,augustus aug,september "
        "sept sep,oktober okt,november nov,december dec",
        "ja(?:ar|ren)", "maand(?:en)?", "we(?:ek|ken)", "dag(?:en)?",
        "decenni(?:um|a)", "eeuw(?:en)?",
        ago="{n} {unit} geleden", one="een", first="eerste", last="(?:vorige?|afgelopen) {unit}",
        this="di[te] {unit}|deze {unit}", next="volgende? {unit}",
        days=("gisteren", "vandaag", "morgen"), of="van",
    ),
    "pt": Calendar(
        "janeiro jan,fevereiro fev,março mar,abril abr,maio mai,junho jun,julho jul,agosto ago,"
        "setembro set,outubro out,novembro nov,dezembro dez",
        "anos?", "m[eê]s(?:es)?", "semanas?", "dias?", "décadas?", "séculos?",
        ago="há {n} {unit}|{n} {unit} atrás", one="uma?", first="primeiro",
        last="(?:[oa] )?{unit} passad[oa]", this="est[ea] {unit}",
        next="(?:[oa] )?próxim[oa] {unit}",
        days=("ontem", "hoje", "amanhã"), of="de|do",
    ),
    "ro": Calendar(
        "ianuarie ian,februarie feb,martie mar,aprilie apr,mai,iunie iun,iulie iul,august aug,"
        "septembrie sept sep,octombrie oct,noiembrie noi,decembrie dec",
        "an(?:i|ul)?", "lun[aăi]", "săptămân[aăi]|săptămâni", "zi(?:le)?",
        "deceniu|decenii", "secol(?:e)?|veac(?:uri)?",
        ago="acum {n} (?:de )?{unit}|cu {n} (?:de )?{unit} [îi]n urm[ăa]", one="un|o",
        first="întâi", last="{unit} trecută?",
        this="{unit} acesta|{unit} aceasta", next="{unit} viitor(?:oare)?|{unit} viitoare",
        days=("ieri", "astăzi|azi", "mâine"), of="din|ale|al",
    ),
    "ja": Calendar(
        ",,,,,,,,,,,", "年", "[かヶ箇]?月", "週間?", "日", "(?!)", "世紀", ago="{n}{unit}前",
        last="去{unit}|昨{unit}|先{unit}", this="今{unit}", next="来{unit}",
        days=("昨日", "今日", "明日"),
    ),
    "zh": Calendar(
        ",,,,,,,,,,,", "年", "个?月", "(?:周|星期|个星期)", "[天日]", "(?!)", "个?世纪",
        ago="{n}{unit}前", last="去{unit}|上个?{unit}", this="今{unit}|这个?{unit}",
        next="明{unit}|下个?{unit}", days=("昨天", "今天", "明天"),
    ),
}  # fmt: skip

NUMERIC = Calendar(",,,,,,,,,,,", "(?!)", "(?!)", "(?!)", "(?!)", "(?!)", "(?!)", "(?!)")
"""For languages whose words are not known."""

ENDS = r"(?![a-z\u00df-\u024f])"
"""A word of the Latin alphabet ends here, and does not go on; other scripts have no gaps."""

STARTS = rf"{BEGINS}(?<![_.,/-])"

UNITS = ("year", "month", "week", "day")
AGES = {"decade": 10, "century": 100}
"""Longer times in years: so many years ago they are told, but the last of them is no year."""

ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""Of Japan, with the year before the first."""


class Day(NamedTuple):
    """A day, a month or a year; what is not said is None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def is_given_by(self, other: "Day") -> bool:
        """Whether the other one says all that this one says, or more.

        >>> Day(1976).is_given_by(Day(1976, 7, 4)), Day(1976, 7, 4).is_given_by(Day(1976))
        (True, False)
        """
        return all(mine in (None, its) for mine, its in zip(self, other, strict=True))


class Found(NamedTuple):
    """A date in a text, in every way that it can be read."""

    start: int
    end: int
    readings: tuple[Day, ...]


def find(text: str, language: str, today: date | None = None) -> Iterator[Found]:
    """The dates in a text whose number words are digits; relative ones need the day they are from.

    >>> [found.readings[0] for found in find("from July 4, 1976 to 5 May", "en")]
    [Day(year=1976, month=7, day=4), Day(year=None, month=5, day=5)]
    >>> [found.readings[0] for found in find("20 years ago", "en", date(2000, 5, 1))]
    [Day(year=1980, month=None, day=None)]
    """
    calendar = CALENDARS.get(language, NUMERIC)
    matches: list[re.Match[str]] = []
    if digit := DIGIT.search(text):
        is_spelled = calendar.first != Calendar.first  # the first of May has no digit
        start = 0 if is_spelled else max(digit.start() - FAR, 0)
        matches += _absolute(calendar).finditer(text, start)
    if today is not None:
        matches += _relative(calendar).finditer(text)
    end = 0
    for match in sorted(matches, key=lambda candidate: (candidate.start(), -candidate.end())):
        if match.start() < end:
            continue
        readings = tuple(dict.fromkeys(filter(_exists, _readings(match, calendar, today))))
        if readings:
            end = match.end()
            yield Found(*match.span(), readings)


@cache
def _months(calendar: Calendar) -> dict[str, int]:
    names = {
        name: number
        for number, names in enumerate(calendar.months.split(","), start=1)
        for name in names.split()
    }
    return names | {unaccented(name): number for name, number in names.items()}


@cache
def _absolute(calendar: Calendar) -> re.Pattern[str]:
    names = sorted(_months(calendar), key=len, reverse=True)
    month = rf"(?:{'|'.join(names) or '(?!)'})\b\.?"
    day = rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|ème|ste|[eoaºª.])?|{calendar.first})"
    of = rf" ?,? ?(?:\b(?:the|{calendar.of})\b )?"
    year = r"(?:[12]\d{3}(?!\d)|['\u2019]\d{2}(?!\d))"
    scales = "|".join(["1(?:000)+", *SHORT_SCALES])
    initials = "".join(sorted({name[0] for name in (*names, *ERAS)}))
    initials += calendar.first[0] if calendar.first[0].isalpha() else ""
    return re.compile(
        rf"(?=[\d{initials}])(?:{STARTS}(?:"  # quick to say no
        r"(?P<iso>[12]\d{3}(?:(?P<by>[./-])\d{1,2}(?P=by)\d{1,2}|-[01]\d))"
        r"(?![./-]?\d|-?(?!t\d)[a-z\u00df-\u024f])"
        r"|(?P<numeric>\d{1,2}(?P<separator>[./-])\d{1,2}(?P=separator)(?:\d{4}|\d{2}))(?!\d)"
        r"|(?P<month_year>(?:0?[1-9]|1[0-2])[/-][12]\d{3}|0[1-9]\.[12]\d{3})(?![./-]?\d|\w)"
        rf"|(?P<signs>(?:[12]\d{{3}}|(?:{'|'.join(ERAS)})\d{{1,2}})年(?:\d{{1,2}}月(?:\d{{1,2}}[日号號])?)?"
        r"|\d{1,2}月\d{1,2}[日号號])"
        rf"|(?P<words>(?:{day}{of}{month}|{month} ?(?:the )?{day}(?!\d))(?:{of}{year})?"
        rf"|{month}{of}{year}|[12]\d{{3}}{of}{month} ?{day}(?!\d))"
        rf"|(?<![{CURRENCY_SIGNS}])(?<![{CURRENCY_SIGNS}] )"
        r"(?P<bare>(?:1\d|20) ?\d{2})"
        rf"(?!\w|[.,:]\d| ?[%{CURRENCY_SIGNS}]| (?:{scales})\b)"
        r")|(?<=(?<!\d)[12]\d{3}[-\u2013])(?P<until>[12]\d{3})(?!\w|[.,:]\d|-\d))",
        re.IGNORECASE,
    )


@cache
def _relative(calendar: Calendar) -> re.Pattern[str]:
    parts = [rf"(?P<day_{n}>(?:{word}){ENDS})" for n, word in enumerate(calendar.days)]
    for name in ("ago", "last", "this", "next"):
        for unit in (*UNITS, *AGES) if name == "ago" else UNITS:
            pattern = getattr(calendar, name).replace("{unit}", f"(?:{getattr(calendar, unit)})")
            pattern = pattern.replace("{n}", rf"(?:\d{{1,4}}|{calendar.one})")
            parts.append(rf"(?P<{name}_{unit}>(?:{pattern}){ENDS})")
    return re.compile(rf"{STARTS}(?:{'|'.join(parts)})", re.IGNORECASE)


def _readings(match: re.Match[str], calendar: Calendar, today: date | None) -> Iterator[Day]:
    name = match.lastgroup
    numbers = [int(digits) for digits in re.findall(r"\d+", match[0])]
    if name in ("bare", "until"):
        yield Day(int(match[0].replace(" ", "")))
    elif name == "iso":
        yield Day(*numbers)
    elif name == "month_year":
        yield Day(numbers[1], numbers[0])
    elif name == "signs":
        era = ERAS.get(match[0][:2], 0)
        yield Day(era + numbers[0], *numbers[1:]) if "年" in match[0] else Day(None, *numbers)
    elif name == "numeric":
        first, second, year = numbers
        for full_year in (year,) if year > 99 else (1900 + year, 2000 + year):
            yield Day(full_year, second, first)
            if calendar.month_first:
                yield Day(full_year, first, second)
    elif name == "words":
        yield from _in_words(match[0], numbers, calendar)
    elif name is not None and today is not None:
        yield _resolve(name, numbers[0] if numbers else 1, today)


def _in_words(text: str, numbers: list[int], calendar: Calendar) -> Iterator[Day]:
    words = re.findall(r"[^\W\d_]+", text.lower())
    month = next(_months(calendar)[word] for word in words if word in _months(calendar))
    short = re.search(r"['\u2019](\d{2})$", text)
    if short:
        years: list[int | None] = [1900 + int(short[1]), 2000 + int(short[1])]
        numbers = numbers[:-1]
    else:
        years = [next((number for number in numbers if number > 99), None)]
    first = re.search(calendar.first, text, re.IGNORECASE)
    day = 1 if first else next((number for number in numbers if number <= 99), None)
    yield from (Day(year, month, day) for year in years)


def _resolve(name: str, number: int, today: date) -> Day:
    """The year, month or day that lies so far from today: as exact as it is said."""
    which, unit = name.split("_")
    if which == "day":
        return _whole(today + timedelta(days=int(unit) - 1))
    steps = {"ago": -number, "last": -1, "this": 0, "next": 1}[which]
    if unit in ("year", *AGES):
        return Day(today.year + steps * AGES.get(unit, 1))
    if unit == "month":
        years, month = divmod(12 * today.year + today.month - 1 + steps, 12)
        return Day(years, month + 1)
    return _whole(today + timedelta(days=steps * (7 if unit == "week" else 1)))


def _whole(day: date) -> Day:
    return Day(day.year, day.month, day.day)


def _exists(day: Day) -> bool:
    try:
        date(day.year or 2000, day.month or 1, day.day or 1)
    except ValueError:
        return False
    return True
