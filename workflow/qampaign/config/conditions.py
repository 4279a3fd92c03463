"""The conditions of a gate, as the config writes them.

    accuracy of new >= 0.8
    c_at_1 of new in demo by people not significantly below old
    accuracy of new not below old by more than 0.02
    agreement of gpt with people >= 0.9
    every published figure comes out

A name with a space, a quote or a sign of comparison in it stands in quotes.
"""

import re
from dataclasses import dataclass
from typing import Literal

from qampaign.problems import short_id

Kind = Literal["value", "significance", "margin", "agreement", "published"]

FORMS: dict[Kind, str] = {
    "value": "MEASURE of RUN [in COLLECTION] [by JUDGE] >= NUMBER (or >, <=, <)",
    "significance": "MEASURE of RUN [in COLLECTION] [by JUDGE] not significantly below RUN",
    "margin": "MEASURE of RUN [in COLLECTION] [by JUDGE] not below RUN by more than NUMBER",
    "agreement": "agreement of JUDGE with JUDGE [in COLLECTION] >= NUMBER (or >, <=, <)",
    "published": "every published figure comes out",
}
"""How a condition may be written."""

QUOTES = "\"'"

_NAME = r"""(?P<{}>"[^"]*"|'[^']*'|[^\s"'<>=]+)"""
_WORDS = r"""(?P<{}>"[^"]*"|'[^']*'|[^"'<>=]+?)"""
"""What was meant as a name, perhaps with spaces."""
_DIGITS = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ANYTHING = r"[^\s<>=].*"
"""What was meant as a number."""


def _patterns(name: str, signed: str, unsigned: str) -> dict[Kind, re.Pattern[str]]:
    """A pattern for each form, from those of a name and of numbers."""
    of_run = (
        rf"{name.format('measure')} of {name.format('run')}"
        rf"(?: in {name.format('collection')})?(?: by {name.format('judge')})?"
    )
    other = name.format("other")
    bound = rf"(?P<operator>>=|<=|>|<) ?(?P<number>{signed})"
    texts: dict[Kind, str] = {
        "published": "every published figure comes out",
        "agreement": rf"agreement of {name.format('judge')} with {name.format('reference')}"
        rf"(?: in {name.format('collection')})? ?{bound}",
        "significance": rf"{of_run} not significantly below {other}",
        "margin": rf"{of_run} not below {other} by more than (?P<number>{unsigned})",
        "value": rf"{of_run} ?{bound}",
    }
    return {kind: re.compile(text) for kind, text in texts.items()}


_PATTERNS = _patterns(_NAME, rf"[-+]?{_DIGITS}", _DIGITS)
_LOOSE = (_patterns(_NAME, _ANYTHING, _ANYTHING), _patterns(_WORDS, _ANYTHING, _ANYTHING))
"""Patterns of what was meant as a condition, the closest first."""


@dataclass(frozen=True)
class Condition:
    """A condition on results."""

    text: str
    kind: Kind
    measure: str | None = None
    run: str | None = None
    other: str | None = None
    """The run that `run` is compared with."""
    collection: str | None = None
    """None: every collection that has what it is about."""
    judge: str | None = None
    """None: the reference of the collection."""
    reference: str | None = None
    """The judge whose agreement with `judge` it is about."""
    operator: str | None = None
    number: float | None = None


def read_condition(text: str) -> Condition | None:
    """A condition from its text; None where it has none of the forms.

    >>> read_condition("c_at_1 of new in 'my demo' >= .8").number
    0.8
    >>> read_condition("accuracy of new not below old by more than 0.02").kind
    'margin'
    >>> read_condition("accuracy of new about 0.8")
    """
    line = " ".join(text.split())
    for kind, pattern in _PATTERNS.items():
        if match := pattern.fullmatch(line):
            named = {key: value for key, value in match.groupdict().items() if value is not None}
            number = named.pop("number", None)
            operator = named.pop("operator", None)
            names = {key: _unquoted(name) for key, name in named.items()}
            bound = None if number is None else float(number)
            return Condition(line, kind, operator=operator, number=bound, **names)
    return None


def find_cause(text: str) -> tuple[str, Kind] | None:
    """Why a text is no condition, and which form it was meant to have; None: nobody knows.

    >>> find_cause("accuracy of new >= 73%")
    ('73% is not a plain number such as 0.73', 'value')
    >>> find_cause("accuracy of my run >= 0.8")[0]
    'a name with a space stands in quotes: "my run"'
    >>> find_cause("accuracy of new about 0.8")
    """
    line = " ".join(text.split())
    for patterns in _LOOSE:
        for kind, pattern in patterns.items():
            if match := pattern.fullmatch(line):
                named = {key: value for key, value in match.groupdict().items() if value}
                number = named.pop("number", "0")
                if not re.fullmatch(_DIGITS if kind == "margin" else rf"[-+]?{_DIGITS}", number):
                    least = " from 0," if kind == "margin" else ""
                    return f"{short_id(number)} is not a plain number{least} such as 0.73", kind
                named.pop("operator", None)
                unquoted = [
                    name for name in named.values() if " " in name and name[0] not in QUOTES
                ]
                shown = ", ".join(f'"{short_id(name)}"' for name in unquoted)
                return (f"a name with a space stands in quotes: {shown}", kind) if shown else None
    return None


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] in QUOTES else name
