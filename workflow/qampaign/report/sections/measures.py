"""Can I trust the measure? What the studies of stability, swaps, sizes and rankings say.

A study that has too little to go by (:mod:`qampaign.studies.minimums`) says so, and draws nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import isfinite

import polars as pl

from qampaign.measures import MEASURES
from qampaign.ranking import SAME
from qampaign.report import theme
from qampaign.report.blocks import (
    Chart,
    Choice,
    Reading,
    Section,
    Table,
    TableColumn,
    TableColumns,
    optional_table,
)
from qampaign.report.charts import measures as charts
from qampaign.report.charts.judges import tau_heatmap
from qampaign.report.collection import CollectionResults
from qampaign.report.text import (
    MINUS,
    fixed,
    highest,
    listed,
    lowest,
    many,
    named,
    percent,
    short,
    two_digits,
)
from qampaign.studies.minimums import RUNS, UNITS, fewest_comparisons

FUZZINESS = 0.05
"""The fuzziness at which the caption describes a measure."""

FIXED_TIES, FIXED_ERRORS = (0.05, 0.1, 0.2), (0.01, 0.05)
"""Where the curves of errors against ties are read."""

COMPARED = ("f", "auc_point", "auc")
"""Measures of validation that are shown by size: Rodrigo, Peñas & Verdejo, Figures 6 and 7."""

NEAR = 0.05
"""The difference near which the caption says how many questions confirm it."""

SEEN = 10_000
"""Values by size are shown in such parts of 1: finer ones cannot be seen in a chart."""

BY_MEASURE = ("stability", "swap", "size_tau", "questions_needed")
"""The studies that are shown with a line per measure."""

SENSITIVITY: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "size": TableColumn("Drawn", "count", "the size of each of the two sets"),
    "confidence": TableColumn("Confidence", "share", "1 less the swap rate that is tolerated"),
    "absolute_difference": TableColumn(
        "Difference needed", "number", "of the first bin that is reversed rarely enough"
    ),
    "highest_value": TableColumn("Highest value", "number", "of any run in any trial"),
    "relative_difference": TableColumn(
        "Relative difference", "share", "the difference needed over the highest value"
    ),
    "sensitivity": TableColumn(
        "Sensitivity", "share", "comparisons with at least the difference needed"
    ),
    "lasting_difference": TableColumn(
        "Lasting difference",
        "number",
        "of the first bin that is reversed rarely enough, as all from there on are together",
    ),
    "lasting_sensitivity": TableColumn(
        "Lasting sensitivity", "share", "comparisons with at least the lasting difference"
    ),
}
HOW_SENSITIVE = (
    "Difference needed and sensitivity are as papers define them: the first bin that is reversed "
    "rarely enough, and the share of comparisons with at least that difference. It may pass by "
    "chance; from the lasting difference on, all comparisons together pass, and no bin fails by "
    "more than two standard errors. A dash means that no bin with enough comparisons passes (the "
    "last one holds all larger differences, of which some may be large enough), or that the first "
    "bin passes, in which runs are almost equal."
)


class TooLittle(Exception):
    """A study has too little to go by; says what there is, and what is needed."""


def section(collection: CollectionResults) -> Section | None:
    blocks: list[Chart | Table] = []
    silent: dict[str, list[str]] = {}
    for question, study in STUDIES.items():
        try:
            blocks += study(collection)
        except TooLittle as reason:
            silent.setdefault(str(reason), []).append(question)
    sentences = [reason.format(questions=listed(questions)) for reason, questions in silent.items()]
    if not blocks and not sentences:
        return None
    sentences += _drawn_apart(collection)
    blocks.sort(key=lambda block: isinstance(block, Table))  # charts stand side by side
    return Section("measures", "Can I trust the measure?", blocks, sentences)


def _drawn_apart(collection: CollectionResults) -> list[str]:
    """Says where studies draw the questions of a group one by one, as papers do."""
    drawn = {
        unit for name in BY_MEASURE for unit in collection.table(name)["unit"] if unit is not None
    }
    noun = collection.noun
    if "question" not in drawn and collection.draws_groups and collection.ungrouped:
        return [f"In these studies, {noun}s without a group count as groups of their own."]
    if "question" not in drawn or not collection.groups:
        return []
    some = "These studies" if len(drawn) == 1 else "Some of these studies"
    return [
        f"{some} draw single {noun}s, as the config asks, although {noun}s come in groups: other "
        "groups may reverse more."
    ]


def _enough(collection: CollectionResults, rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of measures that a study can speak of; refuses where there are none."""
    kept = rows.filter(pl.col("too_few").is_null())
    if kept.is_empty() and not rows.is_empty():
        primary = _primary(rows, collection)
        raise _too_few(collection, str((rows if primary.is_empty() else primary)["too_few"][0]))
    return kept


