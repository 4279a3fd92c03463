"""CSV and TSV to a frame of text: fast where the file is plain, exact always."""

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.input.formats import (
    EMPTY,
    MOST_COLUMNS,
    TOO_WIDE,
    Fault,
    Source,
    Unreadable,
    check_text,
    repeated,
)
from qampaign.input.input_tables import ALL_COLUMNS, RESPONSE_KEY

SWALLOWED = "has a stray quote that swallows the rows below"
DOUBLED = 'a quote inside quotes doubled (""); CSV or JSON Lines for values with lines and tabs'
DOUBLED_IN_CSV = 'a quote inside quotes doubled (""); JSON Lines if the value really has such rows'
UNQUOTED = "lines with quotes that are not in pairs around values: read as they are"
QUOTED = 'quotes around a value that contains a quote, and that quote doubled ("")'

csv.field_size_limit(2**31 - 1)  # a long answer is no fault


def find_separator(content: bytes) -> str:
    """What separates the columns of a CSV file: the comma, or what its header has instead.

    >>> [find_separator(each) for each in (b"a,b", b"a;b\\n1;2,3", b"a\\tb", b"a", b"a;b,c")]
    [',', ';', '\\t', ',', ',']
    """
    header = content[: content.find(b"\n")] if b"\n" in content else content
    plain = re.sub(rb'"[^"]*"', b"", header)
    if b"," in plain:
        return ","
    return max(",;\t", key=lambda sign: plain.count(sign.encode()))


def read_separated(content: bytes, separator: str) -> Source:
    """CSV or TSV: polars reads a file that is as plain as can be, Python's csv module any other."""
    if not content.isascii() or b"\0" in content:
        check_text(content)
    if (plain := _read_plain(content, separator)) is not None:
        return plain
    try:
        return _read_slowly(content, separator)
    except Unreadable:
        unquoted = _read_unquoted(content) if separator == "\t" and b'"' in content else None
        if unquoted is None:
            raise
        return unquoted


def _read_unquoted(content: bytes) -> Source | None:
    """A TSV file in which a quote is a character as others are; None where it is none.

    It is one if each line has as many tabs as the header: then no value can have a tab or a line
    end in it, and quotes are not needed.
    """
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    lines = text.rstrip("\n").split("\n")
    header, *rows = [line.split("\t") for line in lines]
    names = [name.strip() for name in header]
    if not rows or "\r" in text or any(len(row) != len(names) for row in rows):
        return None
    if repeated(names) or len(names) > MOST_COLUMNS:
        return None
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    count = sum('"' in line for line in lines[1:])
    return Source(frame, _lines(len(rows)), content.isascii(), notes=(("", UNQUOTED, count),))


