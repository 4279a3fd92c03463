"""Who knows when to stay silent? Unanswered questions, what was held back, and confidences."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import altair as alt
import polars as pl

from qampaign.report import theme
from qampaign.report.parts import Chart, Column, Section, Table, fixed, many, percent
from qampaign.report.views import Collection


def section(collection: Collection) -> Section | None:
    if collection.task == "validation":
        return None
    kinds = len({run["kind"] for run in collection.runs}) > 1
    silent = any(collection.start["counts"]["unanswered"])
    parts: list[Chart | Table] = []
    if silent:
        if collection.has("accuracy", "c_at_1"):
            accuracy, c_at_1 = collection.label("accuracy"), collection.label("c_at_1")
            spec = accuracy_against_c_at_1(accuracy, c_at_1, kinds)
            title = f"{c_at_1} against {accuracy}"
            reads = _how_to_read_credit(collection, accuracy, c_at_1)
            parts.append(Chart("c_at_1", title, spec, reads, half=True))
        parts += [
            Chart("silence", "Right against unanswered", silence(kinds),
                  _how_to_read_silence(collection), half=True),
            Chart("withholding", "How well silence was chosen", withholding(),
                  _how_to_read_withholding(collection), per_run=theme.BAR),
            _withheld(collection),
        ]  # fmt: skip
    parts += _confidences(collection, kinds)
    return Section("abstention", "Who knows when to stay silent?", parts) if parts else None


@cache
def accuracy_against_c_at_1(
    accuracy: str = "accuracy", c_at_1: str = "c@1", several_kinds: bool = False
) -> dict[str, Any]:
    """Accuracy across, c@1 upwards, and the line on which both are equal.

    Both axes span the same values, or the line would not be where the eye expects it.
    """
    accuracy, c_at_1 = theme.plain(accuracy), theme.plain(c_at_1)
    rows = theme.rows("runs")
    scale, axis = alt.Scale(zero=False, nice=False), alt.Axis(tickCount=8)
    x = alt.X("value_accuracy:Q", title=accuracy, scale=scale, axis=axis)
    y = alt.Y("value_c_at_1:Q", title=c_at_1, scale=scale, axis=axis)

    # c@1 is never below accuracy: the lowest accuracy and the highest c@1 bound both axes. The
    # margin keeps the marks off the frame, and the axes alive where all runs are equal.
    bounds = (
        rows.transform_filter("isValid(datum.value_accuracy) && isValid(datum.value_c_at_1)")
        .transform_aggregate(lowest="min(value_accuracy)", highest="max(value_c_at_1)")
        .transform_calculate(
            lowest="max(0, datum.lowest - 0.025)", highest="min(1, datum.highest + 0.025)"
        )
    )
    line = (
        bounds.transform_calculate(end="[datum.lowest, datum.highest]")
        .transform_flatten(["end"])
        .mark_line(color=theme.MUTED, strokeDash=[4, 4], strokeWidth=1, tooltip=False, aria=False)
        .encode(x=alt.X("end:Q"), y=alt.Y("end:Q"))
    )
    # Nothing ever lies under the line, so that its name is in nobody's way there.
    name = (
        bounds.transform_calculate(along="datum.lowest + 0.55 * (datum.highest - datum.lowest)")
        .mark_text(
            align="left", baseline="middle", dx=18, dy=2, color=theme.MUTED, fontSize=12, aria=False
        )
        .encode(
            x=alt.X("along:Q"), y=alt.Y("along:Q"), text=alt.value(f"{c_at_1} = {accuracy}")
        )
    )
    points = rows.mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8).encode(
        x=x,
        y=y,
        color=theme.colour_of_run(),
        shape=theme.shape_of_kind(legend=several_kinds),
        opacity=theme.lit(),
        tooltip=theme.about_run(
            theme.value("value_accuracy", accuracy), theme.value("value_c_at_1", c_at_1), *_counts()
        ),
    )
    return theme.finish(
        alt.layer(line, name, points),
        description=f"Every run as a point: {accuracy} across, {c_at_1} upwards.",
    )


@cache
def silence(several_kinds: bool = False) -> dict[str, Any]:
    """Share unanswered across, share right upwards, and lines of equal c@1 = right·(1 + share)."""
    curves = [
        {"level": f"c@1 {level / 10:.1f}", "share": share / 20, "right": right}
        for level in range(1, 10)
        for share in range(21)
        if (right := level / 10 / (1 + share / 20)) + share / 20 <= 1 + 1e-9
    ]
    ends = {each["level"]: each for each in curves}
    lines = (
        alt.Chart(alt.InlineData(values=curves))
        .mark_line(color=theme.MUTED, strokeWidth=0.8, opacity=0.55, tooltip=False, aria=False)
        .encode(x=alt.X("share:Q"), y=alt.Y("right:Q"), detail="level:N")
    )
    names = (
        alt.Chart(alt.InlineData(values=list(ends.values())))
        .mark_text(align="left", dx=4, dy=-4, fontSize=10, color=theme.MUTED, aria=False)
        .encode(x=alt.X("share:Q"), y=alt.Y("right:Q"), text="level:N")
    )
    edge = theme.reference_line([{"share": 0, "right": 1}, {"share": 1, "right": 0}],
                                x="share", y="right")  # fmt: skip
    axis = alt.Axis(format=".0%", tickCount=6)
    points = (
        theme.rows("runs")
        .transform_filter("datum.questions > 0")
        .transform_calculate(
            share="datum.unanswered / datum.questions", right_share="datum.right / datum.questions"
        )
        .mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8)
        .encode(
            x=alt.X("share:Q", title="unanswered", scale=alt.Scale(domain=[0, 1]), axis=axis),
            y=alt.Y("right_share:Q", title="right", scale=alt.Scale(domain=[0, 1]), axis=axis),
            color=theme.colour_of_run(),
            shape=theme.shape_of_kind(legend=several_kinds),
            opacity=theme.lit(),
            tooltip=theme.about_run(*_counts()),
        )
    )
    return theme.finish(
        alt.layer(lines, edge, names, points),
        description="Every run as a point: the share of questions that it left unanswered across, "
        "the share that it got right upwards, over lines of equal c@1.",
    )


@cache
def withholding() -> dict[str, Any]:
    """c@1 of each run between answering everything and withholding what is wrong, no more."""
    rows = (
        theme.rows("runs")
        .transform_filter("datum.shown && datum.questions > 0")
        .transform_calculate(
            right_share="datum.right / datum.questions",
            known="(datum.right + datum.withheld_right) / datum.questions",
        )
        .transform_calculate(
            reached="datum.right_share * (1 + datum.unanswered / datum.questions)",
            perfect="datum.known * (2 - datum.known)",
        )
    )
    told = theme.about_run(
        theme.value("known", "everything answered"),
        theme.value("reached", "as it was"),
        theme.value("perfect", "wrong ones withheld"),
    )
    scale, axis = alt.Scale(zero=False), alt.Axis(orient="top", tickCount=8)
    reach = rows.mark_rule(strokeWidth=2, opacity=0.5).encode(
        x=alt.X("known:Q", title="c@1", scale=scale, axis=axis),
        x2="perfect:Q",
        y=theme.by_order(),
        color=alt.value(theme.MUTED),
        tooltip=told,
    )
    names = ["everything answered", "as it was", "wrong ones withheld"]
    dots = (
        rows.transform_fold(["known", "reached", "perfect"], as_=["case", "value"])
        .transform_calculate(
            case="({known: '%s', reached: '%s', perfect: '%s'})[datum.case]" % tuple(names)
        )
        .mark_point(filled=True, size=60, stroke="white", strokeWidth=0.6)
        .encode(
            x=alt.X("value:Q", title="c@1"),
            y=theme.by_order(),
            color=alt.Color(
                "case:N",
                title=None,
                sort=names,
                legend=alt.Legend(orient="top", symbolStrokeWidth=0),
                scale=alt.Scale(domain=names, range=[theme.WRONG, theme.RIGHT, "#7d7f8c"]),
            ),
            shape=alt.Shape(
                "case:N",
                title=None,
                sort=names,
                legend=alt.Legend(orient="top", symbolStrokeWidth=0),
                scale=alt.Scale(domain=names, range=["triangle-right", "circle", "diamond"]),
            ),
            opacity=theme.lit(),
            tooltip=told,
        )
    )
    return theme.finish(
        alt.layer(reach, dots),
        height=None,
        description="For each run its c@1, between what it would be with every candidate answered "
        "and what it would be with exactly the wrong candidates withheld.",
    )


def _counts() -> list[alt.Tooltip]:
    names = ("right", "wrong", "unanswered", "questions")
    return [alt.Tooltip(f"{name}:Q", title=name) for name in names]


def _withheld(collection: Collection) -> Table:
    """What each run held back, and what it would have been worth."""
    counts, rows = collection.start["counts"], []
    for at, name in enumerate(collection.names()):
        found = {key: values[at] or 0 for key, values in counts.items()}
        held, asked = found["withheld_right"] + found["withheld_wrong"], found["questions"]
        if found["unanswered"] and asked:
            reached = found["right"] / asked * (1 + found["unanswered"] / asked)
            known = (found["right"] + found["withheld_right"]) / asked
            room = known * (2 - known) - known
            rows.append((
                name, found["unanswered"], held, found["withheld_right"],
                found["withheld_right"] / held if held else None,
                known, reached, known * (2 - known), (reached - known) / room if room else None,
            ))  # fmt: skip
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
            f"Of {many(int(held), 'withheld candidate')} {percent(right / held, 0)} would have been "
            "right."
        )
    return Table("withheld", "What withheld candidates would have scored", columns, rows, reads)


def _how_to_read_credit(collection: Collection, accuracy: str, c_at_1: str) -> str:
    values = {
        name: collection.start["scores"][collection.place(name) or 0]["value"]
        for name in ("accuracy", "c_at_1")
    }
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
            reached = found["right"] * (1 + found["unanswered"] / found["questions"])
            known = found["right"] + found["withheld_right"]
            better, worse = better + (reached > known), worse + (reached < known)
    return (
        "The circle is the run's c@1. It would be at the orange triangle had the run answered all "
        "that it had a candidate for, and at the grey diamond had it withheld exactly the wrong "
        f"ones. Staying silent paid for {many(better, 'run')} and cost {many(worse, 'run')}."
    )


def _confidences(collection: Collection, kinds: bool) -> Iterable[Chart]:
    reference = {"judge": collection.reference}
    coverage = collection.table("coverage", **reference)
    if not coverage.is_empty():
        yield Chart(
            "coverage", "Accuracy as the bar of confidence rises", accuracy_by_coverage(),
            _how_to_read_coverage(coverage), uses=("coverage",),
            data={"coverage": coverage.select("run", "bar", "answered", "accuracy")}, half=True,
        )  # fmt: skip
    reliability = collection.table("reliability", **reference)
    if not reliability.is_empty():
        yield Chart(
            "reliability", "Can the confidences be believed?", reliability_diagram(),
            _how_to_read_reliability(reliability), uses=("reliability",),
            data={"reliability": reliability.select("run", "bin", "confidence", "accuracy",
                                                    "answers")}, half=True,
        )  # fmt: skip
    if collection.has("k1", "confidence_correlation"):
        labels = collection.labels()
        k1, r = labels["k1"], labels["confidence_correlation"]
        yield Chart(
            "k1", f"{k1} against {r}",
            plane("value_confidence_correlation", r, "value_k1", k1, kinds),
            f"To the right, a run is surer of its right answers than of its wrong ones; upwards, "
            f"this also pays. A run with many wrong answers can have a high {r} and a low {k1}."
            + _how_many_agree(collection), half=True,
        )  # fmt: skip


@cache
def accuracy_by_coverage() -> dict[str, Any]:
    """A line per run: how accurate its surest answers are."""
    base = theme.rows("coverage").transform_filter("datum.shown")
    chart = base.mark_line(strokeWidth=1.8, interpolate="linear").encode(
        x=alt.X(
            "answered:Q", title="share answered", axis=alt.Axis(format=".0%"),
            scale=alt.Scale(domain=[0, 1]),
        ),
        y=alt.Y("accuracy:Q", title="accuracy of the answered", scale=alt.Scale(domain=[0, 1])),
        detail="key:N",
        order=alt.Order("answered:Q"),
        color=theme.colour_of_run(),
        opacity=theme.lit(on=0.8, off=0.06),
        tooltip=theme.about_run(
            theme.value("bar", "confidence of at least"),
            theme.value("answered", "answered", ".0%"),
            theme.value("accuracy", "accuracy"),
        ),
    )  # fmt: skip
    return theme.finish(
        chart,
        description="A line per run: the share of questions answered across, the accuracy over "
        "them upwards, as the confidence asked for falls.",
    )


@cache
def reliability_diagram() -> dict[str, Any]:
    """Confidence across, accuracy upwards, ten bins per run, and the line of honest confidence."""
    line = theme.reference_line(
        [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}],
        x="confidence", y="accuracy",
    )  # fmt: skip
    rows = theme.rows("reliability").transform_filter("datum.shown")
    unit = alt.Scale(domain=[0, 1])
    shared = {
        "x": alt.X("confidence:Q", title="mean confidence in the bin", scale=unit),
        "y": alt.Y("accuracy:Q", title="accuracy in the bin", scale=unit),
        "color": theme.colour_of_run(),
    }
    lines = rows.mark_line(strokeWidth=1.2).encode(
        **shared, detail="key:N", order=alt.Order("bin:Q"), opacity=theme.lit(on=0.35, off=0.04)
    )
    dots = rows.mark_point(filled=True).encode(
        **shared,
        size=alt.Size(
            "answers:Q", title="answers", scale=alt.Scale(range=[12, 220]),
            legend=alt.Legend(symbolFillColor=theme.MUTED, symbolStrokeWidth=0, tickCount=4),
        ),
        opacity=theme.lit(on=0.7, off=0.06),
        tooltip=theme.about_run(
            theme.value("confidence", "confidence"), theme.value("accuracy", "accuracy"),
            alt.Tooltip("answers:Q", title="answers"),
        ),
    )  # fmt: skip
    return theme.finish(
        alt.layer(line, lines, dots),
        description="Bins of answers by confidence: the mean confidence across, how many of them "
        "are right upwards.",
    )


@cache
def plane(x: str, x_label: str, y: str, y_label: str, several_kinds: bool) -> dict[str, Any]:
    """Every run as a point by two of its measures."""
    points = (
        theme.rows("runs")
        .transform_filter(f"isValid(datum.{x}) && isValid(datum.{y})")
        .mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8)
        .encode(
            x=alt.X(f"{x}:Q", title=x_label, scale=alt.Scale(zero=False)),
            y=alt.Y(f"{y}:Q", title=y_label, scale=alt.Scale(zero=False)),
            color=theme.colour_of_run(),
            shape=theme.shape_of_kind(legend=several_kinds),
            opacity=theme.lit(),
            tooltip=theme.about_run(theme.value(x, x_label), theme.value(y, y_label)),
        )
    )
    return theme.finish(
        points, description=f"Every run as a point: {x_label} across, {y_label} upwards."
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
    over = reliability.group_by("run").agg((gap * pl.col("answers")).sum() / pl.col("answers").sum())
    too_sure = int((over["confidence"] > 0).sum())
    return (
        "On the line, answers given with confidence 0.7 are right seven times in ten; under it a "
        f"run is surer than it should be, as {too_sure} of {many(over.height, 'run')} are on "
        "average. The size of a point is the number of answers."
    )


def _how_many_agree(collection: Collection) -> str:
    values = [
        collection.start["scores"][collection.place(name) or 0]["value"]
        for name in ("confidence_correlation", "k1")
    ]
    pairs = [(r, k) for r, k in zip(*values, strict=True) if r is not None and k is not None]
    paid = sum(k > 0 for _, k in pairs)
    return f" Here {paid} of {many(len(pairs), 'run')} have a value above 0 upwards."
