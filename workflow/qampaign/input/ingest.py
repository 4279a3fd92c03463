"""Raw files into the campaign's database: only what changed is read, all or nothing is kept."""

import glob
import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from qampaign.files import write_text
from qampaign.input import checks, reading, sources, store
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.formats import Fault, Unreadable, note
from qampaign.input.published_figures import check_figures
from qampaign.input.rows import FileRows, Rows
from qampaign.problems import Problems, Refused, first_names
from qampaign.running.job_records import Content, Undeclared, look_at

BATCH = 1_000_000
"""How many rows are typed at a time: many enough that files do not count, few enough for memory."""

TOGETHER = 2**26
"""How many bytes of files are parsed at a time, likewise."""


def ingest(
    collections: Sequence[CollectionFiles],
    *,
    database: Path,
    fingerprints: Path,
    problems_csv: Path,
    code: str,
    verify: bool = False,
    anew: bool = False,
) -> tuple[dict[str, int], Undeclared]:
    """Bring the database up to date with the files.

    Says how many files were loaded and how many kept, and what was read and written. `code`
    identifies the reading code: what other code has read is read again. With `verify` every file is
    hashed, also where its state is as it was, and with `anew` every file is read. Raises
    :class:`Refused` with all problems, the database then being as it was, or empty with `anew`.
    """
    problems = Problems()
    unread: set[str] = set()
    partial: set[str] = set()
    new: list[store.SourceRecord] = []
    with store.writing(database, anew=anew) as writer:
        checks.remember(writer.connection)
        before = {(each.collection, each.table, each.path): each for each in writer.sources()}
        first_new = max((each.source for each in before.values()), default=0) + 1
        batch: list[Changed] = []
        waiting = 0  # rows of the batch

        def load() -> None:
            """Put the files of the batch into the database."""
            if batch:
                typed = reading.read(
                    batch[0].table, [each.rows for each in batch], batch[0].options
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
                    if file.table in naming:
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
        unlisted = [each.collection for each in collections if not each.paths.get("questions")]
        checks.complete_questions(writer.connection, unlisted)
        checks.check(
            writer.connection,
            problems,
            unlisted=unlisted,
            skipping=[each.collection for each in collections if each.skip_unknown_questions],
            validating=[each.collection for each in collections if each.validation],
            unread=sorted(unread),
            first_new=first_new,
        )
        for files in collections:
            if files.by_key:
                checks.remark_on_language(
                    writer.connection, files.collection, files.language, reads=files.key_reads
                )
        for files in collections:
            if files.collection not in partial:
                checks.check_needs(writer.connection, problems, files.collection, files.needs)
            _check_figures(writer, files, problems)
            _check_compared(writer, files, problems)
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
    counts = {"read": len(new), "unchanged": len(records) - len(new)}
    return counts, Undeclared(_raw_files(collections, records), [database, *written])


def _raw_files(
    collections: Sequence[CollectionFiles], records: Sequence[store.SourceRecord]
) -> dict[str, Content]:
    """The content of all raw files, as it was when they were read."""
    folders = {each.collection: Path(each.folder) for each in collections}
    loaded = {
        str(folders[each.collection] / each.path): Content(each.sha256, json.loads(each.state))
        for each in records
    }
    figures = [path for files in collections for path in _figure_files(files)]
    return loaded | look_at(figures)


def _check_figures(writer: store.Writer, files: CollectionFiles, problems: Problems) -> None:
    """Note what is wrong with published figures of a collection, as far as is known by now."""
    names = files.figure_names
    if names.runs is not None:
        names = replace(names, runs=[*writer.runs(files.collection), *names.runs])
    check_figures(files.collection, _figure_files(files), names, problems)


def _check_compared(writer: store.Writer, files: CollectionFiles, problems: Problems) -> None:
    """Note the runs that planned comparisons name and no file gives."""
    runs = writer.runs(files.collection)
    for name in files.compared:
        if runs and name not in runs:
            problems.add(
                file="the config",
                problem=f"in collections.{files.collection}.comparisons is not a run",
                collection=files.collection,
                value=name,
                allowed=first_names(runs),
            )


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
            (each.options.collection, each.table, each.rows.source.frame.columns)
            for each in (self, other)
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
    for table, path in sources.resolve(files.folder, files.paths):
        file = File(table, path, before.pop((files.collection, table, path), None))
        try:
            opened = _open(files, file, code, verify=verify)
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


def _open(
    files: CollectionFiles, file: File, code: str, *, verify: bool
) -> Opened | Touched | None:
    """The bytes of a file, or None where the database has its rows already."""
    path, earlier = Path(files.folder, file.path), file.earlier
    if not file.path.isascii() and file.path != file.path.encode("utf-8", "replace").decode():
        raise Unreadable(Fault("has a name that is not UTF-8", "UTF-8"))
    if glob.has_magic(file.path) and not path.exists():
        raise Unreadable(Fault("matches no file", "a file, or a pattern for some"))
    if earlier is not None and earlier.options != _reading(files, file.table, code):
        earlier = None
    state = sources.state(path)
    if earlier is not None and earlier.state == state and not verify:
        return None
    content = sources.read_bytes(path)
    if earlier is not None and earlier.sha256 == sources.digest(content):
        return Touched(earlier, state)
    return Opened(content, state)


def _reading(files: CollectionFiles, table: str, code: str) -> str:
    return f"{code} {files.deciding(table)}"


def _parse(
    files: CollectionFiles, opened: Sequence[tuple[File, Opened]], code: str
) -> Iterator[Outcome]:
    """What stands in files of one table, each with what the database will know it by."""
    paths = [Path(files.folder, file.path) for file, _ in opened]
    contents = [each.content for _, each in opened]
    parsed = sources.parse_all(contents, paths, files.unpacked_gb)
    for (file, each), path, source in zip(opened, paths, parsed, strict=True):
        try:
            if isinstance(source, Unreadable):
                raise source
            reading.check_columns(file.table, source)
        except Unreadable as unreadable:
            yield file, unreadable
            continue
        run = unicodedata.normalize("NFC", sources.name_of(path)).strip()
        filled, unfilled = reading.without_unfilled(file.table, source)
        yield (
            file,
            Changed(
                files,
                file.table,
                FileRows(file.path, run, filled, unfilled),
                len(each.content),
                sources.digest(each.content),
                each.state,
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
            each.options.collection,
            each.table,
            each.rows.name,
            each.bytes,
            each.sha256,
            each.state,
            each.reading,
            height,
            rows_hash,
        )
        for number, (each, height, rows_hash) in enumerate(
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
    ours = [each for each in records if each.collection == files.collection]
    origin = [
        sorted((each.table, each.path, each.sha256, each.rows) for each in ours),
        [remark for remark in remarks if remark[0] == files.collection],
    ]
    fingerprints = {
        table: store.fingerprint(each.hash for each in ours if each.table == table)
        for table in files.paths
    }
    questions = writer.questions(files.collection)  # they need not come from a file
    return fingerprints | {
        "questions": store.fingerprint([*store.hash_rows(questions, [questions.height])]),
        "sources": sha256(json.dumps(origin).encode()).hexdigest(),
    }


def _rows(records: Sequence[store.SourceRecord]) -> dict[str, int]:
    """How many rows each collection has in all: jobs ask a cluster for memory and time by it."""
    rows: dict[str, int] = {}
    for each in records:
        rows[each.collection] = rows.get(each.collection, 0) + each.rows
    return rows


def _renew(path: Path, text: str) -> None:
    """Write a fingerprint only if it changed: its time is what the jobs below go by."""
    if not path.exists() or path.read_text() != text:
        write_text(path, text)
