"""Gathering the tables: from the files of the jobs, the database and the config, as declared."""

import json
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from qampaign.files import escape_formulas
from qampaign.judging.assessments import assessments
from qampaign.publishing import collection_tables, publish
from qampaign.publishing.answers import JudgedFile
from qampaign.publishing.database import read_database, write_database
from qampaign.tables import LONG, RESULT_TABLES, conform, empty, schema_of
from tests.helpers.toy_campaign import FILES, Campaign
from tests.judging.tables import judge_by

pytestmark = pytest.mark.slow


SCORES = {
    "measure": ["accuracy"] * 2, "slice": ["all"] * 2, "run": ["a", "b"], "value": [1.0, 0.0],
    "questions": [2, 2], "rank_first": pl.Series([1, 2], dtype=pl.UInt32),
    "rank_last": pl.Series([1, 2], dtype=pl.UInt32), "missing": [0.0, 0.0],
    "if_wrong": pl.Series([None, None], dtype=pl.Float64),
    "if_right": pl.Series([None, None], dtype=pl.Float64),
}  # fmt: skip
COMPUTED: dict[str, dict[str, Any]] = {
    "scores": SCORES,
    "runs": {"run": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])), "kind": ["submitted"] * 2},
    "difficulty": {"question": ["q1", "q2"], "slice": ["all"] * 2, "group": ["g", "g"], "right_runs": [1, 1],
                   "best": [True, True], "difficulty": [0.5, 0.5], "item_rest": [0.2, None]},
    "curves": {"run": ["a"], "threshold": [0.5], "tp_rate": [1.0], "fp_rate": [0.0],
               "precision": [1.0], "tp": [1], "fp": [0]},
    "intervals": {"measure": ["accuracy"], "slice": ["all"], "run": ["a"], "low": [0.9],
                  "high": [1.0], "rank_low": [1], "rank_high": [2], "own_rank_low": [1],
                  "own_rank_high": [1], "leading": [True], "undefined": [0]},
    "suspects": {"question": ["q1"], "item_rest": [-0.5], "right_runs": [1.0], "answer": ["Lyon"],
                 "verdict": ["wrong"], "runs": [2]},
    "remarks": {"file": [""], "column": [""], "remark": ["judge people: ties"], "count": [1]},
}  # fmt: skip
COLLECTION = {
    "title": "Toy", "task": "answering", "language": "en", "note": None, "reference": "people",
    "primary": "accuracy", "unit": "group",
    "judges": {"people": ("assessments", None), "key": ("key", 0.25)},
    "measures": [
        {"name": "accuracy", "measure": "accuracy", "label": "accuracy", "options": {}},
        {"name": "mrr_3", "measure": "mrr", "label": "MRR", "options": {"cutoff": 3}},
    ],
}  # fmt: skip


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """The toy campaign: run a has information that no table declares."""
    campaign = Campaign(tmp_path)
    campaign.write(FILES | {"info.csv": "run,team,parameters\na,Alpha,7B\n"})
    campaign.write({"figures.csv": "source,table,column,run,measure,published\n"})
    campaign.ingest()
    return campaign


@pytest.fixture
def tables(campaign: Campaign, tmp_path: Path) -> dict[str, pl.DataFrame]:
    computed: list[tuple[str, str | None, str]] = []
    for folder, columns in COMPUTED.items():
        file = tmp_path / f"{folder}.parquet"
        pl.DataFrame(columns).write_parquet(file)
        computed.append((folder, "people", str(file)))
    judgments = tmp_path / "judgments.parquet"
    judge_by(assessments, "assessments", [{"answer": "Paris"}], [{"answer": "Paris", "verdict": "right"}]
             ).judgments.write_parquet(judgments)  # fmt: skip
    return collection_tables.gather(
        campaign.database,
        "toy",
        {},
        described=COLLECTION,
        computed=computed,
        judged=[JudgedFile("people", str(judgments), ["right"])],
        figures=[str(Path(campaign.files.folder, "figures.csv"))],
        logged={},
    )


