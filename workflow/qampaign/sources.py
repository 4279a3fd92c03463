"""Raw files to frames of text: one reader per input format, faults named by line.

A reader keeps everything as text: what a value means is decided in :mod:`qampaign.rows`, once for
all formats. Each knows the line a row stands in, so that a message can point at it.
"""

import codecs
import csv
import glob
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

FORMATS = ".csv, .tsv, .jsonl, .ndjson or .parquet, each also with .gz"

csv.field_size_limit(2**31 - 1)  # a long answer is no fault


@dataclass(frozen=True)
class Fault:
    """What keeps a file from being read, what is allowed, and the line."""

    problem: str
    allowed: str = ""
    line: int | None = None


EMPTY = Fault("is empty", "a header and rows")


class Unreadable(Exception):
    """A file that cannot be read, with every reason that was found."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*(fault.problem for fault in faults))
        self.faults = faults


@dataclass(frozen=True)
class Source:
    """The content of a file: a frame of text columns, and the line of each row."""

    frame: pl.DataFrame
    lines: pl.Series
    ascii: bool
    """Whether no text in it can need Unicode normalisation."""
    nested: dict[str, list[int]] = field(default_factory=dict)
    """Lines where a column holds a list or an object: a fault only if the column is wanted."""


def resolve(folder: str | Path, patterns: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Each table with each of its files; a pattern that matches nothing stays as it is.

    Paths are relative to `folder` where the patterns are.
    """
    for table, wanted in patterns.items():
        found: dict[str, None] = {}
        for pattern in wanted:
            matches = glob.glob(pattern, root_dir=folder, recursive=True)
            exists = Path(folder, pattern).exists()
            found |= dict.fromkeys([pattern] if exists else sorted(matches) or [pattern])
        for path in found:
            yield table, path


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, or why there are none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Unreadable(Fault("does not exist")) from None
    except IsADirectoryError:
        raise Unreadable(Fault("is a folder", "a file")) from None
    except OSError as error:
        raise Unreadable(Fault(f"cannot be read: {error.strerror}")) from None


def digest(content: bytes) -> str:
    """The hash by which a changed file is known."""
    return hashlib.sha256(content).hexdigest()


def name_of(path: Path) -> str:
    """The name of a file without its format: the id of a run that does not give its own.

    >>> name_of(Path("runs/icia091ro.csv.gz"))
    'icia091ro'
    """
    return path.name[: len(path.name) - len(_suffix(path))]


