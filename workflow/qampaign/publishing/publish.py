"""The published tables: gathered from the collections, written whole, read back for the report."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import yaml

from qampaign.files import replacing, write_csv, write_text
from qampaign.input import store
from qampaign.input.published_figures import compare
from qampaign.measures import MEASURES
from qampaign.plugins import plugin_versions
from qampaign.publishing.changes import find_changes
from qampaign.running.code_digest import versions
from qampaign.running.job_records import look_at
from qampaign.tables import TABLES, TYPES, empty

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
    published: Mapping[str, Sequence[str]],
) -> dict[str, pl.DataFrame]:
    """All published tables of a campaign.

    `collections` says of each its title, judges, measures and the like; `computed` lists the files
    that were computed for them, each with its folder, collection and judge; `config` is what they
    were made from; `published` has files with figures to compare with. `previous` are the tables
    as they were published last.
    """
    sources, remarks = store.read_sources(database)
    found = _read(computed)
    found["scores"] = _with_intervals(found["scores"], found.get("intervals", empty("intervals")))
    tables = found | {
        "collections": _collections(collections),
        "runs": _runs(found["runs"], store.read_runs(database)),
        "judges": _judges(collections, found["questions"]),
        "measures": _measures(collections),
        "sources": sources,
        "remarks": remarks,
        "provenance": _provenance(sources, results, config),
    }
    whole = {name: tables.get(name, empty(name)) for name in TABLES}
    figures = {name: [Path(file) for file in files] for name, files in published.items()}
    references = {name: each["reference"] for name, each in collections.items()}
    whole["published"] = compare(whole, figures, references)
    whole["changes"] = find_changes(whole, previous)
    return whole


def write(
    tables: Mapping[str, pl.DataFrame], config: Mapping[str, Any], results: Path
) -> list[Path]:
    """Write the tables as a database and as CSV, and the config that they were made from."""
    database, effective = results / "results.duckdb", results / "config.yaml"
    csv = {results / "report" / "tables" / f"{name}.csv": each for name, each in tables.items()}
    write_database(tables, database)
    write_text(effective, as_yaml(config))
    for path, table in csv.items():
        write_csv(table, path)
    return [database, effective, *csv]


def manifest(tables: Mapping[str, pl.DataFrame], written: Iterable[Path]) -> dict[str, Any]:
    """What was published: the rows of each table, and the hash of each file."""
    return {
        "rows": {name: each.height for name, each in tables.items()},
        "sha256": {Path(path).name: each.sha256 for path, each in look_at(written).items()},
    }


def write_database(tables: Mapping[str, pl.DataFrame], path: Path) -> None:
    """Write all tables as one database. It takes its name when it is whole: nobody sees a half."""
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
    names = ("title", "task", "language", "note", "reference", "primary")
    rows = [
        {"collection": id, **{name: each.get(name) for name in names}}
        for id, each in collections.items()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(["collection", *names], pl.String))


def _runs(computed: pl.DataFrame, told: pl.DataFrame) -> pl.DataFrame:
    """The runs, baselines and what-if runs, with what is told about them, in columns."""
    runs = computed.select("collection", "run", "kind").unique(maintain_order=True)
    runs = runs.join(told, on=["collection", "run"], how="left", maintain_order="left")
    more: list[dict[str, Any]] = [json.loads(text or "{}") for text in runs["more"]]
    further = {name: None for row in more for name in row if name not in runs.columns}
    columns = [pl.Series(name, [row.get(name) for row in more], pl.String) for name in further]
    return runs.drop("more").with_columns(columns)


def _with_intervals(scores: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """The scores with the intervals of their values and ranks, where these were studied."""
    keys = ["collection", "judge", "measure", "slice", "run"]
    bounds = intervals.select(*keys, "low", "high", "rank_low", "rank_high")
    with_bounds = scores.drop("low", "high").join(
        bounds, on=keys, how="left", maintain_order="left"
    )
    return with_bounds.select(pl.exclude("missing"), "missing")


def _judges(collections: Mapping[str, Mapping[str, Any]], questions: pl.DataFrame) -> pl.DataFrame:
    """The judges, each with the number of questions that it covers."""
    names = ["collection", "judge", "kind", "reference", "threshold"]
    rows = [
        (id, name, kind, name == each["reference"], threshold)
        for id, each in collections.items()
        for name, (kind, threshold) in each["judges"].items()
    ]
    covered = questions.group_by("collection", "judge").agg(pl.len().alias("questions"))
    schema = {name: TYPES.get(name, pl.String) for name in names} | {"reference": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row").join(
        covered, on=["collection", "judge"], how="left", maintain_order="left"
    )


def _measures(collections: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    rows = []
    for id, each in collections.items():
        for name, (measure, label, options) in each["measures"].items():
            declared = MEASURES[measure]
            about = {
                key: getattr(declared, key) for key in ("better", "task", "citation", "formula")
            }
            primary = {
                "summary": declared.summary,
                "options": json.dumps(options, ensure_ascii=False) if options else None,
                "primary": name == each["primary"],
            }
            rows.append({"collection": id, "measure": name, "label": label, **about, **primary})
    return pl.DataFrame(rows, schema_overrides={"options": pl.String})


def _read(computed: Sequence[tuple[str, str, str | None, str]]) -> dict[str, pl.DataFrame]:
    """The tables that jobs computed, each part with its collection and judge."""
    parts: dict[str, list[pl.DataFrame]] = {}
    texts = pl.selectors.categorical() | pl.selectors.enum()
    for folder, collection, judge, file in computed:
        keys = [pl.lit(collection).alias("collection")]
        if judge is not None:
            keys.append(pl.lit(judge).alias("judge"))
        table = pl.read_parquet(file).select(*keys, pl.all()).with_columns(texts.cast(pl.String))
        parts.setdefault(FOLDERS.get(folder, folder), []).append(table)
    return {name: pl.concat(own, how="diagonal_relaxed") for name, own in parts.items()}


def _provenance(sources: pl.DataFrame, results: Path, config: Mapping[str, Any]) -> pl.DataFrame:
    """What the results were made from and by: versions, config, seed, files, times."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    rows: list[tuple[str, str, str]] = [
        ("time", "published", now),
        ("seed", "seed", str(config["seed"])),
        *(("version", name, number) for name, number in (versions() | plugin_versions()).items()),
        *(
            ("source", path, digest)
            for path, digest in sources.select("path", "sha256").unique().sort("path").rows()
        ),
        ("config", "config.yaml", as_yaml(config)),
        *_times(results, config["collections"]),
    ]
    return pl.DataFrame(rows, schema=["topic", "name", "value"], orient="row")


def _times(results: Path, collections: Mapping[str, Any]) -> Sequence[tuple[str, str, str]]:
    """How many seconds each job took, from the benchmarks that the workflow keeps.

    It keeps those of collections that are gone, too, and may be killed while it writes one.
    """
    folder = results / "benchmarks"
    found = []
    for path in sorted(folder.rglob("*.tsv")):
        job = path.relative_to(folder).with_suffix("")
        _, *measured = path.read_text(encoding="utf-8").splitlines() or [""]
        if measured and (len(job.parts) == 1 or job.parts[0] in collections):
            found.append(("seconds", job.as_posix(), measured[0].split("\t")[0]))
    return found
