"""`qampaign check`: what it says of a submission, its exit code, and that it leaves no trace."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from qampaign.command.main import main
from tests.helpers.logs import inspect_json, inspect_sample

pytestmark = pytest.mark.slow


CONFIG = """
campaign: mine
collections:
  demo:
    runs: runs/*
    assessments: assessments.csv
    labels: {R: right, W: wrong}
    measures: [accuracy, brier]
  ranked:
    runs: runs/*
    questions: questions.csv
    assessments: hidden.csv
    measures: [mrr]
  logged: {logs: logs/*}
"""
FILES = {
    "config.yaml": CONFIG,
    "questions.csv": "question\nq1\nq2\n",
    "assessments.csv": "question,answer,label\nq1,Paris,R\nq2,1912,R\nq3,Nile,W\n",
    "runs/alpha.csv": "question,answer,confidence\nq1,Paris,0.9\nq2,1911,0.2\n",
    "logs/one.json": inspect_json([inspect_sample(1), inspect_sample(2)]),
}

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Check:
    """Writes a submission into a folder of its own, and checks it: exit code, what was told."""
    for name, content in FILES.items():
        path = tmp_path / "campaign" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.chdir(tmp_path / "campaign")
    before = sorted(os.walk(tmp_path / "campaign"))

    def run(content: str, collection: str = "demo", name: str = "new.csv") -> tuple[int, str, str]:
        file = tmp_path / name
        file.write_text(content)
        code = main(["check", str(file), "--config", "config.yaml", "--collection", collection])
        told = capsys.readouterr()
        assert sorted(os.walk(tmp_path / "campaign")) == before
        return code, told.out.replace(f"{tmp_path}/", ""), told.err.replace(f"{tmp_path}/", "")

    return run


def test_a_submission_that_holds_is_described(check: Check) -> None:
    code, out, err = check("question,answer,confidence\nq1,Rome,0.5\nq2,,\n")
    assert (code, err) == (0, "")
    assert out == (
        "run new: 2 rows, 1 of 3 questions answered\n"
        "  no row for 1 question, counted as unanswered: q3\n"
        "new.csv holds: it can be part of the collection demo.\n"
    )


def test_all_faults_are_told_at_once(check: Check) -> None:
    code, _, err = check("question,answer,rank,confidence\nq1,Rome,2,7\nq9,x,1,0.5\nq9,y,1,0.5\n")
    assert code == 1
    assert err.startswith("new.csv has 5 problems:\n")
    for told in (
        "line 2, column rank: '2' leaves a gap",
        "line 2, column confidence: '7' is outside 0 to 1",
        "line 3, column question: 'q9' is an unknown question",
        "line 4, column rank: '1' occurs twice",
    ):
        assert told in err


def test_what_a_measure_misses_in_it_is_remarked_on(check: Check) -> None:
    code, out, _ = check("question,answer\nq1,Rome\n")
    assert code == 0
    assert "remark: no row has a confidence: brier will have no value\n" in out


def test_a_run_that_another_file_has_is_a_fault(check: Check) -> None:
    code, _, err = check("run,question,answer\nalpha,q1,Rome\n")
    assert code == 1
    assert "new.csv, column run: 'alpha' is also in runs/alpha.csv" in err
    # also where its path comes first
    _, _, err = check("run,question,answer\nalpha,q1,Rome\n", name="a.csv")
    assert "a.csv, column run: 'alpha' is also in runs/alpha.csv" in err


def test_a_new_version_stands_in_the_place_of_the_old_one(check: Check) -> None:
    code, out, _ = check("question,answer,confidence\nq1,Rome,0.5\n", name="alpha.csv")
    assert code == 0
    assert "remark: checked in the place of runs/alpha.csv, which has the same name\n" in out


def test_the_same_answers_as_another_run_are_remarked_on(check: Check) -> None:
    code, out, _ = check(FILES["runs/alpha.csv"])
    assert code == 0
    assert "remark: runs that give the same answers: alpha, new\n" in out


def test_labels_need_not_be_there_where_questions_are_listed(check: Check) -> None:
    code, out, _ = check("question,answer,rank\nq1,Rome,1\nq1,Paris,2\n", "ranked")
    assert code == 0
    assert out.startswith("run new: 2 rows, 1 of 2 questions answered, up to 2 ranks\n")


def test_without_the_questions_nothing_can_be_checked(check: Check) -> None:
    config = Path("config.yaml").read_text()
    Path("config.yaml").write_text(config.replace("assessments.csv", "nowhere.csv"))
    code, _, err = check("question,answer\nq1,Rome\n")
    assert code == 2
    assert "there is no file nowhere.csv" in err


def test_a_faulty_file_of_the_campaign_is_not_the_submissions_fault(check: Check) -> None:
    Path("runs/alpha.csv").write_text("question,answer\nq7,Rome\n")
    code, out, _ = check("question,answer,confidence\nq1,Rome,0.5\n")
    assert code == 0
    assert "other files with runs have a problem; not looked at here" in out
    Path("assessments.csv").write_text("question,answer,label\nq1,Paris,?\n")
    code, _, err = check("question,answer,confidence\nq1,Rome,0.5\n")
    assert code == 2
    assert "'?' is an unknown label" in err


@pytest.mark.exhaustive
def test_a_log_is_checked_with_the_other_logs(check: Check) -> None:
    good = inspect_json([inspect_sample(1)], model="mock/two")
    code, out, _ = check(good, "logged", "two.json")
    assert code == 0
    assert out.startswith(
        "run mock/two: 1 row, 1 of 2 questions answered\n"
        "  no row for 1 question, counted as unanswered: 2\n"
    )
    twice = inspect_json([inspect_sample(1, target="Rome"), inspect_sample(2, value="?")])
    code, _, err = check(twice, "logged", "two.json")
    assert code == 1
    assert "sample 2, epoch 1" in err
    code, _, err = check(inspect_json([inspect_sample(1, target="Rome")]), "logged", "two.json")
    assert code == 1
    assert "is the run of two logs of the task capitals" in err
    assert "is another target of 1" in err


def test_a_question_that_no_other_log_has_is_unknown(check: Check) -> None:
    more = inspect_json([inspect_sample(1), inspect_sample(3)], model="mock/two")
    code, out, err = check(more, "logged", "two.json")
    assert code == 1
    assert out.startswith("run mock/two: 2 rows, 1 of 2 questions answered\n")
    assert err == (
        "two.json has a problem:\n"
        "  two.json, line 2, column question: '3' is an unknown question; allowed: a question that "
        "another file of the collection logged has\n"
    )
    code, out, _ = check(more, "logged", "one.json")  # in the place of the only one
    assert code == 0
    assert out.startswith("run mock/two: 2 rows, 2 of 2 questions answered\n")


@pytest.mark.exhaustive
def test_another_target_is_told_of_the_submission(check: Check) -> None:
    other = inspect_json([inspect_sample(1), inspect_sample(2, target="Rome")], model="mock/two")
    code, _, err = check(other, "logged", "two.json")
    assert code == 1
    assert err == (
        "two.json has a problem:\n"
        "  two.json, line 2, column target: 'Rome' is another target of 2 than in logs/one.json: "
        "'Paris'; allowed: the same target for an id in all logs of a task\n"
    )
    config = Path("config.yaml").read_text()
    keyed = "{logs: logs/*, questions: questions.csv, keys: keys.csv}"
    Path("config.yaml").write_text(config.replace("{logs: logs/*}", keyed))
    Path("questions.csv").write_text("question\n1\n2\n")
    assert check(other, "logged", "two.json")[0] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("check nowhere.csv --collection demo", "There is no file nowhere.csv.\n"),
        ("check runs --collection demo", "runs: is a folder, not a regular file\n"),
        (
            "check runs/alpha.csv",
            "Which collection? --collection, one of demo, ranked, logged\n",
        ),
        (
            "check runs/alpha.csv --collection dome",
            "dome is not a collection; allowed: demo, ranked, logged\n",
        ),
        (
            "check runs/alpha.csv --config no.yaml",
            "There is no config file no.yaml. Name one: --config CONFIG\n",
        ),
    ],
)
@pytest.mark.usefixtures("check")
def test_what_cannot_be_checked(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err == told
