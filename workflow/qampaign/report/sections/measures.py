"""Can I trust the measure? What the studies of stability, swaps, sizes and significance found."""

from functools import cache
from typing import Any

import altair as alt
import polars as pl

from qampaign.report import theme
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
from qampaign.report.sections.judges import tau_heatmap
from qampaign.report.views import Collection

FUZZINESS = 0.05
"""The fuzziness at which measures are compared in words."""

SWEPT = 6
"""So many runs have a band in the sweep over sizes, the first of the leaderboard."""


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
        Chart("stability", "Errors against ties", error_rate_by_ties(names),
              _how_to_read_stability(found), uses=("stability",),
              data={"stability": found.select(columns)}, half=True)
    ]  # fmt: skip


@cache
def error_rate_by_ties(names: tuple[str, ...]) -> dict[str, Any]:
    """A line per measure as the fuzziness grows: more ties, fewer errors."""
    rows = theme.rows("stability").transform_filter("isValid(datum.error_rate)")
    shared: dict[str, Any] = {
        "x": alt.X("ties:Q", title="pairs that are tied", axis=alt.Axis(format=".0%")),
        "y": alt.Y("error_rate:Q", title="error rate", axis=alt.Axis(format=".1%")),
    }
    apart = theme.told_apart("name", names)
    lines = rows.mark_line(strokeWidth=2).encode(**shared, **apart, order=alt.Order("fuzziness:Q"))
    dots = rows.mark_point(filled=True, size=35).encode(
        **shared, color=apart["color"],
        tooltip=[
            alt.Tooltip("name:N", title="measure"), theme.value("fuzziness", "fuzziness", ".0%"),
            theme.value("ties", "ties", ".1%"), theme.value("error_rate", "error rate", ".2%"),
            theme.value("error_rate_se", "its standard error", ".3%"),
        ],
    )  # fmt: skip
    return theme.finish(
        alt.layer(lines, dots),
        description="A line per measure: pairs of runs that are tied across, errors upwards, as "
        "more and more of a difference counts as a tie.",
    )


def _how_to_read_stability(found: pl.DataFrame) -> str:
    row = found.row(0, named=True)
    reads = (
        "A line further down and to the left is a measure that errs less and ties less. Each point "
        f"is a fuzziness, from {percent(found['fuzziness'].min(), 0)} to "
        f"{percent(found['fuzziness'].max(), 0)}."
    )
    at = found.filter((pl.col("fuzziness") - FUZZINESS).abs() < 1e-9).drop_nulls("error_rate")
    if at.is_empty():
        return reads
    best = at.sort("error_rate").row(0, named=True)
    return (
        f"{reads} Over {many(row['trials'], 'trial')} of {many(row['size'], 'question')}, with "
        f"differences under {percent(FUZZINESS, 0)} as ties, {_label(best['name'])} errs least: in "
        f"{percent(best['error_rate'])} of comparisons, with {percent(best['ties'])} tied."
    )


