"""Files of TREC: what each kind becomes, how kinds are told apart, and how faults are told."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
import pytrec_eval

from tests.helpers.assessed_logs import assessed_rows
from tests.helpers.logs import log_campaign
from tests.helpers.measured_rows import configured
from tests.helpers.toy_campaign import Campaign

pytestmark = pytest.mark.slow


ANSWERS = "SELECT run, question, rank, answer FROM responses ORDER BY ALL"
LABELS = "SELECT question, answer, verdict, level FROM assessments ORDER BY ALL"
QRELS = "1 0 A 1\n1 0 B 0\n2 0 A 2\n"


def loaded(folder: Path, files: dict[str, str | bytes]) -> Campaign:
    campaign = log_campaign(folder)
    campaign.write({f"logs/{name}": content for name, content in files.items()})
    campaign.ingest()
    return campaign


def refused(folder: Path, files: dict[str, str | bytes]) -> str:
    campaign = log_campaign(folder)
    campaign.write({f"logs/{name}": content for name, content in files.items()})
    return "\n".join(campaign.refusal())


def test_a_run_is_ranked_by_score_and_ties_by_the_last_document(tmp_path: Path) -> None:
    run = "1 Q0 A 1 3.5 me\n1 Q0 B 2 4 me\n1 Q0 C 3 3.5 me\n2 Q0 A 1 1e-3 me\n"
    campaign = loaded(tmp_path, {"a.run": run, "qrels.txt": QRELS})
    # by score B, then A and C tie: C is the last in the order of documents
    assert campaign.rows(ANSWERS) == [
        ("me", "1", 1, "B"),
        ("me", "1", 2, "C"),
        ("me", "1", 3, "A"),
        ("me", "2", 1, "A"),
    ]
    remark = "rows whose rank is not their place by score: ranked by score, as trec_eval does"
    assert (remark, 3) in campaign.rows("SELECT remark, count FROM remarks")


@pytest.mark.exhaustive
def test_scores_that_trec_eval_cannot_tell_apart_are_equal(tmp_path: Path) -> None:
    run = "1 Q0 A 1 1.00000001 me\n1 Q0 B 2 1.0 me\n"  # 1 in single precision, both
    campaign = loaded(tmp_path, {"a.run": run, "qrels.txt": QRELS})
    assert [row[3] for row in campaign.rows(ANSWERS)] == ["B", "A"]
    theirs = pytrec_eval.RelevanceEvaluator({"1": {"A": 1, "B": 0}}, {"recip_rank"})
    found = theirs.evaluate({"1": {"A": 1.00000001, "B": 1.0}})
    assert found["1"]["recip_rank"] == 0.5


def test_qrels_are_assessments_with_levels(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, {"q": QRELS + "2 0 B -1\n3\t0\tC\t0\n", "a": "1 Q0 A 1 3 me\n"})
    assert campaign.rows(LABELS) == [
        ("1", "A", "right", "1"),
        ("1", "B", "wrong", None),
        ("2", "A", "right", "2"),
        ("2", "B", "wrong", None),
        ("3", "C", "wrong", None),
    ]
    assert campaign.rows("SELECT question, nil FROM questions ORDER BY ALL") == [
        ("1", False),
        ("2", False),
        ("3", False),
    ]


def test_documents_that_differ_in_capital_letters_are_different(tmp_path: Path) -> None:
    run = "1 Q0 x1 1 2 me\n1 Q0 X1 2 1 me\n"
    campaign = loaded(tmp_path, {"a.run": run, "b.qrels": "1 0 x1 1\n1 0 X1 1\n1 0 y 1\n"})
    each = configured("average_precision", {})
    values = each.values(assessed_rows(campaign).evidence(each), np.eye(1))
    assert values.tolist() == [[pytest.approx(2 / 3)]]  # (1/1 + 2/2) of three that are known


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_ranked_measures_are_those_of_trec_eval(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    documents = [f"D{n}" for n in range(30)]
    questions = [f"T{n}" for n in range(20)]
    qrels = {
        question: {each: random.choice([-1, 0, 0, 1, 2]) for each in random.sample(documents, 12)}
        for question in questions
    }
    runs = {
        tag: {
            question: {
                each: random.choice([0.5, 1, 2.25, -3]) for each in random.sample(documents, 15)
            }
            for question in random.sample(questions, 17)
        }
        for tag in ("one", "two")
    }
    files: dict[str, str | bytes] = {
        f"{tag}.run": "".join(
            f"{question} Q0 {each} {n} {score} {tag}\n"
            for question, scores in run.items()
            for n, (each, score) in enumerate(scores.items())
        )
        for tag, run in runs.items()
    }
    files["judged.qrels"] = "".join(
        f"{question} 0 {each} {relevance}\n"
        for question, own in qrels.items()
        for each, relevance in own.items()
    )
    rows = assessed_rows(loaded(tmp_path, files))
    judged = {q: {each: max(0, n) for each, n in own.items()} for q, own in qrels.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"map", "recip_rank", "success.1,5"})
    for name, theirs, options in (
        ("average_precision", "map", {}),
        ("mrr", "recip_rank", {"cutoff": None}),
        ("nq_correct_5", "success_5", {}),
    ):
        each = configured(name, options)
        found = each.values(rows.evidence(each), np.eye(len(questions)))
        for tag, values in zip(runs, found, strict=True):
            expected = evaluator.evaluate(runs[tag])
            for question, value in zip(sorted(questions), values, strict=True):
                right = expected.get(question, {}).get(theirs, 0.0)
                assert value == pytest.approx(right, abs=1e-12), (name, tag, question)


def test_answers_are_ranked_as_they_stand(tmp_path: Path) -> None:
    run = "1.1 me APW1 in  1948\n1.2 me NIL\n1.3 me NYT2 Godiva\n1.3 me NYT3 Wittamer of Brussels\n"
    campaign = loaded(tmp_path, {"run.txt": run, "patterns.txt": "1.1 1948\n1.2 x\n1.3 Godiva\n"})
    assert campaign.rows("SELECT run, question, rank, answer, support FROM responses ORDER BY ALL")[
        :3
    ] == [
        ("me", "1.1", 1, "in 1948", "APW1"),
        ("me", "1.2", 1, "NIL", None),
        ("me", "1.3", 1, "Godiva", "NYT2"),
    ]
    assert campaign.rows("SELECT question, pattern FROM patterns ORDER BY ALL") == [
        ("1.1", "1948"),
        ("1.2", "x"),
        ("1.3", "Godiva"),
    ]


@pytest.mark.exhaustive
def test_answers_of_the_first_tracks_are_ranked_by_rank(tmp_path: Path) -> None:
    run = "1 Q0 FT1 2 0.5 me a late one\n1 Q0 FT2 1 0.25 me the first\n2 Q0 NIL 1 0.1 me\n"
    campaign = loaded(tmp_path, {"run": run, "patterns": "1 first\n2 (?i)none\n"})
    assert campaign.rows(
        "SELECT question, rank, answer, confidence, support FROM responses ORDER BY ALL"
    ) == [
        ("1", 1, "the first", 0.25, "FT2"),
        ("1", 2, "a late one", 0.5, "FT1"),
        ("2", 1, "NIL", 0.1, None),
    ]


@pytest.mark.exhaustive
def test_judgments_that_differ_by_document_count_for_it_alone(tmp_path: Path) -> None:
    judged = (
        "1 APW1 1 in 1948\n1 APW2 2 in 1948\n1 APW3 3 1948 or so\n1 APW9 -1 Rome\n"
        "2 APW1 -1 Rome\n2 NIL 1\n"
    )
    files: dict[str, str | bytes] = {
        "judgments.txt": judged,
        "a.txt": "1 a APW1 in 1948\n2 a NIL\n",
        "b.txt": "1 b APW2 in 1948\n2 b APW1 Rome\n",
        "c.txt": "1 c APW3 in 1948\n",
    }
    campaign = loaded(tmp_path, files)
    labels = "SELECT question, run, rank, answer, verdict FROM assessments ORDER BY ALL"
    expected = [
        ("1", "a", 1, None, "right"),
        ("1", "b", 1, None, "unsupported"),
        ("1", None, None, "1948 or so", "inexact"),
        ("1", None, None, "Rome", "wrong"),
        ("2", None, None, "Rome", "wrong"),
    ]
    assert campaign.rows(labels) == expected
    assert campaign.rows("SELECT question, nil FROM questions ORDER BY ALL") == [
        ("1", False),
        ("2", True),
    ]
    before = campaign.fingerprints()["toy/assessments"]
    campaign.write({"logs/judgments.txt": judged.replace("APW2 2", "APW2 3")})
    campaign.ingest()
    assert campaign.rows(labels)[1] == ("1", "b", 1, None, "inexact")
    assert campaign.fingerprints()["toy/assessments"] != before


@pytest.mark.exhaustive
def test_a_judgment_may_stand_before_the_document(tmp_path: Path) -> None:
    judged = "1 -1 APW1 Rome\n1 1 APW2 in 1948\n2 3 APW2 1948 or so\n"
    campaign = loaded(tmp_path, {"judged": judged, "r": "1 me APW1 Rome\n"})
    assert campaign.rows("SELECT question, answer, verdict FROM assessments ORDER BY ALL") == [
        ("1", "Rome", "wrong"),
        ("1", "in 1948", "right"),
        ("2", "1948 or so", "inexact"),
    ]


@pytest.mark.exhaustive
@pytest.mark.parametrize("distinct", [True, False])
def test_judged_runs_have_answers_and_verdicts(tmp_path: Path, distinct: bool) -> None:
    rows = [("A1", "1", "1", "Paris"), ("A2", "1", "0", "in Paris"), ("A3", "-1", "0", "Rome")]
    lines = [
        f"1.3 me {document} {judgment} {flag + ' ' if distinct else ''}{text}\n"
        for document, judgment, flag, text in rows
    ]
    campaign = loaded(tmp_path, {"RUN-7.list_judged": "".join(lines)})
    assert campaign.rows("SELECT rank, answer, support FROM responses ORDER BY ALL") == [
        (1, "Paris", "A1"),
        (2, "in Paris", "A2"),
        (3, "Rome", "A3"),
    ]
    assert campaign.rows("SELECT rank, verdict FROM logged ORDER BY ALL") == [
        (1, "right"),
        (2, "repeated" if distinct else "right"),
        (3, "wrong"),
    ]


@pytest.mark.exhaustive
def test_patterns_are_told_by_their_signs_or_by_the_name_of_the_file(tmp_path: Path) -> None:
    signs = "1 Tom\\s+Cruise\n2 (in )?1948\n3 the long and the short of it, in many words\n"
    campaign = loaded(tmp_path, {"x": signs, "patterns": "4 plain\n5 words\n", "r": "1 a A1 b\n"})
    assert [row[0] for row in campaign.rows("SELECT question FROM patterns ORDER BY 1")] == [
        *"12345"
    ]


@pytest.mark.exhaustive
def test_several_runs_may_be_in_a_file(tmp_path: Path) -> None:
    campaign = loaded(tmp_path, {"r": "1 Q0 A 1 3 x\n1 Q0 A 1 3 y\n", "q": QRELS})
    assert campaign.rows(ANSWERS) == [("x", "1", 1, "A"), ("y", "1", 1, "A")]


@pytest.mark.exhaustive
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks_and_line_ends_do_not_count(tmp_path: Path, start: str, end: str) -> None:
    run = (start + "1 Q0 A 1 3 me\n\n1 Q0 B 2 2 me\n").replace("\n", end)
    qrels = (start + QRELS).replace("\n", end)
    campaign = loaded(tmp_path, {"r.run": run.encode(), "q.qrels": qrels.encode()})
    assert campaign.rows(ANSWERS) == [("me", "1", 1, "A"), ("me", "1", 2, "B")]


def test_every_fault_of_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    good = "".join(f"1 Q0 D{n} {n} {50 - n} me\n" for n in range(1, 41))
    bad = b"1 Q0 D50 x 3 me\n1 Q0 D1 41 3 me\n1 Q0 D51 42 nan me\n1 Q0 D\xe9 43 1 me\n1 Q0 D52"
    text = refused(tmp_path, {"a.run": good.encode() + bad, "b.qrels": QRELS + "1 0 A 0\n"})
    assert "a.run, line 41: is no line of a ranked run: '1 Q0 D50 x 3 me'" in text
    assert "a.run, line 42: has D1 for question 1 again" in text
    assert "a.run, line 43: is no line of a ranked run" in text
    assert "a.run, line 44: is not UTF-8 (byte 0xe9)" in text
    assert "a.run, line 45: is no line of a ranked run" in text
    assert "b.qrels, line 4: judges 'A' of question 1 again, otherwise: 0, before 1" in text


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("these are\nno columns of TREC\n", "is in no format of logs that is known"),
        (b"\x00\x01\x02", "is not text (a NUL byte in line 1)"),
        ("1 Q0 A 1 nan me\n", "is in no format of logs that is known"),
        (
            "1\t6.5\tWho (was)?\tKatie\n2\t7.5\tWhat?\tRome\n",
            "is in no format of logs that is known",
        ),
        ("1 plain words\n2 of a list\n", "is in no format of logs that is known"),
        ("1 me APW1\n2 me APW2\n3 me APW3\n", "is in no format of logs that is known"),
    ],
)
def test_what_is_no_file_of_trec_is_told(
    tmp_path: Path, content: str | bytes, problem: str
) -> None:
    assert refused(tmp_path, {"a.txt": content}).startswith(f"logs/a.txt: {problem}")
