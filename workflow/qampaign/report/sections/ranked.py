"""Several answers to a question: at which rank is the right one, and how many are found?"""

import json

import polars as pl

from qampaign.report import theme
from qampaign.report.charts import ranked as charts
from qampaign.report.charts.abstention import plane
from qampaign.report.collection import Collection
from qampaign.report.parts import Chart, Section, many, percent


def section(collection: Collection) -> Section | None:
    kinds = collection.kinds()
    labels = collection.labels()
    parts: list[Chart] = []
    ranks = collection.table("first_right", judge=collection.reference)
    if not ranks.is_empty() and ranks["rank"].max() not in (None, 1):
        parts.append(
            Chart(
                "ranks",
                "Rank of the first right answer",
                charts.first_right_by_rank(_ranks(ranks)),
                _how_to_read_ranks(ranks),
                uses=("first_right",),
                per_run=theme.BAR,
                data={"first_right": ranks.select("run", "rank", "questions")},
            )
        )
    if collection.has("mrr", "nq_correct_5"):
        spec = plane(
            "value_nq_correct_5", labels["nq_correct_5"], "value_mrr", labels["mrr"], kinds
        )
        reads = (
            f"{labels['mrr']} cannot be above {labels['nq_correct_5']}; the further a run lies "
            "below the rest at its place across, the lower down its right answers stand."
        )
        title = f"{labels['mrr']} against {labels['nq_correct_5']}"
        parts.append(Chart("mrr", title, spec, reads + _flattest(collection), half=True))
    gains = _gain_settings(collection)
    if len(gains) > 1:
        parts.append(
            Chart(
                "gains",
                "Q by gain setting",
                charts.values_by_gains(tuple(gains)),
                _how_to_read_gains(collection, gains),
                uses=("gains",),
                data={"gains": _gain_rows(collection, gains)},
                half=True,
            )
        )
    if collection.has("list_precision", "list_recall"):
        names = labels["list_recall"], labels["list_precision"]
        alone = len(collection.runs) == 1
        ends = ("value_list_recall", names[0], "value_list_precision", names[1])
        spec = plane(*ends, kinds, alone=alone)
        reads = (
            "To the right, more of the known answers are found; upwards, less else is given. "
            f"A longer list goes right and down.{_longest(collection)}"
        )
        parts.append(Chart("lists", f"{names[1]} against {names[0]}", spec, reads, half=True))
    return Section("ranked", "Ranked and list answers", parts) if parts else None


def _ranks(table: pl.DataFrame) -> tuple[int, ...]:
    return tuple(table["rank"].drop_nulls().unique().sort())


def _how_to_read_ranks(table: pl.DataFrame) -> str:
    found = int(table.drop_nulls("rank")["questions"].sum())
    first = int(table.filter(rank=1)["questions"].sum())
    if not found:
        return "No run has a right answer at any rank."
    return (
        "Each bar is cut where the first right answer stands; grey is where there is none. Of all "
        f"questions with a right answer {percent(first / found, 0)} have it at the first rank."
    )


def _flattest(collection: Collection) -> str:
    """The run that puts its right answers lowest."""
    mrr, found = (collection.scores(name)["value"] for name in ("mrr", "nq_correct_5"))
    ratios = [
        (m / n, run) for m, n, run in zip(mrr, found, collection.names(), strict=True) if m and n
    ]
    if not ratios:
        return ""
    share, run = min(ratios)
    return f" Lowest down is {run}, with an average of {share:.2f} of a full credit where right."


def _longest(collection: Collection) -> str:
    """The run that finds most of what is known, and how much of its lists that is."""
    recall, precision = (
        collection.scores(name)["value"] for name in ("list_recall", "list_precision")
    )
    found = [
        (r, p, run)
        for r, p, run in zip(recall, precision, collection.names(), strict=True)
        if r is not None and p is not None
    ]
    if not found:
        return ""
    r, p, run = max(found)
    return (
        f" Most is found by {run}: {percent(r, 0)}, and {percent(p, 0)} of what it gives is right."
    )


def _gain_settings(collection: Collection) -> dict[str, str]:
    """The measures with levels of gain over all answers: label and id."""
    found = {}
    for measure in collection.measures:
        options = json.loads(measure.get("options") or "{}")
        if "gains" in options and "beta" in options:
            found[str(measure["label"])] = str(measure["measure"])
    return found


def _gain_rows(collection: Collection, gains: dict[str, str]) -> pl.DataFrame:
    keys = theme.keys(list(gains))
    found = [
        (run, key, value)
        for key, measure in zip(keys, gains.values(), strict=True)
        for run, value in zip(
            collection.names(),
            collection.scores(measure)["value"],
            strict=True,
        )
    ]
    schema = {"run": pl.String, "setting": pl.String, "value": pl.Float64}
    return pl.DataFrame(found, schema=schema, orient="row")


def _how_to_read_gains(collection: Collection, gains: dict[str, str]) -> str:
    first, last = (
        collection.scores(measure)["first"]
        for measure in (*list(gains.values())[:: len(gains) - 1],)
    )
    moved = sum(a != b for a, b in zip(first, last, strict=True))
    labels = list(gains)
    return (
        "Lines that cross are runs whose order depends on how much more a better answer is worth. "
        f"Between {labels[0]} and {labels[-1]} {many(moved, 'run')} changed rank."
    )
