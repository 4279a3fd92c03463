"""Answers compared with the forms of their question's key: recall, precision, the best form."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

import numpy as np
import polars as pl

from qampaign.judging.key.answer_types import holds
from qampaign.judging.key.forms import KeyRow, compile_forms
from qampaign.judging.key.matching import Given, Ints, match
from qampaign.judging.key.quantities import Asking, Catalogue, Reading, word_of
from qampaign.judging.key.words import Normaliser, normalise_all

BATCH = 2**27
"""How many bytes of answers are compared at a time: more would need more memory."""


class KeyFit:
    """The keys of questions in one language, ready to be compared with answers."""

    def __init__(
        self,
        keys: Sequence[KeyRow],
        readings: Sequence[Reading],
        language: str,
        normaliser: Normaliser,
    ) -> None:
        """`readings` say how the texts of each question are read, by its number."""
        self._today = [reading.today for reading in readings]
        self._language, self._normaliser = language, normaliser
        self._catalogue = Catalogue()
        compiled = compile_forms(keys, readings, language, normaliser, self._catalogue)
        self.forms, self._readings = compiled.forms, compiled.readings

    def best(
        self, answers: pl.Series, questions: Ints, *, tolerance: float, minimum_precision: float
    ) -> pl.DataFrame:
        """For each answer the form that fits best: form, recall, precision, degree.

        Every one of the questions must have a key.
        """
        size = answers.str.len_bytes().cast(pl.Int64).cum_sum().to_numpy()
        cuts = np.searchsorted(size, np.arange(BATCH, size.max(initial=0), BATCH)).tolist()
        parts = [
            self._best(answers[a:b], questions[a:b], tolerance, minimum_precision)
            for a, b in pairwise([0, *cuts, len(answers)])
        ]
        return pl.concat(parts)

    def _best(
        self, answers: pl.Series, questions: Ints, tolerance: float, minimum_precision: float
    ) -> pl.DataFrame:
        plain = normalise_all(answers)
        texts, given_words = self._name_quantities(plain, questions, tolerance)
        matches, content = match(
            texts, questions, self.forms, self._language, self._normaliser, given_words
        )
        key_words = np.array([max(form.key_words, 1) for form in self.forms])
        sizes = content[matches["text"].to_numpy()] + matches["extra"].to_numpy()
        scored = matches.select(
            "text",
            "form",
            recall=pl.col("found") / key_words[matches["form"].to_numpy()],
            precision=pl.col("covered") / np.maximum(sizes, 1),
        )
        precise = pl.col("precision") >= minimum_precision
        fits = precise & self._hold_types(scored, plain, questions)
        coarse = np.array([at + 1 if form.is_graded else 0 for at, form in enumerate(self.forms)])
        scored = scored.with_columns(
            degree=pl.when(fits).then("recall").otherwise(0.0),
            coarse=coarse[scored["form"].to_numpy()],
        )
        order = ["text", "degree", "coarse", "recall", "precision", "form"]
        falling = [False, True, False, True, True, False]
        firsts = scored.sort(order, descending=falling).unique("text", keep="first")
        return self._fill(firsts, questions)

    def _hold_types(self, scored: pl.DataFrame, texts: pl.Series, questions: Ints) -> pl.Series:
        """Whether each text holds what the form that it is compared with asks for."""
        typed = np.array([bool(form.types) for form in self.forms], np.bool_)
        rows = np.flatnonzero(typed[scored["form"].to_numpy()])
        hold = np.ones(scored.height, np.bool_)
        known: dict[tuple[str, str, date | None], bool] = {}
        some = scored[rows].select("text", "form").iter_rows()
        for row, (text, form) in zip(rows.tolist(), some, strict=True):
            today = self._today[questions[text]]
            for name in self.forms[form].types:
                item = (name, texts[text], today)
                if item not in known:
                    known[item] = holds(name, texts[text], self._language, today)
                hold[row] &= known[item]
        return pl.Series(hold)

    def matched(
        self, answers: pl.Series, questions: Ints, forms: Sequence[str], *, tolerance: float
    ) -> list[str]:
        """The key words of its form that each answer has, as the key spells them."""
        texts, given_words = self._name_quantities(normalise_all(answers), questions, tolerance)
        word_forms = [
            replace(form, elements=(element,))
            for form in self.forms
            for element in form.elements
            if element.counts
        ]
        matches, _ = match(
            texts, questions, word_forms, self._language, self._normaliser, given_words
        )
        words: list[dict[str, None]] = [{} for _ in forms]
        for text, number in matches.select("text", "form").sort("text", "form").iter_rows():
            if word_forms[number].text == forms[text]:
                words[text][word_forms[number].elements[0].text] = None
        return [" ".join(of_text) for of_text in words]

    def _fill(self, firsts: pl.DataFrame, questions: Ints) -> pl.DataFrame:
        """A row for every answer: where nothing of the key is found, the first form stands."""
        default = np.zeros(questions.max(initial=0) + 1, np.int64)
        for number, form in reversed(list(enumerate(self.forms))):
            if form.question < len(default):
                default[form.question] = number
        rows = firsts["text"].to_numpy()
        forms, numbers = default[questions], np.zeros((3, len(questions)))
        forms[rows] = firsts["form"].to_numpy()
        numbers[:, rows] = firsts.select("recall", "precision", "degree").to_numpy().T
        return pl.DataFrame(
            {"form": forms} | dict(zip(("recall", "precision", "degree"), numbers, strict=True))
        )

    def _name_quantities(
        self, texts: pl.Series, questions: Ints, tolerance: float
    ) -> tuple[pl.Series, Given]:
        """Texts with a word for each number or date, for the questions whose keys have such."""
        if not self._readings:
            return texts, {}
        rows = self._with_quantities(texts, questions)
        seen: dict[int, set[int]] = defaultdict(set)
        named: dict[tuple[int, str], str] = {}
        for question, text in zip(questions[rows].tolist(), texts.gather(rows), strict=True):
            if (question, text) not in named:
                reading = self._readings[question]
                named[question, text], numbers = self._catalogue.enter(text, reading)
                seen[question].update(numbers)
        new = [
            named[pair] for pair in zip(questions[rows].tolist(), texts.gather(rows), strict=True)
        ]
        return texts.scatter(rows, new), self._given(seen, tolerance)

    def _with_quantities(self, texts: pl.Series, questions: Ints) -> Ints:
        """The texts that may have a quantity, for the questions whose keys have one."""
        questions_by_pattern: dict[str, list[int]] = defaultdict(list)
        for question, reading in self._readings.items():
            questions_by_pattern[reading.told_by].append(question)
        row_sets = []
        for pattern, question_numbers in questions_by_pattern.items():
            rows = np.flatnonzero(np.isin(questions, question_numbers))
            has = texts.gather(rows).str.contains(pattern) if pattern else True
            row_sets.append(rows[np.broadcast_to(has, rows.shape)])
        return np.sort(np.concatenate(row_sets))

    def _given(self, seen: dict[int, set[int]], tolerance: float) -> Given:
        given_words: dict[tuple[int, Asking], Collection[str]] = {}
        quantities = self._catalogue.quantities
        for form in self.forms:
            for element in form.elements:
                if element.quantity is not None:
                    given_words[form.question, element.quantity] = [
                        word_of(number)
                        for number in seen[form.question]
                        if element.quantity.is_given_by(quantities[number], tolerance)
                    ]
        return given_words
