"""A log into rows of text for each table: which run, which question, which task."""

import gc
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
import polars as pl

from qampaign.input.formats import Fault, Source, Unreadable
from qampaign.input.logs.declaration import recognise, refuse_other
from qampaign.input.logs.formats import LOG_FORMATS
from qampaign.input.logs.log import (
    ANSWERS,
    VERDICTS_SAID,
    Log,
    LoggedAnswer,
    LoggedAssessment,
    LoggedPattern,
    LoggedVerdict,
)
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.tables import LOG_TABLES, LOGS

OTHER_TABLES = ("responses", "assessments", "patterns")
"""The tables that logs share with other files; their rows are checked as those are."""

NUMBERS = ("confidence", "score", "cost", "seconds", "tokens")

OTHER_TARGETS = "other targets of an id than before, which do not count: keys are given as files"

Remark = tuple[str, str, int]
"""A column, a text, and how many rows it is about."""


@dataclass(frozen=True)
class LogRows:
    """What a log gives: for each table its rows as text, and what was noticed."""

    tables: Mapping[str, Source]
    """Those that have rows; that of logs is always there, with all faults."""
    remarks: Sequence[Remark]


def read_log(file: LogFile, options: LogOptions) -> LogRows:
    """What a file gives for each table; raises Unreadable where it is no log."""
    if options.format:
        declared = LOG_FORMATS[options.format]
        refuse_other(file, declared)
    else:
        declared = recognise(file)
    idle = [name for name in ("filter", "type") if getattr(options, name)]
    idle = [name for name in idle if name not in declared.takes]
    if idle:
        problem = f"is in the format {declared.name}, in which {idle[0]}: of logs means nothing"
        raise Unreadable(Fault(problem, f"logs without {idle[0]}:"))
    with _without_collection():
        logs = declared.logs_of(file, options)
        for log in logs:
            _check_type(log, options)
        return _as_rows(file, logs, options)


def _check_type(log: Log, options: LogOptions) -> None:
    """Note that no sample has the field that is to be the type; a misspelt one would give none."""
    if not options.type or not log.questions or log.faults or not options.wants(log.task):
        return
    if all(question.type is None for question in log.questions.values()):
        allowed = "the name of a field that samples have, in type: of logs"
        log.fault(f"has no {options.type} in any sample", allowed)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Leave out the search for garbage meanwhile: many small values are made, and none in a circle.

    It would look at all of them again and again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _as_rows(file: LogFile, logs: Sequence[Log], options: LogOptions) -> LogRows:
    """What the logs of a file give for each table."""
    faults = [fault for log in logs for fault in log.faults]
    remarks: dict[tuple[str, str], int] = {}
    places: dict[tuple[str, str], str] = {}
    if not options.keyed:
        faults += [fault for log in logs for fault in log.other_targets]
    elif other_targets := sum(len(log.other_targets) for log in logs):
        remarks["target", OTHER_TARGETS] = other_targets
    pieces: dict[str, list[Source]] = {}
    described = []
    for log in logs:
        run = options.name_run(names_of(file.path, log)) if log.has_answers else None
        used = options.wants(log.task)
        described.append(_describe(log, run, used=used))
        if not used:
            continue
        log.show_untexted()
        for noticed, count in log.remarks.items():
            remarks[noticed] = remarks.get(noticed, 0) + count
        places = log.first_places | places
        for table, piece in _frames(log, run, options):
            pieces.setdefault(table, []).append(piece)
    if not logs and not faults:
        faults.append(Fault("has no samples", "a log with samples"))
    columns = LOG_TABLES[LOGS].names
    frame = pl.DataFrame(described, schema=dict.fromkeys(columns, pl.String), orient="row")
    numbers = pl.int_range(1, len(described) + 1, dtype=pl.UInt32, eager=True)
    tables = {LOGS: Source(frame, numbers, ascii=False, faults=tuple(faults))}
    for table, parts in pieces.items():
        if len(parts) == 1:
            tables[table] = parts[0]
            continue
        merged = pl.concat([part.frame for part in parts], how="diagonal")
        lines = pl.concat([part.lines for part in parts])
        tables[table] = Source(merged, lines, ascii=all(part.ascii for part in parts))
    first = {noticed: f"; first {place}" for noticed, place in places.items()}
    remark_rows = [
        (column, text + first.get((column, text), ""), count)
        for (column, text), count in remarks.items()
    ]
    return LogRows(tables, remark_rows)


def names_of(path: Path, log: Log) -> dict[str, str]:
    """What a pattern for runs may name."""
    stem = path.name.removesuffix(".gz")
    names = {
        "parent": path.absolute().parent.name,
        "stem": Path(stem).stem,
        "model": log.model,
        "task": log.task,
        "filter": log.filter or "",
    }
    return {name: unicodedata.normalize("NFC", value) for name, value in names.items()}


def _describe(log: Log, run: str | None, *, used: bool) -> list[str | None]:
    numbers = [
        None if amount is None else repr(amount) for amount in (log.cost, log.seconds, log.tokens)
    ]
    more = json.dumps(log.more, ensure_ascii=False)
    return [log.task, log.model, run, str(used).lower(), log.date, *numbers, more]


