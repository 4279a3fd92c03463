"""Can I trust the measure? What the studies of stability, swaps, sizes and significance found."""

from typing import Any

import polars as pl

from qampaign.report import theme
from qampaign.report.charts import measures as charts
from qampaign.report.charts.judges import tau_heatmap
from qampaign.report.parts import (
    Chart,
    Column,
    Section,
    Table,
    fixed,
    listed,
    many,
    percent,
    short,
    table,
)
from qampaign.report.views import Collection

FUZZINESS = 0.05
"""The fuzziness at which measures are compared in words."""


def section(collection: Collection) -> Section | None:
    parts: list[Chart | Table] = [
        *_stability(collection),
        *_swap(collection),
        *_sizes(collection),
        *_needed(collection),
        *_correlation(collection),
        *_significance(collection),
    ]
    return Section("measures", "Can I trust the measure?", parts) if parts else None


def named(frame: pl.DataFrame, collection: Collection) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Rows by measure with a `name` for charts, and all names in order; others are left out."""
    labels = collection.labels()
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    found = frame.with_columns(
        name=pl.col("measure").replace_strict(keys, default=None, return_dtype=pl.String)
    ).drop_nulls("name")
    present = set(found["name"])
    return found, tuple(key for key in keys.values() if key in present)


def _label(name: str) -> str:
    return name.split(" ", 1)[1]


def _primary(collection: Collection) -> str:
    return str(collection.measures[collection.primary or 0]["measure"])


def _study(collection: Collection, name: str) -> pl.DataFrame:
    """A study of the reference's scores; at the largest size where there were several."""
    found = collection.table(name, judge=collection.reference)
    if name in ("stability", "swap", "sensitivity") and not found.is_empty():
        found = found.filter(pl.col("size") == pl.col("size").max().over("measure"))
        for setting in ("draws", "scheme", "test"):
            if setting in found.columns:
                found = found.filter(pl.col(setting) == pl.col(setting).first())
    return found


