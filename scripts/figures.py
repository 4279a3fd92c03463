"""Draw the charts of one collection as files for papers."""

import json
from pathlib import Path

from qampaign.report.drawing import draw_all
from qampaign.running.jobs import RunningJob, run


def main(job: RunningJob) -> None:
    specs = json.loads(Path(job.input.specs).read_text(encoding="utf-8"))
    *sections, (_, paper) = job.output.items()
    draw_all(specs, {section: Path(folder) for section, folder in sections}, Path(paper))


if __name__ == "__main__":
    run(main)
