"""Draw the charts of one collection as files for papers."""

from pathlib import Path
from typing import Any

from qampaign.publishing import collection_tables
from qampaign.report.figures import write
from qampaign.report.page import show
from qampaign.running.jobs import run


def main(job: Any) -> None:
    (shown,) = show(collection_tables.read(Path(job.input.tables).with_suffix("")))
    write(shown, {section: Path(folder) for section, folder in job.output.items()})


if __name__ == "__main__":
    run(main)