def _frames(log: Log, run: str | None, options: LogOptions) -> list[tuple[str, Source]]:
    """The rows of a log for each table that it has rows for, with their lines."""
    frames: list[tuple[str, Source]] = []
    merges = options.merges
    before = f"{log.task}/" if merges else ""
    general = [assessment for assessment in log.assessments if assessment.support is None]
    by_support = [assessment for assessment in log.assessments if assessment.support is not None]
    for table, rows, columns, of_run in (
        (ANSWERS, log.answers, LoggedAnswer._fields, True),
        (VERDICTS_SAID, log.verdicts, LoggedVerdict._fields, True),
        ("assessments", general, LoggedAssessment._fields, False),
        ("supported", by_support, LoggedAssessment._fields, False),
        ("patterns", log.patterns, LoggedPattern._fields, False),
    ):
        pieces: list[dict[str, Sequence[Any] | pl.Series]] = []
        if rows:
            pieces.append(dict(zip(columns, zip(*rows, strict=True), strict=True)))
        if table in log.columns:
            pieces.append(dict(log.columns[table]))
        for named in pieces:
            lines = pl.Series(named.pop("line"), dtype=pl.UInt32)
            if not log.sampled:
                named.pop("sample", None)
            series, is_ascii = _as_text(named, keep=("question", "answer"))
            if of_run:
                series.append(_repeated("run", run, len(lines)))
            frame = pl.DataFrame(series)
            if log.scorer_names and "scorer" in frame.columns:
                frame = frame.with_columns(pl.col("scorer").replace(log.scorer_names))
            if before:
                frame = frame.with_columns(question=pl.lit(before) + pl.col("question"))
            added = (before, run, *log.scorer_names.values())
            frames.append((table, Source(frame, lines, ascii=is_ascii and _are_ascii(added))))
    if log.figures and run is not None and not (merges and options.type):
        of = log.task if merges else "all"
        size = str(len(log.questions))
        figures = [
            (run, of, figure.scorer, repr(figure.value), figure.source, size)
            for figure in log.figures
        ]
        names = LOG_TABLES["logged_figures"].names
        frame = pl.DataFrame(figures, schema=dict.fromkeys(names, pl.String), orient="row")
        lines = pl.Series([1] * len(figures), dtype=pl.UInt32)
        is_ascii = all(_are_ascii(column) for column in zip(*figures, strict=True))
        frames.append(("logged_figures", Source(frame, lines, ascii=is_ascii)))
    if log.questions:
        frames.append(("logged_questions", _questions(log, before, merges=merges)))
    return frames


def _questions(log: Log, before: str, *, merges: bool) -> Source:
    """The questions of a log, column by column, with their lines."""
    lines, types, texts, groups, nil, targets = zip(*log.questions.values(), strict=True)
    if merges:
        types = tuple(log.task if kind is None else kind for kind in types)
    of: dict[str, Sequence[str | None]] = {
        "question": [before + name for name in log.questions] if before else [*log.questions],
        "type": types,
        "text": texts,
        "group": groups,
        "nil": ["true" if is_nil else "false" for is_nil in nil],
        "targets": [*map(_as_json, targets)],
    }
    names = LOG_TABLES["logged_questions"].names
    frame = pl.DataFrame([pl.Series(name, of[name], dtype=pl.String) for name in names])
    is_ascii = all(_are_ascii(values) for values in of.values())
    return Source(frame, pl.Series(lines, dtype=pl.UInt32), ascii=is_ascii)


def _as_text(
    columns: Mapping[str, Sequence[Any] | pl.Series], keep: Sequence[str]
) -> tuple[list[pl.Series], bool]:
    """Columns as text, and whether all of it is ASCII, less columns in which nothing stands.

    `keep` are kept all the same. What is told by Python's texts takes no time.
    """
    series: list[pl.Series] = []
    is_ascii = True
    for name, values in columns.items():
        if isinstance(values, pl.Series):
            column = values.rename(name).cast(pl.String)
            is_ascii = is_ascii and bool((column.str.len_bytes() == column.str.len_chars()).all())
            series.append(column)
            continue
        if name not in keep and values.count(None) == len(values):
            continue
        if name in NUMBERS:
            column = pl.Series(name, values, dtype=pl.Float64).cast(pl.String)
        elif name == "rank":
            column = pl.Series(name, values, dtype=pl.Int64).cast(pl.String)
        elif name == "answered":
            column = pl.Series(name, values, dtype=pl.Boolean).cast(pl.String)
        else:
            column = pl.Series(name.removesuffix("_"), values, dtype=pl.String)
            is_ascii = is_ascii and _are_ascii(values)
        series.append(column)
    return series, is_ascii


def _are_ascii(texts: Iterable[str | None]) -> bool:
    """Whether texts have no other characters."""
    return all(map(str.isascii, filter(None, texts)))


def _repeated(name: str, value: str | None, times: int) -> pl.Series:
    """A column with the same text in each row."""
    return pl.Series(name, [value], dtype=pl.String).new_from_index(0, times)


@lru_cache(maxsize=2**14)
def _as_json(targets: tuple[str, ...]) -> str:
    """Right answers as a JSON list; the logs of many models have the same."""
    return orjson.dumps([_plain(target) for target in targets]).decode()


def _plain(target: str) -> str:
    """A right answer as other texts are kept: white space counts as one space."""
    return " ".join(unicodedata.normalize("NFC", target).split())
