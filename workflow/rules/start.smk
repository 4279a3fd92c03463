"""The start of a run: one at a time, the traces of a killed one cleared up, what was lost made again."""

import os
import time
from contextlib import suppress

from qampaign import run_token
from qampaign.running.job_records import CAUSES, VERIFY, Job, Records, digests, record_of
from qampaign.running.jobs import announce, keep_to_processors
from qampaign.running.locking import Locked, hold
from snakemake.dag import DAG
from snakemake_interface_logger_plugins.common import LogEvent


def begin(record):
    """At the start of a run: hold the lock, clear up after a killed run, judge results by records.

    Snakemake tells its loggers that a run starts, before it plans it; nothing else happens then and
    only then, and not for a summary or a job on another machine. A dry run changes nothing.
    """
    if getattr(record, "event", None) == LogEvent.WORKFLOW_STARTED and workflow.is_main_process:
        if not workflow.output_settings.dryrun:
            try:
                hold(RESULTS / ".lock")
                run_token.claim()
            except Locked as locked:
                sys.exit(str(locked))
            except OSError as error:
                sys.exit(f"{RESULTS} cannot be written: {error.strerror}")
            announce()
            clear_up()
            date_back()
            # With a limit, if only Snakemake's own of 100 a second, it looks for jobs to start once
            # more per second for each job that has ended: after some hundred it does nothing else.
            workflow.scheduling_settings.max_jobs_per_timespan = None
        judge_by_records()
    return True


def judge_by_records():
    """From now on, force what is not current whenever Snakemake decides which jobs have to run.

    It decides when it has planned the run, and again when ingest has ended.
    """
    decide = DAG.update_needrun

    async def decide_by_records(dag, *given, **options):
        records = Records(RESULTS, verify=CAMPAIGN.verify)
        for job in dag.jobs:
            if job.rule.script and not dag.finished(job) and not waits_for_ingest(job):
                cause = records.why_stale(as_recorded(job))
                if cause:
                    dag.forcefiles.update(job.output)
                    CAUSES[job.output[0]] = cause
        if not workflow.output_settings.dryrun:
            records.renew_states()
        await decide(dag, *given, **options)

    DAG.update_needrun = decide_by_records


def waits_for_ingest(job):
    """Whether it is not known yet what a job reads."""
    return any(file.flags.get("checkpoint_target") for file in job.input)


def as_recorded(job):
    """What a job would be made from now, as its record has it.

    Snakemake does not know that jobs read raw files: it would go by their times.
    """
    undeclared = []
    if job.rule.name == "ingest":
        undeclared = [file for _, file in raw_files()]
    elif job.rule.name == "publish":
        undeclared = [file for files in published_figures().values() for file in files]
    return Job(
        record=record_of(job.log[0]),
        settings=digests(dict(job.params.items())),
        inputs=[str(file) for file in [*job.input, *undeclared]],
        outputs=[str(file) for file in job.output],
    )


logger.addFilter(begin)


def go_on(record):
    """In a job of a cluster, before each of its steps: end if another run has begun since.

    Snakemake announces a step and then deletes the files that it is to make.
    """
    if workflow.remote_exec and getattr(record, "event", None) == LogEvent.JOB_INFO:
        run_token.require()
    return True


logger.addFilter(go_on)


def date_back():
    """Give files of the future the time of now: Snakemake refuses jobs that write older ones."""
    now = time.time_ns()
    for path in RESULTS.rglob("*"):
        with suppress(OSError):
            if path.stat().st_mtime_ns > now:
                os.utime(path, ns=(now, now))


def clear_up():
    """Delete the files that killed jobs were about to rename."""
    for left in RESULTS.rglob(".*.part*"):
        left.unlink(missing_ok=True)


if workflow.is_main_process:
    run_token.prepare(RESULTS / ".run")
    os.environ[VERIFY] = str(CAMPAIGN.verify)
elif workflow.remote_exec:  # a job on a cluster
    os.environ.setdefault(VERIFY, "False")
    run_token.require()
    announce()
    keep_to_processors()


envvars:
    run_token.VARIABLE,
    VERIFY,
