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

ID_LENGTH = 200
ID_PATTERN = (
    r"^[^\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}/\\]{1," + str(ID_LENGTH) + "}$"
    # no control characters, no line separators, no overriding of the writing direction, no path
)


def is_id(column: str) -> pl.Expr:
    """Whether the values of `column` can be ids of questions, runs or assessors.

    >>> ids = pl.Series("run", ["q1", "=cmd()", "../../x", "..", "two words", "tab\\tinside"])
    >>> pl.select(ids).select(is_id("run")).to_series().to_list()
    [True, True, False, False, True, False]
    """
    return pl.col(column).str.contains(ID_PATTERN) & ~pl.col(column).is_in([".", ".."])


def is_run_id(column: str) -> pl.Expr:
    """Whether the values of `column` can be ids of runs: tables have a row for `all` of them."""
    return is_id(column) & (pl.col(column) != "all")


@dataclass(frozen=True)
class Rule:
    """What a value must be besides of its kind: in words, and as a condition on a column."""

    allowed: str
    holds: Callable[[str], pl.Expr]


IS_ID = Rule(
    f"1 to {ID_LENGTH} characters, no slash, backslash or control character, not . or ..", is_id
)
IS_RUN_ID = Rule(f"{IS_ID.allowed}, nor all, which stands for all runs together", is_run_id)
FROM_0 = Rule("a whole number from 0", lambda column: pl.col(column) >= 0)
FROM_1 = Rule("a whole number from 1", lambda column: pl.col(column) >= 1)
FINITE = Rule("a finite number", lambda column: pl.col(column).is_finite())
NOT_ALL = Rule(
    "any word but 'all', which stands for all types together",
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


QUESTION = InputColumn("question", ID, "the question's id", required=True, filled=True)
LEVEL = InputColumn(
    "level",
    TEXT,
    "how good the answer is: a level that `gains` of a measure names (S, A, B unless given), or a "
    "number from 0 to 1, which is its own gain",
    coded=True,
)
CLASS = InputColumn("class", TEXT, "answers to a question that mean the same share one")

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
            "the number of distinct known answers; else counted from the assessments or the key",
            rule=FROM_0,
        ),
        InputColumn(
            "group",
            TEXT,
            "what belongs together, such as a passage; for validation: the question that the item "
            "answers",
        ),
        InputColumn("date", DATE, "for key judges: the day that relative dates start from"),
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
            "the run's id; without this column the name of the file (`icia091ro.csv`: icia091ro)",
            filled=True,
        ),
        QUESTION,
        InputColumn(
            "rank",
            WHOLE,
            "1, 2, 3, …; without this column a run has one row per question, unless a measure "
            "looks beyond the first answer (`mrr`, `list_f`, …): then file order is the rank",
            filled=True,
            rule=FROM_1,
        ),
        InputColumn(
            "answer",
            TEXT,
            "empty where the system shows nothing; for validation yes or no",
            required=True,
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
            "with `rank`: the label is for this run's answer, and overrides one by answer",
        ),
        InputColumn("rank", WHOLE, "the rank of that answer; 1 without this column", rule=FROM_1),
        InputColumn("answer", TEXT, "an answer string, labelled once for all runs"),
        InputColumn(
            "assessor",
            ID,
            "who says so; empty, `adjudicated` or no such column: the final word",
            rule=IS_ID,
        ),
        InputColumn(
            "label",
            TEXT,
            f"a code of `labels:` in the config, or one of {', '.join(LABELS)}; for validation "
            "also yes or no",
            required=True,
            filled=True,
            coded=True,
            stored_as="verdict",
        ),
        LEVEL,
        CLASS,
    ),
    shown_only=(InputColumn("text", TEXT, "what was asked, in sheets that `pool` wrote"),),
    names_questions=True,
)

INPUT_TABLES = {
    "questions": QUESTIONS,
    "responses": RESPONSES,
    "runs": InputTable(
        config_key="run_info",
        title="Run information",
        row="a run",
        columns=(
            InputColumn("run", ID, "its id", required=True, filled=True, rule=IS_RUN_ID),
            InputColumn("team", TEXT, "who submitted it"),
            InputColumn("category", TEXT, "what kind of system it is"),
            InputColumn("language", TEXT, "the language that it answers in"),
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
            InputColumn("key", TEXT, "the accepted answers, see below", required=True, filled=True),
            LEVEL,
            CLASS,
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
        shown_only=(),
        names_questions=False,
    ),
}
"""Every table that is filled from files, by its name in the database."""

RESPONSE_KEY = ("run", "question", "rank")
"""The columns that identify a response; rows are read in their order."""

ALL_COLUMNS = [column for table in INPUT_TABLES.values() for column in table.columns]


def table_of(name: str) -> str:
    """The table that holds what a name such as verdicts/gpt stands for."""
    return name.partition("/")[0]
