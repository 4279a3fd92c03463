"""The campaign's database: the one writer, the readers, and the fingerprints of its tables.

Rows carry the source file they came from, so that a changed file is replaced alone, and the line,
so that a message can point at it. Everything a writer does is one transaction: killed or refused
half-way, the database is as it was before.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from qampaign import run_token
from qampaign.input.formats import NOT_READ, READ_AS
from qampaign.input.input_tables import INPUT_TABLES, RESOURCES, RESPONSE_KEY, table_of
from qampaign.input.logs.tables import LOG_TABLES
from qampaign.input.rows import NOT_USED
from qampaign.ordering import ascends
from qampaign.problems import Refused

LAYOUT = {
    "layout": "text VARCHAR",
    "sources": """source UINTEGER, collection VARCHAR, "table" VARCHAR, path VARCHAR, bytes UBIGINT,
        sha256 VARCHAR, state VARCHAR, options VARCHAR, rows UBIGINT, hash UHUGEINT""",
    "remarks": """collection VARCHAR, source UINTEGER, "column" VARCHAR, remark VARCHAR,
        count UBIGINT""",
    "handling": "collection VARCHAR, handling VARCHAR",  # what the config says and checks go by
} | {
    name: f"collection VARCHAR, source UINTEGER, line UINTEGER, {table.sql}"
    for name, table in (INPUT_TABLES | LOG_TABLES).items()
}
"""Every table of the database, with its columns."""

_OF_KEYS = f"starts_with(remark, '{READ_AS}') OR starts_with(remark, '{NOT_READ}')"
REMARKS = f"""
    SELECT r.collection, if({_OF_KEYS}, NULL, path) AS file, "column", remark,
        if(any_value(remark) = '{NOT_USED}', max(count), sum(count))::BIGINT AS count
    FROM remarks r LEFT JOIN sources USING (source) GROUP BY ALL ORDER BY ALL
"""
"""What was noticed; how columns are read is said once for all files of a key.

A file that gives several tables may have a column that none of them uses: its rows count once."""

MASK = 2**64 - 1

PATIENCE = 60
"""How many seconds to wait for another process that has the database open."""


Remark = tuple[str, str | None, str, str, int]
"""What was noticed: collection, file (if one alone), column, remark and number of rows."""


TOGETHER = 100
"""How many files are filed by one statement."""


@dataclass(frozen=True)
class SourceRecord:
    """A file that was read: what it was when it was read, and a hash of the rows it gave."""

    source: int
    collection: str
    table: str
    """The table it fills; for the verdicts of a judge with the judge, as verdicts/gpt."""
    path: str
    bytes: int
    sha256: str
    state: str
    """Size, times and number of the file: while they are the same, so is its content."""
    options: str
    """Digest of everything besides the content that decides what the rows are."""
    rows: int
    hash: int


class Writer:
    """The open transaction of the one writer."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, database: Path) -> None:
        self.connection = connection
        layout = str(LAYOUT)
        existing = {
            name for (name,) in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()
        }
        if existing and "layout" not in existing:
            raise Refused(f"{database} is not the database of a campaign. Delete it or move it.")
        if existing and connection.sql("FROM layout").fetchall() != [(layout,)]:
            for name in existing:
                connection.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
            existing.clear()
        if not existing:
            for name, columns in LAYOUT.items():
                connection.execute(f'CREATE TABLE "{name}" ({columns})')
            connection.execute("INSERT INTO layout VALUES (?)", [layout])

    def sources(self) -> list[SourceRecord]:
        """The files whose rows are in the database."""
        rows = self.connection.sql("SELECT * FROM sources ORDER BY source").fetchall()
        return [SourceRecord(*row) for row in rows]

    def rows(self, table: str, collection: str) -> pl.DataFrame:
        """The rows of a collection in a table, wherever they come from."""
        query = f"""SELECT * EXCLUDE (collection, source, line) FROM "{table}"
            WHERE collection = ? ORDER BY ALL"""
        rows: pl.DataFrame = self.connection.sql(query, params=[collection]).pl()
        return rows

    def runs(self, collection: str) -> list[str]:
        """The runs of a collection."""
        query = "SELECT DISTINCT run FROM responses WHERE collection = ? ORDER BY run"
        rows = self.connection.execute(query, [collection]).fetchall()
        return [run for (run,) in rows if run is not None]

    def remarks(self) -> list[Remark]:
        """What was noticed in the files."""
        return self.connection.sql(REMARKS).fetchall()

    def renew_state(self, record: SourceRecord, state: str) -> None:
        """Note that a file was touched or copied and holds what it held."""
        query = "UPDATE sources SET state = ? WHERE source = ?"
        self.connection.execute(query, [state, record.source])

    def remove(self, record: SourceRecord) -> None:
        """Take out the rows of a file."""
        for name in (table_of(record.table), "remarks", "sources"):
            self.connection.execute(f'DELETE FROM "{name}" WHERE source = ?', [record.source])

    def add(
        self,
        records: Sequence[SourceRecord],
        frame: pl.DataFrame,
        remarks: Iterable[tuple[int, str, str, int]],
    ) -> None:
        """Put in files of one table: their rows one after the other, and the remarks on them.

        A remark has the file's index among the records, a column, a text and a number of rows.
        """
        first = records[0]
        numbers = np.repeat(
            [record.source for record in records], [record.rows for record in records]
        )
        filed = frame.with_columns(source=pl.Series(numbers, dtype=pl.UInt32))
        names = ", ".join(f'"{name}"' for name in frame.columns if name != "line")
        self.connection.register("filed", filed)
        self.connection.execute(
            f'INSERT INTO "{table_of(first.table)}" SELECT ?, source, line, {names} FROM filed',
            [first.collection],
        )
        self.connection.unregister("filed")
        names_of_record = [field.name for field in fields(SourceRecord)]
        row = f"({', '.join('?' * len(names_of_record))})"
        for start in range(0, len(records), TOGETHER):  # one by one takes four times as long
            block = records[start : start + TOGETHER]
            values = [getattr(record, name) for record in block for name in names_of_record]
            rows = ", ".join([row] * len(block))
            self.connection.execute(f"INSERT INTO sources VALUES {rows}", values)
        for index, column, remark, count in remarks:
            values = [first.collection, records[index].source, column, remark, count]
            self.connection.execute("INSERT INTO remarks VALUES (?, ?, ?, ?, ?)", values)


