"""Bring the campaign's database up to date with the raw files, or refuse them with every fault."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.ingest import Files, ingest
from qampaign.jobs import run
from qampaign.rows import Options


def main(job: Any) -> None:
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
            ),
            skip_unknown_questions=each["skip_unknown_questions"],
            language=each["language"],
            reads=each["reads"],
            needs=each["needs"],
        )
        for name, each in job.params.config["collections"].items()
    ]
    counts = ingest(
        collections,
        database=results / "campaign.duckdb",
        fingerprints=results / "fingerprints",
        problems_csv=results / "problems.csv",
        code=job.params.code,
    )
    print(f"{counts['read']} files read, {counts['unchanged']} unchanged")
    write_text(manifest, json.dumps(counts))


if __name__ == "__main__":
    run(main)
