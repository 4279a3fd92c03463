"""Compute every measure of a collection for every run, from the judgments of one judge."""

from typing import Any

import polars as pl

from qampaign import scoring
from qampaign.evidence import collect
from qampaign.files import write_parquet
from qampaign.jobs import run


def main(job: Any) -> None:
    evidence = collect(
        pl.read_parquet(job.input.judgments),
        pl.read_parquet(job.input.questions),
        pl.read_parquet(job.input.known),
        correct=job.params.config["correct"],
    )
    write_parquet(evidence.frame(), job.output.evidence)
    write_parquet(scoring.score(evidence, job.params.config["measures"]), job.output.scores)
    write_parquet(scoring.count(evidence), job.output.counts)
    write_parquet(scoring.describe_questions(evidence), job.output.difficulty)


if __name__ == "__main__":
    run(main)
