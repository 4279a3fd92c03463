"""Frames of text to typed rows, table by table, with every fault found on the way.

What one file alone can show is checked here; what takes several, in
:mod:`qampaign.input.checks`.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.input.collection_files import CollectionFiles
from qampaign.input.formats import Fault, Source, Unreadable, found_columns
from qampaign.input.input_tables import FLAG, INPUT_TABLES, IS_RUN_ID, RESOURCES, table_of
from qampaign.input.logs.tables import LOG_TABLES
from qampaign.input.rows import FileRows, Rows, note_columns, typed
from qampaign.input.schemas import SCHEMAS, validate
from qampaign.judging import expressions
from qampaign.judging.key import grammar
from qampaign.judging.key.words import allowed_languages, is_language
from qampaign.problems import quote, short_id
from qampaign.spreadsheets import unescape_formulas
from qampaign.values import FLAGS, OUTSIDE, PLAIN_FLAGS, allowed_confidence, as_number
from qampaign.verdicts import LABELS

BY_ORDER = "further answers to a question, without a column rank: ranked in the order of the file"
DUPLICATES = "duplicate rows"
SIGNS = "keys with a form of signs alone: compared as it is"
UNUSED_LEVELS = "levels of keys (@…) that no measure uses"
AS_IT_STANDS = "literal: true reads keys as plain text"


def check_columns(table: str, source: Source) -> None:
    """Raise :class:`Unreadable` where a column is missing without which nothing can be read."""
    columns, declared = source.frame.columns, INPUT_TABLES[table_of(table)]
    missing = [name for name in declared.required if name not in columns]
    if missing:
        problem = f"has no column {' and no column '.join(missing)}"
        allowed = f"{', '.join(declared.names)}; {found_columns(columns)}"
        raise Unreadable(Fault(problem, allowed, line=1), *source.faults)


def without_unfilled(table: str, source: Source) -> tuple[Source, int]:
    """A file of assessments less the rows that nobody has labelled yet, and their number."""
    columns = source.frame.columns
    is_sheet = table == "assessments" or "votes" in columns
    if not is_sheet or "label" not in columns:
        return source, 0
    filled = source.frame["label"].str.strip_chars().replace("", None).is_not_null()
    if filled.all():
        return source, 0
    kept = replace(source, frame=source.frame.filter(filled), lines=source.lines.filter(filled))
    return kept, source.frame.height - kept.frame.height


def read(table: str, files: Sequence[FileRows], options: CollectionFiles) -> Rows:
    """Type the rows of files that have the same columns."""
    rows, name = Rows(files), table_of(table)
    for number, file in enumerate(files):
        rows.remarks += [(number, *noticed) for noticed in file.remarks]
    if name in LOG_TABLES:
        columns = LOG_TABLES[name].columns
        rows.frame = pl.DataFrame([typed(rows, column.name, column.kind) for column in columns])
        rows.frame = rows.frame.with_columns(rows.lines())
        return rows
    note_columns(name, rows)
    kinds = {column.name: column.kind for column in INPUT_TABLES[name].columns}
    if options.validation and "answer" in kinds:
        kinds["answer"] = FLAG
    rows.frame = pl.DataFrame({column: typed(rows, column, kinds[column]) for column in kinds})
    if name == "questions":
        _complete_questions(rows, options)
    elif name == "runs":
        _complete_runs(rows)
    elif name == "responses":
        _complete_responses(rows, options)
    elif name == "keys":
        _complete_keys(rows, options)
    elif name == "patterns":
        _complete_patterns(rows)
    elif name == "scores":
        _complete_scores(rows, options, table)
    else:
        _complete_assessments(rows, options, table)
    rows.frame = rows.frame.with_columns(rows.lines())
    return rows


def _complete_questions(rows: Rows, options: CollectionFiles) -> None:
    rows.frame = rows.frame.with_columns(pl.col("nil").fill_null(False))
    validate(rows, SCHEMAS["questions"])
    if options.by_key:
        languages = rows.frame["language"]
        unknown = [code for code in languages.unique().drop_nulls() if not is_language(code)]
        at_fault = languages.is_in(unknown).fill_null(False)
        rows.refuse(at_fault, "language", "is not a language", allowed_languages())
    _refuse_second(rows, "question", "each question once")
    for file in rows.files:
        if file.is_empty:
            rows.refuse_file(file, "has no rows", "a question per row")


def _complete_runs(rows: Rows) -> None:
    """Keep columns that are not ours as JSON: they are shown, nothing computes with them."""
    further = [name for name in rows.given if name not in INPUT_TABLES["runs"].names]
    more: list[str | None] = [None] * rows.text.height
    if further:
        kept: list[dict[str, str | None]] = rows.text.select(
            pl.col(further).str.strip_chars()
        ).to_dicts()
        more = [json.dumps({k: v for k, v in row.items() if v}, ensure_ascii=False) for row in kept]
    rows.frame = rows.frame.with_columns(pl.Series("more", more, pl.String))
    validate(rows, SCHEMAS["runs"])
    _refuse_second(rows, "run", "each run once")


def _refuse_second(rows: Rows, column: str, allowed: str) -> None:
    """Refuse what a file has twice; what two files have is found by the checks."""
    values = rows.frame.select(column).with_columns(file=rows.by_file(range(len(rows.files))))
    first = values.select(pl.struct(pl.all()).is_first_distinct()).to_series()
    rows.refuse(values[column].is_not_null() & ~first, column, "occurs twice", allowed)


def _complete_responses(rows: Rows, options: CollectionFiles) -> None:
    for file in rows.files:
        if file.is_empty:
            rows.refuse_file(file, "has no rows: the run is empty", "a response per row")
    if "run" in rows.given:
        ids = rows.frame.select(pl.col("run").unique())
        bad = ids.filter(~IS_RUN_ID.holds("run"))["run"].implode()
        rows.refuse(rows.frame["run"].is_in(bad), "run", "is not allowed", IS_RUN_ID.allowed)
    else:
        names = [file.run for file in rows.files]
        rows.frame = rows.frame.with_columns(run=rows.by_file(names))
        for file, good in zip(rows.files, _are_run_ids(names), strict=True):
            if not good:
                problem = f"would give its run the name {quote(file.run)}"
                rows.refuse_file(file, problem, IS_RUN_ID.allowed)
    if "sample" in rows.given:
        _complete_samples(rows)
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
    rows.remark(silent, "answered", "empty answers marked as answered: counted as unanswered")
    rows.frame = rows.frame.with_columns(answered=pl.col("answered").fill_null(True) & there)
    validate(rows, SCHEMAS["responses"])
    for column in RESOURCES:
        amount = rows.frame[column.name]
        if column.name in rows.given and amount.is_not_null().any():
            rows.remark(amount.is_null(), column.name, f"rows without {column.name}: counted as 0")
    if options.probabilities:
        name = "score" if options.validation else "confidence"
        outside = ~rows.frame[name].is_between(0, 1) & rows.frame[name].is_finite()
        rows.refuse(outside, name, OUTSIDE, allowed_confidence(options.probabilities))
    if not by_order:
        _check_ranks(rows)


def _complete_samples(rows: Rows) -> None:
    """Spell numbers of samples alike, and refuse a run that names samples in some rows only."""
    _spell_samples(rows)
    some = rows.frame.select(pl.col("sample").is_not_null().any().over("run")).to_series()
    empty = some & rows.frame["sample"].is_null()
    problem = "is empty, though the run has samples"
    rows.refuse(empty, "sample", problem, "a sample in every row of a run, or in none")


def _spell_samples(rows: Rows) -> None:
    whole = pl.col("sample").str.replace(r"^(-?\d+)\.0+$", "$1")  # pandas writes 1.0 for 1
    rows.frame = rows.frame.with_columns(whole)


def _items(rows: Rows) -> list[str]:
    """What the rows of a list of answers have in common."""
    return ["run", "question", *(["sample"] if "sample" in rows.given else [])]


def _rank_by_order(rows: Rows, options: CollectionFiles) -> None:
    """Number the rows of each run, question and sample as they stand in the file.

    Several of them are answers in an order only where a measure asks for such: else nobody can say
    whether they are ranks, repetitions, or duplicates.
    """
    item = _items(rows)
    if rows.frame.select(item).hash_rows().is_unique().all():
        rows.frame = rows.frame.with_columns(rank=pl.lit(1, pl.Int64))
        return
    there = rows.frame.drop("rank").with_columns(file=rows.by_file(range(len(rows.files))))
    order = there.select(pl.col("question").cum_count().over(*item, "file").cast(pl.Int64))
    rows.frame = rows.frame.with_columns(order.to_series().alias("rank"))
    further = rows.frame["rank"] > 1
    if options.ranked:
        rows.remark(further, "rank", BY_ORDER)
        first = there.select(pl.struct(pl.all()).is_first_distinct()).to_series()
        rows.remark(further & ~first, "", DUPLICATES)
    else:
        problem = "occurs again in its run, without a rank or a sample"
        allowed = "one row for each run and question, or a column rank or sample"
        if "sample" in rows.given:
            problem = "occurs again in its run and sample, without a rank"
            allowed = "one row for each run, question and sample, or a column rank"
        rows.refuse(further, "question", problem, allowed)


def _are_run_ids(names: Sequence[str]) -> list[bool]:
    good = pl.DataFrame({"run": names}).select(IS_RUN_ID.holds("run"))
    return good.to_series().to_list()


def _check_ranks(rows: Rows) -> None:
    """Refuse two responses at one rank, and ranks that do not count 1, 2, 3.

    Most files hold each list in one piece, in order, which is quick to see; only where some list is
    not so is every row looked at.
    """
    item = _items(rows)
    ranks = rows.frame.select(*item, "rank")
    same_list = pl.all_horizontal(pl.col(item[:2]) == pl.col(item[:2]).shift())
    if "sample" in item:
        same_list &= pl.col("sample").eq_missing(pl.col("sample").shift())
    first = pl.col("rank") == 1
    counts = first | (same_list & (pl.col("rank") == pl.col("rank").shift() + 1))
    if ranks.select(counts.fill_null(False).all()).item():
        lists = ranks.filter(first).select(item)
        if lists.hash_rows().n_unique() == lists.height:
            return
    there = ranks.select(pl.all_horizontal(pl.exclude("sample").is_not_null())).to_series()
    twice = there & ~ranks.select(pl.struct(pl.all()).is_first_distinct()).to_series()
    of_what = "run, question and sample" if "sample" in item else "run and question"
    rows.refuse(twice, "rank", f"occurs twice for its {of_what}", "each rank once")
    if any(file.source.faults for file in rows.files):
        return  # a gap may be where a line could not be read
    gap = ranks.select(pl.col("rank") > pl.col("rank").n_unique().over(item)).to_series()
    rows.refuse(there & gap, "rank", "leaves a gap in the ranks of its question", "1, 2, 3, …")


def _complete_keys(rows: Rows, options: CollectionFiles) -> None:
    """Parse every key: where one cannot be read, the message points at the character."""
    literal = options.options_of("keys").literal
    rows.frame = rows.frame.with_columns(pl.col("literal").fill_null(literal))
    validate(rows, SCHEMAS["keys"])
    _refuse_unknown_levels(rows, options)
    signs = np.zeros(rows.frame.height, np.bool_)
    levels: dict[int, list[str]] = {}
    for number, (text, literal) in enumerate(rows.frame.select("key", "literal").iter_rows()):
        if literal:
            continue
        try:
            # that it is empty is noted already
            key = grammar.parse(text or "x")
            signs[number] = key.has_signs
            levels[number] = key.levels
        except grammar.Mistake as mistake:
            problem = f"cannot be read at character {mistake.position}: {mistake.problem}"
            rows.refuse(_only(rows, number), "key", problem, f"{mistake.allowed}; {AS_IT_STANDS}")
    rows.remark(pl.Series(signs), "key", SIGNS)
    if not options.levels:
        graded = [bool(levels.get(number)) for number in range(rows.frame.height)]
        rows.remark(pl.Series(graded, dtype=pl.Boolean), "key", UNUSED_LEVELS)
    for number, key_levels in levels.items():
        unknown = (
            [] if not key_levels else _unknown_levels(pl.Series(key_levels), options).to_list()
        )
        for level in (
            name for name, is_unknown in zip(key_levels, unknown, strict=True) if is_unknown
        ):
            allowed = f"{_allowed_levels(options)}; \\@ for the sign itself"
            rows.refuse(_only(rows, number), "key", f"has an unknown level @{level}", allowed)


def _complete_patterns(rows: Rows) -> None:
    validate(rows, SCHEMAS["patterns"])
    patterns = rows.frame.select("question", "pattern").iter_rows()
    for number, (question, text) in enumerate(patterns):
        fault = expressions.fault(text or "")
        if fault:
            problem = f"of question {short_id(question or '')} cannot be used: {fault}"
            rows.refuse(_only(rows, number), "pattern", problem, expressions.ALLOWED)


def _only(rows: Rows, number: int) -> pl.Series:
    """Which row has a number."""
    return pl.int_range(rows.frame.height, eager=True) == number


def _refuse_unknown_levels(rows: Rows, options: CollectionFiles) -> None:
    """Refuse levels that are neither in the gains of a measure nor a gain by themselves."""
    unknown = _unknown_levels(rows.frame["level"], options)
    rows.refuse(unknown, "level", "is an unknown level", _allowed_levels(options))


def _unknown_levels(level: pl.Series, options: CollectionFiles) -> pl.Series:
    """Which levels no measure can use, where one uses levels."""
    if not options.levels:
        return level.is_null() & level.is_not_null()
    gain = level.cast(pl.Float64, strict=False)
    listed = [number for name in options.levels if (number := as_number(name)) is not None]
    known = level.is_in(options.levels) | gain.is_between(0, 1) | gain.is_in(listed)
    return level.is_not_null() & ~known.fill_null(False)


def _allowed_levels(options: CollectionFiles) -> str:
    listed = ", ".join(options.levels)
    return (
        f"{listed}: the levels that a measure has a gain for; or a number from 0 to 1, its own gain"
    )


def _complete_scores(rows: Rows, options: CollectionFiles, table: str) -> None:
    """Refuse numbers outside the scale of the judge, and those of nothing."""
    if "sample" in rows.given:
        _spell_samples(rows)
    positioned = pl.col("run").is_not_null()
    rank = pl.col("rank") if "rank" in rows.given else pl.lit(1, dtype=pl.Int64)
    rows.frame = rows.frame.with_columns(rank=pl.when(positioned).then(rank))
    validate(rows, SCHEMAS["scores"])
    low, high = options.scale_of(table)
    outside = ~rows.frame["score"].is_between(low, high) & rows.frame["score"].is_finite()
    allowed = (
        f"a number from {low:g} to {high:g}, or another scale of the judge: scale: [low, high]"
    )
    rows.refuse(outside, "score", "is outside the scale", allowed)
    vague = rows.frame.select(
        (~positioned & pl.col("answer").is_null()) | (positioned & pl.col("rank").is_null())
    ).to_series()
    rows.refuse(vague, "answer", "does not say what is scored", "an answer, or a run and a rank")


def _cases(word: str) -> tuple[str, ...]:
    """A word as files may have it: true, True, TRUE."""
    return word, word.capitalize(), word.upper()


def _complete_assessments(rows: Rows, options: CollectionFiles, table: str) -> None:
    labels = {word: word for word in LABELS} | options.labels_of(table)
    flags = FLAGS if options.validation else PLAIN_FLAGS
    verdicts = {word: "right" if yes else "wrong" for word, yes in flags.items()} | labels
    codes = {f"{code}.0": word for code, word in verdicts.items() if code.isdigit()} | verdicts
    codes = {cased: codes[word] for word in flags for cased in _cases(word)} | codes
    label = rows.frame["label"]
    verdict = label.replace_strict(codes, default=None, return_dtype=pl.String)
    if verdict.has_nulls():
        allowed = ", ".join([*labels, *(word for word in flags if word not in labels)])
        rows.refuse(verdict.is_null(), "label", "is an unknown label", allowed)
    _refuse_unknown_levels(rows, options)
    if "sample" in rows.given:
        _spell_samples(rows)
        nowhere = rows.frame["sample"].is_not_null() & rows.frame["run"].is_null()
        rows.remark(nowhere, "sample", "samples without a run: not used")
    if "text" in rows.given:  # a sheet that comes back
        names = ("question", "run", "sample", "answer")
        escaped = [name for name in names if rows.frame.schema[name] == pl.String]
        rows.frame = rows.frame.with_columns(unescape_formulas(pl.col(escaped)))
    positioned = pl.col("run").is_not_null()
    first = pl.lit(1, dtype=pl.Int64)
    rank = pl.col("rank") if "rank" in rows.given else first
    rows.frame = rows.frame.with_columns(
        verdict.fill_null("").alias("verdict"),
        rank=pl.when(positioned).then(rank),
        sample=pl.when(positioned).then("sample"),
        assessor=pl.when(pl.col("assessor") != "adjudicated").then("assessor"),
    ).select(column.stored_name for column in INPUT_TABLES[table_of(table)].stored)
    validate(rows, SCHEMAS[table_of(table)])
    if options.validation:
        return  # the question is the item
    vague = rows.frame.select(
        (~positioned & pl.col("answer").is_null()) | (positioned & pl.col("rank").is_null())
    ).to_series()
    rows.refuse(vague, "answer", "does not say what is assessed", "an answer, or a run and a rank")
