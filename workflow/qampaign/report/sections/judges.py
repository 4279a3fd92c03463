"""Can I trust the judge? Judges against the reference, answer by answer."""

import polars as pl

from qampaign.report import theme
from qampaign.report.charts import judges as charts
from qampaign.report.collection import Collection
from qampaign.report.parts import Chart, Column, Columns, Section, Table, fixed, percent, table
from qampaign.report.sections import people, rankings
from qampaign.report.sections.validation import thin

AGREEMENT: Columns = {
    "judge": ("Judge", "name"),
    "slice": ("Questions", "name"),
    "threshold": ("Threshold", "number"),
    "agreement": ("Agreement", "share"),
    "hit_rate": Column("Hit rate", "share", "of what the reference calls right, also right here"),
    "false_alarm_rate": Column("False-alarm rate", "share", "of what it calls wrong, right here"),
    "kappa": ("Kappa", "number"),
    "low": ("from", "number"),
    "high": ("to", "number"),
    "hits": ("Hits", "count"),
    "misses": ("Misses", "count"),
    "false_alarms": ("False alarms", "count"),
    "correct_rejections": ("Rejections", "count"),
}
BY_RUN: Columns = {"judge": AGREEMENT["judge"], "run": ("Run", "name")} | {
    name: AGREEMENT[name] for name in ("agreement", "hit_rate", "false_alarm_rate", "kappa")
}
THRESHOLDS: Columns = {
    "judge": ("Judge", "name"),
    "criterion": ("Threshold that", "text"),
    "threshold": ("Threshold", "number"),
    "agreement": ("Agreement", "share"),
    "hit_rate": ("Hit rate", "share"),
    "false_alarm_rate": ("False-alarm rate", "share"),
    "area": ("Area under the curve", "number"),
}


def section(collection: Collection) -> Section | None:
    parts: list[Chart | Table] = [
        *_agreement(collection),
        *_thresholds(collection),
        *rankings.parts(collection),
        *people.agreement(collection),
        *people.failures(collection),
    ]
    if not parts:
        return None
    return Section("judges", "Can I trust the judge?", parts, _headline(collection))


def _headline(collection: Collection) -> list[str]:
    """What each judge agrees to, and what that does to the ranking."""
    overall = _own_agreement(collection).filter(slice="all")
    said = []
    for row in overall.to_dicts():
        tau = rankings.tau(collection, row["judge"])
        ranking = ""
        if tau is not None:
            ranking = f"; its ranking has tau {fixed(tau)} with that by {collection.reference}"
        said.append(
            f"{row['judge']} agrees with {collection.reference} on {percent(row['agreement'])} of "
            f"the answers{ranking}."
        )
    return said


def _own_agreement(collection: Collection) -> pl.DataFrame:
    """The agreement of each judge as it judges, over all runs, with the threshold that it has."""
    found = collection.table("agreement", run="all").filter(pl.col("threshold").is_null())
    own = {str(each["judge"]): each.get("threshold") for each in collection.judges}
    return found.with_columns(
        threshold=pl.col("judge").replace_strict(own, default=None, return_dtype=pl.Float64)
    )


def _agreement(collection: Collection) -> list[Table]:
    found = _own_agreement(collection)
    reads = (
        f"Hits are answers that the judge and {collection.reference} both call right; kappa is the "
        "agreement beyond chance, with its 95% interval."
    )
    told = {
        name: each
        for name, each in AGREEMENT.items()
        if name != "threshold" or not found["threshold"].is_null().all()
    }
    own = collection.table("agreement", slice="all").filter(
        pl.col("run") != "all", pl.col("threshold").is_null()
    )
    worst = own.sort("agreement", maintain_order=True)
    order = "The runs on which a judge errs most stand first."
    return [
        *table("agreement", "Agreement", found, told, reads=reads),
        *table("agreement_by_run", "Agreement by run", worst, BY_RUN, reads=order, closed=True),
    ]


