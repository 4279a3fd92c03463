"""What only several files together can show to be wrong or remarkable, by SQL over their rows.

What was checked before had no fault, and its remarks are in the database. So only sources are
looked at for which the answer can be another one now: they are in the temporary table `stale`.
"""

from collections.abc import Mapping, Sequence

import duckdb
import polars as pl

from qampaign.input.input_tables import INPUT_TABLES, IS_ID, RESOURCES
from qampaign.judging.key.coverage import instead, lacking
from qampaign.problems import Problems, quote, short_id

ABOUT_QUESTIONS = [
    name
    for name, table in INPUT_TABLES.items()
    if "question" in table.names and name != "questions"
]
"""Tables whose rows are about questions of the collection."""

NAMING = [name for name, table in INPUT_TABLES.items() if table.names_questions]
"""Tables whose questions are those of a collection that gives no list of them."""

LABELS = ("assessments", "verdicts", "scores")
"""Tables whose rows are labels or scores of answers."""

RUNS = "SELECT DISTINCT collection, run, source FROM responses"
QUESTIONS = "SELECT collection, question FROM questions"

EARLIER = {
    "earlier_runs": RUNS,
    "earlier_questions": QUESTIONS,
    "earlier_handling": "FROM handling",
}
"""What was checked before, as far as the checks and remarks of other rows depend on it."""

CHANGED = "((FROM ({one}) EXCEPT FROM ({other})) UNION (FROM ({other}) EXCEPT FROM ({one})))"
"""What is in one of two queries only."""

OF_CHANGED_RUNS = """
    SELECT source FROM (FROM {table} WHERE source < $first_new)
        SEMI JOIN changed_runs USING (collection, run)
    UNION ALL
    SELECT source FROM (FROM {table} WHERE source < $first_new AND run IS NULL)
        SEMI JOIN changed_runs USING (collection)
"""
"""Sources that are about runs whose responses changed; a row without a run is about any run."""

SCOPE = {
    "present": RUNS,
    # a file that is read again is another source
    "changed_runs": "SELECT DISTINCT collection, run FROM "
    + CHANGED.format(one="earlier_runs", other="present"),
    "changed_questions": f"""
        SELECT collection FROM {CHANGED.format(one="earlier_questions", other=QUESTIONS)}
        UNION SELECT collection FROM {CHANGED.format(one="earlier_handling", other="handling")}""",
    "changed_collections": """
        SELECT collection FROM changed_runs UNION SELECT collection FROM changed_questions""",
    "stale": f"""
        SELECT DISTINCT source FROM (
            SELECT source FROM sources WHERE source >= $first_new
            UNION ALL
            SELECT source FROM sources SEMI JOIN changed_questions USING (collection)
            UNION ALL
            {" UNION ALL ".join(OF_CHANGED_RUNS.format(table=table) for table in (*LABELS, "runs"))}
        )""",
}
"""Temporary tables of what changed, and of the sources to look at therefore."""

SHARED = """
    SELECT t.collection, path, {line} AS line, {id} AS id, first_value(path) OVER same AS first
    FROM {table} t JOIN sources USING (source) WHERE {id} IS NOT NULL {more}
    WINDOW same AS (PARTITION BY t.collection, {id} ORDER BY path = $submission, path)
    QUALIFY path <> first
"""
OUTSIDE = """
    FROM (FROM {table} WHERE question IS NOT NULL AND source IN (FROM stale)) r
        ANTI JOIN questions USING (collection, question) JOIN sources s USING (source)
"""
ITEM = """hash(t.collection, "table", assessor, question, run, sample, rank,
        if(run IS NULL, answer, NULL), {trial})"""
