"""Views: what one judge says about one slice of the questions, as the page shows it.

The page is drawn twice from the same arrangement: once here, so that it reads and prints without a
script, and again in the browser for every other judge and slice. So a view is columns in the order
of the runs, short enough to be embedded once, and the browser needs no names as keys.
"""

import math
from collections.abc import Mapping
from typing import Any, TypedDict

ALL = "all"

MARKED = 0.01
"""From this share of questions without a row on, a run's row in the leaderboard says so."""

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

Row = dict[str, Any]


class Scores(TypedDict):
    """One measure in one view: a value per run, in the order of the runs.

    Columns that nothing fills are null: intervals, the ranks that the data supports, and the groups
    of runs that do not differ significantly (:mod:`qampaign.report.groups`).
    """

    value: list[float | None]
    first: list[int | None]
    last: list[int | None]
    low: list[float | None] | None
    high: list[float | None] | None
    rank_low: list[int | None] | None
    rank_high: list[int | None] | None
    group: list[int | None] | None
    best: float | None


class View(TypedDict):
    """What one judge says about one slice: a column per measure and per count."""

    questions: int
    scores: list[Scores]
    counts: dict[str, list[float | None]]
    missing: list[float | None]
    """The share of the questions that a run has no row for, where it is worth a mark."""


def finite(value: float | None) -> float | None:
    """A number that can be shown, or null: not-a-number never reaches the page."""
    return None if value is None or not math.isfinite(value) else value


def make_view(
    judge: str,
    part: str,
    runs: list[Row],
    measures: list[Row],
    scores: Mapping[tuple[str, str, str, str], Row],
    counts: Mapping[tuple[str, str, str], Row],
) -> View | None:
    names = [run["run"] for run in runs]
    scored = [
        [scores.get((judge, part, measure["measure"], name), {}) for name in names]
        for measure in measures
    ]
    counted = [counts.get((judge, part, name), {}) for name in names]
    found = [row for rows in (*scored, counted) for row in rows if row]
    if not found:
        return None
    return View(
        questions=max(row["questions"] or 0 for row in found),
        scores=[
            _scores(rows, better=measure["better"])
            for rows, measure in zip(scored, measures, strict=True)
        ],
        counts={
            count: [_count(row, count) for row in counted]
            for count in (*COUNTS, *VALIDATED)
            if count in COUNTS or any(row.get(count) is not None for row in counted)
        },
        missing=[_missing([rows[place] for rows in scored]) for place in range(len(names))],
    )


def _missing(rows: list[Row]) -> float | None:
    """The share of questions without a row, which all measures of a run tell alike, from 1% on."""
    share = next((row["missing"] for row in rows if row.get("missing") is not None), 0)
    return _bound(share) if share >= MARKED else None


def _scores(rows: list[Row], *, better: str) -> Scores:
    value = [finite(row.get("value")) for row in rows]
    first = [row.get("rank_first") for row in rows]
    low = [_bound(row.get("low")) for row in rows]
    high = [_bound(row.get("high")) for row in rows]
    known = any(bound is not None for bound in (*low, *high))
    rank_low = [row.get("rank_low") for row in rows]
    rank_high = [row.get("rank_high") for row in rows]
    supported = any(bound is not None for bound in (*rank_low, *rank_high))
    ranked = [v for v, rank in zip(value, first, strict=True) if rank is not None and v is not None]
    # Where all are equal, none stands out.
    best = (min if better == "low" else max)(ranked) if len(set(ranked)) > 1 else None
    return Scores(
        value=value,
        first=first,
        last=[row.get("rank_last") for row in rows],
        low=low if known else None,
        high=high if known else None,
        rank_low=rank_low if supported else None,
        rank_high=rank_high if supported else None,
        group=None,
        best=best,
    )


def _bound(value: float | None) -> float | None:
    """An end of an interval; it is shown to three places, so six make the page lighter."""
    value = finite(value)
    return None if value is None else round(value, 6)


def _count(row: Row, count: str) -> float | None:
    """A count, or null. Unanswered with no candidate held back means that nothing was shown."""
    if not row:
        return None
    if count == "nothing_shown":
        value = row["unanswered"] - row["withheld_right"] - row["withheld_wrong"]
    else:
        value = row[count]
    return int(value) if value == int(value) else value  # a random baseline counts in parts


def empty_view(runs: int, measures: int) -> View:
    nothing: list[Row] = [{} for _ in range(runs)]
    return View(
        questions=0,
        scores=[_scores(nothing, better="high") for _ in range(measures)],
        counts={count: [None for _ in range(runs)] for count in COUNTS},
        missing=[None] * runs,
    )
