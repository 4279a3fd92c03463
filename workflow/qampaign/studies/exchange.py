"""A test of all pairs of runs together, by exchanging their answers.

If two runs are equally good, it does not matter which of them gave which answer: the evidence of
each unit is exchanged at random, the same units for all pairs in a draw. The difference is divided
by its standard error under exchange, which no exchange changes, and the pairs are taken together by
the step-down maximum (Westfall & Young 1993; Romano & Wolf 2005): the chance of even one wrong
claim among all pairs is at most 5%. docs/validation.md shows how far that holds.

Few units have no more exchanges than there would be draws. Each is then taken once, and p-values
are exact.

A measure that divides by something of the run's own, such as the answers that it gave, needs more
care. Two runs may be equally precise and one of them answer ten times as often: then it does matter
which of them gave which answer. What each unit adds to the difference, if both had the value that
they have together, turns its sign instead (a score test by sign flips: Hemerik, Goeman & Finos
2020). Where both divide by the same, that is the exchange. Where the formula is no ratio of sums,
answers are exchanged, and the measure's declaration says whether that is widened or no test of it.

A measure that is a weighted sum of others (:mod:`qampaign.measures.configured`) is tested by the
same sum of their differences after the same exchanges.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, Flags, Numbers
from qampaign.measures.evidence import Evidence
from qampaign.measures.ordered import OrderedMeasure
from qampaign.measures.question_weights import total_weight
from qampaign.measures.sample_cells import SAMPLES, entry_weights
from qampaign.measures.scoring import Configured, weighted_values_of_questions
from qampaign.measures.sums import exact_sums
from qampaign.ranking import SAME
from qampaign.studies.pairs import Indices
from qampaign.studies.resampling import Counts, Whole, count, share_out, toss_coins
from qampaign.studies.resampling import key as key_of
from qampaign.studies.units import Units, sums_by_unit
from qampaign.studies.weighted_values import PSEUDO, Weighted, pseudo_questions

LEVEL = 0.05
"""The chance of a wrong claim among all pairs of a family."""
STEPS = 25 * 10**7
"""Pairs times draws times questions for a measure that needs an order: more than that, and it has
fewer draws."""
FEWEST_DRAWS = 999
SPREAD_DRAWS = 256
"""Draws by which the standard error of such a measure is found."""
BLOCK = 2**20
"""How many statistics of pairs are held at once."""
CACHED = 2**14
"""How many of them fit into a processor's cache."""
COINS = 2**24
"""How many coins are held at once."""


@dataclass(frozen=True)
class Family:
    """Pairs of runs that are tested together."""

    a: Indices
    """The rows of the first run of each pair."""
    b: Indices
    margin: Array
    """Within which they are called equivalent; NaN where nobody asked."""


class Tested(NamedTuple):
    """What the test says of each pair of a family; NaN without a value."""

    difference: Array
    error: Array
    """The standard error of the difference."""
    p: Array
    adjusted: Array
    own: tuple[Array, Array]
    """The p-value among the pairs of the first run alone, and of the second."""
    margin: Array
    """Half the width of the simultaneous interval."""
    draws: int | None
    """How many exchanges were drawn; None where each was taken once."""
    undefined: npt.NDArray[np.int64]
    """Exchanges after which one of the two has no value."""

    @property
    def sure(self) -> Flags:
        """Which pairs differ surely."""
        return self.adjusted <= LEVEL + SAME

    @property
    def monte_carlo_error(self) -> Array:
        """By how much the adjusted p-value would differ with other draws."""
        if self.draws is None:
            return 0 * self.adjusted
        return np.sqrt(self.adjusted * (1 - self.adjusted) / (self.draws + 1))


def all_pairs(rows: npt.NDArray[np.intp]) -> Family:
    """All pairs of some rows."""
    first, second = np.triu_indices(len(rows), 1)
    return Family(rows[first], rows[second], np.full(len(first), np.nan))


Differences = Callable[[int, int], Array]
"""Gives the differences by draw and pair of some draws, from a first to below a last."""


