"""Raw files into the campaign's database: only what changed is read, all or nothing is kept."""

import glob
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from qampaign import checks, rows, sources, store
from qampaign.columns import Rows
from qampaign.files import write_text
from qampaign.formats import Fault, Unreadable
from qampaign.problems import Problems, Refused


@dataclass(frozen=True)
class Files:
    """The raw files of a collection, and how they are to be read."""

    collection: str
    folder: str
    """Where relative paths start."""
    paths: Mapping[str, Sequence[str]]
    """For each table its files or glob patterns."""
    options: rows.Options = field(default_factory=rows.Options)
    skip_unknown_questions: bool = False
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Columns that the files must have, each with the measures that need it."""


def ingest(
    collections: Sequence[Files],
    *,
    database: Path,
    fingerprints: Path,
    problems_csv: Path,
    code: str,
) -> dict[str, int]:
    """Bring the database up to date with the files; says how many were read and how many kept.

    `code` identifies the reading code: what other code has read is read again. Raises
    :class:`Refused` with all problems, the database then being as it was.
    """
    problems = Problems()
    unread: set[str] = set()
    new: list[store.SourceRecord] = []
    with store.writing(database) as writer:
        before = {(each.collection, each.table, each.path): each for each in writer.sources()}
        number = first_new = max((each.source for each in before.values()), default=0) + 1
        for files in collections:
            for table, path in sources.resolve(files.folder, files.paths):
                earlier = before.pop((files.collection, table, path), None)
                try:
                    read = _read(files, table, path, earlier, number, code)
                except Unreadable as unreadable:
                    _note(problems, files.collection, path, unreadable)
                    if table == ("questions" if files.paths.get("questions") else "assessments"):
                        unread.add(files.collection)
                    if earlier is not None:
                        writer.remove(earlier)
                    continue
                if read is None:
                    continue
                if earlier is not None:
                    writer.remove(earlier)
                record, typed = read
                problems.extend(typed.problems, files.collection)
                writer.add(record, typed.frame, typed.remarks)
                new.append(record)
                number += 1
        for gone in before.values():
            writer.remove(gone)
        unlisted = [each.collection for each in collections if not each.paths.get("questions")]
        checks.complete_questions(writer.connection, unlisted)
        checks.check(
            writer.connection,
            problems,
            unlisted=unlisted,
            skipping=[each.collection for each in collections if each.skip_unknown_questions],
            unread=sorted(unread),
            first_new=first_new,
        )
        for files in collections:
            if files.collection not in unread:
                checks.check_needs(writer.connection, problems, files.collection, files.needs)
        if len(problems):
            count = "a problem" if len(problems) == 1 else f"{len(problems):,} problems"
            heading = (
                f"The input has {count}. Nothing was loaded; earlier results are as they were."
            )
            raise Refused(problems.summary(heading, problems_csv))
        records = writer.sources()
        content = {
            files.collection: _fingerprints(writer, files.collection, records)
            for files in collections
        }
        campaign = [(each.collection, each.table, each.path, each.sha256) for each in records]
        origin = json.dumps([campaign, writer.remarks()])
    problems_csv.unlink(missing_ok=True)
    _renew(fingerprints / "sources", sha256(origin.encode()).hexdigest())
    for collection, tables in content.items():
        for table, fingerprint in tables.items():
            _renew(fingerprints / collection / table, fingerprint)
    return {"read": len(new), "unchanged": len(records) - len(new)}


def _read(
    files: Files, table: str, path: str, earlier: store.SourceRecord | None, number: int, code: str
) -> tuple[store.SourceRecord, Rows] | None:
    """The rows of a file, or None where the database has them already."""
    place = Path(files.folder, path)
    if not path.isascii() and path != path.encode("utf-8", "replace").decode():
        raise Unreadable(Fault("has a name that is not UTF-8", "UTF-8"))
    if glob.has_magic(path) and not place.exists():
        raise Unreadable(Fault("matches no file", "a file, or a pattern for some"))
    content = sources.read_bytes(place)
    digest = sources.digest(content)
    options = f"{code} {files.options.of(table)}"
    if (
        earlier is not None
        and (earlier.bytes, earlier.sha256) == (len(content), digest)
        and earlier.options == options
    ):
        return None
    source = sources.parse(content, place)
    run = unicodedata.normalize("NFC", sources.name_of(place)).strip()
    typed = rows.read(table, source, path, run, files.options)
    record = store.SourceRecord(
        number,
        files.collection,
        table,
        path,
        len(content),
        digest,
        options,
        typed.frame.height,
        store.hash_rows(typed.frame.drop("line", strict=False)),
    )
    return record, typed


def _note(problems: Problems, collection: str, path: str, unreadable: Unreadable) -> None:
    """Note why a file cannot be read."""
    file = path.encode("utf-8", "backslashreplace").decode()
    for fault in unreadable.faults:
        problems.add(
            collection=collection,
            file=file,
            line=fault.line,
            problem=fault.problem,
            allowed=fault.allowed,
        )


def _fingerprints(
    writer: store.Writer, collection: str, records: Sequence[store.SourceRecord]
) -> dict[str, str]:
    """For each table the hash of its rows, which does not change when files are split or sorted."""
    own = [each for each in records if each.collection == collection]
    fingerprints = {
        table: store.fingerprint(each.hash for each in own if each.table == table)
        for table in ("runs", "responses", "assessments")
    }
    questions = writer.questions(collection)  # they need not come from a file
    return fingerprints | {"questions": store.fingerprint([store.hash_rows(questions)])}


def _renew(path: Path, text: str) -> None:
    """Write a fingerprint only if it changed: its time is what tells the jobs below."""
    if not path.exists() or path.read_text() != text:
        write_text(path, text)
