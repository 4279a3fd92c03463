"""Views: what one judge says about one slice of the questions.

A view holds columns in the order of the runs, as numbers and as the text that is shown. The
template, the sentences and the figures read it as it is; the page embeds its numbers, of which
`script/views.js` makes the same text.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import polars as pl

from qampaign.ranking import SAME
from qampaign.report.text import DASH, fixed, interval, percent, span
from qampaign.report.theme import keys
from qampaign.tables import empty

ALL = "all"
"""The slice of all questions."""

MARKED = 0.01
"""Where a run lacks rows for this share of the questions, the leaderboard has a column of it."""

TINY = 1e-12
"""What is nearer to a whole number than this is that number: the rest is of floating point."""

COUNTS = (
    "questions",
    "right",
    "wrong",
    "unanswered",
    "missing",
    "empty",
    "not_attempted",
    "withheld_right",
    "withheld_wrong",
    "no_candidate",
    "unassessed",
)

RANGES = ("rank_low", "rank_high", "own_rank_low", "own_rank_high", "leading")
"""Columns of scores that comparisons with other runs give."""

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
    """The ranks that the comparisons leave open: the ranges of all runs hold together."""
    own: list[str] | None
    """The ranks that are open for this run alone."""
    leading: list[str] | None
    if_wrong: list[str] | None
    """The value if all answers that nobody has judged are wrong, where that was asked for."""
    if_right: list[str] | None


class Scores(TypedDict):
    """One measure in one view. Columns that nothing fills are null."""

    value: Numbers
    first: Ranks
    """The rank, or the first of those that equal runs share."""
    rank: Numbers
    """The rank, or the middle of those that equal runs share."""
    low: Numbers | None
    high: Numbers | None
    leading: list[bool | None] | None
    """Whether no other run is surely better; null without another ranked run."""
    if_wrong: Numbers | None
    """The value if all answers that nobody has judged are wrong."""
    if_right: Numbers | None
    best: list[int]
    """The runs with the best value; none where all ranked runs are equal, or none is better."""
    text: ScoreText


class View(TypedDict):
    """What one judge says about one slice: counts, and scores in the order of the measures."""

    judge: str
    slice: str
    """Names for charts, numbered, the slice's with its number of questions."""
    questions: int
    counts: dict[str, Numbers]
    missing: list[str | None] | None
    """The share of the questions that a run has no row for, where any lacks enough to say so."""
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
    judge_keys = dict(zip(judges, keys(judges), strict=True))
    slice_keys = dict(zip(slices, keys(slices), strict=True))

    def view(judge: str, slice_: str) -> View | None:
        scored = [by_measure.get((judge, slice_, row["measure"])) for row in measures]
        counted = by_slice.get((judge, slice_))
        if counted is None and all(frame is None for frame in scored):
            return None
        names = (judge_keys[judge], slice_keys[slice_])
        return make_view(scored, counted, measures=measures, runs=runs, names=names)

    return [[view(judge, slice_) for slice_ in slices] for judge in judges]


def empty_view(measures: Sequence[Row], runs: Sequence[str]) -> View:
    """A view in which nothing is known of any run."""
    return make_view([None for _ in measures], None, measures=measures, runs=runs)


def make_view(
    scores: Sequence[pl.DataFrame | None],
    counts: pl.DataFrame | None,
    *,
    measures: Sequence[Row],
    runs: Sequence[str],
    names: tuple[str, str] = ("", ""),
) -> View:
    """A view from scores for each measure, and counts, where there are any."""
    counted = _in_order(counts, "counts", runs)
    scored = [_in_order(frame, "scores", runs) for frame in scores]
    question_numbers = [frame.select(pl.max("questions")).item() for frame in (counted, *scored)]
    questions = int(max(number or 0 for number in [0, *question_numbers]))
    return View(
        judge=names[0],
        slice=f"{names[1]} ({questions})",
        questions=questions,
        counts=_counts(counted),
        missing=_missing(scored),
        scores=[
            _scores(frame, better=measure["better"])
            for frame, measure in zip(scored, measures, strict=True)
        ],
    )


def _in_order(frame: pl.DataFrame | None, table: str, runs: Sequence[str]) -> pl.DataFrame:
    """A row for each run, of nulls where the frame has none."""
    order = pl.DataFrame({"run": runs}, schema={"run": pl.String})
    rows = empty(table) if frame is None else frame
    return order.join(rows, on="run", how="left", maintain_order="left")