TRIAL = {"assessments": "NULL", "verdicts": "trial"}
"""What tells apart several labels of one assessor for an answer."""
LABELLED = """
    FROM {table} t JOIN sources USING (source)
    WHERE verdict <> ''  -- a label that is not known is noted already
"""
CONFLICTS = f"""
    CREATE OR REPLACE TEMP TABLE conflicts AS
    SELECT {ITEM} AS item {LABELLED} AND (t.collection, coalesce(run, '')) IN (
        SELECT DISTINCT collection, coalesce(run, '') FROM {{table}} WHERE source >= $first_new)
    GROUP BY item HAVING min(hash(verdict, level, class)) <> max(hash(verdict, level, class))
"""
"""Items with different labels; only of runs that a new source has labels for, or of none."""

CONFLICTING = f"""
    SELECT t.collection, path, line, coalesce(assessor, $final) AS assessor, question,
        concat('run ' || run, ', sample ' || sample, ', rank ' || rank) AS position, answer,
        concat_ws(', ', verdict, level, class) AS word, {{trial}} AS trial
    {LABELLED} AND {ITEM} IN (FROM conflicts)
"""


def remember(connection: duckdb.DuckDBPyConnection) -> None:
    """Keep what was checked before, for the checks to see what changed."""
    _create(connection, EARLIER)


def _create(
    connection: duckdb.DuckDBPyConnection, tables: Mapping[str, str], **values: int
) -> None:
    """Make temporary tables by queries, with values for those that take some."""
    for name, query in tables.items():
        _run(connection, f"CREATE OR REPLACE TEMP TABLE {name} AS {query}", values)


def _run(
    connection: duckdb.DuckDBPyConnection, statement: str, values: Mapping[str, object]
) -> None:
    """Execute a statement with those of the values that it takes."""
    taken = {name: value for name, value in values.items() if f"${name}" in statement}
    connection.execute(statement, taken)


def complete_questions(connection: duckdb.DuckDBPyConnection, unlisted: list[str]) -> None:
    """Make the questions of collections that give no list: those that other tables name.

    Those that logs have are there already.
    """
    named = " UNION ".join(f"SELECT collection, question FROM {table}" for table in NAMING)
    connection.execute(
        f"""INSERT INTO questions (collection, source, question, nil)
        SELECT collection, 0, question, false
        FROM ({named}) ANTI JOIN questions USING (collection, question)
        WHERE question IS NOT NULL AND list_contains(?, collection)""",
        [unlisted],
    )


def check(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    *,
    unlisted: list[str],
    skipping: list[str],
    validating: list[str],
    blaming: list[str],
    unread: list[str],
    first_new: int,
    submission: str = "",
) -> None:
    """Find every fault across the files of the database; put remarks into its table.

    `unlisted` are the collections without a list of questions, `skipping` those that leave out
    responses to questions they do not have, `validating` those whose questions are items to
    validate, `blaming` those that count a missing row as wrong, `unread` those with files that
    could not be read; sources from `first_new` on were not checked before, for the others see
    :func:`remember`. What a `submission` and another file have is told of the submission.
    """
    handling = {"unlisted": unlisted, "skipping": skipping, "validating": validating}
    handling["blaming"] = blaming
    pairs = [(collection, name) for name, those in handling.items() for collection in those]
    connection.execute("DELETE FROM handling")
    if pairs:
        connection.executemany("INSERT INTO handling VALUES (?, ?)", pairs)
    _create(connection, SCOPE, first_new=first_new)
    for table in ABOUT_QUESTIONS:
        _check_questions(connection, table, skipping + unread, unlisted, problems)
    _check_unlisted(connection, unlisted, problems)
    _check_shared(connection, "present", "run", "one file per run", submission, problems)
    _check_shared(
        connection, "questions", "question", "each question in one file", submission, problems
    )
    _check_shared(connection, "runs", "run", "each run in one file", submission, problems)
    for table in LABELS:
        _check_samples(connection, table, problems)
    _check_conflicts(connection, "assessments", "the adjudicator", first_new, problems)
    _check_conflicts(connection, "verdicts", "the judge", first_new, problems)
    _check_scores(connection, first_new, problems)
    _remark(connection, skipping, validating)


