"""The workflow away from its clone: built as a wheel, run as a command, used as a module of another one.

Everything here runs from the unpacked wheel, in another folder, on the example of the README.
"""

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import duckdb
import pytest

from qampaign.running.locking import hold
from tests.helpers.pages import files_of
from tests.helpers.tiny_campaign import ROOT, first
from tests.helpers.warm import Warm, WarmRun

pytestmark = pytest.mark.outside


def readme_example() -> dict[str, str]:
    """The files that the README tells its readers to write."""
    found = files_of(ROOT / "README.md")
    return {name.removeprefix("mine/"): text for name, text in found.items()}


def write_example(folder: Path) -> None:
    folder.mkdir()
    for name, text in readme_example().items():
        (folder / name).write_text(text)
    with (folder / "config.yaml").open("a") as config:
        config.write("    studies: {significance: {resamples: 50}}\n")  # one is enough here


def c_at_1(folder: Path) -> dict[str, float]:
    """The values that the README states: (2 + 1 · 2/3) / 3, and 1/3."""
    with duckdb.connect(str(folder / "results/mine/results.duckdb"), read_only=True) as connection:
        query = "SELECT run, round(value, 3) FROM scores WHERE measure = 'c_at_1' AND slice = 'all'"
        return dict(connection.execute(query).fetchall())


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what is needed for it."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("workflow", "scripts"):
        shutil.copytree(ROOT / name, folder / "source" / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "Snakefile", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "source")
    command = [*pip(), "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(folder / "source")], check=True)
    (path,) = folder.glob("*.whl")
    return path


def pip() -> list[str]:
    return [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the wheel holds."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def environment(*path: Path) -> dict[str, str]:
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, [*path, first()])),
        "BUNDLE": str(first() / "bundle"),
        "TERM": "dumb",
    }


def call(command: list[str], folder: Path, environment: dict[str, str], code: int = 0) -> str:
    ended = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == code, ended.stdout
    return ended.stdout


