"""Gather the tables of all collections into one database to query, and as CSV."""

import json
from pathlib import Path
from typing import Any

from qampaign import changes, publishing
from qampaign.files import write_csv, write_text
from qampaign.jobs import run, tell


def main(job: Any) -> None:
    results = Path(job.output.config).parent
    database = results / "results.duckdb"
    exists = database.exists()
    previous = publishing.read_database(database, changes.COMPARED) if exists else {}
    tables = publishing.gather(
        results / "campaign.duckdb", previous, results=results, **job.params.config
    )
    publishing.write_database(tables, database)
    write_text(job.output.config, publishing.as_yaml(job.params.config["config"]))
    for path in job.output.tables:
        write_csv(tables[Path(path).stem], Path(path))
    write_text(
        job.output.manifest, json.dumps({name: each.height for name, each in tables.items()})
    )
    told = changes.tell(tables["changes"], previous.get("changes"))
    if told:
        tell(told)


if __name__ == "__main__":
    run(main)
