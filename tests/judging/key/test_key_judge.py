"""The judge `key`: the paper's cases, the extensions, and a literal transcription beside it."""

from datetime import date
from random import Random

import polars as pl
import pytest

from qampaign.judging.judgments import COLUMNS, Judged
from qampaign.judging.key.key_judge import key as judge
from qampaign.judging.key.words import normaliser
from qampaign.problems import Refused
from tests.judging.key.literal_key import best
from tests.judging.tables import judge_by

WORDS = """
    the of in IN US U.S. Who may state states secretary fisherman fishermen Lincoln Lincoln's
    Abraham China china 10 1,000 10:30 B-52 New-York ﬁsh Niño niño - ... (x)
"""
MOSAIC = "National Center for Supercomputing Applications; NCSA | Netscape Communications"


def judged(
    responses: list[dict], keys: list[dict], questions: list[dict] | None = None, **options
) -> Judged:
    return judge_by(judge, "keys", responses, keys, questions, **options)


def one(key: str, answer: str | None, about: dict | None = None, **options) -> dict:
    """The judgment of a single answer."""
    found = judged(
        [{"run": "a", "question": "q1", "answer": answer}],
        [{"question": "q1", "key": key}],
        [{"question": "q1"} | (about or {})],
        **options,
    )
    return found.judgments.row(0, named=True)


def recall(key: str, answer: str, about: dict | None = None, **options) -> float:
    return one(key, answer, about, **options)["recall"]


def test_the_papers_example_gives_one_half() -> None:
    # fisherman is one of two key words, and one of the four words fisherman, called, El, Niño
    row = one("Peruvian fishermen", "Fisherman: They called it El Niño")
    assert (row["verdict"], row["recall"], row["precision"]) == ("right", 0.5, 0.25)
    assert row["degree"] == 0.5


@pytest.mark.parametrize(
    ("answer", "found", "form", "answer_class"),
    [
        ("NCSA", 1.0, "NCSA", "National Center for Supercomputing Applications"),
        ("Netscape, Inc.", 0.5, "Netscape Communications", "Netscape Communications"),
        (
            "supercomputing centers",
            0.5,
            "National Center for Supercomputing Applications",
            "National Center for Supercomputing Applications",
        ),
    ],
)
def test_the_form_with_the_highest_recall_counts(
    answer: str, found: float, form: str, answer_class: str
) -> None:
    row = one(MOSAIC, answer)
    assert (row["recall"], row["form"], row["class"]) == (found, form, answer_class)


def test_of_forms_with_equal_recall_the_more_precise_one_counts_then_the_first() -> None:
    assert one("Lincoln; Abraham Lincoln", "Abraham Lincoln")["form"] == "Abraham Lincoln"
    assert one("Abe; Lincoln | Abraham", "Lincoln Abraham")["form"] == "Lincoln"
    assert one("Abe; Lincoln", "Washington")["form"] == "Abe"


@pytest.mark.parametrize(
    ("threshold", "verdict"), [(0.0, "right"), (0.25, "wrong"), (0.3, "wrong"), (0.2, "right")]
)
def test_recall_must_be_greater_than_the_threshold(threshold: float, verdict: str) -> None:
    row = one("alpha beta gamma delta", "delta", threshold=threshold)
    assert (row["recall"], row["verdict"]) == (0.25, verdict)


def test_nothing_found_is_wrong_at_every_threshold() -> None:
    assert one("alpha", "beta", threshold=0.0)["verdict"] == "wrong"


def test_a_word_counts_once_in_the_key_and_every_time_in_the_answer() -> None:
    # key words: new, york. Of the answer's four words three are in the form.
    row = one("New York, New York", "York, York, new Jersey")
    assert (row["recall"], row["precision"]) == (1.0, 0.75)


def test_stop_words_count_for_nothing_unless_there_is_nothing_else() -> None:
    assert recall("the end of the affair", "the of") == 0.0
    assert recall("The Who", "who is it") == 0.5
    assert recall("The Who", "It was The Who") == 1.0
    assert one("The Who", "the band The Who")["precision"] == 0.75  # the, the, who of four


def test_a_phrase_that_begins_in_one_answer_does_not_end_in_the_next() -> None:
    found = judged(
        [
            {"run": "a", "question": "q1", "answer": "the secretary of"},
            {"run": "b", "question": "q1", "answer": "state"},
        ],
        [{"question": "q1", "key": '"secretary of state"'}],
    )
    assert found.judgments["recall"].to_list() == [0.0, 0.0]


