"""Automatic judges in the workflow, and the files that people fill in."""

import polars as pl
from tiny_campaign import ENDING, Tiny

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
    assert ended.ran == {"ingest"} | KEY | exact | ENDING
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
    assert tiny.run().ran == {"alpha/agreement/gpt"} | ENDING
    causes = [row for row in tiny.tables()["causes"] if row[1] == "gpt"]
    assert causes == [
        ("alpha", "gpt", "judge wrong", None, 4, 1.0),
        ("alpha", "gpt", "geography", "judge wrong", 4, 1.0),
    ]
    tiny.replace("alpha/gpt.csv", "q4,Bob,B", "q4,Bob,A")
    filled = sheet.read_bytes()
    tiny.run()
    assert sheet.read_bytes() == filled


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
    assert "2 to be judged in results/tiny/pool/alpha.csv; 10 of 12 answers are covered" in shown
    assert "0 to be judged in results/tiny/pool/beta.csv" in shown
    path = tiny.results / "pool/alpha.csv"
    pool = pl.read_csv(path)
    assert sorted(pool["answer"]) == ["Lyon", "a rock"]
    pool.with_columns(label=pl.lit("W")).write_csv(path)
    assert (
        "has been filled in and is left alone: put it among"
        in tiny.run("pool", "--forcerun", "find_pool").shown
    )
    (tiny.data / "alpha/pool1.csv").write_bytes(path.read_bytes())
    path.unlink()
    assert "0 to be judged in results/tiny/pool/alpha.csv" in tiny.run("pool").shown
    tiny.run()
    assert tiny.values() == {"a1": 0.625, "a2": 0.5, "a3": 0.3125}
