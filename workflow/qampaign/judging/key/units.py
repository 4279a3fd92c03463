"""Units of measure and currencies: how they are written, and how one converts into another."""

import re
from functools import cache
from typing import NamedTuple

CURRENCY_SIGNS = "$€£¥₹₩₽₺₪₴₫฿₦₱₡₸"


class Unit(NamedTuple):
    """What a unit measures, and its value in the dimension's basic unit."""

    dimension: str
    factor: float
    offset: float = 0.0
    """Added after the factor: temperatures do not begin at the same zero."""


MONEY = "money"

UNITS = {
    "mm": Unit("length", 1e-3), "cm": Unit("length", 1e-2), "m": Unit("length", 1.0),
    "km": Unit("length", 1e3), "in": Unit("length", 0.0254), "ft": Unit("length", 0.3048),
    "yd": Unit("length", 0.9144), "mi": Unit("length", 1609.344), "nmi": Unit("length", 1852.0),
    "ly": Unit("length", 9.4607304725808e15),
    "mg": Unit("mass", 1e-6), "g": Unit("mass", 1e-3), "kg": Unit("mass", 1.0),
    "t": Unit("mass", 1e3), "oz": Unit("mass", 0.028349523125), "lb": Unit("mass", 0.45359237),
    "short ton": Unit("mass", 907.18474),
    "ms": Unit("time", 1e-3), "s": Unit("time", 1.0), "min": Unit("time", 60.0),
    "hour": Unit("time", 3600.0), "d": Unit("time", 86_400.0), "week": Unit("time", 604_800.0),
    "month": Unit("time", 2_629_800.0), "year": Unit("time", 31_557_600.0),
    "m2": Unit("area", 1.0), "km2": Unit("area", 1e6), "ha": Unit("area", 1e4),
    "acre": Unit("area", 4046.8564224), "mi2": Unit("area", 2_589_988.110336),
    "ft2": Unit("area", 0.09290304),
    "ml": Unit("volume", 1e-6), "l": Unit("volume", 1e-3), "m3": Unit("volume", 1.0),
    "km3": Unit("volume", 1e9), "gal": Unit("volume", 0.003785411784),
    "imperial gal": Unit("volume", 0.00454609),
    "m/s": Unit("speed", 1.0), "km/h": Unit("speed", 1 / 3.6), "mph": Unit("speed", 0.44704),
    "kn": Unit("speed", 1852 / 3600),
    "K": Unit("temperature", 1.0), "°C": Unit("temperature", 1.0, 273.15),
    "°F": Unit("temperature", 5 / 9, 459.67 * 5 / 9),
    "W": Unit("power", 1.0), "kW": Unit("power", 1e3), "MW": Unit("power", 1e6),
    "GW": Unit("power", 1e9), "hp": Unit("power", 745.6998715822702),
    "J": Unit("energy", 1.0), "kJ": Unit("energy", 1e3), "cal": Unit("energy", 4.184),
    "kcal": Unit("energy", 4184.0), "kWh": Unit("energy", 3.6e6),
    "Hz": Unit("frequency", 1.0), "kHz": Unit("frequency", 1e3), "MHz": Unit("frequency", 1e6),
    "GHz": Unit("frequency", 1e9),
    "B": Unit("data", 1.0), "KB": Unit("data", 1e3), "MB": Unit("data", 1e6),
    "GB": Unit("data", 1e9), "TB": Unit("data", 1e12),
}  # fmt: skip

CURRENCIES = (
    "USD", "CAD", "AUD", "NZD", "HKD", "SGD", "EUR", "GBP", "JPY", "CNY", "INR", "KRW", "RUB",
    "TRY", "ILS", "UAH", "VND", "THB", "NGN", "PHP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK",
    "HUF", "RON", "BRL", "MXN", "ARS", "CLP", "COP", "ZAR", "EGP", "DEM", "FRF", "ITL", "ESP",
    "NLG",
)  # fmt: skip
UNITS |= {code: Unit(f"{MONEY} {code}", 1.0) for code in CURRENCIES}
"""A currency converts into no other."""

