"""What a valid row is, table by table: the pandera models that every row passes at the border.

The text behind `error=` is what a message shows as allowed.
"""

import datetime

import pandera.polars as pa
import polars as pl

ID_LENGTH = 200
ID = (
    r"^[^\p{Cc}\p{Zl}\p{Zp}\x{202A}-\x{202E}\x{2066}-\x{2069}/\\]{1," + str(ID_LENGTH) + "}$"
    # no control characters, no line separators, no overriding of the writing direction, no path
)
ID_ALLOWED = f"1 to {ID_LENGTH} characters, no slash, backslash or control character, not . or .."


def is_id(column: str) -> pl.Expr:
    """Whether the values of `column` can be ids of questions, runs or assessors.

    >>> ids = pl.Series("run", ["q1", "=cmd()", "../../x", "..", "two words", "tab\\tinside"])
    >>> pl.select(ids).select(is_id("run")).to_series().to_list()
    [True, True, False, False, True, False]
    """
    return pl.col(column).str.contains(ID) & ~pl.col(column).is_in([".", ".."])


RUN_ALLOWED = f"{ID_ALLOWED}, nor all, which stands for all runs together"


def is_run(column: str) -> pl.Expr:
    """Whether the values of `column` can be ids of runs: tables have a row for `all` of them."""
    return is_id(column) & (pl.col(column) != "all")


class Questions(pa.DataFrameModel):
    """A question of a collection."""

    question: str
    type: str = pa.Field(nullable=True)
    text: str = pa.Field(nullable=True)
    language: str = pa.Field(nullable=True)
    nil: bool
    known: int = pa.Field(nullable=True)
    group: str = pa.Field(nullable=True)
    date: datetime.date = pa.Field(nullable=True)

    @pa.check("question", error=ID_ALLOWED)
    def _question_is_id(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(is_id(data.key))

    @pa.check("type", error="any word but 'all', which stands for all types together")
    def _type_is_not_reserved(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(pl.col(data.key) != "all")

    @pa.check("known", error="a whole number from 0")
    def _known_counts(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(pl.col(data.key) >= 0)


class Runs(pa.DataFrameModel):
    """What is told about a run."""

    run: str
    team: str = pa.Field(nullable=True)
    category: str = pa.Field(nullable=True)
    language: str = pa.Field(nullable=True)
    more: str = pa.Field(nullable=True)

    @pa.check("run", error=RUN_ALLOWED)
    def _run_is_id(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(is_run(data.key))


class Responses(pa.DataFrameModel):
    """An answer of a run to a question at a rank."""

    run: str
    question: str
    rank: int
    answer: str = pa.Field(nullable=True)
    confidence: float = pa.Field(nullable=True)
    score: float = pa.Field(nullable=True)
    answered: bool
    support: str = pa.Field(nullable=True)

    @pa.check("rank", error="a whole number from 1")
    def _rank_counts(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(pl.col(data.key) >= 1)

    @pa.check("confidence", "score", error="a finite number")
    def _number_is_finite(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(pl.col(data.key).is_finite())


class Keys(pa.DataFrameModel):
    """The accepted answers of a question."""

    question: str
    key: str
    level: str = pa.Field(nullable=True)
    class_: str = pa.Field(nullable=True, alias="class")


class Patterns(pa.DataFrameModel):
    """A regular expression that right answers to a question match."""

    question: str
    pattern: str


class Assessments(pa.DataFrameModel):
    """A person's label for an answer string, or for the answer of a run at a rank."""

    question: str
    run: str = pa.Field(nullable=True)
    rank: int = pa.Field(nullable=True)
    answer: str = pa.Field(nullable=True)
    assessor: str = pa.Field(nullable=True)
    verdict: str
    level: str = pa.Field(nullable=True)
    # `class` is a word of Python's own: the model takes the name from the alias
    class_: str = pa.Field(nullable=True, alias="class")

    @pa.check("rank", error="a whole number from 1")
    def _rank_counts(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(pl.col(data.key) >= 1)

    @pa.check("assessor", error=ID_ALLOWED)
    def _assessor_is_id(cls, data: pa.PolarsData) -> pl.LazyFrame:
        return data.lazyframe.select(is_id(data.key))
