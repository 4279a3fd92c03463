"""What the rows of a collection show, once they are read: what there is to measure, and by whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

from qampaign.input.reading import BY_ORDER
from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.judging.refusals import DEFAULTS, is_refusal
from qampaign.values import FLAGS

TEXTS = 2_000
"""How many texts are looked at for their language."""

PLENTY = 0.15
"""Which share of the words of a text must be common words of a language for it to be that."""

SOME = 0.01
"""From which share of unanswered rows on runs are said to abstain."""

FEW = 0.1
"""Up to which share lists of answers are odd ones among single answers."""

MANY = 0.1
"""From which share of questions without a row on a run is said to lack many."""

COUNTED = {
    "confidence": ("responses",),
    "score": ("responses",),
    "sample": ("responses",),
    "level": ("assessments", "keys", "logged"),
    "group": ("questions",),
    "type": ("questions",),
}
"""Columns that measures need, each with the tables that may have it."""


@dataclass(frozen=True)
class Scorer:
    """What a scorer of logs said."""

    name: str
    said: int
    verdicts: int
    """How many of these are verdicts, and not numbers alone."""
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Remark:
    """What was noticed when files were read."""

    column: str
    text: str
    count: int

    def __str__(self) -> str:
        where = f"column {self.column}: " if self.column else ""
        return f"{where}{self.text} ({self.count:,})"


@dataclass
class Facts:
    """What the rows of a collection show."""

    runs: list[str] = field(default_factory=list)
    questions: int = 0
    responses: int = 0
    unanswered: int = 0
    """Rows without an answer, or with one that is withheld."""
    missing: int = 0
    """Questions without a row, added up over runs."""
    ranks: int = 1
    listed: float = 0.0
    """The share of what runs were asked that they give several ranks for."""
    samples: int = 1
    """The fewest samples of an answered question, of the runs that have several for each."""
    sampled: int = 0
    """How many runs have several samples for each question that they answer."""
    gaps: Mapping[str, float] = field(default_factory=dict)
    """Runs that have no row for many questions, with the share of these; the largest first."""
    nil: int = 0
    columns: set[str] = field(default_factory=set)
    """Those of the columns that measures need in which something stands."""
    confidence: tuple[float, float] | None = None
    """The lowest and the highest; for validation that of scores."""
    levels: list[str] = field(default_factory=list)
    tables: Mapping[str, int] = field(default_factory=dict)
    """How many rows there are that judges can judge by, by table."""
    several_right: bool = False
    """Whether some question may have several right answers."""
    by_item: bool = False
    """Whether labels are for questions alone, not for answers: items are validated."""
    assessors: int = 0
    scorers: Sequence[Scorer] = ()
    refusals: int = 0
    language: str = "en"
    short: bool = True
    """Whether answers are about as short as the keys."""
    groups: int = 0
    remarks: Sequence[Remark] = ()

    @property
    def is_ranked(self) -> bool:
        """Whether answers are ranked, and not only a few lists among many single answers."""
        by_order = any(remark.text == BY_ORDER for remark in self.remarks)
        return self.ranks > 1 and (self.listed >= FEW or by_order)

    @property
    def has_probabilities(self) -> bool:
        """Whether confidences can be taken for probabilities."""
        return self.confidence is not None and 0 <= self.confidence[0] <= self.confidence[1] <= 1

    @property
    def abstains(self) -> bool:
        """Whether runs decline to answer, and not only here and there."""
        return self.unanswered + self.refusals >= SOME * max(self.responses, 1)

    @property
    def leaves_open(self) -> bool:
        """Whether runs leave questions unanswered."""
        return bool(self.unanswered or self.missing or self.refusals)


def find_facts(connection: duckdb.DuckDBPyConnection) -> Facts:
    """What is in a database with one collection."""

    def first_row(query: str) -> Any:
        return connection.execute(query).fetchall()[0]

    facts = Facts()
    facts.runs = [
        run for (run,) in connection.execute(
            "SELECT DISTINCT run FROM responses WHERE run IS NOT NULL ORDER BY run"
        ).fetchall()
    ]  # fmt: skip
    facts.questions, facts.nil = first_row("SELECT count(*), count(*) FILTER (nil) FROM questions")
    facts.responses, facts.unanswered, ranks = first_row(
        "SELECT count(*), count(*) FILTER (NOT answered), max(rank) FROM responses"
    )
    facts.ranks = int(ranks or 1)
    (listed,) = first_row(
        """SELECT avg((n > 1)::DOUBLE) FROM (SELECT max(rank) AS n FROM responses
            GROUP BY run, question, sample)"""
    )
    facts.listed = float(listed or 0)
    (answered,) = first_row(
        """SELECT count(*) FROM (SELECT DISTINCT run, question FROM responses)
            SEMI JOIN questions USING (question)"""
    )
    facts.missing = facts.questions * len(facts.runs) - int(answered)
    facts.gaps = dict(
        connection.execute(
            """SELECT run, 1 - count(DISTINCT q.question) / $questions AS lacking
            FROM responses r LEFT JOIN questions q USING (question)
            WHERE run IS NOT NULL AND $questions > 0
            GROUP BY run HAVING lacking >= $many ORDER BY lacking DESC, run""",
            {"questions": facts.questions, "many": MANY - 1e-9},
        ).fetchall()
    )
    samples, facts.sampled = first_row(
        """SELECT min(fewest), count(*) FROM (SELECT run, min(n) AS fewest
            FROM (SELECT run, question, count(DISTINCT sample) AS n FROM responses
                WHERE run IS NOT NULL GROUP BY run, question HAVING bool_or(answered))
            GROUP BY run HAVING fewest > 1)"""
    )
    facts.samples = int(samples or 1)
    facts.columns = {
        column
        for column, tables in COUNTED.items()
        for table in tables
        if first_row(f'SELECT count("{column}") FROM {table}') != (0,)
    }
    facts.tables = {
        table: int(first_row(f"SELECT count(*) FROM {table}")[0])
        for table in ("assessments", "keys", "patterns", "logged")
    }
    for column in ("score", "confidence"):
        if column in facts.columns:
            facts.confidence = first_row(f"SELECT min({column}), max({column}) FROM responses")
    facts.levels = [
        str(level) for (level,) in connection.execute(
            """SELECT DISTINCT level FROM (SELECT level FROM assessments UNION ALL
                SELECT level FROM keys UNION ALL SELECT level FROM logged)
            WHERE level IS NOT NULL ORDER BY level"""
        ).fetchall()
    ]  # fmt: skip
    (several,) = first_row(
        """SELECT max(n) FROM (
            SELECT count(DISTINCT answer) AS n FROM assessments
            WHERE verdict = 'right' GROUP BY question
            UNION ALL
            SELECT count(DISTINCT coalesce(class, key))
                + count(*) FILTER (NOT coalesce(literal, false) AND contains(key, '|'))
            FROM keys GROUP BY question
            UNION ALL
            SELECT count(DISTINCT rank) FROM logged WHERE verdict = 'right'
            GROUP BY question, run, sample
            UNION ALL SELECT 2 FROM patterns  -- they may match any number of answers
        )"""
    )
    facts.several_right = int(several or 0) > 1
    labels, for_answers = first_row(
        "SELECT count(*), count(*) FILTER (answer IS NOT NULL OR run IS NOT NULL) FROM assessments"
    )
    facts.by_item = bool(labels) and not for_answers and _are_flags(connection)
    (facts.assessors,) = first_row("SELECT count(DISTINCT assessor) FROM assessments")
    facts.scorers = [
        Scorer(*row) for row in connection.execute(
            """SELECT scorer, count(*), count(verdict), min(score), max(score) FROM logged
            GROUP BY scorer ORDER BY count(verdict) < count(*), scorer"""
        ).fetchall()
    ]  # fmt: skip
    facts.language = _language(connection)
    if facts.language in DEFAULTS:
        answers = connection.sql("SELECT answer FROM responses WHERE answer IS NOT NULL").pl()
        refused = is_refusal(answers["answer"], DEFAULTS[facts.language])
        facts.refusals = int(refused.sum())
    (answer_length,) = first_row("SELECT median(length(answer)) FROM responses")
    (key_length,) = first_row("SELECT median(length(key)) FROM keys")
    facts.short = float(answer_length or 0) <= 3 * float(key_length or 0) + 10
    (facts.groups,) = first_row('SELECT count(DISTINCT "group") FROM questions')
    facts.remarks = [
        Remark(*row) for row in connection.execute(
            """SELECT "column", remark, sum(count)::BIGINT FROM remarks GROUP BY ALL
            ORDER BY remark, "column" """
        ).fetchall()
    ]  # fmt: skip
    return facts


def _are_flags(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether all answers are yes or no, in some spelling."""
    answers = connection.execute(
        "SELECT DISTINCT lower(answer) FROM responses WHERE answer IS NOT NULL LIMIT 20"
    ).fetchall()
    return all(answer in FLAGS for (answer,) in answers)


def _language(connection: duckdb.DuckDBPyConnection) -> str:
    """The language of the questions, else of the answers, by its commonest words."""
    for query in (
        "SELECT text FROM questions WHERE text IS NOT NULL ORDER BY question",
        "SELECT answer FROM responses WHERE length(answer) > 20 ORDER BY question, answer",
    ):
        texts = [text for (text,) in connection.execute(f"{query} LIMIT {TEXTS}").fetchall()]
        if texts:
            return guess_language(texts)
    return "en"


def guess_language(texts: Sequence[str]) -> str:
    """The language of texts by its commonest words; English where they do not tell.

    >>> guess_language(["Wer hat die Glühlampe erfunden?", "Wo ist der Sitz der Partei?"])
    'de'
    >>> guess_language(["42", "Paris"])
    'en'
    """
    words = [word for text in texts for word in text.lower().replace("'", " ").split()]
    words = [word.strip('.,;:?!¿¡()"') for word in words[:100_000]]
    shares = {
        code: sum(word in common for word in words) / max(len(words), 1)
        for code, common in ((code, {*listed.split()}) for code, listed in STOP_WORDS.items())
    }
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= PLENTY and shares[best] > 1.25 * shares["en"] else "en"
