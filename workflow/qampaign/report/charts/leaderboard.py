"""Values with intervals, what became of the questions, and values by question type."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.spec import Spec

MEASURE = "{measure}"
"""In a chart, a placeholder for the label of the measure that the reader chooses."""

ACROSS, NARROWEST, WIDEST, GAP = 900, 120, 260, 26
"""Pixels: the width of all small multiples, of one at least and at most, and between two."""

OUTCOMES = {
    "right": ("right", theme.RIGHT),
    "wrong": ("wrong", theme.WRONG),
    "withheld_right": ("withheld, right", theme.WITHHELD_RIGHT),
    "withheld_wrong": ("withheld, wrong", theme.WITHHELD_WRONG),
    "no_candidate": ("no candidate", theme.NOTHING),
}


@cache
def scores_by_run(*, compared: bool, bounded: bool = False, ranks: int = 0) -> Spec:
    """A dot per run with the 95% interval around it, in the order of the leaderboard.

    Where runs are compared, the dots of those that do not lead are open. Where values have bounds,
    a thin bar goes from the value if all unassessed answers are wrong to that if they are right.
    Values may be ranks, the best and the worst of which are `ranks` apart.
    """
    ticks: Spec = {"tickCount": 8}
    if ranks:
        ticks = {"tickCount": min(ranks, 8), "format": "d"}
    rows = theme.rows("runs").transform_filter("datum.shown && isValid(datum.value)")
    x = alt.X(
        "value:Q",
        title=MEASURE,
        scale=alt.Scale(zero=False, nice=True),
        axis=alt.Axis(orient="top", **ticks),
    )
    # Without an interval, a line of no length: a scale of nothing would have no ends.
    ends = {
        name: f"isValid(datum.{end}) ? datum.{end} : datum.value"
        for name, end in (("from", "low"), ("to", "high"))
    }
    interval = (
        rows.transform_calculate(**ends)
        .mark_rule(strokeWidth=3)
        .encode(
            x=alt.X("from:Q", title=MEASURE),
            x2="to:Q",
            y=theme.by_order(),
            color=theme.colour_of_run(),
            opacity=theme.lit(on=0.6),
            tooltip=_tooltip(compared),
        )
    )
    dots = rows.mark_point(filled=True, size=60, stroke="white", strokeWidth=0.6).encode(
        x=x,
        y=theme.by_order(),
        color=theme.colour_of_run(),
        shape=theme.shape_of_kind(),
        opacity=theme.lit(),
        tooltip=_tooltip(compared),
    )
    # All runs have it, leading ones of no size: a scale without any rows would have no ends.
    inside = rows.mark_point(filled=True, color="white", tooltip=False, aria=False).encode(
        x=x,
        y=theme.by_order(),
        shape=theme.shape_of_kind(),
        size=alt.when("datum.leading === false").then(alt.value(16)).otherwise(alt.value(0)),
    )
    open_values = (
        rows.transform_filter("isValid(datum.if_wrong) && isValid(datum.if_right)")
        .mark_rule(strokeWidth=9, opacity=0.25)
        .encode(
            x=alt.X("if_wrong:Q", title=MEASURE),
            x2="if_right:Q",
            y=theme.by_order(),
            color=theme.colour_of_run(),
            tooltip=theme.about_run(
                theme.value("if_wrong", "if unassessed are wrong"),
                theme.value("if_right", "if they are right"),
            ),
        )
    )
    layers = [*([open_values] if bounded else []), interval, dots, inside]
    return theme.finish(
        alt.layer(theme.room(rows, "value"), *layers),
        height=None,
        description="A dot per run at its value, with its 95% interval as a line"
        + ("; the dots of leading runs are filled." if compared else "."),
    )


def _tooltip(compared: bool) -> list[alt.Tooltip]:
    return theme.about_run(
        theme.value("value", "value"),
        theme.value("low", "95% from"),
        theme.value("high", "95% to"),
        *([alt.Tooltip("leading:N", title="leading")] if compared else []),
    )


@cache
def counts_by_run(outcomes: tuple[str, ...] = tuple(OUTCOMES), noun: str = "question") -> Spec:
    """A bar per run, divided into what became of its questions, in the order of the leaderboard."""
    labels = ", ".join(f"'{outcome}': '{label}'" for outcome, (label, _) in OUTCOMES.items())
    positions = ", ".join(f"'{outcome}': {index}" for index, outcome in enumerate(OUTCOMES))
    rows = (
        theme.rows("runs")
        .transform_filter("datum.shown && isValid(datum.questions)")
        .transform_fold(list(OUTCOMES), as_=["outcome", "count"])
        .transform_calculate(
            label=f"({{{labels}}})[datum.outcome]", position=f"({{{positions}}})[datum.outcome]"
        )
    )
    shown = [OUTCOMES[outcome][0] for outcome in outcomes]
    colours = dict(OUTCOMES.values())
    chart = theme.divided_bars(rows, "count", colours, noun=noun, shown=shown).encode(
        tooltip=theme.about_run(
            alt.Tooltip("label:N", title="outcome"),
            alt.Tooltip("count:Q", title=f"{noun}s"),
            alt.Tooltip("questions:Q", title="of"),
        )
    )
    return theme.finish(
        chart,
        height=None,
        description=f"A bar per run: how many {noun}s it got right and wrong, and what it withheld "
        "where it did not answer.",
    )


@cache
def values_by_slice(types: int = 5) -> Spec:
    """Small multiples: a column for each question type, a dot for each run."""
    axis = alt.Axis(tickCount=3, orient="top", labelOverlap=True, labelFlush=True)
    chart = (
        theme.plain_keys(theme.rows("slices"), "slice")
        .transform_filter("datum.shown && isValid(datum.value)")
        .mark_point(filled=True, size=45)
        .encode(
            x=alt.X("value:Q", title=MEASURE, scale=alt.Scale(zero=False), axis=axis),
            y=theme.by_order(),
            color=theme.colour_of_run(),
            shape=theme.shape_of_kind(),
            opacity=theme.lit(),
            tooltip=theme.about_run(theme.name_of("slice", "type"), theme.value("value", "value")),
        )
        .properties(width=max(NARROWEST, min(WIDEST, ACROSS // max(1, types) - GAP)))
        .facet(
            column=alt.Column(
                "slice:N", title=None, sort=None, header=alt.Header(labelExpr=theme.NAME)
            ),
            spacing=GAP,
        )
    )
    return theme.finish(
        chart, description="A column for each question type, in which each run is a dot."
    )
