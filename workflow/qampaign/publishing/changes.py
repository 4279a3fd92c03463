"""What changed since the last results: values, ranks, and the files behind it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import polars as pl

from qampaign.problems import NAMES, first_names, short_id
from qampaign.ranking import SAME
from qampaign.tables import empty

KEYS = ["collection", "judge", "measure", "run"]
INPUT = ["collection", "table", "path"]
COMPARED = ("scores", "sources", "changes")
"""The tables of the last results that are needed to find what changed."""

REMEMBERED = ("history", "published")
"""What the history goes on from."""

PLACES = 3
"""How many digits of a value are shown, unless it takes more to tell two apart."""


def find_changes(
    tables: Mapping[str, pl.DataFrame], previous: Mapping[str, pl.DataFrame]
) -> pl.DataFrame:
    """The values and ranks over all questions that moved, with the input files that changed.

    Where no input file is another than before, the changes found before still stand: they are
    against the last results whose inputs differ; :func:`still_true` says of which the config has
    changed the value or rank again. Nothing where nothing was published before, or where only
    the config changed; nothing of collections that are new or gone.
    """
    if not set(COMPARED) <= previous.keys():
        return empty("changes")
    files = _changed_files(tables["sources"], previous["sources"])
    before, after = _values(previous["scores"]), _values(tables["scores"])
    if files.is_empty():
        return previous["changes"]
    both = (
        before.join(after, on=KEYS, how="full", coalesce=True, suffix="_after")
        .join(before, on="collection", how="semi")
        .join(after, on="collection", how="semi")
    )
    moved = pl.any_horizontal(
        ((pl.col("value") - pl.col("value_after")).abs() > SAME).fill_null(
            pl.col("value").is_null() != pl.col("value_after").is_null()
        ),
        pl.col("rank_first").ne_missing(pl.col("rank_first_after")),
    )
    by_collection = files.group_by("collection").agg(
        sources=pl.col("path")
        .unique()
        .sort()
        .map_batches(
            lambda paths: pl.Series([join_files(paths)]),
            return_dtype=pl.String,
            returns_scalar=True,
        )
    )
    return (
        both.filter(moved)
        .join(by_collection, on="collection", how="inner")
        .select(
            *KEYS,
            before="value",
            after="value_after",
            rank_before="rank_first",
            rank_after="rank_first_after",
            sources="sources",
        )
        .sort(KEYS)
        .cast(empty("changes").schema)
    )


def still_true(changes: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """Those of the changes after which the value and the rank are as they are now."""
    rows = changes.join(_values(scores), on=KEYS, how="left", maintain_order="left")
    same_value = (pl.col("after") - pl.col("value")).abs() <= SAME
    kept = same_value.fill_null(pl.col("after").is_null() & pl.col("value").is_null())
    return changes.filter(
        rows.select(kept & pl.col("rank_after").eq_missing(pl.col("rank_first"))).to_series()
    )


def is_known(changes: pl.DataFrame, before: pl.DataFrame) -> bool:
    """Whether all these changes were among those before."""
    shared = [name for name in changes.columns if name in before.columns]
    return changes.join(before, on=shared, how="anti", nulls_equal=True).is_empty()


_FILES = re.compile(r'"([^"]*)"|([^,"\s][^,"]*)')


def join_files(paths: Iterable[str]) -> str:
    """The names of files in one text; one with a comma in it stands in quotes.

    >>> join_files(["a.csv", "b, c.csv"])
    'a.csv, "b, c.csv"'
    """
    return ", ".join(f'"{path}"' if "," in path else path for path in paths)


def split_files(text: str) -> list[str]:
    """
    >>> split_files('a.csv, "b, c.csv"')
    ['a.csv', 'b, c.csv']
    """
    return [quoted or plain for quoted, plain in _FILES.findall(text)]


def _in_text(value: float, places: int) -> str:
    return f"{value:.{places}f}"


def told_apart(
    before: float, after: float, show: Callable[[float, int], str] = _in_text
) -> tuple[str, str]:
    """Two values with as many digits as it takes to see that they differ, at least three.

    `show` gives the text of a value with so many digits.

    >>> told_apart(0.4, 0.5), told_apart(0.32601, 0.32619), told_apart(0.5, 0.5)
    (('0.400', '0.500'), ('0.3260', '0.3262'), ('0.500', '0.500'))
    """
    places = PLACES
    if abs(before - after) > SAME:
        while show(before, places) == show(after, places):
            places += 1
    return show(before, places), show(after, places)


def pushed(changes: pl.DataFrame) -> pl.DataFrame:
    """The changes, each with by how many ranks runs that came or went pushed it, and by which.

    Adds `shift` (NULL: it moved itself) and `because`. A run is pushed where its value is as before
    and its rank is another by exactly the runs that came above it, less those that went from there.
    """
    group = ["collection", "judge", "measure"]
    pieces = [changes.with_columns(shift=pl.lit(None, pl.Int64), because=pl.lit(None, pl.String))]
    if changes.height:
        pieces = [_pushed(ranking) for ranking in changes.partition_by(group, maintain_order=True)]
    return pl.concat(pieces)


def _pushed(changes: pl.DataFrame) -> pl.DataFrame:
    """The same under one measure by one judge."""
    come = changes.filter(pl.col("rank_before").is_null() & pl.col("rank_after").is_not_null())
    gone = changes.filter(pl.col("rank_after").is_null() & pl.col("rank_before").is_not_null())
    pushes: list[tuple[int | None, str | None]] = []
    for row in changes.iter_rows(named=True):
        ranks, values = (row["rank_before"], row["rank_after"]), (row["before"], row["after"])
        if None in ranks or None in values or abs(values[0] - values[1]) > SAME:
            pushes.append((None, None))
            continue
        above = come.filter(pl.col("rank_after") < row["rank_after"])["run"].to_list()
        left = gone.filter(pl.col("rank_before") < row["rank_before"])["run"].to_list()
        shift = len(above) - len(left)
        if shift == 0 or row["rank_after"] - row["rank_before"] != shift:
            pushes.append((None, None))
            continue
        parts = [_said_of(runs, state) for state, runs in (("new", above), ("gone", left)) if runs]
        pushes.append((shift, " and ".join(parts)))
    return changes.with_columns(
        pl.Series("shift", [shift for shift, _ in pushes], pl.Int64),
        pl.Series("because", [because for _, because in pushes], pl.String),
    )


def _said_of(runs: Sequence[str], state: str) -> str:
    """A clause of a sentence.

    >>> _said_of(["x"], "gone"), _said_of(["b", "c", "a"], "new")
    ('run x is gone', 'runs a, b and c are new')
    """
    names = sorted(runs)
    if len(names) == 1:
        return f"run {short_id(names[0])} is {state}"
    *rest, last = map(short_id, names)
    named = first_names(names) if len(names) > NAMES else f"{', '.join(rest)} and {last}"
    return f"runs {named} are {state}"


def shifts(changes: pl.DataFrame) -> pl.DataFrame:
    """judge, measure, shift, because and runs: how many runs were pushed so, and by what."""
    keys = ["collection", "judge", "measure", "shift", "because"]
    counted = pushed(changes).drop_nulls("shift").group_by(keys, maintain_order=True)
    return counted.agg(runs=pl.len().cast(pl.Int64))


def in_words(shift: int, runs: int, because: str) -> str:
    """A shift of ranks in one sentence.

    >>> in_words(1, 39, "run X is new")
    '39 runs with unchanged values moved down one rank because run X is new'
    """
    numbers = {1: "one", 2: "two", 3: "three"}
    by = f"{numbers.get(abs(shift), f'{abs(shift):,}')} {'rank' if abs(shift) == 1 else 'ranks'}"
    who = "1 run with an unchanged value" if runs == 1 else f"{runs:,} runs with unchanged values"
    return f"{who} moved {'down' if shift > 0 else 'up'} {by} because {because}"


def summary(
    changes: pl.DataFrame,
    shown_before: pl.DataFrame | None,
    judges: pl.DataFrame,
    measures: pl.DataFrame,
) -> str | None:
    """What changed, in a line for the terminal; None where there is nothing new to say.

    Of the values it names the one that moved most, by a reference among the `judges` if any did,
    with the label that the measure has among the `measures`, and says how many moved as much.
    """
    if changes.is_empty() or (shown_before is not None and is_known(changes, shown_before)):
        return None
    files = changed_files(changes)
    named = ", ".join(Path(file).name for file in files[:3])
    more = f" and {len(files) - 3} more" if len(files) > 3 else ""
    what = "values or ranks" if changes.height > 1 else "value or rank"
    message = (
        f"{changes.height:,} {what} changed since the last results; changed files: {named}{more}"
    )
    shifted = int(shifts(changes)["runs"].sum())
    if shifted:
        message += f"; others pushed {shifted:,} of the ranks"
    references = judges.filter("reference").select("collection", "judge", "reference")
    moved = (
        changes.with_columns(moved=(pl.col("after") - pl.col("before")).abs().round(9))
        .filter(pl.col("moved") > SAME)
        .join(references, on=["collection", "judge"], how="left", maintain_order="left")
        .sort("reference", "moved", descending=True, nulls_last=True, maintain_order=True)
    )
    if moved.height:
        row = moved.row(0, named=True)
        labels = measures.filter(collection=row["collection"], measure=row["measure"])["label"]
        label = next(iter(labels.drop_nulls()), row["measure"])
        names = f"{label} of {row['run']} in {row['collection']} by {row['judge']}"
        whose = "most by the reference" if row["reference"] else "most"
        message += f"; {whose}: {names}, {' to '.join(told_apart(row['before'], row['after']))}"
        alike = (pl.col("moved") - row["moved"]).abs() < SAME
        by_alike = pl.col("reference").eq_missing(row["reference"])
        others = moved.filter(alike, by_alike).height - 1
        if others:
            message += f", and {others:,} other value{'s' if others > 1 else ''} by as much"
    return f"{message} (table changes)"


def changed_files(changes: pl.DataFrame) -> list[str]:
    """The input files that the changes name."""
    named = changes["sources"].drop_nulls().unique().to_list()
    return sorted({file for text in named for file in split_files(text)})


def _changed_files(after: pl.DataFrame, before: pl.DataFrame) -> pl.DataFrame:
    """Files that are new, gone, or have other content."""
    keys = [*INPUT, "sha256"]
    new = after.join(before, on=keys, how="anti")
    gone = before.join(after, on=keys, how="anti")
    return pl.concat([new.select(INPUT), gone.select(INPUT)]).unique()


def _values(scores: pl.DataFrame) -> pl.DataFrame:
    return scores.filter(pl.col("slice") == "all").select(*KEYS, "value", "rank_first")
