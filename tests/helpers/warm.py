"""Runs of Snakemake that a warm process forks (see `warm_server`)."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.helpers import warm_server
from tests.helpers.processes import Run

KILLED = -signal.SIGKILL
"""The exit code of a run that could not say how it ended."""


class Warm:
    """The warm process, as the tests see it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="qampaign-warm-")
        self.address = str(Path(self.folder.name, "socket"))
        self.server = subprocess.Popen(
            # -P: the folder of the server's file is no place for modules
            [sys.executable, "-P", str(warm_server.__file__), self.address],
            stdin=subprocess.PIPE,  # its end tells the server to end
            stdout=subprocess.PIPE,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
        assert self.server.stdout is not None
        assert self.server.stdout.readline() == b"warm\n", "the warm process did not start"

    def close(self) -> None:
        assert self.server.stdin is not None
        self.server.stdin.close()
        self.server.wait()
        self.folder.cleanup()


class WarmRun(Run):
    """A run of Snakemake with some arguments."""

    def __init__(
        self,
        warm: Warm,
        arguments: list[str],
        *,
        cwd: Path,
        environment: dict[str, str],
        gate: Path,
    ) -> None:
        super().__init__(gate)
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(warm.address)
        socket.send_fds(self.connection, [b"x"], [self.output.fileno()])
        request = {"argv": arguments, "cwd": str(cwd), "environment": environment}
        self.connection.sendall(f"{json.dumps(request)}\n".encode())
        self.pid = int(self._line())
        self.code: int | None = None

    def _line(self) -> str:
        line = b""
        while not line.endswith(b"\n") and (sign := self.connection.recv(1)):
            line += sign
        return line.decode()

    def poll(self) -> int | None:
        if self.code is None and select.select([self.connection], [], [], 0)[0]:
            return self.wait()
        return self.code

    def wait(self) -> int:
        if self.code is None:
            line = self._line()
            self.code = int(line) if line else KILLED
            self.connection.close()
        return self.code
