"""Numbers and dates in texts, each as one word: equal where it means the same."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from qampaign.judging.key import dates, numbers
from qampaign.judging.key.dates import Day
from qampaign.judging.key.number_words import NUMERIC, spell
from qampaign.judging.key.numbers import COUNTED, OCLOCK_UNIT, Number
from qampaign.judging.key.units import UNITS
from qampaign.judging.key.words import QUANTITY


class Quantity(NamedTuple):
    """A number or a date, in every way that it can be read."""

    numbers: tuple[Number, ...] = ()
    days: tuple[Day, ...] = ()

    def is_given_by(self, other: "Quantity", tolerance: float) -> bool:
        """Whether the other one is meant; years are the same or not, whatever the tolerance.

        A number that can be a year is one beside another that can be, and else a number.

        >>> year, other, count = (
        ...     Quantity((Number(2000.0),), (Day(2000),)),
        ...     Quantity((Number(1990.0),), (Day(1990),)),
        ...     Quantity((Number(1990.0),)),
        ... )
        >>> year.is_given_by(other, 0.05), year.is_given_by(count, 0.05)
        (False, True)
        """
        margin = 0.0 if self.days and other.days else tolerance
        return any(
            mine.equals(its, margin) for mine in self.numbers for its in other.numbers
        ) or any(mine.is_given_by(its) for mine in self.days for its in other.days)

    def as_key(self, reading: "Reading") -> "Quantity":
        """This one where it stands in a key: beside a unit, the number by itself may not count."""
        kept = tuple(number for number in self.numbers if reading.relax or number.unit != COUNTED)
        return self._replace(numbers=kept)

    def parts(self) -> "list[Asking]":
        """A date that says several things, one by one; nothing for any other quantity.

        >>> [part.which for part in Quantity(days=(Day(1976, 7, 4),)).parts()]
        ['year', 'month', 'day']
        >>> Quantity(days=(Day(1976),)).parts()
        []
        """
        field_names = [] if self.numbers else [
            name for name in Day._fields if all(getattr(day, name) for day in self.days)
        ]  # fmt: skip
        return [DatePart(self.days, name) for name in field_names] if len(field_names) > 1 else []


@dataclass(frozen=True)
class DatePart:
    """The year, month or day of a date: each is a key word, as it would be if it were a word."""

    days: tuple[Day, ...]
    which: str

    def is_given_by(self, other: Quantity, _tolerance: float) -> bool:
        """Whether the other one says the same of it.

        >>> year = DatePart((Day(1942, 6, 22),), "year")
        >>> year.is_given_by(Quantity(days=(Day(1942),)), 0.0)
        True
        """
        return any(
            getattr(mine, self.which) == getattr(its, self.which)
            for mine in self.days
            for its in other.days
        )


@dataclass(frozen=True)
class Range:
    """Any number between two others."""

    low: Number
    high: Number
    units: tuple[str, ...] = ()
    """What it can be a range of; unless given, that of its ends."""

    def is_given_by(self, other: Quantity, _tolerance: float) -> bool:
        """Whether the other one is within; the range is a tolerance by itself."""
        slack = 1e-9 * max(abs(self.low.value), abs(self.high.value))
        values = [its.in_unit(unit) for unit in self.units or (self.low.unit,)
                  for its in other.numbers]  # fmt: skip
        return any(
            self.low.value - slack <= value <= self.high.value + slack
            for value in values
            if value is not None
        )


Asking = Quantity | DatePart | Range
"""What a key asks for."""


@dataclass(frozen=True)
class Reading:
    """How the texts of a question are read."""

    language: str
    numbers: bool
    dates: bool
    today: date | None
    units: bool = False
    relax: bool = False
    """Whether a bare number passes for one of a unit."""

    @property
    def reads(self) -> bool:
        return self.numbers or self.dates or self.units

    @property
    def told_by(self) -> str:
        """A pattern that is in every text with a quantity, or any text at all."""
        if self.today is not None or self.language not in NUMERIC:
            return ""
        return rf"{NUMERIC[self.language]}|(?-i: [IVX])"

    def may_have(self, text: str) -> bool:
        """Whether a text may have a quantity."""
        return re.search(self.told_by, text) is not None

    def find(self, text: str) -> Iterator[tuple[int, int, Quantity]]:
        """The quantities in a text whose number words are digits."""
        find = numbers.find_measured if self.units else numbers.find
        counts = list(find(text, self.language))
        days = {}
        if self.dates:
            date_matches = dates.find(text, self.language, self.today)
            measured = {amount.start: amount.end for amount in counts if _is_measured(amount)}
            days = {
                (date_match.start, date_match.end): date_match.readings
                for date_match in date_matches
                if measured.get(date_match.start, 0) <= date_match.end  # 1990 km is no year
            }
        ends = [end for _, end in days]
        starts = [start for start, _ in days]
        values = {}
        for count in counts:
            span = (count.start, count.end)
            readings = tuple(
                r for r in count.readings if self.numbers or self.units or r.unit == OCLOCK_UNIT
            )
            free = bisect_right(ends, count.start) == bisect_left(starts, count.end)
            if readings and (free or span in days):
                values[span] = readings
        for span in sorted({*days, *values}):
            yield *span, Quantity(values.get(span, ()), days.get(span, ()))


def _is_measured(number: numbers.Found) -> bool:
    return any(reading.unit in UNITS for reading in number.readings)


class Catalogue:
    """The quantities of texts, numbered as they come; a text names them by their numbers."""

    def __init__(self) -> None:
        self._numbers: dict[Quantity, int] = {}
        self.quantities: list[Quantity] = []

    def enter(self, text: str, reading: Reading) -> tuple[str, list[int]]:
        """The text with a word for each quantity, and their numbers.

        >>> reading = Reading("en", numbers=True, dates=False, today=None)
        >>> Catalogue().enter("ten percent of 500", reading)
        (' \\ue0000  of  \\ue0001 ', [0, 1])
        """
        named, entered = self.enter_spelled(text, reading)
        return named, list(entered)

    def enter_spelled(self, text: str, reading: Reading) -> tuple[str, dict[int, str]]:
        """The same, with how each quantity is spelled in digits."""
        spelled = spell(text, reading.language)
        parts, entered, end = [], {}, 0
        for start, stop, quantity in reading.find(spelled):
            number = self._numbers.setdefault(quantity, len(self._numbers))
            if number == len(self.quantities):
                self.quantities.append(quantity)
            parts += [spelled[end:start], f" {word_of(number)} "]
            entered[number] = spelled[start:stop]
            end = stop
        return "".join([*parts, spelled[end:]]), entered


def word_of(number: int) -> str:
    """The word that stands for a quantity of the catalogue."""
    return f"{QUANTITY}{number}"


def number_of(word: str) -> int | None:
    """Which quantity a word stands for, if it does."""
    return int(word[1:]) if word.startswith(QUANTITY) else None
