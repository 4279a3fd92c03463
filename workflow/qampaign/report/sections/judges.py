"""Can I trust the judge? Judges against the reference and people against each other."""

from collections.abc import Iterator, Sequence

import polars as pl

from qampaign.agreement.matched import MATCHED
from qampaign.ranking import SAME
from qampaign.report import theme
from qampaign.report.blocks import (
    MOST_EXAMPLES,
    Chart,
    Reading,
    Section,
    Table,
    TableColumn,
    TableColumns,
    optional_table,
)
from qampaign.report.charts import judges as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.sections import corrected, fair_judges, suspects
from qampaign.report.sections.validation import thin
from qampaign.report.text import (
    DASH,
    MINUS,
    fixed,
    highest,
    interval,
    listed,
    many,
    named,
    percent,
)
from qampaign.report.views import Row, View
from qampaign.studies.comparisons import TABLED
from qampaign.studies.minimums import RUNS

COUNTS = ("hits", "misses", "false_alarms", "correct_rejections")

AGREEMENT: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "slice": TableColumn("Questions", "name"),
    "threshold": TableColumn("Threshold", "number"),
    "agreement": TableColumn("Agreement", "share"),
    "hit_rate": TableColumn(
        "Hit rate", "share", "of the answers that the reference calls right, also right here"
    ),
    "false_alarm_rate": TableColumn(
        "False-alarm rate", "share", "of the answers that the reference calls wrong, right here"
    ),
    "kappa": TableColumn("Kappa", "number"),
    "low": TableColumn("from", "number"),
    "high": TableColumn("to", "number"),
    "hits": TableColumn("Hits", "count"),
    "misses": TableColumn("Misses", "count"),
    "false_alarms": TableColumn("False alarms", "count"),
    "correct_rejections": TableColumn("Rejections", "count"),
}
SHIFT = TableColumn(
    "Favoured by",
    "number",
    "by how much more the judge's errors raise its share of right responses than the mean run's",
)
BY_RUN: TableColumns = {
    "judge": AGREEMENT["judge"],
    "run": TableColumn("Run", "name"),
    **{name: AGREEMENT[name] for name in ("agreement", "hit_rate", "false_alarm_rate", "kappa")},
    "shift": SHIFT,
}
THRESHOLDS: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "criterion": TableColumn("Threshold that", "text"),
    "threshold": TableColumn("Threshold", "number"),
    "agreement": TableColumn("Agreement", "share"),
    "hit_rate": TableColumn("Hit rate", "share"),
    "false_alarm_rate": TableColumn("False-alarm rate", "share"),
    "area": TableColumn("Area under the curve", "number"),
    "tau": TableColumn("Tau", "number", "between the rankings by right first answers"),
    "cross_fitted_agreement": TableColumn(
        "Agreement elsewhere", "share", "with a threshold that was chosen on other questions"
    ),
    "cross_fitted_tau": TableColumn("Tau elsewhere", "number", "likewise"),
}
TAUS = ("tau", "cross_fitted_tau")
MISORDERED: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "label": TableColumn("Measure", "name"),
    "run_a": TableColumn("Run", "name"),
    "run_b": TableColumn("and run", "name"),
    "difference": TableColumn("Difference", "number"),
    "p": TableColumn("p", "chance", "by the reference, adjusted for all pairs"),
    "judge_difference": TableColumn("by the judge", "number"),
}
ASSESSORS: TableColumns = {
    "assessor_a": TableColumn("Assessor", "name"),
    "assessor_b": TableColumn("and assessor", "name"),
    "slice": TableColumn("Questions", "name"),
    "items": TableColumn("Items", "count"),
    "agreement": TableColumn("Agreement", "share"),
    "kappa": TableColumn("Kappa", "number"),
    "low": TableColumn("from", "number"),
    "high": TableColumn("to", "number"),
    "weighted_kappa": TableColumn("Weighted kappa", "number", "by levels"),
    "fleiss_kappa": TableColumn("Fleiss' kappa", "number"),
    "unanimous": TableColumn("Unanimous", "share", "items on which all who judged them agree"),
}
DISPUTED: TableColumns = {
    "question": TableColumn("Question", "question"),
    "run": TableColumn("Run", "name"),
    "answer": TableColumn("Answer", "words"),
    "assessors": TableColumn("Assessors", "count"),
    "right": TableColumn("call it right", "count"),
    "verdicts": TableColumn("Verdicts", "words"),
}
CAUSES: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "cause": TableColumn("Cause", "words"),
    "count": TableColumn("Times", "count"),
    "share": TableColumn("Share", "share"),
}
EXAMPLES: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "question": TableColumn("Question", "question"),
    "text": TableColumn("Asked", "words"),
    "key": TableColumn("Key", "words"),
    "run": TableColumn("Run", "name"),
    "answer": TableColumn("Answer", "words"),
    "verdict": TableColumn("By the judge", "text"),
    "reference_verdict": TableColumn("By the reference", "text"),
    "degree": TableColumn("Degree", "number"),
}


