"""Groups of runs that do not differ significantly from the best of their group.

The best run opens the first group. Going down the leaderboard, every run that does not differ
significantly from the run that opened the group joins it; the first that does opens the next group.
"""

import numpy as np
import polars as pl

TESTS = ("randomisation", "sign", "bootstrap")
"""Where several tests were run, the first of these decides."""

LEVEL = 0.05


def chosen_test(significance: pl.DataFrame) -> tuple[str, str] | None:
    """The test that decides and its column: the corrected p, where there is one."""
    for column in ("p_holm", "p"):
        for test in TESTS:
            tested = significance.filter(pl.col("test") == test)
            if not tested.is_empty() and not tested[column].is_null().any():
                return test, column
    for test in TESTS:
        if not significance.filter(pl.col("test") == test)["p"].is_null().all():
            return test, "p"
    return None


def significance_groups(
    significance: pl.DataFrame, runs: list[str], ranks: list[int | None]
) -> list[int | None] | None:
    """The number of each run's group, from 1; null for runs that are not ranked.

    `significance` holds the pairs of one judge and measure. Null where nothing was tested.
    """
    chosen = chosen_test(significance) if not significance.is_empty() else None
    if chosen is None:
        return None
    test, column = chosen
    indexes = {run: index for index, run in enumerate(runs)}
    pairs = significance.filter(
        pl.col("test") == test, pl.col("run_a").is_in(runs), pl.col("run_b").is_in(runs)
    )
    a, b = (
        pairs[name].replace_strict(indexes, return_dtype=pl.Int64).to_numpy()
        for name in ("run_a", "run_b")
    )
    differs = np.zeros((len(runs), len(runs)), dtype=bool)
    differs[a, b] = differs[b, a] = (pairs[column] <= LEVEL).fill_null(False).to_numpy()
    ranked = [(rank, index) for index, rank in enumerate(ranks) if rank is not None]
    groups: list[int | None] = [None] * len(runs)
    opener, number = None, 0
    for _, index in sorted(ranked):
        if opener is None or differs[opener, index]:
            opener, number = index, number + 1
        groups[index] = number
    return groups
