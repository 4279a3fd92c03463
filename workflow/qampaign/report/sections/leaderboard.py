"""Who is ahead, and is it real? The template draws the table; here is what goes with it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from statistics import median

import polars as pl

from qampaign.measures import MEASURES
from qampaign.ranking import SAME
from qampaign.report import theme
from qampaign.report.blocks import Chart, Reading, Section, Table
from qampaign.report.charts import leaderboard as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.sections import costs
from qampaign.report.sections.comparisons import few_units, what_was_drawn
from qampaign.report.sections.counted import counted_alike
from qampaign.report.sections.samples import more_samples
from qampaign.report.text import (
    DASH,
    MOST_IN_SENTENCE,
    MOST_NAMES,
    fixed,
    highest,
    listed,
    lowest,
    named,
    percent,
    short_names,
)
from qampaign.report.views import Numbers, Scores

SHARE_RIGHT = MEASURES["accuracy"].formula
"""Of a measure with this formula, each answer that turns out right adds one question's share."""


def section(collection: CollectionResults) -> Section:
    blocks: list[Chart | Table] = []
    if any(collection.drawn(row["measure"]) for row in collection.measures):
        blocks.append(
            Chart(
                "scores",
                "Values with their intervals",
                charts.scores_by_run(compared=collection.compares, bounded=collection.bounded),
                _caption_of_scores(collection),
                follow=_caption_of_scores,
                per_run=theme.BAR,
                needs=("value",),
            )
        )
    if any(_knows_right(view["counts"]) for view in collection.filled_views()):
        blocks.append(
            Chart(
                "counts",
                f"What became of the {collection.noun}s",
                charts.counts_by_run(_outcomes(collection), collection.noun),
                _caption_of_counts(collection),
                follow=_caption_of_counts,
                per_run=theme.BAR,
            )
        )
    if len(collection.slices) > 2 and blocks and blocks[0].id == "scores":
        blocks.append(
            Chart(
                "slices",
                "By question type",
                charts.values_by_slice(len(collection.slices) - 1),
                _caption_of_slices(collection),
                follow=_caption_of_slices,
                uses=("slices",),
                per_run=14,
                needs=("value",),
            )
        )
    title = "Who is ahead, and is it real?"
    blocks += costs.blocks(collection)
    return Section("leaderboard", title, blocks, _headline(collection), follow=_headline)


def _knows_right(counts: Mapping[str, Numbers]) -> bool:
    """Whether the judge says what is right; one that gives scores alone does not."""
    return any(number is not None for number in counts["right"])


def _outcomes(collection: CollectionResults) -> tuple[str, ...]:
    """What became of any question at all."""
    counts = collection.start["counts"]
    return tuple(outcome for outcome in charts.OUTCOMES if any(counts[outcome]))


def _headline(collection: CollectionResults) -> list[str]:
    """Who is best, who leads, and a warning where there are too few questions to say much."""
    return list(_findings(collection))


def _findings(collection: CollectionResults) -> Iterator[str]:
    """The sentences of the headline, one at a time."""
    if collection.primary is None:
        return
    scores = collection.start["scores"][collection.primary]
    ranks = {run: rank for run, rank in enumerate(scores["first"]) if rank is not None}
    ranked = sorted(ranks, key=ranks.__getitem__)
    if not ranked:
        yield from _why_nobody(collection, scores)
        return
    counts = collection.start["counts"]
    if all(counts["unanswered"][run] == counts["questions"][run] for run in ranked):
        yield f"No ranked run answered any {collection.noun}."
        yield from _unjudged(collection)
        return
    yield _best(collection, scores, ranked)
    yield from _leading(collection, scores, ranked)
    yield from _could_be_above(collection, scores, ranked)
    yield from _unjudged(collection)
    yield from few_units(collection)
    yield from more_samples(collection)


def _why_nobody(collection: CollectionResults, scores: Scores) -> Iterator[str]:
    """Why no run is ranked, where there are runs that could be."""
    if not collection.submitted:
        return
    if all(value is None for value in scores["value"]):
        yield f"No run is ranked: none has a value of {collection.primary_label}."
    elif not_judged(collection) == collection.submitted:
        what = "verdict on" if _knows_right(collection.start["counts"]) else "score of"
        yield f"No run is ranked: {collection.judge} has no {what} any answer."


