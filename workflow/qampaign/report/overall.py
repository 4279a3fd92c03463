"""Who leads over all collections? Charts and a table above the overview, where the config asks."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from qampaign.ranking import SAME
from qampaign.report import drawing, theme
from qampaign.report.blocks import Section, TableColumn, TableColumns, optional_table
from qampaign.report.charts.leaderboard import MEASURE, scores_by_run
from qampaign.report.paper.markup import cite
from qampaign.report.text import fixed, interval, listed, many, named, short_names, span

COLUMNS: TableColumns = {
    "rank": TableColumn("Rank"),
    "run": TableColumn("Run", "name"),
    "value": TableColumn("Value", "number", "the mean of the values in the collections"),
    "interval": TableColumn("95% interval"),
    "range": TableColumn(
        "Ranks that the data supports", hint="95%: the ranges of all runs hold together"
    ),
    "leading": TableColumn("Leading", hint="no run is surely better"),
    "collections": TableColumn("Collections", "count", "in which it has a value"),
    "mean_rank": TableColumn(
        "Mean rank", "number", "over collections, among the runs that have them all"
    ),
    "win_rate": TableColumn(
        "Win rate", "share", "the share of the other such runs that it beats, equal ones half"
    ),
}
MOST = 100
"""So many runs are shown."""


WIDTH, PER_RUN = 420, 20
"""Pixels: how wide a picture is, and how high a run in it."""
PADDING = {"left": 16, "right": 8, "top": 4, "bottom": 4}
"""Room for names that are wider in the reader's font than in ours."""

Described = Mapping[str, Any]
"""What the leaderboard is a mean of: members, each with its measure, and weights."""


@dataclass(frozen=True)
class Picture:
    """A chart that is drawn already: it is the same for every choice of the reader."""

    title: str
    caption: str
    svg: str

    @property
    def source(self) -> str:
        """The picture itself, as an address."""
        coded = base64.b64encode(self.svg.encode("utf-8")).decode("ascii")
        return f"data:image/svg+xml;base64,{coded}"


def pictures(table: pl.DataFrame, described: Described) -> list[Picture]:
    """The values of the ranked runs with their intervals, and the ranks that the data supports.

    Ranks where there are two runs or more.
    """
    ranked = table.drop_nulls(["rank_first", "value"]).sort("rank_first", "run").head(MOST)
    if ranked.is_empty():
        return []
    lower = " Lower is better." if described["members"][0]["better"] == "low" else ""
    shown = "" if ranked.height < MOST else f" The first {MOST} runs are shown."
    values = Picture(
        "Values over collections with their intervals",
        f"Each dot is a run's value, the line its 95% interval.{lower}{shown}",
        _draw(ranked, ("value", "low", "high"), "mean over collections"),
    )
    ranks = ranked.drop_nulls(["rank_low", "rank_high"])
    if ranks.height < 2:
        return [values]
    apart = int(max(ranks["rank_high"])) - int(min(ranks["rank_low"]))
    return [
        values,
        Picture(
            "Ranks that the data supports",
            "Each line goes from the first to the last rank that a run may have, the dot is its "
            f"rank here; all lines hold together (95%). Filled dots are leading runs.{shown}",
            _draw(ranks, ("rank_first", "rank_low", "rank_high"), "rank", apart),
        ),
    ]


def _draw(ranked: pl.DataFrame, columns: tuple[str, str, str], label: str, apart: int = 0) -> str:
    """An SVG in the style of the chart of a leaderboard; columns are those of dot and line.

    Of ranks, `apart` is how far the best and the worst are from each other.
    """
    names = theme.keys(short_names(ranked["run"].to_list()))
    drawn = zip(
        names, theme.hues(len(names)), ranked.select(*columns, "leading").rows(), strict=True
    )
    rows = [
        {"key": key, "order": order, "kind": "submitted", "shown": True, "lit": True}
        | {"named": hue is not None, "colour": theme.colour_of_hue(hue)}
        | dict(zip(("value", "low", "high", "leading"), values, strict=True))
        for order, (key, hue, values) in enumerate(drawn)
    ]
    text = json.dumps(scores_by_run(compared=True, ranks=apart))
    spec = json.loads(text.replace(json.dumps(MEASURE), json.dumps(label)))
    spec |= {"datasets": {"runs": rows}, "config": theme.config()}
    spec |= {"width": WIDTH, "height": PER_RUN * len(rows), "padding": PADDING}
    return drawing.as_svg(spec)


def section(table: pl.DataFrame, described: Described) -> Section:
    """The leaderboard over collections; `described` says what it is a mean of."""
    is_compared = table["rank_first"].count() > 1  # one run leads nobody
    shown = table.with_columns(
        rank=_texts(table, span, "rank_first", "rank_last"),
        interval=_texts(table, interval, "low", "high"),
        range=_texts(table, span, "rank_low", "rank_high") if is_compared else None,
        leading=pl.when(pl.col("leading") & is_compared).then(pl.lit("yes")),
    )
    return Section(
        "overall",
        "All collections together",
        optional_table("overall", "All collections together", shown, COLUMNS, most=MOST),
        sentences(table, described),
    )


