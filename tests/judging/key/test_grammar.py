"""The grammar of answer keys: what each sign means, and where a mistake is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.key.grammar import Mistake, parse


def forms(key: str) -> list[list[str]]:
    return [[form.text for form in answer.forms] for answer in parse(key).answers]


def elements(key: str) -> list[tuple[str, str, str]]:
    """Kind, text and marks (e for emphasised, c for case) of the elements of a single form."""
    ((form,),) = [answer.forms for answer in parse(key).answers]
    return [
        (each.kind, each.text, "e" * each.emphasised + "c" * each.cased) for each in form.elements
    ]


def test_answers_are_separated_by_bars_and_forms_by_semicolons() -> None:
    key = "National Center for Supercomputing Applications;\nNCSA | Netscape Communications"
    assert forms(key) == [
        ["National Center for Supercomputing Applications", "NCSA"],
        ["Netscape Communications"],
    ]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Abraham *Lincoln*", [("text", "Abraham", ""), ("text", "Lincoln", "e")]),
        ("*Abraham Lincoln* jr.", [("text", "Abraham Lincoln", "e"), ("text", "jr.", "")]),
        ('the "secretary of state"', [("text", "the", ""), ("phrase", "secretary of state", "")]),
        ('*"secretary of state"*', [("phrase", "secretary of state", "e")]),
        ("=IN", [("phrase", "IN", "c")]),
        ("South Bend, *=IN*", [("text", "South Bend,", ""), ("phrase", "IN", "ec")]),
        ('="The Who"', [("phrase", "The Who", "c")]),
        ("1.35..1.45 billion", [("range", "1.35..1.45", ""), ("text", "billion", "")]),
        ("$10 .. $12.50", [("range", "$10 .. $12.50", "")]),
        ("10%..12%", [("range", "10%..12%", "")]),
        ("-5..5", [("range", "-5..5", "")]),
        ("1 000..1 200", [("range", "1 000..1 200", "")]),
        ("900..1.000", [("range", "900..1.000", "")]),  # the right way round in German
        ("13.5..14.5億", [("range", "13.5..14.5", ""), ("text", "億", "")]),
        ("約5..10万人", [("text", "約", ""), ("range", "5..10", ""), ("text", "万人", "")]),
        ("12.5..14.5km", [("range", "12.5..14.5", ""), ("text", "km", "")]),
        ("5..10km2", [("range", "5..10", ""), ("text", "km2", "")]),
        ("1.35..1.45bn", [("range", "1.35..1.45", ""), ("text", "bn", "")]),
        ("wait... 1, 2, 3...", [("text", "wait... 1, 2, 3...", "")]),
        ("1, 2, 3... 10", [("text", "1, 2, 3... 10", "")]),
        ("E=mc2", [("text", "E=mc2", "")]),
    ],
)
def test_marks_say_what_a_piece_of_a_form_is(key: str, expected: list) -> None:
    assert elements(key) == expected


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (r"M\*A\*S\*H", "M*A*S*H"),
        (r"either\|or", "either|or"),
        (r"a\; b", "a; b"),
        (r"5\" disk", '5" disk'),
        (r"\=IN", "=IN"),
        (r"1\..5", "1..5"),
        (r"C:\\x", r"C:\x"),
        (r"\Lincoln", "Lincoln"),
    ],
)
def test_a_backslash_takes_a_sign_literally(key: str, text: str) -> None:
    assert elements(key) == [("text", text, "")]
    assert forms(key) == [[text]]


@pytest.mark.parametrize(
    ("key", "plain"),
    [(r"\1..\5", "1..5"), (r"*\Lincoln*", "*Lincoln*"), (r"=\IN", "=IN"), (r"E=\mc2", "E=mc2")],
)
def test_a_backslash_before_a_letter_or_digit_changes_nothing(key: str, plain: str) -> None:
    assert elements(key) == elements(plain)


@pytest.mark.parametrize(
    ("key", "levels"),
    [
        ("1799 | 18th century @B", [None, "B"]),
        ("1799 @S; 18th century @0.5", ["S", "0.5"]),
        (r"18th century \@B", [None]),
        ("@NASA", [None]),
        ("me@home", [None]),
        ("meet @noon today", [None]),
        ("🎉 @B", ["B"]),
    ],
)
def test_a_level_stands_at_the_end_of_a_form(key: str, levels: list[str | None]) -> None:
    found = [form for answer in parse(key).answers for form in answer.forms]
    assert [form.level for form in found] == levels
    assert all("@" not in form.text for form in found if form.level)


@pytest.mark.parametrize(
    ("key", "position", "problem"),
    [
        ("a | @B", 5, "the level stands alone"),
        ("", 1, "the key is empty"),
        ("; ; ;", 1, "the key has no answer, only signs of the grammar"),
        ("**", 1, "the key has no answer, only signs of the grammar"),
        ('"" | =@', 1, "the key has no answer, only signs of the grammar"),
        (" \t", 1, "the key is empty"),
        ("a||b", 3, "the answer is empty"),
        ("a |", 3, "the answer is empty"),
        ("| a", 1, "the answer is empty"),
        ("a; ;b", 4, "the form is empty"),
        ("a;b;", 4, "the form is empty"),
        ("a | ;b", 5, "the form is empty"),
        ("Abraham *Lincoln", 9, "* is not closed"),
        ("*a; b*", 1, "* is not closed"),
        ("M*A*S*H", 2, "* stands inside a word"),
        ("*A*S", 3, "* stands inside a word"),
        (r"\M*A*", 3, "* stands inside a word"),  # M is a letter with a backslash, too
        ("a * * b", 5, "nothing is between * and *"),
        ('the "secretary', 5, '" is not closed'),
        ('"a | b"', 1, '" is not closed'),
        ('5" disk', 2, '" stands inside a word'),
        ('"a"b', 3, '" stands inside a word'),
        ('a "-"', 3, "the phrase has no word"),
        ('"secretary of *state*"', 15, "* stands inside a phrase"),
        ('"the =IN"', 6, "= stands inside a phrase"),
        ("in =", 4, "= has no word after it"),
        ("= IN", 1, "= has no word after it"),
        ("=*IN*", 1, "= has no word after it"),
        ("1..", 2, "the range lacks an end"),
        ("from ..5", 6, "the range lacks an end"),
        ("5...7", 2, "a range has two points"),
        ("5…7", 2, "a range has two points"),
        ("5..7..9", 5, "the range lacks an end"),
        ("5万..10万", 3, "the range lacks an end"),
        ("百分之5..10", 5, "the range lacks an end"),  # % stands after it
        ("五..十", 2, "the range lacks an end"),
        ("5..10万5000", 7, "digits follow the scale of a range"),
        ("5..10万五千", 7, "digits follow the scale of a range"),
        ("x | 5..3", 5, "the range from 5 to 3 is empty"),
        ("-3..-5", 1, "the range from -3 to -5 is empty"),
        ("a\\", 2, "the backslash has nothing after it"),
        (r"M\*A\*S\*H | *x", 14, "* is not closed"),  # counted with the backslashes
    ],
)
def test_a_mistake_points_at_its_character(key: str, position: int, problem: str) -> None:
    with pytest.raises(Mistake) as mistake:
        parse(key)
    assert (mistake.value.position, mistake.value.problem) == (position, problem)
    assert mistake.value.allowed
    assert str(mistake.value).startswith(f"character {position}: {problem}; allowed: ")


@given(st.text(st.sampled_from('ab1.万 |;*"=\\-<>@'), max_size=12))
def test_any_text_is_a_key_or_a_mistake_inside_it(text: str) -> None:
    faults, found = [], []
    try:
        found = [form.elements for answer in parse(text).answers for form in answer.forms]
    except Mistake as mistake:
        faults.append(mistake.position)
    assert all(found)
    assert all(1 <= position <= max(len(text), 1) for position in faults)
    assert found or faults


@given(st.text(min_size=1).filter(lambda text: any(map(str.isalnum, text))))
def test_text_with_a_backslash_before_every_sign_is_taken_as_it_stands(text: str) -> None:
    escaped = "".join(sign if sign.isalnum() else f"\\{sign}" for sign in text)
    assert forms(escaped) == [[" ".join(text.split())]]