def _unjudged(collection: CollectionResults) -> Iterator[str]:
    """Which runs are not ranked because nobody has judged them."""
    runs = not_judged(collection)
    if runs:
        are, its = ("is", "its") if len(runs) == 1 else ("are", "their")
        what = "verdict on" if _knows_right(collection.start["counts"]) else "score of"
        yield (
            f"{named(runs, 'run')} {are} not ranked: {collection.judge} has no {what} any of "
            f"{its} answers."
        )


def not_judged(collection: CollectionResults) -> list[str]:
    """The submitted runs that nobody has judged; by scores alone, nothing counts what lacks one."""
    if _knows_right(collection.start["counts"]):
        return collection.unjudged
    judged = {
        run
        for scores in collection.start["scores"]
        for run, value, rank in zip(
            collection.names(), scores["value"], scores["first"], strict=True
        )
        if value is None or rank is not None
    }
    return [run for run in collection.submitted if run not in judged]


def could_have(collection: CollectionResults, scores: Scores) -> dict[int, float]:
    """The best value that runs could have if their unassessed answers were judged.

    From the bounds where there are any; else, for a plain share of right questions, from the number
    of unassessed answers. Only runs with such answers are there.
    """
    measure = collection.measures[collection.primary or 0]
    best = min if measure["better"] == "low" else max
    if scores["if_right"] or scores["if_wrong"]:
        columns = (
            scores[name] or [None] * len(collection.runs) for name in ("if_wrong", "if_right")
        )
        return {
            run: best(known)
            for run, ends in enumerate(zip(*columns, strict=True))
            if (known := [end for end in ends if end is not None])
        }
    options = json.loads(measure.get("options") or "{}")
    if measure["formula"] != SHARE_RIGHT or options or collection.weights() is not None:
        return {}
    counts = collection.start["counts"]
    names = ("questions", "wrong", "unassessed")
    own = collection.table("counts", judge=collection.judge, slice=collection.slice)
    several = set(own.filter(pl.col("answers") > pl.col("questions"))["run"])
    return {
        run: value + min(unassessed, wrong) / questions
        for run, (value, questions, wrong, unassessed) in enumerate(
            zip(scores["value"], *(counts[name] for name in names), strict=True)
        )
        if value is not None
        and questions
        and wrong
        and unassessed
        and collection.names()[run] not in several
    }


def above_leader(
    collection: CollectionResults, scores: Scores, runs: Iterable[int], best: int
) -> dict[int, float]:
    """What runs could have that is better than what the best one has, its unassessed ones wrong."""
    low = collection.measures[collection.primary or 0]["better"] == "low"
    ends = [scores[name][best] for name in ("if_wrong", "if_right") if scores[name]]  # type: ignore[index]
    known = [end for end in [*ends, scores["value"][best]] if end is not None]
    if not known:
        return {}
    least = max(known) if low else min(known)
    could = could_have(collection, scores)
    return {
        run: could[run]
        for run in runs
        if run in could and (least - could[run] if low else could[run] - least) > SAME
    }


def _could_be_above(
    collection: CollectionResults, scores: Scores, ranked: list[int]
) -> Iterator[str]:
    """Which ranked runs could be above the first, were their unassessed answers right."""
    best = [run for run in ranked if scores["first"][run] == 1]
    if len(best) == len(ranked) or collection.measures[collection.primary or 0]["better"] == "none":
        return
    others = [run for run in ranked if run not in best]
    could = above_leader(collection, scores, others, best[0])
    if not could:
        return
    names = collection.names()
    if len(could) == 1:
        ((run, value),) = could.items()
        number = collection.start["counts"]["unassessed"][run] or 0
        answers = "1 answer" if number == 1 else f"{number:,.10g} answers"
        have, count, right = (
            ("has", "counts", "it were") if number == 1 else ("have", "count", "all were")
        )
        yield (
            f"{answers} of {names[run]} {have} no verdict and {count} as wrong: if {right} right, "
            f"it would have {fixed(value)}."
        )
        return
    yield (
        f"{len(could)} ranked runs could be above {named([names[run] for run in best], 'run')} if "
        "their answers without a verdict, which count as wrong, were right: "
        f"{named([f'{names[run]} ({fixed(value)})' for run, value in could.items()], 'run')}."
    )


