"""Other processes: runs of a workflow, waiting for what they do, and whether one still runs."""

import os
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def wait_until(holds: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


class Run(ABC):
    """A run that was started, in a process group of its own."""

    pid: int

    def __init__(self, gate: Path) -> None:
        self.gate = gate
        """The folder where a process that waits reports, and looks for leave to go on."""
        self.output = tempfile.TemporaryFile()  # noqa: SIM115  read as long as this is there

    @abstractmethod
    def poll(self) -> int | None:
        """The exit code, or None while it is under way."""

    @abstractmethod
    def wait(self) -> int:
        """The exit code, once the run has ended."""

    @property
    def shown(self) -> str:
        """What it has written so far."""
        return os.pread(self.output.fileno(), 10**8, 0).decode("utf-8", "replace")

    def wait_for_hold(self) -> int:
        """The number of the process that waits where it was told to."""
        reached = self.gate / "reached"
        wait_until(lambda: reached.exists() and reached.read_text() != "")
        return int(reached.read_text())

    def release(self) -> None:
        (self.gate / "open").touch()

    def send(self, number: int, *, whole_group: bool) -> None:
        """Send a signal to the run or to all its processes, unless it was quicker."""
        with suppress(ProcessLookupError):
            (os.killpg if whole_group else os.kill)(self.pid, number)

    def kill(self, *, whole_group: bool) -> None:
        self.send(signal.SIGKILL, whole_group=whole_group)
        self.wait()


class RealRun(Run):
    """A run by a command, as a person gives it."""

    def __init__(
        self, command: list[str], *, cwd: Path, environment: dict[str, str], gate: Path
    ) -> None:
        super().__init__(gate)
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdout=self.output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.pid = self.process.pid

    def poll(self) -> int | None:
        return self.process.poll()

    def wait(self) -> int:
        return self.process.wait()
