"""Do the published results fulfil the conditions of the config? A target of its own, which fails if not.

Writes gate.txt, the conditions with their figures, if all of them hold.
"""


rule gate:
    input:
        published=after_ingest(f"results/{CAMPAIGN.id}/published.json"),
    output:
        outcomes=f"results/{CAMPAIGN.id}/gate.txt",
    log:
        f"results/{CAMPAIGN.id}/logs/gate.log",
    localrule: True
    params:
        config=list(CAMPAIGN.gate),
        code=code("gate.py"),
    message:
        "checking the conditions of the gate"
    script:
        "../../scripts/gate.py"
