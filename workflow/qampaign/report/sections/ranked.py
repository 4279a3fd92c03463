"""Several answers to a question: at which rank is the right one, and how many are found?"""

import json

import polars as pl

from qampaign.report import theme
from qampaign.report.blocks import Chart, Section
from qampaign.report.charts import ranked as charts
from qampaign.report.charts.abstention import plane
from qampaign.report.collection import CollectionResults
from qampaign.report.text import percent


def section(collection: CollectionResults) -> Section | None:
    kinds = collection.kinds()
    labels = collection.labels()
    blocks: list[Chart] = []
    ranks = collection.table("first_right", judge=collection.reference)
    if not ranks.is_empty() and ranks["rank"].max() not in (None, 1):
        blocks.append(
            Chart(
                "ranks",
                "Rank of the first right answer",
                charts.first_right_by_rank(tuple(ranks["rank"].drop_nulls().unique().sort())),
                _caption_of_ranks(ranks),
                uses=("first_right",),
                per_run=theme.BAR,
                data={"first_right": ranks.select("run", "rank", "questions")},
            )
        )
    if collection.has("mrr", "nq_correct_5"):
        mrr, most = labels["mrr"], labels["nq_correct_5"]
        caption = (
            f"{mrr} cannot exceed {most}; the further a run lies below others with the same "
            f"{most}, the lower it ranks its right answers."
        )
        blocks.append(
            Chart(
                "mrr",
                f"{mrr} against {most}",
                plane("value_nq_correct_5", most, "value_mrr", mrr, kinds),
                caption + _lowest_credit(collection),
                half=True,
            )
        )
    gains = _gain_settings(collection)
    if len(gains) > 1:
        blocks.append(
            Chart(
                "gains",
                "Q by gain setting",
                charts.values_by_gains(tuple(gains)),
                _caption_of_gains(collection, gains),
                uses=("gains",),
                data={"gains": _gain_rows(collection, gains)},
                half=True,
            )
        )
    if collection.has("list_precision", "list_recall"):
        recall, precision = labels["list_recall"], labels["list_precision"]
        ends = ("value_list_recall", recall, "value_list_precision", precision)
        caption = (
            "Further right, a run finds more of the known answers; further up, more of what it "
            "gives is right. A longer list moves a run right and down."
        )
        blocks.append(
            Chart(
                "lists",
                f"{precision} against {recall}",
                plane(*ends, kinds, single=len(collection.runs) == 1),
                caption + _highest_recall(collection),
                half=True,
            )
        )
    return Section("ranked", "Ranked and list answers", blocks) if blocks else None


def _caption_of_ranks(ranks: pl.DataFrame) -> str:
    right = int(ranks.drop_nulls("rank")["questions"].sum())
    first = int(ranks.filter(rank=1)["questions"].sum())
    if not right:
        return "No run has a right answer at any rank."
    return (
        "Each bar is divided by the rank of the first right answer; grey is where there is none. "
        f"Of all questions with a right answer, {percent(first / right, 0)} have it at rank 1."
    )


def _lowest_credit(collection: CollectionResults) -> str:
    """The run that ranks its right answers lowest."""
    mrr, most = (collection.scores(name)["value"] for name in ("mrr", "nq_correct_5"))
    ratios = [
        (m / n, run) for m, n, run in zip(mrr, most, collection.names(), strict=True) if m and n
    ]
    if not ratios:
        return ""
    share, run = min(ratios)
    return f" {run} ranks them lowest: where it is right, its mean credit is {share:.2f}."


def _highest_recall(collection: CollectionResults) -> str:
    """The run that finds most of what is known, and how much of its lists is right."""
    recall, precision = (
        collection.scores(name)["value"] for name in ("list_recall", "list_precision")
    )
    known = [
        (r, p, run)
        for r, p, run in zip(recall, precision, collection.names(), strict=True)
        if r is not None and p is not None
    ]
    if not known:
        return ""
    r, p, run = max(known)
    return f" {run} finds the most, {percent(r, 0)}; {percent(p, 0)} of what it gives is right."


def _gain_settings(collection: CollectionResults) -> dict[str, str]:
    """The measures with levels of gain over all answers: label and id."""
    settings = {}
    for measure in collection.measures:
        options = json.loads(measure.get("options") or "{}")
        if "gains" in options and "beta" in options:
            settings[str(measure["label"])] = str(measure["measure"])
    return settings


def _gain_rows(collection: CollectionResults, gains: dict[str, str]) -> pl.DataFrame:
    rows = [
        (run, key, value)
        for key, measure in zip(theme.keys(list(gains)), gains.values(), strict=True)
        for run, value in zip(collection.names(), collection.scores(measure)["value"], strict=True)
    ]
    schema = {"run": pl.String, "setting": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _caption_of_gains(collection: CollectionResults, gains: dict[str, str]) -> str:
    labels, measures = list(gains), list(gains.values())
    first, last = (collection.scores(measures[end])["first"] for end in (0, -1))
    moved = sum(a != b for a, b in zip(first, last, strict=True))
    return (
        "Where lines cross, the order of the runs depends on how much more a better answer is "
        f"worth. Runs whose rank changes between {labels[0]} and {labels[-1]}: {moved}."
    )
