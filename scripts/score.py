"""Compute every measure of a collection for every run, from the judgments of one judge."""

from typing import Any

import polars as pl

from qampaign.agreement.run_curves import run_curves
from qampaign.files import write_parquet
from qampaign.judging.judgments import DEGREES
from qampaign.measures import curves, scoring
from qampaign.running.jobs import run


def main(job: Any) -> None:
    config = job.params.config
    measures = [scoring.Configured(**each) for each in config["measures"]]
    evidence = scoring.collect_evidence(
        pl.scan_parquet(job.input.judgments).drop(DEGREES).collect(),
        pl.read_parquet(job.input.questions),
        measures,
        reference=pl.read_parquet(job.input.reference),
        known_answers=pl.scan_parquet(job.input.known),
        **config["evidence"],
    )
    scores = scoring.score(evidence, measures, rank_baselines=config["rank_baselines"])
    write_parquet(evidence.frame(), job.output.evidence)
    write_parquet(scores, job.output.scores)
    write_parquet(scoring.count(evidence), job.output.counts)
    write_parquet(scoring.describe_questions(evidence, measures), job.output.difficulty)
    write_parquet(evidence.runs, job.output.runs)
    write_parquet(run_curves(evidence), job.output.curves)
    write_parquet(curves.reliability(evidence), job.output.reliability)
    write_parquet(curves.accuracy_by_bar(evidence), job.output.coverage)
    write_parquet(curves.first_right(evidence), job.output.first_right)


if __name__ == "__main__":
    run(main)
