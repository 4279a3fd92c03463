"""Can I trust the judge? Judges against the reference, answer by answer and ranking by ranking."""

import polars as pl

from qampaign.report import theme
from qampaign.report.charts import judges as charts
from qampaign.report.parts import (
    Chart,
    Column,
    Columns,
    Section,
    Table,
    fixed,
    many,
    percent,
    table,
)
from qampaign.report.sections.validation import thin
from qampaign.report.views import Collection

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
MOST = 40


def section(collection: Collection) -> Section | None:
    parts: list[Chart | Table] = [
        *_agreement(collection),
        *_thresholds(collection),
        *_rankings(collection),
        *_people(collection),
        *_failures(collection),
    ]
    if not parts:
        return None
    return Section("judges", "Can I trust the judge?", parts, _headline(collection))


def _others(collection: Collection) -> list[str]:
    return [str(each["judge"]) for each in collection.judges[1:]]


def _headline(collection: Collection) -> list[str]:
    """What each judge agrees to, and what that does to the ranking."""
    overall = _own_agreement(collection).filter(slice="all")
    said = []
    for row in overall.to_dicts():
        tau = _tau(collection, row["judge"])
        ranking = ""
        if tau is not None:
            ranking = f"; its ranking has tau {fixed(tau)} with that by {collection.reference}"
        said.append(
            f"{row['judge']} agrees with {collection.reference} on {percent(row['agreement'])} of "
            f"the answers{ranking}."
        )
    return said[:4]


def _own_agreement(collection: Collection) -> pl.DataFrame:
    """The agreement of each judge as it judges, over all runs, with the threshold that it has."""
    found = collection.table("agreement", run="all").filter(pl.col("threshold").is_null())
    own = {str(each["judge"]): each.get("threshold") for each in collection.judges}
    return found.with_columns(
        threshold=pl.col("judge").replace_strict(own, default=None, return_dtype=pl.Float64)
    )


def _agreement(collection: Collection) -> list[Chart | Table]:
    found = _own_agreement(collection)
    if found.is_empty():
        return []
    reads = (
        f"Hits are answers that the judge and {collection.reference} both call right; kappa is the "
        "agreement beyond chance, with its 95% interval."
    )
    told = {
        name: each
        for name, each in AGREEMENT.items()
        if name != "threshold" or not found["threshold"].is_null().all()
    }
    parts: list[Chart | Table] = [table("agreement", "Agreement", found, told, reads=reads)]
    by_run = collection.table("agreement", slice="all").filter(pl.col("run") != "all")
    if not by_run.is_empty():
        columns = {"judge": AGREEMENT["judge"], "run": ("Run", "name")} | {
            name: AGREEMENT[name] for name in ("agreement", "hit_rate", "false_alarm_rate", "kappa")
        }
        worst = by_run.filter(pl.col("threshold").is_null()).sort("agreement", maintain_order=True)
        reads = "The runs on which a judge errs most stand first."
        parts.append(
            table("agreement_by_run", "Agreement by run", worst, columns, reads=reads, closed=True)
        )
    return parts


