"""Who knows when to stay silent? Unanswered questions, what was held back, and confidences."""

from collections.abc import Iterable

import polars as pl

from qampaign.measures.ranking import SAME
from qampaign.report import theme
from qampaign.report.charts import abstention as charts
from qampaign.report.collection import Collection
from qampaign.report.parts import Chart, Column, Section, Table, fixed, many, percent


def section(collection: Collection) -> Section | None:
    if collection.task == "validation":
        return None
    kinds = collection.kinds()
    silent = any(collection.start["counts"]["unanswered"])
    parts: list[Chart | Table] = []
    if silent:
        if collection.has("accuracy", "c_at_1"):
            accuracy, c_at_1 = collection.label("accuracy"), collection.label("c_at_1")
            spec = charts.accuracy_against_c_at_1(accuracy, c_at_1, kinds)
            title = f"{c_at_1} against {accuracy}"
            reads = _how_to_read_credit(collection, accuracy, c_at_1)
            parts.append(Chart("c_at_1", title, spec, reads, half=True))
        parts += [
            Chart(
                "silence",
                "Right against unanswered",
                charts.silence(kinds),
                _how_to_read_silence(collection),
                half=True,
            ),
            Chart(
                "withholding",
                "How well silence was chosen",
                charts.withholding(),
                _how_to_read_withholding(collection),
                per_run=theme.BAR,
            ),
            _withheld(collection),
        ]
    parts += _confidences(collection, kinds)
    return Section("abstention", "Who knows when to stay silent?", parts) if parts else None


def _withheld(collection: Collection) -> Table:
    """What each run held back, and what it would have been worth."""
    counts, rows = collection.start["counts"], []
    for at, name in enumerate(collection.names()):
        found = {key: values[at] or 0 for key, values in counts.items()}
        held, asked = found["withheld_right"] + found["withheld_wrong"], found["questions"]
        if found["unanswered"] and asked:
            reached = found["right"] / asked * (1 + found["unanswered"] / asked)
            known = (found["right"] + found["withheld_right"]) / asked
            given = known * (1 + (found["unanswered"] - held) / asked)
            room = known * (2 - known) - given
            rows.append(
                (
                    name,
                    found["unanswered"],
                    held,
                    found["withheld_right"],
                    found["withheld_right"] / held if held else None,
                    known,
                    reached,
                    known * (2 - known),
                    (reached - given) / room if room else None,
                )
            )
    columns = [
        Column("Run", "name"),
        Column("Unanswered", "count"),
        Column("Withheld", "count", "unanswered, with a candidate shown"),
        Column("Of them right", "count"),
        Column("Share right", "share"),
        Column("Accuracy, all answered", "number", "with every withheld candidate answered"),
        Column("c@1", "number"),
        Column("c@1, perfect", "number", "with exactly the wrong candidates withheld"),
        Column("Gain reached", "share", "of what perfect withholding would add to c@1"),
    ]
    held = sum(row[2] for row in rows)
    right = sum(row[3] for row in rows)
    reads = "No run showed the candidates that it held back."
    if held:
        reads = (
            f"Of {many(int(held), 'withheld candidate')} {percent(right / held, 0)} would have "
            "been right."
        )
    return Table("withheld", "What withheld candidates would have scored", columns, rows, reads)


def _how_to_read_credit(collection: Collection, accuracy: str, c_at_1: str) -> str:
    values = {name: collection.scores(name)["value"] for name in ("accuracy", "c_at_1")}
    gains = [
        (c - a, run)
        for a, c, run in zip(*values.values(), collection.names(), strict=True)
        if a is not None and c is not None
    ]
    reads = (
        "A run that answers everything lies on the line; the height above it is the credit that "
        f"{c_at_1} gives for unanswered questions."
    )
    if not gains or max(gains)[0] <= 0:
        return reads
    gain, run = max(gains)
    return f"{reads} Most goes to {run}: {fixed(gain)}."


def _how_to_read_silence(collection: Collection) -> str:
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
        "Along a thin line c@1 is the same: it falls to the right, as silence makes up for fewer "
        "right answers. Nothing can lie above the dashed edge, where nothing is wrong. Most silent "
        f"is {run}, with {percent(share, 0)} unanswered."
    )


def _how_to_read_withholding(collection: Collection) -> str:
    counts, better, worse = collection.start["counts"], 0, 0
    for at in range(len(collection.runs)):
        found = {key: values[at] or 0 for key, values in counts.items()}
        if found["unanswered"] and found["questions"]:
            asked, held = found["questions"], found["withheld_right"] + found["withheld_wrong"]
            reached = found["right"] * (1 + found["unanswered"] / asked)
            known = found["right"] + found["withheld_right"]
            gain = reached - known * (1 + (found["unanswered"] - held) / asked)
            better, worse = better + (gain > SAME), worse + (gain < -SAME)
    return (
        "The circle is the run's c@1. It would be at the orange triangle had the run given every "
        "candidate that it showed, and at the grey diamond had it withheld exactly the wrong "
        f"ones. Withholding paid for {many(better, 'run')} and cost {many(worse, 'run')}."
    )


def _confidences(collection: Collection, kinds: tuple[str, ...]) -> Iterable[Chart]:
    reference = {"judge": collection.reference}
    coverage = collection.table("coverage", **reference)
    if not coverage.is_empty():
        yield Chart(
            "coverage",
            "Accuracy as the bar of confidence rises",
            charts.accuracy_by_coverage(),
            _how_to_read_coverage(coverage),
            uses=("coverage",),
            data={"coverage": coverage.select("run", "bar", "answered", "accuracy")},
            half=True,
        )
    reliability = collection.table("reliability", **reference)
    if not reliability.is_empty():
        yield Chart(
            "reliability",
            "Can the confidences be believed?",
            charts.reliability_diagram(len(collection.runs) <= len(theme.PALETTE)),
            _how_to_read_reliability(reliability),
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
            charts.plane("value_confidence_correlation", r, "value_k1", k1, kinds),
            f"To the right, a run is surer of its right answers than of its wrong ones; upwards, "
            f"this also pays. A run with many wrong answers can have a high {r} and a low {k1}."
            + _how_many_agree(collection),
            half=True,
        )


def _how_to_read_coverage(coverage: pl.DataFrame) -> str:
    first = coverage.group_by("run", maintain_order=True).agg(
        start=pl.col("accuracy").first(), end=pl.col("accuracy").last()
    )
    rising = first.filter(pl.col("start") > pl.col("end")).height
    return (
        "From right to left a run answers only what it is surer of. A line that climbs to the left "
        f"belongs to a run that knows what it knows: {rising} of {many(first.height, 'run')} are "
        "more accurate at their surest than over all that they answer."
    )


def _how_to_read_reliability(reliability: pl.DataFrame) -> str:
    gap = pl.col("confidence") - pl.col("accuracy")
    over = reliability.group_by("run").agg(
        (gap * pl.col("answers")).sum() / pl.col("answers").sum()
    )
    too_sure = int((over["confidence"] > 0).sum())
    return (
        "On the line, answers given with confidence 0.7 are right seven times in ten; under it a "
        f"run is surer than it should be, as {too_sure} of {many(over.height, 'run')} are on "
        "average. The size of a point is the number of answers."
    )


def _how_many_agree(collection: Collection) -> str:
    values = [collection.scores(name)["value"] for name in ("confidence_correlation", "k1")]
    pairs = [(r, k) for r, k in zip(*values, strict=True) if r is not None and k is not None]
    paid = sum(k > 0 for _, k in pairs)
    return f" Here {paid} of {many(len(pairs), 'run')} have a {collection.labels()['k1']} above 0."
