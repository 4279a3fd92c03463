"""A parcel for each team: its own scores and answers, and of the field what names nobody.

A team is what `run_info` says of a run; a run of which it says nothing is a team of its own. Only
submitted runs are in parcels. The field are all submitted runs of a collection; the others of a run
are all submitted runs but itself, also those of its own team.

What other participants answered must not be in a parcel. So no column is taken in that can quote
them: what a judge accepts only where a key or patterns say so (people's labels are labels of
answers that somebody gave), and no class, which assessors may call after an answer.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import duckdb
import polars as pl

from qampaign.files import write_csv, write_text
from qampaign.judging.judges import JUDGES
from qampaign.publishing.answers import WRITTEN_AS
from qampaign.publishing.unjudged import UNJUDGED

WRITTEN = ".written.json"
"""Beside the parcels: which files we wrote there, with their hashes."""

NAMING = "field.csv"
"""The file with the names of other runs."""

MOST_SIGNS, MOST_BYTES = 80, 200
"""A longer name of a folder is cut: disks take 255 bytes."""

DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""What some systems take for a device, whatever the folder."""

WRITING = [kind for kind, judge in JUDGES.items() if judge.by in WRITTEN_AS]
"""The kinds of judges for which somebody wrote down what is right."""

TEAMS = """
SELECT coalesce(nullif(trim(team), ''), run) AS name, nullif(trim(team), '') IS NOT NULL AS is_team,
  collection, run
FROM runs WHERE kind = 'submitted' ORDER BY ALL
"""

SHARES = f"""
CREATE OR REPLACE TEMP TABLE shares AS
SELECT asked.collection, asked.judge, asked.question, runs.run,
  (asked.collection, asked.judge, runs.run) NOT IN ({UNJUDGED}) AS judged,
  CASE WHEN asked.difficulty IS NOT NULL THEN coalesce(given.share, 0.0) END AS share
FROM questions asked
JOIN runs ON runs.collection = asked.collection AND runs.kind = 'submitted'
LEFT JOIN (
  SELECT collection, judge, question, run, avg(correct::INT) AS share FROM answers WHERE rank = 1
  GROUP BY ALL
) given ON given.collection = asked.collection AND given.judge = asked.judge
  AND given.question = asked.question AND given.run = runs.run
"""
"""Of every question and submitted run the share of its samples with a correct first answer; NULL by
a judge that calls nothing right, which says of no question how difficult it is. `judged`: the judge
has a verdict on some answer of the run; else it is not in the field."""

FIELD = """
CREATE OR REPLACE TEMP TABLE field AS
SELECT collection, judge, question, max(share) AS best, median(share) AS median,
  min(share) AS worst, avg(share) AS mean, sum(share) AS sum, count(*) AS runs
FROM shares WHERE judged GROUP BY ALL
"""

DESCRIBED = """
SELECT collection, title, reference, measure, label, better,
  NOT EXISTS (
    FROM questions WHERE questions.collection = collections.collection
      AND questions.judge = collections.reference AND questions.difficulty IS NOT NULL
  ) AS is_scored
FROM collections JOIN measures USING (collection) WHERE measures."primary"
ORDER BY collections.rowid
"""

UNJUDGED_BY_REFERENCE = f"""
SELECT unjudged.collection, run FROM ({UNJUDGED}) unjudged
JOIN collections ON collections.collection = unjudged.collection
  AND collections.reference = unjudged.judge
ORDER BY ALL
"""

LABELS = "SELECT collection, measure, label FROM measures ORDER BY rowid"

VALUES = f"""
SELECT collection, value FROM scores JOIN runs USING (collection, run)
JOIN collections USING (collection)
WHERE runs.kind = 'submitted' AND slice = 'all' AND value IS NOT NULL
  AND judge = collections.reference AND measure = collections."primary"
  AND (collection, run) NOT IN ({UNJUDGED_BY_REFERENCE})
ORDER BY collection, value
"""

ALONE = """
SELECT collection, measure FROM scores JOIN collections USING (collection)
WHERE slice = 'all' AND judge = collections.reference
GROUP BY ALL HAVING count(rank_low) = 1
"""
"""The measures by which one run alone is ranked: it has no rank to be sure of."""

