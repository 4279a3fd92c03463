"""Numbers in any spelling, by language."""

from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.key.number_words import spell
from qampaign.judging.key.numbers import Number, find, read_range
from qampaign.judging.key.quantities import Quantity, Range, Reading
from qampaign.judging.key.words import LANGUAGES
from tests.helpers.cases import first


def readings(text: str, language: str = "en") -> list[set[tuple[float, str]]]:
    return [
        {(number.value, number.unit) for number in found.readings}
        for found in find(spell(text, language), language)
    ]


def same(one: str, other: str, language: str = "en") -> bool:
    """Whether both texts are a number, and the same one."""
    (first,), (second,) = readings(one, language), readings(other, language)
    return bool(first & second)


@pytest.mark.parametrize(
    ("language", "spellings"),
    [
        ("de", ["10%", "10 %", "10 Prozent", "zehn Prozent"]),
        (
            "en",
            [
                "10%",
                "10 percent",
                "10 per cent",
                "ten percent",
                "Ten Percent",
                "10 pct.",
                "10-percent",
                "ten-percent",
            ],
        ),
        ("es", ["10%", "10 por ciento", "diez por ciento"]),
        ("fr", ["10 %", "10 pour cent", "dix pour cent"]),
        ("it", ["10%", "10 per cento", "dieci percento"]),
        ("ja", ["10%", "10パーセント", "十パーセント"]),
        ("nl", ["10%", "10 procent", "tien procent"]),
        ("pt", ["10%", "10 por cento", "dez por cento"]),
        ("ro", ["10%", "10 la sută", "10 la suta", "zece la sută", "zece procente"]),
        ("zh", ["10%", "百分之10", "百分之十"]),
    ],
)
def test_percentages_are_the_same_in_every_spelling(language: str, spellings: list[str]) -> None:
    for text in spellings:
        assert readings(text, language) == [{(10, "%")}], text


