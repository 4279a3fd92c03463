"""Figures that were published elsewhere: read, and checked before anything is computed."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from qampaign.input.formats import Unreadable, note
from qampaign.input.sources import read_table
from qampaign.problems import Problems, first_names
from qampaign.tables import RESULT_TABLES

NEEDED = ("source", "table", "column", "published")
"""What a file of published figures must have; its other columns say which row of the table."""

COMPARABLE = [name for name, table in RESULT_TABLES.items() if "collection" in table.names]
"""The tables that figures can be of."""

RANKINGS = {"judge": "judge_b", "measure": "measure_b"}
"""The table of correlations names two of each: a figure gives that of the other ranking."""


@dataclass(frozen=True)
class FigureNames:
    """What figures of a collection can name, as far as it is known before anything is computed."""

    judges: Collection[str] = ()
    measures: Collection[str] = ()
    runs: Collection[str] | None = None
    """None where it is not known yet which runs there will be."""

    def of(self, column: str) -> Collection[str] | None:
        """The names that a column can have; None where any may be right."""
        kind = _kind(column)
        if kind == "run":
            return None if self.runs is None else [*self.runs, "all"]
        return {"judge": self.judges, "measure": self.measures}.get(kind)


@dataclass(frozen=True)
class Figure:
    """A published figure: the line it stands in, and what its file says of it."""

    line: int
    given: Mapping[str, str]

    @property
    def source(self) -> str:
        """Where it was published."""
        return self.given.get("source", "")

    @property
    def table(self) -> str:
        """The table of the results that has the same figure."""
        return self.given.get("table", "")

    @property
    def column(self) -> str:
        """The column of that table."""
        return self.given.get("column", "")

    @property
    def value(self) -> float | None:
        """The figure itself, or None where it is no number."""
        try:
            return float(self.given["published"])
        except (KeyError, ValueError):
            return None

    @property
    def keys(self) -> dict[str, str]:
        """The values that say which row of the table is meant."""
        return {key: value for key, value in self.given.items() if key not in NEEDED}

    @property
    def item(self) -> str:
        """What it is a figure of, in words."""
        plain = ("run", "measure")
        shown = (value if key in plain else f"{key} {value}" for key, value in self.keys.items())
        return ", ".join(shown)


@dataclass(frozen=True)
class FigureFault:
    """What is wrong with a figure: the column, what stands there, and what is allowed."""

    column: str
    value: str | None
    problem: str
    allowed: str


def check_figures(
    collection: str, files: Iterable[Path], names: FigureNames, problems: Problems
) -> None:
    """Note what is wrong with files of published figures, as far as it can be known beforehand."""
    for file in files:
        for figure in read_figures(file, problems, collection):
            table = RESULT_TABLES.get(figure.table)
            columns = table.names if table else []
            faults = [
                *find_faults(figure, columns, closed=table is not None and not table.is_open),
                *_misnamed(figure, names),
            ]
            note_faults(problems, collection, str(file), figure, faults)


def read_figures(path: Path, problems: Problems, collection: str) -> list[Figure]:
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


def find_faults(figure: Figure, columns: Collection[str], *, closed: bool) -> Iterator[FigureFault]:
    """What is wrong with a figure whatever the values of its table are.

    The table has these columns; others too, unless it is `closed`.
    """
    if figure.value is None:
        text = figure.given.get("published", "")
        yield FigureFault("published", text, "is not a number", "a number")
    if figure.table not in COMPARABLE:
        allowed = ", ".join(COMPARABLE)
        yield FigureFault("table", figure.table, "is not a table of the results", allowed)
    elif closed:
        problem = f"is not a column of the table {figure.table}"
        known = [name for name in columns if name != "collection"]
        if figure.column not in known:
            yield FigureFault("column", figure.column, problem, ", ".join(known))
        for key, value in figure.keys.items():
            if RANKINGS.get(key, key) not in known and key not in known:
                yield FigureFault(key, value, f"is given, but {key} {problem}", ", ".join(known))


def _misnamed(figure: Figure, names: FigureNames) -> Iterator[FigureFault]:
    """The names that nothing in the collection has.

    The table of correlations has judges that no config names, such as one assessor per question.
    """
    for column, value in figure.keys.items():
        any_judge = figure.table == "correlation" and column.startswith("judge")
        known = None if any_judge else names.of(column)
        if known is not None and value not in known:
            problem = f"is not a {_kind(column)} of the collection"
            yield FigureFault(column, value, problem, first_names(known))


def _kind(column: str) -> str:
    """What a column such as run_a names."""
    return column.removesuffix("_a").removesuffix("_b")


def note_faults(
    problems: Problems, collection: str, file: str, figure: Figure, faults: Iterable[FigureFault]
) -> None:
    """Note what is wrong with a figure."""
    for fault in faults:
        problems.add(collection=collection, file=file, line=figure.line, **asdict(fault))
