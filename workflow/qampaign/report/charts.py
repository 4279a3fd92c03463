"""The charts of the report, as Vega-Lite specifications without data.

A specification names its rows (`ROWS`) and the page hands them over, so that a chart and the table
beside it show the same numbers, embedded once, and follow the same choice of judge and slice. Each
row is a run:

    run, team, kind          who; team is never null (a dash stands for none)
    key                      a number, a space and the run: Vega groups by members of plain objects,
                             where a run called `constructor` would meet what is there already
    order                    place in the leaderboard as it is sorted now
    shown                    false where the reader has filtered the run out
    questions, right, wrong, unanswered, withheld_right, withheld_wrong, nothing_shown
    share_unanswered         unanswered / questions
    accuracy, c_at_1         null where not available; such a run is not drawn

Colours are literal and made for white paper, so that a saved figure is right by itself; the page's
style sheet overrides them by role where the reader prefers a dark page.
"""

from typing import Any

import altair as alt

ROWS = "runs"

INK = "#1d2430"
MUTED = "#5f6875"
LINE = "#e3e5e8"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

# From all to none answered. Falls neither on white nor on black paper, and its lightness rises
# steadily: readers who do not tell the hues apart still see the order.
UNANSWERED_RANGE = ["#4b55b5", "#b5498f", "#f0953f"]

# Blue against orange is told apart with every common colour deficiency. What a run withheld has the
# pale tone of what it would have been.
PARTS = {
    "right": ("right", "#2f76b5"),
    "wrong": ("wrong", "#df8636"),
    "withheld_right": ("withheld, right", "#a3c8e6"),
    "withheld_wrong": ("withheld, wrong", "#f4cda4"),
    "nothing_shown": ("nothing shown", "#cdd2d9"),
}

BAR = 18

KINDS = {"submitted": "circle", "baseline": "diamond", "derived": "triangle-up"}


def accuracy_against_c_at_1(
    *, accuracy_label: str = "accuracy", c_at_1_label: str = "c@1", several_kinds: bool = False
) -> dict[str, Any]:
    """Accuracy across, c@1 upwards, and the line on which both are equal.

    Both axes span the same values, or the line would not be where the eye expects it. A legend of
    the kinds of runs is drawn only where there are several.
    """
    accuracy_label, c_at_1_label = _plain(accuracy_label), _plain(c_at_1_label)
    rows = alt.Chart(alt.NamedData(name=ROWS))
    scale, axis = alt.Scale(zero=False, nice=False), alt.Axis(tickCount=8)
    x = alt.X("accuracy:Q", title=accuracy_label, scale=scale, axis=axis)
    y = alt.Y("c_at_1:Q", title=c_at_1_label, scale=scale, axis=axis)

    # c@1 is never below accuracy: the lowest accuracy and the highest c@1 bound both axes. The
    # margin keeps the marks off the frame, and the axes alive where all runs are equal.
    bounds = (
        rows.transform_filter("isValid(datum.accuracy) && isValid(datum.c_at_1)")
        .transform_aggregate(lowest="min(accuracy)", highest="max(c_at_1)")
        .transform_calculate(
            lowest="max(0, datum.lowest - 0.025)", highest="min(1, datum.highest + 0.025)"
        )
    )
    line = (
        bounds.transform_calculate(end="[datum.lowest, datum.highest]")
        .transform_flatten(["end"])
        .mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1, tooltip=False, aria=False)
        .encode(x=alt.X("end:Q"), y=alt.Y("end:Q"))
    )
    # Nothing ever lies under the line, so that its name is in nobody's way there.
    name = (
        bounds.transform_calculate(along="datum.lowest + 0.55 * (datum.highest - datum.lowest)")
        .mark_text(
            align="left", baseline="middle", dx=18, dy=2, color=MUTED, fontSize=12, aria=False
        )
        .encode(
            x=alt.X("along:Q"),
            y=alt.Y("along:Q"),
            text=alt.value(f"{c_at_1_label} = {accuracy_label}"),
        )
    )
    points = rows.mark_point(filled=True, size=85, stroke="white", strokeWidth=0.8).encode(
        x=x,
        y=y,
        color=alt.Color(
            "share_unanswered:Q",
            title="unanswered",
            scale=alt.Scale(range=UNANSWERED_RANGE, domainMin=0, interpolate="lab"),
            legend=alt.Legend(format=".0%", gradientLength=140, tickCount=4),
        ),
        shape=alt.Shape(
            "kind:N",
            title="kind",
            scale=alt.Scale(domain=list(KINDS), range=list(KINDS.values())),
            legend=alt.Legend(symbolFillColor=MUTED) if several_kinds else None,
        ),
        opacity=alt.when("datum.shown").then(alt.value(0.95)).otherwise(alt.value(0.12)),
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("team:N", title="team"),
            alt.Tooltip("accuracy:Q", title=accuracy_label, format=".3f"),
            alt.Tooltip("c_at_1:Q", title=c_at_1_label, format=".3f"),
            alt.Tooltip("right:Q", title="right"),
            alt.Tooltip("wrong:Q", title="wrong"),
            alt.Tooltip("unanswered:Q", title="unanswered"),
            alt.Tooltip("questions:Q", title="questions"),
        ],
    )
    chart = alt.layer(line, name, points).properties(
        width="container",
        height=400,
        description=f"Every run as a point: {accuracy_label} across, {c_at_1_label} upwards, "
        "coloured by the share of questions left unanswered.",
    )
    return _finish(chart)


