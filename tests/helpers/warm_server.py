"""A warm process that forks for each run of Snakemake, and for each job of it: both start at once.

Most of the time of a small run goes into starting Python and importing libraries. The warm process
imports them once, but nothing of the project, so that every fork reads the code as it is then. It
does no work itself: libraries start their threads in the forks, which alone use them.

    server          the warm process: forks for each run
      run           Snakemake, in a session of its own, as if started from a shell
        starter     forked before Snakemake has threads: forks for each job, ends with its run
          job       a script of a rule, or a module that a job starts as a process
"""

import atexit
import ctypes
import importlib
import io
import json
import os
import pickle
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

LIBRARIES = [
    *(
        "snakemake.cli",
        "snakemake.script",
        "snakemake.executors.local",
        "numpy",
        "polars",
        "duckdb",
    ),
    *("pyarrow", "pandera.polars", "altair", "vl_convert", "jinja2", "jsonschema", "yaml", "numba"),
    *("simplemma", "Stemmer", "text_to_num", "sqlite3", "psutil"),
]
"""What the project and Snakemake import."""


def serve(address: str) -> None:
    for name in LIBRARIES:
        importlib.import_module(name)
    _warm_up()
    own = [name for name in sys.modules if name.split(".")[0].endswith("qampaign")]
    assert not own, f"an edit of {own} would not be seen"
    fork_for_each(address, _run_for_client, until_end_of_input=True)


def _warm_up() -> None:
    """Do once what libraries do when they are first used, as far as it starts no threads."""
    import numba
    import numpy as np
    import simplemma

    simplemma.lemmatize("warm", lang="en")  # reads its dictionary
    add = numba.njit(lambda values, order: values[np.argsort(order)].sum() + np.zeros(3).mean())
    add(np.ones(3), np.arange(3))  # fills the compiler's tables


