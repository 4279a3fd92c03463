"""Put the tables of all collections together, in one database to query and as CSV."""

import json
from pathlib import Path

from qampaign.files import write_text
from qampaign.publishing import publish
from qampaign.running.job_records import Undeclared, is_as_recorded, look_at, record_of
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> Undeclared:
    folders = [Path(manifest).with_suffix("") for manifest in job.input.collections]
    results = Path(job.output.manifest).parent
    last = is_as_recorded(results / "results.duckdb", record_of(job.log[0]))
    rows, files = publish.publish(results, folders, **job.params.config, last=last)
    written = look_at(files)
    write_text(job.output.manifest, json.dumps(publish.manifest(rows, written), indent=1))
    return Undeclared(written=written)


if __name__ == "__main__":
    run(main)
