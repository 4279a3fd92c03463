"""Frames of text to typed rows, table by table, with every fault found on the way.

What can be told from one file alone is checked here; what takes several, in :mod:`qampaign.checks`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandera.errors
import pandera.polars as pa
import polars as pl

from qampaign import schemas
from qampaign.formats import Fault, Source, Unreadable
from qampaign.problems import Problems, quote

FLAGS = {"true": True, "yes": True, "1": True, "t": True, "y": True}
FLAGS |= {"false": False, "no": False, "0": False, "f": False, "n": False}

SHOWN = 20
"""How many of a file's columns a message names."""

WHOLE, NUMBER, FLAG = "a whole number", "a number", "true or false"
ID, TEXT, DATE = "an id", "text", "a date such as 2011-06-19"

COLUMNS: dict[str, dict[str, str]] = {
    "questions": {
        "question": ID,
        "type": TEXT,
        "text": TEXT,
        "language": TEXT,
        "nil": FLAG,
        "known": WHOLE,
        "group": TEXT,
        "date": DATE,
    },
    "runs": {"run": ID, "team": TEXT, "category": TEXT, "language": TEXT},
    "responses": {
        "run": ID,
        "question": ID,
        "rank": WHOLE,
        "answer": TEXT,
        "confidence": NUMBER,
        "answered": FLAG,
        "support": TEXT,
    },
    "assessments": {
        "question": ID,
        "run": ID,
        "rank": WHOLE,
        "answer": TEXT,
        "assessor": ID,
        "label": TEXT,
        "level": TEXT,
        "class": TEXT,
    },
}
"""The columns of each input table and what they hold."""

REQUIRED = {
    "questions": ["question"],
    "runs": ["run"],
    "responses": ["question", "answer"],
    "assessments": ["question", "label"],
}


@dataclass(frozen=True)
class Options:
    """What the config says about reading a collection's files."""

    labels: Mapping[str, str] = field(default_factory=dict)
    """Codes of the campaign, each with the verdict it stands for."""
    unit_confidence: bool = False
    """Whether a measure takes confidences for probabilities."""

    def of(self, table: str) -> str:
        """The options that decide what the rows of a table are, as text."""
        if table == "assessments":
            return json.dumps(dict(self.labels), sort_keys=True)
        return f"unit_confidence={self.unit_confidence}" if table == "responses" else ""


@dataclass
class Rows:
    """The typed rows of one file with their lines, and what was found wrong or worth a remark."""

    file: str
    source: Source
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    problems: Problems = field(default_factory=Problems)
    remarks: list[tuple[str, str, int]] = field(default_factory=list)
    """Column, remark, number of rows."""

    def refuse(self, rows: pl.Series, column: str, problem: str, allowed: str = "") -> None:
        """Note a problem for every row where `rows` is true, with the value as the file has it."""
        numbers = rows.fill_null(False).arg_true()
        lines = self.source.lines.gather(numbers)
        values = pl.Series([None], dtype=pl.String).new_from_index(0, len(numbers))
        if column in self.source.frame.columns:
            values = self.source.frame[column].gather(numbers).fill_null("")
        self.problems.add_rows(
            lines, values, file=self.file, column=column, problem=problem, allowed=allowed
        )

    def refuse_file(self, problem: str, allowed: str) -> None:
        """Note a problem of the file as a whole."""
        self.problems.add(file=self.file, problem=problem, allowed=allowed)


def read(table: str, source: Source, file: str, run: str, options: Options) -> Rows:
    """Type the rows of a file. `run` is the run's id where the file does not give one.

    Raises :class:`Unreadable` where a column is missing without which nothing can be read.
    """
    rows = Rows(file, source)
    columns = source.frame.columns
    missing = [name for name in REQUIRED[table] if name not in columns]
    if missing:
        found = f"has no column {' and no column '.join(missing)}"
        shown = [*map(quote, columns[:SHOWN]), *(["…"] if len(columns) > SHOWN else [])]
        allowed = f"{', '.join(COLUMNS[table])}; found: {', '.join(shown)}"
        raise Unreadable(Fault(found, allowed, line=1))
    _note_columns(table, rows)
    rows.frame = pl.DataFrame(
        {name: _typed(rows, name, kind) for name, kind in COLUMNS[table].items()}
    )
    if table == "questions":
        _complete_questions(rows)
    elif table == "runs":
        _complete_runs(rows)
    elif table == "responses":
        _complete_responses(rows, run, options)
    else:
        _complete_assessments(rows, options)
    rows.frame = rows.frame.with_columns(source.lines.alias("line"))
    return rows


