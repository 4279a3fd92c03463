"""One warm process and one finished campaign for all tests of a worker."""

from collections.abc import Iterator

import pytest
from tests.fuzz.fuzzing import World
from tests.fuzz.warm import Warm


@pytest.fixture(scope="session")
def finished_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    warm = Warm()
    yield World(tmp_path_factory.mktemp("fuzz"), warm).create()
    warm.close()


@pytest.fixture
def world(finished_world: World) -> World:
    """The finished campaign as it was at first."""
    finished_world.restore()
    return finished_world