OWN = "SEMI JOIN own USING (collection, run)"
OF_TEAM = {
    "scores": f"FROM scores {OWN} ORDER BY ALL",
    "counts": f"FROM counts {OWN} ORDER BY ALL",
    "answers": f"SELECT * EXCLUDE (class) FROM answers {OWN} ORDER BY ALL",
    "questions": f"""
        SELECT asked.collection, asked.judge, asked.question, asked.type, asked.text,
          CASE WHEN judges.kind IN (FROM unnest($written)) THEN asked.key END AS key,
          asked.difficulty, field.best, field.median, field.worst, field.mean,
          shares.run, shares.share AS value,
          round((field.sum - if(judged, shares.share, 0))
            / nullif(field.runs - judged::INT, 0), 12) AS others
        FROM (FROM shares {OWN}) shares
        LEFT JOIN field USING (collection, judge, question)
        JOIN questions asked USING (collection, judge, question)
        JOIN judges USING (collection, judge)
        ORDER BY asked.collection, asked.judge, asked.question, shares.run""",
    "calibration": f"FROM reliability {OWN} ORDER BY ALL",
}
"""The tables of a parcel, for the runs in the table `own`."""

NAMED = """
SELECT scores.*, runs.team FROM scores JOIN runs USING (collection, run)
WHERE runs.kind = 'submitted' ORDER BY ALL
"""
"""What `names` adds: the scores of all submitted runs."""

KEYS = ("key", "matched")
"""Columns that quote a key: only with `open: true`."""


class Team(NamedTuple):
    """A team, or a run without one."""

    name: str
    is_team: bool
    folder: str
    runs: tuple[tuple[str, str], ...]
    """Its runs, each with its collection."""


@dataclass(frozen=True)
class Parcel:
    """What a team gets."""

    team: Team
    tables: Mapping[str, pl.DataFrame]
    field: pl.DataFrame
    """collection and value: what the submitted runs have by the ranking measure and the reference,
    without names, in the order of values; not those that the reference has no verdict on."""
    described: pl.DataFrame
    """Of the collections: collection, title, reference, measure, label, better, and whether the
    reference gives scores alone."""
    unjudged: pl.DataFrame
    """collection and run: the submitted runs that the reference has no verdict on."""
    alone: pl.DataFrame
    """collection and measure: those by which the reference ranks one run alone."""
    labels: pl.DataFrame
    """collection, measure and label."""
    published: str
    """When the results were published that it was made from."""


def find_teams(connection: duckdb.DuckDBPyConnection) -> list[Team]:
    """The teams, each with a folder of its own."""
    runs: dict[tuple[str, bool], list[tuple[str, str]]] = {}
    for name, is_team, collection, run in connection.sql(TEAMS).fetchall():
        runs.setdefault((name, is_team), []).append((collection, run))
    teams: list[Team] = []
    taken: set[str] = set()
    for name, is_team in sorted(runs, key=lambda pair: (not pair[1], pair[0])):
        folder = folder_name(name)
        # a run can be called as a team is, or by other capitals; and one as such a folder is
        while folder.casefold() in taken:
            folder = f"{folder}-{_digits(f'{is_team} {name}')}"
        taken.add(folder.casefold())
        teams.append(Team(name, is_team, folder, tuple(runs[name, is_team])))
    return teams


def folder_name(name: str) -> str:
    """A name as that of a folder: what a disk may not take is replaced, and a hash tells it apart.

    >>> folder_name("team-1.b"), folder_name("a/b"), folder_name("..")
    ('team-1.b', 'a-b-c14cddc0', '-.-5ec1f7e7')
    """
    plain = re.sub(r"[^\w.-]|^\.", "-", name)[:MOST_SIGNS]
    plain = plain.encode()[:MOST_BYTES].decode(errors="ignore")
    good = plain == name and not DEVICE.fullmatch(name) and not name.endswith(".")
    return plain if good else f"{plain}-{_digits(name)}"


