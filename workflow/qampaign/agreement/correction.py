"""The scores of a judge, corrected by another one: people's labels on a random part."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import polars as pl

from qampaign.agreement.labelled import Judgments, Labels, find_labels
from qampaign.arrays import Array, Flags
from qampaign.measures.evidence import Evidence
from qampaign.measures.question_weights import weigh
from qampaign.measures.scoring import Configured, evaluate
from qampaign.problems import Refused
from qampaign.ranking import SAME
from qampaign.studies.comparisons import TABLED, Planned
from qampaign.studies.intervals import bounds
from qampaign.studies.rectification import (
    FEW_LABELLED,
    FEWEST_LABELLED,
    Pair,
    corrected_draws,
    corrected_resamples,
    corrected_values,
    difference_bounds,
    rogan_gladen,
    youden_resamples,
)
from qampaign.studies.units import Unit, Units
from qampaign.studies.weighted_values import DRAWS, weighted_values
from qampaign.tables import schema_of


@dataclass(frozen=True)
class Side:
    """What one of the two judges says."""

    name: str
    evidence: Evidence
    judgments: pl.DataFrame


@dataclass(frozen=True)
class Corrected:
    """The tables, and what is worth saying."""

    corrected: pl.DataFrame
    comparisons: pl.DataFrame
    messages: list[str]


def correct_scores(
    judge: Side,
    people: Side,
    measures: Sequence[Configured],
    *,
    seed: str,
    unit: Unit = "group",
    planned: Sequence[Planned] = (),
    draws: int = DRAWS,
) -> Corrected:
    """Raw and corrected values of the runs, those of people alone, and differences between runs.

    Of the submitted and the what-if runs; baselines are not corrected. Raises :class:`Refused` if
    no run has enough labelled units.
    """
    evidence = judge.evidence.only((judge.evidence.runs["kind"] != "baseline").to_numpy())
    by_people = aligned(people.evidence, evidence)
    units = Units.of(evidence.questions, unit)
    laid_out = [
        Judgments.of(
            side.judgments,
            side.evidence.questions["question"].cast(pl.String).to_list(),
            runs=evidence.runs["run"],
            questions=evidence.questions["question"],
        )
        for side in (people, judge)
    ]
    labels_by_depth: dict[int | None, Labels] = {}
    rows, pairs = [], []
    most = 0, "questions"
    for measure in measures:
        depth = measure.last_rank
        if depth not in labels_by_depth:
            labels_by_depth[depth] = find_labels(laid_out[0], laid_out[1], depth)
        labels = labels_by_depth[depth]
        pair = Pair(by_people.columns, evidence.columns, labels.weights, units)
        counted = (units.add_up(labels.sampled.astype(np.int64)) > 0).sum(axis=1)
        enough = counted >= FEWEST_LABELLED
        most = max(most, (int(counted.max(initial=0)), labels.sampling))
        table, drawn = _values(evidence, by_people, pair, measure, enough, seed, draws)
        rows.append(
            table.with_columns(
                labelled=pl.Series(counted, dtype=pl.Int64), sampling=pl.lit(labels.sampling)
            )
        )
        if drawn is not None:
            chosen = enough & evidence.ranked()
            youden = None
            if measure.measure == "accuracy":
                youden = youden_resamples(pair, seed=seed, draws=draws)
            pairs.append(
                _differences(evidence, pair, measure, chosen, counted, planned, drawn, youden)
            )
    if most[0] < FEWEST_LABELLED:
        _refuse(judge.name, people.name, *most, units)
    by = pl.lit(people.name).alias("corrected_by")
    schema, of_pairs = (
        schema_of(name, "collection", "judge") for name in ("corrected", "corrected_comparisons")
    )
    corrected = (
        pl.concat(rows)
        .with_columns(by)
        .select(pl.col(name).cast(dtype) for name, dtype in schema.items())
    )
    compared = pl.DataFrame(schema=of_pairs)
    if pairs:
        compared = (
            pl.concat(pairs)
            .with_columns(by)
            .select(pl.col(name).cast(dtype) for name, dtype in of_pairs.items())
        )
    return Corrected(corrected, compared, _messages(corrected, judge.name, people.name, units))


def aligned(people: Evidence, evidence: Evidence) -> Evidence:
    """People's evidence for the runs and questions of the judge's; the judge's where it has none.

    What is taken from the judge is either not used, since it is not labelled, or the same. Weights
    of questions are on average 1 over those that a judge covers: people's become the judge's.
    """
    names = evidence.runs["run"].cast(pl.String)
    rows = _positions(people.runs["run"], names)
    ids = evidence.questions["question"].cast(pl.String)
    columns = _positions(people.questions["question"], ids)
    there = np.ix_(rows[rows >= 0], columns[columns >= 0])
    into = np.ix_(rows >= 0, columns >= 0)
    scaled = weigh(people, _scale(evidence, people, columns))
    made = {}
    for name, column in evidence.columns.items():
        copy = np.array(column, dtype=np.float64)
        if name in people.columns:
            of_people = scaled.columns[name][there]
            if copy.ndim == 3 and copy.shape[2] != of_people.shape[2]:  # samples: as many for both
                of_people, copy = (
                    _as_long(of_people, copy.shape[2]),
                    _as_long(copy, of_people.shape[2]),
                )
            copy[into] = of_people
        made[name] = copy
    return Evidence(evidence.runs, evidence.questions, made)


def _scale(evidence: Evidence, people: Evidence, columns: np.ndarray) -> Array | None:
    """By question of people's, the judge's weight of it as a multiple of people's; None: all 1."""
    scale = np.ones(people.questions.height)
    by_judge, by_people = (side.columns["questions"][0] for side in (evidence, people))
    shared = columns >= 0
    scale[columns[shared]] = by_judge[shared] / by_people[columns[shared]]
    return None if (scale == 1).all() else scale


