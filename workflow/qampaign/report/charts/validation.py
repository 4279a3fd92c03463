"""ROC space and the plane of precision and recall."""

import math
from functools import cache

import altair as alt

from qampaign.report import theme
from qampaign.report.spec import Spec

UNIT = alt.Scale(domain=[0, 1])
RATES = ("tp_rate", "fp_rate")
ACROSS = alt.Scale(domain=[0, 1], range=theme.beside_names())


def _rated(*needed: str) -> alt.Chart:
    """Every run with its rates and its precision, but those without a rate that is needed."""
    return (
        theme.rows("runs")
        .transform_calculate(
            tp_rate=_rate("tp", "fn", "value_tp_rate"),
            fp_rate=_rate("fp", "tn", "value_fp_rate"),
            precision=_rate("tp", "fp", "value_precision", of_none="0"),
        )
        .transform_filter(" && ".join(f"isValid(datum.{name})" for name in needed))
    )


def _rate(count: str, rest: str, measured: str, *, of_none: str = "null") -> str:
    """A share of counts; a random baseline has none, but may be measured.

    Without right items there is no recall; the precision of a run that accepts nothing is 0.
    """
    total = f"(datum.{count} + datum.{rest})"
    share = f"({total} > 0 ? datum.{count} / {total} : {of_none})"
    return f"isValid(datum.{count}) ? {share} : datum.{measured}"


def _points(x: alt.X, y: alt.Y, kinds: tuple[str, ...], needed: tuple[str, ...]) -> alt.Chart:
    return (
        _rated(*needed)
        .mark_point(filled=True, size=95, stroke="white", strokeWidth=0.8)
        .encode(
            x=x,
            y=y,
            color=theme.colour_of_run(),
            shape=theme.shape_of_kind(kinds),
            opacity=theme.lit(),
            tooltip=theme.about_run(
                theme.value("tp_rate", "tp rate (recall)"),
                theme.value("fp_rate", "fp rate"),
                theme.value("precision", "precision"),
            ),
        )
    )


def _curves(x: alt.X, y: alt.Y) -> alt.Chart:
    return (
        theme.rows("roc")
        .transform_filter("datum.shown")
        .transform_calculate(step="datum.tp_rate + datum.fp_rate")
        .mark_line(strokeWidth=1.3)
        .encode(
            x=x,
            y=y,
            detail="key:N",
            order=alt.Order("step:Q"),
            color=theme.colour_of_run(),
            opacity=theme.lit(on=0.8, rest=0.3, off=0.1),
            tooltip=theme.about_run(
                theme.value("threshold", "score above"),
                theme.value("tp_rate", "tp rate (recall)"),
                theme.value("fp_rate", "fp rate"),
                theme.value("precision", "precision"),
            ),
        )
    )


def _areas(x: str, y: str, *, base: int) -> list[alt.Chart]:
    """The area under a run's one point, joined to (0, 0) and (1, 1), with its size: the AUC.

    That of the first run, or of those picked.
    """
    rows = _rated(*RATES).transform_filter(
        "datum.shown && datum.named && datum.lit && (datum.picked || datum.order == 0)"
    )
    area = (
        rows.transform_calculate(
            across=f"[0, datum.{x}_rate, 1]", up=f"[0, datum.{y}_rate, 1]", base=str(base)
        )
        .transform_flatten(["across", "up"])
        .mark_area(opacity=0.16, line={"strokeWidth": 1}, tooltip=False, aria=False)
        .encode(
            x=alt.X("across:Q"),
            y=alt.Y("up:Q"),
            y2="base:Q",
            detail="key:N",
            color=theme.colour_of_run(),
        )
    )
    size = (
        rows.transform_window(line="row_number()", sort=[alt.SortField("order")])
        .transform_calculate(auc="'area ' + format((1 + datum.tp_rate - datum.fp_rate) / 2, '.3f')")
        .mark_text(align="left" if base else "right", fontSize=10, color=theme.INK, aria=False)
        .encode(
            x=alt.value({"expr": "8" if base else f"width - {theme.ROOM} - 6"}),
            y=alt.value({"expr": f"height - {theme.TEXT} * datum.line"}),
            text="auc:N",
        )
    )
    return [area, size]


