"""The start of a run: one at a time, traces of a killed run cleared up, results judged by their records.

As a module of another workflow Qampaign leaves the start to that workflow, and its lock, and does one
thing: results of Qampaign's own rules are judged by their records there, too.
"""

import os
import sys
import time
from contextlib import suppress
from subprocess import CalledProcessError
from threading import Thread

from qampaign import run_token
from qampaign.running.code_digest import keep_parsed
from qampaign.running.job_records import CAUSES, Job, Records, digests, record_of
from qampaign.running.job_starter import ONE_THREAD, Starter
from qampaign.running.jobs import announce, failures, keep_to_processors
from qampaign.running.locking import Locked, hold
from snakemake.dag import DAG
from snakemake.scheduling.job_scheduler import JobScheduler
from snakemake.script import PythonScript
from snakemake_interface_logger_plugins.common import LogEvent


def on_workflow_started(record):
    """At the start of a run: hold the lock, clear up after a killed run, judge results by records.

    Snakemake tells its loggers that a run starts before it plans the run. No other hook is called then,
    and this one is not for a summary or a job on another machine. A dry run changes nothing.
    """
    if getattr(record, "event", None) == LogEvent.WORKFLOW_STARTED:
        if not workflow.output_settings.dryrun:
            try:
                hold(RESULTS / ".lock")
                run_token.claim()
            except Locked as locked:
                raise WorkflowError(str(locked)) from None
            except OSError as error:
                raise WorkflowError(f"{RESULTS} cannot be written: {error.strerror}") from None
            announce()
            clear_up()
            date_back()
            # With a limit, if only Snakemake's default of 100 a second, it looks for jobs to start once
            # more per second for each job that has ended: after some hundred it does nothing else.
            workflow.scheduling_settings.max_jobs_per_timespan = None
        judge_by_records()
    return True


def judge_by_records():
    """From now on, force what is not current whenever Snakemake decides which jobs have to run.

    It decides when it has planned the run, and again when ingest has ended.
    """
    decide = DAG.update_needrun

    async def decide_by_records(dag, *arguments, **options):
        if dag.workflow is workflow:
            force_stale(dag)
        await decide(dag, *arguments, **options)

    DAG.update_needrun = decide_by_records


def force_stale(dag):
    """Force the jobs of our rules whose results are not as their records say."""
    records = Records(RESULTS, verify=CAMPAIGN.verify)
    for job in dag.jobs:
        is_ours = job.rule.module_globals is globals() and job.rule.script
        if is_ours and not dag.finished(job) and not waits_for_ingest(job):
            cause = records.why_stale(as_recorded(job))
            if cause:
                dag.forcefiles.update(job.output)
                CAUSES[job.log[0]] = cause
    if not workflow.output_settings.dryrun:
        records.renew_states()
        keep_parsed()


def waits_for_ingest(job):
    """Whether it is not known yet what a job reads."""
    return any(file.flags.get("checkpoint_target") for file in job.input)


def as_recorded(job):
    """What a job would be made from now, as its record has it."""
    collection = getattr(job.wildcards, "collection", None)
    files = [*job.input, *undeclared_files(Path(job.rule.script).name, collection)]
    return Job(
        record=record_of(job.log[0]),
        settings=digests(dict(job.params.items())),
        inputs=[str(file) for file in files],
        outputs=[str(file) for file in job.output],
    )


@cache
def undeclared_files(script, collection):
    """The files that a script reads for a collection, if for one, and Snakemake need not know of."""
    if script == "ingest.py":
        return [CAMPAIGN.folder / file for _, file in raw_files()]
    return published_figures(collection) if script == "tabulate.py" else []


def fork_jobs():
    """From now on, run our scripts on this machine as forks of a process that imports libraries once.

    Jobs with several threads or an environment of their own get a process of their own, too.
    """
    execute = PythonScript.execute_script
    starter = Starter()

    def execute_or_fork(script, fname, edit=False):
        path = Path(script.path.get_path_or_uri(secret_free=True)).resolve()
        elsewhere = script.container_img or script.conda_env or script.env_modules
        if edit or elsewhere or script.threads > 1 or path.parent != HOME.resolve() / "scripts":
            return execute(script, fname, edit)
        folder = script.resources.get("tmpdir")
        folders = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), folder) if folder else {}
        code = starter.run(fname, str(path), os.environ | ONE_THREAD | folders)
        if code:
            raise CalledProcessError(code, fname)

    PythonScript.execute_script = execute_or_fork


def hear_signals():
    """From now on, a signal to end is noted by a thread of its own.

    Snakemake notes it under a lock. Where the code that the signal interrupts has that lock, as while
    it decides what ingest leads to, it would wait for itself forever.
    """
    note = JobScheduler.exit_gracefully

    def note_in_a_thread(scheduler, *arguments):
        Thread(target=note, args=(scheduler, *arguments)).start()

    JobScheduler.exit_gracefully = note_in_a_thread


def require_current_run(record):
    """In a job of a cluster, before each of its steps: end if another run has begun since.

    Snakemake announces a step and then deletes the files that it is to make.
    """
    if getattr(record, "event", None) == LogEvent.JOB_INFO:
        run_token.require()
    return True


def tell_failures():
    """Say why steps have failed, where the terminal is Snakemake's own: it shows their commands alone."""
    settings = workflow.output_settings
    if settings.verbose or "qampaign" not in settings.log_handler_settings:
        for message in failures():
            logger.error(message)


def date_back():
    """Give files of the future the time of now: Snakemake refuses jobs that write older ones."""
    now = time.time_ns()
    for path in RESULTS.rglob("*"):
        with suppress(OSError):
            if path.stat().st_mtime_ns > now:
                os.utime(path, ns=(now, now))


def clear_up():
    """Delete the files that killed jobs were about to rename."""
    for path in RESULTS.rglob(".*.part*"):
        path.unlink(missing_ok=True)


if IS_MODULE:
    if workflow.modifier.modify_path(f"{RESULTS}/ingest.json") != f"{RESULTS}/ingest.json":
        raise WorkflowError("Qampaign writes to results/<campaign>: use the module without prefix.")
    if workflow.is_main_process:
        judge_by_records()
elif workflow.is_main_process:
    run_token.prepare(RESULTS / ".run")
    logger.addFilter(on_workflow_started)
    hear_signals()
    if sys.platform == "linux":
        fork_jobs()
elif workflow.remote_exec:  # a job on a cluster
    run_token.require()
    logger.addFilter(require_current_run)
    announce()
    keep_to_processors()

if not IS_MODULE:

    envvars:
        run_token.VARIABLE,
