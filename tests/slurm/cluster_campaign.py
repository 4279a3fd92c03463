"""The tiny campaign of the workflow's tests, run on a cluster."""

import atexit
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

from tests.helpers.tiny_campaign import FIRST, Tiny, first
from tests.slurm.cluster import Cluster

# What every Python process of a test on the cluster runs first, besides what it runs in all tests.
MORE = """
# Jobs take seconds here, not minutes: look at them as often, unless a test asks for quiet.
import asyncio
sleep = asyncio.sleep
def sleep_less(seconds, *result):
    return sleep(min(seconds, 6 if os.path.exists(os.environ["QUIET"]) else 0.5), *result)
asyncio.sleep = sleep_less

# A job waits when a certain file is written, before it looks whether it may give it its name.
def wait_and_sync(descriptor):
    sync(descriptor)
    folder, _, name = os.readlink(f"/proc/self/fd/{descriptor}").rpartition("/.")
    wait_at(folder + "/" + name[:-len(".part")].rpartition(".")[0])
if "HOLD_WRITTEN" in os.environ:
    wanted, gate = os.environ["HOLD_WRITTEN"].split("|")
    sync = os.fsync
    os.fsync = wait_and_sync

# A script takes a number of megabytes, and time enough for that to be seen.
if "HOG" in os.environ:
    script, megabytes = os.environ["HOG"].split("|")
    if sys.orig_argv[-1].endswith(script):
        taken = bytearray(os.urandom(2**20)) * int(megabytes)
        time.sleep(3)
"""


class OnCluster(Tiny):
    """The tiny campaign with a cluster to run on."""

    def __init__(self, folder: Path, cluster: Cluster, *, profile: str = "slurm") -> None:
        super().__init__(folder)
        self.cluster = cluster
        self.profile = profile
        self.more: dict[str, str] = {}

    def command(self, *options: str) -> list[str]:
        words = super().command(*options)
        profile, cores = words.index("--workflow-profile") + 1, words.index("--cores")
        words[profile] = str(self.project / "workflow/profiles" / self.profile)
        return words[:cores] + words[cores + 2 :]

    def environment(self) -> dict[str, str]:
        environment = super().environment() | self.cluster.environment() | self.more
        path = environment["PYTHONPATH"].split(os.pathsep)
        path[path.index(str(first()))] = str(first_on_cluster())
        quiet = str(self.gate / "quiet")
        return environment | {"PYTHONPATH": os.pathsep.join(path), "QUIET": quiet}

    def hold_written(self, file: str) -> None:
        """Let the job wait that has written `file` and not given it its name yet."""
        self.shut_gate()
        self.more["HOLD_WRITTEN"] = f"{file}|{self.gate}"

    def jobs(self) -> dict[int, tuple[str, str]]:
        """The cluster's jobs with what they do and how they ended, as Slurm keeps record of them."""
        ended = self.cluster.completed()
        return {
            each.id: (each.comment, ended.get(each.id, each.state))
            for each in self.cluster.records()
        }

    def running(self) -> list[int]:
        """The jobs that are running now."""
        return [each.id for each in self.cluster.records() if each.state == "RUNNING"]


class InJob(OnCluster):
    """What runs inside a job of the cluster: a Snakemake for certain steps, under a certain token."""

    def command(self, *steps: str) -> list[str]:
        words = Tiny.command(self)
        profile = words.index("--workflow-profile")
        del words[profile : profile + 2]
        words += ["--mode", "remote", "--executor", "local", "--force", "--nolock", "--no-hooks"]
        return [*words, "--keep-incomplete", "--target-jobs", *steps]

    def belong_to(self, token: str) -> None:
        self.more["QAMPAIGN_RUN"] = f"{token} {self.results.absolute() / '.run'}"


def ran_in(campaign: Tiny) -> dict[str, int]:
    """The job of Slurm that each step ran in, by the step's own log; without those that ran here."""
    logs = campaign.results / "logs"
    found = {}
    for log in logs.rglob("*.log"):
        for number in re.findall(r"^runs as job (\d+) of Slurm$", log.read_text(), re.M):
            found[log.relative_to(logs).with_suffix("").as_posix()] = int(number)
    return found


@cache
def first_on_cluster() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="qampaign-"))
    atexit.register(shutil.rmtree, folder)
    (folder / "sitecustomize.py").write_text(FIRST + MORE)
    return folder