def fork_for_each(
    address: str, serve_one: Callable[[socket.socket, int], object], *, until_end_of_input: bool
) -> None:
    """Accept connections, and fork a process for each: it gets the connection and one descriptor."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how the forks end
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(64)
        if until_end_of_input:
            os.write(1, b"warm\n")
            _end_with_input(os.getpid())
        while True:
            connection, _ = listening.accept()
            if os.fork():
                connection.close()
                continue
            try:
                listening.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _, descriptors, _, _ = socket.recv_fds(connection, 1, 1)
                serve_one(connection, descriptors[0])
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(70)


def _end_with_input(server: int) -> None:
    """A process that ends the server when those who started it are gone."""
    if not os.fork():
        os.setsid()
        while os.read(0, 1):
            pass
        os.kill(server, signal.SIGKILL)
        os._exit(0)


# a run


def _run_for_client(connection: socket.socket, output: int) -> NoReturn:
    request = json.loads(_line(connection))
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, target)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    sys.path[:0] = _module_folders()
    sys.argv[:] = sys.orig_argv[:] = ["snakemake", *request["argv"]]
    jobs = _start_starter(connection)
    _hand_over(jobs)
    _run_first()
    connection.sendall(f"{os.getpid()}\n".encode())
    from snakemake.cli import main

    code = _call(lambda: main(request["argv"]))
    connection.sendall(f"{code}\n".encode())
    os._exit(code)


def _module_folders() -> list[str]:
    return list(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))


def _run_first() -> None:
    """Run what Python itself runs first where it stands in a folder of modules."""
    for folder in _module_folders():
        first = Path(folder, "sitecustomize.py")
        if first.exists():
            exec(compile(first.read_text(), str(first), "exec"), {"__name__": first.stem})
            return


def _line(connection: socket.socket) -> str:
    received = b""
    while not received.endswith(b"\n"):
        received += connection.recv(65536)
    return received.decode()


def _call(body: Callable[[], object]) -> int:
    """Do something as the whole work of a Python process; gives its exit code."""
    code: Any = 0
    try:
        body()
    except SystemExit as left:
        code = left.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return int(code or 0)


# its jobs


def _start_starter(connection: socket.socket) -> str:
    """A process that forks for each job; gives the address at which it is asked to."""
    folder = tempfile.mkdtemp(prefix="qampaign-run-")
    address = f"{folder}/socket"
    ready = os.pipe()
    if not os.fork():
        _end_with_parent()
        connection.close()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # they are for the run and its jobs
        os.close(ready[0])
        os.write(ready[1], b"x")
        fork_for_each(address, _run_job, until_end_of_input=False)
    os.close(ready[1])
    os.read(ready[0], 1)
    os.close(ready[0])
    atexit.register(lambda: (Path(address).unlink(missing_ok=True), os.rmdir(folder)))
    return address


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _hand_over(address: str) -> None:
    """Let Snakemake have its Python scripts run by the starter."""
    script = importlib.import_module("snakemake.script")

    def execute_script(self: Any, fname: str, **_: Any) -> None:
        threads = dict.fromkeys(
            ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(self.threads)
        )
        begun = time.perf_counter()
        code = Forked(address, ["script", fname], env=os.environ | threads).wait()
        if self.bench_record is not None:
            self.bench_record.running_time = time.perf_counter() - begun
            self.bench_record.process_gone = True
        if code:
            raise subprocess.CalledProcessError(code, [sys.executable, fname])

    script.PythonScript.execute_script = execute_script


class Forked:
    """What `subprocess.Popen` gives, of a process that the starter forks."""

    def __init__(self, address: str, command: list[str], *, env: dict[str, str]) -> None:
        reading, writing = os.pipe()
        self.stdin = io.TextIOWrapper(os.fdopen(writing, "wb"), encoding="utf-8")
        self.connection = socket.socket(socket.AF_UNIX)
        self._connect(address)
        socket.send_fds(self.connection, [b"x"], [reading])
        os.close(reading)
        output = [os.readlink(f"/proc/self/fd/{number}") for number in (1, 2)]
        request = pickle.dumps((address, command, dict(env), os.getcwd(), output))
        self.connection.sendall(len(request).to_bytes(8, "big") + request)
        self.process = int.from_bytes(self.connection.recv(8), "big")

    def _connect(self, address: str) -> None:
        while True:
            try:
                return self.connection.connect(address)
            except (FileNotFoundError, ConnectionRefusedError):  # it does not listen yet
                time.sleep(0.001)

    def wait(self) -> int:
        if not self.stdin.closed:
            self.stdin.close()
        with self.connection:
            said = self.connection.recv(8)
        return int.from_bytes(said, "big") if said else 128 + signal.SIGKILL

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)


def _run_job(connection: socket.socket, stdin: int) -> NoReturn:
    _end_with_parent()
    length = int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "big")
    address, command, environment, cwd, output = pickle.loads(
        connection.recv(length, socket.MSG_WAITALL)
    )
    os.dup2(stdin, 0)
    for number, path in enumerate(output, start=1):
        if path.startswith("/") and not path.endswith("(deleted)"):  # the log of a job
            os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), number)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    connection.sendall(os.getpid().to_bytes(8, "big"))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    kind, name = command
    if kind == "script":
        sys.path.insert(0, str(Path(name).parent))
    sys.argv[:] = [name]
    sys.orig_argv[:] = [sys.executable, name]
    _let_jobs_fork(address)
    code = _call(lambda: _run_code(kind, name))
    connection.sendall(code.to_bytes(8, "big"))
    os._exit(code)


def _run_code(kind: str, name: str) -> None:
    _run_first()
    if kind == "script":
        runpy.run_path(name, run_name="__main__")
    else:
        runpy.run_module(name, run_name="__main__", alter_sys=True)


def _let_jobs_fork(address: str) -> None:
    """Let a job have the modules that it starts as processes run by the starter too."""

    class Popen(subprocess.Popen[Any]):
        def __new__(cls, command: Any, *_: Any, **options: Any) -> Any:
            if isinstance(command, list) and command[:2] == [sys.executable, "-m"]:
                return Forked(address, ["module", command[2]], env=options.get("env", os.environ))
            return super().__new__(cls)

    subprocess.Popen = Popen  # type: ignore[misc]


if __name__ == "__main__":
    serve(sys.argv[1])
