"""What the rules ingest, judge and score do, for one collection in a folder."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from qampaign import scoring, store
from qampaign.baselines import collect_all
from qampaign.cells import Cells
from qampaign.files import write_parquet
from qampaign.ingest import Files
from qampaign.ingest import ingest as run_ingest
from qampaign.judging import assessments
from qampaign.rows import Options
from qampaign.scoring import Configured

LABELS = {"R": "right", "W": "wrong", "X": "inexact", "U": "unsupported"}
RESPONSES = ("run", "question", "rank", "line", "answer", "confidence", "score", "answered")
ASSESSMENTS = ("question", "run", "rank", "answer", "assessor", "verdict", "level", "class")
QUESTIONS = ("question", "type", "nil", "known", "group")


def ingest(folder: Path, **patterns: Sequence[str]) -> None:
    """Load the files of a folder into its database."""
    tables = ("questions", "responses", "runs", "assessments")
    run_ingest(
        [Files("c", str(folder), {t: patterns.get(t, []) for t in tables}, Options(labels=LABELS))],
        database=folder / "campaign.duckdb",
        fingerprints=folder / "fingerprints",
        problems_csv=folder / "problems.csv",
        code="bench",
    )


def judge_and_score(folder: Path, measures: Sequence[Configured]) -> pl.DataFrame:
    """Judge and score what was loaded, with every file that the rules write; gives the scores."""

    def read(table: str, columns: Sequence[str]) -> pl.DataFrame:
        return store.read(folder / "campaign.duckdb", table, "c", columns)

    judged = assessments.judge(
        read("responses", RESPONSES),
        read("assessments", ASSESSMENTS),
        read("questions", QUESTIONS),
        name="bench",
    )
    write_parquet(judged.judgments, folder / "judgments.parquet")
    write_parquet(judged.questions, folder / "questions.parquet")
    write_parquet(judged.known_answers, folder / "known.parquet")
    del judged
    questions = pl.read_parquet(folder / "questions.parquet")
    cells = Cells.of(
        pl.read_parquet(folder / "judgments.parquet"),
        questions,
        reference=questions,
        known_answers=pl.scan_parquet(folder / "known.parquet"),
        correct=["right"],
    )
    columns = [column for each in measures for column in each.columns().values()]
    evidence = collect_all(cells, columns)
    scores = scoring.score(evidence, list(measures))
    write_parquet(evidence.frame(), folder / "evidence.parquet")
    write_parquet(scores, folder / "scores.parquet")
    write_parquet(scoring.count(evidence), folder / "counts.parquet")
    write_parquet(scoring.describe_questions(evidence), folder / "difficulty.parquet")
    return scores
