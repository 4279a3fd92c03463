"""Make the report of a campaign: one page that opens without a network."""

from pathlib import Path
from typing import Any

from qampaign import publishing
from qampaign.files import write_text
from qampaign.jobs import run
from qampaign.report.page import render


def main(job: Any) -> None:
    tables = publishing.read_database(Path(job.input[0]).with_name("results.duckdb"))
    write_text(job.output.page, render(tables, title=job.params.config["title"]))


if __name__ == "__main__":
    run(main)
