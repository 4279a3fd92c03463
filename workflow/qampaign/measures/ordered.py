"""Measures that need an order over questions, on many question sets at once.

Questions of equal confidence form a group; whatever question set is drawn, only the number of its
questions and of its right ones in each group matter, and these are sums. So a run is sorted once,
and every question set costs as much as its groups.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qampaign.measures.declaration import Measure
from qampaign.measures.sums import Array


@dataclass(frozen=True)
class Groups:
    """Groups of equal confidence, highest first, by question set (rows) and group (columns)."""

    size: Array
    right: Array
    rest: Array
    """By question set, the number of questions outside the order: unanswered ones."""
    sure: Array
    """By question set, the number of those in it whose confidence is not 0."""

    @property
    def before(self) -> Array:
        """Questions in higher groups."""
        return np.cumsum(self.size, axis=1) - self.size

    @property
    def right_before(self) -> Array:
        """Right ones among them."""
        return np.cumsum(self.right, axis=1) - self.right


@dataclass(frozen=True)
class OrderedMeasure(Measure):
    """A measure over questions in the order of their confidence (or score).

    Its function takes :class:`Groups` and its arguments name three columns of evidence: by what to
    sort (NaN: not in the order), what is right, and 1 for every question.
    """

    def values(
        self,
        columns: Mapping[str, npt.NDArray[Any]],
        weights: npt.NDArray[Any],
        options: Mapping[str, Any],
    ) -> Array:
        """The value of every run (rows) on every question set (columns); NaN where it has none."""
        by, right = (columns[name].astype(np.float64) for name in self.columns)
        own = {name: value for name, value in options.items() if name in self.options}
        drawn = weights.astype(np.float64)
        rows = [self.function(group(by[n], right[n], drawn), **own) for n in range(len(by))]
        return np.array(rows).reshape(len(by), len(weights))

    def __call__(self, *sums: Any, **named: Any) -> Any:
        """The value for one run: its values by which to sort (None: none), and what is right."""
        by, right = (
            np.array([[np.nan if v is None else v for v in each]], dtype=float) for each in sums
        )
        columns = dict(zip(self.columns, (by, right), strict=True))
        value = float(self.values(columns, np.ones_like(by), named)[0, 0])
        return None if np.isnan(value) else value


def group(by: Array, right: Array, weights: Array) -> Groups:
    """The groups of one run, highest value first."""
    there = np.flatnonzero(~np.isnan(by))
    order = there[np.argsort(-by[there], kind="stable")]
    rest = weights.sum(axis=1) - weights[:, order].sum(axis=1)
    if not len(order):
        empty = np.zeros((len(weights), 0))
        return Groups(empty, empty, rest, np.zeros(len(weights)))
    value, chosen = by[order], weights[:, order]
    starts = np.flatnonzero(np.r_[True, value[1:] != value[:-1]])
    size = np.add.reduceat(chosen, starts, axis=1)
    found = np.add.reduceat(chosen * right[order], starts, axis=1)
    return Groups(size, found, rest, chosen[:, np.isfinite(value) & (value != 0)].sum(axis=1))


def harmonic(count: Array) -> Array:
    """1 + 1/2 + … + 1/n, for whole numbers n from 0."""
    top = int(count.max(initial=0))
    return np.r_[0.0, np.cumsum(1 / np.arange(1, top + 1))][count.astype(np.int64)]


def precision_sum(groups: Groups) -> Array:
    """The sum of C(i)/i over the order, each group averaged over the orders of its questions.

    In a random order of a group's g questions, c of them right, the first j hold c·j/g right ones
    on average. With m questions and C right ones before it, the group adds the sum over j of
    (C + c·j/g) / (m + j), which is C·h + (c/g)·(g − m·h) where h = H(m + g) − H(m).
    """
    before, size = groups.before, groups.size
    step = harmonic(before + size) - harmonic(before)
    share = np.divide(groups.right, size, out=np.zeros_like(size), where=size > 0)
    return (groups.right_before * step + share * (size - before * step)).sum(axis=1)
