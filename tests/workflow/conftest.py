"""A finished tiny campaign for every test, from one run per session."""

import shutil
from pathlib import Path

import pytest
from tiny_campaign import EVERYTHING, Ended, Tables, Tiny


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A place where a campaign was run to its end, and a copy of all that is there then."""
    folder = tmp_path_factory.mktemp("tiny")
    place, kept = folder / "place", folder / "kept"
    assert Tiny(place).create().run().ran == EVERYTHING
    shutil.copytree(place, kept)
    return place, kept


@pytest.fixture
def tiny(finished: tuple[Path, Path]) -> Tiny:
    """The finished campaign as it was, at the place where it was made: there nothing is to be done."""
    return restore(*finished)


@pytest.fixture(scope="session")
def corrected(finished: tuple[Path, Path]) -> tuple[Ended, Tables]:
    """What an undisturbed run does, and the tables it publishes, after a label was corrected."""
    tiny = restore(*finished)
    tiny.correct_a_label()
    return tiny.run(), tiny.tables()


@pytest.fixture
def fresh(tmp_path: Path) -> Tiny:
    """A campaign that was never run, in a folder of its own."""
    return Tiny(tmp_path).create()


def restore(place: Path, kept: Path) -> Tiny:
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    return Tiny(place)
