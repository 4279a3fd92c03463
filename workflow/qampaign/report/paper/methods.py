"""What was computed for a collection, in sentences for a paper.

Each sentence follows from the tables or from the settings: none is there unless it is true of this
collection.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from qampaign.agreement.correlation import ONE_ASSESSOR
from qampaign.agreement.matched import MATCHED
from qampaign.judging.judges import JUDGES
from qampaign.report.collection import CollectionResults
from qampaign.report.paper.markup import cite
from qampaign.report.paper.references import OF_JUDGES, source
from qampaign.report.sections.leaderboard import not_judged
from qampaign.report.text import listed, many
from qampaign.report.views import ALL, Row
from qampaign.studies.exchange import LEVEL, affordable, is_exhausted
from qampaign.studies.units import FEWEST
from qampaign.studies.weighted_values import DRAWS

Settings = Mapping[str, Any]
"""Of the config: judges (kind, options, correct, and the verdicts that win ties), walks (how often
each measure goes through an order of all questions) and studies."""

TESTS = {
    "sign": "the sign test (where the measure is a mean)",
    "bootstrap": f"the paired bootstrap{cite('efron1993')}",
    "randomisation": f"the paired randomisation test{cite('noreen1989')}",
}


GENERAL = "\x02"
"""Marks a sentence that says how something is done wherever it is done."""

UNLESS = (
    "This is how things were done wherever they were done, unless the text on a collection says "
    "otherwise."
)


def sentences(collection: CollectionResults, settings: Settings) -> list[list[str]]:
    """The methods of a collection: what was evaluated, tested, compared and studied."""
    parts = (_evaluated, _tested, _agreement, _studies)
    texts = (list(describe(collection, settings)) for describe in parts)
    return [text for text in texts if text]


def paragraphs(methods: Iterable[Iterable[str]]) -> list[str]:
    """Sentences as paragraphs."""
    texts = (" ".join(text.removeprefix(GENERAL) for text in paragraph) for paragraph in methods)
    return [text for text in texts if text]


def together(collections: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """The methods of several collections; what holds in general, and for several, is said once.

    >>> one, two = [["A has 1 run.", GENERAL + "Ties are broken."]], [["B has 2."]]
    >>> together([one, two])
    ['A has 1 run. Ties are broken.', 'B has 2.']
    >>> general, *own = together([one, [["C has 3.", GENERAL + "Ties are broken."]]])
    >>> general.endswith("otherwise. Ties are broken."), own
    (True, ['A has 1 run.', 'C has 3.'])
    """
    every = [
        text
        for methods in collections
        for text in {
            text: None for paragraph in methods for text in paragraph if text.startswith(GENERAL)
        }
    ]
    shared = [text for text in dict.fromkeys(every) if every.count(text) > 1]
    particular = [
        text
        for methods in collections
        for text in paragraphs(
            [sentence for sentence in paragraph if sentence not in shared] for paragraph in methods
        )
    ]
    return [*paragraphs([[UNLESS, *shared]]), *particular] if shared else particular


# what was evaluated


def _evaluated(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    was = "was" if len(collection.runs) == 1 else "were"
    noun = collection.noun
    questions = many(collection.start["questions"], noun)
    yield f"In {collection.title}, {collection.kinds_counted()} {was} evaluated on {questions}."
    if weighted := collection.weights_in_words():
        yield f"Values are over {weighted}."
    if len(collection.table("samples", judge=collection.reference)):
        yield (
            f"Where a run answered {_a(noun)} several times, its evidence is the mean over these "
            f"samples; {noun}s are drawn and exchanged with all their samples."
        )
    yield from (_judge(collection, row, settings) for row in collection.judges)
    unassessed = collection.of_submitted(collection.start["counts"]["unassessed"])
    if number := int(sum(unassessed.values())):
        have = "has" if number == 1 else "have"
        yield f"{many(number, 'answer')} {have} no verdict and counted as wrong."
    if collection.start["missing"]:
        counted = "wrong" if collection.counts_missing_as_wrong() else "unanswered"
        yield f"{_a(noun).capitalize()} that a run has no row for counted as {counted}."
    yield from _measures(collection)


def _judge(collection: CollectionResults, row: Row, settings: Settings) -> str:
    """What a judge goes by, and what it calls correct."""
    name, judge = row["judge"], settings["judges"][row["judge"]]
    options = {key: value for key, value in judge["options"].items() if _says(value)}
    role = "The judge"
    if len(collection.judges) > 1:
        role = "The reference judge" if name == collection.reference else "A further judge"
    summary = JUDGES[judge["kind"]].summary.rstrip(".")
    goes_by = f"{summary[0].lower()}{summary[1:]}"
    by_one = judge["kind"] == "assessments" and "assessor" in options
    if by_one:
        goes_by = f"the labels of {options.pop('assessor')} alone"
    ties = judge.get("ties")
    if ties and judge["kind"] in VOTED and not by_one:
        first = f"{ties[0]} wins" if len(ties) == 1 else f"the first of {listed(ties)} wins"
        goes_by += f"; where as many say one thing as another, {first}"
    if judge["kind"] in OF_JUDGES:
        goes_by += cite(OF_JUDGES[judge["kind"]])
    if options:
        goes_by += f" ({_as_listed(collection, options)})"
    counts = "counts" if len(judge["correct"]) == 1 else "count"
    text = f"{role}, {name}, goes by {goes_by}; {listed(judge['correct'])} {counts} as correct."
    if judge["kind"] == "scores" and row["threshold"] is None:
        text = (
            f"{role}, {name}, goes by {goes_by}; without a threshold, nothing counts as correct, "
            "and an answer without a score counts as 0."
        )
    judged, questions = row["questions"], collection.start["questions"]
    if judged is not None and judged < questions:
        text += f" It judges {judged:,} of the {questions:,} {collection.noun}s."
    return text


VOTED = ("assessments", "verdicts", "jury")
"""Kinds of judges that go by a majority, which ties can lack."""


def _says(value: object) -> bool:
    """Whether an option asks for something."""
    return value not in (None, False, [], {}, "")


def _as_listed(collection: CollectionResults, options: Mapping[str, object]) -> str:
    """Options as the config would set them, but yes instead of true."""
    shown = {name: "yes" if value is True else value for name, value in options.items()}
    return collection.options_of({"options": json.dumps(shown)})


def _measures(collection: CollectionResults) -> Iterator[str]:
    """The measure that ranks, and the others, with options and sources; and what has no rank."""
    described = [_described(collection, row) for row in collection.measures]
    ranked = set(collection.ranked)
    if collection.primary is not None:
        does = "Runs were ranked by" if len(ranked) > 1 else "The main measure is"
        yield f"{does} {described.pop(collection.primary)}."
    if described:
        yield f"Also computed {'was' if len(described) == 1 else 'were'} {listed(described)}."
    if not ranked:
        return
    left = [run for run in collection.submitted if run not in ranked]
    if left:
        why = ""
        if left == not_judged(collection):
            its = "its" if len(left) == 1 else "their"
            what = "verdict on" if left == collection.unjudged else "score of"
            why = f", since {collection.reference} has no {what} any of {its} answers"
        have = "has" if len(left) == 1 else "have"
        yield f"{many(len(left), 'submitted run')} {have} no rank{why}."
    kinds = {"baseline": "baselines", "derived": "what-if runs"}
    unranked = [
        name
        for kind, name in kinds.items()
        if kind in collection.kinds()
        and not any(run["run"] in ranked for run in collection.runs if run["kind"] == kind)
    ]
    if unranked:
        yield f"{listed(unranked).capitalize()} have no rank."


def _described(collection: CollectionResults, measure: Row) -> str:
    chosen = json.loads(measure.get("options") or "{}")
    options = _as_listed(collection, {k: v for k, v in chosen.items() if v is not None})
    return f"{measure['label']}{f' ({options})' if options else ''}{source(measure['citation'])}"


# intervals and tests


def _tested(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    if "significance" not in settings["studies"]:
        yield "Differences were not tested, and there are no intervals of the values."
        return
    judges = settings["studies"]["judges"]
    scores = collection.table("scores", slice=ALL).filter(pl.col("judge").is_in(judges))
    bounded = scores.filter(pl.col("low").is_not_null())
    if bounded.is_empty() and collection.unjudged and not collection.ranked:
        yield "Nobody has judged any answer, so that there are no intervals and no tests."
        return
    if bounded.is_empty():
        yield "There is too little data for intervals of the values, and for tests."
        return
    if judges != [collection.reference] or len(collection.judges) > 1:
        yield f"Intervals and tests are made of the scores by {listed(judges)}."
    yield _what_was_drawn(collection)
    unit = "group" if collection.draws_groups else collection.noun
    yield GENERAL + (
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
            f"Intervals and tests take the {noun}s of a group together, as one unit "
            f"({collection.units_in_words()})."
        )
    single = f"Intervals and tests take single {noun}s as units"
    if collection.groups:
        return (
            f"{single}, although they come in {many(collection.groups, 'group')}: as far as the "
            f"{noun}s of a group are right or wrong together, intervals are too narrow and "
            "p-values too small."
        )
    return f"{single}."


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
    yield GENERAL + (
        "Under each measure, all pairs of ranked runs were tested together: for each pair the "
        f"results of the two runs on {_a(_single(collection))} were exchanged or not, the same "
        f"{_units(collection)} for all pairs, and the difference of the values was divided by its "
        "standard error under exchange."
    )
    yield from _other_tests(collection)
    yield from _draws(collection, settings, pairs)
    yield GENERAL + (
        "P-values are two-sided and adjusted for all pairs of a measure by the step-down maximum"
        f"{cite('westfall1993', 'romano2005')}, so that the probability of even one wrong claim is "
        f"at most about {LEVEL:.0%}; two runs are said to differ surely where the adjusted p is at "
        f"most {LEVEL:g}. Intervals of differences hold for all pairs together, too."
    )
    yield GENERAL + (
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


def _other_tests(collection: CollectionResults) -> Iterator[str]:
    """Measures for which an exchange alone is no test of the value."""
    labels: dict[str, list[str]] = {}
    for row in collection.measures:
        labels.setdefault(row.get("test") or "exchange", []).append(row["label"])
    if "ratio" in labels:
        yield GENERAL + (
            f"Under {listed(labels['ratio'])}, where two runs divide by different sums, what "
            f"{_a(_single(collection))} adds to the difference, if both runs had the value that "
            f"they have together, turned its sign instead{cite('hemerik2020')}; its variance "
            "includes the two pseudo-questions."
        )
    if "widened" in labels:
        yield GENERAL + (
            f"Under {listed(labels['widened'])}, the differences after exchanges were widened to "
            "the spread of the difference itself on weighted questions, where that is larger."
        )
    if "none" in labels:
        yield GENERAL + f"Differences in {listed(labels['none'])} were not tested."


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


Taken = tuple[int, bool]
"""How many exchanges were taken, and whether these are all that there are."""


def _draws(collection: CollectionResults, settings: Settings, pairs: pl.DataFrame) -> Iterator[str]:
    """How many exchanges were taken: over all questions, and by type where that differs."""
    labels = collection.labels()
    taken = {
        (measure, slice_): numbers
        for (measure, slice_), rows in pairs.partition_by(
            "measure", "slice", as_dict=True, maintain_order=True
        ).items()
        if measure in labels and (numbers := _taken(collection, settings, rows))
    }
    by_number: dict[Taken, list[str]] = {}
    for measure, label in labels.items():
        for number in taken.get((measure, ALL), ()):
            by_number.setdefault(number, []).append(label)
    # those that most measures have come first
    ordered = sorted(by_number.items(), key=lambda item: (-len(item[1]), item[0]))
    for index, (number, named) in enumerate(ordered):
        where = "" if index == 0 else f"For {listed(dict.fromkeys(named))}, "
        text = f"{where}{_ways(number)}."
        yield text[0].upper() + text[1:]
    types: dict[Taken, list[str]] = {}
    for (measure, slice_), numbers in taken.items():
        if slice_ != ALL:
            for number in numbers - taken.get((measure, ALL), set()):
                types.setdefault(number, []).append(slice_)
    for number, named in sorted(types.items()):
        yield f"Within {listed(sorted(dict.fromkeys(named)))}, {_ways(number)}."


def _ways(taken: Taken) -> str:
    number, exhausted = taken
    if number == 1:
        return "there is no way to exchange anything"
    if exhausted:
        return f"each of the {number:,} ways to exchange was taken once, so that p-values are exact"
    return f"{number:,} exchanges were drawn at random"


def _taken(collection: CollectionResults, settings: Settings, pairs: pl.DataFrame) -> set[Taken]:
    """The exchanges that pairs of a family were tested with, by one measure and in one slice."""
    wanted = settings["studies"]["significance"]["draws"]
    taken: set[Taken] = set()
    for (judge,), rows in (
        pairs.drop_nulls("difference").partition_by("judge", as_dict=True).items()
    ):
        row = rows.row(0, named=True)
        draws = wanted
        if walks := settings["walks"][row["measure"]]:
            keys = {"judge": judge, "measure": row["measure"], "slice": row["slice"]}
            scores, number = collection.table("scores", **keys), rows.height
            if row["family"] == "all":  # the table may hold neighbours only
                ranked = scores["rank_low"].count()
                number = ranked * (ranked - 1) // 2
            draws = affordable(wanted, number, walks * int(scores["questions"][0]))
        exhausted = is_exhausted(draws, row["units"])
        taken.add((2 ** (row["units"] - 1) if exhausted else draws, exhausted))
    return taken


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
    everything = _comparisons(collection, settings, "all")
    same = list(_draws(collection, settings, everything)) == (
        planned_draws := list(_draws(collection, settings, rows))
    )
    if not same:
        yield f"For planned pairs: {' '.join(planned_draws)}"
    margins = rows["margin"].drop_nulls().unique().sort().to_list()
    if margins:
        together = ", for all planned pairs together," if number > 1 else ""
        yield (
            f"Two runs are called equivalent where the 95% interval of their difference{together} "
            f"lies within {listed(f'±{margin:g}' for margin in margins)}"
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
    if collection.weights() is not None and "sign" in present:
        tests[0] = "the sign test (where the measure is a mean; without the weights of questions)"
    yield f"{GENERAL}Each pair was also tested by itself, by {listed(tests)}."
    if "bootstrap" in present:
        resamples = settings["studies"]["significance"]["resamples"]
        yield f"The bootstrap has {resamples:,} resamples."
    if rows["p_holm"].count():
        some = "" if rows["p_holm"].null_count() == 0 else ", where the resamples are many enough"
        holm = f"Holm's method{cite('holm1979')}{some}"
        yield f"The p-values of single pairs were also corrected by {holm}."


# judges and people


def _agreement(collection: CollectionResults, settings: Settings) -> Iterator[str]:
    rows = collection.table("agreement", run="all", slice=ALL).filter(
        pl.col("threshold").is_null(), pl.col("agreement").is_not_null()
    )
    clustered = f"that {{rest}} on the variance between {_units(collection)}{cite('liang1986')}"
    if not rows.is_empty():
        several = rows["judge"].n_unique() > 1
        text = (
            f"The {'judges' if several else 'judge'} "
            f"{listed(rows['judge'].unique(maintain_order=True))} "
            f"{'were' if several else 'was'} compared with "
            f"{collection.reference} over the responses {MATCHED}, by the share of "
            f"equal verdicts, the rates of hits and false alarms, and Cohen's kappa"
            f"{cite('cohen1960')}"
        )
        if rows["low"].count():
            text += f" with 95% intervals {clustered.format(rest='rest')}"
        yield f"{text}."
    taus = collection.table("correlation").drop_nulls("tau")
    if not taus.is_empty():
        text = f"{GENERAL}Rankings were compared by Kendall's tau{cite('kendall1938')}"
        if taus["low"].count():
            resamples = settings["studies"]["correlation"]["resamples"]
            text += (
                f"; its 95% intervals hold 95% of its values over {resamples:,} random weightings "
                f"of the {_units(collection)}{cite('rubin1981')}, both by the scores as they are "
                f"and by scores that are shrunk by empirical Bayes{cite('efronmorris1973')}, and "
                "the value itself"
            )
        yield f"{text}."
    if ONE_ASSESSOR in set(taus["judge_b"]):
        draws = settings["studies"]["correlation"]["draws"]
        yield (
            "The ranking was also compared with rankings by one assessor per question, drawn at "
            f"random {draws:,} times{cite('voorheestice1999')}."
        )
    yield from _corrected(collection)
    yield from _people(collection, clustered)


def _corrected(collection: CollectionResults) -> Iterator[str]:
    """How the scores of judges were corrected by labels on a part."""
    rows = collection.table("corrected").drop_nulls("corrected")
    sampled = {
        "questions": "which count as a simple random sample of them",
        "answers": "on answers that count as a simple random sample of each run's",
        "probability": "on answers drawn at random, weighted by the inverse of their probability",
    }
    about = rows.select("judge", "corrected_by", "sampling").unique(maintain_order=True)
    for judge, by, sampling in about.rows():
        labelled = rows.filter(judge=judge, sampling=sampling)["labelled"]
        low, high = int(labelled.min()), int(labelled.max())  # type: ignore[arg-type]
        number = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        yield (
            f"The scores by {judge} were corrected by the labels of {by} on {number} "
            f"{_units(collection)}, {sampled[sampling]}: prediction-powered inference"
            f"{cite('angelopoulos2023')} on the evidence of each run, before the measure is "
            "computed. The 95% intervals of corrected values weigh labelled and other "
            f"{_units(collection)} apart{cite('rubin1981')}, with two labelled pseudo-questions on "
            "which judge and labels contradict each other; those of differences resample both."
        )
    if rows["rogan_gladen"].count():
        yield (
            "Accuracy was also corrected by sensitivity and specificity on the labelled "
            f"{_units(collection)}{cite('rogan1978')}."
        )


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
        kind = "partitions into sets" if row["scheme"] == "partition" else "sets"
        shared = "the same for all pairs" if row["draws"] == "shared" else "anew for each pair"
        yield (
            "How stable the order of two runs is under each measure was studied"
            f"{cite('buckley2000')} over {many(row['trials'], 'trial')} with random {kind} of "
            f"{_drawn(collection, stability)}, {shared}."
        )
    swap = table("swap")
    if not swap.is_empty():
        row = swap.row(0, named=True)
        level = table("sensitivity")["confidence"].unique().sort().to_list()
        yield (
            f"How large a difference must be for other {collection.noun}s to confirm it was "
            f"studied by swap rates{cite('voorheesbuckley2002')} over "
            f"{many(row['trials'], 'trial')} with two disjoint random sets of "
            f"{_drawn(collection, swap)}"
            + (
                f", at a confidence of {listed(f'{confidence:g}' for confidence in level)}"
                if level
                else ""
            )
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
            f"How the ranking depends on the number of {_noun(collection, sizes)}s was studied"
            f"{cite('rodrigo2009')} with {many(trials, 'random set')} at each of "
            f"{many(sizes['size'].n_unique(), 'size')}."
        )


def _drawn(collection: CollectionResults, rows: pl.DataFrame) -> str:
    """The sizes of random sets, and what is in them."""
    sizes = listed(f"{size:,}" for size in rows["size"].unique().sort())
    return f"{sizes} {_noun(collection, rows)}{'' if sizes == '1' else 's'}"


def _noun(collection: CollectionResults, rows: pl.DataFrame) -> str:
    """What a study has drawn."""
    return "group" if rows["unit"][0] == "group" else collection.noun


def _a(noun: str) -> str:
    """A noun with its article.

    >>> _a("item"), _a("question")
    ('an item', 'a question')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
