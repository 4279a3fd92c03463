"""Raw files -> the campaign's database.

Writes campaign.duckdb, fingerprints/<collection>/<table>, fingerprints/sources, and ingest.json last.
"""


def collections_to_read():
    """What ingest needs to know of each collection."""
    return {
        name: {
            "files": each.files,
            "labels": each.config["labels"],
            "unit_confidence": each.unit_confidence,
            "skip_unknown_questions": each.config["unknown_questions"] == "skip",
        }
        for name, each in CAMPAIGN.collections.items()
    }


def state_of_files():
    """Size and time of every raw file: whatever changes them, newer or older, is worth a look."""
    state = [
        (path, status.st_size, status.st_mtime_ns)
        for name, each in CAMPAIGN.collections.items()
        for _, path in Files(name, str(CAMPAIGN.folder), each.files).resolved()
        if (status := status_of(CAMPAIGN.folder / path)) is not None
    ]
    return sha256(repr(state).encode()).hexdigest()


checkpoint ingest:
    output:
        manifest="results/{campaign}/ingest.json",
    log:
        "results/{campaign}/logs/ingest.log",
    benchmark:
        "results/{campaign}/benchmarks/ingest.tsv"
    params:
        folder=str(CAMPAIGN.folder),
        collections=collections_to_read(),
        files=state_of_files(),
        code=code("ingest.py"),
    conda:
        "../envs/qampaign.yaml"
    message:
        "reading and checking the raw files"
    script:
        "../../scripts/ingest.py"
