"""What surrounds the work of a rule's script: its log, and the message it leaves when it fails.

A script ends with `if __name__ == "__main__": run(main)`.
"""

import errno
import faulthandler
import io
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from polars.exceptions import PanicException

from qampaign import run_token
from qampaign.files import write_text
from qampaign.problems import Refused
from qampaign.running.job_records import (
    LOGS,
    Undeclared,
    benchmark_of,
    digests,
    look_at,
    record_of,
    write_record,
)

if sys.platform != "win32":
    import resource

NOTE = "note: "
"""How a line of a log begins that the terminal shows."""

COMPUTED = "computed in"
"""How the last line of the log of a successful job begins."""

NO_MEMORY = (
    "There was not enough memory. Free some, run fewer steps at a time (--cores 1), or on a "
    "cluster ask for more (--set-resources RULE:mem_mb=16000)"
)
"""The message when memory runs out."""

OUT_OF_MEMORY = (
    "memory allocation of",
    "LLVM ERROR: out of memory",
    "std::bad_alloc",
    "Cannot allocate memory",
    "can't start new thread",
    "failed to spawn thread",
)
"""What libraries say when no memory is left: in an exception or, if they end the whole process, at
the end of the log."""

STARTED_BY = "QAMPAIGN_STARTED_BY"
"""The variable that tells a job which process of which machine started it."""

JOB = "SLURM_JOB_ID"
"""The variable in which Slurm tells a job its number."""

ALLOTTED = ("SLURM_CPUS_PER_TASK", "NCPUS", "NSLOTS", "LSB_DJOB_NUMPROC")
"""Variables in which Slurm, PBS, Grid Engine and LSF tell a job its number of processors."""


class RunningJob(Protocol):
    """What a script is told of its job: the object `snakemake`."""

    input: Any
    output: Any
    params: Any
    wildcards: Any
    """These four hold values by name, which can be had as attributes, too."""
    log: Sequence[str]
    threads: int
    config: Mapping[str, Any]


def run(main: Callable[[RunningJob], Undeclared | None]) -> None:
    """Call `main` with the `snakemake` object that the `script:` directive puts into a script.

    When it has ended, its settings and what it read and wrote are recorded.
    """
    _end_with_parent()
    faulthandler.enable()  # a crash in a native library leaves its trace in the log too
    job: RunningJob = vars(sys.modules["__main__"])["snakemake"]
    earlier = refusal_of_this_run(job.log[0])
    with logged(job.log[0]):
        if earlier is not None:
            raise Refused(earlier)  # tried again, though the input is the same
        begun = time.perf_counter()
        if JOB in os.environ:
            print(f"runs as job {os.environ[JOB]} of Slurm")
        inputs = look_at(job.input)
        undeclared = main(job) or Undeclared()
        write_record(
            record_of(job.log[0]),
            digests(dict(job.params.items())),
            {**inputs, **undeclared.read},
            {**look_at(job.output), **undeclared.written},
            undeclared.for_people,
        )
        seconds, processor, memory = time.perf_counter() - begun, time.process_time(), peak()
        write_text(
            benchmark_of(job.log[0]),
            f"s\tcpu_time\tmax_rss\n{seconds:.4f}\t{processor:.2f}\t{memory}\n",
        )
        print(f"took {processor:.2f} s of processor time")
        print(f"took at most {memory} MB of memory")
        print(f"{COMPUTED} {seconds:.3f} s")


@contextmanager
def logged(log: str | Path) -> Iterator[None]:
    """Send all output to `log`; end a failure with exit code 1 and its message in `<log>.failed`.

    A `Refused` leaves its message, any other exception one line and its traceback in the log.
    """
    message, refused = failure_path(log), refusal_path(log)
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    message.unlink(missing_ok=True)
    refused.unlink(missing_ok=True)
    with _redirected(log):
        try:
            yield
            return
        except KeyboardInterrupt:
            sys.exit(128 + signal.SIGINT)
        except Refused as refusal:
            text = str(refusal)
            print(text, file=sys.stderr)
            with suppress(OSError):
                write = partial(refused.write_text, encoding="utf-8", errors="backslashreplace")
                write(f"{os.environ.get(run_token.VARIABLE, '')}\n{text}")
        except (Exception, PanicException) as error:
            reason = NO_MEMORY if is_want_of_memory(error) else _in_one_line(error)
            text = f"{reason}; details in {log}"
            traceback.print_exc()
        with suppress(OSError):  # a full disk: there is nowhere left to say so
            message.write_text(text, encoding="utf-8", errors="backslashreplace")
    sys.exit(1)


