"""Make the report of a campaign: a page that opens without a network, figures and tables."""

from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.publishing import publish
from qampaign.report import figures, leaderboards
from qampaign.report.page import render, show
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import run
from qampaign.tables import NOT_SHOWN, RESULT_TABLES


def main(job: Any) -> Undeclared:
    database = Path(job.input.published).with_name("results.duckdb")
    tables = publish.read_database(database, RESULT_TABLES.keys() - NOT_SHOWN)
    shown = show(tables)
    with figures.drawn(shown, Path(job.output.leaderboard).parent, processes=job.threads):
        written = leaderboards.write(shown, Path(job.output.page).with_name("tables"))
        write_text(job.output.page, render(tables, title=job.params.config["title"], shown=shown))
    return Undeclared(written=written)


if __name__ == "__main__":
    run(main)
