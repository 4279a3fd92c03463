"""The results of a campaign in Python: every table as a polars frame.

    from qampaign import Results

    mine = Results("results/mine")
    mine.scores(collection="demo", measure="c_at_1")

Each table that :mod:`qampaign.tables` declares is a method, with its columns as documentation.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import duckdb
import polars as pl

from qampaign.problems import Refused
from qampaign.tables import RESULT_TABLES, ResultTable

DATABASE = "results.duckdb"

Value = str | float | bool | None
"""What a column may be compared with."""


class NoResults(Refused, FileNotFoundError):
    """There are no results where they were looked for."""


class ReadTable(Protocol):
    """A method of :class:`Results` that reads a table."""

    def __call__(self, **equal: Value | Sequence[Value]) -> pl.DataFrame:
        """The rows whose columns have the given values."""


class Results:
    """The published results in a folder, such as `results/mine`.

    A method for every table gives it as a polars frame: `scores()`, `answers()`, … Arguments choose
    rows by their columns: `answers(run="alpha", correct=False)`, `scores(run=["alpha", "beta"])`;
    None stands for NULL. Every call reads what is published then, and always a whole table: while
    a run publishes, the earlier results. Use :meth:`connect` for several tables of one publication,
    and for SQL.
    """

    if TYPE_CHECKING:

        def __getattr__(self, table: str) -> ReadTable: ...

    def __init__(self, folder: str | Path) -> None:
        """Results in a folder; raises :class:`NoResults` if there are none."""
        self.folder = Path(folder)
        self.database = self.folder / DATABASE
        if not self.database.is_file():
            raise NoResults(_nothing_in(self.folder))

    def __repr__(self) -> str:
        return f"Results({str(self.folder)!r})"

    @contextmanager
    def connect(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the tables as they are published now, to read several of them."""
        try:
            connection = duckdb.connect(str(self.database), read_only=True)
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0]
            raise Refused(f"{self.database} cannot be read as results: {reason}") from None
        with connection:
            yield connection

    def table(self, name: str, /, **equal: Value | Sequence[Value]) -> pl.DataFrame:
        """A table by its name, or those of its rows whose columns have the given values."""
        with self.connect() as connection:
            return read_table(connection, name, **equal)


def read_table(
    connection: duckdb.DuckDBPyConnection, name: str, /, **equal: Value | Sequence[Value]
) -> pl.DataFrame:
    """A table of published results, or those of its rows whose columns have the given values."""
    if name not in RESULT_TABLES:
        raise Refused(f"{name} is not a table of the results; allowed: {', '.join(RESULT_TABLES)}")
    columns = columns_of(connection, name)
    if unknown := [column for column in equal if column not in columns]:
        raise TypeError(
            f"the table {name} has no column {unknown[0]}; allowed: {', '.join(columns)}"
        )
    where, values = [], {}
    for number, (column, condition) in enumerate(equal.items()):
        several = (
            condition
            if isinstance(condition, Sequence) and not isinstance(condition, str)
            else [condition]
        )
        values[f"v{number}"] = [value for value in several if value is not None]
        quoted = '"{}"'.format(column.replace('"', '""'))
        choice = f"{quoted} IN (FROM unnest($v{number}))"
        where.append(f"({choice} OR {quoted} IS NULL)" if None in several else choice)
    query = f'FROM "{name}"' + (f" WHERE {' AND '.join(where)}" if where else "")
    return connection.sql(query, params=values).pl()


def columns_of(connection: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """The columns of a table; raises :class:`Refused` if the results lack it."""
    rows = connection.execute(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index",
        [name],
    ).fetchall()
    if not rows:
        raise Refused(
            f"the results have no table {name}: another version of Qampaign made them; run the "
            "campaign again"
        )
    return [column for (column,) in rows]


def _nothing_in(folder: Path) -> str:
    """Why there are no results in a folder."""
    if not folder.exists():
        return f"There is no folder {folder}."
    if not folder.is_dir():
        return f"{folder} is not a folder; allowed: a folder of results, such as results/mine"
    message = f"{folder} holds no results: there is no {DATABASE} in it"
    folders = sorted(str(path.parent) for path in folder.glob(f"*/{DATABASE}"))
    return f"{message}; in {', '.join(folders)} there is" if folders else message


def _method(name: str, table: ResultTable) -> Callable[..., pl.DataFrame]:
    """The method that reads a table."""

    def read(self: Results, **equal: Value | Sequence[Value]) -> pl.DataFrame:
        return self.table(name, **equal)

    width = max(map(len, table.names))
    columns = (f"    {column.name:{width}}  {column.description}" for column in table.columns)
    heading = f"The table `{name}`: a row is {table.row}."
    read.__doc__ = "\n".join([heading, "", "Columns:", *columns])
    read.__name__, read.__qualname__ = name, f"Results.{name}"
    return read


def _declare(target: type[Results]) -> None:
    for name, table in RESULT_TABLES.items():
        assert not inspect.getattr_static(target, name, None), f"{name}: a method has that name"
        setattr(target, name, _method(name, table))


_declare(Results)