@pytest.mark.parametrize("answer", ["10%", "10 percent", "ten percent", "exactly ten per cent"])
@pytest.mark.parametrize("key", ["10%", "10 percent", "ten percent"])
def test_percentages_are_equal_in_every_spelling(key: str, answer: str) -> None:
    assert recall(key, answer, numbers=True) == 1.0


def test_numbers_are_words_unless_the_config_says_otherwise() -> None:
    assert recall("10%", "ten percent") == 0.0
    assert recall("10%", "11 percent", numbers=True) == 0.0
    assert recall("10%", "10", numbers=True) == 0.0


@pytest.mark.parametrize("answer", ["$10.30", "10:30", "at ten thirty"])
def test_ten_thirty_is_a_price_and_a_time(answer: str) -> None:
    assert recall("ten thirty", answer, numbers=True) == 1.0


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("1.35..1.45 billion", {}),
        ("1.35..1.45 billion", {"numbers": True}),
        ("1.4 billion", {"numbers": True, "tolerance": 0.05}),
    ],
)
def test_a_number_may_be_near_enough(key: str, options: dict) -> None:
    assert recall(key, "1.39 billion", **options) == 1.0
    assert recall(key, "about 1,390,000,000 people", **options) == 1.0
    assert recall(key, "2 billion", **options) == 0.0
    assert recall(key, "1.4 million", **options) == 0.0


def test_what_follows_a_range_is_a_word_of_its_own() -> None:
    assert recall("1.35..1.45 billion people", "1.4 billion") == 0.5
    assert recall("1.35..1.45 billion people", "people") == 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "key", "within", "outside"),
    [
        ("ja", "13.5..14.5億", "人口は13.9億人", "13.9"),
        ("ja", "13.5..14.5億", "14億", "14"),
        ("ja", "13.5..14.5億", "1,400,000,000", "14.6億"),
        ("ja", "約5..10万人", "約7万人", "約11万人"),
        ("zh", "13.5..14.5亿", "13.9亿", "13.9"),
        ("en", "1.35..1.45bn", "1.4 billion", "1.4"),
        ("en", "5..10km", "7 km", "4 km"),
        ("en", "12.5..14.5km", "14.2km", "14.6km"),
        ("en", "5..10 dozen", "six dozen", "six"),
        ("en", "10..12 o'clock", "11 o'clock", "1 o'clock"),
        ("de", "10..12 Uhr", "um 11.30 Uhr", "13 Uhr"),
    ],
)
def test_a_range_may_have_its_scale_or_unit_attached(
    language: str, key: str, within: str, outside: str
) -> None:
    assert recall(key, within, language=language) == 1.0
    assert recall(key, outside, language=language) < 1.0


def test_a_number_is_one_key_word_beside_others() -> None:
    row = one("ten thousand brown cows", "10,000 sheep", numbers=True)
    assert row["recall"] == 1 / 3  # 10000, brown, cow
    assert row["precision"] == 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "key", "answers"),
    [
        ("en", "4 July 1976", ["July 4, 1976", "1976-07-04", "7/4/1976"]),
        ("de", "4. Juli 1976", ["am 4. Juli 1976", "4.7.1976"]),
        ("es", "4 de julio de 1976", ["4/7/1976", "el 4 de julio de 1976"]),
        ("ja", "1976年7月4日", ["1976-07-04"]),
    ],
)
def test_dates_are_equal_in_every_spelling(language: str, key: str, answers: list[str]) -> None:
    for answer in answers:
        assert recall(key, answer, {"language": language}, dates=True) == 1.0
    # the year is one of the three things that the key says
    assert recall(key, "1976", {"language": language}, dates=True) == pytest.approx(1 / 3)


def test_a_year_is_not_tolerated_but_a_number_is() -> None:
    options = {"numbers": True, "tolerance": 0.05}
    assert recall("2000", "1990", **options) == 1.0
    assert recall("2000", "1990", dates=True, **options) == 0.0
    assert recall("2,000", "1990", dates=True, **options) == 1.0