def _check_conflicts(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    final: str,
    first_new: int,
    problems: Problems,
) -> None:
    """Note different labels of one assessor for an answer; `final`: who says so if no assessor."""
    conflicts = connection.execute(
        CONFLICTS.format(table=table, trial=TRIAL[table]), {"first_new": first_new}
    )
    if conflicts.fetchall() == [(0,)]:
        return
    labels = connection.execute(
        CONFLICTING.format(table=table, trial=TRIAL[table]), {"final": final}
    )
    for *location, person, question, position, answer, word, trial in labels.fetchall():
        collection, path, line = location
        assessed = position or f"answer {quote(answer or '')}"
        once = "one label per assessor and answer"
        if table == "verdicts":
            once += ", or a column trial for each of several"
        if trial is not None:
            assessed += f", trial {trial}"
            once = "one verdict per answer and trial"
        shown_id = short_id(question)
        problems.add(
            collection=collection,
            file=path,
            line=line,
            column="label",
            value=word,
            problem=f"conflicts with another label by {person} for question {shown_id}, {assessed}",
            allowed=once,
        )


SAMPLED = """
    SELECT t.collection, path, line, run
    FROM (FROM {table} WHERE run IS NOT NULL AND sample IS NULL AND source IN (FROM stale)) t
        JOIN sources USING (source)
        SEMI JOIN (SELECT DISTINCT collection, run FROM responses WHERE sample IS NOT NULL) r
            ON (t.collection = r.collection AND t.run = r.run)
    WHERE NOT EXISTS (FROM handling h
        WHERE h.collection = t.collection AND h.handling = 'validating')
"""
"""Labels for the answer of a run that has samples, without saying of which one."""


def _check_samples(connection: duckdb.DuckDBPyConnection, table: str, problems: Problems) -> None:
    """Note labels for a run's answer that do not say in which of its samples."""
    for collection, path, line, run in connection.sql(SAMPLED.format(table=table)).fetchall():
        problems.add(
            collection=collection,
            file=path,
            line=line,
            column="sample",
            problem=f"is empty, but run {run} has samples",
            allowed="the sample of the answer that is labelled",
        )


SCORED_TWICE = """
    SELECT t.collection, path, line, question,
        concat('run ' || run, ', sample ' || sample, ', rank ' || rank) AS position, answer, score,
        scorer
    FROM scores t JOIN sources USING (source)
    WHERE EXISTS (FROM scores WHERE source >= $first_new)
    WINDOW item AS (PARTITION BY t.collection, "table", scorer, question, run, sample, rank,
        if(run IS NULL, answer, NULL))
    QUALIFY min(score) OVER item <> max(score) OVER item
    ORDER BY ALL
"""
"""Different scores of one scorer for an answer."""


def _check_scores(
    connection: duckdb.DuckDBPyConnection, first_new: int, problems: Problems
) -> None:
    """Note different scores of one scorer for an answer."""
    conflicts = connection.execute(SCORED_TWICE, {"first_new": first_new}).fetchall()
    for collection, path, line, question, position, answer, score, scorer in conflicts:
        scored = position or f"answer {quote(answer or '')}"
        shown_id = short_id(question)
        by = f" by {scorer}" if scorer else ""
        problems.add(
            collection=collection,
            file=path,
            line=line,
            column="score",
            value=f"{score:g}",
            problem=f"conflicts with another score{by} for question {shown_id}, {scored}",
            allowed="one score per scorer and answer",
        )


def check_weights(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    collection: str,
    unweighted: Sequence[str],
) -> None:
    """Refuse weights that some questions lack, and measures that cannot weigh questions."""
    ((total, weighted, different),) = connection.execute(
        """SELECT count(*), count(weight), count(DISTINCT weight) FROM questions
        WHERE collection = ?""",
        [collection],
    ).fetchall()
    if not weighted:
        return
    if weighted < total:
        rows = connection.execute(
            """SELECT path, line, question FROM questions q JOIN sources USING (source)
            WHERE q.collection = ? AND weight IS NULL ORDER BY ALL""",
            [collection],
        ).fetchall()
        unread = problems.where(
            (pl.col("collection") == collection) & (pl.col("column") == "weight")
        ).positions  # what stands there is no number: it is noted already
        for path, line, question in rows:
            if (path, line) in unread:
                continue
            problems.add(
                collection=collection,
                file=path,
                line=line,
                column="weight",
                problem=f"is empty for question {short_id(question)}, while others have a weight",
                allowed="a weight for every question, or for none",
            )
    if different > 1 and unweighted:
        goes = "goes" if len(unweighted) == 1 else "go"
        problems.add(
            collection=collection,
            file=f"collection {collection}",
            column="weight",
            problem=f"is given, but {', '.join(unweighted)} {goes} by an order, not by sums",
            allowed="other measures, or questions without weights",
        )


