"""The digest of the code that a script runs: an edit reruns exactly the rules that use it.

Modules of other installed packages count where a module of ours loads them
(:mod:`qampaign.plugins`), with what they import from their own package.
"""

import ast
import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from qampaign.plugins import plugin_modules

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
        if (path.parent / "__init__.py").exists():
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
    """A name for a file that does not depend on where the packages are installed."""
    if path.is_relative_to(PACKAGE):
        return str(path.relative_to(PACKAGE))
    return str(path.relative_to(_top(path).parent))


@cache
def _module(path: Path) -> tuple[str, list[Path]]:
    """The parsed source of a module as text, and the files that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return ast.dump(tree), list(_imports(tree, path))


def _imports(tree: ast.Module, path: Path) -> Iterator[Path]:
    """The files of the modules that a module imports from our package and its own.

    Those of the packages that they are in are among them, and what is loaded as a plugin.
    """
    top_of_path = _top(path)
    for node in ast.walk(tree):
        names: list[str] = []
        tops = [PACKAGE, top_of_path]
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start: tuple[str, ...] = ()
            if node.level:  # relative to the package that the module is in, or one around it
                start = path.parents[node.level - 1].relative_to(top_of_path.parent).parts
            name = ".".join((*start, *filter(None, [node.module])))
            names = [f"{name}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", None) == "load_plugins":
            names = list(plugin_modules(ast.literal_eval(node.args[0])))
            tops = [top for name in names for top in _installed(name)]
        for name in names:
            for top in dict.fromkeys(tops):
                yield from _files(name, top)


def _top(path: Path) -> Path:
    """The folder of the whole package that a file is in, or the file itself if it is in none."""
    while (path.parent / "__init__.py").exists():
        path = path.parent
    return path


def _installed(name: str) -> Iterator[Path]:
    """Where the package of a module is installed."""
    spec = find_spec(name.partition(".")[0])
    if spec is not None and spec.origin is not None:
        yield _top(Path(spec.origin))


def _files(name: str, top: Path) -> Iterator[Path]:
    """The files of a module and of the packages that it is in, if `top` is the package."""
    words = name.split(".")
    if words[0] != top.stem:
        return
    for depth in range(1, len(words) + 1):
        folder = top.joinpath(*words[1:depth])
        module = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        if module.exists():
            yield module
