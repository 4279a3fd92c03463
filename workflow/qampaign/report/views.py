"""Views: what one judge says about one slice of the questions.

A view holds columns in the order of the runs, as numbers and as the text that is shown. Python
builds every view once; the template, the sentences, the figures and the page's script all read it
as it is.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import polars as pl

from qampaign.report.text import DASH, fixed, interval, percent, span
from qampaign.report.theme import keys
from qampaign.tables import empty

ALL = "all"
"""The slice of all questions."""

MARKED = 0.01
"""A run that lacks rows for this share of the questions, or more, is marked in the leaderboard."""

COUNTS = (
    "questions",
    "right",
    "wrong",
    "unanswered",
    "withheld_right",
    "withheld_wrong",
    "nothing_shown",
    "missing",
    "unassessed",
)

VALIDATED = ("tp", "fp", "fn", "tn")
"""Counts that only a validation task has."""

Row = dict[str, Any]
Numbers = list[float | None]
Ranks = list[int | None]


class ScoreText(TypedDict):
    """What the leaderboard shows of numbers that it does not show as they are."""

    value: list[str]
    rank: list[str]
    interval: list[str] | None
    range: list[str] | None
    """The ranks that a run has over questions drawn anew."""


class Scores(TypedDict):
    """One measure in one view. Columns that nothing fills are null."""

    value: Numbers
    first: Ranks
    """The rank, or the first of those that equal runs share."""
    rank: Numbers
    """The rank, or the middle of those that equal runs share."""
    low: Numbers | None
    high: Numbers | None
    group: Ranks | None
    """The groups of :mod:`qampaign.report.significance_groups`."""
    best: list[int]
    """The runs with the best value; none where all ranked runs are equal."""
    text: ScoreText


class View(TypedDict):
    """What one judge says about one slice: counts, and scores in the order of the measures."""

    judge: str
    slice: str
    """Names for charts, numbered, the slice's with its number of questions."""
    questions: int
    counts: dict[str, Numbers]
    missing: list[str | None] | None
    """The share of the questions that a run has no row for, where that is worth a mark."""
    scores: list[Scores]


def make_views(
    scores: pl.DataFrame,
    counts: pl.DataFrame,
    *,
    judges: Sequence[str],
    slices: Sequence[str],
    measures: Sequence[Row],
    runs: Sequence[str],
) -> list[list[View | None]]:
    """A view for each judge and slice; null where the judge has nothing on the slice."""
    by_measure = scores.partition_by("judge", "slice", "measure", as_dict=True)
    by_slice = counts.partition_by("judge", "slice", as_dict=True)

    def view(judge: str, slice_: str) -> View | None:
        scored = [by_measure.get((judge, slice_, row["measure"])) for row in measures]
        counted = by_slice.get((judge, slice_))
        if counted is None and all(frame is None for frame in scored):
            return None
        return make_view(scored, counted, measures=measures, runs=runs)

    views = [[view(judge, slice_) for slice_ in slices] for judge in judges]
    for judge, of_judge in zip(keys(judges), views, strict=True):
        for slice_, made in zip(keys(slices), of_judge, strict=True):
            if made:
                made["judge"], made["slice"] = judge, f"{slice_} ({made['questions']})"
    return views


def empty_view(measures: Sequence[Row], runs: Sequence[str]) -> View:
    """A view in which nothing is known of any run."""
    return make_view([None for _ in measures], None, measures=measures, runs=runs)


def make_view(
    scores: Sequence[pl.DataFrame | None],
    counts: pl.DataFrame | None,
    *,
    measures: Sequence[Row],
    runs: Sequence[str],
) -> View:
    """A view from scores for each measure, and counts, where there are any."""
    counted = _in_order(counts, "counts", runs)
    scored = [_in_order(frame, "scores", runs) for frame in scores]
    asked = [frame["questions"].max() for frame in (counted, *scored)]
    return View(
        judge="",
        slice="",
        questions=max(number if isinstance(number, int) else 0 for number in asked),
        counts=_counts(counted),
        missing=_missing(scored),
        scores=[
            _scores(frame, lower_is_better=measure["better"] == "low")
            for frame, measure in zip(scored, measures, strict=True)
        ],
    )


def _in_order(frame: pl.DataFrame | None, table: str, runs: Sequence[str]) -> pl.DataFrame:
    """A row for each run, of nulls where the frame has none."""
    order = pl.DataFrame({"run": runs}, schema={"run": pl.String})
    found = empty(table) if frame is None else frame
    return order.join(found, on="run", how="left", maintain_order="left")


def _counts(frame: pl.DataFrame) -> dict[str, Numbers]:
    """Unanswered with no candidate withheld means that the run showed nothing."""
    withheld = pl.col("withheld_right") + pl.col("withheld_wrong")
    frame = frame.with_columns(nothing_shown=pl.col("unanswered") - withheld)
    validated = [name for name in VALIDATED if name in frame.columns]
    kept = [name for name in validated if not frame[name].is_null().all()]
    return {name: numbers(frame[name]) for name in (*COUNTS, *kept)}


def _missing(scored: Sequence[pl.DataFrame]) -> list[str | None] | None:
    """All measures of a run have the same share, if any."""
    shares = zip(*(frame["missing"] for frame in scored), strict=True)
    known = [next((share for share in of_run if share is not None), 0) for of_run in shares]
    marked = [percent(share, 0) if share >= MARKED else None for share in known]
    return marked if any(marked) else None


def _scores(frame: pl.DataFrame, *, lower_is_better: bool) -> Scores:
    value, first, last = numbers(frame["value"]), frame["rank_first"], frame["rank_last"]
    # Ends of intervals are shown to three places; six keep the page light.
    low, high = (
        numbers(None if end is None else round(end, 6) for end in frame[name])
        for name in ("low", "high")
    )
    bounded = any(end is not None for end in (*low, *high))
    intervals = [interval(*ends) for ends in zip(low, high, strict=True)]
    ranges = [span(*ends) for ends in frame.select("rank_low", "rank_high").rows()]
    return Scores(
        value=value,
        first=first.to_list(),
        rank=numbers((first + last) / 2),
        low=low if bounded else None,
        high=high if bounded else None,
        group=None,
        best=_best(value, first.to_list(), lower_is_better=lower_is_better),
        text=ScoreText(
            value=[fixed(number) for number in value],
            rank=[span(*ranks) for ranks in zip(first, last, strict=True)],
            interval=_filled(intervals),
            range=_filled(ranges),
        ),
    )


def _best(value: Numbers, first: Ranks, *, lower_is_better: bool) -> list[int]:
    ranked = {v for v, rank in zip(value, first, strict=True) if v is not None and rank is not None}
    if len(ranked) < 2:
        return []
    best = min(ranked) if lower_is_better else max(ranked)
    return [run for run, v in enumerate(value) if v == best]


def _filled(column: list[str]) -> list[str] | None:
    """A column of text, or null where it holds nothing but dashes."""
    return None if all(text == DASH for text in column) else column


def numbers(column: Iterable[float | None]) -> Numbers:
    """Numbers for the page: whole ones without a point, null for what is not finite.

    >>> numbers([1.0, 0.5, math.nan, None])
    [1, 0.5, None, None]
    """
    return [
        None if value is None or not math.isfinite(value)
        else int(value) if value == int(value)
        else value
        for value in column
    ]  # fmt: skip
