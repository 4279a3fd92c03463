"""What each result was made from, recorded beside the results: by that alone it is current or not.

A job leaves a record of the settings and the code it ran with, and of the content of every file it
read and wrote. A result is current as long as all of these are as the record has them. So it does
not matter what became of Snakemake's own notes, of the times of files or of the clock, and results
that were copied, damaged or mixed with others are found out.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qampaign.files import write_text
from qampaign.regular_files import open_regular

VERSION = 1
"""Records of another version count as none: what they stand for is made again."""

LOGS, RECORDS = "logs", "records"
"""The folders of logs and of records among the results of a campaign."""

MOMENT = 50_000_000
"""Nanoseconds within which a file may change twice at one time of the file system: some ticks."""

CAUSES: dict[str, str] = {}
"""Why jobs of this run are not current, by their first output: shown by `-n`."""

NAMES = {"config": "settings", "code": "code or libraries", "filled": "sheet of failures"}
"""What parameters of jobs are called where a cause is shown."""

State = list[int]
"""Size, times and number of a file: while they are the same, so is its content."""


@dataclass(frozen=True)
class Content:
    """What a file held when it was looked at: the hash of it, and the file's state then."""

    sha256: str
    state: State


@dataclass(frozen=True)
class Record:
    """What a job was run with, what it read, and what it wrote."""

    settings: Mapping[str, str]
    """A digest of each of its parameters, the code among them."""
    inputs: Mapping[str, Content]
    outputs: Mapping[str, Content]
    kept: list[str] = field(default_factory=list)
    """Files that it has written for people to change: that they are there is all that matters."""


@dataclass(frozen=True)
class Undeclared:
    """Files that a job reads or writes and that Snakemake must not know of.

    It would go by the times of those that are read, and delete those that are written beforehand.
    """

    read: Mapping[str, Content] = field(default_factory=dict)
    written: Iterable[str | Path] = ()
    for_people: Iterable[str | Path] = ()
    """Those that people change: see :attr:`Record.kept`."""


@dataclass(frozen=True)
class Job:
    """A job that may have to run: where its record is, and what it would be made from today."""

    record: Path
    settings: Mapping[str, str]
    inputs: list[str]
    outputs: list[str]


def record_of(log: str | Path) -> Path:
    """Where a job that writes to `log` leaves its record.

    >>> record_of("results/mine/logs/demo/judge/people.log").as_posix()
    'results/mine/records/demo/judge/people.json'
    """
    parts = list(Path(log).parts)
    parts[max(place for place, name in enumerate(parts[:3]) if name == LOGS)] = RECORDS
    return Path(*parts).with_suffix(".json")


def digests(parameters: Mapping[str, Any]) -> dict[str, str]:
    """A digest of each parameter of a job.

    >>> digests({"config": {"threshold": 0.25}}) == digests({"config": {"threshold": 0.5}})
    False
    """
    return {
        name: hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()[:16]
        for name, value in parameters.items()
    }


def look_at(paths: Iterable[str | Path]) -> dict[str, Content]:
    """The content of files, and of all files in folders; what is not there is left out."""
    return {str(path): _content(path) for path in _files(paths)}


def state_of(path: Path) -> State:
    """The size, times and number of a file.

    A file that has changed this very moment may change again at the same time by the clock of the
    file system: its state is one that no file has later.
    """
    status = path.stat()
    state = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    now = time.time_ns()
    return [*state, now] if abs(now - status.st_ctime_ns) < MOMENT else state


def write_record(
    path: Path,
    settings: Mapping[str, str],
    inputs: Mapping[str, Content],
    outputs: Iterable[str | Path],
    kept: Iterable[str | Path] = (),
) -> None:
    """Record that a job has ended: what it was run with, what it read and what it wrote."""
    _write(path, Record(settings, inputs, look_at(outputs), [str(each) for each in kept]))


def is_as_recorded(output: Path, record: Path) -> bool:
    """Whether a job has left a file as it is now."""
    made = _read(record)
    known = made.outputs.get(str(output)) if made is not None else None
    return known is not None and output.is_file() and _hash(output) == known.sha256


