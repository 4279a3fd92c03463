"""What was computed for a collection, in sentences for a paper.

Each sentence follows from the tables or from the settings: none is there unless it is true of this
collection.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from qampaign.judging.judges import JUDGES
from qampaign.measures import MEASURES
from qampaign.measures.ordered import OrderedMeasure
from qampaign.report.collection import CollectionResults
from qampaign.report.paper.markup import cite
from qampaign.report.paper.references import source
from qampaign.report.text import listed, many
from qampaign.report.views import ALL
from qampaign.studies.exchange import LEVEL, affordable, is_exhausted
from qampaign.studies.units import FEWEST
from qampaign.studies.weighted_values import DRAWS

Settings = Mapping[str, Any]
"""Of the config: judges (kind, options, correct), measures (by name, which it is) and studies."""

TESTS = {
    "sign": "the sign test",
    "bootstrap": f"the paired bootstrap{cite('efron1993')}",
    "randomisation": f"the paired randomisation test{cite('noreen1989')}",
}


def paragraphs(collection: CollectionResults, settings: Settings) -> list[str]:
    """The methods of a collection: what was evaluated, tested, compared and studied."""
    parts = (_evaluated, _tested, _agreement, _studies)
    texts = (" ".join(part(collection, settings)) for part in parts)
    return [text for text in texts if text]


# what was evaluated


def _evaluated(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    was = "was" if len(collection.runs) == 1 else "were"
    asked = many(collection.start["questions"], collection.noun)
    yield f"In {collection.title}, {collection.kinds_counted()} {was} evaluated on {asked}."
    yield from (_judge(collection, row, settings) for row in collection.judges)
    unassessed = sum(count or 0 for count in collection.start["counts"]["unassessed"])
    if unassessed:
        have = "has" if unassessed == 1 else "have"
        yield f"{many(int(unassessed), 'answer')} {have} no verdict and counted as wrong."
    if collection.start["missing"]:
        yield f"Where a run has no row for {_a(collection.noun)}, that counted as unanswered."
    yield from _measures(collection)


def _judge(collection: CollectionResults, row: Mapping[str, Any], settings: Settings) -> str:
    """What a judge goes by, and what it calls correct."""
    name, given = row["judge"], settings["judges"][row["judge"]]
    summary = JUDGES[given["kind"]].summary.rstrip(".")
    options = [_option(key, value) for key, value in given["options"].items() if _says(value)]
    role = "The judge"
    if len(collection.judges) > 1:
        role = "The reference judge" if name == collection.reference else "A further judge"
    counts = "counts" if len(given["correct"]) == 1 else "count"
    text = f"{role}, {name}, goes by {summary[0].lower()}{summary[1:]}"
    if options:
        text += f" (with {listed(options)})"
    text += f"; {listed(given['correct'])} {counts} as correct."
    judged, asked = row["questions"], collection.start["questions"]
    if judged is not None and judged < asked:
        text += f" It judges {judged:,} of the {asked:,} {collection.noun}s."
    return text


def _says(value: Any) -> bool:
    return value not in (None, False, [], {}, "")


def _option(key: str, value: Any) -> str:
    """An option of a judge in words.

    >>> _option("minimum_precision", 0.1), _option("dates", True)
    ('minimum precision 0.1', 'dates')
    """
    name = key.replace("_", " ")
    if value is True:
        return name
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"


def _measures(collection: CollectionResults) -> Iterator[str]:
    """The measure that ranks, and the others, with options and sources."""
    described = [_described(collection, row) for row in collection.measures]
    if collection.primary is not None:
        yield f"Runs were ranked by {described.pop(collection.primary)}."
    if described:
        also = "also " if collection.primary is not None else ""
        were = "was" if len(described) == 1 else "were"
        yield f"There {were} {also}computed {listed(described)}."
    ranked = set(collection.ranked)
    kinds = {"baseline": "baselines", "derived": "what-if runs"}
    unranked = [
        kinds[kind]
        for kind in collection.kinds()
        if kind in kinds
        and not any(run["run"] in ranked for run in collection.runs if run["kind"] == kind)
    ]
    if unranked and ranked:
        yield f"{listed(unranked).capitalize()} have no rank."


def _described(collection: CollectionResults, measure: Mapping[str, Any]) -> str:
    options = collection.options_of(dict(measure))
    return f"{measure['label']}{f' ({options})' if options else ''}{source(measure['citation'])}"


# intervals and tests


def _tested(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    if "significance" not in settings["studies"]:
        yield "Differences were not tested, and there are no intervals of the values."
        return
    judges = settings["studies"]["judges"]
    scores = collection.table("scores", slice=ALL).filter(pl.col("judge").is_in(judges))
    bounded = scores.filter(pl.col("low").is_not_null())
    if bounded.is_empty():
        yield "There is too little data for intervals of the values, and for tests."
        return
    if judges != [collection.reference] or len(collection.judges) > 1:
        yield f"Intervals and tests are of the scores by {listed(judges)}."
    yield _what_was_drawn(collection)
    unit = "group" if collection.draws_groups else collection.noun
    yield (
        f"95% intervals hold the middle 95% of the values over {DRAWS:,} random weightings of the "
        f"{_units(collection)} (Bayesian bootstrap{cite('rubin1981')}), to which a best and a "
        f"worst possible {unit} are added, each with a random weight of on average two thirds of "
        f"{_a(unit)}'s; they are extended to the value itself where that lies outside. Each "
        "interval is of one run by itself."
    )
    labels = collection.labels()
    without = [label for name, label in labels.items() if name not in set(bounded["measure"])]
    if without:
        yield f"There are no intervals and no tests for {listed(without)}."
    yield from _compared(collection, settings)
    yield from _planned(collection, settings)
    yield from _pair_by_pair(collection, settings)


def _what_was_drawn(collection: CollectionResults) -> str:
    noun = collection.noun
    if collection.draws_groups:
        return (
            f"Whatever was drawn at random, the {noun}s of a group were drawn together "
            f"({collection.units_in_words()})."
        )
    if collection.groups:
        return (
            f"Single {noun}s were drawn although they come in {many(collection.groups, 'group')}: "
            f"as far as the {noun}s of a group stand or fall together, intervals are too narrow "
            "and p-values too small."
        )
    return f"What was drawn at random are single {noun}s."


def _units(collection: CollectionResults) -> str:
    """What is drawn, in the plural."""
    if not collection.draws_groups:
        return f"{collection.noun}s"
    return f"groups and single {collection.noun}s" if collection.ungrouped else "groups"


def _compared(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    """How all pairs of runs were tested together."""
    pairs = _comparisons(collection, settings, "all")
    if pairs.is_empty():
        yield "With fewer than two ranked runs, there was nothing to compare."
        return
    yield (
        "Under every measure, all pairs of ranked runs were tested together: for each pair the "
        f"results of the two runs on {_a(_single(collection))} were exchanged or not, the same "
        f"{_units(collection)} for all pairs, and the difference of the values was divided by its "
        "standard error under exchange."
    )
    yield from _draws(collection, settings, pairs)
    yield (
        "P-values are two-sided and adjusted for all pairs of a measure by the step-down maximum"
        f"{cite('westfall1993', 'romano2005')}, so that the probability of even one wrong claim is "
        f"at most about {LEVEL:.0%}; two runs are said to differ surely where the adjusted p is at "
        f"most {LEVEL:g}. Intervals of differences hold for all pairs together, too."
    )
    yield (
        "The rank range of a run goes from 1 + the number of runs that are surely better to the "
        "number of ranked runs less those that are surely worse; a run leads where no other is "
        "surely better."
    )
    by_type = pairs.filter(pl.col("slice") != ALL)["slice"].n_unique()
    if by_type:
        yield (
            f"By {collection.primary_label}, pairs were also tested within each of "
            f"{many(by_type, 'question type')}, type by type; these tests are not adjusted for the "
            "number of types."
        )
    yield from _few(collection)


def _single(collection: CollectionResults) -> str:
    """One of what is drawn."""
    if not collection.draws_groups:
        return collection.noun
    return f"group or single {collection.noun}" if collection.ungrouped else "group"


def _few(collection: CollectionResults) -> Iterator[str]:
    number = collection.units
    if number == 1:
        yield f"There is only {collection.units_in_words()}: every p is 1."
    elif number < FEWEST:
        yield (f"With only {collection.units_in_words()}, no p can be below 1/{2 ** (number - 1)}.")


def _comparisons(collection: CollectionResults, settings: Settings, family: str) -> pl.DataFrame:
    rows = collection.table("comparisons", family=family)
    return rows.filter(pl.col("judge").is_in(settings["studies"]["judges"]))


def _draws(collection: CollectionResults, settings: Settings, pairs: pl.DataFrame) -> Iterator[str]:
    """How many exchanges were taken over all questions, and of the types of questions."""
    wanted = settings["studies"]["significance"]["draws"]
    numbers: dict[int | None, list[str]] = {}
    for name, label in collection.labels().items():
        for number in sorted(_taken(collection, settings, pairs, name), key=lambda n: n or 0):
            numbers.setdefault(number, []).append(label)
    exact, drawn = numbers.pop(None, []), dict(sorted(numbers.items(), reverse=True))
    ways = f"each of the {2 ** (collection.units - 1):,} ways to do so was taken once"
    if exact and not drawn:
        yield f"Because there are few {_units(collection)}, {ways}: p-values are exact."
    elif exact:
        yield f"For {listed(dict.fromkeys(exact))}, {ways}: these p-values are exact."
    if drawn:
        (most, _), *fewer = drawn.items()
        yield f"There were {most:,} random exchanges."
        for number, labels in fewer:
            yield (
                f"For {listed(labels)}, whose values depend on an order of the answers and take "
                f"long to compute, there were {number:,}."
            )
    types = pairs.filter(pl.col("slice") != ALL)
    small = types.filter(
        pl.col("units").map_elements(lambda units: is_exhausted(wanted, units), pl.Boolean)
    )
    if drawn and not small.is_empty():
        named = listed(small["slice"].unique().sort())
        yield f"Within {named}, there are few {_units(collection)}, and each way was taken once."


def _taken(
    collection: CollectionResults, settings: Settings, pairs: pl.DataFrame, measure: str
) -> set[int | None]:
    """How many exchanges were drawn for a measure over all questions; None: each was taken once."""
    wanted = settings["studies"]["significance"]["draws"]
    found: set[int | None] = set()
    for judge in settings["studies"]["judges"]:
        rows = pairs.filter(judge=judge, measure=measure, slice=ALL).drop_nulls("difference")
        if rows.is_empty():
            continue
        draws = wanted
        if isinstance(MEASURES[settings["measures"][measure]], OrderedMeasure):
            scores = collection.table("scores", judge=judge, measure=measure, slice=ALL)
            number = rows.height
            if rows["family"][0] == "all":  # the table may hold neighbours only
                ranked = scores["rank_low"].count()
                number = ranked * (ranked - 1) // 2
            draws = affordable(wanted, number, int(scores["questions"].max()))  # type: ignore[arg-type]
        found.add(None if is_exhausted(draws, rows["units"][0]) else draws)
    return found


def _planned(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    """The comparisons that were planned, a family of their own."""
    rows = _comparisons(collection, settings, "planned")
    if rows.is_empty():
        return
    number = rows.select("run_a", "run_b").n_unique()
    were = "pair was" if number == 1 else "pairs were"
    yield (
        f"{number:,} {were} named in advance and tested in the same way, as a family of "
        f"{'its' if number == 1 else 'their'} own for each measure and question type."
    )
    margins = rows["margin"].drop_nulls().unique().sort().to_list()
    if margins:
        yield (
            "Two runs are called equivalent where the 95% interval of their difference, for all "
            f"planned pairs together, lies within {listed(f'±{margin:g}' for margin in margins)}"
            f"{', as planned for the pair' if len(margins) > 1 else ''}."
        )


def _pair_by_pair(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    """Tests of each pair by itself, as papers report them."""
    rows = collection.table("significance")
    rows = rows.filter(
        pl.col("judge").is_in(settings["studies"]["judges"]), pl.col("p").is_not_null()
    )
    if rows.is_empty():
        return
    present = set(rows["test"])
    tests = [text for test, text in TESTS.items() if test in present]
    text = f"Each pair was also tested by itself, by {listed(tests)}"
    if "sign" in present:
        text += f" (the sign test for measures that are means over {collection.noun}s)"
    if "bootstrap" in present:
        resamples = settings["studies"]["significance"]["resamples"]
        text += f", with {resamples:,} resamples for the bootstrap"
    yield f"{text}."
    if rows["p_holm"].count():
        some = "" if rows["p_holm"].null_count() == 0 else ", where the resamples are many enough"
        yield f"These p-values were also corrected by Holm's method{cite('holm1979')}{some}."


# judges and people


def _agreement(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    rows = collection.table("agreement", run="all", slice=ALL).filter(
        pl.col("threshold").is_null(), pl.col("agreement").is_not_null()
    )
    clustered = f"that {{rest}} on the variance between {_units(collection)}{cite('liang1986')}"
    if not rows.is_empty():
        text = (
            f"{listed(rows['judge'].unique(maintain_order=True))} "
            f"{'was' if rows['judge'].n_unique() == 1 else 'were'} compared with "
            f"{collection.reference} over the responses that both have judged, by the share of "
            f"equal verdicts, the rates of hits and false alarms, and Cohen's kappa"
            f"{cite('cohen1960')}"
        )
        if rows["low"].count():
            text += f" with 95% intervals {clustered.format(rest='rest')}"
        yield f"{text}."
    taus = collection.table("correlation").drop_nulls("tau")
    if not taus.is_empty():
        text = f"Rankings were compared by Kendall's tau{cite('kendall1938')}"
        if taus["low"].count():
            resamples = settings["studies"]["correlation"]["resamples"]
            text += (
                f", with 95% intervals from {resamples:,} random weightings of the "
                f"{_units(collection)}{cite('rubin1981')}"
            )
        yield f"{text}."
    yield from _people(collection, clustered)


def _people(collection: CollectionResults, clustered: str) -> Iterator[str]:
    """How the agreement of assessors was measured."""
    rows = collection.table("assessors")
    pairs = rows.filter(pl.col("assessor_a") != "all").drop_nulls("kappa")
    overall = rows.filter(assessor_a="all", assessor_b="all")
    figures = [f"Cohen's kappa{cite('cohen1960')}"] if not pairs.is_empty() else []
    if overall["kappa"].count():
        figures.append(f"Krippendorff's alpha{cite('krippendorff2004')} of all")
    if rows["fleiss_kappa"].count():
        figures.append(f"Fleiss' kappa{cite('fleiss1971')}")
    if rows["weighted_kappa"].count():
        figures.append(f"kappa weighted by levels{cite('cohen1968')}")
    if figures:
        ends = (
            f", with 95% intervals {clustered.format(rest='rest')}" if rows["low"].count() else ""
        )
        yield f"The agreement of assessors was measured by {listed(figures)}{ends}."


# other studies


def _studies(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    """The studies of how far measures can be trusted, as they were made."""
    judges = settings["studies"]["judges"]

    def table(name: str) -> pl.DataFrame:
        return collection.table(name).filter(pl.col("judge").is_in(judges))

    stability = table("stability")
    if not stability.is_empty():
        row = stability.row(0, named=True)
        kind = "partitions" if row["scheme"] == "partition" else "sets"
        yield (
            "How stable the order of two runs is under each measure was studied"
            f"{cite('buckley2000')} over {many(row['trials'], 'trial')} with random {kind} of "
            f"{_drawn(collection, stability)}."
        )
    swap = table("swap")
    if not swap.is_empty():
        row = swap.row(0, named=True)
        level = table("sensitivity")["confidence"].unique().sort().to_list()
        yield (
            "How large a difference must be for other questions to confirm it was studied by swap "
            f"rates{cite('voorheesbuckley2002')} over {many(row['trials'], 'trial')} with two "
            f"disjoint random sets of {_drawn(collection, swap)}"
            + (f", at a confidence of {listed(f'{one:g}' for one in level)}" if level else "")
            + (
                "; a pair also counts as swapped where only one of its differences is 0."
                if row["test"] == "strict"
                else "."
            )
        )
    sizes = table("size_tau")
    if not sizes.is_empty() and "sizes" in settings["studies"]:
        trials = settings["studies"]["sizes"]["trials"]
        yield (
            "How the ranking depends on the number of questions was studied"
            f"{cite('rodrigo2011')} with {many(trials, 'random set')} at each of "
            f"{many(sizes['size'].n_unique(), 'size')}."
        )


def _drawn(collection: CollectionResults, rows: pl.DataFrame) -> str:
    """The sizes of random sets, and what is in them.

    Groups of one question each are questions.
    """
    sizes = listed(f"{size:,}" for size in rows["size"].unique().sort())
    noun = "group" if rows["unit"][0] == "group" else collection.noun
    return f"{sizes} {noun}{'' if sizes == '1' else 's'}"


def _a(noun: str) -> str:
    """A noun with its article.

    >>> _a("item"), _a("question")
    ('an item', 'a question')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
