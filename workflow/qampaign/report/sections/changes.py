"""What changed since the previously published results, and before?"""

from collections.abc import Iterator
from itertools import pairwise

import polars as pl

from qampaign.publishing.changes import (
    changed_files,
    in_words,
    pushed,
    shifts,
    still_true,
    told_apart,
)
from qampaign.ranking import SAME
from qampaign.report.blocks import (
    Chart,
    Reading,
    Section,
    Table,
    TableColumn,
    TableColumns,
    optional_table,
)
from qampaign.report.charts.history import timeline
from qampaign.report.collection import CollectionResults
from qampaign.report.text import fixed, listed, many, short_names, time

MOST_CHANGES = 100
"""So many changes are shown."""

MOST_PUBLICATIONS = 50
"""So many publications are listed; the table `history` has more."""

OF_GONE = " Dark grey: runs that were first and are gone."

CHANGES: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "label": TableColumn("Measure", "name"),
    "run": TableColumn("Run", "name"),
    "before": TableColumn("Before", "text"),
    "after": TableColumn("After", "text"),
    "change": TableColumn("Change", "change"),
    "rank_before": TableColumn("Rank before", "count"),
    "rank_after": TableColumn("Rank after", "count"),
    "sources": TableColumn("Files that changed", "path files"),
}
PUBLICATIONS: TableColumns = {
    "publication": TableColumn("Publication", "count"),
    "time": TableColumn("Published", "text"),
    "leaders": TableColumn("First", "name"),
    "value": TableColumn("Value", "number"),
    "runs": TableColumn("Ranked runs", "count"),
    "sources": TableColumn("Files that had changed", "path files"),
}


def section(collection: CollectionResults) -> Section | None:
    changes, history = collection.table("changes"), collection.table("history")
    if changes.is_empty() and history.is_empty():
        return None
    blocks = [*_table(collection, changes), *_timeline(collection, history)]
    sentences = [_headline(changes), *_shifts(collection, changes)] if changes.height else []
    if still_true(changes, collection.table("scores")).height < changes.height:
        sentences.append("The config has changed some of them again since then.")
    return Section("changes", "What changed?", blocks, sentences, fixed=())


def _table(collection: CollectionResults, changes: pl.DataFrame) -> list[Table]:
    """The changes but for ranks that runs pushed which came or went."""
    unpushed = pushed(changes).filter(pl.col("shift").is_null())
    change = pl.col("after") - pl.col("before")
    moved = (pl.col("rank_after") - pl.col("rank_before")).abs()
    rows = unpushed.with_columns(
        label=pl.col("measure").replace(collection.labels()), change=change
    ).sort(moved, change.abs(), descending=True, nulls_last=True, maintain_order=True)
    pairs = [_in_digits(*pair) for pair in rows.select("before", "after").rows()]
    shown = rows.with_columns(
        before=pl.Series([before for before, _ in pairs], dtype=pl.String),
        after=pl.Series([after for _, after in pairs], dtype=pl.String),
    )
    title = "Values and ranks that changed"
    return optional_table("changes", title, shown, CHANGES, most=MOST_CHANGES)


def _in_digits(before: float | None, after: float | None) -> tuple[str, str]:
    """Two values in as many digits as tell them apart."""
    if before is None or after is None:
        return fixed(before), fixed(after)
    return told_apart(before, after, fixed)


def _timeline(collection: CollectionResults, history: pl.DataFrame) -> Iterator[Chart | Table]:
    """The runs from one publication to the next, by the measure that ranks now."""
    ranking = [row["measure"] for row in collection.measures if row["primary"]]
    history = history.filter(
        pl.col("judge") == collection.reference, pl.col("measure").is_in(ranking)
    )
    if history["publication"].n_unique() < 2:
        return
    history = history.with_columns(time=pl.col("time").map_elements(time, return_dtype=pl.String))
    drawn = history.select("run", "publication", "time", "value", "rank_first")
    gone = _gone_leaders(collection, drawn, history.filter("leader")["run"])
    data = {"history": drawn} | ({"history_gone": gone} if gone.height else {})
    yield Chart(
        "history",
        "The runs over time",
        timeline(with_gone=gone.height > 0),
        Reading(
            "A line per run, from one publication whose inputs changed values to the next. Pick a "
            f"run to follow it.{OF_GONE if gone.height else ''}",
            _leaders(history, is_today=_is_today(collection, history)),
        ),
        uses=tuple(data),
        data=data,
    )
    first = (
        history.filter("leader")
        .group_by("publication")
        .agg(leaders=pl.col("run").sort().str.join(", "), value=pl.col("value").first())
    )
    about = history.group_by("publication").agg(
        pl.col("time", "sources").first(), runs=pl.len().cast(pl.Int64)
    )
    rows = about.join(first, on="publication", how="left").sort("publication", descending=True)
    title = "Publications"
    yield from optional_table(
        "publications", title, rows, PUBLICATIONS, most=MOST_PUBLICATIONS, closed=True
    )


