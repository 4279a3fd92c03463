"""Files appear whole or not at all: written under a temporary name, then renamed."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import polars as pl

from qampaign import run_token
from qampaign.spreadsheets import escape_formulas

ROW_GROUP = 2**20
"""How many rows of a Parquet file stand together: each group repeats the ids that occur in it."""


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a temporary name beside `path`; what was written there takes its place at the end.

    A killed process leaves the earlier file as it was. No two processes, on one machine or on two,
    have the same temporary name: two that make the same file do not write into each other's. A job
    of a run that is over leaves the file as it is.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        run_token.require()
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as the whole of `path`."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_parquet(frame: pl.DataFrame, path: str | Path) -> None:
    """Write `frame` as the whole of `path`; equal frames give equal bytes."""
    with replacing(path) as temporary:
        frame.write_parquet(
            temporary, compression="zstd", compression_level=1, row_group_size=ROW_GROUP
        )


def write_csv(table: pl.DataFrame, path: Path) -> None:
    """Write a table as CSV in which no text runs as a formula where it is opened."""
    with replacing(path) as temporary:
        escape_formulas(table).write_csv(temporary)


def write_for_people(table: pl.DataFrame, path: Path) -> bool:
    """Write a table as CSV for people to fill in, unless they have begun to: then leave it alone.

    Says whether it was written. A file is ours as long as it is as we wrote it. No text in it runs
    as a formula.
    """
    if is_changed(path):
        return False
    content = escape_formulas(table).write_csv()
    write_text(_mark(path), sha256(content.encode()).hexdigest())
    write_text(path, content)
    return True


def is_changed(path: Path) -> bool:
    """Whether people have changed a file that was written for them."""
    if not path.exists():
        return False
    mark = _mark(path)
    return not mark.exists() or mark.read_text() != sha256(path.read_bytes()).hexdigest()


def _mark(path: Path) -> Path:
    """Where it is noted what a file was like when it was written."""
    return path.with_name(f".{path.name}.sha256")
