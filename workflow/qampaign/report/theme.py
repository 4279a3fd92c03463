"""One look for every chart: colours, fonts, and the few shapes that charts are made of.

Charts are Vega-Lite specifications without data. A specification names its rows and the page
supplies them, so that a chart and the table beside it show the same numbers, embedded once. Beside
what their chart needs, rows of runs have

    index, run, team, kind   which run; team is never null (a dash means none)
    short                    its name, without the middle where it is long
    key                      a number, a space and the short name: Vega groups by members of plain
                             objects, where a run called `constructor` would meet what is there
    named                    whether the run has a colour and its name in the chart: those picked,
                             or the first of the leaderboard where none is
    colour                   the same in every chart; grey where the run is not named
    order                    position in the leaderboard as it is sorted now
    shown                    false where the reader has filtered the run out
    lit                      false where the reader has picked other runs than this

Colours are literal and made for white paper, so that a saved figure needs no style sheet. On a dark
page, `style` replaces them. Blue and orange mean right and wrong, and nothing else; a hue means one
run, or one measure, and never a rank.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import altair as alt

from qampaign.report.spec import Spec

INK = "#1d2430"
MUTED = "#5f6875"
LINE = "#e3e5e8"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

REST = "#8a929d"
"""Runs that are not named."""

RIGHT, WRONG, NOTHING = "#2f76b5", "#cf7420", "#e9ebee"
WITHHELD_RIGHT, WITHHELD_WRONG = "#c4dcef", "#f8dfc6"
EDGES = {WITHHELD_RIGHT: RIGHT, WITHHELD_WRONG: WRONG, NOTHING: REST}
"""Fills that are too pale to stand alone have an edge."""

SHADES = ("#1d4f7f", "#c5ddef")
"""Of no other meaning, so that a dark page keeps their order."""

# Found by a search: far apart for every kind of colour vision, and from blue, orange and grey.
PALETTE = ("#309f40", "#5030bf", "#9f0070", "#706000", "#bf60df", "#602020")
ON_DARK = ("#80ff50", "#5060cf", "#ff70ef", "#afaf40", "#ffcfff", "#bf4040")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])

LEADING = 5
"""So many runs of the leaderboard are named where none is picked, and there are many."""

# Equal correlation is pale, opposite ones are dark in different hues.
DIVERGING = ("#8c2d7a", "#f4f1f4", "#1b7a45")

KINDS = {"submitted": "circle", "baseline": "diamond", "derived": "triangle-up"}

DARK = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    LINE: "var(--line)",
    "white": "var(--card)",
    RIGHT: "#4a90cc",
    WRONG: "#d9853c",
    WITHHELD_RIGHT: "#1d3a54",
    WITHHELD_WRONG: "#553616",
    NOTHING: "#2d333b",
    REST: "#78818d",
    **dict(zip(PALETTE, ON_DARK, strict=True)),
}
"""What stands for the colours of white paper on a dark page."""

BAR = 18
"""The height of a run in a chart of rows, in pixels."""

TEXT = 14
"""The height of a line of text in a chart, in pixels."""

LETTER = 5.7
"""The mean width of a letter of a name in a chart, in pixels."""

ROOM = "min(132, 0.4 * width)"
"""The room for names at the right of a chart."""

SCREEN = 800
"""The width of a chart that nobody has measured, in pixels."""

HEIGHT = 380
"""The height of a chart that does not depend on its rows, in pixels."""

MOST_NAMES = 12
"""So many runs have their names beside a chart: more can be picked."""

TITLE: Spec = {
    "anchor": "start", "frame": "bounds", "fontSize": 11, "fontWeight": 600, "color": INK,
    "subtitleFontSize": 8.5, "subtitleColor": MUTED, "subtitlePadding": 3, "offset": 10,
}  # fmt: skip
"""The look of a saved figure's title."""

NAME = "substring(datum.label, indexof(datum.label, ' ') + 1)"
"""Shows the name in a key, which is a number, a space and a name."""

AltairChart = alt.Chart | alt.LayerChart | alt.FacetChart


def hues(number: int) -> list[int | None]:
    """The hue of each run where none is picked: of few runs all have one, of many the first.

    >>> hues(2), hues(8)
    ([0, 1], [0, 1, 2, 3, 4, None, None, None])
    """
    named = number if number <= len(PALETTE) else LEADING
    return [index if index < named else None for index in range(number)]


def colour_of_hue(hue: int | None) -> str:
    return REST if hue is None else PALETTE[hue]


