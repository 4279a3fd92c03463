"""Several answers to a question: at which rank is the right one, and how many are found?"""

import json

import polars as pl

from qampaign.report import theme
from qampaign.report.blocks import Chart, Reading, Section
from qampaign.report.charts import ranked as charts
from qampaign.report.charts.abstention import plane
from qampaign.report.collection import CollectionResults
from qampaign.report.sections.counted import counted_alike
from qampaign.report.text import fixed, highest, lowest, many, named, percent


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
                _caption_of_ranks(collection, ranks),
                uses=("first_right",),
                per_run=theme.BAR,
                data={"first_right": ranks.select("run", "rank", "questions")},
            )
        )
    if collection.has("mrr", "nq_correct_5") and collection.drawn("mrr", "nq_correct_5"):
        mrr, most = labels["mrr"], labels["nq_correct_5"]
        blocks.append(
            Chart(
                "mrr",
                f"{mrr} against {most}",
                plane("value_nq_correct_5", most, "value_mrr", mrr, kinds),
                _caption_of_mrr(collection, mrr, most),
                follow=lambda seen: _caption_of_mrr(seen, mrr, most),
                half=True,
                needs=("value_mrr", "value_nq_correct_5"),
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
    lists = ("list_precision", "list_recall")
    if collection.has(*lists) and collection.drawn(*lists):
        recall, precision = labels["list_recall"], labels["list_precision"]
        ends = ("value_list_recall", recall, "value_list_precision", precision)
        caption = (
            "Further right, a run finds more of the known answers; further up, more of what it "
            "gives is right. More answers never move a run to the left, but mostly down."
        )
        blocks.append(
            Chart(
                "lists",
                f"{precision} against {recall}",
                plane(*ends, kinds, single=len(collection.runs) == 1),
                Reading(caption, _highest_recall(collection).strip()),
                follow=lambda seen: Reading(caption, _highest_recall(seen).strip()),
                half=True,
                needs=tuple(f"value_{measure}" for measure in lists),
            )
        )
    return Section("ranked", "Ranked and list answers", blocks) if blocks else None


def _caption_of_ranks(collection: CollectionResults, every: pl.DataFrame) -> Reading:
    ranks = every.filter(pl.col("run").is_in(collection.submitted))
    right = float(ranks.drop_nulls("rank")["questions"].sum())
    first = float(ranks.filter(rank=1)["questions"].sum())
    if not right:
        return Reading("", "No submitted run has a right answer at any rank.")
    return Reading(
        "Each bar is divided by the rank of the first right answer; grey is where there is none."
        + counted_alike(collection),
        "Where submitted runs have a right answer to a question, the first is at rank 1 in "
        f"{percent(first / right, 0)} of the cases.",
    )


def _caption_of_mrr(collection: CollectionResults, mrr: str, most: str) -> Reading:
    """Both look at the same ranks only if the cutoff is 5."""
    options = next(row.get("options") for row in collection.measures if row["measure"] == "mrr")
    if json.loads(options or "{}").get("cutoff", 5) != 5:
        return Reading(f"{most} looks at the first five ranks, {mrr} at others.")
    caption = (
        f"{mrr} cannot exceed {most}; the further a run lies below others with the same {most}, "
        "the lower it ranks its right answers."
    )
    means, shares = (
        collection.of_submitted(collection.scores(name)["value"])
        for name in ("mrr", "nq_correct_5")
    )
    shown = {run: means[run] / share for run, share in shares.items() if share and run in means}
    if len(shown) < 2:
        return Reading(caption)
    credit, runs = lowest(shown)
    return Reading(
        caption,
        f"Where it is right, the mean credit of {named(runs, 'run')} is the lowest, "
        f"{fixed(credit, 2)}.",
    )


def _highest_recall(collection: CollectionResults) -> str:
    """The run that finds most of what is known, and how much of its lists is right."""
    recall, precision = (
        collection.of_submitted(collection.scores(name)["value"])
        for name in ("list_recall", "list_precision")
    )
    if not recall:
        return ""
    most, runs = highest(recall)
    if len(runs) > 1:
        return f" {named(runs, 'run')} find the most, {percent(most, 0)}."
    sentence = f" {runs[0]} finds {'the most, ' if len(recall) > 1 else ''}{percent(most, 0)}"
    if runs[0] not in precision:
        return f"{sentence}."
    return f"{sentence}; {percent(precision[runs[0]], 0)} of what it gives is right."


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


def _caption_of_gains(collection: CollectionResults, gains: dict[str, str]) -> Reading:
    labels, measures = list(gains), list(gains.values())
    first, last = (collection.scores(measures[end])["rank"] for end in (0, -1))
    moved = sum(a != b for a, b in zip(first, last, strict=True))
    return Reading(
        "Where lines cross, the order of the runs depends on how much more a better answer is "
        "worth.",
        f"Between {labels[0]} and {labels[-1]}, {many(moved, 'run')} "
        f"{'changes' if moved == 1 else 'change'} rank.",
    )
