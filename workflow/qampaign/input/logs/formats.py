"""Every format of logs: ours, and those of other installed packages.

To add one, write a decorated function (:mod:`qampaign.input.logs.declaration`) in a module of its
own and import it below.
"""

from qampaign.input.logs import (
    eee_records,
    helm_runs,
    inspect_logs,
    lm_eval_logs,
    ntcir_files,
    pan_files,
    promptfoo_outputs,
    simpleqa_files,
    squad_files,
    trec_files,
    wide_tables,
)
from qampaign.input.logs.declaration import LOG_FORMATS, LogFormat

__all__ = [
    "LOG_FORMATS",
    "LogFormat",
    "eee_records",
    "helm_runs",
    "inspect_logs",
    "lm_eval_logs",
    "ntcir_files",
    "pan_files",
    "promptfoo_outputs",
    "simpleqa_files",
    "squad_files",
    "trec_files",
    "wide_tables",
]
