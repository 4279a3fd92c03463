"""Small tables for judges, from rows that give only what matters."""

from typing import Any

import polars as pl

from qampaign.judging.judgments import Judged

Row = dict[str, Any]

LABELS = ("question", "run", "sample", "rank", "answer", "assessor", "verdict", "level", "class")
SCHEMAS = {
    "responses": {
        "run": pl.String,
        "question": pl.String,
        "sample": pl.String,
        "rank": pl.Int64,
        "line": pl.UInt32,
        "answer": pl.String,
        "confidence": pl.Float64,
        "score": pl.Float64,
        "answered": pl.Boolean,
    },
    "assessments": dict.fromkeys(LABELS, pl.String) | {"rank": pl.Int64},
    "keys": dict.fromkeys(("question", "key", "level", "class"), pl.String)
    | {"literal": pl.Boolean},
    "patterns": dict.fromkeys(("question", "pattern"), pl.String),
    "questions": {
        "question": pl.String,
        "type": pl.String,
        "nil": pl.Boolean,
        "known": pl.Int64,
        "group": pl.String,
        "language": pl.String,
        "date": pl.Date,
    },
}


def table(name: str, rows: list[Row]) -> pl.DataFrame:
    """A table as the database has it; what a row leaves out is null, or what it is by default."""
    complete: list[Row] = rows
    if name == "responses":
        given = ({"answered": row.get("answer") is not None} | row for row in rows)
        complete = [{"run": "a", "question": "q1", "rank": 1} | row for row in given]
    elif name == "questions":
        complete = [{"nil": False} | row for row in rows]
    else:
        complete = [{"question": "q1"} | row for row in rows]
    return pl.DataFrame(complete, schema=SCHEMAS[name])


def judge_by(
    judge: Any,
    by: str,
    responses: list[Row],
    rows: list[Row],
    questions: list[Row] | None = None,
    **options: Any,
) -> Judged:
    """What a judge says of responses, by rows of the table `by`."""
    names = {row.get("question", "q1") for row in [*responses, *rows]}
    questions = questions or [{"question": name} for name in sorted(names)]
    return judge(
        table("responses", responses),
        table(by, rows),
        table("questions", questions),
        name="Collection c, judge j",
        **options,
    )
