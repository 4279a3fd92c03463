"""What the rules ingest, judge and score do, for one collection in a folder."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import polars as pl

from qampaign.files import write_parquet
from qampaign.input import reading, sources, store
from qampaign.input.collection_files import CollectionFiles
from qampaign.input.formats import Source
from qampaign.input.ingest import ingest as run_ingest
from qampaign.input.rows import FileRows
from qampaign.judging import assessments, declaration, judges
from qampaign.judging.judgments import DEGREES, Judged
from qampaign.measures import scoring
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured

LABELS = {"R": "right", "W": "wrong", "X": "inexact", "U": "unsupported"}


def ingest(folder: Path, **patterns: Sequence[str]) -> None:
    """Load the files of a folder into its database."""
    tables = ("questions", "responses", "runs", "assessments")
    run_ingest(
        [
            CollectionFiles(
                "c", str(folder), {t: patterns.get(t, []) for t in tables}, labels=LABELS
            )
        ],
        database=folder / "campaign.duckdb",
        fingerprints=folder / "fingerprints",
        problems_csv=folder / "problems.csv",
        code="bench",
    )


def judge_and_score(folder: Path, measures: Sequence[Configured]) -> pl.DataFrame:
    """Judge and score what was loaded, with every file that the rules write; gives the scores."""
    read_back = partial(store.read, folder / "campaign.duckdb", "c")
    judged = assessments.assessments(
        read_back("responses", judges.RESPONSES),
        read_back("assessments", declaration.COLUMNS["assessments"]),
        read_back("questions", judges.QUESTIONS),
        name="bench",
    )
    write_parquet(judged.judgments, folder / "judgments.parquet")
    write_parquet(judged.questions, folder / "questions.parquet")
    write_parquet(judged.known_answers, folder / "known.parquet")
    del judged
    questions = pl.read_parquet(folder / "questions.parquet")
    evidence = scoring.collect_evidence(
        pl.scan_parquet(folder / "judgments.parquet").drop(DEGREES).collect(),
        questions,
        measures,
        reference=questions,
        known_answers=pl.scan_parquet(folder / "known.parquet"),
        correct=["right"],
    )
    scores = scoring.score(evidence, list(measures))
    write_parquet(evidence.frame(), folder / "evidence.parquet")
    write_parquet(scores, folder / "scores.parquet")
    write_parquet(scoring.count(evidence), folder / "counts.parquet")
    write_parquet(scoring.describe_questions(evidence, measures), folder / "difficulty.parquet")
    return scores


def judge_in_memory(responses: Sequence[Path], labels: Path) -> Judged:
    """Read, check and judge files, and keep nothing: for programs that keep nothing either."""

    def read_files(table: str, paths: Sequence[Path]) -> pl.DataFrame:
        read = sources.parse_all([sources.read_bytes(path) for path in paths], paths)
        files = [
            FileRows(path.name, path.stem, source)
            for path, source in zip(paths, read, strict=True)
            if isinstance(source, Source)
        ]
        rows = reading.read(table, files, CollectionFiles("c", "", {}, labels=LABELS))
        assert not len(rows.problems)
        return rows.frame

    assessed = read_files("assessments", [labels])
    names = assessed.select("question").unique(maintain_order=True)
    types = {"type": pl.String, "nil": pl.Boolean, "known": pl.Int64, "group": pl.String}
    questions = names.with_columns(pl.lit(None, kind).alias(name) for name, kind in types.items())
    return assessments.assessments(
        read_files("responses", responses),
        assessed,
        questions.with_columns(nil=pl.lit(False)),
        name="bench",
    )


def collect(judged: Judged, measures: Sequence[Configured]) -> Evidence:
    """What the measures are functions of."""
    return scoring.collect_evidence(
        judged.judgments,
        judged.questions,
        measures,
        reference=judged.questions,
        known_answers=judged.known_answers,
        correct=["right"],
    )
