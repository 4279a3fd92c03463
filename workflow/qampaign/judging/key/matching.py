"""Finding the elements of key forms in many answers at once.

Answers are cut at their spaces, and only distinct pieces are looked at: what is between spaces
comes again and again. What can be part of a form is then joined with the forms of its question.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.arrays import Flags
from qampaign.judging.key.forms import KeyElement, KeyForm
from qampaign.judging.key.quantities import Asking
from qampaign.judging.key.signs import FOUND, match_signs
from qampaign.judging.key.words import Normaliser, Word, cased, tokenise
from qampaign.judging.numbering import number_equal

Ints = npt.NDArray[np.int64]
BLOCK = 2**16
"""How many pieces are compared at once: they stay in the cache."""
SOUGHT = 2**8
"""How many flags of a question say which tokens are sought: more than its key has, mostly."""

Given = Mapping[tuple[int, Asking], Collection[str]]
"""By question and quantity asked for: the words that give it."""


@dataclass(frozen=True)
class Vocabulary:
    """The distinct pieces of texts, and the distinct tokens in them, numbered."""

    first: Ints
    """Where the tokens of each piece begin in `tokens`; the last number is where all end."""
    tokens: Ints
    spelled: list[str]
    """By token: how it is spelled,"""
    words: list[Word]
    """what it is,"""
    content: Flags
    """and whether it is no stop word."""

    @classmethod
    def of(cls, pieces: pl.Series, language: str, normaliser: Normaliser) -> "Vocabulary":
        lists = tokenise(pieces, language)
        running = lists.explode(empty_as_null=False, keep_nulls=False).to_frame("token")
        distinct = running.unique(maintain_order=True).with_row_index("number")
        number = running.join(distinct, on="token", how="left", maintain_order="left")["number"]
        spelled = distinct["token"].to_list()
        words = normaliser.words(spelled)
        return cls(
            np.concatenate([[0], lists.list.len().to_numpy().cumsum(dtype=np.int64)]),
            number.to_numpy().astype(np.int64),
            spelled,
            words,
            np.fromiter((not word.is_stop for word in words), np.bool_, len(words)),
        )

    def sum_by_piece(self, values: npt.NDArray[np.generic]) -> Ints:
        """The sum over the tokens of each piece of values by token."""
        running = np.concatenate([[0], values[self.tokens].cumsum(dtype=np.int64)])
        return running[self.first[1:]] - running[self.first[:-1]]

    def find(self, names: Iterable[str]) -> dict[str, list[int]]:
        """For each of some names the tokens that have it."""
        tokens: dict[str, list[int]] = {name: [] for name in names}
        for number, word in enumerate(self.words):
            for name in word.names:
                if name in tokens:
                    tokens[name].append(number)
        return tokens

    def find_cased(self, spellings: Collection[str]) -> dict[str, list[int]]:
        """For each of some spellings the tokens that are spelled so."""
        tokens: dict[str, list[int]] = {spelling: [] for spelling in spellings}
        for number, token in enumerate(self.spelled if spellings else ()):
            tokens.get(cased(token), []).append(number)
        return tokens


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
        from qampaign.judging.row_loops import sum_by_text

        sums = np.empty(len(self.ends), np.int64)
        sum_by_text(values.astype(np.int32), self.number, self.ends, sums)
        return sums


@dataclass(frozen=True)
class Asked:
    """The elements of the forms, numbered, with the tokens of a vocabulary that are their words."""

    form: Ints
    counts: Flags
    forced: Flags
    """Its words are content even where they are stop words."""
    length: Ints
    starts: pl.DataFrame
    """question, token, element: with which token an element may begin."""
    further: Ints
    """Which token may be which further word of which element, each as one number."""
    tokens: int
    """How many tokens there are."""
    overlap: bool
    """Whether two elements of a form can be found at the same place."""

    @classmethod
    def of(cls, forms: Sequence[KeyForm], vocabulary: Vocabulary, given_words: Given) -> "Asked":
        elements = [(at, element) for at, form in enumerate(forms) for element in form.elements]
        steps = [_accepted(forms[at].question, element, given_words) for at, element in elements]
        by_case = {name for (_, e), words in zip(elements, steps, strict=True) if e.cased
                   for (name,) in words}  # fmt: skip
        names = {name for words in steps for accepted in words for name in accepted}
        cased, by_name = vocabulary.find_cased(by_case), vocabulary.find(names)
        starts: list[tuple[int, int, int]] = []
        further: list[tuple[int, int, int]] = []
        for number, ((at, element), words) in enumerate(zip(elements, steps, strict=True)):
            table = cased if element.cased else by_name
            tokens = [{token for name in accepted for token in table[name]} for accepted in words]
            if tokens and all(tokens):
                starts += [(forms[at].question, token, number) for token in sorted(tokens[0])]
                for step, some in enumerate(tokens[1:], start=1):
                    further += [(number, step, token) for token in some]
        form = np.array([at for at, _ in elements], np.int64)
        schema = dict.fromkeys(("question", "token", "element"), pl.Int64)
        begins = pl.DataFrame(starts, schema=schema, orient="row")
        twice = begins.select("token", form=form[begins["element"]]).is_duplicated().any()
        places = np.array(further, np.int64).reshape(-1, 3).T
        asked = cls(
            form,
            np.array([element.counts for _, element in elements], np.bool_),
            np.array([element.cased or element.is_stop for _, element in elements], np.bool_),
            np.array([max(len(element.words), 1) for _, element in elements], np.int64),
            begins,
            np.zeros(0, np.int64),
            len(vocabulary.words),
            bool(twice) or any(len(element.words) > 1 for _, element in elements),
        )
        return replace(asked, further=asked._place(*places))

    def goes_on(self, element: Ints, step: int, token: Ints) -> Flags:
        """Whether tokens are the words of elements that stand so many words after the first."""
        return np.isin(self._place(element, step, token), self.further)

    def _place(self, element: Ints, step: Ints | int, token: Ints) -> Ints:
        return (element * self.length.max(initial=1) + step) * self.tokens + token


def _accepted(
    question: int, element: KeyElement, given_words: Given
) -> tuple[Collection[str], ...]:
    """For each word of an element the names that it accepts."""
    if element.quantity is not None:
        return (given_words.get((question, element.quantity), ()),)
    return element.words


def match(
    texts: pl.Series,
    questions: Ints,
    forms: Sequence[KeyForm],
    language: str,
    normaliser: Normaliser,
    given_words: Given,
) -> tuple[pl.DataFrame, Ints]:
    """What of each form is found in each text, and the number of content words in each text.

    The first is a row for each text and form that have something in common: text, form, found (key
    words), covered (running content words of the text that are in the form), extra (those of them
    that are stop words elsewhere).
    """
    pieces = Pieces.of(texts)
    vocabulary = Vocabulary.of(pieces.distinct, language, normaliser)
    asked = Asked.of(forms, vocabulary, given_words)
    content = pieces.sum_by_text(vocabulary.sum_by_piece(vocabulary.content))
    text, token = _running(pieces, vocabulary, asked, questions)
    position, element = _hits(text, token, questions, asked)
    matches = _count(text, token, position, element, vocabulary, asked)
    if any(element.signs for form in forms for element in form.elements):
        by_signs = match_signs(texts, questions, forms)
        matches = pl.concat([matches.select(pl.col(FOUND).cast(pl.Int64)), by_signs])
    return matches, content


def _running(
    pieces: Pieces, vocabulary: Vocabulary, asked: Asked, questions: Ints
) -> tuple[Ints, Ints]:
    """The running tokens that may begin an element, and some others, with their texts.

    Where elements have several words, all tokens of the texts of that question.
    """
    from qampaign.judging.row_loops import find_tokens

    long = asked.starts.filter(asked.length[asked.starts["element"]] > 1)["question"].unique()
    whole = np.isin(questions, long)
    sought = np.zeros((questions.max(initial=0) + 1, SOUGHT), np.bool_)
    starts = asked.starts.filter(pl.col("question") < len(sought))
    sought[starts["question"].to_numpy(), starts["token"].to_numpy() % SOUGHT] = True
    length = np.diff(vocabulary.first)
    single = length == 1
    alone = np.full(len(length), -1, np.int32)
    alone[single] = vocabulary.tokens[vocabulary.first[:-1][single]]
    text, token = np.empty((2, pieces.sum_by_text(length).sum()), np.int64)
    number = find_tokens(
        pieces.number, pieces.ends, alone, vocabulary.first, vocabulary.tokens, questions, whole,
        sought, text, token,
    )  # fmt: skip
    return text[:number].copy(), token[:number].copy()


def _hits(text: Ints, token: Ints, questions: Ints, asked: Asked) -> tuple[Ints, Ints]:
    """Where which element begins among the running tokens."""
    if asked.starts.is_empty():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    size = asked.tokens
    sought = pl.DataFrame({"start": questions[text] * size + token}).with_row_index("position")
    starts = asked.starts.select("element", start=pl.col("question") * size + pl.col("token"))
    hits = sought.join(starts, on="start")
    position = hits["position"].to_numpy().astype(np.int64)
    element = hits["element"].to_numpy()
    for step in range(1, asked.length.max(initial=1)):
        long = asked.length[element] > step
        if not long.any():
            break
        at = np.minimum(position + step, len(text) - 1)
        goes_on = (at == position + step) & (text[at] == text[position])
        goes_on &= asked.goes_on(element, step, token[at])
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
