"""The runs that a config names are looked for in the files, with all other faults of the input."""

from pathlib import Path
from typing import Any

import pytest

from qampaign.config.gate import runs_asked
from qampaign.config.ingest_params import collection_files
from qampaign.input.named_runs import check_named_runs
from qampaign.problems import Problems
from tests.config.test_campaign import read

CONFIG = """campaign: mine
collections:
  demo:
    runs: runs.csv
    assessments: assessments.csv
    measures: [accuracy, c_at_1]
    derived: {silent: {from: a, where: "rank = 1", set: {answered: false}}}
    baselines: [answers_nothing, oracle_withholding]
    comparisons: %s
  plain:
    runs: others.csv
    assessments: assessments.csv
    measures: [accuracy]
overall: {measure: accuracy}
%s
"""
RUNS = {"demo": ["a", "b"], "plain": ["b", "c"]}


def faults(
    folder: Path, comparisons: str = "[]", gate: str = "", partial: tuple[str, ...] = ()
) -> list[Any]:
    """The names that are refused, each with the place."""
    campaign = read(folder, CONFIG % (comparisons, gate and f"gate: {gate}"))
    problems = Problems()
    check_named_runs(
        list(collection_files(campaign)),
        runs_asked(campaign.gate, campaign.collections, campaign.overall),
        RUNS.__getitem__,
        partial,
        problems,
    )
    return [] if not len(problems) else problems.summary("").splitlines()[1:]


MADE = "[[a, silent], [answers_nothing, b], ['oracle_withholding(b)', a]]"


@pytest.mark.parametrize(
    ("comparisons", "gate"),
    [
        (MADE, ""),
        ("[{against: a}]", "[accuracy of c > 0, c_at_1 of silent > 0]"),
        ("[]", "[accuracy of b not significantly below c]"),
        ("[]", "[accuracy of a in overall not significantly below c]"),  # no collection has both
        ("[]", "[every published figure comes out]"),
    ],
)
def test_names_of_runs_what_if_runs_and_baselines_are_known(
    tmp_path: Path, comparisons: str, gate: str
) -> None:
    assert faults(tmp_path, comparisons, gate) == []


def test_unknown_names_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    gate = """[accuracy of x > 0, c_at_1 of c > 0, accuracy of a in plain > 0, accuracy of y in overall > 0,
        accuracy of a not below c by more than 0.1]"""
    known = "a, b, silent, answers_nothing, oracle_withholding(a), oracle_withholding(b)"
    every = f"{known}, c"
    assert sorted(faults(tmp_path, "[[a, z]]", gate)) == sorted(
        [
            f"  the config: 'z' in collections.demo.comparisons is not a run; allowed: {known}",
            f"  the config: 'x' in gate (accuracy of x > 0) is not a run; allowed: {every}",
            "  the config: 'c' in gate (c_at_1 of c > 0) is a run of plain, and no collection that has it "
            f"has the measure c_at_1; allowed: a run of demo: {known}",
            "  the config: 'a' in gate (accuracy of a in plain > 0) is not a run of plain; allowed: b, c",
            f"  the config: 'y' in gate (accuracy of y in overall > 0) is not a run; allowed: {every}",
            "  the config: 'a' in gate (accuracy of a not below c by more than 0.1) is in no collection "
            "that has c, too; allowed: two runs of one collection",
        ]
    )


def test_nothing_is_said_of_a_collection_with_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert faults(tmp_path, "[[a, z]]", "[accuracy of x > 0]", partial=("demo",)) == []


def test_what_the_collection_of_a_pair_lacks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = "  bare: {runs: r.csv, assessments: assessments.csv, measures: [answered]}\n"
    changed = CONFIG.replace("overall: {measure: accuracy}\n", bare)
    monkeypatch.setitem(globals(), "CONFIG", changed)
    monkeypatch.setitem(RUNS, "bare", ["a", "c"])
    condition = "accuracy of a not below c by more than 0.1"
    assert faults(tmp_path, gate=f"[{condition}]") == [
        f"  the config: 'a' in gate ({condition}) is in no collection that has c, too, and the measure "
        "accuracy; allowed: two runs of demo, plain"
    ]


def test_the_run_that_was_meant_is_named_first(tmp_path: Path) -> None:
    first, second = faults(tmp_path, "[[a, sillent]]", "[accuracy of sillent > 0]")
    for line in (first, second):
        assert "is not a run; allowed: silent (close), or a, b, silent, answers_nothing" in line
