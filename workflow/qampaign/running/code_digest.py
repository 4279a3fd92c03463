"""The digest of the code that a script runs: an edit reruns exactly the rules that use it.

Modules of other installed packages count where a module of ours loads them
(:mod:`qampaign.plugins`), with what they import from their own package.

Parsing all modules would take half of a run with nothing to do. So what was found in a source is
kept by the hash of that source, beside what Python keeps of modules that it has compiled, also
where Python is told to keep nothing (PYTHONDONTWRITEBYTECODE, as in many containers).
"""

import ast
import hashlib
import json
import platform
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import NamedTuple

from qampaign.files import write_text
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


@cache
def _name(path: Path) -> str:
    """A name for a file that does not depend on where the packages are installed."""
    if path.is_relative_to(PACKAGE):
        return str(path.relative_to(PACKAGE))
    return str(path.relative_to(_top(path).parent))


@cache
def _module(path: Path) -> tuple[str, list[Path]]:
    """A hash of the parsed source of a module, and the files that it imports."""
    source = path.read_bytes()
    key = hashlib.sha256(source).hexdigest()
    parsed = USED[key] = _kept().get(key) or parse(source)
    return parsed.sha256, list(_imports(parsed, path))


class Parsed(NamedTuple):
    """What counts of a source, wherever it is."""

    sha256: str
    """Of the parsed source: comments and layout do not count."""
    imports: list[tuple[int, str, list[str]]]
    """How many dots are before it, the module that is imported from, the names."""
    plugins: list[str]
    """The kinds of plugins that it loads."""


USED: dict[str, Parsed] = {}
"""What was asked for, by the hash of the source."""


def parse(source: bytes) -> Parsed:
    """What counts of a source.

    >>> parse(b"import a.b, c  # why\\nfrom .d import e, f").imports
    [(0, '', ['a.b', 'c']), (1, 'd', ['e', 'f'])]
    """
    tree = ast.parse(source)
    parsed = Parsed(hashlib.sha256(ast.dump(tree).encode()).hexdigest(), [], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            level, module = getattr(node, "level", 0), getattr(node, "module", None)
            parsed.imports.append((level, module or "", names))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", None) == "load_plugins":
            parsed.plugins.append(ast.literal_eval(node.args[0]))
    return parsed


@cache
def _kept() -> dict[str, Parsed]:
    """What was found in sources earlier; what cannot be used is found again."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(_kept_in().read_text(encoding="utf-8"))
        if kept["made_by"] == _made_by():
            return {key: Parsed(*parsed) for key, parsed in kept["parsed"].items()}
    return {}


def keep_parsed() -> None:
    """Keep what was found in sources, if any of them is new."""
    if not USED.keys() <= _kept().keys():
        with suppress(OSError):  # it only saves time
            kept = {"made_by": _made_by(), "parsed": _kept() | USED}
            write_text(_kept_in(), json.dumps(kept))


def _kept_in() -> Path:
    return Path(cache_from_source(__file__)).with_suffix(".json")


def _made_by() -> str:
    """What decides how a source is parsed: the version of Python, and this module."""
    return f"{platform.python_version()} {hashlib.sha256(Path(__file__).read_bytes()).hexdigest()}"


def _imports(parsed: Parsed, path: Path) -> Iterator[Path]:
    """The files of the modules that a module imports from our package and its own.

    Those of the packages that they are in are among them, and what is loaded as a plugin.
    """
    top_of_path = _top(path)
    tops = dict.fromkeys([PACKAGE, top_of_path])
    for level, module, names in parsed.imports:
        start: tuple[str, ...] = ()
        if level:  # relative to the package that the module is in, or one around it
            start = path.parents[level - 1].relative_to(top_of_path.parent).parts
        for name in names:
            for top in tops:
                yield from _files(".".join((*start, *filter(None, [module]), name)), top)
    for kind in parsed.plugins:
        for name in plugin_modules(kind):
            for top in _installed(name):
                yield from _files(name, top)


@cache
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


@cache
def _files(name: str, top: Path) -> list[Path]:
    """The files of a module and of the packages that it is in, if `top` is the package."""
    words = name.split(".")
    if words[0] != top.stem:
        return []
    modules = []
    for depth in range(1, len(words) + 1):
        folder = top.joinpath(*words[1:depth])
        module = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
        if module.exists():
            modules.append(module)
    return modules
