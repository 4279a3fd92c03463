"""Whose word counts: one assessor's, the adjudicated one, or the majority's."""

from collections.abc import Sequence

import polars as pl

from qampaign.judging.judgments import Verdict
from qampaign.judging.unassessed import SHOWN, shortened
from qampaign.problems import Refused, quote

WORD = ["verdict", "level", "class"]
"""What an assessment says."""

ITEM = ["question", "run", "rank", "answer"]
"""What it says it of: an answer string, the answer of a run at a rank, or an item to validate."""


def select_assessor(
    assessments: pl.DataFrame, questions: pl.DataFrame, assessor: str, name: str
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The assessments of one person, as if they were final, and the questions that they cover.

    `name` is the judge's, for messages.
    """
    person = pl.col("assessor").fill_null("adjudicated")
    by_assessor = assessments.filter(person == assessor)
    if by_assessor.is_empty():
        people = assessments.select(person.unique().sort()).to_series().to_list()
        allowed = ", ".join(map(quote, people)) or "none, there are no assessments"
        raise Refused(f"{name}: {quote(assessor)} has assessed nothing; assessors: {allowed}")
    covered = questions.join(by_assessor.select("question").unique(), on="question", how="semi")
    return by_assessor.with_columns(assessor=None), covered


def adjudicate(assessments: pl.DataFrame, ties: Sequence[str], name: str) -> pl.DataFrame:
    """One word per item: the final one where there is one, else the majority's.

    `ties` lists the verdicts that win a tie, the first one first; other ties are refused.
    """
    assessments = assessments.with_columns(
        pl.col("verdict").cast(Verdict),
        answer=pl.when(pl.col("run").is_null()).then("answer"),  # a position says enough
    )
    is_final = pl.col("assessor").is_null()
    final = assessments.filter(is_final).select(*ITEM, *WORD)
    if final.height == assessments.height:
        return final
    voted = assessments.filter(~is_final).join(final, on=ITEM, how="anti", nulls_equal=True)
    votes = voted.group_by(*ITEM, "verdict").agg(
        pl.len().alias("votes"),
        pl.col("level").drop_nulls().mode().min(),
        pl.col("class").drop_nulls().mode().min(),
        pl.format("{}: {}", "assessor", "verdict").sort().str.join(", ").alias("voters"),
    )
    order = {verdict: number for number, verdict in enumerate(ties)}
    preference = pl.col("verdict").cast(pl.String).replace_strict(order, default=len(ties))
    leading = votes.filter(pl.col("votes") == pl.col("votes").max().over(ITEM))
    winning = leading.with_columns(preference=preference).filter(
        pl.col("preference") == pl.col("preference").min().over(ITEM)
    )
    undecided = winning.filter(pl.len().over(ITEM) > 1)
    if not undecided.is_empty():
        _refuse_ties(undecided, name)
    return pl.concat([final, winning.select(*ITEM, *WORD)])


def _refuse_ties(undecided: pl.DataFrame, name: str) -> None:
    items = undecided.group_by(ITEM).agg(pl.col("voters").sort().str.join(", ")).sort(ITEM)
    count = "an answer has" if items.height == 1 else f"{items.height:,} answers have"
    lines = [
        f"{name}: {count} neither a majority nor an adjudicated label. Add "
        "rows with assessor 'adjudicated', or say in the config which verdict wins: ties: [wrong]"
    ]
    for row in items.head(SHOWN).iter_rows(named=True):
        item = f"question {row['question']}"
        if row["run"] is not None:
            item += f", run {row['run']}, rank {row['rank']}"
        elif row["answer"] is not None:
            item += f", {quote(row['answer'])}"
        lines.append(f"  {item}: {row['voters']}")
    raise Refused("\n".join(shortened(lines, items.height)))
