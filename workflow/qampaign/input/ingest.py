"""Raw files into the campaign's database: only what changed is read, all or nothing is kept."""

import glob
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from threading import Thread

import polars as pl

from qampaign.files import write_text
from qampaign.input import checks, reading, sources, store
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.column_names import with_our_names, with_run
from qampaign.input.file_options import FileOptions
from qampaign.input.formats import Fault, Source, Unreadable, note
from qampaign.input.lists import spread_lists
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.log_paths import find_logs
from qampaign.input.logs.merging import check_logs, merge_logs
from qampaign.input.logs.reading import OTHER_TABLES, read_log
from qampaign.input.logs.tables import BESIDE, LOG_TABLES, LOGS
from qampaign.input.named_runs import Asked, check_named_runs
from qampaign.input.published_figures import check_figures
from qampaign.input.rows import FileRows, Rows
from qampaign.problems import Problems, Refused
from qampaign.running.job_records import Content, Undeclared, look_at

BATCH = 1_000_000
"""How many rows are typed at a time: many enough that files do not count, few enough for memory."""

MADE_OF = {"assessments": "supported"}
"""A table of logs that rows of another are made of, given the responses."""

TOGETHER = 2**26
"""How many bytes of files are parsed at a time, likewise."""


def ingest(
    collections: Sequence[CollectionFiles],
    *,
    database: Path,
    fingerprints: Path,
    problems_csv: Path,
    code: str,
    gate: Sequence[Asked] = (),
    verify: bool = False,
    anew: bool = False,
    submission: str = "",
    look: Callable[[store.Writer, Problems], None] | None = None,
) -> tuple[dict[str, int], Undeclared]:
    """Bring the database up to date with the files.

    Says how many files were loaded and how many kept, how many remarks there are, and what was read
    and written. `code`
    identifies the reading code: what other code has read is read again. `gate` has the runs that
    conditions on results name, see :func:`qampaign.input.named_runs.check_named_runs`. With
    `verify` every file is hashed, also where its state is as it was, and with `anew` every file is
    read. What is wrong with a `submission` beside other files is told of the submission. `look`
    sees what was read and found, before anything is refused or kept. Raises :class:`Refused` with
    all problems, the database then being as it was, or empty with `anew`.
    """
    problems = Problems()
    unread: set[str] = set()
    partial: set[str] = set()
    new: list[store.SourceRecord] = []
    with store.writing(database, anew=anew) as writer:
        checks.remember(writer.connection)
        before = {
            (record.collection, record.table, record.path): record for record in writer.sources()
        }
        first_new = max((record.source for record in before.values()), default=0) + 1
        batch: list[Changed] = []
        waiting = 0  # rows of the batch

        def load() -> None:
            """Put the files of the batch into the database."""
            if batch:
                typed = reading.read(
                    batch[0].table, [changed.rows for changed in batch], batch[0].options
                )
                problems.extend(typed.problems, batch[0].options.collection)
                records = _records(batch, typed, first_new + len(new))
                writer.add(records, typed.frame, typed.remarks)
                new.extend(records)
                batch.clear()

        for files in collections:
            for file, outcome in _read(files, before, code, verify=verify):
                if isinstance(outcome, Touched):
                    writer.renew_state(outcome.record, outcome.state)
                    continue
                if file.earlier is not None:
                    writer.remove(file.earlier)
                if outcome.faults:
                    name = file.path.encode("utf-8", "backslashreplace").decode()
                    note(problems, name, outcome.faults, collection=files.collection)
                    partial.add(files.collection)
                    naming = ["questions"] if files.paths.get("questions") else checks.NAMING
                    if file.table in (*naming, LOGS):
                        unread.add(files.collection)
                if isinstance(outcome, Changed):
                    height = outcome.rows.source.frame.height
                    if batch and not (waiting + height <= BATCH and outcome.goes_with(batch[0])):
                        load()
                        waiting = 0
                    batch.append(outcome)
                    waiting += height
        load()
        for gone in before.values():
            writer.remove(gone)
        unlisted = [
            collection.collection
            for collection in collections
            if not collection.paths.get("questions")
        ]
        logged = [collection for collection in collections if collection.has_logs]
        merge_logs(
            writer.connection, {collection.collection: collection.paths for collection in logged}
        )
        checks.complete_questions(writer.connection, unlisted)
        checks.check(
            writer.connection,
            problems,
            unlisted=unlisted,
            skipping=[
                collection.collection
                for collection in collections
                if collection.skip_unknown_questions
            ],
            validating=[
                collection.collection for collection in collections if collection.validation
            ],
            blaming=[
                collection.collection for collection in collections if collection.missing_is_wrong
            ],
            unread=sorted(unread),
            first_new=first_new,
            submission=submission,
        )
        for files in logged:
            check_logs(
                writer.connection,
                problems,
                files.collection,
                files.log_options,
                has_keys=bool(files.paths.get("keys")),
                submission=submission,
            )
        for files in collections:
            if files.by_key:
                checks.remark_on_language(
                    writer.connection, files.collection, files.language, reads=files.key_reads
                )
        for files in collections:
            if files.collection not in partial:
                checks.check_needs(writer.connection, problems, files.collection, files.needs)
                checks.check_choices(writer.connection, problems, files.collection, files.choices)
                checks.check_weights(
                    writer.connection, problems, files.collection, files.unweighted
                )
            _check_figures(writer, files, problems)
        check_named_runs(collections, gate, writer.runs, partial, problems)
        if look is not None:
            look(writer, problems)
        if len(problems):
            count = "a problem" if len(problems) == 1 else f"{len(problems):,} problems"
            heading = (
                f"The input has {count}. Nothing was loaded; earlier results are as they were."
            )
            raise Refused(problems.summary(heading, problems_csv))
        records = writer.sources()
        remarks = writer.remarks()
        content = {
            files.collection: _fingerprints(writer, files, records, remarks)
            for files in collections
        }
    problems_csv.unlink(missing_ok=True)
    written = {
        database.with_name("rows.json"): json.dumps(_rows(records), sort_keys=True),
    } | {
        fingerprints / collection / table: fingerprint
        for collection, tables in content.items()
        for table, fingerprint in tables.items()
    }
    for path, text in written.items():
        _renew(path, text)
    read = len({_identity(record, logged) for record in new})
    unchanged = len({_identity(record, logged) for record in records}) - read
    counts = {"read": read, "unchanged": unchanged, "remarks": len(remarks)}
    return counts, Undeclared(_raw_files(collections, records), look_at([database, *written]))


