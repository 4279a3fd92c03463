"""Automatic judges in the workflow, and the files that people fill in."""

import duckdb
import polars as pl
import pytest

from tests.helpers.tiny_campaign import ENDING, Tiny, shown

KEY = {"alpha/judge/key", "alpha/score/key", "alpha/agreement/key", "alpha/correlate"}


def add_judges(tiny: Tiny) -> None:
    """Judge alpha by a key, patterns and verdicts, too. q4 is nil: NIL is right there."""
    tiny.write("alpha/keys.csv", "question,key\nq1,Paris\nq2,Oslo\nq3,river\nq4,nobody\n")
    tiny.write("alpha/patterns.csv", "question,pattern\nq1,par\nq2,^o\nq3,r\nq4,x\n")
    answers = {"q1": ["Paris", "Lyon"], "q2": ["Rome", "Oslo"], "q3": ["a river", "a rock"]}
    rows = [f"{q},{answer},A" for q, each in answers.items() for answer in each]
    tiny.write("alpha/gpt.csv", "\n".join(["question,answer,label", *rows, "q4,Bob,B"]) + "\n")
    judges = {
        "key": {"kind": "key"},
        "exact": {"kind": "exact"},
        "regex": {"kind": "patterns"},
        "gpt": {
            "kind": "verdicts",
            "files": "alpha/gpt.csv",
            "labels": {"A": "right", "B": "wrong"},
        },
    }
    files = {"keys": "alpha/keys.csv", "patterns": "alpha/patterns.csv"}

    def edit(config: dict) -> None:
        config["collections"]["alpha"] |= files
        config["collections"]["alpha"]["judges"] |= judges

    tiny.configure(edit)


def accuracy(tiny: Tiny, judge: str) -> dict[str, float]:
    return tiny.values("accuracy", judge=judge)


@pytest.mark.exhaustive
def test_every_kind_of_judge_and_what_a_changed_key_reaches(tiny: Tiny) -> None:
    add_judges(tiny)
    tiny.run()
    # a1: Paris, Rome, (withheld) a river, NIL; a2: Lyon, Oslo, a river, Bob; a3: Paris, Rome, a rock
    assert accuracy(tiny, "key") == {"a1": 0.5, "a2": 0.5, "a3": 0.25}
    assert accuracy(tiny, "exact") == {"a1": 0.5, "a2": 0.5, "a3": 0.25}
    assert accuracy(tiny, "regex") == {"a1": 0.5, "a2": 0.5, "a3": 0.5}
    assert accuracy(tiny, "gpt") == {"a1": 0.75, "a2": 0.75, "a3": 0.75}
    agreement = pl.read_csv(tiny.results / "report/tables/agreement.csv", infer_schema_length=None)
    whole = agreement.filter(
        pl.col("judge") == "gpt", (pl.col("run") == "all") & (pl.col("slice") == "all")
    )
    # of 12 responses gpt calls Lyon, Rome (twice) and a rock right, which people do not
    assert whole.select("hits", "misses", "false_alarms", "correct_rejections").rows() == [
        (7, 0, 4, 1)
    ]

    tiny.replace("alpha/keys.csv", "Paris", "Lyon")
    ended = tiny.run()
    exact = {job.replace("key", "exact") for job in KEY}
    others = {f"alpha/agreement/{judge}" for judge in ("ana", "regex", "gpt")}  # it shows the key
    assert ended.ran == {"ingest"} | KEY | exact | others | shown("alpha") | ENDING
    assert accuracy(tiny, "key") == {"a1": 0.25, "a2": 0.75, "a3": 0.0}
    assert "since the last results" in ended.shown
    changes = {row[:4]: row for row in tiny.tables()["changes"]}
    assert changes["alpha", "key", "accuracy", "a1"] == (
        *("alpha", "key", "accuracy", "a1", 0.5, 0.25, 1, 2, "alpha/keys.csv"),
    )

    sheet = tiny.results / "failures/alpha/gpt.csv"
    failures = pl.read_csv(sheet)
    assert failures.select("answer", "verdict", "reference_verdict").unique().height == 3
    failures.with_columns(cause=pl.lit("judge wrong: geography")).write_csv(sheet)
    assert tiny.run().ran == {"alpha/agreement/gpt"} | shown("alpha") | ENDING
    causes = [row for row in tiny.tables()["causes"] if row[1] == "gpt"]
    assert causes == [
        ("alpha", "gpt", "judge wrong", None, 4, 1.0),
        ("alpha", "gpt", "geography", "judge wrong", 4, 1.0),
    ]
    tiny.replace("alpha/gpt.csv", "q4,Bob,B", "q4,Bob,A")
    filled = sheet.read_bytes()
    tiny.run()
    assert sheet.read_bytes() == filled


