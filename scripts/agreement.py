"""Compare the judgments of a judge with the reference, response by response."""

from pathlib import Path
from typing import Any

import polars as pl

from qampaign import agreement, failures, store
from qampaign.files import is_changed, write_for_people, write_parquet
from qampaign.jobs import run, tell
from qampaign.resampling import generator


def main(job: Any) -> None:
    config, collection, judge = job.params.config, job.wildcards.collection, job.wildcards.judge
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")

    def read(table: str, *columns: str) -> pl.DataFrame:
        return store.read(database, table, collection, columns)

    pairs = agreement.match(
        pl.read_parquet(job.input.judgments),
        pl.read_parquet(job.input.reference),
        pl.read_parquet(job.input.questions),
        correct=config["correct"],
        reference_correct=config["reference_correct"],
        without=config["derived"],
    )
    texts = read("responses", "run", "question", "rank", "answer")
    questions, keys = read("questions", "question", "text"), read("keys", "question", "key")
    shown = {"language": config["language"]}
    examples = failures.describe(agreement.disagreements(pairs), texts, questions, keys, **shown)
    rng = generator(config["seed"], collection, "failures")
    sample = failures.sample_failures(pairs, rng, size=config["sample"])
    sheet = Path(job.params.sheet)
    described = failures.describe(sample, texts, questions, keys, **shown)
    if write_for_people(failures.harmless(described), sheet):
        filled = described
    else:
        filled, settled = failures.still_open(failures.read_filled(sheet, texts), pairs)
        if settled:
            tell(f"{settled} rows of {sheet} are of no difference any more and do not count")
    told = agreement.agree(pairs, config["thresholds"])
    tables = {
        "agreement": told.select(pl.lit(config["reference"]).alias("reference"), pl.all()),
        "roc": agreement.curve(pairs),
        "recall_bins": agreement.bin_recalls(pairs),
        "thresholds": agreement.choose_thresholds(pairs, false_alarm_rate=config["false_alarms"]),
        "disagreements": examples.drop("cause"),
        "causes": failures.count_causes(filled.drop_nulls("cause")),
    }
    for name, table in tables.items():
        write_parquet(table, job.output[name])
    whole = told.row(0, named=True)
    if whole["agreement"] is not None:
        tell(f"{judge} agrees with {config['reference']} on {whole['agreement']:.1%} of responses")
    if is_changed(sheet):
        tell(f"causes of failure are those given in {sheet}")


if __name__ == "__main__":
    run(main)
