"""A job's output is in its log; a failed one says why in `<log>.failed` and exits with 1."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.processes import is_running, wait_until

pytestmark = pytest.mark.slow  # each starts a process

# What `script:` makes of a script: the object `snakemake` stands in it as a global.
SCRIPT = """
import os, sys
from types import SimpleNamespace
snakemake = SimpleNamespace(log=["logs/step.log"], input=[], output=[], params={{}})
from qampaign.running.jobs import run
from qampaign.problems import Refused

def main(job):
    {work}

if __name__ == "__main__":
    run(main)
"""

LAST_LINES = (
    r"took [\d.]+ s of processor time\ntook at most \d+ MB of memory\ncomputed in \d+\.\d{3} s\n"
)


def start(folder: Path, work: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(SCRIPT.format(work=work), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def log(folder: Path) -> str:
    """The log of a job that went well, less its last lines, which tell memory and time."""
    text = (folder / "logs/step.log").read_text(encoding="utf-8")
    return re.sub(LAST_LINES + "$", "", text)


def test_a_log_ends_with_the_memory_and_the_time_that_the_work_took(tmp_path: Path) -> None:
    start(tmp_path, "pass")
    text = (tmp_path / "logs/step.log").read_text(encoding="utf-8")
    assert re.fullmatch(LAST_LINES, text)


def message(folder: Path) -> str:
    return (folder / "logs/step.log.failed").read_text(encoding="utf-8")


def test_output_of_python_and_of_child_processes_goes_to_the_log(tmp_path: Path) -> None:
    work = "print('one'); os.system('echo two; echo three >&2'); print('four', file=sys.stderr)"
    ended = start(tmp_path, work)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert log(tmp_path) == "one\ntwo\nthree\nfour\n"
    assert not (tmp_path / "logs/step.log.failed").exists()


def test_a_log_holds_one_run_only(tmp_path: Path) -> None:
    start(tmp_path, "print('first, and longer')")
    start(tmp_path, "print('second')")
    assert log(tmp_path) == "second\n"


def test_the_log_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    start(tmp_path, "print('El Niño 🎉', chr(0xD800))", PYTHONIOENCODING="ascii")
    assert log(tmp_path) == "El Niño 🎉 \\ud800\n"


def test_a_refusal_leaves_its_own_words(tmp_path: Path) -> None:
    ended = start(tmp_path, "raise Refused('a.csv, line 3: no Q\\na.csv, line 9: no Z')")
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "")
    assert message(tmp_path) == "a.csv, line 3: no Q\na.csv, line 9: no Z"
    assert log(tmp_path) == "a.csv, line 3: no Q\na.csv, line 9: no Z\n"


def test_an_unexpected_error_leaves_one_line_and_its_traceback_in_the_log(tmp_path: Path) -> None:
    ended = start(tmp_path, "raise ValueError('so\\n odd')")
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "")
    assert message(tmp_path) == "ValueError: so odd; details in logs/step.log"
    assert "Traceback" in log(tmp_path)
    assert "in main" in log(tmp_path)


def test_the_message_of_an_earlier_run_is_gone(tmp_path: Path) -> None:
    start(tmp_path, "raise Refused('old')")
    ended = start(tmp_path, "pass")
    assert ended.returncode == 0, log(tmp_path)
    assert not (tmp_path / "logs/step.log.failed").exists()


def test_input_that_a_run_has_refused_is_not_looked_at_again_by_the_same_run(
    tmp_path: Path,
) -> None:
    refusing = "print('at work'); raise Refused('a.csv, line 3: no Q')"
    for run, work, code in [
        ("first", refusing, 1),
        ("first", "open('looked', 'w')", 1),
        ("first", "open('looked', 'w')", 1),
    ]:
        assert start(tmp_path, work, QAMPAIGN_RUN=f"{run} .run").returncode == code
        assert message(tmp_path) == "a.csv, line 3: no Q"
        assert not (tmp_path / "looked").exists()
    assert start(tmp_path, "open('looked', 'w')", QAMPAIGN_RUN="second .run").returncode == 0
    assert (tmp_path / "looked").exists()
    assert not (tmp_path / "logs/step.log.refused").exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "error",
    [
        "MemoryError()",
        "__import__('duckdb').OutOfMemoryException('could not allocate block')",
        "OSError(12, 'Cannot allocate memory')",
        'RuntimeError("can\'t start new thread")',
        "__import__('polars').exceptions.PanicException('failed to spawn thread: OS error')",
    ],
)
def test_want_of_memory_is_said_as_such(tmp_path: Path, error: str) -> None:
    assert start(tmp_path, f"raise {error}").returncode == 1
    assert message(tmp_path) == (
        "There was not enough memory. Free some, run fewer steps at a time (--cores 1), or on a "
        "cluster ask for more (--set-resources RULE:mem_mb=16000); details in logs/step.log"
    )


@pytest.mark.parametrize(("work", "code"), [("sys.exit(7)", 7), ("raise KeyboardInterrupt", 130)])
def test_an_exit_or_an_interrupt_is_no_failure_to_explain(
    tmp_path: Path, work: str, code: int
) -> None:
    ended = start(tmp_path, work)
    assert (ended.returncode, ended.stderr) == (code, "")
    assert not (tmp_path / "logs/step.log.failed").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")
def test_a_job_ends_with_a_killed_snakemake(tmp_path: Path) -> None:
    work = "print(os.getpid()); import time; time.sleep(60)"
    (tmp_path / "script.py").write_text(SCRIPT.format(work=work))
    snakemake = "import subprocess, sys; subprocess.run([sys.executable, 'script.py'])"
    with subprocess.Popen([sys.executable, "-c", snakemake], cwd=tmp_path) as parent:
        wait_until(lambda: (tmp_path / "logs/step.log").exists() and log(tmp_path).endswith("\n"))
        job = int(log(tmp_path))
        os.kill(job, 0)  # it lives
        parent.send_signal(signal.SIGKILL)
    wait_until(lambda: not is_running(job))
