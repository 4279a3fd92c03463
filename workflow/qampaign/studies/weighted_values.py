"""Values of runs on questions that are weighted at random: what other questions might have given.

The Bayesian bootstrap (Rubin 1981) gives every unit an exponential weight. It cannot weigh what was
not seen: a run with no wrong answer has none in any draw. So two pseudo-questions go in, the best
possible and the worst, each with a weight of Gamma(2/3), on average two thirds of a question's. For
accuracy this is Beta(right + 2/3, wrong + 2/3). docs/validation.md says how well intervals cover.
Where questions have weights of their own, a pseudo-question weighs as much as one of so many equal
questions as these are worth: Σw²/Σw.

A mean over T question types, or collections, shares the two out among them: Gamma(2/3T) in each.
Where they are of equal size, that moves the mean as much as two pseudo-questions among all
questions move the measure.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qampaign.arrays import Array, Numbers, ratio
from qampaign.measures.evidence import Evidence
from qampaign.measures.ordered import OrderedMeasure, OrderWalk
from qampaign.measures.question_weights import unevenness
from qampaign.measures.scoring import Configured, evaluate
from qampaign.measures.sums import exact_sums
from qampaign.studies.resampling import SCALE, draw_exponential, generator, key
from qampaign.studies.units import Units, sums_by_unit

DRAWS = 2000
"""How often the questions are weighted."""
PSEUDO = 2 / 3
"""The average weight of a pseudo-question."""
BLOCK = 2**23
"""How many weights are held at once."""


class Weighted(NamedTuple):
    """Values of a measure by run and draw; NaN where there is none."""

    values: Array
    exchanged: Array
    """The same with the weights of the two pseudo-questions exchanged: one run of a pair has the
    best one where the other has the worst."""


def weighted_values(
    evidence: Evidence,
    measures: Sequence[Configured],
    units: Units,
    *,
    seed: str,
    draws: int = DRAWS,
    threads: int = 1,
    pseudo: float = 1.0,
) -> list[Weighted]:
    """The values by every measure. A unit's weights follow from its name and the seed alone.

    `pseudo` is the share of the two pseudo-questions that falls to these questions.
    """
    types = evidence.types()
    terms = [measure.terms(types) for measure in measures]
    by_measure: dict[int, Weighted] = {}
    for name in dict.fromkeys(term.type for measure_terms in terms for term in measure_terms):
        wanted = {
            term.measure.key: term.measure
            for measure_terms in terms
            for term in measure_terms
            if term.type == name
        }
        inside, own_units, shape = evidence, units, PSEUDO * pseudo
        about = ["pseudo-questions"]
        if name is not None:
            inside, own_units = evidence.only_questions(types[name]), units.only(types[name])
            about, shape = [*about, name], shape / len(types)
        both = generator(seed, *about).standard_gamma(shape, (draws, 2)) * _typical_weight(inside)
        drawn = _of_terms(
            inside, [*wanted.values()], own_units, both, key(seed, "weights"), threads
        )
        if name is not None:
            drawn = widen(inside, [*wanted.values()], drawn, effective(inside, own_units))
        by_key = dict(zip(wanted, drawn, strict=True))
        for number, added_terms in enumerate(terms):
            for weight, measure, type_name in added_terms:
                if type_name == name:
                    by_measure[number] = _add(by_measure.get(number), weight, by_key[measure.key])
    return [by_measure[number] for number in range(len(measures))]


def effective(evidence: Evidence, units: Units) -> float:
    """How many units of equal weight tell as much as these, where questions have weights."""
    return len(units) / unevenness(_weights(evidence))


def _weights(evidence: Evidence) -> Array:
    counted = evidence.columns["questions"][:1].astype(np.float64)
    return counted[0] if len(counted) else np.ones(evidence.questions.height)


def _typical_weight(evidence: Evidence) -> float:
    """What one of so many equal questions as these are worth counts for: Σw²/Σw."""
    weights = _weights(evidence)
    return float(weights.mean()) * unevenness(weights) if len(weights) else 1.0


def widen(
    evidence: Evidence, measures: Sequence[Configured], drawn: Sequence[Weighted], units: float
) -> list[Weighted]:
    """Draws of a few units spread as values of as many new ones would, for sums with others.

    Weights at random have (n − 1)/(n + 1) of the variance of n units. By itself, a small sample
    gets what is missing from its pseudo-questions; a sum over several small ones does not, since
    they have little weight in each (as Rao & Wu 1988 rescale the bootstrap of small strata).
    """
    if units < 2:
        return list(drawn)
    factor = np.sqrt((units + 1) / (units - 1))
    everything = np.ones((1, evidence.questions.height), dtype=np.uint8)
    values = evaluate(evidence, measures, everything)
    return [
        Weighted(*(np.clip(value + factor * (side - value), *measure.bounds) for side in both))
        for measure, value, both in zip(measures, values, drawn, strict=True)
    ]


def _add(before: Weighted | None, weight: float, values: Weighted) -> Weighted:
    """What was added up before, and values that count with a weight."""
    more = values if weight == 1 else Weighted(*(weight * side for side in values))
    return more if before is None else Weighted(*map(np.add, before, more))


def _of_terms(
    evidence: Evidence,
    measures: Sequence[Configured],
    units: Units,
    pseudo: Array,
    purpose: np.uint64,
    threads: int,
) -> list[Weighted]:
    """The values by declared measures, with the weights of the pseudo-questions by draw."""
    draws = len(pseudo)
    summed = [measure for measure in measures if measure.summed]
    keys = sorted({column.key for measure in summed for column in measure.columns().values()})
    columns = {name: evidence.columns[name] for name in keys}
    by_unit = sums_by_unit(columns, units)
    scales = {
        measure.key: _pseudo_size(measure, columns, by_unit, units)
        for measure in summed
        if units.grouped
    }
    of_units = units.add_up(_weights(evidence)[None])
    blocks: list[list[Weighted]] = [[] for _ in measures]
    step = max(BLOCK // max(len(units), 1) // 4 * 4, 4)
    for first in range(0, draws, step):
        number = min(step, draws - first)
        weights = draw_exponential(units.keys, number, purpose, first=first, threads=threads)
        sums = exact_sums(by_unit, weights)
        sums = {name: sums[name] / SCALE for name in sums}
        total = exact_sums({"weight": of_units}, weights)["weight"][0] / SCALE
        both = pseudo[first : first + number]
        walked: Walked = {}
        for index, measure in enumerate(measures):
            if measure.walks:
                everything = units.spread(weights) / SCALE
                block = _ordered(evidence, measure, everything, both, units, walked)
            else:
                size = scales.get(measure.key, np.ones(1))
                block = _summed(measure, columns, sums, total, both, size[:, None])
            blocks[index].append(block)
    return [Weighted(*map(np.hstack, zip(*parts, strict=True))) for parts in blocks]


def _summed(
    measure: Configured,
    columns: Mapping[str, Numbers],
    sums: Mapping[str, Array],
    total: Array,
    pseudo: Array,
    size: Array,
) -> Weighted:
    """A measure of sums of evidence: those drawn, and those of the pseudo-questions."""
    names = {name: column.key for name, column in measure.columns().items()}
    declared = measure.declared
    means = {
        name: columns[column_key].mean(axis=1, dtype=float)[:, None]
        for name, column_key in names.items()
    }
    extremes = declared.extremes(means, measure.options)
    weights = [pseudo[:, 0] * size, pseudo[:, 1] * size]
    number = total + sum(weights)
    drawn = {name: sums[column_key] for name, column_key in names.items()}
    if extremes is None:
        low, high = measure.bounds
        mean = declared.of_sums(drawn, measure.options) * total
        values = [(mean + a * high + b * low) / number for a, b in (weights, weights[::-1])]
        return Weighted(*values)
    questions = columns[next(iter(names.values()))].shape[1]
    best, worst = extremes
    values = []
    for a, b in (weights, weights[::-1]):
        with_both = {
            name: (drawn[name] + a * best.get(name, 0) + b * worst.get(name, 0))
            * (questions / number)
            for name in names
        }
        values.append(declared.of_sums(with_both, measure.options))
    return Weighted(*values)


def pseudo_questions(
    evidence: Evidence, measure: Configured, units: Units
) -> tuple[dict[str, Array], dict[str, Array]] | None:
    """The evidence by run of the best question possible and of the worst, as large as a unit.

    None where the measure says no more than its bounds.
    """
    names = {name: column.key for name, column in measure.columns().items()}
    columns = {key: evidence.columns[key] for key in names.values()}
    means = {name: columns[key].mean(axis=1, dtype=float) for name, key in names.items()}
    extremes = measure.declared.extremes(means, measure.options)
    if extremes is None:
        return None
    size = np.ones(1)
    if units.grouped:
        size = _pseudo_size(measure, columns, sums_by_unit(columns, units), units)
    size = np.broadcast_to(size * _typical_weight(evidence), (evidence.runs.height,))
    best, worst = (
        {key: row.get(name, 0) * size for name, key in names.items()} for row in extremes
    )
    return best, worst


def _pseudo_size(
    measure: Configured,
    columns: Mapping[str, Numbers],
    by_unit: Mapping[str, Numbers],
    units: Units,
) -> Array:
    """By run, how many questions a pseudo-group has: as many as a group that counts has on average.

    A group counts where it has what the pseudo-questions have: for recall, a right item.
    """
    names = {name: column.key for name, column in measure.columns().items()}
    means = {
        name: columns[column_key].mean(axis=1, dtype=float) for name, column_key in names.items()
    }
    extremes = measure.declared.extremes(means, measure.options)
    touched = [
        column_key
        for name, column_key in names.items()
        if any(name in row for row in extremes or ())
    ]
    if not touched:
        return np.full(1, units.sizes.mean())

    def mass(of: Mapping[str, Numbers]) -> Array:
        total = np.sum([np.abs(of[name]).astype(float) for name in touched], axis=0)
        return ratio(total.sum(axis=1), (total > 0).sum(axis=1).astype(float))

    return np.nan_to_num(ratio(mass(by_unit), mass(columns)), nan=1.0)


Walked = dict[str, list[list[OrderWalk]]]
"""Walks by run of the orders that measures share, with the two pseudo-questions either way."""


def _ordered(
    evidence: Evidence,
    measure: Configured,
    weights: Array,
    pseudo: Array,
    units: Units,
    walked: Walked,
) -> Weighted:
    """A measure that needs an order: the pseudo-questions are further entries of it."""
    declared = measure.declared
    assert isinstance(declared, OrderedMeasure)
    extremes = declared.extremes({}, measure.options)
    assert extremes is not None
    order = str(([column.key for column in measure.columns().values()], extremes))
    if order not in walked:
        columns = measure.columns_of(evidence)
        size = float(units.sizes.mean())
        walked[order] = []
        for either_way in ((0, 1), (1, 0)):
            entries = [
                (by, right, pseudo[:, index] * size)
                for row, index in zip(extremes, either_way, strict=True)
                for by, right in row["entries"]
            ]
            number = (weights * _weights(evidence)).sum(axis=1)
            number += sum(entry[2] for entry in entries)
            factor = (weights.shape[1] / number)[:, None]
            scaled = [(by, right, weight * factor[:, 0]) for by, right, weight in entries]
            walked[order].append(declared.weighted(columns, weights * factor, scaled))
    return Weighted(*(declared.of_walks(walks, measure.options) for walks in walked[order]))


def slices_of(evidence: Evidence, units: Units) -> Iterator[tuple[str, Evidence, Units]]:
    """Each slice of the questions with its evidence and units: all, then those of each type."""
    for name, chosen in evidence.slices().items():
        yield name, evidence.only_questions(chosen), units.only(chosen)