def test_dates_and_times_are_found_in_running_japanese() -> None:
    asked = {"language": "ja"}
    assert recall("1976年7月4日", "それは昭和51年7月4日のこと", asked, dates=True) == 1.0
    assert recall("22:30", "会議は午後10時半に", asked, dates=True) == 1.0


def test_an_answer_may_be_more_exact_than_the_keys_date() -> None:
    assert recall("July 1976", "on July 4th, 1976", dates=True) == 1.0


def test_a_relative_date_is_resolved_against_the_questions_day() -> None:
    asked = {"date": date(2000, 5, 1)}
    assert recall("1980", "twenty years ago", asked, dates=True) == 1.0
    assert recall("1980", "twenty years ago", dates=True) == 0.0
    assert recall("30 April 2000", "only yesterday", asked, dates=True) == 1.0


def test_a_date_counts_as_the_parts_that_it_says() -> None:
    asked = "June 22, 1942"
    assert recall(asked, "22 June 1942", dates=True) == 1.0
    # what words would give: the year, or the month and the year, of three
    assert recall(asked, "It became law in 1942.", dates=True) == pytest.approx(1 / 3)
    assert recall(asked, "June 1942", dates=True) == pytest.approx(2 / 3)
    assert recall(asked, "1943", dates=True) == 0.0


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("0.5", ".5"),
        ("1/2", "0.5"),
        ("2.5", "2 1/2"),
        ("2.5", "2½"),
        ("5,000,000", "5 000 000"),
        ("5 million", "5 000 000"),
        ("Henry VIII", "Henry the Eighth"),
        ("Henry VIII", "Henry the 8th"),
        ("World War II", "World War Two"),
        ("Louis XIV", "Louis 14"),
        ("Elizabeth I", "Elizabeth the First"),
        ("₹500", "500"),
    ],
)
def test_numbers_are_read_in_further_spellings(key: str, answer: str) -> None:
    assert recall(key, answer, numbers=True) == 1.0
    assert recall(answer, key, numbers=True) > 0


def test_a_month_with_a_year_in_digits() -> None:
    assert recall("June 2001", "06/2001", dates=True) == 1.0
    assert recall("06/2001", "in June 2001", dates=True) == 1.0
    assert recall("06/2001", "on 5 June 2001", dates=True) == 1.0
    assert recall("06/2001", "13/2001", dates=True) < 1.0


def test_24_7_is_no_fraction_and_malcolm_x_keeps_his_name() -> None:
    assert recall("24/7", "24 hours, 7 days", numbers=True) == 1.0
    assert recall("Malcolm X", "Malcolm X", numbers=True) == 1.0


def test_fishermen_from_peru_are_peruvian_fishermen() -> None:
    assert recall("Peruvian fishermen", "fishermen from Peru") == 1.0
    assert recall("Peru", "the Peruvians") == 1.0
    assert recall("Peruvian fishermen", "fishermen from Peru", demonyms=False) == 0.5
    assert recall("Polish", "nail polish") == 1.0  # as written in small letters throughout
    assert recall("Poland", "nail polish") == 0.0
    assert recall('"Dutch painter"', "a painter from the Netherlands") == 0.0


def test_an_acronym_is_no_pronoun() -> None:
    for key in ("US", "U.S."):
        assert recall(key, "he told us that") == 0.0
        assert recall(key, "the U.S. Army") == 1.0
        assert recall(key, "the US Army") == 1.0
    assert recall("NATO", "nato troops") == 1.0
    assert recall("AIDS", "foreign aid") == 0.0
    assert recall("AIDS", "A.I.D.S.") == 1.0


def test_a_coarser_answer_has_a_lower_level() -> None:
    key = "1799 | 18th century @B"
    assert [
        (one(key, answer)["level"], one(key, answer)["class"])
        for answer in ("in 1799", "the 18th century")
    ] == [
        (None, "1799"),
        ("B", "1799"),
    ]
    # both are there: the finer one counts, though more words are the coarser one's
    assert one(key, "1799, in the 18th century")["level"] is None
    assert one(key, "1801")["level"] is None
    found = judged([], [{"question": "q1", "key": key, "level": "S"}])
    assert found.known_answers.drop("question").rows() == [("class 1799", "B"), ("class 1799", "S")]
    assert found.questions["known"].to_list() == [1]


