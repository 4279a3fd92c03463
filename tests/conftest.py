"""The toy campaign for every test, a finished tiny one, and how generated cases are tried."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.helpers.tiny_campaign import Finished
from tests.helpers.toy_campaign import FILES, Campaign
from tests.helpers.warm import Warm

settings.register_profile("shared", deadline=None)  # a busy machine is no fault
settings.load_profile("shared")


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
