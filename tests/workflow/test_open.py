"""`open: false`: no text of an answer or a key under report/, whatever stands elsewhere."""

import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.helpers.tiny_campaign import ENDING, Tiny

QUOTED = ("Zanzibarine", "Quetzalcoatlian", "Wolframitesque", "Kakistocratic", "Umbrageousness")
"""Words that are in answers and keys, and nowhere else."""

RUNS = """\
run,question,answer,confidence
r1,q1,the Zanzibarine coast,0.9
r1,q2,Quetzalcoatlian,0.5
r1,q3,Wolframitesque,0.5
r2,q1,Quetzalcoatlian plains,0.7
r2,q2,Kakistocratic,0.4
r2,q3,a Wolframitesque thing,0.5
"""
ASSESSMENTS = """\
question,answer,assessor,label
q1,the Zanzibarine coast,ana,right
q1,the Zanzibarine coast,bob,wrong
q1,the Zanzibarine coast,eve,right
q1,Quetzalcoatlian plains,ana,wrong
q2,Quetzalcoatlian,ana,right
q2,Kakistocratic,ana,right
q2,Kakistocratic,bob,wrong
q2,Kakistocratic,eve,wrong
q3,Wolframitesque,ana,wrong
q3,a Wolframitesque thing,ana,right
"""
KEYS = "question,key\nq1,Umbrageousness\nq2,Kakistocratic\nq3,Wolframitesque\n"
CONFIG = """
campaign: tiny
seed: 7
collections:
  secret:
    runs: runs.csv
    assessments: assessments.csv
    keys: keys.csv
    judges:
      people: {kind: assessments}
      machine: {kind: key}
    measures: [accuracy, k1]
    derived:
      changed: {from: r1, where: "answer = 'Quetzalcoatlian'", set: {answer: Kakistocratic}}
    studies: {significance: {resamples: 100}}
  plain:
    runs: runs.csv
    assessments: assessments.csv
    measures: [accuracy]
    studies: {}
"""


def secret(tiny: Tiny) -> Tiny:
    for name, text in {
        "runs.csv": RUNS, "assessments.csv": ASSESSMENTS, "keys.csv": KEYS, "config.yaml": CONFIG,
    }.items():  # fmt: skip
        tiny.write(name, text)
    return tiny


def quoted(folder: Path) -> set[str]:
    """The files under a folder that hold one of the words, in whatever case, also in part."""
    words = re.compile("|".join(word[:9] for word in QUOTED), re.IGNORECASE)
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and words.search(path.read_bytes().decode("utf-8", "ignore"))
    }


def contents(tiny: Tiny) -> dict[str, str]:
    """Every file of the report and the result files, less times."""
    found = {name: content.hex() for name, content in tiny.computed().items()}
    for path in sorted((tiny.results / "report").rglob("*")):
        if path.is_file() and path.name != "provenance.csv":
            text = path.read_bytes().decode("utf-8", "replace")
            if path.name == "index.html":  # when it was published, and how long jobs took
                text = text[: text.index('id="made-from')]
            found[path.relative_to(tiny.results).as_posix()] = text
    return found


def set_open(tiny: Tiny, value: Any) -> None:
    tiny.configure(lambda config: config.update(open=value))


@pytest.mark.exhaustive
def test_what_is_not_open_is_nowhere_in_the_report(fresh: Tiny, tmp_path: Path) -> None:
    """The same files as those of a run from nothing, switched on and off."""
    tiny = secret(fresh)
    tiny.run()
    shown = quoted(tiny.results / "report")
    assert shown == {
        "index.html", "questions-plain.html", "questions-secret.html", "tables/disagreements.csv", "tables/disputed.csv", "tables/provenance.csv", "tables/questions.csv",
    }  # fmt: skip
    before = contents(tiny)
    set_open(tiny, False)
    ran = tiny.run().ran
    assert (
        ran
        == {f"{c}/{job}" for c in ("secret", "plain") for job in ("draw", "browse", "figures")}
        | ENDING
    )
    assert quoted(tiny.results / "report") == set()
    page = (tiny.results / "report/index.html").read_text(encoding="utf-8")
    assert "Examples of disagreements" in page  # question, run and verdicts stay
    questions = (tiny.results / "report/questions-secret.html").read_text(encoding="utf-8")
    assert '"matrix":["rwrrwwwrw",' in questions  # r1, r2 and the what-if run, question by question
    csv = (tiny.results / "report/tables/disputed.csv").read_text(encoding="utf-8")
    assert "collection,question,run,rank,answer,assessors" in csv
    with duckdb.connect(str(tiny.results / "results.duckdb"), read_only=True) as connection:
        answers = connection.sql("SELECT answer FROM disputed").fetchall()
    assert ("the Zanzibarine coast",) in answers  # outside of report/
    assert "Quetzalcoatlian" in (tiny.results / "config.yaml").read_text(encoding="utf-8")
    scratch = Tiny(tmp_path / "scratch", tiny.warm)
    shutil.copytree(tiny.data, scratch.data)
    shutil.copytree(tiny.project, scratch.project)
    scratch.work.mkdir()
    scratch.run()
    assert contents(scratch) == contents(tiny)
    set_open(tiny, True)
    tiny.run()
    assert contents(tiny) == before