def check_choices(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    collection: str,
    choices: Mapping[str, int],
) -> None:
    """Refuse measures that choose more samples than any question has."""
    if not choices:
        return
    ((most,),) = connection.execute(
        """SELECT max(samples) FROM (
            SELECT count(DISTINCT sample) AS samples FROM responses
            WHERE collection = ? GROUP BY run, question
        )""",
        [collection],
    ).fetchall()
    for measure, k in choices.items():
        if most and k > most:  # without any samples, the column itself is missing
            problems.add(
                collection=collection,
                file=f"collection {collection}",
                column="sample",
                problem=f"has at most {most} for a run and question, but {measure} takes {k}",
                allowed=f"a k of at most {most}, or more samples",
            )


GRADED_KEYS = r"""
    SELECT count(*) FROM keys
    WHERE collection = ? AND NOT literal AND regexp_matches(key, '\S\s+@[^\W_][\w.-]*\s*([|;]|$)')
"""


def check_needs(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    collection: str,
    needs: Mapping[str, Sequence[str]],
) -> None:
    """Refuse measures for which no file of the collection has what they need."""
    for column, measures in needs.items():
        tables = [
            name for name, table in INPUT_TABLES.items()
            if column in table.names and name != "scores"
        ]  # fmt: skip
        logged = connection.execute(
            "SELECT count(*) FROM logs WHERE collection = ?", [collection]
        ).fetchall() != [(0,)]
        if column == "level" and logged:
            tables.append("logged")
        query = 'SELECT count("{}") FROM {} WHERE collection = ?'
        counts = [
            connection.execute(query.format(column, table), [collection]).fetchall()
            for table in tables
        ]
        if column == "level":  # a key may give the levels of its forms
            counts.append(connection.execute(GRADED_KEYS, [collection]).fetchall())
        tables = ["verdicts in logs" if table == "logged" else table for table in tables]
        if all(count == [(0,)] for count in counts):
            needing = f"{', '.join(measures)} {'needs' if len(measures) == 1 else 'need'} it"
            problems.add(
                collection=collection,
                file=f"collection {collection}",
                column=column,
                problem=f"is in none of the {' or '.join(tables)}, but {needing}",
                allowed=f"{' or '.join(tables)} with a column {column}, or other measures",
            )
        elif column == "type":
            _check_types(connection, problems, collection, measures)


def _check_types(
    connection: duckdb.DuckDBPyConnection,
    problems: Problems,
    collection: str,
    measures: Sequence[str],
) -> None:
    """Refuse questions without a type where a measure is averaged over types."""
    query = """SELECT coalesce(path, 'collection ' || t.collection) AS path, line, question
        FROM questions t LEFT JOIN sources USING (source)  -- those of logs are from no single file
        WHERE t.collection = ? AND type IS NULL ORDER BY path, line, question"""
    rows = connection.sql(query, params=[collection]).pl()
    averaged = "is averaged" if len(measures) == 1 else "are averaged"
    if not rows.is_empty():
        problems.add_rows(
            rows["path"],
            rows["line"],
            rows["question"],
            collection=collection,
            column="question",
            problem=f"has no type, but {', '.join(measures)} {averaged} over types",
            allowed="a type for every question, or no average: type",
        )