def section(collection: CollectionResults) -> Section | None:
    blocks: list[Chart | Table] = [
        *_agreement(collection),
        *fair_judges.weights(collection),
        *corrected.blocks(collection),
        *_thresholds(collection),
        *_rankings(collection),
        *_misordered(collection),
        *_assessors(collection),
        *_failures(collection),
        *suspects.blocks(collection),
    ]
    if not blocks:
        return None
    return Section("judges", "Can I trust the judge?", blocks, _headline(collection), fixed=())


def _headline(collection: CollectionResults) -> list[str]:
    """How far each judge agrees, and what that does to the ranking."""
    sentences, ranked = [], False
    compared: list[fair_judges.Compared] = []
    for row in agreement_as_configured(collection).filter(slice="all").to_dicts():
        both = sum(row[name] or 0 for name in COUNTS)
        if not both:
            continue
        tau = _tau(collection, row["judge"])
        compared.append(fair_judges.Compared.of(row, tau))
        ranked |= tau is not None
        sentences.append(
            f"{row['judge']} agrees with {collection.reference} on {percent(row['agreement'])} of "
            f"{many(both, 'response')} {MATCHED}{_with_tau(collection, tau)}."
        )
    if sentences and not ranked:
        sentences.append(
            f"Too few runs to compare rankings: at least {RUNS} must be ranked by both."
        )
    return [
        *sentences,
        *fair_judges.recommend(collection, compared),
        *fair_judges.describe_unfair(collection),
    ]


def _with_tau(collection: CollectionResults, tau: Row | None) -> str:
    if tau is None:
        return ""
    rankings = f"rankings by {collection.primary_label}"
    if tau["tau_b"] is None:
        return f"; at least one of their {rankings} ties all runs: there is no order to compare"
    if tau["tau_b"] > 1 - SAME and tau["tau"] < 1 - SAME:
        lowered = f"tau is {fixed(tau['tau'])}, since a tied pair counts as neither"
        return f"; their {rankings} are the same, ties included ({lowered})"
    ends = interval(tau["low"], tau["high"])
    known = "" if ends == DASH else f" (95% interval {ends})"
    return f"; tau between their {rankings} is {fixed(tau['tau'])}{known}"


def _tau(collection: CollectionResults, judge: str) -> Row | None:
    """The row of tau between a judge's ranking and the reference's, by the measure that ranks."""
    if collection.primary is None:
        return None
    measure = collection.primary_measure
    ends = [collection.reference, judge]
    taus = collection.table("correlation", measure_a=measure, measure_b=measure).filter(
        pl.col("judge_a").is_in(ends),
        pl.col("judge_b").is_in(ends),
        pl.col("judge_a") != pl.col("judge_b"),
        pl.col("runs") >= RUNS,
        pl.col("tau").is_not_null(),
    )
    return None if taus.is_empty() else taus.row(0, named=True)


def agreement_as_configured(collection: CollectionResults) -> pl.DataFrame:
    """The agreement of each judge over all runs, with its configured threshold."""
    rows = collection.table("agreement", run="all").filter(pl.col("threshold").is_null())
    thresholds = {str(judge["judge"]): judge.get("threshold") for judge in collection.judges}
    return rows.with_columns(
        threshold=pl.col("judge").replace_strict(thresholds, default=None, return_dtype=pl.Float64)
    )


