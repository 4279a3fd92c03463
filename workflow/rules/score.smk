"""Judgments -> evidence and scores, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: evidence, scores, counts, difficulty, runs, curves,
reliability, coverage, first_right.
"""


rule score:
    input:
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{judge}.parquet"),
        questions=after_ingest("results/{campaign}/{collection}/questions/{judge}.parquet"),
        reference=of_reference("questions"),
        known=of_reference("known"),
    output:
        **{
            table: f"results/{{campaign}}/{{collection}}/{table}/{{judge}}.parquet"
            for table in CHARTED
        },
        evidence="results/{campaign}/{collection}/evidence/{judge}.parquet",
        scores="results/{campaign}/{collection}/scores/{judge}.parquet",
        counts="results/{campaign}/{collection}/counts/{judge}.parquet",
        difficulty="results/{campaign}/{collection}/difficulty/{judge}.parquet",
        runs="results/{campaign}/{collection}/runs/{judge}.parquet",
        curves="results/{campaign}/{collection}/curves/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/score/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/score/{judge}.tsv"
    group:
        sent_with
    resources:
        **resources_of("score"),
    params:
        config=to_score,
        code=code("score.py"),
    message:
        "scoring {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/score.py"
