r"""The grammar of answer keys.

`|` stands between different answers, `;` between the forms of one answer. In a form, `*…*` marks
the words that matter, `"…"` a phrase, `=` a word or phrase whose case counts, `1.35..1.45` a range
of numbers, a scale or unit after it, `<person>` what the answer must hold beside matching, and `@B`
at the end of a form its level; a backslash takes the sign after it literally. A form without a
letter or digit, such as an emoji, is compared as it stands; so is a whole key without one, unless
it has nothing but signs of the grammar.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from qampaign.judging.key.ideographs import BEGINS, DIGITS, IDEOGRAPHIC
from qampaign.judging.key.units import CURRENCY_SIGNS

HIDDEN = "\0"
"""What the parser sees in place of a sign that is taken literally."""

NUMBER = (
    r"(?>[-+−]?["
    + CURRENCY_SIGNS
    + r"]?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,'\u2019]\d+)*)%?)"
)
NUMERAL = rf"[\d{IDEOGRAPHIC}]"
MARKS = re.compile(
    r'(?P<phrase>=?"(?P<inside>[^"]*)"?)'
    r'|(?P<cased>(?<![^\W_])=[^\s*"=]*)'
    r"|(?P<star>\*)"
    r"|(?P<type><(?P<name>[^\W\d_]+)>)"
    rf"|(?P<range>{BEGINS}(?<![_.,之])(?P<low>{NUMBER}) ?\.\. ?(?P<high>{NUMBER}))"
    r"|(?P<dots>(?<=\d)(?:\.{3,}|…)(?=\d))"
    rf"|(?P<half>(?<!\.)\.\.(?={NUMERAL})|(?<={NUMERAL})\.\.(?!\.))"
)
MORE = re.compile(rf"[{IDEOGRAPHIC}]*[\d{DIGITS}]")

LEVEL = re.compile(r"(?<=\s)@(?P<level>[^\W_][\w.-]*)\s*\Z")

TYPES = ("person", "place", "date", "number", "percent", "money", "measure")
"""What a form can ask an answer to hold beside its words."""

OURS = re.compile(r'[\s|;*"=@]+')
"""What is no answer by itself: signs of the grammar and blanks."""

Kind = Literal["text", "phrase", "range", "signs"]

STAR_ALLOWED = "*…* around the words that matter, \\* for an asterisk"
PHRASE_ALLOWED = '"…" around words that stand together, \\" for a quotation mark'
TYPE_ALLOWED = f"{', '.join(f'<{name}>' for name in TYPES)}; \\< for the sign itself"
LEVEL_ALLOWED = "words before the level, such as 18th century @B; \\@ for the sign itself"
RANGE_ALLOWED = "digits on either side of two points, such as 1.35..1.45 billion or 5..10km"


class Mistake(ValueError):
    """A key that cannot be read: where, what is wrong there, and what may stand there."""

    def __init__(self, position: int, problem: str, allowed: str) -> None:
        super().__init__(f"character {position}: {problem}; allowed: {allowed}")
        self.position = position
        """The character at fault; the first one is 1."""
        self.problem = problem
        self.allowed = allowed


@dataclass(frozen=True)
class Element:
    """A piece of a form: running text, words that must stand together, a range of numbers, signs.

    Signs are the whole of a form that has no letter or digit.
    """

    kind: Kind
    text: str
    emphasised: bool = False
    cased: bool = False
    """The phrase, which may be a single word, must stand in the same case."""


@dataclass(frozen=True)
class Form:
    """A way to put an answer."""

    text: str
    """Plain: without marks and backslashes."""
    elements: tuple[Element, ...]
    types: tuple[str, ...] = ()
    """What the answer must hold beside matching, of TYPES."""
    level: str | None = None
    """What the form itself gives as the level of an answer that it fits."""

    @property
    def is_signs(self) -> bool:
        """Whether it has no letter or digit."""
        return self.elements[0].kind == "signs"


@dataclass(frozen=True)
class Answer:
    """One right answer, in its forms."""

    forms: tuple[Form, ...]

    @property
    def is_graded(self) -> bool:
        """Whether every form of it gives its level."""
        return all(form.level is not None for form in self.forms)


@dataclass(frozen=True)
class Key:
    """The right answers of a question."""

    answers: tuple[Answer, ...]

    def meaning_of(self, answer: Answer) -> str:
        """The class of an answer: its first form.

        Beside answers without a level, one with a level is the first of them said less exactly.

        >>> key = parse("1799 | 18th century @B")
        >>> [key.meaning_of(answer) for answer in key.answers]
        ['1799', '1799']
        """
        finer = (candidate for candidate in self.answers if not candidate.is_graded)
        return (next(finer, answer) if answer.is_graded else answer).forms[0].text

    @property
    def levels(self) -> list[str]:
        """The levels that its forms give."""
        forms = (form for answer in self.answers for form in answer.forms)
        return [form.level for form in forms if form.level is not None]

    @property
    def has_signs(self) -> bool:
        """Whether a form of it has no letter or digit."""
        return any(form.is_signs for answer in self.answers for form in answer.forms)


def read(text: str, *, literal: bool | None) -> Key:
    """The key that a text stands for, by the grammar unless it is `literal`."""
    return take_literally(text) if literal else parse(text)


def take_literally(text: str) -> Key:
    """A key that is one answer in one form, whatever signs it has.

    >>> take_literally('5" disk; the *old* kind').answers[0].forms[0].text
    '5" disk; the *old* kind'
    """
    plain = " ".join(text.split())
    kind: Kind = "text" if any(map(str.isalnum, plain)) else "signs"
    return Key((Answer((Form(plain, (Element(kind, plain),)),)),))


@lru_cache(2**14)
def parse(text: str) -> Key:
    r"""Read a key; raises :class:`Mistake`.

    >>> mosaic = parse("National Center for Supercomputing Applications; NCSA | Netscape")
    >>> [[form.text for form in answer.forms] for answer in mosaic.answers]
    [['National Center for Supercomputing Applications', 'NCSA'], ['Netscape']]
    >>> parse('the "secretary of state"').answers[0].forms[0].elements[1]
    Element(kind='phrase', text='secretary of state', emphasised=False, cased=False)
    >>> parse(r"M\*A\*S\*H").answers[0].forms[0].text
    'M*A*S*H'
    >>> [answer.forms[0].elements[0].kind for answer in parse("party | 🎉").answers]
    ['text', 'signs']
    >>> parse(";-)").answers[0].forms[0].text
    ';-)'
    """
    if not text.strip():
        raise Mistake(1, "the key is empty", "an answer")
    if OURS.fullmatch(text):
        allowed = "an answer; a backslash before a sign that is meant"
        raise Mistake(1, "the key has no answer, only signs of the grammar", allowed)
    try:
        return _read(_resolve(text))
    except Mistake:
        if any(map(str.isalnum, text)):
            raise
        return take_literally(text)


@dataclass(frozen=True)
class _Signs:
    """A stretch of a key with its backslashes resolved."""

    seen: str
    """What the grammar sees."""
    meant: str
    """What is meant."""
    positions: list[int]
    """Where each sign stands in the key, and where the stretch ends."""

    def cut(self, start: int, end: int) -> "_Signs":
        return _Signs(self.seen[start:end], self.meant[start:end], self.positions[start : end + 1])

    def mistake(self, index: int, problem: str, allowed: str) -> Mistake:
        return Mistake(self.positions[index], problem, allowed)


def _resolve(text: str) -> _Signs:
    if "\\" not in text:
        return _Signs(text, text, list(range(1, len(text) + 2)))
    seen, meant, positions = [], [], []
    index = 0
    while index < len(text):
        positions.append(index + 1)
        escaped = text[index] == "\\"
        if escaped and index + 1 == len(text):
            allowed = "a sign to be taken literally after it, \\\\ for a backslash"
            raise Mistake(index + 1, "the backslash has nothing after it", allowed)
        index += escaped
        seen.append(HIDDEN if escaped and not text[index].isalnum() else text[index])
        meant.append(text[index])
        index += 1
    return _Signs("".join(seen), "".join(meant), [*positions, len(text) + 1])


def _read(signs: _Signs) -> Key:
    return Key(
        tuple(
            Answer(tuple(_form(form) for form in _parts(answer, ";", "the form")))
            for answer in _parts(signs, "|", "the answer")
        )
    )


def _parts(signs: _Signs, separator: str, what: str) -> Iterator[_Signs]:
    cuts = [index for index, sign in enumerate(signs.seen) if sign == separator]
    for before, after in pairwise([-1, *cuts, len(signs.seen)]):
        stretch = signs.cut(before + 1, after)
        if not stretch.meant.strip():
            allowed = f"words before and after {separator}, \\{separator} for the sign itself"
            index = max(before, 0) if after == len(signs.seen) else after
            raise signs.mistake(index, f"{what} is empty", allowed)
        yield stretch


def _form(signs: _Signs) -> Form:
    graded = LEVEL.search(signs.seen)
    if graded is None:
        return _ungraded(signs)
    words = signs.cut(0, graded.start())
    if not words.meant.strip():
        raise signs.mistake(graded.start(), "the level stands alone", LEVEL_ALLOWED)
    return replace(_ungraded(words), level=graded["level"])


def _ungraded(signs: _Signs) -> Form:
    elements: list[Element] = []
    types: list[str] = []
    text, end = "", 0
    emphasis: re.Match[str] | None = None
    if not any(map(str.isalnum, signs.meant)):
        plain = " ".join(signs.meant.split())
        return Form(plain, (Element("signs", plain),))

    def add(kind: Kind, start: int, end: int, cased: bool = False) -> None:
        nonlocal text
        piece = signs.meant[start:end]
        text += piece
        if any(sign.isalnum() for sign in piece):
            plain = " ".join(piece.split())
            elements.append(Element(kind, plain, emphasis is not None, cased))

    for mark in MARKS.finditer(signs.seen):
        add("text", end, mark.start())
        end = mark.end()
        if mark["star"]:
            _check_star(signs, mark, closing=emphasis is not None)
            emphasis = mark if emphasis is None else None
        elif mark["phrase"]:
            _check_phrase(signs, mark)
            add("phrase", *mark.span("inside"), cased=mark["phrase"].startswith("="))
        elif mark["cased"]:
            _check_cased(signs, mark)
            add("phrase", mark.start() + 1, end, cased=True)
        elif mark["type"]:
            types.append(_type(signs, mark))
        elif mark["range"]:
            _check_range(signs, mark)
            add("range", *mark.span())
        else:
            problem = "the range lacks an end" if mark["half"] else "a range has two points"
            raise signs.mistake(mark.start(), problem, RANGE_ALLOWED)
    if emphasis is not None:
        raise signs.mistake(emphasis.start(), "* is not closed", STAR_ALLOWED)
    add("text", end, len(signs.seen))
    if not elements:
        allowed = f"words beside it, such as Lincoln <person>; {TYPE_ALLOWED}"
        raise signs.mistake(signs.seen.index("<"), f"<{types[0]}> stands alone", allowed)
    return Form(" ".join(text.split()), tuple(elements), tuple(dict.fromkeys(types)))


def _type(signs: _Signs, mark: re.Match[str]) -> str:
    name = mark["name"].lower()
    if name not in TYPES:
        raise signs.mistake(mark.start(), f"there is no type {mark['type']}", TYPE_ALLOWED)
    return name


def _in_word(signs: _Signs, index: int) -> bool:
    return 0 <= index < len(signs.seen) and signs.seen[index].isalnum()


def _check_star(signs: _Signs, mark: re.Match[str], *, closing: bool) -> None:
    start, end = mark.span()
    if _in_word(signs, end if closing else start - 1):
        raise signs.mistake(start, "* stands inside a word", STAR_ALLOWED)
    between = signs.meant[signs.seen.rfind("*", 0, start) + 1 : start]
    if closing and not any(map(str.isalnum, between)):
        raise signs.mistake(start, "nothing is between * and *", STAR_ALLOWED)


def _check_phrase(signs: _Signs, mark: re.Match[str]) -> None:
    start, end = mark.span()
    if _in_word(signs, start - 1):
        raise signs.mistake(start, '" stands inside a word', PHRASE_ALLOWED)
    if not mark["phrase"].endswith('"', mark.end("inside") - start):
        raise signs.mistake(start, '" is not closed', PHRASE_ALLOWED)
    if not any(map(str.isalnum, signs.meant[slice(*mark.span("inside"))])):
        raise signs.mistake(start, "the phrase has no word", PHRASE_ALLOWED)
    inner = re.search(r"[*=]", mark["inside"])
    if inner:
        index = mark.start("inside") + inner.start()
        problem = f"{inner[0]} stands inside a phrase"
        raise signs.mistake(index, problem, '*"…"* or ="…" for the whole phrase')
    if _in_word(signs, end):
        raise signs.mistake(end - 1, '" stands inside a word', PHRASE_ALLOWED)


def _check_cased(signs: _Signs, mark: re.Match[str]) -> None:
    if not any(map(str.isalnum, signs.meant[slice(*mark.span())])):
        allowed = "= directly before a word or phrase, \\= for the sign itself"
        raise signs.mistake(mark.start(), "= has no word after it", allowed)


def _check_range(signs: _Signs, mark: re.Match[str]) -> None:
    """Refuse ends that are the wrong way round whether the comma or the point is for decimals."""
    if all(_value(mark["low"], point) > _value(mark["high"], point) for point in (".", ",")):
        problem = f"the range from {mark['low']} to {mark['high']} is empty"
        raise signs.mistake(mark.start("low"), problem, "the lower end first")
    more = MORE.match(signs.seen, mark.end())
    if more:
        raise signs.mistake(more.end() - 1, "digits follow the scale of a range", RANGE_ALLOWED)


def _value(number: str, point: str) -> float:
    digits = re.sub(rf"[^\d{point}−-]", "", number).replace("−", "-")
    whole, _, rest = digits.partition(point)
    return float(f"{whole}.{rest.replace(point, '')}0")