def counts_by_run(*, runs: int) -> dict[str, Any]:
    """A bar per run, cut into what became of its questions, in the order of the leaderboard.

    The height is that of all runs, in pixels: a page that shows fewer of them shortens it in
    proportion.
    """
    labels = [label for label, _ in PARTS.values()]
    named = ", ".join(f"'{part}': '{label}'" for part, (label, _) in PARTS.items())
    places = ", ".join(f"'{part}': {place}" for place, part in enumerate(PARTS))
    chart = (
        alt.Chart(alt.NamedData(name=ROWS))
        .transform_filter("datum.shown")
        .transform_fold(list(PARTS), as_=["part", "count"])
        .transform_calculate(
            label=f"({{{named}}})[datum.part]",
            place=f"({{{places}}})[datum.part]",
        )
        .mark_bar(height={"band": 0.72})
        .encode(
            x=alt.X(
                "count:Q",
                title="questions",
                scale=alt.Scale(nice=False),
                axis=alt.Axis(orient="top", tickCount=10, tickMinStep=1, format="d"),
            ),
            y=alt.Y(
                "key:N",
                title=None,
                sort=alt.EncodingSortField(field="order", op="min", order="ascending"),
                axis=alt.Axis(
                    labelExpr="substring(datum.label, indexof(datum.label, ' ') + 1)",
                    labelLimit=200,
                    labelPadding=8,
                    ticks=False,
                    domain=False,
                    grid=False,
                ),
            ),
            color=alt.Color(
                "label:N",
                title=None,
                sort=labels,
                scale=alt.Scale(domain=labels, range=[colour for _, colour in PARTS.values()]),
                legend=alt.Legend(orient="top", symbolType="square", columns=len(labels)),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("run:N", title="run"),
                alt.Tooltip("team:N", title="team"),
                alt.Tooltip("label:N", title="part"),
                alt.Tooltip("count:Q", title="questions"),
                alt.Tooltip("questions:Q", title="of"),
            ],
        )
        .properties(
            width="container",
            height=BAR * max(1, runs),
            description="A bar per run: how many questions it got right and wrong, and what it "
            "held back where it did not answer.",
        )
    )
    return _finish(chart)


def _plain(label: str) -> str:
    """A label that stays a label: Vega-Lite puts titles into expressions and escapes quotes only.

    >>> _plain("  two   words ")
    'two words'
    """
    words = " ".join(label.replace("\\", "\N{REVERSE SOLIDUS OPERATOR}").split())
    return "".join(sign for sign in words if sign.isprintable())


def _finish(chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> dict[str, Any]:
    """One look for all charts, and Altair's own check of the specification."""
    styled = (
        chart.configure(background="white", font=FONT, padding=4)
        .configure_view(stroke=None)
        .configure_axis(
            gridColor=LINE,
            domainColor=MUTED,
            tickColor=MUTED,
            labelColor=INK,
            titleColor=INK,
            labelFontSize=12,
            titleFontSize=13,
            titleFontWeight="normal",
            titlePadding=10,
            tickSize=4,
        )
        .configure_legend(
            labelColor=INK,
            titleColor=INK,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
        )
    )
    spec: dict[str, Any] = styled.to_dict(validate=True)
    return spec
