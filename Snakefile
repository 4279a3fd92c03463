# Qampaign: raw runs and assessments -> judgments -> scores -> tables and a report.
# The stages in their order; what they share is in common.smk, what computes in workflow/qampaign.

from pathlib import Path

from qampaign.config.config_files import find_faults
from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.27")

HOME = Path(workflow.current_basedir.get_path_or_uri(secret_free=True))
IS_MODULE = not workflow.modifier.is_main_snakefile()  # of a workflow that gives the config itself
CONFIG_FILES = []

if not IS_MODULE:
    CONFIG_FILES = [*map(Path, workflow.overwrite_configfiles)] or [HOME / "config.yaml"]
    if workflow.is_main_process and (faults := [*find_faults(CONFIG_FILES)]):
        raise WorkflowError("\n".join(faults))

    if not workflow.overwrite_configfiles:  # a user's --configfile replaces the bundled one

        configfile: HOME / "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/parameters.smk"
include: "workflow/rules/resources.smk"
include: "workflow/rules/start.smk"


rule all:
    input:
        final_files(),


include: "workflow/rules/ingest.smk"
include: "workflow/rules/judge.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/agreement.smk"
include: "workflow/rules/studies.smk"
include: "workflow/rules/correct.smk"
include: "workflow/rules/overall.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/pool.smk"
include: "workflow/rules/gate.smk"


onsuccess:
    clear_up()
    if "pool" not in workflow.dag_settings.targets and (RESULTS / "report/index.html").exists():
        logger.info(f"Report: {RESULTS}/report/index.html")


onerror:
    tell_failures()
