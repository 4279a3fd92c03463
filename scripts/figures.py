"""Draw the charts of the report for papers, as SVG and PNG."""

from pathlib import Path
from typing import Any

from qampaign import publishing
from qampaign.jobs import run
from qampaign.report.figures import write_figures
from qampaign.report.page import show


def main(job: Any) -> None:
    database = Path(job.input.published).with_name("results.duckdb")
    shown = show(publishing.read_database(database))
    write_figures(shown, Path(job.output.leaderboard).parent, processes=job.threads)


if __name__ == "__main__":
    run(main)
