"""Put the tables of all collections together, in one database to query and as CSV."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.publishing import publish
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import run


def main(job: Any) -> Undeclared:
    folders = [Path(manifest).with_suffix("") for manifest in job.input.collections]
    rows, written = publish.publish(Path(job.output.manifest).parent, folders, **job.params.config)
    write_text(job.output.manifest, json.dumps(publish.manifest(rows, written), indent=1))
    return Undeclared(written=written)


if __name__ == "__main__":
    run(main)