def test_ten_thirty_is_a_price_and_a_time() -> None:
    assert same("ten thirty", "$10.30")
    assert same("ten thirty", "10:30")
    assert same("$10.30", "10:30")
    assert not same("ten thirty", "10:31")
    assert not same("ten thirty", "ten")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("10:30 pm", "22:30", True),
        ("10:30 p.m.", "10:30", True),
        ("10:30 am", "10:30", True),
        ("10:30 am", "10:30 pm", False),
        ("10 pm", "22:00", True),
        ("10 o'clock", "10 a.m.", True),
        ("12:30 am", "0:30", True),
        ("10:30 pm", "$22.30", False),
    ],
)
def test_times_of_day(one: str, other: str, expected: bool) -> None:
    assert same(one, other) == expected


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "1.39 billion", 1.39e9),
        ("en", "1.39bn", 1.39e9),
        ("en", "one point three nine billion", 1.39e9),
        ("en", "1,390,000,000", 1.39e9),
        ("en", "two thousand five hundred", 2500),
        ("en", "-5", -5),
        ("en", "nineteen seventy-six", 1976),
        ("en", "minus three", -3),
        ("en", "minus $5", -5),
        ("en", "ten minus", 10),
        ("en", "two and a half", 2.5),
        ("en", "one and a half million", 1.5e6),
        ("en", "2 million and a half", 2.5e6),
        ("en", "half a million", 5e5),
        ("en", "a dozen", 12),
        ("en", "two dozen", 24),
        ("en", "half a dozen", 6),
        ("de", "1,39 Milliarden", 1.39e9),
        ("de", "1,39 Mrd.", 1.39e9),
        ("de", "1.390.000.000", 1.39e9),
        ("de", "einundzwanzig", 21),
        ("de", "minus drei", -3),
        ("de", "anderthalb Millionen", 1.5e6),
        ("de", "zweieinhalb", 2.5),
        ("de", "eine halbe Million", 5e5),
        ("de", "zwei Dutzend", 24),
        ("de", "ein halbes Dutzend", 6),
        ("de", "1.5", 1.5),  # no thousands: three digits would follow
        ("es", "mil millones", 1e9),
        ("es", "1.234,5", 1234.5),
        ("es", "menos tres", -3),
        ("es", "al menos tres", 3),  # at least
        ("es", "dos millones y medio", 2.5e6),
        ("es", "dos docenas", 24),
        ("fr", "1 390 000 000", 1.39e9),
        ("fr", "quatre-vingt-dix-sept", 97),
        ("fr", "moins trois", -3),
        ("fr", "au moins trois", 3),
        ("fr", "un million et demi", 1.5e6),
        ("fr", "un demi-million", 5e5),
        ("fr", "une douzaine", 12),
        ("it", "due miliardi", 2e9),
        ("it", "ventuno", 21),
        ("it", "meno tre", -3),
        ("it", "un milione e mezzo", 1.5e6),
        ("it", "mezzo milione", 5e5),
        ("it", "due dozzine", 24),
        ("nl", "tweeëntwintig", 22),
        ("nl", "min drie", -3),
        ("nl", "anderhalf miljoen", 1.5e6),
        ("nl", "tweeënhalf", 2.5),
        ("nl", "een dozijn", 12),
        ("pt", "vinte e um", 21),
        ("pt", "menos três", -3),
        ("pt", "pelo menos três", 3),
        ("pt", "dois milhões e meio", 2.5e6),
        ("pt", "meia dúzia", 6),
        ("ro", "două milioane trei sute de mii", 2_300_000),
        ("ro", "nouăzeci și nouă", 99),
        ("ro", "1.000,5", 1000.5),
        ("ro", "douazeci si cinci", 25),
        ("ro", "minus trei", -3),
        ("ro", "două milioane și jumătate", 2.5e6),
        ("ro", "o duzină", 12),
        ("ja", "13億9000万", 1.39e9),
        ("ja", "一億二千三百万", 123_000_000),
        ("ja", "人口は1億3,000万人", 1.3e8),
        ("ja", "マイナス3", -3),
        ("ja", "2ダース", 24),
        ("zh", "二百五十", 250),
        ("zh", "一九七六年", 1976),
        ("fi", "1,000.5", 1000.5),
    ],
)
def test_values(language: str, text: str, value: float) -> None:
    ((*found,),) = readings(text, language)
    assert any(unit == "" and each == pytest.approx(value) for each, unit in found)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "B52"),
        ("en", "the 1970s"),
        ("en", "747s"),
        ("ja", "三菱"),
        ("ja", "正三"),
        ("en", "dozens"),
        ("fr", "un homme"),
    ],
)
def test_what_is_no_number(language: str, text: str) -> None:
    assert readings(text, language) == []


@pytest.mark.parametrize(
    ("language", "spellings"),
    [
        ("de", ["10 Uhr 30", "10.30 Uhr", "um 10:30 Uhr"]),
        ("en", ["10.30 am", "10:30 a.m.", "10 : 30am"]),
        ("es", ["10.30 h", "10:30 horas", "a las 10.30", "10h30"]),
        ("fr", ["10 h 30", "10h30", "10 heures 30", "10:30 h"]),
        ("it", ["ore 10.30", "alle ore 10:30"]),
        ("ja", ["10時30分", "午前10時30分", "会議は10時半", "十時三十分"]),
        ("nl", ["10.30 uur", "10:30 uur", "10 uur 30", "10u30"]),
        ("pt", ["10h30", "às 10.30", "10h30min", "10 horas 30"]),
        ("ro", ["ora 10:30", "ora 10.30", "orele 10:30"]),
        ("zh", ["10点30分", "上午10点半", "十点三十分"]),
    ],
)
def test_times_are_the_same_in_every_spelling(language: str, spellings: list[str]) -> None:
    for text in spellings:
        (found,) = readings(text, language)
        assert (10.3, "h") in found, text
        assert same(text, "10:30", language), text
        assert not same(text, "10:31", language), text


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "10 Uhr", {(10, ""), (10, "h"), (22, "h")}),
        ("de", "22.30 Uhr", {(22.3, ""), (22.3, "h")}),
        ("ja", "午後10時", {(22, "h")}),
        ("ja", "10時間", {(10, "")}),  # ten hours
        ("zh", "下午10点半", {(22.3, "h")}),
        ("es", "10.30 hombres", {(10.3, "")}),
        ("de", "10.30", {(10.3, "")}),
    ],
)
def test_what_is_a_time_of_day(language: str, text: str, expected: set) -> None:
    assert readings(text, language) == [expected]


