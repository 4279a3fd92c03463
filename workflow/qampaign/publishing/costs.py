"""What runs cost, against what they are worth: who gets more for less?"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags
from qampaign.ranking import SAME
from qampaign.tables import schema_of

RESOURCES = ("cost", "seconds", "tokens")
"""What files may say that a run took."""


def add_up(rows: pl.DataFrame, information: pl.DataFrame) -> pl.DataFrame:
    """What each run took in all: the sum over its rows, else what the run information says.

    `rows` have run and the sum of each resource; both are null where nothing is given.
    """
    both = information.select("run", *RESOURCES).join(
        rows.select("run", *RESOURCES), on="run", how="full", coalesce=True, suffix="_of_rows"
    )
    return both.select(
        "run", *(pl.coalesce(f"{name}_of_rows", name).alias(name) for name in RESOURCES)
    )


def compare_costs(
    runs: pl.DataFrame, scores: pl.DataFrame, described: Mapping[str, str], better: str
) -> pl.DataFrame:
    """The ranked runs by what they took and their value, and which of them are on the front.

    By the reference and the primary measure, over all questions. A run is on the front where no
    other has a value as good for less, or a better one for as much.
    """
    by_reference = scores.filter(
        judge=described["reference"], measure=described["primary"], slice="all"
    ).filter(pl.col("rank_first").is_not_null(), pl.col("value").is_not_null())
    tables = [pl.DataFrame(schema=schema_of("costs"))]
    for resource in RESOURCES:
        if resource not in runs.columns:
            continue
        joined = by_reference.select("collection", "judge", "measure", "run", "value").join(
            runs.select("run", amount=resource), on="run", how="left", maintain_order="left"
        )
        known = joined.drop_nulls("amount")
        if known.is_empty():
            continue
        worth = known["value"].to_numpy() * (-1 if better == "low" else 1)
        front = find_front(known["amount"].to_numpy(), worth)
        on_front = known.select("run").with_columns(front=pl.Series(front))
        table = joined.with_columns(resource=pl.lit(resource)).join(
            on_front, on="run", how="left", maintain_order="left"
        )
        tables.append(table.select(list(schema_of("costs"))))
    return pl.concat(tables)


def find_front(amount: Array, worth: Array) -> Flags:
    """Which are on the Pareto front: no other is worth more for as little, or as much for less.

    Those that are equal in both are on it together.

    >>> find_front(np.array([1.0, 2, 2, 3]), np.array([0.5, 0.6, 0.6, 0.55])).tolist()
    [True, True, True, False]
    """
    front = np.empty(len(amount), dtype=bool)
    for index in range(len(amount)):
        no_more = amount <= amount[index] * (1 + SAME)
        less = amount < amount[index] * (1 - SAME)
        as_good, better = worth >= worth[index] - SAME, worth > worth[index] + SAME
        front[index] = not ((no_more & better) | (less & as_good)).any()
    return front
