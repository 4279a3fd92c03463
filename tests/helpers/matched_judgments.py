"""Judgments of two judges made from rows, for tests of agreement."""

import polars as pl

from qampaign.agreement.agreement import match
from qampaign.judging.judgments import Verdict, in_order, without_degrees


def judgments(
    rows: list[tuple],
    columns: tuple[str, ...] = ("run", "question", "rank", "verdict"),
    runs: str = "abc",
    questions: tuple[str, ...] = ("q1", "q2", "q3", "q4"),
) -> pl.DataFrame:
    """Judgments with the columns that matter here; nil is false unless given."""
    types = {
        "run": pl.Enum(list(runs)),
        "question": pl.Enum(questions),
        "sample": pl.String,
        "rank": pl.Int64,
        "verdict": Verdict,
        "degree": pl.Float64,
        "recall": pl.Float64,
        "nil": pl.Boolean,
    }
    frame = pl.DataFrame(rows, schema={name: types[name] for name in columns}, orient="row")
    if "nil" not in columns:
        frame = frame.with_columns(nil=pl.lit(False))
    return in_order(without_degrees(frame))


QUESTIONS = pl.DataFrame(
    {"question": ["q1", "q2", "q3", "q4"], "type": ["factoid", "factoid", "list", None]}
)


def matched(judge: pl.DataFrame, reference: pl.DataFrame, **options) -> pl.DataFrame:
    correct = {"correct": ["right"], "reference_correct": ["right"]}
    return match(judge, reference, QUESTIONS, **{**correct, **options})


def graded(cells: list[tuple[float | None, bool, int]], threshold: float = 0.25) -> pl.DataFrame:
    """Matched judgments of one run from (recall, right by the reference, how many of these)."""
    rows = [(recall, right) for recall, right, number in cells for _ in range(number)]
    recall = pl.Series([each[0] for each in rows], dtype=pl.Float64)
    right = pl.Series([each[1] for each in rows], dtype=pl.Boolean)
    accepted = (recall > threshold).fill_null(False)
    word = [pl.when(each).then(pl.lit("right")).otherwise(pl.lit("wrong")) for each in ("accepted", "right")]  # fmt: skip
    return pl.DataFrame(
        {"right": right, "accepted": accepted, "degree": recall, "recall": recall}
    ).with_columns(
        run=pl.lit("a", pl.Enum(["a"])),
        question=pl.lit("q1", pl.Enum(["q1"])),
        rank=pl.int_range(1, len(rows) + 1),
        type=pl.lit(None, pl.Enum([])),
        verdict=word[0].cast(Verdict),
        reference_verdict=word[1].cast(Verdict),
        precision=pl.lit(None, pl.Float64),
        form=pl.lit(None, pl.String),
        unit=pl.lit(0, pl.UInt32),
    )
