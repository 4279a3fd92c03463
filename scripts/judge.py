"""Turn the responses of a collection into the judgments of one judge."""

from pathlib import Path
from typing import Any

import polars as pl

from qampaign import store
from qampaign.files import write_parquet
from qampaign.jobs import run, tell
from qampaign.judging import derived
from qampaign.judging.judges import KINDS

RESPONSES = ("run", "question", "rank", "line", "answer", "confidence", "score", "answered")
QUESTIONS = ("question", "type", "nil", "known", "group", "language", "date")


def main(job: Any) -> None:
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")

    def read(table: str, columns: tuple[str, ...]) -> Any:
        return store.read(database, table, job.wildcards.collection, columns)

    config = job.params.config
    kind = KINDS[config["task"], config["kind"]]
    table = f"verdicts/{job.wildcards.judge}" if kind.table == "verdicts" else kind.table
    judged = kind.judge(
        derived.derive(read("responses", RESPONSES), config["derived"]),
        read(table, kind.columns),
        read("questions", QUESTIONS),
        name=f"Collection {job.wildcards.collection}, judge {job.wildcards.judge}",
        **config["options"],
    )
    open_ones = judged.judgments.filter(pl.col("verdict") == "unassessed").height
    if open_ones:
        total = f"{judged.judgments.height:,}"
        tell(f"{open_ones:,} of {total} responses have no verdict of {job.wildcards.judge}: wrong")
    write_parquet(judged.questions, job.output.questions)
    write_parquet(judged.known_answers, job.output.known)
    write_parquet(judged.judgments, job.output.judgments)


if __name__ == "__main__":
    run(main)
