"""From text to words that can be compared: tokens, stop words, lemmas, by language."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import pairwise

import polars as pl

from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.problems import Refused, quote

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

CEDILLAS = str.maketrans("şţ", "șț")
"""Romanian letters as old fonts have them, and as they are."""

STOP = "\0"

UNSPACED = ("ja", "zh")
"""Languages without spaces: a token is a character, a key word is two of them side by side."""

UNDIVIDED = ("bo", "dz", "km", "lo", "my", "th")
"""Others without spaces, in which words cannot be told apart."""

CODES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
    ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
    lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
    pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti
    tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)
"""ISO 639-1."""

QUANTITY = "\ue000"
"""Stands before the number of a quantity that was found in a text; no character by itself."""

NUMERAL = r"\p{N}+(?:[.,:]\p{N}+)+"
ACRONYM = r"(?:\p{L}\.){2,}(?:\p{L}\b)?"
IDEOGRAPH = r"\p{Han}\p{Hiragana}\p{Katakana}ー"
TOKEN = rf"{NUMERAL}|{ACRONYM}|{QUANTITY}?[\p{{L}}\p{{M}}\p{{N}}]+"
WORD = rf"{QUANTITY}?[[\p{{L}}\p{{M}}\p{{N}}]--[{IDEOGRAPH}]]+"
UNSPACED_TOKEN = rf"{NUMERAL}|{ACRONYM}|[{IDEOGRAPH}]|{WORD}"
RUN = rf"{NUMERAL}|{ACRONYM}|\p{{Han}}+|\p{{Hiragana}}+|[\p{{Katakana}}ー]+|{WORD}"
PARTICLE = 3
"""Hiragana of up to this length are taken for particles and endings."""


def languages() -> tuple[str, ...]:
    """The languages that the key judge knows all about; it takes any other ISO 639-1 code as well.

    >>> languages()
    ('de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'ro', 'zh')
    """
    return tuple(sorted({*STOP_WORDS, *UNSPACED}))


def lacking(language: str, *, numbers: bool = False, dates: bool = False) -> list[str]:
    """What is not known of a language that judging by key would use, for remarks.

    >>> lacking("en", numbers=True), lacking("cs"), lacking("sk", dates=True)
    ([], ['stop words'], ['stop words', 'a stemmer', 'names of months'])
    >>> lacking("th")
    ['stop words', 'lemmas', 'a stemmer', 'spaces between words']
    """
    code = _main_part(language)
    if code in languages():
        return []
    lacks = {
        "stop words": True,
        "lemmas": code not in DICTIONARIES,
        "a stemmer": code not in STEMMERS,
        "spaces between words": code in UNDIVIDED,
        "number words": numbers,
        "names of months": dates,
    }
    return [name for name, so in lacks.items() if so]


def check_language(code: str, where: str) -> str:
    """The language of a code such as `en` or `pt-BR`; `where` is for the message.

    >>> check_language("pt-BR", "Collection c")
    'pt'
    >>> check_language("english", "Collection c")
    Traceback (most recent call last):
    ...
    qampaign.problems.Refused: Collection c: there is no language 'english'; allowed: de, en, es, \
fr, it, ja, nl, pt, ro, zh, or another two-letter code
    """
    if not is_language(code):
        raise Refused(
            f"{where}: there is no language {quote(code)}; allowed: {allowed_languages()}"
        )
    return _main_part(code)


def allowed_languages() -> str:
    """The languages that are known, for messages; words of others are compared as they stand."""
    return f"{', '.join(languages())}, or another two-letter code"


def is_language(code: str) -> bool:
    """Whether a code such as `en` or `pt-BR` names a language."""
    return _main_part(code) in CODES


def _main_part(code: str) -> str:
    return re.split("[-_]", code.lower())[0]


def normalise(text: str) -> str:
    """Text whose characters have one spelling (NFKC): ﬁ is fi, full-width digits are digits."""
    return unicodedata.normalize("NFKC", text).replace(QUANTITY, "")


def normalise_all(texts: pl.Series) -> pl.Series:
    """The same for many texts at once."""
    if (texts.str.len_bytes() != texts.str.len_chars()).any():  # not all ASCII
        return texts.str.normalize("NFKC").str.replace_all(QUANTITY, "", literal=True)
    return texts


def tokenise(texts: pl.Series, language: str) -> pl.Series:
    """The tokens of normalised texts, a list each, as they stand.

    >>> tokenise(pl.Series(["Lincoln's U.S. at 10:30"]), "en").to_list()
    [['Lincoln', 's', 'U.S.', 'at', '10:30']]
    >>> tokenise(pl.Series(["東京のNHK"]), "ja").to_list()
    [['東', '京', 'の', 'NHK']]
    """
    return texts.str.extract_all(UNSPACED_TOKEN if language in UNSPACED else TOKEN)


def split_key(texts: pl.Series, language: str) -> list[list[tuple[str, ...]]]:
    """The key words of normalised texts, each as its tokens, stop words left out where known.

    A key word is a token. In Japanese and Chinese it is two characters side by side in a run of one
    script, or one that stands alone; short runs of hiragana are left out, and Chinese is cut at
    its particles. A text that would have no key word has all its characters.

    >>> split_key(pl.Series(["Peruvian fishermen"]), "en")
    [[('Peruvian',), ('fishermen',)]]
    >>> split_key(pl.Series(["東京都の塔", "さくら"]), "ja")
    [[('東', '京'), ('京', '都'), ('塔',)], [('さ', 'く'), ('く', 'ら')]]
    """
    if language not in UNSPACED:
        return [[(token,) for token in each] for each in tokenise(texts, language)]
    return [_key_words(runs, language) for runs in texts.str.extract_all(RUN)]


def _key_words(runs: Iterable[str], language: str) -> list[tuple[str, ...]]:
    particles = dict.fromkeys(map(ord, STOP_WORDS.get(language, "")), " ")
    cut = [part for run in runs for part in run.translate(particles).split()]
    content = [part for part in cut if not (is_hiragana(part) and len(part) <= PARTICLE)]
    return [pair for part in content or list(runs) for pair in _pairs(part)]


def _pairs(run: str) -> list[tuple[str, ...]]:
    if not IDEOGRAPHS.fullmatch(run):
        return [(run,)]
    return list(pairwise(run)) if len(run) > 1 else [(run,)]


class Normaliser:
    """What makes tokens the same word in a language.

    >>> normaliser = Normaliser("en")
    >>> normaliser.words(["Fishermen", "fisherman", "the", "U.S."])
    ['fisherman', 'fisherman', '\\x00the', 'we']
    """

    def __init__(self, language: str, accents: str = "keep") -> None:
        """`accents` is "keep" or "fold": then they count for nothing."""
        self._fold = accents == "fold"
        listed = STOP_WORDS.get(language, "").split()
        self._stop_words = frozenset(map(unaccented if self._fold else str.casefold, listed))
        self._hiragana = language == "ja"
        self._stem = _lemmatiser(language)
        self._known: dict[str, str] = {}

    def words(self, tokens: Iterable[str]) -> list[str]:
        """For each token its word; that of a stop word is like no other's, and begins with STOP."""
        known, word = self._known, self._word
        return [known.get(token) or known.setdefault(token, word(token)) for token in tokens]

    def _word(self, token: str) -> str:
        token = cased(token).casefold()
        if self._fold:
            token = unaccented(token)
        if token in self._stop_words or (self._hiragana and is_hiragana(token)):
            return STOP + token
        stem = self._stem(token) if token.isalpha() else token
        return unaccented(stem) if self._fold else stem


@cache
def normaliser(language: str, accents: str) -> Normaliser:
    """The normaliser of a language; its dictionary is read once."""
    return Normaliser(language, accents)


def cased(token: str) -> str:
    """A token where its case counts: an acronym is the same without its points.

    >>> cased("U.S."), cased("10.5")
    ('US', '10.5')
    """
    return token.replace(".", "") if "." in token and token[0].isalpha() else token


def unaccented(text: str) -> str:
    """
    >>> unaccented("El Niño")
    'El Nino'
    """
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parts if not unicodedata.combining(c)))