def _as_long(column: Array, samples: int) -> Array:
    """A column by sample with at least so many of them, NaN where there is none."""
    more = max(samples - column.shape[2], 0)
    return np.pad(column, ((0, 0), (0, 0), (0, more)), constant_values=np.nan)


def _positions(of: pl.Series, wanted: pl.Series) -> np.ndarray:
    """Where each wanted name is, -1 for one that is not there."""
    index = {name: number for number, name in enumerate(of.cast(pl.String))}
    return np.array([index.get(name, -1) for name in wanted], dtype=np.intp)


def _values(
    evidence: Evidence,
    by_people: Evidence,
    pair: Pair,
    measure: Configured,
    enough: Flags,
    seed: str,
    draws: int,
) -> tuple[pl.DataFrame, Array | None]:
    """A row per run for one measure, and the resamples of its corrected values, if it has any."""
    everything = np.ones((1, pair.questions), dtype=np.uint8)
    raw = next(evaluate(evidence, [measure], everything))[:, 0]
    nothing = np.full(pair.runs, np.nan)
    raw_low, raw_high, corrected, low, high = [nothing] * 5
    people, people_low, people_high = [nothing] * 3
    resamples = None
    if measure.resampled:
        weighted = weighted_values(evidence, [measure], pair.units, seed=seed, draws=draws)
        of_raw = np.where(np.isnan(raw)[:, None], np.nan, weighted[0].values)
        raw_low, raw_high = bounds(of_raw, raw)
        people, people_low, people_high = _people_alone(by_people, pair, measure, seed, draws)
    if measure.resampled and measure.summed:
        corrected = np.where(enough, corrected_values(pair, measure), np.nan)
        drawn = corrected_draws(pair, measure, seed=seed, draws=draws)
        low, high = bounds(np.where(np.isnan(corrected)[:, None], np.nan, drawn), corrected)
        resamples = corrected_resamples(pair, measure, seed=seed, draws=draws)
    of_judge = [nothing] * 4
    if measure.measure == "accuracy" and measure.summed:
        question_weights = evidence.columns["questions"].astype(float)
        sides = [side.columns["correct"] / question_weights for side in (by_people, evidence)]
        of_judge = list(rogan_gladen(raw, sides[0], sides[1], pair.labelled * question_weights))
    few = ~enough
    names = ("sensitivity", "specificity", "youden", "rogan_gladen")
    numbers = {
        "raw": raw,
        "raw_low": raw_low,
        "raw_high": raw_high,
        "corrected": corrected,
        "low": low,
        "high": high,
        "people": np.where(few, np.nan, people),
        "people_low": np.where(few, np.nan, people_low),
        "people_high": np.where(few, np.nan, people_high),
        **{
            name: np.where(few, np.nan, values)
            for name, values in zip(names, of_judge, strict=True)
        },
    }
    table = pl.DataFrame(numbers, nan_to_null=True).select(
        pl.lit(measure.name).alias("measure"), evidence.runs["run"].cast(pl.String), pl.all()
    )
    return table, resamples


def _people_alone(
    by_people: Evidence, pair: Pair, measure: Configured, seed: str, draws: int
) -> tuple[Array, Array, Array]:
    """The value of every run over what people have labelled, with its interval."""
    values = np.full((3, pair.runs), np.nan)
    different, which = np.unique(pair.labelled, axis=0, return_inverse=True)
    for number, weights in enumerate(different):
        runs, chosen = which.reshape(-1) == number, weights > 0
        if not chosen.any():
            continue
        labelled_part = by_people.only(runs).only_questions(chosen)
        if not np.allclose(weights[chosen], 1):
            if not measure.summed:
                continue  # an order over questions that count differently is not defined
            labelled_part = weigh(labelled_part, weights[chosen])
        everything = np.ones((1, int(chosen.sum())), dtype=np.uint8)
        value = next(evaluate(labelled_part, [measure], everything))[:, 0]
        drawn = weighted_values(
            labelled_part, [measure], pair.units.only(chosen), seed=seed, draws=draws
        )
        low, high = bounds(np.where(np.isnan(value)[:, None], np.nan, drawn[0].values), value)
        values[:, runs] = value, low, high
    return values[0], values[1], values[2]


