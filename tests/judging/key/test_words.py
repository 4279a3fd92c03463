"""Words by language: which tokens are the same word, and which say nothing."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qampaign.judging.key.coverage import lacking
from qampaign.judging.key.stems import DICTIONARIES, STEMMERS
from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.judging.key.words import (
    CODES,
    LANGUAGES,
    UNDIVIDED,
    Normaliser,
    Word,
    check_language,
    normalise,
    normalise_all,
    normaliser,
    split_key,
    tokenise,
    unaccented,
)
from qampaign.problems import Refused


def tokens(text: str, language: str = "en") -> list[str]:
    return tokenise(pl.Series([normalise(text)]), language)[0].to_list()


def words(text: str, language: str = "en", accents: str = "keep") -> list[Word]:
    return normaliser(language, accents).words(tokens(text, language))


def same(key: Word, answer: Word) -> bool:
    """Whether a word of an answer is one of a key."""
    return not set(key.accepts).isdisjoint(answer.names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fisherman: They called it El Niño", ["Fisherman", "They", "called", "it", "El", "Niño"]),
        ("U.S. Army, U.S.A", ["U.S.", "Army", "U.S.A"]),
        ("John F. Kennedy's", ["John", "F", "Kennedy", "s"]),
        ("$10.30, 10:30; 1,000 B-52s", ["10.30", "10:30", "1,000", "B", "52s"]),
        ("\uff11\uff12 ﬁsh", ["12", "fish"]),  # full-width digits, a ligature
        ("Nin\u0303o", ["Niño"]),  # n and a combining tilde
    ],
)
def test_tokens_are_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "fishermen fisherman Fisherman's FISHERMEN"),
        ("en", "countries country"),
        ("en", "U.S. US"),
        ("en", "NATO N.A.T.O. nato Nato"),
        ("en", "Bratwursts bratwurst"),  # the dictionary has neither
        ("en", "Peruvian Peru Peruvians peruvian"),
        ("en", "Dutch Netherlands Dutchmen"),
        ("en", "Lincolns Lincoln"),  # a name that no dictionary has in the plural
        ("de", "Häuser haus Hauses HÄUSER"),
        ("de", "Straßen straße Strasse STRASSE STRASSEN"),
        ("de", "Füße Fuß FÜSSE Fuss"),
        ("de", "Schloß Schloss SCHLOSS"),
        ("es", "ciudades ciudad"),
        ("es", "peruanas peruano"),
        ("fr", "chevaux cheval"),
        pytest.param("it", "uomini uomo", marks=pytest.mark.exhaustive),
        pytest.param("pt", "nações nação", marks=pytest.mark.exhaustive),
        pytest.param("nl", "steden stad", marks=pytest.mark.exhaustive),
        # a comma below, and the cedilla of old fonts
        pytest.param("ro", "orașe oraș oraşe", marks=pytest.mark.exhaustive),
    ],
)
def test_forms_of_a_word_are_one_word(language: str, forms: str) -> None:
    found = [word for word in words(forms, language) if not word.is_stop]
    assert len(found) >= 2
    assert all(same(one, other) for one in found for other in found)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "organ organization"),
        ("en", "university universe"),
        ("es", "el él"),
        ("de", "der dir"),
        ("en", "US us"),
        ("en", "U.S. us"),
        ("en", "I.T. it"),
        ("en", "Poland polish"),
        ("en", "Austria Australian"),
    ],
)
def test_words_that_look_alike_stay_apart(language: str, text: str) -> None:
    one, other = words(text, language)
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "der mit dem von einer"),
        ("en", "the of and They IT"),
        ("es", "de la que los"),
        ("fr", "l' d' qu' les aux"),
        pytest.param("it", "dell' nella con gli", marks=pytest.mark.exhaustive),
        ("ja", "は の です"),
        pytest.param("nl", "het van een met", marks=pytest.mark.exhaustive),
        pytest.param("pt", "dos numa com uma", marks=pytest.mark.exhaustive),
        pytest.param("ro", "și lui pentru care", marks=pytest.mark.exhaustive),
        ("zh", "的 了"),
        ("ko", "그리고 또는 그의"),
        pytest.param("ar", "في من إلى التي", marks=pytest.mark.exhaustive),
        pytest.param("hi", "का और में है", marks=pytest.mark.exhaustive),
        pytest.param("hu", "a az és volt", marks=pytest.mark.exhaustive),
        pytest.param("tr", "ve bir için olan", marks=pytest.mark.exhaustive),
        pytest.param("cs", "a ve který byl", marks=pytest.mark.exhaustive),
        pytest.param("fi", "ja se joka oli", marks=pytest.mark.exhaustive),
        pytest.param("pl", "i w który jest", marks=pytest.mark.exhaustive),
        pytest.param("ru", "и в который был", marks=pytest.mark.exhaustive),
        pytest.param("uk", "і в який був", marks=pytest.mark.exhaustive),  # noqa: RUF001
    ],
)
def test_stop_words_are_told_from_others(language: str, text: str) -> None:
    assert all(word.is_stop for word in words(text, language))


def test_an_answer_in_capitals_has_the_words_of_a_key_in_small_letters() -> None:
    assert same(*words("wars WAR"))
    assert same(*words("war WARS"))
    assert not same(*words("AIDS aid"))
    assert same(*words("I.T. IT"))
    assert same(*words("IT I.T."))
    assert not same(*words("I.T. it"))


@pytest.mark.parametrize("word", ["May", "Will", "US", "ten", "1", "new", "state", "computer"])
def test_words_that_answer_something_are_no_stop_words(word: str) -> None:
    assert not any(each.is_stop for each in words(word))


@pytest.mark.parametrize("language", sorted(STOP_WORDS.keys() - {"zh"}))
def test_stop_words_are_single_tokens_in_lower_case(language: str) -> None:
    listed = STOP_WORDS[language].split()
    assert [tokens(word, language) for word in listed if "-" not in word] == [
        [word] for word in listed if "-" not in word
    ]
    assert [word.lower() for word in listed] == listed


@pytest.mark.parametrize("accents", ["keep", "fold"])
@pytest.mark.parametrize("language", ["de", "en", pytest.param("fi", marks=pytest.mark.exhaustive)])
def test_a_sharp_s_is_a_spelling_and_no_accent(language: str, accents: str) -> None:
    for spellings in ("Straße Strasse STRASSE", "daß dass"):
        one, *others = words(spellings, language, accents)
        assert all(same(one, other) for other in others)


def test_accents_are_kept_or_folded() -> None:
    assert not same(*words("Niño Nino", "es"))
    assert same(*words("Niño nino", "es", "fold"))


@given(st.text(st.characters(categories=["L"], max_codepoint=0x17F), min_size=1, max_size=12))
def test_folded_words_do_not_depend_on_accents_or_case(text: str) -> None:
    folded = unaccented(normalise(text))
    assert words(text, "es", "fold") == words(folded, "es", "fold")


@given(st.text(max_size=40))
def test_many_texts_are_normalised_as_single_ones(text: str) -> None:
    assert normalise_all(pl.Series([text, "é"]))[0] == normalise(text)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("ja", "東京タワー", ["東京", "タワ", "ワー"]),
        ("ja", "夏目漱石の猫", ["夏目", "目漱", "漱石", "猫"]),
        ("ja", "NHKは1925年", ["NHK", "1925", "年"]),
        ("ja", "さいたま市", ["さい", "いた", "たま", "市"]),  # too long for a particle
        ("ja", "うみ", ["うみ"]),  # nothing else there
        ("zh", "中国的首都", ["中国", "首都"]),
        ("zh", "北京 2008", ["北京", "2008"]),
        ("en", "Abraham Lincoln", ["Abraham", "Lincoln"]),
    ],
)
def test_key_words_of_languages_without_spaces_are_pairs(
    language: str, text: str, expected: list[str]
) -> None:
    (found,) = split_key(pl.Series([text]), language)
    assert ["".join(word) for word in found] == expected


def test_ten_languages_are_known_best_and_others_are_taken_as_they_stand() -> None:
    best = [code for code in CODES if not lacking(code, numbers=True, dates=True)]
    assert sorted(best) == list(LANGUAGES)
    assert same(*words("Sajjied Sajjieda", "mt"))


@pytest.mark.parametrize(("code", "language"), [("en-GB", "en"), ("PT_br", "pt"), ("fi", "fi")])
def test_codes_may_name_a_country(code: str, language: str) -> None:
    assert check_language(code, "c") == language


@pytest.mark.parametrize("code", ["english", "xx", ""])
def test_other_codes_are_refused_with_those_allowed(code: str) -> None:
    with pytest.raises(Refused, match=r"c: there is no language '.*'; allowed: de, en, es, fr"):
        check_language(code, "c")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("no", "bok", "bøker"),
        # large dictionaries
        pytest.param("cs", "medicína", "medicínu", marks=pytest.mark.exhaustive),
        pytest.param("ru", "школа", "школы", marks=pytest.mark.exhaustive),
        pytest.param("pl", "książka", "książki", marks=pytest.mark.exhaustive),
        pytest.param("hr", "grad", "gradovi", marks=pytest.mark.exhaustive),
        ("eu", "etxeak", "etxe"),  # no lemmas, a stemmer
    ],
)
def test_forms_of_a_word_meet_in_every_language_with_lemmas_or_stems(
    language: str, one: str, other: str
) -> None:
    assert same(*Normaliser(language).words([one, other]))


def test_every_dictionary_and_stemmer_is_there() -> None:
    import Stemmer
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    assert set(DICTIONARIES.values()) <= set(SUPPORTED_LANGUAGES)
    assert set(STEMMERS.values()) <= set(Stemmer.algorithms())
    assert {*DICTIONARIES, *STEMMERS, *UNDIVIDED} <= CODES
