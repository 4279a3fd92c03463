"""Which of many cases every run of the tests tries."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """The first cases as they are; the others are for the long suite."""
    listed = list(cases)
    return listed[:count] + [
        pytest.param(*case, marks=pytest.mark.exhaustive)
        if isinstance(case, tuple)
        else pytest.param(case, marks=pytest.mark.exhaustive)
        for case in listed[count:]
    ]
