"""The judge `contains`: the answer contains, as whole words, an answer that is accepted.

What Martin & Lankester did (Breck et al. 2000, section 4): a response is right if it fully contains
an answer that the assessors of another response called right. Texts are compared as the judge
`exact` compares them. Of what it accepts little should be wrong, and it misses what nobody has
said in these words: its scores are meant as a lower bound.
"""

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
import polars as pl

from qampaign.judging.accepted_answers import conclude_by_answers
from qampaign.judging.declaration import judge
from qampaign.judging.exact import as_is, of_signs, plain, spelled_out
from qampaign.judging.judgments import Judged, Verdict, encode
from qampaign.options import Options

MOST_PAIRS = 2**21
"""How many pairs of an answer and an accepted one are compared at a time: more need more memory."""


@judge(by="keys", taught_by="learned_from", labels_suffice=True)
def contains(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    refusals: Options | None = None,
    labels: pl.DataFrame | None = None,
    learned_from: Annotated[
        str | None,
        "the name of another judge, such as people: what it calls right in the answers of other "
        "runs is accepted, too, and no key is needed",
    ] = None,
    case: Annotated[
        Literal["ignore", "keep"], "ignore (China is china) or keep (it is not)"
    ] = "ignore",
) -> Judged:
    """Accepted answers: right where the answer contains one of them, as whole words.

    Accepted are the forms of the key and, given `labels`, what another judge has called right in
    answers of other runs, never in those of the judged run. The judgments have the accepted answer
    that was found as their form, those of the key first, then the longest; and their precision, the
    share of the answer's words that it makes up.
    """
    del learned_from  # who gave the labels
    taught = [] if labels is None else [labels]
    responses, questions, keys, *taught = encode(responses, questions, keys, *taught)
    forms = spelled_out(keys)
    nobody, of_key = pl.lit(None, pl.String), pl.lit(False)
    accepted = [forms.select("question", "form", "class", "level", giver=nobody, is_learned=of_key)]
    covered = forms["question"]
    for rows in taught:
        accepted.append(_right_ones(rows, keep_case=case == "keep"))
        covered = pl.concat([covered, rows["question"]])
    best = find(responses, pl.concat(accepted), keep_case=case == "keep")
    own_run = pl.col("run").cast(pl.String)
    if "origin" in responses.columns:  # the answers of a what-if run are those of another
        own_run = pl.coalesce(pl.col("origin").drop_nulls().first().over("run"), own_run)
    judged = responses.join(
        best, on=["question", "answer"], how="left", maintain_order="left"
    ).with_columns(is_own=(pl.col("giver") == own_run).fill_null(False))
    chosen = [
        pl.when("is_own").then(f"{name}_other").otherwise(name).alias(name)
        for name in ("form", "class", "level", "precision")
    ]
    right, known = pl.col("form").is_not_null(), pl.col("question").is_in(covered.implode())
    judged = judged.with_columns(chosen).with_columns(
        pl.coalesce("class", "form").alias("class"),
        pl.col("form").alias("matched"),
        pl.when(right)
        .then(pl.lit("right", Verdict))
        .when(known & pl.col("answer").is_not_null())
        .then(pl.lit("wrong", Verdict))
        .alias("verdict"),
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


def _right_ones(labels: pl.DataFrame, *, keep_case: bool) -> pl.DataFrame:
    """The answers that were called right, each once, with the run that alone gave it, if one did.

    An answer that some label calls wrong, and another right, is not accepted.
    """
    texts = labels.drop_nulls("answer").with_columns(
        wanted=plain(pl.col("answer"), keep_case=keep_case), run=pl.col("run").cast(pl.String)
    )
    return (
        texts.sort("question", "wanted", "answer", "run", "rank")
        .group_by("question", "wanted", maintain_order=True)
        .agg(
            pl.col("right").all(),
            pl.col("answer").first().alias("form"),
            pl.col("class", "level").drop_nulls().first(),
            giver=pl.when(pl.col("run").n_unique() == 1).then(pl.col("run").first()),
        )
        .filter("right")
        .select("question", "form", "class", "level", "giver", is_learned=pl.lit(True))
    )


def find(responses: pl.DataFrame, accepted: pl.DataFrame, *, keep_case: bool) -> pl.DataFrame:
    """Every distinct answer that contains an accepted one, with the best that it contains.

    `accepted` has question, form, class, level, giver (the run that it must not be used for) and
    is_learned (it is not of the key).
    Gives form, class, level, precision and giver of the best, and as `…_other` of the best that has
    another giver, or none.
    """
    answers = responses.select("question", "answer").drop_nulls().unique(maintain_order=True)
    plain_answers = answers.with_columns(said=plain(pl.col("answer"), keep_case=keep_case))
    wanted = accepted.with_columns(wanted=plain(pl.col("form"), keep_case=keep_case))
    parts = [_compare(some, wanted) for some in _portions(plain_answers, wanted)]
    item = ["question", "answer"]
    ordered = pl.concat(parts).sort(
        *item, "is_learned", "precision", "number", descending=[False, False, False, True, False]
    )
    first = ordered.unique(item, keep="first", maintain_order=True)
    others = ordered.join(first.select(*item, used="giver"), on=item, maintain_order="left")
    second = others.filter(~pl.col("giver").eq_missing(pl.col("used")) | pl.col("giver").is_null())
    values = ["form", "class", "level", "precision"]
    return first.select(*item, *values, "giver").join(
        second.unique(item, keep="first", maintain_order=True).select(*item, *values),
        on=item,
        how="left",
        suffix="_other",
        maintain_order="left",
    )


def _portions(answers: pl.DataFrame, accepted: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Answers such that no more than so many pairs are compared at a time."""
    number = accepted.group_by("question").agg(pl.len().alias("number"))
    pairs = answers.select("question").join(
        number, on="question", how="left", maintain_order="left"
    )
    total = pairs["number"].fill_null(0).cast(pl.Int64).cum_sum().to_numpy()
    cuts = np.searchsorted(total, np.arange(MOST_PAIRS, total.max(initial=0), MOST_PAIRS))
    for first, last in pairwise([0, *np.unique(cuts).tolist(), answers.height]):
        yield answers[first:last]


def _compare(answers: pl.DataFrame, accepted: pl.DataFrame) -> pl.DataFrame:
    """The pairs of an answer and an accepted one that it contains."""
    pairs = answers.join(accepted.with_row_index("number"), on="question", maintain_order="left")
    padded = [pl.concat_str(pl.lit(" "), name, pl.lit(" ")) for name in ("said", "wanted")]
    holds = (
        pl.when(of_signs())
        .then(as_is("answer").str.contains(as_is("form"), literal=True))
        .when(pl.col("wanted") == "")
        .then(pl.col("said") == "")
        .otherwise(padded[0].str.contains(padded[1], literal=True))
    )
    size = {name: pl.col(name).str.count_matches(r"\S+") for name in ("said", "wanted")}
    return (
        pairs.filter(holds)
        .with_columns(
            precision=pl.max_horizontal(size["wanted"], 1) / pl.max_horizontal(size["said"], 1)
        )
        .drop("said", "wanted")
    )
