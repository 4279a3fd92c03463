"""Do the intervals of agreement keep their promise? Simulated judges, assessors and rankings.

The share of 95% intervals that hold the true figure: that of a population of questions from which
those of a data set are drawn. Several data sets share a population; the Monte Carlo error is over
populations.
"""

from collections.abc import Callable, Iterator

import numpy as np
import polars as pl

from qampaign.agreement.agreement import agree
from qampaign.agreement.assessors import compare
from qampaign.agreement.correlation import correlate
from qampaign.agreement.kappa import alpha, kappa
from qampaign.agreement.paired_scores import Draws, pair_with_reference
from qampaign.judging.judgments import Verdict
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured
from qampaign.ranking import tau
from qampaign.studies.resampling import key
from qampaign.studies.units import Units
from tests.bench.calibration.simulated import Cell, generator, share

POPULATION = 6_000
GROUP = 5
"""Questions of a group."""
SETS = 5
"""Data sets from each population."""
ACCURACY = Configured("accuracy", "accuracy", {})
MEASURES = [ACCURACY, Configured("c@1", "c_at_1", {}), Configured("mrr", "mrr", {"cutoff": 5})]
RANKINGS = {
    "c@1 by the same judge": ("people", "c@1"),
    "MRR by the same judge": ("people", "mrr"),
    "accuracy by a good judge": ("good", "accuracy"),
    "accuracy by a poor judge": ("poor", "accuracy"),
}
"""What accuracy by people is compared with: judge and measure."""

TAU_CELLS = [
    # runs, how far they differ (standard deviation, in logits), questions, grouped, limit
    (10, 0.7, 50, False, ">= 0.90"),
    (5, 0.3, 50, False, ">= 0.90"),
    (5, 1.0, 200, False, ">= 0.90"),
    (10, 0.3, 50, False, ">= 0.90"),
    (10, 0.3, 200, False, ">= 0.90"),
    (40, 0.7, 50, False, ">= 0.90"),
    (40, 0.7, 200, False, ">= 0.90"),
    (40, 0.2, 50, False, ">= 0.90"),
    (40, 0.2, 200, False, ">= 0.90"),
    (10, 0.7, 200, True, ">= 0.90"),
    (40, 0.7, 200, True, ">= 0.90"),
]
KAPPA_CELLS = [
    # units, responses of each at most, share that is right, whether units differ in size, limit
    (50, 5, 0.5, False, ">= 0.92"),
    (20, 1, 0.5, False, ">= 0.92"),
    (20, 5, 0.15, True, ">= 0.92"),
    (20, 40, 0.5, False, ">= 0.92"),
    (50, 1, 0.15, False, ">= 0.92"),
    (50, 5, 0.15, True, ">= 0.92"),
    (50, 40, 0.15, False, ">= 0.92"),
    (200, 1, 0.5, False, ">= 0.92"),
    (200, 5, 0.15, True, ">= 0.92"),
    (200, 40, 0.15, False, ">= 0.92"),
]
ERRORS = {"seldom": (0.03, True), "often": (0.15, True), "anywhere": (0.1, False)}
"""How much a judge errs, and whether it does so on some questions only."""


def rows(*, short: bool) -> Iterator[Cell]:
    """Every cell; `short`: the first of each kind, with fewer data sets."""
    yield from _tau_rows(TAU_CELLS[:1] if short else TAU_CELLS, 12 if short else 30)
    for figure in ENDS:
        chosen = KAPPA_CELLS[:1] if short else KAPPA_CELLS
        yield from _kappa_rows(figure, chosen, 20 if short else 60)


def _tau_rows(cells: list[tuple[int, float, int, bool, str]], populations: int) -> Iterator[Cell]:
    for number, (runs, spread, questions, grouped, limit) in enumerate(cells):
        rng = generator([2011, number])
        held: dict[str, list[float]] = {name: [] for name in RANKINGS}
        for _ in range(populations):
            hits = tau_hits(rng, runs, spread, questions, grouped)
            for name, hit in hits.items():
                held[name].append(hit)
        among = f"{questions} questions{' in groups' if grouped else ''}"
        for name, shares in held.items():
            cell = f"tau, {runs} runs that differ by {spread:g}, {among}: {name}"
            yield Cell(cell, *share(shares), limit)


