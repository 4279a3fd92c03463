"""A leaderboard over collections, where the config asks for one.

Writes overall/tables/<table>.parquet and .csv for the tables overall and comparisons, with
overall/tables.json when they are there.
"""


rule overall:
    input:
        evidence=of_overall("evidence"),
        runs=of_overall("runs"),
        questions=of_overall("questions"),
    output:
        manifest="results/{campaign}/overall/tables.json",
    log:
        "results/{campaign}/logs/overall.log",
    threads: 1  # --set-threads overall=8 for large campaigns: the results are the same
    resources:
        **resources_of("overall"),
    params:
        config=overall_params,
        code=code("overall.py"),
    message:
        "ranking the runs over collections"
    script:
        "../../scripts/overall.py"
