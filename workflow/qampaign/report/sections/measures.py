"""Can I trust the measure? What the studies of stability, swaps and significance found."""

from typing import Any

import polars as pl

from qampaign.measures.ranking import SAME
from qampaign.report import theme
from qampaign.report.charts import measures as charts
from qampaign.report.charts.judges import tau_heatmap
from qampaign.report.collection import Collection
from qampaign.report.parts import (
    Chart,
    Column,
    Columns,
    Section,
    Table,
    fixed,
    listed,
    many,
    percent,
    short,
    table,
)
from qampaign.report.sections import sizes
from qampaign.report.sections.studied import label_of, named, study

FUZZINESS = 0.05
"""The fuzziness at which measures are compared in words."""

SENSITIVITY: Columns = {
    "label": ("Measure", "name"),
    "size": ("Questions", "count"),
    "confidence": ("Confidence", "share"),
    "absolute_difference": Column(
        "Difference needed", "number", "the smallest that turns round seldom enough"
    ),
    "lasting_difference": Column(
        "and all above", "number", "the smallest from which on all turn round seldom enough"
    ),
    "highest_value": ("Highest value", "number"),
    "relative_difference": ("Relative difference", "share"),
    "sensitivity": Column(
        "Sensitivity", "share", "comparisons with at least the difference needed"
    ),
}
SIGNIFICANT: Columns = {
    "label": ("Measure", "name"),
    "test": ("Test", "text"),
    "level": ("Level", "number"),
    "pairs": ("Pairs", "count"),
    "share": ("Significant", "share"),
}


def section(collection: Collection) -> Section | None:
    parts: list[Chart | Table] = [
        *_stability(collection),
        *_swap(collection),
        *sizes.sweeps(collection),
        *sizes.needed(collection),
        *_correlation(collection),
        *_significance(collection),
    ]
    return Section("measures", "Can I trust the measure?", parts) if parts else None


def _stability(collection: Collection) -> list[Chart | Table]:
    found, names = named(study(collection, "stability"), collection)
    if found.is_empty():
        return []
    columns = ["name", "fuzziness", "ties", "error_rate", "error_rate_se"]
    return [
        Chart(
            "stability",
            "Errors against ties",
            charts.error_rate_by_ties(names),
            _how_to_read_stability(found, collection.primary_measure),
            uses=("stability",),
            data={"stability": found.select(columns)},
            half=True,
        )
    ]


def _how_to_read_stability(found: pl.DataFrame, primary: str) -> str:
    fuzziness = pl.col("fuzziness")
    row = found.with_columns(lowest=fuzziness.min(), highest=fuzziness.max()).row(0, named=True)
    reads = (
        "A line further down and to the left is a measure that errs less and ties less. Each point "
        f"is a fuzziness, from {percent(row['lowest'], 0)} to "
        f"{percent(row['highest'], 0)}."
    )
    at = found.filter((pl.col("fuzziness") - FUZZINESS).abs() < 1e-9).drop_nulls("error_rate")
    if at.is_empty():
        return reads
    own = at.filter(measure=primary)
    told = (own if not own.is_empty() else at).row(0, named=True)
    return (
        f"{reads} Over {many(row['trials'], 'trial')} of {many(row['size'], 'question')}, with "
        f"differences under {percent(FUZZINESS, 0)} as ties, {label_of(told['name'])} errs in "
        f"{percent(told['error_rate'])} of comparisons and ties {percent(told['ties'])}."
    )


