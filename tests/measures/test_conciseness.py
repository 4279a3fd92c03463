"""conciseness: the mean precision of first answers, beside verdicts."""

import polars as pl
import pytest

from qampaign.judging.contains import contains
from qampaign.judging.key.key_judge import key
from qampaign.judging.patterns import patterns
from qampaign.measures.scoring import collect_evidence, score, unused
from tests.helpers.measured_rows import configured
from tests.judging.tables import judge_by

RESPONSES = [
    {"run": "a", "question": "q1", "answer": "Paris"},
    {"run": "a", "question": "q2", "answer": "river Seine, deep"},
    {"run": "b", "question": "q1", "answer": "NIL"},
    {"run": "b", "question": "q2", "answer": None},
    {"run": "c", "question": "q1", "rank": 1, "answer": "Lyon"},
    {"run": "c", "question": "q1", "rank": 2, "answer": "Paris"},
]


def test_it_is_the_mean_over_what_was_answered() -> None:
    # a: Paris has 1 of 1 of its words in the key, "river Seine, deep" 1 of 3; b answers NIL and
    # nothing, which have no precision; c's first answer shares no word with the key
    keys = [{"question": "q1", "key": "Paris"}, {"question": "q2", "key": "Seine"}]
    assert values(key, "keys", keys) == {"a": pytest.approx((1 + 1 / 3) / 2), "b": None, "c": 0.0}
    # what contains nothing that is accepted has no precision by the judge contains
    found = values(contains, "keys", keys)
    assert found == {"a": pytest.approx((1 + 1 / 3) / 2), "b": None, "c": None}


def test_a_judge_that_compares_no_words_has_none() -> None:
    rows = [{"question": "q1", "pattern": "Paris"}, {"question": "q2", "pattern": "Seine"}]
    assert values(patterns, "patterns", rows) == {"a": None, "b": None, "c": None}


def values(judge, by: str, rows: list) -> dict[str, float | None]:
    judged = judge_by(judge, by, RESPONSES, rows)
    measures = [configured("conciseness", {})]
    evidence = collect_evidence(
        judged.judgments.drop(unused(measures)),
        judged.questions,
        measures,
        reference=judged.questions,
        known_answers=judged.known_answers,
        correct=["right"],
    )
    found = score(evidence, measures).filter(pl.col("slice") == "all")
    return dict(found.select("run", "value").rows())
