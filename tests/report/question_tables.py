"""Tables of questions and answers that are small enough to count by hand.

By people, of the first answers to q1 to q6 (r right, w wrong, u nothing answered, R withheld with a
right candidate, . no row); the key judges q1 to q5:

    run      people    key      accuracy by people
    a        rrwurw    wrwur    3/6
    b        wrrR.w    wrrR.    2/6
    EVIL     wrwwww    wrwwr    1/6

Nobody is right on q4 and q6, everybody on q2, only a on q1 and q5. Judges differ on q1 (about a) and on
q5 (about EVIL). Between a and b: a wins q1 and q5, loses q3.
"""

from pathlib import Path
from typing import Any

import polars as pl

from qampaign.report.questions import page
from qampaign.tables import empty

EVIL = "</script><script>alert(1)</script>"
HOSTILE = "<img src=x onerror=alert(2)> \u2028 \u202eevil\u202c </script><!-- & 'quoted' \"twice\""
SAID = {
    "people": {"a": "rrwurw", "b": "wrrR.w", EVIL: "wrwwww"},
    "key": {"a": "wrwur", "b": "wrrR.", EVIL: "wrwwr"},
}
TYPES = ["who", "who", "when", "when", "when", None]
CORRECT = {"people": ["right"], "key": ["right"], "rubric": ["right"]}
MEASURES = {"accuracy": "high", "brier": "low", "share": "none"}
VALUES: dict[str, list[float | None]] = {
    "accuracy": [3 / 6, 2 / 6, 1 / 6],
    "brier": [0.1, 0.2, None],
    "share": [0.5, 0.4375, 0.5],
}

Tables = dict[str, pl.DataFrame]


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Rows of a table; columns that are not given are NULL."""
    given = [pl.DataFrame([row]) for row in rows]
    whole = pl.concat([empty(table), *given], how="diagonal_relaxed")
    return whole.with_columns(pl.lit("c").alias("collection"))


def answer(judge: str, run: str, number: int, state: str, **more: Any) -> dict[str, Any]:
    text = {"a": f"alpha {number}", "b": HOSTILE, EVIL: "gamma"}[run]
    withheld = state in "uR"
    verdict = {"r": "right", "R": "right", "w": "wrong", "u": "not_attempted"}[state]
    return {
        "judge": judge, "run": run, "question": f"q{number}", "rank": 1,
        "answer": None if state == "u" else text, "answered": not withheld, "verdict": verdict,
        "correct": state == "r", "confidence": 0.25 * number if run == "a" else None,
        "matched": f"matchword{number}" if judge == "key" and state == "r" else None,
        "class": "classword" if judge == "key" and state == "r" else None, "unassessed": False,
    } | more  # fmt: skip


def pair(run_a: str, run_b: str, measure: str = "accuracy", **more: Any) -> dict[str, Any]:
    """A comparison; the simultaneous interval has odd sixteenths, which Python rounds to even."""
    return {
        "judge": "people", "measure": measure, "slice": "all", "run_a": run_a, "run_b": run_b,
        "family": "all", "difference": 0.0625, "low": 0.0, "high": 0.1, "p_adjusted": 0.04,
        "simultaneous_low": -0.1875, "simultaneous_high": 0.3125,
        "won": 2, "lost": 1, "tied": 3, "detectable": 0.4375, "visible": 0.4375,
    } | more  # fmt: skip


def tables(**changed: list[dict[str, Any]]) -> Tables:
    """All tables that the pages need; `changed` has the rows of some."""
    runs = list(SAID["people"])
    given = [
        answer(judge, run, number, state)
        for judge, of_judge in SAID.items()
        for run, states in of_judge.items()
        for number, state in enumerate(states, 1)
        if state != "."
    ]
    asked = [
        {"judge": judge, "question": f"q{number}", "type": kind, "slice": kind or "all",
         "text": f"What is {number}? {HOSTILE}" if number == 1 else f"What is {number}?",
         "key": "keyword <b>" if number == 1 else None, "difficulty": 1 - right / 3}
        for judge, last in (("people", 6), ("key", 5))
        for number, (kind, right) in enumerate(zip(TYPES, [1, 3, 1, 0, 1, 0], strict=True), 1)
        if number <= last
    ]  # fmt: skip
    rows: dict[str, list[dict[str, Any]]] = {
        "collections": [{"title": HOSTILE, "task": "answering", "reference": "people",
                         "primary": "accuracy"}],
        "runs": [{"run": run, "kind": "submitted"} for run in runs],
        "judges": [{"judge": "people", "kind": "assessments", "reference": True},
                   {"judge": "key", "kind": "key", "reference": False}],
        "measures": [
            {"measure": name, "label": name.title(), "better": better,
             "primary": name == "accuracy"}
            for name, better in MEASURES.items()
        ],
        "scores": [
            {"judge": judge, "measure": measure, "slice": "all", "run": run, "value": value,
             "rank_first": at, "rank_last": at, "rank_low": 1, "rank_high": 3,
             "low": 0.1, "high": 0.9}
            for judge in SAID
            for measure, values in VALUES.items()
            for at, (run, value) in enumerate(zip(runs, values, strict=True), 1)
        ],
        "questions": asked,
        "answers": given,
        "comparisons": [pair("a", "b"), pair(EVIL, "a", difference=-1 / 3, low=-0.5, high=-0.0)],
        "reliability": [{"judge": "people", "run": "a", "bin": 2, "confidence": 0.25,
                         "accuracy": 1.0, "answers": 1}],
    }  # fmt: skip
    return {name: frame(name, content) for name, content in (rows | changed).items()}


def scored_tables() -> Tables:
    """Two runs and three questions by rubric, the reference, which gives scores alone, and by people.

    run      q1     q2             q3
    a        1      no score       1
    b        0.5    no answer      0.8, withheld
    """
    scores: dict[str, list[float | None]] = {"a": [1.0, None, 1.0], "b": [0.5, None, 0.8]}
    by_rubric = [
        answer("rubric", run, number, "w", verdict="unassessed", degree=degree, unassessed=True)
        for run, degrees in scores.items()
        for number, degree in enumerate(degrees, 1)
    ]
    by_rubric[4] |= answer("rubric", "b", 2, "u")
    by_rubric[5] |= {"answered": False}
    by_people = [
        answer("people", run, number, state)
        for run, states in {"a": "rwr", "b": "ruR"}.items()
        for number, state in enumerate(states, 1)
    ]
    made = tables(answers=[*by_rubric, *by_people])
    asked = made["questions"].filter(pl.col("question") < "q4", judge="people")
    rubric = asked.with_columns(judge=pl.lit("rubric"), key=None, difficulty=None)
    judges = [
        {"judge": "rubric", "kind": "scores", "reference": True},
        {"judge": "people", "kind": "assessments", "reference": False},
    ]
    return made | {
        "questions": pl.concat([rubric, asked], how="vertical_relaxed"),
        "judges": frame("judges", judges),
        "collections": made["collections"].with_columns(reference=pl.lit("rubric")),
        "runs": made["runs"].filter(pl.col("run") != EVIL),
    }


def write(made: Tables, folder: Path, *, is_open: bool = True) -> list[Path]:
    """The pages of the tables."""
    shown = {name: table for name, table in made.items() if name != "answers"}
    if not is_open:
        shown = {name: page.without_quotes(name, table) for name, table in shown.items()}
    return page.write(shown, made["answers"].lazy(), folder, correct=CORRECT, is_open=is_open)
