"""Responses -> judgments, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: judgments, questions, known, remarks,
judge_weights. And, where ties between assessors are refused, ties/<collection>/<judge>.csv for people to fill in, which Snakemake must not
know of, else it would delete what they wrote.
"""


rule judge:
    input:
        after_ingest(
            "results/{campaign}/fingerprints/{collection}/questions",
            "results/{campaign}/fingerprints/{collection}/responses",
        ),
        table=judged_by,
        teacher=judgments_to_learn_from,
    output:
        judgments="results/{campaign}/{collection}/judgments/{judge}.parquet",
        questions="results/{campaign}/{collection}/questions/{judge}.parquet",
        known="results/{campaign}/{collection}/known/{judge}.parquet",
        remarks="results/{campaign}/{collection}/remarks/{judge}.parquet",
        judge_weights="results/{campaign}/{collection}/judge_weights/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/judge/{judge}.log",
    group:
        cluster_group
    resources:
        **resources_of("judge"),
    params:
        config=judge_params,
        code=code("judge.py"),
    message:
        "judging {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/judge.py"
