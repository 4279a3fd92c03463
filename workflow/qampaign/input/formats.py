"""What every reader gives and refuses; the readers of JSON Lines and Parquet.

A reader keeps everything as text: what a value means is decided in :mod:`qampaign.input.reading`,
once for all formats. Each knows the line of every row, so that a message can point at it.
"""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from qampaign.problems import Problems, quote
from qampaign.values import UNPACKED_GB

SHOWN = 20
"""How many of a file's columns a message names."""

READ_AS, NOT_READ = "read as ", "not read in"
"""How remarks begin that are the same for all files of a key."""

MOST_COLUMNS = 1_000
"""A file with more is not the table that it is taken for."""


@dataclass(frozen=True)
class Fault:
    """What keeps a file from being read, what is allowed, and the line."""

    problem: str
    allowed: str = ""
    line: int | None = None


def too_large(unpacked_gb: float) -> Fault:
    """What is said of a packed file that stands for more than is allowed."""
    return Fault(
        f"unpacks to more than {unpacked_gb:g} gigabytes",
        f"less, or a higher limit than limits: {{unpacked_gb: {unpacked_gb:g}}} in the config",
    )


EMPTY = Fault("is empty", "a header and rows")
TOO_WIDE = Fault(f"has more than {MOST_COLUMNS:,} columns", "a column per kind of value")


class Unreadable(Exception):
    """A file that cannot be read, with every reason that was found."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*(fault.problem for fault in faults))
        self.faults = faults


def note(problems: Problems, file: str, faults: Iterable[Fault], **about: str) -> None:
    """Note why a file, or some line of it, cannot be read; `about` may give the collection."""
    for fault in faults:
        text = {"problem": fault.problem, "allowed": fault.allowed, **about}
        problems.add(file=file, line=fault.line, **text)


@dataclass(frozen=True)
class Source:
    """The content of a file: a frame of text columns, and the line of each row."""

    frame: pl.DataFrame
    lines: pl.Series
    ascii: bool
    """Whether no text in it can need Unicode normalisation."""
    tidy: bool = False
    """Whether no text in it can have white space to take out."""
    nested: dict[str, list[int]] = field(default_factory=dict)
    """Lines where a column holds no single value: a fault only if the column is wanted."""
    spread: int = 0
    """Number of rows that take several lines, because a quoted value holds line ends."""
    faults: tuple[Fault, ...] = ()
    """Lines that are no rows; `frame` has the others."""
    notes: tuple[tuple[str, str, int], ...] = ()
    """What is worth a remark: a column, a text, and a number of rows."""


def check_text(content: bytes) -> None:
    """Refuse bytes that are not UTF-8 text, naming the first line that is not."""
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise Unreadable(Fault("is UTF-16", "UTF-8"))
    zero = content.find(b"\0")
    if zero >= 0:
        raise Unreadable(Fault("is not text (a zero byte)", "UTF-8 text", _line(content, zero)))
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 (byte 0x{content[error.start]:02x})"
        raise Unreadable(Fault(problem, "UTF-8", _line(content, error.start))) from None


def _line(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1


def found_columns(columns: Sequence[str]) -> str:
    """The columns that were found, for a message; not all of very many.

    >>> found_columns(["question", "x"])
    "found: 'question', 'x'"
    """
    more = ["…"] if len(columns) > SHOWN else []
    return f"found: {', '.join([*map(quote, columns[:SHOWN]), *more])}"


def repeated(names: list[str]) -> list[Fault]:
    """A fault for each column that occurs twice."""
    return [
        Fault(f"has the column {quote(name)} more than once", "each column once", 1)
        for name, count in Counter(names).items()
        if count > 1
    ]


def read_json(content: bytes) -> Source:
    """JSON: an object per line, or one array of objects. Numbers and booleans become their text."""
    check_text(content)
    text = content.decode("utf-8-sig")
    is_array = ARRAY.match(text) is not None
    columns: dict[str, list[str | None]] = {}
    lines: list[int] = []
    nested: dict[str, list[int]] = {}
    faults: list[Fault] = []
    for number, decoded in _elements(text) if is_array else _lines(text):
        if isinstance(decoded, Exception):
            allowed = "an array of JSON objects" if is_array else "a JSON object per line"
            faults.append(Fault(f"is not JSON ({decoded})", allowed, number))
            continue
        values, lists = decoded
        for name, value in values.items():
            column = columns.setdefault(name, [])
            column.extend([None] * (len(lines) - len(column)))
            column.append(value)
        for name in lists:
            nested.setdefault(name, []).append(number)
        lines.append(number)
        if len(columns) > MOST_COLUMNS:
            raise Unreadable(TOO_WIDE)
    if not columns:
        raise Unreadable(*faults or [EMPTY])
    for column in columns.values():
        column.extend([None] * (len(lines) - len(column)))
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    is_ascii = content.isascii() and b"\\u" not in content
    numbers = pl.Series(lines, dtype=pl.UInt32)
    return Source(frame, numbers, is_ascii, nested=nested, faults=tuple(faults))


Decoded = tuple[dict[str, str | None], list[str]] | Exception
"""The values of a JSON object as text, and which of them are lists or objects; or what is wrong."""


def _lines(text: str) -> Iterator[tuple[int, Decoded]]:
    """The objects of lines, each with the number of its line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, _as_text(JSON.decode(line), line)
            except json.JSONDecodeError as error:
                yield number, ValueError(f"{error.msg}, character {error.colno:,}")
            except (ValueError, RecursionError) as error:
                yield number, error


