"""Measures of how right answers are, where a judge says so: by a number from 0 to 1, the degree.

References: Rajpurkar et al. (2016), SQuAD, whose F1 is the mean over questions of the F1 of words,
with the accepted answer that fits best: the degree of the judge `exact`.
"""

import numpy as np
import polars as pl

from qampaign.arrays import Number, Numbers
from qampaign.measures.cells import Cells
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import evidence


@evidence(last_rank=1)
def degree(cells: Cells) -> Numbers:
    """How right the first answer is; 0 where there is none. NIL is right or wrong, 1 or 0."""
    if not cells.degrees:
        return np.full(cells.shape, np.nan)
    said = cells.judgments["degree"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    decided = np.isnan(said) | cells.judgments["nil"].to_numpy()
    return cells.total(np.where(decided, cells.right, said), cells.first & cells.given)


@measure(
    label="mean score",
    citation="Rajpurkar et al. 2016",
    mean=True,
)
def mean_score(degree: Number, questions: Number) -> Number:
    """The mean degree of the first answers, 0 where unanswered; by the judge exact, SQuAD's F1.

    Not available by a judge that says what is right, but not how right it is. Three questions: all
    of the key's two words and two more, 2 · 2 / (2 + 4); the key itself; none of its words.

    >>> round(mean_score(degree=2 / 3 + 1 + 0, questions=3), 6)
    0.555556
    """
    return degree / questions
