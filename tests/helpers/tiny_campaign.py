"""A tiny campaign under the real Snakemake: edit it, run it, see which jobs ran and what they gave.

A folder of it holds a copy of the project's code (project/), the raw files with their config (data/)
and the directory that Snakemake works in (work/).
"""

import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import yaml

from qampaign.spreadsheets import escape_formulas
from tests.helpers.processes import wait_until

ROOT = Path(__file__).parents[2]

# alpha: 3 runs over 4 questions. By its adjudicated labels (R right, W wrong, U unsupported):
#   a1  Paris R, Rome W, withheld "a river" (R), NIL right     2 right, 1 wrong, 1 unanswered
#   a2  Lyon W, Oslo R, a river R, Bob W                       2 right, 2 wrong
#   a3  Paris R, Rome W (then Oslo), a rock U, no answer       1 right, 2 wrong, 1 unanswered
# c@1 = (right + unanswered * right / 4) / 4: 0.625, 0.5, 0.3125
# beta: 2 runs over 2 questions, which only its assessments name.
#   b1  both right; b2  one right, one wrong                   c@1 1.0, 0.5
CONFIG = """
campaign: tiny
title: A tiny campaign
seed: 7
defaults:
  studies: {significance: {resamples: 100}}
collections:
  alpha:
    questions: alpha/questions.csv
    runs: alpha/runs/*
    assessments: alpha/assessments.csv
    labels: {R: right, W: wrong, U: unsupported}
    judges:
      people: {kind: assessments}
      ana: {kind: assessments, assessor: ana}
    measures: [c_at_1, accuracy, precision_answered]
  beta:
    runs: beta/runs/*
    assessments: beta/assessments.csv
    measures: [c_at_1, accuracy]
"""
FILES = {
    "config.yaml": CONFIG,
    "alpha/questions.csv": """\
question,type,nil
q1,factoid,
q2,factoid,
q3,definition,
q4,factoid,true
""",
    "alpha/runs/a1.csv": """\
question,rank,answer,answered
q1,1,Paris,true
q2,1,Rome,true
q3,1,a river,false
q4,1,NIL,true
""",
    "alpha/runs/a2.csv": """\
question,rank,answer,answered
q1,1,Lyon,true
q2,1,Oslo,true
q3,1,a river,true
q4,1,Bob,true
""",
    "alpha/runs/a3.csv": """\
question,rank,answer,answered
q1,1,Paris,true
q2,1,Rome,true
q2,2,Oslo,true
q3,1,a rock,true
""",
    "alpha/assessments.csv": """\
question,answer,assessor,label
q1,Paris,ana,R
q1,Paris,bob,R
q1,Lyon,ana,R
q1,Lyon,bob,W
q1,Lyon,adjudicated,W
q2,Rome,ana,W
q2,Rome,bob,W
q2,Oslo,ana,R
q2,Oslo,bob,R
q3,a river,ana,R
q3,a river,bob,R
q3,a rock,ana,U
q3,a rock,bob,U
q4,Bob,ana,W
q4,Bob,bob,W
""",
    "beta/runs/b1.csv": "question,rank,answer\np1,1,yes\np2,1,no\n",
    "beta/runs/b2.csv": "question,rank,answer\np1,1,yes\np2,1,perhaps\n",
    "beta/assessments.csv": """\
question,run,rank,label
p1,b1,1,right
p2,b1,1,right
p1,b2,1,right
p2,b2,1,wrong
""",
}

ENDING = {"publish", "report"}
ALPHA = {f"alpha/{rule}/{judge}" for rule in ("judge", "score") for judge in ("people", "ana")}
ALPHA |= {"alpha/agreement/ana", "alpha/correlate", "alpha/significance/people"}
BETA = {
    f"beta/{job}" for job in ("judge/people", "score/people", "correlate", "significance/people")
}
EVERYTHING = {"ingest"} | ALPHA | BETA | ENDING

Tables = dict[str, list[tuple[Any, ...]]]

PROFILE_LINE = re.compile(r"Using workflow specific profile .*\n")

