"""A tiny campaign under the real Snakemake: edit it, run it, see which jobs ran and what they gave.

A folder of it holds a copy of the project's code (project/), the raw files with their config (data/)
and the directory that Snakemake works in (work/).
"""

import atexit
import os
import re
import shutil
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
from qampaign.tables import LONG
from tests.helpers.processes import RealRun, Run
from tests.helpers.warm import Warm, WarmRun

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


def shown(collection: str) -> set[str]:
    """The jobs that make the tables of a collection, and what the report shows of it."""
    return {f"{collection}/{job}" for job in ("tabulate", "draw", "browse", "figures")}


ALPHA = shown("alpha") | {
    f"alpha/{rule}/{judge}" for rule in ("judge", "score") for judge in ("people", "ana")
}
ALPHA |= {"alpha/agreement/ana", "alpha/correlate", "alpha/significance/people"}
BETA = shown("beta") | {
    f"beta/{job}" for job in ("judge/people", "score/people", "correlate", "significance/people")
}
EVERYTHING = {"ingest"} | ALPHA | BETA | ENDING

Tables = dict[str, list[tuple[Any, ...]]]

PROFILE_LINE = re.compile(r"Using workflow specific profile .*\n")

# Python runs this first in every process that has it on its path.
FIRST = """
import os, runpy, sys, time
from hashlib import sha256
import vl_convert

# What figures look like is told by the tests of the report: here that they are of the same rows.
def draw(*given, **options):
    return f"<svg>{sha256(repr((given, options)).encode()).hexdigest()}</svg>"
vl_convert.vegalite_to_svg = draw
vl_convert.svg_to_png = lambda *given, **options: b"a picture"

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
    run_path = runpy.run_path
    def wait_and_run(path, **options):  # a job that is forked
        wait_at(path)
        return run_path(path, **options)
    runpy.run_path = wait_and_run
    wait_at(sys.orig_argv[-1])
"""


@dataclass(frozen=True)
class Ended:
    """What a run showed, without the line about the profile, and the jobs that it finished."""

    shown: str
    ran: set[str]


class Tiny:
    """A tiny campaign in a folder.

    Its runs are forked by the warm process where there is one, unless the real command is asked
    for: by that Snakemake and every job start as they do for a person.
    """

    def __init__(
        self, folder: Path, warm: Warm | None = None, *, data: str = "data", work: str = "work"
    ) -> None:
        self.folder = folder
        self.warm = warm
        self.project = folder / "project"
        self.data = folder / data
        self.work = folder / work
        self.results = self.work / "results" / "tiny"
        self.gate = folder / "gate"

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

    def run(self, *options: str, code: int = 0, real: bool = False) -> Ended:
        """Run the workflow to its end."""
        return self.call(self.command(*options), code=code, real=real)

    def call(
        self, command: list[str], *, cwd: Path | None = None, code: int = 0, real: bool = False
    ) -> Ended:
        """Run a command with the code of this copy, to its end."""
        before = self.benchmarks()
        with killed_at_the_end(self.begin(command, cwd=cwd, real=real)) as run:
            ended = run.wait()
        assert ended == code, run.shown
        after = self.benchmarks()
        ran = {name for name, changed in after.items() if changed != before.get(name)}
        return Ended(PROFILE_LINE.sub("", run.shown), ran)

    @contextmanager
    def start(self, *options: str, hold: str = "", real: bool = False) -> Iterator[Run]:
        """Start a run; the process that makes the file `hold` waits."""
        with killed_at_the_end(self.begin(self.command(*options), hold=hold, real=real)) as run:
            yield run

    def begin(
        self, command: list[str], *, cwd: Path | None = None, hold: str = "", real: bool = False
    ) -> Run:
        cwd, environment = cwd or self.folder, self.environment()
        if hold:
            self.shut_gate()
            environment["HOLD"] = f"{hold}|{self.gate}"
        if self.warm is None or real:
            return RealRun(command, cwd=cwd, environment=environment, gate=self.gate)
        return WarmRun(self.warm, command[1:], cwd=cwd, environment=environment, gate=self.gate)

    def shut_gate(self) -> None:
        """Let a process that comes there wait."""
        shutil.rmtree(self.gate, ignore_errors=True)
        self.gate.mkdir()

    def environment(self) -> dict[str, str]:
        """The environment of a user who has this copy installed, and nothing else of note."""
        kept = {name: text for name, text in os.environ.items() if "SNAKEMAKE" not in name}
        return kept | {
            "PYTHONPATH": os.pathsep.join([str(self.project / "workflow"), str(first())]),
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
                if name not in LONG:
                    path = self.results / "report/tables" / f"{name}.csv"
                    assert path.read_text(encoding="utf-8") == escape_formulas(frame).write_csv()
        assert len(list(path.parent.glob("*.csv"))) == len(tables) - len(LONG)
        times = ("time", "seconds")
        tables["provenance"] = [row for row in tables["provenance"] if row[0] not in times]
        del tables["history"]  # when what was published
        return tables

    def computed(self) -> dict[str, bytes]:
        """Every result file that holds no times, byte for byte."""
        return {
            path.relative_to(self.results).as_posix(): path.read_bytes()
            for pattern in ("*/*/*.parquet", "report/tables/*.csv", "config.yaml")
            for path in self.results.glob(pattern)
            if path.stem not in ("provenance", "history")
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


@contextmanager
def killed_at_the_end(run: Run) -> Iterator[Run]:
    """No run outlives its test."""
    try:
        yield run
    finally:
        if run.poll() is None:
            run.kill(whole_group=True)


@cache
def first() -> Path:
    """A folder with what every process of a test runs first."""
    folder = Path(tempfile.mkdtemp(prefix="qampaign-"))
    atexit.register(shutil.rmtree, folder)
    (folder / "sitecustomize.py").write_text(FIRST)
    return folder


@dataclass(frozen=True)
class Finished:
    """A campaign that was run to its end, where it was run, and a copy of all that was there then."""

    folder: Path
    kept: Path

    @classmethod
    def make(cls, folder: Path, warm: Warm | None) -> "Finished":
        made = cls(folder / "folder", folder / "kept")
        assert Tiny(made.folder, warm).create().run().ran == EVERYTHING
        shutil.copytree(made.folder, made.kept)
        return made

    def restore(self) -> Path:
        """Let the folder be as it was: nothing is to be done there."""
        restore(self.folder, self.kept)
        return self.folder


def restore(folder: Path, kept: Path) -> None:
    shutil.rmtree(folder)
    shutil.copytree(kept, folder)


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
