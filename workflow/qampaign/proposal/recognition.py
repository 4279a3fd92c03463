"""What each of some files is: a log in some format, a table such as ours, or nothing that we know.

Files are recognised and read by what ingest reads them with.
"""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from qampaign.input import sources
from qampaign.input.column_names import with_our_names
from qampaign.input.file_options import FileOptions
from qampaign.input.formats import Fault, Source, Unreadable
from qampaign.input.input_tables import INPUT_TABLES, PREDICTIONS
from qampaign.input.lists import spread_lists
from qampaign.input.logs.declaration import UNKNOWN_FORMAT, LogFormat, recognise
from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.input.logs.log import ANSWERS, Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.log_paths import find_logs
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.reading import names_of
from qampaign.input.published_figures import NEEDED as PUBLISHED
from qampaign.input.reading import check_columns
from qampaign.problems import printable
from qampaign.regular_files import Irregular, open_regular
from qampaign.values import UNPACKED_GB, as_number

HEAD = 4_096
"""How many bytes are looked at to see whether a file can be anything."""

PACKED = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"PAR1", b"\x28\xb5\x2f\xfd")
"""How files begin that are binary, and yet may be something: zip, gzip, Parquet, zstd."""


GOLD = re.compile(r"(?:\b|_)(?:gold|keys?|truth|references?|targets?)(?:\b|_)", re.IGNORECASE)
"""Names of files whose answers are those that are right."""

NO_HEADER = (
    "is a table without a header: a first line must name its columns, such as question and answer; "
    "it has "
)
UNKNOWN_COLUMNS = "is a table with columns that mean nothing to us: "


@dataclass(frozen=True)
class FoundLog:
    """A task and a model in a log."""

    task: str
    model: str
    filters: Sequence[str]
    """Those that the config must name."""
    answers: int
    targets: Mapping[str, str]
    """For each question a digest of its right answers."""
    names: Mapping[str, str]
    """What a pattern for runs may name."""
    digest: str
    """Of all that it holds: logs with the same one are copies."""


@dataclass
class Found:
    """A file, and what it is."""

    path: Path
    format: str = ""
    """Of a log: its format."""
    logs: Sequence[FoundLog] = ()
    beside: Sequence[Path] = ()
    """Of a log: the files that complete it."""
    tables: Mapping[str, Source] = field(default_factory=dict)
    """Of a table: those of ours that it can be, with its rows."""
    literal: bool = False
    """Of a table of keys: whether they are answers as they stand, by the name of their column."""
    digest: str = ""
    """Of a table: that of its bytes."""
    reason: str = ""
    """Why it is nothing that can be used."""


def recognise_file(path: Path) -> Found:
    """What a file is. It is read whole only where it may be something."""
    try:
        with open_regular(path) as file:
            head = file.read(HEAD)
            size = path.stat().st_size
            if not head:
                return Found(path, reason="is empty")
            if b"\0" in head and not head.startswith(PACKED):
                return Found(path, reason="is binary, in no format that is known")
            if size > UNPACKED_GB * 10**9:
                return Found(path, reason=f"has more than {UNPACKED_GB:g} gigabytes")
            content = head + file.read()
    except Irregular as error:
        return Found(path, reason=str(error.strerror))
    except OSError as error:
        return Found(path, reason=f"cannot be read: {error.strerror}")
    beside = [path.parent / name for name in find_logs(path.parent, [path.name]).get(path.name, [])]
    try:
        others = {log.name: sources.read_bytes(log) for log in beside}
        file_of_log = LogFile(path, sources.unpack(content, UNPACKED_GB), others)
    except Unreadable as unreadable:
        return Found(path, reason=_first(unreadable.faults))
    try:
        declared = recognise(file_of_log)
        return _read_log(declared, file_of_log, beside)
    except Unreadable as unreadable:
        reason = _first(unreadable.faults)
        if isinstance(document := file_of_log.document, dict):  # one object is no table
            if reason == UNKNOWN_FORMAT:
                names = ", ".join(printable(name) for name in [*document][:8])
                reason = f"is a JSON object in no format of logs that is known: {names or 'empty'}"
            return Found(path, reason=reason)
        return _as_table(path, content, reason)
    except RecursionError:
        return Found(path, reason="is nested too deep")