@pytest.fixture
def published(campaign: Campaign, tables: dict[str, pl.DataFrame], tmp_path: Path) -> Path:
    """The results folder in which the toy collection is published, twice, under two names."""
    results = tmp_path / "results"
    other = {
        name: table.with_columns(collection=pl.lit("other")) for name, table in tables.items()
    } | {"runs": tables["runs"].drop("parameters").with_columns(collection=pl.lit("other"))}
    folders = [results / name / "tables" for name in ("toy", "other")]
    for folder, own in zip(folders, (tables, other), strict=True):
        collection_tables.write(own, folder)
    for job in ("ingest", "toy/score/people", "gone/score/people"):
        path = results / "benchmarks" / f"{job}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("s\tmax_rss\n2.5\t100\n")
    rows, written = publish.publish(
        results,
        folders,
        config={"seed": 7, "collections": {"toy": {}, "other": {}}},
        folder=campaign.files.folder,
        figures=[str(Path(campaign.files.folder, "figures.csv"))],
    )
    assert rows.keys() == RESULT_TABLES.keys()
    assert rows["scores"] == 4
    assert all(path.exists() for path in written)
    return results


def test_every_table_is_there_with_the_columns_and_types_that_are_declared(
    tables: dict[str, pl.DataFrame],
) -> None:
    assert {*tables, *collection_tables.OF_CAMPAIGN, *LONG} == {*RESULT_TABLES}
    for name, table in tables.items():
        declared = {n: t for n, t in schema_of(name).items() if n in table.columns}
        further = ["parameters"] if name == "runs" else []
        assert table.columns == [*declared, *further]
        assert dict(table.select(*declared).schema) == declared
        assert set(empty(name).columns) <= set(table.columns)


def test_scores_have_the_intervals_that_there_are(tables: dict[str, pl.DataFrame]) -> None:
    bounds = tables["scores"].select("run", "rank_last", "low", "high", "rank_low", "missing")
    assert bounds.rows() == [("a", 1, 0.9, 1.0, 1, 0.0), ("b", 2, None, None, None, 0.0)]


def test_suspect_questions_come_with_what_the_judge_accepts(
    tables: dict[str, pl.DataFrame],
) -> None:
    assert tables["suspects"].select("question", "key", "answer").rows() == [
        ("q1", "Paris", "Lyon")
    ]


def test_judges_measures_and_runs_are_described(tables: dict[str, pl.DataFrame]) -> None:
    assert tables["judges"].rows() == [
        ("toy", "people", "assessments", True, None, 2),
        ("toy", "key", "key", False, 0.25, None),
    ]
    measures = tables["measures"].select("measure", "label", "better", "options", "primary")
    assert measures.rows() == [
        ("accuracy", "accuracy", "high", None, True),
        ("mrr_3", "MRR", "high", json.dumps({"cutoff": 3}), False),
    ]
    assert tables["runs"].rows() == [
        ("toy", "a", "submitted", "Alpha", None, None, "7B"),
        ("toy", "b", "submitted", None, None, None, None),
    ]
    assert tables["collections"].rows() == [
        ("toy", "Toy", "answering", "en", None, "people", "accuracy", "group")
    ]
    assert tables["roc"].select("run", "tp").rows() == [("a", 1)]


def test_provenance_has_every_source_and_the_jobs_of_today(published: Path) -> None:
    rows = pl.read_csv(published / "report/tables/provenance.csv").rows()
    sources = [name for topic, name, _ in rows if topic == "source"]
    runs = ["runs/a.csv", "runs/b.csv"]
    assert sources == ["assessments.csv", "figures.csv", "info.csv", "questions.csv", *runs]
    assert [row[1:] for row in rows if row[0] == "seconds"] == [
        ("ingest", "2.5"), ("toy/score/people", "2.5"),
    ]  # fmt: skip
    assert ("seed", "seed", "7") in rows


def test_a_column_that_no_table_declares_is_an_error_of_ours() -> None:
    with pytest.raises(ValueError, match="declares odd"):
        conform({"causes": empty("causes").with_columns(odd=pl.lit(1))})
    with pytest.raises(pl.exceptions.ColumnNotFoundError, match="share"):
        conform({"causes": empty("causes").drop("share")})


def test_the_database_has_the_types_of_the_tables(published: Path) -> None:
    kinds = {pl.String: "VARCHAR", pl.Int64: "BIGINT", pl.Float64: "DOUBLE", pl.Boolean: "BOOLEAN"}
    with duckdb.connect(str(published / "results.duckdb"), read_only=True) as connection:
        for table in ("scores", "swap"):  # with rows, and without
            query = f"SELECT column_name, column_type FROM (DESCRIBE {table})"
            rows = connection.sql(query).fetchall()
            assert dict(rows) == {name: kinds[kind] for name, kind in schema_of(table).items()}


