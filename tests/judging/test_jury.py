"""A jury: the majority of other judges."""

import polars as pl
import pytest

from qampaign.judging.adjudication import Tied
from qampaign.judging.judgments import Verdict
from qampaign.judging.jury import jury, votes
from qampaign.judging.ties import refuse_level_jury
from qampaign.problems import Refused

RESPONSES = pl.DataFrame(
    {
        "run": ["a", "a", "a", "b"],
        "question": ["q1", "q2", "q3", "q1"],
        "rank": 1,
        "answer": ["Paris", "NIL", None, "Lyon"],
        "confidence": pl.Series([None] * 4, dtype=pl.Float64),
        "score": pl.Series([None] * 4, dtype=pl.Float64),
        "answered": [True, True, False, True],
    }
)
QUESTIONS = pl.DataFrame({"question": ["q1", "q2", "q3"]}).with_columns(
    type=pl.lit(None, pl.String),
    nil=pl.col("question") == "q2",
    known=pl.lit(None, pl.Int64),
    group=pl.lit(None, pl.String),
)


def said(paris: str, lyon: str) -> pl.DataFrame:
    """What a judge says of the answers to q1."""
    return pl.DataFrame(
        {
            "run": ["a", "b"],
            "question": "q1",
            "rank": 1,
            "verdict": pl.Series([paris, lyon], dtype=Verdict),
            "level": None,
            "class": None,
        }
    )


def verdicts(judges: dict[str, pl.DataFrame], **options: object) -> list[str]:
    given = {"name": "jury", "of": list(judges), "unassessed": "error"} | options
    found = jury(RESPONSES, votes(judges), QUESTIONS, **given).judgments
    return found.sort("run", "question")["verdict"].cast(pl.String).to_list()


def test_the_majority_decides_and_nil_and_silence_are_as_ever() -> None:
    judges = {
        "x": said("right", "wrong"),
        "y": said("right", "right"),
        "z": said("wrong", "wrong"),
    }
    assert verdicts(judges) == ["right", "right", "not_attempted", "wrong"]


def test_a_judge_without_a_verdict_does_not_vote() -> None:
    judges = {
        "x": said("right", "wrong"),
        "y": said("right", "unassessed"),
        "z": said("wrong", "unassessed"),
    }
    assert verdicts(judges) == ["right", "right", "not_attempted", "wrong"]


def test_a_tie_is_refused_with_the_votes_unless_the_config_decides() -> None:
    judges = {"x": said("right", "wrong"), "y": said("wrong", "wrong")}
    with pytest.raises(Refused, match=r"(?s)neither a majority.*x: right, y: wrong"):
        verdicts(judges)
    assert verdicts(judges, ties=["wrong"])[0] == "wrong"


def test_an_answer_that_no_judge_has_judged_is_unassessed() -> None:
    judges = {"x": said("right", "unassessed"), "y": said("right", "unassessed")}
    with pytest.raises(Refused, match="1 answer has no verdict"):
        verdicts(judges)
    assert verdicts(judges, unassessed="wrong")[-1] == "unassessed"


def test_a_changed_answer_of_a_what_if_run_is_judged_as_its_own() -> None:
    derived = RESPONSES.with_columns(origin=pl.lit("a"))
    judges = {"x": said("right", "wrong"), "y": said("right", "wrong")}
    found = jury(derived, votes(judges), QUESTIONS, name="jury", of=["x", "y"])
    assert found.judgments.filter(run="b")["verdict"].to_list() == ["wrong"]


def test_a_level_jury_is_told_what_decides() -> None:
    # nobody can add an adjudicated label to a jury: the config alone decides
    judges = {"x": said("right", "wrong"), "y": said("unsupported", "wrong")}
    with pytest.raises(Tied) as tied:
        verdicts(judges, ties=["wrong"])
    assert str(refuse_level_jury(tied.value)) == (
        "jury: an answer has no majority among the jury. Say in the config which verdict wins: "
        "ties: [wrong, unsupported], for the jury or the collection\n"
        "  question q1, run a, rank 1: x: right, y: unsupported"
    )
    assert verdicts(judges, ties=["wrong", "unsupported"])[0] == "unsupported"
