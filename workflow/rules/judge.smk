"""Responses -> judgments, for each judge of each collection.

Writes <collection>/judgments/<judge>.parquet and <collection>/questions/<judge>.parquet.
"""


rule judge:
    input:
        fingerprints("questions", "responses", "assessments"),
    output:
        judgments="results/{campaign}/{collection}/judgments/{judge}.parquet",
        questions="results/{campaign}/{collection}/questions/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/judge/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/judge/{judge}.tsv"
    conda:
        ENVIRONMENT
    params:
        config=to_judge,
        code=code("judge.py"),
    message:
        "judging {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/judge.py"
