"""Can I trust the measure? What the studies of stability, swaps, sizes and significance say."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from qampaign.measures.ranking import SAME
from qampaign.report import theme
from qampaign.report.blocks import Chart, Section, Table, TableColumn, TableColumns, optional_table
from qampaign.report.charts import measures as charts
from qampaign.report.charts.judges import tau_heatmap
from qampaign.report.collection import CollectionResults
from qampaign.report.text import MINUS, fixed, listed, many, percent, short

FUZZINESS = 0.05
"""The fuzziness at which the caption describes a measure."""

BY_MEASURE = ("stability", "swap", "size_tau", "questions_needed")
"""The studies that are shown with a line per measure."""

SENSITIVITY: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "size": TableColumn("Questions", "count"),
    "confidence": TableColumn("Confidence", "share"),
    "absolute_difference": TableColumn(
        "Difference needed", "number", "the smallest that is reversed rarely enough"
    ),
    "lasting_difference": TableColumn(
        "Lasting difference",
        "number",
        "the smallest such that it and all larger ones are reversed rarely enough",
    ),
    "highest_value": TableColumn("Highest value", "number"),
    "relative_difference": TableColumn("Relative difference", "share"),
    "sensitivity": TableColumn(
        "Sensitivity", "share", "comparisons with at least the difference needed"
    ),
}
SIGNIFICANT: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "test": TableColumn("Test", "text"),
    "level": TableColumn("Level", "number"),
    "pairs": TableColumn("Pairs", "count"),
    "share": TableColumn("Significant", "share"),
}


def section(collection: CollectionResults) -> Section | None:
    blocks: list[Chart | Table] = [
        *_stability(collection),
        *_swap(collection),
        *_size_tau(collection),
        *_sizes(collection),
        *_questions_needed(collection),
        *_correlation(collection),
        *_significance(collection),
    ]
    return Section("measures", "Can I trust the measure?", blocks) if blocks else None


def _study(collection: CollectionResults, name: str) -> pl.DataFrame:
    """A study of the reference's scores, at the largest size where there were several.

    Each row has a `key` for charts, the measure's label with a number: measures are numbered over
    all studies, so that each has one colour everywhere. Rows of other measures are left out.
    """
    rows = collection.table(name, judge=collection.reference)
    if name in ("stability", "swap", "sensitivity") and not rows.is_empty():
        rows = rows.filter(pl.col("size") == pl.col("size").max().over("measure"))
        for setting in ("draws", "scheme", "test"):
            if setting in rows.columns:
                rows = rows.filter(pl.col(setting) == pl.col(setting).first())
    studied = {measure for table in BY_MEASURE for measure in collection.table(table)["measure"]}
    labels = {name: label for name, label in collection.labels().items() if name in studied}
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    key = pl.col("measure").replace_strict(keys, default=None, return_dtype=pl.String)
    return rows.with_columns(name=key).drop_nulls("name")


def _keys(rows: pl.DataFrame) -> tuple[str, ...]:
    """The keys of the measures in a study, by number."""
    return tuple(sorted(set(rows["name"]), key=lambda key: int(key.split(" ", 1)[0])))


def _label(key: str) -> str:
    return key.split(" ", 1)[1]


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(label=pl.col("name").str.splitn(" ", 2).struct[1])


def _primary(rows: pl.DataFrame, collection: CollectionResults) -> pl.DataFrame:
    """The rows of the measure that ranks."""
    return rows.filter(measure=collection.primary_measure)


def _stability(collection: CollectionResults) -> Iterator[Chart]:
    rows = _study(collection, "stability")
    if not rows.is_empty():
        yield Chart(
            "stability",
            "Errors against ties",
            charts.error_rate_by_ties(_keys(rows)),
            _caption_of_stability(collection, rows),
            uses=("stability",),
            data={
                "stability": rows.select("name", "fuzziness", "ties", "error_rate", "error_rate_se")
            },
            half=True,
        )


def _caption_of_stability(collection: CollectionResults, rows: pl.DataFrame) -> str:
    ends = rows["fuzziness"].sort()
    caption = (
        "The lower and further left a line, the fewer errors and ties a measure has. Each point is "
        f"a fuzziness, from {percent(ends[0], 0)} to {percent(ends[-1], 0)}."
    )
    at = rows.filter((pl.col("fuzziness") - FUZZINESS).abs() < 1e-9).drop_nulls("error_rate")
    if at.is_empty():
        return caption
    primary = _primary(at, collection)
    row = (at if primary.is_empty() else primary).row(0, named=True)
    return (
        f"{caption} Over {many(rows['trials'][0], 'trial')} of "
        f"{many(rows['size'][0], 'question')}, with differences below {percent(FUZZINESS, 0)} as "
        f"ties, {_label(row['name'])} errs in {percent(row['error_rate'])} of the comparisons and "
        f"ties in {percent(row['ties'])}."
    )


def _swap(collection: CollectionResults) -> Iterator[Chart | Table]:
    sensitivity, rows = _study(collection, "sensitivity"), _study(collection, "swap")
    if not rows.is_empty():
        confidences = sensitivity["confidence"].unique().sort().to_list() or [0.95]
        yield Chart(
            "swap",
            "How often a difference is reversed",
            charts.swap_rates(_keys(rows), tuple(confidences)),
            _caption_of_swap(collection, rows, sensitivity),
            uses=("swap",),
            data={
                "swap": rows.drop_nulls("swap_rate").select(
                    "name", "difference", "swap_rate", "comparisons"
                )
            },
            half=True,
        )
    caption = _caption_of_sensitivity(collection, sensitivity)
    labelled = _labelled(sensitivity)
    yield from optional_table("sensitivity", "Sensitivity", labelled, SENSITIVITY, caption=caption)


def _caption_of_swap(
    collection: CollectionResults, rows: pl.DataFrame, sensitivity: pl.DataFrame
) -> str:
    asked = many(int(rows["size"][0]), "question")
    caption = (
        f"Two runs are compared on {asked} and again on as many others; the swap rate is how often "
        "their order is reversed."
    )
    primary = _primary(sensitivity, collection)
    if primary.is_empty():
        return f"{caption} Below the dashed line, that is rare enough."
    row = primary.row(0, named=True)
    label, sure, needed = (
        _label(row["name"]),
        percent(row["confidence"], 0),
        row["lasting_difference"],
    )
    if needed is None:
        return f"{caption} No observed difference in {label} is large enough to be {sure} sure."
    if needed:
        return (
            f"{caption} With {asked}, a difference of at least {short(needed)} in {label} is "
            f"needed to be {sure} sure of the order."
        )
    differences = _primary(rows, collection).filter(
        pl.col("difference") > 0, pl.col("comparisons") > 0
    )
    if differences.is_empty():
        return f"{caption} No two runs differed in {label}."
    return f"{caption} With {asked}, every difference in {label} holds {sure} of the time."


def _caption_of_sensitivity(collection: CollectionResults, sensitivity: pl.DataFrame) -> str:
    caption = (
        "Sensitivity is the share of comparisons with at least the difference needed: the higher, "
        "the better a measure tells runs apart."
    )
    rows = _primary(sensitivity, collection).drop_nulls("sensitivity").to_dicts()
    # It goes by the first difference that is enough, which larger ones may contradict.
    if rows and rows[0]["lasting_difference"] == rows[0]["absolute_difference"]:
        caption += f" {_label(rows[0]['name'])} has {percent(rows[0]['sensitivity'], 0)}."
    needed, lasting = sensitivity["absolute_difference"], sensitivity["lasting_difference"]
    if (needed.is_not_null() & needed.ne_missing(lasting)).any():
        caption += (
            " Where the two differences are not the same, some larger ones are reversed too often: "
            "rely on the lasting difference. A dash means that no observed difference is large "
            "enough."
        )
    return caption


def _size_tau(collection: CollectionResults) -> Iterator[Chart]:
    taus = _study(collection, "size_tau").drop_nulls("tau")
    if taus.is_empty():
        return
    enough = _study(collection, "sizes_enough")
    primary = _primary(taus, collection)
    banded = (taus if primary.is_empty() else primary)["name"][0]
    yield Chart(
        "size_tau",
        "How many questions until the ranking is stable",
        charts.tau_by_size(_keys(taus), banded, tuple(enough["bound"].unique(maintain_order=True))),
        _caption_of_size_tau(enough, _label(banded)),
        uses=("size_tau",),
        data={"size_tau": taus.select("name", "size", "tau", "low", "high")},
        half=True,
    )


def _caption_of_size_tau(enough: pl.DataFrame, banded: str) -> str:
    caption = (
        "Each point is the mean tau between the rankings over so many questions, drawn at random, "
        f"and the ranking over all; the band holds 95% of the draws, for {banded}."
    )
    if enough.is_empty():
        return caption
    bound = enough["bound"][0]
    reached = enough.filter(bound=bound).drop_nulls("size").sort("size")
    if reached.is_empty():
        return f"{caption} No measure reaches {bound:g} at any size."
    fewest = reached["size"][0]
    first = [_label(key) for key in reached.filter(size=fewest)["name"]]
    measures = listed(first) if len(first) < 4 else many(len(first), "measure")
    return f"{caption} It exceeds {bound:g} with the fewest questions, {fewest}, for {measures}."


def _sizes(collection: CollectionResults) -> Iterator[Chart]:
    rows = collection.table("sizes", judge=collection.reference)
    swept = _primary(rows, collection).drop_nulls("mean")
    if collection.primary is not None and not swept.is_empty():
        label = collection.primary_label
        yield Chart(
            "sizes",
            f"{label} by number of questions",
            charts.values_by_size(label),
            _caption_of_sizes(swept, label),
            uses=("sizes",),
            data={"sizes": swept.select("run", "size", "mean", "sd")},
            half=True,
        )


def _caption_of_sizes(swept: pl.DataFrame, label: str) -> str:
    sds = swept.group_by("size").agg(pl.col("sd").mean()).sort("size")
    varied = sds.filter(pl.col("sd") > 1e-9)  # draws of all questions are all the same
    sds = sds if varied.is_empty() else varied
    first, last = sds.row(0, named=True), sds.row(-1, named=True)
    return (
        f"The first {charts.SWEPT} runs of the leaderboard, or those picked. The band around a run "
        "is one standard deviation over the draws to either side; on average, that is "
        f"{fixed(first['sd'])} at {many(first['size'], 'question')} and {fixed(last['sd'])} at "
        f"{last['size']}. Where bands overlap, {label} over so few questions does not tell the "
        "runs apart."
    )


def _questions_needed(collection: CollectionResults) -> Iterator[Chart]:
    swaps = collection.table("swap", judge=collection.reference)
    # The last bin is open: it holds larger differences too, which need fewer questions.
    largest = _study(collection, "swap")
    bins = largest.filter(pl.col("bin") < pl.col("bin").max())["difference"].unique().to_list()
    rows = _study(collection, "questions_needed").filter(
        pl.col("difference") > 0,
        pl.col("difference").is_in(bins) | swaps.is_empty(),
        pl.col("confidence") == pl.col("confidence").max(),
    )
    known = rows.drop_nulls("questions")
    if not known.is_empty():
        yield Chart(
            "needed",
            "How many questions are needed",
            charts.questions_needed(_keys(known)),
            _caption_of_questions_needed(collection, rows, fewest=swaps["size"].min()),
            uses=("needed",),
            data={
                "needed": known.select(
                    "name", "difference", "questions", "extrapolated", "confidence"
                )
            },
            half=True,
        )


def _caption_of_questions_needed(
    collection: CollectionResults, rows: pl.DataFrame, *, fewest: Any
) -> str:
    caption = (
        "Open points are extrapolated: they lie beyond half of the questions, and two separate "
        "sets cannot have more than half each."
    )
    primary = _primary(rows, collection)
    near = primary.drop_nulls("questions").sort((pl.col("difference") - 0.05).abs()).to_dicts()
    if not near:
        return caption
    row = near[0]
    label = _label(row["name"])
    larger = primary.filter(pl.col("difference") > row["difference"])["questions"]
    if larger.has_nulls() or (larger > row["questions"]).any():
        return (
            f"For {label}, the swap rates are too unsteady to give one number: by their fits, some "
            f"larger difference would take more questions. {caption}"
        )
    extrapolated = ", by extrapolation" if row["extrapolated"] else ""
    most = "at most " if row["questions"] == fewest else ""
    return (
        f"To be {100 * row['confidence']:g}% sure of a difference of {short(row['difference'])} in "
        f"{label} takes {most}{many(row['questions'], 'question')}{extrapolated}. {caption}"
    )


def _correlation(collection: CollectionResults) -> Iterator[Chart]:
    reference, labels = collection.reference, collection.labels()
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    pairs = (
        collection.table("correlation", judge_a=reference, judge_b=reference)
        .filter(
            pl.col("measure_a") != pl.col("measure_b"),
            pl.all_horizontal(pl.col("measure_a", "measure_b").is_in(list(keys))),
        )
        .drop_nulls("tau")
    )
    if pairs.is_empty():
        return
    ends = [
        pl.col(name).replace_strict(keys, return_dtype=pl.String)
        for name in ("measure_a", "measure_b")
    ]
    values = ["tau", "low", "high", "runs"]
    cells = pl.concat(
        pairs.select(a.alias("measure"), b.alias("other"), *values)
        for a, b in (ends, reversed(ends))
    )
    order = tuple(key for key in keys.values() if key in set(cells["measure"]))
    yield Chart(
        "measure_tau",
        "Do measures rank alike?",
        tau_heatmap("measure_tau", order, order, "measure", "other"),
        _caption_of_tau(pairs, labels),
        uses=("measure_tau",),
        data={"measure_tau": cells},
        half=True,
    )


def _caption_of_tau(pairs: pl.DataFrame, labels: dict[str, str]) -> str:
    caption = (
        f"Tau is 1 where two measures rank the runs alike, and {MINUS}1 where one ranking is the "
        "other reversed."
    )
    ordered = pairs.sort("tau")
    if ordered.height < 2:
        return caption
    low, high = ordered.row(0, named=True), ordered.row(-1, named=True)
    if high["tau"] - low["tau"] < SAME:
        return f"{caption} Here it is {fixed(low['tau'], 2)} for every pair."

    def pair(row: dict[str, Any]) -> str:
        names = (labels[row[f"measure_{side}"]] for side in "ab")
        return f"{listed(names)} ({fixed(row['tau'], 2)})"

    return f"{caption} Most alike are {pair(high)}; least alike are {pair(low)}."


def _significance(collection: CollectionResults) -> list[Table]:
    rows = _study(collection, "significant_shares")
    caption = "The share of pairs of runs whose difference is significant, uncorrected."
    primary = _primary(rows, collection).filter(level=0.05)
    if not primary.is_empty():
        row = primary.row(0, named=True)
        caption += (
            f" By {_label(row['name'])}, {percent(row['share'], 0)} of "
            f"{many(row['pairs'], 'pair')} differ at the 5% level ({row['test']} test)."
        )
    return optional_table(
        "significant_shares",
        "Significant differences",
        _labelled(rows),
        SIGNIFICANT,
        caption=caption,
        closed=True,
    )
