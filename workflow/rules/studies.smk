"""How far the measures can be trusted: a job for each study of the scores by a judge.

Writes, as <collection>/<table>/<judge>.parquet, the tables of each study, and the intervals of scores.
"""

for study, tables in STUDIED.items():

    rule:
        name:
            study
        input:
            evidence=after_ingest("results/{campaign}/{collection}/evidence/{judge}.parquet"),
            runs=after_ingest("results/{campaign}/{collection}/runs/{judge}.parquet"),
            questions=after_ingest("results/{campaign}/{collection}/questions/{judge}.parquet"),
        output:
            **{
                table: f"results/{{campaign}}/{{collection}}/{table}/{{judge}}.parquet"
                for table in tables
            },
        log:
            f"results/{{campaign}}/logs/{{collection}}/{study}/{{judge}}.log",
        group:
            cluster_group
        threads: 1  # --set-threads stability=8 for large collections: the results are the same
        resources:
            **resources_of(study),
        params:
            config=study_params(study),
            code=code("study.py"),
        message:
            f"studying {study} of {{wildcards.collection}} by {{wildcards.judge}}"
        script:
            "../../scripts/study.py"
