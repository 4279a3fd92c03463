"""Validating answers: ROC space and the plane of precision and recall.

The second pair has the orientation of Rodrigo, Peñas & Verdejo, Figures 2 and 3: recall (which is
the tp rate) across in both, and the best corner at the top right in both, so that a run stands at
the same place across and the two can be compared.
"""

from functools import cache
from typing import Any

import altair as alt
import polars as pl

from qampaign.report import theme
from qampaign.report.parts import Chart, Section, fixed, percent
from qampaign.report.views import Collection

MOST_STEPS = 100
"""A curve of a chart has at most so many points in each direction."""

UNIT = alt.Scale(domain=[0, 1])


def section(collection: Collection) -> Section | None:
    counts = collection.start["counts"]
    if collection.task != "validation" or "tp" not in counts:
        return None
    kinds = len({run["kind"] for run in collection.runs}) > 1
    share = _share_right(counts)
    curves = thin(collection.table("roc", judge=collection.reference))
    shared: dict[str, Any] = {"half": True, "uses": ("runs", "roc"), "data": {"roc": curves}}
    parts = [
        Chart("roc", "ROC space", roc_space(kinds), _how_to_read_roc(collection), **shared),
        Chart("precision_recall", "Precision against recall", precision_recall(share, kinds),
              _how_to_read_precision(collection, share), **shared),
        Chart("roc_turned", "ROC space, best corner top right", roc_turned(kinds),
              "The same points as in ROC space, turned so that both axes read as in the plane of "
              "precision and recall: a run that looks good here and poor there accepts few of the "
              "wrong answers, but more wrong ones than right ones."
              + _optimists(collection), **shared),
    ]  # fmt: skip
    return Section("validation", "Which answers are believed?", parts)


def thin(curves: pl.DataFrame) -> pl.DataFrame:
    """Curves without the points that no eye tells apart; their ends stay."""
    step = [(pl.col(name) * MOST_STEPS).round() for name in ("tp_rate", "fp_rate")]
    kept = curves.select("run", "threshold", "tp_rate", "fp_rate", "precision")
    place = pl.int_range(pl.len()).over("run")
    first = place == place.min().over("run", *step)
    return kept.filter(first | (place == pl.len().over("run") - 1))


def _share_right(counts: Any) -> float:
    """What a random validation has as precision: the share of items that are right."""
    for tp, fn, asked in zip(counts["tp"], counts["fn"], counts["questions"], strict=True):
        if asked and tp is not None:
            return float((tp + fn) / asked)
    return 0.0


def _rated() -> alt.Chart:
    """Every run with its rates and its precision."""
    return (
        theme.rows("runs")
        .transform_filter("isValid(datum.tp)")
        .transform_calculate(
            tp_rate="datum.tp + datum.fn > 0 ? datum.tp / (datum.tp + datum.fn) : null",
            fp_rate="datum.fp + datum.tn > 0 ? datum.fp / (datum.fp + datum.tn) : null",
            precision="datum.tp + datum.fp > 0 ? datum.tp / (datum.tp + datum.fp) : 0",
        )
    )