def read_together(contents: Sequence[bytes], separator: str) -> list[Source] | None:
    """The same for several files at one go: each by itself costs polars a millisecond.

    None where they do not have the same header, or one has to be read by itself.
    """
    whole = [text if text.endswith(b"\n") else text + b"\n" for text in contents]
    header = whole[0][: whole[0].index(b"\n") + 1]
    if not all(text.startswith(header) for text in whole):
        return None
    joined = b"".join([header, *(text[len(header) :] for text in whole)])
    if b"\0" in joined:
        return None
    try:
        if not joined.isascii():
            check_text(joined)
    except Unreadable:
        return None
    heights = [text.count(b"\n") - 1 for text in whole]
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
    """Whether no value begins or ends with white space, or has two or more spaces in a row.

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
    several: list[int] = []
    line = 1
    try:
        for row in reader:
            if not row or (len(row) == 1 < len(names) and not row[0].strip()):
                pass
            elif not names:
                names = [name.strip() for name in row]
                if len(names) > MOST_COLUMNS:
                    raise Unreadable(TOO_WIDE)
            elif len(row) != len(names):
                problem = f"has {len(row)} fields where the header has {len(names)}"
                allowed = f"{len(names)} fields; quotes around one that contains the separator"
                ragged.append(Fault(problem, allowed, line))
            else:
                rows.append(row)
                lines.append(line)
                if reader.line_num > line:
                    several.append(len(rows) - 1)
                    if separator == "\t" and _has_swallowed_rows(row):
                        faults.append(Fault(SWALLOWED, DOUBLED, line))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(Fault(f"is not well quoted ({error})", QUOTED, line))
    if separator == "," and several and not faults:
        like = _Likeness(names, rows)
        swallowing = (number for number in several if like.has_swallowed(rows[number]))
        faults += [Fault(SWALLOWED, DOUBLED_IN_CSV, lines[number]) for number in swallowing]
    if not names and not faults:
        faults.append(EMPTY)
    faults += repeated(names)
    if faults:
        raise Unreadable(*ragged, *faults)
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    numbers = pl.Series(lines, dtype=pl.UInt32)
    return Source(frame, numbers, content.isascii(), spread=len(several), faults=tuple(ragged))


def _has_swallowed_rows(row: list[str]) -> bool:
    """Whether a value looks like whole TSV rows: two stray quotes were taken for a pair.

    In a CSV file such a value may well be a text with commas: see :class:`_Likeness`.

    >>> _has_swallowed_rows(["q1", "5 feet\\nq2\\tno\\nq3\\t6 feet"])
    True
    >>> _has_swallowed_rows(["q1", "def f():\\n\\treturn 1"])
    False
    """
    last = len(row) - 1
    for index, value in enumerate(row):
        first, *further = value.split("\n")
        tabs = [piece.count("\t") for piece in (first, *further)]
        if (
            last
            and further
            and tabs == [last - index, *[last] * (len(further) - 1), index]
            and not any(piece.startswith("\t") for piece in further)
        ):
            return True
    return False


CLOSED = {column.name for column in ALL_COLUMNS if not column.is_free_text}
"""Columns that hold no free text: in a swallowed row their values are like those of other rows."""

THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(?!\d)")


class _Likeness:
    """What the rows of a CSV file are like, to tell rows from the lines of a text.

    Two stray quotes that were taken for a pair make one value of the end of a row, whole rows, and
    the beginning of another. A text of several lines with commas in them looks much alike, so a
    value is taken for swallowed rows only if, cut at its line ends, *every* piece completes to a
    row of just the header's number of fields in which

    - each id (question, run, assessor) is one of the ids of the column, or one with digits that is
      built like them (q17 where there are q16 and q18; a mere number must not be larger than
      the ids are);
    - every other value that is no free text (a label, a rank, a confidence …) is one that the
      column has, or a number where it has numbers;
    - no field begins with a space where those of the column never do, as after a comma in prose;
    - no comma stands inside a number such as 12,345;
    - the run, question and rank are not those of another row, unless the file repeats them anyway:
      the numbered lines of a list in a text mostly are ids that the file has elsewhere.
    """

    def __init__(self, names: list[str], rows: list[list[str]]) -> None:
        self.values = {
            index: {row[index] for row in rows if "\n" not in row[index]}
            for index, name in enumerate(names)
            if name in CLOSED
        }
        self.forms = {index: set(map(_form, values)) for index, values in self.values.items()}
        self.largest = {
            index: max((int(value) for value in values if value.isdecimal()), default=0)
            for index, values in self.values.items()
        }
        self.spaced = [any(row[n][:1] == " " for row in rows) for n in range(len(names))]
        self.key = [names.index(name) for name in RESPONSE_KEY if name in names]
        keys = [self.key_of(row) for row in rows]
        self.keys = set(keys) if len(set(keys)) == len(keys) else set()

    def key_of(self, row: list[str]) -> tuple[str, ...]:
        """Run, question and rank of a row."""
        return tuple(row[index] for index in self.key)

    def has_swallowed(self, row: list[str]) -> bool:
        """Whether a value of a row holds the end of it, other rows, and the beginning of one."""
        return any(
            "\n" in value and self._are_rows(row, index, value.splitlines())
            for index, value in enumerate(row)
        )

    def _are_rows(self, row: list[str], index: int, lines: list[str]) -> bool:
        first, further = lines[0], [line for line in lines[1:] if line.strip()]
        if not further or any(THOUSANDS.search(line) for line in further):
            return False
        *between, last = [next(csv.reader([line])) for line in further]
        before = [*row[:index], *(next(csv.reader([first]), None) or [""])]
        following = [*between, [*last, *row[index + 1 :]]]
        if any(len(candidate) != len(row) for candidate in (before, *following)):
            return False
        keys = [self.key_of(candidate) for candidate in following]
        return (
            all(any(key) for key in keys)  # in a file without ids nothing tells rows from lines
            and len(set(keys)) == len(keys)
            and not self.keys.intersection(keys)
            and all(self._fits(candidate, len(following)) for candidate in (before, *following))
        )

    def _fits(self, row: list[str], swallowed: int) -> bool:
        """Whether all values of a row are like those of the other rows."""
        begins = zip(row, self.spaced, strict=True)
        if any(value[:1] == " " and not spaced for value, spaced in begins):
            return False
        return all(self._is_like(row[index], index, swallowed) for index in self.values)

    def _is_like(self, value: str, index: int, swallowed: int) -> bool:
        if value in self.values[index]:
            return True
        if not any(sign.isdecimal() for sign in value) or _form(value) not in self.forms[index]:
            return False
        return not value.isdecimal() or int(value) <= self.largest[index] + swallowed


def _form(value: str) -> str:
    """How a value is built: its runs of letters and of digits, and the signs between them.

    >>> _form("q017"), _form("icia-091ro"), _form("0.75")
    ('a0', 'a-0a', '0.0')
    """
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", value))