def _is_today(collection: CollectionResults, history: pl.DataFrame) -> bool:
    """Whether runs still stand as the history ends: changes of the config are not noted in it."""
    scores = collection.table("scores").filter(
        slice="all", judge=collection.reference, measure=collection.primary_measure
    )
    now = scores.drop_nulls("rank_first").select("run", "value", "rank_first")
    last = history.filter(pl.col("publication") == pl.col("publication").max())
    both = last.join(now, on=["run", "rank_first"], how="full", suffix="_now")
    moved = (pl.col("value") - pl.col("value_now")).abs() > SAME
    return both.filter(moved.fill_null(True)).is_empty()


def _gone_leaders(
    collection: CollectionResults, drawn: pl.DataFrame, leaders: pl.Series
) -> pl.DataFrame:
    """The same of runs that were first once and are not in the collection any more.

    No run of the page has their names: `gone` has them, and `short` what fits in the chart.
    """
    known = pl.col("run").is_in(collection.names())
    rows = drawn.filter(pl.col("run").is_in(leaders.implode()), ~known)
    names = rows["run"].unique(maintain_order=True).to_list()
    shorts = dict(zip(names, short_names(names), strict=True))
    return rows.select(
        pl.col("run").alias("gone"),
        pl.col("run").replace_strict(shorts, return_dtype=pl.String).alias("short"),
        pl.exclude("run"),
    )


def _leaders(history: pl.DataFrame, *, is_today: bool) -> str:
    """How often the first place went to others."""
    leading = history.filter("leader").sort("publication", "run")
    names = leading.group_by("publication", maintain_order=True).agg("run")["run"].to_list()
    if not names:
        return ""
    turns = sum(set(before) != set(after) for before, after in pairwise(names))
    who = listed(names[-1][:3]) + (" and others" if len(names[-1]) > 3 else "")
    one = len(names[-1]) == 1
    is_first = "is" if one else "are"
    since = "" if is_today else " The config has changed values or ranks since then."
    if not turns:
        return f"{who} {is_first} first in all {len(names)} publications that are shown.{since}"
    often = "once" if turns == 1 else f"{turns} times"
    if is_today:
        return f"The first place changed {often}; {who} {is_first} first now."
    was = "was" if one else "were"
    return (
        f"The first place changed {often}; {who} {was} first in the last publication shown.{since}"
    )


def _shifts(collection: CollectionResults, changes: pl.DataFrame) -> list[str]:
    """A sentence for each way in which runs that came or went pushed others."""
    return [
        f"By {row['judge']} in {collection.label(row['measure'])}, "
        f"{in_words(row['shift'], row['runs'], row['because'])}."
        for row in shifts(changes).iter_rows(named=True)
        if row["judge"] == collection.reference and row["measure"] == collection.primary_measure
    ]


def count_changes(changes: pl.DataFrame) -> str:
    """How many values and ranks changed, for the overview; empty where none did."""
    values, ranks = _changed(changes)
    counted = {"value": values.height, "rank": ranks.height}
    return ", ".join(many(number, thing) for thing, number in counted.items() if number)


def _changed(changes: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows with another value, and those with another rank."""
    ranks = changes.filter(pl.col("rank_before") != pl.col("rank_after"))
    moved = ((pl.col("before") - pl.col("after")).abs() > SAME).fill_null(
        pl.col("before").is_null() != pl.col("after").is_null()
    )
    return changes.filter(moved), ranks


def _headline(changes: pl.DataFrame) -> str:
    values, ranks = _changed(changes)
    shifted = int(shifts(changes)["runs"].sum())
    causes = changed_files(changes)
    if len(causes) > 3:
        causes = [*causes[:2], f"{len(causes) - 2} more files"]
    files = f" Input files that changed: {listed(causes)}." if causes else ""
    which = "all" if shifted == ranks.height else f"{shifted:,}"
    only = f", {which} of them only because runs came or went" if shifted else ""
    return (
        f"Since the previous results, {many(values.height, 'value')} of "
        f"{many(values['run'].n_unique(), 'run')} and {many(ranks.height, 'rank')} changed"
        f"{only}.{files}"
    )
