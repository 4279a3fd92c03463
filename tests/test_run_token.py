"""A job of a run that is over writes nothing any more."""

from pathlib import Path

import duckdb
import pytest

from qampaign import run_token
from qampaign.files import write_text
from qampaign.input import store


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two runs of a campaign, the second begun after the first; what each hands to its jobs."""
    monkeypatch.setenv(run_token.VARIABLE, "")
    handed = []
    for _ in range(2):
        run_token.prepare(tmp_path / ".run")
        run_token.claim()
        handed.append(run_token.os.environ[run_token.VARIABLE])
    return handed[0], handed[1]


@pytest.mark.usefixtures("runs")
def test_the_current_run_writes(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".run", "a.txt"]


def test_an_earlier_one_leaves_the_file_and_no_litter(
    tmp_path: Path, runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_text(tmp_path / "a.txt", "new")
    monkeypatch.setenv(run_token.VARIABLE, runs[0])
    with pytest.raises(run_token.Superseded, match="this job of an earlier run ends"):
        write_text(tmp_path / "a.txt", "old")
    assert (tmp_path / "a.txt").read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".run", "a.txt"]


def test_an_earlier_one_loads_nothing(
    tmp_path: Path, runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "campaign.duckdb"
    with store.writing(database):
        pass
    monkeypatch.setenv(run_token.VARIABLE, runs[0])
    with pytest.raises(run_token.Superseded), store.writing(database) as writer:
        writer.connection.execute("DROP TABLE layout")
    with duckdb.connect(str(database), read_only=True) as connection:
        assert len(connection.sql("FROM layout").fetchall()) == 1


@pytest.mark.parametrize("handed", ["", "token {folder}/deleted/.run"])
def test_who_belongs_to_no_run_or_to_deleted_results_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handed: str
) -> None:
    monkeypatch.setenv(run_token.VARIABLE, handed.format(folder=tmp_path))
    write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_when_the_current_run_has_begun_is_known_to_itself_alone(
    tmp_path: Path, runs: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_token.begun() == (tmp_path / ".run").stat().st_mtime_ns
    monkeypatch.setenv(run_token.VARIABLE, runs[0])
    assert run_token.begun() is None
    monkeypatch.delenv(run_token.VARIABLE)
    assert run_token.begun() is None
