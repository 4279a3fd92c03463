"""Compute every measure of a collection for every run, from the judgments of one judge."""

from pathlib import Path

import polars as pl

from qampaign.agreement.run_curves import run_curves
from qampaign.agreement.suspects import find_suspects, list_suspects
from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.measures import curves, price, scoring
from qampaign.measures.cells import Cells
from qampaign.measures.question_weights import weigh, weights_of
from qampaign.measures.sample_variance import sample_variances
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> None:
    config = job.params.config
    measures = [scoring.configure(measure) for measure in config["measures"]]
    runs = {name: config["evidence"][name] for name in ("baselines", "derived")}
    cells = Cells.of(
        pl.scan_parquet(job.input.judgments).drop(scoring.unused(measures)).collect(),
        pl.read_parquet(job.input.questions),
        reference=pl.read_parquet(job.input.reference),
        known_answers=pl.scan_parquet(job.input.known),
        **{name: value for name, value in config["evidence"].items() if name not in runs},
    )
    evidence = scoring.evidence_of(cells, measures, **runs)
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    read = store.reader(database, job.wildcards.collection)
    weights = weights_of(evidence.questions, read("questions", ["question", "weight"]))
    weighted = weigh(evidence, weights)
    if_right = None
    if config["bounds"]:
        if_right = weigh(scoring.evidence_of(scoring.as_right(cells), measures, **runs), weights)
    scores = scoring.score(
        weighted, measures, rank_baselines=config["rank_baselines"], if_right=if_right
    )
    write_parquet(weighted.frame(), job.output.evidence)
    write_parquet(scores, job.output.scores)
    write_parquet(scoring.count(evidence), job.output.counts)
    questions = scoring.describe_questions(evidence, measures)
    ranked = evidence.runs.filter(evidence.ranked())["run"]
    suspects = list_suspects(
        find_suspects(questions, len(ranked)),
        pl.scan_parquet(job.input.judgments),
        ranked,
    )
    if weights is not None:
        questions = questions.with_columns(weight=pl.Series(weights))
    write_parquet(questions, job.output.difficulty)
    write_parquet(suspects, job.output.suspects)
    write_parquet(evidence.runs, job.output.runs)
    write_parquet(sample_variances(cells, measures), job.output.samples)
    write_parquet(run_curves(evidence), job.output.curves)
    write_parquet(curves.reliability(evidence, cells.scales()), job.output.reliability)
    write_parquet(curves.accuracy_by_bar(evidence), job.output.coverage)
    write_parquet(price.price(weighted), job.output.price)
    write_parquet(price.leaders(weighted), job.output.price_leaders)
    write_parquet(curves.first_right(evidence), job.output.first_right)


if __name__ == "__main__":
    run(main)
