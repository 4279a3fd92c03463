"""The judge `assessments`: what people said of an answer string, or of a run's answer at a rank."""

from collections.abc import Collection, Sequence

import polars as pl

from qampaign.judging.judgments import COLUMNS, Judged, Verdict, count_known, is_correct, settle
from qampaign.judging.lookup import look_up
from qampaign.problems import Refused, quote

WORD = ["verdict", "level", "class"]
"""What an assessment says."""

ITEM = ["question", "run", "rank", "answer"]
"""What it says it of: an answer string, or the answer of a run at a rank."""

SHOWN = 20


def judge(
    responses: pl.DataFrame,
    assessments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str] = ("right",),
    assessor: str | None = None,
    ties: Sequence[str] = (),
    unassessed: str = "error",
    nil: str = "NIL",
) -> Judged:
    """Judge responses by the final word of the assessments, or by the word of one `assessor`.

    The final word is the adjudicated label, else the majority of the assessors; `ties` lists the
    verdicts that win a tie, the first one first. `name` is how messages call this judge. Raises
    :class:`Refused` for ties that nothing breaks, and for answers without an assessment unless
    `unassessed` is "wrong".
    """
    if assessor is not None:
        assessments = _of(assessor, assessments, name)
        questions = questions.join(
            assessments.select("question").unique(), on="question", how="semi"
        )
    questions = questions.sort("question")
    question_ids = pl.Enum(questions["question"])
    run_ids = pl.Enum(responses["run"].unique().sort())
    ids = [
        pl.col("question").cast(question_ids, strict=False),
        pl.col("run").cast(run_ids, strict=False),
    ]
    questions = questions.with_columns(pl.col("question").cast(question_ids))
    responses = responses.with_columns(ids).drop_nulls("question")
    final = _adjudicate(assessments, ties, name).with_columns(ids).drop_nulls("question")
    judged, found = _attach(responses, final)
    good, known = is_correct(correct), ["question", "answer", "class"]
    named = final.filter(pl.col("run").is_null() & good).select(known)
    right = pl.concat([named, judged.filter(found & good).select(known)])
    judgments = settle(judged, questions, nil=nil, correct=correct)
    if unassessed == "error":
        _refuse_unassessed(judgments, name)
    return Judged(judgments.select(COLUMNS), count_known(questions, right))


def _of(assessor: str, assessments: pl.DataFrame, name: str) -> pl.DataFrame:
    """The assessments of one person, as if they were final."""
    person = pl.col("assessor").fill_null("adjudicated")
    own = assessments.filter(person == assessor)
    if own.is_empty():
        people = assessments.select(person.unique().sort()).to_series().to_list()
        allowed = ", ".join(map(quote, people)) or "none, there are no assessments"
        raise Refused(f"{name}: {quote(assessor)} has assessed nothing; assessors: {allowed}")
    return own.with_columns(assessor=None)


def _adjudicate(assessments: pl.DataFrame, ties: Sequence[str], name: str) -> pl.DataFrame:
    """One word per item: the final one where there is one, else the majority's."""
    assessments = assessments.with_columns(
        pl.col("verdict").cast(Verdict),
        answer=pl.when(pl.col("run").is_null()).then("answer"),  # a position says enough
    )
    final = assessments.filter(pl.col("assessor").is_null())
    if final.height == assessments.height:
        return final.select(*ITEM, *WORD)
    final = final.select(*ITEM, *WORD)
    voted = assessments.filter(pl.col("assessor").is_not_null()).join(
        final, on=ITEM, how="anti", nulls_equal=True
    )
    votes = voted.group_by(*ITEM, "verdict").agg(
        pl.len().alias("votes"),
        pl.col("level").drop_nulls().mode().min(),
        pl.col("class").drop_nulls().mode().min(),
        pl.format("{}: {}", "assessor", "verdict").sort().str.join(", ").alias("voters"),
    )
    preference = {verdict: place for place, verdict in enumerate(ties)}
    order = pl.col("verdict").cast(pl.String).replace_strict(
        preference, default=len(ties), return_dtype=pl.Int64
    )  # fmt: skip
    leading = votes.filter(pl.col("votes") == pl.col("votes").max().over(ITEM)).with_columns(
        order=order
    )
    winning = leading.filter(pl.col("order") == pl.col("order").min().over(ITEM))
    undecided = winning.filter(pl.len().over(ITEM) > 1)
    if not undecided.is_empty():
        _refuse_ties(undecided, name)
    return pl.concat([final, winning.select(*ITEM, *WORD)])


def _attach(responses: pl.DataFrame, final: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """The responses with the word on each, and which of them got it by run and rank."""
    by_position = final.filter(pl.col("run").is_not_null())
    by_answer = final.filter(pl.col("run").is_null())
    place = look_up(responses, by_position, ["run", "question", "rank"])
    found = place.is_not_null()
    words = by_position.select(pl.col(WORD).gather(place))
    if not by_answer.is_empty():
        place = look_up(responses, by_answer, ["question", "answer"])
        of_string = by_answer.select(pl.col(WORD).gather(place))
        words = words.select(pl.when(found).then(each).otherwise(of_string[each]) for each in WORD)
    return responses.with_columns(words), found


def _refuse_ties(undecided: pl.DataFrame, name: str) -> None:
    items = undecided.group_by(ITEM).agg(pl.col("voters").sort().str.join(", ")).sort(ITEM)
    lines = [
        f"{name}: {items.height:,} answers have neither a majority nor an adjudicated label. Add "
        "rows with assessor 'adjudicated', or say in the config which verdict wins: ties: [wrong]"
    ]
    for row in items.head(SHOWN).iter_rows(named=True):
        place = (
            quote(row["answer"]) if row["run"] is None else f"run {row['run']}, rank {row['rank']}"
        )
        lines.append(f"  question {row['question']}, {place}: {row['voters']}")
    raise Refused("\n".join(_shortened(lines, items.height)))


def _refuse_unassessed(judgments: pl.DataFrame, name: str) -> None:
    open_ones = judgments.filter(pl.col("verdict") == "unassessed")
    if open_ones.is_empty():
        return
    strings = open_ones.select("question", "answer").n_unique()
    lines = [
        f"{name}: {open_ones.height:,} answers ({strings:,} distinct) have no assessment. Add the "
        "assessments, or count such answers as wrong: unassessed: wrong"
    ]
    for row in open_ones.head(SHOWN).iter_rows(named=True):
        place = f"run {row['run']}, question {row['question']}, rank {row['rank']}"
        lines.append(f"  {place}: {quote(row['answer'])}")
    raise Refused("\n".join(_shortened(lines, open_ones.height)))


def _shortened(lines: list[str], total: int) -> list[str]:
    return lines if total <= SHOWN else [*lines, f"  … and {total - SHOWN:,} more"]
