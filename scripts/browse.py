"""Write the pages of one collection's questions and answers."""

from pathlib import Path

import polars as pl

from qampaign.publishing.collection_tables import parquet_of
from qampaign.report.questions import page
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> Undeclared:
    config, folder = job.params.config, Path(job.input.tables).with_suffix("")
    tables = page.read(folder, is_open=config["is_open"])
    answers = pl.scan_parquet(parquet_of(folder, "answers"))
    _, *more = page.write(tables, answers, Path(job.output.page).parent, **config)
    return Undeclared(written=look_at(more))


if __name__ == "__main__":
    run(main)