def _finding(collection: CollectionResults) -> str:
    """Who is best, in a sentence."""
    return next(_findings(collection), "")


def _best(collection: CollectionResults, scores: Scores, ranked: list[int]) -> str:
    """The best value, and whose it is."""
    text, label = scores["text"], collection.primary_label
    best = [run for run in ranked if scores["first"][run] == 1]
    value = text["value"][best[0]]
    interval = text["interval"][best[0]] if text["interval"] else DASH
    if interval != DASH:
        value += f" (95% interval {interval})"
    names = [collection.names()[run] for run in best]
    if len(ranked) == 1:
        return f"{names[0]} has {label} {value}. It is the only ranked run."
    if len(best) == len(ranked):
        number = "Both" if len(ranked) == 2 else f"All {len(ranked)}"
        return f"{number} ranked runs have {label} {text['value'][best[0]]}."
    which = (
        "lowest" if collection.measures[collection.primary or 0]["better"] == "low" else "highest"
    )
    if len(best) > 1:
        return f"{named(names, 'run')} have the {which} {label}, {text['value'][best[0]]}."
    return f"{names[0]} has the {which} {label}, {value}."


def _leading(collection: CollectionResults, scores: Scores, ranked: list[int]) -> list[str]:
    """The runs than which no other is surely better."""
    leads = scores["leading"]
    better = collection.measures[collection.primary or 0]["better"]
    if not leads or len(ranked) < 2 or better == "none":
        return []
    leaders = [collection.names()[run] for run in ranked if leads[run]]
    number, sure = len(leaders), "(95%, all pairs together)"
    if number == len(ranked) == 2:
        return ["The two ranked runs do not differ surely (95%): either may be the better one."]
    if number == 1 and len(ranked) == 2:
        (other,) = {collection.names()[run] for run in ranked} - {*leaders}
        return [f"{leaders[0]} leads: it is surely better than {other} (95%)."]
    if number == len(ranked):
        return [f"No two of the {number} ranked runs differ surely {sure}: any may be the best."]
    if number == 1:
        return [
            f"1 of {len(ranked)} ranked runs leads, {leaders[0]}: for each of the others, some run "
            f"is surely better {sure}."
        ]
    return [
        f"{number} of {len(ranked)} ranked runs lead: no other run is surely better {sure}. They "
        f"are {named(leaders, 'run')}."
    ]


def _caption_of_scores(collection: CollectionResults) -> Reading:
    reading = _how_scores_are_read(collection)
    if _knows_right(collection.start["counts"]) or not reading.how:
        return reading
    return Reading(f"{reading.how} An answer without a score counts as 0.", reading.finding)


def _how_scores_are_read(collection: CollectionResults) -> Reading:
    caption = "Each dot is a run's value"
    if without := collection.without_values(collection.primary_measure):
        return Reading("", without)
    if collection.bounded:
        caption = (
            "The broad bars go from the value if all answers that nobody has judged are wrong to "
            f"the value if all are right. {caption}"
        )
    scores = collection.start["scores"][collection.primary or 0]
    ends = zip(scores["low"] or [], scores["high"] or [], scores["first"], strict=False)
    widths = [
        high - low
        for low, high, rank in ends
        if low is not None and high is not None and rank is not None
    ]
    if not widths:
        unit = "group" if collection.draws_groups else collection.noun
        why = f"; a single {unit} gives no interval" if collection.units == 1 else ", no interval"
        return Reading(f"{caption}{why}.", _finding(collection))
    filled = overlap = ""
    if len(widths) > 1:
        filled = " Filled dots are leading runs, open ones are not." if scores["leading"] else ""
        overlap = (
            " Intervals that overlap do not show that two runs are equal: compare rank ranges. The "
            f"median width is {fixed(median(widths), 2)}."
        )
    return Reading(
        f"{caption}, the line its 95% interval: where the value of this run alone would lie over "
        f"all {collection.noun}s of this kind.{filled}{overlap} {what_was_drawn(collection)}",
        _finding(collection),
    )


