"""Overall: who leads over several collections?

A run's value is the weighted mean over collections of its value in each. Collections are
independent samples of questions: each is drawn, and its units are exchanged, by itself, and what
is found in all of them is added up as the values are. So intervals, tests and ranks follow as in
one collection. Runs are the same where their names are; one that lacks a collection is not ranked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from qampaign.arrays import Array
from qampaign.measures.configured import Configured
from qampaign.measures.evidence import Evidence
from qampaign.measures.scoring import evaluate
from qampaign.ranking import SAME, rank_ranges
from qampaign.studies import comparisons
from qampaign.studies.exchange import Exchange, Part, all_pairs
from qampaign.studies.intervals import bounds
from qampaign.studies.resampling import hash_names
from qampaign.studies.resampling import key as key_of
from qampaign.studies.units import Unit, Units
from qampaign.studies.weighted_values import Weighted, effective, weighted_values, widen
from qampaign.tables import empty

Weighting = Literal["equal", "questions"]

NAME = "overall"
"""What stands for the collection where something is of all of them."""


@dataclass(frozen=True)
class Member:
    """A collection that takes part: its evidence by its reference, and the measure that counts."""

    collection: str
    evidence: Evidence
    measure: Configured
    seed: str
    unit: Unit = "group"

    @property
    def units(self) -> Units:
        """What is drawn."""
        return Units.of(self.evidence.questions, self.unit)

    def values(self) -> dict[str, float]:
        """The values of the submitted runs that have one and are assessed, by name."""
        everything = np.ones((1, self.evidence.questions.height), dtype=np.uint8)
        (values,) = evaluate(self.evidence, [self.measure], everything)
        runs = self.evidence.runs["run"].cast(pl.String)
        there = self._takes_part & ~np.isnan(values[:, 0])
        return {run: float(values[row, 0]) for row, run in enumerate(runs) if there[row]}

    @property
    def _takes_part(self) -> np.ndarray:
        return (
            (self.evidence.runs["kind"] == "submitted") & self.evidence.runs["assessed"]
        ).to_numpy()

    @property
    def submitted(self) -> list[str]:
        """The names of all submitted runs."""
        return self.evidence.runs.filter(kind="submitted")["run"].cast(pl.String).to_list()

    def only(self, runs: Sequence[str]) -> "Member":
        """The same with these runs alone, in this order."""
        names = self.evidence.runs["run"].cast(pl.String).to_list()
        rows = np.array([names.index(run) for run in runs], dtype=np.intp)
        columns = {name: column[rows] for name, column in self.evidence.columns.items()}
        evidence = Evidence(self.evidence.runs[rows], self.evidence.questions, columns)
        return Member(self.collection, evidence, self.measure, self.seed, self.unit)


class Overall(NamedTuple):
    """What is found."""

    overall: pl.DataFrame
    comparisons: pl.DataFrame


def shares(members: Sequence[Member], weights: Weighting) -> list[float]:
    """How much each collection counts: they add up to 1."""
    sizes = [
        member.evidence.questions.height if weights == "questions" else 1 for member in members
    ]
    return [size / sum(sizes) for size in sizes]


def study(
    members: Sequence[Member],
    *,
    seed: str,
    weights: Weighting = "equal",
    draws: int = 9999,
    threads: int = 1,
) -> Overall:
    """The leaderboard over collections, and comparisons of all pairs of its ranked runs."""
    share = shares(members, weights)
    by_collection = [member.values() for member in members]
    submitted = list(dict.fromkeys(run for member in members for run in member.submitted))
    ranked = [run for run in submitted if all(run in values for values in by_collection)]
    table = np.array([[values[run] for run in ranked] for values in by_collection])
    table = table.reshape(len(members), len(ranked))
    value = np.array(share) @ table
    better = members[0].measure.better
    rows = pl.DataFrame(
        {
            "measure": [name_of(members)] * len(submitted),
            "run": submitted,
            "collections": [sum(run in values for values in by_collection) for run in submitted],
        },
        schema={"measure": pl.String, "run": pl.String, "collections": pl.Int64},
    )
    leaderboard = pl.DataFrame({"run": ranked, "value": value}, schema_overrides={"run": pl.String})
    leaderboard = rank_ranges(leaderboard.with_columns(better=pl.lit(better)), ["better"]).drop(
        "better"
    )
    compared = empty("comparisons")
    if ranked:
        inside = [member.only(ranked) for member in members]
        drawn = draw(inside, share, seed=seed, threads=threads)
        low, high = bounds(drawn.values, value)
        exchange = Joint(inside, share, seed=seed, draws=draws, threads=threads)
        family = all_pairs(np.arange(len(ranked)))
        tested = exchange.test_parts(exchange.all_parts, value, family, drawn)
        ranges = comparisons.rank_ranges(
            tested, family, np.arange(len(ranked)), value, better
        ).select("rank_low", "rank_high", "leading")
        leaderboard = leaderboard.with_columns(
            low=low, high=high, **_mean_ranks(table, better)
        ).hstack(ranges)
        won, lost = np.sum(
            [comparisons.wins(member.evidence, member.measure, family) for member in inside], axis=0
        )
        described = comparisons.describe_pairs(
            leaderboard["run"],
            family,
            tested,
            drawn,
            "all",
            questions=sum(member.evidence.questions.height for member in members),
            units=len(exchange.keys),
            bounds=_bounds(members, share),
            wins=(won, lost),
        ).filter(comparisons.tabled(family, np.arange(len(ranked)), value))
        compared = described.select(
            pl.lit(NAME).alias("collection"),
            pl.lit(None, pl.String).alias("judge"),
            pl.lit(name_of(members)).alias("measure"),
            pl.lit("all").alias("slice"),
            pl.all(),
        )
    joined = rows.join(leaderboard, on="run", how="left", maintain_order="left")
    order = ["rank_first", "run"]
    schema = empty(NAME).schema
    missing = [pl.lit(None, schema[name]).alias(name) for name in schema if name not in joined]
    table_of_runs = joined.with_columns(missing).select(
        pl.col(name).cast(dtype) for name, dtype in schema.items()
    )
    table_of_runs = table_of_runs.with_columns(pl.selectors.float().fill_nan(None))
    return Overall(
        table_of_runs.sort(*order, nulls_last=True, maintain_order=True), _as_declared(compared)
    )


def _as_declared(table: pl.DataFrame) -> pl.DataFrame:
    schema = empty("comparisons").schema
    return table.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def name_of(members: Sequence[Member]) -> str:
    """What the measure is called: its name in all collections, or `primary` where these differ."""
    names = {member.measure.name for member in members}
    return names.pop() if len(names) == 1 else "primary"


def _bounds(members: Sequence[Member], share: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest value over all collections."""
    ends = np.array([member.measure.bounds for member in members])
    low, high = np.array(share) @ ends
    return float(low), float(high)


