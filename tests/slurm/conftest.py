"""A cluster for every test, and a finished tiny campaign to run on it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.tiny_campaign import Tables, Tiny, finish, restore
from tests.slurm import cluster as booting
from tests.slurm.cluster import NODES, Cluster, wait_until
from tests.slurm.cluster_campaign import OnCluster


@pytest.fixture(scope="session")
def slurm() -> Iterator[Cluster]:
    """A cluster of two nodes. Where Slurm is not installed, its tests are skipped, but not in CI."""
    if lacking := booting.missing():
        text = (
            f"Slurm's programs are not installed: {', '.join(lacking)} (apt-get install slurm-wlm)"
        )
        if os.environ.get("CI") == "true":
            pytest.fail(text)
        pytest.skip(text)
    with booting.cluster() as booted:
        yield booted


@pytest.fixture
def cluster(slurm: Cluster) -> Iterator[Cluster]:
    """The cluster with both nodes up and nothing to do."""
    yield slurm
    for node in NODES:
        if node not in slurm.processes:
            slurm.start_node(node)
    slurm.call("scancel", f"--user={booting.user()}")
    wait_until(lambda: not slurm.call("squeue", "--noheader"))
    wait_until(lambda: slurm.call("sinfo", "--noheader", "--format=%T").split() == ["idle"])


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A place where a campaign was run to its end without a cluster, and a copy of all that is there."""
    return finish(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def tiny(local: tuple[Path, Path], cluster: Cluster) -> OnCluster:
    """The finished campaign as it was, to go on with on the cluster."""
    return OnCluster(restore(*local).folder, cluster)


@pytest.fixture(scope="session")
def expected(local: tuple[Path, Path]) -> tuple[Tables, dict[str, bytes]]:
    """What the campaign publishes and computes."""
    kept = Tiny(local[1])
    return kept.tables(), kept.computed()


@pytest.fixture(scope="session")
def corrected(local: tuple[Path, Path]) -> tuple[Tables, dict[str, bytes]]:
    """What it publishes and computes when a label was corrected."""
    tiny = restore(*local)
    tiny.correct_a_label()
    tiny.run()
    return tiny.tables(), tiny.computed()
