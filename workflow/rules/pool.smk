"""What is still to be judged: a target of its own, for before or between runs of the campaign.

Writes pool/<collection>.csv for people to fill in, which Snakemake must not know of, else it would
delete what they wrote, and pool/<collection>-coverage.csv on the runs. Where labels correct a judge,
a random sample of the answers by that judge's verdicts.
"""


rule pool:
    input:
        expand(
            "results/{campaign}/pool/{collection}-coverage.csv",
            campaign=CAMPAIGN.id,
            collection=CAMPAIGN.collections,
        ),


rule find_pool:
    input:
        after_ingest(
            "results/{campaign}/fingerprints/{collection}/questions",
            "results/{campaign}/fingerprints/{collection}/responses",
            "results/{campaign}/fingerprints/{collection}/assessments",
        ),
        judgments=judgments_to_correct,
    output:
        coverage="results/{campaign}/pool/{collection}-coverage.csv",
    log:
        "results/{campaign}/logs/{collection}/pool.log",
    localrule: True
    params:
        config=pool_params,
        code=code("find_pool.py"),
    message:
        "looking for answers of {wildcards.collection} that nobody has judged"
    script:
        "../../scripts/find_pool.py"
