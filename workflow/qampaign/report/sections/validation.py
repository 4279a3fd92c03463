"""Validating answers: ROC space and the plane of precision and recall.

The second pair has the orientation of Rodrigo, Peñas & Verdejo, Figures 2 and 3: recall (which is
the tp rate) across in both, and the best corner at the top right in both, so that a run stands at
the same place across and the two can be compared.
"""

from typing import Any

import polars as pl

from qampaign.report.charts import validation as charts
from qampaign.report.collection import Collection
from qampaign.report.parts import Chart, Section, fixed, percent

MOST_STEPS = 100
"""A curve of a chart has at most so many points in each direction."""


def section(collection: Collection) -> Section | None:
    counts = collection.start["counts"]
    if collection.task != "validation" or "tp" not in counts:
        return None
    kinds = collection.kinds()
    share = _share_right(counts)
    curves = thin(collection.table("roc", judge=collection.reference))
    shared: dict[str, Any] = {"half": True, "uses": ("runs", "roc"), "data": {"roc": curves}}
    parts = [
        Chart(
            "precision_recall",
            "Precision against recall",
            charts.precision_recall(share, kinds),
            _how_to_read_precision(collection, share),
            **shared,
        ),
        Chart(
            "roc_turned",
            "ROC space, best corner top right",
            charts.roc_turned(kinds),
            "ROC space, turned so that both axes read as in the plane beside it: a run that "
            "looks good here and poor there accepts few of the "
            "wrong answers, but more wrong ones than right ones." + _optimists(collection),
            **shared,
        ),
        Chart("roc", "ROC space", charts.roc_space(kinds), _how_to_read_roc(collection), **shared),
    ]
    return Section("validation", "Which answers are believed?", parts)


def thin(curves: pl.DataFrame) -> pl.DataFrame:
    """Curves without the points that no eye tells apart; their ends stay."""
    step = [(pl.col(name) * MOST_STEPS).round() for name in ("tp_rate", "fp_rate")]
    place, last = pl.col("place"), pl.col("place").max().over("run")
    return (
        curves.select("run", "threshold", "tp_rate", "fp_rate", "precision")
        .with_columns(place=pl.int_range(pl.len()).over("run"), tp=step[0], fp=step[1])
        .filter((place == place.min().over("run", "tp", "fp")) | (place == last))
        .drop("place", "tp", "fp")
    )


def _share_right(counts: Any) -> float:
    """What a random validation has as precision: the share of items that are right."""
    for tp, fn, asked in zip(counts["tp"], counts["fn"], counts["questions"], strict=True):
        if asked and tp is not None:
            return float((tp + fn) / asked)
    return 0.0


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
    return (
        f"{reads} Furthest from chance is {run}: it accepts {percent(tp, 0)} of the right and "
        f"{percent(fp, 0)} of the wrong answers."
    )


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
    return (
        f" This is so for {len(runs)} of {len(collection.runs)} runs here (fp rate under 0.2, "
        "precision under a half)."
    )
