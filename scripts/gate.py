"""Fail where the published results do not fulfil the conditions of the config."""

from pathlib import Path

from qampaign.files import write_text
from qampaign.publishing import gate
from qampaign.publishing.database import read_database
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> None:
    database = Path(job.input.published).with_name("results.duckdb")
    outcomes = read_database(database, ["gate"])["gate"]
    gate.require(outcomes)
    write_text(job.output.outcomes, "\n".join([*gate.lines(outcomes), ""]))


if __name__ == "__main__":
    run(main)
