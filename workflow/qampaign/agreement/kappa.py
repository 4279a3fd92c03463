"""Cohen's kappa: agreement of two judges beyond what chance would give them, with an interval."""

import numpy as np

from qampaign.arrays import Array, ratio

NORMAL_975 = 1.959963984540054
"""The 97.5% point of the normal distribution, for intervals of 95%."""


def kappa(tables: Array) -> tuple[Array, Array, Array]:
    """Kappa of tables of counts (the last two dimensions), and the ends of its 95% interval.

    Rows are what one judge says, columns the other. With p the shares of the cells, r and c those
    of the rows and columns, o = Σ p_ii and e = Σ r_i c_i, kappa is (o − e) / (1 − e). The interval
    is kappa ± 1.96 standard errors, within [−1, 1], by the large-sample variance of Fleiss, Cohen &
    Everitt (1969):

        n (1 − e)⁴ var = Σ p_ii ((1 − e) − (r_i + c_i)(1 − o))²
                         + (1 − o)² Σ_{i≠j} p_ij (c_i + r_j)² − (o e − 2e + o)²

    NaN where nothing is counted or both judges say one and the same thing always.

    >>> [round(float(each), 4) for each in kappa(np.array([[20.0, 5], [10, 15]]))]
    [0.4, 0.1511, 0.6489]
    """
    counts = np.ascontiguousarray(np.moveaxis(tables, (-2, -1), (0, 1)))  # the many come last
    size = np.asarray(counts.sum(axis=(0, 1)))
    shares = ratio(counts, np.broadcast_to(size, counts.shape))
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    kinds = range(len(shares))
    observed = np.asarray(sum(shares[i, i] for i in kinds))
    expected = (rows * columns).sum(axis=0)
    doubt = np.asarray(1 - expected)
    doubt = np.where(doubt < 1e-12, 0.0, doubt)
    value = np.asarray(ratio(observed - expected, doubt))
    missed = 1 - observed
    spread = (
        sum(shares[i, i] * (doubt - (rows[i] + columns[i]) * missed) ** 2 for i in kinds)
        + missed**2
        * sum(shares[i, j] * (columns[i] + rows[j]) ** 2 for i in kinds for j in kinds if i != j)
        - (observed * expected - 2 * expected + observed) ** 2
    )
    spread = np.where(spread < 1e-14, 0.0, spread)  # nothing but rounding
    error = np.sqrt(ratio(spread, np.asarray(size * doubt**4)))
    low, high = (np.clip(value + side * NORMAL_975 * error, -1, 1) for side in (-1, 1))
    return value, low, high