def _identity(record: store.SourceRecord, logged: Sequence[CollectionFiles]) -> object:
    """What a file is counted by: a log is one, however many tables it fills."""
    of_log = any(files.collection == record.collection for files in logged)
    return (record.collection, record.path) if of_log else record.source


def _raw_files(
    collections: Sequence[CollectionFiles], records: Sequence[store.SourceRecord]
) -> dict[str, Content]:
    """The content of all raw files, as it was when they were read."""
    folders = {files.collection: Path(files.folder) for files in collections}
    loaded = {
        str(folders[record.collection] / record.path): Content(
            record.sha256, json.loads(record.state)
        )
        for record in records
    }
    figures = [path for files in collections for path in _figure_files(files)]
    return loaded | look_at(figures)


def _check_figures(writer: store.Writer, files: CollectionFiles, problems: Problems) -> None:
    """Note what is wrong with published figures of a collection, as far as is known by now."""
    names = files.figure_names
    if names.runs is not None:
        names = replace(names, runs=[*writer.runs(files.collection), *names.runs])
    check_figures(files.collection, _figure_files(files), names, problems)


def _figure_files(files: CollectionFiles) -> list[Path]:
    """The files with published figures of a collection."""
    resolved = sources.resolve(files.folder, {"published": files.figures})
    return [Path(files.folder, path) for _, path in resolved]


@dataclass(frozen=True)
class Changed:
    """A file whose rows the database does not have yet."""

    options: CollectionFiles
    table: str
    rows: FileRows
    bytes: int
    sha256: str
    state: str
    reading: str
    """Everything besides the content that decides what the rows are."""

    @property
    def faults(self) -> Sequence[Fault]:
        """Why lines of it cannot be read."""
        return self.rows.source.faults

    def goes_with(self, other: "Changed") -> bool:
        """Whether it can be typed together with another: of the same table, the same columns."""
        ours, theirs = (
            (changed.options.collection, changed.table, changed.rows.source.frame.columns)
            for changed in (self, other)
        )
        return ours == theirs


@dataclass(frozen=True)
class File:
    """A raw file, and what the database has of it."""

    table: str
    path: str
    earlier: store.SourceRecord | None


@dataclass(frozen=True)
class Touched:
    """A file whose rows the database has, though its size, times or number are others."""

    record: store.SourceRecord
    state: str


@dataclass(frozen=True)
class Opened:
    """The bytes of a file, and the state that it had before they were read."""

    content: bytes
    state: str

    @cached_property
    def sha256(self) -> str:
        """The hash of the bytes."""
        return sources.digest(self.content)

    @contextmanager
    def hashing(self) -> Iterator[None]:
        """Hash the bytes in another thread meanwhile: it takes as long as reading a large log."""
        thread = Thread(target=lambda: self.sha256)
        thread.start()
        try:
            yield
        finally:
            thread.join()


Outcome = tuple[File, Changed | Touched | Unreadable]


