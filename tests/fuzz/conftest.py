"""Finished campaigns for all tests of a worker."""

import pytest

from tests.fuzz.fuzz_campaign import SMALL_CONFIG
from tests.fuzz.fuzzing import World
from tests.helpers.warm import Warm


@pytest.fixture(scope="session")
def finished_world(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> World:
    return World(tmp_path_factory.mktemp("fuzz"), warm).create()


@pytest.fixture(scope="session")
def finished_small(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> World:
    return World(tmp_path_factory.mktemp("small"), warm).create(SMALL_CONFIG)


@pytest.fixture
def world(finished_world: World) -> World:
    """The finished campaign as it was at first."""
    finished_world.restore()
    return finished_world


@pytest.fixture
def small(finished_small: World) -> World:
    """The same with one collection and few jobs."""
    finished_small.restore()
    return finished_small
