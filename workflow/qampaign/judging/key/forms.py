"""Answer keys made ready for comparison: the forms of each question, and what each asks for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import polars as pl

from qampaign.judging.key import grammar, numbers, words
from qampaign.judging.key.number_words import spell
from qampaign.judging.key.quantities import Asking, Catalogue, Range, Reading, number_of
from qampaign.judging.key.words import STOP, Normaliser


@dataclass(frozen=True)
class KeyElement:
    """What a form asks for: a word, words side by side, a quantity, or signs."""

    words: tuple[tuple[str, ...], ...] = ()
    """For each word the names that it accepts, or where case counts its one spelling."""
    quantity: Asking | None = None
    signs: str = ""
    """What must stand in the answer as it is; it has no word."""
    cased: bool = False
    """The words are compared as they stand."""
    counts: bool = True
    """It is a key word; others only make an answer no less precise."""
    text: str = field(default="", compare=False)
    """How the key spells it."""

    @property
    def is_stop(self) -> bool:
        if self.quantity is not None or self.signs:
            return False
        return all(accepted[0].startswith(STOP) for accepted in self.words)


@dataclass(frozen=True)
class KeyForm:
    """A form of a key, with what a judgment by it says."""

    question: int
    text: str
    level: str | None
    meaning: str
    """The class of the answer."""
    elements: tuple[KeyElement, ...]
    types: tuple[str, ...] = ()
    """What an answer must hold beside matching."""
    is_graded: bool = False
    """Whether the form itself gives its level: forms that do not are finer."""

    @property
    def key_words(self) -> int:
        return sum(element.counts for element in self.elements)


class KeyRow(NamedTuple):
    """A key of a question, with its level and class."""

    question: int
    key: grammar.Key
    level: str | None
    meaning: str | None


@dataclass
class CompiledForms:
    """The forms of the questions of one language, in the order of the keys."""

    forms: list[KeyForm] = field(default_factory=list)
    readings: dict[int, Reading] = field(default_factory=dict)
    """For the questions whose keys have numbers or dates: how to find them in answers."""


@dataclass(frozen=True)
class _Piece:
    """An element of the grammar, with the quantities in it named."""

    element: grammar.Element
    text: str
    range: Range | None = None
    spelled: Mapping[int, str] = field(default_factory=dict)
    """How the quantities are spelled, by their numbers."""
    reading: Reading | None = None


def compile_forms(
    keys: Iterable[KeyRow],
    readings: Sequence[Reading],
    language: str,
    normaliser: Normaliser,
    catalogue: Catalogue,
) -> CompiledForms:
    """The forms of keys in one language; `readings` say how to read each question, by number."""
    compiled = CompiledForms()
    spans = [
        (question, form.level or level, key_class or key.meaning_of(answer), form)
        for question, key, level, key_class in keys
        for answer in key.answers
        for form in answer.forms
    ]
    ranged = {q for q, *_, form in spans if any(e.kind == "range" for e in form.elements)}
    plain = [
        [_Piece(element, words.normalise(element.text)) for element in form.elements]
        for *_, form in spans
    ]
    named = list(plain)
    for at, (question, *_) in enumerate(spans):
        reading = readings[question]
        if question in ranged:
            reading = replace(reading, numbers=True)
        if reading.reads:
            named[at], any_there = _name(plain[at], reading, catalogue)
            if any_there:
                compiled.readings[question] = reading
    pieces = [
        (named if question in compiled.readings else plain)[at]
        for at, (question, *_) in enumerate(spans)
    ]
    elements = _elements(pieces, language, normaliser, catalogue)
    compiled.forms = [
        KeyForm(
            question, form.text, level, meaning, form_elements, form.types, form.level is not None
        )
        for (question, level, meaning, form), form_elements in zip(spans, elements, strict=True)
    ]
    return compiled


def _name(
    pieces: Sequence[_Piece], reading: Reading, catalogue: Catalogue
) -> tuple[list[_Piece], bool]:
    """The pieces of a form with a word for each quantity, and whether there are any.

    What follows a range may belong to it: `1.35..1.45 billion`.
    """
    named: list[_Piece] = []
    any_there = False
    left = list(pieces)
    while left:
        piece = left.pop(0)
        if piece.element.kind == "range":
            after = left[0].text if left and left[0].element.kind == "text" else ""
            spelled = spell(after, reading.language)
            low, high, rest = numbers.read_range(piece.text, spelled, reading.language)
            units: tuple[str, ...] = ()
            if reading.units and not low.unit:
                units, rest = numbers.measured_range(piece.text, rest, reading.language)
                units += (numbers.COUNTED,) if units and reading.relax else ()
            named.append(replace(piece, range=Range(low, high, units)))
            left[:1] = [replace(left[0], text=rest)] if after else left[:1]
            any_there = True
            continue
        if not reading.may_have(piece.text):
            named.append(piece)
            continue
        text, entered = catalogue.enter_spelled(piece.text, reading)
        named.append(replace(piece, text=text, spelled=entered, reading=reading))
        any_there = any_there or bool(entered)
    return named, any_there


def _elements(
    pieces: Sequence[Sequence[_Piece]],
    language: str,
    normaliser: Normaliser,
    catalogue: Catalogue,
) -> Iterator[tuple[KeyElement, ...]]:
    """What each form asks for, from the pieces of each form."""
    texts = pl.Series([piece.text for form in pieces for piece in form], dtype=pl.String)
    tokens = iter(words.tokenise(texts, language).to_list())
    split = iter(words.split_key(texts, language))
    for form in pieces:
        emphasis: dict[KeyElement, bool] = {}
        for piece in form:
            of_piece = _of_piece(piece, next(tokens), next(split), normaliser, catalogue)
            for element in of_piece:
                emphasis[element] = emphasis.get(element, False) or piece.element.emphasised
        yield tuple(_counted(emphasis))


def _of_piece(
    piece: _Piece,
    tokens: Sequence[str],
    split: Sequence[tuple[str, ...]],
    normaliser: Normaliser,
    catalogue: Catalogue,
) -> Iterator[KeyElement]:
    if piece.range is not None:
        yield KeyElement(quantity=piece.range, text=piece.element.text)
    elif piece.element.kind == "signs":
        yield KeyElement(signs=piece.text, text=piece.element.text)
    elif piece.element.kind == "phrase" and piece.element.cased:
        spelled = tuple((words.cased(token),) for token in tokens)
        yield KeyElement(spelled, cased=True, text=piece.element.text)
    elif piece.element.kind == "phrase":
        yield KeyElement(_accepted(tokens, normaliser), text=piece.element.text)
    else:
        for key_word in split:
            number = number_of(key_word[0])
            if number is not None and piece.reading is not None:
                quantity = catalogue.quantities[number].as_key(piece.reading)
                for asking in quantity.parts() or [quantity]:
                    yield KeyElement(quantity=asking, text=piece.spelled[number])
            else:
                yield KeyElement(_accepted(key_word, normaliser), text="".join(key_word))


def _accepted(tokens: Sequence[str], normaliser: Normaliser) -> tuple[tuple[str, ...], ...]:
    return tuple(word.accepts for word in normaliser.words(tokens))


def _counted(emphasis: dict[KeyElement, bool]) -> Iterator[KeyElement]:
    """The elements, with those that count marked: the emphasised ones, where there are any.

    Stop words count for nothing, unless there is nothing else.
    """
    wanted = [element for element, emphasised in emphasis.items() if emphasised] or list(emphasis)
    content = [element for element in wanted if element.cased or not element.is_stop]
    counting = set(content or wanted)
    for element in emphasis:
        if element in counting:
            yield element
        elif element.cased or not element.is_stop:
            yield replace(element, counts=False)