def _points(x: alt.X, y: alt.Y, kinds: bool) -> alt.Chart:
    return (
        _rated()
        .mark_point(filled=True, size=95, stroke="white", strokeWidth=0.8)
        .encode(
            x=x,
            y=y,
            color=theme.colour_of_run(),
            shape=theme.shape_of_kind(legend=kinds),
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
        .mark_line(strokeWidth=1.3)
        .encode(
            x=x,
            y=y,
            detail="key:N",
            order=alt.Order("tp_rate:Q"),
            color=theme.colour_of_run(),
            opacity=theme.lit(on=0.45, off=0.05),
            tooltip=theme.about_run(
                theme.value("threshold", "score above"),
                theme.value("tp_rate", "tp rate (recall)"),
                theme.value("fp_rate", "fp rate"),
                theme.value("precision", "precision"),
            ),
        )
    )


@cache
def roc_space(kinds: bool) -> dict[str, Any]:
    """fp rate across, tp rate upwards; the diagonal is chance."""
    x = alt.X("fp_rate:Q", title="fp rate", scale=UNIT)
    y = alt.Y("tp_rate:Q", title="tp rate", scale=UNIT)
    chance = theme.reference_line([{"fp_rate": 0, "tp_rate": 0}, {"fp_rate": 1, "tp_rate": 1}],
                                  x="fp_rate", y="tp_rate")  # fmt: skip
    return theme.finish(
        alt.layer(chance, _curves(x, y), _points(x, y, kinds)),
        description="Every run as a point: wrong answers accepted across, right ones upwards; its "
        "curve where it gives scores.",
    )


@cache
def roc_turned(kinds: bool) -> dict[str, Any]:
    """tp rate across, fp rate downwards: the best corner is the top right."""
    x = alt.X("tp_rate:Q", title="tp rate", scale=UNIT)
    y = alt.Y("fp_rate:Q", title="fp rate", scale=alt.Scale(domain=[1, 0]))
    chance = theme.reference_line([{"fp_rate": 0, "tp_rate": 0}, {"fp_rate": 1, "tp_rate": 1}],
                                  x="tp_rate", y="fp_rate")  # fmt: skip
    return theme.finish(
        alt.layer(chance, _curves(x, y), _points(x, y, kinds)),
        description="Every run as a point: right answers accepted across, wrong ones downwards.",
    )


@cache
def precision_recall(share: float, kinds: bool) -> dict[str, Any]:
    """Recall across, precision upwards, lines of equal F, and the precision of chance."""
    x = alt.X("tp_rate:Q", title="recall", scale=UNIT)
    y = alt.Y("precision:Q", title="precision", scale=UNIT)
    curves = [
        {"level": f"F {level / 10:.1f}", "tp_rate": recall / 50, "precision": precision}
        for level in range(1, 10)
        for recall in range(1, 51)
        if 0 < (precision := _precision(level / 10, recall / 50)) <= 1
    ]
    lines = (
        alt.Chart(alt.InlineData(values=curves))
        .mark_line(color=theme.MUTED, strokeWidth=0.8, opacity=0.5, tooltip=False, aria=False)
        .encode(x=x, y=y, detail="level:N")
    )
    ends = [each for each in curves if each["tp_rate"] == 1]
    names = (
        alt.Chart(alt.InlineData(values=ends))
        .mark_text(align="right", dx=-3, dy=-5, fontSize=10, color=theme.MUTED, aria=False)
        .encode(x=x, y=y, text="level:N")
    )
    chance = theme.reference_line(
        [{"tp_rate": 0, "precision": share}, {"tp_rate": 1, "precision": share}],
        x="tp_rate", y="precision",
    )  # fmt: skip
    return theme.finish(
        alt.layer(lines, names, chance, _curves(x, y), _points(x, y, kinds)),
        description="Every run as a point: recall across, precision upwards, over lines of equal "
        "F; the dashed line is the precision of random validation.",
    )


def _precision(f: float, recall: float) -> float:
    """The precision that has this F at this recall: from F = 2pr / (p + r)."""
    below = 2 * recall - f
    return f * recall / below if below > 0 else 2.0


def _rates(collection: Collection) -> list[tuple[str, float, float, float]]:
    """Each run with its tp rate, fp rate and precision, where it has them."""
    counts, found = collection.start["counts"], []
    columns = (counts[name] for name in ("tp", "fp", "fn", "tn"))
    for run, tp, fp, fn, tn in zip(collection.names(), *columns, strict=True):
        if tp is not None and tp + fn and fp + tn:
            found.append((run, tp / (tp + fn), fp / (fp + tn), tp / (tp + fp) if tp + fp else 0.0))
    return found


def _how_to_read_roc(collection: Collection) -> str:
    reads = (
        "The best corner is the top left; on the dashed diagonal a run accepts right and wrong "
        "answers alike. A faint line is a run whose scores could be cut elsewhere."
    )
    rates = _rates(collection)
    if not rates:
        return reads
    run, tp, fp, _ = max(rates, key=lambda each: each[1] - each[2])
    return f"{reads} Furthest from chance is {run}: it accepts {percent(tp, 0)} of the right and " \
        f"{percent(fp, 0)} of the wrong answers."  # fmt: skip


def _how_to_read_precision(collection: Collection, share: float) -> str:
    above = sum(precision > share for *_, precision in _rates(collection))
    return (
        "The best corner is the top right; along a thin line F is the same. The dashed line is "
        f"random validation, whose precision is the share of right answers, {fixed(share, 2)}: "
        f"{above} of {len(collection.runs)} runs are above it."
    )


def _optimists(collection: Collection) -> str:
    """How many runs accept few wrong answers and yet more wrong than right ones."""
    runs = [run for run, _, fp, precision in _rates(collection) if fp < 0.2 and precision < 0.5]
    return f" This is so for {len(runs)} of {len(collection.runs)} runs here (fp rate under 0.2, " \
        "precision under a half)."  # fmt: skip
