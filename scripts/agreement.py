"""Compare the judgments of a judge with the reference, response by response."""

from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from qampaign.agreement import agreement, failures
from qampaign.files import is_changed, write_parquet
from qampaign.input import store
from qampaign.judging.declaration import COLUMNS
from qampaign.judging.judges import JUDGES, QUESTIONS
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import run, tell
from qampaign.studies.resampling import generator


def main(job: Any) -> Undeclared:
    config, collection, sheet = job.params.config, job.wildcards.collection, Path(job.params.sheet)
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    read = partial(store.read, database, collection)
    pairs = agreement.match(
        pl.read_parquet(job.input.judgments),
        pl.read_parquet(job.input.reference),
        pl.read_parquet(job.input.questions),
        correct=config["correct"],
        reference_correct=config["reference_correct"],
        without=config["derived"],
    )
    keys = read("keys", COLUMNS["keys"])
    matched_words = JUDGES[config["judge"]["kind"]].matcher(
        keys=keys,
        questions=read("questions", QUESTIONS),
        name=f"Collection {collection}, judge {job.wildcards.judge}",
        **config["judge"]["arguments"],
    )
    responses = read("responses", ("run", "question", "rank", "answer"))
    describe = partial(
        failures.describe,
        responses=responses,
        questions=read("questions", ("question", "text")),
        keys=keys,
        matched_words=matched_words,
    )
    rng = generator(config["seed"], collection, "failures")
    sample = describe(failures.sample_failures(pairs, rng, size=config["sample"]))
    filled, settled = failures.hand_out(sample, sheet, responses, pairs)
    agreed = agreement.agree(pairs, config["thresholds"])
    tables = {
        "agreement": agreed.select(pl.lit(config["reference"]).alias("reference"), pl.all()),
        "roc": agreement.curve(pairs),
        "recall_bins": agreement.bin_recalls(pairs),
        "thresholds": agreement.choose_thresholds(pairs, false_alarm_rate=config["false_alarms"]),
        "disagreements": describe(agreement.disagreements(pairs)).drop("cause"),
        "causes": failures.count_causes(filled),
    }
    for name, table in tables.items():
        write_parquet(table, job.output[name])
    if settled:
        tell(f"rows of {sheet} that are of no difference any more and do not count: {settled}")
    if told := agreement.tell(agreed, job.wildcards.judge, config["reference"]):
        tell(told)
    if is_changed(sheet):
        tell(f"causes of failure are those given in {sheet}")
    return Undeclared(for_people=[sheet])


if __name__ == "__main__":
    run(main)