def _note_columns(table: str, rows: Rows) -> None:
    """Remark on columns that nothing reads; refuse wanted ones that hold lists."""
    for name in rows.source.frame.columns:
        if name not in COLUMNS[table] and table != "runs":
            rows.remarks.append((name, "column is not used", rows.source.frame.height))
    for name, lines in rows.source.nested.items():
        if name in COLUMNS[table]:
            found = rows.source.lines.is_in(lines)
            rows.refuse(found, name, "is not a single value", "text, number, date, true or false")
    if rows.source.spread:
        rows.remarks.append(
            ("", "rows of several lines, by line ends in quotes", rows.source.spread)
        )


def _typed(rows: Rows, name: str, kind: str) -> pl.Series:
    """The column `name` as its kind; empty is null, and what cannot be read is a problem."""
    dtype = {WHOLE: pl.Int64, NUMBER: pl.Float64, FLAG: pl.Boolean, DATE: pl.Date}.get(
        kind, pl.String
    )
    if name not in rows.source.frame.columns:
        return pl.Series(name, [None], dtype).new_from_index(0, rows.source.frame.height)
    text = rows.source.frame[name].str.strip_chars()
    if not rows.source.ascii:
        text = text.str.normalize("NFC")
    if (text == "").any():
        text = text.replace("", None)
    if kind == TEXT and text.str.contains(r"\s\s|[^\S ]").any():
        text = text.str.replace_all(r"\s+", " ")
    if dtype == pl.String:
        return text
    if kind == FLAG:
        typed = text.str.to_lowercase().replace_strict(FLAGS, default=None, return_dtype=dtype)
    elif kind == DATE:
        typed = text.str.to_date("%Y-%m-%d", strict=False)
    else:
        typed = text.cast(dtype, strict=False)
        if kind == WHOLE and typed.null_count() != text.null_count():
            real = text.cast(pl.Float64, strict=False)  # pandas writes 1.0 where a column has gaps
            typed = typed.fill_null(real.set(real != real.round(), None).cast(dtype, strict=False))
    if typed.null_count() != text.null_count():
        rows.refuse(typed.is_null() & text.is_not_null(), name, f"is not {kind}", kind)
    return typed


