"""What a person sees of a run: a line per step with progress and time, and errors in plain words.

Snakemake finds this package by its name; `logger: qampaign` in a profile turns it on, and
`--verbose` gives Snakemake's own output back.
"""
# mypy: disable-error-code="import-untyped"

import os
import re
import shutil
import sys
import time
from contextlib import suppress
from logging import WARNING, LogRecord
from textwrap import indent, shorten
from typing import Any

from snakemake import exceptions
from snakemake.common import NOTHING_TO_BE_DONE_MSG
from snakemake.logging import ColorizingTextHandler
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from qampaign.running.job_records import CAUSES
from snakemake_logger_plugin_qampaign import guard
from snakemake_logger_plugin_qampaign.steps import (
    Step,
    describe,
    has_message,
    notes,
    reason,
    time_of_message,
    was_cut_short,
)

RED, YELLOW = 31, 33
TARGETS = ("all", "campaign", "pool")  # rules that only collect: not steps
# How messages of Snakemake begin that no event stands for.
STOPS = {
    "Terminating processes": "Stopping, as asked.",
    "Will exit after": "Stopping as soon as the running steps are done.",
}
AFTERMATH = ("Exiting because a job", "WorkflowError:\nAt least one job did not complete")
STOPPED = "Stopped. The same command goes on from here."
ORIGIN = re.compile(r'\w+(?: in (?:rule \S+ in )?file ".*?", line \d+)?:\n')
FRAMES = re.compile(r'^(?:Traceback:\n)?  File ".*(?:\n(?:    .*)?)*', re.MULTILINE)


