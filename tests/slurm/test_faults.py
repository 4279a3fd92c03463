"""What goes wrong on a cluster: afterwards the results are those of an undisturbed run.

A campaign is finished but for the scores of beta: the job that computes them is the one in trouble.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.processes import Run, wait_until
from tests.helpers.tiny_campaign import Tables
from tests.slurm.cluster import Cluster, Record
from tests.slurm.cluster_campaign import InJob, OnCluster

SCORES = "beta/scores/people.parquet"
# What follows from the scores travels with them, in one job.
SCORING = "rule_beta_correlate_score_significance_tabulate"
# All that follows from the job but the report, which would look the same each time.
TARGETS = (f"results/tiny/{SCORES}", "results/tiny/published.json")


@pytest.fixture
def unscored(tiny: OnCluster, expected: tuple[Tables, dict[str, bytes]]) -> Iterator[OnCluster]:
    """The finished campaign but for one job; after a test it has to be as if nothing had happened."""
    (tiny.results / SCORES).unlink()
    yield tiny
    assert (tiny.tables(), tiny.computed()) == expected
    assert tiny.leftovers() == []


def scoring(cluster: Cluster, since: int = 0) -> list[Record]:
    """What Slurm has on record of the job that scores beta, from a certain job on."""
    return [each for each in cluster.records() if each.comment == SCORING and each.id > since]


def last(cluster: Cluster) -> int:
    return max((each.id for each in cluster.records()), default=0)


def finish(started: Run, code: int = 0) -> str:
    wait_until(lambda: started.poll() is not None, seconds=300)
    assert started.wait() == code, started.shown
    return started.shown


@pytest.mark.exhaustive
def test_a_job_is_cancelled_or_killed(unscored: OnCluster, cluster: Cluster) -> None:
    """scancel the first attempt, SIGKILL the second; the third is left alone."""
    before = last(cluster)
    with unscored.start(*TARGETS, hold=SCORES) as started:
        started.wait_for_hold()
        (first,) = scoring(cluster, before)
        (started.gate / "reached").unlink()
        cluster.call("scancel", str(first.id))
        process = started.wait_for_hold()
        (started.gate / "reached").unlink()
        os.kill(process, signal.SIGKILL)
        started.wait_for_hold()
        started.release()
        finish(started)
    ended = cluster.completed()
    states = [ended[each.id] for each in scoring(cluster, before)]
    assert states == ["CANCELLED", "FAILED", "COMPLETED"]


@pytest.mark.exhaustive
def test_a_job_takes_more_memory_than_it_asked_for(unscored: OnCluster, cluster: Cluster) -> None:
    before = last(cluster)
    unscored.more["HOG"] = "score.py|800"
    unscored.run(*TARGETS)
    first, second = scoring(cluster, before)
    assert (first.state, second.state) == ("FAILED", "COMPLETED")
    killed = f"StepId={first.id}.0 exceeded memory limit"
    assert killed in (cluster.folder / f"{first.node}.log").read_text()
    asked = [int(each.memory.removesuffix("M")) for each in (first, second)]
    assert asked[1] > 1.9 * asked[0]


@pytest.mark.exhaustive
def test_a_node_falls_silent_and_another_takes_over(unscored: OnCluster, cluster: Cluster) -> None:
    """The first node's job goes on there unseen, and both give the file its name."""
    before = last(cluster)
    with unscored.start(*TARGETS, hold=SCORES) as started:
        started.wait_for_hold()
        (first,) = scoring(cluster, before)
        (started.gate / "reached").unlink()
        cluster.kill_node(first.node)
        started.wait_for_hold()
        second = scoring(cluster, before)[-1]
        assert second.node not in ("", first.node)
        started.release()
        finish(started)


@pytest.mark.exhaustive
def test_the_master_is_interrupted(unscored: OnCluster, cluster: Cluster) -> None:
    """SIGINT, as by Ctrl-C: its jobs are cancelled, and the same command goes on.

    But for those about which Snakemake is just asking Slurm: it forgets them. Here it asks nothing.
    """
    before = last(cluster)
    with unscored.start(*TARGETS, hold=SCORES) as started:
        started.wait_for_hold()
        (started.gate / "quiet").touch()
        time.sleep(3)
        started.send(signal.SIGINT, whole_group=False)
        finish(started, code=1)
        wait_until(lambda: not cluster.call("squeue", "--noheader"))
        assert [each.state for each in scoring(cluster, before)] == ["CANCELLED"]
    unscored.run(*TARGETS)


