"""Frames of text to typed rows, table by table, with every fault found on the way.

What can be told from one file alone is checked here; what takes several, in
:mod:`qampaign.input.checks`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from qampaign.input import schemas
from qampaign.input.columns import (
    COLUMNS,
    FLAG,
    REQUIRED,
    Part,
    Rows,
    note_columns,
    typed,
    validate,
)
from qampaign.input.formats import Fault, Source, Unreadable, named
from qampaign.input.store import table_of
from qampaign.judging import expressions
from qampaign.judging.key import grammar
from qampaign.judging.key.words import allowed_languages, is_language
from qampaign.problems import quote
from qampaign.spreadsheets import meant
from qampaign.values import FLAGS, OUTSIDE, allowed_confidence, as_number
from qampaign.verdicts import LABELS

BY_ORDER = "further answers to a question without a column rank: ranked as they stand in the file"
TWICE = "rows that stand there twice, alike"


@dataclass(frozen=True)
class Options:
    """What the config says about reading a collection's files."""

    labels: Mapping[str, str] = field(default_factory=dict)
    """Codes of the campaign, each with the verdict it stands for."""
    validation: bool = False
    """Whether items are validated: answers and labels are yes or no."""
    unit: Sequence[str] = ()
    """The measures that take confidences (scores, for validation) for probabilities."""
    ranked: bool = False
    """Whether a measure looks beyond the first answer: then the order of rows can be their rank."""
    levels: Sequence[str] = ()
    """The levels that measures have a gain for; none: any level."""
    verdicts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For each judge that brings its verdicts in files, its codes."""
    by_key: bool = False
    """Whether answers are judged by a key, which goes by the language of a question."""
    by_line: bool = False
    """Whether it matters in which line a response stands: for ties, or for what-if runs."""

    def of(self, table: str) -> str:
        """The options that decide what the rows of a table are, as text."""
        deciding: dict[str, list[Any]] = {
            "responses": [list(self.unit), self.validation, self.ranked, self.by_line],
            "keys": [list(self.levels)],
            "questions": [self.by_key],
        }
        if table_of(table) in ("assessments", "verdicts"):
            deciding[table] = [self.labels_of(table), list(self.levels), self.validation]
        return json.dumps(deciding.get(table, []), sort_keys=True)

    def labels_of(self, table: str) -> dict[str, str]:
        """The codes in the files of a table."""
        name, _, judge = table.partition("/")
        return dict(self.verdicts[judge] if name == "verdicts" else self.labels)


def check_columns(table: str, source: Source) -> None:
    """Raise :class:`Unreadable` where a column is missing without which nothing can be read."""
    columns, table = source.frame.columns, table_of(table)
    missing = [name for name in REQUIRED[table] if name not in columns]
    if missing:
        found = f"has no column {' and no column '.join(missing)}"
        allowed = f"{', '.join(COLUMNS[table])}; {named(columns)}"
        raise Unreadable(Fault(found, allowed, line=1), *source.faults)


def without_unfilled(table: str, source: Source) -> tuple[Source, int]:
    """A file of assessments less the rows that nobody has labelled yet, and their number."""
    if table != "assessments" or "label" not in source.frame.columns:
        return source, 0
    filled = source.frame["label"].str.strip_chars().replace("", None).is_not_null()
    if filled.all():
        return source, 0
    kept = replace(source, frame=source.frame.filter(filled), lines=source.lines.filter(filled))
    return kept, source.frame.height - kept.frame.height


def read(table: str, parts: Sequence[Part], options: Options) -> Rows:
    """Type the rows of files that have the same columns."""
    rows, labels = Rows(parts), {}
    if table_of(table) in ("assessments", "verdicts"):
        labels = options.labels_of(table)
    table = table_of(table)
    note_columns(table, rows)
    kinds = COLUMNS[table] | ({"answer": FLAG} if options.validation else {})
    rows.frame = pl.DataFrame({name: typed(rows, name, kinds[name]) for name in COLUMNS[table]})
    if table == "questions":
        _complete_questions(rows, options)
    elif table == "runs":
        _complete_runs(rows)
    elif table == "responses":
        _complete_responses(rows, options)
    elif table == "keys":
        _complete_keys(rows, options)
    elif table == "patterns":
        _complete_patterns(rows)
    else:
        _complete_assessments(rows, options, labels)
    rows.frame = rows.frame.with_columns(rows.lines())
    return rows


def _complete_questions(rows: Rows, options: Options) -> None:
    rows.frame = rows.frame.with_columns(pl.col("nil").fill_null(False))
    validate(rows, schemas.Questions)
    if options.by_key:
        given = rows.frame["language"]
        unknown = [code for code in given.unique().drop_nulls() if not is_language(code)]
        at_fault = given.is_in(unknown).fill_null(False)
        rows.refuse(at_fault, "language", "is no language", allowed_languages())
    _refuse_second(rows, "question", "each question once")
    for part in rows.parts:
        if part.is_empty:
            rows.refuse_file(part, "has no rows", "a question per row")


def _complete_runs(rows: Rows) -> None:
    """Keep columns that are not ours as JSON: they are shown, nothing computes with them."""
    further = [name for name in rows.given if name not in COLUMNS["runs"]]
    more: list[str | None] = [None] * rows.text.height
    if further:
        kept: list[dict[str, Any]] = rows.text.select(pl.col(further).str.strip_chars()).to_dicts()
        more = [json.dumps({k: v for k, v in row.items() if v}, ensure_ascii=False) for row in kept]
    rows.frame = rows.frame.with_columns(pl.Series("more", more, pl.String))
    validate(rows, schemas.Runs)
    _refuse_second(rows, "run", "each run once")


def _refuse_second(rows: Rows, column: str, allowed: str) -> None:
    """Refuse what stands in a file twice; what stands in two files is told by the checks."""
    there = rows.frame.select(column).with_columns(file=rows.by_file(range(len(rows.parts))))
    first = there.select(pl.struct(pl.all()).is_first_distinct()).to_series()
    rows.refuse(there[column].is_not_null() & ~first, column, "stands there twice", allowed)


def _complete_responses(rows: Rows, options: Options) -> None:
    for part in rows.parts:
        if part.is_empty:
            rows.refuse_file(part, "has no rows: the run is empty", "a response per row")
    if "run" in rows.given:
        ids = rows.frame.select(pl.col("run").unique())
        bad = ids.filter(~schemas.is_run("run"))["run"].implode()
        rows.refuse(rows.frame["run"].is_in(bad), "run", "is not allowed", schemas.RUN_ALLOWED)
    else:
        names = [part.run for part in rows.parts]
        rows.frame = rows.frame.with_columns(run=rows.by_file(names))
        for part, good in zip(rows.parts, _are_ids(names), strict=True):
            if not good:
                rows.refuse_file(part, f"names the run {quote(part.run)}", schemas.RUN_ALLOWED)
    by_order = "rank" not in rows.given
    if by_order:
        _rank_by_order(rows, options)
    if options.validation:
        yes_or_no = pl.when("answer").then(pl.lit("yes")).otherwise(pl.lit("no"))
        rows.frame = rows.frame.with_columns(
            answer=pl.when(pl.col("answer").is_not_null()).then(yes_or_no)
        )
    there = pl.col("answer").is_not_null()
    silent = rows.frame.select(pl.col("answered") & ~there).to_series().fill_null(False)
    rows.remark(silent, "answered", "empty answers that say answered: counted as unanswered")
    rows.frame = rows.frame.with_columns(answered=pl.col("answered").fill_null(True) & there)
    validate(rows, schemas.Responses)
    if options.unit:
        name = "score" if options.validation else "confidence"
        outside = ~rows.frame[name].is_between(0, 1) & rows.frame[name].is_finite()
        rows.refuse(outside, name, OUTSIDE, allowed_confidence(options.unit))
    if not by_order:
        _check_ranks(rows)


def _rank_by_order(rows: Rows, options: Options) -> None:
    """Number the rows of each run and question as they stand in the file.

    Several of them are answers in an order only where a measure asks for such: else nobody can say
    whether they are ranks, repetitions, or a row that stands there twice.
    """
    item = ["run", "question"]
    if rows.frame.select(item).hash_rows().is_unique().all():
        rows.frame = rows.frame.with_columns(rank=pl.lit(1, pl.Int64))
        return
    there = rows.frame.drop("rank").with_columns(file=rows.by_file(range(len(rows.parts))))
    order = there.select(pl.col("question").cum_count().over(*item, "file").cast(pl.Int64))
    rows.frame = rows.frame.with_columns(order.to_series().alias("rank"))
    further = rows.frame["rank"] > 1
    if options.ranked:
        rows.remark(further, "rank", BY_ORDER)
        first = there.select(pl.struct(pl.all()).is_first_distinct()).to_series()
        rows.remark(further & ~first, "", TWICE)
    else:
        found = "is there a second time for its run, without a rank"
        rows.refuse(further, "question", found, "a row for each run and question, or a column rank")


def _are_ids(names: Sequence[str]) -> list[bool]:
    good = pl.DataFrame({"run": names}).select(schemas.is_run("run") & (pl.col("run") != ""))
    return good.to_series().to_list()


def _check_ranks(rows: Rows) -> None:
    """Refuse two responses at one rank, and ranks that do not count 1, 2, 3.

    Most files hold each list as a piece, in order, which is quickly told; only where some list is
    not so is every row looked at.
    """
    item = ["run", "question"]
    ranks = rows.frame.select(*item, "rank")
    same_list = pl.all_horizontal(pl.col(item) == pl.col(item).shift())
    first = pl.col("rank") == 1
    counts = first | (same_list & (pl.col("rank") == pl.col("rank").shift() + 1))
    if ranks.select(counts.fill_null(False).all()).item():
        lists = ranks.filter(first).select(item)
        if lists.hash_rows().n_unique() == lists.height:
            return
    there = ranks.select(pl.all_horizontal(pl.all().is_not_null())).to_series()
    twice = there & ~ranks.select(pl.struct(pl.all()).is_first_distinct()).to_series()
    rows.refuse(twice, "rank", "is there twice for its run and question", "each rank once")
    if any(part.source.faults for part in rows.parts):
        return  # a gap may be where a line could not be read
    gap = ranks.select(pl.col("rank") > pl.col("rank").n_unique().over(item)).to_series()
    rows.refuse(there & gap, "rank", "leaves a gap in the ranks of its question", "1, 2, 3, …")


def _complete_keys(rows: Rows, options: Options) -> None:
    """Parse every key: where one cannot be read, the message points at the character."""
    validate(rows, schemas.Keys)
    _refuse_unknown_levels(rows, options)
    for number, text in enumerate(rows.frame["key"]):
        try:
            grammar.parse(text or "-")  # that it is empty is told already
        except grammar.Mistake as mistake:
            at = f"cannot be read at character {mistake.position}: {mistake.problem}"
            rows.refuse(_only(rows, number), "key", at, mistake.allowed)


def _complete_patterns(rows: Rows) -> None:
    validate(rows, schemas.Patterns)
    patterns = rows.frame.select("question", "pattern").iter_rows()
    for number, (question, text) in enumerate(patterns):
        fault = expressions.fault(text or "")
        if fault:
            told = f"of question {question} cannot be used: {fault}"
            rows.refuse(_only(rows, number), "pattern", told, expressions.ALLOWED)


def _only(rows: Rows, number: int) -> pl.Series:
    """Which row has a number."""
    return pl.int_range(rows.frame.height, eager=True) == number


def _refuse_unknown_levels(rows: Rows, options: Options) -> None:
    """Refuse levels that are neither in the gains of a measure nor a gain by themselves."""
    if options.levels:
        level = rows.frame["level"]
        number = level.cast(pl.Float64, strict=False)
        listed = [float(each) for each in options.levels if as_number(each) is not None]
        known = level.is_in(options.levels) | number.is_between(0, 1) | number.is_in(listed)
        allowed = f"{', '.join(options.levels)}: the levels that a measure has a gain for; or a"
        allowed += " number from 0 to 1, its own gain"
        unknown = level.is_not_null() & ~known.fill_null(False)
        rows.refuse(unknown, "level", "is an unknown level", allowed)


def _complete_assessments(rows: Rows, options: Options, labels: Mapping[str, str]) -> None:
    verdicts = {word: word for word in LABELS} | dict(labels)
    if options.validation:
        verdicts = {word: "right" if yes else "wrong" for word, yes in FLAGS.items()} | verdicts
    codes = {f"{code}.0": word for code, word in verdicts.items() if code.isdigit()} | verdicts
    label = rows.frame["label"]
    verdict = label.replace_strict(codes, default=None, return_dtype=pl.String)
    if verdict.has_nulls():
        rows.refuse(verdict.is_null(), "label", "is an unknown label", ", ".join(verdicts))
    _refuse_unknown_levels(rows, options)
    if "text" in rows.given:  # a sheet of the pool that comes back
        rows.frame = rows.frame.with_columns(meant(pl.col("answer")))
    positioned = pl.col("run").is_not_null()
    first = pl.lit(1, dtype=pl.Int64)
    rank = pl.col("rank") if "rank" in rows.given else first
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
    validate(rows, schemas.Assessments)
    if options.validation:
        return  # the question is the item
    vague = rows.frame.select(
        (~positioned & pl.col("answer").is_null()) | (positioned & pl.col("rank").is_null())
    ).to_series()
    rows.refuse(vague, "answer", "does not say what is assessed", "an answer, or a run and a rank")