# Python runs this first in every process that has it on its path.
FIRST = """
import os, sys, time
from hashlib import sha256
import vl_convert

# To bundle Vega takes two seconds and gives the same each time: once is enough for all tests.
bundle = vl_convert.javascript_bundle
def bundle_once(snippet):
    if not os.path.exists(kept):
        text = bundle(snippet)
        with open(f"{kept}.{os.getpid()}", "w", encoding="utf-8") as file:
            file.write(snippet + chr(0) + text)
        os.replace(file.name, kept)
    with open(kept, encoding="utf-8") as file:
        of, _, text = file.read().partition(chr(0))
    return text if of == snippet else bundle(snippet)
kept = os.environ["BUNDLE"]
vl_convert.javascript_bundle = bundle_once
# What figures look like is told by the tests of the report: here that they are of the same rows.
def draw(*given, **options):
    return f"<svg>{sha256(repr((given, options)).encode()).hexdigest()}</svg>"
vl_convert.vegalite_to_svg = draw
vl_convert.svg_to_png = vl_convert.vegalite_to_png = lambda *given, **options: b"a picture"

# The process that is to give a certain file its final name, or to run a certain script, says so and
# waits, so that a test can look around, or kill.
def wait_at(place):
    if str(place).endswith(wanted):
        with open(gate + "/reached", "w") as reached:
            reached.write(str(os.getpid()))
        while not os.path.exists(gate + "/open"):
            time.sleep(0.01)
def wait_and_replace(source, target, **options):
    wait_at(target)
    replace(source, target, **options)
if "HOLD" in os.environ:
    wanted, gate = os.environ["HOLD"].split("|")
    replace = os.replace
    os.replace = wait_and_replace
    wait_at(sys.orig_argv[-1])
"""


@dataclass(frozen=True)
class Ended:
    """What a run showed, without the line about the profile, and the jobs that it finished."""

    shown: str
    ran: set[str]