@contextmanager
def writing(database: Path, *, anew: bool = False) -> Iterator[Writer]:
    """Open the database for its one writer; what was done is kept only if nothing is raised.

    With `anew` it begins with nothing, whatever is there.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    if anew and database.exists():
        _delete(database)
    with _connect(database, read_only=False) as connection:
        connection.execute("BEGIN")
        try:
            yield Writer(connection, database)
        except BaseException:
            with suppress(duckdb.Error):  # a damaged database knows of no transaction any more
                connection.execute("ROLLBACK")
            raise
        run_token.require()
        connection.execute("COMMIT")


def _delete(database: Path) -> None:
    """Delete the database of a campaign, whatever became of it; that of something else stays."""
    try:
        with closing(_open(database, read_only=True)) as connection:
            tables = connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()
    except duckdb.Error:
        tables = []
    if database.is_file() and (not tables or ("layout",) in tables):
        for path in (database, database.with_name(f"{database.name}.wal")):
            path.unlink(missing_ok=True)


def hash_rows(frame: pl.DataFrame, heights: Sequence[int]) -> list[int]:
    """For each piece of a frame a 128-bit hash of its rows: the sum of two hashes of each row.

    It does not depend on the order of the rows.

    >>> a = pl.DataFrame({"x": ["p", "q"], "y": [1, None]})
    >>> b = pl.concat([a, a.reverse(), a.with_columns(pl.col("y") + 1)])
    >>> first, second, third = hash_rows(b, [2, 2, 2])
    >>> first == second, first == third
    (True, False)
    """
    ends = np.cumsum(heights)
    halves = []
    for seed in (1, 2):
        sums = np.r_[np.uint64(0), np.cumsum(frame.hash_rows(seed).to_numpy(), dtype=np.uint64)]
        halves.append(sums[ends] - sums[ends - np.array(heights)])
    return [int(high) << 64 | int(low) for low, high in zip(*halves, strict=True)]


def fingerprint(hashes: Iterable[int]) -> str:
    """The hash of a table from those of its pieces: the same rows give the same, however split."""
    terms = list(hashes)
    low, high = (sum(term >> shift & MASK for term in terms) & MASK for shift in (0, 64))
    return f"{high:016x}{low:016x}"


RowReader = Callable[[str, Iterable[str]], pl.DataFrame]
"""Reads columns of a collection's rows in a table."""


def reader(database: Path, collection: str) -> RowReader:
    """What reads the rows of one collection."""
    return partial(read, database, collection)


def read(database: Path, collection: str, table: str, columns: Iterable[str]) -> pl.DataFrame:
    """Columns of a collection's rows in a table; a table such as verdicts/gpt has a judge's.

    They are in an order of their own, whatever the order in which files were loaded or have them.
    """
    columns = list(columns)
    first = [name for name in RESPONSE_KEY if name in columns]
    names = ", ".join(f'"{name}"' for name in columns)
    order = ", ".join(f'"{name}"' for name in [*first, *columns])
    chosen = f'FROM "{table_of(table)}" WHERE collection = ?'
    values = [collection]
    if "/" in table:
        chosen += ' AND source IN (SELECT source FROM sources WHERE "table" = ?)'
        values.append(table)
    with _connect(database, read_only=True) as connection:
        without_run = f"SELECT 1 {chosen} AND run IS NULL LIMIT 1"
        if (
            len(first) == len(RESPONSE_KEY)
            and not connection.execute(without_run, values).fetchall()
        ):
            filed = connection.sql(f"SELECT source, {names} {chosen}", params=values).pl()
            # a collection without samples has none in any row
            sampled = filed["sample"].null_count() < filed.height
            key = [name for name in RESPONSE_KEY if sampled or name != "sample"]
            rows = _by_first_row(filed, key).select(columns)
            if ascends(
                rows.select(key)
            ):  # mostly so, and then known in half the time that sorting takes
                return rows
        return connection.sql(f"SELECT {names} {chosen} ORDER BY {order}", params=values).pl()


