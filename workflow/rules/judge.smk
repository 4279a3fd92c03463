"""Responses -> judgments, for each judge of each collection.

Writes <collection>/judgments/<judge>.parquet and <collection>/questions/<judge>.parquet.
"""


def judged_tables(wildcards):
    return fingerprint(wildcards.collection, "questions", "responses", "assessments")


def judge_options(wildcards):
    """The options of one judge."""
    collection = CAMPAIGN.collections[wildcards.collection]
    own = collection.judges[wildcards.judge]
    return {key: own[key] for key in own if key != "kind"} | {"nil": collection.config["nil"]}


rule judge:
    input:
        judged_tables,
    output:
        judgments="results/{campaign}/{collection}/judgments/{judge}.parquet",
        questions="results/{campaign}/{collection}/questions/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/judge/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/judge/{judge}.tsv"
    params:
        database="results/{campaign}/campaign.duckdb",
        options=judge_options,
        code=code("judge.py"),
    conda:
        "../envs/qampaign.yaml"
    message:
        "judging {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/judge.py"
