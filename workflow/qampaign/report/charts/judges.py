"""Judges against the reference: curves over thresholds, recall, rankings, tau."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.charts.validation import UNIT
from qampaign.report.spec import Spec

ROOMY = 4
"""A heatmap with at most so many columns has room for intervals."""

NAMES = 85
"""Pixels for the names of runs beside their ranks."""


@cache
def judge_roc(names: tuple[str, ...]) -> Spec:
    """Each judge's curve over its thresholds, with the configured one marked."""
    x = alt.X(
        "fp_rate:Q",
        title="false alarms",
        axis=alt.Axis(titleAnchor="start"),
        scale=alt.Scale(domain=[0, 1], **theme.room_for(names)),
    )
    y = alt.Y("tp_rate:Q", title="hits", scale=UNIT)
    apart = theme.line_styles("name", names)
    tooltip = [
        theme.value("threshold", "threshold"),
        theme.value("tp_rate", "hits"),
        theme.value("fp_rate", "false alarms"),
    ]
    chance = theme.reference_line(
        [{"fp_rate": 0, "tp_rate": 0}, {"fp_rate": 1, "tp_rate": 1}], x="fp_rate", y="tp_rate"
    )
    lines = (
        theme.rows("judge_roc")
        .transform_calculate(step="datum.tp_rate + datum.fp_rate")
        .mark_line(strokeWidth=2)
        .encode(x=x, y=y, order=alt.Order("step:Q"), tooltip=tooltip, **apart)
    )
    marks = (
        theme.rows("judge_points")
        .mark_point(filled=True, size=110, stroke="white", strokeWidth=1)
        .encode(x=x, y=y, color=apart["color"], tooltip=tooltip)
    )
    # All curves end in the same corner: a name stands at the height of the judge as configured.
    named = theme.rows("judge_points").transform_calculate(
        label="substring(datum.name, indexof(datum.name, ' ') + 1)"
    )
    beside = (
        [theme.names_beside(named, "tp_rate", most=len(names), text="label", colour=apart["color"])]
        if theme.few(names)
        else []
    )
    text = (
        theme.rows("judge_points")
        .transform_filter("isValid(datum.threshold)")
        .mark_text(align="left", dx=9, dy=5, color=theme.INK, fontSize=12, aria=False)
        .encode(x=x, y=y, text=alt.Text("threshold:Q", format=".2~f"))
    )
    return theme.finish(
        alt.layer(chance, lines, marks, text, *beside),
        description="For each judge with a threshold: answers that it wrongly calls right across, "
        "rightly upwards, as the threshold moves; the configured threshold is marked.",
    )


@cache
def recall_histogram(data: str) -> Spec:
    """Answers by how much of the key they hold, right and wrong ones side by side.

    Bars are shares of the right and of the wrong answers: of these there are so many more that
    counts would hide the right ones.
    """
    domain, colours = ["right", "wrong"], [theme.RIGHT, theme.WRONG]
    chart = (
        theme.rows(data)
        .transform_fold(["right", "wrong"], as_=["verdict", "answers"])
        .transform_joinaggregate(all="sum(answers)", groupby=["verdict"])
        .transform_calculate(share="datum.all ? datum.answers / datum.all : 0")
        .mark_bar()
        .encode(
            x=alt.X(
                "bin:O",
                title="recall of the key",
                axis=alt.Axis(
                    labelAngle=alt.ExprRef("width < 330 ? -40 : 0"),
                    labelAlign=alt.ExprRef("width < 330 ? 'right' : 'center'"),
                ),
                sort=alt.EncodingSortField(field="order", op="min"),
            ),
            xOffset=alt.XOffset("verdict:N", sort=domain),
            y=alt.Y("share:Q", title="share of the answers", axis=alt.Axis(format=".2~%")),
            color=alt.Color(
                "verdict:N",
                title="by the reference",
                scale=alt.Scale(domain=domain, range=colours),
                legend=alt.Legend(symbolType="square", orient="top"),
            ),
            tooltip=[
                alt.Tooltip("bin:O", title="recall"),
                alt.Tooltip("verdict:N", title="by the reference"),
                alt.Tooltip("answers:Q", title="answers", format=",d"),
                alt.Tooltip("all:Q", title="of", format=",d"),
            ],
        )
    )
    return theme.finish(
        chart,
        description="Bars for bins of recall: the share of the right answers, by the reference, "
        "and of the wrong ones that lie in each.",
    )


