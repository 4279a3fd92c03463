"""The toy campaign for every test, and how generated cases are tried."""

import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from tests.helpers.toy_campaign import FILES, Campaign

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
