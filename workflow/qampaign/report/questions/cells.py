"""The matrix of runs and questions: what a judge says of each first answer, a character a cell.

    r  right                        R  withheld, with a right candidate
    w  wrong                        W  withheld, with a wrong candidate
    x  without a verdict: wrong     u  nothing was answered
    .  the run has no row           (space)  the judge does not judge the question

Where the samples of a run differ, the character says which share of them is right: it is that share
in units of 1/50,000, from FIRST on. By a judge that gives scores alone every such character is a
score, or the mean over samples; what has none counts as 0:

    u  nothing was answered         x  without a score         h  withheld

`script/data.js` reads them.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import polars as pl

from qampaign.arrays import Numbers

FIRST = 0x1000
"""The character of a share of 0; that of 1 is below all surrogates."""

UNITS = 50_000

OTHER, ABSENT = ord(" "), ord(".")


SCORE = "s"
"""The state of an answer with a score, which has no character of its own."""


def state(correct: Mapping[str, Collection[str]], scored: Collection[str]) -> pl.Expr:
    """The character of an answer; `correct` has the verdicts that count as correct by judge.

    `scored` are the judges that give scores alone.
    """
    counts = pl.any_horizontal(
        (pl.col("judge") == judge) & pl.col("verdict").is_in(list(verdicts))
        for judge, verdicts in correct.items()
    )
    refused = pl.col("verdict") == "not_attempted"
    is_scored = pl.col("judge").is_in(list(scored))
    return (
        pl.when((~pl.col("answered") & pl.col("answer").is_null()) | refused).then(pl.lit("u"))
        .when(is_scored & ~pl.col("answered")).then(pl.lit("h"))
        .when(is_scored & pl.col("degree").is_null()).then(pl.lit("x"))
        .when(is_scored).then(pl.lit(SCORE))
        .when(pl.col("correct")).then(pl.lit("r"))
        .when(pl.col("answered") & pl.col("unassessed")).then(pl.lit("x"))
        .when("answered").then(pl.lit("w"))
        .when(counts).then(pl.lit("R"))
        .otherwise(pl.lit("W"))
    )  # fmt: skip


def share() -> pl.Expr:
    """How far an answer counts as right: 0 or 1, or its score."""
    score = pl.col("degree").fill_null(0.0).clip(0, 1)
    return pl.when(state=SCORE).then(score).otherwise(pl.col("correct").cast(pl.Float64))


def fill(matrix: Numbers, answers: pl.DataFrame) -> None:
    """Enter the first answers of a judge: question, run (both by number), state and share."""
    alike = (pl.col("state").n_unique() == 1) & (pl.col("state").first() != SCORE)
    share = (pl.col("share").mean() * UNITS).round().cast(pl.Int64) + FIRST
    single = pl.col("state").first().replace_strict(CODES, return_dtype=pl.Int64)
    cells = answers.group_by("question", "run").agg(
        code=pl.when(alike).then(single).otherwise(share)
    )
    matrix[cells["question"].to_numpy(), cells["run"].to_numpy()] = cells["code"].to_numpy()


def hidden_unassessed(answers: pl.DataFrame, runs: int) -> list[int]:
    """The cells with an unassessed answer whose character does not say so, by number.

    Those are cells of samples that differ, and of answers that are withheld.
    """
    unassessed = pl.col("verdict").cast(pl.String) == "unassessed"
    cells = answers.group_by("question", "run").agg(
        hidden=unassessed.any() & (pl.col("state") != "x").any()
    )
    hidden = cells.filter("hidden").select(pl.col("question").cast(pl.Int64) * runs + pl.col("run"))
    return hidden.to_series().sort().to_list()


CODES = {sign: ord(sign) for sign in f"rwxRWuh{SCORE}"}


def empty_matrix(judged: Sequence[bool], runs: int) -> Numbers:
    """A matrix of a judge before its answers are entered."""
    column = np.where(np.array(judged, dtype=bool), ABSENT, OTHER).astype("<u2")
    return np.repeat(column[:, None], runs, axis=1)


def text(matrix: Numbers) -> str:
    """The cells, question by question.

    >>> matrix = empty_matrix([True, False], 2)
    >>> rows = {"question": [0, 0, 0], "run": [0, 1, 1], "state": ["r", "r", "w"]}
    >>> fill(matrix, pl.DataFrame(rows | {"share": [1.0, 1.0, 0.0]}))
    >>> text(matrix) == "r" + chr(FIRST + UNITS // 2) + "  "
    True
    """
    return matrix.astype("<u2").tobytes().decode("utf-16-le")