@pytest.mark.exhaustive
def test_the_pool_holds_what_is_open_and_comes_back_as_it_is(tiny: Tiny) -> None:
    labels = tiny.read("alpha/assessments.csv").splitlines(keepends=True)
    kept = [line for line in labels if "Lyon" not in line and "a rock" not in line]
    tiny.write("alpha/assessments.csv", "".join(kept))
    both = ["alpha/assessments.csv", "alpha/pool*.csv"]
    judges = {"people": {"kind": "assessments"}}
    tiny.configure(
        lambda config: config["collections"]["alpha"].update(assessments=both, judges=judges)
    )
    tiny.write("alpha/pool0.csv", "question,answer,label\nq1,Marseille,W\n")
    shown = tiny.run("pool").shown
    assert "2 to be judged in results/tiny/pool/alpha.csv; 10 of 12 answers are assessed" in shown
    assert "0 to be judged in results/tiny/pool/beta.csv" in shown
    path = tiny.results / "pool/alpha.csv"
    pool = pl.read_csv(path)
    assert sorted(pool["answer"]) == ["Lyon", "a rock"]
    pool.with_columns(label=pl.lit("W")).write_csv(path)
    assert (
        "has been filled in and is left alone: add it to"
        in tiny.run("pool", "--forcerun", "find_pool").shown
    )
    (tiny.data / "alpha/pool1.csv").write_bytes(path.read_bytes())
    path.unlink()
    assert "0 to be judged in results/tiny/pool/alpha.csv" in tiny.run("pool").shown
    tiny.run()
    assert tiny.values() == {"a1": 0.625, "a2": 0.5, "a3": 0.3125}


UNJUDGED = """
campaign: tiny
defaults:
  runs: pooled/runs.csv
  unassessed: wrong
  measures: [accuracy, mrr]
  judges: {people: {kind: assessments}, gpt: {kind: verdicts, files: pooled/gpt.csv}}
  studies:
    judges: [people, gpt]
    significance: {resamples: 50}
collections:
  one: {assessments: pooled/one.csv}
  none: {assessments: pooled/none.csv}
"""


MORE_STUDIES = """
    stability: {trials: 10}
    swap: {trials: 10}
    sizes: {trials: 10}"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("more", ["", pytest.param(MORE_STUDIES, marks=pytest.mark.exhaustive)])
def test_runs_that_nobody_judged_are_shown_and_not_ranked(fresh: Tiny, more: str) -> None:
    """Four questions, three runs. People judged a alone (3 of 4 right), or nobody; gpt judged b and
    c as well (b 2 right, c none). d has no row for q4, and gpt has not seen it."""
    answers = {"a": "a1 a2 a3 a4", "b": "b1 b2 b3 b4", "c": "c1 c2 c3 c4", "d": "d1 d2 d3"}
    given = [(run, f"q{text[1]}", text) for run, texts in answers.items() for text in texts.split()]
    rows = "".join(f"{run},{question},{text}\n" for run, question, text in given)
    right = {"a1", "a2", "a3", "b1", "b2"}
    labels = {
        text: f"{question},{text},{'right' if text in right else 'wrong'}\n"
        for _, question, text in given
    }
    head = "question,answer,label\n"
    unseen = "".join(f"q{n},nobody says so,wrong\n" for n in range(1, 5))
    judged = "".join(labels[text] for text in labels if text[0] in "bc")
    fresh.write("config.yaml", UNJUDGED.replace("\ncollections:", f"{more}\ncollections:"))
    fresh.write("pooled/runs.csv", f"run,question,answer\n{rows}")
    fresh.write("pooled/one.csv", head + "".join(labels[f"a{n}"] for n in range(1, 5)))
    fresh.write("pooled/none.csv", head + unseen)
    fresh.write("pooled/gpt.csv", head + judged)
    fresh.run()
    with duckdb.connect(str(fresh.results / "results.duckdb"), read_only=True) as connection:
        ranks = connection.sql(
            """SELECT collection, judge, run, value, rank_first, rank_last, low IS NULL, missing
                FROM scores
            WHERE measure = 'accuracy' ORDER BY ALL"""
        ).fetchall()
        pairs = connection.sql(
            "SELECT DISTINCT collection, judge, run_a, run_b FROM significance ORDER BY ALL"
        ).fetchall()
        kinds = connection.sql("SELECT DISTINCT kind FROM runs").fetchall()
    gpt = [
        ("gpt", "a", 0, None, None, True, 0),
        ("gpt", "b", 0.5, 1, 1, False, 0),
        ("gpt", "c", 0, 2, 2, False, 0),
        ("gpt", "d", 0, None, None, True, 0.25),
    ]
    unranked = [("people", run, 0, None, None, True, 0.25 * (run == "d")) for run in "abcd"]
    assert ranks[:8] == [("none", *row) for row in (*gpt, *unranked)]
    [alone] = [row for row in ranks[12:] if row[4] is not None]
    assert alone[:6] == ("one", "people", "a", 0.75, 1, 1)
    assert pairs == [("none", "gpt", "b", "c"), ("one", "gpt", "b", "c")]
    assert kinds == [("submitted",)]
    board = (fresh.results / "report/tables/leaderboard-one.md").read_text().splitlines()
    assert [line.split(" | ")[-2:] for line in board[2:]] == [
        ["0", "0% |"], ["4", "0% |"], ["4", "0% |"], ["3", "25% |"],
    ]  # fmt: skip