def _agreement(collection: CollectionResults) -> list[Table]:
    rows = agreement_as_configured(collection)
    caption = (
        f"Over responses {MATCHED}. Hits are those that the judge and "
        f"{collection.reference} both call right; kappa is the agreement beyond chance, with its "
        "95% interval."
    )
    columns = {
        name: column
        for name, column in AGREEMENT.items()
        if name != "threshold" or not rows["threshold"].is_null().all()
    }
    by_run = collection.table("agreement", slice="all").filter(
        pl.col("run") != "all", pl.col("threshold").is_null()
    )
    return [
        *optional_table("agreement", "Agreement", rows, columns, caption=caption),
        *optional_table(
            "agreement_by_run",
            "Agreement by run",
            by_run.sort("agreement", maintain_order=True),
            BY_RUN,
            caption="The runs on which a judge and the reference differ most come first.",
            closed=True,
        ),
    ]


def _thresholds(collection: CollectionResults) -> Iterator[Chart | Table]:
    configured = agreement_as_configured(collection).filter(slice="all")
    # Without an answer that the reference calls right, or wrong, a curve has nowhere to go.
    curves = collection.table("roc", run="all").drop_nulls(["tp_rate", "fp_rate"])
    if not curves.is_empty():
        yield _roc(collection, curves, configured)
    yield from _recall_bins(collection)
    thresholds = collection.table("thresholds")
    if len(collection.ranked) < RUNS:  # too few to compare rankings
        thresholds = thresholds.with_columns(pl.lit(None).alias(name) for name in TAUS)
    caption = _caption_of_thresholds(thresholds, configured)
    title = "Thresholds to consider"
    yield from optional_table("thresholds", title, thresholds, THRESHOLDS, caption=caption)


def _roc(collection: CollectionResults, curves: pl.DataFrame, configured: pl.DataFrame) -> Chart:
    judges = [judge for judge in collection.others if judge in set(curves["judge"])]
    keys = dict(zip(judges, theme.keys(judges), strict=True))
    lines = [
        thin(curves.filter(judge=judge)).with_columns(name=pl.lit(key)).drop("run")
        for judge, key in keys.items()
    ]
    both = configured.drop_nulls(["hit_rate", "false_alarm_rate"])
    points = both.filter(pl.col("judge").is_in(judges)).select(
        name=pl.col("judge").replace_strict(keys, return_dtype=pl.String),
        tp_rate="hit_rate",
        fp_rate="false_alarm_rate",
        threshold="threshold",
    )
    return Chart(
        "judge_roc",
        "Hits against false alarms",
        charts.judge_roc(tuple(keys.values())),
        _caption_of_roc(configured),
        uses=("judge_roc", "judge_points"),
        data={"judge_roc": pl.concat(lines), "judge_points": points},
        half=True,
    )


def _caption_of_roc(configured: pl.DataFrame) -> Reading:
    caption = (
        "Each line is a judge as its threshold moves, against the reference; the point is the "
        "judge as configured."
    )
    rows = configured.drop_nulls("threshold").to_dicts()
    if not rows:
        return Reading(caption)
    row = rows[0]
    hits, alarms = row["hit_rate"], row["false_alarm_rate"]
    finds = f"finds {percent(hits)} of what the reference calls right"
    accepts = f"accepts {percent(alarms)} of what"
    if hits is None and alarms is None:
        return Reading(caption)
    if hits is None:
        finding = f"{accepts} the reference calls wrong; the reference calls nothing right"
    elif alarms is None:
        finding = f"{finds}; the reference calls nothing wrong"
    else:
        finding = f"{finds} and {accepts} it calls wrong"
    return Reading(caption, f"At {row['threshold']:g}, {row['judge']} {finding}.")


def _recall_bins(collection: CollectionResults) -> Iterator[Chart]:
    exact = collection.table("judges", kind="exact")["judge"]  # goes by another degree than recall
    bins = collection.table("recall_bins").filter(~pl.col("judge").is_in(exact.implode()))
    for number, judge in enumerate(bins["judge"].unique(maintain_order=True), start=1):
        name = f"recall_bins_{number}"
        rows = bins.filter(judge=judge).with_row_index("order")
        yield Chart(
            name,
            f"How much of the key the answers hold, for {judge}",
            charts.recall_histogram(name),
            _caption_of_recall_bins(rows, judge),
            uses=(name,),
            half=True,
            data={name: rows.select("order", "bin", "right", "wrong")},
        )


def _caption_of_recall_bins(bins: pl.DataFrame, judge: str) -> Reading:
    caption = "No threshold can separate right and wrong answers with the same recall of the key."
    first, last = bins.row(0, named=True), bins.row(-1, named=True)
    wrong, right = int(bins["wrong"].sum()), int(bins["right"].sum())
    if not wrong or not right:
        return Reading(caption)
    return Reading(
        caption,
        f"As {judge} compares, {percent(first['wrong'] / wrong, 0)} of the wrong answers contain "
        f"nothing of the key; {percent(last['right'] / right, 0)} of the right ones contain all "
        "of it.",
    )


