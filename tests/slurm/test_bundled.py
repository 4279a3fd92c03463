"""The bundled campaign on a cluster of two nodes: the same tables, by few jobs of Slurm."""

from pathlib import Path

from tests.helpers.tiny_campaign import ENDING, ROOT, Tiny
from tests.slurm.cluster import Cluster
from tests.slurm.cluster_campaign import OnCluster, ran_in

MOST = 80
"""Jobs that Slurm may have to deal with."""


def bundled(campaign: Tiny) -> Tiny:
    """The campaign of the project's own config.yaml."""
    campaign.project = campaign.data = ROOT
    campaign.results = campaign.work / "results/five-papers"
    campaign.work.mkdir(parents=True)
    return campaign


def test_the_bundled_campaign(tmp_path: Path, cluster: Cluster) -> None:
    here, there = bundled(Tiny(tmp_path / "here")), bundled(OnCluster(tmp_path / "there", cluster))
    steps = here.run().ran
    assert ran_in(here) == {}
    before = set(cluster.completed())
    assert there.run().ran == steps
    # By Slurm's own log each job ran to its end; by theirs, all steps but the last two were in them.
    ended = {id: state for id, state in cluster.completed().items() if id not in before}
    assert set(ended.values()) == {"COMPLETED"}
    assert {each.node for each in cluster.records() if each.id in ended} == {"node1", "node2"}
    assert ran_in(there).keys() == steps - ENDING
    assert set(ran_in(there).values()) == set(ended)
    assert len(ended) <= MOST
    assert there.tables() == here.tables()
    assert there.computed() == here.computed()
