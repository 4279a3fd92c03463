"""The plan of the package: every import points from a later room to an earlier one, never back."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from tests.helpers.tiny_campaign import ROOT

pytestmark = pytest.mark.slow


PACKAGE = ROOT / "workflow" / "qampaign"

ORDER = [
    "",  # the modules at the top: problems, files, tables, verdicts, arrays …
    "running",
    "judging",
    "measures",
    "studies",
    "input",
    "agreement",
    "config",
    "proposal",
    "publishing",
    "report",
    "command",
]
"""The folders of the package; each may import from itself and from those before it."""


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        words = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(words).removesuffix(".__init__")] = path
    return found


def imports(path: Path, known: set[str]) -> Iterator[str]:
    """The modules of the package that a module imports, at its top or later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            deeper = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in known else str(node.module) for name in deeper]
        yield from (name for name in names if name in known)


@cache
def graph() -> dict[str, set[str]]:
    known = modules()
    return {name: {*imports(path, set(known))} - {name} for name, path in known.items()}


def room(module: str) -> str:
    """The folder of a module: the second word of its name, if that is a folder."""
    word = [*module.split("."), ""][1]
    return word if (PACKAGE / word).is_dir() else ""


def test_every_folder_has_its_place_in_the_order() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(ORDER) - {""}


def test_no_import_points_backwards() -> None:
    backwards = [
        f"{module} imports {imported}"
        for module, found in graph().items()
        for imported in found
        if ORDER.index(room(imported)) > ORDER.index(room(module))
    ]
    assert not backwards


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Modules that import nothing that is left are taken away until none is left, or a circle."""
    left = dict(graph())
    while free := [name for name, found in left.items() if not found & left.keys()]:
        for name in free:
            del left[name]
    assert not left


def test_the_snakemake_workflow_catalog_finds_what_it_looks_for() -> None:
    """Where there is a folder `workflow`, it reads `workflow/Snakefile` and no other."""
    words = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in words
    assert "workflow" in words
    assert 'include: "../Snakefile"' in (ROOT / "workflow/Snakefile").read_text(encoding="utf-8")
    assert (ROOT / "config/README.md").is_file()
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