DOLLARS = "USD CAD AUD NZD HKD SGD"
POUNDS = "GBP EGP"
KRONER = "SEK NOK DKK"
PESOS = "MXN ARS CLP COP PHP"

BEFORE = {
    "$": DOLLARS, "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD",
    "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "€": "EUR", "£": "GBP",
    "¥": "JPY CNY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS", "₴": "UAH",
    "₫": "VND", "฿": "THB", "₦": "NGN", "₱": "PHP", "Rs.": "INR", "Rs": "INR", "Fr.": "CHF",
    "kr": KRONER, "DM": "DEM",
} | {code: code for code in CURRENCIES}  # fmt: skip
"""What stands before an amount of money, and the currencies that it can be."""

NO_SYMBOLS = ("in", "d", "B", "K", "week", "month", "year", "hour", "acre")
SYMBOLS = {unit: unit for unit in UNITS if unit not in NO_SYMBOLS} | {
    "lbs": "lb", "yds": "yd", "sec": "s", "secs": "s", "mins": "min", "h": "hour",
    "hr": "hour", "hrs": "hour", "yr": "year", "yrs": "year", "kph": "km/h", "kmh": "km/h",
    "km/hr": "km/h",
    "sq km": "km2", "sq. km": "km2", "sq m": "m2", "sq. m": "m2", "sq mi": "mi2",
    "sq. mi": "mi2", "sq ft": "ft2", "sq. ft": "ft2", "L": "l", "mL": "ml", "kgs": "kg",
    "kms": "km", "tn": "t", "ºC": "°C", "ºF": "°F", "° C": "°C", "° F": "°F", "kts": "kn",
    "kr": KRONER, "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "DM": "DEM", "Fr.": "CHF",
    "円": "JPY", "元": "CNY", "人民币": "CNY", "ドル": DOLLARS, "美元": "USD", "ユーロ": "EUR",
    "欧元": "EUR", "キロメートル": "km", "公里": "km", "千米": "km", "メートル": "m", "米": "m",
    "キログラム": "kg", "公斤": "kg", "千克": "kg", "マイル": "mi", "英里": "mi",
} | {sign: BEFORE[sign] for sign in CURRENCY_SIGNS if sign in BEFORE}  # fmt: skip
"""What stands after a number in every language, as it is written."""

