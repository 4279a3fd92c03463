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
        **{
            table: f"results/{{campaign}}/{{collection}}/{table}/{{judge}}.parquet"
            for table in ("evidence", *SCORED)
        },
    log:
        "results/{campaign}/logs/{collection}/score/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/score/{judge}.tsv"
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