def test_the_wheel_holds_everything_that_runs(wheel: Path) -> None:
    wanted = {"qampaign_workflow/Snakefile"}
    for folder in ("scripts", "workflow"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and ".egg-info" not in str(path):
                name = path.relative_to(ROOT).as_posix()
                of_package = name.startswith(("workflow/qampaign/", "workflow/snakemake_logger"))
                wanted.add(
                    name.removeprefix("workflow/") if of_package else f"qampaign_workflow/{name}"
                )
    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
        (commands,) = (name for name in files if name.endswith("entry_points.txt"))
        assert b"qampaign = qampaign.command.main:main" in archive.read(commands)
    about = {name for name in files if name.startswith("qampaign-")}
    assert files - about == wanted
    assert any(name.endswith("licenses/LICENSE") for name in about)


COMMAND = [
    sys.executable,
    "-c",
    "import sys; from qampaign.command.main import main; sys.exit(main())",
]


@pytest.mark.exhaustive
def test_the_command_runs_the_example_of_the_readme_from_the_wheel(
    installed: Path, tmp_path: Path
) -> None:
    write_example(tmp_path / "mine")
    elsewhere = environment(installed)
    shown = call([*COMMAND, "run", "mine/config.yaml", "--cores", "2"], tmp_path, elsewhere)
    assert shown.splitlines()[-2] == "Report: results/mine/report/index.html"
    assert c_at_1(tmp_path) == {"alpha": 0.889, "beta": 0.333}
    assert (
        call([*COMMAND, "--version"], tmp_path, elsewhere)
        .strip()
        .endswith(f"from {installed / 'qampaign_workflow'}")
    )
    snakemake = str(Path(sys.executable).with_name("snakemake"))
    by_hand = [snakemake, "--snakefile", str(installed / "qampaign_workflow/Snakefile")]
    by_hand += ["-n", "--logger", "qampaign", "--configfile", "mine/config.yaml", "pool"]
    assert "nobody has judged" in call(by_hand, tmp_path, elsewhere)
    hold(tmp_path / "results/mine/.lock")
    assert "another run of campaign mine is under way" in call(
        [*COMMAND, "run", "config.yaml", "--", "--directory", ".."],
        tmp_path / "mine",
        elsewhere,
        code=2,
    )
    labels = tmp_path / "mine/assessments.csv"
    labels.write_text(labels.read_text().replace("1912,R", "1912,Q"))
    shown = call([*COMMAND, "run"], tmp_path / "mine", elsewhere, code=1)
    assert "column label: 'Q' is an unknown label" in shown


OUTER = """
import os
from qampaign.command.location import snakefile
from snakemake.logging import logger


def settings():
    return {
        "environment": dict(os.environ),
        "variables": set(workflow.envvars),
        "resources": dict(workflow.global_resources),
        "scopes": str(vars(workflow.resource_scopes)),
        "local": set(workflow._localrules),
        "target": workflow.default_target,
        "filters": list(logger.filters),
        "constraints": dict(workflow.wildcard_constraints),
        "hooks": (workflow._onstart, workflow._onsuccess, workflow._onerror),
    }


configfile: "outer.yaml"


rule all:
    input:
        "results/mine/report/index.html",
        "report.txt",


rule answer:
    input:
        "answers.csv",
    output:
        "mine/runs.csv",
    shell:
        "cp {input} {output}"


before = settings()


module qampaign:
    snakefile: snakefile()
    config: config["qa"]


use rule * from qampaign as qa_*


after = settings()
after["local"] -= {"qa_publish", "qa_report", "qa_find_pool", "qa_gate"}
assert after == before, [name for name in after if after[name] != before[name]]


rule report:  # a name that the module has, too
    input:
        "results/mine/published.json",
    output:
        "report.txt",
    shell:
        "touch {output}"
"""


class Outer:
    """A workflow of somebody else, which uses Qampaign as a module."""

    def __init__(self, folder: Path, installed: Path, warm: Warm) -> None:
        self.folder = folder
        self.warm = warm
        self.environment = environment(installed)
        write_example(folder / "mine")
        (folder / "mine/runs.csv").rename(folder / "answers.csv")  # a rule makes it
        (folder / "Snakefile").write_text(OUTER)
        config = (folder / "mine/config.yaml").read_text()
        config = config.replace("runs.csv", "mine/runs.csv").replace(": assess", ": mine/assess")
        nested = "".join(f"  {line}\n" for line in config.splitlines())
        (folder / "outer.yaml").write_text(f"qa:\n{nested}")

    def run(self, *options: str, code: int = 0) -> set[str]:
        """Run it; the rules that ran."""
        run = WarmRun(
            self.warm,
            ["--cores", "2", *options],
            cwd=self.folder,
            environment=self.environment,
            gate=self.folder,
        )
        assert run.wait() == code, run.shown
        self.shown = run.shown
        return set(re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)", self.shown, re.M))


@pytest.fixture
def outer(tmp_path: Path, installed: Path, warm: Warm) -> Outer:
    return Outer(tmp_path, installed, warm)


@pytest.mark.exhaustive
def test_another_workflow_uses_it_as_a_module(outer: Outer) -> None:
    judged = {"qa_judge", "qa_score", "qa_correlate", "qa_significance"}
    ending = {"qa_tabulate", "qa_draw", "qa_publish", "qa_report", "report", "all"}
    assert outer.run() == {"answer", "qa_ingest"} | judged | ending
    assert c_at_1(outer.folder) == {"alpha": 0.889, "beta": 0.333}
    assert outer.run() == set()

    # A raw file that Snakemake cannot see the change of: same size, same time.
    labels = outer.folder / "mine/assessments.csv"
    status = labels.stat()
    labels.write_text(labels.read_text().replace("q2,1911,W", "q2,1911,R"))
    os.utime(labels, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert outer.run() == {"qa_ingest"} | judged | ending
    assert c_at_1(outer.folder) == {"alpha": 0.889, "beta": 0.667}


def test_a_module_with_a_faulty_config_or_a_prefix_says_so(outer: Outer) -> None:
    config = (outer.folder / "outer.yaml").read_text()
    (outer.folder / "outer.yaml").write_text(config.replace("measures:", "mesures:"))
    outer.run(code=1)
    assert (
        "The config cannot be used:\n  config: collections.demo.mesures is an unknown key; "
        "allowed: measures (close)" in outer.shown
    )
    (outer.folder / "outer.yaml").write_text(config)
    text = OUTER.replace('config["qa"]', 'config["qa"]\n    prefix: "qa"')
    (outer.folder / "Snakefile").write_text(text)
    outer.run(code=1)
    assert "Qampaign writes to results/<campaign>: use the module without prefix." in outer.shown


@pytest.mark.exhaustive
def test_pip_installs_it_into_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    """The libraries are those of this environment; of Qampaign there is the wheel alone."""
    venv.create(tmp_path / "venv", with_pip=False)
    install = [*pip(), "--python", str(tmp_path / "venv/bin/python"), "install", "--no-deps"]
    subprocess.run([*install, str(wheel)], check=True)
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(f"{Path(duckdb.__file__).parents[1]}\n")
    write_example(tmp_path / "mine")
    command = tmp_path / "venv/bin/qampaign"
    shown = call([str(command), "run", "mine/config.yaml"], tmp_path, environment())
    assert "Report: results/mine/report/index.html" in shown
    assert c_at_1(tmp_path) == {"alpha": 0.889, "beta": 0.333}
    assert str(packages) in call([str(command), "--version"], tmp_path, environment())
