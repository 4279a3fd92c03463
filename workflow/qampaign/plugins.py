"""What other installed packages add: measures, judges and file formats.

A package names the module that declares them as an entry point, in the group `qampaign.measures`,
`qampaign.judges` or `qampaign.formats`. Importing that module declares what it holds, as importing
ours does. A package that cannot be used is remembered, and refused before anything runs.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from qampaign.problems import Refused

T = TypeVar("T")

FAULTS: dict[tuple[str, str, str], str] = {}
"""By group, name and module of an entry point: why it could not be loaded."""


class Taken(ValueError):
    """A name that is declared already."""


class Declared(dict[str, T]):
    """What is declared, by name. A name can be declared once only, in whatever package."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what
        self._origin: dict[str, Callable[..., object]] = {}

    def add(self, name: str, declared: T, origin: Callable[..., object]) -> None:
        """Declare something; `origin` is the function that was decorated.

        >>> import json
        >>> judges = Declared("judge")
        >>> judges.add("coin", "heads", tuple)
        >>> judges.add("coin", "tails", json.dumps)
        Traceback (most recent call last):
        ...
        qampaign.plugins.Taken: the judge coin is declared by builtins (builtins) and by json \
(json): one of them needs another name
        """
        first = self._origin.setdefault(name, origin)
        if _identity(first) != _identity(origin):
            raise Taken(
                f"the {self._what} {name} is declared by {_place(first)} and by {_place(origin)}: "
                "one of them needs another name"
            )
        self[name] = declared

    def package_of(self, name: str) -> str:
        """The package that declares a name."""
        return _package(self._origin[name])


def load_plugins(group: str) -> None:
    """Import the modules that installed packages name as entry points of a group."""
    for entry in entry_points(group=group):
        try:
            import_module(entry.module)
        except (Exception, SystemExit) as error:
            reason = str(error) if isinstance(error, Taken) else _in_one_line(error)
            FAULTS[group, entry.name, entry.module] = f"{_described(entry)}: {reason}"


def plugin_modules(group: str) -> Iterator[str]:
    """The names of the modules that installed packages name as entry points of a group."""
    for entry in entry_points(group=group):
        yield entry.module


def plugin_versions() -> dict[str, str]:
    """The versions of the installed packages that add something."""
    groups = ("measures", "judges", "formats")
    entries = [entry for name in groups for entry in entry_points(group=f"qampaign.{name}")]
    return {entry.dist.name: entry.dist.version for entry in entries if entry.dist is not None}


def refuse_broken() -> None:
    """Refuse to go on with installed packages that cannot be used."""
    if FAULTS:
        lines = [f"  {fault}" for fault in FAULTS.values()]
        heading = "Installed packages that extend Qampaign cannot be used; repair or uninstall:"
        raise Refused("\n".join([heading, *lines]))


def _described(entry: EntryPoint) -> str:
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.module
    return f"{package} ({entry.group}: {entry.name} = {entry.value})"


def _in_one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _identity(function: Callable[..., object]) -> tuple[str, str]:
    return function.__module__, function.__qualname__


def _package(function: Callable[..., object]) -> str:
    return function.__module__.partition(".")[0]


def _place(function: Callable[..., object]) -> str:
    return f"{_package(function)} ({function.__module__})"
