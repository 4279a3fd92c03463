"""The start of a run: one at a time, the traces of a killed one cleared up, what was lost made again."""

from qampaign import current
from qampaign.jobs import announce, keep_to_processors
from qampaign.locking import Locked, hold
from snakemake_interface_logger_plugins.common import LogEvent


def begin(record):
    """At the start of a real run: hold the lock, clear up after a killed run, void a lost load.

    Snakemake tells its loggers that a run starts, before it plans it; nothing else happens then and
    only then, and not for a dry run, a summary or a job on another machine.
    """
    starts = getattr(record, "event", None) == LogEvent.WORKFLOW_STARTED
    if starts and workflow.is_main_process and not workflow.output_settings.dryrun:
        try:
            hold(RESULTS / ".lock")
            current.claim()
        except Locked as locked:
            sys.exit(str(locked))
        except OSError as error:
            sys.exit(f"{RESULTS} cannot be written: {error.strerror}")
        announce()
        clear_up()
        # With a limit, if only Snakemake's own of 100 a second, it looks for jobs to start once more
        # per second for each job that has ended: after some hundred it does nothing else.
        workflow.scheduling_settings.max_jobs_per_timespan = None
        loaded = [
            RESULTS / "campaign.duckdb",
            RESULTS / "rows.json",
            RESULTS / "fingerprints" / "sources",
        ]
        loaded += [
            Path(file)
            for name, each in CAMPAIGN.collections.items()
            for file in paths(name, *each.files)
        ]
        if not all(each.exists() for each in loaded):
            (RESULTS / "ingest.json").unlink(missing_ok=True)
        if not (RESULTS / "results.duckdb").exists():
            (RESULTS / "published.json").unlink(missing_ok=True)
        for sheet, made in sheets().items():
            if not sheet.exists():
                Path(made).unlink(missing_ok=True)
    return True


logger.addFilter(begin)


def go_on(record):
    """In a job of a cluster, before each of its steps: end if another run has begun since.

    Snakemake announces a step and then deletes the files that it is to make.
    """
    if workflow.remote_exec and getattr(record, "event", None) == LogEvent.JOB_INFO:
        current.require()
    return True


logger.addFilter(go_on)


def clear_up():
    """Delete the files that killed jobs were about to rename."""
    for left in RESULTS.rglob(".*.part*"):
        left.unlink(missing_ok=True)


if workflow.is_main_process:
    current.prepare(RESULTS / ".run")
elif workflow.remote_exec:  # a job on a cluster
    current.require()
    announce()
    keep_to_processors()


envvars:
    current.VARIABLE,
