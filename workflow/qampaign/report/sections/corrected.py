"""What is left of a judge's scores without its error? Blocks of the section on judges."""

from collections.abc import Iterator

import polars as pl

from qampaign.report.blocks import Chart, Reading, Table, TableColumn, TableColumns, optional_table
from qampaign.report.charts import corrected as charts
from qampaign.report.collection import CollectionResults
from qampaign.report.text import fixed, many, percent
from qampaign.studies.rectification import FEW_LABELLED, FEWEST_LABELLED

CORRECTED: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "run": TableColumn("Run", "name"),
    "raw": TableColumn("Judge alone", "number"),
    "raw_low": TableColumn("from", "number"),
    "raw_high": TableColumn("to", "number"),
    "corrected": TableColumn("Corrected", "number"),
    "low": TableColumn("from", "number"),
    "high": TableColumn("to", "number"),
    "people": TableColumn("Labels alone", "number"),
    "people_low": TableColumn("from", "number"),
    "people_high": TableColumn("to", "number"),
    "labelled": TableColumn("Labelled", "count"),
}
OF_ACCURACY: TableColumns = {
    "sensitivity": TableColumn("Sensitivity", "share", "right answers that the judge accepts"),
    "specificity": TableColumn("Specificity", "share", "the rest that it does not accept"),
    "youden": TableColumn("Youden's J", "number"),
    "rogan_gladen": TableColumn(
        "Rogan & Gladen", "number", "(judge alone + specificity - 1) / J, without an interval"
    ),
}
DIFFERENCES: TableColumns = {
    "label": TableColumn("Measure", "name"),
    "run_a": TableColumn("Run", "name"),
    "run_b": TableColumn("and run", "name"),
    "difference": TableColumn("Difference", "number"),
    "low": TableColumn("from", "number"),
    "high": TableColumn("to", "number"),
}
OF_JUDGE: TableColumns = {
    "youden_difference": TableColumn("Difference of J", "number", "of the judge for the two runs"),
    "youden_low": TableColumn("from", "number"),
    "youden_high": TableColumn("to", "number"),
}
REPEATED: TableColumns = {
    "judge": TableColumn("Judge", "name"),
    "answers": TableColumn("Answers", "count"),
    "trials": TableColumn("Trials of each", "number"),
    "agreement": TableColumn("Pairs that agree", "share"),
    "low": TableColumn("from", "number"),
    "high": TableColumn("to", "number"),
    "unanimous": TableColumn("Unanimous", "share", "answers on which all trials agree"),
}


def blocks(collection: CollectionResults) -> Iterator[Chart | Table]:
    """For each corrected judge a chart and tables; then judges that have judged several times."""
    table = collection.table("corrected")
    judges = [str(judge["judge"]) for judge in collection.judges]
    for judge in judges:
        rows = table.filter(judge=judge).with_columns(label=_label(collection))
        if not rows.is_empty():
            yield from _blocks_of(collection, judge, rows)
    yield from optional_table(
        "self-agreement",
        "Judges that judged the same answers several times",
        collection.table("self_agreement"),
        REPEATED,
        caption="Of all pairs of trials of a judge on the same answer, the share with the same "
        "verdict, with its 95% interval. The majority of the trials is the judge's verdict.",
    )


def _blocks_of(
    collection: CollectionResults, judge: str, rows: pl.DataFrame
) -> Iterator[Chart | Table]:
    by = rows["corrected_by"][0]
    pairs = collection.table("corrected_comparisons", judge=judge)
    primary = rows.filter(measure=collection.primary_measure)
    shown = primary if primary["corrected"].count() else rows.head(0)
    if shown.is_empty():
        first = rows.filter(pl.col("corrected").is_not_null())["measure"].head(1)
        shown = rows.filter(pl.col("measure").is_in(first.implode()))
    if not shown.is_empty():
        data = f"corrected_{judge}"
        label = str(shown["label"][0])
        yield Chart(
            f"corrected-{judge}",
            f"{label} by {judge}, corrected by {by}",
            charts.corrected_by_run(data, label),
            Reading(
                f"For each run its {label} by {judge} corrected by {by}, by the labels of {by} "
                f"alone, and by {judge} alone, with 95% intervals.",
                f"{finding(collection, judge, shown)} {judged_alike(rows, pairs)}".strip(),
            ),
            uses=(data,),
            data={data: _long(shown)},
            per_run=42,
            extra=60,
        )
    columns = {**CORRECTED, **(OF_ACCURACY if rows["youden"].count() else {})}
    yield from optional_table(
        f"corrected-values-{judge}",
        f"All values by {judge}, corrected by {by}",
        rows,
        columns,
        caption=assumed(rows, by),
        closed=True,
    )
    yield from optional_table(
        f"corrected-differences-{judge}",
        f"Differences between runs by {judge}, corrected by {by}",
        pairs.with_columns(label=_label(collection)),
        {**DIFFERENCES, **(OF_JUDGE if pairs["youden_difference"].count() else {})},
        most=400,
        caption="Corrected values, the higher one first, with the 95% interval of each difference "
        "by itself: no adjustment for the number of pairs. A difference that no draw of questions "
        "changes has none. Where Youden's J is the same for two runs, and so are sensitivity and "
        "specificity, the judge alone shows J times their difference; where it is not, what the "
        "judge alone shows is partly due to its errors.",
        closed=True,
    )


