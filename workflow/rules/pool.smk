"""What is still to be judged: asked for by itself, before or between runs of the campaign.

Writes pool/<collection>.csv to be filled in, which Snakemake must not know of, else it would delete
what people wrote, and pool/<collection>-coverage.csv on the runs.
"""


rule pool:
    input:
        pools(),


rule find_pool:
    input:
        fingerprints("questions", "responses", "assessments"),
    output:
        coverage="results/{campaign}/pool/{collection}-coverage.csv",
    log:
        "results/{campaign}/logs/{collection}/pool.log",
    params:
        config=to_pool,
        code=code("pool.py"),
    message:
        "looking for answers of {wildcards.collection} that nobody has judged"
    script:
        "../../scripts/pool.py"
