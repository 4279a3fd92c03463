"""Finding the elements of key forms in many answers at once.

Answers are cut at their spaces, and only distinct pieces are looked at: what is between spaces
comes again and again. What can be part of a form is then joined with the forms of its question.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Flags
from qampaign.judging.key.forms import KeyForm
from qampaign.judging.key.quantities import Quantity, Range
from qampaign.judging.key.signs import FOUND, match_signs
from qampaign.judging.key.words import STOP, Normaliser, cased, tokenise
from qampaign.judging.numbering import number_equal

Ints = npt.NDArray[np.int64]
BLOCK = 2**16
"""How many pieces are compared at once: they stay in the cache."""

Given = Mapping[tuple[int, Quantity | Range], Collection[str]]
"""By question and quantity asked for: the words that give it."""


@dataclass(frozen=True)
class Vocabulary:
    """The distinct pieces of texts, and the tokens in each, numbered."""

    first: Ints
    """Where the tokens of each piece begin in `tokens`; the last number is where all end."""
    tokens: Ints
    words: dict[str, int]
    """The number of each word."""
    word: Ints
    """By token: its word,"""
    spelled: dict[str, int]
    """The number of each token where case counts."""
    cased: Ints
    """By token: how it is spelled,"""
    content: Flags
    """and whether it is no stop word."""

    @classmethod
    def of(cls, pieces: pl.Series, language: str, normaliser: Normaliser) -> "Vocabulary":
        lists = tokenise(pieces, language)
        running = lists.explode(empty_as_null=False, keep_nulls=False).to_frame("token")
        distinct = running.unique(maintain_order=True).with_row_index("number")
        number = running.join(distinct, on="token", how="left", maintain_order="left")["number"]
        tokens = distinct["token"].to_list()
        words, spelled = normaliser.words(tokens), list(map(cased, tokens))
        of_word, of_spelled = _numbered(words), _numbered(spelled)
        return cls(
            np.concatenate([[0], lists.list.len().to_numpy().cumsum(dtype=np.int64)]),
            number.to_numpy().astype(np.int64),
            of_word,
            np.fromiter(map(of_word.__getitem__, words), np.int64, len(words)),
            of_spelled,
            np.fromiter(map(of_spelled.__getitem__, spelled), np.int64, len(words)),
            np.fromiter((not word.startswith(STOP) for word in words), np.bool_, len(words)),
        )

    def sum_by_piece(self, values: npt.NDArray[np.generic]) -> Ints:
        """The sum over the tokens of each piece of values by token."""
        running = np.concatenate([[0], values[self.tokens].cumsum(dtype=np.int64)])
        return running[self.first[1:]] - running[self.first[:-1]]


def _numbered(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


@dataclass(frozen=True)
class Pieces:
    """Texts cut at their spaces."""

    ends: Ints
    """Where each text ends."""
    number: npt.NDArray[np.uint32]
    """Which piece it is, one after the other."""
    distinct: pl.Series

    @classmethod
    def of(cls, texts: pl.Series) -> "Pieces":
        lists = texts.str.split(" ")
        pieces = lists.explode(empty_as_null=False, keep_nulls=False)
        for seed in count():
            number, first = number_equal(pieces.hash(seed).to_numpy())
            distinct = pieces.gather(first)
            blocks = (slice(begin, begin + BLOCK) for begin in range(0, len(pieces), BLOCK))
            if all((distinct.gather(number[some]) == pieces[some]).all() for some in blocks):
                break  # else two pieces hash alike
        return cls(lists.list.len().to_numpy().cumsum(dtype=np.int64), number, distinct)

    def sum_by_text(self, values: Ints) -> Ints:
        """The sum over the pieces of each text of values by distinct piece."""
        starts = self.ends - np.diff(self.ends, prepend=0)
        some = starts < self.ends  # of no pieces reduceat would take the next text's
        sums = np.zeros(len(self.ends), np.int64)
        sums[some] = np.add.reduceat(values.astype(np.int32)[self.number], starts[some])
        return sums


@dataclass(frozen=True)
class Asked:
    """The elements of the forms, numbered, with the numbers that a vocabulary gives their words."""

    form: Ints
    counts: Flags
    forced: Flags
    """Its words are content even where they are stop words."""
    cased: Flags
    length: Ints
    words: Ints
    """A row for each element: its words or spellings, filled up with -1."""
    starts: pl.DataFrame
    """question, cased, word, element: with which word an element may begin."""

    overlap: bool
    """Whether two elements of a form can be found at the same place."""

    @classmethod
    def of(cls, forms: Sequence[KeyForm], vocabulary: Vocabulary, given: Given) -> "Asked":
        elements = [(at, element) for at, form in enumerate(forms) for element in form.elements]
        numbers, starts = [], []
        for place, (at, element) in enumerate(elements):
            table = vocabulary.spelled if element.cased else vocabulary.words
            firsts: Collection[str] = element.words[:1]
            if element.quantity is not None:
                firsts = given.get((forms[at].question, element.quantity), ())
            numbers.append([table.get(word, -1) for word in element.words])
            if -1 not in numbers[-1]:
                starts += [
                    (forms[at].question, element.cased, table[word], place)
                    for word in firsts
                    if word in table
                ]
        width = max(map(len, numbers), default=0)
        return cls(
            np.array([at for at, _ in elements], np.int64),
            np.array([element.counts for _, element in elements], np.bool_),
            np.array([element.cased or element.is_stop for _, element in elements], np.bool_),
            np.array([element.cased for _, element in elements], np.bool_),
            np.array([max(len(each), 1) for each in numbers], np.int64),
            np.array([each + [-1] * (width - len(each)) for each in numbers], np.int64),
            pl.DataFrame(
                starts,
                schema={
                    "question": pl.Int64,
                    "cased": pl.Boolean,
                    "word": pl.Int64,
                    "element": pl.Int64,
                },
                orient="row",
            ),
            any(len(e.words) != 1 or e.cased for _, e in elements),
        )


def match(
    texts: pl.Series,
    questions: Ints,
    forms: Sequence[KeyForm],
    language: str,
    normaliser: Normaliser,
    given: Given,
) -> tuple[pl.DataFrame, Ints]:
    """What of each form is found in each text, and the number of content words in each text.

    The first is a row for each text and form that have something in common: text, form, found (key
    words), covered (running content words of the text that are in the form), extra (those of them
    that are stop words elsewhere).
    """
    pieces = Pieces.of(texts)
    vocabulary = Vocabulary.of(pieces.distinct, language, normaliser)
    asked = Asked.of(forms, vocabulary, given)
    content = pieces.sum_by_text(vocabulary.sum_by_piece(vocabulary.content))
    text, token = _running(pieces, vocabulary, asked, questions)
    position, element = _hits(text, token, questions, vocabulary, asked)
    found = _count(text, token, position, element, vocabulary, asked)
    if any(element.signs for form in forms for element in form.elements):
        by_signs = match_signs(texts, questions, forms)
        found = pl.concat([found.select(pl.col(FOUND).cast(pl.Int64)), by_signs])
    return found, content


def _running(
    pieces: Pieces, vocabulary: Vocabulary, asked: Asked, questions: Ints
) -> tuple[Ints, Ints]:
    """The running tokens that may begin an element, with their texts.

    Where elements have several words, all tokens of the texts of that question.
    """
    first = np.zeros(len(vocabulary.word), np.bool_)
    for is_cased, ids in ((False, vocabulary.word), (True, vocabulary.cased)):
        wanted = asked.starts.filter(pl.col("cased") == is_cased)["word"].to_numpy()
        first |= np.isin(ids, wanted)
    places = np.flatnonzero((vocabulary.sum_by_piece(first) > 0)[pieces.number])
    long = asked.starts.filter(asked.length[asked.starts["element"]] > 1)["question"].unique()
    if len(long):
        whole = np.isin(questions, long)
        every = np.repeat(whole, np.diff(pieces.ends, prepend=0))
        every[places] = True
        places = np.flatnonzero(every)
    text = np.searchsorted(pieces.ends, places, side="right")
    number = pieces.number[places]
    begin, length = vocabulary.first[number], np.diff(vocabulary.first)[number]
    within = np.arange(length.sum()) - np.repeat(length.cumsum() - length, length)
    return np.repeat(text, length), vocabulary.tokens[np.repeat(begin, length) + within]


def _hits(
    text: Ints, token: Ints, questions: Ints, vocabulary: Vocabulary, asked: Asked
) -> tuple[Ints, Ints]:
    """Where which element begins among the running tokens."""
    found = []
    for is_cased, ids in ((False, vocabulary.word), (True, vocabulary.cased)):
        starts = asked.starts.filter(pl.col("cased") == is_cased)
        if not starts.is_empty():
            size = len(ids)
            sought = pl.DataFrame({"start": questions[text] * size + ids[token]})
            found.append(
                sought.with_row_index("position").join(
                    starts.select(pl.col("question") * size + pl.col("word"), "element").rename(
                        {"question": "start"}
                    ),
                    on="start",
                )
            )
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    hits = pl.concat(found)
    position = hits["position"].to_numpy().astype(np.int64)
    element = hits["element"].to_numpy()
    for step in range(1, asked.words.shape[1]):
        long = asked.length[element] > step
        at = np.minimum(position + step, len(text) - 1)
        ids = np.where(
            asked.cased[element], vocabulary.cased[token[at]], vocabulary.word[token[at]]
        )
        goes_on = (at == position + step) & (text[at] == text[position])
        goes_on &= ids == asked.words[element, step]
        position, element = position[~long | goes_on], element[~long | goes_on]
    return position, element


def _count(
    text: Ints, token: Ints, position: Ints, element: Ints, vocabulary: Vocabulary, asked: Asked
) -> pl.DataFrame:
    """What the hits come to, by text and form."""
    hits = pl.DataFrame({"text": text[position], "element": element})
    counting = hits.filter(asked.counts[element]).unique()
    form = asked.form[counting["element"]]
    found = counting.with_columns(form=form).group_by("text", "form").len("found")
    length = asked.length[element]
    step = np.arange(length.sum()) - np.repeat(length.cumsum() - length, length)
    place, element = np.repeat(position, length) + step, np.repeat(element, length)
    content, forced = vocabulary.content[token[place]], asked.forced[element]
    covers = pl.DataFrame(
        {
            "text": text[place],
            "form": asked.form[element],
            "place": place,
            "covered": content | forced,
            "extra": forced & ~content,
        }
    )
    if asked.overlap:
        covers = covers.group_by("text", "form", "place").max()
    covered = covers.group_by("text", "form").agg(pl.col("covered", "extra").sum())
    return covered.join(found, on=["text", "form"], how="left").with_columns(
        pl.col("found").fill_null(0)
    )
