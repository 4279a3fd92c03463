"""Ranks with shared ranges: equal values share them, as in "5..14"."""

import polars as pl

SAME = 1e-9
"""Values closer than this are equal: floating point must not decide a rank."""


def rank_ranges(scores: pl.DataFrame, by: list[str], value: str = "value") -> pl.DataFrame:
    """Add rank_first and rank_last within each group `by`; null where there is no value.

    `value` names the column that ranks; the column `better` says whether high or low is better.

    >>> scores = pl.DataFrame({"run": ["a", "b", "c", "d"], "value": [0.3, 0.5, 0.3, None],
    ...                        "better": "high"})
    >>> rank_ranges(scores, by=["better"]).select("run", "rank_first", "rank_last").rows()
    [('a', 2, 3), ('b', 1, 1), ('c', 2, 3), ('d', None, None)]
    """
    score = pl.when(pl.col("better") == "low").then(pl.col(value)).otherwise(-pl.col(value))
    ranked = (
        scores.with_row_index("_row")
        .filter(pl.col(value).is_not_null())
        .with_columns(_score=score)
        .sort(*by, "_score")
        .with_columns(
            _tie=(pl.col("_score").diff().over(by) > SAME).fill_null(True).cum_sum().over(by),
            _place=pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over(by),
        )
        .select(
            "_row",
            rank_first=pl.col("_place").min().over(*by, "_tie"),
            rank_last=pl.col("_place").max().over(*by, "_tie"),
        )
    )
    return (
        scores.with_row_index("_row")
        .join(ranked, on="_row", how="left", maintain_order="left")
        .drop("_row")
    )