def _too_few(collection: CollectionResults, what: str) -> TooLittle:
    if what == "differences":
        return TooLittle("No two ranked runs differ, so nobody can say {questions}.")
    if what == "runs":
        return TooLittle(f"Too few runs to say {{questions}}: at least {RUNS} must be ranked.")
    things = f"{collection.noun}s" if what == "questions" else what
    return TooLittle(
        f"Too few {things} to say {{questions}}: the sets that are drawn need at least {UNITS} "
        f"{things}, and must leave some out."
    )


def _rate(share: float) -> str:
    """A share that the config sets, with all its digits.

    >>> _rate(1 - 0.95), _rate(1 - 0.995)
    ('5%', '0.5%')
    """
    return f"{100 * share:g}%"


def _noun(collection: CollectionResults, rows: pl.DataFrame) -> str:
    """What a study drew."""
    return "group" if "group" in rows["unit"] else collection.noun


def _study(collection: CollectionResults, name: str) -> pl.DataFrame:
    """A study of the reference's scores, at every size; of other settings, the first.

    Each row has a `name` for charts, the measure's label with a number: measures are numbered over
    all studies, so that each has one colour everywhere. Rows of other measures are left out.
    """
    rows = collection.table(name, judge=collection.reference)
    if name in ("stability", "swap", "sensitivity") and not rows.is_empty():
        for setting in ("draws", "scheme", "test"):
            if setting in rows.columns:
                rows = rows.filter(pl.col(setting) == pl.col(setting).first())
    studied = {measure for table in BY_MEASURE for measure in collection.table(table)["measure"]}
    labels = {id_: label for id_, label in collection.labels().items() if id_ in studied}
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    key = pl.col("measure").replace_strict(keys, default=None, return_dtype=pl.String)
    return rows.with_columns(name=key).drop_nulls("name")


