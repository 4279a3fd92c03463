"""What the config says of the logs of a collection."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from typing import Any

NAMES = ("parent", "stem", "model", "task", "filter")
"""What a pattern for runs may have in braces."""


@dataclass(frozen=True)
class LogOptions:
    """How logs are to be read."""

    format: str | None = None
    """The name of the format; None: told by what stands in a file."""
    only: Sequence[str] = ()
    """The tasks that count, by name or pattern; none: all of them."""
    filter: Sequence[str] = ()
    """The filters whose answers count."""
    type: str | None = None
    """The field of a sample that is the question's type."""
    run: str = "{model}"
    """What a run is called."""
    nil: str = "NIL"
    """The answer that there is none, as the collection spells it."""

    keyed: bool = False
    """Whether files give the keys: then targets in logs are none."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "LogOptions":
        """What a config gives, less the files."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in settings.items() if name in known})

    @property
    def merges(self) -> bool:
        """Whether tasks are put together: then a question is called task/id, its type is the task.

        >>> LogOptions(only=["mmlu_*"]).merges, LogOptions(only=["arc_easy"]).merges
        (True, False)
        """
        return len(self.only) > 1 or any(re.search(r"[*?\[]", name) for name in self.only)

    def wants(self, task: str) -> bool:
        """Whether a task counts.

        >>> LogOptions(only=["mmlu_*"]).wants("mmlu_law"), LogOptions().wants("arc")
        (True, True)
        """
        return not self.only or any(task == name or fnmatchcase(task, name) for name in self.only)

    def name_run(self, names: Mapping[str, str]) -> str:
        """What a run is called, given the names that the pattern may have.

        >>> LogOptions(run="{model} ({parent})").name_run({"model": "m", "parent": "p"})
        'm (p)'
        """
        return re.sub(r"\{(\w+)\}", lambda match: names.get(match[1], ""), self.run).strip()


def unknown_names(pattern: str) -> list[str]:
    """What a pattern for runs has in braces and nobody knows.

    >>> unknown_names("{model} of {team}")
    ['{team}']
    """
    known = {f"{{{name}}}" for name in NAMES}
    return [braced for braced in re.findall(r"\{[^}]*\}?|\}", pattern) if braced not in known]
