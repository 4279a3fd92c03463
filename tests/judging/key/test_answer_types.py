"""Types that a key asks for: what holds one, and what does not."""

from datetime import date
from time import process_time

import pytest

from qampaign.judging.key.answer_types import holds
from qampaign.judging.key.grammar import TYPES, Mistake, parse, take_literally
from qampaign.problems import Refused
from tests.helpers.cases import first
from tests.judging.key.test_key_judge import one, recall

HELD = {
    "person": (
        ["Abraham Lincoln", "It was President Lincoln", "Lincoln", "Henry VIII", "J. F. Kennedy",
         "Ludwig van Beethoven", "abraham lincoln", "Shakespeare wrote it", "killed by Oswald"],
        ["Lincoln, Nebraska", "in Virginia", "University of Chicago", "1799", "The river",
         "New York City", "World War II", "July 4, 1976", "IBM", "American", "the Nobel Prize"],
    ),
    "place": (
        ["Virginia", "born in Virginia", "born in Lincoln, Nebraska", "Mount Everest", "the Nile",
         "in Springfield", "Rhode Island", "Lake Victoria", "the United States", "PARIS"],
        ["Abraham Lincoln", "in July", "1799", "the president", "Virginia Woolf", "John"],
    ),
    "date": (
        ["1799", "July 4", "18th century", "the 1970s", "4/7/1976", "06/2001"],
        ["ten men", "Lincoln", "5 km"],
    ),
    "number": (
        ["ten men", "5 km", "10%", "1799", "half a million", ".5"],
        ["Lincoln", "the first", "16th"],
    ),
    "percent": (["ten percent", "10 %", "5 per cent"], ["10", "$5"]),
    "money": (["$5", "5 dollars", "EUR 3 million", "£3bn", "5 pounds"], ["5", "5 km"]),
    "measure": (["5 km", "10 pounds", "3 years", "5 feet 10 inches", "100 °C"], ["5", "$5", "10%"]),
}  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
def test_what_an_answer_holds(name: str) -> None:
    there, missing = HELD[name]
    assert [text for text in there if not holds(name, text, "en")] == []
    assert [text for text in missing if holds(name, text, "en")] == []


@pytest.mark.parametrize(
    ("language", "name", "there", "missing"),
    first(
        2,
        [
            ("de", "person", "Angela Merkel", "Berlin"),
            ("de", "place", "in Weimar", "Kanzler Kohl"),
            ("es", "person", "Miguel de Cervantes", "en Sevilla"),
            ("es", "place", "en Lepe", "Cervantes"),
            ("fr", "person", "Victor Hugo", "Paris"),
            ("fr", "place", "à Rouen", "Hugo"),
            ("it", "person", "Dante Alighieri", "Roma"),
            ("it", "place", "in Toscana", "Galileo Galilei"),
            ("nl", "person", "Rembrandt van Rijn", "Amsterdam"),
            ("nl", "place", "in Leiden", "Vermeer"),
            ("pt", "person", "Vasco da Gama", "em Lisboa"),
            ("pt", "place", "em Évora", "Camões"),
            ("ro", "person", "Mihai Eminescu", "în Iași"),
            ("ro", "place", "în Iași", "Eminescu"),
        ],
    ),
)
def test_persons_and_places_by_language(language: str, name: str, there: str, missing: str) -> None:
    assert holds(name, there, language)
    assert not holds(name, missing, language)


def test_a_relative_date_needs_the_questions_day() -> None:
    assert holds("date", "twenty years ago", "en", date(2000, 5, 1))
    assert not holds("date", "twenty years ago", "en")


def test_an_answer_must_hold_the_type_beside_matching() -> None:
    assert one("Lincoln <person>", "Abraham Lincoln")["verdict"] == "right"
    # the word is there, but as a place: recall stays, the degree is 0
    row = one("Lincoln <person>", "Lincoln, Nebraska")
    assert (row["verdict"], row["recall"], row["degree"]) == ("wrong", 1.0, 0.0)
    assert one("Lincoln <place>", "in Lincoln, Nebraska")["verdict"] == "right"
    assert one("Lincoln <person>", "George Washington")["verdict"] == "wrong"
    assert one("population <number>", "the population grew")["verdict"] == "wrong"
    assert one("population <number>", "the population is two million")["verdict"] == "right"


def test_a_type_is_no_word_of_the_form() -> None:
    row = one("Abraham Lincoln <person>", "Abraham Lincoln")
    assert (row["recall"], row["form"], row["class"]) == (1.0, "Abraham Lincoln", "Abraham Lincoln")


def test_each_form_has_its_own_types() -> None:
    key = "Lincoln <person>; capital <place> <number>"
    assert parse(key).answers[0].forms[1].types == ("place", "number")
    assert one(key, "the capital")["verdict"] == "wrong"
    assert one(key, "the capital: Paris, 2 million")["verdict"] == "right"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (r"\<person>", "<person>"),
        ("a < b", "a < b"),
        ("<3 hearts", "<3 hearts"),
        ("x <> y", "x <> y"),
    ],
)
def test_other_signs_are_no_types(key: str, text: str) -> None:
    (form,) = parse(key).answers[0].forms
    assert (form.text, form.types) == (text, ())


def test_a_literal_key_has_no_types() -> None:
    (form,) = take_literally("Lincoln <person>").answers[0].forms
    assert (form.text, form.types) == ("Lincoln <person>", ())


@pytest.mark.parametrize(
    ("key", "position", "problem"),
    [
        ("Mars <planet>", 6, "there is no type <planet>"),
        ("H<sub>2</sub>O", 2, "there is no type <sub>"),
        ("<person>", 1, "<person> stands alone"),
        ("Lincoln; <date> <number>", 10, "<date> stands alone"),
    ],
)
def test_an_unknown_type_is_a_mistake_that_lists_what_is_allowed(
    key: str, position: int, problem: str
) -> None:
    with pytest.raises(Mistake) as mistake:
        parse(key)
    assert (mistake.value.position, mistake.value.problem) == (position, problem)
    assert mistake.value.allowed.endswith(
        "<person>, <place>, <date>, <number>, <percent>, <money>, <measure>; \\< for the sign itself"
    )


def test_persons_are_refused_in_languages_without_the_words_for_them() -> None:
    with pytest.raises(Refused) as refused:
        recall("夏目 <person>", "夏目漱石", {"language": "ja"})
    assert str(refused.value) == (
        "Collection c, judge j: question q1: key '夏目 <person>': <person> cannot be told in ja, only "
        "in de, en, es, fr, it, nl, pt, ro; allowed: <date>, <measure>, <money>, <number>, <percent>"
    )
    assert recall("夏目 <number>", "夏目 3", {"language": "ja"}) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("text", ["A. " * 5_000, "Aa de " * 5_000, "A'" * 10_000, "in " * 10_000])
def test_time_grows_with_the_text_and_no_faster(text: str) -> None:
    begun = process_time()
    for name in TYPES:
        holds(name, text, "en")
    assert process_time() - begun < 10
