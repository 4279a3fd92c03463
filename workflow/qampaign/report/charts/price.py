"""What runs are worth as an error costs more, and what they cost themselves."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.spec import Spec

BESIDE = 1.04
"""Where c@1 stands on the axis of t, which ends at 0.95."""


@cache
def price_of_an_error(low: float = -1.0) -> Spec:
    """A line per run over the confidence target t, and a point for its c@1 at the right."""
    rows = theme.rows("price").transform_filter("datum.shown")
    x = alt.X(
        "t:Q",
        title="confidence target t",
        axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 0.95], format=".2f", titleAnchor="start"),
        scale=alt.Scale(domain=[0, BESIDE + 0.02], range=theme.beside_names(), nice=False),
    )
    y = alt.Y("value:Q", title="value at t", scale=alt.Scale(domain=[low, 1], nice=False))
    lines = (
        _cut_off(rows, low)
        .mark_line(strokeWidth=1.6)
        .encode(
            x=x,
            y=y,
            detail="key:N",
            order=alt.Order("t:Q"),
            color=theme.colour_of_run(),
            opacity=theme.lit(rest=0.3, off=0.1),
            tooltip=theme.about_run(theme.value("t", "t", ".2f"), theme.value("value", "value")),
        )
    )
    zero = theme.reference_line([{"t": 0, "value": 0}, {"t": 0.95, "value": 0}], x="t", y="value")
    credited = rows.transform_filter("isValid(datum.c_at_1)").transform_calculate(at=str(BESIDE))
    points = credited.mark_point(filled=True, size=45, stroke="white", strokeWidth=0.6).encode(
        x=alt.X("at:Q"),
        y=alt.Y("c_at_1:Q"),
        color=theme.colour_of_run(),
        opacity=theme.lit(rest=0.3, off=0.1),
        tooltip=theme.about_run(theme.value("c_at_1", "c@1")),
    )
    heading = (
        alt.Chart(alt.InlineData(values=[{"t": BESIDE, "value": 1}]))
        .mark_text(baseline="bottom", dy=-4, fontSize=11, color=theme.MUTED, aria=False)
        .encode(x=alt.X("t:Q"), y=alt.Y("value:Q"), text=alt.value("c@1"))
    )
    names = theme.names_beside(theme.named_runs(credited), "c_at_1", x="at", most=theme.MOST_NAMES)
    return theme.finish(
        alt.layer(zero, lines, points, heading, names),
        description="A line per run: the confidence target across, from 0 to 0.95, and the run's "
        "value upwards, where an error costs t / (1 − t); its c@1 as a point at the right.",
    )


def _cut_off(rows: alt.Chart, low: float) -> alt.Chart:
    """The falling lines down to where they leave the chart: clipping each takes seconds to draw."""
    share = f"(datum.value_before - {low}) / (datum.value_before - datum.value)"
    return (
        rows.transform_window(
            value_before="lag(value)",
            t_before="lag(t)",
            groupby=["key"],
            sort=[alt.SortField("t")],
        )
        .transform_filter(f"datum.value >= {low} || datum.value_before > {low}")
        .transform_calculate(
            t=f"datum.value >= {low} ? datum.t"
            f" : datum.t_before + (datum.t - datum.t_before) * {share}",
            value=f"max(datum.value, {low})",
        )
    )


@cache
def cost_against_value(data: str, resource: str, label: str) -> Spec:
    """What a run took across, its value upwards, and the Pareto front as a line."""
    label = theme.plain(label)
    rows = theme.rows(data)
    x = alt.X(
        "amount:Q",
        title=resource,
        scale=alt.Scale(zero=False, range=theme.beside_names()),
        axis=alt.Axis(tickCount=5, titleAnchor="start"),
    )
    y = alt.Y("value:Q", title=label, scale=alt.Scale(zero=False))
    front = (
        rows.transform_filter("datum.front")
        .mark_line(color=theme.MUTED, strokeWidth=1, tooltip=False, aria=False)
        .encode(x=x, y=y, order=alt.Order("amount:Q"))
    )
    points = rows.mark_point(filled=True, size=85, strokeWidth=0.8, stroke="white").encode(
        x=x,
        y=y,
        color=theme.colour_of_run(),
        opacity=theme.lit(),
        tooltip=theme.about_run(
            theme.value("amount", resource, ",.4~g"),
            theme.value("value", label),
            alt.Tooltip("front:N", title="on the front"),
        ),
    )
    return theme.finish(
        alt.layer(
            theme.room(rows, "amount", "value"),
            front,
            points,
            theme.names_of_points(rows, "value", "amount"),
        ),
        description=f"Every run as a point: its {resource} across, {label} upwards, and the runs "
        "that no other is as good as for less joined by a line.",
    )
