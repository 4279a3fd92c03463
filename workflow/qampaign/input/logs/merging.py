"""The questions, keys and run information of a collection from all its logs, and their faults.

What is put together has 0 for its source, as questions have that no file lists.
"""

import json
from collections.abc import Mapping, Sequence

import duckdb
import polars as pl

from qampaign.input.checks import NAMING
from qampaign.input.logs.options import LogOptions
from qampaign.input.store import FIGURE_SIZES
from qampaign.problems import Problems, first_names, quote, short_id

ASKED = """
    SELECT question, arg_min(type, (path, line)) AS type, arg_min(text, (path, line)) AS text,
        arg_min("group", (path, line)) AS "group", bool_or(nil) AS nil,
        arg_min(targets, (path, line)) AS targets
    FROM logged_questions q JOIN sources USING (source)
    WHERE q.collection = ? GROUP BY question ORDER BY question
"""
"""Each question once: what logs say differently is taken from the first file that says it."""

DIFFERENT = """
    SELECT path, line, question, targets, first, first_path FROM (
        SELECT path, line, question, targets, first_value(targets) OVER same AS first,
            first_value(path) OVER same AS first_path
        FROM logged_questions q SEMI JOIN questions USING (collection, question)
            JOIN sources USING (source)
        WHERE q.collection = $collection
        WINDOW same AS (PARTITION BY question ORDER BY path = $submission, path, line)
    ) WHERE targets <> first ORDER BY path, line
"""

INFORMATION = """
    SELECT run, list(DISTINCT model ORDER BY model) AS models, min(date) AS first,
        max(date) AS last, list(more ORDER BY path, line) AS more,
        sum(cost) AS cost, sum(seconds) AS seconds, sum(tokens) AS tokens
    FROM logs l JOIN sources USING (source) WHERE l.collection = ? AND used AND run IS NOT NULL
    GROUP BY run ORDER BY run
"""

TWICE = """
    SELECT path, run, task, first_value(path) OVER same AS first
    FROM logs l JOIN sources USING (source)
    WHERE l.collection = $collection AND used AND run IS NOT NULL
    WINDOW same AS (PARTITION BY run, task ORDER BY path = $submission, path, line)
    QUALIFY row_number() OVER same > 1
    ORDER BY path, run, task
"""

NAMED_IN = " UNION ".join(
    f"SELECT question, path FROM {table} t JOIN sources USING (source) "
    "WHERE t.collection = $collection AND question IS NOT NULL"
    for table in ("logged_questions", *NAMING)
)
ALONE = f"""
    WITH named AS ({NAMED_IN}), answered AS (
        SELECT path, line, question FROM responses r JOIN sources USING (source)
        WHERE r.collection = $collection
    )
    SELECT path, question, min(line) AS line FROM answered
        SEMI JOIN (SELECT question FROM named GROUP BY question HAVING count(*) = 1)
            USING (question)
        SEMI JOIN named USING (question, path)
    GROUP BY path, question ORDER BY path, line, question
"""
"""The questions of runs that one file alone names, be it the run's or one that says more."""

FIRST = 5
"""How many files, and questions of each, a remark names."""

OTHER_TARGETS = "targets that differ between logs, and do not count: keys are given as files"
OTHER_SIZE = "figures of logs over another number of questions, and not compared"
ONE_LOG = "questions that one log alone has, and that count for every run"

BY_SUPPORT = """
    INSERT INTO assessments (collection, source, question, run, sample, rank, verdict, level, class)
    SELECT DISTINCT s.collection, 0, s.question, r.run, r.sample, r.rank, s.label, s.level, s.class
    FROM supported s JOIN responses r USING (collection, question, answer, support)
    WHERE s.collection = ?
"""
"""Labels for answers that were found somewhere become labels of the runs that found them there."""


def merge_logs(
    connection: duckdb.DuckDBPyConnection,
    collections: Mapping[str, Mapping[str, Sequence[str]]],
) -> None:
    """Make questions, keys and run information of collections from their logs.

    `collections` are those with logs, each with its files by table: a table for which there are
    files of its own is left to them, but run information is completed.
    """
    for table in ("questions", "keys", "runs", "assessments"):
        connection.execute(f"DELETE FROM {table} WHERE source = 0")
    for collection, paths in collections.items():
        questions = connection.sql(ASKED, params=[collection]).pl()
        if not paths.get("questions"):
            _insert(connection, "questions", collection, questions.drop("targets"))
        if not paths.get("keys"):
            _insert(connection, "keys", collection, _keys(questions))
        _insert(connection, "runs", collection, _information(connection, collection))
        connection.execute(BY_SUPPORT, [collection])


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, collection: str, frame: pl.DataFrame
) -> None:
    names = ", ".join(f'"{name}"' for name in frame.columns)
    connection.register("merged", frame)
    connection.execute(
        f"INSERT INTO {table} (collection, source, {names}) SELECT ?, 0, {names} FROM merged",
        [collection],
    )
    connection.unregister("merged")


def _keys(questions: pl.DataFrame) -> pl.DataFrame:
    """A literal key for each right answer; those to one question mean the same."""
    rows = [
        (question, key, targets[0] if len(targets) > 1 else None)
        for question, text in questions.select("question", "targets").iter_rows()
        for targets in [[target for target in json.loads(text) if target]]
        for key in targets
    ]
    return pl.DataFrame(
        rows, schema=dict.fromkeys(("question", "key", "class"), pl.String), orient="row"
    ).with_columns(literal=pl.lit(True))