WORDS = {
    "de": {
        "mm": "millimeter", "cm": "zentimeter", "m": "meter metern", "km": "kilometer kilometern",
        "in": "zoll", "ft": "fuß fuss", "mi": "meile meilen", "nmi": "seemeile seemeilen",
        "ly": "lichtjahr lichtjahre lichtjahren", "g": "gramm", "kg": "kilogramm kilo",
        "t": "tonne tonnen", "lb": "pfund", "oz": "unze unzen", "s": "sekunde sekunden",
        "min": "minute minuten", "hour": "stunde stunden", "d": "tag tage tagen",
        "week": "woche wochen", "month": "monat monate monaten", "year": "jahr jahre jahren",
        "m2": "quadratmeter", "km2": "quadratkilometer", "ha": "hektar", "l": "liter",
        "m3": "kubikmeter", "km/h": "kilometer_pro_stunde stundenkilometer",
        "°C": "grad grad_celsius", "°F": "grad_fahrenheit", "W": "watt", "hp": "ps",
        "USD": "us-dollar", DOLLARS: "dollar", "EUR": "euro euros", "GBP": "pfund_sterling",
        "CHF": "franken schweizer_franken", "JPY": "yen", "RUB": "rubel", "DEM": "mark d-mark",
    },
    "en": {
        "mm": "millimeter millimeters millimetre millimetres",
        "cm": "centimeter centimeters centimetre centimetres",
        "m": "meter meters metre metres", "km": "kilometer kilometers kilometre kilometres",
        "in": "inch inches", "ft": "foot feet", "yd": "yard yards", "mi": "mile miles",
        "nmi": "nautical_mile nautical_miles", "ly": "light-year light-years light_years",
        "mg": "milligram milligrams", "g": "gram grams gramme grammes",
        "kg": "kilogram kilograms kilogramme kilogrammes kilo kilos",
        "t": "tonne tonnes metric_ton metric_tons", "t,short ton": "ton tons",
        "oz": "ounce ounces", f"lb {POUNDS}": "pound pounds", "ms": "millisecond milliseconds",
        "s": "seconds", "min": "minute minutes", "hour": "hour hours", "d": "day days",
        "week": "week weeks", "month": "month months", "year": "year years",
        "m2": "square_meter square_meters square_metre square_metres",
        "km2": "square_kilometer square_kilometers square_kilometre square_kilometres",
        "ha": "hectare hectares", "acre": "acres", "mi2": "square_mile square_miles",
        "ft2": "square_foot square_feet", "l": "liter liters litre litres",
        "ml": "milliliter milliliters millilitre millilitres",
        "m3": "cubic_meter cubic_meters cubic_metre cubic_metres",
        "gal,imperial gal": "gallon gallons", "m/s": "meters_per_second metres_per_second",
        "km/h": "kilometers_per_hour kilometres_per_hour kilometers_an_hour kilometres_an_hour",
        "mph": "miles_per_hour miles_an_hour", "kn": "knot knots",
        "°C": "degrees_celsius degrees_centigrade °_celsius", "K": "kelvin kelvins",
        "°F": "degrees_fahrenheit °_fahrenheit", "°C °F": "degrees °",
        "W": "watt watts", "kW": "kilowatt kilowatts", "MW": "megawatt megawatts",
        "hp": "horsepower", "cal": "calorie", "kcal": "kilocalorie kilocalories",
        "kWh": "kilowatt-hours kilowatt_hours", "Hz": "hertz", "MHz": "megahertz",
        "GHz": "gigahertz", "B": "byte bytes", "KB": "kilobyte kilobytes",
        "MB": "megabyte megabytes", "GB": "gigabyte gigabytes", "TB": "terabyte terabytes",
        "USD": "us_dollar us_dollars u.s._dollar u.s._dollars american_dollars", "CAD":
        "canadian_dollar canadian_dollars", "AUD": "australian_dollar australian_dollars",
        DOLLARS: "dollar dollars bucks", "EUR": "euro euros",
        "GBP": "pounds_sterling pound_sterling british_pounds", "JPY": "yen",
        "CNY": "yuan renminbi", "INR": "rupee rupees", "KRW": "won", "RUB":
        "ruble rubles rouble roubles", "TRY": "lira turkish_lira", "ILS": "shekel shekels",
        "CHF": "franc francs swiss_franc swiss_francs", KRONER: "krona kronor krone kroner",
        "PLN": "zloty zlotys", PESOS: "peso pesos", "ZAR": "rand", "BRL": "reais", "DEM":
        "mark marks deutschmark deutschmarks",
    },
    "es": {
        "mm": "milímetro milímetros", "cm": "centímetro centímetros", "m": "metro metros",
        "km": "kilómetro kilómetros", "in": "pulgada pulgadas", "ft": "pie pies",
        "mi": "milla millas", "ly": "años_luz", "g": "gramo gramos",
        "kg": "kilogramo kilogramos kilo kilos", "t": "tonelada toneladas",
        "lb": "libra libras", "s": "segundos", "min": "minuto minutos", "hour": "hora horas",
        "d": "día días", "week": "semana semanas", "month": "mes meses", "year": "año años",
        "m2": "metros_cuadrados", "km2": "kilómetros_cuadrados", "ha": "hectárea hectáreas",
        "l": "litro litros", "km/h": "kilómetros_por_hora", "°C": "grados grados_centígrados",
        DOLLARS: "dólar dólares", "EUR": "euro euros", "GBP": "libras_esterlinas",
        PESOS: "peso pesos", "JPY": "yenes", "ESP": "peseta pesetas",
    },
    "fr": {
        "mm": "millimètre millimètres", "cm": "centimètre centimètres", "m": "mètre mètres",
        "km": "kilomètre kilomètres", "in": "pouce pouces", "ft": "pied pieds",
        "mi": "mille milles", "ly": "années-lumière", "g": "gramme grammes",
        "kg": "kilogramme kilogrammes kilo kilos", "t": "tonne tonnes", "lb": "livre livres",
        "s": "secondes", "min": "minute minutes", "hour": "heure heures", "d": "jour jours",
        "week": "semaine semaines", "month": "mois", "year": "an ans année années",
        "m2": "mètres_carrés", "km2": "kilomètres_carrés", "ha": "hectare hectares",
        "l": "litre litres", "km/h": "kilomètres_par_heure kilomètres-heure",
        "°C": "degrés degrés_celsius", DOLLARS: "dollar dollars", "EUR": "euro euros",
        "GBP": "livres_sterling", "CHF FRF": "franc francs", "JPY": "yens",
    },
    "it": {
        "mm": "millimetro millimetri", "cm": "centimetro centimetri", "m": "metro metri",
        "km": "chilometro chilometri", "in": "pollice pollici", "ft": "piede piedi",
        "mi": "miglio miglia", "ly": "anni_luce", "g": "grammo grammi",
        "kg": "chilogrammo chilogrammi chilo chili", "t": "tonnellata tonnellate",
        "lb": "libbra libbre", "s": "secondi", "min": "minuto minuti", "hour": "ora ore",
        "d": "giorno giorni", "week": "settimana settimane", "month": "mese mesi",
        "year": "anno anni", "m2": "metri_quadrati metri_quadri",
        "km2": "chilometri_quadrati chilometri_quadri", "ha": "ettaro ettari",
        "l": "litro litri", "km/h": "chilometri_orari chilometri_all'ora",
        "°C": "gradi gradi_celsius", DOLLARS: "dollaro dollari", "EUR": "euro",
        "GBP": "sterlina sterline", "ITL": "lira lire", "JPY": "yen",
    },
    "nl": {
        "mm": "millimeter", "cm": "centimeter", "m": "meter", "km": "kilometer kilometers",
        "in": "inch", "ft": "voet", "mi": "mijl mijlen", "ly": "lichtjaar", "g": "gram",
        "kg": "kilogram kilo", "t": "ton", "lb": "pond", "s": "seconden", "min": "minuut minuten",
        "hour": "uur uren", "d": "dag dagen", "week": "week weken", "month": "maand maanden",
        "year": "jaar jaren", "m2": "vierkante_meter", "km2": "vierkante_kilometer",
        "ha": "hectare", "l": "liter", "km/h": "kilometer_per_uur",
        "°C": "graden graden_celsius", DOLLARS: "dollar dollars", "EUR": "euro euro's",
        "GBP": "pond_sterling", "NLG": "gulden", "JPY": "yen",
    },
    "pt": {
        "mm": "milímetro milímetros", "cm": "centímetro centímetros", "m": "metro metros",
        "km": "quilómetro quilómetros quilômetro quilômetros", "in": "polegada polegadas",
        "ft": "pé pés", "mi": "milha milhas", "ly": "anos-luz", "g": "grama gramas",
        "kg": "quilograma quilogramas quilo quilos", "t": "tonelada toneladas",
        "lb": "libra libras", "s": "segundos", "min": "minuto minutos", "hour": "hora horas",
        "d": "dia dias", "week": "semana semanas", "month": "mês meses", "year": "ano anos",
        "m2": "metros_quadrados", "km2": "quilómetros_quadrados quilômetros_quadrados",
        "ha": "hectare hectares", "l": "litro litros",
        "km/h": "quilómetros_por_hora quilômetros_por_hora", "°C": "graus graus_celsius",
        DOLLARS: "dólar dólares", "EUR": "euro euros", "GBP": "libras_esterlinas",
        "BRL": "real reais", "JPY": "ienes",
    },
    "ro": {
        "mm": "milimetru milimetri", "cm": "centimetru centimetri", "m": "metru metri",
        "km": "kilometru kilometri", "mi": "milă", "g": "gram grame",
        "kg": "kilogram kilograme", "t": "tonă tone", "s": "secunde", "min": "minut minute",
        "hour": "oră ore", "d": "zi zile", "week": "săptămână săptămâni", "month": "lună luni",
        "year": "an ani", "km2": "kilometri_pătrați", "ha": "hectar hectare", "l": "litru litri",
        "°C": "grade grade_celsius", DOLLARS: "dolar dolari", "EUR": "euro", "RON": "leu lei",
    },
}  # fmt: skip
"""By language: what stands after a number in any case, with _ for a space."""

