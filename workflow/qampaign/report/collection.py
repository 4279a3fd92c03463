"""A collection as the page shows it, arranged from the published tables."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from qampaign.report.groups import significance_groups
from qampaign.report.theme import KINDS, plain, run_colours
from qampaign.report.views import ALL, Row, Scores, View, empty_view, finite, make_view
from qampaign.tables import RESULT_TABLES, empty

# Columns of the run information that stand in the leaderboard; others are told with the run's name.
SHOWN_INFO = ("team", "category", "language")


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

    @property
    def primary_measure(self) -> str:
        """The id of the measure that ranks, or of the first; empty without measures."""
        return str(self.measures[self.primary or 0]["measure"]) if self.measures else ""

    @property
    def others(self) -> list[str]:
        """The judges that are compared with the reference."""
        return [str(each["judge"]) for each in self.judges[1:]]

    def table(self, name: str, **where: Any) -> pl.DataFrame:
        """The rows of a published table that are this collection's, less those of other values."""
        frame = self.tables.get(name)
        if frame is None:
            frame = empty(name) if name in RESULT_TABLES else pl.DataFrame()
        given = {column: value for column, value in where.items() if column in frame.columns}
        return frame.filter(**given) if given else frame

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
        return view or empty_view(len(self.runs), len(self.measures))

    def scores(self, measure: str) -> Scores:
        """The scores by a configured measure in the view that the page opens with."""
        names = [each["measure"] for each in self.measures]
        return self.start["scores"][names.index(measure)]

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

    def lacks_rows(self) -> bool:
        """Whether any view has a run that lacks rows for so many questions that it says so."""
        views = (view for judge in self.views for view in judge if view)
        return any(share is not None for view in views for share in view["missing"])


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


def _collection(row: Row, tables: Mapping[str, pl.DataFrame]) -> Collection:
    name, reference = row["collection"], row["reference"]
    measures = _rows(tables, "measures")
    ranking = (place for place, each in enumerate(measures) if each["measure"] == row["primary"])
    primary = next(ranking, None)
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
        [make_view(judge["judge"], part, runs, measures, scores, counts) for part in slices]
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


def _solved(questions: pl.DataFrame, judge: str) -> tuple[int, int]:
    """On how many questions some run is right, and of how many; a question counts once."""
    own = questions.filter(pl.col("judge") == judge)
    by_question = own.group_by("question").agg(pl.col("best").any())
    return int(by_question["best"].sum()), by_question.height
