"""Random sequences of steps, each checked against a run from nothing.

A sequence is a list of words such as `edit:4711`: a step and the number from which all its chance
comes, so that a step does the same whatever stands before it, as far as there is something to do.
"""

import shutil
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz import runs, steps
from tests.fuzz.comparing import Difference, FromNothing, contents, differences, write_parcels
from tests.fuzz.fuzz_campaign import CONFIG, Fuzzed
from tests.helpers.tiny_campaign import restore as restore_folder
from tests.helpers.warm import Warm

assert runs.STEPS is steps.STEPS  # the steps that run something are among them

CRASHED = "; details in "
"""What is shown of an error that nobody has foreseen: it is no refusal."""


@dataclass
class Counts:
    """What was done, for the end of the day."""

    steps: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    refused: int = 0
    kills: int = 0
    dry_runs: int = 0
    differences: int = 0


class World:
    """A campaign, what a run from nothing gives, and what has happened since the last check."""

    def __init__(self, folder: Path, warm: Warm) -> None:
        self.place, self.kept = folder / "place", folder / "kept"
        self.campaign = Fuzzed(self.place, warm)
        self.good = folder / "good"
        self.reference = FromNothing(folder / "from-nothing")
        self.counts = Counts()
        self.log: list[str] = []
        self.tell: Callable[[str], object] | None = None
        self.damaged = False
        self.spoiled: list[Path] = []
        self.seconds = 5.0  # what a run takes, more or less
        self.said_nothing_to_do: bool | None = None

    def create(self, config: str = CONFIG) -> "World":
        """Run the campaign once from nothing, and keep all that is there then."""
        self.campaign.create(config)
        self.campaign.run()
        shutil.copytree(self.place, self.kept)
        self.restore()
        return self

    def restore(self) -> None:
        """The finished campaign as it was at first."""
        restore_folder(self.place, self.kept)
        self.damaged, self.spoiled, self.said_nothing_to_do = False, [], None
        self._remember()

    def _remember(self) -> None:
        """Keep the raw files: what was refused is undone by going back to them."""
        shutil.rmtree(self.good, ignore_errors=True)
        shutil.copytree(self.campaign.data, self.good)

    def repair(self) -> None:
        """Go back to the raw files that were good last."""
        shutil.rmtree(self.campaign.data)
        shutil.copytree(self.good, self.campaign.data, copy_function=shutil.copyfile)

    def note(self, word: str, said: str) -> None:
        """Keep what a step did, and tell it to those who want to know at once."""
        self.log.append(f"{word:<36} {said}")
        if self.tell:
            self.tell(self.log[-1])

    def take(self, word: str) -> None:
        """Do one word of a sequence."""
        name, _, number = word.partition(":")
        if name == "check":
            self.check(Random(number))
            return
        said = steps.STEPS[name][0](self, Random(number))
        self.note(word, said or "(nothing to do)")
        if said:
            self.counts.steps[name] += 1
            if name != "dry_run":
                self.said_nothing_to_do = None

    def check(self, chance: Random | None = None) -> None:
        """Run the campaign by the same command: it must give what a run from nothing gives.

        With chance, now and then by the real command, or twice: the second run has nothing to do.
        """
        self.counts.checks += 1
        pending = self.reference.begin(self.campaign)
        try:
            code, shown = self.run(real=chance is not None and chance.random() < 0.02)
        finally:
            expected = pending.outcome()
        if CRASHED in expected.shown:
            raise Difference("a run from nothing crashed:", expected.shown)
        if expected.content is None:
            self.counts.refused += 1
            self.note("check", f"refused, undone: {reason(expected.shown)}")
            if code == 0:
                raise Difference("accepted what a run from nothing refuses:", expected.shown)
            self.repair()
            return
        if code and any(path.name in shown for path in self.spoiled):
            for path in self.spoiled:  # it says what to do with a damaged file
                path.unlink(missing_ok=True)
            code, shown = self.run()
        if code:
            raise Difference(f"ended with {code}, and a run from nothing with 0:", shown)
        nothing = "Nothing to do" in shown
        write_parcels(self.campaign, names=pending.with_names)
        found = differences(contents(self.campaign), expected.content)
        if found:
            raise Difference("\n  ".join([f"{len(found)} differences:", *found[:8]]), shown)
        self.note("check", "as from nothing" + ", nothing to do" * nothing)
        if self.said_nothing_to_do and not nothing:
            raise Difference("a dry run said that nothing was to be done, then:", shown)
        if chance is not None and chance.random() < 0.2:
            _, again = self.run()
            if "Nothing to do" not in again:
                raise Difference("a second run did not rest:", again)
        self.damaged, self.spoiled, self.said_nothing_to_do = False, [], None
        self._remember()

    def run(self, *options: str, real: bool = False) -> tuple[int, str]:
        """Run the campaign to its end, by the real command or in the warm process."""
        begun = time.monotonic()
        with self.campaign.start(*options, real=real) as run:
            code = run.wait()
        if "Done:" in run.shown and not real:  # it had something to do
            self.seconds = (self.seconds + time.monotonic() - begun) / 2
        return code, run.shown


def reason(shown: str) -> str:
    """Why a run was refused, from what it showed: its first fault.

    >>> reason("Using a profile.\\nThe config cannot be used:\\n  c.yaml, line 2: no run is called x")
    'c.yaml, line 2: no run is called x'
    """
    lines = [line for line in shown.splitlines() if line.strip()]
    faults = [line.strip() for line in lines if line.startswith("  ")]
    return (faults or lines or ["nothing was shown"])[0][:200]


def sequence(seed: int, length: int, *, most: int = 3) -> list[str]:
    """A random sequence with so many steps, and a check after one of them or up to `most`."""
    chance = Random(seed)
    names = list(steps.STEPS)
    weights = [steps.STEPS[name][1] for name in names]
    words: list[str] = []
    until_check = chance.randint(1, most)
    for _ in range(length):
        words.append(f"{chance.choices(names, weights)[0]}:{chance.randrange(10**6)}")
        until_check -= 1
        if not until_check:
            words.append(f"check:{chance.randrange(10**6)}")
            until_check = chance.randint(1, most)
    return words if words[-1].startswith("check") else [*words, "check:0"]


def find_difference(world: World, words: list[str]) -> tuple[int, Difference] | None:
    """Take the words of a sequence; gives where and how the first difference came."""
    world.restore()
    world.log.clear()
    for number, word in enumerate(words):
        try:
            world.take(word)
        except Difference as difference:
            return number, difference
    return None


def shrink(
    world: World, words: list[str], *, most: int = 40, tell: Callable[[str], object] = print
) -> list[str]:
    """A shorter sequence that ends in a difference too: words are left out as long as it does."""
    counts, world.counts = world.counts, Counts()  # what is tried here is not counted
    size = max(1, len(words) // 2)
    tried = 0
    while tried < most:
        for start in range(0, len(words) - 1, size):
            shorter = words[:start] + words[min(start + size, len(words) - 1) :]
            tried += 1
            found = find_difference(world, shorter) if shorter != words else None
            if found:
                words = shorter[: found[0] + 1]
                tell(f"  still there with {len(words)} words")
                break
            if tried >= most:
                break
        else:
            if size == 1:
                break
            size //= 2
    world.counts = counts
    return words