def _by_size(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each size, the largest first, with what is added to the name of its chart."""
    for number, size in enumerate(rows["size"].unique().sort(descending=True)):
        yield f"_{size}" if number else "", rows.filter(size=size)


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


def _stability(collection: CollectionResults) -> Iterator[Chart | Table]:
    rows = _enough(collection, _study(collection, "stability")).drop_nulls("error_rate")
    for suffix, of_size in _by_size(rows):
        name = f"stability{suffix}"
        yield Chart(
            name,
            "Errors against ties",
            charts.error_rate_by_ties(_keys(of_size), name),
            _caption_of_stability(collection, of_size),
            uses=(name,),
            data={name: of_size.select("name", "fuzziness", "ties", "error_rate", "error_rate_se")},
            half=True,
        )
    yield from _errors_at_ties(rows)


def _errors_at_ties(rows: pl.DataFrame) -> Iterator[Table]:
    """What the curves of errors against ties say at fixed ties, and at a fixed error rate."""
    table_rows = []
    for (name, size), curve in rows.group_by("name", "size", maintain_order=True):
        points = curve.sort("fuzziness").select("ties", "error_rate").rows()
        turned = [(error, ties) for ties, error in points]
        table_rows.append(
            (
                _label(str(name)),
                size,
                *(between(points, share) for share in FIXED_TIES),
                *(between(turned, share) for share in FIXED_ERRORS),
            )
        )
    if all(value is None for row in table_rows for value in row[2:]):
        return
    yield Table(
        "errors_at_ties",
        "Errors at fixed ties, ties at a fixed error rate",
        [
            TableColumn("Measure", "name"),
            TableColumn("Drawn", "count", "the size of the sets"),
            *(TableColumn(f"Errors at {share:.0%} ties", "share") for share in FIXED_TIES),
            *(TableColumn(f"Ties at {share:.0%} errors", "share") for share in FIXED_ERRORS),
        ],
        table_rows,
        "Between two fuzzinesses, on the straight line that joins them; a dash where no fuzziness "
        "gives so many. The fewer errors at the same ties, the more stable a measure; the fewer "
        "ties at the same errors, the better it tells runs apart.",
    )


def between(points: Sequence[tuple[float, float]], x: float) -> float | None:
    """The height of a curve at x, on the line between its neighbours; None beyond its ends.

    >>> between([(0.0, 2.0), (2.0, 1.0)], 1.0), between([(0.0, 0.1)], 0.5)
    (1.5, None)
    """
    for (left, low), (right, high) in pairwise(sorted(points)):
        if left <= x <= right:
            return low if right == left else low + (high - low) * (x - left) / (right - left)
    return None


def _caption_of_stability(collection: CollectionResults, rows: pl.DataFrame) -> Reading:
    ends = rows["fuzziness"].sort()
    caption = (
        "A line per measure, and a point per fuzziness, from "
        f"{_rate(ends[0])} to {_rate(ends[-1])}: the share of the larger value below "
        "which a difference counts as a tie. An error is a comparison won by the run of a pair "
        "that wins less often. The lower and further left a line, the fewer errors and ties."
    )
    at = rows.filter((pl.col("fuzziness") - FUZZINESS).abs() < SAME)
    primary = _primary(at, collection)
    if primary.is_empty():
        return Reading(caption)
    row = primary.row(0, named=True)
    return Reading(
        caption,
        f"Over {many(row['trials'], 'trial')} with sets of "
        f"{many(row['size'], _noun(collection, rows))} and a fuzziness of {percent(FUZZINESS, 0)}, "
        f"{percent(row['error_rate'])} of the comparisons by {_label(row['name'])} are errors and "
        f"{percent(row['ties'])} are ties.",
    )


def _swap(collection: CollectionResults) -> Iterator[Chart | Table]:
    sensitivity = _enough(collection, _study(collection, "sensitivity"))
    if sensitivity.is_empty():
        return
    confidences = sensitivity["confidence"].unique().sort().to_list()
    fewest = fewest_comparisons(confidences[0]) or 1
    swaps = _study(collection, "swap")
    rows = swaps.filter(
        pl.col("measure").is_in(sensitivity["measure"].implode()), pl.col("comparisons") >= fewest
    )
    if rows.is_empty():
        raise TooLittle(
            "Too few comparisons to say {questions}: a bin of differences needs at least "
            f"{fewest:,}."
        )
    for suffix, of_size in _by_size(rows):
        name = f"swap{suffix}"
        sensitivity_of_size = sensitivity.filter(size=of_size["size"][0])
        yield Chart(
            name,
            "How often a difference is reversed",
            charts.swap_rates(_keys(of_size), tuple(confidences), name),
            _caption_of_swap(
                collection, of_size, sensitivity_of_size, fewest, last_bin=swaps["bin"].max()
            ),
            uses=(name,),
            data={name: of_size.select("name", "difference", "swap_rate", "comparisons")},
            half=True,
        )
    # Equal values are never reversed: a difference of 0 says nothing.
    real = pl.col("absolute_difference") > SAME
    table = _labelled(sensitivity).with_columns(
        pl.when(real).then(pl.col("absolute_difference", "relative_difference", "sensitivity"))
    )
    title = "Sensitivity"
    yield from optional_table("sensitivity", title, table, SENSITIVITY, caption=HOW_SENSITIVE)


def _caption_of_swap(
    collection: CollectionResults,
    rows: pl.DataFrame,
    sensitivity: pl.DataFrame,
    fewest: int,
    *,
    last_bin: object,
) -> Reading:
    """What differences last; the last bin is open, so that some in it may although it does not."""
    units = many(int(rows["size"][0]), _noun(collection, rows))
    caption = (
        f"Two runs are compared on {units} and again on as many others; the swap rate is how often "
        "the others reverse their order. Dashed lines are the rate that is tolerated, and 1%. "
        f"Bins with fewer than {fewest:,} comparisons are left out."
    )
    primary = _primary(sensitivity, collection).sort("confidence")
    if primary.is_empty():
        return Reading(caption)
    row = primary.row(0, named=True)
    label, rare = _label(row["name"]), _rate(1 - row["confidence"])
    lasting, share = row["lasting_difference"], row["lasting_sensitivity"]
    if lasting is None:
        seen = rows.filter(pl.col("apart") >= fewest, name=row["name"])
        if seen.is_empty() or row["confidence"] == 1:
            return Reading(caption)
        no_size = f"no difference in {label} is shown to be large enough"
        of_open = ""
        largest = seen.sort("bin").row(-1, named=True)
        if largest["bin"] == last_bin:
            up_to = short(largest["difference"])
            no_size = f"no difference in {label} of less than {up_to} is large enough"
            of_open = (
                f" Differences of {up_to} and more were looked at together: some of them may be "
                "large enough."
            )
        return Reading(
            caption,
            f"With {units}, {no_size}: of every size that at least {fewest:,} comparisons have, or "
            f"of a larger one, more than {rare} are reversed.{of_open}",
        )
    reached = "all" if lasting < SAME else f"those of at least {short(lasting)}"
    spread = "" if share is None else f", which {percent(share, 0)} of the comparisons have,"
    return Reading(
        caption,
        f"With {units}, of the differences in {label}, {reached}{spread} are reversed in at most "
        f"{rare} of the comparisons. That is a rate over many pairs of runs, not the "
        "chance that the order of two given runs is right.",
    )


def _size_tau(collection: CollectionResults) -> Iterator[Chart]:
    enough = _enough(collection, _study(collection, "sizes_enough"))
    taus = _study(collection, "size_tau").filter(
        pl.col("measure").is_in(enough["measure"].implode())
    )
    taus = taus.drop_nulls("tau")
    if taus.is_empty():
        return
    primary, noun = _primary(taus, collection), _noun(collection, taus)
    banded = (taus if primary.is_empty() else primary)["name"][0]
    yield Chart(
        "size_tau",
        f"How many {noun}s until the ranking is stable",
        charts.tau_by_size(
            _keys(taus), banded, tuple(enough["bound"].unique(maintain_order=True)), noun
        ),
        _caption_of_size_tau(collection, taus, enough, _label(banded), noun),
        uses=("size_tau",),
        data={"size_tau": taus.select("name", "size", "tau", "low", "high")},
        half=True,
    )


def _caption_of_size_tau(
    collection: CollectionResults, taus: pl.DataFrame, enough: pl.DataFrame, banded: str, noun: str
) -> Reading:
    caption = (
        f"Each point is the mean tau between the rankings over so many {noun}s, drawn at random, "
        f"and the ranking over all; the band holds the middle 95% of the draws, for {banded}. It "
        f"does not say how near the ranking over all {noun}s is to the truth: large sets share "
        "most of theirs with it."
    )
    bound = enough["bound"][0]
    # All questions give the ranking over all questions: that is no finding.
    reached = enough.filter(pl.col("bound") == bound, pl.col("size") < taus["size"].max())
    everything = collection.units if noun == "group" else collection.start["questions"]
    with_itself = taus.filter(size=everything)["tau"].max()
    if isinstance(with_itself, float) and with_itself < bound - SAME:
        return Reading(
            caption,
            f"Tau cannot reach {bound:g} here: runs are tied, so that a ranking has a tau of at "
            f"most {fixed(with_itself, 2)} with itself.",
        )
    if reached.is_empty():
        return Reading(
            caption, f"By no measure does tau stay at {bound:g} or above once {noun}s are left out."
        )
    fewest = min(reached["size"])
    first = [_label(key) for key in reached.filter(size=fewest)["name"]]
    by = f"by {named(first, 'measure')}"
    if fewest == taus["size"].min():
        by = f", the fewest that were drawn, {by}"
    else:
        by = f" {by}, and by no measure earlier"
    return Reading(caption, f"The mean tau is {bound:g} or more from {fewest} {noun}s on{by}.")


def _sizes(collection: CollectionResults) -> Iterator[Chart]:
    """Values by size, of any measure; for validation beside each other, as in a paper."""
    if collection.primary is None:
        return
    swept = collection.table("sizes", judge=collection.reference).drop_nulls("mean")
    if swept.is_empty():
        return
    noun = _noun(collection, swept)
    # Draws of all that there is are all the same: that is no spread.
    last = pl.col("size") == pl.col("size").max()
    swept = swept.with_columns(sd=pl.when(~(last & (pl.col("sd") < SAME))).then("sd"))
    spread = swept.filter(pl.col("size") >= UNITS, pl.col("sd") > SAME)
    studied = [measure for measure in collection.labels() if measure in set(spread["measure"])]
    if not studied:
        if swept["size"].max() < UNITS:  # type: ignore[operator]
            raise _too_few(collection, "groups" if noun == "group" else "questions")
        return
    choices = [_choice(collection, spread, measure, noun) for measure in studied]
    others = COMPARED if collection.task == "validation" else ()
    shown = [measure for measure in (collection.primary_measure, *others) if measure in studied]
    for measure in dict.fromkeys(shown or studied[:1]):
        at = studied.index(measure)
        yield Chart(
            "sizes" if measure == collection.primary_measure else f"sizes_{measure}",
            choices[at].title,
            charts.values_by_size(noun),
            choices[at].reading,
            uses=("sizes",),
            data={"sizes": _by_run_and_size(swept, studied)},
            half=True,
            choices=choices,
            choice=at,
        )


def _choice(collection: CollectionResults, spread: pl.DataFrame, measure: str, noun: str) -> Choice:
    label, (low, high) = collection.labels()[measure], _bounds(measure)
    return Choice(
        label,
        columns={"mean": f"mean {measure}", "sd": f"sd {measure}"},
        parts=SEEN,
        bounds={name: end for name, end in (("least", low), ("most", high)) if end is not None},
        title=f"{label} by number of {noun}s",
        reading=_caption_of_sizes(spread.filter(measure=measure), label, noun),
    )


def _by_run_and_size(swept: pl.DataFrame, measures: Sequence[str]) -> pl.DataFrame:
    """A row per run and size; columns `mean` and `sd` of each measure, in parts of 1."""
    wide = swept.select("run", "size").unique(maintain_order=True)
    for measure in measures:
        of_measure = swept.filter(measure=measure).select(
            "run",
            "size",
            (pl.col("mean") * SEEN).round().cast(pl.Int64).alias(f"mean {measure}"),
            (pl.col("sd") * SEEN).round().cast(pl.Int64).alias(f"sd {measure}"),
        )
        wide = wide.join(of_measure, on=["run", "size"], how="left", maintain_order="left")
    return wide


def _bounds(measure: str) -> tuple[float | None, float | None]:
    """The least and the greatest value of a measure, where it has them."""
    if measure not in MEASURES:  # its own name in the config: nothing is known of it here
        return None, None
    low, high = MEASURES[measure].bounds
    return low if isfinite(low) else None, high if isfinite(high) else None


def _caption_of_sizes(spread: pl.DataFrame, label: str, noun: str) -> Reading:
    sds = spread.group_by("size").agg(pl.col("sd").mean()).sort("size")
    first, last = sds.row(0, named=True), sds.row(-1, named=True)
    return Reading(
        "The first runs of the leaderboard, or those picked. The band around a run is one standard "
        f"deviation over the draws to either side. Large sets share most of their {noun}s, so that "
        f"they vary less than as many new {noun}s would. Runs whose bands overlap may still "
        "differ: both are measured on the same draws.",
        f"On average, {label} has a standard deviation of {fixed(first['sd'])} with "
        f"{many(first['size'], noun)} and of {fixed(last['sd'])} with {last['size']}."
        if last["size"] > first["size"]
        else f"On average, {label} has a standard deviation of {fixed(first['sd'])} with "
        f"{many(first['size'], noun)}.",
    )


def _questions_needed(collection: CollectionResults) -> Iterator[Chart]:
    rows = _enough(collection, _study(collection, "questions_needed"))
    # The last bin is open: it holds larger differences too, which need fewer questions.
    swaps = _study(collection, "swap")
    closed = swaps.filter(pl.col("bin") < pl.col("bin").max())
    bins = closed["difference"].unique().sort()
    rows = rows.filter(
        pl.col("difference") > SAME,
        pl.col("difference").is_in(bins.implode()),
        pl.col("confidence") == pl.col("confidence").min(),
    )
    known = rows.drop_nulls("questions")
    if known.is_empty():
        if not rows.is_empty():
            raise TooLittle(
                "The swap rates of small sets do not predict those of larger ones well enough to "
                "say {questions}."
            )
        return
    yield Chart(
        "needed",
        f"How many {collection.noun}s confirm a difference",
        charts.questions_needed(_keys(known), collection.noun),
        _caption_of_questions_needed(collection, rows, width=bins[1] - bins[0]),
        uses=("needed",),
        data={
            "needed": known.select("name", "difference", "questions", "extrapolated", "confidence")
        },
        half=True,
    )


def _caption_of_questions_needed(
    collection: CollectionResults, rows: pl.DataFrame, *, width: float
) -> Reading:
    noun, primary = collection.noun, _primary(rows, collection)
    caption = (
        "By a model of the swap rates. Open points are extrapolated: they lie beyond half of the "
        f"{noun}s, and two separate sets cannot have more than half each."
    )
    if primary.is_empty():
        return Reading(caption)
    near = primary.drop_nulls("questions").sort((pl.col("difference") - NEAR).abs())
    label, rare = collection.primary_label, _rate(1 - primary["confidence"][0])
    if near.is_empty():
        return Reading(
            caption,
            f"For {label} there is no number: the model does not predict the swap rates of larger "
            "sets well enough.",
        )
    row = near.row(0, named=True)
    error, exponential_error = row["holdout_error"], row["holdout_error_exponential"]
    missed = ""
    if error is not None:
        missed = f" Fitted to small sets, it misses the rates of larger ones by {fixed(error)}"
        missed += (
            "."
            if exponential_error is None
            else f"; an exponential curve misses them by {fixed(exponential_error)}."
        )
    extrapolated = ", by extrapolation" if row["extrapolated"] else ""
    return Reading(
        caption + missed,
        f"For differences of {short(row['difference'])} to {short(row['difference'] + width)} in "
        f"{label} to be reversed in at most {rare} of the comparisons takes about "
        f"{many(two_digits(row['questions']), noun)}{extrapolated}.",
    )


def _correlation(collection: CollectionResults) -> Iterator[Chart]:
    reference, labels = collection.reference, collection.labels()
    keys = dict(zip(labels, theme.keys(list(labels.values())), strict=True))
    separating = [measure for measure in keys if collection.separates(measure)]
    first, second = (
        pl.col(f"measure_{side}").replace_strict(
            {measure: number for number, measure in enumerate(keys)}, default=None
        )
        for side in "ab"
    )
    # The table has each pair both ways round.
    pairs = (
        collection.table("correlation", judge_a=reference, judge_b=reference)
        .filter(first < second)
        .drop_nulls("tau")
    )
    if pairs.is_empty():
        return
    pairs = pairs.filter(pl.all_horizontal(pl.col("measure_a", "measure_b").is_in(separating)))
    if pairs.is_empty():
        raise _too_few(collection, "differences")
    pairs = pairs.filter(pl.col("runs") >= RUNS)
    if pairs.is_empty():
        raise _too_few(collection, "runs")
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
    equal = [measure for measure in keys if measure not in separating]
    yield Chart(
        "measure_tau",
        "Do measures rank alike?",
        tau_heatmap("measure_tau", order, order, "measure", "other"),
        _caption_of_tau(pairs, labels, list(_left_out(collection, equal))),
        uses=("measure_tau",),
        data={"measure_tau": cells},
        half=True,
    )


def _left_out(collection: CollectionResults, measures: Sequence[str]) -> Iterator[str]:
    """Why measures that tell no two runs apart are not compared with others."""
    labels = collection.labels()
    valued = {measure: bool(collection.ranked_values(measure)) for measure in measures}
    for has_values, why in (
        (True, "all ranked runs are equal by"),
        (False, "no ranked run has a value by"),
    ):
        left = [labels[measure] for measure in measures if valued[measure] == has_values]
        if left:
            them = "it" if len(left) == 1 else "them"
            yield f"Left out, since {why} {them}: {named(left, 'measure')}."


def _caption_of_tau(pairs: pl.DataFrame, labels: dict[str, str], left_out: list[str]) -> Reading:
    caption = (
        f"Tau is 1 where two measures order every pair of runs alike, and {MINUS}1 where they "
        "order every pair the other way round; a pair that is tied by either counts as neither."
    )
    caption += "".join(f" {sentence}" for sentence in left_out)
    taus = {
        listed(labels[row[f"measure_{side}"]] for side in "ab"): row["tau"]
        for row in pairs.to_dicts()
    }
    if len(taus) < 2:
        return Reading(caption)
    (low, least), (high, most) = lowest(taus), highest(taus)
    if high - low < SAME:
        measures = named(
            [labels[measure] for measure in labels if measure in _ends(pairs)], "measure"
        )
        if pairs.filter(pl.col("tau_b") > 1 - SAME).height < pairs.height:
            return Reading(caption, f"Tau is {fixed(low, 2)} for every two of {measures}.")
        tied = low < 1 - SAME
        why = f", ties included (tau is {fixed(low, 2)}, since a tied pair counts as neither)"
        return Reading(caption, f"{measures} order the runs identically{why if tied else ''}.")
    return Reading(
        caption,
        f"Tau is highest for {_or_count(most)} ({fixed(high, 2)}) and lowest for "
        f"{_or_count(least)} ({fixed(low, 2)}).",
    )


def _ends(pairs: pl.DataFrame) -> set[str]:
    """The measures of pairs."""
    return {*pairs["measure_a"], *pairs["measure_b"]}


def _or_count(pairs: list[str]) -> str:
    """A pair of measures by name; several by their number."""
    return pairs[0] if len(pairs) == 1 else f"{len(pairs)} pairs of measures"


STUDIES: dict[str, Callable[[CollectionResults], Iterator[Chart | Table]]] = {
    "how stable the order of two runs is": _stability,
    "how often a difference is reversed": _swap,
    "how many questions a stable ranking takes": _size_tau,
    "how far values spread": _sizes,
    "how many questions confirm a difference": _questions_needed,
    "whether measures rank alike": _correlation,
}
"""What each study is asked."""
