"""Which judge ranks as the reference does, and which runs a judge favours. Parts of its section."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from qampaign.agreement.fairness import describe_bias
from qampaign.ranking import SAME
from qampaign.report.blocks import Table, TableColumn, TableColumns, optional_table
from qampaign.report.collection import CollectionResults
from qampaign.report.text import DASH, fixed, interval, listed, many, percent
from qampaign.report.views import Row
from qampaign.studies.significance import holm

LEVEL = 0.05
"""Below this p-value rates of runs are said to differ."""
FEW_UNITS = 50
"""With labels on fewer questions than these a judge has learned little."""

WEIGHTS: TableColumns = {
    "feature": TableColumn("Feature", "name"),
    "weight": TableColumn("Weight", "number"),
    "weight_low": TableColumn("from", "number", "among the models that leave out some questions"),
    "weight_high": TableColumn("to", "number"),
    "meaning": TableColumn("Meaning", "words"),
}


@dataclass(frozen=True)
class Compared:
    """A judge beside the reference."""

    judge: str
    agreement: float
    spread: float | None
    """The standard deviation over runs of the rates of false alarms."""
    tau: float | None
    """None: there are no two rankings to compare."""
    low: float | None
    high: float | None

    @classmethod
    def of(cls, agreed: Row, tau: Row | None) -> "Compared":
        """From a row of agreement and one of tau, if there is one."""
        there = tau is not None and tau["tau_b"] is not None
        known = tau if tau is not None and there else {"tau": None, "low": None, "high": None}
        return cls(
            judge=agreed["judge"],
            agreement=agreed["agreement"],
            spread=agreed.get("false_alarm_rate_sd"),
            tau=known["tau"],
            low=known["low"],
            high=known["high"],
        )


def recommend(collection: CollectionResults, compared: Sequence[Compared]) -> Iterator[str]:
    """Which of the judges that are not people's labels to take, and why; nothing if it is one."""
    kinds = {str(judge["judge"]): judge["kind"] for judge in collection.judges}
    automatic = [row for row in compared if kinds.get(row.judge) != "assessments"]
    if len(automatic) < 2:
        return
    ranked = [row for row in automatic if row.tau is not None]
    if not ranked:
        best = _best(automatic, lambda row: (row.agreement,))
        agree = f"agree{'s' if len(best) == 1 else ''} with {collection.reference} most often"
        yield (
            f"Of {len(automatic)} automatic judges, {listed(row.judge for row in best)} {agree}, "
            f"on {percent(best[0].agreement)}; these data do not show which of them ranks best."
        )
        return
    best = _best(ranked, lambda row: (row.tau, row.agreement, -(row.spread or 0)))
    names = listed([row.judge for row in best])
    first, alone = best[0], len(best) == 1
    number = f"{len(automatic)} automatic judges"
    found = f"{names} rank{'s' if alone else ''} the runs most like {collection.reference}"
    if len(ranked) == 1:
        found = f"{names} alone has a ranking to compare with that of {collection.reference}"
    elif len(ranked) < len(automatic):
        number = f"the {len(ranked)} of {number} whose rankings can be compared"
    ends = interval(first.low, first.high)
    known = "" if ends == DASH else f" (95% interval {ends})"
    varied = (
        "" if first.spread is None
        else f", and rates of false alarms with a standard deviation of {percent(first.spread)} "
        "over runs"
    )  # fmt: skip
    others = [row for row in ranked if row not in best]
    equal = [row.judge for row in others if abs((row.tau or 0) - (first.tau or 0)) <= SAME]
    tied = (
        f" {listed(equal)} rank{'s' if len(equal) == 1 else ''} as well, and agree" if equal else ""
    )
    if equal:
        tied += f"{'s' if len(equal) == 1 else ''} less often or less evenly."
    unsettled = [
        row.judge for row in others
        if row.judge not in equal and None not in (first.low, row.high)
        and row.high >= first.low  # type: ignore[operator]
    ]  # fmt: skip
    doubt = (
        f" The interval overlaps with {'that' if len(unsettled) == 1 else 'those'} of "
        f"{listed(unsettled)}."
        if unsettled
        else ""
    )
    yield (
        f"Of {number}, {found}: tau {fixed(first.tau or 0)}{known}, "
        f"agreement on {percent(first.agreement)}{varied}.{tied}{doubt}"
    )


