"""The published tables: put together from those of the collections."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import yaml

from qampaign.config.conditions import read_condition
from qampaign.config.schema import Config
from qampaign.files import replacing, write_csv, write_text
from qampaign.judging.derived import Rule
from qampaign.plugins import plugin_versions
from qampaign.publishing.collection_tables import OF_CAMPAIGN, csv_of, parquet_of
from qampaign.publishing.database import write_database
from qampaign.publishing.gate import NEEDED, check
from qampaign.running.code_digest import versions
from qampaign.running.job_records import BENCHMARKS, Content, look_at
from qampaign.tables import (
    LONG,
    RESULT_TABLES,
    empty,
    has_quotes,
    in_order,
    schema_of,
    without_quotes,
)


def publish(
    results: Path,
    folders: Sequence[Path],
    *,
    config: Config,
    folder: str,
    figures: Iterable[str],
    gate: Sequence[str] = (),
    is_open: bool = True,
    last: bool = False,
) -> tuple[dict[str, int], list[Path]]:
    """Write the tables of all collections as a database and as CSV, and the config.

    `folders` hold the tables of the collections, `config` is what they were made from, `folder`
    where it stands, `figures` are the files with published figures, `gate` conditions on the
    results. Unless `is_open`, the CSV files and the config in the table of provenance are without
    texts of answers and keys. With `last` the database is as it was published last, so that only
    what differs is written. Gives the number of rows of each table and the files written.
    """
    database, effective = results / "results.duckdb", results / "config.yaml"
    pieces = {name: _pieces(folders, name) for name in RESULT_TABLES}
    text = as_yaml(config)
    shown = text if is_open else as_yaml(without_answers(config))
    provenance = pl.DataFrame(
        [
            *_origin(_sources(pieces["sources"]), figures, folder, config["seed"]),
            ("config", "config.yaml", shown),
            *_times(results, config["collections"]),
        ],
        schema=schema_of("provenance"),
        orient="row",
    )
    of_campaign = {"gate": _gate(gate, pieces), "provenance": provenance}
    rows = write_database(pieces, of_campaign, database, last=last)
    write_text(effective, text)
    tables = results / "report/tables"
    shown_as_csv = [name for name in RESULT_TABLES if name not in LONG]
    written = [tables / f"{name}.csv" for name in shown_as_csv]
    for name, path in zip(shown_as_csv, written, strict=True):
        if name in OF_CAMPAIGN:
            write_csv(of_campaign[name], path)
        elif has_quotes(name) and not is_open:
            _write_whole(pieces[name], name, path, quotes=False)
        else:
            _write_joined([csv_of(piece.parent, name) for piece in pieces[name]], name, path)
    return rows, [database, effective, *written]


def _gate(texts: Iterable[str], pieces: Mapping[str, Sequence[Path]]) -> pl.DataFrame:
    """Whether the results fulfil the conditions of the gate."""
    conditions = [condition for condition in map(read_condition, texts) if condition is not None]
    if not conditions:
        return empty("gate")
    tables = {
        name: pl.concat([empty(name), *map(pl.read_parquet, pieces[name])], how="diagonal")
        for name in NEEDED
    }
    return check(conditions, tables)


def _pieces(folders: Iterable[Path], table: str) -> list[Path]:
    return [path for folder in folders if (path := parquet_of(folder, table)).exists()]


def _write_joined(pieces: Sequence[Path], table: str, path: Path) -> None:
    """Write the rows of some CSV files as one; their bytes follow each other, if columns agree."""
    headers = []
    for piece in pieces:
        with piece.open("rb") as file:
            headers.append(file.readline())
    if not pieces:
        write_csv(empty(table), path)
    elif len(set(headers)) == 1:
        with replacing(path) as temporary, temporary.open("wb") as whole:
            whole.write(headers[0])
            for piece in pieces:
                with piece.open("rb") as file:
                    file.readline()
                    while block := file.read(2**20):
                        whole.write(block)
    else:
        _write_whole([piece.with_suffix(".parquet") for piece in pieces], table, path)


def _write_whole(pieces: Sequence[Path], table: str, path: Path, *, quotes: bool = True) -> None:
    """Write the rows of some Parquet files as one CSV file, with or without texts of answers."""
    joined = pl.concat([empty(table), *map(pl.read_parquet, pieces)], how="diagonal_relaxed")
    ordered = joined.select(in_order(table, joined.columns))
    write_csv(ordered if quotes else without_quotes(table, ordered), path)


def manifest(rows: Mapping[str, int], written: Mapping[str, Content]) -> dict[str, object]:
    """What was published: the rows of each table, and the hash of each file."""
    return {
        "rows": dict(rows),
        "sha256": {Path(path).name: file.sha256 for path, file in written.items()},
    }


class _InFull(yaml.SafeDumper):
    """Writes a value that stands at several places at each of them."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def as_yaml(config: Config) -> str:
    """The config that the results were made from, with every default filled in.

    Equal configs are written alike, whether or not their values are the same objects.

    >>> correct = ["right"]
    >>> print(as_yaml({"correct": correct, "other": correct}), end="")
    correct:
    - right
    other:
    - right
    """
    return yaml.dump(dict(config), Dumper=_InFull, sort_keys=False, allow_unicode=True)


WITHHELD = "not shown (open: false)"


def without_answers(config: Config) -> Config:
    """The config without texts of answers: what-if runs name some.

    >>> rule = {"from": "a", "where": "answer = 'Paris'", "set": {"answer": "Rome", "score": 1}}
    >>> shown = without_answers({"collections": {"demo": {"derived": {"b": rule}}}})
    >>> shown["collections"]["demo"]["derived"]["b"]["set"]
    {'answer': 'not shown (open: false)', 'score': 1}
    """
    collections = {
        name: {**collection, "derived": _without_answers(collection.get("derived", {}))}
        for name, collection in config["collections"].items()
    }
    return {**config, "collections": collections}


def _without_answers(derived: Mapping[str, Rule]) -> dict[str, Rule]:
    return {
        run: {
            **rule,
            "where": WITHHELD,
            "set": {
                key: WITHHELD if key == "answer" else value for key, value in rule["set"].items()
            },
        }
        for run, rule in derived.items()
    }


def _sources(pieces: Iterable[Path]) -> dict[str, str]:
    """The hash of every raw file, by its path."""
    frames = (pl.read_parquet(piece, columns=["path", "sha256"]) for piece in pieces)
    return {path: digest for frame in frames for path, digest in frame.rows()}


def _origin(
    sources: Mapping[str, str], figures: Iterable[str], folder: str, seed: int
) -> list[tuple[str, str, str]]:
    """When the results were published, and what they were made from and by."""
    files = dict(sources) | {
        os.path.relpath(path, folder): content.sha256 for path, content in look_at(figures).items()
    }
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [
        ("time", "published", now),
        ("seed", "seed", str(seed)),
        *(("version", name, number) for name, number in (versions() | plugin_versions()).items()),
        *(("source", path, digest) for path, digest in sorted(files.items())),
    ]


def _times(results: Path, collections: Collection[str]) -> Sequence[tuple[str, str, str]]:
    """How many seconds each job took by its own account, but for collections that are gone."""
    folder = results / BENCHMARKS
    rows = []
    for path in sorted(folder.rglob("*.tsv")):
        job = path.relative_to(folder).with_suffix("")
        _, *measured = path.read_text(encoding="utf-8").splitlines() or [""]
        if measured and (len(job.parts) == 1 or job.parts[0] in collections):
            rows.append(("seconds", job.as_posix(), measured[0].split("\t")[0]))
    return rows
