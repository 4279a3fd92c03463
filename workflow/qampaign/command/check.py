"""`qampaign check`: one submission, checked as ingest would, without a trace in the campaign.

The file is read with the run files (or logs) of its collection, into a database of its own that is
thrown away. Of what is found, only what is about the file is told.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl
import yaml

from qampaign.config.campaign import read_campaign
from qampaign.config.config_files import find_faults
from qampaign.config.ingest_params import collection_files
from qampaign.input import checks, sources, store
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.ingest import ingest
from qampaign.input.input_tables import INPUT_TABLES
from qampaign.input.logs.log_paths import find_logs
from qampaign.input.logs.merging import find_alone
from qampaign.input.logs.tables import LOGS
from qampaign.problems import Problems, Refused, first_names, printable
from qampaign.regular_files import Irregular, open_regular

HOLDS, FAILS, COULD_NOT_RUN = 0, 1, 2

RUNS = """
    SELECT r.run, count(*) AS rows,
        count(DISTINCT r.question) FILTER (r.answered AND q.question IS NOT NULL) AS answered,
        count(DISTINCT r.sample) AS samples, max(r.rank) AS ranks
    FROM responses r JOIN sources USING (source)
        LEFT JOIN questions q ON (q.collection = r.collection AND q.question = r.question)
    WHERE path = ? GROUP BY r.run ORDER BY r.run
"""
MISSING = """
    SELECT question FROM questions WHERE collection = $collection AND question NOT IN (
        SELECT question FROM responses JOIN sources USING (source)
        WHERE run = $run AND path = $path AND question IS NOT NULL)
    ORDER BY question
