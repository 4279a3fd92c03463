"""The published database: what differs is written, and it is what writing it whole would give."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import duckdb
import polars as pl
import pytest

from qampaign.files import write_parquet
from qampaign.publishing import database
from qampaign.publishing.database import read_database, write_database
from qampaign.tables import RESULT_TABLES
from tests.helpers.cases import first

pytestmark = pytest.mark.slow


HOSTILE = ("answers", "it's", 'a"b', "a/../b.c", "; DROP TABLE answers", "c")
RUNS, QUESTIONS = 3, 5
TABLES = ("answers", "runs", "scores", "provenance")
"""Those that are published here; scores are empty."""
Campaign = dict[str, dict[str, pl.DataFrame]]
"""The tables of each collection, in the order of the config."""


def answers(collection: str, *, runs: int = RUNS, wrong: Sequence[int] = ()) -> pl.DataFrame:
    """An answer of each run to each question, right but for some rows."""
    number = pl.int_range(runs * QUESTIONS)
    frame = pl.select(
        collection=pl.lit(collection),
        judge=pl.lit("people"),
        run=pl.format("run{}", number // QUESTIONS),
        question=pl.format("q{}", number % QUESTIONS),
        rank=pl.lit(1, pl.Int64).repeat_by(runs * QUESTIONS).explode(),
        confidence=(number % 7) / 7,
        correct=~number.is_in([*wrong]),
    )
    schema = RESULT_TABLES["answers"].schema
    return pl.DataFrame(
        {name: frame[name] if name in frame.columns else [None] * frame.height for name in schema},
        schema=schema,
    )


def tables_of(collection: str, **options: object) -> dict[str, pl.DataFrame]:
    rows = answers(collection, **options)  # type: ignore[arg-type]
    runs = rows.group_by("collection", "run", maintain_order=True).agg(pl.col("correct").sum())
    further = {"model": pl.lit("7B")} if collection == "c" else {}
    return {
        "answers": rows,
        "runs": runs.select(
            "collection", "run", kind=pl.format("submitted with {} right", "correct"), **further
        ),
    }


def pieces_of(campaign: Campaign, folder: Path) -> dict[str, list[Path]]:
    """Write the tables of the collections as files; gives the files of each table."""
    pieces: dict[str, list[Path]] = {name: [] for name in TABLES}
    for number, (_, tables) in enumerate(campaign.items()):
        for name, table in tables.items():
            path = folder / f"{number}" / f"{name}.parquet"
            write_parquet(table, path)
            pieces[name].append(path)
    return pieces


def provenance(value: str) -> dict[str, pl.DataFrame]:
    return {"provenance": pl.DataFrame({"topic": ["time"], "name": ["t"], "value": [value]})}


def publish(campaign: Campaign, path: Path, *, last: bool, time: str = "1") -> dict[str, int]:
    folder = path.parent / f"files of {path.name}"
    shutil.rmtree(folder, ignore_errors=True)
    return write_database(pieces_of(campaign, folder), provenance(time), path, last=last)


def content(path: Path) -> Mapping[str, tuple[dict[str, pl.DataType], list[tuple[object, ...]]]]:
    """The columns and rows of every table; numbers as they are written, as -0 is not 0."""
    tables = read_database(path, TABLES)
    assert tables.keys() == {*TABLES}
    return {
        name: (dict(table.schema), [tuple(map(repr, row)) for row in table.rows()])
        for name, table in sorted(tables.items())
    }


def changed(campaign: Campaign, collection: str, **options: object) -> Campaign:
    return campaign | {collection: tables_of(collection, **options)}


def zero_turned(campaign: Campaign) -> Campaign:
    """The confidence of a row is -0 instead of 0."""
    own = dict(campaign["c"])
    own["answers"] = own["answers"].with_columns(
        confidence=pl.when(pl.col("confidence") == 0).then(-0.0).otherwise("confidence")
    )
    return campaign | {"c": own}


EDITS: dict[str, Callable[[Campaign], Campaign]] = {
    "nothing": lambda own: own,
    "a verdict": lambda own: changed(own, "it's", wrong=[7]),
    "verdicts of two": lambda own: changed(changed(own, "a/../b.c", wrong=[0, 14]), "c", wrong=[3]),
    "a run more": lambda own: changed(own, 'a"b', runs=RUNS + 1),
    "a run fewer": lambda own: changed(own, "answers", runs=RUNS - 1),
    "a collection at the end": lambda own: own | {"new": tables_of("new", wrong=[1])},
    "a collection at the beginning": lambda own: {"new": tables_of("new")} | own,
    "a collection at the end, and a verdict": lambda own: changed(own | {"z": tables_of("z")}, "c"),
    "without the last": lambda own: {name: own[name] for name in list(own)[:-1]},
    "without the first": lambda own: {name: own[name] for name in list(own)[1:]},
    "without any": lambda _: {},
    "the other way round": lambda own: {name: own[name] for name in reversed(own)},
    "a new name": lambda own: {
        name if name != "it's" else "its": tables_of(name if name != "it's" else "its")
        for name in own
    },
    "-0 for 0": zero_turned,
    "without answers": lambda own: own | {"c": {"runs": own["c"]["runs"]}},
    "a column less": lambda own: own | {"c": own["c"] | {"runs": own["c"]["runs"].drop("model")}},
}


@pytest.fixture
def campaign() -> Campaign:
    return {name: tables_of(name) for name in HOSTILE}


@pytest.mark.parametrize("edit", first(4, EDITS))
def test_a_database_that_is_updated_is_what_writing_it_whole_gives(
    campaign: Campaign, edit: str, tmp_path: Path
) -> None:
    """There and back again, as what was changed once may be changed again."""
    path = tmp_path / "results.duckdb"
    publish(campaign, path, last=False)
    for number, now in enumerate((EDITS[edit](campaign), campaign)):
        rows = publish(now, path, last=True, time=f"{number}")
        whole = tmp_path / "whole.duckdb"
        assert publish(now, whole, last=False, time=f"{number}") == rows
        assert content(path) == content(whole)
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == [
        "results.duckdb", "whole.duckdb",
    ]  # fmt: skip


def is_written_whole(shown: pytest.CaptureFixture[str]) -> bool:
    return "written whole" in shown.readouterr().out


@pytest.mark.parametrize("edit", ["nothing", "a verdict", "verdicts of two"])
def test_rows_that_differ_are_changed_where_they_stand(
    campaign: Campaign, edit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.duckdb"
    publish(campaign, path, last=False)
    publish(EDITS[edit](campaign), path, last=True)
    assert not is_written_whole(capsys)


@pytest.mark.exhaustive
def test_what_is_in_doubt_is_written_whole(
    campaign: Campaign,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, whole = tmp_path / "results.duckdb", tmp_path / "whole.duckdb"
    now = EDITS["verdicts of two"](campaign)
    publish(now, whole, last=False)

    def damage(*statements: str) -> None:
        publish(campaign, path, last=False)
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)
        publish(now, path, last=True)
        assert is_written_whole(capsys)
        assert content(path) == content(whole)

    damage("COMMENT ON TABLE answers IS NULL")
    damage("COMMENT ON TABLE answers IS '[]'")
    damage("DELETE FROM answers WHERE rowid = 4")
    damage("DROP TABLE scores")
    damage("CREATE SCHEMA mine", "CREATE TABLE mine.scores AS FROM scores")
    monkeypatch.setattr(database, "MOST_CHANGED", 1)
    damage()
    publish(campaign, path, last=False)
    path.write_bytes(b"no database")
    publish(now, path, last=True)
    assert content(path) == content(whole)


def test_another_layout_is_written_whole(
    campaign: Campaign,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "results.duckdb"
    publish(campaign, path, last=False)
    monkeypatch.setattr(database, "COMPRESSION", {})
    publish(campaign, path, last=True)
    assert is_written_whole(capsys)


def test_long_files_are_compared_in_slices(
    campaign: Campaign,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """15 rows in slices of 4: the last has 3."""
    monkeypatch.setattr(database, "SLICE", 4)
    path, whole = tmp_path / "results.duckdb", tmp_path / "whole.duckdb"
    publish(campaign, path, last=False)
    now = changed(campaign, 'a"b', wrong=[0, 3, 4, 11, 14])
    publish(now, path, last=True)
    publish(now, whole, last=False)
    assert not is_written_whole(capsys)
    assert content(path) == content(whole)


@pytest.mark.exhaustive
def test_changes_do_not_let_the_database_grow(campaign: Campaign, tmp_path: Path) -> None:
    path, whole = tmp_path / "results.duckdb", tmp_path / "whole.duckdb"
    publish(campaign, path, last=False)
    for number in range(30):
        campaign = changed(campaign, HOSTILE[number % 6], wrong=[number % 15])
        publish(campaign, path, last=True, time=f"{number}")
    publish(campaign, whole, last=False, time="29")
    assert content(path) == content(whole)
    assert path.stat().st_size <= 2 * whole.stat().st_size


def test_a_failure_leaves_the_last_database(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.duckdb"
    publish(campaign, path, last=False)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(database, "_count_rows", fail)
    with pytest.raises(KeyboardInterrupt):
        publish(EDITS["a verdict"](campaign), path, last=True)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["results.duckdb"]
