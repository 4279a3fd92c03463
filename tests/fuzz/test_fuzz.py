"""Whatever happens between two runs, the same command gives what a run from nothing gives.

Files, config, code, clock, results and what Snakemake keeps are changed at random, runs are killed
at random moments; results are compared byte by byte.
"""

import shlex
import sys

import pytest

from tests.fuzz.fuzzing import World, find_difference, sequence
from tests.fuzz.steps import CODE
from tests.helpers.cases import first
from tests.helpers.tiny_campaign import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm process forks")


@pytest.mark.outside
@pytest.mark.parametrize(
    ("size", "seed", "steps"),
    first(1, [("small", 1, 2), ("world", 1, 6), ("world", 2, 12), ("world", 3, 12)]),
)
def test_random_changes_give_what_a_run_from_nothing_gives(
    request: pytest.FixtureRequest, size: str, seed: int, steps: int
) -> None:
    world: World = request.getfixturevalue(size)
    words = sequence(seed, steps, most=4)  # a check takes most of the time
    found = find_difference(world, words)
    if found is not None:
        number, difference = found
        again = shlex.quote(" ".join(words[: number + 1]))
        log = "\n".join(world.log)
        pytest.fail(f"{log}\n{difference}\npython -m tests.fuzz --replay {again}", pytrace=False)


@pytest.mark.parametrize("module", CODE)
def test_every_edit_of_code_finds_its_place(module: str) -> None:
    text = (ROOT / "workflow/qampaign" / module).read_text(encoding="utf-8")
    assert CODE[module][0] in text