def parse(content: bytes, path: Path) -> Source:
    """Read the bytes of a file in the format that its name gives."""
    suffix = _suffix(path)
    if suffix.removesuffix(".gz") not in READERS:
        raise Unreadable(Fault("has a name that tells no known format", FORMATS))
    if suffix.endswith(".gz"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            raise Unreadable(Fault("is not a whole gzip file", "gzip, as its name says")) from None
    if not content:
        raise Unreadable(EMPTY)
    return READERS[suffix.removesuffix(".gz")](content)


def _suffix(path: Path) -> str:
    suffix = path.suffix
    if suffix.lower() == ".gz":
        suffix = path.with_suffix("").suffix + suffix
    return suffix.lower()


def _check_text(content: bytes) -> None:
    """Refuse bytes that are not UTF-8 text, naming the first line that is not."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Unreadable(Fault("is UTF-16", "UTF-8"))
    zero = content.find(b"\0")
    if zero >= 0:
        raise Unreadable(Fault("is not text (a zero byte)", "UTF-8 text", _line(content, zero)))
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"is not UTF-8 (byte 0x{content[error.start]:02x})"
        raise Unreadable(Fault(found, "UTF-8", _line(content, error.start))) from None


def _line(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1


def _read_separated(content: bytes, separator: str) -> Source:
    """CSV or TSV: polars reads a file that is as plain as can be, Python's csv module any other."""
    if not content.isascii() or b"\0" in content:
        _check_text(content)
    return _read_plain(content, separator) or _read_separated_slowly(content, separator)


def _read_plain(content: bytes, separator: str) -> Source | None:
    """What polars reads, if it can be trusted: then row n stands in line n + 1.

    It can when every line end ends a row, every quote is where it belongs, no row can be short, and
    no column is there twice.
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    if not content.endswith(b"\n"):
        content += b"\n"  # without it polars overlooks a separator at the end
    if content.count(b"\r") != content.count(b"\r\n") or not _is_well_quoted(content, separator):
        return None
    try:
        frame = pl.read_csv(content, infer_schema=False, separator=separator)
    except pl.exceptions.PolarsError:
        return None
    names = [name.strip() for name in frame.columns]
    if (
        frame.height == 0
        or frame.height + 1 != content.count(b"\n")
        or frame.to_series(-1).has_nulls()
        or len(set(names)) < len(names)
        or any(name.endswith("_duplicated_0") for name in names)
    ):
        return None
    frame.columns = names
    lines = pl.int_range(2, frame.height + 2, dtype=pl.UInt32, eager=True)
    return Source(frame, lines, content.isascii())


def _is_well_quoted(content: bytes, separator: str) -> bool:
    """Whether quotes stand around fields, and in pairs inside; polars drops others in silence.

    >>> [_is_well_quoted(row, ",") for row in (b'1,"a, b"\\n', b'1,5" disk\\n', b'1,"a"b\\n')]
    [True, False, False]
    """
    if b'"' not in content:
        return True
    data = np.frombuffer(content, np.uint8)
    quotes = np.flatnonzero(data == ord('"'))
    edges = np.frombuffer(f'"\r\n{separator}'.encode(), np.uint8)
    opening, closing = quotes[::2], quotes[1::2]
    before, after = data[opening - 1], data[closing + 1]  # the first byte follows the last, \n
    return len(opening) == len(closing) and bool(
        np.isin(np.concatenate([before, after]), edges).all()
    )


def _read_separated_slowly(content: bytes, separator: str) -> Source:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    names: list[str] = []
    rows: list[list[str]] = []
    lines: list[int] = []
    faults: list[Fault] = []
    line = 1
    try:
        for row in reader:
            if not row:
                pass
            elif not names:
                names = [name.strip() for name in row]
            elif len(row) != len(names):
                found = f"has {len(row)} fields where the header has {len(names)}"
                allowed = f"{len(names)} fields, in quotes where one holds the separator"
                faults.append(Fault(found, allowed, line))
            else:
                rows.append(row)
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(f"is not well quoted ({error})", 'a quote inside quotes as ""', line))
    if not names:
        faults.append(EMPTY)
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.append(Fault(f"has the column {name!r} more than once", "each column once", 1))
    if faults:
        raise Unreadable(*faults)
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return Source(frame, pl.Series(lines, dtype=pl.UInt32), content.isascii())


def _read_lines(content: bytes) -> Source:
    """JSON Lines: an object per line. Numbers and booleans become their text."""
    _check_text(content)
    columns: dict[str, list[str | None]] = {}
    lines: list[int] = []
    nested: dict[str, list[int]] = {}
    faults: list[Fault] = []
    for number, line in enumerate(content.decode("utf-8-sig").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(f"is not JSON ({error})", "a JSON object per line", number))
            continue
        if not isinstance(values, dict):
            faults.append(Fault("is not a JSON object", "a JSON object per line", number))
            continue
        for name, value in values.items():
            column = columns.setdefault(name, [])
            column.extend([None] * (len(lines) - len(column)))
            if isinstance(value, dict | list):
                nested.setdefault(name, []).append(number)
            column.append(value if isinstance(value, str) or value is None else json.dumps(value))
        lines.append(number)
    if faults:
        raise Unreadable(*faults)
    for column in columns.values():
        column.extend([None] * (len(lines) - len(column)))
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    is_ascii = content.isascii() and b"\\u" not in content
    return Source(frame.rename(str.strip), pl.Series(lines, dtype=pl.UInt32), is_ascii, nested)


def _read_parquet(content: bytes) -> Source:
    """Parquet: a row has no line, so its number stands in."""
    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, OSError):
        fault = Fault("is not a Parquet file", "Parquet, as its name says")
        raise Unreadable(fault) from None
    lines = pl.int_range(1, frame.height + 1, dtype=pl.UInt32, eager=True)
    nested = {n: [1] for n, t in frame.schema.items() if t.is_nested() or t == pl.Binary}
    text = frame.select(
        pl.lit(None, pl.String).alias(name) if name in nested else pl.col(name).cast(pl.String)
        for name in frame.columns
    )
    return Source(text, lines, ascii=False, nested=nested)


READERS: dict[str, Callable[[bytes], Source]] = {
    ".csv": lambda content: _read_separated(content, ","),
    ".tsv": lambda content: _read_separated(content, "\t"),
    ".jsonl": _read_lines,
    ".ndjson": _read_lines,
    ".parquet": _read_parquet,
}