def _validate(rows: Rows, model: type[pa.DataFrameModel]) -> None:
    """Check values against the model; pandera names the rows, the file has their lines."""
    try:
        model.validate(rows.frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        cases = errors.failure_cases.drop_nulls("index")
        for column, check in cases.select("column", "check").unique(maintain_order=True).rows():
            same = (pl.col("column") == column) & (pl.col("check") == check)
            failed = pl.Series(range(rows.frame.height)).is_in(
                cases.filter(same)["index"].implode()
            )
            if check == "not_nullable":  # what was given but could not be read is noted already
                given = column in rows.source.frame.columns
                text = rows.source.frame[column].str.strip_chars() if given else None
                empty = failed if text is None else failed & text.replace("", None).is_null()
                rows.refuse(empty, column, "is empty", "a value")
            else:
                rows.refuse(failed, column, "is not allowed", check)


def _complete_questions(rows: Rows) -> None:
    rows.frame = rows.frame.with_columns(pl.col("nil").fill_null(False))
    _validate(rows, schemas.Questions)
    repeated = rows.frame["question"].is_not_null() & ~rows.frame["question"].is_first_distinct()
    rows.refuse(repeated, "question", "stands there twice", "each question once")
    if not rows.frame.height:
        rows.refuse_file("has no rows", "a question per row")


def _complete_runs(rows: Rows) -> None:
    """Keep columns that are not ours as JSON: they are shown, nothing computes with them."""
    given = rows.source.frame
    further = [name for name in given.columns if name not in COLUMNS["runs"]]
    more: list[str | None] = [None] * given.height
    if further:
        kept: list[dict[str, Any]] = given.select(pl.col(further).str.strip_chars()).to_dicts()
        more = [json.dumps({k: v for k, v in row.items() if v}, ensure_ascii=False) for row in kept]
    rows.frame = rows.frame.with_columns(pl.Series("more", more, pl.String))
    _validate(rows, schemas.Runs)
    repeated = rows.frame["run"].is_not_null() & ~rows.frame["run"].is_first_distinct()
    rows.refuse(repeated, "run", "stands there twice", "each run once")


def _complete_responses(rows: Rows, run: str, options: Options) -> None:
    given = rows.source.frame.columns
    if not rows.frame.height:
        rows.refuse_file("has no rows: the run is empty", "a response per row")
    if "run" not in given:
        rows.frame = rows.frame.with_columns(run=pl.lit(run))
    bad = rows.frame.select(pl.col("run").unique()).filter(~schemas.is_id("run"))["run"]
    if len(bad) and "run" not in given:
        rows.refuse_file(f"names the run {quote(run)}", schemas.ID_ALLOWED)
    elif len(bad):
        rows.refuse(
            rows.frame["run"].is_in(bad.implode()), "run", "is not allowed", schemas.ID_ALLOWED
        )
    by_order = "rank" not in given
    if by_order:
        item = ["run", "question"]
        one_each = rows.frame["run"].n_unique() == 1 and rows.frame["question"].is_unique().all()
        order = pl.lit(1) if one_each else pl.col("question").cum_count().over(item)
        rows.frame = rows.frame.with_columns(rank=order.cast(pl.Int64))
    there = pl.col("answer").is_not_null()
    silent = rows.frame.filter(pl.col("answered") & ~there).height
    if silent:
        rows.remarks.append(
            ("answered", "empty answers that say answered: counted as unanswered", silent)
        )
    rows.frame = rows.frame.with_columns(answered=pl.col("answered").fill_null(True) & there)
    _validate(rows, schemas.UnitResponses if options.unit_confidence else schemas.Responses)
    if not by_order:
        _check_ranks(rows)


def _check_ranks(rows: Rows) -> None:
    """Refuse two responses at one rank, and ranks that do not count 1, 2, 3."""
    item = ["run", "question"]
    ranks = rows.frame.select(*item, "rank")
    there = ranks.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    twice = there & ~ranks.select(pl.struct(pl.all()).is_first_distinct()).to_series()
    rows.refuse(twice, "rank", "is there twice for its run and question", "each rank once")
    if not (ranks["rank"] == 1).all():
        gap = ranks.select(pl.col("rank") > pl.col("rank").n_unique().over(item)).to_series()
        rows.refuse(there & gap, "rank", "leaves a gap in the ranks of its question", "1, 2, 3, …")


def _complete_assessments(rows: Rows, options: Options) -> None:
    verdicts = {word: word for word in schemas.LABELS} | dict(options.labels)
    codes = {f"{code}.0": word for code, word in verdicts.items() if code.isdigit()} | verdicts
    label = rows.frame["label"]
    verdict = label.replace_strict(codes, default=None, return_dtype=pl.String)
    if verdict.has_nulls():
        rows.refuse(verdict.is_null(), "label", "is an unknown label", ", ".join(verdicts))
    positioned = pl.col("run").is_not_null()
    first = pl.lit(1, dtype=pl.Int64)
    rank = pl.col("rank") if "rank" in rows.source.frame.columns else first
    rows.frame = rows.frame.with_columns(rank=pl.when(positioned).then(rank)).select(
        "question",
        "run",
        "rank",
        "answer",
        pl.when(pl.col("assessor") != "adjudicated").then(pl.col("assessor")),
        verdict.fill_null("").alias("verdict"),
        "level",
        "class",
    )
    _validate(rows, schemas.Assessments)
    vague = rows.frame.select(
        (~positioned & pl.col("answer").is_null()) | (positioned & pl.col("rank").is_null())
    ).to_series()
    rows.refuse(vague, "answer", "does not say what is assessed", "an answer, or a run and a rank")