def test_a_level_is_of_its_form() -> None:
    key = "Virginia @S; Va. @S; United States @B | Earth @0.1"
    assert [one(key, answer)["level"] for answer in ("Virginia", "the United States", "Earth")] == [
        "S",
        "B",
        "0.1",
    ]
    assert one(key, "Earth")["class"] == "Earth"  # every answer has a level
    assert one("Lincoln @S", "Lincoln")["form"] == "Lincoln"


@pytest.mark.slow
def test_hostile_keys_and_answers_are_no_error() -> None:
    long = "a" * 20_000
    for key in (long, "x " * 5_000, '"' + "y " * 3_000 + '"', "🎉 party", "(a+)+$ " * 200):
        assert recall(key, key.replace('"', ""), numbers=True, dates=True, units=True) == 1.0
    assert recall("party", "🎉" * 5_000 + " party", units=True) == 1.0


def test_recall_is_over_the_emphasised_words_alone() -> None:
    assert one("Abraham *Lincoln*", "Lincoln")["verdict"] == "right"
    row = one("Abraham *Lincoln*", "Abraham")
    assert (row["verdict"], row["recall"], row["precision"]) == ("wrong", 0.0, 1.0)


def test_a_phrase_must_stand_together() -> None:
    assert recall('"secretary of state"', "the Secretary of State said") == 1.0
    assert recall('"secretary of state"', "Secretaries of States") == 1.0
    assert recall('"secretary of state"', "the state's secretary") == 0.0
    assert recall('Albright "secretary of state"', "Albright") == 0.5
    # secretary, state and albright are in the form, the word of between them is a stop word
    assert one('"secretary of state"', "secretary of state Albright")["precision"] == 2 / 3


def test_case_counts_where_the_key_says_so() -> None:
    assert one("=IN", "South Bend, IN")["verdict"] == "right"
    assert one("=IN", "in South Bend")["verdict"] == "wrong"
    assert one("=China", "China")["verdict"] == "right"
    assert one("=China", "china")["verdict"] == "wrong"
    assert one('="The Who"', "the who")["verdict"] == "wrong"


def test_a_backslash_takes_a_sign_literally() -> None:
    assert recall(r"M\*A\*S\*H", "M*A*S*H on television") == 1.0


def test_a_dump_that_holds_the_answer_can_be_refused() -> None:
    dump = "Lincoln " + " ".join(f"word{n}" for n in range(9))
    assert one("Lincoln", dump)["verdict"] == "right"
    row = one("Lincoln", dump, minimum_precision=0.2)
    assert (row["verdict"], row["recall"], row["precision"], row["degree"]) == ("wrong", 1, 0.1, 0)
    assert one("Lincoln", dump, minimum_precision=0.1)["verdict"] == "right"


def test_a_form_that_is_precise_enough_goes_before_one_that_is_not() -> None:
    row = one(
        "Lincoln; Abraham Lincoln junior esq", "Abraham Lincoln junior", minimum_precision=0.5
    )
    assert (row["recall"], row["form"]) == (0.75, "Abraham Lincoln junior esq")


def test_the_language_of_a_question_goes_before_the_collections() -> None:
    assert recall("Häuser", "Haus", {"language": "de"}) == 1.0
    assert recall("Häuser", "Haus", language="de") == 1.0
    assert recall("Häuser", "Haus") == 0.0
    responses = [
        {"run": "a", "question": q, "answer": a} for q, a in (("q1", "Haus"), ("q2", "fisherman"))
    ]
    keys = [{"question": "q1", "key": "Häuser"}, {"question": "q2", "key": "fishermen"}]
    mixed = judged(responses, keys, [{"question": "q1", "language": "de"}, {"question": "q2"}])
    assert mixed.judgments.select("recall", "form").rows() == [(1.0, "Häuser"), (1.0, "fishermen")]


@pytest.mark.parametrize(
    ("language", "key", "answer", "found"),
    [
        ("ja", "夏目漱石", "作者は夏目漱石です", 1.0),
        ("ja", "夏目漱石", "夏目さん", 1 / 3),
        ("ja", "京都", "東京都", 1.0),  # words are not told apart without a dictionary
        ("ja", "猫", "吾輩は猫である", 1.0),
        ("zh", "北京", "中国的首都是北京", 1.0),
        ("zh", "北京", "南京", 0.0),
    ],
)
def test_languages_without_spaces(language: str, key: str, answer: str, found: float) -> None:
    assert recall(key, answer, {"language": language}) == found


