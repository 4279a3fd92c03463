"""Correct the scores of a judge by the labels of another one on a random part."""

from pathlib import Path

import polars as pl

from qampaign.agreement.correction import Side, correct_scores
from qampaign.agreement.label_probability import with_probability
from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.measures.configured import configure
from qampaign.measures.evidence import Evidence
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> None:
    config, collection, judge = job.params.config, job.wildcards.collection, job.wildcards.judge
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    by = config["corrected_by"]
    labels = with_probability(
        pl.read_parquet(job.input.people_judgments),
        store.reader(database, collection),
        config["labels"],
        assessor=config["assessor"],
        derived=config["derived"],
        by_line=config["by_line"],
    )
    files, people = (
        [job.input[f"{prefix}{name}"] for name in ("evidence", "runs", "questions")]
        for prefix in ("", "people_")
    )
    corrected = correct_scores(
        Side(
            f"Collection {collection}, judge {judge}",
            Evidence.of(*map(pl.read_parquet, files)),
            pl.read_parquet(job.input.judgments),
        ),
        Side(by, Evidence.of(*map(pl.read_parquet, people)), labels),
        [configure(measure) for measure in config["measures"]],
        seed=f"{config['seed']} {collection}",
        unit=config["unit"],
        planned=config["planned"],
    )
    write_parquet(corrected.corrected, job.output.corrected)
    write_parquet(corrected.comparisons, job.output.corrected_comparisons)
    for message in corrected.messages:
        tell(message)


if __name__ == "__main__":
    run(main)