def tell(text: str) -> None:
    """Print a note that the terminal shows when the job is done."""
    print("\n".join(NOTE + line for line in text.splitlines()))


def peak() -> int:
    """The most memory that this process had at a time, in megabytes; 0 where nobody can tell.

    On Linux getrusage would give at least what the process had that started this one.
    """
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) // 1024
    if sys.platform == "win32":
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**20


def failure_path(log: str | Path) -> Path:
    """Where a job that writes to `log` says why it failed."""
    return Path(f"{log}.failed")


def refusal_path(log: str | Path) -> Path:
    """Where a job that refused its input keeps its message, and which run it was."""
    return Path(f"{log}.refused")


def refusal_of_this_run(log: str | Path) -> str | None:
    """Why the same job of the same run has refused its input before, if it has.

    A job that fails is tried again, as nodes fail and memory runs short: for the same input it
    would compute the same refusal.
    """
    try:
        run, _, text = refusal_path(log).read_text(encoding="utf-8").partition("\n")
    except OSError:
        return None
    return text if run and run == os.environ.get(run_token.VARIABLE) else None


def refusals() -> Iterator[str]:
    """Why jobs of the run that this process has started refused their input."""
    for refusal in _left_by_jobs(refusal_path("*").name):
        if (text := refusal_of_this_run(refusal.with_suffix(""))) is not None:
            yield text


def failures() -> Iterator[str]:
    """Why jobs of the run that this process has started failed.

    They have left their messages since the run left its token, by the clock of the same disk.
    """
    begun = run_token.begun()
    if begun is None:
        return
    for failure in _left_by_jobs(failure_path("*").name):
        with suppress(OSError):
            if failure.stat().st_mtime_ns >= begun:
                yield failure.read_text(encoding="utf-8", errors="replace")


def _left_by_jobs(pattern: str) -> list[Path]:
    """The files beside the logs of the campaign that this process has run."""
    _, _, path = os.environ.get(run_token.VARIABLE, "").partition(" ")
    return sorted(Path(path).with_name(LOGS).rglob(pattern)) if path else []


def is_want_of_memory(error: BaseException) -> bool:
    """Whether an exception, of whatever library, says that there is no memory left.

    >>> is_want_of_memory(MemoryError()), is_want_of_memory(ValueError("no such column"))
    (True, False)
    """
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    return any(sign in str(error) for sign in OUT_OF_MEMORY)


def _in_one_line(error: BaseException, longest: int = 300) -> str:
    """The kind of an exception and its message.

    >>> _in_one_line(ValueError("no such\\n  column"))
    'ValueError: no such column'
    """
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return text if len(text) <= longest else f"{text[:longest]} ..."


@contextmanager
def _redirected(log: str | Path) -> Iterator[None]:
    """Point file descriptors 1 and 2 to `log`, so that native libraries write there as well."""
    kept = os.dup(1), os.dup(2)
    for stream in _flushed():
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    with open(log, "ab", buffering=0) as file:  # append: both descriptors share the end of the file
        file.truncate(0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        list(_flushed())
        for descriptor, target in zip(kept, (1, 2), strict=True):
            os.dup2(descriptor, target)
            os.close(descriptor)


def _flushed() -> Iterator[io.TextIOWrapper]:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.flush()
            yield stream


def announce() -> None:
    """Tell the jobs that this process starts on this machine which process it is."""
    if sys.platform == "linux":
        os.environ[STARTED_BY] = f"{os.getpid()} {_machine()}"


def keep_to_processors() -> None:
    """Tell the libraries of a job on a cluster how many processors it was given.

    They would start a thread for each that the node has, whoever else computes there.
    """
    allotted = next((os.environ[name] for name in ALLOTTED if name in os.environ), None)
    if allotted is not None:
        for variable in ("POLARS_MAX_THREADS", "NUMBA_NUM_THREADS"):
            os.environ.setdefault(variable, allotted)


def _end_with_parent() -> None:
    """On Linux, end when the Snakemake that started this job is killed: orphans must not write."""
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        parent, _, machine = os.environ.get(STARTED_BY, "").partition(" ")
        if machine == _machine() and not Path("/proc", parent).exists():
            sys.exit(1)  # it was killed before we asked to be told


def _machine() -> str:
    """Where a process number means the same: a host, and there a container."""
    return f"{socket.gethostname()} {os.readlink('/proc/self/ns/pid')}"