def _thresholds(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    curves = collection.table("roc", run="all")
    chosen = _own_agreement(collection).filter(slice="all")
    if not curves.is_empty():
        names = theme.keys([judge for judge in collection.others if judge in set(curves["judge"])])
        by_judge = {key.split(" ", 1)[1]: key for key in names}
        lines = pl.concat(
            [
                thin(curves.filter(judge=judge)).with_columns(name=pl.lit(key)).drop("run")
                for judge, key in by_judge.items()
            ]
        )
        marked = chosen.filter(pl.col("judge").is_in(list(by_judge))).select(
            name=pl.col("judge").replace_strict(by_judge, return_dtype=pl.String),
            tp_rate="hit_rate",
            fp_rate="false_alarm_rate",
            threshold="threshold",
        )
        parts.append(
            Chart(
                "judge_roc",
                "Hits against false alarms",
                charts.judge_roc(tuple(names)),
                _how_to_read_roc(chosen),
                uses=("judge_roc", "judge_points"),
                data={"judge_roc": lines, "judge_points": marked},
                half=True,
            )
        )
    exact = collection.table("judges", kind="exact")["judge"]  # goes by another degree than recall
    bins = collection.table("recall_bins").filter(~pl.col("judge").is_in(exact.implode()))
    for number, judge in enumerate(bins["judge"].unique(maintain_order=True), start=1):
        own, data = bins.filter(judge=judge).with_row_index("place"), f"recall_bins_{number}"
        parts.append(
            Chart(
                data,
                f"How much of the key is in the answer, for {judge}",
                charts.recall_histogram(data),
                _how_to_read_bins(own),
                uses=(data,),
                half=True,
                data={data: own.select("place", "bin", "right", "wrong")},
            )
        )
    thresholds = collection.table("thresholds")
    reads = _how_to_read_thresholds(thresholds, chosen)
    parts += table("thresholds", "Thresholds to consider", thresholds, THRESHOLDS, reads=reads)
    return parts


def _how_to_read_roc(chosen: pl.DataFrame) -> str:
    reads = "Each line is a judge as its threshold moves; the point is the judge as it is."
    rows = chosen.drop_nulls("threshold").to_dicts()
    if not rows:
        return reads
    row = rows[0]
    return (
        f"{reads} At {row['threshold']:g}, {row['judge']} finds {percent(row['hit_rate'])} of what "
        f"the reference calls right and lets {percent(row['false_alarm_rate'])} of the "
        "wrong answers pass."
    )


def _how_to_read_thresholds(thresholds: pl.DataFrame, chosen: pl.DataFrame) -> str:
    reads = (
        "What a judge with degrees would do at the threshold that agrees best, at the one where "
        "misses and false alarms are most alike, and at one with few false alarms."
    )
    best = thresholds.filter(criterion="agrees best").drop_nulls("threshold")
    both = best.join(chosen.drop_nulls("threshold"), on="judge", suffix="_now").to_dicts()
    if not both:
        return reads
    row = both[0]
    if row["agreement"] <= row["agreement_now"]:
        return f"{reads} {row['judge']} has the threshold that agrees best."
    return (
        f"{reads} At {row['threshold']:.2g} {row['judge']} would agree on "
        f"{percent(row['agreement'])} of the answers; at {row['threshold_now']:g}, as it is, "
        f"it does on {percent(row['agreement_now'])}."
    )


def _how_to_read_bins(bins: pl.DataFrame) -> str:
    first, last = bins.row(0, named=True), bins.row(-1, named=True)
    wrong, right = int(bins["wrong"].sum()), int(bins["right"].sum())
    if not wrong or not right:
        return "Where right and wrong answers share a bin, no threshold can tell them apart."
    return (
        "Where right and wrong answers share a bin, no threshold can tell them apart. "
        f"{percent(first['wrong'] / wrong, 0)} of the wrong answers hold nothing of the key, "
        f"{percent(last['right'] / right, 0)} of the right ones hold all of it."
    )
