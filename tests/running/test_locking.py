"""One run of a campaign at a time; the lock goes with the process that holds it."""

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