def _read(
    files: CollectionFiles,
    before: dict[tuple[str, str, str], store.SourceRecord],
    code: str,
    *,
    verify: bool,
) -> Iterator[Outcome]:
    """The files of a collection that the database does not have as they are, each with its rows.

    What it has of them is taken out of `before`.
    """
    waiting: list[tuple[File, Opened]] = []
    size = 0
    readings = {table: _reading(files, table, code) for table in files.paths}
    of_tables = {table: paths for table, paths in files.paths.items() if table != LOGS}
    for table, path in sources.resolve(files.folder, of_tables):
        file = File(table, path, before.pop((files.collection, table, path), None))
        try:
            opened = _open(files, file, readings[table], verify=verify)
        except Unreadable as unreadable:
            yield file, unreadable
            continue
        if isinstance(opened, Touched):
            yield file, opened
        elif opened is not None:
            size += len(opened.content)
            if waiting and (waiting[0][0].table != table or size > TOGETHER):
                yield from _parse(files, waiting, code)
                waiting.clear()
                size = len(opened.content)
            waiting.append((file, opened))
    yield from _parse(files, waiting, code)
    if files.has_logs:
        yield from _read_logs(files, before, code, verify=verify)


def _read_logs(
    files: CollectionFiles,
    before: dict[tuple[str, str, str], store.SourceRecord],
    code: str,
    *,
    verify: bool,
) -> Iterator[Outcome]:
    """The same for logs: one file gives rows of several tables.

    Files that complete a log beside them are filed by themselves; the log is read again where one
    of them changes, comes or goes.
    """
    beside = find_logs(files.folder, files.paths[LOGS])
    completing = {beside_path for others in beside.values() for beside_path in others}
    digests: dict[str, str] = {}
    for path in sorted(completing):
        file = File(BESIDE, path, before.pop((files.collection, BESIDE, path), None))
        try:
            opened = _open(files, file, code, verify=verify)
        except Unreadable as unreadable:
            yield file, unreadable
            continue
        if isinstance(opened, Opened):
            nothing = pl.DataFrame(schema=dict.fromkeys(LOG_TABLES[LOGS].names, pl.String))
            empty = Source(nothing, pl.Series([], dtype=pl.UInt32), ascii=True)
            changed = _changed(files, file, opened, FileRows(path, "", empty), code)
            digests[path] = changed.sha256
            yield file, changed
        else:
            assert file.earlier is not None
            digests[path] = file.earlier.sha256
            if opened is not None:
                yield file, opened
    waiting: dict[str, list[Outcome]] = {}
    size = 0
    for path in beside:
        earlier = {
            table: before.pop((files.collection, table, path), None)
            for table in (*OTHER_TABLES, *LOG_TABLES)
        }
        reading = f"{_reading(files, LOGS, code)} {[digests.get(name) for name in beside[path]]}"
        file = File(LOGS, path, earlier[LOGS])
        try:
            opened = _open(files, file, reading, verify=verify)
            if isinstance(opened, Opened):
                others = {
                    Path(beside_path).name: sources.read_bytes(Path(files.folder, beside_path))
                    for beside_path in beside[path]
                }
                with opened.hashing():
                    content = sources.unpack(opened.content, files.unpacked_gb)
                    log_file = LogFile(Path(files.folder, path), content, others, files.unpacked_gb)
                    log = read_log(log_file, files.log_options)
        except Unreadable as unreadable:
            yield file, unreadable
            continue
        if isinstance(opened, Touched):
            for record in earlier.values():
                if record is not None:
                    yield file, Touched(record, opened.state)
        elif opened is not None:
            for record in earlier.values():  # also where it has no rows in that table any more
                if record is not None:
                    before[files.collection, record.table, path] = record
            for table, source in log.tables.items():
                remarks = log.remarks if table == LOGS else ()
                rows = FileRows(path, "", source, remarks=remarks)
                old = before.pop((files.collection, table, path), None)
                table_file = File(table, path, old)
                waiting.setdefault(table, []).append(
                    (table_file, _changed(files, table_file, opened, rows, reading))
                )
                size += int(source.frame.estimated_size())
            if size > TOGETHER:
                yield from chain.from_iterable(waiting.values())
                waiting.clear()
                size = 0
    yield from chain.from_iterable(waiting.values())


def _changed(
    files: CollectionFiles, file: File, opened: Opened, rows: FileRows, reading: str
) -> Changed:
    size, digest = len(opened.content), opened.sha256
    return Changed(files, file.table, rows, size, digest, opened.state, reading)


