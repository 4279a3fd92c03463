"""CSV and TSV to a frame of text: fast where the file is plain, exact always."""

import codecs
import csv
import io
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.formats import (
    EMPTY,
    MOST_COLUMNS,
    TOO_WIDE,
    Fault,
    Source,
    Unreadable,
    check_text,
    repeated,
)

MEANT = 'a quote inside quotes as ""; for a value that holds lines with tabs: CSV or JSON Lines'
QUOTED = 'values with a quote in them in quotes, that quote as ""'

csv.field_size_limit(2**31 - 1)  # a long answer is no fault


def read_separated(content: bytes, separator: str) -> Source:
    """CSV or TSV: polars reads a file that is as plain as can be, Python's csv module any other."""
    if not content.isascii() or b"\0" in content:
        check_text(content)
    return _read_plain(content, separator) or _read_slowly(content, separator)


def read_together(contents: Sequence[bytes], separator: str) -> list[Source] | None:
    """The same for several files at one go: each by itself costs polars a millisecond.

    None where they do not have the same header, or one has to be read by itself.
    """
    whole = [each if each.endswith(b"\n") else each + b"\n" for each in contents]
    header = whole[0][: whole[0].index(b"\n") + 1]
    if not all(each.startswith(header) for each in whole):
        return None
    joined = b"".join([header, *(each[len(header) :] for each in whole)])
    if b"\0" in joined:
        return None
    try:
        if not joined.isascii():
            check_text(joined)
    except Unreadable:
        return None
    heights = [each.count(b"\n") - 1 for each in whole]
    read = _read_plain(joined, separator, sum(heights) + 1) if all(heights) else None
    if read is None:
        return None
    ends = np.cumsum(heights).tolist()
    return [
        replace(read, frame=read.frame.slice(end - height, height), lines=_lines(height))
        for end, height in zip(ends, heights, strict=True)
    ]


def _read_plain(content: bytes, separator: str, line_ends: int | None = None) -> Source | None:
    """What polars reads, if it can be trusted: then row n stands in line n + 1.

    It can when every line end ends a row, every quote is where it belongs, no row can be short, and
    no column is there twice.
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    if not content.endswith(b"\n"):
        content += b"\n"  # without it polars overlooks a separator at the end
    if (
        (b"\r" in content and content.count(b"\r") != content.count(b"\r\n"))
        or content.count(separator.encode(), 0, content.index(b"\n")) >= MOST_COLUMNS
        or not _is_well_quoted(content, separator)
    ):
        return None
    try:
        frame = pl.read_csv(content, infer_schema=False, separator=separator)
    except pl.exceptions.PolarsError:
        return None
    names = [name.strip() for name in frame.columns]
    if (
        frame.height == 0
        or frame.height + 1 != (line_ends or content.count(b"\n"))
        or not _is_full(content, separator, frame)
        or len(set(names)) < len(names)
        or any(name.endswith("_duplicated_0") for name in names)
    ):
        return None
    frame.columns = names
    tidy = _is_tidy(content, separator)
    return Source(frame, _lines(frame.height), content.isascii(), tidy=tidy)


def _lines(height: int) -> pl.Series:
    """The line of each row, where every row is one: the header has the first."""
    return pl.int_range(2, height + 2, dtype=pl.UInt32, eager=True)


def _is_tidy(content: bytes, separator: str) -> bool:
    """Whether no value begins or ends with white space, or has more than a space in one place.

    >>> [_is_tidy(row, ",") for row in (b"1,a b\\n", b"1, a\\n", b"1,a \\n", b"1,a\\tb\\n")]
    [True, False, False, False]
    """
    odd = [b"\v", b"\f", b'"' if separator == "\t" else b"\t"]  # in quotes there may be a tab
    if not content.isascii() or any(text in content for text in odd):
        return False
    data = np.frombuffer(content, np.uint8)
    spaces = np.flatnonzero(data == ord(" "))
    beside = np.concatenate([data[spaces - 1], data[spaces + 1]])
    return not len(spaces) or not np.isin(beside, _codes(f'{separator}"\r\n ')).any()


def _codes(characters: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(characters.encode(), np.uint8)


def _is_full(content: bytes, separator: str, frame: pl.DataFrame) -> bool:
    """Whether no row is short: polars fills one up in silence, and balks only at one too long."""
    if not frame.to_series(-1).has_nulls():
        return True
    separators = (frame.height + 1) * (frame.width - 1)
    return (
        separators > 0 and b'"' not in content and content.count(separator.encode()) == separators
    )


def _is_well_quoted(content: bytes, separator: str) -> bool:
    """Whether quotes stand around fields, and in pairs inside; polars drops others in silence.

    >>> [_is_well_quoted(row, ",") for row in (b'1,"a, b"\\n', b'1,5" disk\\n', b'1,"a"b\\n')]
    [True, False, False]
    """
    if b'"' not in content:
        return True
    data = np.frombuffer(content, np.uint8)
    quotes = np.flatnonzero(data == ord('"'))
    opening, closing = quotes[::2], quotes[1::2]
    before, after = data[opening - 1], data[closing + 1]  # the first byte follows the last, \n
    return len(opening) == len(closing) and bool(
        np.isin(np.concatenate([before, after]), _codes(f'"\r\n{separator}')).all()
    )


def _read_slowly(content: bytes, separator: str) -> Source:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    names: list[str] = []
    rows: list[list[str]] = []
    lines: list[int] = []
    faults: list[Fault] = []
    ragged: list[Fault] = []
    line, spread = 1, 0
    try:
        for row in reader:
            if not row or (len(row) == 1 < len(names) and not row[0].strip()):
                pass
            elif not names:
                names = [name.strip() for name in row]
                if len(names) > MOST_COLUMNS:
                    raise Unreadable(TOO_WIDE)
            elif len(row) != len(names):
                found = f"has {len(row)} fields where the header has {len(names)}"
                allowed = f"{len(names)} fields, in quotes where one holds the separator"
                ragged.append(Fault(found, allowed, line))
            else:
                rows.append(row)
                lines.append(line)
                if reader.line_num > line:
                    spread += 1
                    if separator == "\t" and _has_swallowed_rows(row):
                        faults.append(Fault("has a quote that takes in rows below", MEANT, line))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(f"is not well quoted ({error})", QUOTED, line))
    if not names and not faults:
        faults.append(EMPTY)
    faults += repeated(names)
    if faults:
        raise Unreadable(*ragged, *faults)
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    numbers = pl.Series(lines, dtype=pl.UInt32)
    return Source(frame, numbers, content.isascii(), spread=spread, faults=tuple(ragged))


def _has_swallowed_rows(row: list[str]) -> bool:
    """Whether a value looks like whole TSV rows: two stray quotes were taken for a pair.

    In a CSV file such a value may well be a text with commas.

    >>> _has_swallowed_rows(["q1", "5 feet\\nq2\\tno\\nq3\\t6 feet"])
    True
    >>> _has_swallowed_rows(["q1", "def f():\\n\\treturn 1"])
    False
    """
    last = len(row) - 1
    for place, value in enumerate(row):
        first, *further = value.split("\n")
        tabs = [piece.count("\t") for piece in (first, *further)]
        if (
            last
            and further
            and tabs == [last - place, *[last] * (len(further) - 1), place]
            and not any(piece.startswith("\t") for piece in further)
        ):
            return True
    return False
