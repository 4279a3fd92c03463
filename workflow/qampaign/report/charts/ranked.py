"""The rank of the first right answer, and values by gain setting."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.spec import Spec


@cache
def first_right_by_rank(ranks: tuple[int, ...]) -> Spec:
    """A bar per run, divided by the rank of its first right answer."""
    colours = {
        f"rank {rank}": theme.shade_of_right(index / max(1, len(ranks) - 1))
        for index, rank in enumerate(ranks)
    } | {"none": theme.NOTHING}
    rows = (
        theme.rows("first_right")
        .transform_filter("datum.shown && datum.questions > 0")
        .transform_calculate(
            label="isValid(datum.rank) ? 'rank ' + datum.rank : 'none'",
            position="isValid(datum.rank) ? datum.rank : 1e9",
        )
    )
    chart = theme.divided_bars(rows, "questions", colours, edge=theme.RIGHT).encode(
        tooltip=theme.about_run(
            alt.Tooltip("label:N", title="first right answer"),
            alt.Tooltip("questions:Q", title="questions"),
        )
    )
    return theme.finish(
        chart,
        height=None,
        description="A bar per run: on how many questions its first right answer is at each rank, "
        "and on how many there is none.",
    )


@cache
def values_by_gains(labels: tuple[str, ...]) -> Spec:
    """A line per run over the gain settings of Q."""
    keys = theme.keys(labels)
    rows = theme.rows("gains").transform_filter("datum.shown && isValid(datum.value)")
    shared = {
        "x": alt.X(
            "setting:N",
            title=None,
            scale=alt.Scale(domain=keys, padding=0.3, range=theme.beside_names()),
            axis=alt.Axis(labelExpr=theme.NAME, labelAngle=0, grid=True, labelLimit=120),
        ),
        "y": alt.Y("value:Q", title="value", scale=alt.Scale(zero=False)),
        "color": theme.colour_of_run(),
        "opacity": theme.lit(rest=0.5),
    }
    lines = rows.mark_line(strokeWidth=1.5).encode(**shared, detail="key:N")
    last = theme.named_runs(rows).transform_filter(
        alt.FieldEqualPredicate(field="setting", equal=keys[-1])
    )
    dots = (
        theme.plain_keys(rows, "setting")
        .mark_point(filled=True, size=40)
        .encode(
            **shared,
            tooltip=theme.about_run(
                theme.name_of("setting", "measure"), theme.value("value", "value")
            ),
        )
    )
    return theme.finish(
        alt.layer(
            theme.room(rows, y="value"),
            lines,
            dots,
            theme.names_beside(last, "value", most=theme.MOST_NAMES),
        ),
        description="A line per run over the settings of gains: its Q-measure by each.",
    )
