"""Correlation of rankings: does another measure, or another judge, rank the runs alike?

Weighting the questions at random shows how far a figure depends on them: every ranking is made
again on the same weighted questions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from qampaign.agreement.paired_scores import (
    Indices,
    PairedScores,
    orient,
    restrict,
    score_sets,
    share,
)
from qampaign.agreement.tau_interval import Interval, Ranking, tau_interval
from qampaign.arrays import Array
from qampaign.measures.evidence import Evidence
from qampaign.measures.sample_cells import join
from qampaign.measures.scoring import Configured
from qampaign.ranking import SAME, Order, tau_ap
from qampaign.studies.resampling import Counts, draw_exponential, hash_names
from qampaign.tables import schema_of

ONE_ASSESSOR = "one assessor per question"
"""What stands for a judge where each question is left to one of its assessors."""

DRAWS = 1000
"""How often one assessor is drawn for each question."""

AT_ONCE = 2**19
"""How many pairs of runs, by measure and question set, are compared at once: caches hold them."""

CORRELATION = schema_of("correlation", "collection")
MISORDERED = schema_of("misordered", "collection")


def correlate(
    paired: Sequence[PairedScores], others: Iterable[PairedScores] = (), *, key: np.uint64
) -> pl.DataFrame:
    """How the ranking by each measure and judge agrees with that by each measure of the reference.

    judge_a is the reference, whose ranking is the true one for tau_ap; judge_b with measure_b is
    any other ranking: the reference's by another measure, or a judge's. For tau a pair that either
    ranking ties is neither in agreement nor reversed, so that with ties even equal rankings have
    less than 1; tau_b leaves such pairs out, and is then 1. low and high are the 95% interval of
    tau (:mod:`qampaign.agreement.tau_interval`), null where the measure cannot be resampled; runs
    are those that have a value by both. Of `others`, two judges beside each other neither of which
    is the reference, the rankings by the same measure are compared. `key` is that of random weights
    of runs.
    """
    rows = [row for pair in paired for row in _correlations(pair, key)]
    rows += [row for pair in others for row in _same_measures(pair, key)]
    return pl.DataFrame(rows, schema=CORRELATION, orient="row")


def _same_measures(pair: PairedScores, key: np.uint64) -> Iterator[tuple[object, ...]]:
    measures = pair.measures
    weights = _weigh_runs(pair, key)
    scores = (orient(side_scores, measures) for side_scores in (pair.true, pair.estimated))
    for measure, true, estimated in zip(measures, *scores, strict=True):
        true_order, estimated_order = Order.of(true), Order.of(estimated)
        taus, apart = (
            true_order.tau(estimated_order),
            Order.of(true[0]).tau_b(Order.of(estimated[0])),
        )
        values = (taus[0], apart, tau_ap(true[0], estimated[0]))
        runs = int((~np.isnan(true[0] + estimated[0])).sum())
        names = (pair.reference, measure.name, pair.judge, measure.name)
        ends = _interval(taus, true, estimated, weights, pair.units)
        yield (*names, *(_known(float(value)) for value in values), *ends, runs)


def _correlations(pair: PairedScores, key: np.uint64) -> Iterator[tuple[object, ...]]:
    measures, itself = pair.measures, pair.judge == pair.reference
    true = orient(pair.true, measures)
    estimated = true if itself else orient(pair.estimated, measures)
    taus, orders = _cross(true, estimated), Order.of(estimated[:, 0])
    weights = _weigh_runs(pair, key)
    known: dict[tuple[int, int], Interval] = {}
    for a, measure_a in enumerate(measures):
        without_ties = Order.of(true[a, 0]).tau_b(orders)
        top_weighted = tau_ap(true[a, 0], estimated[:, 0])
        runs = (~np.isnan(true[a, 0] + estimated[:, 0])).sum(axis=-1)
        for b, measure_b in enumerate(measures):
            if not (itself and a == b):
                names = (pair.reference, measure_a.name, pair.judge, measure_b.name)
                values = (taus[a, b, 0], without_ties[b], top_weighted[b])
                known[a, b] = (
                    known[b, a]
                    if itself and (b, a) in known
                    else _interval(taus[a, b], true[a], estimated[b], weights, pair.units)
                )
                yield (*names, *map(_known, values), *known[a, b], int(runs[b]))


def _weigh_runs(pair: PairedScores, key: np.uint64) -> Array:
    """By draw and run, random weights that follow from the run's name."""
    draws = pair.true.shape[1] - 1
    return draw_exponential(hash_names(pair.runs), draws, key).astype(np.float64)


