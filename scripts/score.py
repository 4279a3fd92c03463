"""Compute every measure of a collection for every run, from the judgments of one judge."""

from typing import Any

import polars as pl

from qampaign import scoring
from qampaign.baselines import collect_all
from qampaign.cells import Cells
from qampaign.files import write_parquet
from qampaign.jobs import run


def main(job: Any) -> None:
    config = job.params.config
    cells = Cells.of(
        pl.read_parquet(job.input.judgments),
        pl.read_parquet(job.input.questions),
        reference=pl.read_parquet(job.input.reference),
        known_answers=pl.scan_parquet(job.input.known),
        correct=config["correct"],
        confidence_map=config["confidence_map"],
        validation=config["task"] == "validation",
    )
    measures = [scoring.Configured(**each) for each in config["measures"]]
    columns = [column for each in measures for column in each.columns().values()]
    evidence = collect_all(cells, columns, baselines=config["baselines"], derived=config["derived"])
    scores = scoring.score(evidence, measures, rank_baselines=config["rank_baselines"])
    write_parquet(evidence.frame(), job.output.evidence)
    write_parquet(scores, job.output.scores)
    write_parquet(scoring.count(evidence), job.output.counts)
    write_parquet(scoring.describe_questions(evidence), job.output.difficulty)
    write_parquet(evidence.runs, job.output.runs)


if __name__ == "__main__":
    run(main)
