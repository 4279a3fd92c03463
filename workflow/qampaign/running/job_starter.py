"""A process that forks for each job of a run on this machine: its libraries are imported once.

Most jobs of a small campaign compute for milliseconds, and would import for a second. The starter
imports what a script needs when it is first asked to run it. It computes nothing itself: libraries
start their threads in the forks, so a fork never finds a lock that another thread holds.

    Snakemake       asks for each job and waits for its end
      starter       `python -m qampaign.running.job_starter`, ends with Snakemake, however that ends
        job         a fork that runs a script; it ends with the starter

Requests and answers pass over sockets, each message preceded by its length in eight bytes.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Libraries for matrices read this when they are imported, and start so many threads at once."""

KILLED = 128 + signal.SIGKILL
"""The exit code of a job that did not say how it ended."""


class Starter:
    """The starter of this process, which begins with the first job that it is asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None

    def run(self, file: str, script: str, environment: Mapping[str, str]) -> int:
        """Run a file as Python's main program to its end; gives its exit code.

        `script` is what the file was made from: what it imports is imported before.
        """
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            if self._control is None:
                self._control = _begin()
            socket.send_fds(self._control, [b"x"], [theirs.fileno()])
        request = {"file": file, "script": script, "environment": dict(environment)}
        with ours:
            _send(ours, json.dumps(request | {"folder": os.getcwd()}).encode())
            return int(_receive(ours) or KILLED)


def _begin() -> socket.socket:
    """Start the starter; it ends when the socket that this gives is closed."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-m", "qampaign.running.job_starter"]
    with theirs:
        process = subprocess.Popen(command, stdin=theirs.fileno(), env=os.environ | ONE_THREAD)

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def serve(control: socket.socket) -> None:
    """Fork for every job that is asked for, until nobody can ask any more."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # they are for Snakemake and the jobs
    signal.signal(signal.SIGCHLD, _reap)
    gc.disable()  # next to nothing that is imported is garbage
    _import_libraries()
    imported: set[str] = set()
    while True:
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not descriptors:
            return
        with socket.socket(fileno=descriptors[0]) as connection:
            request = json.loads(_receive(connection) or b"{}")
            if not request:
                continue
            script = request.pop("script")
            if script not in imported:
                imported.add(script)
                with suppress(Exception):  # the job will say what is wrong
                    runpy.run_path(script, run_name="imported")
                gc.freeze()  # the forks share this memory: the collector is not to touch it
            if not os.fork():
                control.close()
                _be_job(connection, **request)


def _import_libraries() -> None:
    """Import what most jobs use, also what modules import late, when they first need it."""
    for name in ("snakemake.script", "polars", "duckdb", "pyarrow", "numba"):
        importlib.import_module(name)
    target = importlib.import_module("numba.core.registry").cpu_target
    target.typing_context.refresh()  # tables that a compiled function needs when it is first called
    target.target_context.refresh()


def _reap(*_: object) -> None:
    """Let go of jobs that have ended; they themselves have said how."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _be_job(
    connection: socket.socket, file: str, environment: dict[str, str], folder: str
) -> NoReturn:
    """Do what a new Python process does with a script, and end."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        gc.enable()
        tempfile.tempdir = None  # TMPDIR may be another one than the starter's
        sys.path.insert(0, str(Path(file).parent))
        sys.argv[:] = [file]
        code = _exit_code(lambda: runpy.run_path(file, run_name="__main__"))
        _send(connection, str(code).encode())
    finally:
        os._exit(code)


def _exit_code(program: Callable[[], object]) -> int:
    """The exit code of a Python process that runs a program."""
    code = 0
    try:
        program()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    with suppress(Exception):
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code & 0xFF


def _send(connection: socket.socket, message: bytes) -> None:
    connection.sendall(len(message).to_bytes(8, "big") + message)


def _receive(connection: socket.socket) -> bytes | None:
    """A message, or None where the other side is gone."""
    with suppress(ConnectionError):
        length = connection.recv(8, socket.MSG_WAITALL)
        if len(length) == 8:
            size = int.from_bytes(length, "big")
            message = connection.recv(size, socket.MSG_WAITALL)
            return message if len(message) == size else None
    return None


if __name__ == "__main__":
    with socket.socket(fileno=os.dup(0)) as given:
        serve(given)
    os._exit(0)  # nothing was done here that would have to be undone
