"""What the page shows of each collection, arranged from the published tables.

The page is drawn twice from the same arrangement: once here, so that it reads and prints without a
script, and again in the browser for every other judge and slice. So a view is columns in the order
of the runs, short enough to be embedded once, and the browser needs no names as keys.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

import polars as pl

from qampaign.report.groups import significance_groups
from qampaign.report.theme import KINDS, plain, run_colours
from qampaign.tables import TABLES, empty

ALL = "all"

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

# Columns of the run information that stand in the leaderboard; others are told with the run's name.
SHOWN_INFO = ("team", "category", "language")

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


@dataclass(frozen=True)
class Collection:
    """A collection, ready to be shown; `views[judge][slice]` is null where there is nothing."""

    id: str
    title: str
    task: str
    language: str | None
    note: str | None
    measures: list[Row]
    primary: int | None
    runs: list[Row]
    info: list[str]
    judges: list[Row]
    slices: list[str]
    views: list[list[View | None]]
    solved: int
    asked: int
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)

    @property
    def reference(self) -> str:
        """The judge that the page opens with."""
        return str(self.judges[0]["judge"]) if self.judges else ""

    def table(self, name: str, **where: Any) -> pl.DataFrame:
        """The rows of a published table that are this collection's, less those of other values."""
        frame = self.tables.get(name)
        if frame is None:
            frame = empty(name) if name in TABLES else pl.DataFrame()
        given = {column: value for column, value in where.items() if column in frame.columns}
        return frame.filter(**given) if given else frame

    def place(self, measure: str) -> int | None:
        """Where a measure stands among the configured ones."""
        return _place(measure, (each["measure"] for each in self.measures))

    def labels(self) -> dict[str, str]:
        """What the papers call the measures, by their ids, fit for charts."""
        return {str(row["measure"]): plain(str(row["label"])) for row in self.measures}

    def kinds(self) -> tuple[str, ...]:
        """The kinds of runs that there are."""
        found = {run["kind"] for run in self.runs}
        return tuple(kind for kind in KINDS if kind in found)

    def names(self) -> list[str]:
        """The runs, in the order of the leaderboard."""
        return [str(run["run"]) for run in self.runs]

    @property
    def start(self) -> View:
        """The view that the page opens with: the reference judge over all questions."""
        view = self.views[0][0] if self.views and self.slices else None
        return view or _empty_view(len(self.runs), len(self.measures))

    def payload(self) -> dict[str, Any]:
        """What the browser needs to draw every view again."""
        return {
            "collection": self.id,
            "runs": [
                {"run": run["run"], "kind": run["kind"], "team": run.get("team")}
                | {"about": list(self.about(run).items()), "colour": colour}
                for run, colour in zip(self.runs, run_colours(len(self.runs)), strict=True)
            ],
            "measures": [
                {"measure": measure["measure"], "better": measure["better"]}
                | {"title": plain(str(measure["label"]))}
                for measure in self.measures
            ],
            "primary": self.primary,
            "judges": [judge["judge"] for judge in self.judges],
            "slices": self.slices,
            "views": self.views,
        }

    def about(self, run: Row) -> dict[str, str]:
        """All that is known of a run beside its name, in the order of the table."""
        return {
            column: str(value)
            for column, value in run.items()
            if column not in ("collection", "run") and value is not None and value != ""
        }

    def has(self, *measures: str) -> bool:
        """Whether all of these measures are configured."""
        return set(measures) <= {measure["measure"] for measure in self.measures}

    def label(self, measure: str) -> str:
        """What the papers call a measure."""
        return next(str(row["label"]) for row in self.measures if row["measure"] == measure)

    def counted(self, count: str) -> bool:
        """Whether any view has something to show in this count."""
        views = (view for judge in self.views for view in judge if view)
        return any(value for view in views for value in view["counts"][count])


def arrange(tables: Mapping[str, pl.DataFrame]) -> list[Collection]:
    """Every collection of the campaign, in the order of the table of collections."""
    found = {
        name: {str(key): own for (key,), own in frame.partition_by(
            "collection", as_dict=True, maintain_order=True).items()}
        for name, frame in tables.items()
        if "collection" in frame.columns
    }  # fmt: skip
    return [
        _collection(row, {name: parts[row["collection"]] for name, parts in found.items()
                          if row["collection"] in parts})
        for row in tables["collections"].to_dicts()
    ]  # fmt: skip