@cache
def roc_space(kinds: tuple[str, ...]) -> Spec:
    """fp rate across, tp rate upwards; the diagonal is chance."""
    x = alt.X("fp_rate:Q", title="fp rate", scale=ACROSS, axis=alt.Axis(titleAnchor="start"))
    y = alt.Y("tp_rate:Q", title="tp rate", scale=UNIT)
    chance = theme.reference_line(
        [{"fp_rate": 0, "tp_rate": 0}, {"fp_rate": 1, "tp_rate": 1}], x="fp_rate", y="tp_rate"
    )
    return theme.finish(
        alt.layer(
            *_areas("fp", "tp", base=0),
            chance,
            _curves(x, y),
            _points(x, y, kinds, RATES),
            theme.names_of_points(_rated(*RATES), "tp_rate", "fp_rate"),
        ),
        description="Every run as a point: wrong answers accepted across, right ones upwards; its "
        "curve where it gives scores.",
    )


@cache
def roc_turned(kinds: tuple[str, ...]) -> Spec:
    """tp rate across, fp rate downwards: the best corner is the top right."""
    x = alt.X("tp_rate:Q", title="tp rate", scale=ACROSS, axis=alt.Axis(titleAnchor="start"))
    y = alt.Y("fp_rate:Q", title="fp rate", scale=alt.Scale(domain=[0, 1], reverse=True))
    chance = theme.reference_line(
        [{"fp_rate": 0, "tp_rate": 0}, {"fp_rate": 1, "tp_rate": 1}], x="tp_rate", y="fp_rate"
    )
    return theme.finish(
        alt.layer(
            *_areas("tp", "fp", base=1),
            chance,
            _curves(x, y),
            _points(x, y, kinds, RATES),
            theme.names_of_points(_rated(*RATES), "fp_rate", "tp_rate", down=True),
        ),
        description="Every run as a point: right answers accepted across, wrong ones downwards.",
    )


@cache
def precision_recall(share: float, kinds: tuple[str, ...]) -> Spec:
    """Recall across, precision upwards, lines of equal F, and the precision of chance."""
    x = alt.X("tp_rate:Q", title="recall", scale=ACROSS, axis=alt.Axis(titleAnchor="start"))
    y = alt.Y("precision:Q", title="precision", scale=UNIT)
    curves = [
        {"level": f"F {level / 10:.1f}", "tp_rate": recall, "precision": precision}
        for level in range(1, 10)
        for recall, precision in _equal_f(level / 10)
    ]
    lines = (
        alt.Chart(alt.InlineData(values=curves))
        .mark_line(color=theme.MUTED, strokeWidth=0.8, opacity=0.5, tooltip=False, aria=False)
        .encode(x=x, y=y, detail="level:N")
    )
    ends = [point for point in curves if point["tp_rate"] == 1]
    names = (
        alt.Chart(alt.InlineData(values=ends))
        .mark_text(align="right", dx=-3, dy=-5, fontSize=10, color=theme.MUTED, aria=False)
        .encode(x=x, y=y, text="level:N")
    )
    chance = theme.reference_line(
        [{"tp_rate": 0, "precision": share}, {"tp_rate": 1, "precision": share}],
        x="tp_rate",
        y="precision",
    )
    return theme.finish(
        alt.layer(
            lines,
            names,
            chance,
            _curves(x, y),
            _points(x, y, kinds, ("tp_rate",)),
            theme.names_of_points(_rated("tp_rate"), "precision", "tp_rate"),
        ),
        description="Every run as a point: recall across, precision upwards, over lines of equal "
        "F; the dashed line is the precision of random validation.",
    )


def _equal_f(f: float, steps: int = 40) -> list[tuple[float, float]]:
    """Points (r, p) with this F = 2pr / (p + r), from p = 1 to r = 1, evenly along the curve.

    >>> _equal_f(0.5, 2)
    [(0.3333, 1.0), (0.5, 0.5), (1.0, 0.3333)]
    """
    # With 1/p + 1/r = 2/F, the two are even on a scale of their ratio.
    most = math.log(2 / f - 1)
    ratios = (math.exp(most * (2 * step / steps - 1)) for step in range(steps + 1))
    return [(round(f * (1 + ratio) / 2, 4), round(f * (1 + 1 / ratio) / 2, 4)) for ratio in ratios]
