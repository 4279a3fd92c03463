"""The digest of the code that a script runs: an edit reruns exactly the rules that use it."""

import ast
import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


@cache
def digest(script: Path) -> str:
    """A hash of a script and of all that it imports from the package, however deep.

    It is made from the parsed source, so neither a touch nor a comment changes it. Files beside the
    modules, such as a page's template, count as they are; so do the versions of the libraries.
    """
    content = dict(versions())
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if _name(path) in content:
            continue
        content[_name(path)], imports = _module(path)
        if path.is_relative_to(PACKAGE):
            data = (file for file in path.parent.iterdir() if file.suffix in DATA)
            content |= {_name(file): file.read_text(encoding="utf-8") for file in data}
        waiting += (module for module in imports if _name(module) not in content)
    return hashlib.sha256(repr(sorted(content.items())).encode()).hexdigest()[:16]


LIBRARIES = (
    *("qampaign", "snakemake", "polars", "duckdb", "pandera", "altair", "vl-convert-python"),
    *("jinja2", "numpy", "numba", "pyarrow", "simplemma", "PyStemmer", "text2num"),
)
"""What computes, and may give other results in another version."""


@cache
def versions() -> dict[str, str]:
    """The versions of Python and of the libraries that results are made with."""
    return {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


DATA = {".html", ".css", ".js", ".txt"}
"""Suffixes of files beside the modules that the modules read."""


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else path.name


@cache
def _module(path: Path) -> tuple[str, list[Path]]:
    """The parsed source of a module as text, and the files that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return ast.dump(tree), list(_imports(tree))


def _imports(tree: ast.Module) -> Iterator[Path]:
    """The files of the package's modules that a module imports, and of the packages they are in."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            words = name.split(".")
            if words[0] != PACKAGE.name:
                continue
            for depth in range(1, len(words) + 1):
                path = PACKAGE.joinpath(*words[1:depth])
                module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
                if module.exists():
                    yield module