def tau_hits(
    rng: np.random.Generator, runs: int, spread: float, questions: int, grouped: bool
) -> dict[str, float]:
    """By ranking, the share of data sets from one population whose interval holds the true tau."""
    population = _rankings(rng, runs, spread, grouped)
    truth = {name: _true_tau(population, *other) for name, other in RANKINGS.items()}
    hits = dict.fromkeys(RANKINGS, 0.0)
    for _ in range(SETS):
        if grouped:
            units = rng.choice(POPULATION // GROUP, questions // GROUP, replace=False)
            drawn = (units[:, None] * GROUP + np.arange(GROUP)).ravel()
        else:
            drawn = rng.choice(POPULATION, questions, replace=False)
        judges = {name: _only(each, drawn) for name, each in population.items()}
        units_drawn = Units.of(judges["people"].questions, "group")
        draws = Draws.of(units_drawn, 1000, key(int(rng.integers(2**31))))
        paired = pair_with_reference(judges, MEASURES, draws, reference="people")
        table = correlate(paired, key=key("runs")).filter(measure_a="accuracy")
        for name, (judge, measure) in RANKINGS.items():
            found = table.filter(judge_b=judge, measure_b=measure).row(0, named=True)
            hits[name] += (found["low"] - 1e-9 <= truth[name] <= found["high"] + 1e-9) / SETS
    return hits


def _rankings(
    rng: np.random.Generator, runs: int, spread: float, grouped: bool
) -> dict[str, Evidence]:
    """Runs of different skill and caution on all questions there are, by people and two judges.

    Judges miss what a key lacks, more so in the style of some runs, and accept what is near.
    """
    shape = runs, POPULATION
    skill = rng.normal(0, spread, runs)[:, None]
    difficulty = rng.normal(0, 1.2, POPULATION)
    own = rng.normal(0, 0.8, shape)
    if grouped:
        of_group = np.repeat(np.arange(POPULATION // GROUP), GROUP)
        difficulty = difficulty[of_group] + rng.normal(0, 0.5, POPULATION)
        own = own[:, of_group] + rng.normal(0, 0.4, shape)
    logit = skill - difficulty + own
    right = rng.random(shape) < 1 / (1 + np.exp(-logit))
    silent = rng.random(shape) < rng.uniform(0, 0.6, runs)[:, None] / (1 + np.exp(logit))
    later = (rng.random(shape) < 0.4) / rng.integers(2, 6, shape)
    style = np.exp(rng.normal(0, 0.5, runs))[:, None]
    judged = {"people": right & ~silent}
    for name, error in (("good", 0.05), ("poor", 0.2)):
        missed = rng.random(shape) < rng.beta(1, 5, POPULATION) * 6 * error * style
        alarms = rng.random(shape) < rng.beta(1, 5, POPULATION) * 1.5 * error
        judged[name] = np.where(right, ~missed, alarms) & ~silent
    names = pl.DataFrame({"run": [f"run{n}" for n in range(runs)]}).with_columns(
        kind=pl.lit("submitted"), assessed=pl.lit(True)
    )
    number = pl.int_range(POPULATION)
    questions = pl.select(
        question=pl.format("q{}", number),
        group=pl.format("g{}", number // GROUP) if grouped else pl.lit(None, pl.String),
        type=pl.lit(None, pl.String),
    )
    return {
        name: Evidence(
            names,
            questions,
            {
                "questions": np.ones(shape, dtype=np.uint8),
                "correct": correct.astype(np.uint8),
                "unanswered": silent.astype(np.uint8),
                'reciprocal_rank {"cutoff": 5}': np.where(correct, 1.0, later * ~silent),
            },
        )
        for name, correct in judged.items()
    }


def _only(evidence: Evidence, drawn: np.ndarray) -> Evidence:
    columns = {name: values[:, drawn] for name, values in evidence.columns.items()}
    return Evidence(evidence.runs, evidence.questions[drawn], columns)


def _true_tau(population: dict[str, Evidence], judge: str, measure: str) -> float:
    every = np.ones((1, POPULATION), dtype=np.uint8)
    (other,) = (each for each in MEASURES if each.name == measure)
    true = ACCURACY.values(population["people"], every)[:, 0]
    return float(tau(true, other.values(population[judge], every)[:, 0]))


def _kappa_rows(
    figure: str, cells: list[tuple[int, int, float, bool, str]], populations: int
) -> Iterator[Cell]:
    for number, (units, most, right, uneven, limit) in enumerate(cells):
        for errs, (error, on_some) in ERRORS.items():
            rng = generator([2013, number, int(1000 * error)])
            held = [
                kappa_hits(rng, figure, units, most, right, uneven, error, on_some)
                for _ in range(populations)
            ]
            size = f"1 to {most}" if uneven else f"{most}"
            given = f"{size} response{'' if most == 1 else 's'}"
            cell = f"{figure}, {units} questions with {given}, {right:g} right, errs {errs}"
            yield Cell(cell, *share(held), limit)


def kappa_hits(
    rng: np.random.Generator,
    figure: str,
    units: int,
    most: int,
    share: float,
    uneven: bool,
    error: float,
    on_some: bool,
) -> float:
    """The share of data sets from one population whose interval holds the true figure."""
    shape = POPULATION, most
    right = rng.random(shape) < rng.beta(1.5 * share, 1.5 * (1 - share), POPULATION)[:, None]
    misses, alarms = np.full((2, POPULATION), error)
    if on_some:
        odd = rng.random((2, POPULATION)) < 2 * error
        misses = np.where(odd[0], rng.beta(2, 2, POPULATION), error / 10)
        alarms = np.where(odd[1], rng.beta(1, 3, POPULATION), error / 20)
    yes = np.where(right, rng.random(shape) >= misses[:, None], rng.random(shape) < alarms[:, None])
    sizes = rng.integers(1, most + 1, POPULATION) if uneven else np.full(POPULATION, most)
    there = np.arange(most) < sizes[:, None]
    said = np.where(there, 3 - 2 * right.astype(int) - yes, -1)  # by cell of the table of kappa
    cells = np.bincount(said[there], minlength=4).astype(float)
    total = cells.sum()
    sums = np.array([2 * (cells[1] + cells[2]), 2 * total, 2 * cells[0] + cells[1] + cells[2]])
    truth = float(kappa(cells)) if figure == "kappa" else float(alpha(sums))
    held, known = 0, 0
    for _ in range(SETS):
        low, high = ENDS[figure](said[rng.choice(POPULATION, units, replace=False)])
        if not np.isnan(low):  # nothing to differ about: no figure, and no claim
            held += low <= truth <= high
            known += 1
    return held / known if known else 1.0


def _of_kappa(said: np.ndarray) -> tuple[float, float]:
    unit, _ = there = np.nonzero(said >= 0)
    right, accepted = said[there] < 2, said[there] % 2 == 0
    word = pl.lit("wrong").cast(Verdict)
    pairs = pl.DataFrame({"right": right, "accepted": accepted, "unit": unit}).with_columns(
        pl.col("unit").cast(pl.UInt32),
        run=pl.lit("a", pl.Enum(["a"])),
        type=pl.lit(None, pl.Enum([])),
        degree=pl.lit(None, pl.Float64),
        verdict=word,
    )
    low, high = agree(pairs).select("low", "high").row(0)
    return (np.nan, np.nan) if low is None else (low, high)


def _of_alpha(said: np.ndarray) -> tuple[float, float]:
    unit, response = there = np.nonzero(said >= 0)
    right = {"ana": said[there] < 2, "ben": said[there] % 2 == 0}
    labels = pl.concat(
        pl.DataFrame({"question": unit, "answer": response, "right": flags}).select(
            pl.format("q{}", "question").alias("question"),
            run=pl.lit(None, pl.String),
            rank=pl.lit(None, pl.Int64),
            answer=pl.format("a{}", "answer"),
            assessor=pl.lit(person),
            verdict=pl.when("right").then(pl.lit("right")).otherwise(pl.lit("wrong")),
            level=pl.lit(None, pl.String),
        )
        for person, flags in right.items()
    )
    questions = pl.DataFrame({"question": [f"q{n}" for n in range(len(said))]}).with_columns(
        type=pl.lit(None, pl.String)
    )
    low, high = compare(labels, questions, correct=["right"]).select("low", "high").row(0)
    return (np.nan, np.nan) if low is None else (low, high)


ENDS: dict[str, Callable[[np.ndarray], tuple[float, float]]] = {
    "kappa": _of_kappa,
    "alpha": _of_alpha,
}
"""By figure, the ends of its interval from what two judges say of the responses of each unit."""