IDEOGRAPHS = re.compile(r"[々〇ー\u3041-\u309f\u30a1-\u30ff\u3400-\u9fff\uf900-\ufaff]+")


def is_hiragana(token: str) -> bool:
    return all("ぁ" <= sign <= "ゟ" for sign in token)


def _lemmatiser(language: str) -> Callable[[str], str]:
    """The lemma that the dictionary has, else the stem, as far as there are such.

    The dictionary keeps fishermen and fisherman together, which no stemmer does, and organ and
    organization apart; the stemmer takes what the dictionary lacks, names above all. Nouns go first
    where they are written with a capital. Tokens come with ss for ß, which the dictionary has.
    """
    # only judges by key need them, and they take a while to load
    import Stemmer  # type: ignore[import-not-found]
    from simplemma.strategies import DefaultDictionaryFactory

    if language not in DICTIONARIES and language not in STEMMERS:
        return str.casefold
    dictionary: Mapping[str, str] = {}
    if language in DICTIONARIES:
        dictionary = DefaultDictionaryFactory().get_dictionary(DICTIONARIES[language])
    stem: Callable[[str], str] = str.casefold
    if language in STEMMERS:
        stem = Stemmer.Stemmer(STEMMERS[language], 0).stemWord  # words are kept by the caller

    def lemma(token: str) -> str:
        if language == "ro":
            token = token.translate(CEDILLAS)
        upper = token.capitalize()
        spellings = [upper, token] if language == "de" else [token, upper]
        if language == "de" and "ss" in token:
            spellings = [each.replace("ss", "ß") for each in spellings] + spellings
        found = next(filter(None, map(dictionary.get, spellings)), None) or stem(token)
        return str(found).casefold()

    return lemma