def _elements(text: str) -> Iterator[tuple[int, Decoded]]:
    """The objects of an array, each with its number: all of them may stand in one line.

    After what is no JSON nothing can be found any more.
    """
    at, number = _skip(text, text.index("[") + 1), 1
    while text[at : at + 1] != "]" or number > 1:
        try:
            value, end = JSON.raw_decode(text, at)
        except json.JSONDecodeError as error:
            where = f"line {error.lineno:,}, character {error.colno:,}"
            yield number, ValueError(f"{error.msg}, {where}")
            return
        except (ValueError, RecursionError) as error:
            yield number, error
            return
        try:
            yield number, _as_text(value, text[at:end])
        except ValueError as error:
            yield number, error
        after, number = _skip(text, end), number + 1
        if text[after : after + 1] != ",":
            at = after
            break
        at = _skip(text, after + 1)
    if text[at : at + 1] != "]":
        yield number, ValueError("no , or ] after an object")
    elif text[at + 1 :].strip():
        yield number, ValueError("there is something after the array")


def _skip(text: str, at: int) -> int:
    """The next index at which there is no white space."""
    match = NO_SPACE.search(text, at)
    return match.start() if match else len(text)


def _as_text(values: object, line: str) -> tuple[dict[str, str | None], list[str]]:
    """The values of a JSON object as text, and the names of those that are lists or objects."""
    if not isinstance(values, dict):
        raise ValueError("not an object")
    nested = []
    for name, value in values.items():
        if value is not None and not isinstance(value, str):
            values[name] = ENCODE(value)
            if isinstance(value, dict | list):
                nested.append(name)
    if "\\u" in line and SURROGATE.search(ENCODE(values)):
        raise ValueError("half a character, one of \\ud800 to \\udfff")
    return values, nested


def _as_dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; a name that occurs twice would hide a value."""
    values = {name.strip(): value for name, value in pairs}
    if len(values) < len(pairs):
        raise ValueError("a name occurs twice")
    return values


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


ENCODE = json.JSONEncoder(ensure_ascii=False).encode
JSON = json.JSONDecoder(
    object_pairs_hook=_as_dict, parse_float=str, parse_constant=_refuse_constant
)
TEXT_LISTS = re.compile(r"(large_)?list<\w+: (large_)?string( not null)?>")
NO_SINGLE_VALUE = re.compile("list|struct|map|union|binary|duration|interval")  # in pyarrow
SURROGATE = re.compile("[\ud800-\udfff]")
NO_SPACE = re.compile(r"\S")
ARRAY = re.compile(r"\s*\[\s*[{\]]")


def read_parquet(content: bytes, unpacked_gb: float = UNPACKED_GB) -> Source:
    """Parquet: a row has no line, so its number stands in.

    pyarrow reads it, because damaged bytes make polars end the whole process.
    """
    # late: it takes longer to import than most files to read
    import pyarrow as pa  # type: ignore[import-untyped]

    try:
        table = _read_table(content, unpacked_gb)
        table.validate(full=True)
        names = [name.strip() for name in table.column_names]
        if faults := repeated(names):
            raise Unreadable(*faults)
        kinds = {name: str(kind) for name, kind in zip(names, table.schema.types, strict=True)}
        nested = [name for name, kind in kinds.items() if NO_SINGLE_VALUE.search(kind)]
        text = [
            _lists_as_text(name, column, kinds[name])
            if name in nested
            else pl.Series(name, column).cast(pl.String)
            for name, column in zip(names, table.columns, strict=True)
        ]
    except (pa.ArrowException, OSError, ValueError, pl.exceptions.PolarsError):
        fault = Fault("is not a Parquet file", "Parquet, as its name says")
        raise Unreadable(fault) from None
    lines = pl.int_range(1, table.num_rows + 1, dtype=pl.UInt32, eager=True)
    every = dict.fromkeys(nested, lines.to_list())
    return Source(pl.DataFrame(text), lines, ascii=False, nested=every)


def _lists_as_text(name: str, column: Any, kind: str) -> pl.Series:
    """Lists of texts as JSON; of what else is no single value, its kind."""
    if TEXT_LISTS.fullmatch(kind):
        texts = (None if value is None else ENCODE(value) for value in column.to_pylist())
        return pl.Series(name, list(texts), pl.String)
    return pl.Series(name, [kind]).new_from_index(0, len(column))


def _read_table(content: bytes, unpacked_gb: float) -> Any:
    """The table of a Parquet file, unless it is too much.

    The sizes that the file states are not all: a few bytes can stand for a text a million times. So
    it is read in pieces until there are too many.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    file, most = pq.ParquetFile(pa.BufferReader(content)), unpacked_gb * 10**9
    groups = (file.metadata.row_group(number) for number in range(file.num_row_groups))
    pieces, size = [], sum(group.total_byte_size for group in groups)
    if size <= most:
        size = file.metadata.num_rows * file.metadata.num_columns  # a byte at least for each value
    for piece in file.iter_batches(batch_size=2**12) if size <= most else ():
        pieces.append(piece)
        size += sum(_unpacked_bytes(column) for column in piece.columns)
        if size > most:
            break
    if size > most:
        raise Unreadable(too_large(unpacked_gb))
    return pa.Table.from_batches(pieces, file.schema_arrow)


def _unpacked_bytes(column: Any) -> int:
    """How many bytes the values of a column have when each is written out."""
    import pyarrow as pa
    import pyarrow.compute as pc  # type: ignore[import-untyped]

    if not pa.types.is_dictionary(column.type) or pa.types.is_primitive(column.type.value_type):
        return int(column.nbytes)
    lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
    return int(pc.sum(lengths).as_py() or 0)
