"""What does a run cost, and what is it worth? Shown where files say what runs took."""

from collections.abc import Iterator

import polars as pl

from qampaign.report.blocks import Chart, Reading, Table, TableColumn, optional_table
from qampaign.report.charts import price as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.text import listed, named

NAMES = {"cost": "cost", "seconds": "seconds", "tokens": "tokens"}


def blocks(collection: CollectionResults) -> Iterator[Chart | Table]:
    """For each resource a chart against the measure that ranks, and the front as a table."""
    every = collection.table("costs")
    for resource in NAMES:
        costs = every.filter(resource=resource)
        known = costs.drop_nulls("amount")
        if known.is_empty():
            continue
        label = collection.label(known["measure"][0])
        drawn = known.select("run", "amount", "value", "front")
        yield Chart(
            f"costs_{resource}",
            f"{label} against {resource}",
            charts.cost_against_value(f"costs_{resource}", resource, label),
            _reading(known, costs, label, resource),
            uses=(f"costs_{resource}",),
            data={f"costs_{resource}": drawn},
            half=True,
        )
        yield from _table(known, label, resource)


def _reading(known: pl.DataFrame, costs: pl.DataFrame, label: str, resource: str) -> Reading:
    how = (
        f"Each point is a ranked run: the sum of its {resource} across, {label} upwards. The line "
        "joins the runs on the Pareto front: no other run is as good for less, or better for as "
        "much. These are observed values: small differences may be chance."
    )
    lacking = costs.filter(pl.col("amount").is_null())["run"].to_list()
    if lacking:
        how += f" Left out, since no file says it: {named(sorted(lacking), 'run')}."
    front = known.filter("front").sort("amount", "run")["run"].to_list()
    if known.height < 2:
        return Reading(how)
    if len(front) == known.height:
        every = "Both runs are" if known.height == 2 else f"All {known.height:,} runs are"
        return Reading(how, f"{every} on the front of {label} against {resource}.")
    verb = "is" if len(front) == 1 else "are"
    return Reading(how, f"{named(front, 'run')} {verb} on the front of {label} against {resource}.")


def _table(known: pl.DataFrame, label: str, resource: str) -> list[Table]:
    columns: dict[str, TableColumn] = {
        "run": TableColumn("Run", "name"),
        "amount": TableColumn(resource.capitalize(), "amount"),
        "value": TableColumn(label, "number"),
        "shown": TableColumn("On the front", "text"),
    }
    if known.filter(pl.col("amount") % 1 != 0).is_empty():  # whole numbers of tokens, say
        columns["amount"] = TableColumn(resource.capitalize(), "count")
        known = known.with_columns(pl.col("amount").cast(pl.Int64))
    rows = known.sort("amount", "run").with_columns(
        shown=pl.when("front").then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    title = f"{listed([label])} against {resource}, as a table"
    return optional_table(f"costs_{resource}_table", title, rows, columns, closed=True)
