"""The input tables, each declared once: its columns, what they hold, and what a file may say.

The tables of the database (`store`), the checks of every row (`schemas`), how text becomes values
(`rows`) and the page docs/input.md (`reference`) follow from this.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import polars as pl

from qampaign.verdicts import LABELS


@dataclass(frozen=True)
class Kind:
    """What the values of a column are: in words, in a frame, in the database."""

    allowed: str
    dtype: type[pl.DataType]
    sql: str


WHOLE = Kind("a whole number", pl.Int64, "BIGINT")
NUMBER = Kind("a number", pl.Float64, "DOUBLE")
FLAG = Kind("true or false", pl.Boolean, "BOOLEAN")
DATE = Kind("a date such as 2011-06-19", pl.Date, "DATE")
ID = Kind("an id", pl.String, "VARCHAR")
TEXT = Kind("text", pl.String, "VARCHAR")

ID_LENGTH = 10_000
NOT_IN_IDS = r"[\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}]"
"""Control characters, line separators, and what overrides the writing direction."""


def is_id(column: str) -> pl.Expr:
    """Whether the values of `column` can be ids of questions, runs or assessors.

    They are any text: none of them ever becomes a part of a path as it stands.

    >>> ids = pl.Series("run", ["q1", "=cmd()", "org/model", "..", "two words", "tab\\tinside"])
    >>> pl.select(ids).select(is_id("run")).to_series().to_list()
    [True, True, True, True, True, False]
    """
    long = pl.col(column).str.len_chars().is_between(1, ID_LENGTH)
    return long & ~pl.col(column).str.contains(NOT_IN_IDS)


def is_run_id(column: str) -> pl.Expr:
    """Whether the values of `column` can be ids of runs: tables have a row for `all` of them."""
    return is_id(column) & (pl.col(column) != "all")


@dataclass(frozen=True)
class Rule:
    """What a value must be besides of its kind: in words, and as a condition on a column."""

    allowed: str
    holds: Callable[[str], pl.Expr]


IS_ID = Rule(
    f"1 to {ID_LENGTH:,} characters, no control character or one that turns the writing direction",
    is_id,
)
IS_RUN_ID = Rule(f"{IS_ID.allowed}, and not all, which means all runs together", is_run_id)
FROM_0 = Rule("a whole number from 0", lambda column: pl.col(column) >= 0)
FROM_1 = Rule("a whole number from 1", lambda column: pl.col(column) >= 1)
FINITE = Rule("a finite number", lambda column: pl.col(column).is_finite())
PROBABILITY = Rule(
    "a number above 0, at most 1", lambda column: (pl.col(column) > 0) & (pl.col(column) <= 1)
)
AMOUNT = Rule(
    "a finite number from 0",
    lambda column: pl.col(column).is_finite() & (pl.col(column) >= 0),
)
ABOVE_0 = Rule(
    "a finite number above 0",
    lambda column: pl.col(column).is_finite() & (pl.col(column) > 0),
)
NOT_ALL = Rule(
    "any word but 'all', which means all types together",
    lambda column: pl.col(column) != "all",
)


@dataclass(frozen=True)
class InputColumn:
    """A column of an input table."""

    name: str
    kind: Kind
    description: str
    required: bool = False
    """Whether a file must have the column."""
    filled: bool = False
    """Whether each row has a value, once what follows from the rest is filled in."""
    rule: Rule | None = None
    coded: bool = False
    """Whether it holds one of a few words rather than free text."""
    stored_as: str = ""
    """The column's name in the database, if it is another."""
    also: tuple[str, ...] = ()
    """Other names that a file may have for it: see :mod:`qampaign.input.column_names`."""

    @property
    def stored_name(self) -> str:
        """The column's name in the database."""
        return self.stored_as or self.name

    @property
    def is_free_text(self) -> bool:
        """Whether anything may stand in it, commas and line ends too."""
        return self.kind is TEXT and not self.coded


@dataclass(frozen=True)
class InputTable:
    """A table that files of one kind fill."""

    config_key: str
    """The key of the config that names the files."""
    title: str
    row: str
    """What a row is."""
    columns: tuple[InputColumn, ...]
    shown_only: tuple[InputColumn, ...] = ()
    """Columns that a file may have for those who fill it in; they are not read."""
    collected: tuple[InputColumn, ...] = ()
    """Columns that the database has besides."""
    names_questions: bool = False
    """Whether its questions are those of a collection that gives no list of them."""

    @property
    def names(self) -> list[str]:
        """The columns that are read."""
        return [column.name for column in self.columns]

    @property
    def required(self) -> list[str]:
        """The columns without which a file cannot be read."""
        return [column.name for column in self.columns if column.required]

    @property
    def stored(self) -> tuple[InputColumn, ...]:
        """The columns of the rows in the database, in their order."""
        return (*self.columns, *self.collected)

    @property
    def sql(self) -> str:
        """The columns as DuckDB declares them."""
        return ", ".join(f'"{column.stored_name}" {column.kind.sql}' for column in self.stored)


