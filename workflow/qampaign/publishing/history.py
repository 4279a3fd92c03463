"""The history of a collection: what its runs were worth, publication by publication.

Nothing is kept until inputs change a value or a rank. Then two publications are noted, what was
there before and what is there now; later ones follow. A run that fails, or a change of the config
alone, leaves the history as it was published last.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

import polars as pl

from qampaign.publishing.changes import is_known
from qampaign.ranking import SAME
from qampaign.tables import empty

MOST = 1_000
"""So many publications are kept."""

KEPT = ["judge", "measure", "run", "value", "rank_first"]


def continue_history(
    tables: Mapping[str, pl.DataFrame],
    previous: Mapping[str, pl.DataFrame],
    described: Mapping[str, str],
    time: str | None = None,
) -> pl.DataFrame:
    """The history as it was, and this publication where its inputs changed values or ranks.

    `tables` has what is published now, with `changes` among it, `previous` what was published last,
    with the time of that as `published`; `described` the reference and the measure that ranks.
    """
    history = previous.get("history", empty("history")).cast(empty("history").schema)
    causes = _causes(tables["changes"], previous)
    if causes is None:
        return history
    before = _values(previous["scores"], described)
    after = _values(tables["scores"], described)
    if _same(before, after):
        return history
    if not _same(_last(history), before):
        published = previous.get("published", pl.DataFrame({"value": [None]}))["value"]
        history = _append(history, before, next(iter(published), None), None)
    now = time or datetime.now(UTC).isoformat(timespec="seconds")
    history = _append(history, after, now, causes)
    return history.filter(pl.col("publication") > pl.col("publication").max() - MOST)


def _causes(changes: pl.DataFrame, previous: Mapping[str, pl.DataFrame]) -> str | None:
    """The input files that changed since the last publication; None: nothing changed by them."""
    if changes.is_empty() or "scores" not in previous:
        return None
    if "changes" in previous and is_known(changes, previous["changes"]):
        return None  # those of an earlier publication still stand
    return str(changes["sources"][0])


def _values(scores: pl.DataFrame, described: Mapping[str, str]) -> pl.DataFrame:
    judge, measure = described["reference"], described["primary"]
    rows = scores.filter(slice="all", judge=judge, measure=measure)
    return rows.drop_nulls("rank_first").select("collection", *KEPT).sort("rank_first", "run")


def _last(history: pl.DataFrame) -> pl.DataFrame:
    last = history.filter(pl.col("publication") == pl.col("publication").max())
    return last.select("collection", *KEPT).sort("rank_first", "run")


def _same(before: pl.DataFrame, after: pl.DataFrame) -> bool:
    keys = ["judge", "measure", "run", "rank_first"]
    if not before.select(keys).equals(after.select(keys)):
        return False
    moved = (before["value"] - after["value"]).abs() > SAME
    return not moved.fill_null(False).any()


def _append(
    history: pl.DataFrame, rows: pl.DataFrame, time: str | None, sources: str | None
) -> pl.DataFrame:
    number = max(history["publication"].to_list(), default=0) + 1
    noted = rows.with_columns(
        publication=pl.lit(number),
        time=pl.lit(time, pl.String),
        leader=pl.col("rank_first") == 1,
        sources=pl.lit(sources, pl.String),
    )
    return pl.concat([history, noted.select(history.columns).cast(history.schema)])
