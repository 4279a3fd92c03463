"""The judge `learned`: what it learns, from which labels, and what it refuses."""

import numpy as np
import polars as pl
import pytest

from qampaign.judging import learned
from qampaign.judging.features import ASKED, FEATURES, asked_for, describe
from qampaign.judging.judgments import Judged
from qampaign.problems import Refused
from tests.judging.tables import table
from tests.judging.test_contains import LABELS

WORDS = ["Pazamo", "Lurten", "Bekka", "Sorvi", "Tamlun", "Ovesk", "Rindal", "Quorn"]


def features(
    answer: str, key: str, text: str = "What is it?", kind: str | None = None
) -> dict[str, float]:
    """The features of one answer."""
    answers = pl.DataFrame({"question": ["q1"], "answer": [answer]})
    questions = table("questions", [{"question": "q1", "type": kind}]).with_columns(
        text=pl.lit(text)
    )
    found = describe(
        answers, table("keys", [{"key": key}]), questions, name="j", nil="NIL", language="en"
    )
    return found.select(list(FEATURES)).row(0, named=True)


def test_words_and_their_order() -> None:
    # two of three words; of the pairs new york, york city only the first; no three in a row
    found = features("It is New York, says he", "New York City")
    assert found["recall"] == pytest.approx(2 / 3)
    assert (found["bigrams"], found["trigrams"]) == (0.5, 0.0)
    assert (found["all_words"], found["no_word"], found["contains"], found["exact"]) == (0, 0, 0, 0)
    # it is new york says he: the form begins with the third of six words
    assert found["position"] == pytest.approx(1 - 2 / 6)
    assert found["length"] == pytest.approx(np.log2(7) / 6)
    assert found["form_length"] == pytest.approx(np.log2(4) / 4)


def test_contains_and_exact_are_by_any_form() -> None:
    found = features("the Big Apple!", "New York City; Big Apple | Boston")
    assert (found["contains"], found["exact"], found["letters"]) == (1, 1, 1)


def test_letters_are_shared_where_words_are_not() -> None:
    # " katherine " has 9 threes; "catherine" shares ath the her eri rin ine and "ne "
    assert features("Catherine", "Katherine")["letters"] == pytest.approx(7 / 9)


@pytest.mark.parametrize(
    ("answer", "key", "number", "date"),
    [
        ("about 2,500 men", "2500 people", (1, 0, 0), (0, 0, 0)),
        ("5.2 km", "5 km", (0, 1, 0), (0, 0, 0)),
        ("it took 9", "5 hours", (0, 0, 1), (0, 0, 0)),
        ("in 1914", "1914", (0, 0, 0), (1, 0, 0)),
        ("in 1913", "June 1914", (0, 0, 0), (0, 1, 0)),
        ("in 1812", "1914", (0, 0, 0), (0, 0, 1)),
        ("nobody knows", "1914", (0, 0, 0), (0, 0, 0)),
    ],
)
def test_numbers_and_years_are_equal_near_or_other(
    answer: str, key: str, number: tuple[int, ...], date: tuple[int, ...]
) -> None:
    found = features(answer, key)
    assert tuple(found[f"number_{how}"] for how in ("equal", "near", "other")) == number
    assert tuple(found[f"date_{how}"] for how in ("equal", "near", "other")) == date


@pytest.mark.parametrize(
    ("text", "kind", "asked"),
    [
        ("Who was it?", None, "asks_who"),
        ("In what year did it end?", None, "asks_when"),
        ("Which city is it in?", None, "asks_where"),
        ("How many are there?", None, "asks_how_many"),
        ("Name the thing that whoever saw it called blue", None, None),
        ("Name it", "PERSON:individual", "asks_who"),
        ("Who was it?", "factoid", "asks_who"),
        ("Who was it?", "date", "asks_when"),
        (None, None, None),
    ],
)
def test_what_is_asked_follows_from_type_else_text(
    text: str | None, kind: str | None, asked: str | None
) -> None:
    frame = pl.DataFrame(
        {"text": [text], "type": [kind]}, schema={"text": pl.String, "type": pl.String}
    )
    assert asked_for(frame, "en").tolist() == [-1 if asked is None else list(ASKED).index(asked)]


def test_what_is_asked_in_other_languages() -> None:
    texts = {
        "de": "Wann war das?",
        "fr": "Qui a peint cela ?",
        "es": "¿Dónde está?",
        "nl": "Hoeveel?",
    }
    frame = pl.DataFrame(
        {"language": list(texts), "text": list(texts.values()), "type": None}
    ).cast({"type": pl.String})
    names = [list(ASKED)[number] for number in asked_for(frame, "en")]
    assert names == ["asks_when", "asks_who", "asks_where", "asks_how_many"]


