"""Write the answers of a collection that no assessment covers yet, and say how many there are."""

from functools import partial
from pathlib import Path
from typing import Any

from qampaign.agreement import pool
from qampaign.files import write_csv, write_for_people
from qampaign.input import store
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import run, tell
from qampaign.spreadsheets import harmless

ASSESSMENTS = ("question", "run", "rank", "answer", "verdict", "level", "class")


def main(job: Any) -> Undeclared:
    config, collection = job.params.config, job.wildcards.collection
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    read = partial(store.read, database, collection)
    questions = read("questions", ("question", "text"))
    responses = read("responses", ("run", "question", "rank", "answer"))
    assessments = read("assessments", ASSESSMENTS)
    if config["task"] == "validation":
        found, coverage = pool.find_open_items(responses, assessments, questions)
    else:
        found, coverage = pool.find_open(responses, assessments, questions, nil=config["nil"])
    path = Path(job.output.coverage.replace("-coverage.csv", ".csv"))
    sheet = pool.sheet(found, questions, [config["seed"], collection, "pool"])
    written = write_for_people(harmless(sheet), path)
    write_csv(coverage, Path(job.output.coverage))
    tell(pool.tell(found, coverage, path, written=written))
    return Undeclared(for_people=[path])


if __name__ == "__main__":
    run(main)
