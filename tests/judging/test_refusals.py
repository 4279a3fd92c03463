"""Answers such as "I don't know": which are refusals, and which only begin like one."""

from typing import Any

import polars as pl
import pytest

from qampaign.judging import exact as exact_judge
from qampaign.judging import patterns as pattern_judge
from qampaign.judging.key import key_judge
from qampaign.judging.refusals import DEFAULTS, describe, fault, is_refusal
from qampaign.problems import Refused
from tests.judging.tables import judge_by

REFUSALS = {
    "en": [
        "I don't know", "I don\u2019t know.", "I do not know the answer to this question.", "IDK", "n/a",
        "I'm not sure.", "No idea!", "I cannot answer that question.", "Sorry, I can't say.",
        "I am sorry, but I don't know. The passage says nothing of it.", "Unknown",
        "I'm unable to determine that.", "I can't help with that request.",
    ],
    "de": ["Ich weiß es nicht.", "Weiß ich nicht", "Das weiss ich leider nicht", "Keine Ahnung.",
           "Ich kann die Frage leider nicht beantworten.", "unbekannt", "k. A."],
    "fr": ["Je ne sais pas.", "Je sais pas", "Désolé, je ne peux pas répondre à cette question.",
           "Aucune idée", "Inconnu"],
    "es": ["No lo sé.", "no sé", "Lo siento, no puedo responder a esta pregunta", "Ni idea"],
    "it": ["Non lo so.", "Mi dispiace, non posso rispondere a questa domanda", "Sconosciuto"],
    "pt": ["Não sei.", "Desculpe, não posso responder a essa pergunta", "Não faço ideia"],
    "nl": ["Ik weet het niet.", "Weet ik niet", "Dat weet ik helaas niet", "Geen idee"],
}  # fmt: skip
ANSWERS = [
    "I Don't Know How But They Found Me", "I don't know, maybe Paris", "Not sure-footed goats",
    "The Unknown Soldier", "Unknown Pleasures", "Sorry", "I Know What You Did Last Summer",
    "No Idea Records", "Nobody knows", "I Can't Help Myself", "don't know much about history",
    "Je ne sais quoi", "No sé tú", "Non lo so più", "Ich weiß nicht, was soll es bedeuten",
    "No", "None", "Nothing", "Weet Ik Veel", "N/A Records", "idk inc", "Paris",
    "Je sais pas chanter", "Soldado desconocido", "Der Unbekannte",
]  # fmt: skip


@pytest.mark.parametrize("language", REFUSALS)
def test_refusals_are_found_in_their_language(language: str) -> None:
    said = pl.Series(REFUSALS[language])
    assert said.filter(~is_refusal(said, DEFAULTS[language])).to_list() == []


@pytest.mark.parametrize("language", DEFAULTS)
def test_answers_that_begin_like_a_refusal_are_none(language: str) -> None:
    said = pl.Series(ANSWERS)
    assert said.filter(is_refusal(said, DEFAULTS[language])).to_list() == []


def test_there_are_lists_for_the_languages_that_are_promised() -> None:
    assert set(DEFAULTS) >= {"en", "de", "fr", "es", "it", "pt", "nl"}
    assert all(fault(pattern) is None for own in DEFAULTS.values() for pattern in own)


def test_a_pattern_that_cannot_be_used_is_told() -> None:
    assert "look-around" in (fault("a(?=b)") or "")
    assert fault("a)|(b") is not None


WANTED: dict[str, Any] = {"defaults": True, "patterns": ["keine angabe"], "language": "en"}
SAID = [
    {"question": "q1", "answer": "I don't know"},  # the key of q1 is just that
    {"question": "q2", "answer": "I don't know"},
    {"question": "q3", "answer": "KEINE Angabe."},
    {"question": "q4", "answer": "Rome"},
]
KEYS = {"q1": "I Don't Know", "q2": "Paris", "q3": "Oslo", "q4": "Bern"}
EXPECTED = ["right", "not_attempted", "not_attempted", "wrong"]


@pytest.mark.parametrize("judge", [key_judge.key, exact_judge.exact])
def test_a_refusal_is_not_attempted_unless_the_judge_finds_it_right(judge: Any) -> None:
    rows = [{"question": question, "key": key} for question, key in KEYS.items()]
    found = judge_by(judge, "keys", SAID, rows, refusals=WANTED)
    assert found.judgments["verdict"].to_list() == EXPECTED
    assert describe(found.judgments, "j") == "2 of 4 answers are refusals by j: not attempted"
    without = judge_by(judge, "keys", SAID, rows).judgments["verdict"].to_list()
    assert without == ["right", "wrong", "wrong", "wrong"]


def test_the_same_by_patterns() -> None:
    rows = [{"question": question, "pattern": key} for question, key in KEYS.items()]
    found = judge_by(pattern_judge.patterns, "patterns", SAID, rows, refusals=WANTED)
    assert found.judgments["verdict"].to_list() == EXPECTED


def test_a_refusal_needs_no_key() -> None:
    rows = [{"question": "q1", "key": "Paris"}]
    found = judge_by(key_judge.key, "keys", [SAID[1]], rows, refusals=WANTED)
    assert found.judgments["verdict"].to_list() == ["not_attempted"]


def test_questions_may_have_languages_of_their_own() -> None:
    rows = [{"question": question, "key": key} for question, key in KEYS.items()]
    said = [{"question": "q2", "answer": "Je ne sais pas"}, {"question": "q3", "answer": "idk"}]
    asked = [{"question": q, "language": "fr" if q == "q2" else None} for q in KEYS]
    found = judge_by(exact_judge.exact, "keys", said, rows, asked, refusals=WANTED)
    assert found.judgments["verdict"].to_list() == ["not_attempted", "not_attempted"]
    asked = [{"question": q, "language": "fi"} for q in KEYS]
    with pytest.raises(
        Refused, match="no default list for the language fi; there are lists for en"
    ):
        judge_by(exact_judge.exact, "keys", said, rows, asked, refusals=WANTED)
