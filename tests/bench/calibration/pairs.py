"""The test of all pairs: wrong claims, power, ranks, and intervals that hold together."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qampaign.measures.scoring import Configured, evaluate
from qampaign.studies import significance
from qampaign.studies.comparisons import rank_ranges
from qampaign.studies.exchange import LEVEL, Exchange, Tested, all_pairs
from qampaign.studies.units import Unit, Units
from tests.bench.calibration.simulated import (
    ACCURACY,
    C_AT_1,
    K1,
    MRR,
    Cell,
    Groups,
    generator,
    share,
    simulate,
    truth,
)

DRAWS = 999


@dataclass(frozen=True)
class Design:
    """A kind of collection."""

    name: str
    quality: tuple[float, ...]
    questions: int
    measure: Configured = ACCURACY
    groups: Groups | None = None
    silence: float = 0.0
    shared: float = 0.5
    unit: Unit = "group"

    def sets(self, number: int, seed: int) -> Iterator[tuple[np.ndarray, Tested]]:
        """What the test says of simulated collections, with the values of the runs."""
        quality = np.array(self.quality)
        for data in range(number):
            rng = generator([seed, data])
            evidence = simulate(
                rng,
                quality,
                self.questions,
                groups=self.groups,
                silence=self.silence,
                shared=self.shared,
            )
            units = Units.of(evidence.questions, self.unit)
            everything = np.ones((1, evidence.questions.height), dtype=np.uint8)
            value = next(evaluate(evidence, [self.measure], everything))[:, 0]
            exchange = Exchange(evidence, units, seed=f"{seed} {data}", draws=DRAWS)
            yield value, exchange.test(self.measure, value, all_pairs(np.arange(len(quality))))

    @property
    def true(self) -> np.ndarray:
        return truth(self.measure, np.array(self.quality), self.silence)


def equal(runs: int, level: float = 0.5) -> tuple[float, ...]:
    return (level,) * runs


NULLS = [
    Design("accuracy, 5 runs, n = 20", equal(5), 20),
    Design("accuracy, 20 runs, n = 50", equal(20), 50),
    Design("c@1, 20 runs, n = 50", equal(20), 50, C_AT_1, silence=0.2),
    Design("accuracy, 10 runs, 20 groups of 5", equal(10), 0, groups=Groups(20)),
    Design("accuracy, 10 runs, 20 groups of 1 to 13", equal(10), 0, groups=Groups(20, (1, 2, 3, 6, 13))),
    Design("accuracy, 5 runs, n = 200", equal(5), 200),
    Design("accuracy, 20 runs, n = 20", equal(20), 20),
    Design("accuracy, 40 runs, n = 50", equal(40), 50),
    Design("accuracy, 40 runs, n = 200", equal(40), 200),
    Design("c@1, 5 runs, n = 50", equal(5), 50, C_AT_1, silence=0.2),
    Design("c@1, 20 runs, n = 200", equal(20), 200, C_AT_1, silence=0.2),
    Design("MRR, 10 runs, n = 50", equal(10), 50, MRR),
    Design("K1, 10 runs, n = 50", equal(10), 50, K1),
    Design("accuracy, 10 runs at .95, n = 100", equal(10, 0.95), 100),
    Design("c@1, 10 runs, 40 groups of 5", equal(10), 0, C_AT_1, Groups(40), 0.2),
    Design("accuracy, 10 runs, n = 50, half of them better", equal(5, 0.4) + equal(5, 0.7), 50),
    Design("c@1, 10 runs, n = 100, half of them better", equal(5, 0.4) + equal(5, 0.7), 100, C_AT_1,
           silence=0.2),
    Design("accuracy, 5 runs, n = 10, all exchanges", equal(5), 10),
    Design("c@1, 10 runs, 10 groups of 5, all exchanges", equal(10), 0, C_AT_1, Groups(10), 0.2),
]  # fmt: skip
GRADED = tuple(np.linspace(0.3, 0.7, 20).round(3).tolist())


def rows(*, short: bool) -> Iterator[Cell]:
    """Wrong claims where runs are equal, power, ranks and simultaneous intervals."""
    sets = 1000 if short else 2000
    for seed, design in enumerate(NULLS[:5] if short else NULLS):
        yield from _wrong_claims(design, sets, seed)
    clustered = Design("", equal(2), 0, groups=Groups(20), unit="question")
    single = [tested.p[0] <= LEVEL + 1e-9 for _, tested in clustered.sets(sets, 90)]
    name = "wrong claims, one pair, 20 groups of 5 exchanged question by question"
    yield Cell(name, *share(single), "")
    for questions in (50,) if short else (50, 200):
        yield from _power_and_ranks(Design("", GRADED, questions), sets // 4, 100 + questions)
    if not short:
        yield from _power_and_ranks(Design("", GRADED, 0, groups=Groups(40)), sets // 4, 99)


def _wrong_claims(design: Design, sets: int, seed: int) -> Iterator[Cell]:
    one, two = np.triu_indices(len(design.quality), 1)
    same = np.array(design.quality)[one] == np.array(design.quality)[two]
    any_wrong, alone = [], []
    for _, tested in design.sets(sets, seed):
        any_wrong.append(bool(tested.sure[same].any()))
        alone.append(float((tested.p[same] <= LEVEL + 1e-9).mean()))
    yield Cell(f"a wrong claim among all pairs, {design.name}", *share(any_wrong), "<= 0.06")
    yield Cell(f"wrong claims, pair by pair, {design.name}", *share(alone), "<= 0.06")


def _power_and_ranks(design: Design, sets: int, seed: int) -> Iterator[Cell]:
    """20 runs from .3 to .7: what is seen, and whether what is said of ranks is true."""
    what = f"20 runs from .3 to .7, n = {design.questions}"
    what = (
        what if design.groups is None else f"20 runs from .3 to .7, {design.groups.number} groups"
    )
    true = design.true
    rank = 1 + (true[None] > true[:, None] + 1e-9).sum(axis=1)
    family = all_pairs(np.arange(len(true)))
    difference = true[family.a] - true[family.b]
    seen, ranges, own, widths, together = [], [], [], [], []
    leads = []
    for value, tested in design.sets(sets, seed):
        seen.append(float(tested.sure.mean()))
        table = rank_ranges(tested, family, np.arange(len(true)), value, "high")
        low, high = (table[name].to_numpy() for name in ("rank_low", "rank_high"))
        ranges.append(bool(((low <= rank) & (rank <= high)).all()))
        widths.append(float((high - low + 1).mean()))
        low, high = (table[name].to_numpy() for name in ("own_rank_low", "own_rank_high"))
        own.append(float(((low <= rank) & (rank <= high)).mean()))
        leads.append(bool(table["leading"].to_numpy()[true.argmax()]))
        inside = np.abs(tested.difference - difference) <= tested.margin + 1e-9
        together.append(bool(inside.all()))
    yield Cell(f"all rank ranges hold, {what}", *share(ranges), ">= 0.95")
    yield Cell(f"a run's own rank range holds, {what}", *share(own), ">= 0.95")
    yield Cell(f"the best run is among the leading, {what}", *share(leads), ">= 0.95")
    yield Cell(f"width of a rank range, {what}", *share(widths), "")
    yield Cell(f"all simultaneous intervals hold, {what}", *share(together), ">= 0.94")
    yield Cell(f"pairs that differ surely, {what}", *share(seen), "")
    if design.groups is None:
        signs = [_holm_and_sign(design, seed, data) for data in range(sets)]
        yield Cell(f"pairs that differ by the sign test with Holm, {what}", *share(signs), "")
        gain = np.array(seen) - np.array(signs)
        yield Cell(f"power above the sign test with Holm, {what}", *share(gain), ">= 0")


def _holm_and_sign(design: Design, seed: int, data: int) -> float:
    """The share of pairs that the sign test tells apart after Holm's correction."""
    rng = generator([seed, data])
    evidence = simulate(rng, np.array(design.quality), design.questions, shared=design.shared)
    a, b = np.triu_indices(len(design.quality), 1)
    p = significance.sign_test(evidence.columns["correct"].astype(float), a, b)
    return float((significance.holm(p) <= LEVEL + 1e-9).mean())
