"""What only several files together can show to be wrong. SQL over the rows just loaded."""

from collections.abc import Mapping, Sequence

import duckdb

from qampaign import schemas
from qampaign.problems import Problems, quote

RUNS = """
    CREATE OR REPLACE TEMP TABLE present AS SELECT DISTINCT collection, run, source FROM responses
"""
SHARED = """
    SELECT t.collection, path, {line} AS line, {id} AS id, min(path) OVER same AS first
    FROM {table} t JOIN sources USING (source) WHERE {id} IS NOT NULL
    WINDOW same AS (PARTITION BY t.collection, {id}) QUALIFY path <> first
"""
OUTSIDE = """
    FROM {table} r JOIN sources s USING (source)
    WHERE question IS NOT NULL AND NOT EXISTS (
        FROM questions q WHERE q.collection = r.collection AND q.question = r.question)
"""
CONFLICTS = """
    WITH items AS (
        SELECT *, hash(verdict, level, class) AS word,
            hash(collection, assessor, question, run, rank, if(run IS NULL, answer, NULL)) AS item
        FROM assessments
    ), conflicts AS (
        SELECT item FROM items
        WHERE $all_new OR item IN (SELECT item FROM items WHERE source >= $first_new)
        GROUP BY item HAVING min(word) <> max(word)
    )
    SELECT i.collection, path, line, coalesce(assessor, 'the adjudication') AS assessor, question,
        'run ' || run || ', rank ' || rank AS position, answer,
        concat_ws(', ', verdict, level, class) AS word
    FROM items i JOIN conflicts USING (item) JOIN sources USING (source)
"""


def complete_questions(connection: duckdb.DuckDBPyConnection, unlisted: list[str]) -> None:
    """Make the questions of collections that give no list: those that the assessments name."""
    connection.execute("DELETE FROM questions WHERE source = 0")
    connection.execute(
        """INSERT INTO questions (collection, source, question, nil)
        SELECT DISTINCT collection, 0, question, false FROM assessments
        WHERE list_contains(?, collection)""",
        [unlisted],
    )


def check(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    *,
    unlisted: list[str],
    skipping: list[str],
    unread: list[str],
    first_new: int,
) -> None:
    """Find every fault across the files of the database; put remarks into its table.

    `unlisted` are the collections without a list of questions, `skipping` those that leave out
    responses to questions they do not have, `unread` those with files that could not be read;
    sources from `first_new` on were not checked before.
    """
    connection.execute(RUNS)
    _check_questions(connection, "responses", skipping + unread, problems)
    _check_questions(connection, "assessments", unread, problems)
    _check_unlisted(connection, unlisted, problems)
    _check_shared(connection, "present", "run", "one file per run", problems)
    _check_shared(connection, "questions", "question", "each question in one file", problems)
    _check_shared(connection, "runs", "run", "each run in one file", problems)
    conflicts = connection.execute(CONFLICTS, {"first_new": first_new, "all_new": first_new == 1})
    for collection, path, line, person, question, position, answer, word in conflicts.fetchall():
        assessed = position or f"answer {quote(answer or '')}"
        problems.add(
            collection=collection,
            file=path,
            line=line,
            column="label",
            value=word,
            problem=f"is not the only label of {person} for question {question}, {assessed}",
            allowed="one label by an assessor for an answer",
        )
    _remark(connection, skipping)


NEEDED = {
    "confidence": "responses",
    "score": "responses",
    "level": "assessments",
    "group": "questions",
}
"""Columns that measures may need, each with its table."""


def check_needs(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    collection: str,
    needs: Mapping[str, Sequence[str]],
) -> None:
    """Refuse measures for which no file of the collection has what they need."""
    for column, measures in needs.items():
        table = NEEDED[column]
        query = f'SELECT count("{column}") FROM {table} WHERE collection = ?'
        if connection.execute(query, [collection]).fetchall() == [(0,)]:
            problems.add(
                collection=collection,
                file=f"collection {collection}",
                column=column,
                problem=f"is in none of the {table}, but {', '.join(measures)} cannot do without",
                allowed=f"{table} with a column {column}, or other measures",
            )


def _check_shared(
    connection: duckdb.DuckDBPyConnection, table: str, column: str, allowed: str, problems: Problems
) -> None:
    """Note what stands in a second file: a run's responses, a question, what is told of a run."""
    line = "NULL" if table == "present" else "line"
    query = SHARED.format(table=table, id=column, line=line)
    for collection, path, number, value, first in connection.sql(query).fetchall():
        problems.add(
            collection=collection,
            file=path,
            line=number,
            column=column,
            value=value,
            problem=f"is in {first} too",
            allowed=allowed,
        )


def _check_questions(
    connection: duckdb.DuckDBPyConnection, table: str, skipping: list[str], problems: Problems
) -> None:
    query = "SELECT r.collection, path, line, question" + OUTSIDE.format(table=table)
    query += " AND NOT list_contains(?, r.collection)"
    unknown = connection.sql(query, params=[skipping])
    for (collection,), rows in unknown.pl().group_by("collection"):
        problems.add_rows(
            rows["path"],
            rows["line"],
            rows["question"],
            collection=str(collection),
            column="question",
            problem="is an unknown question",
            allowed=f"a question of the collection {collection}",
        )


def _check_unlisted(
    connection: duckdb.DuckDBPyConnection, unlisted: list[str], problems: Problems
) -> None:
    """Check ids that only assessments name; a list of questions is checked when it is read."""
    first = connection.sql(
        """SELECT a.collection, question, arg_min(path, line) AS path, min(line) AS line
        FROM assessments a JOIN sources USING (source) WHERE list_contains(?, a.collection)
        GROUP BY a.collection, question""",
        params=[unlisted],
    ).pl()
    for row in first.filter(~schemas.is_id("question")).to_dicts():
        problems.add(
            collection=row["collection"],
            file=row["path"],
            line=row["line"],
            column="question",
            value=row["question"],
            problem="is not allowed",
            allowed=schemas.ID_ALLOWED,
        )


REMARKS = {
    "information on runs that are not there": """
        SELECT source, 'run', $text, count(*) FROM runs ANTI JOIN present USING (collection, run)
        GROUP BY source""",
    "assessments of runs that are not there": """
        SELECT source, 'run', $text, count(*)
        FROM (FROM assessments WHERE run IS NOT NULL) ANTI JOIN present USING (collection, run)
        GROUP BY source""",
    "assessments that give a run's answer otherwise than the run": """
        SELECT a.source, 'answer', $text, count(*)
        FROM assessments a JOIN responses r USING (collection, run, question, rank)
        WHERE a.answer IS NOT NULL AND a.answer IS DISTINCT FROM r.answer
        GROUP BY a.source""",
}
SKIPPED = "responses to questions that the collection does not have: left out"


def _remark(connection: duckdb.DuckDBPyConnection, skipping: list[str]) -> None:
    """Note what is no fault, but that somebody may want to know."""
    texts = [*REMARKS, SKIPPED]
    connection.execute("DELETE FROM remarks WHERE list_contains(?, remark)", [texts])
    for text, query in REMARKS.items():
        connection.execute(f"INSERT INTO remarks {query}", {"text": text})
    if skipping:
        outside = OUTSIDE.format(table="responses")
        connection.execute(
            f"INSERT INTO remarks SELECT source, 'question', ?, count(*) {outside} GROUP BY source",
            [SKIPPED],
        )
