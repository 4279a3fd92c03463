"""Who knows when to stay silent? Unanswered questions, withheld candidates, and confidences."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from qampaign.measures.ranking import SAME
from qampaign.report import theme
from qampaign.report.blocks import Chart, Section, Table, TableColumn
from qampaign.report.charts import abstention as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.text import fixed, many, percent


def section(collection: CollectionResults) -> Section | None:
    if collection.task == "validation":
        return None
    blocks: list[Chart | Table] = []
    if any(collection.start["counts"]["unanswered"]):
        blocks += _silence(collection)
    blocks += _confidences(collection)
    return Section("abstention", "Who knows when to stay silent?", blocks) if blocks else None


def _silence(collection: CollectionResults) -> Iterator[Chart | Table]:
    kinds = collection.kinds()
    if collection.has("accuracy", "c_at_1"):
        accuracy, c_at_1 = collection.label("accuracy"), collection.label("c_at_1")
        yield Chart(
            "c_at_1",
            f"{c_at_1} against {accuracy}",
            charts.accuracy_against_c_at_1(accuracy, c_at_1, kinds),
            _caption_of_credit(collection, c_at_1),
            half=True,
        )
    yield Chart(
        "silence",
        "Right against unanswered",
        charts.silence(kinds),
        _caption_of_silence(collection),
        half=True,
    )
    withholding = list(_withholding(collection))
    yield Chart(
        "withholding",
        "How well runs chose what to withhold",
        charts.withholding(),
        _caption_of_withholding(withholding),
        per_run=theme.BAR,
    )
    yield _withheld_table(withholding)


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
    """The runs that left any question unanswered."""
    for index, run in enumerate(collection.names()):
        counts = {name: column[index] or 0 for name, column in collection.start["counts"].items()}
        asked, unanswered = counts["questions"], counts["unanswered"]
        if unanswered and asked:
            right, wrong = counts["withheld_right"], counts["withheld_wrong"]
            accuracy = (counts["right"] + right) / asked
            yield Withholding(
                run=run,
                unanswered=unanswered,
                right=right,
                wrong=wrong,
                accuracy=accuracy,
                c_at_1=counts["right"] / asked * (1 + unanswered / asked),
                given=accuracy * (1 + (unanswered - right - wrong) / asked),
                perfect=accuracy * (2 - accuracy),
            )


def _withheld_table(runs: list[Withholding]) -> Table:
    rows = []
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
    caption = "No run showed the candidates that it withheld."
    if withheld:
        caption = (
            f"Of {many(int(withheld), 'withheld candidate')}, {percent(right / withheld, 0)} would "
            "have been right."
        )
    return Table("withheld", "What withheld candidates would have scored", columns, rows, caption)


def _caption_of_credit(collection: CollectionResults, c_at_1: str) -> str:
    values = {name: collection.scores(name)["value"] for name in ("accuracy", "c_at_1")}
    gains = [
        (c - a, run)
        for a, c, run in zip(*values.values(), collection.names(), strict=True)
        if a is not None and c is not None
    ]
    caption = (
        "A run that answers everything lies on the line; its height above the line is the credit "
        f"that {c_at_1} gives for unanswered questions."
    )
    if not gains or max(gains)[0] <= 0:
        return caption
    gain, run = max(gains)
    return f"{caption} {run} gets the most, {fixed(gain)}."


def _caption_of_silence(collection: CollectionResults) -> str:
    counts = collection.start["counts"]
    shares = [
        ((silent or 0) / asked, run)
        for silent, asked, run in zip(
            counts["unanswered"], counts["questions"], collection.names(), strict=True
        )
        if asked
    ]
    share, run = max(shares)
    return (
        "Along a thin line, c@1 is the same; it falls to the right because silence makes up for "
        "fewer right answers. No run can lie above the dashed line, where no answer is wrong. "
        f"{run} is silent most often, with {percent(share, 0)} unanswered."
    )


def _caption_of_withholding(runs: list[Withholding]) -> str:
    gains = [run.c_at_1 - run.given for run in runs]
    raised, lowered = sum(gain > SAME for gain in gains), sum(gain < -SAME for gain in gains)
    return (
        "The circle is the run's c@1. It would be at the orange triangle if the run had given "
        "every candidate that it showed, and at the grey diamond if it had withheld exactly the "
        f"wrong ones. Withholding raised the c@1 of {many(raised, 'run')} and lowered that of "
        f"{many(lowered, 'run')}."
    )


def _confidences(collection: CollectionResults) -> Iterator[Chart]:
    coverage = collection.table("coverage", judge=collection.reference)
    if not coverage.is_empty():
        yield Chart(
            "coverage",
            "Accuracy as more confidence is required",
            charts.accuracy_by_coverage(),
            _caption_of_coverage(coverage),
            uses=("coverage",),
            data={"coverage": coverage.select("run", "bar", "answered", "accuracy")},
            half=True,
        )
    reliability = collection.table("reliability", judge=collection.reference)
    if not reliability.is_empty():
        yield Chart(
            "reliability",
            "Can the confidences be trusted?",
            charts.reliability_diagram(len(collection.runs) <= len(theme.PALETTE)),
            _caption_of_reliability(reliability),
            uses=("reliability",),
            data={
                "reliability": reliability.select("run", "bin", "confidence", "accuracy", "answers")
            },
            half=True,
        )
    if collection.has("k1", "confidence_correlation"):
        labels = collection.labels()
        k1, r = labels["k1"], labels["confidence_correlation"]
        yield Chart(
            "k1",
            f"{k1} against {r}",
            charts.plane("value_confidence_correlation", r, "value_k1", k1, collection.kinds()),
            _caption_of_k1(collection, k1, r),
            half=True,
        )


def _caption_of_coverage(coverage: pl.DataFrame) -> str:
    ends = coverage.group_by("run", maintain_order=True).agg(
        surest=pl.col("accuracy").first(), all=pl.col("accuracy").last()
    )
    rising = ends.filter(pl.col("surest") > pl.col("all")).height
    return (
        "From right to left, a run answers only what it is surer of. A line that climbs to the "
        "left belongs to a run that knows what it knows: it is more accurate on its surest answers "
        f"than on all its answers. This holds for {rising} of {many(ends.height, 'run')}."
    )


def _caption_of_reliability(reliability: pl.DataFrame) -> str:
    gap = pl.col("confidence") - pl.col("accuracy")
    gaps = reliability.group_by("run").agg(
        (gap * pl.col("answers")).sum() / pl.col("answers").sum()
    )
    too_sure = int((gaps["confidence"] > 0).sum())
    return (
        "On the line, answers given with confidence 0.7 are right seven times in ten; below it, a "
        f"run is surer than it should be. On average, this holds for {too_sure} of "
        f"{many(gaps.height, 'run')}. The size of a point is the number of answers."
    )


def _caption_of_k1(collection: CollectionResults, k1: str, r: str) -> str:
    values = [collection.scores(name)["value"] for name in ("confidence_correlation", "k1")]
    pairs = [(x, y) for x, y in zip(*values, strict=True) if x is not None and y is not None]
    paid = sum(y > 0 for _, y in pairs)
    return (
        "Further right, a run is surer of its right answers than of its wrong ones; further up, "
        f"this also pays. A run with many wrong answers can have a high {r} and a low {k1}. {k1} "
        f"is above 0 for {paid} of {many(len(pairs), 'run')}."
    )
