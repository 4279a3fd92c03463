"""What changed since the last results, and by which files."""

import polars as pl

from qampaign.publishing.changes import (
    find_changes,
    in_words,
    pushed,
    shifts,
    still_true,
    summary,
    told_apart,
)
from qampaign.report.text import fixed
from qampaign.tables import empty

Tables = dict[str, pl.DataFrame]


def tables(values: dict[str, float | None], sources: dict[str, str]) -> Tables:
    """Results with a value per run, ranked as they come, from files with their hashes."""
    keys = {"collection": "c", "judge": "people", "measure": "c_at_1"}
    scores = pl.DataFrame(
        [
            {**keys, "slice": part, "run": run, "value": value, "rank_first": rank}
            for rank, (run, value) in enumerate(values.items(), start=1)
            for part in ("all", "factoid")
        ],
        schema_overrides={"value": pl.Float64},
    )
    files = pl.DataFrame(
        [("c", "assessments", path, digest) for path, digest in sources.items()],
        schema=["collection", "table", "path", "sha256"],
        orient="row",
    )
    return {"scores": scores, "sources": files, "changes": empty("changes")}


JUDGES = pl.DataFrame(
    {"collection": "c", "judge": ["learned", "people"], "reference": [False, True]}
)
MEASURES = pl.DataFrame(
    {"collection": "c", "measure": ["c_at_1", "risk_coverage"], "label": ["c@1", "AURC"]}
)
BEFORE = tables({"a": 0.5, "b": 0.4, "c": None}, {"one.csv": "1", "two.csv": "2"})


def test_at_first_there_is_nothing_to_compare_with() -> None:
    assert find_changes(BEFORE, {}).is_empty()
    assert find_changes(BEFORE, {}).columns == empty("changes").columns


def test_values_and_ranks_that_moved_are_told_with_the_files_that_changed() -> None:
    after = tables({"b": 0.6, "a": 0.5, "c": None}, {"one.csv": "1", "two.csv": "changed"})
    found = find_changes(after, BEFORE)
    assert found.select(
        "run", "before", "after", "rank_before", "rank_after", "sources"
    ).rows() == [
        ("a", 0.5, 0.5, 1, 2, "two.csv"),
        ("b", 0.4, 0.6, 2, 1, "two.csv"),
    ]
    assert summary(found, None, JUDGES, MEASURES) == (
        "2 values or ranks changed since the last results; changed files: two.csv"
        "; most by the reference: c@1 of b in c by people, 0.400 to 0.600 (table changes)"
    )


def test_what_the_reference_changed_is_named_first() -> None:
    after = tables({"a": 0.5, "b": 0.41, "c": None}, {"one.csv": "1", "two.csv": "changed"})
    found = find_changes(after, BEFORE)
    larger = found.with_columns(judge=pl.lit("learned"), after=pl.lit(0.9))
    said = summary(pl.concat([larger, found]), None, JUDGES, MEASURES)
    assert "most by the reference: c@1 of b in c by people, 0.400 to 0.410" in (said or "")
    said = summary(larger, None, JUDGES, MEASURES)
    assert "most: c@1 of b in c by learned, 0.400 to 0.900" in (said or "")


