"""Write the answers of a collection that nobody has assessed yet, and say how many there are."""

from pathlib import Path

import polars as pl

from qampaign.agreement.pool import find_pool
from qampaign.files import write_csv, write_for_people
from qampaign.input import store
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> Undeclared:
    collection = job.wildcards.collection
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    shares = Path(job.output.coverage)
    sheet = shares.with_name(f"{collection}.csv")
    judgments = pl.read_parquet(job.input.judgments) if job.input.judgments else None
    pool = find_pool(
        store.reader(database, collection), collection, judgments=judgments, **job.params.config
    )
    written = write_for_people(pool.sheet, sheet)
    write_csv(pool.shares, shares)
    tell(pool.message(sheet, written=written))
    return Undeclared(for_people=[sheet])


if __name__ == "__main__":
    run(main)
