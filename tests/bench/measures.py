"""Speed of measures beside other people's programs, on the same data, in the same process."""

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from qampaign.measures import MEASURES, scoring
from qampaign.measures.scoring import Configured
from tests.bench import pipeline

RUNS, QUESTIONS, RANKS = 50, 2_000, 5
ROUNDS = 3
LEVELS = {3: "S", 2: "A", 1: "B"}


def timed(step: Callable[[], Any], rounds: int = 1) -> tuple[float, Any]:
    """Seconds of the fastest of some rounds of a step, and its result."""
    seconds = []
    for _ in range(rounds):
        begun = time.perf_counter()
        found = step()
        seconds.append(time.perf_counter() - begun)
    return min(seconds), found


def tell(what: str, seconds: float, other: str, theirs: float, aim: str) -> None:
    print(f"{what}: {seconds:.2f} s; {other}: {theirs:.2f} s; {theirs / seconds:.1f} times as fast "
          f"(aim: {aim})", flush=True)  # fmt: skip


def generate(folder: Path) -> dict[str, dict[str, int]]:
    """The same runs as CSV and in the format of trec_eval; gives the graded right answers."""
    rng = np.random.default_rng(2011)
    (folder / "csv").mkdir(parents=True)
    (folder / "trec").mkdir()
    grades: dict[str, dict[str, int]] = {}
    rows = []
    for q in range(QUESTIONS):
        pool = rng.choice([0, 0, 0, 0, 0, 0, 1, 2, 3], 20)
        pool[0] = max(pool[0], 1)
        grades[f"q{q:04}"] = {f"a{q:04}_{n}": int(grade) for n, grade in enumerate(pool)}
        for answer, grade in grades[f"q{q:04}"].items():
            label = ("R", LEVELS[grade], answer) if grade else ("W", None, None)
            rows.append((f"q{q:04}", answer, *label))
    names = ["question", "answer", "label", "level", "class"]
    pl.DataFrame(rows, schema=names, orient="row").write_csv(folder / "assessments.csv")
    with (folder / "qrels").open("w") as qrels:
        for question, answers in grades.items():
            qrels.writelines(
                f"{question} 0 {answer} {grade}\n" for answer, grade in answers.items()
            )
    for run in range(RUNS):
        picks = np.array([rng.permutation(20)[:RANKS] for _ in range(QUESTIONS)])
        with (folder / "csv" / f"run{run:02}.csv").open("w") as csv, \
             (folder / "trec" / f"run{run:02}").open("w") as trec:  # fmt: skip
            csv.write("question,rank,answer\n")
            for q, chosen in enumerate(picks):
                for rank, n in enumerate(chosen, start=1):
                    csv.write(f"q{q:04},{rank},a{q:04}_{n}\n")
                    trec.write(f"q{q:04} Q0 a{q:04}_{n} {rank} {RANKS - rank + 1} run{run:02}\n")
    return grades


def in_memory(folder: Path, measures: list[Configured]) -> pl.DataFrame:
    """From files to scores: what the rules ingest, judge and score compute, and no database."""
    judged = pipeline.judge_in_memory(
        sorted((folder / "csv").iterdir()), folder / "assessments.csv"
    )
    return scoring.score(pipeline.collect(judged, measures), measures)


def with_database(folder: Path, measures: list[Configured]) -> pl.DataFrame:
    """The same with everything that the rules keep: the database and the Parquet files."""
    pipeline.ingest(folder, responses=["csv/*.csv"], assessments=["assessments.csv"])
    return pipeline.judge_and_score(folder, measures)


def trec_eval(folder: Path) -> dict[str, float]:
    """From files to MRR with pytrec_eval."""
    import pytrec_eval

    with (folder / "qrels").open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"recip_rank"})
    found = {}
    for path in sorted((folder / "trec").iterdir()):
        with path.open() as file:
            values = evaluator.evaluate(pytrec_eval.parse_run(file))
        found[path.name] = sum(each["recip_rank"] for each in values.values()) / QUESTIONS
    return found


