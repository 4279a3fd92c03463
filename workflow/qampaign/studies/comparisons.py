"""Comparisons: which runs differ surely, when all pairs are looked at together?

One test for every measure, on the value that is shown (:mod:`qampaign.studies.exchange`). From the
same comparisons follow the ranks that the data supports: 1 + the runs that are surely better, up to
all runs less those that are surely worse. So ranges and p-values never contradict each other.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Array, Flags, Numbers, ratio
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import Configured, evaluate, single_values
from qampaign.problems import Refused, first_names
from qampaign.ranking import SAME
from qampaign.studies.exchange import LEVEL, Exchange, Family, Tested, all_pairs
from qampaign.studies.intervals import bounds as ends_of
from qampaign.studies.intervals import intervals
from qampaign.studies.pairs import Indices, resampled, with_keys
from qampaign.studies.units import Unit, Units
from qampaign.studies.weighted_values import Weighted, slices_of, weighted_values
from qampaign.tables import empty

Planned = Mapping[str, Any]
"""A comparison that was planned: runs (two) or against (one), and margin where asked."""

SURE, SEEN = 1.95996, 0.84162
"""Standard errors from 0 to what the 5% level calls sure, two-sided, and what 80% power adds."""
POWER = 2.8016
"""Both together: those that a difference must have to be seen."""
FEWEST_EXCHANGED = 6
"""Of fewer units, not even a difference in all of them is sure: 2/2**5 is above 5%."""
FEWEST_EXPECTED = 7.9
"""So many units must be expected to differ for 6 of them to do so with 80% power, if few differ."""
AT_ONCE = 100
"""The draws of so many pairs are sorted at once: they stay in caches."""
TABLED = 200
"""The most runs all of whose pairs stand in the table; of more, neighbours in rank do."""


class Compared(NamedTuple):
    """What the study finds."""

    comparisons: pl.DataFrame
    """measure, slice, and what :func:`describe` gives."""
    intervals: pl.DataFrame
    """measure, slice, run, low, high, the ranges of the rank, and undefined."""
    exchanged: dict[str, Tested]
    """By measure, what the test says of all pairs over all questions."""


def study(
    evidence: Evidence,
    measures: Sequence[Configured],
    *,
    seed: str,
    unit: Unit = "group",
    primary: str = "",
    planned: Sequence[Planned] = (),
    draws: int = 9999,
    baselines: bool = False,
    threads: int = 1,
) -> Compared:
    """Intervals of every run, and comparisons, under every measure.

    All pairs of ranked runs are compared over all questions, and by question type under the primary
    measure; planned pairs everywhere.
    """
    whole_groups = [measure for measure in measures if measure.whole_groups]
    used = resampled(measures) + (whole_groups if unit == "group" else [])
    ranked = np.flatnonzero(evidence.ranked(baselines=baselines))
    families = {"all": all_pairs(ranked), "planned": plan(evidence, planned, ranked)}
    units = Units.of(evidence.questions, unit)
    unknown = ~evidence.runs["assessed"].to_numpy()  # nobody has judged any of their answers
    exchanged: dict[str, Tested] = {}
    tables, bounded = [empty("comparisons").drop("collection", "judge")], []
    for name, inside, own_units in slices_of(evidence, units):
        everything = np.ones((1, inside.questions.height), dtype=np.uint8)
        values = [value[:, 0] for value in evaluate(inside, used, everything)]
        drawn = weighted_values(inside, used, own_units, seed=seed, threads=threads)
        exchange = Exchange(inside, own_units, seed=seed, draws=draws, threads=threads)
        for measure, value, weighted in zip(used, values, drawn, strict=True):
            ranges = pl.DataFrame(schema={"run": pl.String})
            for family_name, family in families.items():
                wanted = family_name == "planned" or name == "all" or measure.name == primary
                if not wanted or not (len(family.a) or family_name == "all"):
                    continue
                tested = exchange.test(measure, np.where(unknown, np.nan, value), family, weighted)
                rows = describe(inside, measure, own_units, family, tested, weighted, family_name)
                if family_name == "all":
                    exchanged.setdefault(measure.name, tested)
                    ranges = rank_ranges(tested, family, ranked, value, measure.better)
                    ranges = ranges.insert_column(0, evidence.runs["run"].cast(pl.String)[ranked])
                    rows = rows.filter(tabled(family, ranked, value))
                tables.append(with_keys([rows], [measure], slice=name))
            interval_rows = intervals(inside, value, weighted)
            interval_rows = interval_rows.join(ranges, on="run", how="left", maintain_order="left")
            bounded.append(with_keys([interval_rows], [measure], slice=name))
    order = list(empty("intervals").drop("collection", "judge").columns)
    joined = pl.concat(bounded, how="diagonal")
    missing = [pl.lit(None).alias(column) for column in order if column not in joined.columns]
    return Compared(pl.concat(tables), joined.with_columns(missing).select(order), exchanged)


def plan(evidence: Evidence, planned: Sequence[Planned], ranked: Indices) -> Family:
    """The pairs of the comparisons that were planned: two runs, or each ranked run against one."""
    names = evidence.runs["run"].cast(pl.String).to_list()
    rows = {name: row for row, name in enumerate(names)}
    pairs: dict[tuple[int, int], float] = {}
    for comparison in planned:
        named = comparison.get("runs") or [comparison["against"]]
        if comparison.get("optional") and not rows.keys() >= set(named):
            continue  # asked of every collection that has them
        if unknown := [name for name in named if name not in rows]:
            raise Refused(
                f"comparisons: no run is called {unknown[0]}; allowed: {first_names(names)}"
            )
        second = rows[named[-1]]
        others = [int(row) for row in ranked if row != second]
        for first in [rows[named[0]]] if "runs" in comparison else others:
            pair = (second, first) if (second, first) in pairs else (first, second)
            margin = pairs.get(pair, math.nan)
            wanted_margin = comparison.get("margin", margin)
            if not math.isnan(margin) and wanted_margin != margin:
                raise Refused(
                    f"comparisons: {names[first]} and {names[second]} have two margins, {margin:g} "
                    f"and {wanted_margin:g}; allowed: one for each pair"
                )
            pairs[pair] = wanted_margin
    a, b = np.array(list(pairs), dtype=np.intp).reshape(-1, 2).T
    return Family(a, b, np.array(list(pairs.values()), dtype=float))


def tabled(family: Family, ranked: Indices, values: Array) -> Flags:
    """Which pairs stand in the table: of many runs only neighbours in rank."""
    if len(ranked) <= TABLED:
        return np.ones(len(family.a), dtype=bool)
    position = np.empty(int(ranked.max()) + 1, dtype=np.int64)
    position[ranked[np.argsort(-values[ranked], kind="stable")]] = np.arange(len(ranked))
    return np.abs(position[family.a] - position[family.b]) == 1


def rank_ranges(
    tested: Tested, family: Family, ranked: Indices, values: Array, better: str
) -> pl.DataFrame:
    """rank_low … own_rank_high and leading of the ranked runs; null for one without a value.

    `family` has all pairs of the ranked runs, `values` are by row.
    """
    sign = np.sign(tested.difference) * (-1 if better == "low" else 1)
    columns: dict[str, list[int | None]] = {}
    known = ~np.isnan(values)
    number = int(known[ranked].sum())
    for name, sides in {
        "rank": (tested.adjusted, tested.adjusted),
        "own_rank": tested.own,
    }.items():
        above, below = np.zeros((2, len(values)), dtype=np.int64)
        for row, p, direction in zip((family.a, family.b), sides, (1, -1), strict=True):
            sure = p <= LEVEL + SAME
            np.add.at(below, row[sure & (sign == direction)], 1)
            np.add.at(above, row[sure & (sign == -direction)], 1)
        columns[f"{name}_low"] = [int(1 + above[run]) if known[run] else None for run in ranked]
        columns[f"{name}_high"] = [
            int(number - below[run]) if known[run] else None for run in ranked
        ]
    table = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Int64))
    return table.with_columns(leading=pl.col("rank_low") == 1)


def describe(
    evidence: Evidence,
    measure: Configured,
    units: Units,
    family: Family,
    tested: Tested,
    drawn: Weighted,
    name: str,
) -> pl.DataFrame:
    """The rows of the table of comparisons."""
    return describe_pairs(
        evidence.runs["run"].cast(pl.String),
        family,
        tested,
        drawn,
        name,
        questions=evidence.questions.height,
        units=len(units),
        bounds=measure.bounds,
        wins=wins(evidence, measure, family),
    )


def describe_pairs(
    runs: pl.Series,
    family: Family,
    tested: Tested,
    drawn: Weighted,
    name: str,
    *,
    questions: int,
    units: int,
    bounds: tuple[float, float],
    wins: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
) -> pl.DataFrame:
    """The rows of the table of comparisons, from what is known of the pairs.

    `bounds` are those of the measure; `wins` are the questions that each run of a pair has better.
    """
    low, high = np.empty((2, len(family.a)))
    for first in range(0, len(family.a), AT_ONCE):
        block = slice(first, first + AT_ONCE)
        first_runs, second_runs = family.a[block], family.b[block]
        between = np.hstack(
            [
                drawn.values[first_runs] - drawn.exchanged[second_runs],
                drawn.exchanged[first_runs] - drawn.values[second_runs],
            ]
        )
        low[block], high[block] = ends_of(between, tested.difference[block])
    low, high = (np.where(np.isnan(tested.difference), np.nan, end) for end in (low, high))
    together_low, together_high = _simultaneous(bounds, tested, low, high)
    won, lost = wins
    spread = np.where(tested.error > 0, tested.error, np.nan)  # else nothing is known of it
    about_zero = np.hypot(spread * math.sqrt(units), tested.difference)
    share = deciding(won + lost, questions)
    of_units = units_needed(tested.difference, about_zero, share)
    seen = visible(about_zero, share, units)
    needed = np.ceil(of_units * questions / max(units, 1) - SAME)
    within = np.maximum(-together_low, together_high) < family.margin
    has_margin = ~np.isnan(family.margin) & ~np.isnan(together_low)
    columns = {
        "run_a": runs.gather(family.a),
        "run_b": runs.gather(family.b),
        "family": pl.Series([name] * len(family.a), dtype=pl.String),
        "difference": tested.difference,
        "low": low,
        "high": high,
        "simultaneous_low": together_low,
        "simultaneous_high": together_high,
        "p": tested.p,
        "p_adjusted": tested.adjusted,
        "p_error": tested.monte_carlo_error,
        "won": won,
        "lost": lost,
        "tied": questions - won - lost,
        "units": np.full(len(won), units),
        "sd": tested.error * math.sqrt(units),
        "detectable": POWER * spread,
        "visible": np.where(seen <= bounds[1] - bounds[0], seen, np.nan),
        "questions_needed": needed,
        "margin": family.margin,
        "equivalent": pl.Series(within.tolist(), dtype=pl.Boolean).zip_with(
            pl.Series(has_margin), pl.Series([None] * len(has_margin), dtype=pl.Boolean)
        ),
    }
    whole = ("won", "lost", "tied", "units", "questions_needed")
    return pl.DataFrame(columns, nan_to_null=True).with_columns(pl.col(whole).cast(pl.Int64))


def deciding(differ: Numbers, questions: int) -> Array:
    """The share of questions on which two runs differ; NaN where they differ on none."""
    return np.where(differ > 0, differ / max(questions, 1), np.nan)


def units_needed(difference: Array, spread: Array, share: Array) -> Array:
    """How many units show a difference with 80% power at the 5% level.

    `spread` is the root mean square of the differences of units, about 0 as under exchange; their
    standard deviation is √(spread² − difference²). `share` is the part of them that differ. Where
    few do, 6 of them must: a difference of 0.05 needs at least 0.05 of the questions to differ, and
    so some 7.9/0.05.

    >>> units_needed(np.array([0.05, 0.5, 1]), np.array([0.5, 0.7, 1]), np.ones(3)).round(1)
    array([782.5,  12.7,   6. ])
    >>> units_needed(np.array([0.05]), np.array([0.07]), np.array([0.005])).round()
    array([155.])
    """
    deviation = np.sqrt(np.maximum(spread**2 - difference**2, 0.0))
    by_spread = ratio(SURE * spread + SEEN * deviation, np.abs(difference)) ** 2
    step = spread / np.sqrt(share)  # how much a unit differs that does
    differ = np.clip(np.fmax(share, np.abs(difference) / step), 0, 1)
    fewest = np.nan_to_num(ratio(_expected(differ), differ), nan=FEWEST_EXCHANGED)
    return np.maximum(by_spread, fewest)


def visible(spread: Array, share: Array, units: int) -> Array:
    """The difference that so many units show with 80% power, if units differ as much as they do.

    It is that whose :func:`units_needed` are these.

    >>> visible(np.array([0.0707, 0.5]), np.array([0.005, 0.25]), 200).round(3)
    array([0.039, 0.098])
    >>> units_needed(np.array([0.0984]), np.array([0.5]), np.array([0.25])).round()
    array([200.])
    """
    if units <= FEWEST_EXCHANGED:
        return np.full(len(spread), np.nan)
    # √units · d = SURE spread + SEEN √(spread² − d²), solved for d
    root = math.sqrt(units)
    both = math.sqrt(units - SURE**2 + SEEN**2)
    by_spread = spread * (root * SURE + SEEN * both) / (units + SEEN**2)
    least = FEWEST_EXPECTED / (units + FEWEST_EXPECTED - FEWEST_EXCHANGED)
    step = spread / np.sqrt(share)
    return np.where(share >= least, by_spread, np.fmax(by_spread, step * least))


def _expected(share: Array) -> Array:
    """How many units must be expected to differ for 6 to do so, if that share of them does."""
    return FEWEST_EXPECTED - (FEWEST_EXPECTED - FEWEST_EXCHANGED) * share


def _simultaneous(
    bounds: tuple[float, float], tested: Tested, low: Array, high: Array
) -> tuple[Array, Array]:
    """The interval that holds for the whole family; never narrower than that of the pair alone.

    A pair that differs surely lies on one side of 0, also where only a later step of the test shows
    it; the interval of one that does not holds 0.
    """
    least, most = bounds
    widest = most - least
    lower = np.minimum(np.maximum(tested.difference - tested.margin, -widest), low)
    upper = np.maximum(np.minimum(tested.difference + tested.margin, widest), high)
    lower = np.where(tested.sure & (tested.difference > 0), np.maximum(lower, 0.0), lower)
    upper = np.where(tested.sure & (tested.difference < 0), np.minimum(upper, 0.0), upper)
    lower = np.where(tested.sure, lower, np.minimum(lower, 0.0))
    upper = np.where(tested.sure, upper, np.maximum(upper, 0.0))
    return lower, upper


def wins(
    evidence: Evidence, measure: Configured, family: Family
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Questions that the first run of each pair has better, and the second.

    By the question's value for a mean over questions, else by whether the first answer is right.
    """
    from qampaign.studies.kernels import count_wins

    if measure.mean:
        values = np.nan_to_num(single_values(evidence, measure))
        values = -values if measure.better == "low" else values
    else:
        values = evidence.columns["correct"].astype(float)
    counts = np.zeros((len(family.a), 2), dtype=np.int64)
    count_wins(values, family.a, family.b, 0, len(family.a), counts)
    return counts[:, 0], counts[:, 1]
