"""Everything computed -> the tables to query, and the report.

Writes results.duckdb, which Snakemake must not know of, else it would delete the last one before the
new one is there; published.json when it is; config.yaml, report/tables/<table>.csv, report/index.html.
"""


rule publish:
    input:
        after_ingest("results/{campaign}/fingerprints/sources"),
        after_ingest([file for *_, file in computed()]),
        figures(),
    output:
        manifest="results/{campaign}/published.json",
        config="results/{campaign}/config.yaml",
        tables=expand("results/{{campaign}}/report/tables/{table}.csv", table=TABLES),
    log:
        "results/{campaign}/logs/publish.log",
    benchmark:
        "results/{campaign}/benchmarks/publish.tsv"
    conda:
        ENVIRONMENT
    resources:
        **resources_of("publish"),
    params:
        config=to_publish(),
        code=code("publish.py"),
    message:
        "publishing the tables"
    script:
        "../../scripts/publish.py"


rule report:
    input:
        after_ingest("results/{campaign}/published.json"),
    output:
        page="results/{campaign}/report/index.html",
    log:
        "results/{campaign}/logs/report.log",
    benchmark:
        "results/{campaign}/benchmarks/report.tsv"
    conda:
        ENVIRONMENT
    resources:
        **resources_of("report"),
    params:
        config={"title": CAMPAIGN.title},
        code=code("report.py"),
    message:
        "making the report"
    script:
        "../../scripts/report.py"