@dataclass(frozen=True)
class Started:
    """A run that is under way."""

    process: subprocess.Popen[str]
    gate: Path

    def wait_for_hold(self) -> int:
        """The number of the process that waits where it was told to."""
        reached = self.gate / "reached"
        wait_until(lambda: reached.exists() and reached.read_text() != "")
        return int(reached.read_text())

    def release(self) -> None:
        (self.gate / "open").touch()

    def kill(self, *, whole_group: bool) -> None:
        kill = os.killpg if whole_group else os.kill
        kill(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Tiny:
    """A tiny campaign in a folder."""

    def __init__(self, folder: Path, *, data: str = "data", work: str = "work") -> None:
        self.folder = folder
        self.project = folder / "project"
        self.data = folder / data
        self.work = folder / work
        self.results = self.work / "results" / "tiny"

    def create(self) -> "Tiny":
        """Copy the code, and write the raw files."""
        copy_code(self.project)
        self.work.mkdir(parents=True)
        for name, text in FILES.items():
            self.write(name, text)
        return self

    # the raw files and the config

    def read(self, name: str) -> str:
        return (self.data / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        path = self.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Change a text that a raw file has once."""
        replace_in(self.data / name, old, new)

    def correct_a_label(self) -> None:
        """The answer of b2 to p2 is right after all: its c@1 is 1."""
        self.replace("beta/assessments.csv", "p2,b2,1,wrong", "p2,b2,1,right")

    def edit_code(self, module: str, old: str, new: str) -> None:
        """Change a text that a module of the package has once."""
        replace_in(self.project / "workflow" / "qampaign" / module, old, new)

    def configure(self, edit: Callable[[dict[str, Any]], object]) -> None:
        """Change the config."""
        config = yaml.safe_load(self.read("config.yaml"))
        edit(config)
        self.write("config.yaml", yaml.safe_dump(config, sort_keys=False, allow_unicode=True))

    # runs

    def command(self, *options: str) -> list[str]:
        # As a person gives it, not as python -m snakemake, which looks for modules in its directory.
        return [
            str(Path(sys.executable).with_name("snakemake")),
            *("--snakefile", str(self.project / "Snakefile")),
            *("--workflow-profile", str(self.project / "workflow/profiles/default")),
            *("--configfile", str(self.data / "config.yaml")),
            *("--directory", str(self.work)),
            *("--cores", "2"),
            *options,
        ]

    def run(self, *options: str, code: int = 0) -> Ended:
        """Run the workflow to its end."""
        return self.call(self.command(*options), code=code)

    def call(self, command: list[str], *, cwd: Path | None = None, code: int = 0) -> Ended:
        """Run a command with the code of this copy."""
        before = self.benchmarks()
        ended = subprocess.run(
            command,
            cwd=cwd or self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert ended.returncode == code, ended.stdout
        after = self.benchmarks()
        ran = {name for name, changed in after.items() if changed != before.get(name)}
        return Ended(PROFILE_LINE.sub("", ended.stdout), ran)

    @contextmanager
    def start(self, *options: str, hold: str = "") -> Iterator[Started]:
        """Start a run in a process group of its own; a process that makes the file `hold` waits."""
        gate = self.folder / "gate"
        shutil.rmtree(gate, ignore_errors=True)
        gate.mkdir()
        environment = self.environment()
        if hold:
            environment["HOLD"] = f"{hold}|{gate}"
        with subprocess.Popen(
            self.command(*options),
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        ) as process:
            try:
                yield Started(process, gate)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)

    def environment(self) -> dict[str, str]:
        """The environment of a user who has this copy installed, and nothing else of note."""
        kept = {name: text for name, text in os.environ.items() if "SNAKEMAKE" not in name}
        return kept | {
            "PYTHONPATH": os.pathsep.join([str(self.project / "workflow"), str(first())]),
            "BUNDLE": str(first() / "bundle"),
            "TERM": "dumb",
        }

    # results

    def benchmarks(self) -> dict[str, tuple[int, int]]:
        """When each job was finished last: Snakemake then writes a file anew."""
        folder = self.results / "benchmarks"
        found = {}
        for path in folder.rglob("*.tsv"):
            status = path.stat()
            name = path.relative_to(folder).with_suffix("").as_posix()
            found[name] = (status.st_ino, status.st_mtime_ns)
        return found

    def tables(self) -> Tables:
        """The published tables, but for times; the database and the CSV files agree on them."""
        tables = {}
        with duckdb.connect(str(self.results / "results.duckdb"), read_only=True) as connection:
            for (name,) in connection.sql("SHOW TABLES").fetchall():
                frame = connection.sql(f'FROM "{name}"').pl()
                tables[name] = frame.rows()
                path = self.results / "report/tables" / f"{name}.csv"
                assert path.read_text(encoding="utf-8") == escape_formulas(frame).write_csv()
        assert len(list(path.parent.glob("*.csv"))) == len(tables)
        times = ("time", "seconds")
        tables["provenance"] = [row for row in tables["provenance"] if row[0] not in times]
        return tables

    def computed(self) -> dict[str, bytes]:
        """Every result file that holds no times, byte for byte."""
        return {
            path.relative_to(self.results).as_posix(): path.read_bytes()
            for pattern in ("*/*/*.parquet", "report/tables/*.csv", "config.yaml")
            for path in self.results.glob(pattern)
            if path.name != "provenance.csv"
        }

    def files(self) -> dict[str, tuple[int, int, bytes]]:
        """Every file of the results: which it is, its time and its content."""
        found = {}
        for path in sorted(self.results.rglob("*")):
            if path.is_file():
                status = path.stat()
                about = (status.st_ino, status.st_mtime_ns, path.read_bytes())
                found[path.relative_to(self.results).as_posix()] = about
        return found

    def leftovers(self) -> list[str]:
        """Files that were to be renamed and were not."""
        return [path.name for path in self.work.rglob("*.part*")]

    def values(
        self, measure: str = "c_at_1", collection: str = "alpha", judge: str = "people"
    ) -> dict[str, float | None]:
        """The value of each run over all questions."""
        with duckdb.connect(str(self.results / "results.duckdb"), read_only=True) as connection:
            rows = connection.execute(
                """SELECT run, value FROM scores
                WHERE collection = ? AND judge = ? AND measure = ? AND slice = 'all'""",
                [collection, judge, measure],
            ).fetchall()
        return dict(rows)


@cache
def first() -> Path:
    """A folder with what every process of a test runs first."""
    folder = Path(tempfile.mkdtemp(prefix="qampaign-"))
    atexit.register(shutil.rmtree, folder)
    (folder / "sitecustomize.py").write_text(FIRST)
    return folder


def finish(folder: Path) -> tuple[Path, Path]:
    """Run a campaign to its end: a place where it is, and a copy of all that is there then."""
    place, kept = folder / "place", folder / "kept"
    assert Tiny(place).create().run().ran == EVERYTHING
    shutil.copytree(place, kept)
    return place, kept


def restore(place: Path, kept: Path) -> Tiny:
    """The finished campaign as it was, at the place where it was made."""
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    return Tiny(place)


def copy_code(project: Path) -> None:
    """Copy what Snakemake and the jobs run."""
    project.mkdir(parents=True)
    shutil.copy2(ROOT / "Snakefile", project)
    for folder in ("workflow", "scripts"):
        shutil.copytree(ROOT / folder, project / folder)


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")
