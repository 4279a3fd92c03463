"""The bundled TREC-8 runs with people's labels on 50 of 198 questions, which correct the key judge.

What the labels on all questions say is the truth here.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np
import polars as pl

from qampaign.measures.scoring import Configured, evaluate
from qampaign.studies.intervals import bounds
from qampaign.studies.rectification import Pair, corrected_draws, corrected_values
from qampaign.studies.units import Units
from qampaign.studies.weighted_values import weighted_values
from tests.bench.calibration.simulated import ACCURACY, MRR, Cell, generator, share
from tests.bundled.test_trec8 import judged

LABELLED = 50


def rows(*, short: bool) -> Iterator[Cell]:
    """Coverage over the 41 runs, and widths beside those of people alone."""
    for measure in (ACCURACY, MRR):
        by_sample, widths, alone, raw = [], [], [], []
        for number in range(5 if short else 20):
            held, width, width_alone, held_raw = trial(measure, number)
            by_sample.append(held)
            widths.append(width)
            alone.append(width_alone)
            raw.append(held_raw)
        name = f"{measure.name} of trec8, {LABELLED} of 198 questions labelled"
        yield Cell(f"corrected {name}", *share(by_sample), ">= 0.93")
        yield Cell(f"judge alone, {name}", *share(raw), "")
        yield Cell(f"width of corrected {name}", float(np.mean(widths)), 0.0, "")
        yield Cell(f"width of people alone, {name}", float(np.mean(alone)), 0.0, "")


@cache
def evidence_of(side: str) -> tuple[pl.Series, dict[str, np.ndarray], list[str]]:
    """The runs, and by run and question the first answer's correctness and the reciprocal rank."""
    right = pl.col("verdict").cast(pl.String) == "right" if side == "key" else pl.col("adjudicated")
    rows = (
        judged()
        .select("run", "question", "rank", right.alias("right"))
        .with_columns(
            first=pl.col("right") & (pl.col("rank") == 1),
            reciprocal=pl.when("right").then(1 / pl.col("rank")).otherwise(0.0),
        )
    )
    cells = rows.group_by("run", "question").agg(
        pl.col("first").max().cast(pl.Float64), pl.col("reciprocal").max()
    )
    runs, questions = (cells[name].unique().sort() for name in ("run", "question"))
    every = pl.DataFrame({"run": runs}).join(pl.DataFrame({"question": questions}), how="cross")
    full = every.join(cells, on=["run", "question"], how="left").fill_null(0.0)
    full = full.sort("run", "question")
    shape = len(runs), len(questions)
    columns = {
        "correct": full["first"].to_numpy().reshape(shape),
        'reciprocal_rank {"cutoff": 5}': full["reciprocal"].to_numpy().reshape(shape),
        "questions": np.ones(shape),
    }
    return runs, columns, questions.to_list()


def trial(measure: Configured, number: int) -> tuple[float, float, float, float]:
    """One sample of questions: the share of runs covered, widths corrected and alone, judge alone."""
    from qampaign.measures.evidence import Evidence

    runs, people, questions = evidence_of("people")
    _, judge, _ = evidence_of("key")
    chosen = np.zeros(len(questions), dtype=bool)
    rng = generator([77, number])
    chosen[rng.choice(len(questions), LABELLED, replace=False)] = True
    frame = pl.DataFrame({"question": questions}).with_columns(
        type=pl.lit(None, pl.String), group=pl.lit(None, pl.String)
    )
    units = Units.of(frame, "group")
    of_runs = pl.DataFrame({"run": runs, "kind": "submitted", "assessed": True})
    by_people, by_judge = (Evidence(of_runs, frame, side) for side in (people, judge))
    everything = np.ones((1, len(questions)), dtype=np.uint8)
    true = next(evaluate(by_people, [measure], everything))[:, 0]
    pair = Pair(people, judge, np.repeat(chosen[None] * 1.0, len(runs), axis=0), units)
    seed = f"trec8 {number}"
    low, high = bounds(corrected_draws(pair, measure, seed=seed), corrected_values(pair, measure))
    part = by_people.only_questions(chosen)
    value = next(evaluate(part, [measure], everything[:, chosen]))[:, 0]
    alone = bounds(weighted_values(part, [measure], units.only(chosen), seed=seed)[0].values, value)
    raw = next(evaluate(by_judge, [measure], everything))[:, 0]
    of_judge = bounds(weighted_values(by_judge, [measure], units, seed=seed)[0].values, raw)
    held = (low <= true + 1e-9) & (true - 1e-9 <= high)
    held_raw = (of_judge[0] <= true) & (true <= of_judge[1])
    return (
        float(held.mean()),
        float((high - low).mean()),
        float((alone[1] - alone[0]).mean()),
        float(held_raw.mean()),
    )