def _caption_of_counts(collection: CollectionResults) -> Reading:
    counts, noun = collection.start["counts"], collection.noun
    total = sum(collection.of_submitted(counts["questions"]).values())
    silent = sum(collection.of_submitted(counts["unanswered"]).values())
    if not total:
        return Reading("No run has any counts.")
    if not _knows_right(counts):
        return Reading(f"This judge gives scores and no verdicts: no {noun} is right or wrong.")
    wrong = collection.counts_missing_as_wrong()
    unassessed = _unassessed(collection) + counted_alike(collection)
    if not any(counts["unanswered"]):
        how = f"Blue is right, orange is wrong.{unassessed}"
        if wrong:
            return Reading(f"{how} {noun.capitalize()}s that a run has no row for count as wrong.")
        done = "decided" if noun == "item" else "answered"
        return Reading(how, f"Every run {done} every {noun}.")
    return Reading(
        f"Pale blue and pale orange are {noun}s that a run left unanswered although it showed a "
        "candidate, which it withheld. On grey ones there is no candidate: "
        f"{'' if wrong else 'no row, '}an empty answer, or one that the judge considers a refusal."
        + (f" {noun.capitalize()}s without a row count as wrong." if wrong else "")
        + unassessed,
        f"Of all {noun}s, {collection.submitters()} left {percent(silent / total, 0)} unanswered."
        if len(collection.submitted)
        else "",
    )


def _unassessed(collection: CollectionResults) -> str:
    """How many answers without a verdict are drawn as wrong ones, and whose they are."""
    counts, names = collection.start["counts"], collection.names()
    by_run = {run: n for run, n in zip(names, counts["unassessed"], strict=True) if n}
    if not by_run:
        return ""
    numbers = {run: f"{number:,.10g}" for run, number in by_run.items()}
    whose = f"{sum(by_run.values()):,.10g} of {len(by_run)} runs"
    if len(by_run) == len(names) > 1 and len(set(by_run.values())) == 1:
        whose = f"{numbers[names[0]]} of each run"
    elif len(by_run) <= MOST_NAMES:
        shorts = short_names(list(by_run), MOST_IN_SENTENCE)
        each = zip(numbers.values(), shorts, strict=True)
        whose = listed(f"{number} of {run}" for number, run in each)
    own = collection.table("counts", judge=collection.judge, slice=collection.slice)
    if (own["answers"] > own["right"] + own["wrong"]).any():  # of which most are not in the chart
        return f" Answers without a verdict, at any rank, count as wrong: {whose}."
    return f" Answers without a verdict count as wrong and are orange, too: {whose}."


def _values_by_type(collection: CollectionResults) -> dict[str, dict[str, float]]:
    """The values of the submitted runs on each type, where somebody has judged them."""
    found = {}
    for name, view in zip(
        collection.slices[1:], collection.views[collection.judge_at][1:], strict=True
    ):
        if scores := collection.primary_scores(view):
            judged = zip(scores["value"], scores["first"], strict=True)
            values = [None if rank is None else value for value, rank in judged]
            if known := collection.of_submitted(values):
                found[name] = known
    return found


def _caption_of_slices(collection: CollectionResults) -> Reading:
    noun = collection.noun
    by_type = _values_by_type(collection)
    kept = set.intersection(*(set(values) for values in by_type.values())) if by_type else set()
    means = {
        name: sum(values[run] for run in kept) / len(kept)
        for name, values in by_type.items()
        if kept
    }
    caption = f"The same measure on the {noun}s of each type alone (their number in brackets)."
    if len(means) < 2:
        return Reading(caption)
    (low, lows), (high, highs) = lowest(means), highest(means)
    if high - low < SAME:
        return Reading(caption)
    of = f"The value of {min(kept)}"
    if len(kept) > 1:
        some = len(kept) < len(collection.submitted)
        of = (
            f"The mean of the {len(kept)} submitted runs that are judged on every type"
            if some
            else "The mean of the submitted runs"
        )
    if fixed(high, 2) == fixed(low, 2):  # a reader would see one number called highest and lowest
        number = "both" if len(means) == 2 else f"all {len(means)}"
        return Reading(caption, f"{of} is nearly the same on {number} types ({fixed(high, 2)}).")
    return Reading(
        caption,
        f"{of} is highest on {named(highs, 'type')} ({fixed(high, 2)}) and lowest on "
        f"{named(lows, 'type')} ({fixed(low, 2)}).",
    )
