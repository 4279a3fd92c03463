"""Who is ahead, and is it real? The page draws the table; here is what goes with it."""

from typing import Any

import polars as pl

from qampaign.report import theme
from qampaign.report.charts import leaderboard as charts
from qampaign.report.collection import Collection
from qampaign.report.groups import chosen_test
from qampaign.report.parts import Chart, Section, chance, fixed, listed, many, span


def section(collection: Collection) -> Section:
    parts = []
    if collection.measures:
        parts.append(
            Chart(
                "scores",
                "Values with their intervals",
                charts.scores_by_run(),
                _how_to_read_scores(collection),
                per_run=theme.BAR,
            )
        )
    parts.append(
        Chart(
            "counts",
            "What became of the questions",
            charts.counts_by_run(_parts(collection)),
            _how_to_read_counts(collection),
            per_run=theme.BAR,
        )
    )
    if len(collection.slices) > 2 and collection.measures:
        parts.append(
            Chart(
                "slices",
                "By question type",
                charts.values_by_slice(len(collection.slices) - 1),
                _how_to_read_slices(collection),
                uses=("slices",),
                per_run=14,
            )
        )
    return Section("leaderboard", "Who is ahead, and is it real?", parts, _headline(collection))


def _parts(collection: Collection) -> tuple[str, ...]:
    """What became of any question at all."""
    counts = collection.start["counts"]
    return tuple(part for part in charts.PARTS if any(counts[part]))


def _headline(collection: Collection) -> list[str]:
    """Who leads, by how much, and whether the data says so."""
    if collection.primary is None:
        return []
    scores, names = collection.start["scores"][collection.primary], collection.names()
    label = collection.labels()[collection.measures[collection.primary]["measure"]]
    ranked = [at for at, rank in enumerate(scores["first"]) if rank is not None]
    if len(ranked) < 2:
        return []
    ranked.sort(key=lambda at: scores["first"][at] or 0)
    leaders = [at for at in ranked if scores["first"][at] == 1]
    best = leaders[0]
    who = listed(names[at] for at in leaders[:3]) + (" and others" if len(leaders) > 3 else "")
    verb = "leads" if len(leaders) == 1 else "lead"
    said = [f"{who} {verb} with {label} {fixed(scores['value'][best])}{_interval(scores, best)}"]
    if scores["rank_low"] and scores["rank_high"] and len(leaders) == 1:
        ranks = span(scores["rank_low"][best], scores["rank_high"][best])
        said[0] += f"; over questions drawn anew its rank is {ranks} in 95% of cases"
    said[0] += "."
    return [*said, *_followers(collection, scores, label)]


def _interval(scores: Any, at: int) -> str:
    if not scores["low"] or scores["low"][at] is None or scores["high"][at] is None:
        return ""
    return f" (95% interval {fixed(scores['low'][at])} to {fixed(scores['high'][at])})"


def _followers(collection: Collection, scores: Any, label: str) -> list[str]:
    """How many runs cannot be told from the first, and how many groups there are."""
    groups = scores["group"]
    if not groups:
        return []
    measure = collection.measures[collection.primary or 0]["measure"]
    pairs = collection.table("significance", judge=collection.reference, measure=measure)
    chosen = chosen_test(pairs)
    if chosen is None:
        return []
    test, column = chosen
    corrected = "corrected for the number of pairs (Holm)"
    if column != "p_holm":
        corrected = "uncorrected, as so many pairs would take more resamples to correct for"
    first = sum(group == 1 for group in groups)
    number = max(group or 0 for group in groups)
    if first == 1:
        second = next(
            (at for at, rank in enumerate(scores["first"]) if rank is not None and rank > 1), None
        )
        begin = "No other run is in its group"
        if second is not None:
            p = _p_between(pairs, test, column, collection.names()[0], collection.names()[second])
            begin += f": against {collection.names()[second]}, p is {chance(p)}"
    else:
        leading = sum(rank == 1 for rank in scores["first"])
        begin = f"{many(first - leading, 'other run')} cannot be told from the best by {label}"
    return [
        f"{begin}. The {test} test, {corrected}, cuts the leaderboard into "
        f"{many(number, 'group')} at the 5% level."
    ]


def _p_between(pairs: pl.DataFrame, test: str, column: str, a: str, b: str) -> float | None:
    ends = pl.col("run_a").is_in([a, b]) & pl.col("run_b").is_in([a, b])
    found = pairs.filter(ends, pl.col("test") == test)[column].to_list()
    return found[0] if found else None


def _how_to_read_scores(collection: Collection) -> str:
    reads = "Each dot is a run's value"
    scores = collection.start["scores"][collection.primary or 0]
    known = [
        high - low
        for low, high in zip(scores["low"] or [], scores["high"] or [], strict=True)
        if low is not None and high is not None
    ]
    if not known:
        return f"{reads}; no study of its uncertainty was asked for."
    typical = fixed(sorted(known)[len(known) // 2], 2)
    return (
        f"{reads}, the line its 95% interval over questions drawn anew. Intervals that overlap may "
        f"still differ on the same questions: the groups say so. Here the middle one is {typical} "
        "wide."
    )


def _how_to_read_counts(collection: Collection) -> str:
    counts = collection.start["counts"]
    total = sum(count or 0 for count in counts["questions"])
    silent = sum(count or 0 for count in counts["unanswered"])
    if not total:
        return "No run has any counts."
    if not silent:
        return "Every question of every run was answered: right in blue, wrong in orange."
    share = f"{100 * silent / total:.0f}%"
    return (
        "Faint blue and faint orange are questions that a run left unanswered while it showed the "
        f"candidate that it held back; on grey ones it showed nothing. Here {share} of all "
        "questions were left unanswered."
    )


def _how_to_read_slices(collection: Collection) -> str:
    found = []
    for place, part in enumerate(collection.slices[1:], start=1):
        view = collection.views[0][place]
        values = view["scores"][collection.primary or 0]["value"] if view else []
        known = [value for value in values if value is not None]
        if known:
            found.append((sum(known) / len(known), part))
    reads = "The same measure over the questions of each type alone (their number in brackets)."
    if len(found) < 2:
        return reads
    (low, lowest), (high, highest) = min(found), max(found)
    return f"{reads} On average {highest} gives {fixed(high, 2)} and {lowest} {fixed(low, 2)}."