guard.watch()


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
        self.colours = self.redraws and not (settings.nocolor or os.environ.get("NO_COLOR"))
        self.quiet = not {Quietness.PROGRESS, Quietness.ALL}.isdisjoint(settings.quiet or ())
        self.plain: ColorizingTextHandler | None = None
        if settings.verbose or settings.debug_dag:
            self.plain = ColorizingTextHandler(settings.nocolor, self.stream)
            self.has_filter = self.has_formatter = False  # Snakemake then adds its own
        self.early: list[str] = []  # what Snakemake says where no run has started
        self.began = 0.0
        self.stats: dict[str, int] = {}  # jobs by rule, in the order of the flow
        self.steps: dict[int, Step] = {}  # by Snakemake's number of the job
        self.running: dict[int, Step] = {}
        self.ended: list[Step] = []
        self.spared: set[int] = set()  # steps of a failed group that are not at fault
        self.done = 0
        self.total: int | None = None  # None while a checkpoint may change it
        self.whole = True
        self.stopped = False
        self.closed = False
        self.drawn = ""

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
        """Say how it ended; Snakemake calls this last, sometimes twice."""
        if self.whole and not self.closed:
            for message in () if self.began else self.early:
                self.say(message)
            if self.common_settings.dryrun and self.steps:
                self.plan()
            elif self.done:
                self.step(f"Done: {counted(self.done)} in {duration(time.time() - self.began)}.")
        self.closed = True
        super().close()

    def show(self, record: Any) -> None:
        match getattr(record, "event", None):
            case LogEvent.WORKFLOW_STARTED:
                self.began = record.created
            case LogEvent.RUN_INFO:
                self.stats = record.stats
                self.total = self.steps_of(record.stats["total"])
            case LogEvent.JOB_INFO if record.rule_name not in TARGETS:
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
                self.spare(record)
            case None:
                self.remark(record)

    def begin(self, job: Any) -> None:
        cause = CAUSES.get(next(iter(job.log), ""), job.reason)
        step = Step(job.rule_name, describe(job), job.created, job.is_checkpoint, cause)
        step.stale = time_of_message(job.log)
        step.log = next(iter(job.log), "")
        before = self.steps.get(job.jobid)
        if before is not None and before.error is not None:
            self.step(f"[again] {step.text}")
        self.running[job.jobid] = self.steps[job.jobid] = step
        if step.opens:
            self.total = None

    def count(self, progress: Any) -> None:
        for step in self.ended:
            self.done += 1
            if not step.opens:
                self.total = self.steps_of(progress.total)
            self.step(f"{self.position()} {step.text} ({duration(progress.created - step.begun)})")
            for note in notes(step.log):
                self.step(f"{' ' * len(self.position())} {note}")
        self.ended.clear()

    def spare(self, group: Any) -> None:
        """Of a group of steps that has failed, show only those at fault."""
        numbers = [job["jobid"] for job in group.job_error_info if job["jobid"] in self.steps]
        steps = {number: self.steps[number] for number in numbers}
        guilty = {number for number, step in steps.items() if has_message(step)}
        guilty = guilty or {number for number, step in steps.items() if was_cut_short(step)}
        guilty = guilty or {min(steps, default=0)}
        self.spared = (self.spared | set(steps)) - guilty

    def fail(self, job: Any) -> None:
        self.running.pop(job.jobid, None)
        if not self.stopped and job.jobid not in self.spared:
            log = next(iter(job.log), "")
            unseen = Step(job.rule_name, job.rule_name, job.created, log=log)
            step = self.steps.setdefault(job.jobid, unseen)
            step.error = job
            self.step(f"[failed] {step.text} ({duration(job.created - step.begun)})", RED)

    def explain(self, record: Any) -> None:
        """Pass on an exception of Snakemake, in words and without frames."""
        self.whole = False
        message = record.getMessage()
        if message.startswith(AFTERMATH):
            for step in self.steps.values():
                if step.error:
                    self.say(f"\nFailed: {step.text}\n{indent(reason(step), '  ')}", RED)
            if self.stopped:
                self.say(STOPPED)
        elif "CalledProcessError" not in message:  # of a job, which reports its own error
            message = [text for text in FRAMES.split(message) if text.strip()][-1].strip()
            if is_meant_for_people(record.exception):
                message = ORIGIN.sub("", f"{message}\n", count=1).strip()
            self.say(message, RED)

    def remark(self, record: LogRecord) -> None:
        """Show what has no event: warnings, words of a Snakefile, and that a run was stopped."""
        message = record.getMessage()
        stop = next((text for start, text in STOPS.items() if message.startswith(start)), None)
        if message.startswith(AFTERMATH):
            self.whole = False
        elif record.levelno >= WARNING:
            self.say(message, RED if record.levelno > WARNING else YELLOW)
        elif message == NOTHING_TO_BE_DONE_MSG:
            self.step("Nothing to do: everything is up to date.")
        elif stop is not None:
            if not self.stopped:
                self.say(stop)
            self.stopped = True
        elif record.pathname.endswith(("Snakefile", ".smk")):
            self.say(message)
        elif not self.began:
            self.early.append(message)

    def plan(self) -> None:
        """Show the plan of a dry run: the steps in the order of the flow, each with its cause."""
        rules = list(self.stats)
        steps = sorted(self.steps.values(), key=lambda step: (rules.index(step.rule), step.text))
        for step in steps:
            self.say(f"{step.text}\n    {shorten(step.cause, 200, placeholder=' ...')}")
        self.say(f"{counted(len(steps))} would run.")
        for step in steps:
            if step.opens:
                self.say(f"What follows {step.rule} depends on what it finds: fewer, or others.")

    def step(self, text: str, colour: int = 0) -> None:
        if not self.quiet:
            self.say(text, colour)

    def say(self, text: str, colour: int = 0) -> None:
        if colour and self.colours:
            text = f"\x1b[{colour}m{text}\x1b[0m"
        self.write(f"{text}\n")

    def draw(self) -> None:
        """Show what is running, on a line that the next one overwrites."""
        if self.redraws and self.running and not (self.quiet or self.common_settings.dryrun):
            line = f"{self.position()} " + "; ".join(step.text for step in self.running.values())
            line = line[: shutil.get_terminal_size().columns - 1]
            if line != self.drawn:
                self.write(line)
                self.drawn = line

    def write(self, text: str) -> None:
        with suppress(BrokenPipeError):  # `| head` has seen enough
            self.stream.write("\r\x1b[K" * self.redraws + text)
            self.stream.flush()
        self.drawn = ""

    def position(self) -> str:
        total = "?" if self.total is None else str(self.total)
        return f"[{self.done:>{len(total)}}/{total}]".ljust(7)

    def steps_of(self, jobs: int) -> int:
        return jobs - sum(self.stats.get(target, 0) for target in TARGETS)


def is_meant_for_people(exception: str) -> bool:
    """Whether the message says it all; of others, such as KeyError, the line helps too."""
    kind = getattr(exceptions, exception, None)
    return exception == "Refused" or getattr(kind, "__module__", "").startswith("snakemake")


def counted(steps: int) -> str:
    return "1 step" if steps == 1 else f"{steps} steps"


def duration(seconds: float) -> str:
    """
    >>> duration(0.44), duration(75), duration(3700)
    ('0.4 s', '1 min 15 s', '1 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
