"""A log into rows of text for each table: which run, which question, which task."""

import gc
import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

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
        logs = [*declared.read(file, options)]
        for log in logs:
            _check_type(log, options)
        return _as_rows(file, logs, options)


def _check_type(log: Log, options: LogOptions) -> None:
    """Note that no sample has the field that is to be the type; a misspelt one would give none."""
    if not options.type or not log.questions or log.faults or not options.wants(log.task):
        return
    if all(each.type is None for each in log.questions.values()):
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
    if not options.keyed:
        faults += [fault for log in logs for fault in log.other_targets]
    elif other := sum(len(log.other_targets) for log in logs):
        remarks["target", OTHER_TARGETS] = other
    pieces: dict[str, list[tuple[pl.DataFrame, pl.Series]]] = {}
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
        for table, frame, lines in _frames(log, run, options):
            pieces.setdefault(table, []).append((frame, lines))
    if not logs and not faults:
        faults.append(Fault("has no samples", "a log with samples"))
    columns = LOG_TABLES[LOGS].names
    frame = pl.DataFrame(described, schema=dict.fromkeys(columns, pl.String), orient="row")
    numbers = pl.int_range(1, len(described) + 1, dtype=pl.UInt32, eager=True)
    tables = {LOGS: Source(frame, numbers, ascii=False, faults=tuple(faults))}
    for table, parts in pieces.items():
        merged = pl.concat([frame for frame, _ in parts], how="diagonal")
        lines = pl.concat([each for _, each in parts])
        tables[table] = Source(merged, lines, ascii=_is_ascii(merged))
    return LogRows(tables, [(column, text, count) for (column, text), count in remarks.items()])


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
    numbers = [None if each is None else repr(each) for each in (log.cost, log.seconds, log.tokens)]
    more = json.dumps(log.more, ensure_ascii=False)
    return [log.task, log.model, run, str(used).lower(), log.date, *numbers, more]


def _frames(
    log: Log, run: str | None, options: LogOptions
) -> list[tuple[str, pl.DataFrame, pl.Series]]:
    """The rows of a log for each table that it has rows for, with their lines."""
    frames = []
    merges = options.merges
    before = f"{log.task}/" if merges else ""
    general = [each for each in log.assessments if each.support is None]
    by_support = [each for each in log.assessments if each.support is not None]
    for table, rows, columns, of_run in (
        (ANSWERS, log.answers, LoggedAnswer._fields, True),
        (VERDICTS_SAID, log.verdicts, LoggedVerdict._fields, True),
        ("assessments", general, LoggedAssessment._fields, False),
        ("supported", by_support, LoggedAssessment._fields, False),
        ("patterns", log.patterns, LoggedPattern._fields, False),
    ):
        pieces: list[dict[str, Sequence[object] | pl.Series]] = []
        if rows:
            pieces.append(dict(zip(columns, zip(*rows, strict=True), strict=True)))
        if table in log.columns:
            pieces.append(dict(log.columns[table]))
        for named in pieces:
            lines = pl.Series(named.pop("line"), dtype=pl.UInt32)
            if not log.sampled:
                named.pop("sample", None)
            frame = _as_text(named, keep=("question", "answer"))
            if log.scorer_names and "scorer" in frame.columns:
                frame = frame.with_columns(pl.col("scorer").replace(log.scorer_names))
            if before:
                frame = frame.with_columns(question=pl.lit(before) + pl.col("question"))
            if of_run:
                frame = frame.with_columns(run=pl.lit(run, pl.String))
            frames.append((table, frame, lines))
    if log.figures and run is not None and not (merges and options.type):
        of = log.task if merges else "all"
        figures = [(run, of, each.scorer, repr(each.value), each.source) for each in log.figures]
        names = LOG_TABLES["logged_figures"].names
        frame = pl.DataFrame(figures, schema=dict.fromkeys(names, pl.String), orient="row")
        frames.append(("logged_figures", frame, pl.Series([1] * len(figures), dtype=pl.UInt32)))
    if log.questions:
        frame, lines = _questions(log, before, merges=merges)
        frames.append(("logged_questions", frame, lines))
    return frames


def _questions(log: Log, before: str, *, merges: bool) -> tuple[pl.DataFrame, pl.Series]:
    """The questions of a log, column by column, with their lines."""
    lines, types, texts, groups, nil, targets = zip(*log.questions.values(), strict=True)
    if merges:
        types = tuple(log.task if each is None else each for each in types)
    of = {
        "question": [before + name for name in log.questions] if before else [*log.questions],
        "type": types,
        "text": texts,
        "group": groups,
        "nil": pl.Series(nil, dtype=pl.Boolean).cast(pl.String),
        "targets": [*map(_as_json, targets)],
    }
    names = LOG_TABLES["logged_questions"].names
    frame = pl.DataFrame([pl.Series(name, of[name], dtype=pl.String) for name in names])
    return frame, pl.Series(lines, dtype=pl.UInt32)


def _as_text(
    columns: Mapping[str, Sequence[object] | pl.Series], keep: Sequence[str]
) -> pl.DataFrame:
    """Columns as text, less those in which nothing stands; `keep` are kept all the same."""
    series = []
    for name, values in columns.items():
        if isinstance(values, pl.Series):
            series.append(values.rename(name).cast(pl.String))
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
        series.append(column)
    return pl.DataFrame(series)


def _is_ascii(frame: pl.DataFrame) -> bool:
    """Whether columns of text have no other characters."""
    each = (pl.all().str.len_bytes() == pl.all().str.len_chars()).all()
    return all(frame.select(each).row(0))


@lru_cache(maxsize=2**14)
def _as_json(targets: tuple[str, ...]) -> str:
    """Right answers as a JSON list; the logs of many models have the same."""
    return orjson.dumps([_plain(target) for target in targets]).decode()


def _plain(target: str) -> str:
    """A right answer as other texts are kept: white space counts as one space."""
    return " ".join(unicodedata.normalize("NFC", target).split())
