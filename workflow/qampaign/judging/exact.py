"""The judge `exact`: the answer is a form of the key, or shares enough words with one.

What builders know from SQuAD (Rajpurkar et al. 2016): texts are compared in small letters, without
punctuation, articles (English ones) and superfluous spaces; F1 is that of their words, each counted
as often as it stands there. A form of punctuation alone, such as `*`, is compared as it stands.
"""

from collections.abc import Collection
from typing import Annotated

import polars as pl

from qampaign.judging.accepted_answers import conclude_by_answers
from qampaign.judging.declaration import COLUMNS, judge
from qampaign.judging.expressions import one_space, one_spelling
from qampaign.judging.judgments import Judged, Verdict, encode
from qampaign.judging.key import grammar
from qampaign.options import Options, Share


def matched_words(responses: pl.DataFrame, *_: object, **__: object) -> pl.Series:
    """The words of the form that are in each answer; `responses` have answer and form."""
    answer_words, form_words = (plain(pl.col(name)).str.split(" ") for name in ("answer", "form"))
    return responses.select(
        form_words.list.set_intersection(answer_words).list.join(" ")
    ).to_series()


@judge(by="keys", degrees=True, matched_words=matched_words)
def exact(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    refusals: Options | None = None,
    threshold: Annotated[
        Share | None,
        "a number from 0 to 1: answers with a greater F1 with a form are right, too",
    ] = None,
) -> Judged:
    """An answer key: right where the answer is one of its forms, as SQuAD compares texts.

    With a `threshold` also where F1 is above it. The judgments have F1 with the best form as their
    degree, and its recall and precision.
    """
    responses, questions, keys = encode(responses, questions, keys)
    forms = spelled_out(keys)
    judged = responses.join(
        compare(responses, forms, threshold),
        on=["question", "answer"],
        how="left",
        maintain_order="left",
    )
    return conclude_by_answers(
        judged,
        questions,
        forms.rename({"form": "answer"}),
        name=name,
        correct=correct,
        unassessed=unassessed,
        nil=nil,
        refusals=refusals,
    )


def spelled_out(keys: pl.DataFrame) -> pl.DataFrame:
    """A row for each form of each key: question, class, level, form.

    Forms of one answer share a class: that of the key, else the first form.
    """
    rows = [
        (question, key_class or key.meaning_of(answer), form.level or level, form.text)
        for question, text, level, key_class, literal in keys.select(COLUMNS["keys"]).rows()
        for key in [grammar.read(text, literal=literal)]
        for answer in key.answers
        for form in answer.forms
    ]
    schema = {"question": pl.String, "class": pl.String, "level": pl.String, "form": pl.String}
    spelled = pl.DataFrame(rows, schema=schema, orient="row")
    return spelled.with_columns(pl.col("question").cast(keys.schema["question"]))


def plain(text: pl.Expr, *, keep_case: bool = False) -> pl.Expr:
    """A text without what does not count.

    >>> pl.select(plain(pl.lit("The U.S. dollar,  a lot"))).item()
    'us dollar lot'
    >>> pl.select(plain(pl.lit("The U.S. dollar,  a lot"), keep_case=True)).item()
    'US dollar lot'
    """
    normal = one_spelling(text)
    cased = normal if keep_case else normal.str.to_lowercase()
    bare = cased.str.replace_all(r"[\p{P}$+<=>^`|~]", "")
    words = bare.str.replace_all(r"(?i)\b(a|an|the)\b", " ")
    return one_space(words)


def compare(responses: pl.DataFrame, forms: pl.DataFrame, threshold: float | None) -> pl.DataFrame:
    """Every distinct answer to a question that has a key, with its best form and the verdict."""
    answers = responses.select("question", "answer").drop_nulls().unique(maintain_order=True)
    forms = forms.with_columns(plain(pl.col("form")).alias("wanted")).with_row_index("number")
    pairs = (
        answers.with_columns(plain(pl.col("answer")).alias("said"))
        .join(forms, on="question", how="inner", maintain_order="left_right")
        .with_row_index("pair")
    )
    shared = _words(pairs, "said").join(_words(pairs, "wanted"), on=["pair", "word"])
    overlap = shared.group_by("pair").agg(
        pl.min_horizontal("times", "times_right").sum().alias("o")
    )
    size = {name: pl.col(name).str.count_matches(r"\S+") for name in ("said", "wanted")}
    same = (
        pl.when(of_signs())
        .then(as_is("answer") == as_is("form"))
        .otherwise(pl.col("said") == pl.col("wanted"))
    )
    empty = (size["said"] == 0) & (size["wanted"] == 0)  # nothing but punctuation, on both sides
    compared = (
        pairs.join(overlap, on="pair", how="left", maintain_order="left")
        .with_columns(pl.when(empty & same).then(1).otherwise(pl.col("o").fill_null(0)).alias("o"))
        .with_columns(
            same=same,
            degree=2 * pl.col("o") / pl.max_horizontal(size["said"] + size["wanted"], 2),
            recall=pl.col("o") / pl.max_horizontal(size["wanted"], 1),
            precision=pl.col("o") / pl.max_horizontal(size["said"], 1),
        )
    )
    best = compared.sort(
        "question",
        "answer",
        "same",
        "degree",
        "number",
        descending=[False, False, True, True, False],
    ).unique(["question", "answer"], keep="first", maintain_order=True)
    right = pl.col("same") if threshold is None else pl.col("same") | (pl.col("degree") > threshold)
    return best.select(
        "question",
        "answer",
        pl.when(right)
        .then(pl.lit("right"))
        .otherwise(pl.lit("wrong"))
        .cast(Verdict)
        .alias("verdict"),
        pl.when(right).then("class").alias("class"),
        pl.when(right).then("level").alias("level"),
        "degree",
        "recall",
        "precision",
        "form",
    )


def of_signs() -> pl.Expr:
    """Whether of a form, plain as `wanted`, nothing is left because it has signs alone."""
    return (pl.col("wanted") == "") & ~pl.col("form").str.contains(r"[\p{L}\p{N}]")


def as_is(name: str) -> pl.Expr:
    """A text in which signs count, for forms of which nothing else is left."""
    return one_spelling(pl.col(name)).str.strip_chars()


def _words(pairs: pl.DataFrame, name: str) -> pl.DataFrame:
    """How often each word stands in a text of each pair."""
    words = pairs.select("pair", pl.col(name).str.split(" ").alias("word")).explode("word")
    return words.group_by("pair", "word").agg(pl.len().alias("times"))
