"""The first screen: who leads in each collection, by how much, and how sure that is.

Every cell is words that fit the collection: a run that is alone leads nobody, equal runs share the
lead, and where nobody tested a difference nothing is said about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from qampaign.ranking import SAME
from qampaign.report.collection import CollectionResults
from qampaign.report.sections.changes import count_changes
from qampaign.report.sections.comparisons import compared, turned
from qampaign.report.sections.judges import agreement_as_configured
from qampaign.report.sections.leaderboard import above_leader
from qampaign.report.text import DASH, fixed, interval, many, named, percent, span
from qampaign.report.views import ALL, Scores
from qampaign.studies.units import FEWEST

EXPLAINED = {
    "clear": "Clear: surely better than every other run (95%, all pairs tested together).",
    "alone": "Leads alone: for each of the others some run is surely better, but not always the "
    "leader (95%, all pairs tested together).",
    "tied": "Tied: no run is surely better than these (95%, all pairs tested together), which does "
    "not show that they are equal.",
    "few": f"Too few: with fewer than {FEWEST}, a test finds hardly any difference.",
    "untested": "Not tested: the study of significance has no results for these runs.",
}
"""What the words of a verdict mean, by the kind of verdict."""


@dataclass(frozen=True)
class Verdict:
    """How sure the lead is, in words; the kind of verdict says how to explain them."""

    words: str
    kind: str = ""


def summary(collection: CollectionResults) -> Mapping[str, object]:
    """The row of a collection, as text."""
    scores, ranked = _ranking(collection)
    verdict = _verdict(collection, scores, ranked)
    row = {
        "label": collection.primary_label if collection.primary is not None else "",
        "leader": DASH,
        "value": DASH,
        "interval": "",
        "margin": DASH,
        "margin_interval": "",
        "verdict": verdict.words,
        "kind": verdict.kind,
        "runs": collection.kinds_counted(),
        "questions": many(collection.start["questions"], collection.noun),
        "agreement": _agreement(collection),
        "changes": count_changes(collection.table("changes")),
    }
    if scores is None or not ranked or not _has_a_best(collection):
        return row
    best = _best(scores, ranked)
    text = scores["text"]
    ends = text["interval"][best[0]] if text["interval"] else DASH
    row["value"] = text["value"][best[0]]
    others = [run for run in ranked if run not in best]
    if above_leader(collection, scores, others, best[0]):
        row["verdict"] = f"{verdict.words}, if unassessed answers are wrong"
    if _may_be_better(collection, scores, best[0]):
        row["verdict"] = f"{row['verdict']}; an unranked run may be better"
    if not _silent(collection, ranked) and (len(best) < len(ranked) or len(ranked) == 1):
        row["leader"] = named([collection.names()[run] for run in best], "run")
        # Equal values of several runs have intervals of their own.
        row["interval"] = "" if ends == DASH or len(best) > 1 else ends
        row |= _margin(collection, scores, ranked)
    return row


def _ranking(collection: CollectionResults) -> tuple[Scores | None, list[int]]:
    """The scores by the measure that ranks, and the runs that have a rank, in its order."""
    if collection.primary is None:
        return None, []
    scores = collection.start["scores"][collection.primary]
    return scores, [run for run, rank in enumerate(scores["first"]) if rank is not None]


def _has_a_best(collection: CollectionResults) -> bool:
    return bool(collection.measures[collection.primary or 0]["better"] != "none")


def _best(scores: Scores, ranked: list[int]) -> list[int]:
    return [run for run in ranked if scores["first"][run] == 1]


def _may_be_better(collection: CollectionResults, scores: Scores, best: int) -> bool:
    """Whether a run without a rank could exceed the best, if its unassessed answers are right."""
    unranked = [run for run, rank in enumerate(scores["first"]) if rank is None]
    return bool(above_leader(collection, scores, unranked, best))


def _silent(collection: CollectionResults, ranked: list[int]) -> bool:
    """Whether no ranked run answered anything."""
    counts = collection.start["counts"]
    questions, unanswered = counts["questions"], counts["unanswered"]
    return all(questions[run] is not None and questions[run] == unanswered[run] for run in ranked)


def _verdict(collection: CollectionResults, scores: Scores | None, ranked: list[int]) -> Verdict:
    if not collection.runs:
        return Verdict("no runs")
    if scores is None:
        return Verdict("no measure ranks the runs")
    if all(value is None for value in scores["value"]):
        return Verdict("no values")
    if not ranked:
        return Verdict("no run is ranked")
    if not _has_a_best(collection):
        return Verdict("neither high nor low values are better")
    if _silent(collection, ranked):
        return Verdict("nothing answered")
    if len(ranked) == 1:
        return Verdict("the only ranked run")
    return _tested(collection, scores, ranked)


def _tested(collection: CollectionResults, scores: Scores, ranked: list[int]) -> Verdict:
    """What is said of two ranked runs or more."""
    best, leads = _best(scores, ranked), scores["leading"]
    if len(best) == len(ranked):
        every = "both" if len(ranked) == 2 else f"all {len(ranked)}"
        return Verdict(f"{every} have the same value")
    if leads is None:
        return Verdict("not tested", "untested")
    leading = [run for run in ranked if leads[run]]
    if len(leading) == 1:
        if _is_above_all(scores, best[0]):
            return Verdict("clear", "clear")
        return Verdict("leads alone", "alone")
    if collection.effective_units < FEWEST and len(leading) == len(ranked):
        thing = "group" if collection.draws_groups else collection.noun
        effective = ""
        if collection.units >= FEWEST:  # few of them have most of the weight
            effective = f" (like {max(round(collection.effective_units), 1)} of equal weight)"
        return Verdict(f"too few {thing}s to say{effective}", "few")
    if len(best) > 1:
        return Verdict(f"{len(leading)} runs are tied", "tied")
    return Verdict(f"tied with {many(len(leading) - 1, 'other')}", "tied")


def _is_above_all(scores: Scores, best: int) -> bool:
    """Whether the comparisons leave a run no rank but the first; so, too, where nobody knows."""
    ranges = scores["text"]["range"]
    return ranges is None or ranges[best] in (DASH, span(1, 1))


def _margin(collection: CollectionResults, scores: Scores, ranked: list[int]) -> dict[str, str]:
    """By how much the first is better than the second, with the interval for all pairs together.

    Where several runs share the second rank, the interval that reaches lowest is shown.
    """
    if len(ranked) < 2:
        return {}
    sign = -1 if collection.measures[collection.primary or 0]["better"] == "low" else 1
    first, values, names = ranked[0], scores["value"], collection.names()
    rank = scores["first"][ranked[1]]
    seconds = [run for run in ranked[1:] if scores["first"][run] == rank]
    margin = sign * ((values[first] or 0) - (values[seconds[0]] or 0))
    pairs = compared(collection)
    both = pl.concat([pairs, turned(pairs)]).filter(
        pl.col("run_a") == names[first], pl.col("run_b").is_in([names[run] for run in seconds])
    )
    if sign < 0:
        both = both.select(
            simultaneous_low=-pl.col("simultaneous_high"),
            simultaneous_high=-pl.col("simultaneous_low"),
        )
    ends = both.drop_nulls(["simultaneous_low", "simultaneous_high"]).sort("simultaneous_low")
    row = {"margin": fixed(margin if abs(margin) > SAME else 0)}
    if not ends.is_empty():
        low, high = ends.select("simultaneous_low", "simultaneous_high").row(0)
        row["margin_interval"] = interval(low, high)
    return row


def _agreement(collection: CollectionResults) -> list[tuple[str, str]]:
    """Each judge with the share of responses on which it agrees with the reference."""
    rows = agreement_as_configured(collection).filter(slice=ALL)
    return [
        (str(row["judge"]), percent(row["agreement"]))
        for row in rows.to_dicts()
        if row["agreement"] is not None
    ]
