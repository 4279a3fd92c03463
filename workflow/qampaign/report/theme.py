"""One look for every chart: colours, fonts, and the few shapes that charts are made of.

Charts are Vega-Lite specifications without data. A specification names its rows and the page
supplies them, so that a chart and the table beside it show the same numbers, embedded once. Beside
what their chart needs, rows of runs have

    index, run, team, kind   which run; team is never null (a dash means none)
    key                      a number, a space and the run: Vega groups by members of plain objects,
                             where a run called `constructor` would meet what is there already
    colour                   the same in every chart
    order                    position in the leaderboard as it is sorted now
    shown                    false where the reader has filtered the run out
    lit                      false where the reader has picked other runs than this

Colours are literal and made for white paper, so that a saved figure needs no style sheet. That of
the page replaces the neutral ones where the reader prefers a dark page; all others stand out from
black and from white, and from each other with every common colour deficiency.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import altair as alt

INK = "#1d2430"
MUTED = "#5f6875"
LINE = "#e3e5e8"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

RIGHT, WRONG, NOTHING = "#2f76b5", "#df8636", "#cdd2d9"
WITHHELD_RIGHT, WITHHELD_WRONG = "#a3c8e6", "#f4cda4"

# After Okabe & Ito (2008), without their black and their yellow, which vanish on dark and on white
# paper.
PALETTE = ("#0072b2", "#e08a00", "#009e73", "#c8609c", "#3fa3dc", "#d55e00", "#8c7a3d", "#7d7f8c")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])

# Lightness rises steadily: readers who do not tell the hues apart still see the order.
RAMP = ("#5763cc", "#b5498f", "#f0953f")

# Equal correlation is pale, opposite ones are dark in different hues.
DIVERGING = ("#b35806", "#f7e9d9", "#2166ac")

KINDS = {"submitted": "circle", "baseline": "diamond", "derived": "triangle-up"}

BAR = 18
"""The height of a run in a chart of rows, in pixels."""

NAME = "substring(datum.label, indexof(datum.label, ' ') + 1)"
"""Shows the name in a key, which is a number, a space and a name."""

AltairChart = alt.Chart | alt.LayerChart | alt.FacetChart


def run_colours(number: int) -> list[str]:
    """A colour for each run of a collection, in the order of the leaderboard.

    Few runs differ in hue; many are coloured by their position in the ranking.

    >>> run_colours(2), run_colours(9)[::8]
    (['#0072b2', '#e08a00'], ['#5763cc', '#f0953f'])
    """
    if number <= len(PALETTE):
        return list(PALETTE[:number])
    return [_along(RAMP, index / (number - 1)) for index in range(number)]


def _along(ramp: Sequence[str], share: float) -> str:
    segment, step = divmod(share * (len(ramp) - 1), 1)
    low = ramp[int(segment)]
    high = ramp[min(int(segment) + 1, len(ramp) - 1)]
    mixed = (
        round(int(low[at : at + 2], 16) * (1 - step) + int(high[at : at + 2], 16) * step)
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def plain(label: str) -> str:
    """A label that stays a label: Vega-Lite puts titles into expressions and escapes quotes only.

    >>> plain("  two   words ")
    'two words'
    """
    words = " ".join(label.replace("\\", "\N{REVERSE SOLIDUS OPERATOR}").split())
    return "".join(sign for sign in words if sign.isprintable())


def unchecked() -> AbstractContextManager[None]:
    """Leave out Altair's checks of every piece while charts are made: the tests check the whole."""
    return alt.utils.schemapi.debug_mode(False)


def rows(name: str) -> alt.Chart:
    """A chart of the rows that the page holds under a name."""
    return alt.Chart(alt.NamedData(name=name))


def colour_of_run() -> alt.Color:
    return alt.Color("colour:N", scale=None)


def shape_of_kind(kinds: Sequence[str] = ()) -> alt.Shape:
    """The shape of a run's mark, with a legend only where there are several kinds."""
    return alt.Shape(
        "kind:N",
        title="kind",
        scale=alt.Scale(domain=list(KINDS), range=list(KINDS.values())),
        legend=alt.Legend(symbolFillColor=MUTED, symbolStrokeWidth=0, values=list(kinds))
        if len(kinds) > 1
        else None,
    )


def lit(*, on: float = 0.95, off: float = 0.1) -> Any:
    """The opacity of a run's mark: what is filtered out, or not picked, fades."""
    return alt.when("datum.shown && datum.lit").then(alt.value(on)).otherwise(alt.value(off))


def by_order(**axis: Any) -> alt.Y:
    """Runs from top to bottom, as the leaderboard has them."""
    return alt.Y(
        "key:N",
        title=None,
        sort=alt.EncodingSortField(field="order", op="min", order="ascending"),
        axis=alt.Axis(
            labelExpr=NAME, labelLimit=200, labelPadding=8, ticks=False, domain=False, grid=False,
            **axis,
        ),
    )  # fmt: skip


