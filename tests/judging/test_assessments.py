"""The judge `assessments`: whose word counts, on what, and what happens without one."""

import pytest

from qampaign.judging.assessments import assessments as judge
from qampaign.judging.judgments import Judged
from qampaign.problems import Refused
from tests.judging.tables import Row, judge_by


def judged(
    responses: list[Row], assessments: list[Row], questions: list[Row] | None = None, **options
) -> Judged:
    return judge_by(judge, "assessments", responses, assessments, questions, **options)


def verdicts(*arguments, **options) -> list[str]:
    return judged(*arguments, **options).judgments["verdict"].to_list()


def one(answer: str | None, **more) -> dict:
    return {"run": "a", "question": "q1", "answer": answer, **more}


def label(verdict: str, **more) -> dict:
    item = {} if "run" in more else {"answer": "x"}
    return {"question": "q1", "verdict": verdict, **item, **more}


def test_an_answer_string_is_judged_once_for_all_runs() -> None:
    responses = [one("x"), {"run": "b", "question": "q1", "answer": "x"}]
    assert verdicts(responses, [label("right")]) == ["right", "right"]


def test_the_same_string_is_another_answer_to_another_question() -> None:
    responses = [one("x"), {"run": "a", "question": "q2", "answer": "x"}]
    assessments = [label("right"), label("wrong", question="q2")]
    assert verdicts(responses, assessments) == ["right", "wrong"]


def test_a_label_by_run_and_rank_goes_before_one_by_string() -> None:
    responses = [one("x"), {"run": "b", "question": "q1", "answer": "x"}]
    assessments = [label("right"), label("unsupported", run="b", rank=1)]
    assert verdicts(responses, assessments) == ["right", "unsupported"]


def test_a_label_by_run_and_rank_holds_for_that_rank_alone() -> None:
    responses = [one("x", rank=1), one("y", rank=2)]
    assessments = [label("wrong", run="a", rank=1), label("right", run="a", rank=2)]
    assert verdicts(responses, assessments) == ["wrong", "right"]


def test_labels_of_runs_and_questions_that_are_not_there_change_nothing() -> None:
    assessments = [label("right"), label("wrong", run="gone", rank=1)]
    assert verdicts([one("x")], assessments) == ["right"]


def test_the_adjudicated_label_goes_before_the_majority() -> None:
    votes = [label("right", assessor=each) for each in ("ana", "bob", "cem")]
    assert verdicts([one("x")], [*votes, label("wrong")]) == ["wrong"]


def test_the_majority_decides_without_adjudication() -> None:
    votes = [label("right", assessor="ana"), label("right", assessor="bob")]
    assert verdicts([one("x")], [*votes, label("wrong", assessor="cem")]) == ["right"]


def test_a_majority_is_found_for_positions_too() -> None:
    votes = [
        label(v, run="a", rank=1, assessor=a)
        for a, v in zip("abc", ["wrong", "wrong", "right"], strict=True)
    ]
    assert verdicts([one("x")], votes) == ["wrong"]


def test_level_and_class_come_from_those_who_won() -> None:
    votes = [
        label("right", assessor="ana", level="A", **{"class": "k1"}),
        label("right", assessor="bob", level="A", **{"class": "k2"}),
        label("right", assessor="dee", level="S", **{"class": "k2"}),
        label("wrong", assessor="cem", level="B", **{"class": "k3"}),
    ]
    row = judged([one("x")], votes).judgments.row(0, named=True)
    assert (row["verdict"], row["level"], row["class"]) == ("right", "A", "k2")


def test_a_tie_is_refused_with_the_votes() -> None:
    votes = [label("right", assessor="ana"), label("wrong", assessor="bob")]
    with pytest.raises(Refused) as refused:
        judged([one("x")], votes)
    assert str(refused.value) == (
        "Collection c, judge j: an answer has neither a majority nor an adjudicated label. "
        "Add rows with assessor 'adjudicated', or say in the config which verdict wins: "
        "ties: [wrong]\n"
        "  question q1, 'x': ana: right, bob: wrong"
    )