def _swap(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    sensitivity, _ = named(study(collection, "sensitivity"), collection)
    found, names = named(study(collection, "swap"), collection)
    if not found.is_empty():
        bars = sensitivity["confidence"].unique().sort().to_list() or [0.95]
        data = found.drop_nulls("swap_rate").select(
            "name", "difference", "swap_rate", "comparisons"
        )
        parts.append(
            Chart(
                "swap",
                "How often a difference turns round",
                charts.swap_rates(names, tuple(bars)),
                _how_to_read_swap(collection, found, sensitivity),
                uses=("swap",),
                data={"swap": data},
                half=True,
            )
        )
    reads = _how_to_read_sensitivity(sensitivity, collection.primary_measure)
    parts += table("sensitivity", "Sensitivity", _labelled(sensitivity), SENSITIVITY, reads=reads)
    return parts


def _how_to_read_swap(
    collection: Collection, found: pl.DataFrame, sensitivity: pl.DataFrame
) -> str:
    size = int(found["size"][0])
    reads = (
        f"Two runs are compared on {many(size, 'question')} and again on as many others; the swap "
        "rate is how often the order turns round. "
    )
    primary = collection.primary_measure
    own = sensitivity.filter(measure=primary)
    row = own.row(0, named=True) if not own.is_empty() else None
    if row is None:
        return f"{reads}Under the dashed line it is seldom enough."
    label, sure = label_of(row["name"]), percent(row["confidence"], 0)
    if row["lasting_difference"] is None:
        return f"{reads}No difference in {label} that was seen is enough to be {sure} sure."
    asked = many(size, "question")
    some = found.filter(pl.col("difference") > 0, pl.col("comparisons") > 0, measure=primary)
    if not row["lasting_difference"] and some.is_empty():
        return f"{reads}No two runs differed in {label}."
    if not row["lasting_difference"]:
        return f"{reads}With {asked} every difference in {label} holds {sure} of the time."
    return (
        f"{reads}With {asked} a difference of at least {short(row['lasting_difference'])} in "
        f"{label} is needed to be {sure} sure of the order."
    )


def _how_to_read_sensitivity(sensitivity: pl.DataFrame, primary: str) -> str:
    reads = (
        "Sensitivity is the share of comparisons with at least the difference that is needed: the "
        "more, the better a measure tells runs apart."
    )
    own = sensitivity.filter(measure=primary).drop_nulls("sensitivity").to_dicts()
    # It is told of the first difference that passes, which need not be the one to be believed.
    if own and own[0]["lasting_difference"] == own[0]["absolute_difference"]:
        row = own[0]
        reads += f" {label_of(row['name'])} does so in {percent(row['sensitivity'], 0)} of them."
    passed, lasting = sensitivity["absolute_difference"], sensitivity["lasting_difference"]
    if (passed.is_not_null() & passed.ne_missing(lasting)).any():
        reads += (
            " Where the two differences are not the same, some larger ones turn round too often, "
            "and the second is to be believed; a dash: none that was seen is large enough."
        )
    return reads


def _correlation(collection: Collection) -> list[Chart | Table]:
    reference = collection.reference
    pairs = collection.table("correlation", judge_a=reference, judge_b=reference)
    pairs = pairs.filter(pl.col("measure_a") != pl.col("measure_b")).drop_nulls("tau")
    labels = collection.labels()
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    both = pairs.filter(pl.all_horizontal(pl.col("measure_a", "measure_b").is_in(list(keys))))
    if both.is_empty():
        return []
    name = {
        side: pl.col(f"measure_{side}").replace_strict(keys, return_dtype=pl.String)
        for side in "ab"
    }
    told = ["tau", "low", "high", "runs"]
    cells = pl.concat(
        [
            both.select(name["a"].alias("name_a"), name["b"].alias("name_b"), *told),
            both.select(name["b"].alias("name_a"), name["a"].alias("name_b"), *told),
        ]
    )
    order = tuple(key for key in keys.values() if key in set(cells["name_a"]))
    return [
        Chart(
            "measure_tau",
            "Do measures rank alike?",
            tau_heatmap("measure_tau", order, order, "name_a", "name_b"),
            _how_to_read_tau(both, labels),
            uses=("measure_tau",),
            data={"measure_tau": cells},
            half=True,
        )
    ]


def _how_to_read_tau(pairs: pl.DataFrame, labels: dict[str, str]) -> str:
    reads = (
        "Tau is 1 where two measures rank the runs alike and \N{MINUS SIGN}1 where one turns the "
        "other's ranking round."
    )
    known = pairs.drop_nulls("tau").sort("tau")
    if known.height < 2:
        return reads
    low, high = known.row(0, named=True), known.row(-1, named=True)
    if high["tau"] - low["tau"] < SAME:
        return f"{reads} Here all pairs have {fixed(low['tau'], 2)}."

    def said(row: dict[str, Any]) -> str:
        names = (labels[row[f"measure_{side}"]] for side in "ab")
        return f"{listed(names)} ({fixed(row['tau'], 2)})"

    return f"{reads} Most alike are {said(high)}, least {said(low)}."


def _significance(collection: Collection) -> list[Table]:
    found, _ = named(study(collection, "significant_shares"), collection)
    primary = collection.primary_measure
    own = found.filter(measure=primary, level=0.05)
    reads = "The share of pairs of runs whose difference is significant, not corrected."
    if not own.is_empty():
        row = own.row(0, named=True)
        reads += (
            f" By {label_of(row['name'])}, {percent(row['share'], 0)} of "
            f"{many(row['pairs'], 'pair')} differ at the 5% level ({row['test']} test)."
        )
    shown, title = _labelled(found), "Significant differences"
    return table("significant_shares", title, shown, SIGNIFICANT, reads=reads, closed=True)


def _labelled(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows of a study with what people call the measure."""
    return frame.with_columns(label=pl.col("name").str.splitn(" ", 2).struct[1])
