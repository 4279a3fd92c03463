"""What a person sees of a run: tiny workflows under Snakemake itself, and the handler by itself."""

import io
import logging
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_qampaign import LogHandler
from tests.helpers.processes import RealRun
from tests.helpers.warm import Warm, WarmRun

# A checkpoint, and after it a step for each of the names: what a name does stands in the script.
SNAKEFILE = """
from snakemake.exceptions import WorkflowError

if config.get("broken"):
    raise WorkflowError("config.yaml, line 3: no such key\\nconfig.yaml, line 5: not a number")


def after_ingest(wildcards):
    checkpoints.ingest.get()
    return "out/ingest.txt"


rule all:
    input:
        expand("out/{name}.txt", name=config.get("names", "one,two").split(",")),


checkpoint ingest:
    output:
        "out/ingest.txt",
    log:
        "logs/ingest.log",
    message:
        "reading the files"
    script:
        "work.py"


rule work:
    input:
        after_ingest,
    output:
        "out/{name}.txt",
    log:
        "logs/{name}.log",
    script:
        "work.py"
"""

WORK = """
import os, resource, signal
from qampaign.running.jobs import run
from qampaign.problems import Refused

def main(job):
    print("at work")
    if "refused" in job.output[0]:
        raise Refused("runs.csv, line 3: 'Q' is no label\\nruns.csv, line 9: 'Z' is no label")
    if "odd" in job.output[0]:
        raise ValueError("a {very}\\nodd 100% value")
    if "large" in job.output[0]:
        resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))
        import polars
        polars.int_range(0, 2**31, eager=True)  # 16 GB: polars ends the process
    if "killed" in job.output[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    with open(job.output[0], "w") as file:
        file.write("done")

if __name__ == "__main__":
    if "early" in snakemake.output[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    run(main)
"""

# Runs jobs as Slurm does: each in a Snakemake of its own, on what might be another machine.
CLUSTER = """
import subprocess
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.settings import CommonSettings

common_settings = CommonSettings(
    non_local_exec=True,
    implies_no_shared_fs=False,
    job_deploy_sources=False,
    auto_deploy_default_storage_provider=False,
    init_seconds_before_status_checks=0,
)

class Executor(RemoteExecutor):
    def run_job(self, job):
        script = self.get_jobscript(job)
        self.write_jobscript(job, script)
        process = subprocess.Popen(
            ["bash", script], stdout=open("cluster.log", "a"), stderr=subprocess.STDOUT
        )
        self.report_job_submission(SubmittedJobInfo(job, external_jobid=1, aux={"it": process}))

    async def check_active_jobs(self, active_jobs):
        for each in active_jobs:
            code = each.aux["it"].poll()
            if code is None:
                yield each
            elif code:
                self.report_job_error(each, msg="Status: OUT_OF_MEMORY.", aux_logs=["cluster.log"])
            else:
                self.report_job_success(each)

    def cancel_jobs(self, active_jobs):
        pass
"""

NOISE = (
    "Building DAG",
    "Select jobs",
    "Provided cores",
    "Complete log",
    "Traceback",
    "CalledProcessError",
    "RuleException",
    "WorkflowError",
    "Exiting because",
    "Elapsed time",
    "\x1b",
)


class Run:
    """A workflow in a folder of its own."""

    def __init__(self, folder: Path, warm: Warm | None) -> None:
        self.folder = folder
        self.warm = warm
        """Starts runs, unless that is to be left to the real command."""
        self.options: list[str] = []
        (folder / "Snakefile").write_text(SNAKEFILE)
        (folder / "work.py").write_text(WORK)

    def __call__(self, *options: str, code: int = 0) -> str:
        """Run it; the lines that it shows, without the times."""
        words = ["--logger", "qampaign", "--nolock", "--cores", "2", "--scheduler", "greedy"]
        words += [*self.options, *options]
        about: dict[str, Any] = {"cwd": self.folder, "gate": self.folder}
        about["environment"] = os.environ | {"PYTHONPATH": str(self.folder)}
        if self.warm is None:
            started = RealRun([sys.executable, "-m", "snakemake", *words], **about)
        else:
            started = WarmRun(self.warm, words, **about)
        assert started.wait() == code, started.shown
        return started.shown


