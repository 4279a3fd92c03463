"""Which runs differ? Pairs of runs, tested together, and the comparisons that were planned."""

from dataclasses import replace

import numpy as np
import polars as pl

from qampaign.ranking import SAME
from qampaign.report.blocks import (
    EVERYTHING,
    Section,
    Table,
    TableColumn,
    TableColumns,
    optional_table,
)
from qampaign.report.collection import CollectionResults
from qampaign.report.text import many, out_of, percent, two_digits
from qampaign.report.views import ALL
from qampaign.studies.comparisons import units_needed
from qampaign.studies.exchange import LEVEL
from qampaign.studies.units import FEWEST

SURE = pl.col("p_adjusted") <= LEVEL + SAME
"""Two runs differ surely: so do their rank ranges say."""

SEEN = 0.05
"""The difference for which the report says how many questions it takes."""

MOST_NEEDED = 1_000_000
"""Beyond so many questions the report gives no number: nobody will ask them."""

MOST_PAIRS = 60
"""So many pairs are shown."""

PAIRS: TableColumns = {
    "run_a": TableColumn("Run", "name"),
    "run_b": TableColumn("and run", "name"),
    "difference": TableColumn("Difference", "number", "the value of the first less the second's"),
    "simultaneous_low": TableColumn(
        "from", "number", "95% interval of the difference that holds for all pairs together"
    ),
    "simultaneous_high": TableColumn("to", "number", "upper end of that interval"),
    "p_adjusted": TableColumn("p", "chance", "adjusted for all pairs of the family"),
    "p_error": TableColumn(
        "\N{PLUS-MINUS SIGN}",
        "chance",
        "the Monte Carlo error of p: other draws would move it by about this much; 0 if p is exact",
    ),
    "sure": TableColumn("Differ surely", "text", "p is at most 0.05"),
    "won": TableColumn("Won", "count", "on which the first run is better"),
    "lost": TableColumn("Lost", "count", "on which the second run is better"),
    "tied": TableColumn("Tied", "count", "on which they are equal"),
    "questions_needed": TableColumn(
        "Needed",
        "count",
        "to see a difference of this size between these two with 80% power, tested alone; a dash "
        f"where it is fewer than {FEWEST}, more than a million, or unknown",
    ),
}
PLANNED: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "slice": TableColumn("Type", "name"),
    **PAIRS,
    "margin": TableColumn("Margin", "number", "of equivalence, as planned"),
    "equal": TableColumn(
        "Equivalent", "text", "the interval for all planned pairs together lies within the margin"
    ),
}
OF_ONE = {
    "simultaneous_low": "95% interval of the difference",
    "p_adjusted": "of this pair alone",
    "equal": "the interval lies within the margin",
}
"""What columns are where a single pair is planned."""

SIGNIFICANT: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "test": TableColumn("Test", "text"),
    "level": TableColumn("Level", "number"),
    "pairs": TableColumn("Pairs", "count"),
    "share": TableColumn("Significant", "share"),
}


def section(collection: CollectionResults) -> Section | None:
    blocks = [
        *_neighbours(collection),
        *_planned(collection),
        *_significant_shares(collection),
    ]
    if not blocks:
        return None
    sentences = [*_differing(collection), *_power(collection)]
    return Section("comparisons", "Which runs differ?", blocks, sentences, fixed=EVERYTHING)


def compared(collection: CollectionResults, family: str = "all") -> pl.DataFrame:
    """The pairs by the judge, the slice and the measure that ranks; the reference and all first."""
    return collection.table(
        "comparisons",
        judge=collection.judge,
        measure=collection.primary_measure,
        slice=collection.slice,
        family=family,
    )


def what_was_drawn(collection: CollectionResults) -> str:
    """Whether questions were drawn, or groups of them."""
    noun = collection.noun
    if collection.draws_groups:
        return (
            f"The {noun}s of a group are drawn together, because they are not independent: "
            f"{collection.units_in_words()}."
        )
    if collection.groups:
        return (
            f"Single {noun}s are drawn, as the config asks, although they come in "
            f"{many(collection.groups, 'group')}: as far as the {noun}s of a group are right or "
            "wrong together, intervals are too narrow and p-values too small."
        )
    return f"Single {noun}s are drawn."


