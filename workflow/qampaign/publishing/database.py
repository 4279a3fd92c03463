"""The published database: written whole, or the last one with what has changed since.

A table is what the Parquet files of the collections hold, one after the other. The comment on it
says which files these were. So the next publication finds which of them are others now, and
changes the rows that differ, in a copy of the last database: the rows stand where they stood, and
the table is what writing it whole would give. Whatever is in doubt is written whole.
"""

import json
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from qampaign.files import replacing
from qampaign.running.job_records import look_at
from qampaign.tables import LONG, RESULT_TABLES, empty, in_order

STORAGE = "v1.0.0"
"""The format of the database: every DuckDB since 1.0 reads it, and it is quicker to write."""

ROW_GROUP = 122_880
"""How many rows of a table DuckDB stores together. From a Parquet file whose groups are as long, it
takes them as they are: file and table together take a tenth less, the file alone more."""

COMPRESSION = {
    "answers": {
        "answer": "FSST",
        "question": "FSST",
        **dict.fromkeys(("collection", "judge", "run", "verdict"), "Dictionary"),
    }
}
"""How columns of long tables are stored. DuckDB would try every way on every block of rows, and
choose these; trying takes a fifth of the time."""

SLICE = 8 * ROW_GROUP
"""How many rows are compared at a time, so that memory is bounded."""

MOST_CHANGED = 200_000
"""Up to how many rows of a file are changed one by one: DuckDB holds them in memory."""

MOST_FREE = 1 / 3
"""The share of a database that changes may leave unused before it is written whole again."""

COLUMNS_AND_ROWS = """
    SELECT file_name, columns, num_rows FROM parquet_file_metadata($files) JOIN (
        SELECT file_name, list([name, duckdb_type] ORDER BY column_id) AS columns
        FROM parquet_schema($files) WHERE duckdb_type IS NOT NULL GROUP BY file_name
    ) USING (file_name)"""

Connection = duckdb.DuckDBPyConnection


@dataclass(frozen=True)
class Part:
    """A Parquet file that a table was made from."""

    content: str
    """A digest of the file."""
    columns: str
    """A digest of its columns and their types."""
    rows: int


class _InDoubt(Exception):
    """The last database cannot be brought up to date."""


def write_database(
    pieces: Mapping[str, Sequence[Path]],
    more: Mapping[str, pl.DataFrame],
    path: Path,
    *,
    last: bool = False,
) -> dict[str, int]:
    """Write all tables as one database, which takes its name when it is complete.

    A table is what its Parquet files hold one after the other, a frame of `more`, or empty. With
    `last`, what is at `path` is the last database as it was published: only what differs is
    written. Gives the number of rows of each table.
    """
    parts = _parts(pieces)
    if last:
        try:
            return _update(pieces, parts, more, path)
        except (_InDoubt, duckdb.Error) as error:
            print(f"the database is written whole: {error}")
    with replacing(path) as temporary, _open(temporary) as connection:
        connection.execute("BEGIN")
        for name, files in pieces.items():
            _create(connection, name, files, parts[name], more.get(name))
        connection.execute("COMMIT")
        return _count_rows(connection, pieces)


def read_database(path: Path, wanted: Collection[str]) -> dict[str, pl.DataFrame]:
    """Those of the wanted tables that a published database has."""
    with duckdb.connect(str(path), read_only=True) as connection:
        names = connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()
        return {name: connection.sql(f'FROM "{name}"').pl() for (name,) in names if name in wanted}


def _open(path: Path) -> Connection:
    return duckdb.connect(str(path), config={"storage_compatibility_version": STORAGE})


def _parts(pieces: Mapping[str, Sequence[Path]]) -> dict[str, list[Part]]:
    """What the files of each table hold; all of them are looked at together."""
    files = [str(file) for of_table in pieces.values() for file in of_table]
    contents = look_at(files)
    parts = {}
    if files:
        with duckdb.connect() as connection:
            listed = connection.execute(COLUMNS_AND_ROWS, {"files": files}).fetchall()
        for file, columns, rows in listed:
            digest = sha256(json.dumps(columns).encode()).hexdigest()[:16]
            parts[file] = Part(contents[file].sha256, digest, rows)
    return {name: [parts[str(file)] for file in of_table] for name, of_table in pieces.items()}


