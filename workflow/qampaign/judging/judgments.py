"""What every judge does with its verdicts: NIL, silence, repetition, the shape of the result."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import polars as pl

from qampaign.judging.expressions import one_spelling
from qampaign.ordering import ascends
from qampaign.verdicts import VERDICTS

Verdict = pl.Enum(list(VERDICTS))

KEYS = ["run", "question", "sample", "rank"]
"""What a response is known by; `sample` only where the collection has samples."""

COLUMNS = [
    *KEYS,
    "line",  # where it matters to the collection
    "confidence",
    "score",
    "answered",
    "verdict",
    "level",
    "class",
    "nil",
    "empty",
    "said",
    "degree",
    "recall",
    "precision",
    "form",
    "answer",
    "matched",
    "meaning",  # which samples say the same, where there are samples
]

DEGREES = {
    "degree": pl.Float64,
    "recall": pl.Float64,
    "precision": pl.Float64,
    "form": pl.String,
}
"""What only a judge by key has: see :class:`Judged`."""

TEXTS = ("answer", "matched")
"""What people read, and nothing counts."""


@dataclass(frozen=True)
class Judged:
    """What a judge gives."""

    judgments: pl.DataFrame
    """A row per response; `nil`: the answer is NIL; `empty`: there is none; `said`: yes or
    no, for validation; `degree`: what a judge compares with its threshold; `recall`, `precision`:
    how much of the key's best form is in the answer and the reverse; `form`: that form; `matched`:
    what of it the judge found."""
    questions: pl.DataFrame
    """The questions it covers: question, type, nil, group, known (how many distinct right answers),
    positive (the item to validate is right)."""
    known_answers: pl.DataFrame
    """question, meaning, level of the answers it knows to be right."""
    decided: int = 0
    """The ties between labels that `ties:` of the config decided."""
    weights: pl.DataFrame | None = None
    """What it has learned: the table `judge_weights`, less collection and judge."""


def encode(
    responses: pl.DataFrame, questions: pl.DataFrame, *tables: pl.DataFrame
) -> list[pl.DataFrame]:
    """Responses, questions and tables about questions, with runs and questions as codes.

    The questions are in order; what is about none of them is left out. A collection without samples
    has no column of them.
    """
    questions = questions.sort("question")
    if "sample" in responses.columns and responses["sample"].null_count() == responses.height:
        responses = responses.drop("sample")
    run = responses["run"]
    first = (run != run.shift()).fill_null(True)  # of those that stand together: few are left
    runs = pl.Enum(run.filter(first).unique().sort())
    question = pl.col("question").cast(pl.Enum(questions["question"]), strict=False)
    responses = responses.with_columns(pl.col("run").cast(runs))
    return [
        table.with_columns(question).drop_nulls("question")
        for table in (responses, questions, *tables)
    ]


def conclude(
    judged: pl.DataFrame,
    questions: pl.DataFrame,
    right: pl.DataFrame,
    *,
    correct: Collection[str],
    nil: str,
    unassessed: str,
    refuse: Callable[[pl.DataFrame], None],
) -> Judged:
    """What a judge gives, from its verdicts and the answers that it knows to be right.

    Where `unassessed` is "error", `refuse` gets the responses that are left without a verdict, if
    there are any.
    """
    known = known_answers(questions, right)
    judgments = settle(judged, questions, nil=nil, correct=correct)
    if unassessed == "error":
        open_ones = judgments.filter(pl.col("verdict") == "unassessed")
        if not open_ones.is_empty():
            refuse(open_ones)
    return Judged(select_columns(judgments), describe_questions(questions, known), known)


def settle(
    judged: pl.DataFrame, questions: pl.DataFrame, *, nil: str, correct: Collection[str]
) -> pl.DataFrame:
    """Complete a judge's verdicts, which are null where it has none.

    An empty answer is not attempted; NIL is right exactly where the question is nil, whatever the
    judge says; an answer is repeated where a correct one at an earlier rank had the same class
    (else the same text); what then has no verdict is unassessed.
    """
    nil_questions = questions.filter("nil")["question"].implode()
    settled = judged.with_columns(
        nil=(pl.col("answer") == nil).fill_null(False), empty=pl.col("answer").is_null()
    ).with_columns(
        verdict=pl.when(pl.col("answer").is_null())
        .then(pl.lit("not_attempted", Verdict))
        .when(pl.col("nil") & pl.col("question").is_in(nil_questions))
        .then(pl.lit("right", Verdict))
        .when("nil")
        .then(pl.lit("wrong", Verdict))
        .otherwise(pl.col("verdict").fill_null(pl.lit("unassessed", Verdict)))
    )
    if (settled["rank"] > 1).any():
        settled = _mark_repeated(settled, correct)
    if "sample" in settled.columns:
        settled = settled.with_columns(meaning=_normalised_meaning())
    return in_order(without_degrees(settled.with_columns(said=pl.lit(None, pl.Boolean))))


def select_columns(judgments: pl.DataFrame) -> pl.DataFrame:
    """Judgments with the columns that they are kept with, in their order."""
    return judgments.select(name for name in COLUMNS if name in judgments.columns)


def without_degrees(judgments: pl.DataFrame) -> pl.DataFrame:
    """Judgments with the columns that only some judges fill, null where they are not there."""
    kinds = {**DEGREES, "matched": pl.String}
    missing = [name for name in kinds if name not in judgments.columns]
    return judgments.with_columns(pl.lit(None, kinds[name]).alias(name) for name in missing)


def keys_of(judgments: pl.DataFrame) -> list[str]:
    """The columns that its responses are known by."""
    return [name for name in KEYS if name in judgments.columns]


def in_order(judgments: pl.DataFrame) -> pl.DataFrame:
    """In the order of their keys: equal judgments are equal bytes, and evidence counts on it."""
    keys = keys_of(judgments)
    return judgments if ascends(judgments.select(keys)) else judgments.sort(keys)


def _item(judgments: pl.DataFrame) -> pl.Series:
    """A number for the run and question of each judgment, in their order."""
    run, question = (judgments[name].to_physical().cast(pl.Int64) for name in KEYS[:2])
    return run * 2**32 + question


def is_correct(correct: Collection[str]) -> pl.Expr:
    """Whether a verdict counts as correct."""
    return pl.col("verdict").is_in(pl.Series(sorted(correct), dtype=Verdict).implode())


def meaning() -> pl.Expr:
    """What makes two answers the same: their class, else their text in any case."""
    text = pl.lit("text ") + pl.col("answer").str.to_lowercase()
    return pl.coalesce(pl.lit("class ") + pl.col("class"), text)


def _normalised_meaning() -> pl.Expr:
    """What makes the answers of two samples the same: their class, else their text normalised.

    That is, in small letters, without punctuation and superfluous spaces; a text of nothing but
    punctuation is as it is.
    """
    lower = one_spelling(pl.col("answer")).str.to_lowercase()
    bare = lower.str.replace_all(r"[\p{P}\s]+", " ").str.strip_chars()
    text = pl.lit("text ") + pl.when(bare == "").then(lower).otherwise(bare)
    return pl.coalesce(pl.lit("class ") + pl.col("class"), text)


def known_answers(questions: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """Each known answer of each question, once for each of its levels; for a NIL question, NIL.

    `right` has question, answer, class and level of the answers known to be right.
    """
    is_nil = questions.filter("nil").select("question")
    right_answers = right.select("question", meaning().alias("meaning"), "level").unique()
    none = is_nil.with_columns(meaning=pl.lit("NIL"), level=pl.lit(None, pl.String))
    return pl.concat([right_answers.join(is_nil, on="question", how="anti"), none]).sort(
        "question", "meaning", "level"
    )


def describe_questions(questions: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """The questions with the number of their known answers: as given, else as counted."""
    counted = known.group_by("question").agg(pl.col("meaning").n_unique().alias("counted"))
    return questions.join(counted, on="question", how="left", maintain_order="left").select(
        "question",
        "type",
        "nil",
        "group",
        known=pl.coalesce("known", pl.col("counted").fill_null(0)).cast(pl.UInt32),
        positive=pl.lit(False),
    )


def _mark_repeated(judged: pl.DataFrame, correct: Collection[str]) -> pl.DataFrame:
    """Call an answer repeated where a correct one at an earlier rank of its list meant the same.

    A list is what a run says to a question, in one sample.
    """
    good = judged.select(pl.col("answered") & is_correct(correct)).to_series()
    lists = keys_of(judged)[:-1]
    item, plain = _item(judged), judged["class"].is_null()
    # an answer without a class repeats only one without
    text_decides = item.filter(good & plain).unique().implode()
    compared = judged.with_row_index("place").filter(~plain | item.is_in(text_decides))
    text = pl.col("answer").str.to_lowercase().hash()
    means = pl.when(pl.col("class").is_null()).then(text).otherwise(pl.col("class").hash())
    hashes = compared.select(*lists, means).hash_rows()
    if hashes.n_unique() == compared.height:  # equal hashes may be an accident, others are not
        return judged
    first = pl.col("rank").filter(pl.col("answered") & is_correct(correct)).min()
    repeated = compared.filter(hashes.is_duplicated()).filter(
        pl.col("answer").is_not_null() & (pl.col("rank") > first.over(*lists, meaning()))
    )
    return judged.with_columns(judged["verdict"].scatter(repeated["place"], "repeated"))
