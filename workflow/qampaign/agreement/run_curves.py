"""The ROC curves of runs that validate: beside `roc`, which the comparison of judges needs without
any measure."""

import numpy as np
import polars as pl

from qampaign.agreement.roc import CURVE, points, rates
from qampaign.measures.evidence import Evidence


def run_curves(evidence: Evidence) -> pl.DataFrame:
    """The curve of every run that gives a score for every item to validate, with the run's name.

    Empty where the evidence has no scores: no measure asked for them.
    """
    tables = [pl.DataFrame(schema={"run": pl.String, **CURVE})]
    if "score_order" in evidence.columns:
        scores, positive = (evidence.columns[name] for name in ("score_order", "positive"))
        for run, score, right in zip(evidence.runs["run"], scores, positive, strict=True):
            if not np.isnan(score).any():
                curve = rates(points(score, right.astype(bool)))
                tables.append(curve.select(pl.lit(run).alias("run"), pl.all()))
    return pl.concat(tables)
