"""Raw files: which ones are meant, what is in them, and in which format they are read."""

import glob
import gzip
import hashlib
import io
import json
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import polars as pl

from qampaign.input.delimited import find_separator, read_separated, read_together
from qampaign.input.file_options import RUN_ALLOWED, FileOptions
from qampaign.input.file_options import run_of as find_run
from qampaign.input.formats import (
    EMPTY,
    READ_AS,
    Fault,
    Source,
    Unreadable,
    found_columns,
    read_json,
    read_parquet,
    too_large,
)
from qampaign.plugins import Declared, load_plugins
from qampaign.problems import quote
from qampaign.regular_files import Irregular, open_regular
from qampaign.running.job_records import state_of
from qampaign.values import UNPACKED_GB

SEPARATED = (".csv", ".tsv")

Reader = Callable[[bytes, float], Source]
Simple = TypeVar("Simple", bound=Callable[[bytes], pl.DataFrame])

SIGNS = {";": "semicolons", "\t": "tabs"}
"""What separates the columns of some CSV files in place of commas."""


def _note_separator(source: Source, separator: str) -> Source:
    """A CSV file with a remark on its separator, where it is another than its name says."""
    if separator not in SIGNS:
        return source
    text = f"{READ_AS}columns with {SIGNS[separator]} between them"
    return replace(source, notes=(*source.notes, ("", text, source.frame.height)))


READERS: Declared[Reader] = Declared("file format")
"""How the bytes of each format are read, given how many gigabytes they may stand for."""

for _name, _reader in {
    ".csv": lambda content, _: _note_separator(
        read_separated(content, find_separator(content)), find_separator(content)
    ),
    ".tsv": lambda content, _: read_separated(content, "\t"),
    ".json": lambda content, _: read_json(content),
    ".jsonl": lambda content, _: read_json(content),
    ".ndjson": lambda content, _: read_json(content),
    ".parquet": read_parquet,
}.items():
    READERS.add(_name, _reader, _reader)


def file_format(suffix: str) -> Callable[[Simple], Simple]:
    """Declare the decorated function as the reader of files whose names end in `suffix`.

    It gets the bytes of a file and gives a frame with a row for each row of the table, columns by
    name; a value that it cannot read is a ValueError. For messages the first row is line 1.
    """
    if not suffix.startswith(".") or "." in suffix[1:] or suffix != suffix.lower():
        raise ValueError(f"a file format is a suffix such as .xml, in small letters, not {suffix}")

    def declare(function: Simple) -> Simple:
        def read(content: bytes, _: float) -> Source:
            try:
                frame = function(content).cast(pl.String)
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                where = f"by {function.__module__}.{function.__name__}"
                raise Unreadable(Fault(f"cannot be read {where} ({reason})")) from None
            lines = pl.int_range(1, frame.height + 1, dtype=pl.UInt32, eager=True)
            return Source(frame, lines, ascii=False)

        READERS.add(suffix, read, function)
        return function

    return declare


load_plugins("qampaign.formats")


def formats() -> str:
    """The formats that are known, for messages."""
    *others, last = READERS
    return f"{', '.join(others)} or {last}, each also with .gz"


MOST_PACKED = 1_032
"""How many bytes one byte of gzip can stand for at most."""