def _create(
    connection: Connection,
    name: str,
    files: Sequence[Path],
    parts: Sequence[Part],
    frame: pl.DataFrame | None,
) -> None:
    """Write a table whole, and note which files it was made from."""
    connection.execute(f'DROP TABLE IF EXISTS "{name}"')
    if files:
        read = "FROM read_parquet($files, union_by_name = true)"
        parameters = {"files": [str(file) for file in files]}
        described = connection.execute(f"DESCRIBE SELECT * {read}", parameters).fetchall()
        types = {column: kind for column, kind, *_ in described}
        names = in_order(name, list(types))
        declared = [_declaration(name, column, types[column]) for column in names]
        listed = ", ".join(map(_quoted, names))
        connection.execute(f'CREATE TABLE "{name}" ({", ".join(declared)})')
        connection.execute(f'INSERT INTO "{name}" SELECT {listed} {read}', parameters)
    else:
        connection.register("frame", empty(name) if frame is None else frame)
        connection.execute(f'CREATE TABLE "{name}" AS FROM frame')
        connection.unregister("frame")
    _note(connection, name, parts)


def _declaration(table: str, column: str, kind: str) -> str:
    stored = COMPRESSION.get(table, {}).get(column)
    return f"{_quoted(column)} {kind}{f' USING COMPRESSION {stored}' if stored else ''}"


def _quoted(column: str) -> str:
    return '"{}"'.format(column.replace('"', '""'))


def _count_rows(connection: Connection, names: Collection[str]) -> dict[str, int]:
    rows = {}
    for name in names:
        ((rows[name],),) = connection.sql(f'SELECT count(*) FROM "{name}"').fetchall()
    return rows


def _note(connection: Connection, name: str, parts: Sequence[Part]) -> None:
    """Say in the comment on a table which files it was made from: digests and numbers alone."""
    listed = [[part.content, part.columns, part.rows] for part in parts]
    comment = json.dumps({"layout": _layout(name), "parts": listed}, separators=(",", ":"))
    connection.execute(f"COMMENT ON TABLE \"{name}\" IS '{comment}'")


def _noted(connection: Connection) -> dict[str, list[Part]]:
    """The files that each table was made from, of those tables that are as they would be today."""
    query = "SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = 'main'"
    known = {}
    for name, comment in connection.sql(query).fetchall():
        try:
            noted: dict[str, Any] = json.loads(comment or "{}")
            if name in RESULT_TABLES and noted.get("layout") == _layout(name):
                known[name] = [Part(*part) for part in noted["parts"]]
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return known


def _layout(name: str) -> str:
    """A digest of what decides how a table is stored, beside the files."""
    columns = [(name, str(kind)) for name, kind in RESULT_TABLES[name].schema.items()]
    decisive = [duckdb.__version__, STORAGE, COMPRESSION.get(name), columns, [*empty(name).schema]]
    return sha256(json.dumps(decisive).encode()).hexdigest()[:16]


def _update(
    pieces: Mapping[str, Sequence[Path]],
    parts: Mapping[str, Sequence[Part]],
    more: Mapping[str, pl.DataFrame],
    path: Path,
) -> dict[str, int]:
    """Replace the last database by a copy of it in which every table is as it is today.

    Short tables are written whole if rows were added in their midst, long ones never: that takes
    as long as writing the database, and leaves half of it unused.
    """
    with duckdb.connect(str(path), read_only=True) as connection:
        noted = _noted(connection)
    if odd := [name for name in LONG if not _fits(noted.get(name), parts[name])]:
        raise _InDoubt(f"{', '.join(odd)} has other rows than before")
    with replacing(path) as temporary:
        shutil.copyfile(path, temporary)
        with _open(temporary) as connection:
            tables = connection.sql(
                "SELECT schema_name, table_name FROM duckdb_tables()"
            ).fetchall()
            if {name for _, name in tables} != {*pieces} or len(tables) != len(pieces):
                raise _InDoubt("it has other tables than before")
            connection.execute("BEGIN")
            for name, files in pieces.items():
                before = noted.get(name)
                if name not in more and before == parts[name]:
                    continue
                if name not in more and before and _fits(before, parts[name]):
                    _edit(connection, name, files, before, parts[name])
                    _note(connection, name, parts[name])
                else:
                    _create(connection, name, files, parts[name], more.get(name))
            connection.execute("COMMIT")
            connection.execute("CHECKPOINT")  # closing would leave a failure unsaid
            rows = _count_rows(connection, pieces)
            expected = {
                name: sum(part.rows for part in of_table) for name, of_table in parts.items()
            }
            if any(rows[name] != expected[name] for name in pieces if name not in more):
                raise _InDoubt("its rows are not those of its files")
            used = "SELECT free_blocks, total_blocks FROM pragma_database_size()"
            ((free, blocks),) = connection.sql(used).fetchall()
            if free > MOST_FREE * blocks and blocks > len(pieces):
                raise _InDoubt("much of it is unused")
    return rows


def _fits(before: Sequence[Part] | None, now: Sequence[Part]) -> bool:
    """Whether a table can be brought up to date: rows differ or follow, and none are in between.

    The columns stay the same, as those of every file do; a further file has those of another.
    """
    if before is None or len(before) > len(now) or bool(before) != bool(now):
        return False
    known = {part.columns for part in before}
    return all(part.columns in known for part in now[len(before) :]) and all(
        (old.columns, old.rows) == (new.columns, new.rows)
        for old, new in zip(before, now, strict=False)
    )


