"""A judge's error taken out of its evidence, by people's labels on a random part of the questions.

Prediction-powered inference with a tuned weight (Angelopoulos, Duchi & Zrnic 2023, PPI++), column
by column of the evidence: people's mean over the labelled questions, plus λ times what the judge's
mean over all questions differs from its mean over the labelled ones. λ is the slope of people on
the judge among the labelled, from 0 to 1, and is estimated again in every draw. A measure of sums
then gets sums that people would have given, on average. docs/validation.md says how well intervals
cover.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from qampaign.arrays import Array, Flags, Numbers, ratio
from qampaign.measures.declaration import Row
from qampaign.measures.scoring import Configured
from qampaign.measures.sums import exact_sums
from qampaign.studies.intervals import LEVEL, quantiles
from qampaign.studies.resampling import SCALE, draw_bootstrap, draw_exponential, generator, key
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import BLOCK, DRAWS, PSEUDO

FEWEST_LABELLED = 30
"""Labelled units below which nothing is corrected."""
FEW_LABELLED = 50
"""Labelled units below which a warning goes with what is corrected."""

OF_RIGHT = {"correct": 1.0, "questions": 1.0}
OF_WRONG = {"wrong": 1.0, "questions": 1.0}
INDEPENDENT = ("unanswered", "withheld_right", "withheld_wrong", "missing")
"""Evidence of which a question that is answered rightly, or wrongly, has none."""


@dataclass(frozen=True)
class Pair:
    """Evidence by people and by the judge, by run (rows) and question, in the same order."""

    people: Mapping[str, Numbers]
    judge: Mapping[str, Numbers]
    labelled: Array
    """How much each labelled question counts, 0 where it is not; on average 1 in each run."""
    units: Units

    @property
    def questions(self) -> int:
        return int(self.labelled.shape[1])

    @property
    def runs(self) -> int:
        return len(self.labelled)

    def touched(self) -> Flags:
        """By run and question, whether its unit has a labelled question."""
        by_unit = self.units.add_up((self.labelled > 0).astype(np.int64)) > 0
        spread: Flags = self.units.spread(by_unit)
        return spread

    def only(self, run: int) -> "Pair":
        """The same of one run."""
        rows = slice(run, run + 1)
        people, judge = (
            {name: column[rows] for name, column in side.items()}
            for side in (self.people, self.judge)
        )
        return Pair(people, judge, self.labelled[rows], self.units)


@dataclass(frozen=True)
class Pseudo:
    """Two labelled questions nobody has seen: people say best and the judge worst, or reverse."""

    weights: Array
    """Of the two, by draw."""
    best: Row
    worst: Row
    """By the keys of the evidence, a number or one for each run."""


def rectify(pair: Pair, measure: Configured, weights: Numbers, pseudo: Pseudo | None) -> Array:
    """The value of every run (rows) with corrected sums, by draw: how much each unit counts.

    Accuracy of a run on 4 questions of which people have labelled 2, right and wrong, where the
    judge says right and wrong, and right twice on the others: λ = 1 and (1/2 + 3/4 - 1/2) = 3/4.

    >>> from qampaign.measures.scoring import Configured
    >>> import polars as pl
    >>> units = Units(pl.Series(["a", "b", "c", "d"]), np.arange(4))
    >>> people = {"correct": np.array([[1, 0, 0, 0]]), "questions": np.ones((1, 4))}
    >>> judge = {"correct": np.array([[1, 0, 1, 1]]), "questions": np.ones((1, 4))}
    >>> pair = Pair(people, judge, np.array([[1.0, 1, 0, 0]]), units)
    >>> everything = np.ones((1, 4), dtype=np.uint8)
    >>> rectify(pair, Configured("accuracy", "accuracy", {}), everything, None)
    array([[0.75]])
    """
    touched = pair.touched()
    sums = {
        column.key: _rectified_sum(pair, column.key, touched, weights, pseudo)
        for column in measure.columns().values()
    }
    low, high = measure.bounds
    return np.clip(measure.of_sums(sums), low, high)


def _rectified_sum(
    pair: Pair, column: str, touched: Flags, weights: Numbers, pseudo: Pseudo | None
) -> Array:
    """The sum over all questions that people would have given, by run and draw."""
    people, judge = (
        np.asarray(side[column], dtype=np.float64) for side in (pair.people, pair.judge)
    )
    labelled = pair.labelled
    parts = {
        "number": labelled,
        "people": labelled * people,
        "judge": labelled * judge,
        "product": labelled * people * judge,
        "square": labelled * judge**2,
        "apart": labelled * (people - judge) ** 2,
        "inside": touched * judge,
        "questions_inside": touched.astype(np.float64),
        "outside": ~touched * judge,
        "questions_outside": (~touched).astype(np.float64),
    }
    drawn = exact_sums(
        {name: np.asarray(pair.units.add_up(part)) for name, part in parts.items()}, weights
    )
    of = {name: np.array(value, dtype=np.float64) for name, value in drawn.items()}
    seen = [people, judge]
    if pseudo is not None:
        best, worst = (
            np.broadcast_to(np.reshape(row.get(column, 0.0), (-1, 1)), (pair.runs, 1)).astype(float)
            for row in (pseudo.best, pseudo.worst)
        )
        # a pseudo-group has as many questions as a labelled group has on average
        units = (pair.units.add_up((labelled > 0).astype(np.int64)) > 0).sum(axis=1, keepdims=True)
        size = ratio((labelled > 0).sum(axis=1, keepdims=True).astype(float), units.astype(float))
        first, second = (weight * size for weight in pseudo.weights.T)
        of["number"] += first + second
        of["people"] += first * best + second * worst
        of["judge"] += first * worst + second * best
        of["product"] += (first + second) * best * worst
        of["square"] += first * worst**2 + second * best**2
        of["apart"] += (first + second) * (best - worst) ** 2
        seen += [best, worst]
    mean, judged = ratio(of["people"], of["number"]), ratio(of["judge"], of["number"])
    slope = _slope(of, mean, judged)
    inside = touched.sum(axis=1, keepdims=True)
    everything = inside * np.nan_to_num(ratio(of["inside"], of["questions_inside"]))
    everything += (pair.questions - inside) * np.nan_to_num(
        ratio(of["outside"], of["questions_outside"])
    )
    everything = np.where(
        np.isnan(of["inside"] + of["outside"]), np.nan, everything / pair.questions
    )
    corrected = mean + slope * (everything - judged)
    low = np.min([values.min(axis=1) for values in seen], axis=0)[:, None]
    high = np.max([values.max(axis=1) for values in seen], axis=0)[:, None]
    return np.clip(corrected, low, high) * pair.questions


def _slope(of: Mapping[str, Array], mean: Array, judged: Array) -> Array:
    """The slope of people on the judge, from 0 to 1.

    Where the judge says the same of all questions there is none: 1 if people say it, too, else 0.
    """
    square = ratio(of["square"], of["number"])
    spread = square - judged**2
    together = ratio(of["product"], of["number"]) - mean * judged
    agree = of["apart"] <= 1e-12 * np.maximum(of["square"], 1e-300)
    alike = spread <= 1e-12 * np.maximum(square, 1e-300)
    slope = ratio(together, np.where(alike, np.nan, spread))
    return np.where(alike, agree.astype(float), np.clip(slope, 0, 1))


def pseudo_rows(pair: Pair, measure: Configured) -> tuple[Row, Row]:
    """The best and the worst evidence of a question, by the keys of the evidence."""
    columns = measure.columns()
    means = {
        name: np.asarray(pair.judge[column.key]).mean(axis=1, dtype=float)
        for name, column in columns.items()
    }
    extremes = measure.declared.extremes(means, measure.options)
    if extremes is not None:
        rows = [
            {column.key: row.get(name, 0.0) for name, column in columns.items()} for row in extremes
        ]
        return rows[0], rows[1]
    low, high = measure.bounds  # of a mean over questions
    best, worst = {}, {}
    for name, evidence_column in columns.items():
        known = name in (*OF_RIGHT, *OF_WRONG, *INDEPENDENT)
        best[evidence_column.key] = OF_RIGHT.get(name, 0.0) if known else high
        worst[evidence_column.key] = OF_WRONG.get(name, 0.0) if known else low
    return best, worst


def corrected_values(pair: Pair, measure: Configured) -> Array:
    """The corrected value of every run."""
    once = np.ones((1, len(pair.units)), dtype=np.uint8)
    return rectify(pair, measure, once, None)[:, 0]


def corrected_draws(pair: Pair, measure: Configured, *, seed: str, draws: int = DRAWS) -> Array:
    """The corrected value of every run on units weighted at random, labelled and others apart.

    Weights are exponential (Rubin 1981). Nobody knows how a judge errs that has not erred yet: two
    pseudo-questions are labelled, on which people and the judge contradict each other.
    """
    both = generator(seed, "pseudo-labels").standard_gamma(PSEUDO, (draws, 2))
    best, worst = pseudo_rows(pair, measure)
    values = []
    for first, number in _blocks(draws, len(pair.units)):
        weights = draw_exponential(pair.units.keys, number, key(seed, "weights"), first=first)
        pseudo = Pseudo(both[first : first + number] * SCALE, best, worst)
        values.append(rectify(pair, measure, weights, pseudo))
    return np.hstack(values)


def corrected_resamples(pair: Pair, measure: Configured, *, seed: str, draws: int = DRAWS) -> Array:
    """The corrected value of every run on units drawn again, labelled and others apart.

    All runs have the same draws. Where they have labels on different units, those with a label for
    any run are drawn apart from the rest.
    """
    return np.hstack(
        [rectify(pair, measure, weights, None) for weights in _resamples(pair, seed, draws)]
    )


def _resamples(pair: Pair, seed: str, draws: int) -> Iterator[Numbers]:
    """How often each unit is drawn, by draw, in blocks of draws."""
    some = (pair.units.add_up((pair.labelled > 0).astype(np.int64)) > 0).any(axis=0)
    for first, number in _blocks(draws, len(pair.units)):
        weights = np.zeros((number, len(pair.units)), dtype=np.uint8)
        for name, chosen in (("labelled", some), ("others", ~some)):
            if chosen.any():
                purpose = key(seed, "resamples", name, first)
                weights[:, chosen] = draw_bootstrap(int(chosen.sum()), number, purpose)
        yield weights


def youden_resamples(pair: Pair, *, seed: str, draws: int = DRAWS) -> tuple[Array, Array]:
    """Youden's J of the judge for every run, and on the same resamples as its corrected values.

    NaN where nothing right, or nothing wrong, is among the labelled. Of right answers and of wrong
    ones few may be labelled, and none of them misjudged: every draw has two of either sort more, of
    which one is accepted, each with a weight of its own as the other pseudo-labels have.
    """
    sizes = np.asarray(pair.judge["questions"], dtype=np.float64)
    people, judge = (side["correct"] / sizes for side in (pair.people, pair.judge))
    counted = pair.labelled * sizes
    right, wrong = counted * people, counted * (1 - people)
    parts = {
        "right": right,
        "accepted": right * judge,
        "wrong": wrong,
        "rejected": wrong * (1 - judge),
    }
    by_unit = {name: np.asarray(pair.units.add_up(part)) for name, part in parts.items()}

    def youden(weights: Numbers, pseudo: Array) -> Array:
        of = exact_sums(by_unit, weights)
        yes, no, rejected, accepted = pseudo
        sensitivity = ratio(of["accepted"] + yes, of["right"] + yes + no)
        return sensitivity + ratio(of["rejected"] + rejected, of["wrong"] + rejected + accepted) - 1

    once = np.ones((1, len(pair.units)), dtype=np.uint8)
    value = youden(once, np.zeros((4, pair.runs, 1)))[:, 0]
    rng = generator(seed, "pseudo-labels of J")
    drawn = [
        youden(weights, rng.standard_gamma(PSEUDO, (4, pair.runs, len(weights))))
        for weights in _resamples(pair, seed, draws)
    ]
    return value, np.where(np.isnan(value)[:, None], np.nan, np.hstack(drawn))


def _blocks(draws: int, units: int) -> Iterator[tuple[int, int]]:
    """The first draw of each block, a multiple of 4, and how many there are in it."""
    step = max(BLOCK // max(units, 1) // 4 * 4, 4)
    return ((first, min(step, draws - first)) for first in range(0, draws, step))


def tail(units: int) -> float:
    """The share of draws outside a percentile interval on either side, for so many labelled units.

    Resamples of m units vary as if there were m/(m - 1) fewer, and a spread that is estimated from
    m units is as uncertain as that of Student's t: Φ(-√(m/(m - 1))·t), t the 97.5% quantile with
    m - 1 degrees of freedom (Hesterberg 2015 calls it the expanded percentile interval).

    >>> round(tail(30), 4), round(tail(1000), 4)
    (0.0188, 0.0248)
    """
    normal = NormalDist()
    quantile = student(normal.inv_cdf(1 - LEVEL / 2), units - 1)
    return normal.cdf(-((units / (units - 1)) ** 0.5) * quantile)


def student(z: float, degrees: int) -> float:
    """The quantile of Student's t where z is that of the normal distribution.

    By three terms of an expansion (Abramowitz & Stegun 1964, 26.7.5): from 20 degrees of freedom
    on it is right to four digits.

    >>> round(student(1.959964, 29), 4), round(student(1.959964, 99), 4)
    (2.0452, 1.9842)
    """
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))


def difference_bounds(first: Array, second: Array, units: int) -> tuple[Array, Array]:
    """The interval of the difference of pairs of runs from their resamples, by pair (rows)."""
    share = tail(units)
    low, high = quantiles(first - second, share, 1 - share)
    return low, high


def rogan_gladen(
    raw: Array, people: Array, judge: Array, labelled: Array
) -> tuple[Array, Array, Array, Array]:
    """Sensitivity, specificity, Youden's J and the accuracy corrected by them, of every run.

    (raw + specificity - 1) / (sensitivity + specificity - 1), from 0 to 1 (Rogan & Gladen 1978);
    NaN where J is not above 0. `people` and `judge` say by run and question what is right.

    A judge that accepts 9 of 10 right answers and 1 of 5 wrong ones, and 60% of all: J = 0.7, and
    (0.6 + 0.8 - 1) / 0.7 = 0.5714.

    >>> people = np.array([[1.0] * 10 + [0.0] * 5])
    >>> judge = np.array([[1.0] * 9 + [0.0] + [1.0] + [0.0] * 4])
    >>> found = rogan_gladen(np.array([0.6]), people, judge, np.ones((1, 15)))
    >>> [each.round(4).item() for each in found]
    [0.9, 0.8, 0.7, 0.5714]
    """
    right, wrong = labelled * people, labelled * (1 - people)
    sensitivity = ratio((right * judge).sum(axis=1), right.sum(axis=1))
    specificity = ratio((wrong * (1 - judge)).sum(axis=1), wrong.sum(axis=1))
    youden = sensitivity + specificity - 1
    usable = np.where(youden > 1e-12, youden, np.nan)
    return sensitivity, specificity, youden, np.clip((raw + specificity - 1) / usable, 0, 1)
