"""Everything computed -> the tables to query, and the report.

Writes results.duckdb, config.yaml, report/tables/<table>.csv and report/index.html.
"""


# They take seconds, and what they write is what people look at: no need to wait in a queue.
localrules:
    publish,
    report,


rule publish:
    input:
        after_ingest("results/{campaign}/fingerprints/sources"),
        after_ingest(for_judges("scores")),
        after_ingest(for_judges("counts")),
        after_ingest(for_judges("difficulty")),
        after_ingest(for_judges("runs")),
    output:
        database="results/{campaign}/results.duckdb",
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
        database=after_ingest("results/{campaign}/results.duckdb"),
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
