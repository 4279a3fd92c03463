"""A warm process that forks for each run of Snakemake, and for its starter of jobs: both start at once.

Most of the time of a small run goes into starting Python and importing libraries. The warm process
imports them once, but nothing of the project, so that every fork reads the code as it is then. It
does no work itself: libraries start their threads in the forks, which alone use them.

    server          the warm process: forks for each run
      run           Snakemake, in a session of its own, as if started from a shell
        starter     `qampaign.running.job_starter`, forked before Snakemake has threads
          job       a script of a rule
"""

import atexit
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

STARTER = "qampaign.running.job_starter"
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
    _start_by_fork(_fork_starter())
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


def _fork_starter() -> socket.socket:
    """A process that becomes the starter of the run's jobs once it is asked to."""
    ours, theirs = socket.socketpair()
    if os.fork():
        theirs.close()
        return ours
    ours.close()
    _, descriptors, _, _ = socket.recv_fds(theirs, 1, 1)
    if not descriptors:  # the run has ended without a job
        os._exit(0)
    os.dup2(descriptors[0], 0)
    os.close(descriptors[0])
    os.environ.update(json.loads(_line(theirs)))
    _run_first()
    code = _call(lambda: runpy.run_module(STARTER, run_name="__main__", alter_sys=True))
    os._exit(code)


def _start_by_fork(waiting: socket.socket) -> None:
    """Let Qampaign start its starter of jobs by a fork."""

    class Popen(subprocess.Popen[Any]):
        def __new__(cls, command: Any, *_: Any, **options: Any) -> Any:
            if not (isinstance(command, list) and command[-1] == STARTER):
                return super().__new__(cls)
            socket.send_fds(waiting, [b"x"], [options["stdin"]])
            waiting.sendall(f"{json.dumps(dict(options['env']))}\n".encode())
            return _Forked()

    subprocess.Popen = Popen  # type: ignore[misc]


class _Forked:
    """What Qampaign asks of the process that it started: it ends when its socket is closed."""

    def wait(self) -> int:
        return 0


if __name__ == "__main__":
    serve(sys.argv[1])
