"""Draw what the report shows of one collection, and write its tables and methods for papers."""

import json
from pathlib import Path

from qampaign.files import write_text
from qampaign.publishing import collection_tables
from qampaign.report import leaderboards
from qampaign.report.figures import specs
from qampaign.report.page import draw, show
from qampaign.report.paper import bundle
from qampaign.running.job_records import Undeclared, look_at
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> Undeclared:
    config, folder = job.params.config, Path(job.input.tables).with_suffix("")
    (shown,) = show(collection_tables.read(folder, quotes=config["open"]))
    paper = bundle.describe(shown, config["methods"])
    write_text(job.output.part, json.dumps(draw(shown), ensure_ascii=False))
    write_text(job.output.figures, json.dumps(specs(shown), ensure_ascii=False))
    write_text(job.output.paper, json.dumps(paper, ensure_ascii=False))
    report = Path("results", job.wildcards.campaign, "report")
    written = leaderboards.write(shown.collection, report / "tables")
    written += bundle.write_collection(shown, paper, report / "paper")
    return Undeclared(written=look_at(written))


if __name__ == "__main__":
    run(main)
