"""Silence and confidence: credit, withholding, coverage, reliability; and any two measures."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.spec import Spec


@cache
def accuracy_against_c_at_1(
    accuracy: str = "accuracy", c_at_1: str = "c@1", kinds: tuple[str, ...] = ()
) -> Spec:
    """Accuracy across, c@1 upwards, and the line on which both are equal.

    Both axes span the same values, or the line would not be where the eye expects it.
    """
    accuracy, c_at_1 = theme.plain(accuracy), theme.plain(c_at_1)
    rows = theme.rows("runs")
    scale: Spec = {"zero": False, "nice": False}
    x = alt.X(
        "value_accuracy:Q",
        title=accuracy,
        scale=alt.Scale(**scale, range=theme.beside_names()),
        axis=alt.Axis(tickCount=6, titleAnchor="start"),
    )
    y = alt.Y("value_c_at_1:Q", title=c_at_1, scale=alt.Scale(**scale), axis=alt.Axis(tickCount=8))

    # c@1 is never below accuracy: the lowest accuracy and the highest c@1 bound both axes. The
    # margin keeps the marks off the frame; where all runs are equal, it is wider.
    bounds = (
        rows.transform_filter("isValid(datum.value_accuracy) && isValid(datum.value_c_at_1)")
        .transform_aggregate(lowest="min(value_accuracy)", highest="max(value_c_at_1)")
        .transform_calculate(margin="datum.highest - datum.lowest < 1e-9 ? 0.1 : 0.025")
        .transform_calculate(
            lowest="max(0, datum.lowest - datum.margin)",
            highest="min(1, datum.highest + datum.margin)",
        )
    )
    line = (
        bounds.transform_calculate(end="[datum.lowest, datum.highest]")
        .transform_flatten(["end"])
        .mark_line(color=theme.MUTED, strokeDash=[4, 4], strokeWidth=1, tooltip=False, aria=False)
        .encode(x=alt.X("end:Q"), y=alt.Y("end:Q"))
    )
    # No point ever lies below the line, so that its name has room there.
    name = (
        bounds.transform_calculate(along="datum.lowest + 0.3 * (datum.highest - datum.lowest)")
        .mark_text(
            align="left", baseline="middle", dx=18, dy=2, color=theme.MUTED, fontSize=12, aria=False
        )
        .encode(x=alt.X("along:Q"), y=alt.Y("along:Q"), text=alt.value(f"{c_at_1} = {accuracy}"))
    )
    points = rows.mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8).encode(
        x=x,
        y=y,
        color=theme.colour_of_run(),
        shape=theme.shape_of_kind(kinds),
        opacity=theme.lit(),
        tooltip=theme.about_run(
            theme.value("value_accuracy", accuracy), theme.value("value_c_at_1", c_at_1), *_counts()
        ),
    )
    return theme.finish(
        alt.layer(
            line, name, points, theme.names_of_points(rows, "value_c_at_1", "value_accuracy")
        ),
        description=f"Every run as a point: {accuracy} across, {c_at_1} upwards.",
    )


@cache
def silence(kinds: tuple[str, ...] = ()) -> Spec:
    """Share unanswered across, share right upwards, and lines of equal c@1 = right·(1 + share)."""
    # With nothing wrong, right is 1 - share: a line ends where (1 - share)(1 + share) is its level.
    curves = [
        {"level": f"c@1 {level:.1f}", "share": share, "right": level / (1 + share)}
        for level in (tenth / 10 for tenth in range(1, 10))
        for share in ((1 - level) ** 0.5 * step / 20 for step in range(21))
    ]
    ends = {point["level"]: point for point in curves}
    lines = (
        alt.Chart(alt.InlineData(values=curves))
        .mark_line(color=theme.MUTED, strokeWidth=0.8, opacity=0.55, tooltip=False, aria=False)
        .encode(x=alt.X("share:Q"), y=alt.Y("right:Q"), detail="level:N")
    )
    names = (
        alt.Chart(alt.InlineData(values=list(ends.values())))
        .mark_text(align="left", dx=10, dy=-5, fontSize=10, color=theme.MUTED, aria=False)
        .encode(x=alt.X("share:Q"), y=alt.Y("right:Q"), text="level:N")
    )
    edge = theme.reference_line(
        [{"share": 0, "right": 1}, {"share": 1, "right": 0}], x="share", y="right"
    )
    axis: Spec = {"format": ".0%", "tickCount": 6}
    rows = (
        theme.rows("runs")
        .transform_filter("datum.questions > 0")
        .transform_calculate(
            share="datum.unanswered / datum.questions", right_share="datum.right / datum.questions"
        )
    )
    points = rows.mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8).encode(
        x=alt.X(
            "share:Q",
            title="unanswered",
            scale=alt.Scale(domain=[0, 1], range=theme.beside_names()),
            axis=alt.Axis(titleAnchor="start", **axis),
        ),
        y=alt.Y(
            "right_share:Q", title="right", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(**axis)
        ),
        color=theme.colour_of_run(),
        shape=theme.shape_of_kind(kinds),
        opacity=theme.lit(),
        tooltip=theme.about_run(*_counts()),
    )
    return theme.finish(
        alt.layer(lines, edge, names, points, theme.names_of_points(rows, "right_share", "share")),
        description="Every run as a point: the share of questions that it left unanswered across, "
        "the share that it got right upwards, over lines of equal c@1.",
    )


@cache
def withholding() -> Spec:
    """c@1 of each run between giving every candidate and withholding exactly the wrong ones."""
    rows = (
        theme.rows("runs")
        .transform_filter("datum.shown && datum.questions > 0 && datum.kind == 'submitted'")
        .transform_calculate(
            right_share="datum.right / datum.questions",
            known="(datum.right + datum.withheld_right) / datum.questions",
        )
        .transform_calculate(
            given="datum.known * (1 + (datum.unanswered - datum.withheld_right - "
            "datum.withheld_wrong) / datum.questions)",
            reached="datum.right_share * (1 + datum.unanswered / datum.questions)",
            perfect="datum.known * (2 - datum.known)",
        )
    )
    tooltip = theme.about_run(
        theme.value("given", "every candidate given"),
        theme.value("reached", "as it was"),
        theme.value("perfect", "wrong ones withheld"),
    )
    scale, axis = alt.Scale(zero=False), alt.Axis(orient="top", tickCount=8)
    reach = rows.mark_rule(strokeWidth=2).encode(
        x=alt.X("given:Q", title="c@1", scale=scale, axis=axis),
        x2="perfect:Q",
        y=theme.by_order(),
        color=alt.value(theme.MUTED),
        opacity=theme.lit(on=0.5),
        tooltip=tooltip,
    )
    names = ["every candidate given", "as it was", "wrong ones withheld"]
    dots = (
        rows.transform_fold(["given", "reached", "perfect"], as_=["case", "value"])
        .transform_calculate(
            case=f"({{given: '{names[0]}', reached: '{names[1]}', perfect: '{names[2]}'}})"
            "[datum.case]"
        )
        .mark_point(filled=True, size=60, stroke="white", strokeWidth=0.6)
        .encode(
            x=alt.X("value:Q", title="c@1"),
            y=theme.by_order(),
            color=alt.Color(
                "case:N",
                title=None,
                sort=names,
                legend=theme.legend_above(symbolStrokeWidth=0),
                scale=alt.Scale(domain=names, range=[theme.REST, theme.INK, theme.REST]),
            ),
            shape=alt.Shape(
                "case:N",
                title=None,
                sort=names,
                legend=theme.legend_above(symbolStrokeWidth=0),
                scale=alt.Scale(domain=names, range=["triangle-right", "circle", "diamond"]),
            ),
            opacity=theme.lit(),
            tooltip=tooltip,
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


@cache
def accuracy_by_coverage() -> Spec:
    """A line per run: how accurate its surest answers are."""
    base = theme.rows("coverage").transform_filter("datum.shown")
    chart = base.mark_line(strokeWidth=1.8, interpolate="linear").encode(
        x=alt.X(
            "answered:Q",
            title="share answered",
            axis=alt.Axis(format=".0%", titleAnchor="start"),
            scale=alt.Scale(domain=[0, 1], range=theme.beside_names()),
        ),
        y=alt.Y("accuracy:Q", title="accuracy of the answered", scale=alt.Scale(domain=[0, 1])),
        detail="key:N",
        order=alt.Order("answered:Q"),
        color=theme.colour_of_run(),
        opacity=theme.lit(rest=0.35, off=0.12),
        tooltip=theme.about_run(
            theme.value("bar", "confidence of at least"),
            theme.value("answered", "answered", ".0%"),
            theme.value("accuracy", "accuracy"),
        ),
    )
    ends = theme.last_of_each(theme.named_runs(base), "answered")
    names = theme.names_beside(ends, "accuracy", x="answered", most=theme.MOST_NAMES)
    return theme.finish(
        alt.layer(chart, names),
        description="A line per run: the share of questions answered across, the accuracy over "
        "them upwards, as the required confidence falls.",
    )


@cache
def reliability_diagram() -> Spec:
    """Confidence across, accuracy upwards, ten bins per run, and the line of honest confidence.

    The bins of named runs are joined.
    """
    line = theme.reference_line(
        [{"confidence": 0, "accuracy": 0}, {"confidence": 1, "accuracy": 1}],
        x="confidence",
        y="accuracy",
    )
    rows = theme.rows("reliability").transform_filter("datum.shown")
    unit = alt.Scale(domain=[0, 1])
    shared = {
        "x": alt.X(
            "confidence:Q",
            title="mean confidence in the bin",
            axis=alt.Axis(titleAnchor="start"),
            scale=alt.Scale(domain=[0, 1], range=theme.beside_names()),
        ),
        "y": alt.Y("accuracy:Q", title="accuracy in the bin", scale=unit),
        "color": theme.colour_of_run(),
    }
    lines = (
        theme.named_runs(rows)
        .mark_line(strokeWidth=1.2)
        .encode(
            **shared, detail="key:N", order=alt.Order("bin:Q"), opacity=theme.lit(on=0.5, off=0.04)
        )
    )
    dots = rows.mark_point(filled=True).encode(
        **shared,
        size=alt.Size(
            "answers:Q",
            title="answers",
            scale=alt.Scale(range=[12, 220]),
            legend=alt.Legend(
                orient="bottom", symbolFillColor=theme.MUTED, symbolStrokeWidth=0, tickCount=4
            ),
        ),
        opacity=theme.lit(on=0.8, rest=0.3, off=0.12),
        tooltip=theme.about_run(
            theme.value("confidence", "confidence"),
            theme.value("accuracy", "accuracy"),
            alt.Tooltip("answers:Q", title="answers"),
        ),
    )
    return theme.finish(
        alt.layer(
            line,
            lines,
            dots,
            theme.names_beside(
                theme.last_of_each(theme.named_runs(rows), "bin"), "accuracy", most=theme.MOST_NAMES
            ),
        ),
        description="Bins of answers by confidence: the mean confidence across, how many of them "
        "are right upwards.",
    )


@cache
def plane(
    x: str, x_label: str, y: str, y_label: str, kinds: tuple[str, ...], *, single: bool = False
) -> Spec:
    """Every run as a point by two of its measures; a single run is shown on axes from 0 to 1."""
    scale: Spec = {"domain": [0, 1]} if single else {"zero": False}
    rows = theme.rows("runs").transform_filter(f"isValid(datum.{x}) && isValid(datum.{y})")
    points = rows.mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8).encode(
        x=alt.X(
            f"{x}:Q",
            title=x_label,
            scale=alt.Scale(**scale, range=theme.beside_names()),
            axis=alt.Axis(tickCount=6, titleAnchor="start"),
        ),
        y=alt.Y(f"{y}:Q", title=y_label, scale=alt.Scale(**scale)),
        color=theme.colour_of_run(),
        shape=theme.shape_of_kind(kinds),
        opacity=theme.lit(),
        tooltip=theme.about_run(theme.value(x, x_label), theme.value(y, y_label)),
    )
    return theme.finish(
        alt.layer(
            *([] if single else [theme.room(rows, x, y)]), points, theme.names_of_points(rows, y, x)
        ),
        description=f"Every run as a point: {x_label} across, {y_label} upwards.",
    )
