"""Responses -> judgments, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: judgments, questions, known.
"""


rule judge:
    input:
        what_judges_need,
    output:
        judgments="results/{campaign}/{collection}/judgments/{judge}.parquet",
        questions="results/{campaign}/{collection}/questions/{judge}.parquet",
        known="results/{campaign}/{collection}/known/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/judge/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/judge/{judge}.tsv"
    group:
        sent_with
    resources:
        **resources_of("judge"),
    params:
        config=to_judge,
        code=code("judge.py"),
    message:
        "judging {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/judge.py"
