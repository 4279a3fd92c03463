"""Lemmas and stems by language: what makes inflected forms one word."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

DICTIONARIES = {
    code: code
    for code in """
    ar bg ca cs cy da de el en eo es et fa fi fr ga gd gl gv he hi hu hy id is it ka la lb lt lv mk
    ml ms nb nl nn pl pt ro ru se sk sl sq sv sw tl tr uk
    """.split()  # noqa: SIM905
} | {"no": "nb", "bs": "hbs", "hr": "hbs", "sr": "hbs"}
"""Languages with lemmas, and the dictionary that has them."""

STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Languages with a stemmer, which takes the words that the dictionary lacks."""

UNINFLECTED = ("ja", "vi", "zh")
"""Languages whose words have one form, or whose characters are compared."""

CAPITAL_FIRST = ("de", "uk")
"""Languages in which a word with a capital goes before the same in small letters: nouns are written
so in German, and київ is a form of another Ukrainian word than Київ, as that is of Києва."""

STEM_LENGTH = 5
"""How many letters of a word count in a language with neither lemmas nor a stemmer."""

CEDILLAS = str.maketrans("şţ", "șț")
"""Romanian letters as old fonts have them, and as they are."""

KOREAN_PARTICLES = re.compile(
    "(?<=..)(?:은|는|이|가|을|를|의|에|도|만|와|과|로|들|들이|들은|들을|들의)$"
    "|(?<=.)(?:에서|에게|한테|께서|으로|까지|부터|처럼|보다|라고|이다|에는|에도|에서는|에서의|으로는"
    "|이며|이고|이라고|입니다|이었다|였다|에게서|로부터|으로부터)$"
)
"""What Korean attaches to a noun; of a short one enough must be left to be a noun."""


UKRAINIAN_ENDINGS = re.compile(
    "(?<=...)(?:ами|ями|ого|ому|ими|ах|ях|ам|ям|ом|ем|єм|ою|ею|єю|ої|ій|ий|им|их"  # noqa: RUF001
    "|а|я|о|е|є|у|ю|и|і|ї|ь|й)$"  # noqa: RUF001
)
"""Endings of nouns and adjectives; of a short word enough must be left. Without -ові and the like,
which in names of towns is a part of the stem: Львів, Львові."""
UKRAINIAN_CLOSED = {"ів": "ов", "їв": "єв", "ев": "єв"}
"""How a last syllable is spelled without an ending, and how before one: Київ, Києва."""


class Reading(NamedTuple):
    """A word in small letters as a language reads it."""

    lemma: str | None
    """What the dictionary has; None: it does not know the word."""
    stem: str
    """Of the lemma, else of the word."""


@cache
def dictionary_of(language: str) -> Mapping[str, str]:
    """The lemmas of words in a language; empty where it has none."""
    if language not in DICTIONARIES:
        return {}
    # only judges by key need it, and it takes a while to load
    from simplemma.strategies import DefaultDictionaryFactory

    return DefaultDictionaryFactory().get_dictionary(DICTIONARIES[language])


def reader(language: str) -> Callable[[str], Reading]:
    """How words in small letters are read in a language, as far as it has lemmas or stems.

    The dictionary keeps fishermen and fisherman together, which no stemmer does, and organ and
    organization apart; the stemmer takes what the dictionary lacks, names above all. Words come
    with ss for ß, which the dictionary has.
    """
    dictionary = dictionary_of(language)
    stem = _stemmer(language)

    def read(word: str) -> Reading:
        if language == "ro":
            word = word.translate(CEDILLAS)
        if language in CAPITAL_FIRST:
            spellings = [word.capitalize(), word]
            if language == "de" and "ss" in word:
                spellings = [spelling.replace("ss", "ß") for spelling in spellings] + spellings
            entry = next(filter(None, map(dictionary.get, spellings)), None)
        else:
            entry = dictionary.get(word) or dictionary.get(word.capitalize()) or None
        lemma = None if entry is None else str(entry).casefold()
        return Reading(lemma, stem(lemma or word).casefold())

    return read


def _stemmer(language: str) -> Callable[[str], str]:
    if language in STEMMERS:
        import Stemmer  # type: ignore[import-not-found]  # as the dictionary

        return Stemmer.Stemmer(STEMMERS[language], 0).stemWord  # words are kept by the caller
    if language == "ko":
        return lambda word: KOREAN_PARTICLES.sub("", word)
    if language == "uk":
        return _stem_ukrainian
    if language in DICTIONARIES or language in UNINFLECTED:
        return str
    return lambda word: word[:STEM_LENGTH]


def _stem_ukrainian(word: str) -> str:
    """
    >>> [_stem_ukrainian(word) for word in ("київ", "києва", "львів", "львові", "одеса", "одесі")]
    ['києв', 'києв', 'львов', 'львов', 'одес', 'одес']
    """
    stem = UKRAINIAN_ENDINGS.sub("", word)
    return stem[:-2] + UKRAINIAN_CLOSED.get(stem[-2:], stem[-2:])
