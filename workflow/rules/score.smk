"""Judgments -> evidence and scores, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: evidence, scores, counts, difficulty, suspects, runs,
curves, samples, reliability, coverage, price, price_leaders, first_right.
"""


rule score:
    input:
        after_ingest("results/{campaign}/fingerprints/{collection}/questions"),
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{judge}.parquet"),
        questions=after_ingest("results/{campaign}/{collection}/questions/{judge}.parquet"),
        reference=after_ingest("results/{campaign}/{collection}/questions/{known_by}.parquet"),
        known=after_ingest("results/{campaign}/{collection}/known/{known_by}.parquet"),
    output:
        evidence="results/{campaign}/{collection}/evidence/{judge}.parquet",
        scores="results/{campaign}/{collection}/scores/{judge}.parquet",
        counts="results/{campaign}/{collection}/counts/{judge}.parquet",
        difficulty="results/{campaign}/{collection}/difficulty/{judge}.parquet",
        suspects="results/{campaign}/{collection}/suspects/{judge}.parquet",
        runs="results/{campaign}/{collection}/runs/{judge}.parquet",
        curves="results/{campaign}/{collection}/curves/{judge}.parquet",
        samples="results/{campaign}/{collection}/samples/{judge}.parquet",
        reliability="results/{campaign}/{collection}/reliability/{judge}.parquet",
        coverage="results/{campaign}/{collection}/coverage/{judge}.parquet",
        price="results/{campaign}/{collection}/price/{judge}.parquet",
        price_leaders="results/{campaign}/{collection}/price_leaders/{judge}.parquet",
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
