"""A cluster for every test, and a finished tiny campaign to run on it."""

import os
from collections.abc import Iterator

import pytest

from tests.helpers.processes import wait_until
from tests.helpers.tiny_campaign import Finished, Tables, Tiny
from tests.helpers.warm import Warm
from tests.slurm import cluster as booting
from tests.slurm.cluster import NODES, Cluster
from tests.slurm.cluster_campaign import OnCluster


@pytest.fixture(scope="session", autouse=True)  # so that it comes before anything that takes time
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


@pytest.fixture
def tiny(finished: Finished, cluster: Cluster) -> OnCluster:
    """The campaign that was run to its end without a cluster, to go on with on the cluster."""
    return OnCluster(finished.restore(), cluster)


@pytest.fixture(scope="session")
def expected(finished: Finished) -> tuple[Tables, dict[str, bytes]]:
    """What the campaign publishes and computes."""
    kept = Tiny(finished.kept)
    return kept.tables(), kept.computed()


@pytest.fixture(scope="session")
def corrected(finished: Finished, warm: Warm | None) -> tuple[Tables, dict[str, bytes]]:
    """What it publishes and computes when a label was corrected."""
    tiny = Tiny(finished.restore(), warm)
    tiny.correct_a_label()
    tiny.run()
    return tiny.tables(), tiny.computed()
