"""The ROC curves of runs that validate: beside `roc`, which the comparison of judges needs without
any measure."""

import numpy as np
import polars as pl

from qampaign.agreement.roc import CURVE, points, rates, weighted_points
from qampaign.measures.evidence import Evidence
from qampaign.measures.sample_cells import BY_SAMPLE, entry_weights


def run_curves(evidence: Evidence) -> pl.DataFrame:
    """The curve of every run that gives a score for every item to validate, with the run's name.

    Empty where the evidence has no scores: no measure asked for them.
    """
    tables = [pl.DataFrame(schema={"run": pl.String, **CURVE})]
    if f"{BY_SAMPLE}score_order" in evidence.columns:
        return _curves_of_samples(evidence)
    if "score_order" in evidence.columns:
        scores, positive = (evidence.columns[name] for name in ("score_order", "positive"))
        for run, score, right in zip(evidence.runs["run"], scores, positive, strict=True):
            if not np.isnan(score).any():
                curve = rates(points(score, right.astype(bool)))
                tables.append(curve.select(pl.lit(run).alias("run"), pl.all()))
    return pl.concat(tables)


def _curves_of_samples(evidence: Evidence) -> pl.DataFrame:
    """The same where runs have samples of an item: each counts for its share of the item."""
    counted = dict.fromkeys(("tp", "fp"), pl.Float64)
    tables = [pl.DataFrame(schema={"run": pl.String, **CURVE, **counted})]
    names = (f"{BY_SAMPLE}{name}" for name in ("score_order", "positive"))
    scores, positive = (evidence.columns[name] for name in names)
    weights = entry_weights(evidence.columns)
    rows = zip(evidence.runs["run"], scores, positive, weights, strict=True)
    for run, score, right, weight in rows:
        there = ~np.isnan(score)
        if there.any(axis=1).all():  # a run without a score somewhere has none at all
            shares = np.broadcast_to(weight[:, None], score.shape)[there]
            curve = rates(weighted_points(score[there], right[there] == 1, shares))
            tables.append(curve.select(pl.lit(run).alias("run"), pl.all()))
    return pl.concat(tables)
