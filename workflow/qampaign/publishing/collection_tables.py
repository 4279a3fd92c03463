"""The published tables of one collection, from what jobs computed: kept as Parquet and as CSV.

Publishing puts the files of all collections together. So a change in one collection writes the
files of that one, and no others.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from qampaign.files import write_csv, write_parquet
from qampaign.input import store
from qampaign.measures.configured import configure
from qampaign.publishing.answers import JudgedFile, describe_questions
from qampaign.publishing.changes import find_changes
from qampaign.publishing.compared_figures import compare_figures, find_logged
from qampaign.publishing.costs import RESOURCES, add_up, compare_costs
from qampaign.publishing.history import continue_history
from qampaign.running.job_records import Content
from qampaign.tables import LONG, RESULT_TABLES, conform, empty, schema_of, without_quotes

FOLDERS = {"difficulty": "questions", "curves": "roc"}
"""Folders in which jobs leave tables that have another name."""

OF_CAMPAIGN = ("gate", "provenance")
"""The tables that are of the whole campaign, and of no collection."""


Described = Mapping[str, Any]
"""What the config says of a collection: its title, judges, measures and the like."""

PUBLISHED = "SELECT value FROM provenance WHERE topic = 'time' AND name = 'published'"


def gather(
    database: Path,
    collection: str,
    previous: Mapping[str, pl.DataFrame],
    *,
    described: Described,
    computed: Sequence[tuple[str, str | None, str]],
    judged: Sequence[JudgedFile],
    figures: Sequence[str],
    logged: Mapping[str, tuple[str | None, bool]],
) -> dict[str, pl.DataFrame]:
    """All tables of a collection but the long ones, also those without rows.

    `described` has its title, judges, measures and the like; `computed` lists the files that were
    computed for it, each with its folder and judge, `judged` those with judgments; `figures` are
    files with published figures to compare with, `logged` the judges that figures in logs may be
    of, see :func:`qampaign.publishing.compared_figures.find_logged`. `previous` are its tables as
    they were published last.
    """
    sources, remarks = store.read_sources(database, collection)
    tables = _read(collection, computed)
    intervals = tables.pop("intervals", empty("intervals"))
    tables |= {
        "scores": _with_intervals(tables["scores"], intervals),
        "collections": pl.DataFrame(
            [{**described, "collection": collection}], schema=schema_of("collections")
        ),
        "runs": _runs(
            tables["runs"],
            store.read_run_information(database, collection),
            store.read_resources(database, collection),
        ),
        "judges": _judges(collection, described, tables["questions"]),
        "questions": describe_questions(
            tables["questions"],
            store.reader(database, collection),
            {judge: kind for judge, (kind, _) in described["judges"].items()},
            judged,
        ),
        "measures": _measures(collection, described),
        "sources": sources,
        "remarks": pl.concat(
            [remarks, tables["remarks"].select(remarks.columns)], how="vertical_relaxed"
        ),
    }
    tables["suspects"] = tables["suspects"].join(
        tables["questions"].select("judge", "question", "text", "key"),
        on=["judge", "question"],
        how="left",
        maintain_order="left",
    )
    ranking = tables["measures"].filter(measure=described["primary"])["better"]
    tables["costs"] = compare_costs(
        tables["runs"], tables["scores"], described, ranking[0] if len(ranking) else "high"
    )
    tables = conform(tables)
    paths = [Path(file) for file in figures]
    of_logs = find_logged(
        store.read_logged_figures(database, collection),
        logged,
        map(configure, described["measures"]),
    )
    tables |= {
        "published": compare_figures(tables, collection, paths, described["reference"], of_logs),
        "changes": find_changes(tables, previous),
    }
    tables["history"] = continue_history(tables, previous, described)
    return {name: table for name, table in tables.items() if name not in (*OF_CAMPAIGN, *LONG)}


def write(tables: Mapping[str, pl.DataFrame], folder: Path) -> list[Path]:
    """Write tables that have rows, each as Parquet and as CSV, and delete the others."""
    written: list[Path] = []
    for name, table in tables.items():
        files = parquet_of(folder, name), csv_of(folder, name)
        if table.is_empty():
            for path in files:
                path.unlink(missing_ok=True)
        else:
            write_parquet(table, files[0])
            write_csv(table, files[1])
            written += files
    return written


def parquet_of(folder: Path, table: str) -> Path:
    """Where a table of a collection is, if it has rows."""
    return folder / f"{table}.parquet"


def csv_of(folder: Path, table: str) -> Path:
    """Where the same table is as CSV."""
    return folder / f"{table}.csv"


def read(folder: Path, *, quotes: bool = True) -> dict[str, pl.DataFrame]:
    """The tables of a collection but the long ones; or without texts of answers and keys."""
    paths = {name: parquet_of(folder, name) for name in RESULT_TABLES}
    tables = {
        name: pl.read_parquet(path) if path.exists() else empty(name)
        for name, path in paths.items()
        if name not in (*OF_CAMPAIGN, *LONG)
    }
    if quotes:
        return tables
    return {name: without_quotes(name, table) for name, table in tables.items()}


def manifest(
    rows: Mapping[str, int], written: Mapping[str, Content], figures: Mapping[str, Content]
) -> dict[str, object]:
    """What the tables are and were made from: rows, the hash of each file, published figures."""
    return {
        "rows": dict(rows),
        "sha256": {Path(path).name: file.sha256 for path, file in written.items()},
        "figures": [file.sha256 for file in figures.values()],
    }


def read_last(
    database: Path, collection: str, wanted: Collection[str]
) -> dict[str, pl.DataFrame] | None:
    """Those of the wanted tables that were published last, of one collection.

    None where the database is damaged; no tables where there is none, or not this collection.
    `published` is when that was.
    """
    if not database.exists():
        return {}
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            names = connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()
            tables = {
                name: connection.sql(
                    f'FROM "{name}" WHERE collection = ?', params=[collection]
                ).pl()
                for (name,) in names
                if name in wanted
            }
            if "published" in wanted and "provenance" in [name for (name,) in names]:
                tables["published"] = connection.sql(PUBLISHED).pl()
    except duckdb.Error as error:
        print(f"{database} cannot be read: {error}")
        return None
    return tables if any(tables[name].height for name in tables if name != "published") else {}


def read_history(folder: Path) -> dict[str, pl.DataFrame]:
    """The history as it was gathered last, where the published one is lost."""
    path = parquet_of(folder, "history")
    try:
        return {"history": pl.read_parquet(path)}
    except (OSError, pl.exceptions.PolarsError):
        return {}


def _runs(
    computed: pl.DataFrame, information: pl.DataFrame, resources: pl.DataFrame
) -> pl.DataFrame:
    """The runs, baselines and what-if runs, with the information on them, in columns.

    What they took in all is there where files say it of any run.
    """
    runs = computed.select("collection", "run", "kind").unique(maintain_order=True)
    taken = add_up(resources, information)
    taken = taken.select("run", *(name for name in RESOURCES if taken[name].is_not_null().any()))
    information = information.drop(RESOURCES)
    runs = runs.join(information, on="run", how="left", maintain_order="left")
    runs = runs.join(taken, on="run", how="left", maintain_order="left")
    more: list[dict[str, str]] = [json.loads(text or "{}") for text in runs["more"]]
    further = {name: None for row in more for name in row if name not in runs.columns}
    columns = [pl.Series(name, [row.get(name) for row in more], pl.String) for name in further]
    return runs.drop("more").with_columns(columns)


def _with_intervals(scores: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """The scores with the intervals of their values and ranks, where these were studied."""
    keys = ["collection", "judge", "measure", "slice", "run"]
    bounds = intervals.drop("undefined")
    return scores.join(bounds, on=keys, how="left", maintain_order="left")


def _judges(collection: str, described: Described, questions: pl.DataFrame) -> pl.DataFrame:
    """The judges, each with the number of questions that it judges."""
    rows = [
        (collection, judge, kind, judge == described["reference"], threshold)
        for judge, (kind, threshold) in described["judges"].items()
    ]
    judged = questions.group_by("collection", "judge").agg(pl.len().alias("questions"))
    schema = schema_of("judges", "questions")
    return pl.DataFrame(rows, schema=schema, orient="row").join(
        judged, on=["collection", "judge"], how="left", maintain_order="left"
    )


def _measures(collection: str, described: Described) -> pl.DataFrame:
    copied = ("better", "task", "citation", "formula", "summary", "test")
    rows = [
        {
            "collection": collection,
            "measure": measure.name,
            "label": measure.label,
            **{key: getattr(measure, key) for key in copied},
            "options": json.dumps(options, ensure_ascii=False) if options else None,
            "primary": measure.name == described["primary"],
        }
        for measure in map(configure, described["measures"])
        for options in [measure.shown_options]
    ]
    return pl.DataFrame(rows, schema=schema_of("measures"))


def _read(
    collection: str, computed: Sequence[tuple[str, str | None, str]]
) -> dict[str, pl.DataFrame]:
    """The tables that jobs computed, each piece with its collection and judge."""
    pieces: dict[str, list[pl.DataFrame]] = {}
    texts = pl.selectors.categorical() | pl.selectors.enum()
    for folder, judge, file in computed:
        keys = [pl.lit(collection).alias("collection")]
        if judge is not None:
            keys.append(pl.lit(judge).alias("judge"))
        table = pl.read_parquet(file).select(*keys, pl.all()).with_columns(texts.cast(pl.String))
        pieces.setdefault(FOLDERS.get(folder, folder), []).append(table)
    return {name: pl.concat(frames, how="diagonal_relaxed") for name, frames in pieces.items()}
