"""Can I trust the judge? Judges against the reference and people against each other."""

from collections.abc import Iterator

import polars as pl

from qampaign.report import theme
from qampaign.report.blocks import (
    MOST_EXAMPLES,
    Chart,
    Section,
    Table,
    TableColumn,
    TableColumns,
    optional_table,
)
from qampaign.report.charts import judges as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.sections.validation import thin
from qampaign.report.text import MINUS, fixed, many, percent

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
BY_RUN: TableColumns = {"judge": AGREEMENT["judge"], "run": TableColumn("Run", "name")} | {
    name: AGREEMENT[name] for name in ("agreement", "hit_rate", "false_alarm_rate", "kappa")
}
THRESHOLDS: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "criterion": TableColumn("Threshold that", "text"),
    "threshold": TableColumn("Threshold", "number"),
    "agreement": TableColumn("Agreement", "share"),
    "hit_rate": TableColumn("Hit rate", "share"),
    "false_alarm_rate": TableColumn("False-alarm rate", "share"),
    "area": TableColumn("Area under the curve", "number"),
}
MISORDERED: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "measure": TableColumn("Measure", "name"),
    "run_a": TableColumn("Run", "name"),
    "run_b": TableColumn("and run", "name"),
    "difference": TableColumn("Difference", "number"),
    "p": TableColumn("p", "chance"),
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
}
DISPUTED: TableColumns = {
    "question": TableColumn("Question", "name"),
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
    "question": TableColumn("Question", "name"),
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
        *_thresholds(collection),
        *_rankings(collection),
        *_misordered(collection),
        *_assessors(collection),
        *_failures(collection),
    ]
    if not blocks:
        return None
    return Section("judges", "Can I trust the judge?", blocks, _headline(collection))


def _headline(collection: CollectionResults) -> list[str]:
    """How far each judge agrees, and what that does to the ranking."""
    sentences = []
    for row in _agreement_as_configured(collection).filter(slice="all").to_dicts():
        tau = _tau(collection, row["judge"])
        ranking = "" if tau is None else f"; tau between their rankings is {fixed(tau)}"
        sentences.append(
            f"{row['judge']} agrees with {collection.reference} on {percent(row['agreement'])} of "
            f"the answers{ranking}."
        )
    return sentences


def _tau(collection: CollectionResults, judge: str) -> float | None:
    """Tau between a judge's ranking and the reference's, by the measure that ranks."""
    if collection.primary is None:
        return None
    measure = collection.primary_measure
    ends = [collection.reference, judge]
    taus = collection.table("correlation", measure_a=measure, measure_b=measure).filter(
        pl.col("judge_a").is_in(ends),
        pl.col("judge_b").is_in(ends),
        pl.col("judge_a") != pl.col("judge_b"),
    )["tau"]
    return None if taus.is_empty() else taus[0]


def _agreement_as_configured(collection: CollectionResults) -> pl.DataFrame:
    """The agreement of each judge over all runs, with its configured threshold."""
    rows = collection.table("agreement", run="all").filter(pl.col("threshold").is_null())
    thresholds = {str(judge["judge"]): judge.get("threshold") for judge in collection.judges}
    return rows.with_columns(
        threshold=pl.col("judge").replace_strict(thresholds, default=None, return_dtype=pl.Float64)
    )


def _agreement(collection: CollectionResults) -> list[Table]:
    rows = _agreement_as_configured(collection)
    caption = (
        f"Hits are answers that the judge and {collection.reference} both call right; kappa is the "
        "agreement beyond chance, with its 95% interval."
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
            caption="The runs on which a judge errs most come first.",
            closed=True,
        ),
    ]


def _thresholds(collection: CollectionResults) -> Iterator[Chart | Table]:
    configured = _agreement_as_configured(collection).filter(slice="all")
    curves = collection.table("roc", run="all")
    if not curves.is_empty():
        yield _roc(collection, curves, configured)
    yield from _recall_bins(collection)
    thresholds = collection.table("thresholds")
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
    points = configured.filter(pl.col("judge").is_in(judges)).select(
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


def _caption_of_roc(configured: pl.DataFrame) -> str:
    caption = "Each line is a judge as its threshold moves; the point is the judge as configured."
    rows = configured.drop_nulls("threshold").to_dicts()
    if not rows:
        return caption
    row = rows[0]
    return (
        f"{caption} At {row['threshold']:g}, {row['judge']} finds {percent(row['hit_rate'])} of "
        f"what the reference calls right and accepts {percent(row['false_alarm_rate'])} of the "
        "wrong answers."
    )


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
            _caption_of_recall_bins(rows),
            uses=(name,),
            half=True,
            data={name: rows.select("order", "bin", "right", "wrong")},
        )


def _caption_of_recall_bins(bins: pl.DataFrame) -> str:
    caption = "Where right and wrong answers share a bin, no threshold can separate them."
    first, last = bins.row(0, named=True), bins.row(-1, named=True)
    wrong, right = int(bins["wrong"].sum()), int(bins["right"].sum())
    if not wrong or not right:
        return caption
    return (
        f"{caption} {percent(first['wrong'] / wrong, 0)} of the wrong answers hold nothing of the "
        f"key; {percent(last['right'] / right, 0)} of the right ones hold all of it."
    )


