"""The judge `logged`: verdicts and numbers of scorers in logs."""

from typing import Any

import polars as pl
import pytest

from qampaign.judging.judgments import Judged
from qampaign.judging.logged import logged
from qampaign.problems import Refused

RESPONSES = {
    "run": pl.String,
    "question": pl.String,
    "sample": pl.String,
    "rank": pl.Int64,
    "answer": pl.String,
    "confidence": pl.Float64,
    "score": pl.Float64,
    "answered": pl.Boolean,
}
SAID = {
    "question": pl.String,
    "run": pl.String,
    "sample": pl.String,
    "rank": pl.Int64,
    "scorer": pl.String,
    "verdict": pl.String,
    "level": pl.String,
    "score": pl.Float64,
}
QUESTIONS = {
    "question": pl.String,
    "type": pl.String,
    "nil": pl.Boolean,
    "known": pl.Int64,
    "group": pl.String,
    "language": pl.String,
    "date": pl.Date,
}


def judged(*values: tuple[str | None, str | None, float | None], **options: Any) -> Judged:
    """What the judge makes of one run with an answer for each (verdict, level, score)."""
    names = [f"q{number}" for number in range(len(values))]
    responses = [("a", name, None, 1, f"answer {name}", None, None, True) for name in names]
    said = [
        (name, "a", None, 1, "match", *each)
        for name, each in zip(names, values, strict=True)
        if each != (None, None, None)
    ]
    questions = [(name, None, False, None, None, None, None) for name in names]
    return logged(
        pl.DataFrame(responses, schema=RESPONSES, orient="row"),
        pl.DataFrame(said, schema=SAID, orient="row"),
        pl.DataFrame(questions, schema=QUESTIONS, orient="row"),
        name="J",
        **options,
    )


def verdicts_of(result: Judged) -> list[tuple[str, float | None]]:
    return result.judgments.select(pl.col("verdict").cast(pl.String), "degree").rows()


def test_letters_are_verdicts_with_degrees() -> None:
    result = judged(
        ("right", None, None),
        ("wrong", None, None),
        ("inexact", "0.5", None),
        ("not_attempted", None, None),
    )
    assert verdicts_of(result) == [
        ("right", 1.0),
        ("wrong", 0.0),
        ("inexact", 0.5),
        ("not_attempted", 0.0),
    ]
    assert result.judgments["level"].to_list() == [None, None, "0.5", None]


def test_0_and_1_are_verdicts() -> None:
    assert verdicts_of(judged(("right", None, 1.0), ("wrong", None, 0.0))) == [
        ("right", 1.0),
        ("wrong", 0.0),
    ]


def test_other_numbers_need_a_threshold_or_are_scores() -> None:
    values = ("right", None, 1.0), (None, None, 0.25), (None, None, 0.75)
    with pytest.raises(
        Refused, match=r"2 of 3 values are numbers other than 0 and 1, such as 0\.25"
    ):
        judged(*values)
    assert verdicts_of(judged(*values, threshold=0.5)) == [
        ("right", 1.0),
        ("wrong", 0.25),
        ("right", 0.75),
    ]
    assert verdicts_of(judged(*values, values="scores")) == [
        ("unassessed", 1.0),
        ("unassessed", 0.25),
        ("unassessed", 0.75),
    ]


def test_a_scale_is_taken_to_0_and_1() -> None:
    # 6 of 10 is 0.6, and 1 of 10 is 0.1, although 1 alone would be right
    values = (None, None, 6.0), ("right", None, 1.0)
    assert verdicts_of(judged(*values, scale=[0, 10], threshold=0.5)) == [
        ("right", 0.6),
        ("wrong", 0.1),
    ]


def test_what_is_not_scored_is_refused_unless_it_counts_as_wrong() -> None:
    values = ("right", None, None), (None, None, None)
    with pytest.raises(Refused, match="1 answer has no verdict"):
        judged(*values)
    assert verdicts_of(judged(*values, unassessed="wrong"))[1] == ("unassessed", None)


def test_several_scorers_are_listed() -> None:
    responses = pl.DataFrame(
        [("a", "q", None, 1, "x", None, None, True)], schema=RESPONSES, orient="row"
    )
    questions = pl.DataFrame(
        [("q", None, False, None, None, None, None)], schema=QUESTIONS, orient="row"
    )
    said = pl.DataFrame(
        [("q", "a", None, 1, scorer, verdict, None, None) for scorer, verdict in
         (("match", "right"), ("model", "wrong"))],
        schema=SAID,
        orient="row",
    )  # fmt: skip
    with pytest.raises(Refused) as refused:
        logged(responses, said, questions, name="J")
    assert str(refused.value) == (
        "J: the logs have the verdicts of 2 scorers: 'match', 'model'. Say in the config whose "
        "count: scorer: NAME"
    )
    result = logged(responses, said, questions, name="J", scorer="model")
    assert verdicts_of(result) == [("wrong", 0.0)]
    with pytest.raises(Refused, match="'f1' has scored nothing; scorers: 'match', 'model'"):
        logged(responses, said, questions, name="J", scorer="f1")


def test_logs_without_verdicts_are_refused() -> None:
    with pytest.raises(Refused, match="the logs have no verdicts"):
        judged((None, None, None))