def draw(members: Sequence[Member], share: Sequence[float], *, seed: str, threads: int) -> Weighted:
    """Values on questions weighted at random, each collection by itself.

    The two pseudo-questions are shared out among the collections as the collections count.
    """
    total: Weighted | None = None
    for member, member_share in zip(members, share, strict=True):
        (drawn,) = weighted_values(
            member.evidence,
            [member.measure],
            member.units,
            seed=f"{seed} {member.seed}",
            threads=threads,
            pseudo=member_share,
        )
        (drawn,) = widen(
            member.evidence, [member.measure], [drawn], effective(member.evidence, member.units)
        )
        member_draws = Weighted(*(member_share * values for values in drawn))
        total = member_draws if total is None else Weighted(*map(np.add, total, member_draws))
    assert total is not None
    return total


class Joint(Exchange):
    """The units of all collections exchanged together: a coin for each unit of each collection."""

    def __init__(
        self,
        members: Sequence[Member],
        share: Sequence[float],
        *,
        seed: str,
        draws: int,
        threads: int = 1,
    ) -> None:
        self.draws, self.threads = draws, threads
        self.key = key_of(seed, "exchange")
        self.all_parts: list[Part] = []
        names: list[str] = []
        for member, weight in zip(members, share, strict=True):
            units = member.units
            alone = Exchange(member.evidence, units, seed=seed, draws=draws, threads=threads)
            first = len(names)
            every = slice(first, first + len(units))
            for part in alone.parts(member.measure):
                unit_positions = every if isinstance(part.units, slice) else first + part.units
                self.all_parts.append(
                    part._replace(weight=weight * part.weight, units=unit_positions)
                )
            names += [f"{member.collection} {name}" for name in units.names]
        self.keys = hash_names(names)


def remarks(members: Sequence[Member], table: pl.DataFrame) -> Iterator[str]:
    """What is worth a line in the terminal."""
    names = {member.collection: member.measure.name for member in members}
    if len(set(names.values())) > 1:
        of_measure = {
            name: ", ".join(
                collection for collection, measure_name in names.items() if measure_name == name
            )
            for name in dict.fromkeys(names.values())
        }
        listed = "; ".join(f"{name} in {where}" for name, where in of_measure.items())
        yield f"overall is a mean of different measures: {listed}"
    left = table.filter(pl.col("collections") < len(members))
    if left.height:
        lack = "lacks" if left.height == 1 else "lack"
        number = f"{left.height} of {table.height} runs"
        yield f"{number} {lack} a value in some collection: shown overall, not ranked"


def _mean_ranks(table: Array, better: str) -> dict[str, Array]:
    """The mean over collections of each run's rank, and of the share of other runs it beats.

    `table` has values by collection and run. Equal runs share the mean of their ranks, and beat
    each other by half.

    >>> means = _mean_ranks(np.array([[0.9, 0.5, 0.5], [0.2, 0.8, 0.1]]), "high")
    >>> means["mean_rank"].tolist(), means["win_rate"].tolist()
    ([1.5, 1.75, 2.75], [0.75, 0.625, 0.125])
    """
    scores = -table if better == "low" else table
    gap = scores[:, :, None] - scores[:, None, :]
    above, equal = (gap < -SAME).sum(axis=2), (np.abs(gap) <= SAME).sum(axis=2)
    rank = 1 + above + (equal - 1) / 2
    number = table.shape[1]
    beaten = (number - rank) / (number - 1) if number > 1 else np.full(table.shape, np.nan)
    return {"mean_rank": rank.mean(axis=0), "win_rate": beaten.mean(axis=0)}