COMPOUND = ("length", "mass", "time")
"""What is measured in several units at once: 5 feet 10 inches."""


@cache
def _words(language: str) -> dict[str, tuple[str, ...]]:
    return {
        word.replace("_", " "): _ids(units)
        for units, words in WORDS.get(language, {}).items()
        for word in words.split()
    }


def _ids(units: str) -> tuple[str, ...]:
    """The units of an entry; two words that are one unit's name have a comma around them."""
    if units in UNITS:
        return (units,)
    return tuple(units.split(",") if "," in units else units.split())


@cache
def _after(language: str) -> re.Pattern[str]:
    """A unit after a number; `de` is what Romance languages say after millions."""
    words, symbols = (
        "|".join(re.escape(name) for name in sorted(table, key=len, reverse=True)) or "(?!)"
        for table in (_words(language), SYMBOLS)
    )
    return re.compile(
        rf"(?: (?:de|di|d['\u2019])|)[ -]?(?:(?P<word>(?i:{words}))(?![^\W_])"
        rf"|(?P<symbol>{symbols})(?![^\W_円元公千米]))"
    )


BEFORE_NUMBER = re.compile(
    r"(?<![^\W_])(?P<sign>"
    + "|".join(re.escape(sign) for sign in sorted(BEFORE, key=len, reverse=True))
    + r") ?\Z"
)


