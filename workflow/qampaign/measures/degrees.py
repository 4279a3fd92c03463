"""Measures of how right and how concise answers are, where a judge says so.

How right is a number from 0 to 1, the degree; how concise is the precision: the share of the
answer's words that are those of the accepted answer that fits best.

References: Breck et al. (2000), section 5.1.1, for conciseness; Rajpurkar et al. (2016), SQuAD,
whose F1 is the mean over questions of the F1 of words, with the accepted answer that fits best: the
degree of the judge `exact`.
"""

import numpy as np
import polars as pl

from qampaign.arrays import Number, Numbers, ratio
from qampaign.measures.cells import Cells
from qampaign.measures.declaration import measure
from qampaign.measures.evidence import evidence


@evidence(last_rank=1)
def degree(cells: Cells) -> Numbers:
    """How right the first answer is; 0 where there is none. NIL is right or wrong, 1 or 0."""
    if not cells.degrees:
        return np.full(cells.shape, np.nan)
    graded = cells.judgments["degree"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    decided = np.isnan(graded) | cells.judgments["nil"].to_numpy()
    return cells.total(np.where(decided, cells.right, graded), cells.first & cells.given)


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


@evidence(last_rank=1)
def precision_shown(cells: Cells) -> Numbers:
    """The precision of the first answer, 0 where it has none."""
    return cells.total(np.nan_to_num(_precision(cells)), cells.first & cells.given)


@evidence(last_rank=1)
def with_precision(cells: Cells) -> Numbers:
    """Whether the first answer has a precision."""
    return cells.count(cells.first & cells.given & ~np.isnan(_precision(cells)))


def _precision(cells: Cells) -> Numbers:
    """By judgment; NaN where there is none: NIL, and what a judge does not compare with words."""
    if "precision" not in cells.judgments.columns:
        return np.full(cells.judgments.height, np.nan)
    precision = cells.judgments["precision"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    return np.where(cells.judgments["nil"].to_numpy(), np.nan, precision)


@measure(
    label="conciseness",
    citation="Breck et al. 2000, 5.1.1",
    best={"precision_shown": 1, "with_precision": 1},
    worst={"with_precision": 1},
)
def conciseness(precision_shown: Number, with_precision: Number) -> Number:
    """The mean precision of the first answers: the share of their words that are the key's.

    It stands beside verdicts: a concise answer may be wrong. Not available by a judge that compares
    no words, nor where nothing is answered. Two answers, `Paris` and `It is Paris, I think`, of
    whose content words one of one and one of two are the key's:

    >>> conciseness(precision_shown=1 + 0.5, with_precision=2)
    0.75
    """
    return ratio(precision_shown, with_precision)
