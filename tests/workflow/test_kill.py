"""A run that is killed, at any moment: the same command goes on to the same results."""

import os
import random
import re
import shutil
import signal
import sys
import time

import pytest

from tests.helpers.processes import is_running, wait_until
from tests.helpers.tiny_campaign import Ended, Tables, Tiny

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")

GOES_ON = re.compile(r"((\[[ \d]+/[\d?]+\]|  ) .*\n)+Report: .*\nDone: .*\n|Nothing to do: .*\n")


def assert_goes_on(tiny: Tiny, tables: Tables) -> None:
    """The same command goes on, asks for nothing, and leaves what an undisturbed run leaves."""
    assert GOES_ON.fullmatch(tiny.run().shown)
    assert tiny.tables() == tables
    assert tiny.leftovers() == []


# The file that is about to get its name, and what is true at that moment.
@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("hold", "whole_group"),
    [
        # the database is new, its fingerprint old
        pytest.param("fingerprints/beta/assessments", False, marks=pytest.mark.exhaustive),
        # everything is loaded, and nobody says so
        pytest.param("ingest.json", True, marks=pytest.mark.exhaustive),
        ("beta/judgments/people.parquet", False),  # of the two files of a job one is there
        ("results.duckdb", True),
        # the database is published, its tables are not
        pytest.param("tables/counts.csv", False, marks=pytest.mark.exhaustive),
    ],
)
def test_killed_at_a_bad_moment(
    tiny: Tiny, corrected: tuple[Ended, Tables], hold: str, whole_group: bool
) -> None:
    tiny.correct_a_label()
    with tiny.start(hold=hold, real=True) as started:
        job = started.wait_for_hold()
        started.kill(whole_group=whole_group)
        wait_until(lambda: not is_running(job))  # no job outlives its Snakemake
    assert tiny.leftovers() != []
    assert_goes_on(tiny, corrected[1])


def test_a_signal_while_snakemake_decides_what_ingest_leads_to(tiny: Tiny) -> None:
    tiny.correct_a_label()
    os.utime(tiny.results / "alpha/scores/people.parquet", (0, 0))  # its record is renewed then
    with tiny.start(hold="records/alpha/score/people.json") as started:
        snakemake = started.wait_for_hold()
        started.send(signal.SIGTERM, whole_group=False)
        time.sleep(0.5)  # for the signal to be handled while the decision is held up
        started.release()
        wait_until(lambda: not is_running(snakemake), 60)
        assert started.wait() != 0


@pytest.mark.exhaustive
def test_a_job_whose_snakemake_is_killed_before_it_begins_does_not_begin(tiny: Tiny) -> None:
    tiny.correct_a_label()
    before = (tiny.results / "campaign.duckdb").read_bytes()
    with tiny.start(hold=".ingest.py", real=True) as started:
        job = started.wait_for_hold()
        started.kill(whole_group=False)
        assert is_running(job)
        started.release()
        wait_until(lambda: not is_running(job))
    assert (tiny.results / "campaign.duckdb").read_bytes() == before
    assert not (tiny.results / "ingest.json").exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(8))
def test_killed_at_any_moment(tiny: Tiny, corrected: tuple[Ended, Tables], number: int) -> None:
    chance = random.Random(number)
    tables = corrected[1]
    if number % 4 == 0:
        shutil.rmtree(tiny.results)
        tables = tables | {"changes": []}  # there was nothing before
    tiny.correct_a_label()
    with tiny.start(real=True) as started:
        time.sleep(chance.uniform(1, 7))
        started.kill(whole_group=number % 2 == 1)
    assert_goes_on(tiny, tables)
