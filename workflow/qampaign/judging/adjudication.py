"""Whose word counts: one assessor's, the adjudicated one, or the majority's."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from qampaign.judging.judgments import Verdict
from qampaign.judging.unassessed import SHOWN, shortened
from qampaign.problems import Refused, quote, short_id

WORD = ["verdict", "level", "class"]
"""What an assessment says."""

ITEM = ["question", "run", "sample", "rank", "answer"]
"""What it says it of: an answer string, the answer of a run (in a sample) at a rank, or an item to
validate."""


def item_of(assessments: pl.DataFrame) -> list[str]:
    """The columns that name what is assessed; `sample` only where there are samples."""
    return [name for name in ITEM if name in assessments.columns]


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


HARSH = ("wrong", "not_attempted", "unsupported", "inexact", "repeated")
"""The verdicts that may win a tie where nobody says otherwise: of two, one is always among them."""


class Tied(Refused):
    """Assessors are level on some answers, and nothing says whose word counts."""

    def __init__(self, name: str, ties: pl.DataFrame, deciding: Sequence[str]) -> None:
        """`deciding` are verdicts that would decide all of these ties, as `ties:` in the config."""
        self.name = name
        self.ties = ties
        """question, run, sample (where there are samples), rank, answer and votes."""
        self.rule = f"say in the config which verdict wins: ties: [{', '.join(deciding)}]"
        """The advice that always helps."""
        super().__init__(self.message(f"Add rows with assessor 'adjudicated', or {self.rule}"))

    def message(
        self, advice: str, lacking: str = "neither a majority nor an adjudicated label."
    ) -> str:
        """What is tied, and what to do about it."""
        number = self.ties.height
        count = "an answer has" if number == 1 else f"{number:,} answers have"
        lines = [f"{self.name}: {count} {lacking} {advice}"]
        for row in self.ties.head(SHOWN).iter_rows(named=True):
            item = f"question {short_id(row['question'])}"
            if row["run"] is not None:
                sample = f", sample {row['sample']}" if row.get("sample") is not None else ""
                item += f", run {short_id(row['run'])}{sample}, rank {row['rank']}"
            elif row["answer"] is not None:
                item += f", {quote(row['answer'])}"
            lines.append(f"  {item}: {row['votes']}")
        return "\n".join(shortened(lines, number))


class Adjudicated(NamedTuple):
    """What is said in the end."""

    final: pl.DataFrame
    """One word per item."""
    decided: int
    """The ties that the config decided."""


def adjudicate(assessments: pl.DataFrame, ties: Sequence[str], name: str) -> Adjudicated:
    """One word per item: the final one where there is one, else the majority's.

    `ties` lists the verdicts that win a tie, the first one first; other ties are refused, by
    raising :class:`Tied`.
    """
    assessments = assessments.with_columns(
        pl.col("verdict").cast(Verdict),
        answer=pl.when(pl.col("run").is_null()).then("answer"),  # a position says enough
    )
    item = item_of(assessments)
    is_final = pl.col("assessor").is_null()
    final = assessments.filter(is_final).select(*item, *WORD)
    if final.height == assessments.height:
        return Adjudicated(final, 0)
    voted = assessments.filter(~is_final).join(final, on=item, how="anti", nulls_equal=True)
    votes = voted.group_by(*item, "verdict").agg(
        pl.len().alias("votes"),
        pl.col("level").drop_nulls().mode().min(),
        pl.col("class").drop_nulls().mode().min(),
        pl.format("{}: {}", "assessor", "verdict").sort().str.join(", ").alias("voters"),
    )
    order = {verdict: number for number, verdict in enumerate(ties)}
    preference = pl.col("verdict").cast(pl.String).replace_strict(order, default=len(ties))
    leading = votes.filter(pl.col("votes") == pl.col("votes").max().over(item))
    winning = leading.with_columns(preference=preference).filter(
        pl.col("preference") == pl.col("preference").min().over(item)
    )
    undecided = winning.filter(pl.len().over(item) > 1)
    if not undecided.is_empty():
        tied = votes.join(undecided, on=item, how="semi", nulls_equal=True)
        all_votes = pl.col("voters").sort().str.join(", ").alias("votes")
        level = set(undecided["verdict"].cast(pl.String))
        deciding = [*ties, *(verdict for verdict in HARSH if verdict in level)]
        raise Tied(name, tied.group_by(item).agg(all_votes).sort(item), deciding)
    decided = leading.filter(pl.len().over(item) > 1).select(item).n_unique()
    return Adjudicated(pl.concat([final, winning.select(*item, *WORD)]), decided)