def test_sixteen_is_not_the_sixteenth() -> None:
    assert same("sixteenth", "16th")
    assert not same("sixteen", "16th")
    assert not same("10", "10%")


@given(st.integers(0, 10**12))
def test_digits_are_read_with_and_without_groups(number: int) -> None:
    assert readings(str(number)) == readings(f"{number:,}") == [{(number, "")}]
    grouped = f"{number:,}".replace(",", ".")
    assert readings(grouped, "de") == [{(number, "")}]


@given(st.integers(1, 99), st.sampled_from(["million", "billion"]))
def test_scales_multiply(number: int, scale: str) -> None:
    (((value, unit),),) = readings(f"{number / 10} {scale}")
    assert value == pytest.approx(number / 10 * {"million": 1e6, "billion": 1e9}[scale])
    assert unit == ""


@pytest.mark.parametrize(
    ("text", "after", "ends", "left"),
    [
        ("1.35..1.45", "1000000000", (1.35e9, 1.45e9, ""), ""),
        ("1.35..1.45", "1000000000 people", (1.35e9, 1.45e9, ""), "people"),
        ("10..12", "%", (10, 12, "%"), ""),
        ("10%..12%", "", (10, 12, "%"), ""),
        ("$10 .. $12.50", "a day", (10, 12.5, ""), "a day"),
        ("-5..5", "", (-5, 5, ""), ""),
        ("1 000..1 200", "men", (1000, 1200, ""), "men"),
    ],
)
def test_ranges(text: str, after: str, ends: tuple, left: str) -> None:
    low, high, rest = read_range(text, after, "en")
    assert (low.value, high.value) == pytest.approx(ends[:2])
    assert low.unit == high.unit == ends[2]
    assert rest == left


def test_points_in_a_range_are_those_of_its_language() -> None:
    assert [number.value for number in read_range("900..1.000", "", "en")[:2]] == [900, 1]
    assert [number.value for number in read_range("900..1.000", "", "de")[:2]] == [900, 1000]
    assert read_range("12..30", "20 people", "en")[2] == "20 people"


@pytest.mark.parametrize(
    ("language", "text", "after", "ends", "left"),
    [
        ("ja", "13.5..14.5", "億", (13.5e8, 14.5e8), ""),
        ("ja", "5..10", "万人", (5e4, 1e5), "人"),
        ("ja", "5..10", "万km", (5e4, 1e5), "km"),
        ("ja", "5..10", "千万円", (5e7, 1e8), "円"),
        ("zh", "13.5..14.5", "亿", (13.5e8, 14.5e8), ""),
        ("en", "1.35..1.45", "bn", (1.35e9, 1.45e9), ""),
        ("en", "5..10", "km", (5, 10), "km"),
        ("en", "-5..0", "million", (-5e6, 0), ""),
        ("en", "2..3", "dozen eggs", (24, 36), "eggs"),
        ("ja", "2..3", "ダース", (24, 36), ""),
        ("de", "1,35..1,45", "Milliarden Euro", (1.35e9, 1.45e9), "Euro"),
    ],
)
def test_a_scale_after_a_range_is_for_both_ends(
    language: str, text: str, after: str, ends: tuple[float, float], left: str
) -> None:
    low, high, rest = read_range(text, spell(after, language), language)
    assert (low.value, high.value) == pytest.approx(ends)
    assert rest == left