QUESTION = InputColumn(
    "question",
    ID,
    "the question's id",
    required=True,
    filled=True,
    also=("id", "qid", "question_id"),
)
RUN_NAMES = ("model", "system")
PREDICTIONS = ("prediction", "response", "predicted_answer", "output")
"""What a system's answer is called beside the gold, whose column is then `answer`."""
LEVEL = InputColumn(
    "level",
    TEXT,
    "how good the answer is: a level that `gains` of a measure names (S, A, B unless given), or a "
    "number from 0 to 1, which is its own gain",
    coded=True,
)
CLASS = InputColumn("class", TEXT, "answers to a question that mean the same share one")
SAMPLE = InputColumn(
    "sample",
    ID,
    "which of several answers of the run to the question, where it was asked more than once",
    rule=IS_ID,
    also=("epoch",),
)

RESOURCES = (
    InputColumn("cost", NUMBER, "what it cost, in any currency", rule=AMOUNT),
    InputColumn("seconds", NUMBER, "how long it took", rule=AMOUNT),
    InputColumn("tokens", NUMBER, "how many tokens it took", rule=AMOUNT),
)
"""What files may say that an answer or a run took: summed by run, and shown against its value."""

QUESTIONS = InputTable(
    config_key="questions",
    title="Questions",
    row="a question of the collection",
    columns=(
        replace(QUESTION, description="its id, each once", rule=IS_ID),
        InputColumn(
            "type",
            TEXT,
            "factoid, definition, list, …: scores are also given for each type",
            rule=NOT_ALL,
            coded=True,
        ),
        InputColumn("text", TEXT, "what was asked; shown to assessors"),
        InputColumn(
            "language", TEXT, "for key judges: its language, where it is not the collection's"
        ),
        InputColumn("nil", FLAG, "true where the right answer is that there is none", filled=True),
        InputColumn(
            "known",
            WHOLE,
            "the number of distinct known answers; else counted from the assessments, key or "
            "patterns of the reference. A reference of another kind counts the texts that it calls "
            "right; judges by key or patterns then count their own",
            rule=FROM_0,
        ),
        InputColumn(
            "group",
            TEXT,
            "what belongs together, such as a passage; for validation: the question that the item "
            "answers",
        ),
        InputColumn("date", DATE, "for key judges: the day that relative dates start from"),
        InputColumn(
            "weight",
            NUMBER,
            "what it counts for, as in a stratified test set; on every question or on none",
            rule=ABOVE_0,
        ),
    ),
)

RESPONSES = InputTable(
    config_key="runs",
    title="Responses",
    row="an answer of a run to a question",
    columns=(
        # its rule is checked by file, not by row: a file without the column names its run
        InputColumn(
            "run",
            ID,
            "the run's id; without this column the name of the file (`icia091ro.csv`: icia091ro), "
            "or what `run:` in the config takes from its path",
            filled=True,
            also=RUN_NAMES,
        ),
        QUESTION,
        SAMPLE,
        InputColumn(
            "rank",
            WHOLE,
            "1, 2, 3, … within a sample; without this column a run has one row per question and "
            "sample, unless a measure looks beyond the first answer (`mrr`, `list_f`, …): then "
            "file order is the rank",
            filled=True,
            rule=FROM_1,
        ),
        InputColumn(
            "answer",
            TEXT,
            "empty where the system shows nothing; for validation yes or no; a list of answers has "
            "its ranks by its order",
            required=True,
            also=PREDICTIONS,
        ),
        InputColumn(
            "confidence",
            NUMBER,
            "from 0 to 1 for measures that take it for a probability",
            rule=FINITE,
        ),
        InputColumn(
            "score", NUMBER, "for validation: how strongly the system believes in yes", rule=FINITE
        ),
        InputColumn(
            "answered",
            FLAG,
            "false where the system *withheld* the answer; without this column true where the "
            "answer is not empty",
            filled=True,
        ),
        InputColumn("support", TEXT, "where the answer was found; kept, not used"),
        *(
            replace(column, description=f"{column.description}; summed over the rows of a run")
            for column in RESOURCES
        ),
    ),
)

