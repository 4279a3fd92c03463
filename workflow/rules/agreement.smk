"""How far the judges agree: response by response, and in the rankings that follow from them.

Writes, as <collection>/<folder>/<judge>.parquet: agreement, roc, recall_bins, thresholds, disagreements,
causes; as <collection>/<table>.parquet: correlation, misordered, assessors, disputed. And
failures/<collection>/<judge>.csv for people to fill in, which Snakemake must not know of, else it
would delete what they wrote.
"""


rule agreement:
    input:
        fingerprints("questions", "responses", "keys"),
        judgments=after_ingest("results/{campaign}/{collection}/judgments/{judge}.parquet"),
        reference=of_reference("judgments"),
        questions=of_reference("questions"),
    output:
        **{
            folder: f"results/{{campaign}}/{{collection}}/{folder}/{{judge}}.parquet"
            for folder in AGREED
        },
    log:
        "results/{campaign}/logs/{collection}/agreement/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/agreement/{judge}.tsv"
    group:
        sent_with
    resources:
        **resources_of("agreement"),
    params:
        config=to_agree,
        sheet=lambda wildcards: str(failures(wildcards.collection, wildcards.judge)),
        filled=state_of_failures,
        code=code("agreement.py"),
    message:
        "comparing {wildcards.judge} with the reference of {wildcards.collection}"
    script:
        "../../scripts/agreement.py"


rule correlate:
    input:
        fingerprints("assessments", "questions", "responses"),
        evidence=all_judges("evidence"),
        runs=all_judges("runs"),
        questions=all_judges("questions"),
        reference=of_reference("questions"),
        known=of_reference("known"),
    output:
        **{table: f"results/{{campaign}}/{{collection}}/{table}.parquet" for table in CORRELATED},
    log:
        "results/{campaign}/logs/{collection}/correlate.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/correlate.tsv"
    group:
        sent_with
    resources:
        **resources_of("correlate"),
    params:
        config=to_correlate,
        code=code("correlate.py"),
    message:
        "comparing the rankings of {wildcards.collection}"
    script:
        "../../scripts/correlate.py"
