"""The simulated campaign of assistants: its files are those of its script, and it runs to its gate."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import yaml

from qampaign.config.campaign import read_campaign
from tests.helpers.tiny_campaign import ROOT

FOLDER = ROOT / "resources/assistants"


def test_the_files_are_those_of_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("simulate", FOLDER / "simulate.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.main()
    made = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.csv")}
    kept = {path.relative_to(FOLDER): path.read_text() for path in FOLDER.rglob("*.csv")}
    assert made == kept
    assert len(kept) == 8


def test_the_config_says_that_it_is_simulated() -> None:
    path = FOLDER / "config.yaml"
    campaign = read_campaign(yaml.safe_load(path.read_text()), [path])
    assert len(campaign.collections) == 2
    for collection in campaign.collections.values():
        assert str(collection.config["note"]).startswith("Simulated.")


@pytest.mark.outside
@pytest.mark.exhaustive
def test_it_runs_to_its_gate(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("qampaign")), "gate", str(FOLDER / "config.yaml")]
    ended = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"TERM": "dumb"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    database = tmp_path / "results/assistants/results.duckdb"
    with duckdb.connect(str(database), read_only=True) as results:
        ranked = results.sql("SELECT run FROM overall ORDER BY rank_first").fetchall()
        assert {run for (run,) in ranked} == {"amber", "birch", "cedar", "dune", "ember"}
        (gate,) = results.sql("SELECT bool_and(holds) FROM gate").fetchall()
        assert gate == (True,)
        assert results.sql("SELECT count(*) FROM samples").fetchall()[0][0] > 0