def _caption_of_thresholds(thresholds: pl.DataFrame, configured: pl.DataFrame) -> str:
    caption = (
        "What a judge with degrees would do at the threshold that agrees best, at the one that "
        "ranks the runs most like the reference, at the one that best balances misses and false "
        "alarms, and at one with few false alarms. They were chosen on these same answers; "
        "agreement and tau elsewhere are for thresholds chosen on other questions."
    )
    best = thresholds.filter(criterion="agrees best").drop_nulls("threshold")
    both = best.join(configured.drop_nulls("threshold"), on="judge", suffix="_now").to_dicts()
    if not both:
        return caption
    row = both[0]
    if row["agreement"] <= row["agreement_now"]:
        return f"{caption} No other threshold of {row['judge']} agrees on more of these answers."
    return (
        f"{caption} At {row['threshold']:.2g}, {row['judge']} would agree on "
        f"{percent(row['agreement'])} of the answers; at {row['threshold_now']:g}, as configured, "
        f"it agrees on {percent(row['agreement_now'])}."
    )


def _rankings(collection: CollectionResults) -> Iterator[Chart]:
    scores = [collection.primary_scores(views[0] if views else None) for views in collection.views]
    rankings = [ranking for ranking in scores if ranking and any(ranking["first"])]
    if len(rankings) > 1 and len(collection.ranked) > 1:
        yield Chart(
            "rankings",
            "Ranking by judge",
            charts.ranks_by_judge(),
            _caption_of_rankings(collection),
            follow=_caption_of_rankings,
            uses=("judges",),
            per_run=13,
            extra=40,
            half=True,
        )
    taus = collection.table("correlation", judge_a=collection.reference).filter(
        pl.col("measure_a") == pl.col("measure_b"),
        pl.col("judge_a") != pl.col("judge_b"),
        pl.col("runs") >= RUNS,
        pl.col("tau").is_not_null(),
    )
    if not taus.is_empty():
        yield _tau_heatmap(collection, taus)


def _caption_of_rankings(collection: CollectionResults) -> Reading:
    caption = (
        "A line per run; where lines cross, the judges order the runs differently. The ranks are "
        "those that each judge gives."
    )
    moves: dict[str, float] = {}
    compared: dict[str, int] = {}
    for judge, views in zip(collection.others, collection.views[1:], strict=True):
        ranks = _ranks_of_both(collection, views[collection.slice_at])
        compared[judge] = len(ranks)
        if len(ranks) > 1:
            moves |= {f"{run} by {judge}": abs(a - b) for run, (a, b) in ranks.items()}
    first = collection.primary_scores(collection.views[0][collection.slice_at])
    every = sum(rank is not None for rank in first["first"]) if first else 0
    if part := [judge for judge, number in compared.items() if number < every]:
        numbers = listed(f"{compared[judge] or 'none'} by {judge}" for judge in part)
        caption += (
            f" Of {many(every, 'run')} that {collection.reference} ranks, {numbers} can be "
            "compared: not those without a rank, nor those of which a judge leaves more answers "
            "without a verdict than of others. Moves are counted among the runs compared."
        )
    if not moves:
        return Reading(caption)
    furthest, runs = highest(moves)
    if furthest < SAME:
        who = [judge for judge, number in compared.items() if number > 1]
        every_judge = "All judges"
        if len(who) < len(compared):
            every_judge = listed([collection.reference, *who])
        if any(compared[judge] < every for judge in who):
            return Reading(caption, f"{every_judge} order alike the runs that can be compared.")
        return Reading(caption, f"{every_judge} give the same ranking.")
    thing = "rank" if furthest == 1 else "ranks"
    return Reading(
        caption,
        f"From judge to judge, a run moves by up to {furthest:g} {thing}: {named(runs, 'run')}.",
    )


def _ranks_of_both(collection: CollectionResults, view: View | None) -> dict[str, list[float]]:
    """The rank of each run by the reference and in a view, among those that both have judged."""
    alike = judged_alike(collection, view, collection.slice_at)
    ranks = {
        run: both
        for run, both in _ranked_by_both(collection, view, collection.slice_at).items()
        if run in alike
    }
    columns = [[both[side] for both in ranks.values()] for side in (0, 1)]
    return {
        run: [_among(rank, column) for rank, column in zip(both, columns, strict=True)]
        for run, both in ranks.items()
    }