def test_accents_can_be_folded() -> None:
    assert recall("El Niño", "el nino", language="es") == 0.0
    assert recall("Niño", "nino", language="es", accents="fold") == 1.0


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Refused, match="Collection c, judge j: there is no language 'klingon'"):
        one("x", "x", {"language": "klingon"})


def test_a_key_that_cannot_be_read_is_refused_with_its_question() -> None:
    with pytest.raises(Refused) as refused:
        one("Abraham *Lincoln", "x")
    assert str(refused.value) == (
        "Collection c, judge j: question q1: key 'Abraham *Lincoln': character 9: * is not "
        "closed; allowed: *…* around the words that matter, \\* for an asterisk"
    )


def test_both_ends_of_a_range_may_be_the_same() -> None:
    assert recall("5..5", "5 boats") == 1.0
    assert recall("5..5", "6 boats") == 0.0


def test_the_end_of_a_range_is_within_it_whatever_floating_point_makes_of_it() -> None:
    assert recall("8.3..9 million", "8,300,000") == 1.0  # 8.3 * 1e6 is 8300000.000000001


def test_a_range_that_is_empty_in_its_language_is_refused() -> None:
    assert recall("900..1.000", "950", {"language": "de"}) == 1.0
    with pytest.raises(
        Refused, match=r"question q1: key '900..1.000': the range 900..1.000 is from"
    ):
        one("900..1.000", "950")


def test_answers_to_questions_without_a_key_are_refused() -> None:
    responses = [{"run": r, "question": f"q{n:02}", "answer": "x"} for n in range(30) for r in "ab"]
    with pytest.raises(Refused) as refused:
        judged(responses, [{"question": "q00", "key": "x"}])
    lines = str(refused.value).splitlines()
    assert lines[0] == (
        "Collection c, judge j: 29 questions with 58 answers have no key. Add one for each, or count "
        "such answers as wrong: unassessed: wrong"
    )
    assert lines[1] == "  question q01"
    assert lines[-1] == "  … and 9 more"
    found = judged(responses, [{"question": "q00", "key": "x"}], unassessed="wrong").judgments
    assert found["verdict"].value_counts().sort("count").rows() == [
        ("right", 2),
        ("unassessed", 58),
    ]
    assert found.filter(pl.col("verdict") == "unassessed")["degree"].unique().to_list() == [0.0]


def test_nil_questions_need_no_key() -> None:
    responses = [
        {"run": "a", "question": "q1", "answer": "NIL"},
        {"run": "b", "question": "q1", "answer": "Lincoln"},
        {"run": "a", "question": "q2", "answer": "NIL"},
        {"run": "b", "question": "q2", "answer": None},
    ]
    questions = [{"question": "q1", "nil": True}, {"question": "q2"}]
    found = judged(responses, [{"question": "q2", "key": "NIL"}], questions)
    rows = found.judgments.select("run", "question", "verdict", "degree", "recall").rows()
    assert rows == [
        ("a", "q1", "right", 1.0, None),
        ("a", "q2", "wrong", 0.0, None),
        ("b", "q1", "wrong", 0.0, None),
        ("b", "q2", "not_attempted", None, None),
    ]
    assert found.known_answers.select("question", "meaning").rows() == [
        ("q1", "NIL"),
        ("q2", "class NIL"),
    ]


def test_forms_of_one_answer_repeat_each_other_and_other_answers_do_not() -> None:
    answers = ["NCSA", "Netscape", "National Center for Supercomputing", "netscape", "Microsoft"]
    responses = [
        {"run": "a", "question": "q1", "rank": rank, "answer": answer}
        for rank, answer in enumerate(answers, start=1)
    ]
    found = judged(responses, [{"question": "q1", "key": MOSAIC}])
    assert found.judgments["verdict"].to_list() == [
        "right",
        "right",
        "repeated",
        "repeated",
        "wrong",
    ]
    assert found.questions["known"].to_list() == [2]
    assert found.judgments["class"].to_list()[-1] is None


