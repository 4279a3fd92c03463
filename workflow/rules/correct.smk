"""A judge's scores -> the same without its error, by labels on a random part of the questions.

Writes, as <collection>/<folder>/<judge>.parquet: corrected, corrected_comparisons. Only for judges with
`corrected_by`.
"""


rule correct:
    input:
        after_ingest("results/{campaign}/fingerprints/{collection}/responses"),
        labels=labels_of_corrected,
        evidence=after_ingest("results/{campaign}/{collection}/evidence/{judge}.parquet"),
        runs=after_ingest("results/{campaign}/{collection}/runs/{judge}.parquet"),
        questions=after_ingest("results/{campaign}/{collection}/questions/{judge}.parquet"),
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{judge}.parquet"),
        people_evidence=after_ingest(
            "results/{campaign}/{collection}/evidence/{corrected_by}.parquet"
        ),
        people_runs=after_ingest("results/{campaign}/{collection}/runs/{corrected_by}.parquet"),
        people_questions=after_ingest(
            "results/{campaign}/{collection}/questions/{corrected_by}.parquet"
        ),
        people_judgments=after_ingest(
            "results/{campaign}/{collection}/judgments/{corrected_by}.parquet"
        ),
    output:
        **{
            table: f"results/{{campaign}}/{{collection}}/{table}/{{judge}}.parquet"
            for table in CORRECTED
        },
    log:
        "results/{campaign}/logs/{collection}/correct/{judge}.log",
    group:
        cluster_group
    resources:
        **resources_of("correct"),
    params:
        config=correct_params,
        code=code("correct.py"),
    message:
        "correcting {wildcards.judge} of {wildcards.collection}"
    script:
        "../../scripts/correct.py"