"""


class CannotCheck(Exception):
    """Why a file cannot be checked, whatever it holds."""


@dataclass
class Seen:
    """What a submission holds, and what is wrong with it."""

    lines: list[str] = field(default_factory=list)
    """What was seen, for people to read."""
    remarks: list[str] = field(default_factory=list)
    faults: Problems = field(default_factory=Problems)
    others: int = 0
    """How many problems there are in other files with runs."""
    complete: bool = False
    """Whether all that was read was looked at."""


def check(file: str, config: str | None, collection: str | None) -> int:
    """Check a submission and tell what came out; the exit code."""
    try:
        files = _files_of(Path(config or "config.yaml"), collection)
        seen = look_at(Path(file), files)
    except (CannotCheck, Refused) as reason:
        print(reason, file=sys.stderr)
        return COULD_NOT_RUN
    for line in seen.lines:
        print(line)
    for remark in seen.remarks:
        print(f"  remark: {remark}")
    if seen.others:
        count = "a problem" if seen.others == 1 else f"{seen.others:,} problems"
        print(f"  remark: other files with runs have {count}; not looked at here")
    if not len(seen.faults):
        print(f"{printable(file)} holds: it can be part of the collection {files.collection}.")
        return HOLDS
    count = "a problem" if len(seen.faults) == 1 else f"{len(seen.faults):,} problems"
    summary = seen.faults.summary(f"{printable(file)} has {count}:")
    print(summary.replace(str(Path(file).absolute()), file), file=sys.stderr)
    return FAILS


def _files_of(config: Path, collection: str | None) -> CollectionFiles:
    """The files of a collection, and how they are read."""
    if not config.exists():
        raise CannotCheck(f"There is no config file {config}. Name one: --config CONFIG")
    if faults := [*find_faults([config])]:
        raise CannotCheck("\n".join(faults))
    campaign = read_campaign(yaml.safe_load(config.read_text(encoding="utf-8")), [config])
    known = {files.collection: files for files in collection_files(campaign)}
    if collection is None and len(known) > 1:
        raise CannotCheck(f"Which collection? --collection, one of {', '.join(known)}")
    name = next(iter(known)) if collection is None else collection
    if name not in known:
        raise CannotCheck(f"{name} is not a collection; allowed: {', '.join(known)}")
    return known[name]


def look_at(file: Path, files: CollectionFiles) -> Seen:
    """Read a file as a run of a collection, and see what it holds and what is wrong with it."""
    try:
        open_regular(file).close()
    except FileNotFoundError:
        raise CannotCheck(f"There is no file {file}.") from None
    except Irregular as error:
        raise CannotCheck(f"{file}: {error.strerror}") from None
    except OSError as error:
        raise CannotCheck(f"{file} cannot be read: {error.strerror}") from None
    seen, path = Seen(), str(file.absolute())
    table = LOGS if files.has_logs else "responses"
    alone = replace(
        files,
        paths={**_naming(files), table: [*_others(files, table, file, seen), path]},
        needs={
            column: measures
            for column, measures in files.needs.items()
            if column in INPUT_TABLES["responses"].names
        },
        unweighted=[],
        figures=(),
        compared=(),
    )

    def look(writer: store.Writer, problems: Problems) -> None:
        if files.paths.get("keys"):  # which need not be at hand; targets in logs are none then
            problems = problems.where(pl.col("column").ne_missing("target"))
        if files.has_logs and not files.paths.get("questions"):
            _refuse_questions(writer, path, problems, files.collection)
        file_column = pl.col("file")
        about = (file_column == path) | pl.col("problem").str.contains(path, literal=True)
        about |= file_column == f"collection {files.collection}"
        seen.faults = problems.where(about)
        others = problems.where(~about)
        remaining = problems.where(~about & ~file_column.is_in(alone.paths[table]))
        if len(remaining):
            heading = "The submission cannot be checked: other files of the collection are faulty."
            raise CannotCheck(remaining.summary(heading))
        seen.others = len(others)
        seen.lines += _describe(writer, path, alone)
        seen.remarks += _remarks(writer, path, alone)
        seen.complete = True

    with tempfile.TemporaryDirectory(prefix="qampaign-check-") as folder:
        try:
            ingest(
                [alone],
                database=Path(folder, "campaign.duckdb"),
                fingerprints=Path(folder, "fingerprints"),
                problems_csv=Path(folder, "problems.csv"),
                code="check",
                submission=path,
                look=look,
            )
        except Refused:
            if not seen.complete:
                raise
    return seen


def _refuse_questions(writer: store.Writer, path: str, problems: Problems, collection: str) -> None:
    """Note questions that only the submission has: they would count for every run."""
    connection = writer.connection
    alone = [row for row in find_alone(connection, collection) if row[0] == path]
    for _, question, line in alone:
        problems.add(
            collection=collection,
            file=path,
            line=line,
            column="question",
            value=question,
            problem="is an unknown question",
            allowed=f"a question that another file of the collection {collection} has",
        )
    connection.execute(
        "DELETE FROM questions WHERE collection = ? AND list_contains(?, question)",
        [collection, [question for _, question, _ in alone]],
    )


def _naming(files: CollectionFiles) -> dict[str, Sequence[str]]:
    """The files that say which questions there are, all of which must be there."""
    tables = ["questions"] if files.paths.get("questions") else checks.NAMING
    naming = {table: files.paths.get(table, []) for table in tables}
    lacking = [path for _, path in sources.resolve(files.folder, naming)
               if not Path(files.folder, path).exists()]  # fmt: skip
    if lacking:
        raise CannotCheck(
            "The questions of the collection are not known: there is no file "
            f"{first_names(lacking)} in {files.folder}"
        )
    return {table: [] for table in files.paths if "/" not in table} | naming


def _others(files: CollectionFiles, table: str, file: Path, seen: Seen) -> list[str]:
    """The run files of the collection that are there, less the one that the file stands for.

    That is itself, or an earlier version: one with its name, and its folder's where several have
    that name.
    """
    wanted = files.paths.get(table, [])
    if table == LOGS:
        resolved = [*find_logs(files.folder, wanted)]
    else:
        resolved = [path for _, path in sources.resolve(files.folder, {table: wanted})]
    there = [path for path in resolved if Path(files.folder, path).is_file()]
    same = [path for path in there if Path(files.folder, path).resolve() == file.resolve()]
    if not same:
        same = [path for path in there if Path(path).name == file.name]
        if len(same) > 1:
            folder = file.absolute().parent.name
            same = [path for path in same if Path(files.folder, path).parent.name == folder]
        if len(same) == 1:
            seen.remarks.append(f"checked in the place of {same[0]}, which has the same name")
        else:
            same = []
    return [path for path in there if path not in same]


def _describe(writer: store.Writer, path: str, files: CollectionFiles) -> Iterator[str]:
    """What a file holds: its runs with their rows, and the questions that they have no row for."""
    connection, name = writer.connection, files.collection
    ((questions,),) = connection.execute(
        "SELECT count(*) FROM questions WHERE collection = ?", [name]
    ).fetchall()
    for run, rows, answered, samples, ranks in connection.execute(RUNS, [path]).fetchall():
        shown = f"run {printable(str(run))}: {_count(rows, 'row')}, "
        shown += f"{answered:,} of {_count(questions, 'question')} answered"
        shown += f", up to {ranks:,} ranks" if ranks and ranks > 1 else ""
        shown += f", {samples:,} samples" if samples > 1 else ""
        yield shown
        values = {"collection": name, "run": run, "path": path}
        missing = connection.execute(MISSING, values).fetchall()
        if missing:
            first = first_names(printable(question) for (question,) in missing)
            counted = "wrong" if files.missing_is_wrong else "unanswered"
            yield f"  no row for {_count(len(missing), 'question')}, counted as {counted}: {first}"


def _remarks(writer: store.Writer, path: str, files: CollectionFiles) -> Iterator[str]:
    """What was noticed in a file, and what measures miss in it."""
    connection = writer.connection
    runs = [run for run, *_ in connection.execute(RUNS, [path]).fetchall()]
    for _, about, column, text, count in writer.remarks():
        where = f"column {column}: " if column else ""
        alike = about is None and text.startswith("runs that give the same answers")
        named = {
            name for group in text.partition(": ")[2].split("; ") for name in group.split(", ")
        }
        if about == path:
            yield f"{where}{text} ({count:,})"
        elif alike and named & {*runs}:
            yield text
    for column, measures in files.needs.items():
        ((filled,),) = connection.execute(
            f'SELECT count("{column}") FROM responses JOIN sources USING (source) WHERE path = ?',
            [path],
        ).fetchall()
        if runs and not filled:
            yield f"no row has a {column}: {', '.join(measures)} will have no value"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
