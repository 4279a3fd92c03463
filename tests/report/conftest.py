"""A browser for the tests of the report, and what checks that nobody is kept out."""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator

import pytest

from tests.report import browser
from tests.report.browser import Browser

AXE = "axe-core@4.14.0"


def absent(what: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    program = browser.find()
    if program is None:
        absent("Chromium (Debian: apt-get install chromium)")
    started = Browser(str(program))
    yield started
    started.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The code of axe-core, fetched as its makers publish it."""
    folder = tmp_path_factory.mktemp("axe")
    if shutil.which("npm") is None:
        absent("npm (to fetch axe-core)")
    fetched = subprocess.run(
        ["npm", "pack", "--silent", AXE], cwd=folder, capture_output=True, text=True, check=False
    )
    if fetched.returncode:
        absent(f"axe-core ({fetched.stderr.strip()[-200:]})")
    with tarfile.open(folder / fetched.stdout.strip().splitlines()[-1]) as archive:
        code = archive.extractfile("package/axe.min.js")
        assert code is not None
        return code.read().decode()