def few_units(collection: CollectionResults) -> list[str]:
    """A warning where even the clearest difference would hardly be significant."""
    if compared(collection).is_empty() or collection.effective_units >= FEWEST:
        return []
    number, units = collection.units, collection.units_in_words()
    if number >= FEWEST:
        worth = max(round(collection.effective_units), 1)
        return [
            f"Few {collection.noun}s have most of the weight: all together tell about as much as "
            f"{many(worth, collection.noun)} of equal weight. With fewer than {FEWEST}, intervals "
            "and comparisons show little."
        ]
    if number == 1:
        return [f"There is only {units}: comparisons show nothing, and every p is 1."]
    return [
        f"There are only {units}: with fewer than {FEWEST}, comparisons show little. No p can be "
        f"below 1/{2 ** (number - 1)}, however large the difference."
    ]


def _pairs(collection: CollectionResults) -> tuple[int, int]:
    """How many pairs of ranked runs differ surely, and how many there are.

    By the rank ranges: of very many runs, the table of pairs keeps neighbours only. A run's range
    begins behind the runs that are surely better, so that each pair counts once.
    """
    begins = collection.table(
        "scores", judge=collection.reference, measure=collection.primary_measure, slice=ALL
    )["rank_low"].drop_nulls()
    return int((begins - 1).sum()), len(begins) * (len(begins) - 1) // 2


def _differing(collection: CollectionResults) -> list[str]:
    """How many pairs differ surely."""
    sure, pairs = _pairs(collection)
    label = collection.primary_label
    if not pairs:
        return []
    better = collection.measures[collection.primary or 0]["better"]
    which_one = "truly has the higher value" if better == "none" else "is better"
    if pairs == 1:
        rest = f": nothing shows that one {which_one}, nor that they are equal"
        differ = "differ surely" if sure else f"do not differ surely{rest}"
        return [f"By {label}, the two ranked runs {differ}."]
    which, differ = out_of(sure, pairs, "pair"), "differs" if sure == 1 else "differ"
    rest = ""
    if sure < pairs:
        nothing = "Of the others, nothing" if sure else "Nothing"
        rest = f" {nothing} shows which run {which_one}, nor that they are equal."
    return [
        f"By {label}, {which} of ranked runs {differ} surely: at the 5% level, all pairs tested "
        f"together.{rest}"
    ]


def _power(collection: CollectionResults) -> list[str]:
    """How many questions show a difference of a given size, by the spread that pairs have here."""
    pairs, units = compared(collection), collection.units
    different = pairs.filter(pl.col("sd") > 0)
    if collection.effective_units < FEWEST or different.is_empty():
        return []
    share = (pl.col("won") + pl.col("lost")) / (pl.col("won") + pl.col("lost") + pl.col("tied"))
    spread, differ = different.select(
        (pl.col("sd") ** 2 + pl.col("difference") ** 2).sqrt().median(), share.median().fill_null(1)
    ).row(0)
    of_units = float(units_needed(*(np.array([each]) for each in (SEEN, spread, differ)))[0])
    needed = of_units * collection.start["questions"] / units
    everything = _pairs(collection)[1]
    whose = "the spread that the two have" if everything == 1 else "the median spread of the pairs"
    if pairs.height < everything:
        whose = "the median spread of neighbours in rank"
    return [
        f"To see a difference of {SEEN:g} between two runs like these with 80% power takes about "
        f"{many(two_digits(needed), collection.noun)}: two runs chosen in advance and tested alone "
        f"at the 5% level, with {whose} here."
    ]


def _marked(pairs: pl.DataFrame) -> pl.DataFrame:
    """What is yes or no as a word; null stays null. More than two digits of a number of questions
    would be false precision; few units say nothing of it, of few questions no power is foreseen,
    and millions are no plan."""
    return pairs.with_columns(
        questions_needed=pl.when(
            pl.col("units") >= FEWEST,
            pl.col("questions_needed").is_between(FEWEST, MOST_NEEDED),
        ).then(
            pl.col("questions_needed").cast(pl.Float64).round_sig_figs(2).round().cast(pl.Int64)
        ),
        sure=pl.when(SURE).then(pl.lit("yes")).when(~SURE).then(pl.lit("no")),
        equal=pl.when("equivalent")
        .then(pl.lit("yes"))
        .when(~pl.col("equivalent"))
        .then(pl.lit("not shown")),
    )


