"""Everything computed -> the tables to query, and the report.

For each collection, of its own results alone: its tables, as <collection>/tables/<table>.parquet and
.csv with tables.json when they are there; what the page shows of it, as <collection>/page.json, and
report/tables/leaderboard-<collection>.tex and .md; its tables and methods for papers, as
<collection>/paper.json and report/paper/<collection>/; its charts, as <collection>/figures.json, as SVG and
PNG in report/figures/<section>/<collection>/ and report/paper/<collection>/figures/; its questions and
answers, as report/questions-<collection>.html, and .2.html and so on where there is much. Put together
for the campaign: results.duckdb, report/tables/<table>.csv and config.yaml, with published.json when they are
there; report/index.html; methods, references and an example document in report/paper/.

Snakemake does not know of the tables, leaderboards, texts for papers and config.yaml, else it would delete the
last ones before the new ones are there. `snakemake --report` shows the figures by section and collection.
"""


rule tabulate:
    input:
        after_ingest(
            "results/{campaign}/fingerprints/{collection}/sources",
            "results/{campaign}/fingerprints/{collection}/keys",
        ),
        tables_of_collection,
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{every_judge}.parquet"),
    output:
        manifest="results/{campaign}/{collection}/tables.json",
    log:
        "results/{campaign}/logs/{collection}/tabulate.log",
    group:
        cluster_group
    resources:
        **resources_of("tabulate"),
    params:
        config=tabulate_params,
        code=code("tabulate.py"),
    message:
        "gathering the tables of {wildcards.collection}"
    script:
        "../../scripts/tabulate.py"


rule draw:
    input:
        tables=after_ingest("results/{campaign}/{collection}/tables.json"),
    output:
        part="results/{campaign}/{collection}/page.json",
        paper="results/{campaign}/{collection}/paper.json",
        figures="results/{campaign}/{collection}/figures.json",
    log:
        "results/{campaign}/logs/{collection}/draw.log",
    priority: 1  # before figures
    group:
        cluster_group
    resources:
        **resources_of("draw"),
    params:
        config=draw_params,
        code=code("draw.py"),
    message:
        "drawing {wildcards.collection}"
    script:
        "../../scripts/draw.py"


rule browse:
    input:
        tables=after_ingest("results/{campaign}/{collection}/tables.json"),
    output:
        page=update("results/{campaign}/report/questions-{collection}.html"),
    log:
        "results/{campaign}/logs/{collection}/browse.log",
    priority: 1  # before figures
    group:
        cluster_group
    resources:
        **resources_of("browse"),
    params:
        config=browse_params,
        code=code("browse.py"),
    message:
        "showing the questions of {wildcards.collection}"
    script:
        "../../scripts/browse.py"


rule figures:
    input:
        specs=after_ingest("results/{campaign}/{collection}/figures.json"),
    output:
        leaderboard=report(
            directory("results/{campaign}/report/figures/leaderboard/{collection}"),
            patterns=["{figure}.svg"],
            caption="../report/leaderboard.rst",
            category="1 Leaderboard",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        abstention=report(
            directory("results/{campaign}/report/figures/abstention/{collection}"),
            patterns=["{figure}.svg"],
            caption="../report/abstention.rst",
            category="2 Abstention",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        ranked=report(
            directory("results/{campaign}/report/figures/ranked/{collection}"),
            patterns=["{figure}.svg"],
            caption="../report/ranked.rst",
            category="3 Ranked and list answers",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        validation=report(
            directory("results/{campaign}/report/figures/validation/{collection}"),
            patterns=["{figure}.svg"],
            caption="../report/validation.rst",
            category="4 Validation",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        judges=report(
            directory("results/{campaign}/report/figures/judges/{collection}"),
            patterns=["{figure}.svg"],
            caption="../report/judges.rst",
            category="5 Judges",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        measures=report(
            directory("results/{campaign}/report/figures/measures/{collection}"),
            patterns=["{figure}.svg"],
            caption="../report/measures.rst",
            category="6 Measures",
            subcategory="{collection}",
            labels={"figure": "{figure}"},
        ),
        paper=directory("results/{campaign}/report/paper/{collection}/figures"),
    log:
        "results/{campaign}/logs/{collection}/figures.log",
    group:
        cluster_group
    resources:
        **resources_of("figures"),
    params:
        code=code("figures.py"),
    message:
        "drawing the figures of {wildcards.collection} for papers"
    script:
        "../../scripts/figures.py"


# These two take seconds unless a campaign is large, and people wait for what they write: no need to
# stand in a cluster's queue.


rule publish:
    input:
        collections=published_tables,
    output:
        manifest="results/{campaign}/published.json",
    log:
        "results/{campaign}/logs/publish.log",
    priority: 1  # before figures
    localrule: is_small()
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
        parts=after_ingest("results/{campaign}/{every_collection}/page.json"),
        papers=after_ingest("results/{campaign}/{every_collection}/paper.json"),
    output:
        page=report(
            update("results/{campaign}/report/index.html"),  # the last one stays until then
            caption="../report/page.rst",
            category="0 The whole report",
        ),
    log:
        "results/{campaign}/logs/report.log",
    priority: 1  # before figures
    localrule: is_small()
    resources:
        **resources_of("report"),
    params:
        config=report_params(),
        code=code("report.py"),
    message:
        "making the report"
    script:
        "../../scripts/report.py"
