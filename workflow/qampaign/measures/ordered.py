"""Measures that need an order over questions, on many question sets at once.

Questions of equal confidence form a group; whatever question set is drawn, only the number of its
questions and of its right ones in each group matter. So a run is sorted once, and every question
set is one walk down that order.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qampaign.arrays import Array, Flags, Numbers, harmonic
from qampaign.measures.declaration import Measure
from qampaign.measures.sample_cells import SAMPLES, entry_weights
from qampaign.options import Options


@dataclass(frozen=True)
class OrderWalk:
    """What a walk down the order of a run finds, by question set."""

    answered: Array
    """Questions in the order."""
    right: Array
    """Right ones among them."""
    rest: Array
    """Questions outside the order: unanswered ones."""
    sure: Array
    """Questions in the order whose confidence is neither 0 nor absent."""
    precision: Array
    """The sum of C(i)/i over the order; each group averaged over the orders of its questions."""
    won: Array
    """Pairs of a right and a wrong question in which the right one is higher; half where equal."""
    beyond: Array
    """The sum of 1/i over the places after the order, which unanswered questions have."""


@dataclass(frozen=True)
class OrderedMeasure(Measure):
    """A measure over questions in the order of their confidence (or score).

    Its function takes an :class:`OrderWalk`; its two columns of evidence are by what to sort (NaN:
    not in the order) and what is right.
    """

    def _call_signature(self) -> inspect.Signature:
        """What it is called with: what to sort by, what is right, and its options."""
        plain = (
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in self.columns
        )
        parameters = inspect.signature(self.function).parameters.values()
        options = [
            parameter for parameter in parameters if parameter.kind == parameter.KEYWORD_ONLY
        ]
        return inspect.Signature([*plain, *options])

    def values(self, columns: Mapping[str, Numbers], weights: Numbers, options: Options) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        if SAMPLES in columns:
            walks = self.weighted(columns, weights.astype(np.float64), [])
            return self.of_walks(walks, options).reshape(-1, len(weights))
        by, right = (columns[name].astype(np.float64) for name in self.columns)
        counts = weights.astype(np.min_scalar_type(int(weights.max(initial=0))), copy=False)
        totals = weights.sum(axis=1, dtype=np.int64)
        sums = harmonic(np.arange(totals.max(initial=0) + 1))
        walks = [walk(by[n], right[n], counts, totals, sums) for n in range(len(by))]
        return self.of_walks(walks, options).reshape(-1, len(weights))

    def weighted(
        self,
        columns: Mapping[str, Numbers],
        weights: Array,
        entries: Sequence[tuple[float, float, Array]],
    ) -> list[OrderWalk]:
        """Walks of every run over questions that count as much as their weights say.

        `weights` by draw and question may be any numbers from 0. `entries` are further questions:
        by what to sort them, whether they are right, and their weight by draw. Where runs have
        samples, columns are by run, question and sample: each sample is an entry of the order whose
        weight is that of its question by their number.
        """
        by, right = (columns[name].astype(np.float64) for name in self.columns)
        more = np.array([entry[:2] for entry in entries], dtype=float).reshape(-1, 2).T
        everything = np.vstack([weights.T, *(entry[2] for entry in entries)])
        totals = everything.sum(axis=0)
        sampled = SAMPLES in columns
        questions, most = by.shape[1], by.shape[2] if sampled else 1
        shares = entry_weights(columns) if sampled else np.ones((len(by), questions))
        further = questions + np.arange(len(entries))
        question = np.r_[np.repeat(np.arange(questions), most), further]
        return [
            walk_weighted(
                np.r_[values.ravel(), more[0]],
                np.r_[rights.ravel(), more[1]],
                question,
                np.r_[np.repeat(entry_shares, most), np.ones(len(entries))],
                everything,
                totals,
            )
            for values, rights, entry_shares in zip(by, right, shares, strict=True)
        ]

    def of_walks(self, walks: Sequence[OrderWalk], options: Options) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        formula_options = self.for_formula(options)
        return np.array([self.function(order_walk, **formula_options) for order_walk in walks])

    def exchanged(
        self, columns: Mapping[str, Numbers], coins: Numbers, options: Options
    ) -> tuple[Array, Array]:
        """The values of both runs of every pair (rows) after every exchange (columns).

        A row of a column has the questions of the first run, then those of the second; `coins` are
        by question and exchange: 1 where the two exchange what they gave.
        """
        by, right = (columns[name].astype(np.float64) for name in self.columns)
        formula_options = self.for_formula(options)
        values = np.empty((2, len(by), coins.shape[1]))
        for pair in range(len(by)):
            for run, order_walk in enumerate(walk_exchanged(by[pair], right[pair], coins)):
                values[run, pair] = self.function(order_walk, **formula_options)
        return values[0], values[1]

    def __call__(self, *sums: Any, **named: Any) -> Any:
        """The value for one run: its values by which to sort (None: none), and what is right."""
        by, right = (
            np.array([[np.nan if v is None else v for v in numbers]], dtype=float)
            for numbers in sums
        )
        columns = dict(zip(self.columns, (by, right), strict=True))
        value = float(self.values(columns, np.ones_like(by), named)[0, 0])
        return None if np.isnan(value) else value


def walk(
    by: Array, right: Array, weights: Numbers, totals: npt.NDArray[np.int64], sums: Array
) -> OrderWalk:
    """Walk down the order of one run, highest value first, for every question set.

    `totals` are the numbers of their questions, and `sums` the sums 1 + 1/2 + … up to the largest.
    """
    from qampaign.measures.order_walk import walk_orders

    order, group, sure = _order(by)
    walked = np.zeros((5, len(weights)))
    walk_orders(order, group, right[order], sure, weights, sums, walked)
    answered, rights, sures, precision, won = walked
    beyond = sums[totals] - sums[answered.astype(np.int64)]
    return OrderWalk(answered, rights, totals - answered, sures, precision, won, beyond)


def walk_weighted(
    by: Array,
    right: Array,
    question: npt.NDArray[np.intp],
    share: Array,
    weights: Array,
    totals: Array,
) -> OrderWalk:
    """Walk down the order of one run for every draw of weights, which need not be whole.

    `question` says of which question an entry is, and `share` how much of that question's weight it
    has; `weights` are by question and draw, and `totals` their sums. 1 + 1/2 + … + 1/n goes over to
    the function that has these values at whole numbers.
    """
    from qampaign.measures.order_walk import walk_weighted_orders

    order, group, sure = _order(by)
    walked = np.zeros((6, weights.shape[1]))
    walk_weighted_orders(
        question[order], share[order], group, right[order], sure, weights, totals, walked
    )
    answered, rights, sures, precision, won, beyond = walked
    return OrderWalk(answered, rights, totals - answered, sures, precision, won, beyond)


def walk_exchanged(by: Array, right: Array, coins: Numbers) -> tuple[OrderWalk, OrderWalk]:
    """Walk down the orders of two runs, whose questions follow each other, after every exchange.

    The same as :func:`walk` with those entries that each run then has, and all values sure.
    """
    from qampaign.measures.exchanged_orders import walk_exchanged_orders

    questions, number = coins.shape
    sums = harmonic(np.arange(questions + 1))
    order, group, _ = _order(by)
    ends = np.flatnonzero(np.diff(group[: len(order)], append=-1)) + 1
    walked = np.zeros((2, 4, number))
    walk_exchanged_orders(
        order % questions, order >= questions, ends, right[order], coins, sums, walked
    )
    walks = []
    for answered, rights, precision, won in walked:
        beyond = sums[questions] - sums[answered.astype(np.int64)]
        rest = questions - answered
        walks.append(OrderWalk(answered, rights, rest, answered, precision, won, beyond))
    return walks[0], walks[1]


def _order(by: Array) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Flags]:
    """The questions by falling value, the number of each one's value, and whether that is sure."""
    there = np.flatnonzero(~np.isnan(by))
    order = there[np.argsort(-by[there])]  # any order among equals: they are counted together
    value = by[order]
    group = np.cumsum(np.r_[False, value[1:] != value[:-1]])
    return order, group, np.isfinite(value) & (value != 0)
