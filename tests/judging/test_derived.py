"""What-if runs: rows that a file could have had."""

from typing import Any

import polars as pl
import pytest

from qampaign.judging.derived import derive
from qampaign.problems import Refused
from tests.judging.tables import table

RESPONSES = table(
    "responses",
    [
        {"question": "q1", "answer": "x", "answered": True},
        {"question": "q2", "answer": "y", "answered": False},
        {"question": "q3", "answer": None, "answered": False},
    ],
)


def derived(**given: Any) -> list[tuple]:
    """Answer and whether it is answered, of a run whose rows all have new values."""
    rule = {"from": "a", "where": "rank = 1", "set": given}
    return derive(RESPONSES, {"b": rule}).filter(run="b").select("answer", "answered").rows()


def test_an_empty_answer_is_not_answered() -> None:
    assert derived(answer="") == [(None, False)] * 3
    assert derived(answer="", answered=True) == [(None, False)] * 3
    assert derived(answered=True) == [("x", True), ("y", True), (None, False)]


def test_an_answer_where_there_was_none_is_answered_unless_it_is_withheld() -> None:
    assert derived(answer="NIL") == [("NIL", True), ("NIL", False), ("NIL", True)]
    assert derived(answer="NIL", answered=False) == [("NIL", False)] * 3


def test_all_faults_of_what_if_runs_are_told() -> None:
    given = {"answered": True}
    rules = {
        "b": {"from": "z", "where": "rank = 1", "set": given},
        "c": {"from": "a", "where": "rank = 2", "set": given},
    }
    with pytest.raises(Refused) as refused:
        derive(RESPONSES, rules)
    assert [line.split(":")[0] for line in str(refused.value).splitlines()] == [
        "derived run b",
        "derived run c",
    ]


def test_without_what_if_runs_nothing_changes() -> None:
    assert derive(RESPONSES, {}).drop("origin").equals(RESPONSES)
    assert derive(RESPONSES, {})["origin"].equals(pl.Series("origin", ["a"] * 3))