@pytest.mark.parametrize(
    ("language", "text", "after", "ends"),
    [
        ("en", "10..12", "o'clock", (10, 12)),
        ("en", "10..11", "pm", (22, 23)),
        ("de", "12..14", "Uhr", (12, 14)),
        ("ja", "10..12", "時", (10, 12)),
    ],
)
def test_a_range_of_hours(language: str, text: str, after: str, ends: tuple[int, int]) -> None:
    low, high, left = read_range(text, after, language)
    assert (low, high, left) == (Number(ends[0], "h"), Number(ends[1], "h"), "")


def one(value: float, unit: str = "") -> Quantity:
    return Quantity((Number(value, unit),))


@pytest.mark.parametrize(
    ("value", "within"), [(1.35, True), (1.39, True), (1.45, True), (1.34, False), (1.46, False)]
)
def test_a_range_has_its_ends(value: float, within: bool) -> None:
    asked = Range(Number(1.35e9), Number(1.45e9))
    assert asked.is_given_by(one(value * 1e9), 0.0) == within
    assert not asked.is_given_by(one(value * 1e9, "%"), 0.0)


def test_a_tolerance_is_a_share_of_the_keys_number() -> None:
    assert one(1.4e9).is_given_by(one(1.39e9), 0.05)
    assert one(100).is_given_by(one(105), 0.05)
    assert not one(100).is_given_by(one(105.1), 0.05)
    assert not one(100).is_given_by(one(100.1), 0.0)
    assert not one(100, "th").is_given_by(one(101, "th"), 0.05)  # places are not measured


SIGNS = "0123456789 .,:'%$-/h年月日十百分之億五ten thirty million pm ago last year mai 4th 2000 "


@given(st.text(st.sampled_from(SIGNS), max_size=40), st.sampled_from([*LANGUAGES, "fi"]))
def test_any_text_can_be_read_and_quantities_do_not_overlap(text: str, language: str) -> None:
    reading = Reading(language, numbers=True, dates=True, today=date(2000, 5, 1))
    spelled = spell(text, language)
    end = 0
    for start, stop, quantity in reading.find(spelled):
        assert end <= start < stop <= len(spelled)
        assert quantity.is_given_by(quantity, 0.0)
        end = stop


@pytest.mark.parametrize("text", ["9" * 5000, "1" + "000" * 2000, f"{'9' * 20} days ago"])
def test_numbers_beyond_all_measure_are_no_error(text: str) -> None:
    reading = Reading("en", numbers=True, dates=True, today=date(2000, 5, 1))
    assert list(reading.find(spell(text, "en")))


@pytest.mark.parametrize("sign", [" ", ", ", ". ", "\n", "-"])
def test_long_texts_are_spelled_as_short_ones(sign: str) -> None:
    short = "there were one hundred and five of them"
    once = spell(short, "en")
    assert spell(sign.join([short] * 500), "en").count("105") >= 0.99 * 500
    if sign.strip(" ") and sign != "-":  # cut where no number can go on
        assert spell(sign.join([short] * 500), "en") == sign.join([once] * 500)


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "text"),
    first(1, [("en", "one "), ("fr", "deux, "), ("en", "1976 "), ("en", "may 1 "), ("ja", "1")]),
)
def test_time_grows_with_the_length_of_a_text_and_no_faster(language: str, text: str) -> None:
    reading = Reading(language, numbers=True, dates=True, today=date(2000, 5, 1))

    def seconds(times: int) -> float:
        begun = process_time()
        list(reading.find(spell(text * times, language)))
        return process_time() - begun

    seconds(1)  # expressions are compiled
    # 16 times as long: 16 times the time, 256 times where it grew with the square
    assert min(seconds(16_000) for _ in range(2)) < 64 * max(seconds(1_000), 0.005)
