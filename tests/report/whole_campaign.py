"""Campaigns of any size with every table that a report can show; the numbers are drawn at random.

For tests of what a page looks like and how fast it is: a collection of answers with a key judge,
confidences and ranks, and one of validation, over and over.
"""

from typing import Any

import numpy as np
import polars as pl

from qampaign.tables import RESULT_TABLES, empty, schema_of
from tests.report.report_campaign import SCHEMAS, Tables

ANSWERING = {
    "c_at_1": "c@1", "accuracy": "accuracy", "k1": "K1", "confidence_correlation": "r",
    "mrr": "MRR", "nq_correct_5": "NQcorrect5", "q_1": "Q1:1:1", "q_3": "Q3:2:1",
    "list_precision": "list precision", "list_recall": "list recall",
}  # fmt: skip
VALIDATION = {"f": "F", "precision": "precision", "recall": "recall", "auc": "AUC"}
SLICES = {"all": 100, "definition": 40, "factoid": 60}
JUDGES = ("people", "key")
BINS = ("0", "(0,.25]", "(.25,.5]", "(.5,.75]", "(.75,1)", "1")


class Campaign:
    """Rows by table, collected and made into frames at the end."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in RESULT_TABLES}

    def add(self, table: str, /, **row: Any) -> None:
        self.rows[table].append(row)

    def frames(self) -> Tables:
        found = {}
        for name, rows in self.rows.items():
            schema = dict(empty(name).schema) | SCHEMAS.get(name, {})
            if name == "counts":
                schema |= dict.fromkeys(("tp", "fp", "fn", "tn"), pl.Int64)
            if name == "measures":
                schema["options"] = pl.String
            if name in ("scores", "questions"):
                schema |= schema_of(name)
            found[name] = pl.DataFrame(rows, schema=schema)
        return found


def campaign(
    *, runs: int, collections: int = 2, seed: int = 1, names: dict[int, str] | None = None
) -> Tables:
    """All tables; `names` gives some runs names of their own."""
    made = Campaign(seed)
    own = [(names or {}).get(place, f"run-{place + 1:03}") for place in range(runs)]
    for number in range(collections):
        if number % 2 == 0:
            _answering(made, f"answers-{number}", own)
        else:
            _validation(made, f"validated-{number}", own)
    made.add("published", collection="answers-0", source="Sakai 2004, Table 2", figure="scores.value",
             item="MRR of run 1",
             published=0.607, reconstructed=0.607)  # fmt: skip
    made.add("provenance", topic="seed", name="seed", value="2011")
    made.add("provenance", topic="seconds", name="answers-0/swap/people", value="2.5")
    made.add(
        "provenance", topic="config", name="config.yaml", value="campaign: whole\nseed: 2011\n"
    )
    return made.frames()


def _answering(made: Campaign, collection: str, runs: list[str]) -> None:
    _describe(made, collection, runs, ANSWERING, task="answering", judges=JUDGES)
    skill = np.sort(made.rng.uniform(0.1, 0.8, len(runs)))[::-1]
    silence = made.rng.uniform(0, 0.4, len(runs))
    for judge in JUDGES:
        for part, asked in SLICES.items():
            right = np.rint(skill * (1 - silence) * asked).astype(int)
            silent = np.rint(silence * asked).astype(int)
            for run, r, u in zip(runs, right, silent, strict=True):
                held = int(u) // 2
                made.add("counts", collection=collection, judge=judge, slice=part, run=run,
                         questions=asked, right=int(r), wrong=int(asked - r - u), unanswered=int(u),
                         withheld_right=held // 3, withheld_wrong=held - held // 3, missing=0,
                         unassessed=0)  # fmt: skip
            c_at_1 = right / asked * (1 + silent / asked)
            _scores(made, collection, judge, part, runs, ANSWERING, c_at_1)
    _judged(made, collection, runs)
    _rated(made, collection, runs, skill)
    _studied(made, collection, runs, ANSWERING)


def _validation(made: Campaign, collection: str, runs: list[str]) -> None:
    _describe(made, collection, runs, VALIDATION, task="validation", judges=JUDGES[:1])
    tp = made.rng.integers(0, 21, len(runs))
    fp = made.rng.integers(0, 81, len(runs))
    for run, t, f in zip(runs, tp.tolist(), fp.tolist(), strict=True):
        made.add("counts", collection=collection, judge="people", slice="all", run=run,
                 questions=100, right=t + 80 - f, wrong=20 - t + f, unanswered=0, withheld_right=0,
                 withheld_wrong=0, missing=0, unassessed=0, tp=t, fp=f, fn=20 - t,
                 tn=80 - f)  # fmt: skip
        for step in range(0, 101, 2):
            share = step / 100
            made.add("roc", collection=collection, judge="people", run=run, threshold=1 - share,
                     tp_rate=share**0.5, fp_rate=share, precision=0.2)  # fmt: skip
    _scores(made, collection, "people", "all", runs, VALIDATION, tp / 20)
    _studied(made, collection, runs, VALIDATION)


def _describe(
    made: Campaign, collection: str, runs: list[str], measures: dict[str, str], *, task: str,
    judges: tuple[str, ...],
) -> None:  # fmt: skip
    first = next(iter(measures))
    made.add("collections", collection=collection, title=f"The collection {collection}", task=task,
             language="en", note=None, reference="people", primary=first)  # fmt: skip
    for judge in judges:
        made.add("judges", collection=collection, judge=judge, kind="key", questions=100,
                 reference=judge == "people", threshold=None if judge == "people" else 0.25)  # fmt: skip
    for measure, label in measures.items():
        gains = '{"gains": {"S": 3}, "beta": 1}' if measure.startswith("q_") else None
        made.add("measures", collection=collection, measure=measure, label=label, better="high",
                 task=task, citation="Somebody 2011", formula="a / b", summary="What it is.",
                 options=gains, primary=measure == first)  # fmt: skip
    for place, run in enumerate(runs):
        made.add("runs", collection=collection, run=run, team=f"team {place % 7}", language="en",
                 kind="baseline" if place == len(runs) - 1 else "submitted")  # fmt: skip
    made.add("questions", collection=collection, judge="people", question="q1", slice="factoid",
             right_runs=1, best=True, difficulty=0.5, item_rest=0.1)  # fmt: skip
    made.add("sources", collection=collection, table="responses", path=f"{collection}/runs.csv",
             rows=100, bytes=5_000, sha256="0123456789abcdef" * 4)  # fmt: skip
    made.add("remarks", collection=collection, file=f"{collection}/runs.csv", column="comment",
             remark="not a known column; kept out", count=2)  # fmt: skip


def _scores(
    made: Campaign, collection: str, judge: str, part: str, runs: list[str],
    measures: dict[str, str], leading: Any,
) -> None:  # fmt: skip
    for place, measure in enumerate(measures):
        values = np.clip(leading * (1 - 0.05 * place) + made.rng.normal(0, 0.01, len(runs)), 0, 1)
        rank = (-values).argsort().argsort() + 1
        for run, value, at in zip(runs, values.tolist(), rank.tolist(), strict=True):
            made.add("scores", collection=collection, judge=judge, measure=measure, slice=part,
                     run=run, value=value, questions=SLICES[part], rank_first=at, rank_last=at,
                     low=max(0.0, value - 0.05), high=min(1.0, value + 0.05),
                     rank_low=max(1, at - 2), rank_high=min(len(runs), at + 2),
                     own_rank_low=max(1, at - 1), own_rank_high=min(len(runs), at + 1),
                     leading=at <= 3)  # fmt: skip


def _judged(made: Campaign, collection: str, runs: list[str]) -> None:
    own: dict[str, Any] = {"collection": collection, "judge": "key"}
    rates = {"agreement": 0.93, "hit_rate": 0.9, "false_alarm_rate": 0.05, "precision": 0.9,
             "recall": 0.9, "f": 0.9, "kappa": 0.8, "low": 0.75, "high": 0.85}  # fmt: skip
    counts = {"hits": 90, "misses": 10, "false_alarms": 5, "correct_rejections": 95}
    for run, part in [("all", "all"), ("all", "factoid"), *((run, "all") for run in runs)]:
        made.add("agreement", **own, reference="people", run=run, slice=part, threshold=None,
                 **counts, **rates)  # fmt: skip
    for step in range(11):
        made.add("roc", **own, run="all", threshold=step / 10 if step else None,
                 tp_rate=1 - (step / 10) ** 2, fp_rate=(1 - step / 10) ** 2, precision=0.5)  # fmt: skip
    for index, name in enumerate(BINS):
        made.add("recall_bins", **own, bin=name, right=10 * index, wrong=50 - 10 * index)
    made.add("thresholds", **own, criterion="agrees best", threshold=0.3, agreement=0.94,
             hit_rate=0.9, false_alarm_rate=0.04, area=0.97)  # fmt: skip
    made.add("disagreements", **own, question="q7", text="Who sang?", key="Ella", run=runs[0],
             rank=1, answer="<b>Ella</b> F.", verdict="wrong", reference_verdict="right", degree=0.2)  # fmt: skip
    made.add("causes", **own, cause="judge wrong", part_of=None, count=3, share=0.75)
    made.add("causes", **own, cause="numbers", part_of="judge wrong", count=2, share=0.5)
    made.add("misordered", **own, measure="c_at_1", run_a=runs[0], run_b=runs[1], difference=0.1,
             p=0.01, judge_difference=-0.02)  # fmt: skip
    for pair in (("all", "all"), ("ana", "bo")):
        made.add("assessors", collection=collection, assessor_a=pair[0], assessor_b=pair[1],
                 slice="all", items=80, agreement=0.94, kappa=0.87, low=0.8, high=0.93,
                 unanimous=0.9 if pair[0] == "all" else None)  # fmt: skip
    made.add("disputed", collection=collection, question="q7", run=runs[0], rank=1, answer="Ella",
             assessors=3, right=2, disagreement=0.7, question_disagreement=0.5,
             verdicts="right, right, wrong")  # fmt: skip
    made.add("changes", collection=collection, judge="people", measure="c_at_1", run=runs[0],
             before=0.5, after=0.52, rank_before=3, rank_after=1, sources="assessments.csv")  # fmt: skip


def _rated(made: Campaign, collection: str, runs: list[str], skill: Any) -> None:
    own: dict[str, Any] = {"collection": collection, "judge": "people"}
    for run, able in zip(runs, skill.tolist(), strict=True):
        for place in range(10):
            share = (place + 1) / 10
            made.add("coverage", **own, run=run, bar=1 - share, answered=share,
                     accuracy=able + (1 - able) * (1 - share) / 2)  # fmt: skip
            made.add("reliability", **own, run=run, bin=place, confidence=place / 10 + 0.05,
                     accuracy=able * place / 10, answers=10)  # fmt: skip
        for rank in (1, 2, 3, None):
            made.add("first_right", **own, run=run, rank=rank, questions=25)


def _studied(made: Campaign, collection: str, runs: list[str], measures: dict[str, str]) -> None:
    own: dict[str, Any] = {"collection": collection, "judge": "people"}
    for place, measure in enumerate(measures):
        for step in range(1, 11):
            made.add("stability", **own, measure=measure, size=50, unit="question", draws="shared", scheme="subset",
                     trials=100, fuzziness=step / 100, error_rate=0.05 / step + place / 500,
                     ties=step / 50, error_rate_se=0.001, ties_se=0.001)  # fmt: skip
            made.add("size_tau", **own, measure=measure, size=step * 10, unit="question",
                     tau=1 - 0.3 / step, low=1 - 0.4 / step, high=1 - 0.2 / step)  # fmt: skip
            made.add("questions_needed", **own, measure=measure, unit="question", test="opposite",
                     difference=step / 100, confidence=0.95, questions=1000 // step,
                     extrapolated=step < 5, model="normal", holdout_error=0.012,
                     holdout_error_exponential=0.03)  # fmt: skip
        for number in range(21):
            made.add("swap", **own, measure=measure, size=50, unit="question", test="opposite", trials=100, bin=number,
                     difference=number / 100, comparisons=100, swaps=max(0, 45 - 4 * number),
                     swap_rate=max(0, 45 - 4 * number) / 100, swap_rate_se=0.01)  # fmt: skip
        made.add("sensitivity", **own, measure=measure, size=50, unit="question", test="opposite",
                 confidence=0.95, absolute_difference=0.09, highest_value=0.8,
                 relative_difference=0.1125, sensitivity=0.5, lasting_difference=0.1,
                 lasting_sensitivity=0.4)  # fmt: skip
        made.add("sizes_enough", **own, measure=measure, unit="question", bound=0.9, size=40)
        made.add("significant_shares", **own, measure=measure, test="sign", level=0.05, pairs=100,
                 share=0.6)  # fmt: skip
        for other in list(measures)[place + 1 :]:
            made.add("correlation", collection=collection, judge_a="people", measure_a=measure,
                     judge_b="people", measure_b=other, tau=0.9 - place / 10, tau_b=0.9 - place / 10, low=0.7, high=0.95,
                     runs=len(runs))  # fmt: skip
        if "c_at_1" in measures:
            made.add("correlation", collection=collection, judge_a="people", measure_a=measure,
                     judge_b="key", measure_b=measure, tau=0.9, tau_b=0.9, low=0.8, high=0.95, runs=len(runs))  # fmt: skip
    first = next(iter(measures))
    for run in runs:
        for step in range(1, 11):
            for place, measure in enumerate(measures):
                made.add("sizes", **own, measure=measure, size=step * 10, unit="question", run=run,
                         mean=0.5 + place / 100, sd=0.1 / step)  # fmt: skip
    for index, run in enumerate(runs[:40]):
        for step, other in enumerate(runs[index + 1 : 40]):
            made.add("comparisons", **own, measure=first, slice="all", run_a=run, run_b=other,
                     family="all", difference=0.1, low=0.05, high=0.15, simultaneous_low=0.01,
                     simultaneous_high=0.19, p=0.01, p_adjusted=0.2 if step < 2 else 0.02, p_error=0.001,
                     won=20, lost=10, tied=70, units=100, sd=0.5, detectable=0.14,
                     questions_needed=196)  # fmt: skip
