"""Judgments -> evidence and scores, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: evidence, scores, counts, difficulty, runs, curves,
reliability, coverage, first_right.
"""


rule score:
    input:
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{judge}.parquet"),
        questions=after_ingest("results/{campaign}/{collection}/questions/{judge}.parquet"),
        reference=after_ingest("results/{campaign}/{collection}/questions/{reference}.parquet"),
        known=after_ingest("results/{campaign}/{collection}/known/{reference}.parquet"),
    output:
        evidence="results/{campaign}/{collection}/evidence/{judge}.parquet",
        scores="results/{campaign}/{collection}/scores/{judge}.parquet",
        counts="results/{campaign}/{collection}/counts/{judge}.parquet",
        difficulty="results/{campaign}/{collection}/difficulty/{judge}.parquet",
        runs="results/{campaign}/{collection}/runs/{judge}.parquet",
        curves="results/{campaign}/{collection}/curves/{judge}.parquet",
        reliability="results/{campaign}/{collection}/reliability/{judge}.parquet",
        coverage="results/{campaign}/{collection}/coverage/{judge}.parquet",
        first_right="results/{campaign}/{collection}/first_right/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/score/{judge}.log",
    group:
        cluster_group
    resources:
        **resources_of("score"),
    params:
        config=score_params,
        code=code("score.py"),
    message:
        "scoring {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/score.py"