def shade_of_right(share: float) -> str:
    """Right answers from dark, the first rank, to pale, the last.

    >>> shade_of_right(0), shade_of_right(1)
    ('#1d4f7f', '#c5ddef')
    """
    ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in SHADES]
    mixed = (round(low + (high - low) * share) for low, high in zip(*ends, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


@cache
def plain(label: str) -> str:
    """A label that stays a label: Vega-Lite puts titles into expressions and escapes quotes only.

    >>> plain("  two   words ")
    'two words'
    """
    words = " ".join(label.replace("\\", "\N{REVERSE SOLIDUS OPERATOR}").split())
    return "".join(sign for sign in words if sign.isprintable())


class _Classes(alt.utils.schemapi._FromDict):
    """Altair's classes by what they describe, listed once and not for every channel of a chart."""

    listed: dict[int, list[type[alt.SchemaBase]]] | None = None

    def __init__(self, classes: Iterable[type[alt.SchemaBase]]) -> None:
        if _Classes.listed is None:
            super().__init__(classes)
            _Classes.listed = self.class_dict
        self.class_dict = _Classes.listed


@contextmanager
def unchecked() -> Iterator[None]:
    """Leave out Altair's checks of every piece while charts are made: the tests check the whole."""
    schemapi, usual = alt.utils.schemapi, alt.utils.schemapi._FromDict
    schemapi._FromDict = _Classes  # type: ignore[misc]
    try:
        with schemapi.debug_mode(False):
            yield
    finally:
        schemapi._FromDict = usual  # type: ignore[misc]


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
        legend=alt.Legend(
            orient="bottom", symbolFillColor=MUTED, symbolStrokeWidth=0, values=list(kinds)
        )
        if len(kinds) > 1
        else None,
    )


def lit(*, on: float = 0.95, rest: float | None = None, off: float = 0.25) -> Any:
    """The opacity of a run's mark: what is filtered out, or not picked, fades.

    Where marks are so many that they hide each other, `rest` is the opacity of runs without a name.
    """
    bright = "datum.shown && datum.lit"
    if rest is None:
        return alt.when(bright).then(alt.value(on)).otherwise(alt.value(off))
    return (
        alt.when(f"{bright} && datum.named").then(alt.value(on))
        .when(bright).then(alt.value(rest))
        .otherwise(alt.value(off))
    )  # fmt: skip


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
    """Marks that nobody sees: where all values are equal, they keep an axis from being a point.

    Around a share they stay between 0 and 1, around what is less than 0 between −1 and 0.
    """
    fields = {axis: field for axis, field in (("x", x), ("y", y)) if field}
    ends: dict[str, Any] = {}
    spans: dict[str, str] = {}
    for axis, field in fields.items():
        low, high = f"datum.{axis}_low", f"datum.{axis}_high"
        ends |= {f"{axis}_low": f"min({field})", f"{axis}_high": f"max({field})"}
        bound = f"floor(min({low} + 1e-9, 0.999))"
        within = f"clamp({low} - {width / 2}, {bound}, {bound} + {1 - width})"
        start = f"(abs({low}) < 1 + 1e-9 ? {within} : {low} - {width / 2})"
        wide = f"[{start}, {start} + {width}]"
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


def names_beside(
    ends: alt.Chart,
    y: str,
    *,
    most: int,
    x: str = "",
    text: str = "short",
    colour: Any = None,
    down: bool = False,
) -> alt.LayerChart:
    """The names of runs or measures at the right, each as near to its height as the others allow.

    `ends` has a row for each name; where `x` is given, a thin line leads from the mark to its name.
    `down` says that the scale has its low values at the top.
    """
    # From the top, each name stands at its height or a line below the name before it, whichever is
    # lower: that is the lowest of all that the names before it ask for. None sinks below the chart.
    numbers = range(1, most + 1)
    limits = ", ".join(
        f"datum.line < {number} ? 0 : "
        f"scale('y', datum.e{number}) + {TEXT} * (datum.line - {number})"
        for number in numbers
    )
    top = f"max({TEXT} * (datum.line - 1), {limits})"
    height = {"expr": f"min({top}, height - {TEXT} * (datum.names - datum.line))"}
    marks = alt.Chart()
    shade = {"color": colour or colour_of_run()}
    unseen: Spec = {"tooltip": False, "aria": False}
    lead = marks.mark_point(filled=True, size=45, opacity=1, **unseen).encode(
        x=alt.value({"expr": f"width - {ROOM} + 6"}), y=alt.value(height), **shade
    )
    if x:
        lead = marks.mark_rule(strokeWidth=0.7, opacity=0.6, **unseen).encode(
            x=alt.X(f"{x}:Q"),
            x2=alt.value({"expr": f"width - {ROOM} + 9"}),
            y=alt.Y(f"{y}:Q"),
            y2=alt.value(height),
            **shade,
        )
    names = marks.mark_text(
        align="left", baseline="middle", fontSize=10, limit={"expr": f"{ROOM} - 12"}, aria=False
    ).encode(
        x=alt.value({"expr": f"width - {ROOM} + 13"}),
        y=alt.value(height),
        text="fitting:N",
        color=alt.value(INK),
    )
    both: Any = alt.layer(lead, names, data=ends.data)
    both.transform = [
        *ends.transform,
        alt.WindowTransform(
            window=[
                {"op": "row_number", "as": "line"},
                *(
                    {"op": "nth_value", "field": y, "param": number, "as": f"e{number}"}
                    for number in numbers
                ),
            ],
            sort=[{"field": y, "order": "ascending" if down else "descending"}],
            frame=[None, None],
        ),
        alt.FilterTransform(f"datum.line <= {most}"),
        alt.JoinAggregateTransform(joinaggregate=[{"op": "count", "as": "names"}]),
        alt.CalculateTransform(calculate=fitting(text, f"{ROOM} - 12"), **{"as": "fitting"}),
    ]
    return both


def fitting(field: str, room: str) -> str:
    """A name for so many pixels, as an expression: without its middle where it is longer."""
    name, letters = f"datum.{field}", f"floor(({room}) / {LETTER})"
    start = f"floor(0.4 * {letters})"
    cut = f"slice({name}, 0, {start}) + '…' + slice({name}, {start} + 1 - {letters})"
    return f"length({name}) <= {letters} ? {name} : {cut}"


def beside_names(*, start: float = 0) -> list[float | Spec]:
    """The range of a scale that leaves room for names at the right."""
    return [start, {"expr": f"width - {ROOM}"}]


def last_of_each(rows: alt.Chart, x: str, by: str = "key") -> alt.Chart:
    """Where each line ends at the right."""
    return rows.transform_window(
        last="row_number()", groupby=[by], sort=[alt.SortField(x, order="descending")]
    ).transform_filter("datum.last == 1")


def named_runs(rows: alt.Chart) -> alt.Chart:
    return rows.transform_filter("datum.shown && datum.named")


def names_of_points(rows: alt.Chart, y: str, x: str, *, down: bool = False) -> alt.LayerChart:
    """The named runs of a chart of points, listed at the right."""
    drawn = named_runs(rows).transform_filter(f"isValid(datum.{x}) && isValid(datum.{y})")
    return names_beside(drawn, y, most=MOST_NAMES, down=down)


def legend_above(**look: Any) -> alt.Legend:
    """A legend over the chart: one line, or columns where there is no room for it.

    The width of the chart alone would not do: it changes while the chart is laid out.
    """
    columns = alt.ExprRef("room < 400 ? 1 : room < 700 ? 2 : 8")
    return alt.Legend(orient="top", columns=columns, **look)


def divided_bars(
    chart: alt.Chart,
    field: str,
    colours: Mapping[str, str],
    *,
    noun: str = "question",
    shown: Sequence[str] | None = None,
    edge: str = "",
) -> alt.Chart:
    """A bar per run, divided by colour; rows have the label and the position of a division."""
    legend = legend_above(symbolType="square", symbolStrokeWidth=1, values=list(shown or colours))
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
            legend=legend,
        ),
        stroke=alt.Stroke(
            "label:N",
            sort=list(colours),
            title=None,
            legend=legend,
            scale=alt.Scale(
                domain=list(colours),
                range=[EDGES.get(colour, edge or colour) for colour in colours.values()],
            ),
        ),
        strokeWidth=alt.when(f"datum.{field} > 0").then(alt.value(1)).otherwise(alt.value(0)),
        order=alt.Order("position:Q"),
        opacity=lit(on=1, off=0.25),
    )


