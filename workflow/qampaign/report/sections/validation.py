"""Validating answers: ROC space and the plane of precision and recall.

ROC space can be turned into the orientation of Rodrigo, Peñas & Verdejo, Figures 2 and 3: recall
(which is the tp rate) across in both charts, and the best corner at the top right in both, so that
a run is at the same place across and the two can be compared. The area under a single point is
their Figure 1.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from qampaign.ranking import SAME
from qampaign.report.blocks import Chart, Reading, Section
from qampaign.report.charts import validation as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.sections.counted import counted_alike
from qampaign.report.text import fixed, highest, is_or_are, named, out_of, percent
from qampaign.report.views import Numbers

MOST_STEPS = 100
"""A curve of a chart has at most so many points in each direction."""


def section(collection: CollectionResults) -> Section | None:
    counts = collection.start["counts"]
    if collection.task != "validation" or "tp" not in counts:
        return None
    right, wrong = _items(counts)
    if not right and not wrong:
        return None
    calls = ""
    if not right:
        calls = "calls no item right, so that no run has a recall or an AUC."
    elif not wrong:
        calls = "calls no item wrong, so that no run has an fp rate or an AUC."
    sentences = [f"{collection.reference} {calls}"] if calls else []
    charted = _charts(collection) if right else []
    return Section("validation", "Which answers are accepted?", charted, sentences)


def _charts(collection: CollectionResults) -> list[Chart]:
    """Precision against recall, and where items are wrong, too, ROC space."""
    right, wrong = _items(collection.start["counts"])
    kinds, share = collection.kinds(), right / (right + wrong)
    curves = thin(collection.table("roc", judge=collection.reference))
    shared: dict[str, Any] = {"half": True, "uses": ("runs", "roc"), "data": {"roc": curves}}
    precision = Chart(
        "precision_recall",
        "Precision against recall",
        charts.precision_recall(share, kinds),
        _caption_of_precision(collection, share),
        **shared,
    )
    if not wrong:
        return [precision]
    roc = Chart(
        "roc",
        "ROC space",
        charts.roc_space(kinds),
        _caption_of_roc(collection, curves=not curves.is_empty()),
        other=("best corner top left", "best corner top right", charts.roc_turned(kinds)),
        **shared,
    )
    return [precision, roc]


def thin(curves: pl.DataFrame) -> pl.DataFrame:
    """Curves without points that cannot be told apart by eye; their ends stay."""
    step = [(pl.col(name) * MOST_STEPS).round() for name in ("tp_rate", "fp_rate")]
    index, last = pl.col("index"), pl.col("index").max().over("run")
    return (
        curves.select("run", "threshold", "tp_rate", "fp_rate", "precision")
        .with_columns(index=pl.int_range(pl.len()).over("run"), tp=step[0], fp=step[1])
        .filter((index == index.min().over("run", "tp", "fp")) | (index == last))
        .drop("index", "tp", "fp")
    )


def _items(counts: Mapping[str, Numbers]) -> tuple[float, float]:
    """How many items are right and how many are wrong, by the counts of any run."""
    cells = zip(*(counts[name] for name in ("tp", "fp", "fn", "tn")), strict=True)
    for tp, fp, fn, tn in cells:
        if tp is not None and fp is not None and fn is not None and tn is not None:
            return tp + fn, fp + tn
    return 0.0, 0.0


@dataclass(frozen=True)
class Rates:
    """What a run accepts; no precision where it accepts nothing."""

    run: str
    tp: float
    fp: float
    precision: float | None


def _rates(collection: CollectionResults) -> list[Rates]:
    """The rates of the submitted runs."""
    counts, rates = collection.start["counts"], []
    submitted = set(collection.submitted)
    columns = (counts[name] for name in ("tp", "fp", "fn", "tn"))
    for run, *cells in zip(collection.names(), *columns, strict=True):
        tp, fp, fn, tn = (count or 0 for count in cells)
        if run in submitted and tp + fn:
            precision = tp / (tp + fp) if tp + fp else None
            fp_rate = fp / (fp + tn) if fp + tn else 0.0
            rates.append(Rates(run, tp / (tp + fn), fp_rate, precision))
    return rates


def _caption_of_roc(collection: CollectionResults, *, curves: bool) -> Reading:
    """Who accepts right rather than wrong answers, and how many accept more wrong than right."""
    caption = (
        "On the dashed diagonal, a run accepts right and wrong answers alike. With the best corner "
        "at the top right, both axes point as in the chart beside it: a run that looks good "
        "here and poor there accepts few of the wrong answers, but more wrong answers than right "
        "ones. The shaded area lies under a run's one point, joined to both ends of the diagonal: "
        "its AUC as a point, of the first run or of those picked."
    )
    if curves:
        caption += " A faint line shows what other thresholds on a run's scores would give."
    rates = {row.run: row for row in _rates(collection)}
    if not rates:
        return Reading(caption)
    accepting = [row for row in rates.values() if row.precision is not None]
    few = sum(row.fp < 0.2 and (row.precision or 0) < 0.5 for row in accepting)
    more = ""
    if accepting:
        more = (
            " With an fp rate below 0.2 and a precision below 0.5, that holds for "
            f"{out_of(few, len(rates), 'submitted run')}.{_accepting_nothing(rates.values())}"
        )
    more += counted_alike(collection)
    above, runs = highest({name: row.tp - row.fp for name, row in rates.items()})
    if above < SAME:
        return Reading(caption + more, "No submitted run lies above the diagonal.")
    if len(runs) > 1:
        return Reading(caption + more, f"{named(runs, 'run')} lie furthest above the diagonal.")
    row = rates[runs[0]]
    furthest = "furthest " if len(rates) > 1 else ""
    return Reading(
        caption + more,
        f"{row.run} lies {furthest}above the diagonal: it accepts "
        f"{percent(row.tp, 0)} of the right and {percent(row.fp, 0)} of the wrong answers.",
    )


def _caption_of_precision(collection: CollectionResults, share: float) -> Reading:
    caption = (
        "The best corner is the top right; along a thin line, F is the same. The dashed line is "
        "random validation, whose precision is, in expectation, the share of right answers, "
        f"{fixed(share, 2)}.{counted_alike(collection)}"
    )
    rates = _rates(collection)
    nothing = _accepting_nothing(rates).strip()
    known = [row.precision for row in rates if row.precision is not None]
    if not known:
        return Reading(caption, nothing)
    above = sum(precision > share + SAME for precision in known)
    who = out_of(above, len(rates), "submitted run")
    verb = is_or_are(above, len(rates))
    finding = f"{who[0].upper()}{who[1:]} {verb} more precise than random validation. {nothing}"
    return Reading(caption, finding.strip())


def _accepting_nothing(rates: Collection[Rates]) -> str:
    """Which of these runs have no precision, since they accept nothing; after a space."""
    names = [row.run for row in rates if row.precision is None]
    if not names:
        return ""
    has = "has" if len(names) == 1 else "have"
    return f" No item is accepted by {named(names, 'run')}, which {has} no precision."
