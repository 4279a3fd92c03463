"""Do numbers of questions keep their promises? Simulated collections, and new questions for them.

Swap rates are studied on a collection of 200 questions, at sets of up to 100. Then the same runs
answer new questions, many times over: sets of four times that size, and of the sizes that the study
names. Runs have normal abilities; questions are of all difficulties, and with groups, those of a
group share much of what makes a run right or wrong.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.studies.questions_needed import LEAP, Normal
from qampaign.studies.study import Setting, study
from tests.bench.calibration.simulated import ACCURACY, Cell, generator, share

WIDTH, BINS = 0.01, 20
POWER = 2.8016
"""How many standard errors a difference is that a two-sided test at .05 finds in 80% of cases."""


@dataclass(frozen=True)
class Population:
    """Runs that answer questions, a group of questions at a time."""

    abilities: Array
    sizes: tuple[int, ...] = (1,)
    """Questions in a group, in turn."""
    shared: float = 0.0
    """How much of what a run is right or wrong by is shared within a group."""

    def answers(self, rng: np.random.Generator, groups: int) -> Array:
        """By run and question, 1 where it is right."""
        sizes = np.resize(self.sizes, groups)
        runs, questions = len(self.abilities), int(sizes.sum())
        hard = np.repeat(rng.normal(0, 0.5, groups), sizes)
        common = np.repeat(rng.normal(size=(runs, groups)), sizes, axis=1)
        alone = rng.normal(size=(runs, questions))
        luck = math.sqrt(self.shared) * common + math.sqrt(1 - self.shared) * alone
        return (self.abilities[:, None] + luck > hard).astype(float)

    def differences(self, rng: np.random.Generator, groups: int, sets: int) -> Iterator[Array]:
        """Of all pairs of runs, on sets of new questions."""
        a, b = np.triu_indices(len(self.abilities), 1)
        for _ in range(sets):
            values = self.answers(rng, groups).mean(axis=1)
            yield values[a] - values[b]

    def rates(self, rng: np.random.Generator, groups: int, trials: int) -> tuple[Array, Array]:
        """Comparisons and swap rates by bin on new questions; a second difference of 0 is half."""
        compared, swapped = np.zeros(BINS), np.zeros(BINS)
        drawn = self.differences(rng, groups, 2 * trials)
        for one, two in zip(drawn, drawn, strict=True):
            size = np.abs(one)
            inside = (size > 1e-9) & (size < WIDTH * BINS - 1e-9)
            bins = (size[inside] / WIDTH + 1e-9).astype(int)
            order = np.sign(one[inside]) * np.where(np.abs(two) < 1e-9, 0, np.sign(two))[inside]
            compared += np.bincount(bins, minlength=BINS)
            swapped += np.bincount(bins, weights=(1 - order) / 2, minlength=BINS)
        return compared, np.divide(swapped, compared, out=np.zeros(BINS), where=compared > 0)


def studied(
    answers: Array, sizes: tuple[int, ...], groups: int, seed: str
) -> dict[str, pl.DataFrame]:
    """What the study of swaps says about answers to questions in groups."""
    right = answers.astype(np.uint8)
    runs, questions = right.shape
    names = np.repeat(np.arange(groups), np.resize(sizes, groups))
    evidence = Evidence(
        pl.DataFrame(
            {"run": [f"r{n}" for n in range(runs)], "kind": "submitted", "assessed": True}
        ),
        pl.DataFrame(
            {
                "question": [f"q{n}" for n in range(questions)],
                "type": "factoid",
                "group": [f"g{n}" for n in names],
            }
        ),
        {"correct": right, "questions": np.ones_like(right)},
    )
    return study("swap", Setting(evidence, [ACCURACY], seed=seed), {"trials": 200})


def predictions(
    collections: int,
    trials: int,
    *,
    runs: int = 40,
    groups: int = 200,
    sizes: tuple[int, ...] = (1,),
    most: float = 0.015,
) -> Iterator[Cell]:
    """Swap rates at four times the size studied, and at the sizes said to give a rate of .05.

    `most` is the limit of the model's error; questions of a group are alike to a degree of .3.
    """
    missed: dict[str, list[tuple[float, float]]] = {"normal": [], "exponential": []}
    realised, told = [], []
    for number in range(collections):
        rng = generator([number, runs, *sizes])
        shared = 0.3 if sizes != (1,) else 0.0
        population = Population(rng.normal(0, 0.25, runs), sizes, shared)
        tables = studied(population.answers(rng, groups), sizes, groups, str(number))
        fits = tables["swap_fits"].unique("difference", keep="first").sort("difference")
        at = LEAP * (groups // 2)
        compared, rate = population.rates(rng, at, trials)
        model = Normal(*fits.select("sigma", "tau").row(0))
        guess = model.rate(np.full(BINS, float(at)), (np.arange(BINS) + 0.5) * WIDTH)
        missed["normal"].append(_squares(guess - rate, compared))
        bins = (fits["difference"] / WIDTH).round().cast(pl.Int64).to_numpy()
        known = bins < BINS
        curves = (fits["a"] * (-fits["b"] * at).exp()).to_numpy()[known]
        missed["exponential"].append(_squares(curves - rate[bins[known]], compared[bins[known]]))
        needed = tables["questions_needed"].filter((pl.col("difference") - 0.05).abs() < 1e-9)
        numbers = needed["questions"].drop_nulls()
        told.append(len(numbers))
        for size in numbers:
            _, rate = population.rates(rng, round(size / np.mean(sizes)), trials)
            realised.append(rate[5])
    within = f"groups of {' or '.join(map(str, sizes))}" if sizes != (1,) else "questions"
    cell = f"{runs} runs, {groups} {within}"
    for name, limit in (("normal", f"<= {most}"), ("exponential", "")):
        error = _root(missed[name])
        yield Cell(f"RMSE of swap rates at 4 times the size, {name}, {cell}", *error, limit)
    name = f"swap rate of differences from .05 to .06 at the size said to give .05, {cell}"
    yield Cell(name, *share(realised), "<= 0.06")
    yield Cell(f"collections in which a size could be told, {cell}", *share(told), "")


def power(
    simulated: int, *, difference: float, differing: float, group: int = 1, shared: float = 0.0
) -> Iterator[Cell]:
    """How often a test at .05 finds a difference with the questions that should show it in 80%.

    Of two runs, one is right where the other is wrong on the share `differing` of the questions;
    within groups, which run that is, is shared to the degree `shared`.
    """
    rng = generator([int(1000 * difference), int(100 * differing), group])

    def means(units: int, samples: int) -> Array:
        """Mean differences by sample and unit."""
        better = rng.random((samples, units, group)) < (1 + difference / differing) / 2
        common = rng.random((samples, units, 1)) < (1 + difference / differing) / 2
        same = rng.random((samples, units, group)) < shared
        sign = np.where(np.where(same, common, better), 1, -1)
        return (sign * (rng.random((samples, units, group)) < differing)).mean(axis=2)

    sd = float(means(200_000, 1).std())
    units = math.ceil((POWER * sd / difference) ** 2)
    found = []
    for _ in range(simulated // 100):
        drawn = means(units, 100)
        score = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / math.sqrt(units))
        found.extend(np.abs(score) > 1.959964)
    within = f", in groups of {group}" if group > 1 else ""
    name = f"power at n = (2.8016 sd / {difference})², {units * group} questions{within}"
    for limit in (">= 0.77", "<= 0.83"):
        yield Cell(name, *share(found), limit)


def rows(*, short: bool) -> Iterator[Cell]:
    """The cells: some minutes, or the cheapest ones in a few seconds.

    The abilities of forty runs look normal; those of twenty need not, whatever they were drawn
    from, and predictions of them are less exact.
    """
    if short:
        yield next(predictions(3, 60))
        yield from power(2000, difference=0.1, differing=0.3)
        return
    yield from predictions(40, 200)
    yield from predictions(40, 200, groups=80, sizes=(3,))
    yield from predictions(40, 200, groups=80, sizes=(1, 3, 5))
    yield from predictions(40, 200, runs=20, most=0.03)
    yield from power(20_000, difference=0.05, differing=0.2)
    yield from power(20_000, difference=0.05, differing=0.42)
    yield from power(20_000, difference=0.1, differing=0.3)
    yield from power(20_000, difference=0.1, differing=0.3, group=5, shared=0.5)


def _squares(missed: Array, weight: Array) -> tuple[float, float]:
    return float((missed**2 * weight).sum()), float(weight.sum())


def _root(squares: list[tuple[float, float]]) -> tuple[float, float]:
    """The root of the mean square over collections, and its error by leaving each out in turn."""
    table = np.array(squares)
    total = table.sum(axis=0)
    left = np.sqrt((total - table)[:, 0] / (total - table)[:, 1])
    number = len(table)
    error = math.sqrt((number - 1) / number * ((left - left.mean()) ** 2).sum())
    return math.sqrt(total[0] / total[1]), error
