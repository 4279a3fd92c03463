"""The judges `assessments` and `verdicts`: what was said of an answer, or of an item to validate.

It was said of an answer string, or of a run's answer at a rank.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Annotated

import polars as pl

from qampaign.judging.adjudication import WORD, adjudicate, select_assessor
from qampaign.judging.declaration import Task, judge
from qampaign.judging.exact import plain
from qampaign.judging.item_assessments import judge_items
from qampaign.judging.judgments import Judged, conclude, encode, is_correct, keys_of
from qampaign.judging.lookup import look_up
from qampaign.judging.unassessed import refuse_unassessed
from qampaign.problems import quote


@judge(by="assessments", tasks=("answering", "validation"), default_name="people")
def assessments(
    responses: pl.DataFrame,
    labels: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    ties: Sequence[str],
    unassessed: str,
    nil: str,
    task: Task = "answering",
    partial: bool = False,
    assessor: Annotated[
        str | None,
        "an assessor whose labels alone count, over the questions that this person assessed",
    ] = None,
) -> Judged:
    """People's labels: the adjudicated one, else the majority's.

    `ties` lists the verdicts that win a tie, the first one first. Raises :class:`Refused` for ties
    that nothing breaks, and for answers without a label unless `unassessed` is "wrong". A response
    with an `origin` is judged by the labels of that run. With `partial`, labels are meant to be on
    a part, to correct another judge: where `unassessed` is "error", questions without any label
    are left out, and nothing is refused.
    """
    if assessor is not None:
        labels, questions = select_assessor(labels, questions, assessor, name)
    if partial and unassessed == "error":
        questions = questions.join(labels.select("question").unique(), on="question", how="semi")
        unassessed = "wrong"
    if task == "validation":
        return judge_items(
            responses, labels, questions,
            name=name, correct=correct, ties=ties, unassessed=unassessed,
        )  # fmt: skip
    return _judge_answers(
        responses, labels, questions,
        name=name, correct=correct, ties=ties, unassessed=unassessed, nil=nil,
    )  # fmt: skip


@judge(by="verdicts", tasks=("answering", "validation"))
def verdicts(
    responses: pl.DataFrame,
    labels: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    ties: Sequence[str],
    unassessed: str,
    nil: str,
    task: Task = "answering",
    partial: bool = False,
) -> Judged:
    """Labels computed elsewhere, by an LLM for example.

    They are read as those of people are. Of several trials the majority's verdict counts.
    """
    return assessments(
        responses, by_trial(labels), questions,
        name=name, correct=correct, ties=ties, unassessed=unassessed, nil=nil, task=task,
        partial=partial,
    )  # fmt: skip


def by_trial(labels: pl.DataFrame) -> pl.DataFrame:
    """Labels of which each trial votes as an assessor does.

    >>> labels = pl.DataFrame({"assessor": [None, None, "gpt"], "trial": [None, "2", "1"]})
    >>> by_trial(labels).to_series().to_list()
    [None, 'trial 2', 'gpt, trial 1']
    """
    if "trial" not in labels.columns:
        return labels
    voter = pl.concat_str([pl.col("assessor"), pl.lit("trial ") + pl.col("trial")], separator=", ",
                          ignore_nulls=True)  # fmt: skip
    voting = pl.when(pl.col("trial").is_null()).then("assessor").otherwise(voter)
    return labels.with_columns(assessor=voting).drop("trial")


def _judge_answers(
    responses: pl.DataFrame,
    labels: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    ties: Sequence[str],
    unassessed: str,
    nil: str,
) -> Judged:
    """Judge answers by their final labels."""
    final, decided = adjudicate(labels, ties, name)
    responses, questions, final = encode(responses, questions, final)
    judged, by_position = attach(responses, final)
    good, known = is_correct(correct), ["question", "answer", "class", "level"]
    named = final.filter(pl.col("run").is_null() & good).select(known)
    right = pl.concat([named, judged.filter(by_position & good).select(known)])
    concluded = conclude(
        judged,
        questions,
        right,
        correct=correct,
        nil=nil,
        unassessed=unassessed,
        refuse=lambda open_ones: refuse_unassessed(
            open_ones, name, _spelled_otherwise(open_ones, final)
        ),
    )
    return replace(concluded, decided=decided)


def _spelled_otherwise(open_ones: pl.DataFrame, final: pl.DataFrame) -> str | None:
    """How many answers have a label in another spelling, where some have."""
    question, answer = (pl.col(name).cast(pl.String) for name in ("question", "answer"))
    keys = ["question", "plain"]
    answers, known = (
        frame.select(question, answer.alias(name), plain=plain(answer)).filter(
            pl.col("plain") != ""
        )
        for frame, name in ((open_ones, "answer"), (final.filter(pl.col("run").is_null()), "label"))
    )
    known = known.unique(keys, keep="first", maintain_order=True)
    near = answers.join(known, on=keys, how="inner", maintain_order="left")
    if near.is_empty():
        return None
    first = near.row(0, named=True)
    return (
        f"{near.height:,} of {open_ones.height:,} differ from a labelled answer to the question "
        f"only in case, punctuation or articles, such as {quote(first['answer'])} from "
        f"{quote(first['label'])}: spell the labels as the answers are"
    )


def attach(
    responses: pl.DataFrame, final: pl.DataFrame, word: Sequence[str] = WORD
) -> tuple[pl.DataFrame, pl.Series]:
    """The responses with the word on each, and which of them got it by run, sample and rank.

    `word` are the columns of what was said.
    """
    run_ids = responses.schema["run"]
    by_position = final.filter(pl.col("run").is_not_null())
    by_position = by_position.with_columns(pl.col("run").cast(run_ids, strict=False))
    by_answer = final.filter(pl.col("run").is_null())
    labelled = responses
    if "origin" in responses.columns:
        labelled = responses.with_columns(run=pl.col("origin").cast(run_ids, strict=False))
    if "sample" in responses.columns:
        sample = pl.lit(None, pl.String) if "sample" not in final.columns else pl.col("sample")
        labelled = labelled.with_columns(pl.col("sample").fill_null(""))
        by_position = by_position.with_columns(sample=sample.fill_null(""))
    elif "sample" in final.columns:  # nobody gave such an answer
        by_position = by_position.filter(pl.col("sample").is_null())
    positioned = look_up(labelled, by_position, keys_of(responses))
    has_position = positioned.is_not_null()
    words = by_position.select(word)
    if not positioned.equals(pl.int_range(words.height, dtype=pl.UInt32, eager=True)):
        words = words.select(pl.all().gather(positioned))
    if not has_position.all():
        of_string = look_up(responses, by_answer, ["question", "answer"])
        of_answer = by_answer.select(pl.col(word).gather(of_string))
        words = words.select(
            pl.when(has_position).then(name).otherwise(of_answer[name]) for name in word
        )
    return responses.with_columns(words), has_position
