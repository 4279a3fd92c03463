"""How the values of runs went from one publication to the next."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.spec import Spec

MOST_TICKS = 20
"""So many publications have a number below them."""


@cache
def timeline() -> Spec:
    """A line per run over the publications, by their number."""
    rows = theme.rows("history").transform_filter("datum.shown")
    x = alt.X(
        "publication:Q",
        title="publication",
        axis=alt.Axis(tickMinStep=1, tickCount=MOST_TICKS, format="d", titleAnchor="start"),
        scale=alt.Scale(nice=False, range=theme.beside_names()),
    )
    y = alt.Y("value:Q", title=MEASURE, scale=alt.Scale(zero=False))
    shared: Spec = {
        "x": x,
        "y": y,
        "color": theme.colour_of_run(),
        "opacity": theme.lit(rest=0.3, off=0.1),
        "tooltip": theme.about_run(
            alt.Tooltip("time:N", title="published"),
            theme.value("value", "value"),
            theme.value("rank_first", "rank", "d"),
        ),
    }
    lines = rows.mark_line(strokeWidth=1.6).encode(
        **shared, detail="key:N", order=alt.Order("publication:Q")
    )
    points = rows.mark_point(filled=True, size=30).encode(**shared)
    last = rows.transform_joinaggregate(last="max(publication)")
    now = theme.named_runs(last.transform_filter("datum.publication == datum.last"))
    names = theme.names_beside(now, "value", x="publication", most=theme.MOST_NAMES)
    return theme.finish(
        alt.layer(lines, points, names),
        description="A line per run: publications across, in their order, and the run's value by "
        "the measure that ranks upwards.",
    )
