"""Units and currencies: what they convert into, and what a bare number is beside them."""

import pytest

from qampaign.judging.key import units
from qampaign.judging.key.number_words import spell
from qampaign.judging.key.numbers import find_measured
from qampaign.judging.key.units import UNITS, convert
from qampaign.problems import Refused
from tests.judging.key.test_key_judge import recall


@pytest.mark.parametrize(
    ("value", "unit", "into", "expected"),
    [
        (5, "km", "m", 5000),
        (3.1, "mi", "km", 4.9889664),  # 3.1 times 1.609344
        (1, "ft", "in", 12),
        (16, "oz", "lb", 1),
        (90, "min", "hour", 1.5),
        (36, "month", "year", 3),
        (1, "km2", "ha", 100),
        (1, "kWh", "kJ", 3600),
        (100, "km/h", "m/s", 27.7777777778),
        (100, "°C", "°F", 212),
        (0, "°C", "K", 273.15),
        (-40, "°F", "°C", -40),
        (5, "km", "kg", None),
        (5, "USD", "EUR", None),  # rates change
    ],
)
def test_a_unit_converts_into_another_of_its_dimension(
    value: float, unit: str, into: str, expected: float | None
) -> None:
    found = convert(value, unit, into)
    assert found == (None if expected is None else pytest.approx(expected))


def test_every_word_is_of_a_unit() -> None:
    every = [units._ids(each) for each in units.SYMBOLS.values()]
    every += [ids for language in units.WORDS for ids in units._words(language).values()]
    assert {unit for ids in every for unit in ids} <= UNITS.keys()


def test_5_km_is_5000_m_and_3_1_miles_within_the_tolerance() -> None:
    for answer in ("5 km", "5,000 m", "about 5000 metres", "five kilometers", "5km"):
        assert recall("5 km", answer, units=True) == 1.0, answer
    # 3.1 miles are 4.989 km: 0.22% less
    assert recall("5 km", "3.1 miles", units=True) == 0.0
    assert recall("5 km", "3.1 miles", units=True, tolerance=0.003) == 1.0
    assert recall("5 km", "5 kg", units=True) == 0.0
    assert recall("5 km", "5 miles", units=True, tolerance=0.1) == 0.0


@pytest.mark.parametrize(
    ("key", "same", "other"),
    [
        ("$5", ["5 dollars", "US$5", "USD 5", "five dollars", "C$5"], ["5 euros", "£5"]),
        ("US$5", ["$5", "5 U.S. dollars"], ["C$5"]),
        ("£3 million", ["3m pounds", "GBP 3,000,000", "3 million pounds sterling"][1:], ["$3m"]),
        ("5 euros", ["€5", "EUR 5", "5 €", "5 euro"], ["$5"]),
        ("¥100", ["100 yen", "100 yuan", "JPY 100"], ["100 won"]),
        ("5 pounds", ["£5", "5 lb", "80 ounces"], ["5 kg"]),
        ("1 hour", ["60 minutes", "3,600 seconds"], ["1 day"]),
        ("5 feet 10 inches", ["70 inches", "5 ft 10 in", "5 feet and 10 inches"][::2], ["5 feet"]),
        ("100 °C", ["212 degrees Fahrenheit", "100 degrees Celsius"], ["100 °F"]),
        ("10 square miles", ["25.9 sq km"], ["10 miles"]),
    ],
)
def test_the_same_amount(key: str, same: list[str], other: list[str]) -> None:
    for answer in same:
        assert recall(key, answer, units=True, tolerance=0.001) == 1.0, answer
    for answer in other:
        assert recall(key, answer, units=True, tolerance=0.001) == 0.0, answer


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("language", "key", "answer"),
    [
        ("de", "5 Kilometer", "5.000 Meter"),
        ("es", "5 kilómetros", "5.000 metros"),
        ("fr", "5 kilomètres", "5 000 mètres"),
        ("it", "5 chilometri", "5.000 metri"),
        ("ja", "5キロメートル", "5000メートル"),
        ("nl", "5 kilometer", "5.000 meter"),
        ("pt", "5 quilômetros", "5.000 metros"),
        ("ro", "5 kilometri", "5.000 metri"),
        ("zh", "5公里", "5000米"),
        ("cs", "5 km", "5000 m"),  # symbols are the same everywhere
    ],
)
def test_units_in_other_languages(language: str, key: str, answer: str) -> None:
    assert recall(key, answer, {"language": language}, units=True) == 1.0


def test_a_bare_number_passes_only_where_units_are_relaxed() -> None:
    assert recall("5 km", "5", units=True) == 0.0
    assert recall("5 km", "5", units=True, relax="units") == 1.0
    assert recall("5 km", "5 miles", units=True, relax="units") == 0.0
    assert recall("5 km", "5000", units=True, relax="units") == 0.0
    assert recall("$5", "5", units=True, relax="units") == 1.0


def test_a_bare_number_in_the_key_is_any_units() -> None:
    assert recall("5", "5 km", units=True) == 1.0
    assert recall("5", "6 km", units=True) == 0.0


@pytest.mark.parametrize(("answer", "found"), [("7 km", 1.0), ("7,000 m", 1.0), ("7 miles", 0.0)])
def test_a_range_has_units_too(answer: str, found: float) -> None:
    assert recall("5..10 km", answer, units=True) == found
    assert recall("$5..10", "7 dollars", units=True) == 1.0
    assert recall("$5..10", "7", units=True) == 0.0
    assert recall("$5..10", "7", units=True, relax="units") == 1.0


def test_a_number_with_a_unit_is_no_year() -> None:
    options = {"units": True, "dates": True}
    assert recall("1990 km", "in 1990", **options) == 0.0
    assert recall("1990 km", "1,990,000 m", **options) == 1.0
    assert recall("1990", "in 1990", **options) == 1.0


def test_without_units_a_unit_is_a_word() -> None:
    assert recall("5 km", "5", numbers=True) == 0.5


@pytest.mark.parametrize("text", ["5 " + "k" * 10_000, "5" + " km" * 5_000, "$" * 10_000 + "5"])
def test_no_text_takes_long(text: str) -> None:
    assert list(find_measured(spell(text, "en"), "en"))


def test_options_that_have_no_effect_are_refused() -> None:
    from qampaign.judging.key.key_judge import key

    given = key.complete({"relax": "units", "task": "answering"})
    assert list(key.check(given)) == [
        (
            "relax",
            "has no effect where units are read as words",
            "units: true beside it, or nothing",
        )
    ]
    assert not list(key.check(given | {"units": True, "tolerance": 0.1}))


def test_a_key_that_cannot_be_read_with_units_is_refused_as_without() -> None:
    with pytest.raises(Refused, match="the range lacks an end"):
        recall("5.. km", "5 km", units=True)
