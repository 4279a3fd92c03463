"""What the config can say of the files of one key: their format, their columns, their runs.

`runs: {files: out/*.csv, columns: {question: problem}, run: "{parent}"}`
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from typing import Any

OPTIONS = ("format", "columns", "run", "literal")
"""What stands beside `files` in the config."""

PLACE = re.compile(r"\{(\w*)\}")
OF_PATH = ("parent", "stem")
"""What the run can take from the path: the name of the folder, that of the file without its end."""

RUN_ALLOWED = (
    'a text with {parent} (the folder) or {stem} (the file), or a path with {run} in place of the '
    "run and * for anything, such as out/{run}/answers.csv"
)  # fmt: skip


@dataclass(frozen=True)
class FileOptions:
    """How the files of a key are read."""

    format: str = ""
    """Their format, whatever their names end in."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """For columns of ours what the files call them."""
    run: str = ""
    """How the run follows from the path; unless given, the name of the file, for responses."""
    literal: bool = False
    """Whether keys are taken as they stand."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "FileOptions":
        """What the config says; other keys are left out."""
        known = [option.name for option in fields(cls)]
        return cls(**{name: value for name, value in settings.items() if name in known})


def is_run_pattern(pattern: str) -> bool:
    """Whether the run of a file can follow from its path by a pattern.

    >>> [is_run_pattern(text) for text in ("{parent}", "a-{stem}", "{run}/*.csv", "x", "{name}")]
    [True, True, True, False, False]
    """
    places = PLACE.findall(pattern)
    if "run" in places:
        return places == ["run"]
    return bool(places) and all(placeholder in OF_PATH for placeholder in places)


def run_of(pattern: str, path: PurePath, stem: str) -> str | None:
    """The run that a pattern takes from a path, whose `stem` is the file's name; None: none.

    >>> run_of("{parent}-{stem}", PurePath("out/gpt/a.csv"), "a")
    'gpt-a'
    >>> run_of("{run}/answers.csv", PurePath("out/gpt/answers.csv"), "answers")
    'gpt'
    >>> run_of("*_{run}.csv", PurePath("out/answers_gpt.csv"), "answers_gpt")
    'gpt'
    """
    if "{run}" not in pattern:
        names = {"parent": path.parent.name, "stem": stem}
        there = all(names[placeholder] for placeholder in PLACE.findall(pattern))
        return PLACE.sub(lambda placeholder: names[placeholder[1]], pattern) if there else None
    parts = re.split(r"(\{run\}|\*)", pattern)
    wildcards = {"{run}": "([^/]+)", "*": "[^/]*"}
    expression = "".join(wildcards.get(part, re.escape(part)) for part in parts)
    match = re.search(rf"(?:^|/){expression}$", path.as_posix())
    return match[1] if match else None
