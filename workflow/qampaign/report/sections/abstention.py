"""Who knows when to stay silent? Unanswered questions, withheld candidates, and confidences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from qampaign.ranking import SAME
from qampaign.report import theme
from qampaign.report.blocks import Chart, Reading, Section, Table, TableColumn
from qampaign.report.charts import abstention as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.sections import price
from qampaign.report.sections.counted import counted_alike
from qampaign.report.text import fixed, highest, is_or_are, many, named, out_of, percent

K1_AND_R = ("k1", "confidence_correlation")
"""The measures of confidence that a chart sets against each other."""

OF_COUNTS = 5
"""So many columns of the table of withheld candidates count questions; the others are values."""


def section(collection: CollectionResults) -> Section | None:
    if collection.task == "validation":
        return None
    blocks: list[Chart | Table] = []
    counts = collection.start["counts"]
    has_verdicts = any(number is not None for number in counts["right"])
    if any(counts["unanswered"]) and has_verdicts:
        blocks += _silence(collection)
    blocks += price.blocks(collection)
    blocks += _confidences(collection)
    if not blocks:
        return None
    sentences = [*_left_out(collection), *_undrawn(collection)]
    return Section("abstention", "Who knows when to stay silent?", blocks, sentences)


def _left_out(collection: CollectionResults) -> Iterator[str]:
    """What is not shown of unanswered questions because questions have weights."""
    if collection.weights() is not None and any(collection.start["counts"]["unanswered"]):
        yield (
            f"{collection.noun.capitalize()}s have weights, which the counts of unanswered ones "
            "ignore: no c@1 is made of these counts here."
        )


def _silence(collection: CollectionResults) -> Iterator[Chart | Table]:
    weighted = collection.weights() is not None
    kinds = collection.kinds()
    if collection.has("accuracy", "c_at_1"):
        accuracy, c_at_1 = collection.label("accuracy"), collection.label("c_at_1")
        yield Chart(
            "c_at_1",
            f"{c_at_1} against {accuracy}",
            charts.accuracy_against_c_at_1(accuracy, c_at_1, kinds),
            _caption_of_credit(collection, c_at_1),
            follow=lambda seen: _caption_of_credit(seen, c_at_1),
            half=True,
            needs=("value_accuracy", "value_c_at_1"),
        )
    if not weighted:
        yield Chart(
            "silence",
            "Right against unanswered",
            charts.silence(kinds),
            _caption_of_silence(collection),
            follow=_caption_of_silence,
            half=True,
        )
    withholding = list(_withholding(collection))
    if not any(run.right + run.wrong for run in withholding):
        return  # no run shows what it withheld
    if not weighted:
        yield Chart(
            "withholding",
            "How well runs chose what to withhold",
            charts.withholding(),
            _caption_of_withholding(withholding),
            follow=lambda seen: _caption_of_withholding(list(_withholding(seen))),
            per_run=theme.BAR,
        )
    yield _withheld_table(collection, withholding)


@dataclass(frozen=True)
class Withholding:
    """What a run withheld, and its c@1 as it is and as it could have been."""

    run: str
    unanswered: float
    right: float
    wrong: float
    accuracy: float
    """If every withheld candidate had been given."""
    c_at_1: float
    given: float
    """c@1 if every withheld candidate had been given."""
    perfect: float
    """c@1 if exactly the wrong candidates had been withheld."""


def _withholding(collection: CollectionResults) -> Iterator[Withholding]:
    """The submitted runs that left any question unanswered."""
    submitted = set(collection.submitted)
    for index, run in enumerate(collection.names()):
        if run not in submitted:
            continue
        counts = {name: column[index] or 0 for name, column in collection.start["counts"].items()}
        questions, unanswered = counts["questions"], counts["unanswered"]
        if unanswered and questions:
            right, wrong = counts["withheld_right"], counts["withheld_wrong"]
            accuracy = (counts["right"] + right) / questions
            yield Withholding(
                run=run,
                unanswered=unanswered,
                right=right,
                wrong=wrong,
                accuracy=accuracy,
                c_at_1=counts["right"] / questions * (1 + unanswered / questions),
                given=accuracy * (1 + (unanswered - right - wrong) / questions),
                perfect=accuracy * (2 - accuracy),
            )


def _withheld_table(collection: CollectionResults, runs: list[Withholding]) -> Table:
    """What was withheld; what that did to c@1 is left out where questions have weights."""
    rows: list[tuple[object, ...]] = []
    for run in runs:
        withheld, room = run.right + run.wrong, run.perfect - run.given
        rows.append(
            (
                run.run,
                run.unanswered,
                withheld,
                run.right,
                run.right / withheld if withheld else None,
                run.accuracy,
                run.c_at_1,
                run.perfect,
                (run.c_at_1 - run.given) / room if room else None,
            )
        )
    columns = [
        TableColumn("Run", "name"),
        TableColumn("Unanswered", "count"),
        TableColumn("Withheld", "count", "unanswered, with a candidate shown"),
        TableColumn("Withheld, right", "count"),
        TableColumn("Share right", "share"),
        TableColumn("Accuracy, all given", "number", "if every withheld candidate had been given"),
        TableColumn("c@1", "number"),
        TableColumn("c@1, perfect", "number", "if exactly the wrong candidates had been withheld"),
        TableColumn("Gain reached", "share", "of what perfect withholding would add to c@1"),
    ]
    right = sum(run.right for run in runs)
    withheld = right + sum(run.wrong for run in runs)
    # with samples, a candidate of one in three counts for a third
    number = many(int(withheld), "candidate") if withheld % 1 == 0 else f"{withheld:.1f} candidates"
    caption = (
        f"Of {number} that {collection.submitters()} withheld, {percent(right / withheld, 0)} "
        f"would have been right.{counted_alike(collection)}"
    )
    if collection.weights() is not None:
        kept = columns[:OF_COUNTS], [row[:OF_COUNTS] for row in rows]
        return Table("withheld", "What was withheld", *kept, caption)
    return Table("withheld", "What withheld candidates would have scored", columns, rows, caption)


def _caption_of_credit(collection: CollectionResults, c_at_1: str) -> Reading:
    accuracy, credited = (
        collection.of_submitted(collection.scores(name)["value"]) for name in ("accuracy", "c_at_1")
    )
    gains = {run: credited[run] - accuracy[run] for run in accuracy.keys() & credited.keys()}
    caption = (
        "A run that answers everything lies on the line; its height above the line is the credit "
        f"that {c_at_1} gives for unanswered questions."
    )
    if not gains or max(gains.values()) < SAME:
        return Reading(caption)
    gain, runs = highest(gains)
    if len(gains) == 1:
        return Reading(caption, f"{runs[0]} gains {fixed(gain)} from unanswered questions.")
    if len(runs) == len(gains):
        return Reading(caption, f"{_all(runs)} gain {fixed(gain)} from unanswered questions.")
    gains_most = "gains" if len(runs) == 1 else "gain"
    return Reading(
        caption,
        f"{named(sorted(runs), 'run')} {gains_most} the most from unanswered questions, "
        f"{fixed(gain)}.",
    )


def _all(runs: Sequence[str]) -> str:
    return "Both submitted runs" if len(runs) == 2 else f"All {len(runs)} submitted runs"


def _caption_of_silence(collection: CollectionResults) -> Reading:
    counts = collection.start["counts"]
    questions, silent = (
        collection.of_submitted(counts[name]) for name in ("questions", "unanswered")
    )
    shares = {run: silent.get(run, 0) / number for run, number in questions.items() if number}
    caption = (
        "Along a thin line, c@1 is the same; it falls to the right because silence makes up for "
        "fewer right answers. No run can lie above the dashed line, where no answer is wrong."
    )
    if not shares or max(shares.values()) < SAME:
        return Reading(caption)
    missing = collection.of_submitted(counts["missing"])
    are_silent = not collection.counts_missing_as_wrong()  # else they are not among the unanswered
    if are_silent and sum(missing.values()) >= sum(silent.values()) - SAME:
        caption += (
            " Here every unanswered question is one without a row: nothing says that a run chose "
            "to stay silent."
        )
    share, runs = highest(shares)
    if len(shares) == 1:
        return Reading(caption, f"{runs[0]} left {percent(share, 0)} of the questions unanswered.")
    if len(runs) == len(shares):
        left = f"left {percent(share, 0)} of the questions unanswered."
        return Reading(caption, f"{_all(runs)} {left}")
    return Reading(
        caption,
        f"The largest share of unanswered questions is {percent(share, 0)}, of "
        f"{named(runs, 'run')}.",
    )


def _caption_of_withholding(runs: list[Withholding]) -> Reading:
    gains = [run.c_at_1 - run.given for run in runs]
    raised, lowered = sum(gain > SAME for gain in gains), sum(gain < -SAME for gain in gains)
    changed = "changed no c@1"
    if raised and lowered:
        changed = (
            f"raised the c@1 of {many(raised, 'submitted run')} and lowered that of "
            f"{many(lowered, 'submitted run')}"
        )
    elif raised or lowered:
        number = raised or lowered
        whose = many(number, "submitted run")
        if len(runs) == 1:
            whose = runs[0].run
        elif number == len(runs):
            whose = f"all {whose}" if number > 2 else "both submitted runs"
        changed = f"{'raised' if raised else 'lowered'} the c@1 of {whose}"
    return Reading(
        "The dark circle is the run's c@1. It would be at the triangle if the run had given every "
        "candidate that it showed, and at the diamond if it had withheld exactly the "
        "wrong ones.",
        f"Against giving every candidate, withholding {changed}.",
    )


def _confidences(collection: CollectionResults) -> Iterator[Chart]:
    coverage = collection.table("coverage", judge=collection.reference)
    if _has_a_line(coverage):
        yield Chart(
            "coverage",
            "Accuracy as more confidence is required",
            charts.accuracy_by_coverage(),
            _caption_of_coverage(collection, coverage),
            uses=("coverage",),
            data={"coverage": coverage.select("run", "bar", "answered", "accuracy")},
            half=True,
        )
    reliability = collection.table("reliability", judge=collection.reference)
    if not reliability.is_empty():
        yield Chart(
            "reliability",
            "Can the confidences be trusted?",
            charts.reliability_diagram(),
            _caption_of_reliability(collection, reliability),
            uses=("reliability",),
            data={
                "reliability": reliability.select("run", "bin", "confidence", "accuracy", "answers")
            },
            half=True,
        )
    if collection.has(*K1_AND_R) and collection.drawn(*K1_AND_R):
        labels = collection.labels()
        k1, r = labels["k1"], labels["confidence_correlation"]
        yield Chart(
            "k1",
            f"{k1} against {r}",
            charts.plane("value_confidence_correlation", r, "value_k1", k1, collection.kinds()),
            _caption_of_k1(collection, k1, r),
            follow=lambda seen: _caption_of_k1(seen, k1, r),
            half=True,
            needs=tuple(f"value_{measure}" for measure in K1_AND_R),
        )


def _has_a_line(coverage: pl.DataFrame) -> bool:
    """Whether any run is surer of one answer than of another."""
    return not coverage.is_empty() and coverage["run"].value_counts()["count"].max() != 1


def _undrawn(collection: CollectionResults) -> Iterator[str]:
    """What there is no chart of, although the config asks for it."""
    coverage = collection.table("coverage", judge=collection.reference)
    if not coverage.is_empty() and not _has_a_line(coverage):
        runs = coverage["run"].to_list()
        gives = "Every run that gives confidences gives the same one"
        if len(runs) == 1:
            gives = f"{runs[0]} gives the same confidence"
        yield (
            f"{gives} to all its answers: its accuracy is the same whatever confidence is required."
        )
    if collection.has(*K1_AND_R) and not collection.drawn(*K1_AND_R):
        r, k1 = (collection.labels()[measure] for measure in reversed(K1_AND_R))
        yield collection.without_values(*K1_AND_R) or f"No run has both {r} and {k1}."


def _caption_of_coverage(collection: CollectionResults, coverage: pl.DataFrame) -> Reading:
    answered = pl.col("answered")
    in_quarter = answered >= answered.last() / 4 - SAME
    ends = (
        coverage.filter(pl.col("run").is_in(collection.submitted))
        .group_by("run", maintain_order=True)
        .agg(
            surest=pl.col("accuracy").filter(in_quarter).first(),
            all=pl.col("accuracy").last(),
            has_quarter=in_quarter.sum() > 1,
        )
    )
    caption = (
        "From right to left, a run answers only what it is surer of. A line that climbs to the "
        "left belongs to a run that is more accurate where it is surer. At the left end, a line "
        "may rest on very few answers. The surest quarter is the first point of a line with at "
        f"least a quarter of its answers.{counted_alike(collection)}"
    )
    apart = ends.filter("has_quarter")
    if apart.is_empty():
        return Reading(caption)
    rising = apart.filter(pl.col("surest") > pl.col("all") + SAME).height
    if apart.height == 1:
        is_more = "is" if rising else "is not"
        return Reading(
            caption,
            f"Among the surest quarter of its answers, {apart['run'][0]} {is_more} more accurate "
            "than over all.",
        )
    every = apart.height == len(collection.submitted)
    who = (rising, apart.height, "submitted run" if every else "run")
    such = "" if every else "whose confidences set one apart"
    return Reading(
        caption,
        f"Among the surest quarter of their answers, {out_of(*who, such)} "
        f"{is_or_are(rising, apart.height)} more accurate than over all.",
    )


def _caption_of_reliability(collection: CollectionResults, reliability: pl.DataFrame) -> Reading:
    gap = pl.col("confidence") - pl.col("accuracy")
    gaps = (
        reliability.filter(pl.col("run").is_in(collection.submitted))
        .group_by("run")
        .agg((gap * pl.col("answers")).sum() / pl.col("answers").sum())
    )
    caption = (
        "On the line, answers given with confidence 0.7 are right seven times in ten; below it, "
        "fewer are right than the confidence says. The size of a point is the number of answers: "
        f"small ones scatter by chance.{counted_alike(collection)}"
    )
    if gaps.is_empty():
        return Reading(caption)
    too_sure = int((gaps["confidence"] > SAME).sum())
    if gaps.height == 1:
        exceeds = "exceeds" if too_sure else "does not exceed"
        return Reading(
            caption,
            f"Over all its answers, the mean confidence of {gaps['run'][0]} {exceeds} its "
            "accuracy.",
        )
    every = gaps.height == len(collection.submitted)
    who = (too_sure, gaps.height, "submitted run" if every else "run")
    such = "" if every else "that give confidences from 0 to 1"
    return Reading(
        caption,
        f"Over all its answers, the mean confidence exceeds the accuracy for {out_of(*who, such)}.",
    )


def _caption_of_k1(collection: CollectionResults, k1: str, r: str) -> Reading:
    correlations, values = (
        collection.of_submitted(collection.scores(name)["value"])
        for name in ("confidence_correlation", "k1")
    )
    if without := collection.without_values(*K1_AND_R):
        return Reading("", without)
    drawn = {run: value for run, value in values.items() if run in correlations}
    caption = (
        f"Further right, a run is surer of its right answers than of its wrong ones ({r}); further "
        f"up, the confidence in its right answers outweighs that in its wrong ones ({k1}). A run "
        f"with many wrong answers can have a high {r} and a low {k1}."
    )
    if not drawn:
        return Reading(caption)
    above = sum(value > SAME for value in drawn.values())
    every = len(drawn) == len(collection.submitted)
    if len(drawn) == 1:
        has_both = "" if every else f", the only submitted run with both {r} and {k1}"
        is_above = "is" if above else "is not"
        return Reading(caption, f"{k1} {is_above} above 0 for {next(iter(drawn))}{has_both}.")
    who = (above, len(drawn), "submitted run" if every else "run")
    such = "" if every else f"with both {r} and {k1}"
    return Reading(caption, f"{k1} is above 0 for {out_of(*who, such)}.")
