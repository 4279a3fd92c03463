"""Does the cost of a change follow the change? Whole runs, in multiples of a run with nothing to do.

    python -m tests.bench.proportion
    python -m tests.bench.proportion --collections 200 --runs 50 --questions 2000

Processor time of a run and all its jobs, user and system: the clock is too noisy on a shared machine.
The second command is for a campaign of many collections, without studies: what a label in one of
them costs beside what planning takes, and whether anything but that collection is computed.
"""

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from tests.bench.scale import generate
from tests.helpers.pages import files_of

ROOT = Path(__file__).parents[2]
LABELS = "resources/five-papers/clef2009/assessments.csv"


def cost(config: Path, work: Path, *options: str) -> float:
    """The processor seconds of a run."""
    command = [str(Path(sys.executable).with_name("qampaign")), "run", str(config), *options]
    work.mkdir(parents=True, exist_ok=True)
    before = _seconds()
    subprocess.run(command, cwd=work, check=True, capture_output=True)
    return _seconds() - before


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost_from_nothing(config: Path, work: Path) -> float:
    """The processor seconds of a first run: the less of two.

    The first of all may compile loops and charts, which are kept beside the code for all campaigns.
    """
    first = cost(config, work)
    shutil.rmtree(work)
    return min(first, cost(config, work))


def idle_cost(config: Path, work: Path) -> float:
    """The processor seconds of a run with nothing to do: the least of three."""
    return min(cost(config, work) for _ in range(3))


def tell(what: str, seconds: float, idle: float, aim: str) -> None:
    print(
        f"{what}: {seconds:.1f} s, with nothing to do {idle:.2f} s: "
        f"{seconds / idle:.1f} times (aim: {aim})",
        flush=True,
    )


def correct_a_label(path: Path, line: int = 4) -> None:
    """Turn a label of a CSV file from R to W, or back."""
    lines = path.read_text(encoding="utf-8").splitlines()
    other = {"R": "W", "W": "R"}
    lines[line] = re.sub(r",([RW])(?=,|$)", lambda found: f",{other[found[1]]}", lines[line])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_readme_example(folder: Path) -> Path:
    """The files of the README's first steps."""
    folder.mkdir()
    for name, content in files_of(ROOT / "README.md").items():
        (folder / Path(name).name).write_text(content, encoding="utf-8")
    return folder / "config.yaml"


def bench_small(folder: Path) -> None:
    """The README's example and the bundled campaign."""
    example = write_readme_example(folder / "mine")
    seconds = cost_from_nothing(example, folder / "a")
    tell("the README's example", seconds, idle_cost(example, folder / "a"), "at most 3.5")
    shutil.copytree(ROOT / "resources", folder / "resources")
    config = Path(shutil.copy2(ROOT / "config.yaml", folder))
    seconds = cost_from_nothing(config, folder / "b")
    idle = idle_cost(config, folder / "b")
    tell("the bundled campaign", seconds, idle, "at most 25")
    correct_a_label(folder / LABELS)
    tell("a label of clef2009", cost(config, folder / "b"), idle, "at most 6")


def bench_many(folder: Path, collections: int, runs: int, questions: int) -> None:
    """A label in one of many collections."""
    generate(folder, collections, runs, questions)
    path = folder / "config.yaml"
    config = yaml.safe_load(path.read_text())
    config["defaults"]["studies"] = {}
    path.write_text(yaml.safe_dump(config, sort_keys=False))
    print(f"{collections} collections of {runs} runs x {questions:,} questions", flush=True)
    print(f"from nothing: {cost(path, folder / 'work'):.0f} s", flush=True)
    idle = idle_cost(path, folder / "work")
    labels = folder / "c00003/assessments.csv"
    content = labels.read_bytes()
    labels.unlink()  # other collections have links to it
    labels.write_bytes(content)
    correct_a_label(labels)
    seconds = cost(path, folder / "work")
    print(f"nothing to do: {idle:.1f} s; a label: {seconds:.1f} s, {seconds - idle:.1f} s more")
    for log in sorted((folder / "work/results/scale/logs").rglob("*.log")):
        if log.stat().st_mtime > labels.stat().st_mtime:
            (own,) = re.findall(r"took ([\d.]+) s of processor time", log.read_text())
            print(f"    {own:>6} s  {log.relative_to(folder / 'work/results/scale/logs')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--collections", type=int, default=0)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--questions", type=int, default=2000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="proportion-") as made:
        folder = Path(made)
        if given.collections:
            bench_many(folder, given.collections, given.runs, given.questions)
        else:
            bench_small(folder)


if __name__ == "__main__":
    main()