def _label(collection: CollectionResults) -> pl.Expr:
    """What papers call the measure."""
    return pl.col("measure").replace_strict(collection.labels(), default=None)


def _long(rows: pl.DataFrame) -> pl.DataFrame:
    """A row for each run and each of the three values."""
    columns = {
        "corrected": ("corrected", "low", "high"),
        "people alone": ("people", "people_low", "people_high"),
        "judge alone": ("raw", "raw_low", "raw_high"),
    }
    return pl.concat(
        rows.select(
            "run",
            pl.lit(kind).alias("kind"),
            pl.col(value).alias("value"),
            pl.col(low).alias("low"),
            pl.col(high).alias("high"),
        )
        for kind, (value, low, high) in columns.items()
    )


def finding(collection: CollectionResults, judge: str, rows: pl.DataFrame) -> str:
    """What the correction does to the values of a measure."""
    known = rows.filter(pl.col("corrected").is_not_null())
    by, number = known["corrected_by"][0], known.height
    outside = known.filter((pl.col("raw") < pl.col("low")) | (pl.col("raw") > pl.col("high")))
    shift = (known["raw"] - known["corrected"]).to_list()
    largest = max(range(number), key=lambda n: abs(shift[n]))
    every = "every run."
    if number < rows.height:
        every = f"each of the {number} runs that are corrected."
    sentences = [
        f"{judge} alone is outside of the corrected interval for "
        f"{outside.height} of {many(number, 'corrected run' if number < rows.height else 'run')}."
        if outside.height
        else f"{judge} alone is inside of the corrected interval for "
        + (f"{known['run'][0]}." if number == 1 else every)
    ]
    if abs(shift[largest]) >= 0.0005:
        more = "higher" if shift[largest] > 0 else "lower"
        farthest = "It is farthest off for" if number > 1 else "It is off for"
        off = fixed(abs(shift[largest]))
        sentences.append(f"{farthest} {known['run'][largest]}: {off} {more} than corrected.")
    width, alone = known["high"] - known["low"], known["people_high"] - known["people_low"]
    no_narrower = int((width >= alone - 1e-12).sum())
    if no_narrower:
        all_of = "any run" if no_narrower == number else f"{no_narrower} of {many(number, 'run')}"
        if number == 1:
            all_of = str(known["run"][0])
        sentences.append(
            f"Corrected intervals are not narrower than those of {by} alone for {all_of}: there "
            "the judge adds nothing."
        )
    elif alone.count():
        ratio = float((width / alone).sum()) / alone.count()
        sentences.append(
            f"Corrected intervals have {percent(ratio, 0)} of the width of those of {by} alone."
        )
    labelled = rows["labelled"].to_list()
    if min(labelled) < FEWEST_LABELLED:
        lacking = sum(count < FEWEST_LABELLED for count in labelled)
        sentences.append(
            f"{many(lacking, 'run')} with labels on fewer than {FEWEST_LABELLED} "
            f"{_unit(collection)}s cannot be corrected."
        )
    fewest = min(count for count in labelled if count >= FEWEST_LABELLED)
    if fewest < FEW_LABELLED:
        sentences.append(
            f"There are labels on {fewest} {_unit(collection)}s: below {FEW_LABELLED} intervals "
            "are wide and less sure."
        )
    return " ".join(sentences)


def judged_alike(rows: pl.DataFrame, pairs: pl.DataFrame) -> str:
    """Whether the judge tells right from wrong as well for one run as for another."""
    known = pairs.drop_nulls(["youden_low", "youden_high"])
    if known.is_empty():
        return ""
    apart = known.filter((pl.col("youden_low") > 0) | (pl.col("youden_high") < 0))
    values = dict(rows.drop_nulls("youden").select("run", "youden").rows())
    if apart.is_empty():
        ends = fixed(min(values.values())), fixed(max(values.values()))
        return (
            f"Youden's J goes from {ends[0]} to {ends[1]} by run: no pair of runs surely differs "
            "in it (95%, each pair by itself)."
        )
    first = apart.sort(pl.col("youden_difference").abs(), descending=True).row(0, named=True)
    better, worse = first["run_a"], first["run_b"]
    if first["youden_difference"] < 0:
        better, worse = worse, better
    return (
        f"The judge tells right from wrong better for {better} than for {worse}: Youden's J is "
        f"{fixed(values[better])} and {fixed(values[worse])}. So it surely does for {apart.height} "
        f"of {many(known.height, 'pair')} of runs (95%, each pair by itself): their order by the "
        "judge alone may be due to its errors."
    )


def _unit(collection: CollectionResults) -> str:
    return "group" if collection.draws_groups else collection.noun


def assumed(rows: pl.DataFrame, by: str) -> str:
    """What has to be true of the labels for the corrected values to be right."""
    how = {
        "questions": f"the questions that {by} has labelled are a simple random sample",
        "answers": f"the answers that {by} has labelled are a simple random sample of each run's",
        "probability": f"the answers that {by} has labelled were drawn with the probabilities that "
        "the labels give",
    }
    texts = [how[sampling] for sampling in rows["sampling"].unique().sort()]
    return (
        f"This assumes that {', and for other measures that '.join(texts)}. Corrected values rest "
        "on the labels for the judge's error, and on the judge for the questions without labels. "
        "Measures that need an order of the questions, averages by type and composites have none."
    )