def _edit(
    connection: Connection,
    name: str,
    files: Sequence[Path],
    before: Sequence[Part],
    now: Sequence[Part],
) -> None:
    """Change the rows of a table that differ from its files, and add those of new files."""
    total = sum(part.rows for part in before)
    numbered = f'SELECT count(*), min(rowid), max(rowid) FROM "{name}"'
    if connection.sql(numbered).fetchall() != [(total, 0, total - 1)]:
        raise _InDoubt(f"the rows of {name} are not numbered from 0 on")
    begin = 0
    for file, old, new in zip(files, before, now, strict=False):
        if old != new:
            _change(connection, name, file, begin, old.rows)
        begin += old.rows
    if added := files[len(before) :]:
        described = connection.execute(f'DESCRIBE "{name}"').fetchall()
        read = "FROM read_parquet($files, union_by_name = true)"
        parameters = {"files": [str(file) for file in added]}
        there = connection.execute(f"DESCRIBE SELECT * {read}", parameters).fetchall()
        shared = {column for column, *_ in there}
        listed = ", ".join(_quoted(column) for column, *_ in described if column in shared)
        connection.execute(f'INSERT INTO "{name}" ({listed}) SELECT {listed} {read}', parameters)


def _change(connection: Connection, name: str, file: Path, begin: int, rows: int) -> None:
    """Change those of the rows from `begin` on that differ from the rows of a file."""
    described = connection.execute(f'DESCRIBE "{name}"').fetchall()
    there = pl.read_parquet_schema(file)
    types = {column: kind for column, kind, *_ in described if column in there}
    changed = 0
    for first, last in _slices(rows):
        parameters = {"file": str(file), "begin": begin, "first": first, "last": last}
        differing = _differing(connection, name, types, parameters)
        if differing:
            changed += max(differing.values())
            if changed > MOST_CHANGED:
                raise _InDoubt(f"many rows of {name} differ")
            _set(connection, name, {column: types[column] for column in differing}, parameters)
            if _differing(connection, name, types, parameters):
                raise _InDoubt(f"{name} still differs from its files")


def _slices(rows: int) -> Iterator[tuple[int, int]]:
    for first in range(0, rows, SLICE):
        yield first, min(first + SLICE, rows) - 1


def _new(types: Mapping[str, str]) -> str:
    """A query of the rows first to last of a file: their numbers in the table, and some columns."""
    columns = ", ".join(
        f"CAST({_quoted(c)} AS {kind}) AS {_quoted(c)}" for c, kind in types.items()
    )
    return f"""SELECT file_row_number + $begin AS number, {columns}
        FROM read_parquet($file, file_row_number = true)
        WHERE file_row_number BETWEEN $first AND $last"""


def _differs(column: str, kind: str) -> str:
    """Whether a column differs; DuckDB takes 0 and -0 to be equal."""
    old, new = f"old.{_quoted(column)}", f"new.{_quoted(column)}"
    differs = f"{old} IS DISTINCT FROM {new}"
    if kind == "DOUBLE":
        differs = f"({differs} OR signbit({old}) IS DISTINCT FROM signbit({new}))"
    return differs


def _differing(
    connection: Connection, name: str, types: Mapping[str, str], parameters: Mapping[str, Any]
) -> dict[str, int]:
    """The columns in which rows of a table differ from those of a file, and in how many rows."""
    counts = ", ".join(f"count(*) FILTER ({_differs(*column)})" for column in types.items())
    query = f"""SELECT count(*), {counts} FROM ({_new(types)}) new JOIN (
            SELECT rowid AS number, * FROM "{name}"
            WHERE rowid BETWEEN $begin + $first AND $begin + $last
        ) old USING (number)"""
    ((compared, *differing),) = connection.execute(query, parameters).fetchall()
    if compared != parameters["last"] - parameters["first"] + 1:
        raise _InDoubt(f"rows of {name} have no counterpart")
    return {column: count for column, count in zip(types, differing, strict=True) if count}


def _set(
    connection: Connection, name: str, types: Mapping[str, str], parameters: Mapping[str, Any]
) -> None:
    """Give some columns of a table the values of a file, in the rows that differ."""
    new = ", ".join(f"{_quoted(column)} = new.{_quoted(column)}" for column in types)
    differ = " OR ".join(_differs(*column) for column in types.items())
    connection.execute(
        f"""UPDATE "{name}" AS old SET {new} FROM ({_new(types)}) new
        WHERE old.rowid = new.number
          AND old.rowid BETWEEN $begin + $first AND $begin + $last AND ({differ})""",
        parameters,
    )