def _interval(taus: Array, true: Array, estimated: Array, weights: Array, units: int) -> Interval:
    true_ranking, estimated_ranking = (
        Ranking(scores[0], scores[1:]) for scores in (true, estimated)
    )
    return tau_interval(float(taus[0]), taus[1:], true_ranking, estimated_ranking, weights, units)


def _cross(a: Array, b: Array) -> Array:
    """tau of every ranking of a with every one of b, set by set: by ranking, ranking and set."""
    rankings, sets, runs = a.shape
    taus = np.empty((sets, rankings, len(b)))
    for portion in _portions(sets, rankings * runs * (runs - 1) // 2):
        ours = Order.of(a[:, portion].swapaxes(0, 1))
        taus[portion] = ours.cross(ours if b is a else Order.of(b[:, portion].swapaxes(0, 1)))
    return taus.transpose(1, 2, 0)


def _portions(sets: int, size: int) -> Iterator[slice]:
    """Sets, each of that size, in portions that fit into memory."""
    step = max(AT_ONCE // max(size, 1), 1)
    return (slice(start, start + step) for start in range(0, sets, step))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def correlate_single_assessors(
    adjudicated: Evidence,
    assessors: Mapping[str, Evidence],
    measures: Sequence[Configured],
    rng: np.random.Generator,
    *,
    reference: str,
    draws: int = DRAWS,
    rank_baselines: bool = False,
) -> pl.DataFrame:
    """How a ranking by one assessor per question agrees with the adjudicated one, on average.

    Each draw leaves every question to one of the assessors who judged it, at random, and ranks the
    runs by that (Voorhees & Tice 1999). `assessors` holds the evidence of each as a judge of his
    own, with the same runs; questions that none of them judged are left out of both rankings.
    Gives the table of :func:`correlate`, a row per measure, with means over the draws, and as low
    and high the middle 95% of them: how far tau depends on who judged, not on the questions. Empty
    with fewer than two assessors.
    """
    if len(assessors) < 2:
        return pl.DataFrame(schema=CORRELATION)
    single, indices = [], []
    for evidence in assessors.values():
        rows, columns = share(adjudicated, evidence, rank_baselines)
        single.append(restrict(evidence, measures, rows[1], columns[1]))
        indices.append(columns[0])
    judged = np.concatenate(indices)
    final = restrict(adjudicated, measures, rows[0], np.unique(judged))
    true = score_sets(final, measures, np.empty((0, final.questions.height), dtype=np.uint8))
    drawn = score_sets(_side_by_side(single), measures, _draw_one_each(judged, rng, draws))
    table = []
    for measure, adjudicated_scores, drawn_scores in zip(
        measures, orient(true, measures)[:, 0], orient(drawn, measures)[:, 1:], strict=True
    ):
        runs = (~np.isnan(adjudicated_scores) & ~np.isnan(drawn_scores).all(axis=0)).sum()
        names = (reference, measure.name, ONE_ASSESSOR, measure.name)
        table.append((*names, *_means(adjudicated_scores, drawn_scores), int(runs)))
    return pl.DataFrame(table, schema=CORRELATION, orient="row")


def _side_by_side(single: Sequence[Evidence]) -> Evidence:
    """The questions of every assessor as if they were different ones."""
    columns = {
        key: join([evidence.columns[key] for evidence in single], axis=1)
        for key in single[0].columns
    }
    questions = [
        evidence.questions.select(pl.col("question", "type").cast(pl.String)) for evidence in single
    ]
    return Evidence(single[0].runs, pl.concat(questions), columns)


def _draw_one_each(judged: Indices, rng: np.random.Generator, draws: int) -> Counts:
    """By draw, 1 for one assessor of each question in `judged`, at random, 0 for the others."""
    order = np.argsort(judged, kind="stable")
    starts = np.flatnonzero(np.diff(judged[order], prepend=-1))
    counts = np.diff(np.append(starts, len(judged)))
    chosen = order[starts + rng.integers(0, counts, (draws, len(starts)))]
    weights = np.zeros((draws, len(judged)), dtype=np.uint8)
    np.put_along_axis(weights, chosen, 1, axis=1)
    return weights


def _means(true: Array, drawn: Array) -> tuple[float | None, ...]:
    """The means of tau, tau_b and tau_ap over draws; the middle 95% of the taus, and their mean."""
    order = Order.of(true)
    trials = np.full((3, len(drawn)), np.nan)
    for portion in _portions(len(drawn), len(true) ** 2):
        drawn_order = Order.of(drawn[portion])
        trials[:, portion] = (
            order.tau(drawn_order),
            order.tau_b(drawn_order),
            tau_ap(true, drawn[portion]),
        )
    there = [trial_values[~np.isnan(trial_values)] for trial_values in trials]
    means = [float(trial_values.mean()) if len(trial_values) else None for trial_values in there]
    if means[0] is None:
        return (*means, None, None)
    low, high = np.quantile(there[0], [0.025, 0.975])
    return (*means, min(float(low), means[0]), max(float(high), means[0]))


def find_misordered(
    paired: Sequence[PairedScores], comparisons: pl.DataFrame | None, *, level: float = 0.05
) -> pl.DataFrame:
    """The pairs of runs that a judge puts in the wrong order although the reference is sure of it.

    Sure: the p-value of its difference among all pairs is at most `level`, as the study of
    significance by the reference has it in `comparisons`; the rank ranges follow from the same.
    Without that study nothing is sure. A tie by the judge is no wrong order.

    Gives judge, measure, run_a (the better one by the reference), run_b, difference (by the
    reference, a − b, over the questions that both judge), p, judge_difference; the surest first.
    """
    sure = {} if comparisons is None else _sure(comparisons, level)
    rows = [row for pair in paired for row in _misordered(pair, sure)]
    table = pl.DataFrame(rows, schema=MISORDERED, orient="row")
    return table.sort("judge", "measure", "p", -pl.col("difference").abs(), "run_a", "run_b")


def _sure(comparisons: pl.DataFrame, level: float) -> dict[tuple[str, str, str], float]:
    """The p-value of each pair that differs surely, by measure and runs, the higher one first."""
    rows = (
        comparisons.filter(pl.col("p_adjusted") <= level + SAME, family="all", slice="all")
        .select("measure", "run_a", "run_b", "difference", "p_adjusted")
        .rows()
    )
    return {
        (measure, a, b) if difference > 0 else (measure, b, a): p
        for measure, a, b, difference, p in rows
    }


def _misordered(
    pair: PairedScores, sure: Mapping[tuple[str, str, str], float]
) -> Iterator[tuple[str, str, str, str, float, float, float]]:
    """Every pair in another order than the reference's that is surely in that, with its p."""
    measures, runs = pair.measures, pair.runs
    true, estimated = (orient(side_scores, measures) for side_scores in (pair.true, pair.estimated))
    for index, measure in enumerate(measures):
        ours, theirs = (
            scores[index, 0, :, None] - scores[index, 0, None, :] for scores in (true, estimated)
        )
        a, b = np.nonzero((ours > SAME) & (theirs < -SAME))
        values = (side_scores[index, 0] for side_scores in (pair.true, pair.estimated))
        for better_index, worse_index, *numbers in zip(
            a, b, *(side_values[a] - side_values[b] for side_values in values), strict=True
        ):
            difference, judge_difference = map(float, numbers)
            better, worse = (runs[better_index], runs[worse_index])
            higher = (better, worse) if difference > 0 else (worse, better)
            if (p := sure.get((measure.name, *higher))) is not None:
                yield pair.judge, measure.name, better, worse, difference, p, judge_difference
