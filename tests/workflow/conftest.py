"""A finished tiny campaign for every test, from one run per session."""

from pathlib import Path

import pytest

from tests.helpers.tiny_campaign import Ended, Finished, Tables, Tiny
from tests.helpers.warm import Warm


@pytest.fixture
def tiny(finished: Finished, warm: Warm | None) -> Tiny:
    """The finished campaign as it was."""
    return Tiny(finished.restore(), warm)


@pytest.fixture(scope="session")
def corrected(finished: Finished, warm: Warm | None) -> tuple[Ended, Tables]:
    """What an undisturbed run does, and the tables it publishes, after a label was corrected."""
    tiny = Tiny(finished.restore(), warm)
    tiny.correct_a_label()
    return tiny.run(), tiny.tables()


@pytest.fixture
def fresh(tmp_path: Path, warm: Warm | None) -> Tiny:
    """A campaign that was never run, in a folder of its own."""
    return Tiny(tmp_path, warm).create()