def _ranked_by_both(
    collection: CollectionResults, view: View | None, slice_at: int
) -> dict[str, list[float]]:
    """The runs that have a rank by the reference and in a view, with both ranks."""
    first = collection.views[0][slice_at]
    ours, theirs = (collection.primary_scores(each) for each in (first, view))
    if ours is None or theirs is None:
        return {}
    both = zip(collection.names(), ours["rank"], theirs["rank"], strict=True)
    return {run: [a, b] for run, a, b in both if a is not None and b is not None}


def judged_alike(collection: CollectionResults, view: View | None, slice_at: int = 0) -> set[str]:
    """The runs of which a judge leaves as few answers without a verdict as of any that it ranks.

    Beyond those that the reference leaves. A run of which a judge has judged less than of others is
    low in its ranking for that alone.
    """
    first = collection.views[0][slice_at]
    if first is None or view is None:
        return set()
    columns = (each["counts"]["unassessed"] for each in (first, view))
    more = {
        run: abs((other or 0) - (one or 0))
        for run, one, other in zip(collection.names(), *columns, strict=True)
    }
    ranked = _ranked_by_both(collection, view, slice_at) or more
    fewest = min(more[run] for run in ranked) if ranked else 0
    return {run for run, number in more.items() if number <= fewest + SAME}


def _among(rank: float, ranks: Sequence[float]) -> float:
    """The rank among some ranks; equal ones share the middle of theirs.

    >>> [_among(rank, [2, 5, 5]) for rank in (2, 5)]
    [1.0, 2.5]
    """
    return sum(other < rank for other in ranks) + (1 + ranks.count(rank)) / 2


def _tau_heatmap(collection: CollectionResults, taus: pl.DataFrame) -> Chart:
    judges = taus["judge_b"].unique(maintain_order=True).to_list()
    across = dict(zip(judges, theme.keys(judges), strict=True))
    labels = collection.labels()
    down = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    cells = taus.with_columns(
        measure=pl.col("measure_a").replace_strict(down, default=None),
        judge=pl.col("judge_b").replace_strict(across, return_dtype=pl.String),
    ).drop_nulls("measure")
    used = tuple(key for key in down.values() if key in set(cells["measure"]))
    return Chart(
        "judge_tau",
        "Do judges rank alike?",
        charts.tau_heatmap("judge_tau", used, tuple(across.values()), "measure", "judge"),
        _caption_of_tau(collection, taus),
        uses=("judge_tau",),
        data={"judge_tau": cells.select("measure", "judge", "tau", "low", "high", "runs")},
        half=True,
    )


def _caption_of_tau(collection: CollectionResults, taus: pl.DataFrame) -> Reading:
    caption = (
        f"Tau between the ranking by {collection.reference} and the ranking by each judge, with "
        f"its 95% interval where there is one: 1 if both order every pair of runs alike, {MINUS}1 "
        "if they order every pair the other way round; a tied pair counts as neither."
    )
    lowest = taus.sort(pl.coalesce("tau_b", "tau"), "tau").row(0, named=True)  # ties aside
    least = min(taus["tau"].to_list())
    if lowest["tau_b"] is not None and lowest["tau_b"] >= 1 - SAME:
        finding = f"All judges order the runs as {collection.reference} does, by every measure"
        return Reading(
            caption, f"{finding}{'.' if least >= 1 - SAME else ': ties alone lower tau.'}"
        )
    ends = tied = ""
    if lowest["tau_b"] is None:
        tied = ", where at least one ranking ties all runs"
    elif lowest["low"] is not None and lowest["high"] is not None:
        ends = f" ({fixed(lowest['low'], 2)} to {fixed(lowest['high'], 2)})"
    label = collection.labels().get(lowest["measure_a"], lowest["measure_a"])
    opening = "Ties aside, rankings differ most where tau is"
    if lowest["tau"] <= least + SAME:
        opening = "The lowest tau is"
    return Reading(
        caption,
        f"{opening} {fixed(lowest['tau'], 2)}{ends}, for {lowest['judge_b']} by {label}{tied}.",
    )


