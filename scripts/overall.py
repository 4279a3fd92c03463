"""Rank the runs over several collections, by the reference judge of each."""

import json
from pathlib import Path

import polars as pl

from qampaign.files import write_text
from qampaign.measures.configured import configure
from qampaign.measures.evidence import Evidence
from qampaign.publishing import collection_tables
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import RunningJob, run, tell
from qampaign.studies.overall import Member, remarks, study


def main(job: RunningJob) -> Undeclared:
    config = job.params.config
    files = zip(
        config["members"], job.input.evidence, job.input.runs, job.input.questions, strict=True
    )
    members = [
        Member(
            settings["collection"],
            Evidence.of(*map(pl.read_parquet, frames)),
            configure(settings["measure"]),
            seed=settings["collection"],
            unit=settings["unit"],
        )
        for settings, *frames in files
    ]
    results = study(
        members,
        seed=f"{config['seed']} overall",
        weights=config["weights"],
        draws=max(settings["draws"] for settings in config["members"]),
        threads=job.threads,
    )
    for remark in remarks(members, results.overall):
        tell(remark)
    tables = results._asdict()
    written = look_at(collection_tables.write(tables, Path(job.output.manifest).with_suffix("")))
    rows = {name: table.height for name, table in tables.items()}
    manifest = collection_tables.manifest(rows, written, {})
    write_text(job.output.manifest, json.dumps(manifest, indent=1))
    return Undeclared(written=written)


if __name__ == "__main__":
    run(main)
