"""Compare the rankings of a collection: by its measures, by its judges, by its assessors."""

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from qampaign.agreement import assessors, correlation
from qampaign.agreement.paired_scores import compare, compare_others
from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.judging.declaration import COLUMNS
from qampaign.judging.judges import QUESTIONS, response_columns
from qampaign.judging.single_assessor import assessors_of, describe_crowd, judge_alone
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, collect_evidence
from qampaign.running.jobs import run, tell
from qampaign.studies.resampling import bootstrap_key, draw_bootstrap, generator


def main(job: Any) -> None:
    config, collection = job.params.config, job.wildcards.collection
    counting, reference = config["score"], config["reference"]
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    read = partial(store.read, database, collection)
    evidence = {
        judge: Evidence.of(*map(pl.read_parquet, files))
        for judge, *files in zip(
            config["judges"], job.input.evidence, job.input.runs, job.input.questions, strict=True
        )
    }
    measures = [Configured(**each) for each in counting["measures"]]
    ranked = {"reference": reference, "rank_baselines": counting["rank_baselines"]}
    about = (config["seed"], collection, "correlation")
    questions = evidence[reference].questions
    # The draws of the study of significance, so that what is sure here is so there.
    drawn = bootstrap_key(f"{config['seed']} {collection}")
    weights = draw_bootstrap(questions.height, config["resamples"], drawn)
    comparisons = compare(evidence, measures, weights, **ranked)
    others = compare_others(evidence, measures, weights, **ranked)

    labels, correct = read("assessments", COLUMNS["assessments"]), counting["evidence"]["correct"]
    people, by_person = assessors_of(labels), {}
    if message := describe_crowd(labels):
        tell(message)
    if len(people) > 1:
        given = (
            read("responses", response_columns(by_line=config["by_line"])),
            labels,
            read("questions", QUESTIONS),
        )
        for person in people:
            how = {"correct": correct, "nil": config["nil"], "task": config["task"]}
            judged = judge_alone(*given, assessor=person, **how)
            by_person[person] = collect_evidence(
                judged.judgments,
                judged.questions,
                measures,
                reference=pl.read_parquet(job.input.reference),
                known_answers=pl.scan_parquet(job.input.known),
                **counting["evidence"],
            )
    rng, draws = generator(*about, "assessors"), config["draws"]
    single = correlation.correlate_single_assessors(
        evidence[reference], by_person, measures, rng, draws=draws, **ranked
    )
    counted = {"correct": correct, "validation": config["task"] == "validation"}
    tables = {
        "correlation": pl.concat([correlation.correlate(comparisons, others), single]),
        "misordered": correlation.find_misordered(comparisons),
        "assessors": assessors.compare(labels, questions, **counted),
        "disputed": assessors.disputed(labels, **counted),
    }
    for name, table in tables.items():
        write_parquet(table, job.output[name])


if __name__ == "__main__":
    run(main)
