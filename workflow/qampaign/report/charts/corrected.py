"""Values by a judge, corrected by labels, beside those of the judge and of the labels alone."""

from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.spec import Spec

KINDS = {
    "corrected": (theme.INK, "circle"),
    "people alone": (theme.MUTED, "square"),
    "judge alone": (theme.REST, "diamond"),
}
"""What is drawn for each run, in this order from top to bottom, with its colour and shape."""


@cache
def corrected_by_run(data: str, label: str) -> Spec:
    """For each run three values one below the other, with their 95% intervals as lines."""
    rows = theme.rows(data).transform_filter("datum.shown && isValid(datum.value)")
    kinds = list(KINDS)
    shared: Spec = {
        "y": theme.by_order(),
        "yOffset": alt.YOffset("kind:N", sort=kinds, scale=alt.Scale(domain=kinds)),
        "color": alt.Color(
            "kind:N",
            title=None,
            sort=kinds,
            scale=alt.Scale(domain=kinds, range=[colour for colour, _ in KINDS.values()]),
            legend=theme.legend_above(),
        ),
        "tooltip": theme.about_run(
            alt.Tooltip("kind:N", title="by"),
            theme.value("value", "value"),
            theme.value("low", "95% from"),
            theme.value("high", "95% to"),
        ),
    }
    lines = (
        rows.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=2)
        .encode(x=alt.X("low:Q", title=label), x2="high:Q", **shared)
    )
    dots = rows.mark_point(filled=True, size=60).encode(
        shape=alt.Shape(
            "kind:N",
            title=None,
            sort=kinds,
            scale=alt.Scale(domain=kinds, range=[shape for _, shape in KINDS.values()]),
            legend=theme.legend_above(),
        ),
        x=alt.X(
            "value:Q",
            title=label,
            scale=alt.Scale(zero=False, nice=True),
            axis=alt.Axis(orient="top", tickCount=8),
        ),
        **shared,
    )
    return theme.finish(
        alt.layer(lines, dots),
        height=None,
        description="For each run three dots with their 95% intervals as lines: the value by the "
        "judge corrected by labels, by the labels alone, and by the judge alone.",
    )
