"""Across question types and collections: means of measures, with their intervals and tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from qampaign.measures.configured import Averaged, Composite, Configured
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import evaluate
from qampaign.studies import overall
from qampaign.studies.exchange import LEVEL, Exchange, all_pairs
from qampaign.studies.intervals import bounds
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import (
    ACCURACY,
    C_AT_1,
    MRR,
    Cell,
    Groups,
    generator,
    share,
    simulate,
    truth,
)

MACRO = Averaged("macro accuracy", "accuracy", {})
MACRO_C_AT_1 = Averaged("macro c@1", "c_at_1", {})
MIXED = Composite("composite of accuracy, c@1 and MRR", parts=[ACCURACY, C_AT_1, MRR])
BOTH = Composite("composite of c@1 and macro accuracy", parts=[C_AT_1, MACRO], weights=[1, 3])
BATCH = 100
DRAWS = 999

EQUAL = (20, 20, 20)
UNEQUAL = (4, 16, 40)
MANY = (6,) * 10
SMALL = (3, 3, 14)


@dataclass(frozen=True)
class Mix:
    """Questions of several types, of which some are harder than others."""

    sizes: tuple[int, ...]
    spread: float = 0.0
    """By how much the chance of being right falls and rises with the type."""
    groups: bool = False
    """Whether questions of a type come in groups of two."""

    def levels(self, level: float) -> list[float]:
        """The chance by type: on average the level."""
        steps = np.linspace(-1, 1, len(self.sizes)) * self.spread
        return (level + steps).tolist()

    def simulate(
        self, rng: np.random.Generator, quality: np.ndarray, *, silence: float, shared: float
    ) -> Evidence:
        """Evidence of runs that are right with the chances `quality`, on average over types."""
        steps = np.subtract(self.levels(0), 0)
        pieces = [
            simulate(
                rng,
                quality + step,
                size,
                groups=Groups(size // 2, (2,)) if self.groups else None,
                silence=silence,
                shared=shared,
            )
            for size, step in zip(self.sizes, steps, strict=True)
        ]
        questions = [
            piece.questions.select(
                question=pl.lit(f"t{number} ") + pl.col("question"),
                type=pl.lit(f"t{number}"),
                group=pl.lit(f"t{number} ") + pl.col("group"),
            )
            for number, piece in enumerate(pieces)
        ]
        columns = {
            name: np.hstack([piece.columns[name] for piece in pieces]) for name in pieces[0].columns
        }
        return Evidence(pieces[0].runs, pl.concat(questions), columns)

    def true(self, measure: Configured, quality: np.ndarray, silence: float) -> np.ndarray:
        """The value over all questions there could be, of each type as large a share as here."""
        if isinstance(measure, Composite):
            parts = [self.true(part, quality, silence) for part in measure.parts]
            return np.average(parts, axis=0, weights=measure.shares)
        weights = None if isinstance(measure, Averaged) else self.sizes
        steps = self.levels(0)
        if weights is not None and measure.measure == "c_at_1":  # of sums, not a mean over types
            middle = np.average([quality + step for step in steps], axis=0, weights=weights)
            return truth(measure, middle, silence)
        by_type = [truth(measure, quality + step, silence) for step in steps]
        return np.average(by_type, axis=0, weights=weights)


def rows(*, short: bool) -> Iterator[Cell]:
    """Coverage of intervals, then wrong claims and ranks."""
    sets = 1000 if short else 3000
    for measure, mix, least in COVERED[: 4 if short else None]:
        for level in (0.3, 0.8) if short else (0.15, 0.5, 0.8, 0.92):
            silence = 0.0 if measure is MACRO else 0.2
            if not 0.02 < min(mix.levels(level)) <= max(mix.levels(level)) < 0.99:
                continue
            held = [
                hit
                for batch in range(sets // BATCH)
                for hit in _held(measure, mix, level, silence, batch)
            ]
            name = f"interval of {measure.name}, {_words(mix)}, {level:g} right"
            yield Cell(name, *share(held), f">= {least}" if least else "")
    for measure, mix in TESTED[: 2 if short else None]:
        wrong = list(_wrong_claims(measure, mix, sets * 2 // 3))
        name = f"a wrong claim among all pairs, {measure.name}, 10 runs, {_words(mix)}"
        yield Cell(name, *share(wrong), "<= 0.06")
    yield from _of_collections(sets, short=short)


def _words(mix: Mix) -> str:
    sizes = ", ".join(map(str, mix.sizes[:-1])) + f" and {mix.sizes[-1]}"
    sizes = f"{len(mix.sizes)} times {mix.sizes[0]}" if len(set(mix.sizes)) == 1 else sizes
    text = f"types of {sizes} questions"
    text += f", their chances ± {mix.spread:g}" if mix.spread else ""
    return text + (", in pairs" if mix.groups else "")


COVERED = [
    (MACRO, Mix(EQUAL), 0.925),
    (MACRO, Mix(UNEQUAL, 0.1), 0.915),
    (BOTH, Mix(EQUAL), 0.925),
    (MIXED, Mix(EQUAL), 0.925),
    (MACRO, Mix(MANY, 0.05), 0.925),
    (MACRO, Mix(SMALL), 0.9),
    (MACRO, Mix(EQUAL, 0.05, groups=True), 0.915),
    (MACRO, Mix((2,) * 10), 0.9),
    (MACRO, Mix((1, 1, 18)), None),
    (MACRO_C_AT_1, Mix(UNEQUAL), 0.915),
    (MACRO_C_AT_1, Mix((20,) * 5, 0.05), 0.925),
    (MACRO_C_AT_1, Mix(MANY), None),
]
TESTED = [
    (MACRO, Mix(EQUAL, 0.1)),
    (BOTH, Mix(UNEQUAL)),
    (MIXED, Mix(EQUAL)),
    (MACRO_C_AT_1, Mix(MANY)),
    (MACRO, Mix(UNEQUAL, 0.1, groups=True)),
]


def _held(measure: Configured, mix: Mix, level: float, silence: float, batch: int) -> np.ndarray:
    """Whether intervals hold the truth: independent data sets, each a run of its own."""
    rng = generator([batch, sum(mix.sizes), int(1000 * level), 18])
    quality = np.full(BATCH, level)
    evidence = mix.simulate(rng, quality, silence=silence, shared=0.0)
    everything = np.ones((1, evidence.questions.height), dtype=np.uint8)
    value = next(evaluate(evidence, [measure], everything))[:, 0]
    units = Units.of(evidence.questions, "group")
    drawn = weighted_values(evidence, [measure], units, seed=f"across {batch}")[0].values
    low, high = bounds(drawn, value)
    true = mix.true(measure, quality, silence)
    held: np.ndarray = (low <= true + 1e-9) & (true - 1e-9 <= high)
    return held


def _wrong_claims(measure: Configured, mix: Mix, sets: int) -> Iterator[bool]:
    """Whether any of ten equal runs is called better than another."""
    family = all_pairs(np.arange(10))
    for data in range(sets):
        rng = generator([data, sum(mix.sizes), 1818])
        silence = 0.0 if measure is MACRO else 0.2
        evidence = mix.simulate(rng, np.full(10, 0.6), silence=silence, shared=0.5)
        everything = np.ones((1, evidence.questions.height), dtype=np.uint8)
        value = next(evaluate(evidence, [measure], everything))[:, 0]
        units = Units.of(evidence.questions, "group")
        tested = Exchange(evidence, units, seed=f"across {data}", draws=DRAWS).test(
            measure, value, family
        )
        yield bool((tested.adjusted <= LEVEL + 1e-9).any())


# over collections


@dataclass(frozen=True)
class Campaign:
    """Collections of so many questions, each with its measure."""

    sizes: tuple[int, ...]
    measures: tuple[Configured, ...]
    weights: overall.Weighting = "equal"

    def members(
        self, rng: np.random.Generator, quality: np.ndarray, *, shared: float
    ) -> list[overall.Member]:
        """The collections with new questions; a run is as good in each."""
        made = []
        for number, (size, measure) in enumerate(zip(self.sizes, self.measures, strict=True)):
            evidence = simulate(rng, quality, size, silence=0.1, shared=shared)
            made.append(overall.Member(f"c{number}", evidence, measure, seed=f"c{number}"))
        return made

    def true(self, quality: np.ndarray) -> np.ndarray:
        """The value over all questions there could be."""
        by_collection = [truth(measure, quality, 0.1) for measure in self.measures]
        weights = self.sizes if self.weights == "questions" else None
        return np.average(by_collection, axis=0, weights=weights)

    @property
    def words(self) -> str:
        measures = " and ".join(dict.fromkeys(measure.name for measure in self.measures))
        sizes = f"{', '.join(map(str, self.sizes[:-1]))} and {self.sizes[-1]} questions"
        return f"{measures}, collections of {sizes}, weights {self.weights}"


CAMPAIGNS = [
    Campaign((20, 60), (ACCURACY, C_AT_1)),
    Campaign((15, 15, 15, 15), (C_AT_1,) * 4),
    Campaign((20, 100), (ACCURACY, ACCURACY), "questions"),
    Campaign((50, 50, 200), (MRR, C_AT_1, ACCURACY)),
]


def _of_collections(sets: int, *, short: bool) -> Iterator[Cell]:
    for campaign in CAMPAIGNS[: 1 if short else None]:
        for level in (0.3, 0.8, 0.92):
            held = [
                hit
                for batch in range(sets // BATCH)
                for hit in _overall_held(campaign, level, batch)
            ]
            name = f"overall interval, {campaign.words}, {level:g} right"
            yield Cell(name, *share(held), ">= 0.925")
        wrong = [
            bool((_compare(campaign, np.full(8, 0.6), data)[1] <= LEVEL + 1e-9).any())
            for data in range(sets // 2)
        ]
        name = f"a wrong claim among all pairs overall, 8 runs, {campaign.words}"
        yield Cell(name, *share(wrong), "<= 0.06")
    graded = np.linspace(0.35, 0.75, 10)
    best, ranges = [], []
    for data in range(sets // 10):
        table, _ = _compare(CAMPAIGNS[0], graded, 10_000 + data)
        table = table.sort("run")
        rank = np.arange(10, 0, -1)
        low, high = (table[name].to_numpy() for name in ("rank_low", "rank_high"))
        ranges.append(bool(((low <= rank) & (rank <= high)).all()))
        best.append(bool(table["leading"][9]))
    words = f"10 runs from .35 to .75, {CAMPAIGNS[0].words}"
    yield Cell(f"all overall rank ranges hold, {words}", *share(ranges), ">= 0.95")
    yield Cell(f"the best run is among the leading overall, {words}", *share(best), ">= 0.95")


def _overall_held(campaign: Campaign, level: float, batch: int) -> np.ndarray:
    rng = generator([batch, sum(campaign.sizes), int(1000 * level), 181])
    quality = np.full(BATCH, level)
    members = campaign.members(rng, quality, shared=0.0)
    parts = overall.shares(members, campaign.weights)
    values = [[*member.values().values()] for member in members]
    drawn = overall.draw(members, parts, seed=f"across {batch}", threads=1)
    low, high = bounds(drawn.values, np.array(parts) @ np.array(values))
    true = campaign.true(quality)
    held: np.ndarray = (low <= true + 1e-9) & (true - 1e-9 <= high)
    return held


def _compare(
    campaign: Campaign, quality: np.ndarray, data: int
) -> tuple[pl.DataFrame, Sequence[float]]:
    rng = generator([data, sum(campaign.sizes), 1811])
    members = [
        replace(member, seed=f"{data} {member.seed}")
        for member in campaign.members(rng, quality, shared=0.5)
    ]
    found = overall.study(members, seed=f"across {data}", weights=campaign.weights, draws=DRAWS)
    return found.overall, found.comparisons["p_adjusted"].to_numpy()