class Found(NamedTuple):
    """A unit in a text: where it begins or ends, and what it can be."""

    place: int
    units: tuple[str, ...]


def find_after(text: str, end: int, language: str) -> Found | None:
    """The unit that follows a number which ends somewhere in a text.

    >>> find_after("5 km", 1, "en"), find_after("5 pounds", 1, "en").units
    (Found(place=4, units=('km',)), ('lb', 'GBP', 'EGP'))
    """
    match = _after(language).match(text, end)
    if match is None:
        return None
    if match["word"]:
        return Found(match.end(), _words(language)[match["word"].lower()])
    return Found(match.end(), _ids(SYMBOLS[match["symbol"]]))


def find_before(text: str, start: int) -> Found | None:
    """The currency before a number which starts somewhere in a text.

    >>> find_before("about US$ 5", 10)
    Found(place=6, units=('USD',))
    """
    match = BEFORE_NUMBER.search(text, max(0, start - 8), start)
    return match and Found(match.start(), tuple(BEFORE[match["sign"]].split()))


def convert(value: float, unit: str, into: str) -> float | None:
    """A value in another unit; None where that measures something else.

    >>> convert(5, "km", "m"), convert(212, "°F", "°C"), convert(5, "km", "kg")
    (5000.0, 100.0, None)
    """
    if unit == into:
        return value
    source, target = UNITS.get(unit), UNITS.get(into)
    if source is None or target is None or source.dimension != target.dimension:
        return None
    return round((value * source.factor + source.offset - target.offset) / target.factor, 12)


def is_money(unit: str) -> bool:
    return unit in UNITS and UNITS[unit].dimension.startswith(MONEY)


def is_measure(unit: str) -> bool:
    return unit in UNITS and not is_money(unit)
