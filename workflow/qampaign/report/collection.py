"""The results of a collection as the report shows them, from the published tables."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from qampaign.arrays import Array
from qampaign.measures.question_weights import unevenness
from qampaign.ranking import SAME
from qampaign.report.run_order import in_rank_order
from qampaign.report.text import DASH, fixed, listed, many, short_names
from qampaign.report.theme import KINDS, plain
from qampaign.report.views import ALL, Numbers, Row, Scores, View, empty_view, make_views
from qampaign.tables import RESULT_TABLES, empty

SHOWN_INFO = ("team", "category", "language")
"""Columns of the run information that the leaderboard has; a run's tooltip shows all of them."""


MADE_WITH = "made with Qampaign"
LEAST_WEIGHT = 0.01
"""Smaller weights of questions are not shown in digits."""


@dataclass(frozen=True)
class CollectionResults:
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
    """Questions that some ranked run got right, at a rank that counts."""
    asked: int
    unit: str
    """What the config says to draw: groups of questions where there are some, or questions."""
    groups: int
    """Groups of questions; 0 where no two questions share one."""
    ungrouped: int
    """Questions without a group, beside the groups."""
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict, repr=False)
    judge_at: int = 0
    slice_at: int = 0
    """Where the view is that sentences are about: that of the reference over all questions."""

    @property
    def reference(self) -> str:
        """The judge that the page opens with."""
        return str(self.judges[0]["judge"]) if self.judges else ""

    @property
    def judge(self) -> str:
        """The judge that sentences are about."""
        return str(self.judges[self.judge_at]["judge"]) if self.judges else ""

    @property
    def slice(self) -> str:
        """The slice that sentences are about."""
        return self.slices[self.slice_at] if self.slices else ALL

    @property
    def primary_measure(self) -> str:
        """The id of the measure that ranks, or of the first; empty without measures."""
        return str(self.measures[self.primary or 0]["measure"]) if self.measures else ""

    @property
    def primary_label(self) -> str:
        """The label of that measure, fit for charts."""
        return plain(self.label(self.primary_measure)) if self.measures else ""

    @property
    def noun(self) -> str:
        """What a question is called: a validation collection has items."""
        return "item" if self.task == "validation" else "question"

    @property
    def draws_groups(self) -> bool:
        """Whether questions are drawn by their groups."""
        return bool(self.groups) and self.unit == "group"

    @property
    def units(self) -> int:
        """How many there are of what is drawn."""
        return self.groups + self.ungrouped if self.draws_groups else self.start["questions"]

    def units_in_words(self) -> str:
        """How many groups or questions can be drawn."""
        if not self.draws_groups:
            return many(self.units, self.noun)
        single = [many(self.ungrouped, f"single {self.noun}")] if self.ungrouped else []
        return listed([many(self.groups, "group"), *single])

    @property
    def others(self) -> list[str]:
        """The judges that are compared with the reference."""
        return [str(judge["judge"]) for judge in self.judges[1:]]

    @property
    def judges_can_differ(self) -> bool:
        """Whether at least two judges give verdicts; scores alone call nothing right."""
        by_judge = self.table("questions").group_by("judge").agg(pl.col("difficulty").count())
        scored = by_judge.filter(difficulty=0)["judge"].to_list()
        return sum(judge["judge"] not in scored for judge in self.judges) > 1

    def table(self, name: str, **where: object) -> pl.DataFrame:
        """This collection's rows of a published table, those with the given values."""
        frame = self.tables.get(name)
        if frame is None:
            frame = empty(name) if name in RESULT_TABLES else pl.DataFrame()
        conditions = {column: value for column, value in where.items() if column in frame.columns}
        return frame.filter(**conditions) if conditions else frame

    def labels(self) -> dict[str, str]:
        """What papers call the measures, by id, fit for charts."""
        return {str(row["measure"]): plain(self.label(row["measure"])) for row in self.measures}

    def kinds(self) -> tuple[str, ...]:
        """The kinds of runs that there are."""
        present = {run["kind"] for run in self.runs}
        return tuple(kind for kind in KINDS if kind in present)

    def names(self) -> list[str]:
        """The runs, in the order of the leaderboard."""
        return [str(run["run"]) for run in self.runs]

    @property
    def submitted(self) -> list[str]:
        """The runs that somebody submitted: no baselines, no what-if runs."""
        return [str(run["run"]) for run in self.runs if run["kind"] == "submitted"]

    @property
    def ranked(self) -> list[str]:
        """The runs that have a rank by the measure that ranks, in the order of the leaderboard."""
        scores = self.primary_scores(self.start)
        ranks = scores["first"] if scores else [None] * len(self.runs)
        return [run for run, rank in zip(self.names(), ranks, strict=True) if rank is not None]

    @property
    def unjudged(self) -> list[str]:
        """The submitted runs without a rank because the judge has no verdict on their answers."""
        view = self.start
        without_rank = {
            run
            for scores in view["scores"]
            for run, value, rank in zip(self.names(), scores["value"], scores["first"], strict=True)
            if value is not None and rank is None
        }
        unassessed = self.of_submitted(view["counts"]["unassessed"])
        return [run for run, number in unassessed.items() if number and run in without_rank]

    def submitters(self) -> str:
        """Those who did what a sentence says: the only submitted run by name."""
        return self.submitted[0] if len(self.submitted) == 1 else "the submitted runs"

    def of_submitted(self, column: Numbers) -> dict[str, float]:
        """What a column of a view has for the submitted runs, where it has something."""
        kept = set(self.submitted)
        return {
            run: value
            for run, value in zip(self.names(), column, strict=True)
            if run in kept and value is not None
        }

    def kinds_counted(self) -> str:
        """How many runs there are, baselines and what-if runs apart."""
        kinds = [run["kind"] for run in self.runs]
        things = {"submitted": "run", "baseline": "baseline", "derived": "what-if run"}
        counted = {thing: kinds.count(kind) for kind, thing in things.items()}
        return listed(
            many(number, thing) for thing, number in counted.items() if number or thing == "run"
        )

    def source(self) -> str:
        """What a figure of the view that the page opens with was made from."""
        judge = f"judge {self.reference}" if self.reference else ""
        questions = many(self.start["questions"], self.noun)
        return " \N{MIDDLE DOT} ".join(
            filter(None, [self.title, judge, self.kinds_counted(), questions, MADE_WITH])
        )

    def weights_in_words(self) -> str:
        """Between which weights questions count, where these differ."""
        weights = self.weights()
        if weights is None:
            return ""
        low, high = float(weights.min()), float(weights.max())
        least = fixed(low, 2) if low >= LEAST_WEIGHT else f"below {LEAST_WEIGHT}"
        return f"{self.noun}s weighted from {least} to {fixed(high, 2)}, 1 on average"

    def weights(self) -> Array | None:
        """What questions count for, where that differs."""
        questions = self.table("questions", judge=self.reference)
        if "weight" not in questions.columns or questions["weight"].null_count():
            return None
        weights: Array = questions["weight"].to_numpy()
        return weights

    @property
    def effective_units(self) -> float:
        """How many units of equal weight tell as much as these."""
        weights = self.weights()
        return self.units if weights is None else self.units / unevenness(weights)

    def solved_in_words(self) -> str:
        """How many questions some ranked run got right; nothing where no run is ranked."""
        if not self.ranked:
            return ""
        done = "decides" if self.task == "validation" else "has a right answer to"
        right = " rightly" if self.task == "validation" else ""
        if not self.solved:
            return f"no ranked run {done} any {self.noun}{right}"
        subject = "the ranked run" if len(self.ranked) == 1 else "at least one ranked run"
        return f"{subject} {done} {self.solved:,} of {many(self.asked, self.noun)}{right}"

    def options_of(self, measure: Row) -> str:
        """The options of a measure, as the config would set them; what a composite is made of."""
        options = json.loads(measure.get("options") or "{}")
        if "of" in options:
            labels = self.labels()
            parts = listed(labels.get(name, name) for name in options["of"])
            weights = options.get("weights")
            return f"the mean of {parts}" + (f", weighted by {_option(weights)}" if weights else "")
        return ", ".join(f"{name}: {_option(value)}" for name, value in options.items())

    def is_composite(self, measure: Row) -> bool:
        """Whether it is a mean of others: then what it says names them."""
        return "of" in json.loads(measure["options"])

    def explained(self, measure: Row) -> str:
        """What a measure says, with its options and whether low values are good."""
        options = self.options_of(measure)
        better = {"low": "Lower is better.", "none": "Neither higher nor lower is better."}
        words = [
            str(measure["summary"] or measure["label"]),
            f"With {options}." if options and not self.is_composite(measure) else "",
            self.of_missing(measure),
            better.get(measure["better"], ""),
        ]
        return " ".join(filter(None, words))

    def of_missing(self, measure: Row) -> str:
        """What a measure of right and wrong answers makes of questions without a row, if wrong."""
        formula = str(measure.get("formula") or "")
        counts_answers = (
            re.search(r"\b(wrong|unanswered)\b", formula) and "confidence" not in formula
        )
        if counts_answers and self.counts_missing_as_wrong():
            return f"{self.noun.capitalize()}s without a row count as answered wrongly."
        return ""

    def ranked_values(self, measure: str) -> list[float]:
        """The values of the ranked runs by a configured measure."""
        scores = self.scores(measure)
        pairs = zip(scores["value"], scores["first"], strict=True)
        return [value for value, rank in pairs if value is not None and rank is not None]

    def drawn(self, *measures: str) -> bool:
        """Whether a run has values by all of these measures, in any view."""
        ids = [row["measure"] for row in self.measures]
        places = [ids.index(measure) for measure in measures]
        return any(
            None not in values
            for view in self.filled_views()
            for values in zip(*(view["scores"][at]["value"] for at in places), strict=True)
        )

    def without_values(self, *measures: str) -> str:
        """Says that no run has a value of a measure, of the first of which that holds."""
        labels = self.labels()
        for measure in measures:
            if all(value is None for value in self.scores(measure)["value"]):
                return f"No run has a value of {labels[measure]}."
        return ""

    def separates(self, measure: str) -> bool:
        """Whether any two ranked runs differ by a measure."""
        values = self.ranked_values(measure) if self.has(measure) else []
        return bool(values) and max(values) - min(values) > SAME

    @property
    def start(self) -> View:
        """The view that the page opens with: the reference judge over all questions."""
        view = self.views[self.judge_at][self.slice_at] if self.views and self.slices else None
        return view or self.empty_view()

    def seen(self, judge: int, slice_: int, measure: int) -> "CollectionResults":
        """The same collection, with sentences about another view and another measure that ranks."""
        groups, ungrouped = self.groups, self.ungrouped
        if slice_:
            questions = self.table("questions", judge=self.reference, slice=self.slices[slice_])
            groups, ungrouped = (groups, ungrouped) if questions.is_empty() else _groups(questions)
        return replace(
            self,
            judge_at=judge,
            slice_at=slice_,
            primary=measure,
            groups=groups,
            ungrouped=ungrouped,
        )

    def studied(self) -> list[str]:
        """The columns of the leaderboard that a study fills in any view, by any measure."""
        texts = [scores["text"] for view in self.filled_views() for scores in view["scores"]]
        names = ("interval", "range", "own", "leading", "if_wrong", "if_right")
        return [name for name in names if any(text.get(name) for text in texts)]

    def empty_view(self) -> View:
        """What is shown where there is nothing."""
        return empty_view(self.measures, self.names())

    def filled_views(self) -> Iterator[View]:
        """All views that there are."""
        return (view for of_judge in self.views for view in of_judge if view)

    def scores(self, measure: str) -> Scores:
        """The scores by a configured measure in the view that the page opens with."""
        ids = [row["measure"] for row in self.measures]
        return self.start["scores"][ids.index(measure)]

    @property
    def compares(self) -> bool:
        """Whether any view says which runs lead."""
        return any(scores["leading"] for view in self.filled_views() for scores in view["scores"])

    @property
    def bounded(self) -> bool:
        """Whether any view has bounds of values, for answers that nobody has judged."""
        return any(scores["if_right"] for view in self.filled_views() for scores in view["scores"])

    def primary_scores(self, view: View | None) -> Scores | None:
        """The scores of a view by the measure that ranks, or by the first, if there is any."""
        return view["scores"][self.primary or 0] if view and self.measures else None

    def chart_runs(self) -> list[Row]:
        """What charts show of each run, whatever the view."""
        shorts = short_names(self.names())
        return [
            {"index": index, "run": run["run"], "key": f"{index} {short}", "short": short}
            | {"team": run.get("team") or DASH, "kind": run["kind"]}
            for index, (run, short) in enumerate(zip(self.runs, shorts, strict=True))
        ]

    def payload(self) -> dict[str, object]:
        """What the page's script needs to show every view."""
        complete = bool(self.slices) and all(all(of_judge) for of_judge in self.views)
        return {
            "collection": self.id,
            "noun": self.noun,
            "source": [self.title, self.kinds_counted(), MADE_WITH],
            "runs": self.chart_runs(),
            "about": [self.about(run) for run in self.runs],
            "measures": [
                {"measure": row["measure"], "better": row["better"]}
                | {"title": plain(self.label(row["measure"]))}
                for row in self.measures
            ],
            "primary": self.primary,
            "judges": [str(judge["judge"]) for judge in self.judges],
            "slices": self.slices,
            "views": [[_embedded(view) for view in of_judge] for of_judge in self.views],
            "empty": None if complete and self.views else _embedded(self.empty_view()),
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
        """What papers call a measure; with its options where another has the same label."""
        row = next(row for row in self.measures if row["measure"] == measure)
        alike = [other for other in self.measures if other["label"] == row["label"]]
        options = self.options_of(row) if len(alike) > 1 else ""
        return f"{row['label']} ({options})" if options else str(row["label"])

    def counted(self, count: str) -> bool:
        """Whether any view has something to show in this count."""
        return any(value for view in self.filled_views() for value in view["counts"][count])

    def lacks_rows(self) -> bool:
        """Whether any view marks a run that lacks rows."""
        return any(view["missing"] for view in self.filled_views())

    def counts_missing_as_wrong(self) -> bool:
        """Whether a run lacks rows, and these questions are not among its unanswered ones."""
        counts = self.start["counts"]
        silent = ("missing", "empty", "not_attempted", "withheld_right", "withheld_wrong")
        parts = zip(*(counts[name] for name in silent), strict=True)
        return any(
            numbers[0]
            and unanswered is not None
            and sum(n or 0 for n in numbers) > unanswered + 0.5
            for numbers, unanswered in zip(parts, counts["unanswered"], strict=True)
        )


def _option(value: object) -> str:
    """The value of an option, short.

    >>> _option({"S": 3, "A": 1.5}), _option(5), _option("no"), _option([2.0, 1])
    ('S 3, A 1.5', '5', 'no', '2 and 1')
    """
    if isinstance(value, list):
        return listed(_option(element) for element in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_option(inner)}" for name, inner in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)


def _embedded(view: View | None) -> dict[str, object] | None:
    """A view without what the page's script makes of its numbers: ranks and text (`views.js`)."""
    if view is None:
        return None
    return view | {"scores": [_embedded_scores(scores) for scores in view["scores"]]}


def _embedded_scores(scores: Scores) -> dict[str, object]:
    text, first = scores["text"], scores["first"]
    names = ["value", "first", "low", "high", "leading", "best"]
    names += [name for name in ("if_wrong", "if_right") if scores[name] is not None]
    # A rank and the middle of the ranks that equal runs share give the last of them.
    ranks = enumerate(zip(first, scores["rank"], strict=True))
    return (
        {name: column for name, column in scores.items() if name in names}
        | {"rank": {run: rank for run, (at, rank) in ranks if rank != at}}
        | {"range": text["range"], "own": text["own"]}
    )


def arrange(tables: Mapping[str, pl.DataFrame]) -> list[CollectionResults]:
    """Every collection of the campaign, in the order of the table of collections."""
    by_collection: dict[str, dict[str, pl.DataFrame]] = {}
    for name, frame in tables.items():
        if "collection" in frame.columns:
            groups = frame.partition_by("collection", as_dict=True, maintain_order=True)
            for (collection,), group in groups.items():
                by_collection.setdefault(str(collection), {})[name] = group
    return [
        _results(row, by_collection[row["collection"]]) for row in tables["collections"].to_dicts()
    ]


def _results(row: Row, tables: Mapping[str, pl.DataFrame]) -> CollectionResults:
    scores, counts, runs, judges, measures = (
        tables.get(name, empty(name)) for name in ("scores", "counts", "runs", "judges", "measures")
    )
    reference, primary = row["reference"], row["primary"]
    # The sort is stable: the reference comes first, the others stay as configured.
    ordered_judges = judges.sort(pl.col("judge") != reference, maintain_order=True)
    leading = scores.filter(judge=reference, slice=ALL, measure=primary)
    ranking = measures.filter(measure=primary)
    lower_is_better = "low" in ranking["better"]
    ranked = in_rank_order(runs, leading, lower_is_better=lower_is_better)
    slices = _slices({*scores["slice"], *counts["slice"]})
    views = make_views(
        scores,
        counts,
        judges=ordered_judges["judge"].to_list(),
        slices=slices,
        measures=measures.to_dicts(),
        runs=ranked["run"].to_list(),
    )
    ids = measures["measure"].to_list()
    questions = tables.get("questions", empty("questions")).filter(judge=reference)
    solved, asked = _solved(questions)
    groups, ungrouped = _groups(questions)
    return CollectionResults(
        id=row["collection"],
        title=row["title"] or row["collection"],
        task=row["task"],
        language=row["language"],
        note=row["note"],
        measures=measures.to_dicts(),
        primary=ids.index(primary) if primary in ids else None,
        runs=ranked.to_dicts(),
        info=[column for column in SHOWN_INFO if _worth_a_column(column, ranked)],
        judges=ordered_judges.to_dicts(),
        slices=slices,
        views=views,
        solved=solved,
        asked=asked,
        unit=row["unit"] or "group",
        groups=groups,
        ungrouped=ungrouped,
        tables=tables,
    )


def _slices(names: set[str]) -> list[str]:
    """All questions first, then the types by name."""
    return sorted(names, key=lambda name: (name != ALL, name))


def _worth_a_column(column: str, runs: pl.DataFrame) -> bool:
    """Whether a column says something; the language mostly is the collection's, for every run."""
    values = {*runs[column]} - {None, ""} if column in runs.columns else set()
    return len(values) > 1 if column == "language" else bool(values)


def _solved(questions: pl.DataFrame) -> tuple[int, int]:
    """On how many questions some run is right, and of how many; a question counts once.

    By a judge without verdicts, nobody knows: of none.
    """
    by_question = questions.drop_nulls("best").group_by("question").agg(pl.col("best").any())
    return int(by_question["best"].sum()), by_question.height


def _groups(questions: pl.DataFrame) -> tuple[int, int]:
    """How many groups there are, and questions without one; none where no two share a group."""
    grouped = questions["group"].drop_nulls()
    if grouped.n_unique() == len(grouped):
        return 0, 0
    return grouped.n_unique(), len(questions) - len(grouped)
