"""The gate in real runs: exit codes, the target of Snakemake, and the CI job of the docs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.helpers.tiny_campaign import FILES, ROOT, Tiny

PAGE = ROOT / "docs/gate.md"
INSTALL = "pip install qampaign"


def set_gate(tiny: Tiny, *conditions: str) -> None:
    tiny.configure(lambda config: config.update(gate=list(conditions)))


@pytest.mark.exhaustive
def test_the_target_of_snakemake_fails_with_the_conditions_that_do(tiny: Tiny) -> None:
    holding = "accuracy of a1 >= 0.5"
    failing = "accuracy of b2 >= 0.6"  # one of two is right
    set_gate(tiny, holding, failing, "c_at_1 of b1 not significantly below b2")
    shown = tiny.run("gate", code=1).shown
    assert "1 condition fails of 3:" in shown
    assert f"FAILS  {failing} [beta]: 0.5000" in shown
    assert holding not in shown
    assert not (tiny.results / "gate.txt").exists()
    set_gate(tiny, holding)
    tiny.run("gate")
    assert (tiny.results / "gate.txt").read_text().startswith(f"holds  {holding} [alpha]: 0.5000")


def test_snakemake_without_the_profile_shows_the_conditions_that_fail(tiny: Tiny) -> None:
    failing = "accuracy of b2 >= 0.6"
    set_gate(tiny, "accuracy of a1 >= 0.5", failing)
    profile = str(tiny.project / "workflow/profiles/default")
    plain = [word.replace(profile, "none") for word in tiny.command("gate")]
    shown = tiny.call(plain, code=1).shown
    assert "RuleException" in shown  # of Snakemake's own logger
    assert "1 condition fails of 2:" in shown
    assert f"FAILS  {failing} [beta]: 0.5000" in shown


def test_runs_that_no_collection_has_are_refused_before_anything_is_computed(tiny: Tiny) -> None:
    # a1 and b1 are each in a collection, and in none together
    first, second = "accuracy of a1 not significantly below b1", "accuracy of nobody > 0"
    set_gate(tiny, first, second)
    shown = tiny.run(code=1).shown
    assert "The input has 2 problems." in shown
    assert f"'a1' in gate ({first}) is in no collection that has b1, too" in shown
    assert f"'nobody' in gate ({second}) is not a run; allowed: a1, a2, a3, b1, b2" in shown


def steps() -> list[dict[str, str]]:
    """The commands of the CI job on the page, but for the installation."""
    (text,) = [
        block
        for block in re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        if "runs-on:" in block
    ]
    (job,) = yaml.safe_load(text)["jobs"].values()
    commands = [step for step in job["steps"] if "run" in step]
    assert commands[0]["run"] == INSTALL
    return commands[1:]


@pytest.mark.exhaustive
@pytest.mark.outside
@pytest.mark.parametrize(
    ("gate", "code", "summary"),
    [
        ("  - accuracy of a1 >= 0.9\n", 1, "1 of 1 conditions fail"),
        ("  - accuracy of a1 >= 0.5\n", 0, "all conditions hold"),
        ("  - accuracy of a1 is good\n", 1, "is no condition"),
        ("  - accuracy of a11 > 0.1\n", 1, "is not a run; allowed: a1 (close), or a1, a2"),
    ],
)
def test_the_job_of_the_page_ends_as_the_gate_does(
    tmp_path: Path, gate: str, code: int, summary: str
) -> None:
    """A runner in small: each step in a shell, those with `always()` also after a failure."""
    for name, text in FILES.items():
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with (tmp_path / "mine/config.yaml").open("a") as config:
        config.write(f"gate:\n{gate}")
    written = tmp_path / "summary.md"
    written.touch()
    environment = os.environ | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "GITHUB_STEP_SUMMARY": str(written),
    }
    failed = 0
    for step in steps():
        if failed and step.get("if") != "always()":
            continue
        shell = ["bash", "-e", "-c", step["run"]]
        ended = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True)
        failed = failed or ended.returncode
    assert failed == code, ended.stderr
    assert summary in written.read_text()


@pytest.mark.slow
@pytest.mark.outside
def test_a_workflow_that_cannot_run_ends_with_two(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("qampaign")), "gate"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 2
