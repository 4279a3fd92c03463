"""What a person sees of a run: a line per step with its progress and time, and errors in words.

Snakemake finds this module by its name; `logger: qampaign` in a profile turns it on, and
`--verbose` gives Snakemake's own output back.
"""

import os
import re
import shutil
import sys
import time
from dataclasses import dataclass
from logging import WARNING, LogRecord
from textwrap import indent, shorten
from typing import Any

from qampaign.jobs import failure_path
from snakemake import exceptions
from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake.logging import ColorizingTextHandler, DefaultFormatter
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

RED, YELLOW = 31, 33
TARGET = "all"  # the rule that only collects: not a step
SNAKEFILES = ("Snakefile", ".smk")
# Of what Snakemake says on its way, all is noise but the second; before a run but the first.
NOISE = ("Building DAG", "Assuming unrestricted", "Config file ", "Updating checkpoint")
NEWS = ("Will exit after", "Terminating processes", "Trying to restart")
AFTERMATH = ("Exiting because a job", "WorkflowError:\nAt least one job did not complete")
KILLED = "It ended without a message: killed, perhaps for want of memory or time."
ORIGIN = re.compile(r'\w+(?: in (?:rule \S+ in )?file ".*?", line \d+)?:\n')
FRAMES = re.compile(r'^(?:Traceback:\n)?  File ".*(?:\n(?:    .*)?)*', re.MULTILINE)


@dataclass
class Step:
    text: str
    begun: float
    opens: bool = False  # a checkpoint: what follows it is not known before its end
    stale: int | None = None  # the age of a failure message that an earlier run left
    error: Any = None