def _caption_of_thresholds(thresholds: pl.DataFrame, configured: pl.DataFrame) -> str:
    caption = (
        "What a judge with degrees would do at the threshold that agrees best, at the one that "
        "best balances misses and false alarms, and at one with few false alarms."
    )
    best = thresholds.filter(criterion="agrees best").drop_nulls("threshold")
    both = best.join(configured.drop_nulls("threshold"), on="judge", suffix="_now").to_dicts()
    if not both:
        return caption
    row = both[0]
    if row["agreement"] <= row["agreement_now"]:
        return f"{caption} {row['judge']} already has the threshold that agrees best."
    return (
        f"{caption} At {row['threshold']:.2g}, {row['judge']} would agree on "
        f"{percent(row['agreement'])} of the answers; at {row['threshold_now']:g}, as configured, "
        f"it agrees on {percent(row['agreement_now'])}."
    )


def _rankings(collection: CollectionResults) -> Iterator[Chart]:
    scores = [collection.primary_scores(views[0] if views else None) for views in collection.views]
    if sum(any(ranking["first"]) for ranking in scores if ranking) > 1:
        yield Chart(
            "rankings",
            "Ranking by judge",
            charts.ranks_by_judge(),
            _caption_of_rankings(collection),
            uses=("judges",),
            per_run=13,
            extra=40,
            half=True,
        )
    taus = collection.table("correlation", judge_a=collection.reference).filter(
        pl.col("measure_a") == pl.col("measure_b"),
        pl.col("judge_a") != pl.col("judge_b"),
        pl.col("tau").is_not_null(),
    )
    if not taus.is_empty():
        yield _tau_heatmap(collection, taus)


def _caption_of_rankings(collection: CollectionResults) -> str:
    caption = "A line per run; where lines cross, the judges order the runs differently."
    first = collection.primary_scores(collection.views[0][0])
    if first is None:
        return caption
    moves = []
    for judge, views in zip(collection.others, collection.views[1:], strict=True):
        scores = collection.primary_scores(views[0])
        if scores:
            ranks = zip(first["first"], scores["first"], collection.names(), strict=True)
            moves += [(abs(a - b), run, judge) for a, b, run in ranks if a and b]
    if not moves:
        return caption
    furthest, run, judge = max(moves)
    if not furthest:
        return f"{caption} Here none cross: the rankings are the same."
    return f"{caption} {run} moves furthest: {many(furthest, 'place')}, by {judge}."


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


def _caption_of_tau(collection: CollectionResults, taus: pl.DataFrame) -> str:
    lowest = taus.sort("tau").row(0, named=True)
    interval = ""
    if lowest["low"] is not None and lowest["high"] is not None:
        interval = f" ({fixed(lowest['low'], 2)} to {fixed(lowest['high'], 2)})"
    label = collection.labels().get(lowest["measure_a"], lowest["measure_a"])
    return (
        f"Tau between the ranking by {collection.reference} and the ranking by each judge, with "
        f"its 95% interval: 1 if two rankings are the same, {MINUS}1 if one is the other reversed. "
        f"The lowest here is {fixed(lowest['tau'], 2)}{interval}, for {lowest['judge_b']} by "
        f"{label}."
    )


def _misordered(collection: CollectionResults) -> list[Table]:
    pairs = collection.table("misordered")
    return optional_table(
        "misordered",
        "Pairs in the wrong order",
        pairs,
        MISORDERED,
        caption="Pairs of runs that differ significantly by the reference, and that the judge puts "
        f"in the opposite order: {pairs.height:,}.",
        most=MOST_EXAMPLES,
        closed=True,
    )


def _assessors(collection: CollectionResults) -> list[Table]:
    assessors = collection.table("assessors").sort(pl.col("slice") != "all", maintain_order=True)
    return [
        *optional_table(
            "assessors",
            "Do people agree?",
            assessors,
            ASSESSORS,
            caption=_caption_of_assessors(assessors),
            most=MOST_EXAMPLES,
        ),
        *optional_table(
            "disputed",
            "What people dispute",
            collection.table("disputed"),
            DISPUTED,
            most=MOST_EXAMPLES,
            closed=True,
        ),
    ]


def _caption_of_assessors(assessors: pl.DataFrame) -> str:
    caption = "In rows with “all” twice, kappa is Krippendorff's alpha over all assessors."
    overall = assessors.filter(assessor_a="all", assessor_b="all", slice="all")
    if overall.is_empty() or overall["agreement"][0] is None:
        return caption
    return (
        f"{caption} Two people agree on {percent(overall['agreement'][0])} of "
        f"{many(overall['items'][0], 'item')}: no judge can be expected to do better."
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
    columns = {
        name: column for name, column in EXAMPLES.items() if not examples[name].is_null().all()
    }
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
            columns,
            caption=caption,
            most=MOST_EXAMPLES,
            closed=True,
        ),
    ]
