"""The history: what is noted of a publication, when, and what keeps it."""

import polars as pl
import pytest

from qampaign.publishing import history
from qampaign.publishing.changes import find_changes
from qampaign.publishing.history import continue_history
from qampaign.tables import empty

DESCRIBED = {"reference": "people", "primary": "c_at_1"}
Tables = dict[str, pl.DataFrame]


def published(
    values: dict[str, float], digest: str, time: str, last: Tables | None = None
) -> Tables:
    """What is published with values in the order of ranks, from a file with a hash."""
    keys = {"collection": "c", "judge": "people", "measure": "c_at_1", "slice": "all"}
    rows = [
        keys | {"run": run, "value": value, "rank_first": rank}
        for rank, (run, value) in enumerate(values.items(), start=1)
    ]
    rows += [row | {"judge": "key"} for row in rows] + [rows[0] | {"slice": "factoid"}]
    tables = {
        "scores": pl.DataFrame(rows),
        "sources": pl.DataFrame(
            [("c", "assessments", "labels.csv", digest)],
            schema=["collection", "table", "path", "sha256"],
            orient="row",
        ),
    }
    tables["changes"] = find_changes(tables, last or {})
    tables["history"] = continue_history(tables, last or {}, DESCRIBED, time)
    return tables | {"published": pl.DataFrame({"value": [time]})}


FIRST = published({"a": 0.5, "b": 0.4}, "1", "monday")


def noted(tables: Tables) -> list[tuple[object, ...]]:
    columns = ("publication", "time", "run", "value", "rank_first", "leader", "sources")
    return tables["history"].select(columns).rows()


def test_nothing_is_noted_until_something_changes() -> None:
    assert FIRST["history"].is_empty()
    assert FIRST["history"].columns == empty("history").columns


def test_the_first_change_notes_what_was_there_before_too() -> None:
    second = published({"b": 0.6, "a": 0.5}, "2", "tuesday", FIRST)
    assert noted(second) == [
        (1, "monday", "a", 0.5, 1, True, None),
        (1, "monday", "b", 0.4, 2, False, None),
        (2, "tuesday", "b", 0.6, 1, True, "labels.csv"),
        (2, "tuesday", "a", 0.5, 2, False, "labels.csv"),
    ]
    third = published({"b": 0.7, "a": 0.5}, "3", "friday", second)
    assert noted(third)[:4] == noted(second)
    assert [row[:3] for row in noted(third)[4:]] == [(3, "friday", "b"), (3, "friday", "a")]


def test_without_other_inputs_or_values_the_history_stays() -> None:
    second = published({"b": 0.6, "a": 0.5}, "2", "tuesday", FIRST)
    same_inputs = published({"b": 0.9, "a": 0.5}, "2", "friday", second)  # by the config
    assert noted(same_inputs) == noted(second)
    same_values = published({"b": 0.6, "a": 0.5}, "3", "friday", second)
    assert noted(same_values) == noted(second)


def test_what_the_config_changed_is_noted_before_the_next_change_of_inputs() -> None:
    second = published({"b": 0.6, "a": 0.5}, "2", "tuesday", FIRST)
    by_config = published({"b": 0.9, "a": 0.5}, "2", "thursday", second)
    third = published({"b": 0.7, "a": 0.5}, "3", "friday", by_config)
    times = [(row[0], row[1], row[6]) for row in noted(third) if row[5]]
    assert times == [
        (1, "monday", None),
        (2, "tuesday", "labels.csv"),
        (3, "thursday", None),
        (4, "friday", "labels.csv"),
    ]


def test_a_run_that_failed_before_it_published_leaves_nothing() -> None:
    second = published({"b": 0.6, "a": 0.5}, "2", "tuesday", FIRST)
    published({"b": 0.7, "a": 0.5}, "3", "friday", second)  # gathered, never published
    again = published({"b": 0.7, "a": 0.5}, "3", "saturday", second)
    assert [row[1] for row in noted(again) if row[5]] == ["monday", "tuesday", "saturday"]


def test_only_the_last_publications_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST", 3)
    last = FIRST
    for number in range(2, 8):
        last = published({"a": number / 10, "b": 0.1}, str(number), f"day {number}", last)
    assert sorted({row[0] for row in noted(last)}) == [5, 6, 7]