def _swap(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    sensitivity, _ = named(_study(collection, "sensitivity"), collection)
    found, names = named(_study(collection, "swap"), collection)
    if not found.is_empty():
        bars = sensitivity["confidence"].unique().sort().to_list() or [0.95]
        data = found.drop_nulls("swap_rate").select("name", "difference", "swap_rate",
                                                    "comparisons")  # fmt: skip
        parts.append(Chart(
            "swap", "How often a difference turns round", swap_rates(names, tuple(bars)),
            _how_to_read_swap(collection, found, sensitivity), uses=("swap",), data={"swap": data},
            half=True,
        ))  # fmt: skip
    if not sensitivity.is_empty():
        shown = sensitivity.with_columns(label=pl.col("name").str.splitn(" ", 2).struct[1])
        columns: dict[str, Any] = {
            "label": ("Measure", "name"),
            "size": ("Questions", "count"),
            "confidence": ("Confidence", "share"),
            "absolute_difference": Column("Difference needed", "number",
                                          "the smallest that turns round seldom enough"),
            "highest_value": ("Highest value", "number"),
            "relative_difference": ("Relative difference", "share"),
            "sensitivity": Column("Sensitivity", "share",
                                  "comparisons with at least the difference needed"),
        }  # fmt: skip
        parts.append(table("sensitivity", "Sensitivity", shown, columns,
                           reads=_how_to_read_sensitivity(sensitivity)))  # fmt: skip
    return parts


@cache
def swap_rates(names: tuple[str, ...], confidences: tuple[float, ...]) -> dict[str, Any]:
    """A line per measure: the larger a difference, the less often it turns round."""
    bars = (
        alt.Chart(alt.InlineData(values=[{"rate": round(1 - each, 6)} for each in confidences]))
        .mark_rule(color=theme.MUTED, strokeDash=[4, 4], tooltip=False, aria=False)
        .encode(y=alt.Y("rate:Q"))
    )
    rows = theme.rows("swap")
    shared: dict[str, Any] = {
        "x": alt.X("difference:Q", title="difference between two runs"),
        "y": alt.Y("swap_rate:Q", title="swap rate", axis=alt.Axis(format=".0%")),
    }
    apart = theme.told_apart("name", names)
    lines = rows.mark_line(strokeWidth=2).encode(**shared, **apart)
    dots = rows.mark_point(filled=True, size=28).encode(
        **shared, color=apart["color"],
        tooltip=[
            alt.Tooltip("name:N", title="measure"), theme.value("difference", "from", ".2f"),
            theme.value("swap_rate", "swap rate", ".1%"),
            alt.Tooltip("comparisons:Q", title="comparisons", format=",d"),
        ],
    )  # fmt: skip
    return theme.finish(
        alt.layer(bars, lines, dots),
        description="A line per measure: the difference between two runs across, and upwards how "
        "often it turns round on other questions. A dashed line is what a confidence allows.",
    )


def _how_to_read_swap(
    collection: Collection, found: pl.DataFrame, sensitivity: pl.DataFrame
) -> str:
    size = found["size"].max()
    reads = (
        f"Two runs are compared on {size} questions and again on {size} others; the swap rate is "
        "how often the order turns round. "
    )
    primary = collection.measures[collection.primary or 0]["measure"]
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


def _how_to_read_sensitivity(sensitivity: pl.DataFrame) -> str:
    known = sensitivity.drop_nulls("sensitivity").sort("sensitivity", descending=True)
    if known.is_empty():
        return "No measure ever reached the confidence asked for."
    best = known.row(0, named=True)
    return (
        "Sensitivity is the share of comparisons with at least the difference that is needed: the "
        f"more, the better a measure tells runs apart. {_label(best['name'])} does so in "
        f"{percent(best['sensitivity'], 0)} of comparisons."
    )


def _sizes(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    taus, names = named(_study(collection, "size_tau"), collection)
    taus = taus.drop_nulls("tau")
    if not taus.is_empty():
        parts.append(Chart(
            "size_tau", "How many questions until the ranking stands", tau_by_size(names),
            _how_to_read_size_tau(collection), uses=("size_tau",),
            data={"size_tau": taus.select("name", "size", "tau", "low", "high")}, half=True,
        ))  # fmt: skip
    if collection.primary is not None:
        measure = collection.measures[collection.primary]
        swept = _study(collection, "sizes").filter(measure=measure["measure"]).drop_nulls("mean")
        if not swept.is_empty():
            label = collection.labels()[measure["measure"]]
            parts.append(Chart(
                "sizes", f"{label} by number of questions", values_by_size(label),
                _how_to_read_sizes(swept, label), uses=("sizes",),
                data={"sizes": swept.select("run", "size", "mean", "sd")}, half=True,
            ))  # fmt: skip
    return parts


@cache
def tau_by_size(names: tuple[str, ...]) -> dict[str, Any]:
    """A line per measure with its band: tau against the ranking over all questions."""
    rows = theme.rows("size_tau")
    x = alt.X("size:Q", title="questions", scale=alt.Scale(zero=False, nice=False))
    y = alt.Y("tau:Q", title="tau with the full ranking", scale=alt.Scale(zero=False))
    apart = theme.told_apart("name", names)
    band = rows.mark_area(opacity=0.1, tooltip=False, aria=False).encode(
        x=x, y=alt.Y("low:Q"), y2="high:Q", color=apart["color"]
    )
    told = [alt.Tooltip("name:N", title="measure"), alt.Tooltip("size:Q", title="questions"),
            theme.value("tau", "tau"), theme.value("low", "from"),
            theme.value("high", "to")]  # fmt: skip
    lines = rows.mark_line(strokeWidth=2).encode(x=x, y=y, **apart)
    dots = rows.mark_point(filled=True, size=30).encode(x=x, y=y, color=apart["color"],
                                                        tooltip=told)  # fmt: skip
    bar = (
        alt.Chart(alt.InlineData(values=[{"tau": 0.9}]))
        .mark_rule(color=theme.MUTED, strokeDash=[4, 4], tooltip=False, aria=False)
        .encode(y=alt.Y("tau:Q"))
    )
    return theme.finish(
        alt.layer(band, bar, lines, dots),
        description="A line per measure: the number of questions across, and upwards tau between "
        "the ranking over so many of them and over all.",
    )


@cache
def values_by_size(label: str) -> dict[str, Any]:
    """The mean of each run over draws of so many questions, with a band of a standard deviation."""
    rows = theme.rows("sizes").transform_filter(
        f"datum.shown && datum.lit && (datum.picked || datum.order < {SWEPT})"
    )
    x = alt.X("size:Q", title="questions", scale=alt.Scale(zero=False, nice=False))
    band = (
        rows.transform_calculate(low="datum.mean - datum.sd", high="datum.mean + datum.sd")
        .mark_area(opacity=0.13, tooltip=False, aria=False)
        .encode(
            x=x,
            y=alt.Y("low:Q", title=label, scale=alt.Scale(zero=False)),
            y2="high:Q",
            color=theme.colour_of_run(),
            detail="key:N",
        )
    )
    lines = rows.mark_line(strokeWidth=2, point={"size": 25}).encode(
        x=x,
        y=alt.Y("mean:Q", title=label),
        detail="key:N",
        color=theme.colour_of_run(),
        tooltip=theme.about_run(
            alt.Tooltip("size:Q", title="questions"), theme.value("mean", "mean"),
            theme.value("sd", "standard deviation"),
        ),
    )  # fmt: skip
    return theme.finish(
        alt.layer(band, lines),
        description=f"A line per run: the number of questions across, {label} over draws of so "
        "many upwards, with a band of one standard deviation.",
    )


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
    first, last = ends.row(0, named=True), ends.row(-1, named=True)
    return (
        f"The first {SWEPT} runs of the leaderboard, or those picked, each with a band of one "
        f"standard deviation over draws: {fixed(first['sd'])} wide on average at "
        f"{first['size']} questions, {fixed(last['sd'])} at {last['size']}. Where bands lie over "
        f"each other, {label} over so few questions does not tell the runs apart."
    )


def _needed(collection: Collection) -> list[Chart | Table]:
    found, names = named(_study(collection, "questions_needed"), collection)
    found = found.filter(pl.col("difference") > 0).drop_nulls("questions")
    if found.is_empty():
        return []
    found = found.filter(pl.col("confidence") == pl.col("confidence").max())
    data = found.select("name", "difference", "questions", "extrapolated", "confidence")
    names = tuple(name for name in names if name in set(found["name"]))
    return [
        Chart("needed", "How many questions are needed", questions_needed(names),
              _how_to_read_needed(collection, found), uses=("needed",), data={"needed": data},
              half=True)
    ]  # fmt: skip


@cache
def questions_needed(names: tuple[str, ...]) -> dict[str, Any]:
    """A line per measure: the smaller the difference to be sure of, the more questions."""
    rows = theme.rows("needed")
    shared: dict[str, Any] = {
        "x": alt.X("difference:Q", title="difference to be sure of"),
        "y": alt.Y("questions:Q", title="questions", scale=alt.Scale(type="log", nice=False),
                   axis=alt.Axis(format="~s", tickCount=6)),
    }  # fmt: skip
    apart = theme.told_apart("name", names)
    lines = rows.mark_line(strokeWidth=2).encode(**shared, **apart)
    told = [
        alt.Tooltip("name:N", title="measure"), theme.value("difference", "difference", ".2f"),
        alt.Tooltip("questions:Q", title="questions", format=",d"),
        theme.value("confidence", "confidence", ".0%"),
        alt.Tooltip("extrapolated:N", title="extrapolated"),
    ]  # fmt: skip
    dots = rows.mark_point(size=45, strokeWidth=1.6).encode(
        **shared, color=apart["color"], tooltip=told,
        fill=alt.when("datum.extrapolated").then(alt.value("white")).otherwise(alt.value(None)),
    )  # fmt: skip
    filled = rows.transform_filter("!datum.extrapolated").mark_point(filled=True, size=45).encode(
        **shared, color=apart["color"], tooltip=told
    )  # fmt: skip
    return theme.finish(
        alt.layer(lines, dots, filled),
        description="A line per measure: the difference between two runs across, and upwards the "
        "number of questions at which it seldom turns round.",
    )


def _how_to_read_needed(collection: Collection, found: pl.DataFrame) -> str:
    reads = (
        "Filled points were seen in the draws; open ones are extrapolated beyond the questions "
        "that there are."
    )
    primary = collection.measures[collection.primary or 0]["measure"]
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
    pairs = pairs.filter(pl.col("measure_a") != pl.col("measure_b"))
    labels = collection.labels()
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    both = pairs.filter(pl.all_horizontal(pl.col("measure_a", "measure_b").is_in(list(keys))))
    if both.is_empty():
        return []
    name = {side: pl.col(f"measure_{side}").replace_strict(keys, return_dtype=pl.String)
            for side in "ab"}  # fmt: skip
    told = ["tau", "low", "high", "runs"]
    cells = pl.concat([
        both.select(name["a"].alias("name_a"), name["b"].alias("name_b"), *told),
        both.select(name["b"].alias("name_a"), name["a"].alias("name_b"), *told),
    ])  # fmt: skip
    order = tuple(key for key in keys.values() if key in set(cells["name_a"]))
    return [
        Chart("measure_tau", "Do measures rank alike?",
              tau_heatmap("measure_tau", order, order, "name_a", "name_b"),
              _how_to_read_tau(both, labels), uses=("measure_tau",), data={"measure_tau": cells},
              half=True)
    ]  # fmt: skip


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
        "label": ("Measure", "name"), "test": ("Test", "text"), "level": ("Level", "number"),
        "pairs": ("Pairs", "count"), "share": ("Significant", "share"),
    }  # fmt: skip
    primary = collection.measures[collection.primary or 0]["measure"]
    own = found.filter(measure=primary, level=0.05)
    reads = "The share of pairs of runs whose difference is significant, not corrected."
    if not own.is_empty():
        row = own.row(0, named=True)
        reads += (
            f" By {_label(row['name'])}, {percent(row['share'], 0)} of "
            f"{many(row['pairs'], 'pair')} differ at the 5% level ({row['test']} test)."
        )
    return [table("significant_shares", "Significant differences", shown, columns, reads=reads,
                  closed=True)]  # fmt: skip
