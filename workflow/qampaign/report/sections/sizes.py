"""How many questions are enough? Values and rankings over fewer, and what differences need."""

import polars as pl

from qampaign.report.charts import measures as charts
from qampaign.report.collection import Collection
from qampaign.report.parts import Chart, Table, fixed, listed, many, short
from qampaign.report.sections.studied import label_of, named, study


def sweeps(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    taus, names = named(study(collection, "size_tau"), collection)
    taus = taus.drop_nulls("tau")
    enough, _ = named(study(collection, "sizes_enough"), collection)
    bounds = tuple(enough["bound"].unique(maintain_order=True)) if enough.height else ()
    if not taus.is_empty():
        own = taus.filter(measure=collection.primary_measure)
        banded = (taus if own.is_empty() else own)["name"][0]
        parts.append(
            Chart(
                "size_tau",
                "How many questions until the ranking stands",
                charts.tau_by_size(names, banded, bounds),
                _how_to_read_size_tau(enough, banded),
                uses=("size_tau",),
                data={"size_tau": taus.select("name", "size", "tau", "low", "high")},
                half=True,
            )
        )
    if collection.primary is not None:
        measure = collection.measures[collection.primary]
        swept = study(collection, "sizes").filter(measure=measure["measure"]).drop_nulls("mean")
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


def _how_to_read_size_tau(enough: pl.DataFrame, banded: str) -> str:
    reads = (
        "Each point is the mean over draws of so many questions of tau with the ranking over all; "
        f"the band holds 95% of the draws, for {label_of(banded)}."
    )
    if enough.is_empty():
        return reads
    bound = enough["bound"][0]
    reached = enough.filter(bound=bound).drop_nulls("size").sort("size")
    if reached.is_empty():
        return f"{reads} No measure reaches {bound:g} at any size."
    least = reached["size"][0]
    first = [label_of(name) for name in reached.filter(size=least)["name"]]
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
        f"{fixed(first['sd'])} at {many(first['size'], 'question')} and {fixed(last['sd'])} at "
        f"{last['size']}. Where bands lie over each other, {label} over so few questions does not "
        "tell the runs apart."
    )


def needed(collection: Collection) -> list[Chart | Table]:
    found, names = named(study(collection, "questions_needed"), collection)
    swaps = study(collection, "swap")
    # The last bin is open: it holds larger differences too, which need fewer questions.
    bins = swaps.filter(pl.col("bin") < pl.col("bin").max())["difference"].unique().to_list()
    found = found.filter(
        pl.col("difference") > 0,
        pl.col("difference").is_in(bins) | swaps.is_empty(),
        pl.col("confidence") == pl.col("confidence").max(),
    )
    reads = _how_to_read_needed(collection, found)
    found = found.drop_nulls("questions")
    if found.is_empty():
        return []
    data = found.select("name", "difference", "questions", "extrapolated", "confidence")
    names = tuple(name for name in names if name in set(found["name"]))
    return [
        Chart(
            "needed",
            "How many questions are needed",
            charts.questions_needed(names),
            reads,
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
    primary = collection.primary_measure
    own = found.filter(measure=primary)
    rows = own.drop_nulls("questions").sort((pl.col("difference") - 0.05).abs()).to_dicts()
    if not rows:
        return reads
    row = rows[0]
    further = own.filter(pl.col("difference") > row["difference"])["questions"]
    if further.has_nulls() or (further > row["questions"]).any():
        return (
            f"For {label_of(row['name'])} the swap rates are too unsteady to tell one number: by "
            f"their fits some larger difference would take more questions. {reads}"
        )
    guess = ", by extrapolation" if row["extrapolated"] else ""
    fewest = collection.table("swap", judge=collection.reference)["size"].min()
    most = "at most " if row["questions"] == fewest else ""
    return (
        f"To be {100 * row['confidence']:g}% sure of a difference of {short(row['difference'])} in "
        f"{label_of(row['name'])} takes {most}{many(row['questions'], 'question')}{guess}. {reads}"
    )
