"""The order of runs in everything that the report shows."""

import polars as pl


def in_rank_order(
    runs: pl.DataFrame, leading: pl.DataFrame, *, lower_is_better: bool
) -> pl.DataFrame:
    """Runs by their rank; those without one come last, the best of them first, then by name.

    `leading` has the scores that rank them.
    """
    value = pl.when(pl.col("value").is_finite()).then("value")
    scored = runs.select("run").join(leading, on="run", how="left", maintain_order="left")
    order = scored.select("rank_first", value=value if lower_is_better else -value, name="run")
    indexes = order.with_row_index("index").sort("rank_first", "value", "name", nulls_last=True)
    return runs[indexes["index"].to_list()]
