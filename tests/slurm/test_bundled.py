"""The bundled campaign on a cluster of two nodes: the same tables, by few jobs of Slurm."""

from pathlib import Path

import pytest

from tests.helpers.tiny_campaign import ENDING, Ended, Tiny
from tests.slurm.cluster import Cluster
from tests.slurm.cluster_campaign import OnCluster, ran_in

MOST = 80
"""Jobs that Slurm may have to deal with."""


@pytest.mark.exhaustive
def test_the_bundled_campaign(
    bundled: tuple[Tiny, Ended], tmp_path: Path, cluster: Cluster
) -> None:
    here, steps = bundled[0], bundled[1].ran
    assert ran_in(here) == {}
    there = OnCluster(tmp_path, cluster)
    there.project = there.data = here.project
    there.results = there.work / here.results.relative_to(here.work)
    there.work.mkdir()
    before = set(cluster.completed())
    assert there.run().ran == steps
    # By Slurm's own log each job ran to its end; by theirs, all steps but the last two were in them.
    ended = {number: state for number, state in cluster.completed().items() if number not in before}
    assert set(ended.values()) == {"COMPLETED"}
    assert {each.node for each in cluster.records() if each.id in ended} == {"node1", "node2"}
    assert ran_in(there).keys() == steps - ENDING
    assert set(ran_in(there).values()) == set(ended)
    assert len(ended) <= MOST
    assert there.tables() == here.tables()
    assert there.computed() == here.computed()
