"""What a question is worth: do the runs that are better elsewhere get it right more often?"""

import numpy as np

from qampaign.arrays import Array, Numbers

FEWEST_RUNS = 3
"""With fewer runs a correlation is always −1, 0 or 1."""
BLOCK = 2**17
"""How many numbers are held at once: few enough that a product stays on one core, in its cache."""
SMALL = 1e-6
"""What is below it is nothing but rounding."""


def item_rest(right: Numbers) -> Array:
    """Pearson's correlation of each question with the runs' totals over the other questions.

    `right` says by run and question how right it is. NaN where either is the same for all runs, and
    with fewer than three runs. It is Lord & Novick's (1968, ch. 15) item-rest correlation: an item
    is not compared with a total that it is a part of.

    Three runs have 2, 1 and 0 of the first two questions right, and the third has the last. Of the
    last: 0, 0, 1 against 2, 1, 0, so −1 / √(2/3 · 2) = −0.866. Of the second: the rest is 1 for
    all.

    >>> right = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]])
    >>> item_rest(right).round(3)
    array([-0.5  ,    nan, -0.866])
    """
    runs, questions = right.shape
    if runs < FEWEST_RUNS:
        return np.full(questions, np.nan)
    total = right.sum(axis=1, dtype=np.float64)
    correlations = np.empty(questions)
    step = max(BLOCK // runs, 1)
    for first in range(0, questions, step):
        block = right[:, first : first + step].astype(np.float64)
        ours, squares, shared = block.sum(axis=0), (block * block).sum(axis=0), total @ block
        rest = total.sum() - ours
        # runs² times each variance and the covariance, from sums: whole numbers are exact in them
        of_ours = runs * squares - ours**2
        of_rest = runs * (total @ total - 2 * shared + squares) - rest**2
        both = runs * (shared - squares) - ours * rest
        constant = (of_ours < SMALL) | (of_rest < SMALL)
        correlations[first : first + step] = np.where(
            constant, np.nan, both / np.sqrt(np.where(constant, 1.0, of_ours * of_rest))
        )
    rounded: Array = np.clip(correlations, -1.0, 1.0).round(12)
    return rounded