def _misordered(collection: CollectionResults) -> list[Table]:
    labels = collection.labels()
    pairs = collection.table("misordered").with_columns(label=pl.col("measure").replace(labels))
    known, apart = pairs.height, _judged_apart(collection)
    rows = pairs.select("judge", "run_a", "run_b").iter_rows()
    kept = [not {(judge, a), (judge, b)} & apart for judge, a, b in rows]
    pairs = pairs.filter(pl.Series(kept, dtype=pl.Boolean))
    runs = pairs.filter(measure=collection.primary_measure).unique(["judge", "run_a", "run_b"])
    of_judge = [
        f"{many(runs.filter(judge=judge).height, 'pair')} by {judge}"
        for judge in collection.others
        if judge in set(pairs["judge"])
    ]
    some = "Pairs of runs"
    if len(collection.ranked) > TABLED:
        some = "Neighbours in the reference's ranking"
    return optional_table(
        "misordered",
        "Pairs in the wrong order",
        pairs,
        MISORDERED,
        caption=f"{some} that differ surely by the reference (all pairs tested together), and "
        "that the judge puts in the opposite order, measure by measure; by "
        f"{collection.primary_label}: {listed(of_judge) if of_judge else 'none'}."
        + (
            " Left out are runs of which the judge leaves more answers without a verdict than of "
            "others."
            if pairs.height < known
            else ""
        ),
        most=MOST_EXAMPLES,
        closed=True,
    )


def _judged_apart(collection: CollectionResults) -> set[tuple[str, str]]:
    """Judge and run where the judge has judged less of the run than of others."""
    return {
        (judge, run)
        for judge, views in zip(collection.others, collection.views[1:], strict=True)
        if views and views[0] is not None and collection.views[0][0] is not None
        for run in set(collection.names()) - judged_alike(collection, views[0])
    }


def _assessors(collection: CollectionResults) -> list[Table]:
    assessors = collection.table("assessors").sort(pl.col("slice") != "all", maintain_order=True)
    disputed = collection.table("disputed")
    return [
        *optional_table(
            "assessors",
            "Do people agree?",
            assessors,
            _filled(assessors, ASSESSORS),
            caption=_caption_of_assessors(assessors),
            most=MOST_EXAMPLES,
        ),
        *optional_table(
            "disputed",
            "What people dispute",
            disputed,
            _filled(disputed, DISPUTED),
            most=MOST_EXAMPLES,
            closed=True,
        ),
    ]


def _filled(frame: pl.DataFrame, columns: TableColumns) -> TableColumns:
    """The columns that have something to show."""
    return {name: column for name, column in columns.items() if not frame[name].is_null().all()}


def _caption_of_assessors(assessors: pl.DataFrame) -> str:
    caption = "In rows with “all” twice, kappa is Krippendorff's alpha over all assessors."
    overall = assessors.filter(assessor_a="all", assessor_b="all", slice="all")
    if overall.is_empty() or overall["agreement"][0] is None:
        return caption
    unanimous = overall["unanimous"][0]
    if unanimous is not None:
        caption += f" All who judged an item agree on {percent(unanimous)} of the items."
    return (
        f"{caption} Two people who judge the same thing agree on it in "
        f"{percent(overall['agreement'][0])} of the cases, over "
        f"{many(overall['items'][0], 'item')} with two judgments or more. That is one person "
        "against another; a judge that is compared with their majority may agree with it more "
        "often, or less."
    )


def _failures(collection: CollectionResults) -> list[Table]:
    causes, examples = collection.table("causes"), collection.table("disagreements")
    named = causes.with_columns(
        cause=pl.when(pl.col("part_of").is_null())
        .then(pl.col("cause").fill_null("not given yet"))
        .otherwise(pl.concat_str("part_of", pl.lit(": "), "cause"))
    )
    caption = "Answers that only one of the two, the judge or the reference, calls right."
    if causes.is_empty():
        caption += (
            " Enter the reasons in the column cause of the files in the folder failures, and the "
            "next report will count them."
        )
    return [
        *optional_table(
            "causes",
            "Causes of failure",
            named,
            CAUSES,
            caption="Why the judge and the reference differ, according to a person who looked.",
            most=MOST_EXAMPLES,
        ),
        *optional_table(
            "disagreements",
            "Examples of disagreements",
            examples,
            _filled(examples, EXAMPLES),
            caption=caption,
            most=MOST_EXAMPLES,
            closed=True,
        ),
    ]
