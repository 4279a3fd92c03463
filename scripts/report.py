"""Put the page of the report together from what was drawn of each collection."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.publishing import publish
from qampaign.report.leftovers import remove_leftovers
from qampaign.report.page import OF_CAMPAIGN, assemble
from qampaign.running.jobs import run


def main(job: Any) -> None:
    database = Path(job.input.published).with_name("results.duckdb")
    parts = [json.loads(Path(part).read_text(encoding="utf-8")) for part in job.input.parts]
    tables = publish.read_database(database, OF_CAMPAIGN)
    write_text(job.output.page, assemble(parts, tables, title=job.params.config["title"]))
    remove_leftovers(Path(job.output.page).parent, [part["id"] for part in parts])


if __name__ == "__main__":
    run(main)