def test_level_and_class_come_from_the_row_of_the_key() -> None:
    keys = [
        {"question": "q1", "key": "Abraham Lincoln", "level": "S", "class": "1"},
        {"question": "q1", "key": "honest Abe | railsplitter", "level": "B", "class": "1"},
        {"question": "q1", "key": "Washington", "level": "A"},
    ]
    answers = ["Abraham Lincoln", "honest Abe", "Washington", "Grant"]
    responses = [
        {"run": f"r{n}", "question": "q1", "answer": answer} for n, answer in enumerate(answers)
    ]
    found = judged(responses, keys)
    assert found.judgments.select("level", "class").rows() == [
        ("S", "1"),
        ("B", "1"),
        ("A", "Washington"),
        (None, None),
    ]
    assert found.known_answers.drop("question").rows() == [
        ("class 1", "B"),
        ("class 1", "S"),
        ("class Washington", "A"),
    ]
    assert found.questions["known"].to_list() == [2]


def test_judgments_have_the_shape_of_every_judge_and_come_in_order() -> None:
    responses = [
        {"run": r, "question": q, "rank": k, "answer": "x", "confidence": 0.5, "answered": k == 1}
        for r in "ba"
        for q in ("q2", "q1")
        for k in (2, 1)
    ]
    found = judged(responses, [{"question": q, "key": "y"} for q in ("q1", "q2")])
    assert found.judgments.columns == [
        name
        for name in COLUMNS
        if name not in ("sample", "meaning")  # there are no samples
    ]
    keys = found.judgments.select("run", "question", "rank").cast(pl.String).rows()
    assert keys == sorted(keys)
    assert found.judgments["answered"].to_list() == [True, False] * 4


def test_no_answers_and_no_keys_are_no_error() -> None:
    assert judged([], [{"question": "q1", "key": "x"}]).judgments.height == 0
    assert judged([{"run": "a", "question": "q1", "answer": None}], []).judgments.height == 1


def generated(seed: int, count: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Keys, and answers by question, of few words, so that much is found."""
    rng = Random(seed)
    vocabulary = WORDS.split()

    def text(longest: int) -> str:
        return " ".join(rng.choice(vocabulary) for _ in range(rng.randint(1, longest)))

    def form() -> str:
        pieces = []
        for _ in range(rng.randint(1, 3)):
            plain = text(3)
            kind = rng.choice(["", "", "", "*", '"', '="', '*"'])
            closing = kind.replace("=", "")[::-1]
            pieces.append(f"{kind}{plain}{closing}" if any(map(str.isalnum, plain)) else "state")
        return " ".join(pieces)

    keys = [
        " | ".join("; ".join(form() for _ in range(rng.randint(1, 2))) for _ in range(2))
        for _ in range(count)
    ]
    return keys, [(f"q{n % count:03}", text(8)) for n in range(20 * count)]


@pytest.mark.slow
@pytest.mark.parametrize("minimum_precision", [0.0, 0.5])
@pytest.mark.parametrize("language", ["en", "es", pytest.param("fi", marks=pytest.mark.exhaustive)])
def test_the_fast_way_is_the_literal_way(language: str, minimum_precision: float) -> None:
    keys, answers = generated(seed=1999, count=60)
    responses = [
        {"run": "a", "question": question, "rank": rank, "answer": answer}
        for rank, (question, answer) in enumerate(answers, start=1)
    ]
    found = judged(
        responses,
        [{"question": f"q{n:03}", "key": key} for n, key in enumerate(keys)],
        language=language,
        minimum_precision=minimum_precision,
    )
    columns = ["rank", "degree", "recall", "precision", "form"]
    rows = found.judgments.select(columns).sort("rank").rows()
    words = normaliser(language, "keep")
    for rank, *row in rows:
        question, answer = answers[rank - 1]
        expected = best(answer, keys[int(question[1:])], words, minimum_precision)
        assert row[3] == expected[3], (answer, keys[int(question[1:])])
        assert row[:3] == pytest.approx(expected[:3], abs=1e-12)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, answers = generated(seed=2000, count=20)
    responses = [
        {"run": f"r{n:03}", "question": question, "answer": answer}
        for n, (question, answer) in enumerate(answers)
    ]
    named = [{"question": f"q{n:03}", "key": key} for n, key in enumerate(keys)]
    whole = judged(responses, named, numbers=True, dates=True)
    monkeypatch.setattr("qampaign.judging.key.fit.BATCH", 100)
    parts = judged(responses, named, numbers=True, dates=True)
    assert whole.judgments.equals(parts.judgments)
