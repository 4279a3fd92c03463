"""Compare the rankings of a collection: by its measures, by its judges, by its assessors."""

from pathlib import Path

import polars as pl

from qampaign.agreement.rankings import compare_rankings
from qampaign.agreement.self_agreement import self_agreement
from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.measures.evidence import Evidence
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> None:
    collection, config = job.wildcards.collection, dict(job.params.config)
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    repeated = self_agreement(
        store.reader(database, collection),
        config.pop("repeated"),
        seed=f"{config['seed']} {collection}",
        unit=config["unit"],
    )
    files = zip(job.input.evidence, job.input.runs, job.input.questions, strict=True)
    evidence = (Evidence.of(*map(pl.read_parquet, paths)) for paths in files)
    tables, messages = compare_rankings(
        store.reader(database, collection),
        dict(zip(config.pop("judges"), evidence, strict=True)),
        pl.read_parquet(job.input.reference),
        pl.scan_parquet(job.input.known),
        pl.read_parquet(job.input.comparisons) if job.input.comparisons else None,
        collection=collection,
        **config,
    )
    tables["self_agreement"] = repeated
    for name, table in tables.items():
        write_parquet(table, job.output[name])
    for message in messages:
        tell(message)


if __name__ == "__main__":
    run(main)
