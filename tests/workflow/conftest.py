"""A finished tiny campaign for every test, from one run per session."""

from pathlib import Path

import pytest

from tests.helpers.tiny_campaign import Ended, Tables, Tiny, finish, restore


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A place where a campaign was run to its end, and a copy of all that is there then."""
    return finish(tmp_path_factory.mktemp("tiny"))


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
