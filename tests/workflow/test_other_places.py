"""Results of an earlier version, results of somebody else, and a user who is not root."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_campaign import EVERYTHING, Tiny

NOBODY = 65534


def test_results_of_a_version_without_records_are_made_again(tiny: Tiny) -> None:
    tables = tiny.tables()
    shutil.rmtree(tiny.results / "records")
    # a value that only an earlier version could have left
    scores = tiny.results / "report/tables/scores.csv"
    scores.write_text(scores.read_text().replace("0.625", "0.5"))
    assert tiny.run().ran == EVERYTHING
    assert tiny.tables() == tables


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody can enter."""
    folder = Path(tempfile.mkdtemp(prefix="qampaign-public-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def run_as_nobody(tiny: Tiny) -> subprocess.CompletedProcess[str]:
    """Run the workflow as a user who owns nothing but what was given to it."""
    environment = tiny.environment() | {"HOME": str(tiny.folder / "home"), "TMPDIR": "/tmp"}
    return subprocess.run(
        tiny.command(),
        cwd=tiny.folder,
        env=environment,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can be another user")
def test_a_user_who_is_not_root(public: Path) -> None:
    tiny = Tiny(public).create()
    for path in (public / "home", tiny.work):
        path.mkdir(exist_ok=True)
        os.chown(path, NOBODY, NOBODY)
    ended = run_as_nobody(tiny)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert tiny.values()["a1"] == 0.625
    # results that belong to somebody else: one sentence, nothing changed
    tiny.correct_a_label()
    for path in [tiny.results, *tiny.results.rglob("*")]:
        os.chown(path, 0, 0)
    before = tiny.files()
    ended = run_as_nobody(tiny)
    assert ended.returncode == 1
    assert "results/tiny cannot be written: Permission denied" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
    assert tiny.files() == before
