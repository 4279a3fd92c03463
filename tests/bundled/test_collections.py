"""The bundled collections: made again from their seeds, in small plain files."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "resources" / "five-papers"
GENERATORS = {
    "ave2008": ["ave2008"],
    "clef2009": ["clef2009"],
    "pilot2004": ["pilot2004"],
    "pilot2004-lists": ["pilot2004-lists"],
    "qac2": ["qac2", "qac2-askmi", "qac2-lists"],
    "trec8": ["trec8"],
}
BYTES = {
    "ave2008": 200_000,
    "clef2009": 1_000_000,
    "pilot2004": 300_000,
    "pilot2004-lists": 20_000,
    "qac2": 1_000_000,
    "trec8": 1_000_000,
}


def content(path: Path) -> bytes:
    """What is in a file; another zlib may pack the same into other bytes."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): content(path) for path in folder.rglob("*.csv*")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.exhaustive] if name in ("qac2", "trec8") else [])
        for name in GENERATORS
    ],
)
def test_a_generator_gives_the_committed_files(name: str, tmp_path: Path) -> None:
    collections = GENERATORS[name]
    target = tmp_path if len(collections) > 1 else tmp_path / name
    subprocess.run([sys.executable, FOLDER / name / "generate.py", target], check=True)
    made = files(tmp_path)
    kept = {path: own for path, own in files(FOLDER).items() if path.parts[0] in collections}
    assert made.keys() == kept.keys()
    assert [path for path in kept if made[path] != kept[path]] == []


@pytest.mark.parametrize("name", GENERATORS)
def test_files_have_unix_line_ends_and_are_small(name: str) -> None:
    folders = [FOLDER / collection for collection in GENERATORS[name]]
    paths = [path for folder in folders for path in folder.rglob("*.csv*")]
    assert not any(b"\r" in content(path) for path in paths)
    assert all(content(path).endswith(b"\n") for path in paths)
    assert sum(path.stat().st_size for path in paths) < BYTES[name]
