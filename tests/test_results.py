"""Results in Python: tables as frames, whole at any time, and clear errors."""

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread

import polars as pl
import pytest

from qampaign import Results
from qampaign.problems import Refused
from qampaign.publishing.database import write_database
from qampaign.results import NoResults
from qampaign.tables import RESULT_TABLES, empty

pytestmark = pytest.mark.slow


def publish(folder: Path, values: list[float | None]) -> Path:
    """Results in which each run r0, r1, … has a value."""
    rows = [{"collection": "c", "run": f"r{n}", "value": value} for n, value in enumerate(values)]
    scores = pl.concat(
        [empty("scores"), pl.DataFrame(rows, infer_schema_length=None)], how="diagonal_relaxed"
    )
    runs = pl.DataFrame({"collection": ["c"], "run": ["r0"], 'a "quoted" one': ["x"]})
    more = {"scores": scores, "runs": pl.concat([empty("runs"), runs], how="diagonal_relaxed")}
    write_database(dict.fromkeys(RESULT_TABLES, ()), more, folder / "results.duckdb")
    return folder


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return Results(publish(tmp_path / "results/mine", [0.25, None, 0.5]))


def test_every_table_is_a_method_with_its_columns_as_documentation(results: Results) -> None:
    for name, table in RESULT_TABLES.items():
        method = getattr(results, name)
        assert method.__name__ == name
        text = inspect.getdoc(method) or ""
        assert text.startswith(f"The table `{name}`: a row is {table.row}.")
        assert all(column in text for column in table.names)
    assert results.answers().schema == empty("answers").schema


def test_rows_are_chosen_by_their_columns(results: Results) -> None:
    assert results.scores()["run"].to_list() == ["r0", "r1", "r2"]
    assert results.scores(run="r2")["value"].to_list() == [0.5]
    assert results.scores(run=["r0", "r2"], collection="c")["value"].to_list() == [0.25, 0.5]
    assert results.scores(value=None)["run"].to_list() == ["r1"]
    assert results.scores(value=[None, 0.5])["run"].to_list() == ["r1", "r2"]
    assert results.scores(run=[]).is_empty()
    assert results.scores(run="' OR true --").is_empty()
    assert results.runs(**{'a "quoted" one': "x"}).height == 1


def test_an_unknown_column_or_table_is_refused(results: Results) -> None:
    with pytest.raises(TypeError, match="the table scores has no column runn; allowed: collection"):
        results.scores(runn="r0")
    with pytest.raises(Refused, match="score is not a table of the results; allowed: collections"):
        results.table("score")
    with pytest.raises(AttributeError):
        _ = results.score


def test_without_results_the_error_says_where_there_are_some(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(results.folder.parents[1])
    for given, message in {
        "nowhere": "There is no folder nowhere.",
        "results": "results holds no results: there is no results.duckdb in it; in results/mine there is",
        "results/mine/results.duckdb": "results/mine/results.duckdb is not a folder; allowed: a folder of results, such as results/mine",
    }.items():
        with pytest.raises(NoResults) as raised:
            Results(given)
        assert str(raised.value) == message
        assert isinstance(raised.value, FileNotFoundError)


def test_a_damaged_database_is_refused_in_one_line(results: Results) -> None:
    results.database.write_bytes(b"not a database" * 1000)
    with pytest.raises(Refused, match=r"results\.duckdb cannot be read as results: ") as raised:
        results.scores()
    assert "\n" not in str(raised.value)


def test_results_of_another_version_lack_tables(results: Results) -> None:
    import duckdb

    with duckdb.connect(str(results.database)) as connection:
        connection.execute("DROP TABLE scores")
    with pytest.raises(Refused, match="the results have no table scores: another version"):
        results.scores()


@pytest.mark.exhaustive
def test_a_table_is_whole_while_others_are_published(tmp_path: Path) -> None:
    """Two publications take turns; what is read is one or the other."""
    wanted = {tuple([float(number)] * (50 + number)) for number in (0, 1)}
    made = [publish(tmp_path / str(number), [float(number)] * (50 + number)) for number in (0, 1)]
    results = Results(publish(tmp_path / "mine", [0.0] * 50))
    over = False

    def take_turns() -> None:
        while not over:
            for folder in made:
                copy = tmp_path / "copy"
                shutil.copy(folder / "results.duckdb", copy)
                os.replace(copy, results.database)

    thread = Thread(target=take_turns)
    thread.start()
    try:
        seen = {tuple(results.scores()["value"]) for _ in range(8)}
    finally:
        over = True
        thread.join()
    assert seen <= wanted


def test_several_tables_through_one_connection_belong_together(tmp_path: Path) -> None:
    results = Results(publish(tmp_path / "mine", [1.0]))
    with results.connect() as connection:
        assert connection.sql("SELECT value FROM scores").fetchall() == [(1.0,)]
        publish(tmp_path / "mine", [2.0])
        assert connection.sql("SELECT value FROM scores").fetchall() == [(1.0,)]
    assert results.scores()["value"].to_list() == [2.0]


@pytest.mark.exhaustive
def test_importing_the_package_loads_nothing() -> None:
    program = (
        "import sys, qampaign; assert not {'polars', 'duckdb', 'numpy'} & {*sys.modules}; "
        "from qampaign import Results; print(Results.scores.__name__)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert shown.stdout == "scores\n"
    with pytest.raises(ImportError):
        from qampaign import Result  # type: ignore[attr-defined]  # noqa: F401