def about_run(*more: alt.Tooltip) -> list[alt.Tooltip]:
    """The first lines of a mark's tooltip: its run."""
    return [alt.Tooltip("run:N", title="run"), alt.Tooltip("team:N", title="team"), *more]


def plain_keys(rows: alt.Chart, *fields: str) -> alt.Chart:
    """Rows with the names in these keys beside them, for tooltips: a key begins with a number."""
    return rows.transform_calculate(
        **{f"{field}_name": NAME.replace("label", field) for field in fields}
    )


def name_of(field: str, title: str) -> alt.Tooltip:
    """The name in a key, in a tooltip; see `plain_keys`."""
    return alt.Tooltip(f"{field}_name:N", title=title)


def value(field: str, title: str, form: str = ".3f") -> alt.Tooltip:
    """A number in a tooltip."""
    return alt.Tooltip(f"{field}:Q", title=plain(title), format=form)


def line_styles(field: str, names: Sequence[str], *, title: str | None = None) -> Spec:
    """Colour and dash of a few kinds of lines, such as measures; `names` are keys, in order.

    The number of a key gives its colour. Where lines are too many for their names to stand beside
    them, a legend below has the names.
    """
    legend = None if few(names) else alt.Legend(
        labelExpr=NAME, symbolType="stroke", symbolStrokeWidth=2.5, symbolSize=260,
        symbolOpacity=1, symbolFillColor="transparent", labelLimit=180, orient="bottom", columns=3,
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


def few(names: Sequence[str]) -> bool:
    """Whether the names of lines have room beside them."""
    return len(names) <= MOST_NAMES


def names_of_lines(
    rows: alt.Chart, x: str, y: str, names: Sequence[str], apart: Spec
) -> list[alt.LayerChart]:
    """The names of measures or judges where their lines end, if they have room."""
    if not few(names):
        return []
    ends = last_of_each(rows, x, "name").transform_calculate(
        label="substring(datum.name, indexof(datum.name, ' ') + 1)"
    )
    return [names_beside(ends, y, x=x, most=len(names), text="label", colour=apart["color"])]


def room_for(names: Sequence[str]) -> Spec:
    """The range of the scale across, where the names of lines stand beside them."""
    return {"range": beside_names()} if few(names) else {}


def beside(names: Sequence[str]) -> Spec:
    """The ends of a line across the chart, which stops where the names begin."""
    end = f"width - {ROOM}" if few(names) else "width"
    return {"x": alt.value(0), "x2": alt.value({"expr": end})}


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
    chart: AltairChart, *, description: str, height: int | None = HEIGHT, width: Any = "container"
) -> Spec:
    """The specification of a chart, as wide as its box, with a description for screen readers."""
    with unchecked():
        spec: Spec = chart.to_dict(validate=False)
    spec.pop("config", None)
    spec.pop("$schema", None)
    spec["description"] = description
    if not isinstance(chart, alt.FacetChart):
        spec |= {"width": width} | ({} if height is None else {"height": height})
    return spec | room_of(SCREEN)


