"""Does a parcel tell what others answered?

A text of another run can be short, such as 4 or a name that is part of a question, and then stands
in a parcel for good reasons. So two things are asked of parcels:

- they do not depend on it: with other ids and answers of all other runs, and the same verdicts, every
  byte of a parcel is the same (with `--names`: with the same ids and other answers);
- a text of five signs or more that is in none of what a parcel may hold (the team's own answers, the
  keys, the words of keys in them, the questions) is nowhere in its files, and no id of another run is
  a word of them.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path

import duckdb

from qampaign.publishing.parcels import Team, find_teams, make_parcels, write_parcels
from qampaign.report.parcel_page import render

LONG_ENOUGH = 5

BY_ANSWERS = "kind NOT IN ('key', 'exact', 'patterns')"
"""The judges for which what is accepted are answers that somebody gave."""


def written(database: Path, folder: Path, **options: bool) -> dict[str, bytes]:
    """The files of all parcels, by their paths."""
    with duckdb.connect(str(database), read_only=True) as connection:
        parcels = make_parcels(connection, **{"is_open": True} | options)
        write_parcels(folder, ((each, render(each, title="T")) for each in parcels))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.parent != folder
    }


def teams(database: Path) -> list[Team]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return find_teams(connection)


def disguise(database: Path, team: Team, *, ids: bool = True) -> None:
    """Give all runs but a team's other answers, and other ids; people's labels are of answers, too."""
    own = ", ".join(["(?, ?)"] * len(team.runs))
    values = [name for pair in team.runs for name in pair]
    others = f"(collection, run) NOT IN ({own})"
    with duckdb.connect(str(database)) as connection:
        tables = connection.sql(
            """SELECT table_name FROM duckdb_columns() WHERE column_name IN ('collection', 'run')
            GROUP BY table_name HAVING count(*) = 2"""
        ).fetchall()
        answers = f"""UPDATE answers SET answer = 'other ' || hash(answer), class = 'k' || hash(class),
            matched = 'words ' || hash(matched) WHERE {others}"""
        connection.execute(answers, values)
        for (table,) in tables if ids else ():
            name = """CASE WHEN run = 'all' THEN run ELSE 'run ' || hash(run) END"""
            connection.execute(f'UPDATE "{table}" SET run = {name} WHERE {others}', values)
        connection.execute(
            f"""UPDATE questions SET key = 'labelled ' || hash(key) WHERE (collection, judge) IN (
            SELECT collection, judge FROM judges WHERE {BY_ANSWERS})"""
        )


def quoted(database: Path, team: Team, files: Iterable[tuple[str, bytes]]) -> set[str]:
    """Ids and answers of other runs that a parcel of the team has and has no reason to have."""
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.sql(
            """SELECT collection, run, answer FROM answers
            UNION SELECT collection, run, matched FROM answers"""
        ).fetchall()
        runs = connection.sql("SELECT collection, run FROM runs").fetchall()
        allowed = connection.sql(
            f"""SELECT text FROM questions UNION SELECT question FROM questions
            UNION SELECT key FROM questions JOIN judges USING (collection, judge)
            WHERE NOT ({BY_ANSWERS})
            UNION SELECT title FROM collections UNION SELECT collection FROM collections
            UNION SELECT judge FROM judges UNION SELECT measure FROM measures
            UNION SELECT label FROM measures UNION SELECT type FROM questions"""
        ).fetchall()
    own = set(team.runs)
    fine = [text for (text,) in allowed if text]
    fine += [answer for collection, run, answer in rows if answer and (collection, run) in own]
    fine += [run for _, run in own] + [team.name]
    legitimate = "\n".join(fine)
    foreign = {answer for collection, run, answer in rows if (collection, run) not in own}
    content = "\n".join(html.unescape(file.decode()) for _, file in files)
    texts = {
        text
        for text in foreign
        if text and len(text) >= LONG_ENOUGH and text not in legitimate and text in content
    }
    ids = {run for collection, run in runs if (collection, run) not in own} - _words(legitimate)
    return texts | {run for run in ids if run in _words(content) or (" " in run and run in content)}


def _words(text: str) -> set[str]:
    """Its words, and what stands between commas, quotation marks and signs of HTML."""
    return set(re.split(r"\s+", text)) | set(re.split(r"[,\"<>\n]", text))
