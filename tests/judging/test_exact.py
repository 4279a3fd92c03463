"""The judge `exact`: normalised exact match, and F1 of the words."""

import string
from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging import exact
from qampaign.judging.judgments import Judged
from qampaign.problems import Refused
from tests.judging.tables import judge_by, table


def judged(answers: list[str | None], *keys: str, **options: object) -> Judged:
    responses = [{"rank": rank, "answer": answer} for rank, answer in enumerate(answers, start=1)]
    return judge_by(exact.exact, "keys", responses, [{"key": key} for key in keys], **options)


def test_case_punctuation_articles_and_spaces_do_not_count() -> None:
    answers = ["the  U.S.A.", "usa", "an apple", "USA today", None]
    found = judged(answers, "USA | Apple")
    assert found.judgments["verdict"].to_list() == [
        "right",
        "repeated",
        "right",
        "wrong",
        "not_attempted",
    ]


def test_f1_is_that_of_the_best_form_with_words_counted() -> None:
    # said: new york new york (4 words), wanted: new york city (3), shared: new, york -> 2·2/7
    found = judged(["New York, New York"], "Boston; New York City").judgments
    assert found.select("degree", "recall", "precision", "form").rows() == [
        (pytest.approx(4 / 7), pytest.approx(2 / 3), 0.5, "New York City")
    ]
    assert found["verdict"].to_list() == ["wrong"]


def test_a_threshold_takes_f1_instead() -> None:
    # F1 of "Lincoln" with "Abraham Lincoln" is 2·1/3
    for threshold, verdict in ((0.5, "right"), (2 / 3, "wrong"), (0.7, "wrong")):
        found = judged(["Lincoln"], "Abraham Lincoln", threshold=threshold)
        assert found.judgments["verdict"].to_list() == [verdict]


def test_forms_of_an_answer_repeat_each_other_and_other_answers_do_not() -> None:
    found = judged(["NCSA", "Netscape", "the N.C.S.A"], "Center; NCSA | Netscape")
    assert found.judgments["verdict"].to_list() == ["right", "right", "repeated"]
    assert found.questions["known"].to_list() == [2]


def test_level_and_class_of_the_key_are_those_of_a_right_answer_only() -> None:
    key = {"key": "Lincoln", "level": "S", "class": "abe"}
    responses = [{"answer": "lincoln"}, {"rank": 2, "answer": "Lincoln x"}]
    found = judge_by(exact.exact, "keys", responses, [key]).judgments
    assert found.select("level", "class").rows() == [("S", "abe"), (None, None)]


def test_marks_of_the_key_grammar_are_not_part_of_the_answer() -> None:
    answers = ["Abraham Lincoln", "M*A*S*H"]
    found = judged(answers, r"Abraham *Lincoln* | M\*A\*S\*H").judgments
    assert found["verdict"].to_list() == ["right", "right"]


def test_an_answer_of_nothing_but_punctuation_is_no_answer_to_a_word() -> None:
    assert judged(["?!"], "Lincoln").judgments["verdict"].to_list() == ["wrong"]
    assert judged(["?!"], "Lincoln").judgments["degree"].to_list() == [0]


def test_questions_without_a_key_are_refused() -> None:
    responses = [{"question": "q2", "answer": "x"}]
    with pytest.raises(Refused, match="1 question with 1 answer has no key"):
        judge_by(exact.exact, "keys", responses, [{"key": "x"}])


def slow_f1(said: str, wanted: str) -> float:
    """F1 of two texts' words, one pair at a time."""

    def words(text: str) -> list[str]:
        kept = "".join(sign for sign in text.lower() if sign not in set(string.punctuation))
        return [word for word in kept.split() if word not in ("a", "an", "the")]

    shared = sum((Counter(words(said)) & Counter(words(wanted))).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(words(said)), shared / len(words(wanted))
    return 2 * precision * recall / (precision + recall)


TEXT = st.lists(st.sampled_from(["x", "y", "The", "z.", "a", "X"]), min_size=1, max_size=6)


@given(
    st.lists(TEXT.map(" ".join), min_size=1, max_size=5), TEXT.map(lambda w: " ".join([*w, "z"]))
)
def test_f1_agrees_with_a_slow_transcription(answers: list[str], wanted: str) -> None:
    forms = exact.spelled_out(table("keys", [{"key": wanted}]))
    responses = table("responses", [{"answer": each} for each in answers])
    compared = exact.compare(responses, forms, None)
    degrees = dict(compared.select("answer", "degree").rows())
    for said in answers:
        assert degrees[said] == pytest.approx(slow_f1(said, wanted))
    assert compared["degree"].is_between(0, 1).all()
    assert compared.filter(pl.col("verdict") == "right")["degree"].to_list() == pytest.approx(
        [1.0] * compared.filter(pl.col("verdict") == "right").height
    )
