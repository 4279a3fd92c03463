"""A campaign on a cluster of two nodes: what ran there, and that the results are those of one machine."""

import re

from cluster import Cluster
from cluster_campaign import OnCluster
from tiny_campaign import ALPHA, BETA, EVERYTHING, Tables


def test_from_nothing(
    tiny: OnCluster, cluster: Cluster, expected: tuple[Tables, dict[str, bytes]]
) -> None:
    import shutil

    shutil.rmtree(tiny.work / "results")
    shutil.rmtree(tiny.work / ".snakemake")
    ended = tiny.run()
    assert ended.ran == EVERYTHING
    # By Slurm's own log, each job ran there once and to its end, but for those that need no cluster.
    assert sorted(tiny.jobs().values()) == sorted(
        (comment, "COMPLETED")
        for comment in [
            "rule_ingest_wildcards_tiny",
            *(
                f"rule_{rule}_wildcards_tiny_{collection}_{judge}"
                for collection, rule, judge in (each.split("/") for each in ALPHA | BETA)
            ),
        ]
    )
    assert {each.node for each in cluster.records()} == {"node1", "node2"}
    assert (tiny.tables(), tiny.computed()) == expected
    assert tiny.run().shown.splitlines()[-1] == "Nothing to do: everything is up to date."
    lines = [line for line in ended.shown.splitlines() if re.match(r"\[\d", line)]
    assert len(lines) == len(EVERYTHING)