def sized(spec: Spec, *, row_per_run: bool) -> Spec:
    """A chart with numbers where the page's script sets its width and height: it replaces them.

    >>> sized({"width": "container"}, row_per_run=True)
    {'width': 800, 'autosize': {'type': 'fit-x', 'contains': 'padding'}, 'height': 380}
    >>> sized({"spec": {"width": 90}, "facet": {}}, row_per_run=True)
    {'spec': {'width': 90, 'height': 380}, 'facet': {}}
    """
    made = dict(spec)
    if made.get("width") == "container":
        made |= {"width": SCREEN, "autosize": {"type": "fit-x", "contains": "padding"}}
    if row_per_run and "spec" in made:
        made["spec"] = {**made["spec"], "height": HEIGHT}
    elif row_per_run:
        made["height"] = HEIGHT
    return made


def room_of(width: float) -> Spec:
    """What a specification says of the width that there is, names and legends included."""
    return {"params": [{"name": "room", "value": width}]}


def settings() -> dict[str, object]:
    """What the page's script must know to colour runs."""
    return {"hues": PALETTE, "rest": REST, "ink": INK, "leading": LEADING, "title": TITLE}


def style() -> str:
    """The colours of runs for the page's style sheet, and what replaces colours on a dark page."""
    hues = {f"--hue-{number}": colour for number, colour in enumerate(PALETTE)} | {"--rest": REST}
    light = "; ".join(f"{name}: {colour}" for name, colour in hues.items())
    dark = "; ".join(f"{name}: {DARK[colour]}" for name, colour in hues.items())
    rules = "\n".join(
        f'  .chart [{kind}="{colour}"] {{ {kind}: {dark_hue}; }}'
        for colour, dark_hue in DARK.items()
        for kind in ("fill", "stroke")
    )
    return (
        f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{\n"
        f"  :root {{ {dark} }}\n{rules}\n}}\n"
    )


def config(*, font: str = FONT, size: int = 12, background: str = "white") -> Spec:
    """The look of all charts; paper has another font and size."""
    text = {"labelColor": INK, "titleColor": INK, "labelFontSize": size, "titleFontSize": size + 1}
    axis = {
        "gridColor": LINE, "domainColor": MUTED, "tickColor": MUTED, "titleFontWeight": "normal",
        "titlePadding": 10, "tickSize": 4, "labelSeparation": 5,
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