@pytest.fixture
def run(tmp_path: Path, warm: Warm | None) -> Run:
    return Run(tmp_path, warm)


def without_times(shown: str) -> list[str]:
    return [line.rsplit(" (", 1)[0].rsplit(" in ", 1)[0] for line in shown.splitlines()]


@pytest.mark.exhaustive
def test_a_run_shows_its_steps_and_then_has_nothing_to_do(run: Run) -> None:
    planned = run("--dry-run").splitlines()
    assert planned[:2] == ["reading the files", "    Missing output files: out/ingest.txt"]
    assert "work         name two" in planned
    assert planned[-2:] == [
        "3 steps would run.",
        "What follows ingest depends on what it finds: fewer, or others.",
    ]

    shown = run()
    assert not [noise for noise in NOISE if noise in shown]
    first, *steps, end = without_times(shown)
    assert first == "[1/?]   reading the files"
    assert {step[8:] for step in steps} == {"work         name one", "work         name two"}
    assert [step[:7] for step in steps] == ["[2/3]  ", "[3/3]  "]
    assert end == "Done: 3 steps"

    assert run() == "Nothing to do: everything is up to date.\n"


def test_failures_are_told_at_the_end_in_their_own_words(run: Run) -> None:
    (run.folder / "logs").mkdir()
    for name in ("killed", "early"):  # what an earlier run said is not what this one has to say
        (run.folder / f"logs/{name}.log.failed").write_text("stale")
    shown = run("--keep-going", "--config", "names=one,refused,odd,killed,early", code=1)
    assert not [noise for noise in NOISE if noise in shown]
    steps, *failures = shown.strip().split("\n\n")
    assert "[2/6]   work         name one (" in steps
    assert steps.count("[failed]") == 4
    assert sorted(failures) == [
        "Failed: work         name early\n"
        "  It ended without a message: killed, perhaps for want of memory or time.\n"
        "  Log: logs/early.log",
        "Failed: work         name killed\n"
        "  It ended without a message: killed, perhaps for want of memory or time.\n"
        "  Log: logs/killed.log",
        "Failed: work         name odd\n"
        "  ValueError: a {very} odd 100% value; details in logs/odd.log",
        "Failed: work         name refused\n"
        "  runs.csv, line 3: 'Q' is no label\n"
        "  runs.csv, line 9: 'Z' is no label\n"
        "  Log: logs/refused.log",
    ]
    assert "Traceback" in (run.folder / "logs/odd.log").read_text()


@pytest.mark.exhaustive
def test_a_library_that_ends_the_process_for_want_of_memory_is_understood(run: Run) -> None:
    run.warm = None
    shown = run("--config", "names=large", code=1)
    assert "Failed: work         name large\n  There was not enough memory. Free some, " in shown


