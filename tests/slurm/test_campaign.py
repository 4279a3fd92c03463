"""A campaign on a cluster of two nodes: what ran there, and that the results are those of one machine."""

import shutil

from cluster import Cluster
from cluster_campaign import OnCluster
from tiny_campaign import ALPHA, BETA, ENDING, EVERYTHING, Tables


def comments(jobs: set[str]) -> list[str]:
    """Jobs such as alpha/judge/ana as Slurm has them on record."""
    found = []
    for each in jobs:
        *collection, rule, judge = each.split("/") if each.count("/") == 2 else [*each.split("/"), ""]
        found.append("_".join(filter(None, [f"rule_{rule}_wildcards_tiny", *collection, judge])))
    return sorted(found)


def test_from_nothing(
    tiny: OnCluster, cluster: Cluster, expected: tuple[Tables, dict[str, bytes]]
) -> None:
    shutil.rmtree(tiny.work / "results")
    shutil.rmtree(tiny.work / ".snakemake")
    before = set(tiny.jobs())
    assert tiny.run().ran == EVERYTHING
    # By Slurm's own log, each job ran there once and to its end, but for those that stay here.
    ran = {id: job for id, job in tiny.jobs().items() if id not in before}
    assert {state for _, state in ran.values()} == {"COMPLETED"}
    assert sorted(comment for comment, _ in ran.values()) == comments(EVERYTHING - ENDING)
    assert {each.node for each in cluster.records() if each.id in ran} == {"node1", "node2"}
    assert (tiny.tables(), tiny.computed()) == expected


def test_an_assessment_is_corrected_between_two_runs_with_another_profile(
    tiny: OnCluster, cluster: Cluster, corrected: tuple[Tables, dict[str, bytes]]
) -> None:
    """By the profile for any queue: the same jobs, submitted by sbatch itself."""
    tiny.profile = "cluster-generic"
    tiny.correct_a_label()
    before = set(tiny.jobs())
    assert tiny.run().ran == {"ingest", *BETA, *ENDING}
    ran = {id: state for id, (_, state) in tiny.jobs().items() if id not in before}
    assert list(ran.values()) == ["COMPLETED"] * (1 + len(BETA))
    assert (tiny.tables(), tiny.computed()) == corrected
    assert not {job for job in ALPHA if job in tiny.run().ran}
