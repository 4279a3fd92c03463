"""A Slurm cluster of two nodes on this one machine, from Debian's packages, in a folder of its own.

Nothing outside the folder is touched: the cluster has its own key, sockets, ports and config, and the
Slurm commands find it through wrappers in `bin/`. Several may run side by side. To try a campaign:

    python -m tests.slurm.cluster .venv/bin/qampaign run config.yaml --cluster slurm
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.processes import wait_until

DAEMONS = ("munged", "slurmctld", "slurmd")
COMMANDS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo", "sacct", "sacctmgr")
SBIN = "/usr/sbin:/usr/local/sbin"
NODES = ("node1", "node2")

# Jobs are found and ended by their process tree and their memory is looked at every second: that needs
# no control groups. A finished job is remembered for an hour, and each leaves a line in jobs.log.
# One whose node fails may start elsewhere after five seconds (cred_expire; Slurm's own value is 120).
CONFIG = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_min_interval=50000,batch_sched_delay=0,sched_interval=1
EnforcePartLimits=ALL
DefMemPerCPU=1000
MinJobAge=3600
KillWait=2
SlurmdTimeout=8
ReturnToService=2
JobRequeue=1
{nodes}
PartitionName=debug Nodes={names} Default=YES MaxTime=1440 State=UP
"""


def missing() -> list[str]:
    """The programs that a cluster needs and this machine lacks."""
    path = f"{os.environ['PATH']}:{SBIN}"
    return [each for each in (*DAEMONS, *COMMANDS) if shutil.which(each, path=path) is None]


@dataclass(frozen=True)
class Record:
    """What Slurm remembers of a job."""

    id: int
    state: str
    node: str
    comment: str
    """Rule and wildcards, as Snakemake's plugin writes them."""
    memory: str


class Cluster:
    """A running cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.bin = folder / "bin"
        self.config = folder / "slurm.conf"
        for name in ("state", "bin", *NODES):
            (folder / name).mkdir(parents=True)
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o400)
        self._write_config()
        for command in COMMANDS:
            self._wrap(command)

    def _write_config(self) -> None:
        controller, *ports = free_ports(1 + len(NODES))
        host = socket.gethostname()
        # Names are given to processors that need not be there: more jobs wait than compute.
        nodes = [
            f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=16000"
            for name, port in zip(NODES, ports, strict=True)
        ]
        text = CONFIG.format(
            host=host,
            controller=controller,
            folder=self.folder,
            user=user(),
            nodes="\n".join(nodes),
            names=",".join(NODES),
        )
        self.config.write_text(text)

    def _wrap(self, command: str) -> None:
        """The plugin's job step drops SLURM_CONF on its way to srun: a wrapper puts it back."""
        path = self.bin / command
        path.write_text(f'#!/bin/sh\nSLURM_CONF="{self.config}" exec {which(command)} "$@"\n')
        path.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """What a user of this cluster has in the environment."""
        return {"PATH": f"{self.bin}:{os.environ['PATH']}"}

    def start(self) -> None:
        socket_path = self.folder / "munge.socket"
        self._launch(
            "munged",
            [
                *("--foreground", "--force", "--num-threads=2"),
                f"--socket={socket_path}",
                f"--key-file={self.folder}/munge.key",
                f"--pid-file={self.folder}/munged.pid",
                f"--seed-file={self.folder}/munged.seed",
                f"--log-file={self.folder}/munged.log",
            ],
        )
        wait_until(socket_path.exists)
        self._launch("slurmctld", ["-D", "-f", str(self.config)])
        for node in NODES:
            self.start_node(node)
        wait_until(lambda: self.call("sinfo", "--noheader", "--format=%T").split() == ["idle"])

    def start_node(self, node: str) -> None:
        self._launch(node, ["-D", "-N", node, "-f", str(self.config)], program="slurmd")

    def _launch(self, name: str, options: Sequence[str], *, program: str = "") -> None:
        with (self.folder / f"{name}.out").open("ab") as output:
            self.processes[name] = subprocess.Popen(
                # setpriv: it ends with this process, should that be killed
                ["setpriv", "--pdeathsig", "TERM", which(program or name), *options],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C in the terminal is not for it
            )

    def kill_node(self, node: str) -> None:
        """The node falls silent; what runs on it runs on."""
        process = self.processes.pop(node)
        process.kill()
        process.wait()

    def stop(self) -> None:
        """Cancel what runs and end the daemons, the last one started first."""
        with suppress(subprocess.CalledProcessError):
            self.call("scancel", f"--user={user()}")
            with suppress(AssertionError):
                wait_until(lambda: not self.call("squeue", "--noheader"), seconds=10)
        for process in reversed(self.processes.values()):
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()

    def call(self, command: str, *options: str) -> str:
        """What a Slurm command says."""
        ended = subprocess.run(
            [self.bin / command, *options], capture_output=True, text=True, check=True
        )
        return ended.stdout

    def records(self) -> list[Record]:
        """Every job that Slurm has heard of, whether it waits, runs or has ended."""
        lines = self.call("squeue", "--states=all", "--noheader", "--format=%i|%T|%N|%k|%m")
        split = (line.split("|") for line in lines.splitlines())
        return sorted(
            (Record(int(number), *rest) for number, *rest in split), key=lambda record: record.id
        )

    def completed(self) -> dict[int, str]:
        """The state in which each ended job was left, from the log that Slurm keeps of them."""
        log = self.folder / "jobs.log"
        text = log.read_text() if log.exists() else ""
        return {
            int(number): state
            for number, state in re.findall(r"^JobId=(\d+) .*?JobState=(\w+)", text, re.M)
        }


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A cluster for as long as it is needed."""
    # A short path: a socket's may have no more than 107 characters.
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slurm-")))
        made = Cluster(folder)
        stack.callback(made.stop)
        made.start()
        yield made


def which(program: str) -> str:
    found = shutil.which(program, path=f"{os.environ['PATH']}:{SBIN}")
    assert found, f"{program} is not installed"
    return found


def user() -> str:
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


if __name__ == "__main__":
    if missing():
        sys.exit(
            f"Not installed: {', '.join(missing())}. On Debian: apt-get install slurm-wlm munge"
        )
    with cluster() as own:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command decides what it means
        ended = subprocess.run(sys.argv[1:], env=os.environ | own.environment(), check=False)
    sys.exit(ended.returncode)