class LogHandler(LogHandlerBase):
    writes_to_stream = True
    writes_to_file = False
    needs_rulegraph = False
    has_filter = True
    has_formatter = True

    def __post_init__(self) -> None:
        settings = self.common_settings
        self.stream = sys.stdout if settings.stdout else sys.stderr
        self.redraws = self.stream.isatty() and os.environ.get("TERM") != "dumb"
        self.colours = self.redraws and not settings.nocolor and "NO_COLOR" not in os.environ
        self.quiet = not {Quietness.PROGRESS, Quietness.ALL}.isdisjoint(settings.quiet or ())
        self.plain: ColorizingTextHandler | None = None
        if settings.verbose or settings.debug_dag:
            self.plain = ColorizingTextHandler(settings.nocolor, self.stream)
            self.has_filter = self.has_formatter = False  # Snakemake then adds its own
        self.started = 0.0
        self.steps: dict[int, Step] = {}  # by Snakemake's number of the job
        self.running: dict[int, Step] = {}
        self.ended: list[Step] = []
        self.done = self.targets = 0
        self.total: int | None = None  # of steps, None while a checkpoint may change it
        self.whole = True

    def emit(self, record: LogRecord) -> None:
        try:
            if self.plain:
                self.plain.setFormatter(self.formatter)
                self.plain.emit(record)
            else:
                self.show(record)
                self.draw()
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Say how it ended; Snakemake calls this last."""
        if self.done and self.whole:
            took = duration(time.time() - self.started)
            self.say(f"Done: {self.done} step{'s' * (self.done > 1)} in {took}.")
        self.done = 0
        super().close()

    def show(self, record: Any) -> None:
        match getattr(record, "event", None):
            case LogEvent.WORKFLOW_STARTED:
                self.started = record.created
            case LogEvent.RUN_INFO:
                self.targets = record.stats.get(TARGET, 0)
                self.total = record.stats["total"] - self.targets
            case LogEvent.JOB_INFO if record.rule_name != TARGET:
                self.begin(record)
            case LogEvent.JOB_FINISHED if record.job_id in self.running:
                self.ended.append(self.running.pop(record.job_id))
            case LogEvent.PROGRESS:
                self.count(record)
            case LogEvent.JOB_ERROR:
                self.fail(record)
            case LogEvent.ERROR:
                self.explain(record)
            case LogEvent.GROUP_ERROR:
                self.say(DefaultFormatter().format(record), RED)
            case None:
                self.remark(record)

    def begin(self, job: Any) -> None:
        text = describe(job)
        self.running[job.jobid] = self.steps[job.jobid] = Step(
            text, job.created, job.is_checkpoint, age_of_message(job.log)
        )
        if job.is_checkpoint:
            self.total = None
        if self.common_settings.dryrun:
            self.step(f"{text}\n    {shorten(job.reason, 200, placeholder=' ...')}")

    def count(self, progress: Any) -> None:
        for step in self.ended:
            self.done += 1
            if not step.opens:
                self.total = progress.total - self.targets
            self.step(f"{self.position()} {step.text} ({duration(progress.created - step.begun)})")
        self.ended.clear()

    def fail(self, job: Any) -> None:
        self.running.pop(job.jobid, None)
        step = self.steps.setdefault(job.jobid, Step(job.rule_name, job.created))
        step.error = job
        self.step(f"[failed] {step.text} ({duration(job.created - step.begun)})", RED)

    def explain(self, record: Any) -> None:
        """Pass on an exception of Snakemake, in words and without frames."""
        message = record.getMessage()
        self.whole = False
        if message.startswith(AFTERMATH):
            for step in self.steps.values():
                if step.error:
                    self.say(f"\n{step.text} failed:\n{indent(reason(step), '  ')}", RED)
        elif "CalledProcessError" not in message:  # of a job, which reports its own error
            parts = [part for part in FRAMES.split(message) if part.strip()]
            message = parts[-1].strip()
            if hasattr(exceptions, record.exception) or record.exception == "Refused":
                message = ORIGIN.sub("", message + "\n", count=1).strip()
            self.say(message, RED)

    def remark(self, record: LogRecord) -> None:
        message = record.getMessage()
        if message.startswith(AFTERMATH):
            self.whole = False
        elif record.levelno >= WARNING:
            self.say(message, RED if record.levelno > WARNING else YELLOW)
        elif message == NOTHING_TO_BE_DONE_MSG:
            self.step("Nothing to do: everything is up to date.")
        elif message.startswith("This was a dry-run"):
            self.step(f"{self.total or len(self.steps)} steps would run.")
        elif message.startswith("The run involves checkpoint"):
            self.step("Of those that follow a checkpoint, only the ones that it gives cause to.")
        elif (
            record.pathname.endswith(SNAKEFILES)
            or message.startswith(NEWS)
            or not (self.started or message.startswith(NOISE))
        ):
            self.say(message)

    def step(self, text: str, colour: int = 0) -> None:
        if not self.quiet:
            self.say(text, colour)

    def say(self, text: str, colour: int = 0) -> None:
        if colour and self.colours:
            text = f"\x1b[{colour}m{text}\x1b[0m"
        self.stream.write(f"{self.blank()}{text}\n")
        self.stream.flush()

    def draw(self) -> None:
        """Show what is running, on a line that the next one overwrites."""
        if self.redraws and self.running and not (self.quiet or self.common_settings.dryrun):
            now = f"{self.position()} " + "; ".join(step.text for step in self.running.values())
            self.stream.write(self.blank() + now[: shutil.get_terminal_size().columns - 1])
            self.stream.flush()

    def blank(self) -> str:
        return "\r\x1b[K" if self.redraws else ""

    def position(self) -> str:
        total = "?" if self.total is None else str(self.total)
        return f"[{self.done:>{len(total)}}/{total}]".ljust(7)


def describe(job: Any) -> str:
    """What is computed: the rule's message, else its name and wildcards."""
    if job.rule_msg:
        return " ".join(job.rule_msg.split())
    values = ", ".join(f"{name} {value}" for name, value in job.wildcards.items())
    return f"{job.rule_name:<12} {values}".strip()


def reason(step: Step) -> str:
    """Why a step failed: its own words if it left some, and where to look further."""
    logs = step.error.log
    text = f"{KILLED}\n{step.error.rule_msg or ''}".strip()
    if age_of_message(logs) != step.stale:
        text = failure_path(logs[0]).read_text(encoding="utf-8", errors="replace").strip()
    return "\n".join([text, *(f"Log: {log}" for log in logs if log not in text)])


def age_of_message(logs: list[str]) -> int | None:
    try:
        return failure_path(logs[0]).stat().st_mtime_ns
    except (IndexError, OSError):
        return None


def duration(seconds: float) -> str:
    """
    >>> duration(0.44), duration(75), duration(3700)
    ('0.4 s', '1 min 15 s', '1 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
