"""Bring the campaign's database up to date with the raw files, or refuse them with every fault."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.input.ingest import Files, ingest
from qampaign.input.published_figures import Names
from qampaign.input.rows import Options
from qampaign.running.job_records import Undeclared, is_as_recorded, record_of
from qampaign.running.jobs import run


def main(job: Any) -> Undeclared:
    manifest = Path(job.output.manifest)
    results = manifest.parent
    collections = [
        Files(
            collection=name,
            folder=job.params.config["folder"],
            paths=each["files"],
            options=Options(
                labels=each["labels"],
                verdicts=each["verdicts"],
                validation=each["task"] == "validation",
                unit=each["unit"],
                ranked=each["ranked"],
                levels=each["levels"],
                by_key=each["by_key"],
                by_line=each["by_line"],
            ),
            skip_unknown_questions=each["skip_unknown_questions"],
            language=each["language"],
            reads=each["reads"],
            needs=each["needs"],
            published=each["published"],
            names=Names(**each["names"]),
            unpacked_gb=job.params.config["unpacked_gb"],
        )
        for name, each in job.params.config["collections"].items()
    ]
    database = results / "campaign.duckdb"
    counts, touched = ingest(
        collections,
        database=database,
        fingerprints=results / "fingerprints",
        problems_csv=results / "problems.csv",
        code=job.params.code,
        verify=job.config.get("verify", False),  # not among the parameters: it reruns nothing
        anew=not is_as_recorded(database, record_of(job.log[0])),
    )
    print(f"{counts['read']} files read, {counts['unchanged']} unchanged")
    write_text(manifest, json.dumps(counts))
    return touched


if __name__ == "__main__":
    run(main)
