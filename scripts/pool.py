"""Write the answers of a collection that no assessment covers yet, and say how many there are."""

from pathlib import Path
from typing import Any

from qampaign import pool, store
from qampaign.files import write_csv, write_for_people
from qampaign.jobs import run, tell


def main(job: Any) -> None:
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    collection, config = job.wildcards.collection, job.params.config

    def read(table: str, *columns: str) -> Any:
        return store.read(database, table, collection, columns)

    questions = read("questions", "question", "text")
    responses = read("responses", "run", "question", "rank", "answer")
    assessments = read(
        "assessments", "question", "run", "rank", "answer", "verdict", "level", "class"
    )
    if config["task"] == "validation":
        found, coverage = pool.find_open_items(responses, assessments, questions)
    else:
        found, coverage = pool.find_open(responses, assessments, questions, nil=config["nil"])
    path = Path(job.output.coverage.replace("-coverage.csv", ".csv"))
    sheet = pool.sheet(found, questions, [config["seed"], collection, "pool"])
    if not write_for_people(sheet, path):
        tell(f"{path} has been filled in and is left alone: put it among the assessments")
    write_csv(coverage, Path(job.output.coverage))
    least = coverage.sort("share", "run").head(1)
    told = f"{found.height:,} to be judged in {path}; "
    told += f"{coverage['covered'].sum():,} of {coverage['answers'].sum():,} answers are covered"
    if found.height and least.height:
        told += f", least of run {least['run'].item()}: {least['share'].item():.0%}"
    tell(told)


if __name__ == "__main__":
    run(main)
