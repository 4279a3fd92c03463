"""Gather the published tables of one collection, as Parquet and as CSV."""

import json
from pathlib import Path

from qampaign.files import write_text
from qampaign.publishing import changes, collection_tables
from qampaign.publishing.answers import JudgedFile, write_answers
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> Undeclared:
    collection, results = job.wildcards.collection, Path("results", job.wildcards.campaign)
    config = dict(job.params.config)
    figures = look_at(config["figures"])
    config["judged"] = [JudgedFile(*entry) for entry in config["judged"]]
    wanted = (*changes.COMPARED, *changes.REMEMBERED)
    previous = collection_tables.read_last(results / "results.duckdb", collection, wanted)
    folder = Path(job.output.manifest).with_suffix("")
    last = previous or collection_tables.read_history(folder)  # the database is lost or damaged
    tables = collection_tables.gather(results / "campaign.duckdb", collection, last, **config)
    files = collection_tables.write(tables, folder)
    rows = {name: table.height for name, table in tables.items()}
    answers = collection_tables.parquet_of(folder, "answers")
    rows["answers"] = write_answers(collection, config["judged"], answers)
    written = look_at([*files, answers])
    manifest = collection_tables.manifest(rows, written, figures)
    write_text(job.output.manifest, json.dumps(manifest, indent=1))
    if previous is None:
        tell("the last results cannot be read: what changed since then is not shown")
    elif message := changes.summary(
        tables["changes"], previous.get("changes"), tables["judges"], tables["measures"]
    ):
        tell(message)
    return Undeclared(figures, written)


if __name__ == "__main__":
    run(main)
