"""How a format of logs is declared: a function that reads, and one that recognises its files.

The function's name is that of the format in the config, its docstring is the format's page in
docs/formats.md; the first line says what the files are.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.plugins import Declared

Read = Callable[[LogFile, LogOptions], Iterable[Log]]

MeasureEntry = str | dict[str, Any]
"""A measure as a config has it."""


@dataclass(frozen=True)
class LogFormat:
    """A declared format of logs."""

    name: str
    title: str
    """The name of the program or campaign that writes such files."""
    files: str
    """What its files are called, for people to read."""
    documentation: str
    recognises: Callable[[LogFile], bool]
    """Whether a file is in this format, by what stands in it."""
    read: Read
    beside: Callable[[str], Sequence[str]]
    """The names (or patterns) of files in the same folder that belong to a file of some name."""
    takes: tuple[str, ...]
    """The options of `logs:` that mean something to it, beside those that all formats take."""
    packed: bool = False
    """Whether its files may be zips."""
    measures: tuple[MeasureEntry, ...] = ()
    """The measures, as a config has them, by which such files are ranked where they come from."""

    def logs_of(self, file: LogFile, options: LogOptions) -> list[Log]:
        """The logs of a file; raises Unreadable where nothing of it can be used."""
        try:
            return [*self.read(file, options)]
        except ODD as error:
            what = f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
            problem = f"{UNFORESEEN} {self.title} ({what})"
            raise Unreadable(Fault(problem, self.files)) from error


ODD = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""What a reader raises that meets a value which nobody foresaw: still a fault of the file."""

UNFORESEEN = "has a value that cannot be read as one of"
UNKNOWN_FORMAT = "is in no format of logs that is known"

LOG_FORMATS: Declared[LogFormat] = Declared("log format")
"""Every declared format of logs."""


def log_format(
    *,
    title: str,
    files: str,
    recognises: Callable[[LogFile], bool],
    beside: Callable[[str], Sequence[str]] = lambda _: (),
    takes: tuple[str, ...] = (),
    packed: bool = False,
    measures: tuple[MeasureEntry, ...] = (),
) -> Callable[[Read], Read]:
    """Declare the decorated function as the reader of a format whose name is the function's.

    It gives a :class:`Log` for each task and model of a file. What cannot be read is noted in the
    log (`fault`), with all else that is wrong; it raises :class:`Unreadable` where nothing of the
    file can be used.
    """

    def declare(function: Read) -> Read:
        declared = LogFormat(
            name=function.__name__,
            title=title,
            files=files,
            documentation=inspect.getdoc(function) or "",
            recognises=recognises,
            read=function,
            beside=beside,
            takes=takes,
            packed=packed,
            measures=measures,
        )
        LOG_FORMATS.add(declared.name, declared, function)
        return function

    return declare


def refuse_other(file: LogFile, declared: LogFormat) -> None:
    """Refuse a file that is in another format than the one that was given.

    What looks like no format at all is left to the reader, which tells what it lacks.
    """
    if declared.recognises(file):
        return
    fitting = " or ".join(
        candidate.name for candidate in LOG_FORMATS.values() if candidate.recognises(file)
    )
    if file.is_zip and not declared.packed:
        looks = f", and looks like the format {fitting}" if fitting else ""
        problem = f"is a zip, which no file in the format {declared.name} is{looks}"
        raise Unreadable(Fault(problem, declared.files))
    if fitting:
        problem = f"is in the format {fitting}, not in the format {declared.name} that is given"
        raise Unreadable(Fault(problem, f"format: {fitting}, or none; {declared.files}"))


def recognise(file: LogFile) -> LogFormat:
    """The format that a file is in, by what stands in it."""
    fitting = [candidate for candidate in LOG_FORMATS.values() if candidate.recognises(file)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = ", ".join(candidate.name for candidate in fitting)
        problem = f"could be a log in several formats: {names}"
        raise Unreadable(Fault(problem, "format: in the config with one of them"))
    known = ", ".join(f"{candidate.name} ({candidate.files})" for candidate in LOG_FORMATS.values())
    raise Unreadable(file.fault or Fault(UNKNOWN_FORMAT, known))