def test_runs_come_and_go_and_values_appear() -> None:
    after = tables({"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.2}, {"one.csv": "1", "new.csv": "3"})
    found = find_changes(after, BEFORE)
    assert found.select("run", "before", "after", "sources").rows() == [
        ("c", None, 0.3, "new.csv, two.csv"),
        ("d", None, 0.2, "new.csv, two.csv"),
    ]


def test_a_collection_that_comes_or_goes_has_not_moved() -> None:
    other = {
        name: BEFORE[name].with_columns(collection=pl.lit("other"))
        for name in ("scores", "sources")
    }
    both = BEFORE | {name: pl.concat([BEFORE[name], own]) for name, own in other.items()}
    assert find_changes(both, BEFORE).is_empty()
    assert find_changes(BEFORE, both).is_empty()


def test_where_ranks_alone_moved_no_value_is_named() -> None:
    after = tables({"b": 0.4, "a": 0.5, "c": None}, {"one.csv": "x", "two.csv": "2"})
    assert summary(find_changes(after, BEFORE), None, JUDGES, MEASURES) == (
        "2 values or ranks changed since the last results; changed files: one.csv (table changes)"
    )


def test_rounding_is_no_change() -> None:
    after = tables({"a": 0.5 + 1e-12, "b": 0.4, "c": None}, {"one.csv": "x", "two.csv": "2"})
    assert find_changes(after, BEFORE).is_empty()


def test_what_was_told_stands_until_the_input_changes_again() -> None:
    once = tables({"b": 0.6, "a": 0.5, "c": None}, {"one.csv": "1", "two.csv": "changed"})
    once["changes"] = find_changes(once, BEFORE)
    assert find_changes(once, once).equals(once["changes"])
    assert summary(once["changes"], once["changes"], JUDGES, MEASURES) is None
    # the config has changed the value of b since: of a it still is true that it went down
    again = tables({"b": 0.7, "a": 0.5, "c": None}, {"one.csv": "1", "two.csv": "changed"})
    assert find_changes(again, once).equals(once["changes"])
    assert summary(find_changes(again, once), once["changes"], JUDGES, MEASURES) is None
    assert still_true(once["changes"], again["scores"])["run"].to_list() == ["a"]
    assert still_true(once["changes"], once["scores"]).equals(once["changes"])


def test_many_files_are_named_in_part() -> None:
    files = {f"deep/folder/{number}.csv": "new" for number in range(5)}
    found = find_changes(tables({"a": 0.1, "b": 0.4, "c": None}, files), BEFORE)
    message = summary(found, None, JUDGES, MEASURES)
    assert message == (
        "1 value or rank changed since the last results; changed files: 0.csv, 1.csv, 2.csv and 4 more"
        "; most by the reference: c@1 of a in c by people, 0.500 to 0.100 (table changes)"
    )


def test_a_newcomer_that_pushes_others_is_told_in_one_line() -> None:
    before = tables({f"r{n:02}": 0.9 - n / 100 for n in range(39)}, {"one.csv": "1"})
    after = tables({"X": 0.95} | {f"r{n:02}": 0.9 - n / 100 for n in range(39)}, {"one.csv": "2"})
    found = find_changes(after, before)
    (row,) = shifts(found).to_dicts()
    said = in_words(row["shift"], row["runs"], row["because"])
    assert said == "39 runs with unchanged values moved down one rank because run X is new"
    assert pushed(found).filter(pl.col("shift").is_null())["run"].to_list() == ["X"]


def test_a_run_that_goes_lets_others_up_and_what_moved_itself_is_not_pushed() -> None:
    before = tables({"x": 0.9, "a": 0.8, "b": 0.7, "c": 0.6}, {"one.csv": "1"})
    # x is gone: a rises by one; c overtakes b by its own value, so that b stays third
    after = tables({"a": 0.8, "c": 0.75, "b": 0.7}, {"one.csv": "2"})
    rows = pushed(find_changes(after, before)).select("run", "shift", "because").rows()
    assert rows == [("a", -1, "run x is gone"), ("c", None, None), ("x", None, None)]


def test_values_are_told_apart_as_they_are_shown() -> None:
    # the page rounds halves up: 0.0625 and 0.063 would both be 0.063
    assert told_apart(0.0625, 0.063) == ("0.062", "0.063")
    assert told_apart(0.0625, 0.063, fixed) == ("0.0625", "0.0630")


def test_values_that_differ_beyond_three_digits_are_told_apart() -> None:
    before = tables({"a": 0.3261, "b": 0.1}, {"one.csv": "1"})
    after = tables({"a": 0.3264, "b": 0.1}, {"one.csv": "2"})
    message = summary(find_changes(after, before), None, JUDGES, MEASURES)
    assert message is not None
    assert "0.3261 to 0.3264" in message


def test_why_runs_were_pushed_is_said_in_plain_english() -> None:
    before = tables({"old": 0.99, "older": 0.98, "a": 0.5}, {"one.csv": "1"})
    after = tables({"n1": 0.9, "n2": 0.8, "n3": 0.7, "a": 0.5}, {"one.csv": "2"})
    (row,) = shifts(find_changes(after, before)).to_dicts()
    # three came above a, two went from there
    assert in_words(row["shift"], row["runs"], row["because"]) == (
        "1 run with an unchanged value moved down one rank because runs n1, n2 and n3 are new and runs old and older are "
        "gone"
    )
    many = tables({f"n{n:02}": 0.9 - n / 100 for n in range(20)} | {"a": 0.5}, {"one.csv": "3"})
    (row,) = shifts(find_changes(many, tables({"a": 0.5}, {"one.csv": "1"}))).to_dicts()
    assert row["because"].endswith("n10, n11 and 8 more are new")


def test_a_value_that_changed_as_much_as_others_is_not_singled_out() -> None:
    before = tables({"a": 0.5, "b": 0.4, "c": 0.3}, {"one.csv": "1"})
    after = tables({"a": 0.6, "b": 0.5, "c": 0.31}, {"one.csv": "2"})
    said = summary(find_changes(after, before), None, JUDGES, MEASURES)
    assert said is not None
    assert said.endswith(
        "c@1 of a in c by people, 0.500 to 0.600, and 1 other value by as much (table changes)"
    )
    after = tables({"a": 0.6, "b": 0.5, "c": 0.4}, {"one.csv": "2"})
    found = find_changes(after, before)
    said = summary(found, None, JUDGES, MEASURES)
    assert "0.500 to 0.600, and 2 other values by as much" in (said or "")
    # what another judge changed as much is not by the reference
    both = pl.concat([found, found.with_columns(judge=pl.lit("learned"))])
    said = summary(both, None, JUDGES, MEASURES)
    assert "and 2 other values by as much" in (said or "")


def test_a_measure_has_its_label() -> None:
    after = tables({"b": 0.6, "a": 0.5, "c": None}, {"one.csv": "1", "two.csv": "changed"})
    found = find_changes(after, BEFORE).with_columns(measure=pl.lit("risk_coverage"))
    assert "most by the reference: AURC of b" in (summary(found, None, JUDGES, MEASURES) or "")
