"""Keys as they stand: literal ones, and those of signs alone."""

import pytest

from qampaign.judging.exact import exact
from qampaign.judging.judgments import Judged
from qampaign.judging.key.grammar import parse, take_literally
from qampaign.judging.key.key_judge import key
from tests.judging.tables import judge_by


def judged(judge, keys: list[dict], *answers: str, **options) -> Judged:
    """A judgment for each answer, each by a run of its own."""
    responses = [{"run": f"r{n}", "answer": answer} for n, answer in enumerate(answers)]
    return judge_by(judge, "keys", responses, keys, **options)


def verdicts(judge, keys: list[dict], *answers: str, **options) -> list[str]:
    return judged(judge, keys, *answers, **options).judgments["verdict"].to_list()


@pytest.mark.parametrize(
    "text",
    ['5" disk', "a; b | c", "M*A*S*H", "=x", "5..3", "a\\", "*", "|", "the 'who'", '"', "\\"],
)
def test_a_literal_key_is_one_form_whatever_its_signs(text: str) -> None:
    ((form,),) = [answer.forms for answer in take_literally(text).answers]
    assert form.text == text
    for judge in (key, exact):
        assert verdicts(judge, [{"key": text, "literal": True}], text, "xyz") == ["right", "wrong"]


def test_a_semicolon_in_a_literal_key_separates_nothing() -> None:
    # Wait and Bleed are two of four key words of the literal key, all of the form by the grammar
    text, answer = "Wait; Bleed | Duality. Psychosocial", "Wait and Bleed"
    literal = judged(key, [{"key": text, "literal": True}], answer).judgments
    assert literal["recall"].to_list() == [0.5]
    assert judged(exact, [{"key": text, "literal": True}], answer, "Wait").judgments[
        "verdict"
    ].to_list() == ["wrong", "wrong"]
    assert verdicts(exact, [{"key": text}], "Wait") == ["right"]


def test_literal_and_other_keys_stand_side_by_side() -> None:
    keys = [{"key": "a; b", "literal": True}, {"key": "c; d", "literal": False}, {"key": "e; f"}]
    assert verdicts(exact, keys, "a b", "a", "c", "d", "f") == ["right", "wrong", *["right"] * 3]


def test_several_literal_keys_of_a_class_are_one_answer() -> None:
    keys = [{"key": text, "literal": True, "class": "us"} for text in ("USA", "U.S.")]
    assert judged(exact, keys, "USA").questions["known"].to_list() == [1]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("🎉", ["🎉", "It is 🎉!", "party🎉", "答えは🎉です"], ["🎈", "party", "🎉🎈", "!"]),
        ("*", ["*", "the sign *", '"*"'], ["M*A*S*H", "**", "+", "star"]),
        ("%", ["%", "the % sign"], ["100%", "percent", "‰"]),
        (";-)", [";-)", "He wrote ;-)."], [";-(", ")", "smile"]),
        ("❤\ufe0f", ["❤", "❤\ufe0f"], ["❤🔥", "heart"]),
        ("...", ["...", "…"], ["....", ".", "dots"]),
    ],
)
def test_signs_alone_are_found_where_they_stand_by_themselves(
    text: str, right: list[str], wrong: list[str]
) -> None:
    expected = ["right"] * len(right) + ["wrong"] * len(wrong)
    for literal, given in ((True, text), (False, text.replace("*", r"\*"))):
        assert verdicts(key, [{"key": given, "literal": literal}], *right, *wrong) == expected


def test_signs_are_one_word_of_an_answer() -> None:
    # content words of the answer: party, sign, and 🎉 twice, which are two of four
    found = judged(key, [{"key": "🎉"}], "party sign 🎉 🎉").judgments
    assert found.select("recall", "precision", "form").row(0) == (1.0, 0.5, "🎉")


def test_words_and_signs_can_be_forms_of_one_answer() -> None:
    forms = parse("party; 🎉 | x").answers[0].forms
    assert [form.is_signs for form in forms] == [False, True]
    found = judged(key, [{"key": "party; 🎉 | x"}], "🎉", "a party", "y").judgments
    assert found["class"].to_list() == ["party", "party", None]
    assert found["verdict"].to_list() == ["right", "right", "wrong"]


def test_an_exact_key_of_punctuation_is_not_any_punctuation() -> None:
    assert verdicts(exact, [{"key": r"\*"}], "*", "?", "", "x") == [
        "right",
        "wrong",
        "wrong",
        "wrong",
    ]
    assert verdicts(exact, [{"key": "🎉"}], "🎉", "🎉!", "🎈") == ["right", "right", "wrong"]


def test_which_signs_of_a_key_an_answer_has_is_said() -> None:
    found = judged(key, [{"key": "party 5"}, {"key": "🎉"}], "so 🎉", "party")
    table = [{"question": "q1", "key": "party 5"}, {"question": "q1", "key": "🎉"}]
    from tests.judging.tables import table as make

    complete = key.with_matches(
        found, make("keys", table), make("questions", [{"question": "q1"}]), name="k"
    )
    assert complete.judgments["matched"].to_list() == ["🎉", "party"]


@pytest.mark.parametrize("judge", [key, exact])
def test_a_nil_question_needs_no_key(judge) -> None:
    responses = [
        {"run": "a", "question": "q1", "answer": "NIL"},
        {"run": "b", "question": "q1", "answer": "Rome"},
        {"run": "a", "question": "q2", "answer": "Rome"},
        {"run": "b", "question": "q2", "answer": "NIL"},
    ]
    questions = [{"question": "q1", "nil": True}, {"question": "q2"}]
    found = judge_by(judge, "keys", responses, [{"question": "q2", "key": "Rome"}], questions)
    said = found.judgments.select("run", "question", "verdict").cast(str).rows()
    assert sorted(said) == [
        ("a", "q1", "right"),
        ("a", "q2", "right"),
        ("b", "q1", "wrong"),
        ("b", "q2", "wrong"),
    ]