def _check_shared(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    column: str,
    allowed: str,
    submission: str,
    problems: Problems,
) -> None:
    """Note what a second file has: a run's responses, a question, information on a run."""
    line, more = "line", ""
    if table == "present":  # the runs of logs are checked by task
        line, more = "NULL", "AND t.collection NOT IN (SELECT collection FROM logs)"
    query = SHARED.format(table=table, id=column, line=line, more=more)
    for collection, path, number, value, first in connection.execute(
        query, {"submission": submission}
    ).fetchall():
        problems.add(
            collection=collection,
            file=path,
            line=number,
            column=column,
            value=value,
            problem=f"is also in {first}",
            allowed=allowed,
        )


UNLISTED = (
    f"a question in the {', '.join(NAMING[:-1])} or {NAMING[-1]} of the collection "
    "{}, which gives no list of questions"
)


def _check_questions(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    skipping: list[str],
    unlisted: list[str],
    problems: Problems,
) -> None:
    query = "SELECT r.collection, path, line, question" + OUTSIDE.format(table=table)
    query += " WHERE NOT list_contains(?, r.collection)"
    unknown = connection.sql(query, params=[skipping])
    for (collection,), rows in unknown.pl().group_by("collection"):
        problems.add_rows(
            rows["path"],
            rows["line"],
            rows["question"],
            collection=str(collection),
            column="question",
            problem="is an unknown question",
            allowed=UNLISTED.format(collection)
            if collection in unlisted
            else f"a question of the collection {collection}",
        )


def _check_unlisted(
    connection: duckdb.DuckDBPyConnection, unlisted: list[str], problems: Problems
) -> None:
    """Check ids that no list of questions names; such a list is checked when it is read."""
    named = " UNION ALL ".join(
        f"SELECT collection, question, source, line FROM {table} WHERE source IN (FROM stale)"
        for table in NAMING
    )
    first = connection.sql(
        f"""SELECT n.collection, question, arg_min(path, (line, path)) AS path, min(line) AS line
        FROM ({named}) n JOIN sources USING (source) WHERE list_contains(?, n.collection)
        GROUP BY n.collection, question""",
        params=[unlisted],
    ).pl()
    for row in first.filter(~IS_ID.holds("question")).to_dicts():
        problems.add(
            collection=row["collection"],
            file=row["path"],
            line=row["line"],
            column="question",
            value=row["question"],
            problem="is not allowed",
            allowed=IS_ID.allowed,
        )


RUNS_NAMED = """concat($text, ': ',
            list_aggregate(list(DISTINCT run ORDER BY run)[:5], 'string_agg', ', '),
            if(count(DISTINCT run) > 5, ', …', ''))"""
"""A text with the first of the runs that it is about."""

MET = """
    SELECT a.collection, a.source, count(*) FILTER (r.answer IS NULL) AS silent,
        count(*) FILTER (a.answer <> r.answer) AS differing
    FROM (FROM {table} WHERE source IN (FROM stale)) a SEMI JOIN present USING (collection, run)
        SEMI JOIN questions USING (collection, question)
        LEFT JOIN responses r ON (a.collection = r.collection AND a.run = r.run
            AND a.question = r.question AND a.rank = r.rank
            AND a.sample IS NOT DISTINCT FROM r.sample)
    GROUP BY ALL
"""
"""How many labels for a rank of a run meet no answer there, or another one than they quote."""

OF_LABELS = {
    "{table} for runs without responses": f"""
        SELECT collection, source, 'run', {RUNS_NAMED}, count(*)
        FROM (FROM {{table}} WHERE run IS NOT NULL AND source IN (FROM stale))
            ANTI JOIN present USING (collection, run)
            SEMI JOIN questions USING (collection, question)
        GROUP BY collection, source""",
    "{table} for ranks at which the run gives no answer": """
        SELECT collection, source, 'rank', $text, silent
        FROM met_{table} WHERE silent > 0 AND NOT list_contains($validating, collection)""",
    "{table} for answers that no run gives": """
        SELECT collection, source, 'answer', $text, count(*)
        FROM (FROM {table} WHERE run IS NULL AND answer IS NOT NULL AND source IN (FROM stale))
            ANTI JOIN responses USING (collection, question, answer)
            SEMI JOIN questions USING (collection, question)
        WHERE NOT list_contains($validating, collection)
        GROUP BY ALL""",
    "{table} that quote the answer differently from the run": """
        SELECT collection, source, 'answer', $text, differing
        FROM met_{table} WHERE differing > 0""",
}
"""Labels that do not meet the answer they are for; they count for nothing, or for another.

Those for questions that the collection does not have are remarked on as such."""