def _stability(collection: Collection) -> list[Chart | Table]:
    found, names = named(_study(collection, "stability"), collection)
    if found.is_empty():
        return []
    columns = ["name", "fuzziness", "ties", "error_rate", "error_rate_se"]
    return [
        Chart(
            "stability",
            "Errors against ties",
            charts.error_rate_by_ties(names),
            _how_to_read_stability(found, _primary(collection)),
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
        f"differences under {percent(FUZZINESS, 0)} as ties, {_label(told['name'])} errs in "
        f"{percent(told['error_rate'])} of comparisons and ties {percent(told['ties'])}."
    )


def _swap(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    sensitivity, _ = named(_study(collection, "sensitivity"), collection)
    found, names = named(_study(collection, "swap"), collection)
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
    if not sensitivity.is_empty():
        shown = sensitivity.with_columns(label=pl.col("name").str.splitn(" ", 2).struct[1])
        columns: dict[str, Any] = {
            "label": ("Measure", "name"),
            "size": ("Questions", "count"),
            "confidence": ("Confidence", "share"),
            "absolute_difference": Column(
                "Difference needed", "number", "the smallest that turns round seldom enough"
            ),
            "highest_value": ("Highest value", "number"),
            "relative_difference": ("Relative difference", "share"),
            "sensitivity": Column(
                "Sensitivity", "share", "comparisons with at least the difference needed"
            ),
        }
        parts.append(
            table(
                "sensitivity",
                "Sensitivity",
                shown,
                columns,
                reads=_how_to_read_sensitivity(sensitivity, _primary(collection)),
            )
        )
    return parts


def _how_to_read_swap(
    collection: Collection, found: pl.DataFrame, sensitivity: pl.DataFrame
) -> str:
    size = int(found["size"][0])
    reads = (
        f"Two runs are compared on {size} questions and again on {size} others; the swap rate is "
        "how often the order turns round. "
    )
    primary = _primary(collection)
    own = sensitivity.filter(measure=primary)
    row = own.row(0, named=True) if not own.is_empty() else None
    if row is None:
        return f"{reads}Under the dashed line it is seldom enough."
    label, sure = _label(row["name"]), percent(row["confidence"], 0)
    if row["absolute_difference"] is None:
        return f"{reads}No difference in {label} that was seen is enough to be {sure} sure."
    if not row["absolute_difference"]:
        return f"{reads}With {size} questions any difference in {label} holds {sure} of the time."
    return (
        f"{reads}With {many(size, 'question')} a difference of at least "
        f"{short(row['absolute_difference'])} in {label} is needed to be {sure} sure of the order."
    )


def _how_to_read_sensitivity(sensitivity: pl.DataFrame, primary: str) -> str:
    reads = (
        "Sensitivity is the share of comparisons with at least the difference that is needed: the "
        "more, the better a measure tells runs apart."
    )
    own = sensitivity.filter(measure=primary).drop_nulls("sensitivity")
    if not own.is_empty():
        row = own.row(0, named=True)
        reads += f" {_label(row['name'])} does so in {percent(row['sensitivity'], 0)} of them."
    if 0.0 in sensitivity["absolute_difference"]:
        reads += (
            " A difference of 0 is no praise: so many comparisons are even that the smallest ones "
            "pass already."
        )
    return reads


def _sizes(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    taus, names = named(_study(collection, "size_tau"), collection)
    taus = taus.drop_nulls("tau")
    if not taus.is_empty():
        parts.append(
            Chart(
                "size_tau",
                "How many questions until the ranking stands",
                charts.tau_by_size(names),
                _how_to_read_size_tau(collection),
                uses=("size_tau",),
                data={"size_tau": taus.select("name", "size", "tau", "low", "high")},
                half=True,
            )
        )
    if collection.primary is not None:
        measure = collection.measures[collection.primary]
        swept = _study(collection, "sizes").filter(measure=measure["measure"]).drop_nulls("mean")
        if not swept.is_empty():
            label = collection.labels()[measure["measure"]]
            parts.append(
                Chart(
                    "sizes",
                    f"{label} by number of questions",
                    charts.values_by_size(label),
                    _how_to_read_sizes(swept, label),
                    uses=("sizes",),
                    data={"sizes": swept.select("run", "size", "mean", "sd")},
                    half=True,
                )
            )
    return parts


def _how_to_read_size_tau(collection: Collection) -> str:
    reads = (
        "Each point is the mean over draws of so many questions of tau with the ranking over all; "
        "the band holds 95% of the draws."
    )
    enough, _ = named(_study(collection, "sizes_enough"), collection)
    if enough.is_empty():
        return reads
    bound = enough["bound"][0]
    reached = enough.filter(bound=bound).drop_nulls("size").sort("size")
    if reached.is_empty():
        return f"{reads} No measure reaches {bound:g} at any size."
    least = reached["size"][0]
    first = [_label(name) for name in reached.filter(size=least)["name"]]
    fewer = listed(first) if len(first) < 4 else many(len(first), "measure")
    return f"{reads} Above {bound:g} with the fewest questions, {least}: {fewer}."


def _how_to_read_sizes(swept: pl.DataFrame, label: str) -> str:
    ends = swept.group_by("size").agg(pl.col("sd").mean()).sort("size")
    varied = ends.filter(pl.col("sd") > 1e-9)  # draws of all questions are all the same
    ends = ends if varied.is_empty() else varied
    first, last = ends.row(0, named=True), ends.row(-1, named=True)
    return (
        f"The first {charts.SWEPT} runs of the leaderboard, or those picked, each with a band of "
        "one standard deviation over draws to both sides, which on average is "
        f"{fixed(first['sd'])} at {first['size']} questions and {fixed(last['sd'])} at "
        f"{last['size']}. Where bands lie over each other, {label} over so few questions does not "
        "tell the runs apart."
    )


def _needed(collection: Collection) -> list[Chart | Table]:
    found, names = named(_study(collection, "questions_needed"), collection)
    swaps = _study(collection, "swap")
    # The last bin is open: it holds larger differences too, which need fewer questions.
    bins = swaps.filter(pl.col("bin") < pl.col("bin").max())["difference"].unique().to_list()
    found = found.filter(
        pl.col("difference") > 0, pl.col("difference").is_in(bins) | swaps.is_empty()
    ).drop_nulls("questions")
    if found.is_empty():
        return []
    found = found.filter(pl.col("confidence") == pl.col("confidence").max())
    data = found.select("name", "difference", "questions", "extrapolated", "confidence")
    names = tuple(name for name in names if name in set(found["name"]))
    return [
        Chart(
            "needed",
            "How many questions are needed",
            charts.questions_needed(names),
            _how_to_read_needed(collection, found),
            uses=("needed",),
            data={"needed": data},
            half=True,
        )
    ]


def _how_to_read_needed(collection: Collection, found: pl.DataFrame) -> str:
    reads = (
        "Open points are extrapolated: they lie beyond half of the questions, and two separate "
        "sets can have no more than half each."
    )
    primary = _primary(collection)
    rows = found.filter(measure=primary).sort((pl.col("difference") - 0.05).abs()).to_dicts()
    if not rows:
        return reads
    row = rows[0]
    guess = ", by extrapolation" if row["extrapolated"] else ""
    return (
        f"To be {percent(row['confidence'], 0)} sure of a difference of {short(row['difference'])} "
        f"in {_label(row['name'])} takes {many(row['questions'], 'question')}{guess}. {reads}"
    )


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

    def said(row: dict[str, Any]) -> str:
        names = (labels[row[f"measure_{side}"]] for side in "ab")
        return f"{listed(names)} ({fixed(row['tau'], 2)})"

    return f"{reads} Most alike are {said(high)}, least {said(low)}."


def _significance(collection: Collection) -> list[Chart | Table]:
    found, _ = named(_study(collection, "significant_shares"), collection)
    if found.is_empty():
        return []
    shown = found.with_columns(label=pl.col("name").str.splitn(" ", 2).struct[1])
    columns = {
        "label": ("Measure", "name"),
        "test": ("Test", "text"),
        "level": ("Level", "number"),
        "pairs": ("Pairs", "count"),
        "share": ("Significant", "share"),
    }
    primary = _primary(collection)
    own = found.filter(measure=primary, level=0.05)
    reads = "The share of pairs of runs whose difference is significant, not corrected."
    if not own.is_empty():
        row = own.row(0, named=True)
        reads += (
            f" By {_label(row['name'])}, {percent(row['share'], 0)} of "
            f"{many(row['pairs'], 'pair')} differ at the 5% level ({row['test']} test)."
        )
    return [
        table(
            "significant_shares",
            "Significant differences",
            shown,
            columns,
            reads=reads,
            closed=True,
        )
    ]
