"""Turn the responses of a collection into the judgments of one judge."""

from pathlib import Path
from typing import Any

from qampaign import store
from qampaign.files import write_parquet
from qampaign.jobs import run
from qampaign.judging import assessments


def main(job: Any) -> None:
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")

    def read(table: str, *columns: str) -> Any:
        return store.read(database, table, job.wildcards.collection, columns)

    judged = assessments.judge(
        read("responses", "run", "question", "rank", "answer", "confidence", "answered"),
        read("assessments", "question", "run", "rank", "answer", "assessor", *assessments.WORD),
        read("questions", "question", "type", "nil", "known"),
        name=f"Collection {job.wildcards.collection}, judge {job.wildcards.judge}",
        **job.params.config,
    )
    write_parquet(judged.questions, job.output.questions)
    write_parquet(judged.judgments, job.output.judgments)


if __name__ == "__main__":
    run(main)
