"""Bring the campaign's database up to date with the raw files, or refuse them with every fault."""

import json
from pathlib import Path

from qampaign.files import write_text
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.ingest import ingest
from qampaign.running.job_records import Undeclared, is_as_recorded, record_of
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> Undeclared:
    manifest = Path(job.output.manifest)
    database = manifest.with_name("campaign.duckdb")
    counts, touched = ingest(
        [CollectionFiles.of(params) for params in job.params.config],
        database=database,
        fingerprints=manifest.with_name("fingerprints"),
        problems_csv=manifest.with_name("problems.csv"),
        code=job.params.code,
        gate=job.params.gate,
        verify=job.config.get("verify", False),  # not among the parameters: it reruns nothing
        anew=not is_as_recorded(database, record_of(job.log[0])),
    )
    print(f"{counts['read']} files read, {counts['unchanged']} unchanged")
    if counts["remarks"]:
        remarks = "a remark" if counts["remarks"] == 1 else f"{counts['remarks']:,} remarks"
        tell(f"{remarks} on the input: see the last section of the report, or the table remarks")
    write_text(manifest, json.dumps(counts))
    return touched


if __name__ == "__main__":
    run(main)
