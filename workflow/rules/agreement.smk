"""How far the judges agree: response by response, and in the rankings that follow from them.

Writes, as <collection>/<folder>/<judge>.parquet: agreement, roc, recall_bins, thresholds, disagreements,
causes; as <collection>/<table>.parquet: correlation, misordered, assessors, disputed,
self_agreement. And
failures/<collection>/<judge>.csv for people to fill in, which Snakemake must not know of, else it
would delete what they wrote.
"""


rule agreement:
    input:
        after_ingest(
            "results/{campaign}/fingerprints/{collection}/questions",
            "results/{campaign}/fingerprints/{collection}/responses",
            "results/{campaign}/fingerprints/{collection}/keys",
        ),
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{judge}.parquet"),
        reference=after_ingest("results/{campaign}/{collection}/judgments/{reference}.parquet"),
        questions=after_ingest("results/{campaign}/{collection}/questions/{reference}.parquet"),
    output:
        **{
            table: f"results/{{campaign}}/{{collection}}/{table}/{{judge}}.parquet"
            for table in AGREED
        },
    log:
        "results/{campaign}/logs/{collection}/agreement/{judge}.log",
    group:
        cluster_group
    resources:
        **resources_of("agreement"),
    params:
        config=agreement_params,
        sheet="results/{campaign}/failures/{collection}/{judge}.csv",
        filled=digest_of_filled_sheet,
        code=code("agreement.py"),
    message:
        "comparing {wildcards.judge} with the reference of {wildcards.collection}"
    script:
        "../../scripts/agreement.py"


rule correlate:
    input:
        after_ingest(
            "results/{campaign}/fingerprints/{collection}/assessments",
            "results/{campaign}/fingerprints/{collection}/questions",
            "results/{campaign}/fingerprints/{collection}/responses",
        ),
        evidence=after_ingest("results/{campaign}/{collection}/evidence/{every_judge}.parquet"),
        runs=after_ingest("results/{campaign}/{collection}/runs/{every_judge}.parquet"),
        questions=after_ingest("results/{campaign}/{collection}/questions/{every_judge}.parquet"),
        reference=after_ingest("results/{campaign}/{collection}/questions/{reference}.parquet"),
        known=after_ingest("results/{campaign}/{collection}/known/{reference}.parquet"),
        comparisons=comparisons_by_reference,
        verdicts=verdicts_of_collection,
    output:
        **{table: f"results/{{campaign}}/{{collection}}/{table}.parquet" for table in CORRELATED},
    log:
        "results/{campaign}/logs/{collection}/correlate.log",
    group:
        cluster_group
    resources:
        **resources_of("correlate"),
    params:
        config=correlate_params,
        code=code("correlate.py"),
    message:
        "comparing the rankings of {wildcards.collection}"
    script:
        "../../scripts/correlate.py"
