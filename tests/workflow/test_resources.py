"""What jobs ask a cluster for is enough for what they take, and not far too much."""

import re
from pathlib import Path

import pytest

from qampaign.running.cluster_resources import AROUND, NEEDS, STUDY
from tests.bench.scale import generate, measure


@pytest.mark.exhaustive
@pytest.mark.outside
def test_jobs_ask_for_the_memory_and_the_time_that_they_take(tmp_path: Path) -> None:
    generate(tmp_path, collections=1, runs=50, questions=20_000)
    measure(tmp_path)
    logs = tmp_path / "work/results/scale/logs"
    rows = 50 * 20_000 + 20_000 + 20_000 * 5  # responses, questions, assessments
    found = set()
    for log in logs.rglob("*.log"):
        rule = log.parent.name if log.parent.parent.parent == logs else log.stem
        text = log.read_text()
        (peak,), (seconds,) = (
            [float(each) for each in re.findall(pattern, text)]
            for pattern in (r"at most (\d+) MB", r"computed in ([\d.]+) s")
        )
        need = NEEDS.get(rule, STUDY)
        asked = need.memory(rows) - AROUND
        assert peak <= asked <= 5 * peak, f"{rule} takes {peak} MB and asks for {asked}"
        assert seconds <= 60 * need.runtime(rows)
        found.add(rule)
    studies = {"stability", "swap", "sizes", "significance"}
    assert found == {
        "ingest",
        "judge",
        "score",
        "correlate",
        *studies,
        "tabulate",
        "draw",
        "browse",
        "figures",
        "publish",
        "report",
    }


@pytest.mark.parametrize("rule", NEEDS)
def test_every_attempt_asks_for_more(rule: str) -> None:
    need = NEEDS[rule]
    memory = [need.memory(1_000_000, attempt) for attempt in (1, 2, 3)]
    minutes = [need.runtime(1_000_000, 1, attempt) for attempt in (1, 2, 3)]
    assert memory == sorted(set(memory))
    assert minutes == sorted(set(minutes))
