"""What is known of each language, and inflected forms in those that are not known best."""

import pytest

from qampaign.judging.key.coverage import coverage, instead, lacking, page
from qampaign.judging.key.words import CODES
from tests.helpers.tiny_campaign import ROOT
from tests.judging.key.test_key_judge import recall


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs/languages.md").read_text(encoding="utf-8") == page(), "run make docs"


def test_every_language_is_covered_or_compared_by_its_first_letters() -> None:
    for code in CODES:
        known = coverage(code)
        assert known.lemmas or known.stems or known.words


@pytest.mark.parametrize(
    ("language", "pairs"),
    [
        ("ko", ["서울 서울은", "한국 한국의", "학교 학교에서"]),
        pytest.param("hu", ["ház házak", "Budapest Budapesten", "város városok"], marks=pytest.mark.exhaustive),
        pytest.param("tr", ["kitap kitaplar", "deniz denizi", "İstanbul istanbul", "IŞIK \u0131ş\u0131k"], marks=pytest.mark.exhaustive),
        pytest.param("ar", ["كتاب الكتاب", "مدينة المدينة", "مدرسة المدارس"], marks=pytest.mark.exhaustive),
        pytest.param("hi", ["किताब किताबें", "लड़का लड़के", "शहर शहरों"], marks=pytest.mark.exhaustive),
        pytest.param("cs", ["medicína medicínu", "Praha Praze", "Dvořák Dvořáka"], marks=pytest.mark.exhaustive),
        pytest.param("fi", ["talo talossa", "Helsinki Helsingissä", "kaupunki kaupungin"], marks=pytest.mark.exhaustive),
        pytest.param("pl", ["książka książki", "Warszawa Warszawie", "Kopernik Kopernika"], marks=pytest.mark.exhaustive),
        pytest.param("uk", ["Київ Києва", "Львів Львові", "Одеса Одеси", "Зеленський Зеленського"], marks=pytest.mark.exhaustive),
        pytest.param("ru", ["школа школы", "Москва Москве", "Пушкин Пушкина"], marks=pytest.mark.exhaustive),
    ],
)  # fmt: skip
def test_inflected_forms_are_one_word(language: str, pairs: list[str]) -> None:
    for pair in pairs:
        one, other = pair.split()
        assert recall(one, other, {"language": language}) == 1.0, pair
        assert recall(other, one, {"language": language}) == 1.0, pair


def test_without_lemmas_and_stems_the_first_letters_count() -> None:
    # Kazakh: of Kazakhstan, in Almaty; the fifth letter of the third pair differs
    asked = {"language": "kk"}
    assert recall("Қазақстан", "Қазақстанның", asked) == 1.0
    assert recall("Алматы", "Алматыда", asked) == 1.0
    assert recall("Алматы", "Алмалы", asked) == 0.0
    assert instead("kk") == "words with the same first 5 letters count as one"


def test_thai_is_compared_by_pairs_of_letters() -> None:
    asked = {"language": "th"}
    assert recall("กรุงเทพ", "เมืองหลวงคือกรุงเทพ", asked) == 1.0
    assert recall("กรุงเทพ", "เชียงใหม่", asked) == 0.0
    assert instead("th") == "pairs of characters are compared"


def test_what_is_lacking_is_said() -> None:
    assert lacking("pt-BR", numbers=True, dates=True) == []
    assert lacking("cs", numbers=True, dates=True) == ["number words", "names of months"]
    assert lacking("sk", dates=True) == ["stop words", "a stemmer", "names of months"]
    assert lacking("ko") == ["lemmas"]
    assert lacking("vi") == ["stop words"]  # its words have one form
    assert lacking("kk") == ["stop words", "lemmas", "a stemmer"]