def _thresholds(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    curves = collection.table("roc", run="all")
    chosen = _own_agreement(collection).filter(slice="all")
    if not curves.is_empty():
        names = theme.keys(
            [judge for judge in _others(collection) if judge in set(curves["judge"])]
        )
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
    bins = collection.table("recall_bins")
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
    if not thresholds.is_empty():
        columns = {
            "judge": ("Judge", "name"),
            "criterion": ("Threshold that", "text"),
            "threshold": ("Threshold", "number"),
            "agreement": ("Agreement", "share"),
            "hit_rate": ("Hit rate", "share"),
            "false_alarm_rate": ("False-alarm rate", "share"),
            "area": ("Area under the curve", "number"),
        }
        reads = _how_to_read_thresholds(thresholds, chosen)
        parts.append(
            table("thresholds", "Thresholds to consider", thresholds, columns, reads=reads)
        )
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


def _tau(collection: Collection, judge: str) -> float | None:
    """Tau between a judge's ranking and the reference's, by the measure that ranks."""
    if collection.primary is None:
        return None
    measure = collection.measures[collection.primary]["measure"]
    pairs = collection.table("correlation", measure_a=measure, measure_b=measure)
    ends = [collection.reference, judge]
    found = pairs.filter(
        pl.col("judge_a").is_in(ends),
        pl.col("judge_b").is_in(ends),
        pl.col("judge_a") != pl.col("judge_b"),
    )["tau"].to_list()
    return found[0] if found else None


def _rankings(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    ranked = [
        judge
        for judge, views in zip(collection.judges, collection.views, strict=True)
        if views
        and views[0]
        and collection.measures
        and any(views[0]["scores"][collection.primary or 0]["first"])
    ]
    if len(ranked) > 1:
        parts.append(
            Chart(
                "rankings",
                "Ranking by judge",
                charts.ranks_by_judge(),
                _how_to_read_rankings(collection),
                uses=("judges",),
                per_run=13,
                extra=40,
                half=True,
            )
        )
    between = collection.table("correlation").filter(
        pl.col("measure_a") == pl.col("measure_b"),
        pl.col("judge_a") != pl.col("judge_b"),
        pl.col("tau").is_not_null(),
    )
    if not between.is_empty():
        labels = collection.labels()
        ends = list(dict.fromkeys(between.select("judge_a", "judge_b").rows()))
        pairs = theme.keys([_pair(collection, *end) for end in ends])
        named = pl.DataFrame(
            [(*end, key) for end, key in zip(ends, pairs, strict=True)],
            schema=["judge_a", "judge_b", "pair"],
            orient="row",
        )
        cells = _cells(between, "measure_a", labels).join(
            named, on=["judge_a", "judge_b"], maintain_order="left"
        )
        used = [key for key in theme.keys(list(labels.values())) if key in set(cells["name_a"])]
        parts.append(
            Chart(
                "judge_tau",
                "Do judges rank alike?",
                charts.tau_heatmap("judge_tau", tuple(used), tuple(pairs), "name_a", "pair"),
                _how_to_read_tau(collection, between),
                uses=("judge_tau",),
                data={"judge_tau": cells.select("name_a", "pair", "tau", "low", "high", "runs")},
                half=True,
            )
        )
    misordered = collection.table("misordered")
    if not misordered.is_empty():
        columns = {
            "judge": ("Judge", "name"),
            "measure": ("Measure", "name"),
            "run_a": ("Run", "name"),
            "run_b": ("and run", "name"),
            "difference": ("Difference", "number"),
            "p": ("p", "chance"),
            "judge_difference": ("by the judge", "number"),
        }
        reads = (
            "Pairs that the reference tells apart significantly and the judge puts the other way "
            f"round: {many(misordered.height, 'pair')}."
        )
        parts.append(
            table(
                "misordered",
                "Pairs in the wrong order",
                misordered,
                columns,
                reads=reads,
                most=MOST,
                closed=True,
            )
        )
    return parts


def _how_to_read_rankings(collection: Collection) -> str:
    reads = "A line per run; lines that cross are runs whose order the judge changes."
    place = collection.primary or 0
    first = collection.views[0][0]
    if first is None:
        return reads
    moves = []
    for judge, views in zip(_others(collection), collection.views[1:], strict=True):
        if views[0]:
            ranks = zip(
                first["scores"][place]["first"],
                views[0]["scores"][place]["first"],
                collection.names(),
                strict=True,
            )
            moves += [(abs(a - b), run, judge) for a, b, run in ranks if a and b]
    if not moves:
        return reads
    far, run, judge = max(moves)
    if not far:
        return f"{reads} Here none do: the rankings are the same."
    return f"{reads} Furthest goes {run}: {many(far, 'place')} by {judge}."


def _cells(pairs: pl.DataFrame, measure: str, labels: dict[str, str]) -> pl.DataFrame:
    """Pairs with the key of their measure, as charts know it."""
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    side = measure.removeprefix("measure")
    return pairs.with_columns(
        pl.col(measure).replace_strict(keys, default=None).alias(f"name{side}")
    ).drop_nulls(f"name{side}")


def _pair(collection: Collection, a: str, b: str) -> str:
    """What a pair of judges is called: by the other one, where one is the reference."""
    return b if a == collection.reference else f"{a} / {b}"


def _how_to_read_tau(collection: Collection, pairs: pl.DataFrame) -> str:
    reads = (
        f"Tau between the ranking by {collection.reference} and by each judge, with its 95% "
        "interval: 1 where two rankings are the same, \N{MINUS SIGN}1 where one is the other "
        "turned round."
    )
    low = pairs.sort("tau").row(0, named=True)
    between = ""
    if low["low"] is not None and low["high"] is not None:
        between = f" ({fixed(low['low'], 2)} to {fixed(low['high'], 2)})"
    return (
        f"{reads} The lowest here is {fixed(low['tau'], 2)}{between}, of {low['judge_b']} by "
        f"{collection.labels().get(low['measure_a'], low['measure_a'])}."
    )


def _people(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    assessors = collection.table("assessors")
    if not assessors.is_empty():
        columns = {
            "assessor_a": ("Assessor", "name"),
            "assessor_b": ("and assessor", "name"),
            "slice": ("Questions", "name"),
            "items": ("Items", "count"),
            "agreement": ("Agreement", "share"),
            "kappa": ("Kappa", "number"),
            "low": ("from", "number"),
            "high": ("to", "number"),
        }
        overall = assessors.filter(assessor_a="all", assessor_b="all", slice="all")
        reads = "Where both are all, kappa is Krippendorff's alpha over all assessors."
        if not overall.is_empty() and overall["agreement"][0] is not None:
            reads += (
                f" Two people agree on {percent(overall['agreement'][0])} of "
                f"{many(overall['items'][0], 'item')}: no judge can be asked for more."
            )
        parts.append(
            table(
                "assessors",
                "Do people agree?",
                assessors.sort(pl.col("slice") != "all", maintain_order=True),
                columns,
                reads=reads,
                most=MOST,
            )
        )
    disputed = collection.table("disputed")
    if not disputed.is_empty():
        columns = {
            "question": ("Question", "name"),
            "run": ("Run", "name"),
            "answer": ("Answer", "words"),
            "assessors": ("Assessors", "count"),
            "right": ("call it right", "count"),
            "verdicts": ("Verdicts", "words"),
        }
        parts.append(
            table("disputed", "What people dispute", disputed, columns, most=MOST, closed=True)
        )
    return parts


def _failures(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    causes = collection.table("causes")
    if not causes.is_empty():
        whole = pl.col("part_of").is_null()
        named = causes.with_columns(
            cause=pl.when(whole)
            .then(pl.col("cause").fill_null("not said yet"))
            .otherwise(pl.concat_str("part_of", pl.lit(": "), "cause"))
        )
        columns = {
            "judge": ("Judge", "name"),
            "cause": ("Cause", "words"),
            "count": ("Times", "count"),
            "share": ("Share", "share"),
        }
        reads = "Why the judge and the reference differ, as a person found on looking."
        parts.append(table("causes", "Causes of failure", named, columns, reads=reads, most=MOST))
    examples = collection.table("disagreements")
    if not examples.is_empty():
        columns = {
            "judge": ("Judge", "name"),
            "question": ("Question", "name"),
            "text": ("Asked", "words"),
            "key": ("Key", "words"),
            "run": ("Run", "name"),
            "answer": ("Answer", "words"),
            "verdict": ("By the judge", "text"),
            "reference_verdict": ("By the reference", "text"),
            "degree": ("Degree", "number"),
        }
        told = {name: each for name, each in columns.items() if not examples[name].is_null().all()}
        reads = "Answers that the judge and the reference do not call alike right or not."
        if causes.is_empty():
            reads += (
                " Say why in the column cause of the files in the folder failures, and the next "
                "report counts the causes."
            )
        parts.append(
            table(
                "disagreements",
                "Examples of disagreements",
                examples,
                told,
                reads=reads,
                most=MOST,
                closed=True,
            )
        )
    return parts
