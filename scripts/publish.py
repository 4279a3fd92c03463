"""Gather the tables of all collections into one database to query, and as CSV."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.publishing import changes, publish
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import run, tell


def main(job: Any) -> Undeclared:
    results = Path(job.output.manifest).parent
    database = results / "results.duckdb"
    figures = look_at(file for files in job.params.config["figures"].values() for file in files)
    previous, had_results = publish.read_last(database, changes.COMPARED), database.exists()
    tables = publish.gather(
        results / "campaign.duckdb", previous, results=results, **job.params.config
    )
    written = publish.write(tables, job.params.config["config"], results)
    write_text(job.output.manifest, json.dumps(publish.manifest(tables, written), indent=1))
    if had_results and not previous:
        tell("the last results cannot be read: what changed since then is not shown")
    if message := changes.summary(tables["changes"], previous.get("changes")):
        tell(message)
    return Undeclared(figures, written)


if __name__ == "__main__":
    run(main)
