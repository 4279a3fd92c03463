"""People: whether they agree, what they dispute, and why judges fail by their word."""

import polars as pl

from qampaign.report.collection import Collection
from qampaign.report.parts import MOST, Chart, Table, many, percent, table


def agreement(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    assessors = collection.table("assessors")
    if not assessors.is_empty():
        columns = {
            "assessor_a": ("Assessor", "name"),
            "assessor_b": ("and assessor", "name"),
            "slice": ("Questions", "name"),
            "items": ("Items", "count"),
            "agreement": ("Agreement", "share"),
            "kappa": ("Kappa", "number"),
            "low": ("from", "number"),
            "high": ("to", "number"),
        }
        overall = assessors.filter(assessor_a="all", assessor_b="all", slice="all")
        reads = "Where both are all, kappa is Krippendorff's alpha over all assessors."
        if not overall.is_empty() and overall["agreement"][0] is not None:
            reads += (
                f" Two people agree on {percent(overall['agreement'][0])} of "
                f"{many(overall['items'][0], 'item')}: no judge can be asked for more."
            )
        parts.append(
            table(
                "assessors",
                "Do people agree?",
                assessors.sort(pl.col("slice") != "all", maintain_order=True),
                columns,
                reads=reads,
                most=MOST,
            )
        )
    disputed = collection.table("disputed")
    if not disputed.is_empty():
        columns = {
            "question": ("Question", "name"),
            "run": ("Run", "name"),
            "answer": ("Answer", "words"),
            "assessors": ("Assessors", "count"),
            "right": ("call it right", "count"),
            "verdicts": ("Verdicts", "words"),
        }
        parts.append(
            table("disputed", "What people dispute", disputed, columns, most=MOST, closed=True)
        )
    return parts


def failures(collection: Collection) -> list[Chart | Table]:
    parts: list[Chart | Table] = []
    causes = collection.table("causes")
    if not causes.is_empty():
        whole = pl.col("part_of").is_null()
        named = causes.with_columns(
            cause=pl.when(whole)
            .then(pl.col("cause").fill_null("not said yet"))
            .otherwise(pl.concat_str("part_of", pl.lit(": "), "cause"))
        )
        columns = {
            "judge": ("Judge", "name"),
            "cause": ("Cause", "words"),
            "count": ("Times", "count"),
            "share": ("Share", "share"),
        }
        reads = "Why the judge and the reference differ, as a person found on looking."
        parts.append(table("causes", "Causes of failure", named, columns, reads=reads, most=MOST))
    examples = collection.table("disagreements")
    if not examples.is_empty():
        columns = {
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
        told = {name: each for name, each in columns.items() if not examples[name].is_null().all()}
        reads = "Answers that the judge and the reference do not call alike right or not."
        if causes.is_empty():
            reads += (
                " Say why in the column cause of the files in the folder failures, and the next "
                "report counts the causes."
            )
        parts.append(
            table(
                "disagreements",
                "Examples of disagreements",
                examples,
                told,
                reads=reads,
                most=MOST,
                closed=True,
            )
        )
    return parts