def read_lists(folder: Path) -> dict[str, dict[str, list[str]]]:
    """For each run and question its ranked answers."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted((folder / "csv").iterdir()):
        lists = found.setdefault(path.stem, {})
        for line in path.read_text().splitlines()[1:]:
            question, _, answer = line.split(",")
            lists.setdefault(question, []).append(answer)
    return found


def ntcireval(
    runs: dict[str, dict[str, list[str]]], grades: dict[str, dict[str, int]]
) -> dict[str, float]:
    """Q with pyNTCIREVAL, from lists in memory."""
    from pyNTCIREVAL import Labeler
    from pyNTCIREVAL.metrics import QMeasure

    found = {}
    for run, lists in runs.items():
        total = 0.0
        for question, ranked in lists.items():
            labeled = Labeler(grades[question]).label(ranked)
            numbers = [sum(g == level for g in grades[question].values()) for level in range(4)]
            total += QMeasure(numbers, [1, 2, 3], 1.0).compute(labeled)
        found[run] = total / QUESTIONS
    return found


def bench_ranked(folder: Path) -> None:
    """MRR and Q of ranked answers."""
    grades = generate(folder)
    answers = f"{RUNS * QUESTIONS * RANKS:,} answers"
    mrr = [Configured("mrr", "mrr", {"cutoff": 5})]
    gains = {"S": 3, "A": 2, "B": 1}
    q = [Configured("q", "q_measure", {"gains": gains, "beta": 1, "cutoff": None})]
    in_memory(folder, mrr)  # libraries load what they load at first use
    theirs, values = timed(lambda: trec_eval(folder), ROUNDS)
    seconds, scores = timed(lambda: in_memory(folder, mrr), ROUNDS)
    _compare(scores, values)
    tell(f"MRR of {answers}, files to scores", seconds, "pytrec_eval", theirs, "at least 1")
    seconds, scores = timed(lambda: with_database(folder, mrr))
    _compare(scores, values)
    tell("the same with database and Parquet files", seconds, "pytrec_eval", theirs, "none")
    judged = pipeline.judge_in_memory(
        sorted((folder / "csv").iterdir()), folder / "assessments.csv"
    )
    reading, lists = timed(lambda: read_lists(folder), ROUNDS)
    theirs, values = timed(lambda: ntcireval(lists, grades), ROUNDS)
    seconds, scores = timed(lambda: scoring.score(pipeline.collect(judged, q), q), ROUNDS)
    _compare(scores, values)
    tell(f"Q of {answers}, in memory", seconds, "pyNTCIREVAL", theirs, "at least 10")
    seconds, scores = timed(lambda: in_memory(folder, q), ROUNDS)
    tell("the same, files to scores", seconds, "pyNTCIREVAL", reading + theirs, "at least 10")


def _compare(scores: pl.DataFrame, values: dict[str, float]) -> None:
    """The two must agree, or the time means nothing."""
    for run, value in scores.filter(pl.col("slice") == "all").select("run", "value").rows():
        assert abs(value - values[run]) < 1e-9, (run, value, values[run])


def bench_ordered(runs: int = 100, items: int = 100_000) -> None:
    """Areas under ROC curves, and CWS."""
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(2011)
    right = rng.random(items) < 0.3
    by = rng.random((runs, items)).round(4) + 0.2 * right
    weights = np.ones((1, items))
    truth = np.broadcast_to(right, by.shape)
    theirs, areas = timed(lambda: [roc_auc_score(right, each) for each in by])
    for name, columns in (
        ("auc", ("score_order", "positive")),
        ("cws", ("confidence_order", "correct")),
    ):
        evidence = dict(zip(columns, (by, truth), strict=True))
        seconds, values = timed(lambda e=evidence, n=name: MEASURES[n].values(e, weights, {}))
        if name == "auc":
            assert np.allclose(values[:, 0], areas)
        tell(
            f"{name} of {runs} runs x {items:,} items",
            seconds,
            "roc_auc_score",
            theirs,
            "at least 1",
        )


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="qampaign-bench-"))
    try:
        bench_ranked(folder)
        bench_ordered()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
