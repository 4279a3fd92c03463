"""Published figures beside those that come out here."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from qampaign.input.published_figures import (
    RANKINGS,
    Figure,
    FigureFault,
    find_faults,
    note_faults,
    read_figures,
)
from qampaign.measures.configured import Configured
from qampaign.problems import Problems, Refused, first_names
from qampaign.tables import empty

DISTINGUISHING = ("size", "threshold", "fuzziness", "confidence", "bin", "rank", "difference")
"""Columns of numbers that distinguish rows, as columns of text do."""


def compare_figures(
    tables: Mapping[str, pl.DataFrame],
    collection: str,
    files: Sequence[Path],
    reference: str,
    logged: Iterable[Figure] = (),
) -> pl.DataFrame:
    """The table `published`: each figure of the files of a collection, and ours.

    A figure is of the collection's reference judge unless it names another. Raises
    :class:`Refused` for a file that cannot be read, and for a figure that is of no row or of
    several. Figures that were `logged` are left out where nothing here corresponds to them.
    """
    problems = Problems()
    rows = []

    def compare(figure: Figure) -> list[FigureFault]:
        ours = _look_up(tables, collection, reference, figure)
        if isinstance(ours, list):
            return ours
        name = f"{figure.table}.{figure.column}"
        rows.append((collection, figure.source, name, figure.item, figure.value, ours.item()))
        return []

    for path in files:
        for figure in read_figures(path, problems, collection):
            note_faults(problems, collection, str(path), figure, compare(figure))
    for figure in logged:
        compare(figure)
    if len(problems):
        raise Refused(problems.summary("The published figures cannot be compared:"))
    return pl.DataFrame(rows, schema=empty("published").schema, orient="row")


def find_logged(
    figures: pl.DataFrame,
    judges: Mapping[str, tuple[str | None, bool]],
    measures: Iterable[Configured],
) -> Iterator[Figure]:
    """The figures in logs, each as one of the judges that go by the same scorer.

    `figures` are as :func:`qampaign.input.store.read_logged_figures` gives them. `judges` are
    those by logged verdicts, each with its scorer (None: the only one) and with whether it gives
    verdicts. The mean of zeros and ones is the accuracy; that of other numbers is the mean score.
    """
    names = {
        configured.measure: configured.name
        for configured in measures
        if type(configured) is Configured
    }
    for row in figures.iter_rows(named=True):
        for judge, (scorer, verdicts) in judges.items():
            if row["scorer"] != scorer and not (scorer is None and row["scorers"] == 1):
                continue
            is_share = verdicts and row["binary"]
            measure = (names.get("accuracy") if is_share else None) or names.get("mean_score")
            if measure is not None:
                about = {"run": row["run"], "measure": measure, "judge": judge}
                about |= {"slice": row["slice"]}
                value = {"published": repr(row["value"]), "table": "scores", "column": "value"}
                yield Figure(0, {"source": row["origin"], **value, **about})


def _look_up(
    tables: Mapping[str, pl.DataFrame], collection: str, reference: str, figure: Figure
) -> pl.Series | list[FigureFault]:
    """The one value here that a figure is of; or what is wrong with the figure."""
    table = tables.get(figure.table, pl.DataFrame())
    faults = list(find_faults(figure, table.columns, closed=True))
    if faults:
        return faults
    candidates = table.filter(pl.col("collection") == collection)
    keys = _row_keys(figure, reference, table.columns)
    rows = candidates
    for key, value in keys.items():
        left = rows.filter(_equals(key, value, table.schema[key]))
        if left.is_empty():
            among = f" among those of {figure.item}" if candidates.height > rows.height else ""
            problem = f"is in no row of the table {figure.table}{among}"
            allowed = first_names(rows[key].drop_nulls().unique().sort().cast(pl.String))
            return [FigureFault(key, value, problem, allowed)]
        rows = left
    if rows.height > 1:
        differing = [
            name
            for name, kind in rows.schema.items()
            if (kind == pl.String or name in DISTINGUISHING)
            and name not in (*keys, figure.column)
            and rows[name].n_unique() > 1
        ]
        problem = f"{figure.item or 'it'} matches {rows.height} rows of the table {figure.table}"
        allowed = f"one row; add a column: {first_names(differing)}"
        return [FigureFault("", None, problem, allowed)]
    return rows[figure.column].cast(pl.Float64, strict=False)


def _row_keys(figure: Figure, reference: str, columns: Collection[str]) -> dict[str, str]:
    """What its row of a table has in some columns: the reference judge unless it names one."""
    keys = figure.keys
    if figure.table == "correlation":
        keys = {RANKINGS.get(key, key): value for key, value in keys.items()}
        keys.setdefault("judge_a", reference)
        keys.setdefault("measure_a", keys.get("measure_b", ""))
    elif "judge" in columns:
        keys.setdefault("judge", reference)
    return keys


def _equals(column: str, value: str, kind: pl.DataType) -> pl.Expr:
    """Whether a column has a value that is given as text."""
    if not kind.is_numeric():
        return pl.col(column).cast(pl.String) == value
    try:
        return (pl.col(column) - float(value)).abs() < 1e-9
    except ValueError:
        return pl.lit(False)


def as_printed(printed: float, here: float | None) -> bool:
    """Whether a value, rounded to the places that were printed, is what was printed.

    >>> as_printed(0.58, 0.575436), as_printed(0.58, 0.5749), as_printed(91.0, 91.0)
    (True, False, True)
    """
    half = 0.5 * 10.0 ** -printed_places(printed)
    return here is not None and abs(printed - here) <= half + 1e-9


def printed_places(printed: float) -> int:
    """How many places after the point a figure was printed with, trailing zeros apart.

    >>> printed_places(0.906665), printed_places(0.58), printed_places(91.0)
    (6, 2, 0)
    """
    return len(f"{printed:.9f}".rstrip("0").partition(".")[2])
