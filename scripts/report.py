"""Put the page of the report together from what was drawn of each collection."""

import json
from pathlib import Path

from qampaign.files import write_text
from qampaign.publishing.database import read_database
from qampaign.report import overall
from qampaign.report.leftovers import remove_leftovers
from qampaign.report.page import OF_CAMPAIGN, assemble
from qampaign.report.paper import bundle
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> Undeclared:
    database = Path(job.input.published).with_name("results.duckdb")
    parts, papers = (
        [json.loads(Path(path).read_text(encoding="utf-8")) for path in of_collections]
        for of_collections in (job.input.parts, job.input.papers)
    )
    tables = read_database(database, OF_CAMPAIGN)
    config = dict(job.params.config)
    described = config.pop("overall", None)
    over_all, pictures = None, []
    if described:
        over_all = overall.section(tables["overall"], described)
        pictures = overall.pictures(tables["overall"], described)
    page = assemble(parts, tables, title=config["title"], overall=over_all, pictures=pictures)
    write_text(job.output.page, page)
    report = Path(job.output.page).parent
    remove_leftovers(report, [part["id"] for part in parts])
    methods = overall.methods(tables["overall"], described) if described else []
    papers_written = bundle.write_campaign(papers, report / "paper", **config, overall=methods)
    return Undeclared(written=look_at(papers_written))


if __name__ == "__main__":
    run(main)
