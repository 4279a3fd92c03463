"""The matrix of runs and questions: what a judge says of each first answer, a character a cell.

    r  right                        R  withheld, with a right candidate
    w  wrong                        W  withheld, with a wrong candidate
    x  without a verdict: wrong     u  nothing was answered
    .  the run has no row           (space)  the judge does not judge the question

Where the samples of a run differ, the character says which share of them is right: it is that share
in units of 1/50,000, from FIRST on. `script/data.js` reads them.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import polars as pl

from qampaign.arrays import Numbers

FIRST = 0x1000
"""The character of a share of 0; that of 1 is below all surrogates."""

UNITS = 50_000

OTHER, ABSENT = ord(" "), ord(".")


def state(correct: Mapping[str, Collection[str]]) -> pl.Expr:
    """The character of an answer; `correct` has the verdicts that count as correct by judge."""
    counts = pl.any_horizontal(
        (pl.col("judge") == judge) & pl.col("verdict").is_in(list(verdicts))
        for judge, verdicts in correct.items()
    )
    refused = pl.col("verdict") == "not_attempted"
    return (
        pl.when((~pl.col("answered") & pl.col("answer").is_null()) | refused).then(pl.lit("u"))
        .when(pl.col("correct")).then(pl.lit("r"))
        .when(pl.col("answered") & pl.col("unassessed")).then(pl.lit("x"))
        .when("answered").then(pl.lit("w"))
        .when(counts).then(pl.lit("R"))
        .otherwise(pl.lit("W"))
    )  # fmt: skip


def fill(matrix: Numbers, answers: pl.DataFrame) -> None:
    """Enter the first answers of a judge: question, run (both by number), state and correct."""
    alike = pl.col("state").n_unique() == 1
    share = (pl.col("correct").mean() * UNITS).round().cast(pl.Int64) + FIRST
    single = pl.col("state").first().replace_strict(CODES, return_dtype=pl.Int64)
    cells = answers.group_by("question", "run").agg(
        code=pl.when(alike).then(single).otherwise(share)
    )
    matrix[cells["question"].to_numpy(), cells["run"].to_numpy()] = cells["code"].to_numpy()


CODES = {sign: ord(sign) for sign in "rwxRWu"}


def empty_matrix(judged: Sequence[bool], runs: int) -> Numbers:
    """A matrix of a judge before its answers are entered."""
    column = np.where(np.array(judged, dtype=bool), ABSENT, OTHER).astype("<u2")
    return np.repeat(column[:, None], runs, axis=1)


def text(matrix: Numbers) -> str:
    """The cells, question by question.

    >>> matrix = empty_matrix([True, False], 2)
    >>> rows = {"question": [0, 0, 0], "run": [0, 1, 1], "state": ["r", "r", "w"]}
    >>> fill(matrix, pl.DataFrame(rows | {"correct": [True, True, False]}))
    >>> text(matrix) == "r" + chr(FIRST + UNITS // 2) + "  "
    True
    """
    return matrix.astype("<u2").tobytes().decode("utf-16-le")
