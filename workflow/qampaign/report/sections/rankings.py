"""Judges against the reference, ranking by ranking: who moves, and how far."""

import polars as pl

from qampaign.report import theme
from qampaign.report.charts import judges as charts
from qampaign.report.collection import Collection
from qampaign.report.parts import MOST, Chart, Columns, Table, fixed, many, table

MISORDERED: Columns = {
    "judge": ("Judge", "name"),
    "measure": ("Measure", "name"),
    "run_a": ("Run", "name"),
    "run_b": ("and run", "name"),
    "difference": ("Difference", "number"),
    "p": ("p", "chance"),
    "judge_difference": ("by the judge", "number"),
}


def tau(collection: Collection, judge: str) -> float | None:
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


def parts(collection: Collection) -> list[Chart | Table]:
    found: list[Chart | Table] = []
    ranked = [
        judge
        for judge, views in zip(collection.judges, collection.views, strict=True)
        if views
        and views[0]
        and collection.measures
        and any(views[0]["scores"][collection.primary or 0]["first"])
    ]
    if len(ranked) > 1:
        found.append(
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
    between = collection.table("correlation", judge_a=collection.reference).filter(
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
        keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
        cells = (
            between.with_columns(name_a=pl.col("measure_a").replace_strict(keys, default=None))
            .drop_nulls("name_a")
            .join(named, on=["judge_a", "judge_b"], maintain_order="left")
        )
        used = [key for key in keys.values() if key in set(cells["name_a"])]
        found.append(
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
    wrong = collection.table("misordered")
    reads = (
        "Pairs that the reference tells apart significantly and the judge puts the other way "
        f"round: {many(wrong.height, 'pair')}."
    )
    title = "Pairs in the wrong order"
    found += table("misordered", title, wrong, MISORDERED, reads=reads, most=MOST, closed=True)
    return found


def _how_to_read_rankings(collection: Collection) -> str:
    reads = "A line per run; lines that cross are runs whose order the judge changes."
    place = collection.primary or 0
    first = collection.views[0][0]
    if first is None:
        return reads
    moves = []
    for judge, views in zip(collection.others, collection.views[1:], strict=True):
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
