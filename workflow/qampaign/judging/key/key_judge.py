"""The judge `key`: how many of the key's words are in the answer, by the form that fits best.

Breck, Burger, Ferro, Hirschman, House, Light & Mani (2000), How to Evaluate Your Question Answering
System Every Day.

A form's key words are its words less the stop words; a phrase, a number and a date are one key word
each. Recall is the share of key words that the answer has: each counts once, however often it
stands in the form or in the answer. Precision is the share of the answer's running words, less the
stop words, that are in the form. A form of stop words alone (`The Who`) takes all its words as key
words. A form without a word, such as an emoji, is one key word: see
:mod:`qampaign.judging.key.signs`.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

import numpy as np
import polars as pl

from qampaign.judging import refusals as refusals_of
from qampaign.judging.declaration import Fault, judge
from qampaign.judging.judgments import Judged, Verdict, conclude, encode
from qampaign.judging.key import answer_types, grammar, words
from qampaign.judging.key.fit import KeyFit
from qampaign.judging.key.forms import KeyForm, KeyRow
from qampaign.judging.key.matching import Ints
from qampaign.judging.key.numbers import read_range
from qampaign.judging.key.quantities import Reading
from qampaign.judging.unassessed import refuse_uncovered
from qampaign.options import Options, Share
from qampaign.problems import Refused, quote, short_id


def matched_words(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    language: str,
    accents: str,
    demonyms: bool,
    numbers: bool,
    units: bool,
    relax: str,
    tolerance: float,
    dates: bool,
    **_: object,
) -> pl.Series:
    """The words of the key that are in each answer, by the form that it was judged by.

    `responses` have run, question, answer and form; the options are those of the judge. Null where
    there is no form.
    """
    keys = keys.filter(pl.col("question").is_in(responses["question"].implode()))
    encoded, questions, keys = encode(responses, questions, keys)
    readings = _readings(
        questions, name, language, numbers=numbers, units=units, relax=relax, dates=dates
    )
    matched: list[str | None] = [None] * responses.height
    for key_fit, rows, numbered in _by_language(
        encoded.with_columns(pl.when(pl.col("form").is_not_null()).then("answer")),
        list(_parse(keys, readings, name)),
        readings,
        accents,
        demonyms,
    ):
        answered = encoded[rows]
        texts = key_fit.matched(
            answered["answer"], numbered, answered["form"].to_list(), tolerance=tolerance
        )
        for row, text in zip(rows, texts, strict=True):
            matched[row] = text
    return pl.Series("matched", matched, pl.String)


def check_options(options: Options) -> Iterator[Fault]:
    """What is wrong with the options of a judge by key together."""
    if not words.is_language(options["language"]):
        yield "language", "is no language", words.allowed_languages()
    if options["tolerance"] and not (options["numbers"] or options["units"]):
        problem = "has no effect where numbers are read as words"
        yield "tolerance", problem, "numbers: true beside it"
    if options["relax"] == "units" and not options["units"]:
        problem = "has no effect where units are read as words"
        yield "relax", problem, "units: true beside it, or nothing"


@judge(
    by="keys", default_name="key", degrees=True, matched_words=matched_words, check=check_options
)
def key(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    correct: Collection[str],
    unassessed: str,
    nil: str,
    language: str,
    refusals: Options | None = None,
    threshold: Annotated[
        Share,
        "a number from 0 to 1: answers with a greater share of the key's words are right",
    ] = 0.25,
    minimum_precision: Annotated[
        Share, "a number from 0 to 1, the share of an answer's words that must be the key's"
    ] = 0.0,
    accents: Annotated[Literal["keep", "fold"], "keep (é is not e) or fold (it is)"] = "keep",
    demonyms: Annotated[
        bool, "true (a people is its place: Peruvian is Peru, in English) or false"
    ] = True,
    numbers: Annotated[
        bool, "true (numbers are compared as numbers, in any spelling) or false"
    ] = False,
    units: Annotated[
        bool,
        "true (a number and its unit or currency are one word: 5 km is 5,000 m, $5 is 5 dollars; "
        "numbers are then compared as numbers) or false",
    ] = False,
    relax: Annotated[
        Literal["nothing", "units"],
        "nothing, or units (a bare number passes for the key's number with its unit)",
    ] = "nothing",
    tolerance: Annotated[
        Share, "a number from 0 to 1, how far a number may be off, as a share of the key's"
    ] = 0.0,
    dates: Annotated[bool, "true (times and dates are compared in any spelling) or false"] = False,
) -> Judged:
    """An answer key: right where the answer has a greater share of its words than the threshold.

    An answer is right where its recall by some form is greater than `threshold` and its precision
    at least `minimum_precision`. The form that fits best has the highest degree (recall, or 0 where
    the precision is too low), then the highest recall, then the highest precision, and is the first
    such one. `numbers` and `dates` compare what they mean: numbers may be off by `tolerance`, a
    share of the key's. `units` compares numbers with their units, converted, and `relax` lets a
    number without one pass. A date counts as the parts that it says: year, month and day. A range
    in a key turns `numbers` on for its question. An answer without something of the type that a
    form asks for (`<person>`) has degree 0 by that form. Of forms with the same degree those
    without a level of their own (`@B`) go first. The language of a question goes before
    `language`; `accents` are "keep" or "fold".

    Raises :class:`Refused` for keys that cannot be read, and for answers to questions without a key
    unless `unassessed` is "wrong"; a nil question needs none.
    """
    responses, questions, keys = encode(responses, questions, keys)
    readings = _readings(
        questions, name, language, numbers=numbers, units=units, relax=relax, dates=dates
    )
    compared, forms = _compare(
        responses.with_columns(pl.col("answer").replace(nil, None)),
        list(_parse(keys, readings, name)),
        readings,
        accents=accents,
        demonyms=demonyms,
        tolerance=tolerance,
        minimum_precision=minimum_precision,
    )
    judged = _give_verdicts(responses, compared, questions, forms, threshold=threshold, nil=nil)
    return conclude(
        refusals_of.mark(judged, questions, refusals, name=name),
        questions,
        _right_answers(forms, questions["question"]),
        correct=correct,
        nil=nil,
        unassessed=unassessed,
        refuse=partial(refuse_uncovered, name=name, what="key"),
    )


def _readings(
    questions: pl.DataFrame,
    name: str,
    language: str,
    *,
    numbers: bool,
    units: bool,
    relax: str,
    dates: bool,
) -> list[Reading]:
    """How the texts of each question are read."""
    return [
        Reading(
            words.check_language(question_language or language, name),
            numbers or units,
            dates,
            day,
            units=units,
            relax=relax == "units",
        )
        for question_language, day in questions.select("language", "date").iter_rows()
    ]


def _parse(keys: pl.DataFrame, readings: Sequence[Reading], name: str) -> Iterator[KeyRow]:
    numbers = keys["question"].to_physical()
    rows = keys.select("question", "key", "level", "class", "literal").iter_rows()
    for number, (question, text, level, key_class, literal) in zip(numbers, rows, strict=True):
        try:
            key = grammar.read(text, literal=literal)
            _check_ranges(key, readings[number].language)
            _check_types(key, readings[number].language)
        except ValueError as mistake:
            message = f"{name}: question {short_id(question)}: key {quote(text)}: {mistake}"
            raise Refused(message) from None
        yield KeyRow(number, key, level, key_class)


def _check_ranges(key: grammar.Key, language: str) -> None:
    """The grammar lets pass what is the right way round in some language."""
    forms = (form for answer in key.answers for form in answer.forms)
    for element in (element for form in forms for element in form.elements):
        if element.kind == "range":
            low, high, _ = read_range(words.normalise(element.text), "", language)
            if low.value > high.value:
                bounds = f"{low.value:g} to {high.value:g}, as numbers are written in {language}"
                raise ValueError(f"the range {element.text} is from {bounds}")


def _check_types(key: grammar.Key, language: str) -> None:
    """Persons and places are told by the words of a language."""
    type_names = [name for answer in key.answers for form in answer.forms for name in form.types]
    for name in type_names if language not in answer_types.LANGUAGES else ():
        if name in answer_types.NAMED_TYPES:
            known, others = ", ".join(answer_types.LANGUAGES), sorted({*grammar.TYPES} - {
                *answer_types.NAMED_TYPES})  # fmt: skip
            allowed = ", ".join(f"<{type_name}>" for type_name in others)
            raise ValueError(
                f"<{name}> cannot be told in {language}, only in {known}; allowed: {allowed}"
            )


def _compare(
    responses: pl.DataFrame,
    keys: Sequence[KeyRow],
    readings: Sequence[Reading],
    *,
    accents: str,
    demonyms: bool,
    tolerance: float,
    minimum_precision: float,
) -> tuple[pl.DataFrame, list[KeyForm]]:
    """The best form (its number) of each response with recall, precision and degree; the forms.

    All are null where there is no answer, or no key.
    """
    forms: list[KeyForm] = []
    parts: list[pl.DataFrame] = []
    numbered, count = np.full(responses.height, -1), 0
    for key_fit, rows, question in _by_language(responses, keys, readings, accents, demonyms):
        best = key_fit.best(
            responses["answer"].gather(rows),
            question,
            tolerance=tolerance,
            minimum_precision=minimum_precision,
        )
        numbered[rows] = np.arange(len(rows)) + count
        count += len(rows)
        parts.append(best.with_columns(pl.col("form") + len(forms)))
        forms += key_fit.forms
    compared = pl.concat(parts)
    if count < responses.height or len(parts) > 1:
        at = pl.Series(numbered).replace(-1, None)
        compared = compared.select(pl.all().gather(at))
    return compared, forms


def _by_language(
    responses: pl.DataFrame,
    keys: Sequence[KeyRow],
    readings: Sequence[Reading],
    accents: str,
    demonyms: bool,
) -> Iterator[tuple[KeyFit, Ints, Ints]]:
    """The keys in each language, with the rows to be compared with them and their questions."""
    question = responses["question"].to_physical().cast(pl.Int64).to_numpy()
    languages = np.array([reading.language for reading in readings], dtype=str)
    has_key = np.zeros(len(readings), np.bool_)
    has_key[[key.question for key in keys]] = True
    comparable = has_key[question] & responses["answer"].is_not_null().to_numpy()
    for language in sorted({reading.language for reading in readings}):
        here = languages == language
        normaliser = words.normaliser(language, accents, demonyms=demonyms)
        keys_of_language = [key for key in keys if here[key.question]]
        rows = np.flatnonzero(comparable & here[question])
        yield KeyFit(keys_of_language, readings, language, normaliser), rows, question[rows]


def _give_verdicts(
    responses: pl.DataFrame,
    compared: pl.DataFrame,
    questions: pl.DataFrame,
    forms: Sequence[KeyForm],
    *,
    threshold: float,
    nil: str,
) -> pl.DataFrame:
    """The responses with verdicts, degrees, level and class; no verdict where there is no key.

    NIL and answers to nil questions without a key have a degree, too: 1 where they are right.
    """
    best_forms = pl.DataFrame(
        [(form.text, form.level, form.meaning) for form in forms],
        schema=dict.fromkeys(("form", "level", "class"), pl.String),
        orient="row",
    ).select(pl.all().gather(compared["form"]))
    is_nil = pl.col("question").is_in(questions.filter("nil")["question"].implode())
    right = pl.col("degree") > threshold
    return responses.with_columns(*compared.drop("form"), *best_forms).with_columns(
        pl.when(right).then(pl.col("level", "class")),
        verdict=pl.when(right)
        .then(pl.lit("right", Verdict))
        .when(right.is_not_null() | is_nil)
        .then(pl.lit("wrong", Verdict)),
        degree=pl.when(pl.col("answer") == nil)
        .then(is_nil.cast(pl.Float64))
        .when(pl.col("answer").is_not_null())
        .then(pl.col("degree").fill_null(0.0)),
    )


def _right_answers(forms: Sequence[KeyForm], questions: pl.Series) -> pl.DataFrame:
    """What the keys know to be right: question, answer, class, level."""
    numbers = pl.Series([form.question for form in forms], dtype=pl.UInt32)
    known = pl.DataFrame(
        [(form.meaning, form.meaning, form.level) for form in forms],
        schema=dict.fromkeys(("answer", "class", "level"), pl.String),
        orient="row",
    )
    return known.with_columns(question=questions.gather(numbers))
