"""Suspect keys: which questions are listed, with which answers."""

import numpy as np
import polars as pl

from qampaign.agreement.suspects import chance_bound, find_suspects, list_suspects
from qampaign.measures.items import item_rest


def test_questions_without_a_fault_are_listed_one_in_twenty_times_at_most() -> None:
    # runs differ, these questions do not care: each is right with the same chance for every run
    rng = np.random.default_rng(5)
    shares = []
    for _ in range(30):
        ability = rng.uniform(0.3, 0.8, 20)
        fair = rng.random((20, 100)) < ability[:, None]
        unrelated = rng.random((20, 100)) < 0.5
        found = item_rest(np.hstack([fair, unrelated]).astype(np.uint8))[100:]
        shares.append((found < chance_bound(20)).mean())
    assert 0.03 < np.mean(shares) < 0.07


def test_the_most_negative_question_comes_first_and_few_runs_list_nothing() -> None:
    questions = pl.DataFrame({"question": ["q1", "q2", "q3"], "item_rest": [-0.6, None, -0.9]})
    assert find_suspects(questions, 20)["question"].to_list() == ["q3", "q1"]
    assert find_suspects(questions, 9).is_empty()


def test_the_answers_that_runs_gave_are_counted() -> None:
    runs = [f"r{n}" for n in range(3)]
    judged = pl.DataFrame(
        {
            "run": runs,
            "question": "q1",
            "rank": 1,
            "answer": ["Rome", "Oslo", "Oslo"],
            "verdict": ["right", "wrong", "wrong"],
        }
    )
    later = judged.with_columns(rank=2, answer=pl.lit("Bonn"))
    suspects = pl.DataFrame({"question": ["q1"], "item_rest": [-0.8], "right_runs": [1]})
    listed = list_suspects(suspects, pl.concat([judged, later]).lazy(), pl.Series(runs))
    shown = listed.select("answer", "verdict", "runs").rows()
    assert shown == [("Oslo", "wrong", 2), ("Rome", "right", 1)]