def _counts(frame: pl.DataFrame) -> dict[str, Numbers]:
    """Unanswered without a candidate: no answer at all, or one that the judge calls a refusal."""
    withheld = pl.col("withheld_right") + pl.col("withheld_wrong")
    frame = frame.with_columns(no_candidate=pl.col("unanswered") - withheld)
    validated = [name for name in VALIDATED if name in frame.columns]
    kept = [name for name in validated if not frame[name].is_null().all()]
    # means over samples are shown to two places
    rounded = frame.with_columns(pl.selectors.float().round(2))
    return {name: numbers(rounded[name]) for name in (*COUNTS, *kept)}


def _missing(scored: Sequence[pl.DataFrame]) -> list[str | None] | None:
    """All measures of a run have the same share, if any: a baseline has none."""
    shares = zip(*(frame["missing"].to_list() for frame in scored), strict=True)
    known = [next((share for share in of_run if share is not None), None) for of_run in shares]
    if not any(share is not None and share >= MARKED for share in known):
        return None
    return [None if share is None else percent(share, 0) for share in known]


def _scores(frame: pl.DataFrame, *, better: str) -> Scores:
    value, first, last = _exact(frame["value"].to_list()), frame["rank_first"], frame["rank_last"]
    # Ends of intervals are shown to three places; six keep the page light.
    low, high = (
        numbers(None if end is None else round(end, 6) for end in frame[name].to_list())
        for name in ("low", "high")
    )
    if_wrong, if_right = (numbers(frame[name]) for name in ("if_wrong", "if_right"))
    has_bounds = any(end is not None for end in (*if_wrong, *if_right))
    bounded = any(end is not None for end in (*low, *high))
    intervals = [interval(*ends) for ends in zip(low, high, strict=True)]
    if frame["rank_low"].count() == 1:  # alone, it has no rank to be sure of, and leads nobody
        frame = frame.with_columns(pl.lit(None).alias(name) for name in RANGES)
    ranges = [span(*ends) for ends in frame.select("rank_low", "rank_high").rows()]
    own_ranges = [span(*ends) for ends in frame.select("own_rank_low", "own_rank_high").rows()]
    leading = [None if better == "none" else leads for leads in frame["leading"].to_list()]
    return Scores(
        value=value,
        first=first.to_list(),
        rank=numbers((first + last) / 2),
        low=low if bounded else None,
        high=high if bounded else None,
        leading=None if all(leads is None for leads in leading) else leading,
        if_wrong=if_wrong if has_bounds else None,
        if_right=if_right if has_bounds else None,
        best=_best(value, first.to_list(), better=better),
        text=ScoreText(
            value=[fixed(number) for number in value],
            rank=[span(*ranks) for ranks in zip(first, last, strict=True)],
            interval=_filled(intervals),
            range=_filled(ranges),
            own=_filled(own_ranges),
            leading=_filled(["yes" if leads else DASH for leads in leading]),
            if_wrong=_filled([fixed(number) for number in if_wrong]),
            if_right=_filled([fixed(number) for number in if_right]),
        ),
    )


def _best(value: Numbers, first: Ranks, *, better: str) -> list[int]:
    ranked = [v for v, rank in zip(value, first, strict=True) if v is not None and rank is not None]
    if better == "none" or not ranked or max(ranked) - min(ranked) < SAME:
        return []
    best = min(ranked) if better == "low" else max(ranked)
    return [run for run, v in enumerate(value) if v is not None and abs(v - best) < SAME]


def _exact(column: Iterable[float | None]) -> Numbers:
    """Values as the page holds them: ten digits, without the noise of floating point.

    >>> _exact([0.5754360000000001, 1 / 3, None])
    [0.575436, 0.3333333333, None]
    """
    return numbers([None if value is None else float(f"{value:.10g}") for value in column])


def _filled(column: list[str]) -> list[str] | None:
    """A column of text, or null where it holds nothing but dashes."""
    return None if all(text == DASH for text in column) else column


def numbers(column: Iterable[float | None]) -> Numbers:
    """Numbers for the page: whole ones without a point, null for what is not finite.

    What floating point leaves of a difference of equal numbers is 0.

    >>> numbers([1.0, 0.5, -2.8e-16, math.nan, None])
    [1, 0.5, 0, None, None]
    """
    values = column.to_list() if isinstance(column, pl.Series) else column  # quicker to walk
    return [
        None if value is None or not math.isfinite(value)
        else round(value) if abs(value - round(value)) < TINY
        else value
        for value in values
    ]  # fmt: skip