@pytest.mark.parametrize(
    ("ties", "winner"),
    [(["wrong"], "wrong"), (["inexact", "right"], "right"), (["right", "wrong"], "right")],
)
def test_the_config_can_say_which_verdict_wins_a_tie(ties: list[str], winner: str) -> None:
    votes = [label("right", assessor="ana"), label("wrong", assessor="bob")]
    assert verdicts([one("x")], votes, ties=ties) == [winner]


def test_a_tie_between_verdicts_that_the_config_does_not_rank_is_still_refused() -> None:
    votes = [label("right", assessor="ana"), label("inexact", assessor="bob")]
    # ties: [wrong] is there and does not help: what would is named
    with pytest.raises(Refused, match=r"neither a majority.* wins: ties: \[wrong, inexact\]\n"):
        judged([one("x")], votes, ties=["wrong"])
    assert verdicts([one("x")], votes, ties=["wrong", "inexact"]) == ["inexact"]


def test_one_assessor_judges_the_questions_that_he_assessed() -> None:
    responses = [one("x"), {"run": "a", "question": "q2", "answer": "y"}]
    assessments = [
        label("right", assessor="ana"),
        label("wrong", assessor="bob"),
        {"question": "q2", "answer": "y", "verdict": "right", "assessor": "bob"},
    ]
    found = judged(responses, assessments, assessor="ana")
    assert found.judgments.select("question", "verdict").rows() == [("q1", "right")]
    assert found.questions["question"].to_list() == ["q1"]


def test_an_assessor_who_is_not_there_is_refused_with_those_who_are() -> None:
    with pytest.raises(Refused) as refused:
        judged([one("x")], [label("right", assessor="bob"), label("right")], assessor="ana")
    assert str(refused.value) == (
        "Collection c, judge j: 'ana' has assessed nothing; assessors: 'adjudicated', 'bob'"
    )


def test_an_answer_without_an_assessment_is_refused_with_the_number_of_all() -> None:
    responses = [one(f"x{n}", question=f"q{n:02}") for n in range(30)]
    with pytest.raises(Refused) as refused:
        judged(responses, [label("right", question="q00", answer="x0")])
    lines = str(refused.value).splitlines()
    assert lines[0] == (
        "Collection c, judge j: 29 answers (29 distinct) have no verdict. Add one for each "
        "(qampaign pool lists what people have not labelled), or count such answers as wrong: "
        "unassessed: wrong"
    )
    assert lines[1] == "  run a, question q01, rank 1: 'x1'"
    assert len(lines) == 22
    assert lines[-1] == "  … and 9 more"


def test_an_answer_whose_label_is_spelled_otherwise_is_told_so() -> None:
    """x2 has no label at all; the answers to q1 and q3 have one in another spelling."""
    spelled = {"q1": "the Nile.", "q2": "x2", "q3": "PARIS"}
    responses = [one(answer, question=question) for question, answer in spelled.items()]
    labels = [
        label("right", question="q1", answer="The Nile"),
        label("wrong", question="q3", answer="Paris"),
        label("wrong", question="q2", answer="the Nile."),  # of another question
    ]
    with pytest.raises(Refused) as refused:
        judged(responses, labels)
    assert str(refused.value).splitlines()[1] == (
        "  2 of 3 differ from a labelled answer to the question only in case, punctuation or "
        "articles, such as 'the Nile.' from 'The Nile': spell the labels as the answers are"
    )


def test_an_answer_without_an_assessment_can_count_as_its_own_verdict() -> None:
    assert verdicts([one("new")], [label("right")], unassessed="wrong") == ["unassessed"]


def test_silence_needs_no_assessment() -> None:
    found = judged([one(None)], [label("right")]).judgments
    assert found.select("answered", "verdict").rows() == [(False, "not_attempted")]


def test_a_withheld_candidate_is_judged_but_not_answered() -> None:
    found = judged([one("x", answered=False)], [label("right")]).judgments
    assert found.select("answered", "verdict").rows() == [(False, "right")]


