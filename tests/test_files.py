"""Files appear whole or not at all."""

import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from qampaign.files import (
    is_changed,
    replacing,
    write_csv,
    write_for_people,
    write_parquet,
    write_text,
)
from qampaign.spreadsheets import unescape_formulas

# Writes half of a file and dies.
DYING = """
import os, signal, sys
from qampaign.files import replacing
with replacing(sys.argv[1]) as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_and_its_folders_are_made(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "folder" / "a.txt", "é\r\n")
    assert (tmp_path / "new" / "folder" / "a.txt").read_bytes() == "é\r\n".encode()
    assert names_in(tmp_path / "new" / "folder") == ["a.txt"]


def fail_half_way(path: Path) -> None:
    with replacing(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError("disk full")


def test_a_failure_leaves_the_earlier_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("earlier")
    with pytest.raises(RuntimeError, match="disk full"):
        fail_half_way(path)
    assert path.read_text() == "earlier"
    assert names_in(tmp_path) == ["a.txt"]


@pytest.mark.slow
def test_a_killed_process_leaves_the_earlier_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("earlier")
    killed = subprocess.run([sys.executable, "-c", DYING, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.read_text() == "earlier"
    write_text(path, "later")
    assert path.read_text() == "later"


def test_equal_frames_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_parquet(pl.DataFrame({"x": range(1000), "y": ["é", None] * 500}), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert pl.read_parquet(tmp_path / "a")["y"].to_list() == ["é", None] * 500


def test_what_people_filled_in_is_left_alone(tmp_path: Path) -> None:
    path, table = tmp_path / "deep" / "sheet.csv", pl.DataFrame({"a": [1], "cause": [""]})
    assert write_for_people(table, path)
    assert write_for_people(table.with_columns(a=2), path)  # nobody has touched it
    assert pl.read_csv(path)["a"].to_list() == [2]
    path.write_text("people's work")
    assert is_changed(path)
    assert not write_for_people(table, path)
    assert path.read_text() == "people's work"


def test_a_file_that_we_never_wrote_is_people_s(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("theirs")
    assert not write_for_people(pl.DataFrame({"a": [1]}), path)
    assert path.read_text() == "theirs"


def test_no_cell_of_a_table_is_a_formula_and_numbers_stay_numbers(tmp_path: Path) -> None:
    cells = ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "'=1", "a=1", None]
    table = pl.DataFrame({"run": cells, "value": [-0.5, *range(-8, 0)], "rank": range(-9, 0)})
    write_csv(table, tmp_path / "a.csv")
    back = pl.read_csv(tmp_path / "a.csv")
    assert back["run"].to_list() == [f"'{cell}" for cell in cells[:7]] + ["a=1", None]
    assert back.select("value", "rank").equals(table.select("value", "rank"))
    assert back.with_columns(unescape_formulas(pl.col("run"))).equals(table)