def _differences(
    evidence: Evidence,
    pair: Pair,
    measure: Configured,
    chosen: Flags,
    counted: np.ndarray,
    planned: Sequence[Planned],
    drawn: Array,
    youden: tuple[Array, Array] | None,
) -> pl.DataFrame:
    """The corrected difference of pairs of runs, the better one first, with its interval.

    A difference that no draw changes has none. `youden` has J of the judge for each run, and its
    resamples. Of more than 200 runs only neighbours by the corrected value, and planned pairs.
    """
    names = evidence.runs["run"].cast(pl.String).to_list()
    value = np.where(chosen, corrected_values(pair, measure), np.nan)
    order = [int(n) for n in np.argsort(-np.nan_to_num(value, nan=-np.inf), kind="stable")]
    order = [n for n in order if not np.isnan(value[n])]
    if len(order) <= TABLED:
        both = list(combinations(order, 2))
    else:
        index_of = {names[n]: n for n in order}
        named = [entry["runs"] for entry in planned if "runs" in entry]
        named += [
            (run, entry["against"])
            for entry in planned if "against" in entry
            for run in index_of if run != entry["against"]
        ]  # fmt: skip
        wanted = [(index_of[a], index_of[b]) for a, b in named if a in index_of and b in index_of]
        both = list(dict.fromkeys([*pairwise(order), *wanted]))
    rows = []
    for first in sorted({better for better, _ in both}, key=order.index):
        others = np.array([worse for better, worse in both if better == first])
        for units in np.unique(np.minimum(counted[first], counted[others])):
            same = others[np.minimum(counted[first], counted[others]) == units]
            ends = difference_bounds(drawn[first][None], drawn[same], int(units))
            of_judge = [np.full(len(same), np.nan)] * 3
            if youden is not None:
                values, resamples = youden
                apart = difference_bounds(resamples[first][None], resamples[same], int(units))
                of_judge = [values[first] - values[same], *apart]
            rows += [
                (
                    measure.name,
                    names[first],
                    names[n],
                    value[first] - value[n],
                    a,
                    b,
                    int(units),
                    *j,
                )
                for n, a, b, *j in zip(same, *ends, *of_judge, strict=True)
            ]
    columns = ["measure", "run_a", "run_b", "difference", "low", "high", "labelled"]
    columns += ["youden_difference", "youden_low", "youden_high"]
    kinds = [pl.String] * 3 + [pl.Float64] * 3 + [pl.Int64] + [pl.Float64] * 3
    table = pl.DataFrame(rows, schema=dict(zip(columns, kinds, strict=True)), orient="row")
    table = table.with_columns(
        low=pl.min_horizontal("low", "difference"), high=pl.max_horizontal("high", "difference")
    ).fill_nan(None)
    varies, judged = (
        pl.col(high) - pl.col(low) > SAME
        for low, high in (("low", "high"), ("youden_low", "youden_high"))
    )
    return table.with_columns(
        pl.when(varies).then(pl.col("low", "high")),
        pl.when(judged).then(pl.col("youden_low", "youden_high")),
    )


def _refuse(judge: str, people: str, most: int, sampling: str, units: Units) -> None:
    whose = "" if sampling == "questions" else " of a run"
    raise Refused(
        f"{judge}: corrected_by {people} needs labels on at least {FEWEST_LABELLED} {units.drawn}s"
        f"{whose}, chosen at random; there are {most}. Label more (qampaign pool says which), or "
        "leave out corrected_by."
    )


def _messages(corrected: pl.DataFrame, judge: str, people: str, units: Units) -> list[str]:
    """What is worth saying: few labels, and measures and runs that have too few."""
    number = pl.col("labelled")
    at_all = corrected.filter((number >= FEWEST_LABELLED).any().over("measure"))
    without = corrected.join(at_all, on="measure", how="anti")
    by_run = at_all.group_by("run").agg(number.min()).sort("labelled", "run")
    lacking = by_run.filter(number < FEWEST_LABELLED)
    few = by_run.filter(number.is_between(FEWEST_LABELLED, FEW_LABELLED - 1))
    messages = []
    if not without.is_empty():
        names = ", ".join(without["measure"].unique(maintain_order=True))
        most = max(without["labelled"].to_list())
        messages.append(
            f"no corrected value of {names}: all answers that count need a label by {people}, on "
            f"{FEWEST_LABELLED} {units.drawn}s of a run; there are {most}"
        )
    if not lacking.is_empty():
        text = "1 run has" if lacking.height == 1 else f"{lacking.height:,} runs have"
        messages.append(
            f"{text} labels by {people} on fewer than {FEWEST_LABELLED} {units.drawn}s and no "
            f"corrected value, such as {lacking['run'][0]}: {lacking['labelled'][0]}"
        )
    if not few.is_empty():
        messages.append(
            f"{judge} is corrected by labels on few {units.drawn}s: {few['labelled'][0]}; from "
            f"{FEW_LABELLED} on the intervals are narrower and hold better"
        )
    return messages
