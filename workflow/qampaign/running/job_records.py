"""Records of what each result was made from: they alone decide whether it is current.

A job leaves a record of the settings and the code it ran with, and of the content of every file it
read and wrote. A result is current as long as all of these are as recorded. So Snakemake's
metadata, file times and the clock do not matter, and results that were copied, damaged or mixed
with others are detected.
"""

import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qampaign.files import write_text
from qampaign.regular_files import open_regular

VERSION = 1
"""Records of another version count as none: what they stand for is made again."""

LOGS, RECORDS, BENCHMARKS = "logs", "records", "benchmarks"
"""The folders of logs, records and measured times among the results of a campaign."""

MOMENT = 50_000_000
"""Nanoseconds within which a file may change twice without another time: some clock ticks."""

CAUSES: dict[str, str] = {}
"""Why jobs of this run are out of date, by their log: shown by `-n`."""

NAMES = {"config": "settings", "code": "code or libraries", "filled": "sheet of failures"}
"""What a parameter of a job is called when it is shown as a cause."""

State = list[int]
"""Size, times and number of a file: while they are the same, so is its content."""


@dataclass(frozen=True)
class Content:
    """What a file held when it was read: its hash, and the state of the file at that time."""

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
    """Files that it has written for people to change: they only have to exist."""


@dataclass(frozen=True)
class Undeclared:
    """Files that a job reads or writes and that Snakemake must not know of.

    It would go by the times of those read, and delete those written before the job starts.
    """

    read: Mapping[str, Content] = field(default_factory=dict)
    written: Mapping[str, Content] = field(default_factory=dict)
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
    return _beside(log, RECORDS, ".json")


def benchmark_of(log: str | Path) -> Path:
    """Where a job that writes to `log` leaves what it took.

    >>> benchmark_of("results/mine/logs/ingest.log").as_posix()
    'results/mine/benchmarks/ingest.tsv'
    """
    return _beside(log, BENCHMARKS, ".tsv")


def _beside(log: str | Path, folder: str, suffix: str) -> Path:
    names = list(Path(log).parts)
    names[max(index for index, name in enumerate(names[:3]) if name == LOGS)] = folder
    return Path(*names).with_suffix(suffix)


def digests(parameters: Mapping[str, object]) -> dict[str, str]:
    """A digest of each parameter of a job.

    >>> digests({"config": {"threshold": 0.25}}) == digests({"config": {"threshold": 0.5}})
    False
    """
    return {
        name: hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()[:16]
        for name, value in parameters.items()
    }


def look_at(paths: Iterable[str | Path]) -> dict[str, Content]:
    """The content of files, and of all files in folders; missing ones are left out."""
    return {str(path): _content(path) for path in _files(paths)}


def state_of(path: Path) -> State:
    """The size, times and number of a file.

    A file that has just changed may change again without another time in the file system, so it
    gets a state that no file has later.
    """
    status = path.stat()
    state = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    now = time.time_ns()
    return [*state, now] if abs(now - status.st_ctime_ns) < MOMENT else state


def write_record(
    path: Path,
    settings: Mapping[str, str],
    inputs: Mapping[str, Content],
    outputs: Mapping[str, Content],
    kept: Iterable[str | Path] = (),
) -> None:
    """Record that a job has ended: what it was run with, what it read and what it wrote."""
    _write(path, Record(settings, inputs, outputs, [str(file) for file in kept]))


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
        read = ((path, _read(path)) for path in (results / RECORDS).rglob("*.json"))
        self._records = {path: record for path, record in read if record is not None}
        self._known: dict[str, Content] = {}
        if not verify:
            for record in self._records.values():
                self._known |= record.inputs
            for record in self._records.values():  # later: the job that wrote a file knows it best
                self._known |= record.outputs
        self._seen: dict[str, Content | None] = {}

    def why_stale(self, job: Job) -> str | None:
        """Why a job has to run even if its results exist; None if they are current."""
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
        """Note the state of files that were touched or copied: they need not be hashed again."""
        for path, record in self._records.items():
            renewed = Record(
                record.settings,
                {name: self._renewed(name, content) for name, content in record.inputs.items()},
                {name: self._renewed(name, content) for name, content in record.outputs.items()},
                record.kept,
            )
            if renewed != record:
                _write(path, renewed)

    def _renewed(self, name: str, content: Content) -> Content:
        seen = self._seen.get(name)
        return seen if seen is not None and seen.sha256 == content.sha256 else content

    def _hash_of(self, name: str) -> str | None:
        """The hash of a file as it is now, known by its state or computed; None if it is gone."""
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
            yield from sorted(file for file in path.rglob("*") if file.is_file())
        elif path.exists():
            yield path


def _content(path: Path) -> Content:
    """What a file holds; its state is from before the reading, so that no change is missed."""
    state = state_of(path)
    return Content(_hash(path), state)


def _hash(path: Path) -> str:
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, record: Record) -> None:
    def listed(files: Mapping[str, Content]) -> dict[str, list[str | State]]:
        return {name: [content.sha256, content.state] for name, content in files.items()}

    entries = {
        "version": VERSION,
        "settings": dict(record.settings),
        "inputs": listed(record.inputs),
        "outputs": listed(record.outputs),
        "kept": record.kept,
    }
    write_text(path, json.dumps(entries))


def _read(path: Path) -> Record | None:
    """The record in a file, or None where it cannot be read or is of another version."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        if entries["version"] != VERSION:
            return None
        inputs, outputs = (
            {name: Content(*content) for name, content in entries[kind].items()}
            for kind in ("inputs", "outputs")
        )
        return Record(entries["settings"], inputs, outputs, entries["kept"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
