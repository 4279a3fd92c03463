"""Make one study of the scores of a collection by one judge."""

import polars as pl

from qampaign.files import write_parquet
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import configure
from qampaign.running.jobs import RunningJob, run
from qampaign.studies.study import Setting, study


def main(job: RunningJob) -> None:
    config = job.params.config
    setting = Setting(
        Evidence.of(
            *map(pl.read_parquet, (job.input.evidence, job.input.runs, job.input.questions))
        ),
        [configure(measure) for measure in config["measures"]],
        seed=f"{config['seed']} {job.wildcards.collection}",
        baselines=config["rank_baselines"],
        unit=config["unit"],
        **config["compared"],
        threads=job.threads,
    )
    for name, table in study(config["study"], setting, config["settings"]).items():
        write_parquet(table, job.output[name])


if __name__ == "__main__":
    run(main)
