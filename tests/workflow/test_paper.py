"""The methods for papers are true of the smallest campaigns, too."""

import pytest

from tests.helpers.tiny_campaign import Tiny


def answers(runs: dict[str, str]) -> str:
    """A file of runs, given by letters: r for a right answer, w for a wrong one."""
    rows = [
        f"{run},q{number},{letter}"
        for run, letters in runs.items()
        for number, letter in enumerate(letters, start=1)
    ]
    return "\n".join(["run,question,answer", *rows]) + "\n"


def labels(questions: int) -> str:
    rows = [
        f"q{number},{letter},{label}"
        for number in range(1, questions + 1)
        for letter, label in (("r", "right"), ("w", "wrong"))
    ]
    return "\n".join(["question,answer,label", *rows]) + "\n"


CONFIG = """
campaign: tiny
seed: 7
defaults: {measures: [accuracy], studies: {significance: {resamples: 100}}}
collections:
  two: {runs: two.csv, assessments: labels-3.csv}
  one: {runs: one.csv, assessments: labels-3.csv}
  tied: {runs: tied.csv, assessments: labels-15.csv}
  unstudied: {runs: two.csv, assessments: labels-3.csv, studies: {}}
  grouped: {runs: six.csv, assessments: labels-6.csv, questions: groups.csv}
  single: {runs: six.csv, assessments: labels-6.csv, questions: groups.csv, unit: question}
  planned:
    runs: six.csv
    assessments: labels-6.csv
    comparisons: [{runs: [a, b], margin: 0.9}]
"""
FILES = {
    "config.yaml": CONFIG,
    "two.csv": answers({"a": "rrw", "b": "rww"}),
    "one.csv": answers({"a": "rrw"}),
    "tied.csv": answers({"a": "r" * 15, "b": "r" * 15}),
    "six.csv": answers({"a": "rrrrrr", "b": "wrwrwr", "c": "wwwwww"}),
    "labels-3.csv": labels(3),
    "labels-6.csv": labels(6),
    "labels-15.csv": labels(15),
    "groups.csv": "question,group\nq1,x\nq2,x\nq3,y\nq4,y\nq5,z\nq6,z\n",
}


@pytest.mark.exhaustive
def test_methods_of_small_campaigns(fresh: Tiny) -> None:
    """Of n units there are 2^(n - 1) exchanges: 4 of 3, 16,384 of 15, more than the 9,999 drawn."""
    for name, text in FILES.items():
        fresh.write(name, text)
    fresh.run()
    paper = fresh.results / "report/paper"
    text = {
        folder.name: (folder / "methods.md").read_text(encoding="utf-8")
        for folder in paper.iterdir()
        if folder.is_dir()
    }
    exact = "Each of the {} ways to exchange was taken once, so that p-values are exact."
    assert exact.format(4) in text["two"]
    assert "With only 3 questions, no p can be below 1/4." in text["two"]
    assert "The main measure is accuracy" in text["one"]
    assert "there was nothing to compare" in text["one"]
    assert "95% intervals hold" in text["one"]
    assert "p-value" not in text["one"]
    assert "9,999 exchanges were drawn at random." in text["tied"]
    assert "no p can be below" not in text["tied"]
    assert "Differences were not tested" in text["unstudied"]
    assert "Intervals and tests take the questions of a group together" in text["grouped"]
    assert "(3 groups)" in text["grouped"]
    assert exact.format(4) in text["grouped"]
    assert "although they come in 3 groups" in text["single"]
    assert exact.format(32) in text["single"]  # six questions
    assert "1 pair was named in advance" in text["planned"]
    assert "lies within ±0.9." in text["planned"]
    assert "named in advance" not in text["single"]
    assert (paper / "planned/planned.tex").exists()
    assert not (paper / "one/comparisons.tex").exists()
    assert not (paper / "unstudied/intervals.tex").exists()