@cache
def ranks_by_judge() -> Spec:
    """A line per run from judge to judge, at its rank."""
    rows = theme.rows("judges").transform_filter("datum.shown")
    shared: Spec = {
        "x": alt.X(
            "judge:N",
            title=None,
            sort=None,
            scale=alt.Scale(padding=0.5, range=[NAMES, {"expr": "width"}]),
            axis=alt.Axis(
                labelExpr=theme.NAME, labelAngle=0, orient="top", grid=True, domain=False
            ),
        ),
        "y": alt.Y(
            "rank:Q",
            title="rank",
            # of two or three runs, there are ticks between ranks: they have no label
            axis=alt.Axis(
                tickMinStep=1, format="d", labelExpr="datum.value % 1 ? '' : datum.label"
            ),
            scale=alt.Scale(reverse=True, zero=False, nice=False, padding=8),
        ),
        "color": theme.colour_of_run(),
    }
    lines = rows.mark_line(strokeWidth=1.6).encode(
        **shared, detail="key:N", opacity=theme.lit(on=0.9, rest=0.5, off=0.12)
    )
    dots = (
        theme.plain_keys(rows, "judge")
        .mark_point(filled=True, size=40)
        .encode(
            **shared,
            opacity=theme.lit(),
            tooltip=theme.about_run(
                theme.name_of("judge", "judge"), theme.value("rank", "rank", ".1~f")
            ),
        )
    )
    # Runs that share a rank are drawn at the middle of it; their names are listed around it.
    names = (
        rows.transform_filter("substring(datum.judge, 0, 2) == '0 '")
        .transform_joinaggregate(ties="count()", groupby=["rank"])
        .transform_window(line="row_number()", groupby=["rank"], sort=[alt.SortField("order")])
        .transform_calculate(
            height="datum.rank + datum.line - (datum.ties + 1) / 2",
            fitting=theme.fitting("short", str(NAMES + 8)),
        )
        .mark_text(align="right", dx=-8, fontSize=10, color=theme.INK, limit=NAMES + 8, aria=False)
        .encode(x=shared["x"], y=alt.Y("height:Q"), text="fitting:N", opacity=theme.lit())
    )
    return theme.finish(
        alt.layer(lines, dots, names),
        height=None,
        description="A line per run from judge to judge: at the top are the best ranks.",
    )


@cache
def tau_heatmap(data: str, down: tuple[str, ...], across: tuple[str, ...], y: str, x: str) -> Spec:
    """A cell for each pair: tau as a number and a colour, with its interval where there is room."""
    axis: Spec = {
        "labelExpr": theme.NAME,
        "title": None,
        "ticks": False,
        "domain": False,
        "labelLimit": 200,
    }
    rows = theme.rows(data)
    position = {
        "x": alt.X(
            f"{x}:N",
            title=None,
            sort=list(across),
            scale=alt.Scale(domain=list(across)),
            axis=alt.Axis(labelAngle=-40 if len(across) > 2 else 0, orient="bottom", **axis),
        ),
        "y": alt.Y(
            f"{y}:N",
            title=None,
            sort=list(down),
            scale=alt.Scale(domain=list(down)),
            axis=alt.Axis(**axis),
        ),
    }
    tooltip = [
        *(theme.name_of(side, side) for side in (y, x)),
        theme.value("tau", "tau"),
        theme.value("low", "from"),
        theme.value("high", "to"),
        alt.Tooltip("runs:Q", title="runs"),
    ]
    cells = (
        theme.plain_keys(rows, y, x)
        .mark_rect()
        .encode(
            **position,
            tooltip=tooltip,
            color=alt.Color(
                "tau:Q",
                title="tau",
                legend=None,
                scale=alt.Scale(domain=[-1, 0, 1], range=list(theme.DIVERGING), interpolate="lab"),
            ),
        )
    )
    roomy = len(across) <= ROOMY
    narrow, wide = f"width < {30 * len(across)}", f"width >= {78 * len(across)}"
    crowded = f"width < {22 * len(across)}"
    text = f"replace(format(datum.tau, '.2f'), {narrow} ? '0.' : '', {narrow} ? '.' : '')"
    if roomy:
        interval = "format(datum.low, '.2f') + ' to ' + format(datum.high, '.2f')"
        known = f"{wide} && isValid(datum.low) && isValid(datum.high)"
        text = f"{known} ? [{text}, {interval}] : {text}"
    labels = (
        rows.transform_filter("isValid(datum.tau)")
        .transform_calculate(text=text)
        .mark_text(
            fontSize=11 if roomy else {"expr": f"{narrow} ? {crowded} ? 8 : 9 : 11"},
            lineHeight=13,
            dy={"expr": f"{wide} ? -6 : 0"} if roomy else 0,
            aria=False,
        )
        .encode(
            **position,
            text=alt.Text("text:N"),
            # Black or white: whatever the colour of a cell, one of them has a contrast above 4.5.
            color=alt.when("luminance(scale('color', datum.tau)) < 0.179")
            .then(alt.value("#ffffff"))
            .otherwise(alt.value("#000001")),
        )
    )
    return theme.finish(
        alt.layer(cells, labels),
        height=max(120, (38 if roomy else 30) * len(down)),
        description="A cell for each pair of rankings, with Kendall's tau between them.",
    )