def _by_first_row(filed: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Rows of files, one after the other, with the files in the order of their first rows."""
    source = filed["source"]
    starts = (source != source.shift()).fill_null(True).arg_true()
    firsts = filed.select(pl.col(key).gather(starts))
    order = firsts.select(pl.arg_sort_by(key)).to_series()
    if order.is_sorted():
        return filed
    ends = starts.shift(-1, fill_value=filed.height)
    slices = [filed[starts[index] : ends[index]] for index in order]
    return pl.concat(slices, rechunk=True)


def read_sources(database: Path, collection: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The files that a collection was loaded from, and the remarks on them."""
    with _connect(database, read_only=True) as connection:
        sources = connection.sql(
            """SELECT collection, "table", path, rows, bytes, sha256 FROM sources
            WHERE collection = ? ORDER BY "table", path""",
            params=[collection],
        ).pl()
        remarks = connection.sql(REMARKS).pl()
    return sources, remarks.filter(collection=collection)


def read_run_information(database: Path, collection: str) -> pl.DataFrame:
    """What the files say about runs of a collection; `more` holds further columns as JSON."""
    with _connect(database, read_only=True) as connection:
        runs: pl.DataFrame = connection.sql(
            """SELECT run, team, category, language, cost, seconds, tokens, more FROM runs
            WHERE collection = ? ORDER BY ALL""",
            params=[collection],
        ).pl()
    return runs


FIGURE_SIZES = """
    SELECT f.*, (
            SELECT count(*) FROM questions q
            WHERE q.collection = f.collection AND (slice = 'all' OR q.type = slice)
        ) AS asked
    FROM logged_figures f WHERE f.collection = $collection
"""
"""The figures of logs, with how many questions the collection asks there."""

LOGGED_FIGURES = f"""
    WITH said AS (
        SELECT scorer, bool_and(verdict IS NOT NULL) AS "binary",
            count(*) OVER () AS scorers
        FROM logged WHERE collection = $collection GROUP BY scorer
    )
    SELECT run, slice, scorer, value, origin, "binary", scorers
    FROM ({FIGURE_SIZES}) JOIN said USING (scorer)
    WHERE questions = asked ORDER BY run, slice, scorer, origin
"""


def read_logged_figures(database: Path, collection: str) -> pl.DataFrame:
    """What the logs say that scorers gave on average, each with how many scorers there are.

    A scorer is `binary` where all that it said are verdicts. A figure over another number of
    questions than the collection has is left out.
    """
    with _connect(database, read_only=True) as connection:
        figures: pl.DataFrame = connection.sql(
            LOGGED_FIGURES, params={"collection": collection}
        ).pl()
    return figures


def read_resources(database: Path, collection: str) -> pl.DataFrame:
    """What the rows of each run took in all: run, cost, seconds, tokens; null where none says so.

    Added up exactly, so that no order of rows changes a digit.
    """
    names = [column.name for column in RESOURCES]
    lists = ", ".join(f'list("{name}") FILTER ("{name}" IS NOT NULL) AS "{name}"' for name in names)
    any_given = " OR ".join(f'"{name}" IS NOT NULL' for name in names)
    with _connect(database, read_only=True) as connection:
        rows = connection.execute(
            f"""SELECT run, {lists} FROM responses WHERE collection = ? AND ({any_given})
            GROUP BY run ORDER BY run""",
            [collection],
        ).fetchall()
    summed = [
        (run, *(math.fsum(amounts) if amounts else None for amounts in of)) for run, *of in rows
    ]
    schema = {"run": pl.String} | dict.fromkeys(names, pl.Float64)
    return pl.DataFrame(summed, schema=schema, orient="row")


def _open(database: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """Open the database, after a while if another process has it open and does not let us."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return duckdb.connect(str(database), read_only=read_only)
        except duckdb.IOException as error:
            if "Could not set lock" not in str(error):
                raise
            if time.monotonic() > end:
                holder = str(error).partition("lock is held in ")[2].partition(". See")[0]
                raise Refused(
                    f"{database} is open in another program ({holder or 'unknown'}): a job of an "
                    "earlier run, or somebody who looks into the database. End it and run again."
                ) from error
            time.sleep(0.5)


@contextmanager
def _connect(database: Path, *, read_only: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    try:
        with closing(_open(database, read_only=read_only)) as connection:
            yield connection
    except duckdb.ProgrammingError:  # our SQL, not the file
        raise
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise Refused(
            f"{database} cannot be used ({first}). If it is damaged, delete it: the next run "
            "builds it again from the raw files."
        ) from error
