"""The judge `patterns`: regular expressions, in time that grows with the text and no faster."""

import time

import pytest

from qampaign.judging import expressions, patterns
from qampaign.judging.judgments import Judged
from qampaign.problems import Refused
from tests.judging.tables import Row, judge_by


def judged(answers: list[str | None], rows: list[Row], **options: object) -> Judged:
    responses = [{"rank": rank, "answer": answer} for rank, answer in enumerate(answers, start=1)]
    return judge_by(patterns.patterns, "patterns", responses, rows, **options)


def verdicts(answers: list[str | None], *expressions: str, **options: object) -> list[str]:
    rows = [{"pattern": each} for each in expressions]
    return judged(answers, rows, **options).judgments["verdict"].to_list()


def test_a_pattern_is_found_anywhere_and_in_any_case() -> None:
    answers = ["Abe LINCOLN, president", "Lincon", None, "16th president"]
    assert verdicts(answers, r"Lincoln", r"\b16th\b") == [
        "right",
        "wrong",
        "not_attempted",
        "right",
    ]


def test_case_counts_where_asked() -> None:
    assert verdicts(["china", "China"], "China", case="keep") == ["wrong", "right"]


def test_what_matches_the_same_pattern_is_the_same_answer() -> None:
    answers = ["Lincoln", "Abraham Lincoln", "the 16th"]
    found = judged(answers, [{"pattern": "Lincoln"}, {"pattern": "16th"}])
    assert found.judgments["verdict"].to_list() == ["right", "repeated", "right"]
    assert found.judgments["class"].to_list() == ["Lincoln", "Lincoln", "16th"]
    assert found.questions["known"].to_list() == [2]


def test_an_answer_that_is_a_regular_expression_is_only_text() -> None:
    assert verdicts([".*", "(?i)x"], "Lincoln") == ["wrong", "wrong"]


def test_nil_is_right_exactly_for_nil_questions() -> None:
    nil_question = [{"question": "q1", "nil": True}, {"question": "q2"}]
    rows = [{"question": "q2", "pattern": "NIL"}]
    found = judge_by(
        patterns.patterns,
        "patterns",
        [{"answer": "NIL"}, {"question": "q2", "answer": "NIL"}],
        rows,
        nil_question,
    )
    assert found.judgments["verdict"].to_list() == ["right", "wrong"]


def test_questions_without_a_pattern_are_refused_or_unassessed() -> None:
    responses = [{"answer": "x"}, {"question": "q2", "answer": "y"}]
    rows = [{"pattern": "x"}]
    questions = [{"question": "q1"}, {"question": "q2"}]
    with pytest.raises(Refused, match=r"1 question with 1 answer has no pattern.*\n  question q2"):
        judge_by(patterns.patterns, "patterns", responses, rows, questions)
    found = judge_by(patterns.patterns, "patterns", responses, rows, questions, unassessed="wrong")
    assert found.judgments["verdict"].to_list() == ["right", "unassessed"]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("(19|20)[0-9]{2}", None),
        (
            "Smith(?=son)",
            "look-around, including look-ahead and look-behind, is not supported: (?=",
        ),
        (r"(a)\1", r"backreferences are not supported: \1"),
        ("x(", "unclosed group: ("),
        ("[z-a]", "invalid character class range, the start must be <= the end: z-a"),
    ],
)
def test_a_pattern_that_cannot_be_compiled_is_told_with_its_construct(
    expression: str, told: str | None
) -> None:
    assert expressions.fault(expression) == told


def test_an_expression_that_explodes_elsewhere_does_not_here() -> None:
    begun = time.monotonic()
    assert verdicts(["a" * 100_000 + "b"], "(a+)+$") == ["wrong"]
    assert time.monotonic() - begun < 5  # with backtracking: longer than the universe is old
