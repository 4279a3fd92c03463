"""Draw what the report shows of one collection, and its leaderboard for papers."""

import json
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.publishing import collection_tables
from qampaign.report import leaderboards
from qampaign.report.figures import specs
from qampaign.report.page import draw, show
from qampaign.running.job_records import Undeclared
from qampaign.running.jobs import run


def main(job: Any) -> Undeclared:
    (shown,) = show(collection_tables.read(Path(job.input.tables).with_suffix("")))
    write_text(job.output.part, json.dumps(draw(shown), ensure_ascii=False))
    write_text(job.output.figures, json.dumps(specs(shown), ensure_ascii=False))
    folder = Path("results", job.wildcards.campaign, "report/tables")
    return Undeclared(written=leaderboards.write(shown.collection, folder))


if __name__ == "__main__":
    run(main)