@pytest.mark.parametrize(("nil", "verdict"), [(True, "right"), (False, "wrong")])
def test_nil_is_right_exactly_where_the_question_is_nil(nil: bool, verdict: str) -> None:
    said = label("inexact", answer="NIL")  # whatever people say
    assert verdicts([one("NIL")], [said], [{"question": "q1", "nil": nil}]) == [verdict]
    assert verdicts([one("NIL")], [label("right")], [{"question": "q1", "nil": nil}]) == [verdict]


def test_nil_is_spelled_as_the_config_says() -> None:
    nil = [{"question": "q1", "nil": True}]
    assert verdicts([one("none")], [label("wrong")], nil, nil="none") == ["right"]
    assert verdicts([one("x")], [label("wrong")], nil, nil="none") == ["wrong"]


@pytest.mark.parametrize(
    ("correct", "expected"),
    [(["right"], "inexact"), (["right", "inexact"], "repeated")],
)
def test_only_what_a_correct_answer_said_before_is_repeated(correct: list, expected: str) -> None:
    # the same text at ranks 1 and 2, labelled inexact: a repetition only for a lenient judge
    responses = [one("x", rank=1), one("X", rank=2)]
    said = [label("inexact"), label("inexact", answer="X")]
    assert verdicts(responses, said, correct=correct) == ["inexact", expected]


def test_answers_of_one_class_repeat_each_other() -> None:
    responses = [one("NCSA", rank=1), one("Netscape", rank=2), one("the NCSA", rank=3)]
    said = [
        label("right", answer="NCSA", **{"class": "1"}),
        label("right", answer="Netscape", **{"class": "2"}),
        label("right", answer="the NCSA", **{"class": "1"}),
    ]
    assert verdicts(responses, said) == ["right", "right", "repeated"]


def test_a_withheld_candidate_is_not_what_a_later_answer_repeats() -> None:
    responses = [one("x", rank=1, answered=False), one("x", rank=2)]
    assert verdicts(responses, [label("right")]) == ["right", "right"]


def test_known_answers_are_the_distinct_right_ones() -> None:
    assessments = [
        label("right", answer="a", **{"class": "1"}),
        label("right", answer="b", **{"class": "1"}),  # the same class
        label("right", answer="c"),
        label("right", answer="C"),  # the same text in another case
        label("wrong", answer="d"),
        label("right", question="q2", answer="e"),
    ]
    questions = [
        {"question": "q1"},
        {"question": "q2", "known": 7},  # as given
        {"question": "q3"},  # none
        {"question": "q4", "nil": True},  # NIL
    ]
    found = judged([one("a")], assessments, questions).questions
    assert found.select("question", "known").rows() == [("q1", 2), ("q2", 7), ("q3", 0), ("q4", 1)]


def test_known_answers_count_positions_by_the_text_of_the_response() -> None:
    responses = [one("x"), {"run": "b", "question": "q1", "answer": "x"}, one("y", rank=2)]
    assessments = [
        label("right", run="a", rank=1),
        label("right", run="b", rank=1),
        label("right", run="a", rank=2),
    ]
    assert judged(responses, assessments).questions["known"].to_list() == [2]


def test_judgments_do_not_depend_on_the_order_of_rows() -> None:
    responses = [one(f"x{n}", run=r, rank=n) for r in "ba" for n in (2, 1)]
    assessments = [label("right", answer=f"x{n}") for n in (1, 2)]
    forward = judged(responses, assessments).judgments
    backward = judged(responses[::-1], assessments[::-1]).judgments
    assert forward.equals(backward)
    assert forward.select("run", "rank").rows() == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_saying_the_same_twice_is_no_problem() -> None:
    assert verdicts([one("x")], [label("right"), label("right")]) == ["right"]


def test_every_run_stays_known_even_without_a_question_of_the_assessor() -> None:
    responses = [one("x"), {"run": "b", "question": "q2", "answer": "y"}]
    assessments = [label("right", assessor="ana"), label("wrong", question="q2", answer="y")]
    found = judged(responses, assessments, assessor="ana").judgments
    assert found.schema["run"].categories.to_list() == ["a", "b"]