def _digits(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


def make_parcels(
    connection: duckdb.DuckDBPyConnection, *, is_open: bool, names: bool = False
) -> Iterator[Parcel]:
    """The parcel of each team. `names` adds the names and scores of other runs.

    Unless `is_open`, parcels are without texts of keys.
    """
    for query in (SHARES, FIELD):
        connection.execute(query)
    field, described, unjudged, alone, labels = (
        connection.sql(query).pl()
        for query in (VALUES, DESCRIBED, UNJUDGED_BY_REFERENCE, ALONE, LABELS)
    )
    published = connection.sql(
        "SELECT value FROM provenance WHERE topic = 'time' AND name = 'published'"
    ).fetchall()
    named = connection.sql(NAMED).pl() if names else None
    for team in find_teams(connection):
        team_runs = pl.DataFrame(team.runs, schema=["collection", "run"], orient="row")
        connection.register("own", team_runs)
        tables = {}
        for name, query in OF_TEAM.items():
            parameters = {"written": WRITING} if "$written" in query else {}
            tables[name] = connection.sql(query, params=parameters).pl()
        connection.unregister("own")
        taking_part = team_runs["collection"].unique().to_list()
        if named is not None:
            tables["field"] = named.filter(pl.col("collection").is_in(taking_part))
        yield Parcel(
            team,
            {name: _allowed(table, is_open=is_open) for name, table in tables.items()},
            field.filter(pl.col("collection").is_in(taking_part)),
            described.filter(pl.col("collection").is_in(taking_part)),
            unjudged.filter(pl.col("collection").is_in(taking_part)),
            alone.filter(pl.col("collection").is_in(taking_part)),
            labels.filter(pl.col("collection").is_in(taking_part)),
            "".join(time for (time,) in published),
        )


def _allowed(table: pl.DataFrame, *, is_open: bool) -> pl.DataFrame:
    """A table with texts of keys only where they may be shown; none where nobody wrote a key."""
    quoting = [name for name in KEYS if name in table.columns]
    empty = [name for name in quoting if table[name].null_count() == table.height]
    return table.drop(empty if is_open else quoting)


class Written(NamedTuple):
    """What a call wrote, and what it left."""

    folders: list[Path]
    """Those of the parcels."""
    kept: list[str]
    """Files of earlier calls that this one does not write, and that somebody has changed."""
    naming: list[str]
    """Files that name other runs and that this call did not write."""


def write_parcels(folder: Path, parcels: Iterable[tuple[Parcel, str]]) -> Written:
    """Write parcels, each with its page.

    What an earlier call wrote and this one does not is removed, unless somebody has changed it;
    then it stays known, and each later call says so.
    """
    record = folder / WRITTEN
    earlier = _read(record)
    written: dict[str, str] = {}
    folders = []
    for parcel, page in parcels:
        team_folder = folder / parcel.team.folder
        folders.append(team_folder)
        tables = parcel.tables.items()
        files = {f"{name}.csv": table for name, table in tables if table.height}
        # first, so that a killed call leaves nothing that nobody knows of
        planned = [f"{parcel.team.folder}/{name}" for name in (*files, "index.html")]
        _note(record, earlier | dict.fromkeys(planned, "") | written)
        for name, table in files.items():
            write_csv(table, team_folder / name)
        write_text(team_folder / "index.html", page)
        written |= {name: _hash(folder / name) for name in planned}
    kept: dict[str, str] = {}
    for name, digest in earlier.items():
        path = folder / name
        if name in written or not path.is_file():
            continue
        if digest not in ("", _hash(path)):
            kept[name] = digest
            continue
        path.unlink()
        with suppress(OSError):  # somebody keeps something there
            path.parent.rmdir()
    _note(record, written | kept)
    # also one of which the record is lost
    found = {f"{each.name}/{NAMING}" for each in folders if (each / NAMING).is_file()}
    found |= {name for name in kept if Path(name).name == NAMING}
    return Written(folders, sorted(kept), sorted(found - written.keys()))


def describe_kept(written: Written) -> list[str]:
    """What is to be said of files that stay, in lines for the terminal.

    >>> for line in describe_kept(Written([], ["a/x.csv", "b/x.csv"], ["a/field.csv"])):
    ...     print(line.replace(": ", ":\\n  "))
    1 file with names and scores of other runs stays, since it is not as it was written:
      a/field.csv
    2 files that are not needed any more stay, since they are not as they were written:
      a/x.csv, b/x.csv
    """
    others = [name for name in written.kept if name not in written.naming]
    such = (
        (written.naming, *["with names and scores of other runs"] * 2),
        (others, "that is not needed any more", "that are not needed any more"),
    )
    return [
        f"1 file {one} stays, since it is not as it was written: {files[0]}"
        if len(files) == 1
        else f"{len(files):,} files {many} stay, since they are not as they were written: "
        + ", ".join(files)
        for files, one, many in such
        if files
    ]


def _note(record: Path, written: Mapping[str, str]) -> None:
    write_text(record, json.dumps(dict(sorted(written.items())), indent=1, ensure_ascii=False))


def _read(record: Path) -> dict[str, str]:
    """What was written before; nothing where the record is lost or damaged."""
    try:
        noted = json.loads(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(noted, dict):
        return {}
    return {
        name: str(digest)
        for name, digest in noted.items()
        if len(Path(name).parts) == 2 and ".." not in Path(name).parts
    }


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
