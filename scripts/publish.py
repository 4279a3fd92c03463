"""Gather the tables of all collections into one database to query, and as CSV."""

from pathlib import Path
from typing import Any

from qampaign import publishing
from qampaign.files import write_csv, write_text
from qampaign.jobs import run


def main(job: Any) -> None:
    results = Path(job.output.database).parent
    tables = publishing.gather(results / "campaign.duckdb", results=results, **job.params.config)
    publishing.write_database(tables, Path(job.output.database))
    write_text(job.output.config, publishing.as_yaml(job.params.config["config"]))
    for path in job.output.tables:
        write_csv(tables[Path(path).stem], Path(path))


if __name__ == "__main__":
    run(main)
