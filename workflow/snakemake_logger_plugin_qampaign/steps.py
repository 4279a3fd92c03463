"""A step of a run, and what its log and the message beside it say about its end."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qampaign.running.jobs import COMPUTED, NO_MEMORY, NOTE, OUT_OF_MEMORY, failure_path

KILLED = "It ended without a message: killed, perhaps for want of memory or time."
FULL = "The disk is full: there was no room left to write results, nor to say so."
ROOM = 2**20  # bytes, with fewer of which free a disk counts as full
TAIL = 50_000  # bytes at the end of a log that may say why a process ended


@dataclass
class Step:
    rule: str
    text: str
    begun: float
    opens: bool = False  # a checkpoint: what follows it is not known before its end
    cause: str = ""
    log: str = ""
    stale: int | None = None  # when an earlier run left a failure message, if one did
    error: Any = None


def describe(job: Any) -> str:
    """What is computed: the rule's message, else its name and wildcards."""
    if job.rule_msg:
        return " ".join(job.rule_msg.split())
    values = ", ".join(f"{name} {value}" for name, value in job.wildcards.items())
    return f"{job.rule_name:<12} {values}".strip()


def reason(step: Step) -> str:
    """Why a step failed: its own message if it left one, and where to look further."""
    logs = step.error.log
    cause = FULL if is_full(logs) else f"{NO_MEMORY}." if ran_out_of_memory(step) else KILLED
    text = f"{cause}\n{step.error.rule_msg or ''}".strip()
    if has_message(step):
        message = failure_path(logs[0]).read_text(encoding="utf-8", errors="replace").strip()
        text = message or text  # empty where there was no room to write it
    hints = [f"Log: {log}" for log in logs if log not in text and Path(log).exists()]
    return "\n".join([text, *hints])


def has_message(step: Step) -> bool:
    """Whether a step has left a message on why it failed."""
    return time_of_message([step.log]) not in (None, step.stale)


def was_cut_short(step: Step) -> bool:
    """Whether a step has begun and did not come to its end."""
    try:
        text = Path(step.log).read_text(encoding="utf-8", errors="replace")
        return Path(step.log).stat().st_mtime >= step.begun and f"\n{COMPUTED} " not in f"\n{text}"
    except OSError:
        return False


def ran_out_of_memory(step: Step) -> bool:
    """Whether the last that a library left in the log is that it found no memory."""
    try:
        with open(step.log, "rb") as log:
            log.seek(-min(TAIL, Path(step.log).stat().st_size), os.SEEK_END)
            text = log.read().decode("utf-8", "replace")
        return Path(step.log).stat().st_mtime >= step.begun and any(
            sign in text for sign in OUT_OF_MEMORY
        )
    except OSError:
        return False


def notes(log: str) -> list[str]:
    """What a job wants people to see."""
    try:
        lines = Path(log).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [line.removeprefix(NOTE) for line in lines if line.startswith(NOTE)]


def is_full(logs: list[str]) -> bool:
    """Whether the disk is full that a step writes to."""
    try:
        return shutil.disk_usage(Path(logs[0]).parent).free < ROOM
    except (IndexError, OSError):
        return False


def time_of_message(logs: list[str]) -> int | None:
    try:
        return failure_path(logs[0]).stat().st_mtime_ns
    except (IndexError, OSError):
        return None
