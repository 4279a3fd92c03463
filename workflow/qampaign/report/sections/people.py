"""People: whether they agree, what they dispute, and why judges fail by their word."""

import polars as pl

from qampaign.report.collection import Collection
from qampaign.report.parts import MOST, Columns, Table, many, percent, table

ASSESSORS: Columns = {
    "assessor_a": ("Assessor", "name"),
    "assessor_b": ("and assessor", "name"),
    "slice": ("Questions", "name"),
    "items": ("Items", "count"),
    "agreement": ("Agreement", "share"),
    "kappa": ("Kappa", "number"),
    "low": ("from", "number"),
    "high": ("to", "number"),
}
DISPUTED: Columns = {
    "question": ("Question", "name"),
    "run": ("Run", "name"),
    "answer": ("Answer", "words"),
    "assessors": ("Assessors", "count"),
    "right": ("call it right", "count"),
    "verdicts": ("Verdicts", "words"),
}
CAUSES: Columns = {
    "judge": ("Judge", "name"),
    "cause": ("Cause", "words"),
    "count": ("Times", "count"),
    "share": ("Share", "share"),
}
EXAMPLES: Columns = {
    "judge": ("Judge", "name"),
    "question": ("Question", "name"),
    "text": ("Asked", "words"),
    "key": ("Key", "words"),
    "run": ("Run", "name"),
    "answer": ("Answer", "words"),
    "verdict": ("By the judge", "text"),
    "reference_verdict": ("By the reference", "text"),
    "degree": ("Degree", "number"),
}


def agreement(collection: Collection) -> list[Table]:
    assessors, disputed = collection.table("assessors"), collection.table("disputed")
    whole_first = assessors.sort(pl.col("slice") != "all", maintain_order=True)
    reads = _how_to_read_assessors(assessors)
    return [
        *table("assessors", "Do people agree?", whole_first, ASSESSORS, reads=reads, most=MOST),
        *table("disputed", "What people dispute", disputed, DISPUTED, most=MOST, closed=True),
    ]


def _how_to_read_assessors(assessors: pl.DataFrame) -> str:
    reads = "Where both are all, kappa is Krippendorff's alpha over all assessors."
    overall = assessors.filter(assessor_a="all", assessor_b="all", slice="all")
    if overall.is_empty() or overall["agreement"][0] is None:
        return reads
    return (
        f"{reads} Two people agree on {percent(overall['agreement'][0])} of "
        f"{many(overall['items'][0], 'item')}: no judge can be asked for more."
    )


def failures(collection: Collection) -> list[Table]:
    causes, examples = collection.table("causes"), collection.table("disagreements")
    named = causes.with_columns(
        cause=pl.when(pl.col("part_of").is_null())
        .then(pl.col("cause").fill_null("not said yet"))
        .otherwise(pl.concat_str("part_of", pl.lit(": "), "cause"))
    )
    reads = "Why the judge and the reference differ, as a person found on looking."
    alike = "Answers that the judge and the reference do not call alike right or not."
    if causes.is_empty():
        alike += (
            " Say why in the column cause of the files in the folder failures, and the next "
            "report counts the causes."
        )
    told = {name: each for name, each in EXAMPLES.items() if not examples[name].is_null().all()}
    title = "Examples of disagreements"
    return [
        *table("causes", "Causes of failure", named, CAUSES, reads=reads, most=MOST),
        *table("disagreements", title, examples, told, reads=alike, most=MOST, closed=True),
    ]
