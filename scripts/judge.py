"""Turn the responses of a collection into the judgments of one judge."""

from functools import partial
from pathlib import Path

import polars as pl

from qampaign.files import write_parquet
from qampaign.input import store
from qampaign.judging import derived, refusals
from qampaign.judging.adjudication import Tied
from qampaign.judging.judges import JUDGES, question_columns, response_columns
from qampaign.judging.jury import votes
from qampaign.judging.learned import describe_lessons, weights_of
from qampaign.judging.scores import describe_unscored
from qampaign.judging.teaching import labels_of
from qampaign.judging.ties import refuse_level_jury, refuse_ties, remark_on_ties
from qampaign.judging.unassessed import describe_unassessed
from qampaign.running.jobs import RunningJob, run, tell


def main(job: RunningJob) -> None:
    config, collection, judge = job.params.config, job.wildcards.collection, job.wildcards.judge
    database = Path("results", job.wildcards.campaign, "campaign.duckdb")
    read = partial(store.read, database, collection)
    kind = JUDGES[config["kind"]]
    if config["jury"]:
        files = dict(zip(config["jury"], job.input.table, strict=True))
        table = votes({name: pl.read_parquet(file) for name, file in files.items()})
    else:
        table = read(config["table"], kind.columns)
    responses = read("responses", response_columns(by_line=config["by_line"]))
    questions = read("questions", question_columns(kind))
    arguments = {"name": f"Collection {collection}, judge {judge}", **config["arguments"]}
    if "seed" in config:
        arguments["seed"] = f"{config['seed']} {collection}"
    if job.input.teacher:
        judgments = pl.read_parquet(job.input.teacher[0])
        arguments["labels"] = labels_of(
            judgments, config["teacher_correct"], without=config["derived"]
        )
    responses = derived.derive(responses, config["derived"])
    try:
        judged = kind(responses, table, questions, **arguments)
    except Tied as tied:
        if config["jury"]:
            raise refuse_level_jury(tied) from None
        sheet = database.with_name("ties") / collection / f"{judge}.csv"
        added_to = "the assessments" if kind.by == "assessments" else f"files: of {judge}"
        question_texts = read("questions", ("question", "text"))
        raise refuse_ties(tied, responses, question_texts, sheet, added_to=added_to) from None
    judged = kind.with_matches(judged, table, questions, **arguments)
    has_verdicts = kind.gives_verdicts(config["arguments"])
    describe = describe_unassessed if has_verdicts else describe_unscored
    if message := describe(judged.judgments, judge):
        tell(message)
    if message := describe_lessons(judged, judge):
        tell(message)
    if config["arguments"].get("refusals"):
        tell(refusals.describe(judged.judgments, judge))
    remarks = remark_on_ties(judged, judge, config["arguments"].get("ties", ()))
    for row in remarks.iter_rows(named=True):
        tell(f"{row['remark']}: {row['count']:,}")
    write_parquet(remarks, job.output.remarks)
    write_parquet(weights_of(judged), job.output.judge_weights)
    write_parquet(judged.questions, job.output.questions)
    write_parquet(judged.known_answers, job.output.known)
    write_parquet(judged.judgments, job.output.judgments)


if __name__ == "__main__":
    run(main)
