"""Which of many cases every run of the tests tries."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """The first cases as they are; the others are for the long suite."""
    listed = list(cases)
    return listed[:count] + [_exhaustive(case) for case in listed[count:]]


def _exhaustive(case: Any) -> Any:
    mark = pytest.mark.exhaustive
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=[*case.marks, mark], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else [case]), marks=mark)
