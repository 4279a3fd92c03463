# Qampaign: raw runs and assessments -> judgments -> scores -> tables and a report.
# The story in its order; what the stages share is in common.smk, what computes in workflow/qampaign.

import sys
from pathlib import Path

from qampaign.config.config_files import find_faults
from snakemake.utils import min_version

min_version("9.27")

CONFIG_FILES = [Path(each) for each in workflow.overwrite_configfiles]
CONFIG_FILES = CONFIG_FILES or [Path(workflow.basedir, "config.yaml")]

if workflow.is_main_process and (faults := [*find_faults(CONFIG_FILES)]):
    sys.exit("\n".join(faults))

if not workflow.overwrite_configfiles:  # a user's --configfile stands for itself

    configfile: f"{workflow.basedir}/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/start.smk"
include: "workflow/rules/parameters.smk"
include: "workflow/rules/resources.smk"
include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/agreement.smk"
include: "workflow/rules/reliability.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/pool.smk"


rule all:
    default_target: True
    input:
        final_files(),


onsuccess:
    clear_up()
    if "pool" not in workflow.dag_settings.targets and (RESULTS / "report/index.html").exists():
        logger.info(f"Report: {RESULTS}/report/index.html")
