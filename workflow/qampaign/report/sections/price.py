"""What does an error cost? Who is ahead at which price, and what cheating would score."""

from collections.abc import Iterator, Mapping
from math import floor

import polars as pl

from qampaign.measures.abstention import price_of_error
from qampaign.measures.baselines import CHEATING
from qampaign.ranking import SAME
from qampaign.report.blocks import Chart, Reading, Table, TableColumn
from qampaign.report.charts import price as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.text import fixed, highest, listed, many, named, short

HOW = (
    "At a confidence target t, an error costs t / (1 − t) right answers: nothing at 0, one at 0.5, "
    "19 at 0.95. Each line is a run's value at that price, with c@1 beside it. These are observed "
    "values; the measure confidence_target says whether two runs surely differ at a price."
)

Range = tuple[float, float, list[str]]
"""From and to which confidence target, and who is ahead there."""


def blocks(collection: CollectionResults) -> Iterator[Chart | Table]:
    """The price of an error, then what cheating would score."""
    prices = collection.table("price", judge=collection.reference)
    if not prices.is_empty():
        ranges = _ranges(collection.table("price_leaders", judge=collection.reference))
        drawn = prices.select("run", "t", "value", c_at_1=pl.when(pl.col("t") == 0).then("c_at_1"))
        least = min([0.0, *drawn["value"].drop_nulls()])
        yield Chart(
            "price",
            _title(collection, prices),
            charts.price_of_an_error(low=max(floor(10 * least) / 10, -1.0)),
            Reading(HOW, _finding(collection, ranges, prices)),
            uses=("price",),
            data={"price": drawn},
        )
        if len(ranges) > 1:
            yield _leaders(ranges)
    yield from _cheating(collection)


def _title(collection: CollectionResults, prices: pl.DataFrame) -> str:
    """Of one run, there is nothing to pick."""
    runs = prices["run"].unique()
    if len(runs) == 1 and len(collection.ranked) == 1:
        return f"The value of {runs[0]}, by the price of an error"
    return "Which run to pick, by the price of an error"


def _ranges(leaders: pl.DataFrame) -> list[Range]:
    by_range = leaders.group_by("t_from", "t_to", maintain_order=True).agg("run")
    return list(by_range.rows())


def _finding(collection: CollectionResults, ranges: list[Range], prices: pl.DataFrame) -> str:
    if len(collection.ranked) < 2 or not ranges:
        return ""
    first, last = ranges[0], ranges[-1]
    who = named(first[2], "run")
    if len(ranges) == 1 and len(first[2]) == len(collection.ranked):
        every = "Both" if len(first[2]) == 2 else f"All {len(first[2])}"
        return f"{every} ranked runs have the same value at every price of an error."
    if len(ranges) == 1:
        together = " together" if len(first[2]) > 1 else ""
        are = "are" if together else "is"
        return f"{who} {are} ahead{together} at every price of an error."
    are = "is" if len(first[2]) == 1 else "are"
    changes = "once" if len(ranges) == 2 else f"{len(ranges) - 1} times"
    sentence = (
        f"The leader changes {changes}: {who} {are} ahead up to t = {_at(first[1])}, "
        f"{named(last[2], 'run')} from t = {_at(last[0])} on."
    )
    return f"{sentence} {_by_c_at_1(collection, ranges, prices)}".strip()


def _by_c_at_1(collection: CollectionResults, ranges: list[Range], prices: pl.DataFrame) -> str:
    """Who is ahead by c@1, and at which prices that run is ahead as well."""
    ranked = set(collection.ranked)
    values = {run: value for run, value in prices.filter(t=0).select("run", "c_at_1").rows()
              if run in ranked and value is not None}  # fmt: skip
    if not values:
        return ""
    _, runs = highest(values)
    if len(runs) > 1:
        return f"By c@1, {named(runs, 'run')} are ahead together."
    leading = [price_range for price_range in ranges if runs[0] in price_range[2]]
    if not leading:
        return f"By c@1, {runs[0]} is ahead, as it is at no price of an error."
    spans = [f"from {_at(start)} to {_at(end)}" for start, end, _ in leading]
    return f"By c@1, {runs[0]} is ahead, as it is for t {listed(spans)}."


def _at(t: float) -> str:
    """A confidence target, with digits enough to tell it from 0 and from 1.

    >>> _at(0.5), _at(0.0), _at(1.0), _at(0.0012), _at(0.99672), _at(0.99972)
    ('0.50', '0.00', '1.00', '0.001', '0.997', '0.9997')
    """
    ends = (0.0, 1.0)
    if any(abs(t - end) < SAME for end in ends):
        return short(t)
    places = (places for places in range(2, 12) if float(fixed(t, places)) not in ends)
    return fixed(t, next(places, 12))


def _leaders(ranges: list[Range]) -> Table:
    rows = [
        (start, end, price_of_error(start), price_of_error(end) if end < 1 else None, listed(runs))
        for start, end, runs in ranges
    ]
    columns = [
        TableColumn("From t", "number"),
        TableColumn("To t", "number", "there, the next run is level with it"),
        TableColumn("Price from", "number", "what an error costs, in right answers"),
        TableColumn("Price to", "number", "none: whatever the price"),
        TableColumn("Ahead", "text"),
    ]
    return Table("price-leaders", "Where the leader changes", columns, rows)


def _cheating(collection: CollectionResults) -> Iterator[Table]:
    """What the baselines that answer a single question have by every measure."""
    names = collection.names()
    cheats = [
        run["run"] for run in collection.runs
        if run["kind"] == "baseline" and run["run"] in CHEATING
    ]  # fmt: skip
    if not cheats:
        return
    rows = []
    ahead: dict[str, list[str]] = {name: [] for name in cheats}
    for measure in collection.measures:
        values = dict(zip(names, collection.scores(measure["measure"])["value"], strict=True))
        best = _best(collection, values, measure["better"])
        rows.append((collection.label(measure["measure"]), *(values[run] for run in cheats), best))
        for run in cheats:
            if _is_ahead(values[run], best, measure["better"]):
                ahead[run].append(collection.label(measure["measure"]))
    columns = [TableColumn("Measure", "text")]
    columns += [TableColumn(run, "number") for run in cheats]
    columns.append(TableColumn("Best submitted", "number"))
    sentences = [
        f"By {named(measures, 'measure')}, {run} would be ahead of every submitted run."
        for run, measures in ahead.items()
        if measures
    ]
    does = {"one_sure": "answers one rightly", "one_wrong": "answers one wrongly"}
    caption = (
        f"Of {many(collection.start['questions'], collection.noun)}, "
        f"{listed(f'{run} {does[run]}' for run in cheats)} and no other "
        "(Peñas & Rodrigo 2011, 3.4 and 3.5)."
    )
    yield Table(
        "cheating", "What cheating would score", columns, rows, " ".join([caption, *sentences])
    )


def _best(
    collection: CollectionResults, values: Mapping[str, float | None], better: str
) -> float | None:
    """The best value of a submitted run, where low or high is better."""
    known = [value for run in collection.submitted if (value := values[run]) is not None]
    if not known or better == "none":
        return None
    return min(known) if better == "low" else max(known)


def _is_ahead(value: float | None, best: float | None, better: str) -> bool:
    if value is None or best is None:
        return False
    return (best - value if better == "low" else value - best) > SAME
