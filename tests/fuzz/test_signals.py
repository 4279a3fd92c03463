"""A signal during any stage: the run ends, the earlier tables can be read, the same command goes on."""

import signal
import sys

import duckdb
import pytest

from tests.fuzz import runs
from tests.fuzz.fuzzing import World

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm process forks")

STAGES = {
    "ingest": "ingest.json",
    "judge": "alpha/judgments/people.parquet",
    "score": "alpha/scores/people.parquet",
    "study": "alpha/intervals/people.parquet",
    "publish": "report/tables/scores.csv",
    "report": "report/index.html",
}
"""The file that a job of each stage is about to give its name when the signal comes."""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("stage", "number"),
    [
        (stage, number)
        for stage in STAGES
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    ],
)
def test_a_signal_during_a_stage(small: World, stage: str, number: signal.Signals) -> None:
    small.campaign.replace("alpha/assessments/1.csv", "q2,forty km,ana,R", "q2,forty km,ana,W")
    database = small.campaign.results / "results.duckdb"
    whole_group = number != signal.SIGTERM  # as a terminal sends Ctrl-C and its own end
    runs.stop_at(small.campaign, STAGES[stage], number, whole_group=whole_group)
    assert database.exists()
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.sql("SELECT count(*) FROM scores").fetchall() != [(0,)]
    small.check()