OF_SOURCES = {
    "duplicate assessments": """
        SELECT collection, source, 'label', $text, count(*) - count(DISTINCT hash(assessor,
            question, run, sample, rank, if(run IS NULL, answer, NULL))) AS extra
        FROM assessments WHERE source IN (FROM stale) GROUP BY ALL HAVING extra > 0""",
    "duplicate verdicts": """
        SELECT collection, source, 'label', $text, count(*) - count(DISTINCT hash(assessor,
            question, run, sample, rank, if(run IS NULL, answer, NULL), trial)) AS extra
        FROM verdicts WHERE source IN (FROM stale) GROUP BY ALL HAVING extra > 0""",
    "information on runs without responses": f"""
        SELECT collection, source, 'run', {RUNS_NAMED}, count(*)
        FROM (FROM runs WHERE source IN (FROM stale)) ANTI JOIN present USING (collection, run)
        GROUP BY collection, source""",
}
"""What else is no fault of a file."""

TAKEN_TWICE = {
    f"{name} of runs whose responses give it, too, and these count": f"""
        SELECT collection, source, '{name}', {RUNS_NAMED}, count(*)
        FROM (FROM runs WHERE {name} IS NOT NULL AND source IN (FROM stale))
            SEMI JOIN (SELECT DISTINCT collection, run FROM responses WHERE {name} IS NOT NULL)
                USING (collection, run)
        GROUP BY collection, source"""
    for name in (column.name for column in RESOURCES)
}
"""What a run took, said twice: by its responses and by the information on it."""

OF_COLLECTIONS = {
    "questions that a run has no row for, counted as": """
        WITH asked AS (
            SELECT collection, count(*) AS questions FROM questions GROUP BY ALL
        ), answered AS (  -- ranks count from 1 without a gap
            SELECT collection, run, count(*) AS questions
            FROM (
                SELECT collection, run, question FROM responses WHERE rank = 1 AND sample IS NULL
                UNION ALL
                SELECT DISTINCT collection, run, question FROM responses WHERE sample IS NOT NULL
            ) SEMI JOIN changed_collections USING (collection)
                SEMI JOIN questions USING (collection, question)
            GROUP BY ALL
        ), lacking AS (
            SELECT collection, run, a.questions - coalesce(r.questions, 0) AS missing, a.questions
            FROM (SELECT DISTINCT collection, run FROM present)
                SEMI JOIN changed_collections USING (collection)
                JOIN asked a USING (collection) LEFT JOIN answered r USING (collection, run)
        )
        SELECT collection, NULL, 'question',
            format('{} {}: in {} of {} runs; most in {}, {:.1f}% of {} questions', $text,
                if(collection IN (SELECT collection FROM handling WHERE handling = 'blaming'),
                    'wrong', 'unanswered'),
                count(*) FILTER (missing > 0), count(*), arg_max(run, (missing, run)),
                100 * max(missing) / any_value(questions), any_value(questions)),
            sum(missing) AS missing
        FROM lacking GROUP BY collection HAVING sum(missing) > 0""",
    "unequal numbers of samples": """
        WITH sampled AS (
            SELECT collection, run, question,
                greatest(count(DISTINCT sample), 1) AS samples
            FROM responses SEMI JOIN changed_collections USING (collection)
                SEMI JOIN (SELECT DISTINCT collection FROM responses WHERE sample IS NOT NULL)
                    USING (collection)
                SEMI JOIN questions USING (collection, question)
            GROUP BY ALL
        ), ranged AS (
            SELECT collection, min(samples) AS fewest, max(samples) AS most
            FROM sampled GROUP BY ALL
        )
        SELECT collection, NULL, 'sample',
            format('{}: a run has from {} to {} answers to a question, fewer than {} in {} of {} '
                'cases', $text, fewest, most, most, count(*) FILTER (samples < most), count(*)),
            count(*) FILTER (samples < most)
        FROM sampled JOIN ranged USING (collection) GROUP BY collection, fewest, most
        HAVING fewest < most""",
    "runs that give the same answers": """
        WITH content AS (  -- the sum of hashes is the same where the rows are, in any order
            SELECT collection, run, count(*) AS size,
                sum(hash(question, rank, answer, answered)::HUGEINT) AS hash
            FROM responses SEMI JOIN changed_collections USING (collection)
            GROUP BY ALL HAVING count(answer) > 0
        ), alike AS (
            SELECT collection, count(*) AS runs,
                concat(list_aggregate(list(run ORDER BY run)[:5], 'string_agg', ', '),
                    if(count(*) > 5, ', …', '')) AS named
            FROM content GROUP BY collection, size, hash HAVING count(*) > 1
        )
        SELECT collection, NULL, 'answer',
            concat($text, ': ', list_aggregate(list(named ORDER BY named)[:5], 'string_agg', '; '),
                if(count(*) > 5, '; …', '')), sum(runs)
        FROM alike GROUP BY collection""",
}
"""What is no fault of a collection. These queries give rows of remarks; a text may say more."""

