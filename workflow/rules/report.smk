"""Everything computed -> the tables to query, and the report.

Writes results.duckdb, config.yaml, report/tables/<table>.csv and report/index.html.
"""


def published_state(wildcards):
    """What the tables tell besides what was computed: the source files, and who the runs are."""
    information = [fingerprint(collection, "runs")[0] for collection in CAMPAIGN.collections]
    return [*information, str(RESULTS / "fingerprints" / "sources")]


def collections_to_publish():
    """What the tables tell of each collection."""
    return {
        name: {key: each.config.get(key) for key in PUBLISHED_KEYS}
        | {
            "judges": {judge: options["kind"] for judge, options in each.judges.items()},
            "measures": {own.name: (own.measure, own.label) for own in each.measures},
        }
        for name, each in CAMPAIGN.collections.items()
    }


PUBLISHED_KEYS = ("title", "note", "task", "language", "reference", "primary")


rule publish:
    input:
        published_state,
        for_judges("results/{campaign}/{collection}/scores/{judge}.parquet"),
        for_judges("results/{campaign}/{collection}/counts/{judge}.parquet"),
        for_judges("results/{campaign}/{collection}/difficulty/{judge}.parquet"),
    output:
        database="results/{campaign}/results.duckdb",
        config="results/{campaign}/config.yaml",
        tables=expand("results/{{campaign}}/report/tables/{table}.csv", table=TABLES),
    log:
        "results/{campaign}/logs/publish.log",
    params:
        database="results/{campaign}/campaign.duckdb",
        collections=collections_to_publish(),
        config=CAMPAIGN.effective(),
        code=code("publish.py"),
    conda:
        "../envs/qampaign.yaml"
    message:
        "publishing the tables"
    script:
        "../../scripts/publish.py"


rule report:
    input:
        database="results/{campaign}/results.duckdb",
    output:
        page="results/{campaign}/report/index.html",
    log:
        "results/{campaign}/logs/report.log",
    params:
        title=CAMPAIGN.title,
        code=code("report.py"),
    conda:
        "../envs/qampaign.yaml"
    message:
        "making the report"
    script:
        "../../scripts/report.py"