class Records:
    """The records of a campaign, as they are now.

    With `verify` every file is hashed, also where its state is as it was.
    """

    def __init__(self, results: Path, *, verify: bool = False) -> None:
        found = ((path, _read(path)) for path in (results / RECORDS).rglob("*.json"))
        self._records = {path: record for path, record in found if record is not None}
        self._known: dict[str, Content] = {}
        if not verify:
            for part in ("inputs", "outputs"):  # what wrote a file knows it best
                for record in self._records.values():
                    self._known |= getattr(record, part)
        self._seen: dict[str, Content | None] = {}

    def why_stale(self, job: Job) -> str | None:
        """Why a job has to run although its results may be there; None where they are current."""
        record = self._records.get(job.record)
        if record is None:
            made = any(Path(name).exists() for name in job.outputs)
            return "there is no record of what it was made from" if made else "not made yet"
        names = [*job.settings, *(name for name in record.settings if name not in job.settings)]
        changed = [name for name in names if job.settings.get(name) != record.settings.get(name)]
        if changed:
            return f"changed: its {' and '.join(NAMES.get(name, name) for name in changed)}"
        if set(job.inputs) != record.inputs.keys():
            return "it reads other files than before"
        for name, content in record.inputs.items():
            if self._hash_of(name) != content.sha256:
                return f"{'changed' if Path(name).exists() else 'lost'}: {name}"
        for name in job.outputs:
            if not _is_recorded(name, record):
                return f"not recorded: {name}"
        for name, content in record.outputs.items():
            if self._hash_of(name) != content.sha256:
                return f"{'damaged' if Path(name).exists() else 'lost'}: {name}"
        lost = next((name for name in record.kept if not Path(name).exists()), None)
        return None if lost is None else f"lost: {lost}"

    def renew_states(self) -> None:
        """Note the state of files that were touched or copied, so that they need no second look."""
        for path, record in self._records.items():
            renewed = Record(
                record.settings,
                {name: self._renewed(name, each) for name, each in record.inputs.items()},
                {name: self._renewed(name, each) for name, each in record.outputs.items()},
                record.kept,
            )
            if renewed != record:
                _write(path, renewed)

    def _renewed(self, name: str, content: Content) -> Content:
        seen = self._seen.get(name)
        return seen if seen is not None and seen.sha256 == content.sha256 else content

    def _hash_of(self, name: str) -> str | None:
        """The hash of a file as it is now, known by its state or taken anew; None if it is gone."""
        if name not in self._seen:
            self._seen[name] = self._look(Path(name), self._known.get(name))
        seen = self._seen[name]
        return None if seen is None else seen.sha256

    def _look(self, path: Path, known: Content | None) -> Content | None:
        try:
            if known is not None and known.state == state_of(path):
                return known
            return _content(path)
        except OSError:
            return None


def _is_recorded(name: str, record: Record) -> bool:
    """Whether a record has an output, or the files in it where it is a folder."""
    return name in record.outputs or Path(name).is_dir()


def _files(paths: Iterable[str | Path]) -> Iterable[Path]:
    for path in map(Path, paths):
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if each.is_file())
        elif path.exists():
            yield path


def _content(path: Path) -> Content:
    """What a file holds; its state is that of before, so that no change in between is missed."""
    state = state_of(path)
    return Content(_hash(path), state)


def _hash(path: Path) -> str:
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, record: Record) -> None:
    files = {
        part: {name: [each.sha256, each.state] for name, each in getattr(record, part).items()}
        for part in ("inputs", "outputs")
    }
    text = {"version": VERSION, "settings": dict(record.settings), **files, "kept": record.kept}
    write_text(path, json.dumps(text))


def _read(path: Path) -> Record | None:
    """The record in a file, or None where it cannot be read or is of another version."""
    try:
        text = json.loads(path.read_text(encoding="utf-8"))
        if text["version"] != VERSION:
            return None
        inputs, outputs = (
            {name: Content(*each) for name, each in text[part].items()}
            for part in ("inputs", "outputs")
        )
        return Record(text["settings"], inputs, outputs, text["kept"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
