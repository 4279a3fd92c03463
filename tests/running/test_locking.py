"""One run of a campaign at a time; the lock goes with the process that holds it."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from qampaign.running.locking import Locked, hold

# Holds the lock and starts a job, as a run does; says the job's number, then waits.
RUN = """
import subprocess, sys
from qampaign.running.locking import hold
hold(sys.argv[1])
job = subprocess.Popen(["sleep", "60"], stdout=subprocess.DEVNULL, close_fds=False)
print(job.pid, flush=True)
sys.stdin.read()
"""


def test_a_second_run_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "results/toy/.lock"
    with subprocess.Popen(
        [sys.executable, "-c", RUN, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout
        job = int(run.stdout.readline())
        try:
            with pytest.raises(Locked, match="another run of campaign toy is under way") as refusal:
                hold(path)
            assert f"process {run.pid} on" in str(refusal.value)
            run.send_signal(signal.SIGKILL)
            run.wait()
            os.kill(job, 0)  # its job lives on, and does not keep the lock
            hold(path)
        finally:
            run.kill()
            os.kill(job, signal.SIGKILL)


def test_two_campaigns_run_side_by_side(tmp_path: Path) -> None:
    hold(tmp_path / "one/.lock")
    hold(tmp_path / "two/.lock")


def test_the_same_process_may_ask_again(tmp_path: Path) -> None:
    hold(tmp_path / ".lock")
    hold(tmp_path / ".lock")


def refuse_locks(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def flock(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_a_file_system_without_locks_does_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    refuse_locks(monkeypatch, number)
    hold(tmp_path / ".lock")
    assert (tmp_path / ".lock").read_text() == ""


def test_another_fault_of_the_file_system_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_locks(monkeypatch, errno.EIO)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        hold(tmp_path / ".lock")
