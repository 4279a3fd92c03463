"""How wide the interval of a corrected accuracy will be, before the labels are there.

The interval comes from weights drawn at random (:mod:`qampaign.studies.rectification`). To first
order its spread is the sum of what each unit moves the corrected value by: squared and summed over
the units, with the two pseudo-labels, it is the variance. What people will say of an answer is
taken from how often they have agreed with such a verdict of the judge so far.
"""

from dataclasses import dataclass

import numpy as np

from qampaign.arrays import Array, Flags, ratio
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import PSEUDO

WIDE = 2 * 1.959964
"""The width of a 95% interval in standard errors."""


@dataclass(frozen=True)
class FirstAnswers:
    """What is known of the first answers, by run (rows) and question."""

    judge: Array
    """The share of a run's samples that the judge accepts; 0 where there is no answer."""
    people: Array
    """The share that people accept, or would accept as far as one can tell."""
    doubt: Array
    """The variance of what people will say; 0 where it is known."""
    open: Flags
    """Somebody has answered it, and nobody has assessed that."""
    labelled: Flags
    """People have assessed it. What is neither is not answered, or NIL, and needs no label."""
    weights: Array
    """How much each question counts, on average 1."""
    units: Units


def expected_widths(answers: FirstAnswers, chances: Array) -> Array:
    """The width of each run's interval, if open answers are labelled with these chances.

    100 questions, all labelled, half of them right, by a judge that is never wrong. With the
    pseudo-labels λ = (50 / 101.33 - 0.25) / 0.25 = 0.9737, and people's mean less λ times the
    judge's is 0.0132. A question moves the value by 0.0132 / 101.33 + 0.9737 * 0.5 / 100 = 0.0050,
    up or down, a pseudo-label by 0.9868 / 101.33: the variance is 100 * 0.0050² + 2 * 2/3 *
    0.00974² = 0.002625, and 3.92 times its root 0.2008.

    >>> import polars as pl
    >>> right = np.repeat([[1.0, 0.0]], 50, axis=1).reshape(1, -1)
    >>> no = np.zeros((1, 100))
    >>> units = Units(pl.Series([f"q{n}" for n in range(100)]), np.arange(100))
    >>> answers = FirstAnswers(right, right, no, no > 0, no == 0, np.ones(100), units)
    >>> expected_widths(answers, no).round(4)
    array([0.2008])
    """
    weights = answers.weights
    judge, people = answers.judge * weights, answers.people * weights
    questions = judge.shape[1]
    chosen = np.where(answers.open, chances, 1.0)
    left = 1 - chosen
    # a label counts by the inverse of its chance, on average 1
    labelled = chosen.sum(axis=1, keepdims=True)
    counts = labelled / questions / chosen
    inside, outside = (_weighted_mean(judge, share) for share in (chosen, left))
    size = _labelled_by_unit(answers.units, chosen)
    total = labelled + 2 * PSEUDO * size

    def mean(column: Array, pseudo: int) -> Array:
        summed = (chosen * counts * column).sum(axis=1, keepdims=True)
        return (summed + pseudo * PSEUDO * size) / total

    of_people, of_judge = mean(people, 1), mean(judge, 1)
    spread = mean(judge**2, 1) - of_judge**2
    together = mean(judge * people, 0) - of_people * of_judge
    slope = np.clip(np.nan_to_num(ratio(together, spread)), 0, 1)
    level = of_people - slope * of_judge
    # the accuracy is by the questions' weights, which vary with the draws, too
    value = people.mean(axis=1, keepdims=True)
    by_weight = [value * (weights - _weighted_mean(weights + 0 * judge, s)) for s in (chosen, left)]
    moved = counts * (people - slope * judge - level) / total
    if_chosen = moved + (slope * (judge - inside) - by_weight[0]) / questions
    if_left = (slope * (judge - outside) - by_weight[1]) / questions
    noise = answers.doubt * (weights * counts / total) ** 2
    expected = chosen * if_chosen + left * if_left
    squares = chosen * (if_chosen**2 + noise) + left * if_left**2
    variance = (squares - expected**2).sum(axis=1) + (answers.units.add_up(expected) ** 2).sum(
        axis=1
    )
    pseudo = PSEUDO * (size / total) ** 2 * ((1 - level) ** 2 + (slope + level) ** 2)
    width: Array = np.minimum(WIDE * np.sqrt(variance + pseudo[:, 0]), 1)
    return width


def _weighted_mean(column: Array, weights: Array) -> Array:
    """The mean of each row; 0 where nothing counts."""
    summed, total = (terms.sum(axis=1, keepdims=True) for terms in (column * weights, weights))
    return np.divide(summed, total, out=np.zeros_like(summed), where=total > 1e-12)


def _labelled_by_unit(units: Units, chosen: Array) -> Array:
    """How many labelled questions a unit with any has on average, by run: a pseudo-unit's size."""
    if not units.grouped:
        return np.ones((len(chosen), 1))
    none = np.exp(units.add_up(np.log(np.maximum(1 - chosen, 1e-300))))
    return chosen.sum(axis=1, keepdims=True) / (1 - none).sum(axis=1, keepdims=True)