def _texts(table: pl.DataFrame, show: Callable[..., str], first: str, last: str) -> pl.Series:
    texts = [show(*ends) if ends[0] is not None else None for ends in table[[first, last]].rows()]
    return pl.Series(texts, dtype=pl.String)


def sentences(table: pl.DataFrame, described: Described) -> list[str]:
    """Who leads, how sure that is, and what the values are."""
    return [*_lead(table, described), *_left_out(table, described), _values(described)]


def _lead(table: pl.DataFrame, described: Described) -> Iterator[str]:
    ranked = table.drop_nulls("rank_first").sort("rank_first", "run")
    number = len(described["members"])
    every = "both collections" if number == 2 else f"all {number} collections"
    if ranked.is_empty():
        yield f"No run has a value in {every}, so none is ranked."
        most = table["collections"].max()
        if number > 2 and isinstance(most, int) and most > 1:
            best = table.filter(pl.col("collections") == most)["run"].sort().to_list()
            has = "has" if len(best) == 1 else "have"
            yield (
                f"{named(best, 'run')} {has} most of them, {most}; `overall` can name the "
                "collections that count."
            )
        return
    names, value = ranked["run"].to_list(), fixed(ranked["value"][0])
    if len(names) == 1:
        yield f"Only {names[0]} has a value in {every}: {value}."
        return
    values = ranked["value"].to_list()
    if max(values) - min(values) <= SAME:
        are = "Both" if len(names) == 2 else f"All {len(names)}"
        yield f"{are} runs that have a value in {every} have the same one: {value}."
        return
    best = ranked.filter(pl.col("rank_first") == 1)["run"].to_list()
    end = "lowest" if described["members"][0]["better"] == "low" else "highest"
    share = "have" if len(best) > 1 else "has"
    low, high = ranked["low"][0], ranked["high"][0]
    ends = f", 95% interval {interval(low, high)}" if len(best) == 1 and low is not None else ""
    yield f"{named(best, 'run')} {share} the {end} value over {every} ({value}{ends})."
    leading = ranked.filter(pl.col("leading"))["run"].to_list()
    if len(leading) == 1:
        others = "the other run" if len(names) == 2 else f"each of the other {len(names) - 1} runs"
        if ranked.filter(pl.col("leading"))["rank_high"][0] == 1:
            yield f"{leading[0]} is surely better than {others} (95%, all pairs tested together)."
        else:
            yield (
                f"{leading[0]} alone leads: for each of the other {len(names) - 1} runs, some run "
                "is surely better (95%, all pairs tested together)."
            )
    elif leading:
        lead = f"{many(len(leading), 'run')} of {len(names)} lead"
        if len(leading) == len(names):
            lead = (
                "Both ranked runs lead" if len(names) == 2 else f"All {len(names)} ranked runs lead"
            )
        yield (
            f"{lead}: no run is surely better than these (95%, all pairs tested together), which "
            "does not show that they are equal."
        )


def _left_out(table: pl.DataFrame, described: Described) -> Iterator[str]:
    left = table.filter(pl.col("collections") < len(described["members"]))["run"].sort().to_list()
    if left:
        has, is_ = ("has", "is") if len(left) == 1 else ("have", "are")
        one = "one of the collections" if len(described["members"]) == 2 else "some collection"
        yield f"{named(left, 'run')} {has} no value in {one}, and {is_} not ranked."


def methods(table: pl.DataFrame, described: Described) -> list[str]:
    """How it was done, for a paper; nothing where no run is ranked."""
    ranked = table["rank_first"].count()
    if not ranked:
        return []
    texts = [f"Runs were also ranked over collections. {_values(described)}"]
    if ranked < table.height:
        texts.append("Runs without a value in one of them were not ranked.")
    texts.append(
        "For the 95% intervals, the questions of each collection were weighted at random by "
        "themselves."
    )
    if ranked > 1:
        texts.append(
            "All pairs of these runs were tested together: questions of all collections were "
            "exchanged between the two runs of a pair, and p-values adjusted by the step-down "
            f"maximum{cite('westfall1993')}."
        )
    return [" ".join(texts)]


def _values(described: Described) -> str:
    members: Sequence[Described] = described["members"]
    titles: dict[str, list[str]] = {}
    for member in members:
        titles.setdefault(member["label"], []).append(member["title"])
    of = f"of {listed(f'{label} in {listed(where)}' for label, where in titles.items())}"
    counts = (
        "every collection counts the same"
        if described["weights"] == "equal"
        else "every collection counts as much as it has questions"
    )
    lower = " Lower is better." if members[0]["better"] == "low" else ""
    return f"The value is the mean {of}, by the reference of each; {counts}.{lower}"
