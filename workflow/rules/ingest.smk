"""Raw files -> the campaign's database.

Writes campaign.duckdb, fingerprints/<collection>/<table>, fingerprints/sources, and ingest.json last.
"""


checkpoint ingest:
    input:
        declared_raw_files,
    output:
        manifest="results/{campaign}/ingest.json",
    log:
        "results/{campaign}/logs/ingest.log",
    resources:
        **resources_of("ingest"),
    params:
        config=ingest_params(),
        gate=runs_asked(CAMPAIGN.gate, CAMPAIGN.collections, CAMPAIGN.overall),
        code=code("ingest.py"),
    message:
        "reading and checking the raw files"
    script:
        "../../scripts/ingest.py"
