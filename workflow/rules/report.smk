"""Everything computed -> the tables to query, and the report.

Writes results.duckdb, report/tables/<table>.csv, report/tables/leaderboard-<collection>.tex and .md and
config.yaml, which Snakemake must not know of, else it would delete the last ones before the new ones
are there; published.json when they are; report/figures/<section>/ with the charts as SVG and PNG, and
report/index.html. `snakemake --report` shows the figures by section and collection.
"""

# Both rules take seconds, and people look at what they write: no need to wait in a cluster's queue.


rule publish:
    input:
        after_ingest("results/{campaign}/fingerprints/sources"),
        after_ingest(*(file for *_, file in computed())),
    output:
        manifest="results/{campaign}/published.json",
    log:
        "results/{campaign}/logs/publish.log",
    benchmark:
        "results/{campaign}/benchmarks/publish.tsv"
    localrule: True
    resources:
        **resources_of("publish"),
    params:
        config=publish_params(),
        code=code("publish.py"),
    message:
        "publishing the tables"
    script:
        "../../scripts/publish.py"


rule report:
    input:
        published=after_ingest("results/{campaign}/published.json"),
    output:
        page=report(
            update("results/{campaign}/report/index.html"),  # the last one stays until then
            caption="../report/page.rst",
            category="0 The whole report",
        ),
        leaderboard=report(
            directory("results/{campaign}/report/figures/leaderboard"),
            patterns=["{collection}-{figure}.svg"],
            caption="../report/leaderboard.rst",
            category="1 Leaderboard",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        abstention=report(
            directory("results/{campaign}/report/figures/abstention"),
            patterns=["{collection}-{figure}.svg"],
            caption="../report/abstention.rst",
            category="2 Abstention",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        ranked=report(
            directory("results/{campaign}/report/figures/ranked"),
            patterns=["{collection}-{figure}.svg"],
            caption="../report/ranked.rst",
            category="3 Ranked and list answers",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        validation=report(
            directory("results/{campaign}/report/figures/validation"),
            patterns=["{collection}-{figure}.svg"],
            caption="../report/validation.rst",
            category="4 Validation",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        judges=report(
            directory("results/{campaign}/report/figures/judges"),
            patterns=["{collection}-{figure}.svg"],
            caption="../report/judges.rst",
            category="5 Judges",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        measures=report(
            directory("results/{campaign}/report/figures/measures"),
            patterns=["{collection}-{figure}.svg"],
            caption="../report/measures.rst",
            category="6 Measures",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
    log:
        "results/{campaign}/logs/report.log",
    benchmark:
        "results/{campaign}/benchmarks/report.tsv"
    localrule: True
    threads: 4
    resources:
        **resources_of("report"),
    params:
        config={"title": CAMPAIGN.title},
        code=code("report.py"),
    message:
        "making the report"
    script:
        "../../scripts/report.py"
