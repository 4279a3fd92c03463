"""What jobs ask a cluster for. The figures are in qampaign.running.cluster_resources.

Every rule has the line `**resources_of("its name")` under `resources`, and the rules of a collection have
`group: cluster_group`: to start a job on a cluster takes longer than most of them compute.
"""

import json

from qampaign.running.cluster_resources import (
    BYTES_PER_ROW,
    COMPRESSED,
    LARGE,
    NEEDS,
    STUDY,
    is_sent_together,
    trials_of,
)

# There is one lane on a cluster: the jobs of a group run one after the other, and ask for what the
# largest of them needs. On one machine there is no such limit. A module would set both limits for the
# whole workflow that uses it, so its jobs have neither lane nor group.
if not IS_MODULE:

    resource_scopes:
        lane="local",

    if workflow.resource_settings.nodes or workflow.remote_exec:
        workflow.global_resources["lane"] = 1


def resources_of(rule):
    """Memory and time of the jobs of a rule, as Snakemake asks for them."""
    need = NEEDS.get(rule, STUDY)

    def mem_mb(wildcards, attempt):
        return need.memory(rows_of(wildcards), attempt)

    def runtime(wildcards, attempt):
        return need.runtime(rows_of(wildcards), trials(rule, wildcards), attempt)

    return {"mem_mb": mem_mb, "runtime": runtime} | ({} if IS_MODULE else {"lane": 1})


def cluster_group(wildcards):
    """The group that a job is sent to a cluster with: that of its collection, unless it is large.

    Jobs of a group run in one job of the cluster. Only those that have to run at all are in it.
    """
    if IS_MODULE:
        return None
    collection = CAMPAIGN.collections[wildcards.collection]
    studies = [study for study in STUDIED if study in collection.config["studies"]]
    judges = len(collection.judges)
    jobs = {"judge": judges, "score": judges, "agreement": judges - 1, "correlate": 1}
    jobs |= {
        "correct": len(collection.corrected),
        "tabulate": 1,
        "draw": 1,
        "figures": 1,
        "browse": 1,
    }
    jobs |= dict.fromkeys(studies, len(collection.config["studies"]["judges"]))
    trials_by_study = {study: trials(study, wildcards) for study in studies}
    is_small = is_sent_together(jobs, trials_by_study, rows_of(wildcards))
    return wildcards.collection if is_small else None


def is_small():
    """Whether the jobs that are of the whole campaign can run here, and not on a cluster."""
    return rows_of({}) < LARGE


def trials(rule, wildcards):
    """How often a study of the job's collection evaluates the measures; 1 for what is not a study."""
    name = getattr(wildcards, "collection", None)
    config = CAMPAIGN.collections[name].config if name else {}
    return trials_of((config.get("studies") or {}).get(rule) or {})


def rows_of(wildcards):
    """How many rows the job's collection has, or the campaign where the job has no collection."""
    counted = RESULTS / "rows.json"
    try:
        rows = loaded_rows(counted, counted.stat().st_mtime_ns)
    except (OSError, ValueError):  # before anything is loaded, or a damaged file
        rows = expected_rows()
    name = getattr(wildcards, "collection", None)
    return rows.get(name, 0) if name else max(sum(rows.values()), sum(expected_rows().values()))


@cache
def loaded_rows(counted, time):
    return json.loads(counted.read_text())


@cache
def expected_rows():
    """How many rows each collection may have, by the size of its raw files."""
    rows = dict.fromkeys(CAMPAIGN.collections, 0)
    for collection, name in raw_files():
        file = CAMPAIGN.folder / name
        size = file.stat().st_size if file.exists() else 0
        packed = file.name.lower().endswith((".gz", ".parquet"))
        rows[collection] += size * (COMPRESSED if packed else 1) // BYTES_PER_ROW
    return rows