@pytest.mark.exhaustive
def test_refused_input_is_not_looked_at_again_when_a_job_is_retried(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three attempts, and the work is begun once."""
    monkeypatch.setenv("QAMPAIGN_RUN", "token .run")
    work = WORK.replace('print("at work")', 'open("begun", "a").write(job.output[0])')
    (run.folder / "work.py").write_text(work)
    shown = run("--retries", "2", "--config", "names=refused", code=1)
    assert shown.count("[again] work         name refused") == 2
    assert (run.folder / "begun").read_text() == "out/ingest.txtout/refused.txt"
    assert shown.count("runs.csv, line 3: 'Q' is no label") == 1


@pytest.fixture
def on_cluster(run: Run) -> Run:
    run.warm = None  # the warm process knows no executor but those that are installed
    (run.folder / "snakemake_executor_plugin_cluster").mkdir()
    (run.folder / "snakemake_executor_plugin_cluster/__init__.py").write_text(CLUSTER)
    run.options = ["--keep-going", "--executor", "cluster", "--jobs", "4"]
    run.options += ["--seconds-between-status-checks", "1"]
    return run


@pytest.mark.exhaustive
def test_failures_on_a_cluster_are_told_in_the_same_words(on_cluster: Run) -> None:
    shown = on_cluster("--config", "names=one,refused,killed", code=1)
    assert not [noise for noise in NOISE if noise in shown]
    assert "[2/4]   work         name one (" in shown
    assert "\n  runs.csv, line 9: 'Z' is no label\n  Log: logs/refused.log\n" in shown
    assert "killed, perhaps for want of memory or time.\n  Status: OUT_OF_MEMORY." in shown


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refused", "runs.csv, line 3: 'Q' is no label"),
        pytest.param("killed", "killed, perhaps", marks=pytest.mark.exhaustive),
    ],
)
def test_of_steps_that_were_sent_together_only_those_at_fault_are_told(
    on_cluster: Run, name: str, words: str
) -> None:
    together = ["--groups", "work=all", "--group-components", "all=3"]
    shown = on_cluster(*together, "--config", f"names=one,two,{name}", code=1)
    assert not [noise for noise in NOISE if noise in shown]
    assert shown.count("[failed]") == shown.count("Failed: ") == 1
    assert f"\nFailed: work         name {name}\n" in shown
    assert words in shown


def test_a_config_error_is_all_that_is_shown(run: Run) -> None:
    shown = run("--config", "broken=yes", code=1)
    assert shown == "config.yaml, line 3: no such key\nconfig.yaml, line 5: not a number\n"


def test_an_unknown_target_is_told_without_a_traceback(run: Run) -> None:
    shown = run("elsewhere/three", code=1)
    assert shown.startswith("No rule to produce elsewhere/three")
    assert len(shown.splitlines()) == 1


@pytest.mark.exhaustive
def test_verbose_gives_the_output_of_snakemake_back(run: Run) -> None:
    shown = run("--verbose", "--config", "names=one")
    assert "Building DAG of jobs..." in shown
    assert "2 of 3 steps (67%) done" in shown
    assert "[2/2]" not in shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Screen:
    """The handler at a terminal, fed with what Snakemake would send."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> None:
        self.text = Terminal()
        monkeypatch.setattr(sys, "stderr", self.text)
        monkeypatch.setenv("TERM", "xterm")
        usual = dict.fromkeys(("stdout", "nocolor", "verbose", "debug_dag", "dryrun"), False)
        common: Any = SimpleNamespace(**usual | {"quiet": set()} | settings)
        self.handler = LogHandler(common, None)

    def send(self, event: LogEvent | None, message: str = "", **fields: Any) -> str:
        """Send a message; what it adds to the screen."""
        before = len(self.text.getvalue())
        record = logging.makeLogRecord({"msg": message, "event": event, "created": 0.0, **fields})
        self.handler.handle(record)
        return self.text.getvalue()[before:].replace("\r\x1b[K", "<")

    def begin(self, number: int, name: str) -> str:
        about: dict[str, Any] = {
            "rule_name": "work",
            "rule_msg": name,
            "reason": "new",
            "output": [],
        }
        return self.send(LogEvent.JOB_INFO, jobid=number, log=[], is_checkpoint=False, **about)

    def finish(self, number: int) -> str:
        self.send(LogEvent.JOB_FINISHED, job_id=number)
        return self.send(LogEvent.PROGRESS, total=3)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Screen(monkeypatch)


def test_a_terminal_shows_what_is_running_on_one_line(screen: Screen) -> None:
    assert screen.send(LogEvent.RUN_INFO, stats={"work": 2, "all": 1, "total": 3}) == ""
    assert screen.begin(1, "one") == "<[0/2]   one"
    assert screen.begin(2, "two") == "<[0/2]   one; two"
    assert screen.send(LogEvent.SHELLCMD) == ""
    assert screen.finish(1) == "<[1/2]   one (0.0 s)\n<[1/2]   two"
    assert screen.finish(2) == "<[2/2]   two (0.0 s)\n"


@pytest.mark.parametrize("how", ["--nocolor", "NO_COLOR"])
def test_colour_can_be_turned_off(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    error = {"levelno": logging.ERROR, "levelname": "ERROR"}
    assert screen.send(None, "no space left", **error) == "<\x1b[31mno space left\x1b[0m\n"
    if how == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    plain = Screen(monkeypatch, nocolor=how == "--nocolor")
    assert plain.send(None, "no space left", **error) == "<no space left\n"
