"""Turn the responses of a collection into the judgments of one judge."""

from functools import partial
from pathlib import Path
from typing import Any

from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.judging import derived
from qampaign.judging.judges import JUDGES, QUESTIONS, response_columns
from qampaign.judging.unassessed import describe_unassessed
from qampaign.running.jobs import run, tell


def main(job: Any) -> None:
    config, collection, judge = job.params.config, job.wildcards.collection, job.wildcards.judge
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    read = partial(store.read, database, collection)
    kind = JUDGES[config["kind"]]
    judged = kind(
        derived.derive(
            read("responses", response_columns(by_line=config["by_line"])), config["derived"]
        ),
        read(config["table"], kind.columns),
        read("questions", QUESTIONS),
        name=f"Collection {collection}, judge {judge}",
        **config["arguments"],
    )
    if message := describe_unassessed(judged.judgments, judge):
        tell(message)
    write_parquet(judged.questions, job.output.questions)
    write_parquet(judged.known_answers, job.output.known)
    write_parquet(judged.judgments, job.output.judgments)


if __name__ == "__main__":
    run(main)
