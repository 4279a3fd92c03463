"""The threshold of a judge by which its ranking of the runs is nearest to the reference's.

Runs are ranked by their right first answers. A threshold that is best on some answers is not so
good on others; so it is also cross-fitted: chosen on the units of four fifths, and applied to the
last.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from qampaign.agreement.roc import above
from qampaign.arrays import Array
from qampaign.judging.judgments import keys_of
from qampaign.ranking import Order

FOLDS = 5
MOST = 200
"""At most so many thresholds are tried, evenly spread over the degrees that first answers have."""
CRITERIA = ("agrees best", "ranks best")


@dataclass(frozen=True)
class Chosen:
    """What choosing a threshold gives."""

    threshold: float | None
    """None: accepting all that have a degree."""
    tau: float | None
    cross_fitted_agreement: float | None
    """None, as is the next, for a single unit: there are no others to choose a threshold on."""
    cross_fitted_tau: float | None


class RankedAcceptance:
    """What is accepted, by fold of units, run and threshold."""

    def __init__(self, pairs: pl.DataFrame, placed: Array) -> None:
        """`placed` are degrees, infinite where a verdict stands whatever the threshold."""
        names = keys_of(pairs)
        first = (pairs["rank"] == 1).to_numpy()
        weight = np.ones(pairs.height)
        if "sample" in names:
            many = pairs.with_columns(first=pl.Series(first)).select(
                pl.col("first").sum().over("run", "question")
            )
            weight = 1 / np.maximum(many.to_series().to_numpy(), 1)
        self.right = pairs["right"].to_numpy()
        self.placed = placed
        seen = np.unique(placed[first & np.isfinite(placed)])
        if len(seen) > MOST:
            seen = seen[np.linspace(0, len(seen) - 1, MOST).round().astype(np.int64)]
        self.thresholds = np.concatenate([[-np.inf], seen])
        unit = pairs["unit"].to_numpy()
        units = np.unique(unit)
        # in an order that has nothing to do with that of the questions
        order = np.argsort((units.astype(np.uint64) + 1) * np.uint64(0x9E3779B97F4A7C15))
        fold = np.empty(len(units), dtype=np.int64)
        fold[order] = np.arange(len(units)) % FOLDS
        self.has_others = len(units) > 1
        self.fold = fold[np.searchsorted(units, unit)]
        run = pairs["run"].to_physical().to_numpy()
        runs = np.unique(run)
        self.run, self.first, self.weight = np.searchsorted(runs, run), first, weight
        self.runs = len(runs)
        self.accepted = np.zeros((FOLDS, len(self.thresholds), self.runs))
        self.agreed = np.zeros((FOLDS, len(self.thresholds)))
        self.correct = np.zeros((FOLDS, self.runs))
        for number in range(FOLDS):
            here = self.fold == number
            self._count(number, here)

    def _count(self, number: int, here: Array) -> None:
        good, bad = (np.sort(self.placed[here & of]) for of in (self.right, ~self.right))
        refused = len(bad) - above(bad, self.thresholds)
        self.agreed[number] = above(good, self.thresholds) + refused
        shown = here & self.first
        slot = np.searchsorted(self.thresholds, self.placed[shown], side="left")
        counts = np.zeros((len(self.thresholds) + 1, self.runs))
        np.add.at(counts, (slot, self.run[shown]), self.weight[shown])
        self.accepted[number] = counts[::-1].cumsum(axis=0)[::-1][1:]
        rights = shown & self.right
        np.add.at(self.correct[number], self.run[rights], self.weight[rights])

    def tau_at(self, threshold: float | None) -> float | None:
        """Tau at a threshold, whether or not it is among those that are tried."""
        bound = -np.inf if threshold is None else threshold
        counts = np.zeros(self.runs)
        shown = self.first & (self.placed > bound)
        np.add.at(counts, self.run[shown], self.weight[shown])
        return _known(self._taus(counts[None], self.correct.sum(axis=0))[0])

    def choose(self, criterion: str) -> Chosen:
        """The threshold that is best by a criterion, and what comes out where it was not chosen."""
        every = np.ones(FOLDS, dtype=bool)
        best = self._best(criterion, every)
        accepted, agreed = np.zeros(self.runs), 0.0
        for number in range(FOLDS):
            rest = every.copy()
            rest[number] = False
            chosen = self._best(criterion, rest)
            accepted += self.accepted[number, chosen]
            agreed += self.agreed[number, chosen]
        threshold = float(self.thresholds[best])
        correct = self.correct.sum(axis=0)
        return Chosen(
            threshold if np.isfinite(threshold) else None,
            _known(self._taus(self.accepted[:, best].sum(axis=0)[None], correct)[0]),
            agreed / len(self.placed) if self.has_others else None,
            _known(self._taus(accepted[None], correct)[0]) if self.has_others else None,
        )

    def _best(self, criterion: str, folds: Array) -> int:
        """The first of the best thresholds on some folds; of equal taus, that which agrees best."""
        agreed = self.agreed[folds].sum(axis=0)
        if criterion == "agrees best":
            return int(np.argmax(agreed))
        taus = self._taus(self.accepted[folds].sum(axis=0), self.correct[folds].sum(axis=0))
        taus = np.where(np.isnan(taus), -2.0, taus)
        return int(np.argmax(np.where(taus >= taus.max() - 1e-9, agreed, -1.0)))

    def _taus(self, accepted: Array, correct: Array) -> Array:
        if self.runs < 2:
            return np.full(len(accepted), np.nan)
        return Order.of(accepted).tau(Order.of(np.broadcast_to(correct, accepted.shape)))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