def _best(judges: Sequence[Compared], value: Any) -> list[Compared]:
    """Those that are best by some values, the first of which counts most."""
    rounded = {row.judge: tuple(round(number, 9) for number in value(row)) for row in judges}
    highest = max(rounded.values())
    return [row for row in judges if rounded[row.judge] == highest]


def describe_unfair(collection: CollectionResults) -> Iterator[str]:
    """The judges whose rates differ from run to run: which runs they favour, what to do."""
    table = collection.table("agreement", slice="all").filter(pl.col("threshold").is_null())
    tested = table.filter(pl.col("run") == "all", pl.col("p_homogeneous").is_not_null())
    adjusted = tested.with_columns(p=pl.Series(holm(tested["p_homogeneous"].to_numpy())))
    together = f", adjusted for {tested.height} judges" if tested.height > 1 else ""
    for judge, p in adjusted.filter(pl.col("p") < LEVEL).select("judge", "p").rows():
        runs = table.filter(pl.col("run") != "all", judge=judge)
        rates = [
            text
            for column, what in (
                ("hit_rate", "hit rates"),
                ("false_alarm_rate", "false-alarm rates"),
            )
            if (text := _range(runs, column, what))
        ]
        shifts = dict(runs.drop_nulls("shift").select("run", "shift").rows())
        favoured, disfavoured = describe_bias(shifts)
        bias = " and ".join(
            f"{verb} {listed([_shifted(run, shifts) for run in some])}"
            for verb, some in (("favour", favoured), ("disfavour", disfavoured))
            if some
        )
        effect = (
            f"Its scores {bias} (by how much more its errors raise their share of right answers "
            "than that of the mean run)."
            if bias
            else "That moves the share of right answers of no run by half a point against the mean "
            "run's."
        )
        corrected = collection.table("corrected", judge=judge)
        remedy = (
            "The corrected scores below are free of that."
            if not corrected.is_empty()
            else f"Scores with corrected_by: {collection.reference} are free of that."
        )
        chance = f"{'p < 0.001' if p < 0.001 else f'p = {p:.3f}'}{together}"
        differing = "; ".join(rates)
        yield f"{judge} does not treat all runs alike ({chance}): {differing}. {effect} {remedy}"


def _range(runs: pl.DataFrame, column: str, what: str) -> str:
    known = runs.drop_nulls(column).sort(column, "run")
    if known.height < 2:
        return ""
    low, high = known.row(0, named=True), known.row(-1, named=True)
    if percent(low[column]) == percent(high[column]):
        return f"{what} are all {percent(low[column])}"
    return (
        f"{what} go from {percent(low[column])} ({low['run']}) to {percent(high[column])} "
        f"({high['run']})"
    )


def _shifted(run: str, shifts: Mapping[str, float]) -> str:
    return f"{run} ({percent(abs(shifts[run]))})"


def weights(collection: CollectionResults) -> Iterator[Table]:
    """For each judge that learns, what each feature counts."""
    table = collection.table("judge_weights")
    for number, judge in enumerate(table["judge"].unique(maintain_order=True), start=1):
        rows = table.filter(judge=judge)
        answers, units = rows.select("answers", "units").row(0)
        caption = (
            f"{judge} has learned from the labels of {many(answers, 'different answer')} to "
            f"{many(units, 'question')} or groups of them; each was judged by a model that had not "
            "seen its question. A weight is what the logarithm of the odds of being right gains as "
            "the feature goes from 0 to 1 and all others stay."
        )
        if units < FEW_UNITS:
            caption += f" Labels on fewer than {FEW_UNITS} teach little: expect weights to change."
        ordered = rows.with_columns(
            last=pl.col("feature") != "intercept", size=-pl.col("weight").abs()
        ).sort("last", "size", maintain_order=True)
        yield from optional_table(
            f"judge_weights_{number}",
            f"What {judge} has learned",
            ordered,
            WEIGHTS,
            caption=caption,
            closed=True,
        )
