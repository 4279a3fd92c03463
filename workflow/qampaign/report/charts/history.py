"""How the values of runs went from one publication to the next."""

from collections.abc import Sequence
from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.charts.leaderboard import MEASURE
from qampaign.report.spec import Spec

MOST_TICKS = 20
"""So many publications have a number below them."""

TICKS = (
    "sequence(domain('x')[0], domain('x')[1] + 1, "
    f"max(1, ceil((domain('x')[1] - domain('x')[0] + 1) / {MOST_TICKS})))"
)
"""Whole numbers, each once: Vega itself puts ticks at halves between few publications."""


@cache
def timeline(*, with_gone: bool) -> Spec:
    """A line per run over the publications, by their number; dashed for leaders that are gone."""
    rows = theme.rows("history").transform_filter("datum.shown")
    x = alt.X(
        "publication:Q",
        title="publication",
        axis=alt.Axis(values={"expr": TICKS}, format="d", titleAnchor="start"),
        scale=alt.Scale(nice=False, zero=False, range=theme.beside_names()),
    )
    y = alt.Y("value:Q", title=MEASURE, scale=alt.Scale(zero=False))
    places: Spec = {"x": x, "y": y}
    noted = [
        alt.Tooltip("time:N", title="published"),
        theme.value("value", "value"),
        theme.value("rank_first", "rank", "d"),
    ]
    shared: Spec = places | {
        "color": theme.colour_of_run(),
        "opacity": theme.lit(rest=0.3, off=0.1),
        "tooltip": theme.about_run(*noted),
    }
    lines = rows.mark_line(strokeWidth=1.6).encode(
        **shared, detail="key:N", order=alt.Order("publication:Q")
    )
    points = rows.mark_point(filled=True, size=30).encode(**shared)
    ends = theme.named_runs(theme.last_of_each(rows, "publication"))
    names = theme.names_beside(ends, "value", x="publication", most=theme.MOST_NAMES)
    return theme.finish(
        alt.layer(lines, points, *(_of_gone(places, noted) if with_gone else ()), names),
        description="A line per run: publications across, in their order, and the run's value by "
        "the measure that ranks upwards.",
    )


def _of_gone(places: Spec, noted: Sequence[alt.Tooltip]) -> list[alt.Chart]:
    """The lines of runs that were first and are gone, with their names where they end."""
    gone = theme.rows("history_gone")
    of_gone: Spec = places | {"tooltip": [alt.Tooltip("gone:N", title="run, gone now"), *noted]}
    lines = gone.mark_line(strokeWidth=1.6, strokeDash=[5, 3], color=theme.MUTED).encode(
        **of_gone, detail="gone:N", order=alt.Order("publication:Q")
    )
    points = gone.mark_point(filled=True, size=30, color=theme.MUTED, opacity=1).encode(**of_gone)
    names = (
        theme.last_of_each(gone, "publication", "gone")
        .transform_calculate(said="datum.short + ', gone'")
        .mark_text(align="left", baseline="bottom", dx=5, dy=-3, fontSize=10, aria=False)
        .encode(**places, text="said:N", color=alt.value(theme.INK))
    )
    return [lines, points, names]
