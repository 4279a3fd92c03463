"""mean_score: SQuAD's F1 by the judge `exact`, against a transcription; the mean degree by others."""

import re
import string
from collections import Counter
from random import Random
from typing import Any

import polars as pl
import pytest

from qampaign.judging.exact import exact
from qampaign.judging.judgments import Judged
from qampaign.judging.key.key_judge import key
from qampaign.judging.patterns import patterns
from qampaign.measures.baselines import collect_all
from qampaign.measures.cells import Cells
from qampaign.measures.scoring import score
from tests.helpers.measured_rows import configured
from tests.judging.tables import judge_by

WORDS = [
    "the",
    "a",
    "an",
    "Turing",
    "machine",
    "red-hot",
    "U.S.",
    "1990",
    "(war)",
    "is,",
    "dogs",
    "dogs",
    "cat",
]


def squad_words(text: str) -> list[str]:
    """As evaluate-v2.0 normalises an answer: case, punctuation, articles, spaces."""
    small = "".join(sign for sign in text.lower() if sign not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", small).split()


def squad_f1(said: str, accepted: list[str]) -> float:
    """Its F1: the best over the accepted answers; without words on a side, whether both are so."""
    best = 0.0
    for form in accepted:
        mine, theirs = squad_words(said), squad_words(form)
        if not mine or not theirs:
            best = max(best, float(mine == theirs))
            continue
        common = sum((Counter(mine) & Counter(theirs)).values())
        if common:
            precision, recall = common / len(mine), common / len(theirs)
            best = max(best, 2 * precision * recall / (precision + recall))
    return best


def values(judged: Judged, *, degrees: bool = True) -> dict[str, Any]:
    measure = configured("mean_score", {})
    cells = Cells.of(
        judged.judgments,
        judged.questions,
        reference=judged.questions,
        known_answers=judged.known_answers,
        correct=["right"],
        degrees=degrees,
    )
    evidence = collect_all(cells, [*measure.columns().values()])
    scores = score(evidence, [measure]).filter(pl.col("slice") == "all")
    return dict(scores.select("run", "value").rows())


@pytest.mark.parametrize("seed", range(30))
def test_by_exact_it_is_the_f1_of_squad(seed: int) -> None:
    random = Random(seed)

    def text() -> str:
        return " ".join(random.choices(WORDS, k=random.randint(1, 5)))

    questions = [f"q{n}" for n in range(8)]
    accepted = {q: [text() for _ in range(random.randint(1, 3))] for q in questions}
    said = {q: text() if random.random() < 0.8 else None for q in questions}
    judged = judge_by(
        exact, "keys",
        [{"question": q, "answer": said[q]} for q in questions],
        [{"question": q, "key": each.replace("(", "\\(").replace(")", "\\)")}
         for q in questions for each in accepted[q]],
    )  # fmt: skip
    expected = [squad_f1(said[q], accepted[q]) if said[q] else 0.0 for q in questions]
    assert values(judged)["a"] == pytest.approx(sum(expected) / len(expected), abs=1e-12)


def test_questions_without_an_answer_as_in_squad_2() -> None:
    # q1 has no answer: NIL is right, 1, and anything else 0; q2 has one: NIL is wrong, 0. An empty
    # answer is unanswered here, 0, where SQuAD 2.0 takes it for NIL.
    questions = [{"question": "q1", "nil": True}, {"question": "q2"}, {"question": "q3"}]
    keys = [{"question": q, "key": "red dogs"} for q in ("q2", "q3")]

    def value(*answers: str | None) -> float:
        said = [{"question": f"q{n}", "answer": each} for n, each in enumerate(answers, start=1)]
        return values(judge_by(exact, "keys", said, keys, questions))["a"]

    assert value("NIL", "NIL", "red dogs") == pytest.approx((1 + 0 + 1) / 3)
    assert value("Paris", "dogs", "red dogs run") == pytest.approx((0 + 2 / 3 + 4 / 5) / 3)
    assert value(None, "red dogs", None) == pytest.approx(1 / 3)


def test_by_key_it_is_the_mean_degree() -> None:
    # the share of the key's words in the answer: 1 of 2, 2 of 2, none
    said = ["Abraham", "Abraham Lincoln", "Washington"]
    judged = judge_by(
        key, "keys",
        [{"question": f"q{n}", "answer": each} for n, each in enumerate(said)],
        [{"question": f"q{n}", "key": "Abraham Lincoln"} for n in range(3)],
    )  # fmt: skip
    assert values(judged)["a"] == pytest.approx((0.5 + 1 + 0) / 3)


def test_a_judge_without_degrees_gives_no_mean_score() -> None:
    judged = judge_by(patterns, "patterns", [{"answer": "x"}], [{"pattern": "x"}])
    assert values(judged, degrees=False)["a"] is None