@pytest.mark.exhaustive
def test_the_master_is_asked_to_end(unscored: OnCluster, cluster: Cluster) -> None:
    """SIGTERM: the running job is waited for, nothing is started any more."""
    before = last(cluster)
    with unscored.start(*TARGETS, hold=SCORES) as started:
        started.wait_for_hold()
        second = unscored.run(*TARGETS, code=1)  # meanwhile somebody else runs the campaign
        assert second.shown.startswith("another run of campaign tiny is under way")
        started.send(signal.SIGTERM, whole_group=False)
        started.release()
        finish(started, code=1)
    assert [each.state for each in scoring(cluster, before)] == ["COMPLETED"]
    # The scores are what they were: nothing follows from them, and the next run has nothing to do.
    assert unscored.run(*TARGETS).ran == set()


@pytest.mark.exhaustive
def test_the_master_is_killed_and_started_again_while_its_job_goes_on(
    tiny: OnCluster, cluster: Cluster, corrected: tuple[Tables, dict[str, bytes]]
) -> None:
    """In between a label is corrected: what the earlier job has computed is out of date."""
    judgments = "beta/judgments/people.parquet"
    (tiny.results / judgments).unlink()
    tiny.hold_written(judgments)
    with tiny.start(f"results/tiny/{judgments}", *TARGETS) as started:
        process = started.wait_for_hold()
        started.kill(whole_group=False)
        tiny.more.clear()
        tiny.correct_a_label()
        tiny.run(*TARGETS)
        (earlier,) = tiny.running()
        assert Path(f"/proc/{process}").exists()
        assert (tiny.tables(), tiny.computed()) == corrected
        started.release()
        wait_until(lambda: not tiny.running())
    assert cluster.completed()[earlier] == "FAILED"
    assert (tiny.tables(), tiny.computed()) == corrected
    assert tiny.leftovers() == []


@pytest.mark.exhaustive
def test_a_job_of_a_killed_run_that_starts_late_does_not_begin(
    tiny: OnCluster, cluster: Cluster
) -> None:
    """Its Snakemake would delete the files that it is to make, as always before a job."""
    job = InJob(tiny.folder, cluster)
    before = job.files()
    job.belong_to("earlier")
    shown = job.run("score:campaign=tiny,collection=beta,judge=people", code=1).shown
    assert "this job of an earlier run ends" in shown
    assert job.files() == before


@pytest.mark.exhaustive
def test_a_job_of_a_killed_run_does_not_begin_its_next_step(
    tiny: OnCluster, cluster: Cluster
) -> None:
    """Another run begins while the first of its steps gives its last file its name."""
    job = InJob(tiny.folder, cluster)
    before = job.files()
    job.belong_to((job.results / ".run").read_text())
    steps = [f"{rule}:campaign=tiny,collection=beta,judge=people" for rule in ("judge", "score")]
    with job.start(*steps, hold="beta/judgments/people.parquet") as started:
        started.wait_for_hold()
        (job.results / ".run").write_text("later")
        started.release()
        finish(started, code=1)
    after = job.files()
    assert after[SCORES] == before[SCORES]
    assert after.keys() == before.keys()


@pytest.fixture
def disk(tiny: OnCluster) -> Iterator[Path]:
    """A disk of its own for the results, which can be filled."""
    results = tiny.work / "results"
    kept = tiny.work / "kept"
    results.rename(kept)
    results.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", results],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        assert os.environ.get("CI") != "true", mounted.stderr
        pytest.skip(f"a disk of its own needs root: {mounted.stderr}")
    shutil.copytree(kept, results, dirs_exist_ok=True)
    yield results
    subprocess.run(["umount", results], check=True)
    results.rmdir()
    shutil.rmtree(kept)


@pytest.mark.exhaustive
def test_the_disk_is_full(disk: Path, unscored: OnCluster) -> None:
    ballast = disk / "ballast"
    with unscored.start(*TARGETS, "--retries", "0", hold=".score.py") as started:
        started.wait_for_hold()
        with ballast.open("wb") as file:
            free = os.statvfs(disk)
            file.write(bytes(free.f_bavail * free.f_bsize))
        started.release()
        shown = finish(started, code=1)
    assert "The disk is full" in shown
    assert unscored.leftovers() == []
    ballast.unlink()
    unscored.run(*TARGETS)
