"""Raw files -> the campaign's database.

Writes campaign.duckdb, fingerprints/<collection>/<table>, fingerprints/sources, and ingest.json last.
"""


checkpoint ingest:
    output:
        manifest="results/{campaign}/ingest.json",
    log:
        "results/{campaign}/logs/ingest.log",
    benchmark:
        "results/{campaign}/benchmarks/ingest.tsv"
    resources:
        **resources_of("ingest"),
    params:
        config=to_read(),
        code=code("ingest.py"),
    message:
        "reading and checking the raw files"
    script:
        "../../scripts/ingest.py"
