"""From text to words that can be compared: tokens, stop words, lemmas, by language."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

import polars as pl

from qampaign.judging.key import stems
from qampaign.judging.key.demonyms import DEMONYMS, ORDINARY
from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.problems import Refused, quote

STOP = "\0"
LEMMA, UNKNOWN, STEM, ACRONYM_NAME = "=~^."
"""With what the names of words begin: of stop words, by the lemma in the dictionary, by the stem of
a word that it does not know and of one that it knows, and of acronyms."""

ACRONYM_LENGTH = 4
"""Capitals up to this length are taken for an acronym,"""
SHORT = 4
"""and a word with a capital up to this length for one as well as for a word."""

TURKIC = ("az", "tr")
"""Languages whose I has a small letter without a dot, and i a capital with one."""

HAS_DIGIT = re.compile(r"\d")

UNSPACED = ("ja", "zh")
"""Languages without spaces: a token is a character, a key word is two of them side by side."""

UNDIVIDED = ("bo", "dz", "km", "lo", "my", "th")
"""Others without spaces: a token is a letter with its signs, a key word is two of them likewise."""

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

FRACTION = "([0-9])([¼-¾⅐-⅞])"
"""Two and a half in two signs."""

NUMERAL = r"\p{N}+(?:[.,:]\p{N}+)+"
ACRONYM = r"(?:\p{L}\.){2,}(?:\p{L}\b)?"
IDEOGRAPH = r"\p{Han}\p{Hiragana}\p{Katakana}ー"
TOKEN = rf"{NUMERAL}|{ACRONYM}|{QUANTITY}?[\p{{L}}\p{{M}}\p{{N}}]+"
WORD = rf"{QUANTITY}?[[\p{{L}}\p{{M}}\p{{N}}]--[{IDEOGRAPH}]]+"
UNSPACED_TOKEN = rf"{NUMERAL}|{ACRONYM}|[{IDEOGRAPH}]|{WORD}"
UNDIVIDED_SCRIPT = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
LETTER = rf"[[{UNDIVIDED_SCRIPT}]&&\p{{L}}]\p{{M}}*"
OTHER = (
    rf"{NUMERAL}|{ACRONYM}|{QUANTITY}?[[\p{{L}}\p{{M}}\p{{N}}]--[[{UNDIVIDED_SCRIPT}]&&\p{{L}}]]+"
)
UNDIVIDED_TOKEN = rf"{LETTER}|{OTHER}"
UNDIVIDED_RUN = rf"(?:{LETTER})+|{OTHER}"
RUN = rf"{NUMERAL}|{ACRONYM}|\p{{Han}}+|\p{{Hiragana}}+|[\p{{Katakana}}ー]+|{WORD}"
PARTICLE = 3
"""Hiragana of up to this length are taken for particles and endings."""


LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "nl", "pt", "ro", "zh")
"""The languages that the key judge knows best: stop words, number words and months. It takes any
other ISO 639-1 code as well."""


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
    return main_part(code)


def allowed_languages() -> str:
    """The languages that are known best, for messages."""
    return f"{', '.join(LANGUAGES)}, or another two-letter code"


def is_language(code: str) -> bool:
    """Whether a code such as `en` or `pt-BR` names a language."""
    return main_part(code) in CODES


def main_part(code: str) -> str:
    """The language of a code that may name a country as well."""
    return re.split("[-_]", code.lower())[0]


def normalise(text: str) -> str:
    """Text whose characters have one spelling (NFKC): ﬁ is fi, full-width digits are digits."""
    apart = re.sub(FRACTION, r"\1 \2", text)
    return unicodedata.normalize("NFKC", apart).replace(QUANTITY, "")


def normalise_all(texts: pl.Series) -> pl.Series:
    """The same for many texts at once."""
    if (texts.str.len_bytes() != texts.str.len_chars()).any():  # not all ASCII
        apart = texts.str.replace_all(FRACTION, "$1 $2")
        return apart.str.normalize("NFKC").str.replace_all(QUANTITY, "", literal=True)
    return texts


def tokenise(texts: pl.Series, language: str) -> pl.Series:
    """The tokens of normalised texts, a list each, as they stand.

    >>> tokenise(pl.Series(["Lincoln's U.S. at 10:30"]), "en").to_list()
    [['Lincoln', 's', 'U.S.', 'at', '10:30']]
    >>> tokenise(pl.Series(["東京のNHK"]), "ja").to_list()
    [['東', '京', 'の', 'NHK']]
    """
    if language in UNSPACED:
        return texts.str.extract_all(UNSPACED_TOKEN)
    return texts.str.extract_all(UNDIVIDED_TOKEN if language in UNDIVIDED else TOKEN)


def split_key(texts: pl.Series, language: str) -> list[list[tuple[str, ...]]]:
    """The key words of normalised texts, each as its tokens, stop words left out where known.

    A key word is a token. In Thai and the like it is two letters side by side, or one that stands
    alone. In Japanese and Chinese it is two characters side by side in a run of one
    script, or one that stands alone; short runs of hiragana are left out, and Chinese is cut at
    its particles. A text that would have no key word has all its characters.

    >>> split_key(pl.Series(["Peruvian fishermen"]), "en")
    [[('Peruvian',), ('fishermen',)]]
    >>> split_key(pl.Series(["東京都の塔", "さくら"]), "ja")
    [[('東', '京'), ('京', '都'), ('塔',)], [('さ', 'く'), ('く', 'ら')]]
    """
    if language in UNDIVIDED:
        return [_letter_pairs(runs, language) for runs in texts.str.extract_all(UNDIVIDED_RUN)]
    if language not in UNSPACED:
        return [[(token,) for token in tokens] for tokens in tokenise(texts, language)]
    return [_key_words(runs, language) for runs in texts.str.extract_all(RUN)]


def _key_words(runs: Iterable[str], language: str) -> list[tuple[str, ...]]:
    particles = dict.fromkeys(map(ord, STOP_WORDS.get(language, "")), " ")
    cut = [piece for run in runs for piece in run.translate(particles).split()]
    content = [piece for piece in cut if not (is_hiragana(piece) and len(piece) <= PARTICLE)]
    return [pair for piece in content or list(runs) for pair in _pairs(piece)]


def _letter_pairs(runs: pl.Series, language: str) -> list[tuple[str, ...]]:
    letters = tokenise(runs, language).to_list()
    return [
        pair
        for run_letters in letters
        for pair in (pairwise(run_letters) if len(run_letters) > 1 else [(*run_letters,)])
    ]


def _pairs(run: str) -> list[tuple[str, ...]]:
    if not IDEOGRAPHS.fullmatch(run):
        return [(run,)]
    return list(pairwise(run)) if len(run) > 1 else [(run,)]


class Word(NamedTuple):
    """What a token is: it is the word of a key that accepts one of its names.

    A name begins with a sign that says what it is: see the constants beside STOP.
    """

    names: tuple[str, ...]
    """What it goes by as a word of an answer."""
    accepts: tuple[str, ...]
    """The names that are this word where it stands in a key."""

    @property
    def is_stop(self) -> bool:
        return self.accepts[0].startswith(STOP)


class Normaliser:
    """What makes tokens the same word in a language.

    Words that the dictionary knows are the same where their lemmas are. A word that it does not
    know is the same as any word with the same stem. An acronym, with or without its points, is no
    other word in small letters: `US` is not us. A people is its place.

    >>> def same(key: str, answer: str) -> bool:
    ...     asked, given = Normaliser("en").words([key, answer])
    ...     return not set(asked.accepts).isdisjoint(given.names)
    >>> same("fishermen", "Fisherman"), same("U.S.", "US"), same("US", "us")
    (True, True, False)
    >>> same("Peruvian", "Peru"), same("Peru", "Peruvians"), same("organ", "organization")
    (True, True, False)
    """

    def __init__(self, language: str, accents: str = "keep", *, demonyms: bool = True) -> None:
        """`accents` is "keep" or "fold": then they count for nothing."""
        self._fold = accents == "fold"
        self._turkic = language in TURKIC
        listed = STOP_WORDS.get(language, "").split()
        self._stop_words = frozenset(map(unaccented if self._fold else str.casefold, listed))
        self._hiragana = language == "ja"
        self._read = stems.reader(language)
        self._places = DEMONYMS.get(language, {}) if demonyms else {}
        self._known: dict[str, Word] = {}

    def words(self, tokens: Iterable[str]) -> list[Word]:
        """For each token its word."""
        known, word = self._known, self._word
        return [known.get(token) or known.setdefault(token, word(token)) for token in tokens]

    def _word(self, token: str) -> Word:
        if token.startswith(QUANTITY):
            return Word((token,), (token,))
        bare = cased(token)
        plain = self._small(bare)
        upper = 2 <= len(bare) <= ACRONYM_LENGTH and bare.isupper()
        if bare == token and (plain in self._stop_words or (self._hiragana and is_hiragana(plain))):
            shouted = STOP + plain.upper()
            small = STOP + plain
            if upper:
                return Word((small, shouted), (small, ACRONYM_NAME + plain))
            return Word((small,), (small,))
        if not plain.isalpha() and HAS_DIGIT.search(plain):
            return Word((LEMMA + plain,), (LEMMA + plain,))
        word, left_alone, says_nothing = self._ordinary(plain)
        acronym = ACRONYM_NAME + plain
        if bare != token or upper:
            accepts = (acronym, STOP + plain.upper(), *(word.accepts if left_alone else ()))
            return Word((acronym, *(() if says_nothing else word.names)), accepts)
        if bare[0].isupper() and len(bare) <= SHORT:
            accepted = (acronym,) if says_nothing else (*word.accepts, acronym)
            return Word((acronym, *word.names), accepted)
        places = self._places.get(plain, ())
        if places and (bare[0].isupper() or plain not in ORDINARY):
            every = [word, *(self._ordinary(place)[0] for place in places)]
            names, accepts = zip(*every, strict=True)
            return Word(
                *(tuple(dict.fromkeys(chain(*alternatives))) for alternatives in (names, accepts))
            )
        return word

    def _ordinary(self, plain: str) -> tuple[Word, bool, bool]:
        """A word in small letters; whether its form is the basic one, and whether it says nothing.

        Nothing says us, which is a form of we, a stop word.
        """
        lemma, stem = self._read(plain)
        if self._fold:
            lemma, stem = lemma and unaccented(lemma), unaccented(stem)
        if lemma is None:
            return Word((UNKNOWN + stem,), (UNKNOWN + stem, STEM + stem)), stem == plain, False
        names, accepts = (LEMMA + lemma, STEM + stem), (LEMMA + lemma, UNKNOWN + stem)
        return Word(names, accepts), lemma == plain, lemma in self._stop_words

    def _small(self, token: str) -> str:
        if self._turkic:
            token = token.replace("\u0130", "i").replace("I", "\u0131")
        plain = token.casefold()
        return unaccented(plain) if self._fold else plain


@cache
def normaliser(language: str, accents: str, *, demonyms: bool = True) -> Normaliser:
    """The normaliser of a language; its dictionary is read once."""
    return Normaliser(language, accents, demonyms=demonyms)


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