class Part(NamedTuple):
    """A declared measure on some of the units, and how much its differences count."""

    weight: float
    measure: Configured
    ground: "Ground"
    units: slice | Indices
    """Which of the units that are exchanged are those of the ground."""


class Exchange:
    """The units of two runs exchanged at random, the same units for every pair in a draw."""

    def __init__(
        self,
        evidence: Evidence,
        units: Units,
        *,
        seed: str,
        draws: int,
        threads: int = 1,
    ) -> None:
        self.draws, self.threads = draws, threads
        self.keys = units.keys
        self.key = key_of(seed, "exchange")
        self.ground = Ground(evidence, units, threads)
        self._of_type: dict[str, tuple[Ground, Indices]] = {}

    @property
    def different(self) -> int:
        """How many exchanges there are; that of all other units only turns the sign."""
        return 2 ** (len(self.keys) - 1)

    def test(
        self, measure: Configured, values: Array, family: Family, drawn: Weighted | None = None
    ) -> Tested:
        """The pairs of a family by one measure.

        `values` are those of the runs on all questions, `drawn` those on questions that are
        weighted at random: they say how far a difference spreads.
        """
        return self.test_parts(self.parts(measure), values, family, drawn)

    def parts(self, measure: Configured) -> list[Part]:
        """What the differences of a measure add up from: they are as linear as its terms."""
        every = slice(None)
        types = self.ground.evidence.types()
        return [
            Part(term.weight, term.measure, self.ground, every)
            if term.type is None
            else Part(term.weight, term.measure, *self._within(term.type, types[term.type]))
            for term in measure.terms(types)
        ]

    def _within(self, name: str, chosen: Flags) -> tuple["Ground", Indices]:
        """The questions of a type, and which units they are of."""
        if name not in self._of_type:
            whole = self.ground
            inside = whole.units.only(chosen)
            numbers = {unit: number for number, unit in enumerate(whole.units.names)}
            picked = np.array([numbers[unit] for unit in inside.names], dtype=np.intp)
            ground = Ground(whole.evidence.only_questions(chosen), inside, self.threads)
            self._of_type[name] = ground, picked
        return self._of_type[name]

    def test_parts(
        self,
        parts: Sequence[Part],
        values: Array,
        family: Family,
        spread: Weighted | None = None,
    ) -> Tested:
        """The pairs of a family by a measure that these parts add up to."""
        difference = values[family.a] - values[family.b]
        difference = np.where(np.abs(difference) < SAME, 0.0, difference)
        pairs = Pairs(family, difference)
        draws = self.draws
        if not len(pairs.a):
            nothing = np.full(len(difference), np.nan)
            both = nothing, nothing
            none = np.zeros(len(difference), dtype=np.int64)
            return Tested(nothing, nothing, nothing, nothing, both, nothing, draws, none)
        walked = sum(entries_of(part.ground.evidence) for part in parts if part.measure.walks)
        if walked:
            draws = affordable(draws, len(pairs.a), walked)
            pairs.scale = self._spread_of_draws(parts, pairs, draws)
        elif len(parts) == 1 and parts[0].weight == 1:
            pairs.scale = parts[0].ground.spread(parts[0].measure, pairs)
        else:
            pairs.scale = self._spread_of_parts(parts, pairs)
        tests = {part.measure.declared.test for part in parts}
        if spread is not None and "widened" in tests:
            pairs.widen(spread)
        drawn = None if is_exhausted(draws, len(self.keys)) else draws
        counters = _Counters(pairs, drawn, drawn or self.different)
        for first, exchanged in self.exchanged(parts, pairs, draws):
            if (pairs.wider != 1).any():
                np.multiply(exchanged, pairs.wider, out=exchanged)
            counters.add(first, exchanged, self.threads)
        tested = counters.conclude(len(self.keys), len(difference))
        if "none" not in tests:
            return tested
        nothing = np.full(len(difference), np.nan)
        return tested._replace(adjusted=nothing, own=(nothing, nothing), margin=nothing)

    def _spread_of_draws(self, parts: Sequence[Part], pairs: "Pairs", draws: int) -> Array:
        """By the first draws, or by all exchanges: an order has no slope to be written down."""
        number = self.different if self.different <= draws else SPREAD_DRAWS
        squares = np.zeros(len(pairs.a))
        for _, exchanged in self.exchanged(parts, pairs, number):
            squares += (np.nan_to_num(exchanged) ** 2).sum(axis=0)
        return np.sqrt(squares / number)

    def _spread_of_parts(self, parts: Sequence[Part], pairs: "Pairs") -> Array:
        """By what each unit adds to the difference, all parts together."""
        slopes = [part.ground.slopes(part.measure, pairs) for part in parts]
        scale = np.empty(len(pairs.a))
        step = max(BLOCK // max(len(self.keys), 1), 1)
        for first in range(0, len(pairs.a), step):
            block = slice(first, first + step)
            a, b = pairs.a[block], pairs.b[block]
            added, size = np.zeros((2, len(a), len(self.keys)))
            for part, of_part in zip(parts, slopes, strict=True):
                for column, *of_sides in of_part:
                    for sign, run, slope in zip((1, -1), (a, b), of_sides, strict=True):
                        adds = part.weight * slope[block, None] * column[run]
                        added[:, part.units] += sign * adds
                        size[:, part.units] += np.abs(adds)
            scale[block] = _root((added**2).sum(axis=1), (size**2).sum(axis=1))
        return scale

    def exchanged(
        self, parts: Sequence[Part], pairs: "Pairs", draws: int
    ) -> Iterator[tuple[int, Array]]:
        """The number of a first draw, and differences by draw and pair from there on.

        Every exchange once where there are no more of them than draws.
        """
        every = self.different <= draws
        draws = min(draws, self.different)
        wide = max(COINS // max(len(self.keys), 1) // 128 * 128, 128)
        step = max(BLOCK // max(len(pairs.a), 1), 1)
        for start in range(0, draws, wide):
            coins = self._coins(start, min(wide, draws - start), every=every)
            differences = [
                part.ground.differences(part.measure, pairs, coins[:, part.units]) for part in parts
            ]
            for first in range(0, len(coins), step):
                last = min(first + step, len(coins))
                total = differences[0](first, last)
                if parts[0].weight != 1:
                    total *= parts[0].weight
                for part, more in zip(parts[1:], differences[1:], strict=True):
                    total += part.weight * more(first, last)
                yield start + first, total

    def _coins(self, first: int, number: int, *, every: bool) -> Counts:
        """Draws from number `first` on, or exchanges one by one: 1 where a unit is exchanged."""
        if every:
            return list_exchanges(len(self.keys), first, number)
        return toss_coins(self.keys, number, self.key, first=first, threads=self.threads)


class Ground:
    """Questions with their units, on which declared measures are compared."""

    def __init__(self, evidence: Evidence, units: Units, threads: int) -> None:
        self.evidence, self.units, self.threads = evidence, units, threads
        self.by_unit: dict[str, Numbers] = {}
        self.of_means: dict[str, Array] = {}

    def spread(self, measure: Configured, pairs: "Pairs") -> Array:
        """The standard errors of differences by a measure of sums."""
        if measure.mean:
            return self._spread_of_means(measure, pairs)
        return self._spread_of_sums(measure, pairs)

    def slopes(self, measure: Configured, pairs: "Pairs") -> list[tuple[Array, Array, Array]]:
        """Columns by run and unit, and by pair how much each adds to the value of either run.

        By the slope of the formula at the mean of the two runs; or, if the measure divides by
        something of the run's own, at the sums that give the run the value of both together.
        """
        questions = total_weight(self.evidence)
        if measure.mean:
            values = np.nan_to_num(self._unit_values(measure))
            alike = np.full(len(pairs.a), 1 / questions)
            return [(values, alike, alike)]
        sums = {key: column.astype(float) for key, column in self._sums(measure).items()}
        middle = self._middle(sums, pairs)
        alike_slopes = {key: _slope(measure, middle, key) / questions for key in sums}
        shares = self._shares(measure, pairs)
        if shares is None:
            return [(sums[key], slope, slope) for key, slope in alike_slopes.items()]
        of_sides = {
            key: (slope * shares[0], slope * shares[1]) for key, slope in alike_slopes.items()
        }
        wider = self._doubt(measure, pairs, sums, of_sides)
        return [(sums[key], wider * of_a, wider * of_b) for key, (of_a, of_b) in of_sides.items()]

    def _shares(self, measure: Configured, pairs: "Pairs") -> tuple[Array, Array] | None:
        """By how much the slope is steeper for either run of each pair than for both together.

        That is what both divide by, to what the run does: 0 where one of them divides by nothing.
        None if all runs divide by the same, or if the measure is no ratio of sums.
        """
        sums = {key: column.astype(float) for key, column in self._sums(measure).items()}
        by_unit = measure.whole(sums)
        if by_unit is None or (by_unit == by_unit[0]).all():
            return None
        totals = {key: column.sum(axis=1) for key, column in sums.items()}
        middle = {key: (total[pairs.a] + total[pairs.b]) / 2 for key, total in totals.items()}
        (whole, part), (together, joint) = (_whole_and_part(measure, of) for of in (totals, middle))
        for of_runs, of_both in ((whole, together), (part, joint)):
            if not np.allclose((of_runs[pairs.a] + of_runs[pairs.b]) / 2, of_both):
                return None
        known = (whole[pairs.a] != 0) & (whole[pairs.b] != 0)
        first, second = (
            np.divide(together, whole[side], out=np.zeros(len(side)), where=known)
            for side in (pairs.a, pairs.b)
        )
        return first, second

    def _doubt(
        self,
        measure: Configured,
        pairs: "Pairs",
        sums: Mapping[str, Array],
        slopes: Mapping[str, tuple[Array, Array]],
    ) -> Array:
        """By how much a difference may vary more than what was seen says: 10 answers, all right.

        As in intervals, a pair has two pseudo-questions: the best for one run is the worst for the
        other. Runs that divide by the same everywhere are exchanged as they are.
        """
        extremes = pseudo_questions(self.evidence, measure, self.units)
        by_unit = measure.whole(sums)
        if extremes is None or by_unit is None:
            return np.ones(len(pairs.a))
        _, kind = np.unique(np.nan_to_num(by_unit), axis=0, return_inverse=True)
        alike = kind.ravel()[pairs.a] == kind.ravel()[pairs.b]
        (best_a, worst_a), (best_b, worst_b) = (
            [sum(slopes[key][side] * row[key][runs] for key in slopes) for row in extremes]
            for side, runs in enumerate((pairs.a, pairs.b))
        )
        unseen = PSEUDO * ((best_a - worst_b) ** 2 + (worst_a - best_b) ** 2)
        seen = _squares([(sums[key], *of_sides) for key, of_sides in slopes.items()], pairs)
        more = np.divide(unseen, seen, out=np.zeros(len(seen)), where=(seen > 0) & ~alike)
        return np.sqrt(1 + more)

    def differences(self, measure: Configured, pairs: "Pairs", coins: Counts) -> Differences:
        """The differences of the pairs by draw, where these units are exchanged in each."""
        if measure.walks:
            return self._exchange_orders(measure, pairs, coins)
        if measure.mean:
            return self._exchange_means(measure, pairs, coins)
        if self._shares(measure, pairs) is not None:
            return self._turn_signs(measure, pairs, coins)
        return self._exchange_sums(measure, pairs, coins)

    def _sums(self, measure: Configured) -> dict[str, Numbers]:
        """The evidence of a measure by unit."""
        wanted = {column.key for column in measure.columns().values()}
        missing = {name: self.evidence.columns[name] for name in wanted - set(self.by_unit)}
        self.by_unit |= sums_by_unit(missing, self.units)
        return {name: self.by_unit[name] for name in sorted(wanted)}

    def _unit_values(self, measure: Configured) -> Array:
        """The sum of a mean's values over each unit, by run and unit."""
        if measure.key not in self.of_means:
            values = weighted_values_of_questions(self.evidence, measure)
            self.of_means[measure.key] = self.units.add_up(values).astype(float)
        return self.of_means[measure.key]

    def _spread_of_means(self, measure: Configured, pairs: "Pairs") -> Array:
        values = np.nan_to_num(self._unit_values(measure))
        products = values @ values.T
        squares = np.diagonal(products)
        spread = squares[pairs.a] + squares[pairs.b] - 2 * products[pairs.a, pairs.b]
        return _root(spread, squares[pairs.a] + squares[pairs.b]) / total_weight(self.evidence)

    def _middle(self, sums: Mapping[str, Array], pairs: "Pairs") -> dict[str, Array]:
        """The mean of the two runs of each pair, by question, which no exchange changes."""
        questions = total_weight(self.evidence)
        totals = {key: column.sum(axis=1) / questions for key, column in sums.items()}
        return {key: (total[pairs.a] + total[pairs.b]) / 2 for key, total in totals.items()}

    def _spread_of_sums(self, measure: Configured, pairs: "Pairs") -> Array:
        """By what each unit adds to the difference, from products of the columns of runs."""
        return np.sqrt(_squares(self.slopes(measure, pairs), pairs))

    def _exchange_means(self, measure: Configured, pairs: "Pairs", coins: Counts) -> Differences:
        from qampaign.studies.kernels import subtract_pairs

        values = self._unit_values(measure)
        moved = exact_sums({"value": values}, coins)["value"]
        kept = values.sum(axis=1, keepdims=True) - 2 * moved
        means = np.ascontiguousarray(kept.T) / total_weight(self.evidence)

        def differences(first: int, last: int) -> Array:
            block = np.empty((last - first, len(pairs.a)))
            share_out(
                lambda i, j: subtract_pairs(means[first:last], pairs.a, pairs.b, i, j, block),
                last - first,
                self.threads,
                steps=len(pairs.a),
            )
            return block

        return differences

    def _exchange_sums(self, measure: Configured, pairs: "Pairs", coins: Counts) -> Differences:
        from qampaign.studies.kernels import exchange_pairs

        by_name = {name: column.key for name, column in measure.columns().items()}
        sums = self._sums(measure)
        alike = {key for key, column in sums.items() if (column[0] == column).all()}
        totals = {key: column.sum(axis=1, dtype=float) for key, column in sums.items()}
        varying = {key: column for key, column in sums.items() if key not in alike}
        moved = {
            key: np.ascontiguousarray(column.T)
            for key, column in exact_sums(varying, coins).items()
        }
        kept = {key: totals[key] - column for key, column in moved.items()}
        options = measure.declared.for_formula(measure.options)

        def differences(first: int, last: int) -> Array:
            block = np.empty((last - first, len(pairs.a)))

            def work(i: int, j: int) -> None:
                step = max(CACHED // max(len(pairs.a), 1), 1)
                for start in range(i, j, step):
                    end = min(start + step, j)
                    shape = 2, end - start, len(pairs.a)
                    sides = {key: np.broadcast_to(totals[key][0], shape) for key in alike}
                    for key in varying:
                        sides[key] = np.empty(shape)
                        exchange_pairs(
                            kept[key], moved[key], pairs.a, pairs.b,
                            first + start, first + end, sides[key],
                        )  # fmt: skip
                    with np.errstate(invalid="ignore"):
                        values_a, values_b = measure.declared(
                            **{name: sides[key] for name, key in by_name.items()},
                            **options,
                        )
                    block[start:end] = values_a - values_b

            share_out(work, last - first, self.threads, steps=20 * len(pairs.a))
            return block

        return differences

    def _turn_signs(self, measure: Configured, pairs: "Pairs", coins: Counts) -> Differences:
        """What the units add to the difference, with the signs of some of them turned."""
        from qampaign.studies.kernels import subtract_steep_pairs

        turned = []
        moved = exact_sums(self._sums(measure), coins)
        for (column, of_a, of_b), key in zip(
            self.slopes(measure, pairs), self._sums(measure), strict=True
        ):
            sums = column.sum(axis=1, keepdims=True) - 2 * moved[key]
            turned.append((np.ascontiguousarray(sums.T), of_a, of_b))

        def differences(first: int, last: int) -> Array:
            block = np.zeros((last - first, len(pairs.a)))

            def work(i: int, j: int) -> None:
                for sums, of_a, of_b in turned:
                    subtract_steep_pairs(
                        sums, pairs.a, pairs.b, of_a, of_b, first + i, first + j, block[i:j]
                    )

            share_out(work, last - first, self.threads, steps=2 * len(pairs.a) * len(turned))
            return block

        return differences

    def _exchange_orders(self, measure: Configured, pairs: "Pairs", coins: Counts) -> Differences:
        """The questions of both runs side by side, and of each question one or the other.

        Runs may give confidences on scales of their own: they exchange places in their orders.
        """
        declared = measure.declared
        assert isinstance(declared, OrderedMeasure)
        by_name = measure.columns_of(self.evidence)
        order = declared.columns[0]
        exchanged = self.units.spread(coins)
        sampled = SAMPLES in by_name
        if sampled:
            by_name[order] = places_of_samples(by_name[order], entry_weights(by_name))
            kept = np.hstack([1 - exchanged, exchanged])
            swapped = np.hstack([exchanged, 1 - exchanged])
        else:
            by_name[order] = places(by_name[order])

        def differences(first: int, last: int) -> Array:
            exchanges = np.ascontiguousarray(exchanged[first:last].T)

            def work(i: int, j: int) -> Array:
                a, b = pairs.a[i:j], pairs.b[i:j]
                columns = {
                    name: np.hstack([column[a], column[b]]) for name, column in by_name.items()
                }
                if not sampled:
                    values_a, values_b = declared.exchanged(columns, exchanges, measure.options)
                    return values_a - values_b
                values_a, values_b = (
                    declared.values(columns, sets[first:last], measure.options)
                    for sets in (kept, swapped)
                )
                return values_a - values_b

            return np.ascontiguousarray(np.vstack(share_out(work, len(pairs.a), self.threads)).T)

        return differences


def entries_of(evidence: Evidence) -> int:
    """How many entries an order of the questions has."""
    most = int(evidence.columns[SAMPLES].max()) if SAMPLES in evidence.columns else 1
    return evidence.questions.height * most


def affordable(draws: int, pairs: int, questions: int) -> int:
    """How many of the wanted draws a measure that needs an order gets.

    >>> affordable(9999, 10, 200), affordable(9999, 1128, 200)
    (9999, 1108)
    """
    return min(draws, max(STEPS // max(pairs * questions, 1), FEWEST_DRAWS))


def is_exhausted(draws: int, units: int) -> bool:
    """Whether there are no more exchanges of units than draws, so that each is taken once.

    >>> is_exhausted(9999, 14), is_exhausted(9999, 15)
    (True, False)
    """
    return 2 ** (units - 1) <= draws


def list_exchanges(units: int, first: int, number: int) -> Counts:
    """Exchanges from number `first` on, the first of all that of no unit: the digits of the number.

    The first unit is never exchanged: that of all other units only turns the sign.

    >>> list_exchanges(3, 0, 4).tolist()
    [[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]]
    """
    numbers = np.arange(first, first + number)[:, None]
    digits = numbers >> np.arange(units - 1) & 1
    return np.hstack([np.zeros_like(numbers), digits]).astype(np.uint8)


def places(by: Numbers) -> Array:
    """The place of each value among those of its run, as a share; equal ones share theirs.

    >>> places(np.array([[10.0, 30, np.nan, 30], [-np.inf, 0, 1, 2]]))
    array([[0.33333333, 0.83333333,        nan, 0.83333333],
           [0.25      , 0.5       , 0.75      , 1.        ]])
    """
    ranked = pl.DataFrame(by.astype(np.float64).T).fill_nan(None).select(pl.all().rank())
    return ranked.select(pl.all() / pl.all().count()).to_numpy().T.astype(np.float64)


def places_of_samples(by: Numbers, weight: Array) -> Array:
    """The same where an entry is a sample, which counts for a part of its question.

    `by` is by run, question and sample, `weight` by run and question. Samples that are alike have
    the place that their question would have with one of them.

    >>> by = np.array([[[10.0, 10], [30, 30], [np.nan, np.nan], [30, 30]]])
    >>> places_of_samples(by, np.full((1, 4), 0.5))[0, :, 0]
    array([0.33333333, 0.83333333,        nan, 0.83333333])
    """
    result = np.full(by.shape, np.nan)
    for values, weights, run_places in zip(by, weight, result, strict=True):
        flat, shares = values.ravel(), np.repeat(weights, by.shape[2])
        there = np.flatnonzero(~np.isnan(flat))
        _, group = np.unique(flat[there], return_inverse=True)
        sizes = np.bincount(group, shares[there])
        ends = np.cumsum(sizes)
        middle = ends - sizes + (sizes + 1) / 2
        run_places.ravel()[there] = (middle / ends[-1] if len(ends) else middle)[group]
    return result


class Pairs:
    """The pairs of a family of which both runs have a value."""

    def __init__(self, family: Family, difference: Array) -> None:
        self.there = np.flatnonzero(~np.isnan(difference))
        self.a, self.b = family.a[self.there], family.b[self.there]
        self.difference = difference[self.there]
        self.scale: Array = np.ones(len(self.there))
        self.wider: Array = np.ones(len(self.there))
        """What the differences that are drawn are multiplied by."""

    def widen(self, spread: Weighted) -> None:
        """Have differences drawn at least as far apart as on questions that are drawn at random."""
        for pair in np.flatnonzero(self.scale > 0):
            a, b = self.a[pair], self.b[pair]
            drawn = [spread.values[a] - spread.exchanged[b], spread.exchanged[a] - spread.values[b]]
            self.wider[pair] = max(np.nanstd(np.hstack(drawn)) / self.scale[pair], 1.0)
        self.scale *= self.wider

    @property
    def factor(self) -> Array:
        """What makes differences multiples of their standard error; 0 where nothing can change."""
        return np.divide(1.0, self.scale, out=np.zeros(len(self.scale)), where=self.scale > 0)


class _Counters:
    """How many draws reach the statistics of the pairs: alone, and with those that follow."""

    def __init__(self, pairs: Pairs, drawn: int | None, number: int) -> None:
        self.pairs, self.drawn, self.number = pairs, drawn, number
        self.statistic = statistic = np.abs(pairs.difference) * pairs.factor
        self.order = np.argsort(statistic, kind="stable")
        members = np.r_[pairs.a, pairs.b]
        owners = np.r_[np.arange(len(pairs.a)), np.arange(len(pairs.a))]
        by_run = np.lexsort((statistic[owners], members))
        self.own_pairs = owners[by_run]
        """The pairs of each run in turn, each run's from the smallest statistic up."""
        self.own_side = by_run
        _, self.starts = np.unique(members[by_run], return_index=True)
        self.counts = np.zeros((3, len(statistic)), dtype=np.int64)
        self.own_counts = np.zeros(len(members), dtype=np.int64)
        self.highest = np.empty(number)

    def add(self, first: int, drawn: Array, threads: int) -> None:
        """Count some draws, by draw and pair, numbered from `first`."""
        from qampaign.studies.kernels import count_reached

        highest = self.highest[first : first + len(drawn)]
        ends = np.r_[self.starts, len(self.own_pairs)].astype(np.intp)

        def work(i: int, j: int, counts: Whole, own_counts: Whole) -> None:
            count_reached(
                drawn, i, j, self.pairs.factor, self.statistic, self.order, self.own_pairs, ends,
                counts, own_counts, highest,
            )  # fmt: skip

        counts, own_counts = count(
            work, len(drawn), threads, self.counts.shape, self.own_counts.shape,
            steps=4 * len(self.statistic),
        )  # fmt: skip
        self.counts += counts
        self.own_counts += own_counts

    def conclude(self, units: int, number: int) -> Tested:
        """The p-values of all pairs of the family.

        What was found is one of all exchanges, and counts as one more of those that were drawn.
        """
        pairs, observed = self.pairs, int(self.drawn is not None)
        exchanges = self.number + observed
        alone, together = (self.counts[:2] + observed) / exchanges
        adjusted = np.empty(len(alone))
        falling = self.order[::-1]
        adjusted[falling] = np.maximum.accumulate(together[falling])
        by_run = np.empty(len(self.own_pairs))
        ends = np.r_[self.starts, len(by_run)]
        reached = (self.own_counts + observed) / exchanges
        for start, end in pairwise(ends):
            by_run[start:end] = np.maximum.accumulate(reached[start:end][::-1])[::-1]
        by_side = np.empty(len(by_run))
        by_side[self.own_side] = by_run
        allowed = math.floor(LEVEL * exchanges + SAME) - observed
        critical = float(np.sort(self.highest)[::-1][allowed])
        variance = np.maximum(pairs.scale**2 - pairs.difference**2 / units, 0.0)
        variance = np.where(variance < 1e-12 * pairs.scale**2, 0.0, variance)
        margin = np.full(len(alone), np.inf)
        if critical**2 < units * (1 - SAME):
            margin = critical / math.sqrt(1 - critical**2 / units) * np.sqrt(variance)
        error = (
            np.sqrt(variance * units / (units - 1)) if units > 1 else np.full(len(alone), np.nan)
        )
        half = len(pairs.a)

        def everywhere(values: Array) -> Array:
            whole = np.full(number, np.nan)
            whole[pairs.there] = values
            return whole

        return Tested(
            everywhere(pairs.difference),
            everywhere(error),
            everywhere(alone),
            everywhere(adjusted),
            (everywhere(by_side[:half]), everywhere(by_side[half:])),
            everywhere(margin),
            self.drawn,
            np.nan_to_num(everywhere(self.counts[2].astype(float))).astype(np.int64),
        )


def _squares(slopes: Sequence[tuple[Array, Array, Array]], pairs: Pairs) -> Array:
    """The sum over units of the squares of what each adds to the difference of a pair."""
    spread, scale = np.zeros((2, len(pairs.a)))
    for first, first_a, first_b in slopes:
        for second, second_a, second_b in slopes:
            products = first @ second.T
            same = np.diagonal(products)
            of_a, of_b = first_a * second_a * same[pairs.a], first_b * second_b * same[pairs.b]
            crossed = first_a * second_b * products[pairs.a, pairs.b]
            spread += of_a + of_b - crossed - first_b * second_a * products[pairs.b, pairs.a]
            scale += np.abs(of_a) + np.abs(of_b)
    return _root(spread, scale) ** 2


def _whole_and_part(measure: Configured, sums: Mapping[str, Array]) -> tuple[Array, Array]:
    """What a ratio divides by, and what it divides."""
    whole = measure.whole(sums)
    assert whole is not None
    return whole, np.nan_to_num(measure.of_sums(sums)) * whole


def _root(squares: Array, scale: Array) -> Array:
    """The square root of sums of squares that may be nothing but rounding."""
    return np.sqrt(np.where(squares > 1e-12 * scale, squares, 0.0))


def _slope(measure: Configured, middle: dict[str, Array], name: str) -> Array:
    """How a measure's value rises with one of its sums, by question and pair."""
    step = 1e-5
    above, below = (
        measure.of_sums(middle | {name: middle[name] + change}) for change in (step, -step)
    )
    return np.nan_to_num((above - below) / (2 * step))