def _read_log(declared: LogFormat, file: LogFile, beside: Sequence[Path]) -> Found:
    recognised = Found(file.path, format=declared.name, beside=beside)
    options = LogOptions(format=declared.name)
    filters: list[str] = []
    try:
        logs = declared.logs_of(file, options)
        filters = [*dict.fromkeys(name for log in logs for name in log.filters)]
        if len(filters) > 1:
            logs = declared.logs_of(file, replace(options, filter=filters))
    except Unreadable as unreadable:
        recognised.reason = _with_cure(unreadable.faults)
        return recognised
    faults = [fault for log in logs for fault in log.faults]
    if faults:
        recognised.reason = _with_cure(faults)
    recognised.logs = [_summary(log, file.path) for log in logs]
    return recognised


def _summary(log: Log, path: Path) -> FoundLog:
    digest = hashlib.sha256(log.task.encode("utf-8", "replace"))
    rows: list[NamedTuple] = [*log.answers, *log.verdicts, *log.questions.values()]
    for row in rows:
        digest.update(repr(row._replace(line=0)).encode("utf-8", "replace"))
    for table in log.columns.values():
        for name, values in table.items():
            if name != "line":
                digest.update(repr([name, *values]).encode("utf-8", "replace"))
    targets = {
        name: hashlib.md5(repr(question.targets).encode("utf-8", "replace")).hexdigest()
        for name, question in log.questions.items()
    }
    return FoundLog(
        log.task,
        log.model,
        log.filters if len(log.filters) > 1 else (),
        len(log.answers) + len(log.columns.get(ANSWERS, {}).get("question", ())),
        targets,
        names_of(path, log),
        digest.hexdigest(),
    )


def _as_table(path: Path, content: bytes, reason: str) -> Found:
    """What a file is that is no log; `reason` says why it is none."""
    try:
        source = sources.parse(content, path)
    except Unreadable as unreadable:
        unknown = "unknown file type" in unreadable.faults[0].problem
        return Found(path, reason=reason if unknown else _first(unreadable.faults))
    tables = {name: named for name in INPUT_TABLES if (named := _named(name, source)) is not None}
    columns = {*source.frame.columns}
    if {*PUBLISHED} <= columns:
        return Found(path, tables={"published": source}, digest=sources.digest(content))
    chosen = _roles(tables, columns)
    if chosen == ["responses"] and "keys" in tables and GOLD.search(path.stem):
        chosen = ["keys"]
    if not chosen:
        names = ", ".join(printable(name) for name in source.frame.columns[:8])
        headless = any(as_number(name) is not None for name in columns)
        return Found(path, reason=f"{NO_HEADER if headless else UNKNOWN_COLUMNS}{names}")
    digest = sources.digest(content)
    return Found(
        path,
        tables={name: tables[name] for name in chosen},
        literal="key" not in columns,
        digest=digest,
    )


def _named(table: str, source: Source) -> Source | None:
    """A file with our names for its columns, if it can be a table of some kind."""
    try:
        named, _ = with_our_names(table, source, FileOptions())
        named, _ = spread_lists(table, named)
        check_columns(table, named)
    except Unreadable:
        return None
    return named


def _roles(tables: Collection[str], columns: set[str]) -> list[str]:
    """Which of the tables that a file can be it is, by what stands in it beside ids.

    >>> tables = dict.fromkeys(["questions", "responses", "keys"])
    >>> _roles(tables, {"question", "answer"}), _roles(tables, {"question", "answer", "output"})
    (['responses'], ['responses', 'keys'])
    """
    answers = ["responses"] if "responses" in tables else []
    has_key, has_prediction = columns & {"key", "target"}, columns & {*PREDICTIONS}
    if "patterns" in tables:
        return ["patterns"]
    if "assessments" in tables:
        return ["assessments", *answers]
    if "keys" in tables and (has_key or (has_prediction and "answer" in columns)):
        return [*answers, "keys"]
    if "scores" in tables and ("scorer" in columns or not answers):
        return ["scores"]
    if answers:
        return answers
    if "runs" in tables and "questions" not in tables:
        return ["runs"]
    return ["questions"] if "questions" in tables else []


def _first(faults: Sequence[Fault]) -> str:
    fault = faults[0]
    line = f"line {fault.line}: " if fault.line else ""
    more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
    return f"{line}{printable(fault.problem)}{more}"


def _with_cure(faults: Sequence[Fault]) -> str:
    allowed = f"; allowed: {printable(faults[0].allowed)}" if faults[0].allowed else ""
    return f"{_first(faults)}{allowed}"


def title_of(format_name: str) -> str:
    """What a format of logs is called."""
    return LOG_FORMATS[format_name].title
