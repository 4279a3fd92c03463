"""Messages that can be acted on: what, where, what is allowed; the rest in a CSV."""

from pathlib import Path

import polars as pl
import pytest

from qampaign.problems import SCHEMA, SHOWN, Problems, quote


def lines_of(problems: Problems) -> list[str]:
    return problems.summary("heading").splitlines()[1:]


def test_the_most_frequent_kind_comes_first() -> None:
    problems = Problems()
    problems.add(file="a.csv", line=9, column="run", problem="is empty", allowed="a value")
    for line in (7, 5, 6):
        problems.add(
            file="b.csv", line=line, column="rank", value="x", problem="is odd", allowed="1"
        )
    assert lines_of(problems) == [
        "  b.csv, line 5, column rank: 'x' is odd; allowed: 1 (and 2 more like this)",
        "  a.csv, line 9, column run: is empty; allowed: a value",
    ]


def test_problems_against_one_rule_are_one_kind_of_which_three_wordings_are_shown(
    tmp_path: Path,
) -> None:
    problems = Problems()
    problems.add(file="b.csv", line=1, problem="is empty", allowed="rows")
    for fields in (3, 4, 4, 5, 6, 7):
        problems.add(file="a.csv", line=fields, problem=f"has {fields} fields", allowed="2 fields")
    shown = problems.summary("heading", tmp_path / "problems.csv").splitlines()[1:-1]
    assert shown == [
        "  a.csv, line 3: has 3 fields; allowed: 2 fields",
        "  a.csv, line 4: has 4 fields; allowed: 2 fields (and 1 more like this)",
        "  a.csv, line 5: has 5 fields; allowed: 2 fields (and 2 more like this)",
        "  b.csv, line 1: is empty; allowed: rows",
    ]
    every = [f"has {fields} fields" for fields in (3, 4, 5, 6, 7)]  # no CSV would tell the rest
    assert [line.split(": ")[1].split(";")[0] for line in lines_of(problems)[:-1]] == every


def test_problems_without_a_rule_are_told_apart_by_their_words() -> None:
    problems = Problems()
    problems.add(file="a.csv", problem="does not exist")
    problems.add(file="a.csv", problem="cannot be read")
    assert len(lines_of(problems)) == 2


def test_the_same_fault_in_two_collections_is_told_twice() -> None:
    problems = Problems()
    for collection in ("one", "two"):
        found = Problems()
        found.add(file="a.csv", problem="is empty", allowed="rows")
        problems.extend(found, collection)
    assert lines_of(problems) == ["  a.csv: is empty; allowed: rows"] * 2


def test_a_message_shows_twenty_kinds_and_the_csv_all_problems(tmp_path: Path) -> None:
    problems, csv = Problems(), tmp_path / "results" / "problems.csv"
    for number in range(SHOWN + 5):
        lines = pl.Series(range(1, 1001))
        files = pl.Series([f"{number:02}.csv"] * 1000)
        problems.add_rows(files, lines, lines, column="rank", problem="is odd", allowed="even")
    heading, *lines_shown, more, where = problems.summary("heading", csv).splitlines()
    assert (heading, more, where) == (
        "heading",
        "  … and 5 more kinds of problems",
        f"All of them: {csv}",
    )
    assert lines_shown == [
        f"  {number:02}.csv, line 1, column rank: '1' is odd; allowed: even (and 999 more like this)"
        for number in range(SHOWN)
    ]
    written = pl.read_csv(csv)
    assert written.columns == list(SCHEMA)
    assert written.height == len(problems) == 25_000


@pytest.mark.slow
def test_many_single_problems_take_no_time_each() -> None:
    problems = Problems()
    for line in range(100_000):
        problems.add(file="a.csv", line=line, problem="is odd", allowed="even")
    assert lines_of(problems) == [
        "  a.csv, line 0: is odd; allowed: even (and 99,999 more like this)"
    ]


def test_no_problems_leave_the_heading_alone() -> None:
    assert Problems().summary("heading") == "heading"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("", "''"),
        ("two\nlines", r"'two\u000alines'"),
        ("\x1b[31mred", r"'\u001b[31mred'"),
        ("\u202egnp.exe", r"'\u202egnp.exe'"),
        ("zero\u200bwidth", r"'zero\u200bwidth'"),
        ("שלום 🙂 é", "'שלום 🙂 é'"),
        ("x" * 61, f"'{'x' * 60}… (61 characters)'"),
    ],
)
def test_a_value_is_shown_on_one_line_and_can_play_no_tricks(value: str, shown: str) -> None:
    assert quote(value) == shown


def test_a_file_name_can_not_fake_a_line_of_the_message() -> None:
    problems = Problems()
    problems.add(file="a\nAll is well.csv", problem="is empty")
    assert lines_of(problems) == [r"  a\u000aAll is well.csv: is empty"]
