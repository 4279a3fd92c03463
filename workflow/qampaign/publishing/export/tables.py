"""All tables as files, as CSV or Parquet; with `open: false` without texts of answers and keys."""

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from qampaign.publishing.export.publication import Publication
from qampaign.spreadsheets import escape_formulas
from qampaign.tables import RESULT_TABLES, without_quotes

ROWS = 2**18
"""So many rows are held in memory at once."""


def write_csv(publication: Publication, folder: Path) -> list[str]:
    """Write every table as CSV in which no text runs as a formula."""
    return _write(publication, folder, "csv", _write_csv)


def write_parquet(publication: Publication, folder: Path) -> list[str]:
    """Write every table as Parquet."""
    return _write(publication, folder, "parquet", _write_parquet)


def _write(
    publication: Publication,
    folder: Path,
    suffix: str,
    write: Callable[[Iterator[pl.DataFrame], Path], None],
) -> list[str]:
    for name in RESULT_TABLES:
        write(_pieces(publication, name), folder / f"{name}.{suffix}")
    return [] if publication.is_open else ["open: false: without texts of answers and keys"]


def _pieces(publication: Publication, name: str) -> Iterator[pl.DataFrame]:
    """The rows of a table a part at a time; one part without rows where there are none."""
    is_open = publication.is_open
    rows = publication.connection.cursor().sql(f'FROM "{name}"')
    nothing = rows.limit(0).pl()
    has_rows = False
    for batch in rows.to_arrow_reader(ROWS):
        has_rows, piece = True, pl.DataFrame(batch)
        yield piece if is_open else without_quotes(name, piece)
    if not has_rows:
        yield nothing


def _write_csv(pieces: Iterator[pl.DataFrame], path: Path) -> None:
    with path.open("wb") as file:
        for number, piece in enumerate(pieces):
            escape_formulas(piece).write_csv(file, include_header=number == 0)


def _write_parquet(pieces: Iterator[pl.DataFrame], path: Path) -> None:
    first = next(pieces).to_arrow()
    with pq.ParquetWriter(path, first.schema, compression="zstd") as file:
        file.write_table(first)
        for piece in pieces:
            file.write_table(piece.to_arrow().cast(first.schema))