ASSESSMENTS = InputTable(
    config_key="assessments",
    title="Assessments",
    row="a person's label for an answer",
    columns=(
        QUESTION,
        InputColumn(
            "run",
            ID,
            "with `rank`: the label is for this run's answer, and overrides one by answer; `run:` "
            "in the config takes it from the path of the file",
            also=RUN_NAMES,
        ),
        replace(SAMPLE, description="the sample of that answer, where the run has samples"),
        InputColumn("rank", WHOLE, "the rank of that answer; 1 without this column", rule=FROM_1),
        InputColumn(
            "answer", TEXT, "an answer string, labelled once for all runs", also=PREDICTIONS
        ),
        InputColumn(
            "assessor",
            ID,
            "who says so; empty, `adjudicated` or no such column: the final word",
            rule=IS_ID,
        ),
        InputColumn(
            "label",
            TEXT,
            f"a code of `labels:` in the config, or one of {', '.join(LABELS)}; true, yes or 1 is "
            "right, false, no or 0 wrong, unless `labels:` says otherwise",
            required=True,
            also=("grade", "correct"),
            filled=True,
            coded=True,
            stored_as="verdict",
        ),
        LEVEL,
        CLASS,
        InputColumn(
            "probability",
            NUMBER,
            "with which the answer was chosen to be labelled, in sheets that `pool` wrote: where "
            "labels correct another judge, each counts by its inverse",
            rule=PROBABILITY,
        ),
    ),
    shown_only=(
        InputColumn("text", TEXT, "what was asked, in sheets that we wrote"),
        InputColumn("votes", TEXT, "who said what, in sheets of ties"),
    ),
    names_questions=True,
)

TRIAL = InputColumn(
    "trial",
    ID,
    "which of several verdicts of the judge on the same answer this is, such as 1, 2, 3: the "
    "majority of them counts, and the table `self_agreement` says how often they agree",
    rule=IS_ID,
)

SCORES = InputTable(
    config_key="files",
    title="Scores of a judge",
    row="a number that a metric or grader gave an answer",
    columns=(
        QUESTION,
        *(column for column in ASSESSMENTS.columns if column.name in ("run", "sample", "rank")),
        InputColumn("answer", TEXT, "an answer string, scored once for all runs", also=PREDICTIONS),
        InputColumn("scorer", ID, "whose number it is, such as a metric", rule=IS_ID),
        InputColumn(
            "score",
            NUMBER,
            "the number, on the `scale` of the judge (0 to 1 unless given)",
            required=True,
            filled=True,
            rule=FINITE,
        ),
    ),
)

INPUT_TABLES = {
    "questions": QUESTIONS,
    "responses": RESPONSES,
    "runs": InputTable(
        config_key="run_info",
        title="Run information",
        row="a run",
        columns=(
            InputColumn(
                "run", ID, "its id", required=True, filled=True, rule=IS_RUN_ID, also=RUN_NAMES
            ),
            InputColumn("team", TEXT, "who submitted it"),
            InputColumn("category", TEXT, "what kind of system it is"),
            InputColumn("language", TEXT, "the language that it answers in"),
            *(
                replace(column, description=f"{column.description} in all, unless its rows say so")
                for column in RESOURCES
            ),
        ),
        collected=(InputColumn("more", TEXT, "any further columns, as JSON"),),
    ),
    "assessments": ASSESSMENTS,
    "keys": InputTable(
        config_key="keys",
        title="Keys",
        row="a set of accepted answers to a question",
        columns=(
            QUESTION,
            InputColumn(
                "key",
                TEXT,
                "the accepted answers, see below; a list has the forms of one answer",
                required=True,
                filled=True,
                also=("answer", "target"),
            ),
            LEVEL,
            CLASS,
            InputColumn(
                "literal",
                FLAG,
                "true if the key is one answer in plain text, whatever signs it has",
                filled=True,
            ),
        ),
        names_questions=True,
    ),
    "patterns": InputTable(
        config_key="patterns",
        title="Patterns",
        row="a pattern of right answers to a question",
        columns=(
            QUESTION,
            InputColumn(
                "pattern",
                TEXT,
                "a regular expression that right answers match somewhere",
                required=True,
                filled=True,
            ),
        ),
        names_questions=True,
    ),
    "verdicts": replace(
        ASSESSMENTS,
        config_key="files",
        title="Verdicts of a judge",
        row="a judge's label for an answer",
        columns=(*ASSESSMENTS.columns, TRIAL),
        shown_only=(),
        names_questions=False,
    ),
    "scores": SCORES,
}
"""Every table that is filled from files, by its name in the database."""

RESPONSE_KEY = ("run", "question", "sample", "rank")
"""The columns that identify a response; rows are read in their order."""

ALL_COLUMNS = [column for table in INPUT_TABLES.values() for column in table.columns]


def table_of(name: str) -> str:
    """The table that holds what a name such as verdicts/gpt stands for."""
    return name.partition("/")[0]
