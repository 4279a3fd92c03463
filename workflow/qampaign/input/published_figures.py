"""Figures that were published elsewhere, beside those that come out here."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from qampaign.input.formats import Unreadable, note
from qampaign.input.sources import read_table
from qampaign.problems import Problems, Refused
from qampaign.tables import TABLES, empty

NEEDED = ("source", "table", "column", "published")
"""What a file of published figures must have; its other columns tell which row of the table."""

OPEN = ("runs", "counts")
"""Tables that may have more columns than are known before they are made."""

OF_COLLECTIONS = [name for name, columns in TABLES.items() if "collection" in columns.split()]
"""The tables that figures can be of."""

RANKINGS = {"judge": "judge_b", "measure": "measure_b"}
"""The table of correlations names two of each: a figure gives that of the other ranking."""

TELLING = ("size", "threshold", "fuzziness", "confidence", "bin", "rank", "difference")
"""Columns of numbers that tell rows apart."""

SHOWN = 12
"""How many values a message names as allowed."""


@dataclass(frozen=True)
class Names:
    """What figures of a collection can name, as far as it is known before anything is computed."""

    judges: Collection[str]
    measures: Collection[str]
    runs: Collection[str] | None = None
    """None where it is not known yet which runs there will be."""

    def of(self, column: str) -> Collection[str] | None:
        """The names that a column can have; None where any may be right."""
        kind = column.removesuffix("_a").removesuffix("_b")
        if kind == "run":
            return None if self.runs is None else [*self.runs, "all"]
        return {"judge": self.judges, "measure": self.measures}.get(kind)


@dataclass(frozen=True)
class Figure:
    """A published figure: the line it stands in, and what its file says of it."""

    line: int
    given: Mapping[str, str]

    @property
    def table(self) -> str:
        return self.given.get("table", "")

    @property
    def column(self) -> str:
        return self.given.get("column", "")

    @property
    def value(self) -> float | None:
        """The figure itself, or None where it is no number."""
        try:
            return float(self.given["published"])
        except (KeyError, ValueError):
            return None

    @property
    def named(self) -> dict[str, str]:
        """What tells its row, as the file has it."""
        return {key: value for key, value in self.given.items() if key not in NEEDED}

    @property
    def item(self) -> str:
        """What it is a figure of, in words."""
        plain = ("run", "measure")
        shown = (value if key in plain else f"{key} {value}" for key, value in self.named.items())
        return ", ".join(shown)

    def keys(self, reference: str, columns: Collection[str]) -> dict[str, str]:
        """What tells its row of a table with some columns: by the reference unless it says so."""
        keys = self.named
        if self.table == "correlation":
            keys = {RANKINGS.get(key, key): value for key, value in keys.items()}
            keys.setdefault("judge_a", reference)
            keys.setdefault("measure_a", keys.get("measure_b", ""))
        elif "judge" in columns:
            keys.setdefault("judge", reference)
        return keys


@dataclass(frozen=True)
class Fault:
    """What is wrong with a figure: the column, what stands there, and what is allowed."""

    column: str
    value: str | None
    problem: str
    allowed: str


def check(collection: str, files: Iterable[Path], names: Names, problems: Problems) -> None:
    """Note what is wrong with files of published figures, as far as it can be told beforehand."""
    for file in files:
        for figure in _read(file, problems, collection):
            columns = TABLES.get(figure.table, "").split()
            faults = [
                *_faults(figure, columns, closed=figure.table not in OPEN),
                *_misnamed(figure, names),
            ]
            _note(problems, collection, str(file), figure, faults)


def compare(
    tables: Mapping[str, pl.DataFrame],
    files: Mapping[str, Sequence[Path]],
    references: Mapping[str, str],
) -> pl.DataFrame:
    """The table `published`: each figure of the files of each collection, and ours.

    A figure is of the collection's reference judge unless it names another. Raises
    :class:`Refused` for a file that cannot be read, and for a figure that is of no row or of
    several.
    """
    problems = Problems()
    rows = []
    for collection, paths in files.items():
        for path in paths:
            for figure in _read(path, problems, collection):
                found = _look_up(tables, collection, references[collection], figure)
                if isinstance(found, list):
                    _note(problems, collection, str(path), figure, found)
                else:
                    name = f"{figure.table}.{figure.column}"
                    about = (collection, figure.given.get("source", ""), name, figure.item)
                    rows.append((*about, figure.value, found.item()))
    if len(problems):
        raise Refused(problems.summary("The published figures cannot be compared:"))
    return pl.DataFrame(rows, schema=empty("published").schema, orient="row")


def _read(path: Path, problems: Problems, collection: str) -> list[Figure]:
    """The figures of a file; what cannot be read is noted."""
    try:
        source = read_table(path, NEEDED)
    except Unreadable as unreadable:
        note(problems, str(path), unreadable.faults, collection=collection)
        return []
    return [
        Figure(line, {name: value for name, value in row.items() if value})
        for line, row in zip(source.lines, source.frame.to_dicts(), strict=True)
    ]


def _look_up(
    tables: Mapping[str, pl.DataFrame], collection: str, reference: str, figure: Figure
) -> pl.Series | list[Fault]:
    """The one value here that a figure is of; or what is wrong with the figure."""
    table = tables.get(figure.table, pl.DataFrame())
    faults = list(_faults(figure, table.columns, closed=True))
    if faults:
        return faults
    own = table.filter(pl.col("collection") == collection)
    keys = figure.keys(reference, table.columns)
    found = own
    for key, value in keys.items():
        left = found.filter(_equals(key, value, table.schema[key]))
        if left.is_empty():
            among = f" among those of {figure.item}" if own.height > found.height else ""
            allowed = _some(found[key].drop_nulls().unique().sort().cast(pl.String))
            return [Fault(key, value, f"is in no row of the table {figure.table}{among}", allowed)]
        found = left
    if found.height > 1:
        differing = [
            name
            for name, kind in found.schema.items()
            if (kind == pl.String or name in TELLING)
            and name not in (*keys, figure.column)
            and found[name].n_unique() > 1
        ]
        problem = f"{figure.item or 'it'} is of {found.height} rows of the table {figure.table}"
        return [Fault("", None, problem, f"one row; a further column: {_some(differing)}")]
    return found[figure.column].cast(pl.Float64, strict=False)


def _faults(figure: Figure, columns: Collection[str], *, closed: bool) -> Iterator[Fault]:
    """What is wrong with a figure whatever the values of its table are."""
    if figure.value is None:
        yield Fault("published", figure.given.get("published", ""), "is no number", "a number")
    if figure.table not in OF_COLLECTIONS:
        allowed = ", ".join(OF_COLLECTIONS)
        yield Fault("table", figure.table, "is no table of the results", allowed)
    elif closed:
        has = f"is no column of the table {figure.table}"
        known = [name for name in columns if name != "collection"]
        if figure.column not in known:
            yield Fault("column", figure.column, has, ", ".join(known))
        for key, value in figure.named.items():
            if RANKINGS.get(key, key) not in known and key not in known:
                yield Fault(key, value, f"is given, but {key} {has}", ", ".join(known))


def _misnamed(figure: Figure, names: Names) -> Iterator[Fault]:
    """The names that nothing in the collection has.

    The table of correlations has judges that no config names, such as one assessor per question.
    """
    for column, value in figure.named.items():
        any_judge = figure.table == "correlation" and column.startswith("judge")
        known = None if any_judge else names.of(column)
        if known is not None and value not in known:
            kind = column.removesuffix("_a").removesuffix("_b")
            yield Fault(column, value, f"is no {kind} of the collection", _some(known))


def _equals(column: str, value: str, kind: pl.DataType) -> pl.Expr:
    """Whether a column has a value that is given as text."""
    if not kind.is_numeric():
        return pl.col(column).cast(pl.String) == value
    try:
        return (pl.col(column) - float(value)).abs() < 1e-9
    except ValueError:
        return pl.lit(False)


def _some(names: Iterable[str]) -> str:
    """Names for a message, not all of very many.

    >>> _some(["a", "b"])
    'a, b'
    """
    names = list(names)
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _note(
    problems: Problems, collection: str, file: str, figure: Figure, faults: Iterable[Fault]
) -> None:
    for each in faults:
        problems.add(collection=collection, file=file, line=figure.line, **asdict(each))
