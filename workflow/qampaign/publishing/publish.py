"""The published tables: gathered from the collections, written whole, read back for the report."""

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import yaml

from qampaign.files import replacing, write_csv, write_text
from qampaign.input import store
from qampaign.measures import MEASURES
from qampaign.plugins import plugin_versions
from qampaign.publishing.changes import find_changes
from qampaign.publishing.compared_figures import compare_figures
from qampaign.running.code_digest import versions
from qampaign.running.job_records import look_at
from qampaign.tables import conform, empty, schema_of

FOLDERS = {"difficulty": "questions", "curves": "roc"}
"""Folders in which jobs leave tables that have another name."""


def gather(
    database: Path,
    previous: Mapping[str, pl.DataFrame],
    *,
    results: Path,
    collections: Mapping[str, Mapping[str, Any]],
    computed: Sequence[tuple[str, str, str | None, str]],
    config: Mapping[str, Any],
    folder: str,
    figures: Mapping[str, Sequence[str]],
) -> dict[str, pl.DataFrame]:
    """All published tables of a campaign.

    `collections` says of each its title, judges, measures and the like; `computed` lists the files
    that were computed for them, each with its folder, collection and judge; `config` is what they
    were made from, `folder` where it stands; `figures` has files with published figures to compare
    with. `previous` are the tables as they were published last.
    """
    sources, remarks = store.read_sources(database)
    paths = {name: [Path(file) for file in files] for name, files in figures.items()}
    tables = _read(computed)
    intervals = tables.pop("intervals", empty("intervals"))
    tables |= {
        "scores": _with_intervals(tables["scores"], intervals),
        "collections": _collections(collections),
        "runs": _runs(tables["runs"], store.read_runs(database)),
        "judges": _judges(collections, tables["questions"]),
        "measures": _measures(collections),
        "sources": sources,
        "remarks": remarks,
        "provenance": _provenance(
            sources, [path for files in paths.values() for path in files], folder, results, config
        ),
    }
    tables = conform(tables)
    references = {name: described["reference"] for name, described in collections.items()}
    return tables | {
        "published": compare_figures(tables, paths, references),
        "changes": find_changes(tables, previous),
    }


def write(
    tables: Mapping[str, pl.DataFrame], config: Mapping[str, Any], results: Path
) -> list[Path]:
    """Write the tables as a database and as CSV, and the config that they were made from."""
    database, effective = results / "results.duckdb", results / "config.yaml"
    csv = {results / "report/tables" / f"{name}.csv": table for name, table in tables.items()}
    write_database(tables, database)
    write_text(effective, as_yaml(config))
    for path, table in csv.items():
        write_csv(table, path)
    return [database, effective, *csv]


def manifest(tables: Mapping[str, pl.DataFrame], written: Iterable[Path]) -> dict[str, Any]:
    """What was published: the rows of each table, and the hash of each file."""
    return {
        "rows": {name: table.height for name, table in tables.items()},
        "sha256": {Path(path).name: file.sha256 for path, file in look_at(written).items()},
    }


def write_database(tables: Mapping[str, pl.DataFrame], path: Path) -> None:
    """Write all tables as one database, which takes its name when it is complete."""
    with replacing(path) as temporary, duckdb.connect(str(temporary)) as connection:
        for name, frame in tables.items():
            connection.register("frame", frame)
            connection.execute(f'CREATE TABLE "{name}" AS FROM frame')
            connection.unregister("frame")


def read_last(path: Path, wanted: Collection[str]) -> dict[str, pl.DataFrame]:
    """Those of the wanted tables that were published last; none from a database that is damaged."""
    try:
        return read_database(path, wanted) if path.exists() else {}
    except duckdb.Error as error:
        print(f"{path} cannot be read: {error}")
        return {}


def read_database(path: Path, wanted: Collection[str]) -> dict[str, pl.DataFrame]:
    """Those of the wanted tables that a published database has."""
    with duckdb.connect(str(path), read_only=True) as connection:
        names = connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()
        return {name: connection.sql(f'FROM "{name}"').pl() for (name,) in names if name in wanted}


def as_yaml(config: Mapping[str, Any]) -> str:
    """The config that the results were made from, with every default filled in."""
    return yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True)


