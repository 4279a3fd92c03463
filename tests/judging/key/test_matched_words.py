"""Which words of its key an answer has, for people who look at failures."""

from typing import Any

import polars as pl
import pytest

from qampaign.judging.declaration import Judge
from qampaign.judging.exact import exact
from qampaign.judging.key.key_judge import key
from tests.judging.tables import judge_by, table

pytestmark = pytest.mark.slow


# key, answer, language of the question, recall, the words
CASES = [
    ("10%", "ten percent", "en", 1.0, "10%"),
    ("1976年7月4日", "一九七六年七月四日", "ja", 1.0, "1976年7月4日"),
    ("The Who", "the who", "en", 1.0, "The Who"),
    ("Häuser", "das Haus", "de", 1.0, "Häuser"),
    ("東京都", "日本の東京です", "ja", 0.5, "東京"),
    ("1.35..1.45 billion", "1.39 billion", "en", 1.0, "1.35..1.45"),
    ('"secretary of state"', "the secretary of the state", "en", 0.0, ""),
    ("Peruvian fishermen | Netscape", "Fisherman: El Niño", "en", 0.5, "fishermen"),
    ("July 4, 1976", "on the 4th of July 1976", "en", 1.0, "July 4, 1976"),
    ("big red *dog*", "the big dog", "en", 1.0, "dog"),
    ("=IN; Indiana", "in IN", "en", 1.0, "IN"),
]


def matched(kind: Judge, **options: Any) -> pl.DataFrame:
    """The cases with recall and matched words, by the form that fitted best."""
    rows = [
        {"question": f"q{at:02}", "key": own, "answer": said, "language": language}
        for at, (own, said, language, *_) in enumerate(CASES)
    ]
    tables = {
        name: [{each: row[each] for each in ("question", *wanted)} for row in rows]
        for name, wanted in {
            "responses": ["answer"], "keys": ["key"], "questions": ["language"]
        }.items()
    }  # fmt: skip
    judged = judge_by(kind, "keys", tables["responses"], tables["keys"],
                      tables["questions"], **options)  # fmt: skip
    found = judged.judgments.select(pl.col("question").cast(pl.String), "recall", "form")
    given = table("responses", tables["responses"]).join(found, on="question")
    matcher = kind.matcher(
        keys=table("keys", tables["keys"]),
        questions=table("questions", tables["questions"]),
        name="Collection c, judge j",
        **options,
    )
    words = matcher(given[::-1])  # in whatever order
    return given.with_columns(matched=words.reverse())


def test_words_are_those_that_recall_counts() -> None:
    found = matched(key, numbers=True, dates=True)
    assert found.select("recall", "matched").rows() == [tuple(each[3:]) for each in CASES]


def test_the_options_of_the_judge_decide() -> None:
    found = matched(key)["matched"].to_list()
    assert found[0] == ""  # ten is no 10% unless numbers are read
    assert found[5] == "1.35..1.45"  # a range is one always


def test_a_response_without_a_form_has_no_words() -> None:
    rows = table("responses", [{"answer": "Ada"}]).with_columns(form=pl.lit(None, pl.String))
    given = {
        "keys": table("keys", [{"key": "Ada"}]),
        "questions": table("questions", [{"question": "q1"}]),
    }
    for kind in (key, exact):
        assert kind.matcher(**given, name="j")(rows).to_list() == [None]


def test_words_that_an_exact_comparison_has_in_common() -> None:
    found = dict(zip([each[0] for each in CASES], matched(exact)["matched"], strict=True))
    assert found["The Who"] == "who"
    assert found["1.35..1.45 billion"] == "billion"
    assert found['"secretary of state"'] == "secretary of state"
    assert found["10%"] == ""