def finite(value: float | None) -> float | None:
    """A number that can be shown, or null: not-a-number never reaches the page."""
    return None if value is None or not math.isfinite(value) else value


def _collection(row: Row, tables: Mapping[str, pl.DataFrame]) -> Collection:
    name, reference = row["collection"], row["reference"]
    measures = _rows(tables, "measures")
    primary = _place(row["primary"], (measure["measure"] for measure in measures))
    # The sort is stable: the reference comes first, the others stay as configured.
    judges = sorted(_rows(tables, "judges"), key=lambda judge: judge["judge"] != reference)
    scores = {
        (score["judge"], score["slice"], score["measure"], score["run"]): score
        for score in _rows(tables, "scores")
    }
    counts = {
        (count["judge"], count["slice"], count["run"]): count for count in _rows(tables, "counts")
    }
    leading = {
        run: score
        for (judge, part, measure, run), score in scores.items()
        if (judge, part, measure) == (reference, ALL, row["primary"])
    }
    low_is_better = primary is not None and measures[primary]["better"] == "low"
    runs = _ranked(_rows(tables, "runs"), leading, low_is_better=low_is_better)
    slices = _slices({key[1] for key in scores} | {key[1] for key in counts})
    solved, asked = _solved(tables.get("questions", empty("questions")), reference)
    views = [
        [_view(judge["judge"], part, runs, measures, scores, counts) for part in slices]
        for judge in judges
    ]
    if judges and slices and views[0][0] and "significance" in tables:
        _add_groups(views[0][0], tables["significance"], reference, measures, runs)
    return Collection(
        id=name,
        title=row["title"] or name,
        task=row["task"],
        language=row["language"],
        note=row["note"],
        measures=measures,
        primary=primary,
        runs=runs,
        info=[column for column in SHOWN_INFO if _worth_a_column(column, runs)],
        judges=judges,
        slices=slices,
        views=views,
        solved=solved,
        asked=asked,
        tables=tables,
    )


def _add_groups(
    view: View, significance: pl.DataFrame, judge: str, measures: list[Row], runs: list[Row]
) -> None:
    """The groups of runs that differ significantly, for each measure that was tested."""
    names = [run["run"] for run in runs]
    own = significance.filter(pl.col("judge") == judge)
    for scores, measure in zip(view["scores"], measures, strict=True):
        tested = own.filter(pl.col("measure") == measure["measure"])
        scores["group"] = significance_groups(tested, names, scores["first"])


def _rows(tables: Mapping[str, pl.DataFrame], name: str) -> list[Row]:
    return tables[name].to_dicts() if name in tables else []


def _place(wanted: str | None, names: Iterable[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name == wanted), None)


def _slices(names: set[str]) -> list[str]:
    """All questions first, then the types by name."""
    return sorted(names, key=lambda name: (name != ALL, name))


def _ranked(runs: list[Row], leading: Mapping[str, Row], *, low_is_better: bool) -> list[Row]:
    """Runs by their rank; those without one come last, the best of them first, then by name."""

    def place(run: Row) -> tuple[float, float, str]:
        score = leading.get(run["run"], {})
        first, value = score.get("rank_first"), finite(score.get("value"))
        if value is None:
            value = math.inf
        elif not low_is_better:
            value = -value
        return (math.inf if first is None else first, value, run["run"])

    return sorted(runs, key=place)


def _worth_a_column(column: str, runs: list[Row]) -> bool:
    """Whether a column tells runs apart; the language mostly is the collection's own."""
    values = {run.get(column) for run in runs} - {None, ""}
    return len(values) > 1 if column == "language" else bool(values)


def _view(
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
    )


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


def _empty_view(runs: int, measures: int) -> View:
    nothing: list[Row] = [{} for _ in range(runs)]
    return View(
        questions=0,
        scores=[_scores(nothing, better="high") for _ in range(measures)],
        counts={count: [None for _ in range(runs)] for count in COUNTS},
    )


def _solved(questions: pl.DataFrame, judge: str) -> tuple[int, int]:
    """On how many questions some run is right, and of how many; a question counts once."""
    own = questions.filter(pl.col("judge") == judge)
    by_question = own.group_by("question").agg(pl.col("best").any())
    return int(by_question["best"].sum()), by_question.height
