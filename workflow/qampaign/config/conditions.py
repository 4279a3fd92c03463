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

Kind = Literal["value", "significance", "margin", "agreement", "published"]

FORMS = (
    "MEASURE of RUN [in COLLECTION] [by JUDGE] >= NUMBER (or >, <=, <)",
    "MEASURE of RUN [in COLLECTION] [by JUDGE] not significantly below RUN",
    "MEASURE of RUN [in COLLECTION] [by JUDGE] not below RUN by more than NUMBER",
    "agreement of JUDGE with JUDGE [in COLLECTION] >= NUMBER (or >, <=, <)",
    "every published figure comes out",
)
"""How a condition may be written."""

_NAME = r"""(?P<{}>"[^"]*"|'[^']*'|[^\s"'<>=]+)"""
_OF_RUN = (
    rf"{_NAME.format('measure')} of {_NAME.format('run')}"
    rf"(?: in {_NAME.format('collection')})?(?: by {_NAME.format('judge')})?"
)
_BOUND = r"(?P<operator>>=|<=|>|<) ?(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_NUMBER = r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_PATTERNS: dict[Kind, re.Pattern[str]] = {
    "published": re.compile("every published figure comes out"),
    "agreement": re.compile(
        rf"agreement of {_NAME.format('judge')} with {_NAME.format('reference')}"
        rf"(?: in {_NAME.format('collection')})? ?{_BOUND}"
    ),
    "significance": re.compile(rf"{_OF_RUN} not significantly below {_NAME.format('other')}"),
    "margin": re.compile(rf"{_OF_RUN} not below {_NAME.format('other')} by more than {_NUMBER}"),
    "value": re.compile(rf"{_OF_RUN} ?{_BOUND}"),
}


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


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] in "\"'" else name
