"""Dates in any order and language, in part, and relative to a day."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.key.dates import CALENDARS, Day, find
from qampaign.judging.key.number_words import spell
from qampaign.judging.key.quantities import Quantity, Reading

TODAY = date(2000, 5, 1)


def days(text: str, language: str = "en", today: date | None = TODAY) -> list[Day]:
    """The readings of the only date in a text, or none."""
    found = list(find(spell(text, language), language, today))
    assert len(found) <= 1
    return list(found[0].readings) if found else []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "4 July 1976"),
        ("en", "July 4, 1976"),
        ("en", "on July 4th, 1976."),
        ("en", "the 4th of July, 1976"),
        ("en", "the fourth of July 1976"),
        ("en", "Jul. 4 1976"),
        ("en", "1976-07-04"),
        ("en", "1976-07-04T10:30"),
        ("en", "1976/07/04"),
        ("en", "1976.7.4"),
        ("en", "1976 July 4"),
        ("en", "1976, July 4th"),
        ("en", "July the 4th 1976"),
        ("en", "July 4 , 1976"),  # as some systems cut texts
        ("de", "4. Juli 1976"),
        ("de", "am vierten Juli 1976"),
        ("de", "4.7.1976"),
        ("de", "04.07.1976"),
        ("es", "4 de julio de 1976"),
        ("es", "4/7/1976"),
        ("fr", "le 4 juillet 1976"),
        ("it", "4 luglio 1976"),
        ("ja", "1976年7月4日"),
        ("ja", "彼は1976年7月4日に"),
        ("ja", "1976/7/4に"),
        ("ja", "昭和51年7月4日"),
        ("ja", "昭和五十一年七月四日"),
        ("nl", "4 juli 1976"),
        ("pt", "4 de julho de 1976"),
        ("ro", "4 iulie 1976"),
        ("zh", "1976年7月4日"),
        ("zh", "他生于1976年7月4号"),
        ("zh", "1976/7/4"),
        ("zh", "1976.7.4"),
        ("fi", "1976-07-04"),
    ],
)
def test_a_day_in_every_spelling(language: str, text: str) -> None:
    assert days(text, language) == [Day(1976, 7, 4)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "July 1976", Day(1976, 7)),
        ("en", "in July of 1976", Day(1976, 7)),
        ("en", "1976", Day(1976)),
        ("en", "nineteen seventy-six", Day(1976)),
        ("en", "the Fourth of July", Day(None, 7, 4)),
        ("de", "im März 1848", Day(1848, 3)),
        ("fr", "août 1914", Day(1914, 8)),
        ("fr", "1er aout 1914", Day(1914, 8, 1)),
        ("fr", "le premier août 1914", Day(1914, 8, 1)),
        ("es", "agosto de 1914", Day(1914, 8)),
        ("ja", "7月4日", Day(None, 7, 4)),
        ("ja", "明治45年", Day(1912)),
        ("ja", "大正元年", Day(1912)),
        ("ja", "昭和元年", Day(1926)),
        ("ja", "平成31年4月", Day(2019, 4)),
        ("ja", "令和元年5月1日", Day(2019, 5, 1)),
        ("zh", "二〇〇〇年", Day(2000)),
        ("zh", "7月4号", Day(None, 7, 4)),
    ],
)
def test_a_part_of_a_date(language: str, text: str, expected: Day) -> None:
    assert days(text, language) == [expected]


def test_the_order_of_day_and_month_is_open_in_english_alone() -> None:
    assert set(days("7/4/1976")) == {Day(1976, 7, 4), Day(1976, 4, 7)}
    assert days("7/14/1976") == [Day(1976, 7, 14)]
    assert days("7/4/1976", "fr") == [Day(1976, 4, 7)]
    assert days("32/13/1976", "fr") == []


def test_a_year_of_two_digits_is_of_this_or_the_last_century() -> None:
    assert set(days("July '76")) == {Day(1976, 7), Day(2076, 7)}
    assert Day(1976, 7, 4) in days("4.7.76", "de")


@pytest.mark.parametrize(
    ("language", "ago", "last", "yesterday"),
    [
        ("de", "vor zwanzig Jahren", "letztes Jahr", "gestern"),
        ("en", "twenty years ago", "last year", "yesterday"),
        ("es", "hace veinte años", "el año pasado", "ayer"),
        ("fr", "il y a vingt ans", "l'année dernière", "hier"),
        ("it", "vent'anni fa", "l'anno scorso", "ieri"),
        ("ja", "二十年前", "去年", "昨日"),
        ("nl", "twintig jaar geleden", "vorig jaar", "gisteren"),
        ("pt", "há vinte anos", "o ano passado", "ontem"),
        ("ro", "acum douăzeci de ani", "anul trecut", "ieri"),
        ("zh", "二十年前", "去年", "昨天"),
    ],
)
def test_relative_dates_are_as_exact_as_they_are_said(
    language: str, ago: str, last: str, yesterday: str
) -> None:
    assert days(ago, language) == [Day(1980)]
    assert days(last, language) == [Day(1999)]
    assert days(yesterday, language) == [Day(2000, 4, 30)]
    assert days(ago, language, today=None) == []


@pytest.mark.parametrize(
    ("language", "decade", "two_centuries"),
    [
        ("de", "vor einem Jahrzehnt", "vor zwei Jahrhunderten"),
        ("en", "a decade ago", "two centuries ago"),
        ("es", "hace una década", "hace dos siglos"),
        ("fr", "il y a une décennie", "il y a deux siècles"),
        ("it", "un decennio fa", "due secoli fa"),
        ("ja", "十年前", "二世紀前"),
        ("nl", "een decennium geleden", "twee eeuwen geleden"),
        ("pt", "há uma década", "dois séculos atrás"),
        ("ro", "acum un deceniu", "cu două secole în urmă"),
        ("zh", "十年前", "两个世纪前"),
    ],
)
def test_decades_and_centuries_ago(language: str, decade: str, two_centuries: str) -> None:
    assert days(decade, language) == [Day(1990)]
    assert days(two_centuries, language) == [Day(1800)]


@pytest.mark.parametrize(
    "text",
    [
        "cu douăzeci de ani în urmă",
        "acum douazeci de ani",
        "cu 20 de ani in urma",
        "acum 2 decenii",
    ],
)
def test_twenty_years_ago_in_romanian(text: str) -> None:
    assert days(text, "ro") == [Day(1980)]


def test_the_last_century_is_no_year() -> None:
    assert days("last century") == days("this decade") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("five months ago", Day(1999, 12)),
        ("last month", Day(2000, 4)),
        ("next month", Day(2000, 6)),
        ("two weeks ago", Day(2000, 4, 17)),
        ("a year ago", Day(1999)),
        ("3 days ago", Day(2000, 4, 28)),
        ("this year", Day(2000)),
        ("today", Day(2000, 5, 1)),
        ("tomorrow", Day(2000, 5, 2)),
    ],
)
def test_steps_from_the_questions_day(text: str, expected: Day) -> None:
    assert days(text) == [expected]


@pytest.mark.parametrize(
    "text", ["1,976 cows", "76 cows", "the 1970s", "may", "1976%", "1976.5", "$1976", "$ 1976"]
)
def test_what_is_no_date(text: str) -> None:
    assert days(text) == []


def test_an_answer_may_say_more_than_the_key_but_not_less() -> None:
    year, month, day = Day(1976), Day(1976, 7), Day(1976, 7, 4)
    assert year.is_given_by(day)
    assert month.is_given_by(day)
    assert not day.is_given_by(month)
    assert not month.is_given_by(Day(1976, 8, 4))
    assert not Day(None, 7, 4).is_given_by(year)


@given(
    st.dates(date(1000, 1, 1), date(2099, 12, 31)),
    st.sampled_from([language for language in CALENDARS if language not in ("ja", "zh")]),
)
def test_every_day_is_read_from_its_name(day: date, language: str) -> None:
    month = CALENDARS[language].months.split(",")[day.month - 1].split()[0]
    of = " de " if language in ("es", "pt") else " "
    assert days(f"{day.day}{of}{month}{of}{day.year}", language) == [
        Day(day.year, day.month, day.day)
    ]


@pytest.mark.parametrize(("numbers", "times"), [(False, 1), (True, 1)])
def test_dates_take_times_along_and_a_year_is_a_number_too(numbers: bool, times: int) -> None:
    reading = Reading("en", numbers=numbers, dates=True, today=None)
    found = [quantity for *_, quantity in reading.find("5 men at 10:30 pm in 1976")]
    years = [each for each in found if each.days]
    assert len([each for each in found if any(n.unit == "h" for n in each.numbers)]) == times
    assert len(found) == (3 if numbers else 2)
    assert bool(years[0].numbers) == numbers
    assert years[0].is_given_by(Quantity(days=(Day(1976, 7, 4),)), 0.0)


def test_tolerance_is_for_numbers_and_not_for_years() -> None:
    reading = Reading("en", numbers=True, dates=True, today=None)

    def tolerated(key: str, answer: str) -> bool:
        (*_, asked), (*_, given) = (next(reading.find(text)) for text in (key, answer))
        return asked.is_given_by(given, 0.05)

    assert not tolerated("2000", "1990")  # both can be years
    assert tolerated("2000", "2000")
    assert tolerated("2000", "1,990")
    assert tolerated("2,000", "1990")
    assert tolerated("2000", "2100")
    assert tolerated("$2000", "$1990")
    assert tolerated("2000 mn", "1990 mn")
    assert not tolerated("2000", "1,800")


def test_a_number_beside_a_date_is_a_quantity_of_its_own() -> None:
    reading = Reading("en", numbers=True, dates=True, today=None)
    found = [quantity for *_, quantity in reading.find("5 men, 4 July 1976, 6 men: 1980, 7")]
    assert [bool(each.days) for each in found] == [False, True, False, True, False]
    assert [bool(each.numbers) for each in found] == [True, False, True, True, True]


def test_both_years_of_a_span_are_years() -> None:
    for text in ("1914-1918", "1914\u20131918", "1914 to 1918"):
        assert [found.readings for found in find(text, "en")] == [(Day(1914),), (Day(1918),)]
    assert [found.readings for found in find("2001-06-07", "en")] == [(Day(2001, 6, 7),)]


@pytest.mark.parametrize("language", [*CALENDARS, "fi"])
@pytest.mark.parametrize(
    "text", ["September, the 4th of 1976", "1st of May 2000", "1999-2001", "5,1976 and 1976"]
)
def test_dates_are_found_far_from_the_start_of_a_text(language: str, text: str) -> None:
    # the search begins some characters before the first digit; what stands there is still seen
    for before in (f"{'word ' * 20}", f"{'word ' * 20}x-", f"{'word ' * 20}("):
        near = before[-8:]
        close, far = (list(find(each + text, language)) for each in (near, before))
        shift = len(before) - len(near)
        assert far == [(at + shift, to + shift, readings) for at, to, readings in close]
