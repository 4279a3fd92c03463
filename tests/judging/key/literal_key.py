"""The judge `key` written down literally: one answer, one form, one word after the other."""

import re
import unicodedata

from qampaign.judging.key import grammar
from qampaign.judging.key.words import Normaliser, Word, cased

TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?|[^\W_]+")


def tokens_of(text: str) -> list[str]:
    return TOKEN.findall(unicodedata.normalize("NFKC", text))


class Form:
    """A form of a key without numbers or dates: lists of words that must stand together."""

    def __init__(self, form: grammar.Form, normaliser: Normaliser) -> None:
        self.text = form.text
        self.normaliser = normaliser
        wanted: dict[tuple[tuple[tuple[str, ...], ...], bool], bool] = {}
        for element in form.elements:
            tokens = tokens_of(element.text)
            accepted = [word.accepts for word in normaliser.words(tokens)]
            if element.cased:
                found = [(tuple((cased(token),) for token in tokens), True)]
            elif element.kind == "phrase":
                found = [(tuple(accepted), False)]
            else:
                found = [((each,), False) for each in accepted]
            for each in found:
                wanted[each] = wanted.get(each, False) or element.emphasised
        asked = [each for each, emphasised in wanted.items() if emphasised] or list(wanted)
        self.key_words = [each for each in asked if self.says_something(*each)] or asked
        self.others = [each for each in wanted if self.says_something(*each)]

    @staticmethod
    def is_stop(words: tuple[tuple[str, ...], ...]) -> bool:
        return all(Word((), accepted).is_stop for accepted in words)

    def says_something(self, words: tuple[tuple[str, ...], ...], is_cased: bool) -> bool:
        return is_cased or not self.is_stop(words)

    def score(self, answer: str) -> tuple[float, float]:
        """Recall and precision."""
        tokens = tokens_of(answer)
        words = self.normaliser.words(tokens)
        content = [not word.is_stop for word in words]
        covered = [False] * len(tokens)
        found = 0
        for wanted, is_cased in dict.fromkeys([*self.key_words, *self.others]):
            there = [(cased(token),) for token in tokens] if is_cased else [w.names for w in words]
            size = len(wanted)
            places = [
                at
                for at in range(len(there) - size + 1)
                if all(
                    set(names) & set(accepted)
                    for names, accepted in zip(there[at : at + size], wanted, strict=True)
                )
            ]
            found += bool(places) and (wanted, is_cased) in self.key_words
            forced = is_cased or self.is_stop(wanted)
            for at in places:
                for place in range(at, at + size):
                    if forced or content[place]:
                        covered[place] = True
        size = sum(c or v for c, v in zip(content, covered, strict=True))
        return found / len(self.key_words), sum(covered) / max(size, 1)


def best(
    answer: str, key: str, normaliser: Normaliser, minimum_precision: float
) -> tuple[float, float, float, str]:
    """Degree, recall, precision and text of the form that fits best."""
    found = []
    for each in grammar.parse(key).answers:
        for form in each.forms:
            recall, precision = Form(form, normaliser).score(answer)
            degree = recall if precision >= minimum_precision else 0.0
            found.append((degree, recall, precision, form.text))
    top = max(each[:3] for each in found)
    return next(each for each in found if each[:3] == top)