def room(rows: alt.Chart, x: str = "", y: str = "", *, width: float = 0.1) -> alt.Chart:
    """Marks that nobody sees: where all values are equal, they keep an axis from being a point."""
    fields = {axis: field for axis, field in (("x", x), ("y", y)) if field}
    ends: dict[str, Any] = {}
    spans: dict[str, str] = {}
    for axis, field in fields.items():
        low, high = f"datum.{axis}_low", f"datum.{axis}_high"
        ends |= {f"{axis}_low": f"min({field})", f"{axis}_high": f"max({field})"}
        wide = f"[{low} - {width / 2}, {high} + {width / 2}]"
        spans[f"{axis}_end"] = f"{high} - {low} < 1e-9 ? {wide} : [{low}, {high}]"
    channels = {"x": alt.X, "y": alt.Y}
    return (
        rows.transform_filter(" && ".join(f"isValid(datum.{field})" for field in fields.values()))
        .transform_aggregate(**ends)
        .transform_calculate(**spans)
        .transform_flatten(list(spans))
        .mark_point(size=0, tooltip=False, aria=False)
        .encode(**{axis: channels[axis](f"{axis}_end:Q") for axis in fields})
    )


def divided_bars(
    chart: alt.Chart,
    field: str,
    colours: Mapping[str, str],
    *,
    noun: str = "question",
    shown: Sequence[str] | None = None,
) -> alt.Chart:
    """A bar per run, divided by colour; rows have the label and the position of a division."""
    return chart.mark_bar(height={"band": 0.72}).encode(
        x=alt.X(
            f"{field}:Q",
            title=f"{noun}s",
            scale=alt.Scale(nice=False),
            axis=alt.Axis(orient="top", tickCount=10, tickMinStep=1, format="d"),
        ),
        y=by_order(),
        color=alt.Color(
            "label:N",
            title=None,
            sort=list(colours),
            scale=alt.Scale(domain=list(colours), range=list(colours.values())),
            legend=alt.Legend(
                orient="top", symbolType="square", columns=8, values=list(shown or colours)
            ),
        ),
        order=alt.Order("position:Q"),
        opacity=lit(on=1, off=0.25),
    )


def about_run(*more: alt.Tooltip) -> list[alt.Tooltip]:
    """The first lines of a mark's tooltip: its run."""
    return [alt.Tooltip("run:N", title="run"), alt.Tooltip("team:N", title="team"), *more]


def value(field: str, title: str, form: str = ".3f") -> alt.Tooltip:
    """A number in a tooltip."""
    return alt.Tooltip(f"{field}:Q", title=plain(title), format=form)


def line_styles(field: str, names: Sequence[str], *, title: str | None = None) -> dict[str, Any]:
    """Colour and dash of a few kinds of lines, such as measures; `names` are keys, in order.

    The number of a key gives its colour.
    """
    legend = alt.Legend(
        labelExpr=NAME, symbolType="stroke", symbolStrokeWidth=2.5, symbolSize=260,
        symbolOpacity=1, symbolFillColor="transparent", labelLimit=180,
    )  # fmt: skip
    numbers = [int(name.split(" ", 1)[0]) for name in names]
    colours = [PALETTE[number % len(PALETTE)] for number in numbers]
    dashes = [DASHES[number // len(PALETTE) % len(DASHES)] for number in numbers]
    return {
        "color": alt.Color(
            f"{field}:N",
            title=title,
            legend=legend,
            sort=None,
            scale=alt.Scale(domain=list(names), range=colours),
        ),
        "strokeDash": alt.StrokeDash(
            f"{field}:N",
            title=title,
            legend=legend,
            sort=None,
            scale=alt.Scale(domain=list(names), range=dashes),
        ),
    }


def keys(labels: Sequence[str]) -> list[str]:
    """Numbered labels, which all differ, and none of which is the name of an object's member.

    >>> keys(["F", "F"])
    ['0 F', '1 F']
    """
    return [f"{index} {plain(label)}" for index, label in enumerate(labels)]


def reference_line(values: list[dict[str, float]], *, x: str = "x", y: str = "y") -> alt.Chart:
    """A dashed line through fixed points, which helps to read a chart."""
    return (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1, tooltip=False, aria=False)
        .encode(x=alt.X(f"{x}:Q"), y=alt.Y(f"{y}:Q"))
    )


def finish(
    chart: AltairChart, *, description: str, height: int | None = 380, width: Any = "container"
) -> dict[str, Any]:
    """The specification of a chart, as wide as its box, with a description for screen readers."""
    sized = chart.properties(description=description)
    if not isinstance(sized, alt.FacetChart):
        sized = sized.properties(width=width, **({} if height is None else {"height": height}))
    with unchecked():
        spec: dict[str, Any] = sized.to_dict(validate=False)
    spec.pop("config", None)
    spec.pop("$schema", None)
    return spec


def config(*, font: str = FONT, size: int = 12, background: str = "white") -> dict[str, Any]:
    """The look of all charts; paper has another font and size."""
    text = {"labelColor": INK, "titleColor": INK, "labelFontSize": size, "titleFontSize": size + 1}
    axis = {
        "gridColor": LINE, "domainColor": MUTED, "tickColor": MUTED, "titleFontWeight": "normal",
        "titlePadding": 10, "tickSize": 4,
    }  # fmt: skip
    return {
        "background": background,
        "font": font,
        "padding": 4,
        "view": {"stroke": None},
        "axis": text | axis,
        "axisX": {"labelFlush": False},
        "legend": text | {"titleFontWeight": "normal", "titleFontSize": size},
        "header": text | {"titleFontWeight": "normal", "labelFontSize": size},
    }