def resolve(folder: str | Path, patterns: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Each table with each of its files; a pattern that matches nothing stays as it is.

    Paths are relative to `folder` where the patterns are.
    """
    for table, wanted in patterns.items():
        paths: dict[str, None] = {}
        for pattern in wanted:
            matches = glob.glob(pattern, root_dir=folder, recursive=True)
            exists = Path(folder, pattern).exists()
            paths |= dict.fromkeys([pattern] if exists else sorted(matches) or [pattern])
        for path in paths:
            yield table, path


def state(path: Path) -> str:
    """Size, times and number of a file as JSON; without them where it is not there."""
    try:
        return json.dumps(state_of(path))
    except OSError:
        return "[]"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, or why there are none."""
    try:
        with open_regular(path) as file:
            return file.read()
    except FileNotFoundError:
        raise Unreadable(Fault("does not exist")) from None
    except Irregular as error:
        raise Unreadable(Fault(str(error.strerror), "a regular file, or a link to one")) from None
    except OSError as error:
        raise Unreadable(Fault(f"cannot be read: {error.strerror}")) from None


def digest(content: bytes) -> str:
    """The hash by which a changed file is known."""
    return hashlib.sha256(content).hexdigest()


def run_of(path: Path, options: FileOptions) -> str:
    """The run that a file is of, unless its rows say so: by the config, or its name."""
    stem, run = name_of(path), None
    if options.run:
        run = find_run(options.run, path, stem)
        if run is None:
            problem = f"has a path in which {quote(options.run)} finds no run"
            raise Unreadable(Fault(problem, RUN_ALLOWED))
    return unicodedata.normalize("NFC", stem if run is None else run).strip()


def name_of(path: Path) -> str:
    """The name of a file without its format: the id of a run that does not give its own.

    >>> name_of(Path("runs/icia091ro.csv.gz"))
    'icia091ro'
    """
    return path.name[: len(path.name) - len(_suffix(path))]


def parse(content: bytes, path: Path) -> Source:
    """Read the bytes of a file in the format that its name gives; each line must be a row."""
    source = _parse(content, path)
    if source.faults:
        raise Unreadable(*source.faults)
    return source


def read_table(path: Path, needed: Sequence[str]) -> Source:
    """Read a file that must have some columns, whatever else it has."""
    source = parse(read_bytes(path), path)
    missing = [name for name in needed if name not in source.frame.columns]
    if missing:
        problem = f"has no column {', '.join(missing)}"
        allowed = f"at least {', '.join(needed)}; {found_columns(source.frame.columns)}"
        raise Unreadable(Fault(problem, allowed, 1))
    return source


def _parse(content: bytes, path: Path, unpacked_gb: float = UNPACKED_GB, named: str = "") -> Source:
    suffix = _suffix(path)
    kind = f".{named}" if named else suffix.removesuffix(".gz")
    if kind not in READERS:
        raise Unreadable(Fault("has an unknown file type", formats()))
    if suffix.endswith(".gz"):
        content = _unpack(content, unpacked_gb)
    if not content:
        raise Unreadable(EMPTY)
    return READERS[kind](content, unpacked_gb)


def unpack(content: bytes, unpacked_gb: float) -> bytes:
    """What a file holds: if gzip has packed it, what was packed."""
    return _unpack(content, unpacked_gb) if content[:2] == b"\x1f\x8b" else content


def _unpack(content: bytes, unpacked_gb: float) -> bytes:
    """What gzip has packed. What may be too much is counted first, and not kept meanwhile."""
    try:
        if len(content) * MOST_PACKED > unpacked_gb * 10**9:
            size = 0
            with gzip.open(io.BytesIO(content)) as file:
                while piece := file.read(2**20):
                    size += len(piece)
                    if size > unpacked_gb * 10**9:
                        raise Unreadable(too_large(unpacked_gb))
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        raise Unreadable(Fault("is not a complete gzip file", "gzip, as its name says")) from None


def parse_all(
    contents: Sequence[bytes],
    paths: Sequence[Path],
    unpacked_gb: float = UNPACKED_GB,
    named: str = "",
) -> list[Source | Unreadable]:
    """What is in each of several files, or why it cannot be read.

    Where only some lines cannot, the source has these as faults beside its other rows. A `named`
    format goes before the ends of their names.
    """
    suffixes = {_suffix(path) for path in paths}
    if named and not any(suffix.endswith(".gz") for suffix in suffixes):
        suffixes = {f".{named}"}
    if len(paths) > 1 and len(suffixes) == 1 and suffixes < {*SEPARATED} and all(contents):
        separator = "\t" if suffixes == {".tsv"} else find_separator(contents[0])
        together = read_together(contents, separator)
        if together is not None:
            return [
                source if suffixes == {".tsv"} else _note_separator(source, separator)
                for source in together
            ]
    outcomes: list[Source | Unreadable] = []
    for content, path in zip(contents, paths, strict=True):
        try:
            outcomes.append(_parse(content, path, unpacked_gb, named))
        except Unreadable as unreadable:
            outcomes.append(unreadable)
    return outcomes


def _suffix(path: Path) -> str:
    suffix = path.suffix
    if suffix.lower() == ".gz":
        suffix = path.with_suffix("").suffix + suffix
    return suffix.lower()