def test_what_the_answer_has() -> None:
    found = features("It was not Anna Lem", "Anna", text="Who was it?")
    assert (found["asks_who"], found["answer_type"], found["negation"]) == (1, 1, 1)
    # capitals: It, Anna, Lem of five words; of the question: it, was
    assert (found["capitals"], found["of_question"]) == (0.6, 0.4)
    assert features("not before noon", "not at noon", text="When?")["answer_type"] == 0
    assert features("not before noon", "not at noon")["negation"] == 0


def campaign(questions: int, *, runs: int = 4) -> tuple[pl.DataFrame, ...]:
    """Responses, keys, questions and labels: right is what has all words of the key."""
    rng = np.random.default_rng(5)
    rows, keys = [], []
    for number in range(questions):
        key = list(rng.choice(WORDS, 2, replace=False))
        keys.append({"question": f"q{number:02}", "key": " ".join(key)})
        for run in range(runs):
            said = [*key[: int(rng.integers(0, 3))], str(rng.choice(WORDS))]
            rows.append({"run": f"r{run}", "question": f"q{number:02}", "answer": " ".join(said)})
    responses = table("responses", rows)
    asked = table("questions", [{"question": key["question"]} for key in keys])
    wanted = {key["question"]: set(key["key"].split()) for key in keys}
    labels = pl.DataFrame(
        [
            {**row, "rank": 1, "right": wanted[row["question"]] <= set(row["answer"].split())}
            for row in rows
        ],
        schema=LABELS,
    )
    return responses, table("keys", keys), asked.with_columns(text=pl.lit(None, pl.String)), labels


def judged(
    responses: pl.DataFrame,
    keys: pl.DataFrame,
    asked: pl.DataFrame,
    labels: pl.DataFrame,
    **options: object,
) -> Judged:
    given = {"name": "Collection c, judge j", "seed": "1 c", "from": "people"} | options
    return learned.learned(responses, keys, asked, labels=labels, **given)


@pytest.mark.slow
def test_it_learns_what_people_call_right() -> None:
    responses, keys, asked, labels = campaign(30)
    found = judged(responses, keys, asked, labels).judgments
    by_people = labels.sort("run", "question")["right"].to_list()
    assert [verdict == "right" for verdict in found["verdict"]] == by_people
    assert found["degree"].is_between(0, 1).all()


@pytest.mark.slow
def test_no_answer_is_judged_by_a_model_that_saw_its_question() -> None:
    # With as many folds as questions, turning all labels of q03 round changes nothing about q03.
    responses, keys, asked, labels = campaign(12)
    turned = labels.with_columns(
        right=pl.when(pl.col("question") == "q03").then(~pl.col("right")).otherwise("right")
    )
    one, two = (
        judged(responses, keys, asked, each, folds=12).judgments.filter(
            pl.col("question").cast(pl.String) == "q03"
        )["degree"]
        for each in (labels, turned)
    )
    assert one.equals(two)
    others = (
        judged(responses, keys, asked, each, folds=12).judgments.filter(
            pl.col("question").cast(pl.String) != "q03"
        )["degree"]
        for each in (labels, turned)
    )
    assert not next(others).equals(next(others))


@pytest.mark.slow
def test_questions_of_a_group_are_left_out_together() -> None:
    responses, keys, asked, labels = campaign(12)
    grouped = asked.with_columns(
        group=pl.when(pl.col("question").is_in(["q03", "q04"])).then(pl.lit("g"))
    )
    turned = labels.with_columns(
        right=pl.when(pl.col("question") == "q04").then(~pl.col("right")).otherwise("right")
    )
    one, two = (
        judged(responses, keys, grouped, each, folds=11).judgments.filter(
            pl.col("question").cast(pl.String) == "q03"
        )["degree"]
        for each in (labels, turned)
    )
    assert one.equals(two)


@pytest.mark.slow
def test_questions_without_labels_are_judged_by_all_labels() -> None:
    responses, keys, asked, labels = campaign(30)
    part = labels.filter(pl.col("question") < "q20")
    found = judged(responses, keys, asked, part)
    wanted = labels.sort("run", "question")["right"].to_list()
    assert [verdict == "right" for verdict in found.judgments["verdict"]] == wanted
    assert found.weights is not None
    assert found.weights.row(0, named=True)["units"] == 20


