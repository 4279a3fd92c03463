"""Rows of files that have the same columns: how their text becomes values, and what is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from qampaign.input.formats import Source
from qampaign.input.input_tables import DATE, FLAG, INPUT_TABLES, TEXT, WHOLE, Kind
from qampaign.problems import Problems
from qampaign.values import FLAGS

UNLABELLED = "rows without a label: not judged yet, left out"
NOT_USED = "column is not used"
SPREAD = "rows of several lines, by line ends in quotes"


@dataclass(frozen=True)
class FileRows:
    """A file of a batch: its name, the run it names, and what stands in it."""

    name: str
    run: str
    source: Source
    unfilled: int = 0
    """How many rows were left out since nobody has labelled them yet."""
    remarks: Sequence[tuple[str, str, int]] = ()
    """What was noticed when it was parsed: a column, a text, and a number of rows."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it, not even a line that cannot be read."""
        return not self.source.frame.height and not self.source.faults


@dataclass
class Rows:
    """The typed rows of files that have the same columns, and what was found wrong or remarkable.

    Files are typed together: what each costs by itself would add up where there are many.
    """

    files: Sequence[FileRows]
    text: pl.DataFrame = field(init=False)
    """The rows as the files have them."""
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    problems: Problems = field(default_factory=Problems)
    remarks: list[tuple[int, str, str, int]] = field(default_factory=list)
    """Number of the file, column, remark, number of rows."""

    def __post_init__(self) -> None:
        self.text = pl.concat([file.source.frame for file in self.files], rechunk=True)

    @property
    def given(self) -> list[str]:
        """The columns that the files have."""
        return self.text.columns

    @property
    def ascii(self) -> bool:
        """Whether no text in them can need Unicode normalisation."""
        return all(file.source.ascii for file in self.files)

    @property
    def tidy(self) -> bool:
        """Whether no text in them can have white space to take out."""
        return all(file.source.tidy for file in self.files)

    @property
    def heights(self) -> list[int]:
        """The number of rows of each file."""
        return [file.source.frame.height for file in self.files]

    def lines(self) -> pl.Series:
        """The line of each row."""
        return pl.concat([file.source.lines for file in self.files]).alias("line")

    def by_file(self, values: Sequence[object]) -> pl.Series:
        """A value for each file, repeated for each of its rows."""
        index = np.repeat(np.arange(len(self.files)), self.heights)
        return pl.Series(values).gather(index)

    def refuse(self, rows: pl.Series, column: str, problem: str, allowed: str = "") -> None:
        """Note a problem for every row where `rows` is true, with the value as the file has it."""
        numbers = rows.fill_null(False).arg_true()
        if not len(numbers):
            return
        values = pl.Series([None], dtype=pl.String).new_from_index(0, len(numbers))
        if column in self.given:
            values = self.text[column].gather(numbers).fill_null("")
        files = self.by_file([file.name for file in self.files]).gather(numbers)
        lines = self.lines().gather(numbers)
        self.problems.add_rows(
            files, lines, values, column=column, problem=problem, allowed=allowed
        )

    def remark(self, rows: pl.Series, column: str, text: str) -> None:
        """Remark, file by file, on the rows where `rows` is true."""
        if rows.any():
            files = self.by_file(range(len(self.files))).filter(rows)
            for number, count in zip(*files.value_counts(sort=True).get_columns(), strict=True):
                self.remarks.append((number, column, text, count))

    def refuse_file(self, file: FileRows, problem: str, allowed: str) -> None:
        """Note a problem of a file as a whole."""
        self.problems.add(file=file.name, problem=problem, allowed=allowed)


def note_columns(table: str, rows: Rows) -> None:
    """Remark on columns that nothing reads; refuse wanted ones that hold lists."""
    declared = INPUT_TABLES[table]
    known = {*declared.names, *(column.name for column in declared.shown_only)}
    unused = [] if declared.collected else [name for name in rows.given if name not in known]
    for number, file in enumerate(rows.files):
        height = file.source.lines.n_unique() if unused else 0  # a list is several rows of a line
        rows.remarks += [(number, name, NOT_USED, height) for name in unused]
        if file.unfilled:
            rows.remarks.append((number, "label", UNLABELLED, file.unfilled))
        if file.source.spread:
            rows.remarks.append((number, "", SPREAD, file.source.spread))
    for name in sorted({name for file in rows.files for name in file.source.nested}):
        if name in declared.names:
            sources = (file.source for file in rows.files)
            nested = [source.lines.is_in(source.nested.get(name, [])) for source in sources]
            allowed = "text, number, date, true or false"
            rows.refuse(pl.concat(nested), name, "is not a single value", allowed)


def typed(rows: Rows, name: str, kind: Kind) -> pl.Series:
    """The column `name` as its kind; empty is null, and what cannot be read is a problem."""
    if name not in rows.given:
        return pl.Series(name, [None], kind.dtype).new_from_index(0, rows.text.height)
    text = rows.text[name]
    if not rows.tidy:
        text = text.str.strip_chars()
    if not rows.ascii:
        text = text.str.normalize("NFC")
    if (text == "").any():
        text = text.replace("", None)
    if kind is TEXT and not rows.tidy and text.str.contains(r"\s\s|[^\S ]").any():
        text = text.str.replace_all(r"\s+", " ")
    if kind.dtype == pl.String:
        return text
    values = _parse(text, kind)
    if values.null_count() != text.null_count():
        unread = values.is_null() & text.is_not_null()
        rows.refuse(unread, name, f"is not {kind.allowed}", kind.allowed)
    return values


def _parse(text: pl.Series, kind: Kind) -> pl.Series:
    """Text as values that are no text; null where it cannot be read."""
    if kind is FLAG:
        lower = text.str.to_lowercase()
        return lower.replace_strict(FLAGS, default=None, return_dtype=kind.dtype)
    if kind is DATE:
        return text.str.to_date("%Y-%m-%d", strict=False)
    values = text.cast(kind.dtype, strict=False)
    if kind is WHOLE and values.null_count() != text.null_count():
        real = text.cast(pl.Float64, strict=False)  # pandas writes 1.0 where a column has gaps
        whole = real.set(real != real.round(), None).cast(kind.dtype, strict=False)
        values = values.fill_null(whole)
    return values
