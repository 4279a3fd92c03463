"""Steps that run something between two checks: a look, a part of the whole, a kill, a bad edit."""

import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from tests.fuzz.comparing import Difference
from tests.fuzz.fuzz_campaign import Fuzzed
from tests.fuzz.steps import STEPS, Said, read_rows, short, step, write_rows

if TYPE_CHECKING:
    from tests.fuzz.fuzzing import World

__all__ = ["STEPS"]

TARGETS = ["published.json", "report/index.html", "alpha/scores/people.parquet", "ingest.json"]


def files(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Every file below a folder: which it is, its time and its content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            status = path.stat()
            name = path.relative_to(folder).as_posix()
            found[name] = (status.st_ino, status.st_mtime_ns, path.read_bytes())
    return found


def shown_to_people(campaign: Fuzzed) -> dict[str, bytes]:
    """What people look at: the report with its tables, the database and the config."""
    return {
        name: content
        for name, (_, _, content) in files(campaign.results).items()
        if name.startswith("report/") or name in ("config.yaml", "results.duckdb")
    }


@step(4)
def dry_run(world: "World", _chance: Random) -> Said:
    """Look what would be done: nothing may change by that."""
    before = files(world.campaign.results)
    code, shown = world.run("--dry-run")
    changed = {name for name, about in files(world.campaign.results).items()
               if about != before.pop(name, None)} | before.keys()  # fmt: skip
    if changed:
        raise Difference(f"a dry run changed {sorted(changed)}")
    world.counts.dry_runs += 1
    world.said_nothing_to_do = "Nothing to do" in shown
    return f"dry run, exit code {code}"


@step(3)
def make_a_target(world: "World", chance: Random) -> Said:
    """Ask for one file."""
    target = chance.choice(TARGETS)
    code, _ = world.run(f"results/fuzzed/{target}")
    return f"{target} asked for, exit code {code}"


@step(8)
def kill(world: "World", chance: Random) -> Said:
    """Start a run, and end it after a while by a signal, to it or to all its processes."""
    number = chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
    whole_group = chance.random() < 0.5
    delay = chance.uniform(0.2, 1.1) * min(world.seconds, 30)
    real = chance.random() < 0.05
    with world.campaign.start(real=real) as run:
        time.sleep(delay + real)
        run.send(number, whole_group=whole_group)
        run.wait()
    world.counts.kills += 1
    world.damaged = True
    to = "all its processes" if whole_group else "the run"
    how = ", the real command" if real else ""
    return f"{number.name} to {to} after {delay:.1f} s{how}"


def stop_at(campaign: Fuzzed, file: str, number: int, *, whole_group: bool) -> None:
    """Send a signal to a run whose job is about to give a file its name; then let it go on."""
    with campaign.start(hold=file) as run:
        run.wait_for_hold()
        run.send(number, whole_group=whole_group)
        time.sleep(0.5)  # Snakemake takes note
        run.release()
        run.wait()


# bad edits


def set_cell(name: str, column: str, value: str) -> Callable[[Fuzzed, Random], str]:
    """Write a value into a cell of the column of a raw file."""

    def spoil(campaign: Fuzzed, chance: Random) -> str:
        path = chance.choice(sorted(campaign.data.glob(name)))
        rows = read_rows(path)
        chance.choice(rows)[column] = value
        write_rows(path, rows)
        return f"{short(campaign, path)}: {column} {value}"

    return spoil


def set_value(*path: str, value: Any) -> Callable[[Fuzzed, Random], str]:
    """Write a value into the config."""

    def edit(config: dict[str, Any]) -> None:
        for key in path[:-1]:
            config = config[key]
        config[path[-1]] = value

    def spoil(campaign: Fuzzed, _chance: Random) -> str:
        campaign.configure(edit)
        return f"config: {'.'.join(path)} {value}"

    return spoil


ALPHA = ("collections", "alpha")
BAD = [
    set_cell("alpha/assessments/*", "label", "Q"),
    set_cell("beta/assessments.csv", "label", "perhaps"),
    set_cell("alpha/runs/*", "confidence", "sure"),
    set_cell("gamma/runs/*.csv", "answer", "maybe"),
    set_cell("alpha/gpt.csv", "question", "q99"),
    set_cell("labelled/sheet.csv", "probability", "2"),
    set_cell("logged/*/*.jsonl", "doc_id", ""),
    set_cell("alpha/patterns.csv", "pattern", "(("),
    set_cell("alpha/published/paper.csv", "published", "many"),
    set_cell("alpha/published/paper.csv", "run", "nobody"),
    set_cell("alpha/published/paper.csv", "table", "scoers"),
    set_value(*ALPHA, "measurse", value=["accuracy"]),
    set_value(*ALPHA, "measures", value=["acuracy"]),
    set_value(*ALPHA, "reference", value="nobody"),
    set_value("collections", "labelled", "judges", "gpt", "corrected_by", value="nobody"),
    set_value("collections", "logged", "judges", "logged", "scorer", value="nobody"),
    set_value(*ALPHA, "run_info", value="alpha/nowhere.csv"),
    set_value(*ALPHA, "derived", value={"d": {"from": "a1", "where": "(", "set": {"answer": "x"}}}),
]


@step(6)
def bad_edit(world: "World", chance: Random) -> Said:
    """Make a bad edit, run, and repair it: it is refused, and earlier results are as they were."""
    campaign = world.campaign
    world.run()  # what was edited before may change results, and what refuses the run is the bad edit
    kept = {path: path.read_bytes() for path in campaign.data.rglob("*") if path.is_file()}
    try:
        said = chance.choice(BAD)(campaign, chance)
    except (IndexError, KeyError, FileNotFoundError):
        return None
    before = shown_to_people(campaign)
    target = [f"results/fuzzed/{chance.choice(TARGETS[:2])}"] if chance.random() < 0.4 else []
    code, shown = world.run(*target)
    for path, content in kept.items():
        if path.read_bytes() != content:
            path.write_bytes(content)
    world.counts.refused += 1
    asked = f", {target[0]} asked for" if target else ""
    if code == 0:
        raise Difference(f"a bad edit was accepted ({said}{asked}):", shown)
    if "Traceback" in shown:
        raise Difference(f"a bad edit was refused with a stack of frames ({said}):", shown)
    after = shown_to_people(campaign)
    lost = sorted(name for name in before if after.get(name) != before[name])
    if lost and not world.damaged:
        names = ", ".join(lost[:5])
        raise Difference(f"a bad edit ({said}) cost {len(lost)} files: {names}", shown)
    return f"bad edit refused and repaired: {said}{asked}"
