"""The judge `contains`: an accepted answer stands in the answer, as whole words."""

import polars as pl
import pytest

from qampaign.judging import contains
from qampaign.judging.judgments import Judged
from qampaign.judging.teaching import labels_of
from qampaign.problems import Refused
from tests.judging.tables import Row, judge_by

LABELS = {
    "run": pl.String, "question": pl.String, "sample": pl.String, "rank": pl.Int64,
    "answer": pl.String, "level": pl.String, "class": pl.String, "right": pl.Boolean,
}  # fmt: skip


def labels(*rows: tuple[str, str, bool]) -> pl.DataFrame:
    complete = [
        {"run": run, "question": "q1", "rank": 1, "answer": answer, "right": right}
        for run, answer, right in rows
    ]
    return pl.DataFrame(complete, schema=LABELS)


def judged(answers: list[str | None], *keys: str, **options: object) -> Judged:
    responses = [{"run": f"r{n}", "answer": answer} for n, answer in enumerate(answers)]
    return judge_by(contains.contains, "keys", responses, [{"key": key} for key in keys], **options)


def verdicts(*given: object, **options: object) -> list[str]:
    return judged(*given, **options).judgments["verdict"].to_list()  # type: ignore[arg-type]


def test_an_accepted_answer_stands_in_the_answer_as_whole_words() -> None:
    answers = ["It is in Paris, France.", "Parisian fashion", "paris", "The  PARIS!", None]
    assert verdicts(answers, "Paris") == ["right", "wrong", "right", "right", "not_attempted"]


def test_several_words_stand_side_by_side() -> None:
    assert verdicts(["New York City", "York, New"], "new york") == ["right", "wrong"]


def test_case_can_be_kept() -> None:
    # Martin & Lankester: China is a producer of tungsten, china is not
    assert verdicts(["in China", "in china"], "China", case="keep") == ["right", "wrong"]
    assert verdicts(["in China", "in china"], "China") == ["right", "right"]


def test_articles_and_signs_are_as_for_exact() -> None:
    assert verdicts(["see the who tonight", "*", "a b"], "The Who | \\*") == [
        "right",
        "right",
        "wrong",
    ]


def test_precision_is_the_share_of_the_words_and_the_longest_is_found() -> None:
    # "it is in paris france" has five words, "paris france" two of them
    found = judged(["It is in Paris, France"], "Paris | Paris France").judgments
    assert found.select("form", "precision", "matched").rows() == [
        ("Paris France", 0.4, "Paris France")
    ]


def test_answers_of_other_runs_that_people_call_right_are_accepted() -> None:
    taught = labels(("r0", "the Seine", True), ("r1", "a river", False))
    answers = ["by the Seine", "a river", "on the Seine in France"]
    assert verdicts(answers, "Paris", labels=taught) == ["wrong", "wrong", "right"]


def test_a_run_is_never_judged_by_its_own_answers() -> None:
    # r0 alone said it; once r1 has said it too, r0 is judged by that of r1, and r1 by that of r0
    alone, both = (
        labels(("r0", "Seine", True)),
        labels(("r0", "Seine", True), ("r1", "seine", True)),
    )
    assert verdicts(["Seine", "Seine"], "Paris", labels=alone) == ["wrong", "right"]
    assert verdicts(["Seine", "seine"], "Paris", labels=both) == ["right", "right"]


def test_another_accepted_answer_is_looked_for_where_the_best_is_the_runs_own() -> None:
    taught = labels(("r0", "river Seine", True), ("r2", "Seine", True))
    found = judged(["river Seine", "river Seine"], "Paris", labels=taught).judgments
    assert found["form"].to_list() == ["Seine", "river Seine"]


def test_a_what_if_run_is_not_judged_by_the_run_that_it_changes() -> None:
    rows: list[Row] = [{"run": "a", "answer": "Seine"}, {"run": "b", "answer": "Seine"}]
    responses = pl.DataFrame(
        [{"question": "q1", "rank": 1, "answered": True} | row for row in rows]
    ).with_columns(
        origin=pl.lit("a"),
        confidence=pl.lit(None, pl.Float64),
        score=pl.lit(None, pl.Float64),
    )
    from tests.judging.tables import table

    found = contains.contains(
        responses, table("keys", [{"key": "Paris"}]), table("questions", [{"question": "q1"}]),
        name="j", labels=labels(("a", "Seine", True)),
    )  # fmt: skip
    assert found.judgments["verdict"].to_list() == ["wrong", "wrong"]


def test_what_one_label_calls_right_and_another_wrong_is_not_accepted() -> None:
    taught = labels(("r1", "Seine", True), ("r2", "Seine", False))
    assert verdicts(["Seine"], "Paris", labels=taught) == ["wrong"]


def test_labels_do_without_a_key_and_nothing_at_all_is_refused() -> None:
    assert verdicts(["by the Seine"], labels=labels(("r1", "Seine", True))) == ["right"]
    with pytest.raises(Refused, match="1 question with 1 answer has no key"):
        judged(["by the Seine"], labels=labels())


def test_labels_are_what_the_teacher_counts_as_correct() -> None:
    rows = {
        "run": ["a", "b", "c", "d", "a-twin"],
        "question": "q1",
        "rank": 1,
        "answer": ["v", "w", "x", "y", "v"],
        "verdict": ["right", "inexact", "not_attempted", "wrong", "right"],
        "nil": False,
        "level": None,
        "class": None,
    }
    found = labels_of(pl.DataFrame(rows), ["right", "inexact"], without=["a-twin"])
    assert found.select("run", "right").rows() == [("a", True), ("b", True), ("d", False)]


def test_many_pairs_are_compared_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [f"number {n} of many" for n in range(20)]
    whole = judged(answers, *(str(n) for n in range(10))).judgments
    monkeypatch.setattr(contains, "MOST_PAIRS", 7)
    assert judged(answers, *(str(n) for n in range(10))).judgments.equals(whole)
    assert whole["verdict"].to_list() == ["right"] * 2 + whole["verdict"].to_list()[2:]