def _information(connection: duckdb.DuckDBPyConnection, collection: str) -> pl.DataFrame:
    """What logs say about each run that no file informs on."""
    informed = connection.execute("SELECT run FROM runs WHERE collection = ?", [collection])
    known = {run for (run,) in informed.fetchall()}
    rows = []
    for run, models, first, last, more, *amounts in connection.execute(
        INFORMATION, [collection]
    ).fetchall():
        if run in known:
            continue
        named = [model for model in models if model]
        shown = {} if named in ([], [run]) else {"model": ", ".join(named)}
        if first:
            shown["date"] = first if first == last else f"{first} to {last}"
        for entry in more:
            for name, value in json.loads(entry).items():
                shown.setdefault(name, value)
        rows.append((run, *amounts, json.dumps(shown, ensure_ascii=False)))
    amount = dict.fromkeys(("cost", "seconds", "tokens"), pl.Float64)
    schema = {"run": pl.String, **amount, "more": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def check_logs(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    collection: str,
    options: LogOptions,
    *,
    has_keys: bool = False,
    submission: str = "",
) -> None:
    """Note what only several logs together show to be wrong or remarkable.

    With `has_keys`, files give the keys, and targets are none. What differs between `submission`
    and other files is told of the submission.
    """
    tasks = connection.execute(
        """SELECT task, bool_or(used) AS used, min(path) FROM logs l JOIN sources USING (source)
        WHERE l.collection = ? GROUP BY task ORDER BY task""",
        [collection],
    ).fetchall()
    used = [task for task, is_used, _ in tasks if is_used]
    where = f"collection {collection}"
    if len(used) > 1 and not options.merges:
        problems.add(
            collection=collection,
            file=where,
            problem=f"has logs of {len(used):,} tasks: {first_names(used)}",
            allowed="one task, or only: in logs with a task, or a pattern for several",
        )
    elif tasks and not used:
        problems.add(
            collection=collection,
            file=where,
            value=", ".join(options.only),
            problem="is no task of the logs: only: matches none",
            allowed=first_names(task for task, _, _ in tasks),
        )
    values = {"collection": collection, "submission": submission}
    for path, run, task, first in connection.execute(TWICE, values).fetchall():
        also = "also in" if first != path else "there twice:"
        problems.add(
            collection=collection,
            file=path,
            value=run,
            problem=f"is the run of two logs of the task {task}, {also} {first}",
            allowed="one log for each run and task, or run: in logs, such as run: '{model} {stem}'",
        )
    different = connection.execute(DIFFERENT, values).fetchall()
    for path, line, question, targets, first, first_path in [] if has_keys else different:
        problems.add(
            collection=collection,
            file=path,
            line=line,
            column="target",
            value=_shown(targets),
            problem=f"is another target of {question} than in {first_path}: {quote(_shown(first))}",
            allowed="the same target for an id in all logs of a task",
        )
    _remark(connection, collection, "target", OTHER_TARGETS, len(different) if has_keys else 0)
    _remark_on_questions(connection, collection)
    _remark_on_figures(connection, collection)


def _remark_on_figures(connection: duckdb.DuckDBPyConnection, collection: str) -> None:
    """Remark on figures of logs over another number of questions than the collection has."""
    query = f"SELECT run, questions, asked FROM ({FIGURE_SIZES}) WHERE questions <> asked"
    differing = connection.execute(f"{query} ORDER BY ALL", {"collection": collection}).fetchall()
    sizes = [f"{size:,} of {run}, here {count:,}" for run, size, count in dict.fromkeys(differing)]
    text = f"{OTHER_SIZE}: {'; '.join(sizes[:FIRST])}{'; …' if len(sizes) > FIRST else ''}"
    _remark(connection, collection, "value", text, len(differing))


def find_alone(
    connection: duckdb.DuckDBPyConnection, collection: str
) -> list[tuple[str, str, int | None]]:
    """The questions that one file alone has, where several have some: file, question, line."""
    values = {"collection": collection}
    files = connection.execute(f"SELECT DISTINCT path FROM ({NAMED_IN})", values).fetchall()
    return connection.execute(ALONE, values).fetchall() if len(files) > 1 else []


def _remark_on_questions(connection: duckdb.DuckDBPyConnection, collection: str) -> None:
    """Remark on questions that are there for one log alone, where there are several runs."""
    ((runs,),) = connection.execute(
        "SELECT count(DISTINCT run) FROM responses WHERE collection = ?", [collection]
    ).fetchall()
    listed = connection.execute(
        "SELECT count(*) FROM questions WHERE collection = ? AND source <> 0", [collection]
    ).fetchall() != [(0,)]
    alone: dict[str, list[str]] = {}
    for path, question, _ in find_alone(connection, collection) if runs > 1 and not listed else []:
        alone.setdefault(path, []).append(question)
    counts = [
        f"{len(questions):,} in {path} ({', '.join(map(short_id, questions[:FIRST]))}"
        f"{', …' if len(questions) > FIRST else ''})"
        for path, questions in alone.items()
    ]
    text = f"{ONE_LOG}: {'; '.join(counts[:FIRST])}{'; …' if len(counts) > FIRST else ''}"
    _remark(connection, collection, "question", text, sum(map(len, alone.values())))


def _remark(
    connection: duckdb.DuckDBPyConnection, collection: str, column: str, text: str, count: int
) -> None:
    """Have a remark on a collection in the place of an earlier one, or none where nothing is so."""
    connection.execute(
        "DELETE FROM remarks WHERE collection = ? AND source IS NULL AND starts_with(remark, ?)",
        [collection, text.partition(":")[0]],
    )
    if count:
        connection.execute(
            "INSERT INTO remarks VALUES (?, NULL, ?, ?, ?)", [collection, column, text, count]
        )


def _shown(targets: str) -> str:
    return " | ".join(json.loads(targets))
