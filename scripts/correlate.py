"""Compare the rankings of a collection: by its measures, by its judges, by its assessors."""

from pathlib import Path
from typing import Any

import polars as pl

from qampaign import assessors, correlation, store
from qampaign.comparison import compare
from qampaign.evidence import Evidence
from qampaign.files import write_parquet
from qampaign.jobs import run
from qampaign.judging.judges import KINDS
from qampaign.resampling import draw_bootstrap, generator, key
from qampaign.scoring import Configured, collect_evidence

RESPONSES = ("run", "question", "rank", "line", "answer", "confidence", "score", "answered")
QUESTIONS = ("question", "type", "nil", "known", "group")


def main(job: Any) -> None:
    config, collection = job.params.config, job.wildcards.collection
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")

    def read(table: str, columns: tuple[str, ...]) -> pl.DataFrame:
        return store.read(database, table, collection, columns)

    evidence = {
        judge: Evidence.of(*map(pl.read_parquet, files))
        for judge, *files in zip(
            config["judges"], job.input.evidence, job.input.runs, job.input.questions, strict=True
        )
    }
    counting, reference = config["score"], config["reference"]
    measures = [Configured(**each) for each in counting["measures"]]
    ranked = {"reference": reference, "rank_baselines": counting["rank_baselines"]}
    about = (config["seed"], collection, "correlation")
    questions = evidence[reference].questions
    weights = draw_bootstrap(questions.height, config["resamples"], key(*about))
    comparisons = compare(evidence, measures, weights, **ranked)

    kind = KINDS[config["task"], "assessments"]
    labels, correct = read("assessments", kind.columns), counting["evidence"]["correct"]
    people = labels["assessor"].drop_nulls().unique().sort().to_list()
    by_person = {}
    for person in people if len(people) > 1 else ():
        how = {"assessor": person, "correct": correct, "unassessed": "wrong", "nil": config["nil"]}
        own = labels, read("questions", QUESTIONS)
        judged = kind.judge(read("responses", RESPONSES), *own, name=person, **how)
        partly = judged.judgments.filter(pl.col("verdict") == "unassessed")["question"].unique()
        if len(partly):  # who has not seen all answers to a question is not drawn for it
            whole = own[1].filter(~pl.col("question").is_in(partly.cast(pl.String).implode()))
            judged = kind.judge(read("responses", RESPONSES), labels, whole, name=person, **how)
        by_person[person] = collect_evidence(
            judged.judgments,
            judged.questions,
            measures,
            reference=pl.read_parquet(job.input.reference),
            known_answers=pl.scan_parquet(job.input.known),
            **counting["evidence"],
        )
    single = correlation.correlate_single_assessors(
        evidence[reference],
        by_person,
        measures,
        generator(*about, "assessors"),
        draws=config["draws"],
        **ranked,
    )
    counted = {"correct": correct, "validation": config["task"] == "validation"}
    tables = {
        "correlation": pl.concat([correlation.correlate(comparisons), single]),
        "misordered": correlation.find_misordered(comparisons),
        "assessors": assessors.compare(labels, questions, **counted),
        "disputed": assessors.most_disagreed(labels, **counted),
    }
    for name, table in tables.items():
        write_parquet(table, job.output[name])


if __name__ == "__main__":
    run(main)
