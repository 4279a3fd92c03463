"""Systems that lack what Unix has: the modules around the jobs can be imported and used there, too."""

import subprocess
import sys
from pathlib import Path

import pytest

# Windows as far as our modules can see it: the libraries are loaded before.
WINDOWS = """
import sys
import polars.exceptions
from qampaign import files

sys.modules["fcntl"] = sys.modules["resource"] = None  # an import of them fails
sys.platform = "win32"

from qampaign.running.jobs import announce, peak
from qampaign.running.locking import hold

hold("results/toy/.lock")
announce()
print(peak())
"""


@pytest.mark.slow
def test_without_locks_and_resources_of_unix(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WINDOWS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("0\n", "")
    assert list(tmp_path.iterdir()) == []
