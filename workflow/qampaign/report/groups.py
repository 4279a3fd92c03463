"""Groups of runs that do not differ significantly: who is ahead, and is it real?

The best run opens the first group. Going down the leaderboard, every run that does not differ
significantly from the one that opened the group belongs to it; the first that does opens the next.
So each group is told from its own best run, not each run from every other.
"""

import numpy as np
import polars as pl

TESTS = ("randomisation", "sign", "bootstrap")
"""The tests in the order in which they are believed where there are several."""

LEVEL = 0.05


def chosen_test(significance: pl.DataFrame) -> tuple[str, str] | None:
    """The test to go by and its column: corrected for many comparisons where that is possible."""
    for column in ("p_holm", "p"):
        for test in TESTS:
            own = significance.filter(pl.col("test") == test)
            if not own.is_empty() and not own[column].is_null().any():
                return test, column
    for test in TESTS:
        if not significance.filter(pl.col("test") == test)["p"].is_null().all():
            return test, "p"
    return None


def significance_groups(
    significance: pl.DataFrame, runs: list[str], ranks: list[int | None]
) -> list[int | None] | None:
    """The number of the group of each run, from 1; null for runs that are not ranked.

    `significance` holds the pairs of one judge and measure. Null where nothing was tested.
    """
    chosen = chosen_test(significance) if not significance.is_empty() else None
    if chosen is None:
        return None
    test, column = chosen
    place = {run: at for at, run in enumerate(runs)}
    pairs = significance.filter(
        pl.col("test") == test, pl.col("run_a").is_in(runs), pl.col("run_b").is_in(runs)
    )
    a, b = (
        pairs[name].replace_strict(place, return_dtype=pl.Int64).to_numpy()
        for name in ("run_a", "run_b")
    )
    differs = np.zeros((len(runs), len(runs)), dtype=bool)
    differs[a, b] = differs[b, a] = (pairs[column] <= LEVEL).fill_null(False).to_numpy()
    order = sorted(
        (at for at, rank in enumerate(ranks) if rank is not None), key=lambda at: ranks[at] or 0
    )
    groups: list[int | None] = [None] * len(runs)
    leader, number = None, 0
    for at in order:
        if leader is None or differs[leader, at]:
            leader, number = at, number + 1
        groups[at] = number
    return groups