LACKING = "judged by a key without "


def remark_on_language(
    connection: duckdb.DuckDBPyConnection,
    collection: str,
    language: str,
    *,
    reads: Mapping[str, bool],
) -> None:
    """Remark on what is not known of the languages of a collection that is judged by a key.

    `language` is that of the questions that do not say theirs; `reads` says whether numbers and
    dates are read.
    """
    query = """SELECT coalesce(language, ?) AS code, count(*) FROM questions
        WHERE collection = ? GROUP BY code ORDER BY code"""
    for code, count in connection.execute(query, [language, collection]).fetchall():
        without = lacking(code, **reads)
        if without:
            text = f"{LACKING}{', '.join(without)}: not available for the language {code}"
            text += f"; {how}" if (how := instead(code)) else ""
            connection.execute(
                "INSERT INTO remarks VALUES (?, NULL, 'language', ?, ?)", [collection, text, count]
            )


OUTDATED = """
    DELETE FROM remarks WHERE if(source IS NULL,
        starts_with(remark, $lacking) OR collection IN (FROM changed_collections),
        source IN (FROM stale)
            AND EXISTS (FROM unnest($texts) t(begins) WHERE starts_with(remark, begins)))
"""
"""Remarks that are made anew; those that begin otherwise were made when the file was read."""

SKIPPED = "{} for questions that are not in the collection: left out"
SKIPPING = f"""
    SELECT r.collection, source, 'question', $text, count(*) {OUTSIDE}
    WHERE list_contains($skipping, r.collection) GROUP BY ALL
"""


def _remark(
    connection: duckdb.DuckDBPyConnection, skipping: list[str], validating: list[str]
) -> None:
    """Note what is no fault, but that somebody may want to know."""
    queries = OF_COLLECTIONS | OF_SOURCES | TAKEN_TWICE
    for table in LABELS:
        _create(connection, {f"met_{table}": MET.format(table=table)})
        queries |= {text.format(table=table): query.format(table=table)
                    for text, query in OF_LABELS.items()}  # fmt: skip
    left_out = {
        SKIPPED.format(input_table): SKIPPING.format(table=input_table)
        for input_table in ABOUT_QUESTIONS
    }
    connection.execute(OUTDATED, {"lacking": LACKING, "texts": [*queries, *left_out]})
    for text, query in (queries | left_out if skipping else queries).items():
        values = {"text": text, "skipping": skipping, "validating": validating}
        _run(connection, f"INSERT INTO remarks {query}", values)