def _neighbours(collection: CollectionResults) -> list[Table]:
    """Every ranked run beside the next one."""
    pairs = compared(collection)
    if pairs.is_empty():
        return []
    scores = collection.scores(collection.primary_measure)
    ranked = [
        run
        for run, rank in zip(collection.names(), scores["first"], strict=True)
        if rank is not None
    ]
    wanted = pl.DataFrame(
        {"run_a": ranked[:-1], "run_b": ranked[1:], "order": range(len(ranked) - 1)},
        schema={"run_a": pl.String, "run_b": pl.String, "order": pl.Int64},
    )
    both = pl.concat([pairs, turned(pairs)])
    rows = wanted.join(both, on=["run_a", "run_b"], how="inner").sort("order")
    noun = collection.noun
    caption = (
        f"The difference in {collection.primary_label} between each run and the next, with an "
        "interval that holds for all pairs of ranked runs together, and p adjusted for all of "
        f"them. Won, lost and tied count {noun}s, by their own value where the measure is a mean "
        f"over {noun}s, else by whether the first answer is right. The last column is how many "
        f"{noun}s would show a difference of this size with 80% power if these two alone were "
        "compared."
    )
    return optional_table(
        "neighbours", "Neighbours in rank", _marked(rows), PAIRS, caption=caption, most=MOST_PAIRS
    )


def turned(pairs: pl.DataFrame) -> pl.DataFrame:
    """The same pairs with their runs exchanged."""
    swapped = {"run_a": "run_b", "won": "lost"}
    turned = {a: pl.col(b) for a, b in [*swapped.items(), *((b, a) for a, b in swapped.items())]}
    for low, high in (("low", "high"), ("simultaneous_low", "simultaneous_high")):
        turned |= {low: -pl.col(high), high: -pl.col(low)}
    return pairs.with_columns(difference=-pl.col("difference"), **turned)


def _planned(collection: CollectionResults) -> list[Table]:
    """The comparisons that the config names, by every measure."""
    labels = collection.labels()
    rows = collection.table("comparisons", judge=collection.reference, family="planned").filter(
        pl.col("measure").is_in(list(labels))
    )
    if rows.is_empty():
        return []
    with_margin = not rows["margin"].is_null().all()
    columns = {
        name: column
        for name, column in PLANNED.items()
        if with_margin or name not in ("margin", "equal")
    }
    if rows.select("run_a", "run_b").n_unique() == 1:
        caption = (
            "The pair that the config names, tested alone: p and the interval hold for it whatever "
            "other runs there are, but not for several measures or types together."
        )
        columns |= {name: replace(columns[name], hint=hint) for name, hint in OF_ONE.items()
                    if name in columns}  # fmt: skip
    else:
        caption = (
            "The pairs that the config names. Those of a measure and a type are one family: p and "
            "the interval hold for all of them together, whatever other runs there are, but not "
            "for several measures or types together."
        )
    if with_margin:
        caption += (
            " Two runs are equivalent where the whole interval lies within the margin; otherwise "
            "equivalence is not shown."
        )
    order = pl.col("measure").replace_strict({name: n for n, name in enumerate(labels)})
    primary_first = pl.col("measure") != collection.primary_measure
    rows = rows.with_columns(label=pl.col("measure").replace(labels)).sort(
        primary_first, pl.col("slice") != ALL, order, maintain_order=True
    )
    return optional_table(
        "planned", "Planned comparisons", _marked(rows), columns, caption=caption, most=MOST_PAIRS
    )


def _significant_shares(collection: CollectionResults) -> list[Table]:
    """Tests pair by pair, as papers report them."""
    labels = collection.labels()
    rows = collection.table("significant_shares", judge=collection.reference).filter(
        pl.col("measure").is_in(list(labels)), pl.col("pairs") > 0
    )
    weighted = collection.weights() is not None
    if weighted:
        rows = rows.filter(pl.col("test") != "sign")
    how = (
        "The share of pairs of runs that a test calls different, each pair by itself, as papers "
        "report it. It is not corrected for the number of pairs"
    )
    if collection.units >= FEWEST:
        caption = (
            f"{how}: of runs that do not differ at all, the bootstrap would call about one pair in "
            "twenty different at the level 0.05, the other tests at most about so many."
        )
    else:
        caption = (
            f"{how}. With only {collection.units_in_words()}, the tests are coarse: of runs that "
            "do not differ at all, the sign and the randomisation test would call at most about "
            "one pair in twenty different at the level 0.05, the bootstrap more."
        )
    if weighted:
        caption += " The sign test is left out: it ignores the weights of questions."
    primary = rows.filter(measure=collection.primary_measure, level=LEVEL)
    if not primary.is_empty():
        row = primary.row(0, named=True)
        test = f"By {collection.primary_label}, the {row['test']} test"
        calls = f"calls {percent(row['share'], 0)} of {many(row['pairs'], 'pair')} different"
        if row["pairs"] == 1:
            calls = (
                "calls the pair different" if row["share"] else "does not call the pair different"
            )
        caption += f" {test} {calls} at that level."
    return optional_table(
        "significant_shares",
        "Pair by pair, uncorrected",
        rows.with_columns(label=pl.col("measure").replace(labels)),
        SIGNIFICANT,
        caption=caption,
        closed=True,
    )
