"""Gather the published tables of one collection, as Parquet and as CSV."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.publishing import changes, collection_tables
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import run, tell


def main(job: Any) -> Undeclared:
    collection, results = job.wildcards.collection, Path("results", job.wildcards.campaign)
    figures = look_at(job.params.config["figures"])
    previous = collection_tables.read_last(results / "results.duckdb", collection, changes.COMPARED)
    tables = collection_tables.gather(
        results / "campaign.duckdb", collection, previous or {}, **job.params.config
    )
    written = collection_tables.write(tables, Path(job.output.manifest).with_suffix(""))
    manifest = collection_tables.manifest(tables, written, figures)
    write_text(job.output.manifest, json.dumps(manifest, indent=1))
    if previous is None:
        tell("the last results cannot be read: what changed since then is not shown")
    elif message := changes.summary(tables["changes"], previous.get("changes")):
        tell(message)
    return Undeclared(figures, written)


if __name__ == "__main__":
    run(main)