def _open(
    files: CollectionFiles, file: File, options: str, *, verify: bool
) -> Opened | Touched | None:
    """The bytes of a file, or None where the database has its rows already."""
    path, earlier = Path(files.folder, file.path), file.earlier
    if not file.path.isascii() and file.path != file.path.encode("utf-8", "replace").decode():
        raise Unreadable(Fault("has a name that is not UTF-8", "UTF-8"))
    if glob.has_magic(file.path) and not path.exists():
        raise Unreadable(Fault("matches no file", "a file, or a pattern for some"))
    if file.table == LOGS and path.is_dir():
        raise Unreadable(Fault("is a folder without files, hidden ones aside", "a folder of logs"))
    if earlier is not None and earlier.options != options:
        earlier = None
    state = sources.state(path)
    if earlier is not None and earlier.state == state and not verify:
        return None
    opened = Opened(sources.read_bytes(path), state)
    if earlier is not None and earlier.sha256 == opened.sha256:
        return Touched(earlier, state)
    return opened


def _reading(files: CollectionFiles, table: str, code: str) -> str:
    return f"{code} {files.deciding(table)}"


def _parse(
    files: CollectionFiles, opened: Sequence[tuple[File, Opened]], code: str
) -> Iterator[Outcome]:
    """What stands in files of one table, each with what the database will know it by."""
    paths = [Path(files.folder, file.path) for file, _ in opened]
    contents = [unparsed.content for _, unparsed in opened]
    options = files.options_of(opened[0][0].table) if opened else FileOptions()
    parsed = sources.parse_all(contents, paths, files.unpacked_gb, options.format)
    for (file, opened_file), path, source in zip(opened, paths, parsed, strict=True):
        try:
            if isinstance(source, Unreadable):
                raise source
            run = sources.run_of(path, options)
            named, remarks = with_our_names(file.table, source, options, by_path=bool(options.run))
            named = with_run(file.table, named, run if options.run else None)
            named, listed = spread_lists(file.table, named)
            reading.check_columns(file.table, named)
        except Unreadable as unreadable:
            yield file, unreadable
            continue
        filled, unfilled = reading.without_unfilled(file.table, named)
        yield (
            file,
            Changed(
                files,
                file.table,
                FileRows(file.path, run, filled, unfilled, (*remarks, *listed, *source.notes)),
                len(opened_file.content),
                sources.digest(opened_file.content),
                opened_file.state,
                _reading(files, file.table, code),
            ),
        )


def _records(batch: Sequence[Changed], typed: Rows, first: int) -> list[store.SourceRecord]:
    """What the database keeps of the files of a batch, numbered from `first`."""
    by_line = batch[0].table == "responses" and batch[0].options.by_line
    hashed = typed.frame if by_line else typed.frame.drop("line")
    hashes = store.hash_rows(hashed, typed.heights)
    return [
        store.SourceRecord(
            number,
            changed.options.collection,
            changed.table,
            changed.rows.name,
            changed.bytes,
            changed.sha256,
            changed.state,
            changed.reading,
            height,
            rows_hash,
        )
        for number, (changed, height, rows_hash) in enumerate(
            zip(batch, typed.heights, hashes, strict=True), start=first
        )
    ]


def _fingerprints(
    writer: store.Writer,
    files: CollectionFiles,
    records: Sequence[store.SourceRecord],
    remarks: Sequence[store.Remark],
) -> dict[str, str]:
    """For each table the hash of its rows; and one of the files and the remarks on them.

    The hash of a table does not change when files are split, or sorted unless lines of responses
    matter.
    """
    ours = [record for record in records if record.collection == files.collection]
    origin = [
        sorted((record.table, record.path, record.sha256, record.rows) for record in ours),
        [remark for remark in remarks if remark[0] == files.collection],
    ]
    fingerprints = {
        table: store.fingerprint(
            record.hash for record in ours if record.table in (table, MADE_OF.get(table))
        )
        for table in (*files.paths, *([*OTHER_TABLES, "logged"] if files.has_logs else []))
    }
    collected = ["questions", *(["keys", "runs"] if files.has_logs else [])]  # from no single file
    fingerprints |= {
        table: store.fingerprint([*store.hash_rows(rows, [rows.height])])
        for table in collected
        for rows in [writer.rows(table, files.collection)]
    }
    return fingerprints | {
        "sources": sha256(json.dumps(origin).encode()).hexdigest(),
    }


def _rows(records: Sequence[store.SourceRecord]) -> dict[str, int]:
    """How many rows each collection has in all: jobs ask a cluster for memory and time by it."""
    rows: dict[str, int] = {}
    for record in records:
        rows[record.collection] = rows.get(record.collection, 0) + record.rows
    return rows


def _renew(path: Path, text: str) -> None:
    """Write a fingerprint only if it changed: its time is what the jobs below go by."""
    if not path.exists() or path.read_text() != text:
        write_text(path, text)
