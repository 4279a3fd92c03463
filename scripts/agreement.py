"""Compare the judgments of a judge with the reference, response by response."""

from pathlib import Path

import polars as pl

from qampaign.agreement.with_reference import compare_with_reference
from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> Undeclared:
    names, sheet = (job.wildcards.collection, job.wildcards.judge), Path(job.params.sheet)
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    tables, messages = compare_with_reference(
        store.reader(database, job.wildcards.collection),
        pl.read_parquet(job.input.judgments),
        pl.read_parquet(job.input.reference),
        pl.read_parquet(job.input.questions),
        names=names,
        sheet=sheet,
        **job.params.config,
    )
    for name, table in tables.items():
        write_parquet(table, job.output[name])
    for message in messages:
        tell(message)
    return Undeclared(for_people=[sheet])


if __name__ == "__main__":
    run(main)