def _collections(collections: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    schema = schema_of("collections")
    rows = [{**described, "collection": name} for name, described in collections.items()]
    return pl.DataFrame(rows, schema=schema)


def _runs(computed: pl.DataFrame, information: pl.DataFrame) -> pl.DataFrame:
    """The runs, baselines and what-if runs, with the information on them, in columns."""
    runs = computed.select("collection", "run", "kind").unique(maintain_order=True)
    runs = runs.join(information, on=["collection", "run"], how="left", maintain_order="left")
    more: list[dict[str, Any]] = [json.loads(text or "{}") for text in runs["more"]]
    further = {name: None for row in more for name in row if name not in runs.columns}
    columns = [pl.Series(name, [row.get(name) for row in more], pl.String) for name in further]
    return runs.drop("more").with_columns(columns)


def _with_intervals(scores: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """The scores with the intervals of their values and ranks, where these were studied."""
    keys = ["collection", "judge", "measure", "slice", "run"]
    bounds = intervals.drop("undefined")
    return scores.join(bounds, on=keys, how="left", maintain_order="left")


def _judges(collections: Mapping[str, Mapping[str, Any]], questions: pl.DataFrame) -> pl.DataFrame:
    """The judges, each with the number of questions that it judges."""
    rows = [
        (collection, judge, kind, judge == described["reference"], threshold)
        for collection, described in collections.items()
        for judge, (kind, threshold) in described["judges"].items()
    ]
    judged = questions.group_by("collection", "judge").agg(pl.len().alias("questions"))
    schema = schema_of("judges", "questions")
    return pl.DataFrame(rows, schema=schema, orient="row").join(
        judged, on=["collection", "judge"], how="left", maintain_order="left"
    )


def _measures(collections: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    copied = ("better", "task", "citation", "formula", "summary")
    rows = [
        {
            "collection": collection,
            "measure": name,
            "label": label,
            **{key: getattr(MEASURES[measure], key) for key in copied},
            "options": json.dumps(options, ensure_ascii=False) if options else None,
            "primary": name == described["primary"],
        }
        for collection, described in collections.items()
        for name, (measure, label, options) in described["measures"].items()
    ]
    return pl.DataFrame(rows, schema=schema_of("measures"))


def _read(computed: Sequence[tuple[str, str, str | None, str]]) -> dict[str, pl.DataFrame]:
    """The tables that jobs computed, each piece with its collection and judge."""
    pieces: dict[str, list[pl.DataFrame]] = {}
    texts = pl.selectors.categorical() | pl.selectors.enum()
    for folder, collection, judge, file in computed:
        keys = [pl.lit(collection).alias("collection")]
        if judge is not None:
            keys.append(pl.lit(judge).alias("judge"))
        table = pl.read_parquet(file).select(*keys, pl.all()).with_columns(texts.cast(pl.String))
        pieces.setdefault(FOLDERS.get(folder, folder), []).append(table)
    return {name: pl.concat(frames, how="diagonal_relaxed") for name, frames in pieces.items()}


def _provenance(
    sources: pl.DataFrame,
    figures: Iterable[Path],
    folder: str,
    results: Path,
    config: Mapping[str, Any],
) -> pl.DataFrame:
    """What the results were made from and by: versions, config, seed, files, times."""
    files = dict(sources.select("path", "sha256").rows())
    files |= {
        os.path.relpath(path, folder): content.sha256 for path, content in look_at(figures).items()
    }
    now = datetime.now(UTC).isoformat(timespec="seconds")
    rows: list[tuple[str, str, str]] = [
        ("time", "published", now),
        ("seed", "seed", str(config["seed"])),
        *(("version", name, number) for name, number in (versions() | plugin_versions()).items()),
        *(("source", path, digest) for path, digest in sorted(files.items())),
        ("config", "config.yaml", as_yaml(config)),
        *_times(results, config["collections"]),
    ]
    return pl.DataFrame(rows, schema=["topic", "name", "value"], orient="row")


def _times(results: Path, collections: Mapping[str, Any]) -> Sequence[tuple[str, str, str]]:
    """How many seconds each job took, from the benchmarks that the workflow keeps.

    It keeps those of collections that are gone, too, and may be killed while it writes one.
    """
    folder = results / "benchmarks"
    rows = []
    for path in sorted(folder.rglob("*.tsv")):
        job = path.relative_to(folder).with_suffix("")
        _, *measured = path.read_text(encoding="utf-8").splitlines() or [""]
        if measured and (len(job.parts) == 1 or job.parts[0] in collections):
            rows.append(("seconds", job.as_posix(), measured[0].split("\t")[0]))
    return rows
