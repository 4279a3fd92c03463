"""Judgments -> evidence and scores, for each judge of each collection.

Writes, as <collection>/<folder>/<judge>.parquet: evidence, scores, counts, difficulty.
"""


def reference_questions(wildcards):
    """The questions as the reference has them: it says how many answers are known."""
    reference = CAMPAIGN.collections[wildcards.collection].config["reference"]
    return f"results/{wildcards.campaign}/{wildcards.collection}/questions/{reference}.parquet"


def correct_verdicts(wildcards):
    return CAMPAIGN.collections[wildcards.collection].judges[wildcards.judge]["correct"]


def configured_measures(wildcards):
    """The names that the tables use, each with its measure."""
    measures = CAMPAIGN.collections[wildcards.collection].measures
    return {each.name: each.measure for each in measures}


rule score:
    input:
        judgments="results/{campaign}/{collection}/judgments/{judge}.parquet",
        questions="results/{campaign}/{collection}/questions/{judge}.parquet",
        known=reference_questions,
    output:
        evidence="results/{campaign}/{collection}/evidence/{judge}.parquet",
        scores="results/{campaign}/{collection}/scores/{judge}.parquet",
        counts="results/{campaign}/{collection}/counts/{judge}.parquet",
        difficulty="results/{campaign}/{collection}/difficulty/{judge}.parquet",
    log:
        "results/{campaign}/logs/{collection}/score/{judge}.log",
    benchmark:
        "results/{campaign}/benchmarks/{collection}/score/{judge}.tsv"
    params:
        correct=correct_verdicts,
        measures=configured_measures,
        code=code("score.py"),
    conda:
        "../envs/qampaign.yaml"
    message:
        "scoring {wildcards.collection} by {wildcards.judge}"
    script:
        "../../scripts/score.py"