def test_the_database_and_the_csv_files_have_the_rows_of_all_collections(published: Path) -> None:
    written = read_database(published / "results.duckdb", RESULT_TABLES)
    for name, table in written.items():
        path = published / "report/tables" / f"{name}.csv"
        if name in LONG:
            assert not path.exists()
        else:
            assert path.read_text(encoding="utf-8") == escape_formulas(table).write_csv(), name
    assert written["scores"]["collection"].to_list() == ["toy", "toy", "other", "other"]
    # a column that only the first collection has
    assert written["runs"].select("run", "parameters").rows() == [
        ("a", "7B"), ("b", None), ("a", None), ("b", None),
    ]  # fmt: skip


def test_columns_of_the_campaign_stand_in_the_order_that_is_declared(tmp_path: Path) -> None:
    """The second collection has columns that the first lacks, in the middle of the table."""
    both = schema_of("counts")
    lacking = empty("counts").columns
    assert [*both][: len(lacking)] == lacking  # else this shows nothing
    for number, columns in enumerate((lacking[:2], [*both])):
        frame = pl.DataFrame(
            {name: [None] for name in columns}, schema={n: both[n] for n in columns}
        )
        collection_tables.write({"counts": frame}, tmp_path / f"{number}")
    folders = [tmp_path / "0", tmp_path / "1"]
    pieces = {"counts": [collection_tables.parquet_of(folder, "counts") for folder in folders]}
    write_database(pieces, {}, tmp_path / "d.duckdb")
    assert read_database(tmp_path / "d.duckdb", ["counts"])["counts"].columns == [*both]


def test_a_table_that_has_no_rows_any_more_leaves_no_file(tmp_path: Path) -> None:
    full = pl.DataFrame({"collection": ["c"]})
    assert len(collection_tables.write({"causes": full}, tmp_path)) == 2
    assert collection_tables.write({"causes": full.clear()}, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
def test_the_last_results_are_those_of_the_collection(
    published: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = published / "results.duckdb"
    read = collection_tables.read_last(database, "other", ["scores"])
    assert read is not None
    assert set(read["scores"]["collection"]) == {"other"}
    assert collection_tables.read_last(database, "new", ["scores"]) == {}
    assert collection_tables.read_last(tmp_path / "none.duckdb", "toy", ["scores"]) == {}
    database.write_bytes(b"no database")
    assert collection_tables.read_last(database, "toy", ["scores"]) is None
    assert "results.duckdb cannot be read" in capsys.readouterr().out


def test_what_is_not_open_is_in_no_csv(tmp_path: Path) -> None:
    """The database has the answer; the CSV file has the column, with nothing in it."""
    row = {"collection": "toy", "question": "q1", "answer": "Paris", "assessors": 2, "right": 1}
    disputed = pl.DataFrame([row], schema_overrides={"assessors": pl.Int64, "right": pl.Int64})
    tables = conform({"disputed": pl.concat([empty("disputed"), disputed], how="diagonal")})
    collection_tables.write(tables, tmp_path / "toy/tables")
    rule = {"from": "a", "where": "answer = 'Paris'", "set": {"answer": "Rome"}}
    config = {"seed": 1, "collections": {"toy": {"derived": {"b": rule}}}}
    for is_open in (True, False):
        publish.publish(
            tmp_path, [tmp_path / "toy/tables"], config=config, folder=str(tmp_path), figures=[],
            is_open=is_open,
        )  # fmt: skip
        written = "".join(path.read_text() for path in (tmp_path / "report/tables").iterdir())
        assert [name in written for name in ("Paris", "Rome")] == [is_open] * 2
        found = read_database(tmp_path / "results.duckdb", ["disputed"])["disputed"]
        assert found["answer"].to_list() == ["Paris"]
        assert "Rome" in (tmp_path / "config.yaml").read_text()
    csv = pl.read_csv(tmp_path / "report/tables/disputed.csv")
    assert csv.columns == empty("disputed").columns
    assert csv["question"].to_list() == ["q1"]
    kept = collection_tables.read(tmp_path / "toy/tables", quotes=False)["disputed"]
    assert kept["answer"].to_list() == [None]
