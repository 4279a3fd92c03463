"""Who is ahead, and is it real? The template draws the table; here is what goes with it."""

import polars as pl

from qampaign.report import theme
from qampaign.report.blocks import Chart, Section
from qampaign.report.charts import leaderboard as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.significance_groups import chosen_test
from qampaign.report.text import DASH, chance, fixed, listed, many, percent
from qampaign.report.views import Scores

MOST_NAMES = 3
"""So many runs that share the lead are named."""


def section(collection: CollectionResults) -> Section:
    blocks = []
    if collection.measures:
        blocks.append(
            Chart(
                "scores",
                "Values with their intervals",
                charts.scores_by_run(),
                _caption_of_scores(collection),
                per_run=theme.BAR,
            )
        )
    blocks.append(
        Chart(
            "counts",
            "What became of the questions",
            charts.counts_by_run(_outcomes(collection)),
            _caption_of_counts(collection),
            per_run=theme.BAR,
        )
    )
    if len(collection.slices) > 2 and collection.measures:
        blocks.append(
            Chart(
                "slices",
                "By question type",
                charts.values_by_slice(len(collection.slices) - 1),
                _caption_of_slices(collection),
                uses=("slices",),
                per_run=14,
            )
        )
    return Section("leaderboard", "Who is ahead, and is it real?", blocks, _headline(collection))


def _outcomes(collection: CollectionResults) -> tuple[str, ...]:
    """What became of any question at all."""
    counts = collection.start["counts"]
    return tuple(outcome for outcome in charts.OUTCOMES if any(counts[outcome]))


def _headline(collection: CollectionResults) -> list[str]:
    """Who leads, by how much, and whether the data supports it."""
    if collection.primary is None:
        return []
    scores = collection.start["scores"][collection.primary]
    ranked = [run for run, rank in enumerate(scores["first"]) if rank is not None]
    if len(ranked) < 2:
        return []
    leaders = [run for run in ranked if scores["first"][run] == 1]
    text, first = scores["text"], leaders[0]
    lead = f"{collection.primary_label} {text['value'][first]}"
    if text["interval"] and text["interval"][first] != DASH:
        lead += f" (95% interval {text['interval'][first]})"
    if len(leaders) == len(ranked):
        sentence = f"All {len(ranked)} ranked runs have {lead}"
    elif len(leaders) > 1:
        sentence = f"{_named(collection, leaders)} share the lead with {lead}"
    else:
        sentence = f"{collection.names()[first]} leads with {lead}"
        if text["range"]:
            sentence += (
                "; when the questions are drawn anew, its rank is "
                f"{text['range'][first]} in 95% of the draws"
            )
    return [f"{sentence}.", *_followers(collection, scores)]


def _named(collection: CollectionResults, runs: list[int]) -> str:
    names = [collection.names()[run] for run in runs]
    if len(names) > MOST_NAMES + 1:
        names[MOST_NAMES:] = [f"{len(names) - MOST_NAMES} other runs"]
    return listed(names)


def _followers(collection: CollectionResults, scores: Scores) -> list[str]:
    """How many runs cannot be told from the first, and how many groups there are."""
    groups = scores["group"]
    pairs = collection.table(
        "significance", judge=collection.reference, measure=collection.primary_measure
    )
    chosen = chosen_test(pairs)
    if not groups or chosen is None:
        return []
    test, column = chosen
    correction = "corrected for the number of pairs (Holm)"
    if column != "p_holm":
        correction = "uncorrected, because a correction for so many pairs needs more resamples"
    leading = sum(rank == 1 for rank in scores["first"])
    others = sum(group == 1 for group in groups) - leading
    number = max(group or 0 for group in groups)
    beside = ""
    if others:
        label = collection.primary_label
        beside = f"{many(others, 'other run')} cannot be distinguished from the best by {label}. "
    elif number > 1 and leading > 1:
        beside = "No other run is in their group. "
    elif number > 1:
        names, second = collection.names(), groups.index(2)
        p = _p_between(pairs, test, column, names[0], names[second])
        beside = f"No other run is in its group: p is {chance(p)} against {names[second]}. "
    divides = f"divides the leaderboard into {number} groups"
    if number == 1:
        divides = "puts all ranked runs into one group"
    return [f"{beside}At the 5% level, the {test} test, {correction}, {divides}."]


def _p_between(pairs: pl.DataFrame, test: str, column: str, a: str, b: str) -> float | None:
    ends = pl.col("run_a").is_in([a, b]) & pl.col("run_b").is_in([a, b])
    values = pairs.filter(ends, pl.col("test") == test)[column].to_list()
    return values[0] if values else None


def _caption_of_scores(collection: CollectionResults) -> str:
    caption = "Each dot is a run's value"
    scores = collection.start["scores"][collection.primary or 0]
    widths = [
        high - low
        for low, high in zip(scores["low"] or [], scores["high"] or [], strict=True)
        if low is not None and high is not None
    ]
    if not widths:
        return f"{caption}; the config asks for no study of its uncertainty."
    typical = fixed(sorted(widths)[len(widths) // 2], 2)
    return (
        f"{caption}, the line its 95% interval when the questions are drawn anew. Runs whose "
        "intervals overlap may still differ on the same questions: see the groups. A typical "
        f"interval here is {typical} wide."
    )


def _caption_of_counts(collection: CollectionResults) -> str:
    counts = collection.start["counts"]
    total = sum(count or 0 for count in counts["questions"])
    silent = sum(count or 0 for count in counts["unanswered"])
    if not total:
        return "No run has any counts."
    if not silent:
        return "Every run answered every question: blue is right, orange is wrong."
    return (
        "Pale blue and pale orange are questions that a run left unanswered although it showed a "
        "candidate, which it withheld; on grey ones it showed nothing. Over all runs, "
        f"{percent(silent / total, 0)} of the questions were left unanswered."
    )


def _caption_of_slices(collection: CollectionResults) -> str:
    means = []
    for name, view in zip(collection.slices[1:], collection.views[0][1:], strict=True):
        scores = collection.primary_scores(view)
        known = [value for value in scores["value"] if value is not None] if scores else []
        if known:
            means.append((sum(known) / len(known), name))
    caption = "The same measure on the questions of each type alone (their number in brackets)."
    if len(means) < 2:
        return caption
    (low, lowest), (high, highest) = min(means), max(means)
    return (
        f"{caption} The average over the runs is highest on {highest} ({fixed(high, 2)}) and "
        f"lowest on {lowest} ({fixed(low, 2)})."
    )
