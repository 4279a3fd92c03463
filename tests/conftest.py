"""The toy campaign for every test, a finished tiny one, and how generated cases are tried."""

import shutil
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests.helpers.tiny_campaign import ROOT, Ended, Finished, Tiny, copy_code
from tests.helpers.toy_campaign import FILES, Campaign
from tests.helpers.warm import Warm

settings.register_profile("shared", deadline=None)  # a busy machine is no fault
settings.register_profile("short", settings.get_profile("shared"), max_examples=8)
settings.register_profile("quick", settings.get_profile("shared"), max_examples=4)
settings.load_profile("shared")


CLUSTER = {"slurm", "bundled"}
OUTSIDE = CLUSTER | {"warm", "chromium"}
"""Fixtures that start Snakemake, a cluster or a browser."""


BEGUN = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, help="skip tests not begun after so many minutes")
    parser.addoption("--day", default="", help="a word that decides which files come first")


class _Scheduling(LoadFileScheduling):
    """The tests of a file stay together, in the short suite also those of the finished campaign."""

    def _split_scope(self, nodeid: str) -> str:
        scope: str = super()._split_scope(nodeid)
        short = "not exhaustive" in self.config.option.markexpr
        return "workflow" if short and scope.startswith("tests/workflow/") else scope


@pytest.hookimpl(optionalhook=True)  # without xdist there is nothing to share out
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return _Scheduling(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what does not begin in time; the bundled campaign takes minutes and must begin soon."""
    minutes = item.config.getoption("--minutes")
    if minutes is not None:
        minutes /= 4 if "bundled" in getattr(item, "fixturenames", ()) else 1
        if time.monotonic() - BEGUN > 60 * minutes:
            pytest.skip(f"not begun within {minutes:g} minutes")


@pytest.hookimpl(tryfirst=True)  # before items are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test-quick` leaves out, and put what takes longest first.

    With `--day` the files come in an order of that day: over days a limit of minutes skips others.
    """
    order: dict[pytest.Item, tuple[object, ...]] = {}
    day = config.getoption("--day")
    for item in items:
        used = OUTSIDE & {*getattr(item, "fixturenames", ())}
        if used:
            item.add_marker("outside")
        order[item] = (not used & CLUSTER, item.get_closest_marker("outside") is None)
        if day:
            order[item] = (sha256(f"{day} {item.path.name}".encode()).digest(),)
    items.sort(key=order.__getitem__)


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """The toy campaign before anything was done with its files."""
    made = Campaign(tmp_path)
    made.write(FILES)
    return made


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Campaign(tmp_path_factory.mktemp("loaded"))
    made.write(FILES)
    assert made.ingest() == (5, 0)
    return made.folder / "results"


@pytest.fixture
def loaded(campaign: Campaign, results: Path) -> Campaign:
    """The toy campaign with its files in the database."""
    shutil.copytree(results, campaign.folder / "results")
    return campaign


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm | None]:
    """A process that starts runs of Snakemake at once; it needs Linux."""
    if sys.platform != "linux":
        yield None
        return
    process = Warm()
    yield process
    process.close()


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory, warm: Warm | None) -> Finished:
    """A tiny campaign that was run to its end."""
    return Finished.make(tmp_path_factory.mktemp("tiny"), warm)


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tiny, Ended]:
    """The bundled campaign, run by the real command from another directory, with no config given."""
    campaign = Tiny(tmp_path_factory.mktemp("bundled"))
    copy_code(campaign.project)
    shutil.copy(ROOT / "config.yaml", campaign.project)
    (campaign.project / "resources").symlink_to(ROOT / "resources")
    campaign.data = campaign.project
    campaign.work.mkdir()
    campaign.results = campaign.work / "results/five-papers"
    command = campaign.command()
    option = command.index("--configfile")
    del command[option : option + 2]
    return campaign, campaign.call(command, cwd=campaign.work)