@pytest.mark.slow
def test_weights_give_the_probability_of_what_has_no_label() -> None:
    responses, keys, asked, labels = campaign(30)
    found = judged(responses, keys, asked, labels.filter(pl.col("question") < "q29"))
    assert found.weights is not None
    weights = found.weights["weight"].to_numpy()
    row = found.judgments.filter(pl.col("question").cast(pl.String) == "q29").row(0, named=True)
    answers = pl.DataFrame({"question": ["q29"], "answer": [row["answer"]]})
    x = (
        describe(answers, keys, asked, name="j", nil="NIL", language="en")
        .select(list(FEATURES))
        .row(0)
    )
    log_odds = weights[0] + sum(w * each for w, each in zip(weights[1:], x, strict=True))
    assert row["degree"] == pytest.approx(1 / (1 + np.exp(-log_odds)), abs=1e-6)
    assert found.weights["feature"].to_list() == ["intercept", *FEATURES]


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing() -> None:
    responses, keys, asked, labels = campaign(20)
    one = judged(responses, keys, asked, labels)
    two = judged(
        responses.sort("answer"),
        keys.reverse(),
        asked.reverse(),
        labels.sample(fraction=1, shuffle=True, seed=1),
    )
    assert one.judgments.equals(two.judgments)
    assert one.weights is not None
    assert one.weights.equals(two.weights)


def test_weights_agree_with_gradient_descent_by_hand() -> None:
    # the minimum of Σ log loss + |w|²/2, intercept apart: the gradient is 0 there
    rng = np.random.default_rng(3)
    x = rng.random((200, 3))
    y = (rng.random(200) < 1 / (1 + np.exp(1 - 3 * x[:, 0]))).astype(float)
    rows = np.arange(200)
    lessons = learned._Lessons(rows, y, 1 - y, rows, rows, rows)
    model = learned.fit(x, lessons)
    p = 1 / (1 + np.exp(-(model[0] + x @ model[1:])))
    assert abs(np.sum(p - y)) < 1e-3
    assert np.abs(x.T @ (p - y) + model[1:]).max() < 1e-3


@pytest.mark.slow
def test_too_few_labels_are_refused() -> None:
    responses, keys, asked, labels = campaign(12)
    message = "too few labels to learn from. By people, 0 different answers"
    with pytest.raises(Refused, match=message):
        judged(responses, keys, asked, labels.head(0))
    with pytest.raises(Refused, match=r"wrong ones of 0\. It takes at least 10 answers"):
        judged(responses, keys, asked, labels.with_columns(right=pl.lit(True)))
    one = labels.with_columns(right=pl.col("question") == "q03")
    with pytest.raises(Refused, match="right ones are of 1 of these"):
        judged(responses, keys, asked, one)
    two = labels.with_columns(right=pl.col("question").is_in(["q03", "q07"]))
    assert judged(responses, keys, asked, two, folds=5).weights is not None


@pytest.mark.slow
def test_questions_without_a_key_are_refused_or_wrong() -> None:
    responses, keys, asked, labels = campaign(12)
    lacking = keys.filter(pl.col("question") != "q03")
    with pytest.raises(Refused, match="has no key"):
        judged(responses, lacking, asked, labels)
    found = judged(responses, lacking, asked, labels, unassessed="wrong").judgments
    without = found.filter(pl.col("question").cast(pl.String) == "q03")
    assert without["verdict"].unique().to_list() == ["unassessed"]


def test_nil_is_right_by_rule_and_teaches_nothing() -> None:
    responses, keys, asked, labels = campaign(12)
    said = responses.with_columns(
        answer=pl.when((pl.col("run") == "r0") & (pl.col("question") == "q03"))
        .then(pl.lit("NIL"))
        .otherwise("answer")
    )
    nil = asked.with_columns(nil=pl.col("question") == "q03")
    found = judged(said, keys, nil, labels).judgments
    row = found.filter(pl.col("nil")).row(0, named=True)
    assert (row["verdict"], row["degree"]) == ("right", None)


@pytest.mark.slow
def test_many_labels_are_learned_from_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    responses, keys, asked, labels = campaign(30)
    whole = judged(responses, keys, asked, labels)
    monkeypatch.setattr(learned, "MOST_ANSWERS", 40)
    part = judged(responses, keys, asked, labels)
    assert whole.weights is not None
    assert part.weights is not None
    assert not whole.weights["weight"].equals(part.weights["weight"])
    assert (part.judgments["verdict"] == whole.judgments["verdict"]).mean() > 0.9
