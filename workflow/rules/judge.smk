"""Responses -> judgments, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: judgments, questions, known.
"""


rule judge:
    input:
        after_ingest(
            "results/{campaign}/fingerprints/{collection}/questions",
            "results/{campaign}/fingerprints/{collection}/responses",
            "results/{campaign}/fingerprints/{collection}/{judged_by}",
        ),
    output:
        judgments="results/{campaign}/{collection}/judgments/{judge}.parquet",
        questions="results/{campaign}/{collection}/questions/{judge}.parquet",
        known="results/{campaign}/{collection}/known/{judge}.parquet",
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
